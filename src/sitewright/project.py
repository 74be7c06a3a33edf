"""Everything known of one site: a folder of results, and the object over it.

::

    project = sitewright.run("https://example.org/", "out")
    project["player"].to_pandas()
    project = sitewright.load("out")

`Project` owns the folder, the site and the pages that were read. The steps are `discover`,
`find_skeleton`, `learn_wrappers` and `extract`; `run` is all of them, with the site opened once and
each page read once. Each step has an asynchronous form with an `a` in front.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, TypeAlias
from urllib.parse import urljoin

from sitewright import formats
from sitewright.choices import Method
from sitewright.crawl.frontier import Strategy
from sitewright.crawl.waves import CrawlPlan
from sitewright.errors import InputNotFound, InvalidInput, NoPages, UnknownName
from sitewright.event_loop import Answer, Given, synchronous
from sitewright.export.class_tables import (
    REJECTED_FILE,
    chosen_classes,
    classes_of_urls,
    extract_site,
    write_templates,
    write_wrapper,
)
from sitewright.export.exporters import ARCHIVE_FILE, export_project
from sitewright.export.folder import (
    MODEL,
    SKELETON,
    model_id,
    read_model,
    read_skeleton,
    read_wrappers,
    wrappers_by_example,
    write_model,
)
from sitewright.export.results import ProjectClass, as_document, query_tables
from sitewright.extraction.page_results import PAGES, ExtractionJob, extracted
from sitewright.formats import output_folder
from sitewright.methods import (
    discover,
    discover_all,
    documents_of,
    extract_skeleton,
    read_navigation,
    site_classifier,
)
from sitewright.notebook import html_table
from sitewright.settings import Settings, current, using
from sitewright.site import Missing, Reason, ScopeKind, open_site
from sitewright.site.base import explain_missing
from sitewright.site.open import (
    SiteSource,
    checked_source,
    is_url,
    read_source,
    site_plugin,
    write_source,
)
from sitewright.site.store import PageStore
from sitewright.site.web import CrawlOptions
from sitewright.wrapper import Extractor, induce, induce_from_examples
from sitewright.wrapper.examples import checked_examples, found_examples

if TYPE_CHECKING:
    from collections.abc import Collection

    from duckdb import DuckDBPyRelation

    from sitewright.classes import Classification, Classifier, ClassLink, PageClass, SiteModel
    from sitewright.export.exporters import Exported
    from sitewright.export.report.report import Section
    from sitewright.export.report.sections import TemplateRow, WrapperEntry
    from sitewright.export.results import Table
    from sitewright.extraction.page_results import ExtractionSummary, PageResult
    from sitewright.methods import ReadNavigation
    from sitewright.page import Document
    from sitewright.site import Site
    from sitewright.skeleton import SkeletonNode
    from sitewright.wrapper import Wrapper


PathLike: TypeAlias = "str | os.PathLike[str]"
DEFAULT_PAGES = 1000
SKELETON_PAGES = 400
"""The tree is drawn from so many pages; those that were read for the classes are among them."""


class Progress(NamedTuple):
    """How far a step has come; `total` is None where nobody knows."""

    step: str
    done: int = 0
    total: int | None = None


ProgressCallback: TypeAlias = Callable[[Progress], None]


def _silent(_: Progress) -> None:
    """Show nothing."""


async def arun(
    site: PathLike,
    out: PathLike,
    *,
    pages: int = DEFAULT_PAGES,
    method: Method | str = Method.DEFAULT,
    strategy: str | None = None,
    seed: int = 0,
    local_only: bool = False,
    base_url: str | None = None,
    home: str | None = None,
    scope: ScopeKind | str = ScopeKind.HOST,
    crawl: CrawlOptions | None = None,
    workers: int | None = None,
    settings: Settings | Mapping[str, object] | None = None,
    progress: ProgressCallback = _silent,
) -> Project:
    """Do the whole job on one site: page classes, navigation, templates, tables, a report.

    `site` is a URL, a folder, a saved page or an archive; `out` the folder for the results, where a
    later call goes on with what was fetched. At most `pages` pages are asked for. `settings` are
    thresholds by name, see `sitewright.settings`. `run` works in scripts and in notebooks; `arun`
    is the same for programs that have an event loop.
    """
    project = Project(
        out,
        site,
        base_url=base_url,
        home=home,
        scope=scope,
        crawl=crawl,
        settings=settings,
        progress=progress,
    )
    exploring = Exploring(pages, method, strategy, seed, local_only)
    await project.arun(exploring, workers=workers)
    return project


run = synchronous(arun)


def load(out: PathLike) -> Project:
    """Open the results of an earlier run."""
    project = Project(out)
    _ = project.model  # an empty or foreign folder is refused here, not at some later call
    return project


@dataclass(frozen=True, slots=True)
class Exploring:
    """How the pages are chosen that the model is made from."""

    pages: int = DEFAULT_PAGES
    """The most pages to ask for, those of the skeleton included."""
    method: Method | str = Method.DEFAULT
    strategy: str | None = None
    """Which links come first; None for the one that goes with the method."""
    seed: int = 0
    local_only: bool = False
    """Take every local page, and fetch none."""

    def __post_init__(self) -> None:
        _check_count("pages", self.pages)
        if not isinstance(self.seed, int):
            raise InvalidInput(f"seed={self.seed!r}", "not a whole number")
        Method(self.method)
        if self.strategy is not None:
            Strategy(self.strategy)

    def plan(self) -> CrawlPlan:
        """The plan of the exploration."""
        is_paper = Method(self.method) is Method.PAPER
        usual = Strategy.DENSEST_FIRST if is_paper else Strategy.BALANCED
        strategy = Strategy(self.strategy) if self.strategy else usual
        return CrawlPlan(limit=self.pages, strategy=strategy, seed=self.seed)


def _exploring(given: Exploring | None, pages: int | None) -> Exploring:
    exploring = given or Exploring()
    return exploring if pages is None else replace(exploring, pages=pages)


@dataclass(slots=True)
class _Learned:
    """What the pages of the classes gave, while each class's pages were in memory."""

    model: str
    """The id of the model that all of it belongs to."""
    wrappers: dict[str, Wrapper]
    results: dict[str, PageResult] = field(default_factory=dict)
    """For the pages that wrappers were learnt from, by URL: they need not be read again."""
    entries: list[WrapperEntry] = field(default_factory=list)
    rows: list[TemplateRow] = field(default_factory=list)
    """What the report shows of wrappers and templates."""


def _in_force(
    settings_of: Callable[[Project], Settings],
) -> Callable[
    [Callable[Concatenate[Project, Given], Coroutine[Any, Any, Answer]]],
    Callable[Concatenate[Project, Given], Coroutine[Any, Any, Answer]],
]:
    """Make a decorator that puts settings of the project into force while a step runs."""

    def decorate(
        step: Callable[Concatenate[Project, Given], Coroutine[Any, Any, Answer]],
    ) -> Callable[Concatenate[Project, Given], Coroutine[Any, Any, Answer]]:
        @wraps(step)
        async def with_settings(
            project: Project, /, *arguments: Given.args, **options: Given.kwargs
        ) -> Answer:
            with using(settings_of(project)):
                return await step(project, *arguments, **options)

        return with_settings

    return decorate


_with_settings = _in_force(lambda project: project.settings)
_with_given_settings = _in_force(lambda project: project.given_settings)
"""For steps that make a new model: the settings of an earlier one do not count."""


class Project:
    """A folder with everything known of one site.

    `site` says where its pages come from; without it the folder must know. What was learnt is read
    from the folder when it is asked for.
    """

    def __init__(
        self,
        out: PathLike,
        site: PathLike | None = None,
        *,
        base_url: str | None = None,
        home: str | None = None,
        scope: ScopeKind | str = ScopeKind.HOST,
        crawl: CrawlOptions | None = None,
        settings: Settings | Mapping[str, object] | None = None,
        progress: ProgressCallback = _silent,
    ) -> None:
        self.path = Path(_checked_path("out", out))
        """The folder of the results."""
        if self.path.is_file():
            raise InvalidInput(str(self.path), "is a file; name the folder for the results")
        self.given_settings: Settings = current() if settings is None else Settings.of(settings)
        """What the caller set; a later step of the project knows what an earlier one recorded."""
        self.progress = progress
        """Is told how far each step has come."""
        if not callable(progress):
            raise InvalidInput(f"progress={progress!r}", "not a function")
        self._crawl = _checked_crawl(crawl)
        self._given = None
        if site is not None:
            where = _checked_path("site", site)
            self._given = checked_source(where, base_url, home, scope)
            if Path(where).is_dir() and os.path.realpath(where) == os.path.realpath(out):
                why = "is the site itself; choose another folder for the results"
                raise InvalidInput(str(self.path), why)
        self.removed: list[Path] = []
        """Files of an earlier model that the last discovery has taken away."""
        self._open: PageStore | None = None
        self._read_pages: dict[str, ReadNavigation] = {}

    # -- the steps

    @_with_given_settings
    async def arun(
        self,
        exploring: Exploring | None = None,
        *,
        pages: int | None = None,
        workers: int | None = None,
    ) -> ExtractionSummary:
        """Do the whole job; see `sitewright.run`."""
        exploring = _exploring(exploring, pages)
        if workers is not None:
            _check_count("workers", workers)
        async with self._opened(exploring.pages, local_only=exploring.local_only) as site:
            model = await self.adiscover(exploring)
            tree = await self.afind_skeleton(pages=min(exploring.pages, SKELETON_PAGES))
            learned = await self._learn_all(model)
            # What was fetched is enough: `extract` fetches more of a live site.
            job = ExtractionJob(model, learned.wrappers, limit=0, workers=workers)
            summary = await self._extract(job, learned.results)
            missed = list(site.missed.values())
        self._write_report(model, tree, learned, missed)
        return summary

    @_with_given_settings
    async def adiscover(
        self, exploring: Exploring | None = None, *, pages: int | None = None
    ) -> SiteModel:
        """Find the page classes and the links between them; write model.json and a report.

        At most `pages` pages are asked for; `exploring` has more to choose.
        """
        exploring = _exploring(exploring, pages)
        plan = exploring.plan()
        async with self._opened(exploring.pages, local_only=exploring.local_only) as site:
            if exploring.local_only:
                model = discover_all(site, method=exploring.method)
            else:
                self._read_pages.clear()
                model = await discover(
                    site,
                    plan,
                    method=exploring.method,
                    on_wave=lambda seen: self._tell("visiting pages", len(seen.pages), plan.limit),
                    on_document=lambda document: self._note(document, site),
                )
        if model is None:
            why = f"no pages found: {explain_missing(site.missed.values())}"
            raise NoPages(self.source.site, why)
        self._forget()
        source = self.source
        self.removed = write_model(self.path, model)
        write_source(self.path, source, model=formats.identity(model))
        self._write_report(model)
        return model

    @_with_settings
    async def afind_skeleton(self, *, pages: int = SKELETON_PAGES) -> SkeletonNode:
        """Find the navigation tree; write skeleton.json."""
        _check_count("pages", pages)
        async with self._opened(pages) as site:
            skeleton = await extract_skeleton(
                site,
                limit=pages,
                known=self._read_pages,
                progress=lambda done: self._tell("finding the navigation tree", done, pages),
            )
        path = output_folder(self.path) / SKELETON
        formats.write(path, skeleton.root, model=model_id(self.path))
        return skeleton.root

    @_with_settings
    async def alearn_wrappers(self) -> dict[str, Wrapper]:
        """Learn the template and the wrapper of each class from its pages, and write them."""
        model = self.model
        async with self._opened(DEFAULT_PAGES):
            return (await self._learn_all(model)).wrappers

    @_with_settings
    async def aextract(
        self,
        classes: Sequence[str] = (),
        *,
        pages: int = PAGES,
        workers: int | None = None,
    ) -> ExtractionSummary:
        """Extract the records of all pages, or of some classes, and write the tables.

        Of a live site at most `pages` pages are asked for. For another copy of the site, make the
        project with it: `Project("out", "other/copy").extract()`.
        """
        _check_count("pages", pages)
        if workers is not None:
            _check_count("workers", workers)
        wrappers = self.wrappers
        if not wrappers:
            why = f"no class has a wrapper here; make them with: sitewright run SITE -o {self.path}"
            raise InputNotFound(str(self.path), why)
        chosen = chosen_classes(classes, self.model, wrappers)
        async with self._opened(pages):
            job = ExtractionJob(self.model, wrappers, chosen, pages, workers)
            return await self._extract(job, {})

    @_with_settings
    async def alearn(
        self,
        examples: Mapping[str, str | Sequence[str]],
        *,
        page_class: str | None = None,
        pages: Sequence[str] = (),
    ) -> Wrapper:
        """Learn the wrapper of one class from example values, field by field.

        `examples` has one or more values for each field; `pages` are those that have the values,
        else they are looked for in the pages that the class was learnt from. The class is that of
        the first page, where none is named.
        """
        values = checked_examples(examples)
        model = self.model
        async with self._opened(DEFAULT_PAGES) as site:
            named = await _named_pages(site, pages)
            name = self._class_of_examples(page_class, named)
            sample = await documents_of(model.by_name(name), site)
        known = {document.url for document in named}
        documents = [*named, *(one for one in sample if one.url not in known)]
        among = len(named) or len(documents)
        wrapper = induce_from_examples(documents, found_examples(documents[:among], values), name)
        self._forget()
        write_wrapper(self.path, wrapper, model=formats.identity(model))
        return wrapper

    run = synchronous(arun)
    discover = synchronous(adiscover)
    find_skeleton = synchronous(afind_skeleton)
    learn_wrappers = synchronous(alearn_wrappers)
    extract = synchronous(aextract)
    learn = synchronous(alearn)

    # -- what is known

    @cached_property
    def model(self) -> SiteModel:
        """The page classes and class links."""
        return read_model(self.path)

    @property
    def settings(self) -> Settings:
        """The thresholds of later steps: what the model was made with, and what was given here."""
        recorded = self.model.parameters.get("settings", {}) if self._has_model() else {}
        return Settings.of(recorded).changed_by(self.given_settings.changes())

    @cached_property
    def wrappers(self) -> dict[str, Wrapper]:
        """The wrapper of each class that has one."""
        model = self.model
        try:
            return read_wrappers(self.path, model)
        except InputNotFound:
            return {}

    @cached_property
    def classes(self) -> tuple[ProjectClass, ...]:
        """The page classes, the largest first."""
        return tuple(
            ProjectClass(self.path / "classes" / one.name, one, self.wrappers.get(one.name))
            for one in self.model.classes
        )

    @cached_property
    def tables(self) -> dict[str, Table]:
        """All tables: that of a class under its name, a record set's as CLASS_SET."""
        tables = {one.name: one.table for one in self.classes}
        taken = {name.casefold() for name in tables}
        for one in self.classes:
            for records in one.record_sets.values():
                plain = f"{one.name}_{records.name}"
                names = (plain if number == 1 else f"{plain}_{number}" for number in count(1))
                name = next(name for name in names if name.casefold() not in taken)
                taken.add(name.casefold())
                tables[name] = records
        return tables

    def sql(self, query: str) -> DuckDBPyRelation:
        """Ask all tables in SQL, each under its name in `tables`.

        A name with a hyphen can be written with an underscore instead of in quotes::

            project.sql("select p.name, t.city from player p join team t on p.team_url = t._url")
        """
        return query_tables(self.tables, query)

    def export(
        self,
        form: str,
        target: PathLike | None = None,
        **options: Any,  # noqa: ANN401 - each form has its own
    ) -> Exported:
        """Export in another form: scrapy, sqlite, graphml, dot, json, sitemap, or a plugin's.

        `target` is the file or folder to write. Without it a graph is given as text, and the others
        go into the folder of the project. `scrapy` has the options `site`, `base_url` and `force`.
        """
        self._tell(f"exporting {form}")
        return export_project(self, form, target, **options)

    @property
    def skeleton(self) -> SkeletonNode:
        """The navigation tree."""
        return read_skeleton(self.path)

    @property
    def graph(self) -> ClassGraph:
        """The classes and the links between them."""
        return ClassGraph(tuple(one.name for one in self.model.classes), self.model.links)

    @property
    def rejected(self) -> list[dict[str, str | None]]:
        """The pages that gave no record: their url, class, and the reason."""
        path = self.path / REJECTED_FILE
        if not path.is_file():
            return []
        with path.open(encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def classify(self, html: bytes | str, url: str = "") -> Classification:
        """The class of one page."""
        return self._classifier.classify(as_document(html, url))

    def __getitem__(self, name: str) -> ProjectClass:
        for one in self.classes:
            if one.name == name:
                return one
        raise UnknownName(name, "class", self)

    def __iter__(self) -> Iterator[str]:
        return (one.name for one in self.model.classes)

    def __len__(self) -> int:
        return len(self.model.classes)

    def __contains__(self, name: object) -> bool:
        return name in set(self)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __repr__(self) -> str:
        if not self._has_model():
            return f"<Project {self.path}: nothing discovered yet>"
        return f"<Project {self.path}: {self.model.home}, {len(self)} classes>"

    def _repr_html_(self) -> str:
        if not self._has_model():
            return html_table(repr(self), (), ())
        rows = [
            (one.name, one.url_template, f"{one.size:,}", f"{len(one.table):,}")
            for one in self.classes
        ]
        caption = f"{self.model.home}: {len(rows)} page classes"
        return html_table(caption, ("class", "URL pattern", "pages", "records"), rows, len(rows))

    # -- inside

    @cached_property
    def _classifier(self) -> Classifier:
        with using(self.settings):
            return site_classifier(self.model)

    @property
    def source(self) -> SiteSource:
        """Where the pages come from: the site as it was given, or as the folder knows it."""
        return self._given or read_source(self.path)

    def _has_model(self) -> bool:
        return (self.path / MODEL).is_file()

    def _forget(self) -> None:
        """What was read from files is read again, now that they have changed."""
        for name in ("model", "wrappers", "classes", "tables", "_classifier"):
            self.__dict__.pop(name, None)

    def _tell(self, step: str, done: int = 0, total: int | None = None) -> None:
        self.progress(Progress(step, done, total))

    def _note(self, document: Document, site: Site) -> None:
        """Keep what the skeleton needs of a page that is parsed at this moment."""
        self._read_pages[document.url] = read_navigation(document, site.page_url)

    @asynccontextmanager
    async def _opened(self, pages: int, *, local_only: bool = False) -> AsyncIterator[PageStore]:
        """The site, opened once: steps inside of steps use the same."""
        if self._open is not None:
            yield self._open
            return
        source = self.source
        if local_only:
            source = _local_source(source, self.path)
        _check_writable(self.path)
        with _without_empty_folder(self.path):
            if site_plugin(source.site) is None and is_url(source.site):
                output_folder(self.path)
            site = _opened_site(source, self.path, self._crawl, pages)
            async with PageStore(site) as store:
                self._open = store
                try:
                    yield store
                finally:
                    self._open = None
                    self._read_pages.clear()

    async def _learn_all(self, model: SiteModel) -> _Learned:
        """Learn from the pages of one class after the other: no more of them are in memory."""
        # What a person's examples made is not replaced by what is learnt without them.
        learned = _Learned(formats.identity(model), wrappers_by_example(self.path, model))
        leads_to = classes_of_urls(model)
        named = [one for one in model.classes if not one.is_stub]
        async with self._opened(DEFAULT_PAGES) as site:
            for number, one in enumerate(named):
                self._tell("learning templates and wrappers", number, len(named))
                documents = await documents_of(one, site)
                if documents:
                    self._learn_class(one, documents, leads_to, learned)
        self._forget()
        return learned

    def _learn_class(
        self,
        one: PageClass,
        documents: list[Document],
        leads_to: Callable[[str], str | None],
        learned: _Learned,
    ) -> None:
        from sitewright.export.report.sections import template_row, wrapper_entry  # noqa: PLC0415 - slow

        wrapper = learned.wrappers.get(one.name)
        if wrapper is None:
            wrapper = induce(documents, one.name, leads_to=leads_to)
            write_wrapper(self.path, wrapper, model=learned.model)
            learned.wrappers[one.name] = wrapper
        extractor = Extractor(wrapper)
        for document in documents:
            learned.results[document.url] = extracted(extractor, document)
        learned.entries.append(wrapper_entry(wrapper, documents))
        for name, template in write_templates(
            self.path, {one.name: documents}, model=learned.model
        ).items():
            learned.rows.append(template_row(name, template, documents))

    async def _extract(
        self, job: ExtractionJob, known: Mapping[str, PageResult]
    ) -> ExtractionSummary:
        assert self._open is not None  # noqa: S101 - callers have opened it
        return await extract_site(
            self.path,
            self._open,
            job,
            lambda summary: self._tell("extracting records", summary.pages),
            known,
        )

    def _write_report(
        self,
        model: SiteModel,
        tree: SkeletonNode | None = None,
        learned: _Learned | None = None,
        missed: Collection[Missing] = (),
    ) -> None:
        from sitewright.export.report.sections import (  # noqa: PLC0415 - slow to load
            not_read_section,
            skeleton_section,
            templates_section,
            wrappers_section,
            write_report,
        )

        sections: list[Section] = []
        if learned is not None:
            sections.append(wrappers_section(learned.entries))
        if tree is not None:
            sections.append(skeleton_section(tree))
        if learned is not None:
            sections.append(templates_section(learned.rows))
        if (not_read := not_read_section(missed)) is not None:
            sections.append(not_read)
        write_report(self.path, model, sections)

    def _class_of_examples(self, name: str | None, pages: Sequence[Document]) -> str:
        known = [one.name for one in self.model.classes if not one.is_stub]
        if name is None and pages:
            name = self._classifier.classify(pages[0]).page_class
        if name is None:
            raise InvalidInput("no class", "name one with --class: " + ", ".join(known))
        if name not in known:
            raise InvalidInput(name, "no such class; there are " + ", ".join(known))
        return name


@dataclass(frozen=True, slots=True)
class ClassGraph:
    """The page classes of a site and the links between them."""

    nodes: tuple[str, ...]
    edges: tuple[ClassLink, ...]

    def _repr_html_(self) -> str:
        rows = [(one.source, one.target, one.path, one.links) for one in self.edges]
        caption = f"{len(self.nodes)} classes, {len(self.edges)} class links"
        return html_table(caption, ("from", "to", "path", "links"), rows, len(rows))


def _checked_path(name: str, given: object) -> str:
    """A URL or path as text."""
    path = os.fspath(given) if isinstance(given, str | os.PathLike) else given
    if not isinstance(path, str):
        raise InvalidInput(f"{name}={given!r}", "must be text or a path")
    if not path:
        raise InvalidInput(f"{name}=''", "is empty")
    return path


def _check_count(name: str, given: object) -> None:
    if not isinstance(given, int) or isinstance(given, bool):
        raise InvalidInput(f"{name}={given!r}", "not a whole number")
    if given < 1:
        raise InvalidInput(f"{name}={given}", "at least one is needed")


def _checked_crawl(crawl: CrawlOptions | None) -> CrawlOptions:
    if crawl is not None and not isinstance(crawl, CrawlOptions):
        raise InvalidInput(f"crawl={crawl!r}", "must be sitewright.CrawlOptions")
    return crawl or CrawlOptions()


def _local_source(source: SiteSource, out: Path) -> SiteSource:
    """What is here of a live site: the archive of what was fetched, from the same start."""
    if site_plugin(source.site) is not None or not is_url(source.site):
        return source
    archive = out / ARCHIVE_FILE
    if not archive.is_file():
        why = f"no {ARCHIVE_FILE} here, so no local page of {source.site}; fetch some first"
        raise InputNotFound(str(out), f"{why}: without --local-only")
    return SiteSource(str(archive), base_url=source.site, scope=source.scope)


def _check_writable(out: Path) -> None:
    """Refuse a place where no results can be written, before anything is fetched."""
    place = next(one for one in (out, *out.absolute().parents) if one.exists())
    try:
        with tempfile.TemporaryDirectory(dir=place, prefix=".sitewright-"):
            pass
    except OSError as error:
        why = f"cannot be the output folder: {error.strerror or error}"
        raise InvalidInput(str(out), why) from None


@contextmanager
def _without_empty_folder(out: Path) -> Iterator[None]:
    """Take the output folder away again if it was made for nothing."""
    was_there = out.exists()
    try:
        yield
    except BaseException:
        if not was_there:
            with suppress(OSError):
                out.rmdir()
        raise


def _opened_site(source: SiteSource, out: Path, crawl: CrawlOptions, pages: int) -> Site:
    """The site itself; what is fetched of a live one is kept in OUT."""
    if source.home is not None and Path(source.site).is_dir():
        from sitewright.site.folder import FolderSite  # noqa: PLC0415

        return FolderSite(source.site, base_url=source.base_url, home=source.home, without=out)
    return open_site(
        source.site,
        archive=out / ARCHIVE_FILE,
        base_url=source.base_url,
        scope=ScopeKind(source.scope),
        options=replace(crawl, max_pages=pages),
    )


async def _named_pages(site: Site, pages: Sequence[str]) -> list[Document]:
    """The pages that a person named, by URL or, of a folder, by its path from the home page."""
    absolute = [page if is_url(page) else urljoin(site.home, page) for page in pages]
    urls = [site.page_url(page) or page for page in absolute]
    documents: list[Document] = []
    for page, outcome in zip(pages, await site.fetch(urls), strict=True):
        if isinstance(outcome, Missing):
            raise InvalidInput(page, outcome.reason)
        document = outcome.document()
        if document.refused:
            raise InvalidInput(page, f"{Reason.TOO_LARGE}: {document.refused}")
        documents.append(document)
    return documents
