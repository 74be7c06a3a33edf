"""A SQLite database of a project: classes, pages, links, and a table for each class and record set.

The URL of a page is the primary key of its class's table, where a page has one record. A record set
refers to the page that it is from. A field whose links lead to another class refers to that class
if every one of its URLs is there. Every record refers to its page, every page to its class, every
link to two pages. Lists are JSON; dates are ISO 8601, which SQLite understands.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from sitewright import formats
from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.export.parquet import quoted_name
from sitewright.export.tables import ROW, URL
from sitewright.wrapper.values.types import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitewright.export.results import Table
    from sitewright.wrapper import Field, Wrapper


_TYPES = {ValueKind.INTEGER: "INTEGER", ValueKind.DECIMAL: "REAL"}
_LARGEST = 2**63 - 1
_NOT_IN_NAMES = re.compile(r"\W+")
CLASSES, PAGES, LINKS = "classes", "pages", "links"
"""The tables of the site itself; a class of such a name gets another."""
_SITE_TABLES = f"""
CREATE TABLE {CLASSES} (name TEXT PRIMARY KEY, url_pattern TEXT, pages INTEGER, records INTEGER,
  rejected INTEGER);
CREATE TABLE {PAGES} (url TEXT PRIMARY KEY, class TEXT REFERENCES {CLASSES} (name), title TEXT,
  records INTEGER, rejected TEXT);
CREATE TABLE {LINKS} (source TEXT REFERENCES {PAGES} (url), target TEXT REFERENCES {PAGES} (url),
  PRIMARY KEY (source, target)) WITHOUT ROWID;
"""


class LinkedPage(NamedTuple):
    """A page that is here: its title, and the pages of the site that it leads to."""

    url: str
    title: str
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SiteContents:
    """What the database says of the site beside its tables."""

    classes: Sequence[tuple[str, str]]
    """The name and the URL pattern of each class."""
    rejected: Sequence[Mapping[str, str | None]]
    pages: Iterable[LinkedPage] = ()


@dataclass(frozen=True, slots=True)
class _Reference:
    """A column whose values may all be URLs of a table."""

    column: str
    table: str


@dataclass(frozen=True, slots=True)
class _SqlTable:
    """A table of the database: a name that needs no quotes, and where its rows come from."""

    name: str
    source: Table
    references: tuple[_Reference, ...]

    @property
    def is_record_set(self) -> bool:
        """Whether its rows are parts of pages."""
        return ROW in self.source.columns

    def columns(self) -> Iterator[tuple[str, str]]:
        """Each column with its type; records inside of records are in tables of their own."""
        for one in self.source.schema.columns:
            yield one.name, "TEXT" if one.many else _TYPES.get(one.kind, "TEXT")

    def rows(self) -> Iterator[list[Any]]:
        """The values of each record, in the order of the columns."""
        names = [name for name, _ in self.columns()]
        for record in self.source.records():
            yield [_cell(record.get(name)) for name in names]


def write_sqlite(
    path: Path,
    tables: Mapping[str, Table],
    wrappers: Mapping[str, Wrapper],
    site: SiteContents | None = None,
) -> dict[str, int]:
    """Write a database, complete or not at all; gives the number of rows of each table."""
    written = {name: one for name, one in tables.items() if one.path.is_file()}
    if not written:
        why = "no records were extracted yet: sitewright extract OUT SITE"
        raise InputNotFound(str(path), why)
    if path.is_dir():
        raise UnreadableInput(str(path), "is a folder; name a file")
    formats.check_replaceable(path)
    planned = _planned(written, wrappers, [CLASSES, PAGES, LINKS] if site else [])
    try:
        formats.remove_abandoned(path.parent, path.name)
        with formats.folder_aside(path.parent, path.name) as folder:
            made = folder / "site.db"
            with closing(sqlite3.connect(made)) as database:
                rows = _fill(database, planned, site)
            with made.open("rb") as file:
                os.fsync(file.fileno())
            made.replace(path)
    except (OSError, sqlite3.OperationalError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UnreadableInput(str(path), f"cannot be written: {why}") from None
    return rows


def _fill(
    database: sqlite3.Connection, tables: Sequence[_SqlTable], site: SiteContents | None
) -> dict[str, int]:
    """Load all rows, see which keys hold, and make the tables with them."""
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("PRAGMA synchronous = OFF")  # it takes its name when it is whole
    database.execute("ATTACH '' AS loaded")  # a temporary file, gone at the end
    rows = {one.name: _load(database, one) for one in tables}
    keyed = {one.name for one in tables if not one.is_record_set and _is_key(database, one.name)}
    if site is not None:
        rows = {**_fill_site(database, tables, site), **rows}
    for one in tables:
        _make(database, one, keyed, has_pages=site is not None)
    database.commit()
    database.execute("DETACH loaded")
    return rows


def _fill_site(
    database: sqlite3.Connection, tables: Sequence[_SqlTable], site: SiteContents
) -> dict[str, int]:
    """Make the tables of classes, pages and links."""
    database.executescript(_SITE_TABLES)
    names = {name for name, _ in site.classes}
    rejected = ((one["url"], one["class"], one["reason"]) for one in site.rejected)
    for url, name, reason in rejected:
        database.execute(
            f"INSERT OR IGNORE INTO {PAGES} VALUES (?, ?, NULL, 0, ?)",  # noqa: S608 - ours
            (_cell(url), name if name in names else None, _cell(reason)),
        )
    for one in tables:
        if not one.is_record_set:
            database.execute(
                f"INSERT OR REPLACE INTO {PAGES} SELECT {URL}, ?, NULL, count(*), NULL "  # noqa: S608 - quoted
                f"FROM loaded.{quoted_name(one.name)} GROUP BY {URL}",
                (one.source.page_class if one.source.page_class in names else None,),
            )
    database.execute("CREATE TABLE loaded._links_ (source TEXT, target TEXT)")
    for page in site.pages:
        database.execute(
            f"INSERT INTO {PAGES} VALUES (?, NULL, ?, 0, NULL) "  # noqa: S608 - ours
            "ON CONFLICT (url) DO UPDATE SET title = excluded.title",
            (page.url, _cell(page.title)),
        )
        rows = ((page.url, target) for target in page.links)
        database.executemany("INSERT INTO loaded._links_ VALUES (?, ?)", rows)
    database.execute(
        f"INSERT OR IGNORE INTO {LINKS} SELECT source, target FROM loaded._links_ "  # noqa: S608 - ours
        f"WHERE target IN (SELECT url FROM {PAGES})"
    )
    database.executemany(
        f"INSERT INTO {CLASSES} SELECT ?, ?, count(*), coalesce(sum(records), 0), "  # noqa: S608 - ours
        f"count(rejected) FROM {PAGES} WHERE class = ?",
        ((name, pattern, name) for name, pattern in site.classes),
    )
    database.execute(f"CREATE INDEX pages_class ON {PAGES} (class)")
    database.execute(f"CREATE INDEX links_target ON {LINKS} (target)")
    counts = {}
    for name in (CLASSES, PAGES, LINKS):
        query = f"SELECT count(*) FROM {name}"  # noqa: S608 - ours
        counts[name] = int(database.execute(query).fetchone()[0])
    return counts


def _load(database: sqlite3.Connection, table: _SqlTable) -> int:
    columns = list(table.columns())
    declared = ", ".join(f"{quoted_name(name)} {kind}" for name, kind in columns)
    database.execute(f"CREATE TABLE loaded.{quoted_name(table.name)} ({declared})")
    marks = ", ".join("?" * len(columns))
    insert = f"INSERT INTO loaded.{quoted_name(table.name)} VALUES ({marks})"  # noqa: S608 - quoted
    return database.executemany(insert, table.rows()).rowcount


def _is_key(database: sqlite3.Connection, table: str) -> bool:
    """Whether each page has one record."""
    query = f"SELECT count(*) = count(DISTINCT {URL}) FROM loaded.{quoted_name(table)}"  # noqa: S608 - quoted
    return bool(database.execute(query).fetchone()[0])


def _holds(database: sqlite3.Connection, table: str, reference: _Reference) -> bool:
    """Whether every value of a column is a URL of the other table."""
    column = quoted_name(reference.column)
    query = (
        f"SELECT EXISTS (SELECT 1 FROM loaded.{quoted_name(table)} WHERE {column} IS NOT NULL "  # noqa: S608 - quoted
        f"AND {column} NOT IN (SELECT {URL} FROM loaded.{quoted_name(reference.table)}))"
    )
    return not database.execute(query).fetchone()[0]


def _make(
    database: sqlite3.Connection, table: _SqlTable, keyed: set[str], *, has_pages: bool
) -> None:
    parts = [f"{quoted_name(name)} {kind}" for name, kind in table.columns()]
    if table.name in keyed:
        parts.append(f"PRIMARY KEY ({URL})")
    for one in table.references:
        if one.table in keyed and _holds(database, table.name, one):
            own, other = quoted_name(one.column), quoted_name(one.table)
            parts.append(f"FOREIGN KEY ({own}) REFERENCES {other} ({URL})")
            if table.is_record_set and one.column == URL:
                parts.append(f"PRIMARY KEY ({URL}, {ROW})")
    if has_pages and not table.is_record_set:
        parts.append(f"FOREIGN KEY ({URL}) REFERENCES {PAGES} (url)")
    # The primary key comes before the foreign ones, as people write it.
    parts.sort(key=lambda part: (part.startswith("FOREIGN"), part.startswith("PRIMARY")))
    name = quoted_name(table.name)
    database.execute(f"CREATE TABLE main.{name} ({', '.join(parts)})")
    database.execute(f"INSERT INTO main.{name} SELECT * FROM loaded.{name}")  # noqa: S608 - quoted


def _planned(
    tables: Mapping[str, Table], wrappers: Mapping[str, Wrapper], taken: Iterable[str] = ()
) -> list[_SqlTable]:
    names = _names(tables, taken)
    return [
        _SqlTable(names[name], table, tuple(_references(name, table, wrappers, names)))
        for name, table in tables.items()
    ]


def _references(
    name: str,
    table: Table,
    wrappers: Mapping[str, Wrapper],
    names: Mapping[str, str],
) -> Iterator[_Reference]:
    page_class = table.page_class
    if ROW in table.columns and page_class in names:
        yield _Reference(URL, names[page_class])
    single = {column.name for column in table.schema.columns if not column.many}
    for field in _fields(wrappers.get(page_class), "" if name == page_class else table.name):
        target = names.get(field.references or "")
        if target is not None and field.name in single:
            yield _Reference(field.name, target)


def _fields(wrapper: Wrapper | None, record_set: str) -> Iterator[Field]:
    """The fields of a class's own table, or of one of its record sets."""
    if wrapper is None:
        return
    if not record_set:
        yield from wrapper.fields
    for records in wrapper.record_sets:
        if records.name == (record_set or wrapper.rows):
            yield from records.fields


def _names(tables: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    """A name without quotes for each table; no two differ in case only."""
    taken: set[str] = set(others)
    names: dict[str, str] = {}
    for table in tables:
        plain = _NOT_IN_NAMES.sub("_", table).strip("_") or "records"
        free = (plain if number == 1 else f"{plain}_{number}" for number in count(1))
        names[table] = next(name for name in free if name.casefold() not in taken)
        taken.add(names[table].casefold())
    return names


def _cell(value: object) -> object:
    if isinstance(value, list | dict):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "replace").decode()  # halves of characters are no text
    if isinstance(value, int) and not -_LARGEST <= value <= _LARGEST:
        return str(value)
    return value
