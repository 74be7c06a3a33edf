"""The steps of the job on one site, each of which leaves files in the folder of the project.

In: a folder, and where the pages of the site come from. Out: `discover` writes model.json,
`find_skeleton` skeleton.json, `learn_wrappers` what is known of each class, `extract` the tables.
A step inside of another one uses the site that is open, so that each page is read once.
`Project` (project.py) is these steps, the whole job, and what people do with it later.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, TypeAlias, TypeVar
from urllib.parse import urljoin

from sitewright import formats
from sitewright.choices import Method
from sitewright.crawl.forms import SearchForm, search_forms
from sitewright.crawl.frontier import Strategy
from sitewright.crawl.waves import CrawlPlan
from sitewright.edits.classes import ClassCorrections
from sitewright.edits.edit import (
    CLASS_EDITS,
    EDITS_FILE,
    FIELD_EDITS,
    SKELETON_EDITS,
    Edit,
    EditOutcome,
    EditStatus,
    UnreadableEdit,
    field_edits,
    moved_pages,
    named_pages,
    read_edits,
    with_current_names,
)
from sitewright.edits.fields import edited_wrapper
from sitewright.edits.skeleton import edited_skeleton
from sitewright.errors import InputNotFound, InvalidInput, NoPages
from sitewright.event_loop import Answer, Given, synchronous
from sitewright.export.class_tables import (
    chosen_classes,
    extract_site,
    write_wrapper,
)
from sitewright.export.folder import (
    SKELETON,
    is_same_site,
    remove_examples,
    wrappers_by_example,
    write_model,
)
from sitewright.export.results import ProjectResults
from sitewright.extraction.page_results import PAGES, ExtractionJob
from sitewright.formats import new_output_folder, output_folder
from sitewright.learning import ClassLearner
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
    ARCHIVE_FILE,
    SiteSource,
    checked_source,
    is_url,
    read_source,
    text_digests,
)
from sitewright.site.scripts import Render, is_empty_shell
from sitewright.site.store import PageStore
from sitewright.site.web import CrawlOptions
from sitewright.skeleton.corrections import branch_below
from sitewright.wrapper import induce_from_examples
from sitewright.wrapper.examples import added_to, checked_examples, found_examples

if TYPE_CHECKING:
    from collections.abc import Collection

    from sitewright.change.keeping import KnownColumns
    from sitewright.classes import PageClass, SiteModel
    from sitewright.edits.earlier import EarlierResults
    from sitewright.extraction.page_results import ExtractionSummary, PageResult
    from sitewright.methods import ReadNavigation
    from sitewright.page import Document
    from sitewright.site import Site
    from sitewright.site.account import (
        CrawlAccount,
    )
    from sitewright.site.web import RefreshedPages
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
    is_limit: bool = False
    """Whether `total` is only the most that there can be: the step may end earlier."""


ProgressCallback: TypeAlias = Callable[[Progress], None]


def no_progress(_: Progress) -> None:
    """Show nothing."""


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
        check_count("pages", self.pages)
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


def exploring_pages(given: Exploring | None, pages: int | None) -> Exploring:
    """What was given, or the usual; `pages` alone changes how many."""
    exploring = given or Exploring()
    return exploring if pages is None else replace(exploring, pages=pages)


Owner = TypeVar("Owner", bound="ProjectSteps")


def _in_force(
    settings_of: Callable[[ProjectSteps], Settings],
) -> Callable[
    [Callable[Concatenate[Owner, Given], Coroutine[Any, Any, Answer]]],
    Callable[Concatenate[Owner, Given], Coroutine[Any, Any, Answer]],
]:
    """Make a decorator that puts settings of the project into force while a step runs."""

    def decorate(
        step: Callable[Concatenate[Owner, Given], Coroutine[Any, Any, Answer]],
    ) -> Callable[Concatenate[Owner, Given], Coroutine[Any, Any, Answer]]:
        @wraps(step)
        async def with_settings(
            project: Owner, /, *arguments: Given.args, **options: Given.kwargs
        ) -> Answer:
            with using(settings_of(project)):
                return await step(project, *arguments, **options)

        return with_settings

    return decorate


in_project_settings = _in_force(lambda project: project.settings)
in_given_settings = _in_force(lambda project: project.given_settings)
"""For steps that make a new model: the settings of an earlier one do not count."""


class ProjectSteps(ProjectResults):
    """A folder for what is known of one site, and the steps that fill it.

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
        progress: ProgressCallback = no_progress,
    ) -> None:
        given = current() if settings is None else Settings.of(settings)
        super().__init__(Path(checked_path("out", out)), given)
        if self.path.is_file():
            raise InvalidInput(str(self.path), "is a file; name the folder for the results")
        self.progress = progress
        """Is told how far each step has come."""
        if not callable(progress):
            raise InvalidInput(f"progress={progress!r}", "not a function")
        self._crawl = _checked_crawl(crawl)
        self._given = None
        if site is not None:
            where = checked_path("site", site)
            self._given = checked_source(where, base_url, home, scope)
            if Path(where).is_dir() and os.path.realpath(where) == os.path.realpath(out):
                why = "is the site itself; choose another folder for the results"
                raise InvalidInput(str(self.path), why)
        self.removed: list[Path] = []
        """Files of an earlier model that the last discovery has taken away."""
        self.account: CrawlAccount | None = None
        """What the last run has to say of its crawl."""
        self._account_before: CrawlAccount | None = None
        self.refreshed: RefreshedPages | None = None
        """How the last refresh went."""
        self.changes: Counter[str] = Counter()
        """How many records the last refresh found new, changed and gone."""
        self.edit_outcomes: list[EditOutcome] = []
        """What became of the corrections in edits.jsonl when the last step replayed them."""
        self._earlier: EarlierResults | None = None
        """While corrections are applied: what was there before them."""
        self._known: KnownColumns | None = None
        """While a run goes on: what an earlier one knew, whose names are kept."""
        self._open: PageStore | None = None
        self._read_pages: dict[str, ReadNavigation] = {}
        self._asks_forms = False
        self._forms: dict[SearchForm, None] = {}
        """Search forms of the pages that were read."""
        self._shells = 0
        """Pages that show nothing without their scripts."""

    @in_given_settings
    async def adiscover(
        self, exploring: Exploring | None = None, *, pages: int | None = None
    ) -> SiteModel:
        """Find the page classes and the links between them; write model.json and a report.

        At most `pages` pages are asked for; `exploring` has more to choose.
        """
        model = await self._discover(exploring_pages(exploring, pages))
        self._write_report()
        return model

    async def _discover(self, exploring: Exploring, *, keeps_names: bool = False) -> SiteModel:
        plan = exploring.plan()
        corrections = ClassCorrections(self.edits)
        async with self._opened(exploring.pages, local_only=exploring.local_only) as site:
            if exploring.local_only:
                model = discover_all(site, method=exploring.method, build=corrections.build)
            else:
                self._read_pages.clear()
                self._shells = 0
                await site.read_lists()
                model = await discover(
                    site,
                    plan,
                    method=exploring.method,
                    on_wave=lambda seen: self._report_progress(
                        "visiting pages", len(seen.pages), plan.limit, is_limit=True
                    ),
                    on_document=lambda document: self._note(document, site),
                    also=named_pages(self.edits),
                    build=corrections.build,
                )
            texts = await _home_texts(site)
        if model is None:
            why = f"no pages found: {explain_missing(site.missed.values())}"
            raise NoPages(self.source.site, why)
        self._refuse_shells(site, model)
        self._forget()
        self.edit_outcomes = corrections.outcomes
        source = replace(self.source, texts=texts)
        if keeps_names and is_same_site(self.path, model, source):
            model = self._under_known_names(model)
        self.removed = write_model(self.path, model, source)
        self.model = model
        return model

    def _under_known_names(self, model: SiteModel) -> SiteModel:
        """A new model with the names that its classes had here, unless a person corrected them."""
        from sitewright.change.keeping import KnownColumns  # noqa: PLC0415 - it knows projects

        if self._known is None and self._has_model():
            self._known = KnownColumns.of(self, model)
        is_corrected = any(isinstance(edit, CLASS_EDITS) for edit in self.edits)
        return model if self._known is None or is_corrected else self._known.named(model)

    @in_project_settings
    async def afind_skeleton(self, *, pages: int = SKELETON_PAGES) -> SkeletonNode:
        """Find the navigation tree; write skeleton.json."""
        check_count("pages", pages)
        async with self._opened(pages) as site:
            skeleton = await extract_skeleton(
                site,
                limit=pages,
                known=self._read_pages,
                progress=lambda done: self._report_progress(
                    "finding the navigation tree", done, pages, is_limit=True
                ),
            )
        return self._write_skeleton(skeleton.root)

    def _write_skeleton(self, root: SkeletonNode, model: SiteModel | None = None) -> SkeletonNode:
        """Write a navigation tree as people refined it; what became of each edit is noted.

        `model` is the one it belongs to, where that is not the one in the folder.
        """
        root, outcomes = edited_skeleton(root, self.edits)
        others = [one for one in self.edit_outcomes if not isinstance(one.edit, SKELETON_EDITS)]
        self.edit_outcomes = [*others, *outcomes]
        path = output_folder(self.path) / SKELETON
        if model is None and self._has_model():
            model = self.model
        formats.write(path, root, model=None if model is None else formats.identity(model))
        return root

    @in_project_settings
    async def alearn_wrappers(
        self, *, relearn: bool = False, below: str | None = None
    ) -> dict[str, Wrapper]:
        """Learn the template and the wrapper of each class from its pages, and write them.

        Wrappers that were learnt from examples are kept, unless `relearn`. With `below`, the pages
        are those below this page of the skeleton; classes that have none there stay as they are.
        """
        branch = None if below is None else self.branch(below)
        async with self._opened(DEFAULT_PAGES):
            return (await self._learn_all(self.model, relearn=relearn, branch=branch)).wrappers

    def branch(self, page: str) -> frozenset[str]:
        """The URLs of a page of the skeleton, which may be relative to home, and of all below."""
        try:
            return branch_below(self.skeleton, page)
        except ValueError as error:
            raise InvalidInput(page, str(error)) from None

    @in_project_settings
    async def aextract(
        self,
        classes: Sequence[str] = (),
        *,
        below: str | None = None,
        pages: int = PAGES,
        workers: int | None = None,
        provenance: bool = False,
    ) -> ExtractionSummary:
        """Extract the records of all pages, or of some classes, and write the tables.

        With `below`, those of the pages below this page of the skeleton. Of a live site at most
        `pages` pages are asked for. With `provenance` each class gets provenance.jsonl: the
        selector and the place of every value. For another copy of the site, make the project with
        it: `Project("out", "other/copy").extract()`.
        """
        check_count("pages", pages)
        if workers is not None:
            check_count("workers", workers)
        wrappers = self.wrappers
        self.edit_outcomes = []
        if not wrappers:
            why = f"no class has a wrapper here; make them with: sitewright run SITE -o {self.path}"
            raise InputNotFound(str(self.path), why)
        chosen = chosen_classes(classes, self.model, wrappers)
        branch = None if below is None else self.branch(below)
        async with self._opened(pages) as site:
            edits = with_current_names(self.edits, self.model)
            for one in self.model.classes:
                if one.name in wrappers and field_edits(edits, one.name):
                    # What a later line of the file corrects is not in the wrapper yet.
                    documents = await documents_of(one, site)
                    changed, outcomes = edited_wrapper(
                        wrappers[one.name], field_edits(edits, one.name), documents
                    )
                    self.edit_outcomes += outcomes
                    if changed != wrappers[one.name]:
                        wrappers[one.name] = changed
                        write_wrapper(self.path, changed, model=formats.identity(self.model))
            placed = moved_pages(edits)
            job = ExtractionJob(
                self.model, wrappers, chosen, branch, limit=pages, workers=workers, placed=placed,
                provenance=provenance,
            )  # fmt: skip
            summary = await self._extract(job, {})
            pictures = await self._pictures(site, wrappers) if summary.records.total() else None
            missed = list(site.missed.values())
        if pictures is not None:  # else the tables are those of before
            self._write_report(pictures, missed)
        return summary

    async def _pictures(
        self, site: PageStore, wrappers: Mapping[str, Wrapper]
    ) -> dict[str, tuple[str, str]]:
        """A page of each class, painted for the report; nothing is fetched for it."""
        learner = ClassLearner(self.path, self.model, wrappers)
        if not site.is_live or (self.path / ARCHIVE_FILE).is_file():
            for one in self.model.classes:
                if one.name in wrappers:
                    await learner.paint(one, site)
        return learner.pictures

    @in_project_settings
    async def alearn(
        self,
        examples: Mapping[str, str | Sequence[str]],
        *,
        page_class: str | None = None,
        pages: Sequence[str] = (),
        keep: bool = False,
    ) -> Wrapper:
        """Learn the wrapper of one class from example values, field by field.

        `examples` has one or more values for each field; `pages` are those that have the values,
        else they are looked for in the pages that the class was learnt from. The class is that of
        the first page, where none is named. With `keep`, fields that were learnt before stay: the
        examples rename them, or add to them.
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
        if keep and name in self.wrappers:
            wrapper = added_to(self.wrappers[name], wrapper, documents)
        self._forget()
        write_wrapper(self.path, wrapper, model=formats.identity(model))
        return wrapper

    discover = synchronous(adiscover)
    find_skeleton = synchronous(afind_skeleton)
    learn_wrappers = synchronous(alearn_wrappers)
    extract = synchronous(aextract)
    learn = synchronous(alearn)

    # -- inside

    @property
    def source(self) -> SiteSource:
        """Where the pages come from: the site as it was given, or as the folder knows it."""
        return self._given or read_source(self.path)

    @property
    def edits(self) -> list[Edit]:
        """The corrections that people made, in their order."""
        return read_edits(self.path / EDITS_FILE)

    def _report_progress(
        self, step: str, done: int = 0, total: int | None = None, *, is_limit: bool = False
    ) -> None:
        self.progress(Progress(step, done, total, is_limit))

    def _refuse_shells(self, site: PageStore, model: SiteModel) -> None:
        """Call a site that shows nothing without its scripts what it is, and no success."""
        if not 0 < model.visited <= self._shells:
            return
        web = site.web
        if web is None:
            advice = "save the pages as a browser shows them"
        elif web.renderer.problem is not None:
            advice = web.renderer.problem
        elif web.options.render is Render.NEVER:
            advice = "try --render auto"
        else:
            advice = "a browser shows nothing more on them"
        what = f"{self._shells} of {model.visited} pages have nothing but scripts"
        raise NoPages(self.source.site, f"no content found: {what}; {advice}")

    def _note(self, document: Document, site: Site) -> None:
        """Keep what the skeleton needs of a page that is parsed at this moment."""
        self._shells += is_empty_shell(document.body)
        if self._open is not None:
            self._open.note_links(document)
        self._forms.update(dict.fromkeys(search_forms(document)) if self._asks_forms else {})
        self._read_pages[document.url] = read_navigation(document, site.page_url)

    @asynccontextmanager
    async def _opened(self, pages: int, *, local_only: bool = False) -> AsyncIterator[PageStore]:
        """The site, opened once: steps inside of steps use the same."""
        if self._open is not None:
            yield self._open
            return
        source = self.source.local(self.path) if local_only else self.source
        with new_output_folder(self.path), self._no_empty_archive():
            site = source.open(replace(self._crawl, max_pages=pages), self.path)
            async with PageStore(site) as store:
                self._open = store
                try:
                    yield store
                finally:
                    self._open = None
                    self._read_pages.clear()

    @contextmanager
    def _no_empty_archive(self) -> Iterator[None]:
        """Where no page was found, leave no archive without a page, if none was there before."""
        archive = self.path / ARCHIVE_FILE
        was_there = archive.exists()
        try:
            yield
        except NoPages:
            if not was_there:
                archive.unlink(missing_ok=True)
            raise

    @asynccontextmanager
    async def opened_site(self, *, local_only: bool = False) -> AsyncIterator[PageStore]:
        """The site of the project, for whoever needs pages of it that were read before."""
        async with self._opened(DEFAULT_PAGES, local_only=local_only) as site:
            yield site

    def _learner(self, model: SiteModel, wrappers: Mapping[str, Wrapper]) -> ClassLearner:
        """Learns classes of a model under the corrections of people; `wrappers` are known."""
        edits = with_current_names(self.edits, model)
        return ClassLearner(
            self.path, model, wrappers, edits=edits, earlier=self._earlier, known=self._known
        )

    async def _learn_all(
        self,
        model: SiteModel,
        *,
        relearn: bool,
        branch: Collection[str] | None = None,
        workers: int | None = None,
    ) -> ClassLearner:
        """Learn from the pages of one class after the other: no more of them are in memory.

        What a person's examples made is not replaced by what is learnt without them. Where the
        pages must be of a `branch`, wrappers of classes without any there are kept as well.
        """
        kept = {} if relearn else wrappers_by_example(self.path, model)
        if branch is not None:
            model_pages = {one.name: _in_branch(one, branch).pages for one in model.classes}
            kept = {n: w for n, w in self.wrappers.items() if not model_pages[n]} | kept
        learned = self._learner(model, kept)
        named = [one for one in model.classes if one.has_records]
        async with self._opened(DEFAULT_PAGES) as site:
            if branch is None:
                named = [one for one in named if not await learned.take_over(one, site)]
            else:
                samples = (_in_branch(one, branch) for one in named)
                named = [one for one in samples if one.pages]
            step = "learning templates and wrappers"
            await learned.learn(
                named,
                site,
                workers=workers,
                on_class=lambda n: self._report_progress(step, n, len(named)),
            )
            await learned.compare_classes(site)
        learned.add_earlier_results()
        self.edit_outcomes += learned.outcomes
        if relearn and branch is None:
            remove_examples(self.path)  # of classes that are no more
        self._forget()
        self.model = model
        self._note_other_edits(learned.edits)
        return learned

    def _note_other_edits(self, edits: Sequence[Edit]) -> None:
        """Say of the edits that no step has replayed what became of them."""
        told = [one.edit for one in self.edit_outcomes]
        for edit in edits:
            if edit in told:
                continue
            if isinstance(edit, UnreadableEdit):
                self.edit_outcomes.append(EditOutcome(edit, EditStatus.FAILED, edit.why))
            elif isinstance(edit, FIELD_EDITS):
                why = f"there is no class {edit.page_class}"
                self.edit_outcomes.append(EditOutcome(edit, EditStatus.FAILED, why))
            elif isinstance(edit, CLASS_EDITS):
                why = "when the classes were found"
                self.edit_outcomes.append(EditOutcome(edit, EditStatus.APPLIED, why))
        self.edit_outcomes.sort(key=lambda one: edits.index(one.edit))

    async def _extract(
        self, job: ExtractionJob, known: Mapping[str, PageResult]
    ) -> ExtractionSummary:
        assert self._open is not None  # noqa: S101 - callers have opened it
        return await extract_site(
            self.path,
            self._open,
            job,
            lambda summary: self._report_progress("extracting records", summary.pages),
            known,
        )

    def _write_report(
        self,
        pictures: Mapping[str, tuple[str, str]] | None = None,
        missed: Collection[Missing] = (),
    ) -> None:
        from sitewright.export.report.report import write_report  # noqa: PLC0415 - slow to load

        self._forget()
        write_report(self, pictures, missed)

    def _class_of_examples(self, name: str | None, pages: Sequence[Document]) -> str:
        known = [one.name for one in self.model.classes if not one.is_stub]
        if name is None and pages:
            name = self._classifier.classify(pages[0]).page_class
        if name is None:
            raise InvalidInput("no class", "name one with --class: " + ", ".join(known))
        if name not in known:
            raise InvalidInput(name, "no such class; there are " + ", ".join(known))
        return name


def _in_branch(one: PageClass, branch: Collection[str]) -> PageClass:
    """A class with those of its pages alone that are in a branch of the skeleton."""
    return replace(one, pages=tuple(url for url in one.pages if url in branch), samples=())


def checked_path(name: str, given: object) -> str:
    """A URL or path as text."""
    path = os.fspath(given) if isinstance(given, str | os.PathLike) else given
    if not isinstance(path, str):
        raise InvalidInput(f"{name}={given!r}", "must be text or a path")
    if not path:
        raise InvalidInput(f"{name}=''", "is empty")
    return path


def check_count(name: str, given: object) -> None:
    """Refuse what is no number of things, under the name of the argument."""
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
