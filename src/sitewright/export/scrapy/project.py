"""A Scrapy project from a site model and the wrappers of its classes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

from sitewright.export.scrapy.check import check_selectors, trial_run
from sitewright.export.scrapy.plan import loaders_used, planned
from sitewright.export.scrapy.source import render_markdown, render_python
from sitewright.extraction import page_results
from sitewright.extraction.page_results import Extracted, ExtractionJob, PageExtractor, Rejected
from sitewright.formats import (
    folder_aside,
    json_line,
    output_folder,
    remove_abandoned,
    write_bytes,
)
from sitewright.page import Document
from sitewright.page.url import canonical, folder_url
from sitewright.settings import ExtractionSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from scrapy.http import HtmlResponse

    from sitewright.classes import SiteModel
    from sitewright.export.scrapy.check import Agreement, Checked, Sample, TrialRun
    from sitewright.export.scrapy.plan import SpiderPlan
    from sitewright.site import Page
    from sitewright.site.endpoints import JsonEndpoint
    from sitewright.site.identity import SameContent
    from sitewright.wrapper import Wrapper


_MIRRORED_QUERY = "%3F"
"""Mirrors keep queries in the names of files; the site itself is asked with a query."""


class LocalPage:
    """A page and its class (None: it fits none), as sitewright and as Scrapy see it."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.url = served(page.url)
        self.page_class: str | None = None

    @cached_property
    def document(self) -> Document:
        """Ours, under the URL that the page has at its site."""
        return Document(self._page.body, self.url, encoding=self._page.encoding)

    @cached_property
    def response(self) -> HtmlResponse:
        """What Scrapy would hand to a spider."""
        from scrapy.http import HtmlResponse  # noqa: PLC0415 - it takes a while to load

        declared = f"; charset={self._page.encoding}" if self._page.encoding else ""
        headers = {"Content-Type": f"text/html{declared}"}
        return HtmlResponse(self.url, headers=headers, body=self._page.body)

    def classify(self, extractor: PageExtractor) -> None:
        """Find its class: that of its records, or one that has no wrapper."""
        match extractor.of_page(self._page):
            case Extracted(name) | Rejected(_, name, page_results.NO_WRAPPER):
                self.page_class = name


class LocalPages:
    """Streams the local pages as often as they are needed; none is kept in memory."""

    def __init__(
        self,
        model: SiteModel,
        wrappers: Mapping[str, Wrapper],
        pages: Callable[[], Iterable[Page]],
    ) -> None:
        self._extractor = PageExtractor(ExtractionJob(model, wrappers))
        self._pages = pages
        self._classes: dict[str, str | None] = {}

    def known_classes(self) -> dict[str, str | None]:
        """The class of each page by its URL, as the site is asked for it."""
        for _ in self.of(()):
            pass  # pages that were read already are passed over
        return dict(self._classes)

    def all(self) -> Iterator[LocalPage]:
        """Every page."""
        yield from self._read(lambda _: True)

    def of(self, names: Collection[str]) -> Iterator[LocalPage]:
        """The pages of some classes."""
        yield from self._read(lambda name: name in names)

    def _read(self, wanted: Callable[[str | None], bool]) -> Iterator[LocalPage]:
        for page in map(LocalPage, _once(self._pages())):
            if page.url in self._classes:
                page.page_class = self._classes[page.url]
            else:
                page.classify(self._extractor)
                self._classes[page.url] = page.page_class
            if wanted(page.page_class):
                yield page


def _once(pages: Iterable[Page]) -> Iterator[Page]:
    """Of a folder's URL and that of its index page, the first."""
    seen: set[str] = set()
    for page in pages:
        form = folder_url(page.url)
        if form not in seen:
            seen.add(form)
            yield page


def served(url: str) -> str:
    """The URL that a page of a mirror has at its site."""
    folder, slash, name = url.rpartition("/")
    asked = f"{folder}{slash}{name.replace(_MIRRORED_QUERY, '?', 1)}"
    return url if asked == url else canonical(asked) or url


# A Scrapy project from a site model and the wrappers of its classes.

_FRAMES = {
    "scrapy.cfg": "scrapy.cfg.jinja",
    "pytest.ini": "pytest.ini.jinja",
    "ruff.toml": "ruff.toml.jinja",
    "tests/test_selectors.py": "test_selectors.py.jinja",
    "{package}/settings.py": "settings.py.jinja",
    "{package}/items.py": "items.py.jinja",
    "{package}/spiders/site.py": "site.py.jinja",
}
"""The template of each file that depends on the site."""
_MODULES = {
    "reading/elements.py": "sitewright.page.elements",
    "reading/host.py": "sitewright.page.host",
    "reading/url.py": "sitewright.page.url",
    "reading/values.py": "sitewright.wrapper.values.types",
    "reading/dates.py": "sitewright.wrapper.values.dates",
    "reading/quantities.py": "sitewright.wrapper.values.quantities",
    "plugins.py": "sitewright.plugins",
    "errors.py": "sitewright.errors",
    "reading/content.py": "sitewright.export.scrapy.runtime.text",
    "loaders.py": "sitewright.export.scrapy.runtime.loaders",
    "page_classes.py": "sitewright.export.scrapy.runtime.page_classes",
    "crawling.py": "sitewright.export.scrapy.runtime.crawling",
    "json_data.py": "sitewright.export.scrapy.runtime.json_data",
}
"""Where in the project's package each module goes."""
_DATA_SPIDER = "spiders/data.py"
"""There only where scripts of pages load data."""
_PLACES = {module: place for place, module in _MODULES.items()}
_IMPORT = re.compile(r"(?<=from )sitewright\.[\w.]+(?= import )")
_PACKAGE_NOTE = '"""How texts and URLs are read."""\n'


@dataclass(frozen=True, slots=True)
class ScrapyProject:
    """A project that was made, and how well it does on the local pages."""

    plan: SpiderPlan
    checked: Checked
    run: TrialRun
    endpoints: tuple[JsonEndpoint, ...] = ()
    """Where scripts of pages load data from."""

    def files(self) -> dict[str, bytes]:
        """Every file of the project by its path."""
        plan, package = self.plan, self.plan.package
        items = plan.item_classes
        data = {"plan": plan, "items": items, "imports": loaders_used(items)}
        if self.endpoints:
            made = render_python("data.py.jinja", endpoints=self.endpoints)
            by_data = {f"{package}/{_DATA_SPIDER}": made}
        else:
            by_data = {}
        texts = {
            "README.md": _readme(plan, self.run, self.endpoints),
            "selectors.jsonl": "".join(map(_selector_line, self.checked.agreements)),
            f"{package}/__init__.py": "",
            f"{package}/spiders/__init__.py": "",
            **{
                path.format(package=package): render_python(template, **data)
                for path, template in _FRAMES.items()
            },
            **{f"{package}/{path}": text for path, text in copied_modules().items()},
            **by_data,
        }
        return {path: text.encode() for path, text in texts.items()} | self._samples()

    def _samples(self) -> dict[str, bytes]:
        identifiers = {one.name: one.identifier for one in self.plan.classes}
        entries, pages = [], {}
        for number, sample in enumerate(self.run.samples_in_order, 1):
            identifier = identifiers[sample.page_class]
            name = f"{identifier}-{number}.html"
            pages[f"tests/pages/{name}"] = sample.body
            entries.append(_entry(sample, name, f"parse_{identifier}"))
        listed = json.dumps(entries, indent=1) + "\n"
        return {"tests/samples.json": listed.encode(), **pages}


def make_project(
    model: SiteModel,
    wrappers: Mapping[str, Wrapper],
    pages: Callable[[], Iterable[Page]],
    endpoints: Iterable[JsonEndpoint] = (),
    rules: Iterable[SameContent] = (),
) -> ScrapyProject:
    """Check every selector on the local pages and plan a project of those that hold.

    `pages` streams the local pages, and is called several times. `endpoints` are where scripts of
    pages load data from: the project has a spider that asks them. `rules` are the parameters that
    a crawl found to change nothing: the spider does not follow them either.
    """
    at_hand = LocalPages(model, wrappers, pages)
    checked = check_selectors(wrappers, at_hand)
    plan = replace(planned(model, checked, at_hand), rules=tuple(rules))
    run = trial_run(plan.runtime_classes(), checked.ours, at_hand)
    asked = tuple(one for one in endpoints if (one.template or one.starts) and one.fields)
    return ScrapyProject(plan, checked, run, asked)


def write_project(project: ScrapyProject, folder: Path) -> None:
    """Write the files of a project; those of an older one are replaced, no other is touched.

    A new project is there as a whole or not at all.
    """
    beside = output_folder(folder.absolute().parent)
    remove_abandoned(beside, folder.name)
    if folder.is_dir() and any(folder.iterdir()):
        for parent in {(folder / path).parent for path in project.files()}:
            remove_abandoned(parent)
        _write_files(project, folder)
        return
    with folder_aside(beside, folder.name) as aside:
        whole = aside / folder.name
        _write_files(project, whole)
        whole.replace(folder)


def _write_files(project: ScrapyProject, folder: Path) -> None:
    for path, content in project.files().items():
        output_folder((folder / path).parent)
        write_bytes(folder / path, content)


def _selector_line(agreement: Agreement) -> str:
    return json_line(
        {
            "selector": agreement.trial.name,
            "xpath": agreement.trial.xpath,
            "exported": agreement.is_enough,
            "pages": agreement.pages,
            "same": agreement.agreeing,
        }
    )


def _entry(sample: Sample, file: str, callback: str) -> dict[str, object]:
    return {
        "file": file,
        "url": sample.url,
        "content_type": sample.content_type,
        "callback": callback,
        "records": list(sample.records),
    }


def _readme(plan: SpiderPlan, run: TrialRun, endpoints: Sequence[JsonEndpoint]) -> str:
    return render_markdown(
        "README.md.jinja",
        plan=plan,
        endpoints=endpoints,
        run=run,
        enough=ExtractionSettings().min_required_share,
        left_out=[agreement for one in plan.classes for agreement in one.left_out],
        taken_for=sorted(run.taken_for.items()),
    )


def copied_modules() -> dict[str, str]:
    """The source of each module by its path in the package, with imports within the package."""
    copies = {place: _moved(_text(module), place) for place, module in _MODULES.items()}
    return {"reading/__init__.py": _PACKAGE_NOTE, **copies}


def _moved(text: str, place: str) -> str:
    """The source with its imports relative to its new place."""
    folder = place.rpartition("/")[0]

    def relative(imported: re.Match[str]) -> str:
        target_folder, _, name = _PLACES[imported[0]].removesuffix(".py").rpartition("/")
        if target_folder == folder:
            return f".{name}"
        return f"..{name}" if folder else f".{target_folder}.{name}"

    return _IMPORT.sub(relative, text)


def _text(module: str) -> str:
    package, _, name = module.rpartition(".")
    return (files(package) / f"{name}.py").read_text(encoding="utf-8")
