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

from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitewright import formats
from sitewright.choices import Method
from sitewright.edits.classes import renamed_classes
from sitewright.edits.earlier import EarlierResults
from sitewright.edits.edit import (
    EDITS_FILE,
    FIELD_EDITS,
    SKELETON_EDITS,
    Edit,
    RenameClass,
    moved_pages,
    with_current_names,
    with_edits,
    write_edits,
)
from sitewright.errors import InputNotFound, InvalidInput
from sitewright.event_loop import synchronous
from sitewright.export.accounting import crawl_account
from sitewright.export.changes import CHANGES, read_tables, record_changes, write_changes
from sitewright.export.class_tables import (
    write_wrapper,
)
from sitewright.export.exporters import SEARCH_FILE, export_project
from sitewright.export.folder import (
    SKELETON,
    wrappers_by_example,
    write_model,
)
from sitewright.extraction.page_results import ExtractionJob
from sitewright.extraction.whole_site import ask_forms, fetch_rest
from sitewright.project_steps import (
    DEFAULT_PAGES,
    SKELETON_PAGES,
    Exploring,
    PathLike,
    ProgressCallback,
    ProjectSteps,
    check_count,
    checked_path,
    exploring_pages,
    in_given_settings,
    in_project_settings,
    no_progress,
)
from sitewright.settings import Settings, current, using
from sitewright.site import Missing, ScopeKind
from sitewright.site.open import (
    SiteSource,
    checked_source,
    read_source,
    write_source,
)
from sitewright.site.store import PageStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Mapping, Sequence

    from sitewright.change.checking import CheckReport
    from sitewright.change.repairing import RepairReport
    from sitewright.classes import SiteModel
    from sitewright.export.exporters import Exported
    from sitewright.export.search import SearchHit
    from sitewright.extraction.page_results import ExtractionSummary
    from sitewright.learning import ClassLearner
    from sitewright.site import Site
    from sitewright.site.account import CrawlAccount, FormReport
    from sitewright.site.web import CrawlOptions
    from sitewright.wrapper import Wrapper


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
    complete: bool | None = None,
    forms: bool = False,
    refresh: bool = False,
    max_age: float | None = None,
    pictures: bool = False,
    provenance: bool = False,
    settings: Settings | Mapping[str, object] | None = None,
    progress: ProgressCallback = no_progress,
) -> Project:
    """Do the whole job on one site: page classes, navigation, templates, tables, a report.

    `site` is a URL, a folder, a saved page or an archive; `out` the folder for the results, where a
    later call goes on with what was fetched. At most `pages` pages are asked for; with `complete`,
    all other pages that are known of are fetched then, so that tables are whole, and the model is
    made of them. A later call without it does as the last one did. With `forms`
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


class Project(ProjectSteps):
    """A folder with everything known of one site.

    `site` says where its pages come from; without it the folder must know. What was learnt is read
    from the folder when it is asked for.
    """

    @in_given_settings
    async def arun(
        self,
        exploring: Exploring | None = None,
        *,
        pages: int | None = None,
        workers: int | None = None,
        relearn: bool = False,
        complete: bool | None = None,
        forms: bool = False,
        refresh: bool = False,
        max_age: float | None = None,
        pictures: bool = False,
        provenance: bool = False,
    ) -> ExtractionSummary:
        """Do the whole job; see `sitewright.run`."""
        exploring = exploring_pages(exploring, pages)
        if workers is not None:
            check_count("workers", workers)
        _check_refresh(self.source, refresh=refresh, max_age=max_age, exploring=exploring)
        before = read_tables(self.path) if refresh else {}
        self._account_before = self._known_account()
        keeps_names = not relearn and self._earlier is None
        self._known = None
        complete = self._fetches_rest(complete)
        async with self._opened(exploring.pages, local_only=exploring.local_only) as site:
            if refresh:
                self.refreshed = await site.refresh(max_age)
            self._asks_forms, self._forms = forms and site.is_live, {}
            model = await self._discover(exploring, keeps_names=keeps_names)
            reports: list[FormReport] = []
            if self._asks_forms:
                reports = await ask_forms(site, model, list(self._forms), self._report_progress)
            budget = exploring.pages
            if complete and site.is_live:
                await fetch_rest(site, self._report_progress)
                # What is here costs no request: the model need not do with a small budget.
                exploring = replace(exploring, pages=max(budget, DEFAULT_PAGES))
            if site.behind_forms or (complete and site.is_live):
                # There are more pages than the first model could know of.
                model = await self._discover(exploring, keeps_names=self._known is not None)
            await self._skeleton_of_run(model, exploring, site, complete=complete)
            learned = await self._learn_all(model, relearn=relearn, workers=workers)
            self._known = None
            # What was fetched is enough: the rest was fetched above, or is left out.
            job = ExtractionJob(
                model, learned.wrappers, limit=0, workers=workers, placed=moved_pages(self.edits),
                provenance=provenance,
            )  # fmt: skip
            summary = await self._extract_all(job, learned, site)
            self.account = replace(
                self._account_of(site, model, summary),
                budget=budget,
                fetches_rest=complete and site.is_live,
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

    @in_given_settings
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

        if not self.wrappers:  # before any page is asked for
            why = f"no class has a wrapper here; make them with: sitewright run SITE -o {self.path}"
            raise InputNotFound(str(self.path), why)
        with using(self.settings):
            async with self._other_site(site, base_url, home, scope) as opened:
                return await check_site(
                    self, opened, lambda done: self._report_progress("checking pages", done)
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

        target = Path(checked_path("out", out))
        return await repair_into(
            self, project, target, pages=pages, workers=workers, dry_run=dry_run
        )

    run = synchronous(arun)
    check = synchronous(acheck)
    repair = synchronous(arepair)
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
        self._report_progress(f"exporting {form}")
        return export_project(self, form, target, **options)

    def search(self, query: str, limit: int = 10) -> list[SearchHit]:
        """The blocks of text that an FTS5 query finds, the best first; `export("search")` first."""
        from sitewright.export.search import search_blocks  # noqa: PLC0415 - rare

        return search_blocks(self.path / SEARCH_FILE, query, limit)

    # -- inside

    async def _skeleton_of_run(
        self, model: SiteModel, exploring: Exploring, site: PageStore, *, complete: bool
    ) -> None:
        """Find the navigation tree, or keep it; fetch the pages that only now are known of."""
        if self._earlier is None or site.is_live or not self._keep_skeleton(model):
            await self.afind_skeleton(pages=min(exploring.pages, SKELETON_PAGES))
        if complete and site.is_live:
            await fetch_rest(site, self._report_progress)

    async def _extract_all(
        self, job: ExtractionJob, learned: ClassLearner, site: Site
    ) -> ExtractionSummary:
        """Extract all records; where classes reject many pages, learn from these, and again."""
        known = {} if job.provenance else learned.results
        summary = await self._extract(job, known)
        has_layouts = await learned.learn_rejected(self._often_rejected(summary), site)
        has_columns = await learned.learn_varying(_other_texts(summary), site)
        if has_layouts or has_columns:
            summary = await self._extract(replace(job, wrappers=learned.wrappers), known)
        return summary

    def _often_rejected(self, summary: ExtractionSummary) -> dict[str, list[str]]:
        """The pages without a record of classes where these are many, by class."""
        settings = current().wrapper.layouts
        often = {
            one.page_class
            for one in summary.of_classes()
            if one.rejected >= settings.min_pages
            and one.rejected > settings.max_rejected_share * (one.pages + one.rejected)
        }
        found: dict[str, list[str]] = {name: [] for name in often}
        for page in self.rejected if often else ():
            if page["class"] in often:
                found[str(page["class"])].append(str(page["url"]))
        return found

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

    def _fetches_rest(self, given: bool | None) -> bool:
        """Whether all pages that are known of are fetched: as asked, else as in the last run."""
        before = self._account_before
        return given if given is not None else before is not None and before.fetches_rest

    def _write_account(self, model: SiteModel) -> None:
        if self.account is not None:
            source = replace(read_source(self.path), crawl=self.account)
            write_source(self.path, source, model=formats.identity(model))
            for name in ("counted_sizes", "classes"):
                self.__dict__.pop(name, None)

    @in_project_settings
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
            source = checked_source(checked_path("site", site), base_url, home, scope)
        opened = source.open(replace(self._crawl, max_pages=None), None)
        async with PageStore(opened) as store:
            yield store

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
            self.path, urls, lambda done: self._report_progress("taking pictures", done, len(urls))
        )
        self._write_report(painted, missed)


def _other_texts(summary: ExtractionSummary) -> dict[str, dict[str, list[str]]]:
    """By class and place the pages that say something else where those learnt from say the same.

    One page alone makes no column: the summary tells of it.
    """
    least = current().wrapper.columns.min_filled_pages
    found = {
        name: {place: urls for place, urls in fit.other_texts.items() if len(urls) >= least}
        for name, fit in summary.fit.classes.items()
    }
    return {name: places for name, places in found.items() if places}


def _only_new_names(edits: Sequence[Edit], model: SiteModel) -> list[RenameClass]:
    """The edits, if all of them rename classes that our method found; else none."""
    names = [edit for edit in edits if isinstance(edit, RenameClass)]
    is_ours = model.method == Method.DEFAULT.value
    return names if is_ours and len(names) == len(edits) else []


def _check_refresh(
    source: SiteSource, *, refresh: bool, max_age: float | None, exploring: Exploring
) -> None:
    if refresh and (not source.is_live or exploring.local_only):
        raise InvalidInput("refresh", f"is for live sites; the pages of {source.site} are local")
    if max_age is not None and not refresh:
        raise InvalidInput("max_age", "says which pages to refresh: give refresh, too")
    if max_age is not None and not max_age >= 0:
        raise InvalidInput(f"max_age={max_age!r}", "must not be negative")
