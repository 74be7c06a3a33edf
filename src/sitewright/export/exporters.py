r"""All forms that a project can be exported in: one table of them, and those that plugins add.

An exporter is a function of a project, the place to write to or None, and options of its own::

    def export_titles(project, target, *, prefix=""):
        return "".join(f"{prefix}{one.name}\n" for one in project.classes)

It returns text, which is written to the target if there is one; or the paths of the files that it
wrote; or an `Exported`. An installed package adds a form with the entry point
`sitewright.exporters`, whose name is that of the form.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urljoin

from sitewright.errors import (
    BrokenPlugin,
    InputNotFound,
    InvalidInput,
    UnknownName,
    UnreadableInput,
)
from sitewright.event_loop import run_async
from sitewright.export.folder import read_wrappers
from sitewright.export.graph import FORMATS
from sitewright.export.sitemap import write_sitemap
from sitewright.export.sqlite import LinkedPage, SiteContents, write_sqlite
from sitewright.formats import complete_or_absent
from sitewright.plugins import call_plugin, load_plugin, plugin_names
from sitewright.site import ScopeKind, open_site
from sitewright.site.base import readable
from sitewright.site.identity import FILTER
from sitewright.site.open import ARCHIVE_FILE, SOURCE_FILE, is_url, read_source

if TYPE_CHECKING:
    from sitewright.classes import SiteModel
    from sitewright.export.results import ProjectResults
    from sitewright.export.scrapy.project import ScrapyProject
    from sitewright.site import Site
    from sitewright.site.account import CrawlAccount
    from sitewright.site.identity import SameContent


PLUGINS = "sitewright.exporters"
"""The group of entry points that add forms."""
SPIDER_FOLDER = "spider"
DATABASE_FILE = "site.db"
SEARCH_FILE = "search.db"
SCHEMA_FOLDER = "schema"


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export has made."""

    files: tuple[Path, ...] = ()
    """The files or folders that were written, the main one first."""
    text: str | None = None
    """The text itself, where it was written to no file."""
    summary: Mapping[str, Any] = field(default_factory=dict)
    """What there is to say of it, for programs."""
    notes: tuple[str, ...] = ()
    """What there is to say of it, for people."""
    spider: ScrapyProject | None = field(default=None, repr=False)
    """The Scrapy project, with how well it does on the local pages."""

    def __str__(self) -> str:
        return self.text if self.text is not None else "\n".join(map(str, self.files))


Exporter: TypeAlias = "Callable[..., Exported | str | Path | Iterable[Path] | None]"


def export_names() -> list[str]:
    r"""All forms: ours, then those of plugins."""
    return [*_EXPORTERS, *(name for name in plugin_names(PLUGINS) if name not in _EXPORTERS)]


def export_options(form: str) -> frozenset[str]:
    """The names of the options that a form has."""
    parameters = list(signature(_exporter(form)).parameters.values())[2:]
    kinds = {Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD}
    return frozenset(one.name for one in parameters if one.kind in kinds)


def export_project(
    project: ProjectResults,
    form: str,
    target: str | os.PathLike[str] | None = None,
    **options: Any,  # noqa: ANN401 - each form has its own
) -> Exported:
    """Export a project in one of the forms that `export_names` lists."""
    known = export_options(form)
    for name, value in options.items():
        if name not in known:
            has = f"it has {', '.join(sorted(known))}" if known else "it has none"
            raise InvalidInput(f"{name}={value!r}", f"no option of {form}; {has}")
    place = None if target is None else Path(target)
    if form in _EXPORTERS:
        made = _EXPORTERS[form](project, place, **options)
    else:
        made = call_plugin(PLUGINS, form, project, place, **options)
    return _exported(form, made, place)


def _exporter(form: str) -> Exporter:
    if form in _EXPORTERS:
        return _EXPORTERS[form]
    if form not in export_names():
        raise UnknownName(form, "form", export_names())
    return load_plugin(PLUGINS, form)


def _exported(form: str, made: object, target: Path | None) -> Exported:
    match made:
        case Exported():
            return made
        case str():
            if target is None:
                return Exported(text=made)
            with complete_or_absent(target) as file:
                file.write(made)
            return Exported((target,))
        case None:
            return Exported(() if target is None else (target,))
        case os.PathLike():
            return Exported((Path(made),))
        case Iterable():
            paths = list(made)
            if all(isinstance(path, os.PathLike) for path in paths):
                return Exported(tuple(map(Path, paths)))
    raise BrokenPlugin(PLUGINS, form, f"returned {made!r:.60}, neither text nor paths")


# The forms.


def _graph_exporter(form: str) -> Exporter:
    def export_graph(project: ProjectResults, _target: Path | None) -> str:
        return FORMATS[form](project.model)

    return export_graph


def _export_sitemap(project: ProjectResults, target: Path | None) -> Exported:
    files = tuple(write_sitemap(project.skeleton, target or project.path))
    return Exported(files, notes=tuple(f"wrote {path}" for path in files))


def _export_sqlite(
    project: ProjectResults,
    target: Path | None,
    *,
    site: str | os.PathLike[str] | None = None,
    base_url: str | None = None,
) -> Exported:
    """A database of classes, pages, links and tables; links need the pages themselves."""
    path = target or project.path / DATABASE_FILE
    where = None if site is None else os.fspath(site)
    notes: list[str] = []
    with ExitStack() as opened:
        try:
            local = _local_pages(project.path, project.model, where, base_url)
            pages = _linked_pages(opened.enter_context(_closing(local)))
        except InputNotFound as error:
            pages = iter(())
            notes.append(f"without links: {error}")
        classes = [(one.name, one.url_template) for one in project.model.classes]
        contents = SiteContents(classes, project.rejected, pages)
        rows = write_sqlite(path, project.tables, project.wrappers, contents)
    summary = {"output": str(path), "tables": rows}
    notes.append(f"wrote {path}: {len(rows)} tables, {sum(rows.values()):,} rows")
    return Exported((path,), summary=summary, notes=tuple(notes))


def _linked_pages(site: Site) -> Iterator[LinkedPage]:
    """Every local page with its title and its links to pages of the site."""
    for page in site.pages():
        document = readable(site, page)
        if document is not None:
            own = (site.page_url(link.url) for link in document.links)
            links = dict.fromkeys(url for url in own if url is not None and url != page.url)
            yield LinkedPage(page.url, document.title, tuple(links))


def _export_schema(project: ProjectResults, target: Path | None) -> Exported:
    """JSON Schema and SQL for every table."""
    from sitewright.export.schema import write_schemas  # noqa: PLC0415 - rare

    folder = target or project.path / SCHEMA_FOLDER
    files = tuple(write_schemas(folder, project.tables, project.wrappers))
    summary = {"output": str(folder), "files": [path.name for path in files]}
    return Exported(files, summary=summary, notes=(f"wrote {folder}: {len(files)} files",))


def _export_search(
    project: ProjectResults,
    target: Path | None,
    *,
    site: str | os.PathLike[str] | None = None,
    base_url: str | None = None,
) -> Exported:
    """Index the text of all local pages without their templates, block by block."""
    from sitewright.export.search import read_templates, write_search_index  # noqa: PLC0415 - rare

    path = target or project.path / SEARCH_FILE
    model = project.model
    where = None if site is None else os.fspath(site)
    templates = read_templates(project.path, model)
    with _closing(_local_pages(project.path, model, where, base_url)) as local:
        counts = write_search_index(path, model, templates, local.pages())
    note = f"wrote {path}: {counts['blocks']:,} blocks of {counts['pages']:,} pages"
    return Exported((path,), summary={"output": str(path), **counts}, notes=(note,))


def _export_scrapy(
    project: ProjectResults,
    target: Path | None,
    *,
    site: str | os.PathLike[str] | None = None,
    base_url: str | None = None,
    force: bool = False,
) -> Exported:
    """Check the selectors on the local pages and write a Scrapy project."""
    from sitewright.export.scrapy.project import make_project, write_project  # noqa: PLC0415 - slow

    folder = target or project.path / SPIDER_FOLDER
    if not force and folder.is_dir() and any(folder.iterdir()):
        # What somebody may have changed is not written over without being told to.
        raise UnreadableInput(str(folder), "is not empty; --force writes over an older project")
    model = project.model
    wrappers = read_wrappers(project.path, model)
    where = None if site is None else os.fspath(site)
    with _closing(_local_pages(project.path, model, where, base_url)) as local:
        crawl = read_source(project.path).crawl if (project.path / SOURCE_FILE).is_file() else None
        known = () if crawl is None else (crawl.endpoints, _rules(crawl))
        made = make_project(model, wrappers, local.pages, *known)
    write_project(made, folder)
    left_out = [
        f"left out: {one.trial.name}, the same on {one.share:.1%} of {one.pages} pages"
        for one in made.checked.left_out()
    ]
    notes = (*left_out, f"wrote {folder}: start with its README.md")
    return Exported((folder,), summary=_spider_summary(made, folder), notes=notes, spider=made)


def _rules(crawl: CrawlAccount) -> tuple[SameContent, ...]:
    """What a crawl has learnt of parameters, as far as it holds without a browser.

    A list that scripts make longer shows its rest only there: the spider may need its filters.
    """
    return tuple(one for one in crawl.same_content if one.kind != FILTER or not crawl.rendered)


def _spider_summary(made: ScrapyProject, folder: Path) -> dict[str, Any]:
    run, checked = made.run, made.checked
    own = sum(count for name, count in run.pages.items() if name)
    return {
        "project": str(folder),
        "package": made.plan.package,
        "classes": [one.name for one in made.plan.classes if one.items],
        "selectors": len(checked.agreements),
        "left_out": {one.trial.name: round(one.share, 4) for one in checked.left_out()},
        "pages": own,
        "same_records": run.same.total(),
        "taken_for_others": sum(run.taken_for.values()),
    }


def _local_pages(out: Path, model: SiteModel, site: str | None, base_url: str | None) -> Site:
    """The pages to check selectors on: those of `site`, or those that OUT was made from."""
    archive = out / ARCHIVE_FILE
    if site is None and not archive.is_file() and (out / SOURCE_FILE).is_file():
        source = read_source(out)
        site, base_url = source.site, base_url or source.base_url
    if site is not None and not is_url(site):
        return open_site(site, archive=archive, base_url=base_url or _base(site, model))
    if not archive.is_file():
        why = f"no {ARCHIVE_FILE} here; say where the pages are: --site FOLDER|ARCHIVE"
        raise InputNotFound(str(out), why)
    return open_site(str(archive), base_url=model.home, scope=ScopeKind.DOMAIN)


@contextmanager
def _closing(site: Site) -> Iterator[Site]:
    """Close a site at the end: an archive is an open file."""
    try:
        yield site
    finally:
        run_async(site.aclose())


def _base(site: str, model: SiteModel) -> str | None:
    """The pages of a folder have the URLs that they had when the model was made."""
    return urljoin(model.home, ".") if Path(site).is_dir() else model.home


_EXPORTERS: dict[str, Exporter] = {
    "scrapy": _export_scrapy,
    "sqlite": _export_sqlite,
    "schema": _export_schema,
    "search": _export_search,
    **{form: _graph_exporter(form) for form in FORMATS},
    "sitemap": _export_sitemap,
}
