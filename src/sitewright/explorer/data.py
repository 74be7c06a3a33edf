"""What the explorer and the MCP server ask of a project: tables in SQL, pages, and doubts.

Everything is read when it is asked for, so that a project of fifty classes opens at once.
"""

from __future__ import annotations

import glob
import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any

from sitewright import formats
from sitewright.errors import InputNotFound, InvalidInput, MissingExtra, UnknownName
from sitewright.export.parquet import (
    column_types,
    confined_database,
    date_types,
    missing_parquet,
    quoted_name,
)
from sitewright.export.report.page_pictures import local_resources
from sitewright.export.report.report import PageAddresses, site_name
from sitewright.export.tables import LISTING, TABLE, URL, TableListing
from sitewright.project import load
from sitewright.site.base import Missing
from sitewright.site.browser import Browser, Resource
from sitewright.site.open import read_source
from sitewright.site.web import CrawlOptions
from sitewright.wrapper import Extractor, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from sitewright.classes import PageClass, SiteModel
    from sitewright.export.results import Table
    from sitewright.page import Document
    from sitewright.project import Project
    from sitewright.site import Page, Site
    from sitewright.site.browser import Resources
    from sitewright.visual import Block
    from sitewright.wrapper import Wrapper
    from sitewright.wrapper.wrapper import Field

PAGE_ROWS = 50
_FACETS = 12
_SAMPLES = 3
_SAMPLED_ROWS = 200
_LOW_CONFIDENCE = 0.6
"""Below, a page or a column is worth a look."""
_LOW_STABILITY = 0.9
_NEARLY_ONE = 0.75
"""Classes that share so much of their structure nearly merged."""
_MOST_DOUBTS = 200
_DOUBTS_OF_CLASS = 20
_CHUNK = 10_000


@dataclass(frozen=True, slots=True)
class TablePage:
    """Some rows of a table."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    total: int
    """Rows that the filters leave."""


@dataclass(frozen=True, slots=True)
class FilledColumn:
    """How full a column of a whole table is, with some values of it."""

    filled: float
    samples: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class TableQuery:
    """Which rows of a table, and in which order."""

    sort: str = ""
    descending: bool = False
    contains: tuple[tuple[str, str], ...] = ()
    """Columns, and a text that their values have."""
    equals: tuple[tuple[str, str], ...] = ()
    offset: int = 0
    limit: int = PAGE_ROWS


class TableReader:
    """Asks the tables of a project: one database in memory, which reads their files alone."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        if missing_parquet() is not None:
            raise MissingExtra("explorer", "tables")
        self.tables = {name: one for name, one in tables.items() if one.is_there}
        files = [str(one.path) for one in self.tables.values()]
        files += [str(one.path.with_suffix(".parquet")) for one in self.tables.values()]
        escaped = {form for file in files for form in (file, glob.escape(file))}
        self._database: DuckDBPyConnection = confined_database(sorted(escaped))
        self._columns: dict[str, dict[str, FilledColumn]] = {}
        self._loaded: set[str] = set()
        self._lock = Lock()

    def cursor(self, names: Sequence[str]) -> DuckDBPyConnection:
        """A connection that knows these tables."""
        with self._lock:
            for name in names:
                if name not in self._loaded:
                    self._load(name)
                    self._loaded.add(name)
            return self._database.cursor()

    def _load(self, name: str) -> None:
        table = self.tables[name]
        parquet = table.path.with_suffix(".parquet")
        if parquet.is_file():
            rows = _parquet_rows(parquet)
            for view, more in ((name, ()), (_numbered(name), (_ROW_NUMBER,))):
                chosen = self._selected(rows, [*table.columns, *more])
                self._database.execute(
                    f"CREATE VIEW {quoted_name(view)} AS SELECT {chosen} FROM {rows}"  # noqa: S608 - quoted
                )
            return
        columns = column_types(table.schema, date_types(table.path, table.schema))
        self._database.execute(
            f"CREATE TABLE {quoted_name(name)} AS SELECT * FROM read_json($lines, "  # noqa: S608 - quoted
            "format = 'newline_delimited', columns = $columns, maximum_object_size = $longest)",
            {
                "lines": glob.escape(str(table.path)),
                "columns": columns,
                "longest": table.path.stat().st_size + 1024,
            },
        )
        self._database.execute(
            f"CREATE VIEW {quoted_name(_numbered(name))} AS "  # noqa: S608 - quoted
            f"SELECT *, rowid AS {_ROW_NUMBER} FROM {quoted_name(name)}"
        )

    def _selected(self, rows: str, columns: Sequence[str]) -> str:
        """Columns in SQL; those that an earlier build has not written are empty."""
        described = self._database.execute(f"DESCRIBE SELECT * FROM {rows}").fetchall()  # noqa: S608 - quoted
        known = {str(name) for name, *_ in described}
        return ", ".join(
            quoted_name(one) if one in known else f"NULL AS {quoted_name(one)}" for one in columns
        )

    def lowest(self, name: str, column: str, below: float, limit: int) -> list[tuple[str, float]]:
        """The pages with the lowest values of a column, and these: no other column is read."""
        from duckdb import BinderException  # noqa: PLC0415 - an extra

        parquet = self._known_table(name).path.with_suffix(".parquet")
        is_loaded = name in self._loaded or not parquet.is_file()
        cursor = self.cursor([name] if is_loaded else [])
        rows = quoted_name(name) if is_loaded else _parquet_rows(parquet)
        query = (
            f"SELECT {URL}, CAST({quoted_name(column)} AS DOUBLE) FROM {rows} "  # noqa: S608 - quoted
            f"WHERE {quoted_name(column)} < ? ORDER BY 2, 1 LIMIT ?"
        )
        try:
            found = cursor.execute(query, [below, limit]).fetchall()
        except BinderException:  # an earlier build wrote the table without this column
            return []
        return [(str(url), float(value)) for url, value in found]

    def page(self, name: str, query: TableQuery) -> TablePage:
        """Some rows of a table.

        Which rows is asked first, of the column that they are sorted by alone: to carry all columns
        of a large table through a sort takes longer than everything else. Rows with equal values
        stay in the order of the file, so that no page repeats a row of another.
        """
        table = self._known_table(name)
        where, values = self._where(table, query)
        order = _ROW_NUMBER
        if query.sort:
            self._check_column(table, query.sort)
            way = "DESC" if query.descending else "ASC"
            order = f"{quoted_name(query.sort)} {way} NULLS LAST, {_ROW_NUMBER}"
        cursor = self.cursor([name])
        numbered = quoted_name(_numbered(name))
        total = cursor.execute(
            f"SELECT count(*) FROM {quoted_name(name)}{where}",  # noqa: S608 - quoted
            values,
        ).fetchall()[0][0]
        chosen = cursor.execute(
            f"SELECT {_ROW_NUMBER} FROM {numbered}{where} ORDER BY {order} LIMIT ? OFFSET ?",  # noqa: S608 - quoted
            [*values, query.limit, query.offset],
        ).fetchall()
        columns = ", ".join(quoted_name(column) for column in table.columns)
        places = ", ".join(str(int(number)) for (number,) in chosen) or "NULL"
        found = cursor.execute(
            f"SELECT {_ROW_NUMBER}, {columns} FROM {numbered} WHERE {_ROW_NUMBER} IN ({places})"  # noqa: S608 - quoted, and numbers
        ).fetchall()
        rows = {number: row for number, *row in found}
        ordered = tuple(tuple(rows[number]) for (number,) in chosen)
        return TablePage(tuple(table.columns), ordered, int(total))

    def facet(self, name: str, column: str, query: TableQuery) -> list[tuple[str, int]]:
        """The most frequent values of a column, with how often they are there."""
        table = self._known_table(name)
        self._check_column(table, column)
        where, values = self._where(table, query)
        found = (
            self.cursor([name])
            .execute(
                f"SELECT CAST({quoted_name(column)} AS VARCHAR) AS value, count(*) AS rows "  # noqa: S608 - quoted
                f"FROM {quoted_name(name)}{where} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {_FACETS}",
                values,
            )
            .fetchall()
        )
        return [(str(value), int(rows)) for value, rows in found if value is not None]

    def columns(self, name: str) -> dict[str, FilledColumn]:
        """How full each column of a table is; an empty list is no value."""
        if name not in self._columns:
            self._columns[name] = self._filled_columns(self._known_table(name), name)
        return self._columns[name]

    def _filled_columns(self, table: Table, name: str) -> dict[str, FilledColumn]:
        many = {one.name for one in table.schema.columns if one.many}
        many |= {one.name for one in table.schema.record_sets}
        counts = ", ".join(
            f"count(*) FILTER (len({quoted_name(one)}) > 0)"
            if one in many
            else f"count({quoted_name(one)})"
            for one in table.columns
        )
        cursor = self.cursor([name])
        query = f"SELECT count(*), {counts} FROM {quoted_name(name)}"  # noqa: S608 - quoted
        ((total, *filled),) = cursor.execute(query).fetchall()
        rows = self.page(name, TableQuery(limit=_SAMPLED_ROWS)).rows
        return {
            column: FilledColumn(count / max(total, 1), _first_values(row[place] for row in rows))
            for place, (column, count) in enumerate(zip(table.columns, filled, strict=True))
        }

    def count_pages(self, name: str) -> int:
        """How many pages the records of a table are from."""
        query = f"SELECT count(DISTINCT {URL}) FROM {quoted_name(name)}"  # noqa: S608 - quoted
        return int(self.cursor([name]).execute(query).fetchall()[0][0])

    def pages(self, name: str, *, like: str = "", limit: int = 50, offset: int = 0) -> list[str]:
        """The URLs of pages that the records of a table are from."""
        cursor = self.cursor([name])
        query = (
            f"SELECT DISTINCT {URL} FROM {quoted_name(name)} "  # noqa: S608 - quoted
            f"WHERE {URL} ILIKE ? ESCAPE '!' ORDER BY 1 LIMIT ? OFFSET ?"
        )
        found = cursor.execute(query, [_like_pattern(like), limit, offset]).fetchall()
        return [str(url) for (url,) in found]

    def select(self, query: str, *, limit: int, offset: int = 0, seconds: float = 20) -> TablePage:
        """The answer to a question in SQL: one statement, which reads tables alone.

        One that takes longer than `seconds` is stopped. `total` is how many rows are known of.
        """
        names = [one for one in self.tables if one.casefold() in query.casefold()]
        cursor = self.cursor(names or list(self.tables))
        statements = cursor.extract_statements(query)
        if len(statements) != 1 or str(statements[0].type).rpartition(".")[2] != "SELECT":
            raise InvalidInput("the query", "must be one SELECT")
        timer = Timer(seconds, cursor.interrupt)
        timer.start()
        try:
            found = cursor.execute(query)
            columns = tuple(str(one[0]) for one in found.description or ())
            left = offset
            while left > 0 and (skipped := found.fetchmany(min(left, _CHUNK))):
                left -= len(skipped)
            rows = found.fetchmany(limit + 1)
        finally:
            timer.cancel()
        return TablePage(columns, tuple(rows[:limit]), offset + len(rows))

    def columns_with(self, name: str, text: str) -> Iterator[tuple[str, int, str, str]]:
        """The columns of a table that hold a text: in how many rows, one value, and its page."""
        cursor = self.cursor([name])
        for column in self._known_table(name).columns:
            if column.startswith("_"):
                continue
            text_of_column = f"CAST({quoted_name(column)} AS VARCHAR)"
            query = (
                f"SELECT count(*), min({text_of_column}), min({URL}) "  # noqa: S608 - quoted
                f"FROM {quoted_name(name)} WHERE {text_of_column} ILIKE ? ESCAPE '!'"
            )
            ((count, value, url),) = cursor.execute(query, [_like_pattern(text)]).fetchall()
            if count:
                yield column, int(count), str(value), str(url)

    def _known_table(self, name: str) -> Table:
        if name not in self.tables:
            raise UnknownName(name, "table", self.tables)
        return self.tables[name]

    def _where(self, table: Table, query: TableQuery) -> tuple[str, list[str]]:
        conditions, values = [], []
        for column, text in query.contains:
            self._check_column(table, column)
            conditions.append(f"CAST({quoted_name(column)} AS VARCHAR) ILIKE ? ESCAPE '!'")
            values.append(_like_pattern(text))
        for column, text in query.equals:
            self._check_column(table, column)
            conditions.append(f"CAST({quoted_name(column)} AS VARCHAR) = ?")
            values.append(text)
        return (f" WHERE {' AND '.join(conditions)}" if conditions else ""), values

    @staticmethod
    def _check_column(table: Table, column: str) -> None:
        if column not in table.columns:
            raise UnknownName(column, "column", table.columns)


def _record_fields(wrapper: Wrapper) -> list[Field]:
    rows = [records for records in wrapper.record_sets if records.name == wrapper.rows]
    return [*wrapper.fields, *(field for records in rows for field in records.fields)]


def _first_values(values: Iterable[Any]) -> tuple[Any, ...]:
    """The first few values that differ."""
    found: list[Any] = []
    for value in values:
        if value not in (None, []) and value not in found:
            found.append(value)
            if len(found) == _SAMPLES:
                break
    return tuple(found)


_ROW_NUMBER = "file_row_number"


def _parquet_rows(file: Path) -> str:
    """The rows of a Parquet file in SQL, with their numbers."""
    path = glob.escape(str(file)).replace("'", "''")
    return f"read_parquet('{path}', {_ROW_NUMBER} = true)"


def _numbered(name: str) -> str:
    """The view of a table that numbers its rows; no table of ours has a space in its name."""
    return f"{name} rows"


def _like_pattern(text: str) -> str:
    return "%" + re.sub(r"([!%_])", r"!\1", text) + "%"


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """A class in numbers, from the lists beside its tables."""

    name: str
    url_template: str
    is_stub: bool
    records: int
    columns: int
    fields: int
    """Those of a record, as the view of the class lists them; record sets have their own."""
    pages: int
    rejected: int
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that a person should look at."""

    kind: str
    """page, column or classes."""
    text: str
    page_class: str
    score: float
    """How sure the program is, between 0 and 1."""
    url: str = ""
    field: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """Some lines of changes.jsonl, and how many of each kind there are in all."""

    lines: tuple[dict[str, Any], ...]
    counts: tuple[tuple[str, str, int], ...]
    """Class, `new`, `changed` or `gone`, and how often; in the order of the file."""
    total: int
    """Lines of the class and kind that were asked for."""


def read_changes(
    path: Path, page_class: str = "", change: str = "", offset: int = 0
) -> ChangesPage | None:
    """What changed between two runs; None if nobody compared them."""
    if not path.is_file():
        return None
    counts: Counter[tuple[str, str]] = Counter()
    chosen: list[dict[str, Any]] = []
    total = 0
    with path.open("rb") as file:
        for line in file:
            one = _change(line)
            if not one:
                continue
            key = str(one.get("class", "")), str(one.get("change", ""))
            counts[key] += 1
            if page_class in {"", key[0]} and change in {"", key[1]}:
                total += 1
                if offset < total <= offset + PAGE_ROWS:
                    chosen.append(one)
    found = tuple((name, kind, count) for (name, kind), count in counts.items())
    return ChangesPage(tuple(chosen), found, total)


def _change(line: bytes) -> dict[str, Any]:
    """One line; nothing where a person or another program has damaged it."""
    try:
        return formats.parsed_line(line)
    except ValueError:
        return {}


class SiteData:
    """A project as the explorer shows it; made anew when its files have changed."""

    def __init__(self, out: Path) -> None:
        self.project: Project = load(out)
        self.path = out

    @cached_property
    def model(self) -> SiteModel:
        """The page classes and class links."""
        return self.project.model

    @cached_property
    def tables(self) -> TableReader:
        """All tables, by the names that SQL knows."""
        return TableReader(self.project.tables)

    @cached_property
    def rejected(self) -> list[dict[str, str | None]]:
        """The pages without a record."""
        return self.project.rejected

    @cached_property
    def figures(self) -> tuple[ClassFigures, ...]:
        """The classes in numbers, the largest first as in the report."""
        without = Counter(one["class"] for one in self.rejected)
        found = (self._figures(one, without[one.name]) for one in self.model.classes)
        return tuple(sorted(found, key=lambda one: (one.is_stub, -one.pages)))

    def _figures(self, one: PageClass, without: int) -> ClassFigures:
        wrapper = self.project.wrappers.get(one.name)
        records = columns = 0
        with suppress(InvalidInput):
            path = self.path / "classes" / one.name / LISTING
            listing = formats.read(path, TableListing)
            (main,) = [table for table in listing.tables if table.name == TABLE]
            records, columns = main.rows, len(main.columns) + len(main.record_sets) - 1
        is_list = wrapper is not None and bool(wrapper.rows)
        pages = self.tables.count_pages(one.name) if is_list and records else records
        fields = list(wrapper.all_fields()) if wrapper else []
        return ClassFigures(
            name=one.name,
            url_template=one.url_template,
            is_stub=one.is_stub,
            records=records,
            columns=columns,
            fields=len(_record_fields(wrapper)) if wrapper else 0,
            pages=pages + without,
            rejected=without,
            confidence=sum(f.confidence for f in fields) / len(fields) if fields else None,
        )

    @cached_property
    def addresses(self) -> PageAddresses:
        """How people read the URLs of pages."""
        try:
            return PageAddresses.of(self.path, read_source(self.path))
        except InvalidInput:
            return PageAddresses()

    @cached_property
    def name(self) -> str:
        """What people call the site."""
        tree = source = None
        with suppress(InvalidInput):
            tree = self.project.skeleton
        with suppress(InvalidInput):
            source = read_source(self.path)
        return site_name(self.model.home, source, tree)

    def wrapper(self, name: str) -> Wrapper | None:
        """The wrapper of a class, if it has one."""
        return self.project.wrappers.get(name)

    def class_tables(self, name: str) -> dict[str, str]:
        """The tables of a class: its own and its record sets, with their names in SQL."""
        return {
            table.name: known
            for known, table in self.tables.tables.items()
            if table.page_class == name
        }

    def doubts(self) -> list[Doubt]:
        """What the program is least sure of, the worst first."""
        return self._doubts

    @cached_property
    def _doubts(self) -> list[Doubt]:
        found = [*self._doubtful_classes(), *self._doubtful_columns(), *self._doubtful_pages()]
        return sorted(found, key=lambda doubt: doubt.score)[:_MOST_DOUBTS]

    def _doubtful_columns(self) -> list[Doubt]:
        """The column of each class that is least sure, with how many others are in doubt."""
        found = []
        for name, wrapper in self.project.wrappers.items():
            doubtful = [
                field
                for field in wrapper.all_fields()
                if field.stability < _LOW_STABILITY or field.confidence < _LOW_CONFIDENCE
            ]
            if not doubtful:
                continue
            worst = min(doubtful, key=lambda field: min(field.confidence, field.stability))
            others = f", and {len(doubtful) - 1:,} more of this class" if doubtful[1:] else ""
            text = (
                f"{worst.confidence:.0%} sure, its selector is exact on "
                f"{worst.stability:.0%} of the pages{others}"
            )
            score = min(worst.confidence, worst.stability)
            found.append(Doubt("column", text, name, score, field=worst.name))
        return found

    def _doubtful_classes(self) -> list[Doubt]:
        """Classes that have most of their structure in common with the nearest one."""
        found, by_name = [], {one.name: one for one in self.model.classes}
        for one in self.model.classes:
            other = by_name.get(one.nearest or "")
            if other is None or one.is_stub or other.is_stub:
                continue
            shared = structure_overlap(one, other, self._frame)
            if shared >= _NEARLY_ONE and (one.name < other.name or other.nearest != one.name):
                text = f"{shared:.0%} of their structure is the same"
                found.append(Doubt("classes", text, one.name, 1 - shared, other=other.name))
        return found

    @cached_property
    def _frame(self) -> frozenset[int]:
        """The columns of structure that practically all classes have: they tell none apart."""
        classes = [one for one in self.model.classes if not one.is_stub]
        counts = Counter(
            column
            for one in classes
            for column, share in one.shares.items()
            if share >= _LOW_STABILITY
        )
        enough = _LOW_STABILITY * len(classes)
        return frozenset(column for column, count in counts.items() if count >= enough)

    def _doubtful_pages(self) -> list[Doubt]:
        found = []
        groups: dict[tuple[str, str], list[dict[str, str | None]]] = {}
        for one in self.rejected:
            key = one["class"] or "", str(one["reason"]).partition(":")[0]
            groups.setdefault(key, []).append(one)
        for (name, _), rejected in groups.items():
            reason = str(rejected[0]["reason"])[:200]
            text = f"{reason} (and {len(rejected) - 1:,} more)" if len(rejected) > 1 else reason
            score = 0.3 / (1 + len(rejected) / 100)
            found.append(Doubt("page", text, name, score, url=str(rejected[0]["url"])))
        for name, table in self.tables.tables.items():
            if "_confidence" in table.columns and table.page_class == name:
                lowest = self.tables.lowest(name, "_confidence", _LOW_CONFIDENCE, _DOUBTS_OF_CLASS)
                found += [
                    Doubt("page", f"its values are {sure:.0%} sure", name, sure, url=url)
                    for url, sure in lowest
                ]
        return found

    # -- pages

    def local_site(self) -> Site:
        """The pages that are here: a folder, or the archive of what was fetched. No network."""
        source = read_source(self.path).local(self.path)
        return source.open(CrawlOptions(), self.path)

    def resources(self, site: Site) -> Resources:
        """What the pages of a site load, from the same place."""
        return local_resources(read_source(self.path), site)

    def class_of_page(self, document: Document) -> tuple[str | None, float, str | None]:
        """The class of a page, how sure that is, and the next best."""
        from sitewright.edits.edit import moved_pages  # noqa: PLC0415 - few ask for it

        placed = moved_pages(self.project.edits).get(document.url)
        found = self.project.classify(document.body, document.url)
        if placed is not None and placed in self.project:
            return placed, 1.0, found.page_class
        return found.page_class, found.confidence, found.runner_up

    def record_of(self, document: Document, name: str | None) -> dict[str, Any] | str:
        """What a page says, or why it has no record."""
        wrapper = self.wrapper(name or "")
        if wrapper is None:
            return "no class fits" if name is None else "no fields are known of this class"
        found = Extractor(wrapper).extract(document)
        return dict(found.values) if isinstance(found, Record) else found.reason


def structure_overlap(
    one: PageClass, other: PageClass, frame: frozenset[int] = frozenset()
) -> float:
    """How much of their structure two classes share: the weighted Jaccard index of their marks."""
    keys = (one.shares.keys() | other.shares.keys()) - frame
    least = sum(min(one.shares.get(key, 0.0), other.shares.get(key, 0.0)) for key in keys)
    most = sum(max(one.shares.get(key, 0.0), other.shares.get(key, 0.0)) for key in keys)
    return least / most if most else 0.0


async def read_page(site: Site, url: str) -> Page:
    """A page that is here; InputNotFound if it is not."""
    (outcome,) = await site.fetch([site.page_url(url) or url])
    if isinstance(outcome, Missing):
        raise InputNotFound(url, outcome.reason)
    return outcome


async def page_blocks(page: Page, resources: Resources) -> list[Block]:
    """The visual blocks of a page, as Chromium lays it out; InvalidInput where that cannot be."""
    from sitewright.visual import segment  # noqa: PLC0415 - few ask for it

    async with Browser() as browser:
        rendering = await browser.render(page, resources)
    if isinstance(rendering, Missing):
        raise InvalidInput(page.url, rendering.detail or rendering.reason.value)
    return segment(rendering)


async def read_resource(resources: Resources, url: str) -> Resource | None:
    """A style sheet, an image or a font that is here."""
    return await resources.get(url)
