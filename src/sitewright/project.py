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

import os
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, TypeAlias
from urllib.parse import urljoin

from sitewright import formats
from sitewright.choices import Method
from sitewright.crawl.frontier import Strategy
from sitewright.crawl.waves import CrawlPlan
from sitewright.errors import InputNotFound, InvalidInput, NoPages
from sitewright.event_loop import Answer, Given, synchronous
from sitewright.export.class_tables import (
    chosen_classes,
    classes_of_urls,
    extract_site,
    write_templates,
    write_wrapper,
)
from sitewright.export.exporters import export_project
from sitewright.export.folder import (
    SKELETON,
    remove_examples,
    wrappers_by_example,
    write_model,
)
from sitewright.export.results import ProjectResults
from sitewright.extraction.page_results import PAGES, ExtractionJob, extracted
from sitewright.formats import new_output_folder, output_folder
from sitewright.methods import (
    discover,
    discover_all,
    documents_of,
    extract_skeleton,
    read_navigation,
)
from sitewright.page.url import host_of
from sitewright.settings import Settings, current, using
from sitewright.site import Missing, Reason, ScopeKind
from sitewright.site.base import explain_missing
from sitewright.site.folder import NO_HOST
from sitewright.site.open import (
    SiteSource,
    checked_source,
    is_url,
    read_source,
    text_digests,
)
from sitewright.site.store import PageStore
from sitewright.site.web import CrawlOptions
from sitewright.wrapper import Extractor, induce_from_examples
from sitewright.wrapper.examples import checked_examples, found_examples
from sitewright.wrapper.induction import induce_from_sample
from sitewright.wrapper.sampling import representative_pages

if TYPE_CHECKING:
    from collections.abc import Collection

    from sitewright.change.checking import CheckReport
    from sitewright.change.repairing import RepairReport
    from sitewright.classes import PageClass, SiteModel
    from sitewright.export.exporters import Exported
    from sitewright.export.report.report import Section
    from sitewright.export.report.sections import TemplateRow, WrapperEntry
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
    relearn: bool = False,
    settings: Settings | Mapping[str, object] | None = None,
    progress: ProgressCallback = _silent,
) -> Project:
    """Do the whole job on one site: page classes, navigation, templates, tables, a report.

    `site` is a URL, a folder, a saved page or an archive; `out` the folder for the results, where a
    later call goes on with what was fetched. At most `pages` pages are asked for. Wrappers that
    were learnt from examples are kept, unless `relearn`. `settings` are thresholds by name, see
    `sitewright.settings`. `run` works in scripts and in notebooks; `arun` is the same for programs
    that have an event loop.
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
    await project.arun(exploring, workers=workers, relearn=relearn)
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
            is_ours = Strategy(self.strategy) is Strategy.BALANCED
            if is_ours and Method(self.method) is Method.PAPER:
                raise InvalidInput("strategy=balanced", "ours; the papers have densest, sparsest")

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


class Project(ProjectResults):
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
        given = current() if settings is None else Settings.of(settings)
        super().__init__(Path(_checked_path("out", out)), given)
        if self.path.is_file():
            raise InvalidInput(str(self.path), "is a file; name the folder for the results")
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
        relearn: bool = False,
    ) -> ExtractionSummary:
        """Do the whole job; see `sitewright.run`."""
        exploring = _exploring(exploring, pages)
        if workers is not None:
            _check_count("workers", workers)
        async with self._opened(exploring.pages, local_only=exploring.local_only) as site:
            model = await self.adiscover(exploring)
            tree = await self.afind_skeleton(pages=min(exploring.pages, SKELETON_PAGES))
            learned = await self._learn_all(model, relearn=relearn)
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
            texts = await _home_texts(site)
        if model is None:
            why = f"no pages found: {explain_missing(site.missed.values())}"
            raise NoPages(self.source.site, why)
        self._forget()
        self.removed = write_model(self.path, model, replace(self.source, texts=texts))
        self.model = model
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
        model = formats.identity(self.model) if self._has_model() else None
        formats.write(path, skeleton.root, model=model)
        return skeleton.root

    @_with_settings
    async def alearn_wrappers(self, *, relearn: bool = False) -> dict[str, Wrapper]:
        """Learn the template and the wrapper of each class from its pages, and write them.

        Wrappers that were learnt from examples are kept, unless `relearn`.
        """
        model = self.model
        async with self._opened(DEFAULT_PAGES):
            return (await self._learn_all(model, relearn=relearn)).wrappers

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

    async def acheck(
        self,
        site: PathLike | None = None,
        *,
        base_url: str | None = None,
        home: str | None = None,
        scope: ScopeKind | str = ScopeKind.HOST,
    ) -> CheckReport:
        """Say whether a site still fits what is known of it, from a few pages of each class.

        `site` is a newer copy of the site, or its URL; without it the site that the project was
        made from is read again. Nothing is written.
        """
        from sitewright.change.checking import check_site  # noqa: PLC0415 - it knows projects

        with using(self.settings):
            async with self._other_site(site, base_url, home, scope) as opened:
                return await check_site(
                    self, opened, lambda done: self._tell("checking pages", done)
                )

    async def arepair(
        self,
        site: PathLike,
        out: PathLike,
        *,
        pages: int = DEFAULT_PAGES,
        base_url: str | None = None,
        home: str | None = None,
        scope: ScopeKind | str = ScopeKind.HOST,
        workers: int | None = None,
        dry_run: bool = False,
    ) -> RepairReport:
        """Learn a site that has changed, under the names and types of this project.

        `out` is the folder of the new project, which is complete or absent; repair.json in it says
        what became of each field. With `dry_run` nothing is left behind but the report.
        """
        from sitewright.change.repairing import repair_into  # noqa: PLC0415 - it knows projects

        def project(folder: Path) -> Project:
            return Project(
                folder,
                site,
                base_url=base_url,
                home=home,
                scope=scope,
                crawl=self._crawl,
                settings=self.settings,
                progress=self.progress,
            )

        target = Path(_checked_path("out", out))
        return await repair_into(
            self, project, target, pages=pages, workers=workers, dry_run=dry_run
        )

    run = synchronous(arun)
    check = synchronous(acheck)
    repair = synchronous(arepair)
    discover = synchronous(adiscover)
    find_skeleton = synchronous(afind_skeleton)
    learn_wrappers = synchronous(alearn_wrappers)
    extract = synchronous(aextract)
    learn = synchronous(alearn)

    def export(
        self,
        form: str,
        target: PathLike | None = None,
        **options: Any,  # noqa: ANN401 - each form has its own
    ) -> Exported:
        """Export as scrapy, sqlite, search, graphml, dot, json, sitemap, or as a plugin does.

        `target` is the file or folder to write. Without it a graph is given as text, and the others
        go into the folder of the project. `scrapy` has the options `site`, `base_url` and `force`.
        """
        self._tell(f"exporting {form}")
        return export_project(self, form, target, **options)

    # -- inside

    @property
    def source(self) -> SiteSource:
        """Where the pages come from: the site as it was given, or as the folder knows it."""
        return self._given or read_source(self.path)

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
        source = self.source.local(self.path) if local_only else self.source
        with new_output_folder(self.path):
            site = source.open(replace(self._crawl, max_pages=pages), self.path)
            async with PageStore(site) as store:
                self._open = store
                try:
                    yield store
                finally:
                    self._open = None
                    self._read_pages.clear()

    @asynccontextmanager
    async def opened_site(self) -> AsyncIterator[PageStore]:
        """The site of the project, for whoever needs pages of it that were read before."""
        async with self._opened(DEFAULT_PAGES) as site:
            yield site

    @_with_settings
    async def arewrite(
        self, model: SiteModel, wrappers: Mapping[str, Wrapper], *, workers: int | None = None
    ) -> ExtractionSummary:
        """Put a model and wrappers, as a repair makes them, in the place of what was learnt.

        Templates, tables and report are made again from the pages that are here.
        """
        tree, texts = self.skeleton, read_source(self.path).texts
        learned = _Learned(formats.identity(model), dict(wrappers))
        async with self._opened(DEFAULT_PAGES) as site:
            write_model(self.path, model, replace(self.source, texts=texts))
            formats.write(self.path / SKELETON, tree, model=learned.model)
            for wrapper in wrappers.values():
                write_wrapper(self.path, wrapper, model=learned.model)
            self._forget()
            self.model = model
            leads_to = classes_of_urls(model)
            for one in model.classes:
                if not one.is_stub and (documents := await documents_of(one, site)):
                    self._learn_class(one, documents, leads_to, learned)
            job = ExtractionJob(model, learned.wrappers, limit=0, workers=workers)
            summary = await self._extract(job, learned.results)
            missed = list(site.missed.values())
        self._write_report(model, tree, learned, missed)
        return summary

    @asynccontextmanager
    async def _other_site(
        self,
        site: PathLike | None,
        base_url: str | None,
        home: str | None,
        scope: ScopeKind | str,
    ) -> AsyncIterator[PageStore]:
        """A site as it is now: nothing comes from the archive of this project, or goes there."""
        source = self.source
        if site is not None:
            source = checked_source(_checked_path("site", site), base_url, home, scope)
        opened = source.open(replace(self._crawl, max_pages=None), None)
        async with PageStore(opened) as store:
            yield store

    async def _learn_all(self, model: SiteModel, *, relearn: bool) -> _Learned:
        """Learn from the pages of one class after the other: no more of them are in memory.

        What a person's examples made is not replaced by what is learnt without them.
        """
        kept = {} if relearn else wrappers_by_example(self.path, model)
        learned = _Learned(formats.identity(model), kept)
        leads_to = classes_of_urls(model)
        named = [one for one in model.classes if not one.is_stub]
        async with self._opened(DEFAULT_PAGES) as site:
            for number, one in enumerate(named):
                self._tell("learning templates and wrappers", number, len(named))
                documents = await documents_of(one, site)
                if documents:
                    self._learn_class(one, documents, leads_to, learned)
        if relearn:
            remove_examples(self.path)  # of classes that are no more
        self._forget()
        self.model = model
        return learned

    def _learn_class(
        self,
        one: PageClass,
        documents: list[Document],
        leads_to: Callable[[str], str | None],
        learned: _Learned,
    ) -> None:
        from sitewright.export.report.sections import template_row, wrapper_entry  # noqa: PLC0415 - slow

        sample = representative_pages(documents)
        wrapper = learned.wrappers.get(one.name)
        if wrapper is None:
            wrapper = induce_from_sample(sample, one.name, leads_to=leads_to)
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


async def _home_texts(site: Site) -> tuple[str, ...]:
    """What a folder is known by that has no URL: digests of the texts of its home page."""
    if host_of(site.home) != host_of(NO_HOST):
        return ()
    (home,) = await site.fetch([site.home])
    return () if isinstance(home, Missing) else text_digests(home.body)


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
