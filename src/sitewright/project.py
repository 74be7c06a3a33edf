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
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, TypeAlias
from urllib.parse import urljoin

from sitewright import formats
from sitewright.choices import Method
from sitewright.crawl.forms import SearchForm, search_forms
from sitewright.crawl.frontier import Strategy
from sitewright.crawl.waves import CrawlPlan
from sitewright.edits.classes import ClassCorrections, renamed_classes
from sitewright.edits.earlier import EarlierResults
from sitewright.edits.edit import (
    CLASS_EDITS,
    EDITS_FILE,
    FIELD_EDITS,
    SKELETON_EDITS,
    Edit,
    EditOutcome,
    EditStatus,
    RenameClass,
    UnreadableEdit,
    field_edits,
    moved_pages,
    named_pages,
    read_edits,
    with_current_names,
    with_edits,
    write_edits,
)
from sitewright.edits.fields import edited_wrapper
from sitewright.edits.skeleton import edited_skeleton
from sitewright.errors import InputNotFound, InvalidInput, NoPages
from sitewright.event_loop import Answer, Given, synchronous
from sitewright.export.accounting import crawl_account
from sitewright.export.changes import CHANGES, read_tables, record_changes, write_changes
from sitewright.export.class_tables import (
    chosen_classes,
    extract_site,
    write_wrapper,
)
from sitewright.export.exporters import SEARCH_FILE, export_project
from sitewright.export.folder import (
    SKELETON,
    is_same_site,
    remove_examples,
    wrappers_by_example,
    write_model,
)
from sitewright.export.results import ProjectResults
from sitewright.extraction.page_results import PAGES, ExtractionJob
from sitewright.extraction.whole_site import ask_forms, fetch_rest
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
    write_source,
)
from sitewright.site.scripts import Render, is_empty_shell
from sitewright.site.store import PageStore
from sitewright.site.web import CrawlOptions
from sitewright.skeleton.corrections import branch_below
from sitewright.wrapper import induce_from_examples
from sitewright.wrapper.examples import added_to, checked_examples, found_examples

if TYPE_CHECKING:
    from collections.abc import Collection

    from sitewright.change.checking import CheckReport
    from sitewright.change.keeping import KnownColumns
    from sitewright.change.repairing import RepairReport
    from sitewright.classes import PageClass, SiteModel
    from sitewright.export.exporters import Exported
    from sitewright.export.search import SearchHit
    from sitewright.extraction.page_results import ExtractionSummary, PageResult
    from sitewright.methods import ReadNavigation
    from sitewright.page import Document
    from sitewright.site import Site
    from sitewright.site.account import (
        CrawlAccount,
        FormReport,
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
    complete: bool = False,
    forms: bool = False,
    refresh: bool = False,
    max_age: float | None = None,
    pictures: bool = False,
    provenance: bool = False,
    settings: Settings | Mapping[str, object] | None = None,
    progress: ProgressCallback = _silent,
) -> Project:
    """Do the whole job on one site: page classes, navigation, templates, tables, a report.

    `site` is a URL, a folder, a saved page or an archive; `out` the folder for the results, where a
    later call goes on with what was fetched. At most `pages` pages are asked for; with `complete`,
    all other pages that are known of are fetched then, so that tables are whole. With `forms`
    search forms are asked for pages that no link leads to. With `refresh`
    pages that were fetched before are asked for again where they may have changed, unless they are
    younger than `max_age` seconds; changes.jsonl has what that changed. Wrappers that
    were learnt from examples and the names of classes and columns are kept, unless `relearn`. With
    `pictures` the report shows a small picture of a page of each class, which a browser takes.
    With `provenance` each class gets
    provenance.jsonl: the selector and the place in the page of every value. `settings` are
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
    await project.arun(
        exploring,
        workers=workers,
        relearn=relearn,
        complete=complete,
        forms=forms,
        refresh=refresh,
        max_age=max_age,
        pictures=pictures,
        provenance=provenance,
    )
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

    # -- the steps

    @_with_given_settings
    async def arun(
        self,
        exploring: Exploring | None = None,
        *,
        pages: int | None = None,
        workers: int | None = None,
        relearn: bool = False,
        complete: bool = False,
        forms: bool = False,
        refresh: bool = False,
        max_age: float | None = None,
        pictures: bool = False,
        provenance: bool = False,
    ) -> ExtractionSummary:
        """Do the whole job; see `sitewright.run`."""
        exploring = _exploring(exploring, pages)
        if workers is not None:
            _check_count("workers", workers)
        _check_refresh(self.source, refresh=refresh, max_age=max_age, exploring=exploring)
        before = read_tables(self.path) if refresh else {}
        self._account_before = self._known_account()
        keeps_names = not relearn and self._earlier is None
        self._known = None
        async with self._opened(exploring.pages, local_only=exploring.local_only) as site:
            if refresh:
                await site.read_lists()
                self.refreshed = await site.refresh(max_age)
            self._asks_forms, self._forms = forms and site.is_live, {}
            model = await self._discover(exploring, keeps_names=keeps_names)
            reports: list[FormReport] = []
            if self._asks_forms:
                reports = await ask_forms(site, model, list(self._forms), self._tell)
            if complete and site.is_live:
                await fetch_rest(site, self._tell)
            if site.behind_forms or (complete and site.is_live):
                # There are more pages than the first model could know of.
                model = await self._discover(exploring, keeps_names=self._known is not None)
            if self._earlier is None or site.is_live or not self._keep_skeleton(model):
                await self.afind_skeleton(pages=min(exploring.pages, SKELETON_PAGES))
            learned = await self._learn_all(model, relearn=relearn, workers=workers)
            self._known = None
            # What was fetched is enough: the rest was fetched above, or is left out.
            job = ExtractionJob(
                model, learned.wrappers, limit=0, workers=workers, placed=moved_pages(self.edits),
                provenance=provenance,
            )  # fmt: skip
            summary = await self._extract(job, {} if provenance else learned.results)
            self.account = replace(
                self._account_of(site, model, summary),
                budget=exploring.pages,
                forms=tuple(reports),
            )
            is_whole = self._earlier is None
            missed = list(site.missed.values()) if is_whole else self.account.missing()
            self._write_account(model)
        self._write_report(learned.pictures, missed)
        if refresh:
            keys = {name: one.key for name, one in self.wrappers.items()}
            changes = record_changes(before, read_tables(self.path), keys)
            self.changes = write_changes(self.path / CHANGES, changes)
        await self._take_pictures(learned.pictures if pictures else {}, missed)
        return summary

    @_with_given_settings
    async def adiscover(
        self, exploring: Exploring | None = None, *, pages: int | None = None
    ) -> SiteModel:
        """Find the page classes and the links between them; write model.json and a report.

        At most `pages` pages are asked for; `exploring` has more to choose.
        """
        model = await self._discover(_exploring(exploring, pages))
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
                    on_wave=lambda seen: self._tell(
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

    @_with_settings
    async def afind_skeleton(self, *, pages: int = SKELETON_PAGES) -> SkeletonNode:
        """Find the navigation tree; write skeleton.json."""
        _check_count("pages", pages)
        async with self._opened(pages) as site:
            skeleton = await extract_skeleton(
                site,
                limit=pages,
                known=self._read_pages,
                progress=lambda done: self._tell(
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

    @_with_settings
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

    @_with_settings
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
        _check_count("pages", pages)
        if workers is not None:
            _check_count("workers", workers)
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

    @_with_given_settings
    async def aapply(
        self,
        edits: Sequence[Edit] = (),
        *,
        classes: Collection[str] = (),
        workers: int | None = None,
    ) -> None:
        """Add corrections to OUT/edits.jsonl and bring all results in line with the whole file.

        Edits of fields learn their classes anew; edits of classes find the classes anew, from the
        pages that are there, and learn those that have changed; edits of the skeleton change the
        tree alone. Where edits of fields were taken away, `classes` are those to learn anew.
        `edit_outcomes` has what became of each.
        """
        model, file = self.model, self.path / EDITS_FILE
        all_edits = with_edits(self.edits, edits)
        if edits:
            write_edits(file, all_edits)
        if edits and all(isinstance(edit, SKELETON_EDITS) for edit in edits):
            await self._refine_skeleton(all_edits)
            return
        is_about_fields = all(isinstance(edit, FIELD_EDITS) for edit in edits)
        names = {*classes, *(one.page_class for one in edits if isinstance(one, FIELD_EDITS))}
        self._earlier = EarlierResults.read(self)
        if not edits and not classes:
            # One may have been taken away, and the tree that is there would still show it.
            self._earlier = replace(self._earlier, skeleton=None)
        try:
            if names and is_about_fields and self.wrappers:
                await self._relearn(model, names, workers)
            elif (new := _only_new_names(edits, model)) and self._earlier.skeleton is not None:
                await self._rename(model, new, workers)
            else:
                await self.arun(self._same_exploring(model), workers=workers)
        finally:
            self._earlier = None

    async def _refine_skeleton(self, edits: Sequence[Edit]) -> None:
        """Change the navigation tree that is there, and show it in the report."""
        self.edit_outcomes = []
        self._write_skeleton(self.skeleton)
        async with self._opened(DEFAULT_PAGES) as site:
            pictures = await self._pictures(site, self.wrappers)
            missed = list(site.missed.values())
        self._write_report(pictures, missed)
        self.edit_outcomes.sort(key=lambda one: edits.index(one.edit))

    @_with_settings
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
    apply = synchronous(aapply)

    def export(
        self,
        form: str,
        target: PathLike | None = None,
        **options: Any,  # noqa: ANN401 - each form has its own
    ) -> Exported:
        """Export as scrapy, sqlite, schema, search, graphml, dot, json, sitemap, or as plugins do.

        `target` is the file or folder to write. Without it a graph is given as text, and the others
        go into the folder of the project. `scrapy` has the options `site`, `base_url` and `force`.
        """
        self._tell(f"exporting {form}")
        return export_project(self, form, target, **options)

    def search(self, query: str, limit: int = 10) -> list[SearchHit]:
        """The blocks of text that an FTS5 query finds, the best first; `export("search")` first."""
        from sitewright.export.search import search_blocks  # noqa: PLC0415 - rare

        return search_blocks(self.path / SEARCH_FILE, query, limit)

    # -- inside

    @property
    def source(self) -> SiteSource:
        """Where the pages come from: the site as it was given, or as the folder knows it."""
        return self._given or read_source(self.path)

    @property
    def edits(self) -> list[Edit]:
        """The corrections that people made, in their order."""
        return read_edits(self.path / EDITS_FILE)

    def _tell(
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

    def _account_of(
        self, site: PageStore, model: SiteModel, summary: ExtractionSummary
    ) -> CrawlAccount:
        before = self._account_before
        found = crawl_account(site, model, summary, before)
        if self._earlier is None or before is None or site.is_live:
            return found
        # While corrections are applied, not all is asked for again that the first run asked for.
        return replace(before, classes=found.classes)

    def _known_account(self) -> CrawlAccount | None:
        """What the folder knows of an earlier crawl of the same site."""
        with suppress(InvalidInput):
            before = read_source(self.path)
            return before.crawl if before.site == self.source.site else None
        return None

    def _write_account(self, model: SiteModel) -> None:
        if self.account is not None:
            source = replace(read_source(self.path), crawl=self.account)
            write_source(self.path, source, model=formats.identity(model))
            for name in ("counted_sizes", "classes"):
                self.__dict__.pop(name, None)

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

    @_with_settings
    async def arewrite(
        self, model: SiteModel, wrappers: Mapping[str, Wrapper], *, workers: int | None = None
    ) -> ExtractionSummary:
        """Put a model and wrappers, as a repair makes them, in the place of what was learnt.

        Templates, tables and report are made again from the pages that are here.
        """
        tree, texts = self.skeleton, read_source(self.path).texts
        model_id = formats.identity(model)
        learned = self._learner(model, wrappers)
        async with self._opened(DEFAULT_PAGES) as site:
            write_model(self.path, model, replace(self.source, texts=texts))
            formats.write(self.path / SKELETON, tree, model=model_id)
            for wrapper in wrappers.values():
                write_wrapper(self.path, wrapper, model=model_id)
            self._forget()
            self.model = model
            named = [one for one in model.classes if one.has_records]
            await learned.learn(named, site, workers=workers)
            self.edit_outcomes += learned.outcomes
            job = ExtractionJob(model, learned.wrappers, limit=0, workers=workers)
            summary = await self._extract(job, learned.results)
            missed = list(site.missed.values())
        self._write_report(learned.pictures, missed)
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
                named, site, workers=workers, on_class=lambda n: self._tell(step, n, len(named))
            )
        learned.add_earlier_results()
        self.edit_outcomes += learned.outcomes
        if relearn and branch is None:
            remove_examples(self.path)  # of classes that are no more
        self._forget()
        self.model = model
        self._note_other_edits(learned.edits)
        return learned

    def _keep_skeleton(self, model: SiteModel) -> bool:
        """Take the navigation tree over to a corrected model: it knows no classes."""
        tree = self._earlier.skeleton if self._earlier is not None else None
        if tree is not None:
            self._write_skeleton(tree, model)
        return tree is not None

    async def _rename(
        self, model: SiteModel, edits: Sequence[RenameClass], workers: int | None
    ) -> None:
        """Give classes other names, in all results."""
        source = read_source(self.path)
        new, outcomes = renamed_classes(model, edits)
        names = {old.name: one.name for old, one in zip(model.classes, new.classes, strict=True)}
        crawl = None if source.crawl is None else source.crawl.with_class_names(names)
        async with self._opened(DEFAULT_PAGES):
            write_model(self.path, new, replace(source, crawl=crawl))
            self.edit_outcomes = outcomes
            self._keep_skeleton(new)
            learned = await self._learn_all(new, relearn=False, workers=workers)
            placed = moved_pages(learned.edits)
            job = ExtractionJob(new, learned.wrappers, limit=0, workers=workers, placed=placed)
            await self._extract(job, learned.results)
        self._write_report(learned.pictures, self._missed())

    def _missed(self) -> list[Missing]:
        """The pages that the last crawl did not get, as site.json has them."""
        crawl = read_source(self.path).crawl
        return [] if crawl is None else crawl.missing()

    async def _relearn(self, model: SiteModel, names: Collection[str], workers: int | None) -> None:
        """Learn some classes anew, and extract all records again."""
        edits = with_current_names(self.edits, model)
        now = {edit.page_class for edit in edits if isinstance(edit, FIELD_EDITS)} & {*self}
        names = {*names, *now}
        untouched = {name: one for name, one in self.wrappers.items() if name not in names}
        by_example = wrappers_by_example(self.path, model)
        learned = self._learner(model, by_example | untouched)
        learned.kept.update(untouched)
        self.edit_outcomes = []
        if any(isinstance(edit, SKELETON_EDITS) for edit in edits):
            self._write_skeleton(self.skeleton)
        async with self._opened(DEFAULT_PAGES) as site:
            for one in model.classes:
                if one.name not in names and one.name in learned.wrappers:
                    await learned.paint(one, site)
            anew = [one for one in model.classes if one.name in names]
            await learned.learn(anew, site, workers=workers)
            learned.add_earlier_results()
            self.edit_outcomes += learned.outcomes
            self._forget()
            self.model = model
            placed = moved_pages(edits)
            job = ExtractionJob(model, learned.wrappers, limit=0, workers=workers, placed=placed)
            await self._extract(job, learned.results)
        self._note_other_edits(edits)
        self._write_report(learned.pictures, self._missed())

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

    def _same_exploring(self, model: SiteModel) -> Exploring:
        """How the pages of a model were chosen, to choose the same again."""
        given = model.parameters
        is_ours = model.method == Method.DEFAULT.value
        return Exploring(
            pages=given.get("limit", DEFAULT_PAGES),
            method=model.method,
            strategy=given.get("strategy") if is_ours else None,
            seed=given.get("seed", 0),
            local_only=bool(given.get("all_pages")),
        )

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
        pictures: Mapping[str, tuple[str, str]] | None = None,
        missed: Collection[Missing] = (),
    ) -> None:
        from sitewright.export.report.report import write_report  # noqa: PLC0415 - slow to load

        self._forget()
        write_report(self, pictures, missed)

    async def _take_pictures(
        self, painted: Mapping[str, tuple[str, str]], missed: Collection[Missing]
    ) -> None:
        """Take a small picture of a page of each class that is painted, and show it in the report.

        The report is there by then, so that nothing is lost where no browser is.
        """
        if not painted:
            return
        from sitewright.export.report.page_pictures import take_pictures  # noqa: PLC0415 - slow
        from sitewright.export.report.report import pictured_page  # noqa: PLC0415 - slow to load

        urls = [url for name in painted if (url := pictured_page(self, name, painted[name]))]
        await take_pictures(
            self.path, urls, lambda done: self._tell("taking pictures", done, len(urls))
        )
        self._write_report(painted, missed)

    def _class_of_examples(self, name: str | None, pages: Sequence[Document]) -> str:
        known = [one.name for one in self.model.classes if not one.is_stub]
        if name is None and pages:
            name = self._classifier.classify(pages[0]).page_class
        if name is None:
            raise InvalidInput("no class", "name one with --class: " + ", ".join(known))
        if name not in known:
            raise InvalidInput(name, "no such class; there are " + ", ".join(known))
        return name


def _only_new_names(edits: Sequence[Edit], model: SiteModel) -> list[RenameClass]:
    """The edits, if all of them rename classes that our method found; else none."""
    names = [edit for edit in edits if isinstance(edit, RenameClass)]
    is_ours = model.method == Method.DEFAULT.value
    return names if is_ours and len(names) == len(edits) else []


def _in_branch(one: PageClass, branch: Collection[str]) -> PageClass:
    """A class with those of its pages alone that are in a branch of the skeleton."""
    return replace(one, pages=tuple(url for url in one.pages if url in branch), samples=())


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


def _check_refresh(
    source: SiteSource, *, refresh: bool, max_age: float | None, exploring: Exploring
) -> None:
    if refresh and (not source.is_live or exploring.local_only):
        raise InvalidInput("refresh", f"is for live sites; the pages of {source.site} are local")
    if max_age is not None and not refresh:
        raise InvalidInput("max_age", "says which pages to refresh: give refresh, too")
    if max_age is not None and not max_age >= 0:
        raise InvalidInput(f"max_age={max_age!r}", "must not be negative")


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
