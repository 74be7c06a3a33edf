"""The tables of all classes that have a wrapper, open at the same time."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack, aclosing, contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from hashlib import blake2b
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, Self

from sitewright import formats
from sitewright.classes.features import evenly
from sitewright.crawl.targeted import NEVER_ASKED
from sitewright.errors import InvalidInput, UnknownName
from sitewright.export.parquet import ParquetWriter
from sitewright.export.tables import (
    CONFIDENCE,
    FETCHED,
    KEY,
    LIST,
    ON_PAGES,
    PAGE,
    URL,
    RecordSetColumns,
    TableColumn,
    TableWriter,
)
from sitewright.extraction.fit import SiteFit
from sitewright.extraction.page_results import (
    Extracted,
    ExtractionJob,
    ExtractionSummary,
    PageExtractor,
    Rejected,
    Skipped,
    crawl_for_classes,
    rejected,
)
from sitewright.extraction.parallel import extract_parallel
from sitewright.formats import complete_or_absent, json_line, output_folder
from sitewright.methods import site_classifier
from sitewright.page.url import host_of, is_index_page, split_url
from sitewright.site import Missing, Reason
from sitewright.site.base import fetch_date
from sitewright.skeleton.pagination import joined_lists
from sitewright.wrapper.values.types import ValueKind
from sitewright.wrapper.wrapper import DOUBTFUL

if TYPE_CHECKING:
    from collections.abc import (
        AsyncGenerator,
        Callable,
        Collection,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from pathlib import Path
    from types import TracebackType

    from sitewright.classes import SiteModel
    from sitewright.extraction.page_results import PageResult
    from sitewright.page import Document
    from sitewright.site import Page, Site
    from sitewright.skeleton.pagination import ListPage, ListPlace
    from sitewright.wrapper import Field, Wrapper


# rejected.jsonl: the pages that no wrapper fits, each with the reason.

REJECTED_FILE = "rejected.jsonl"
PROVENANCE_FILE = "provenance.jsonl"
"""In the folder of a class: where each value stands."""


@contextmanager
def rejected_pages(out: Path) -> Iterator[Callable[[str, str | None, str], None]]:
    """Open OUT/rejected.jsonl; what is given takes the URL of a page, its class and the reason.

    The file is there without a line if every page fits: nothing was dropped in silence.
    """
    formats.remove_abandoned(out)
    with complete_or_absent(out / REJECTED_FILE) as file:

        def reject(url: str, page_class: str | None, reason: str) -> None:
            file.write(json_line({"url": url, "class": page_class, "reason": reason}))

        yield reject


def chosen_classes(
    names: Collection[str], model: SiteModel, wrappers: Mapping[str, Wrapper]
) -> frozenset[str] | None:
    """The classes that a person named; None for all. Each must be there, and have a wrapper."""
    known = [one.name for one in model.classes]
    for name in names:
        if name not in known:
            raise UnknownName(name, "class", known)
        if name not in wrappers:
            raise InvalidInput(name, f"has no wrapper; these have: {', '.join(wrappers)}")
    return frozenset(names) or None


class ClassTables:
    """Writes what becomes of pages: records to the tables of their classes, others as rejected.

    If anything goes wrong inside the block, all files of an earlier run stay as they were.
    """

    def __init__(
        self,
        out: Path,
        job: ExtractionJob,
        summary: ExtractionSummary,
        fetched: Callable[[str], str | None] = lambda _url: None,
    ) -> None:
        self._out = out
        self._fetched = fetched
        """When a page was fetched, as far as anybody knows."""
        self._summary = summary
        model = formats.identity(job.model)
        self._wrappers = job.wrappers
        self._lists = {name: ListTable(one) for name, one in job.wrappers.items()}
        self._places: dict[str, IO[str]] = {}
        """For each class the open file of the places of its values, if they are asked for."""
        self._parquet = ParquetWriter()
        self._writers = {
            name: TableWriter(
                out / "classes" / name,
                *table_columns(wrapper),
                model=model,
                parquet=self._parquet,
            )
            for name, wrapper in job.wrappers.items()
            if name in job.wanted()
        }

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._reject = stack.enter_context(rejected_pages(output_folder(self._out)))
            stack.enter_context(self._parquet)
            for name, writer in self._writers.items():
                stack.enter_context(writer)
                self._summary.records[name] = 0
            self._open = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._summary.records.total() and not self._summary.misfits:
            # Nothing was read: what an earlier run has found is as true as it was. Where pages were
            # read that gave nothing, old records in place of none would hide it.
            for writer in self._writers.values():
                writer.abandon()
        if kind is None:
            self._join_lists()
        self._open.__exit__(kind, error, trace)
        for name, writer in self._writers.items():
            if name not in self._places and writer.files:
                # Another extraction asked for it: it would be that of other records.
                (writer.folder / PROVENANCE_FILE).unlink(missing_ok=True)

    def _join_lists(self) -> None:
        """Say of records that stand in lists over many pages in which, and on which page."""
        known = (one.pages for one in self._lists.values())
        places = joined_lists({url: page for pages in known for url, page in pages.items()})
        for name, writer in self._writers.items():
            if self._lists[name].join(places):
                writer.add_columns(self._lists[name])

    def write(self, results: Iterable[PageResult]) -> None:
        """Write what becomes of some pages, in their order."""
        for result in results:
            self._summary.add(result)
            if isinstance(result, Extracted):
                writer = self._writers[result.page_class]
                self._lists[result.page_class].add(result)
                for line in with_keys(self._wrappers[result.page_class], result.lines):
                    writer.write({**line, FETCHED: self._fetched(line[URL])})
                self._write_places(result)
            elif isinstance(result, Rejected):
                self._reject(result.url, result.page_class, result.reason)

    def _write_places(self, result: Extracted) -> None:
        for one in result.places:
            file = self._places.get(result.page_class)
            if file is None:
                path = self._writers[result.page_class].folder / PROVENANCE_FILE
                file = self._open.enter_context(complete_or_absent(path))
                self._places[result.page_class] = file
            file.write(json_line(one.as_json(str(result.lines[0][URL]))))


class ListTable:
    """The columns that say in which list a record stands, on which page, and how often."""

    def __init__(self, wrapper: Wrapper) -> None:
        self.pages: dict[str, ListPage] = {}
        """What each page of the class says of its list, by URL."""
        self._row_names = {
            records.name: [column for field in records.fields for column in field.columns()]
            for records in wrapper.record_sets
        }
        self._own_rows = wrapper.rows
        """The record set whose rows are the records of the class."""
        self._rows: dict[str, frozenset[bytes]] = {}
        self._places: dict[str, ListPlace] = {}
        self._counts: dict[str, Counter[bytes]] = {}
        where = (TableColumn(LIST, ValueKind.URL), TableColumn(PAGE, ValueKind.INTEGER))
        self.row_columns = (*where, TableColumn(ON_PAGES, ValueKind.INTEGER))
        self.columns = where if self._own_rows is None else self.row_columns

    def add(self, result: Extracted) -> None:
        """Take in a page."""
        if result.list_page is not None and result.lines:
            url = str(result.lines[0][URL])
            self.pages[url] = result.list_page
            self._rows[url] = frozenset(self._digests(result.lines))

    def join(self, places: Mapping[str, ListPlace]) -> bool:
        """Take in where pages stand; the answer is whether any of the class stands in a list."""
        self._places = {url: place for url, place in places.items() if url in self.pages}
        for url, place in self._places.items():
            self._counts.setdefault(place.list_url, Counter()).update(self._rows[url])
        return bool(self._places)

    def values(self, record: dict[str, Any]) -> dict[str, Any]:
        """What is known of a record of the class."""
        place = self._places.get(record[URL])
        if place is None:
            return {}
        if self._own_rows is not None:
            return self.row_values(record, self._own_rows, record)
        return {LIST: place.list_url, PAGE: place.number}

    def row_values(
        self, record: dict[str, Any], record_set: str, row: Mapping[str, Any]
    ) -> dict[str, Any]:
        """What is known of a row."""
        place = self._places.get(record[URL])
        if place is None:
            return {LIST: None, PAGE: None, ON_PAGES: None}
        pages = self._counts[place.list_url][self._digest(record_set, row)]
        return {LIST: place.list_url, PAGE: place.number, ON_PAGES: pages}

    def _digests(self, lines: Sequence[Mapping[str, Any]]) -> Iterator[bytes]:
        for line in lines:
            for name in self._row_names:
                rows = [line] if name == self._own_rows else line.get(name) or ()
                yield from (self._digest(name, row) for row in rows)

    def _digest(self, record_set: str, row: Mapping[str, Any]) -> bytes:
        own = {name: row.get(name) for name in self._row_names[record_set]}
        text = record_set + json_line(own)
        return blake2b(text.encode("utf-8", "replace"), digest_size=12).digest()


def table_columns(wrapper: Wrapper) -> tuple[list[TableColumn], list[RecordSetColumns]]:
    """The columns of a class's table: its fields, then what is known of each record."""
    columns, sets = value_columns(wrapper)
    known = [
        TableColumn(DOUBTFUL, ValueKind.TEXT, many=True),
        TableColumn(FETCHED, ValueKind.TEXT),
        TableColumn(KEY, ValueKind.TEXT),
        TableColumn(CONFIDENCE, ValueKind.DECIMAL),
    ]
    return [*columns, *known], sets


def value_columns(wrapper: Wrapper) -> tuple[list[TableColumn], list[RecordSetColumns]]:
    """The columns of the fields; those of a list are the page's and then its rows' own."""
    columns = [column for one in wrapper.fields for column in _columns(one)]
    sets = []
    for records in wrapper.record_sets:
        own = [column for one in records.fields for column in _columns(one)]
        if records.name == wrapper.rows:
            columns += own
        else:
            sets.append(RecordSetColumns(records.name, tuple(own)))
    return columns, sets


def with_keys(wrapper: Wrapper, lines: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The records of a page with a key that stays, and how sure their values are.

    The key is the page's place in its site, whatever host a copy has; of a row in a list, with what
    tells rows apart behind it, or its number.
    """
    seen: set[str] = set()
    expected = [name for name in wrapper.required if name != wrapper.rows]
    trusted = {field.name: field.confidence for field in wrapper.all_fields()}
    for number, line in enumerate(lines, 1):
        place = split_url(line[URL])
        key = place.path + (f"?{place.query}" if place.query else "")
        if wrapper.rows:
            said = next((line.get(name) for name in wrapper.key), None)
            key += f"#{said if said is not None else number}"
            key = f"{key}#{number}" if key in seen else key
            seen.add(key)
        found = [trust for name, trust in trusted.items() if line.get(name) not in (None, [])]
        there = sum(line.get(name) not in (None, []) for name in expected)
        share = there / len(expected) if expected else 1.0
        sure = share * sum(found) / len(found) if found else share
        yield {**line, KEY: key, CONFIDENCE: round(sure, 3)}


def _columns(field: Field) -> Iterator[TableColumn]:
    kinds = (field.type.kind, ValueKind.TEXT)
    for name, kind in zip(field.columns(), kinds, strict=False):
        yield TableColumn(name, kind, field.many)


# The records of all pages of a site: tables of its classes, and what was rejected and why.

_NO_PAGES = frozenset({Reason.NOT_FOUND, Reason.OUT_OF_SCOPE, Reason.NOT_HTML})
"""Why links of a folder or an archive lead nowhere; other reasons are those of local pages."""
_GIVEN_UP = frozenset({Reason.TIMED_OUT, Reason.TOO_LARGE, Reason.UNREADABLE})
"""Why a live page that is there was not read: it ran into a limit of ours."""


async def extract_site(
    out: Path,
    site: Site,
    job: ExtractionJob,
    progress: Callable[[ExtractionSummary], None] = lambda _: None,
    known: Mapping[str, PageResult] = MappingProxyType({}),
) -> ExtractionSummary:
    """Write the records of a site's pages to OUT/classes/NAME/table.*, the rest to rejected.jsonl.

    Of a folder or an archive every page is taken. A live site is walked along the links that lead
    to the wanted classes; then come the other pages that were fetched before. The files take their
    names when all of it is done: whatever goes wrong, those of an earlier run stay whole. Of pages
    whose results are `known`, by their URL, nothing is read again. Where the job names a branch of
    the skeleton, its pages alone are asked for and read.
    """
    job = replace(job, home=site.home)
    is_whole = not site.is_live and job.chosen is None and job.below is None
    wrappers = {name: job.wrappers[name] for name in job.wrappers if name in job.wanted()}
    summary = ExtractionSummary(fit=SiteFit.of(job.model, wrappers, is_whole=is_whole))
    seen: set[str] = set()
    with ClassTables(out, job, summary, partial(fetch_date, site)) as tables:
        if site.is_live:
            async with aclosing(_walked(site, job, summary)) as walk:
                async for url, result in walk:
                    seen.add(url)
                    tables.write([result])
                    progress(summary)
        pages = _once(_of_branch(site.pages(), job.below), seen)
        async with aclosing(extract_parallel(pages, job, known)) as chunks:
            async for results in chunks:
                tables.write(results)
                progress(summary)
                rejects = (one.url for one in results if isinstance(one, Rejected))
                seen.update(url for url in rejects if url in site.missed)
        tables.write(_unreadable(site, seen))
    if is_whole:
        summary.fit.list_pages(site.listing())
    return summary


def _of_branch(pages: Iterable[Page], branch: frozenset[str] | None) -> Iterable[Page]:
    return pages if branch is None else (page for page in pages if page.url in branch)


async def _walked(
    site: Site, job: ExtractionJob, summary: ExtractionSummary
) -> AsyncGenerator[tuple[str, PageResult], None]:
    """The results of the pages of a live site, each with its URL, as the walk finds them."""
    extractor, wanted = PageExtractor(job), job.wanted()
    if job.below is not None:
        for outcome in await site.fetch(sorted(job.below)[: job.limit]):
            if isinstance(outcome, Missing):
                summary.asked += outcome.reason not in NEVER_ASKED
                yield outcome.url, rejected(outcome)
            else:
                summary.asked += 1
                summary.useful_requests += 1
                yield outcome.url, extractor.of_page(outcome)
        return
    async with aclosing(
        crawl_for_classes(site, extractor.classifier, wanted, limit=job.limit)
    ) as walk:
        async for found in walk:
            if isinstance(found, Missing):
                summary.asked += found.reason not in NEVER_ASKED
                yield found.url, rejected(found)
                continue
            name, _, is_redirect = found.placed
            summary.asked += 1
            summary.useful_requests += name in wanted and not is_redirect
            result = (
                Skipped(is_redirect=True)
                if is_redirect
                else extractor.of_document(found.document, name)
            )
            yield found.page.url, result


def _once(pages: Iterable[Page], seen: set[str]) -> Iterator[Page]:
    """The pages that were not seen."""
    return (page for page in pages if page.url not in seen)


def _unreadable(site: Site, seen: set[str]) -> Iterator[Rejected]:
    """The pages that could not be read, those aside that were told of before."""
    for missing in site.missed.values():
        is_told = missing.reason in _GIVEN_UP if site.is_live else missing.reason not in _NO_PAGES
        if is_told and missing.url not in seen:
            yield rejected(missing)


# The wrapper of each page class, in the class's folder.


def write_wrapper(out: Path, wrapper: Wrapper, *, model: str) -> None:
    """Write one wrapper into the folder of its class; `model` is the id of the site model."""
    folder = formats.output_folder(out / "classes" / wrapper.page_class)
    formats.write(folder / "wrapper.json", wrapper, model=model)


_REMEMBERED_LINKS = 1 << 14
"""Pages of a class have most of their links in common."""


def classes_of_urls(model: SiteModel) -> Callable[[str], str | None]:
    """The class behind a URL: that of the visited page, else what the URL looks like."""
    known = {url: one.name for one in model.classes if not one.is_stub for url in one.pages}
    classifier = site_classifier(model)
    host = host_of(model.home)
    # The site may know folders by their index pages, where links name the folders.
    names = sorted({url.rpartition("/")[2] for url in known if is_index_page(url)})

    @lru_cache(maxsize=_REMEMBERED_LINKS)
    def leads_to(url: str) -> str | None:
        page_url = url.partition("#")[0]
        if host_of(page_url) != host:
            return None
        forms = (page_url, *map(page_url.__add__, names)) if page_url.endswith("/") else (page_url,)
        found = (known.get(form) or classifier.of_url(form).page_class for form in forms)
        return next(filter(None, found), None)

    return leads_to


def spread_sample(pages: Sequence[Document], size: int) -> list[Document]:
    """Some pages, evenly over their URLs in order."""
    ordered = sorted(pages, key=lambda page: (page.url, page.body))
    return evenly(ordered, size)
