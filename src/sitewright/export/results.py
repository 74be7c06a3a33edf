"""What a folder of results holds, read back: the model, its classes, and their tables.

A table is a sequence of records, a DataFrame, an Arrow table, or asked in SQL.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from types import NoneType
from typing import TYPE_CHECKING, Any

import msgspec

from sitewright import formats
from sitewright.errors import (
    InputNotFound,
    InvalidInput,
    MissingExtra,
    SitewrightError,
    UnknownName,
    UnreadableInput,
)
from sitewright.export.class_tables import REJECTED_FILE, table_columns
from sitewright.export.folder import (
    MODEL,
    read_model,
    read_skeleton,
    read_template,
    read_wrappers,
)
from sitewright.export.parquet import column_types, confined_database, date_types, missing_parquet
from sitewright.export.tables import (
    LISTING,
    TABLE,
    URL,
    TableListing,
    TableSchema,
    file_stems,
    flat_schema,
    record_decoder,
    record_schema,
)
from sitewright.methods import site_classifier
from sitewright.notebook import MAX_ROWS, html_table
from sitewright.page import Document
from sitewright.settings import Settings, using
from sitewright.site.open import read_source
from sitewright.wrapper import Extractor, Misfit, Record, lines
from sitewright.wrapper.provenance import value_places
from sitewright.wrapper.values.types import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import pandas as pd
    import pyarrow as pa
    from duckdb import DuckDBPyRelation

    from sitewright.classes import Classification, Classifier, ClassLink, PageClass, SiteModel
    from sitewright.export.tables import TableColumn
    from sitewright.site.account import CrawlAccount
    from sitewright.skeleton import SkeletonNode
    from sitewright.template import Template
    from sitewright.wrapper import Wrapper


_NOT_IN_SQL_NAMES = re.compile(r"\W+")


_SAMPLES = 3
_as_json = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """What a column of a table holds."""

    name: str
    type: str
    """integer, decimal, date, url, image, text, records; a list of them: `text[]`."""
    filled: float
    """The share of the records that have a value."""
    samples: tuple[Any, ...]
    """Some of its values, all different."""
    distinct: int = 0
    """How many different values it has."""


@dataclass(frozen=True)
class Table:
    """The records of a page class, or of one of its record sets.

    ::

        table = project["player"].table
        for record in table: ...
        table.to_pandas()
        table.sql("select club, count(*) from player group by all")
    """

    name: str
    path: Path
    """The file of JSON lines; CSV and Parquet lie beside it."""
    schema: TableSchema
    related: Mapping[str, Table] = field(default_factory=dict, repr=False)
    """Other tables that SQL can name: the record sets of a class, or the class of a record set."""
    page_class: str = ""
    """The class whose pages it was read from."""

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in order."""
        return self.schema.names()

    def records(self) -> Iterator[dict[str, Any]]:
        """Each record as a dictionary, in the order of the pages."""
        try:
            yield from formats.json_lines(self.path, decode=record_decoder(self.schema))
        except FileNotFoundError:
            if not self._has_nothing_to_extract():
                why = "no records were extracted yet: project.extract(), or: sitewright extract"
                raise InputNotFound(str(self.path), why) from None

    def _has_nothing_to_extract(self) -> bool:
        """Whether other classes have tables, and this one no field: its pages are redirects."""
        has_fields = self.columns != [URL]
        return not has_fields and any(self.path.parent.parent.glob(f"*/{self.path.name}"))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.records()

    @property
    def is_there(self) -> bool:
        """Whether records were extracted."""
        return self.path.is_file()

    @cached_property
    def _length(self) -> int:
        if not self.path.is_file():
            return 0
        with self.path.open("rb") as lines:
            return sum(1 for _ in lines)

    def __len__(self) -> int:
        return self._length

    def describe(self) -> list[ColumnSummary]:
        """What each column holds: its type, how many records have it, and samples."""
        filled = dict.fromkeys(self.columns, 0)
        samples: dict[str, list[Any]] = {name: [] for name in self.columns}
        seen: dict[str, set[int]] = {name: set() for name in self.columns}
        for record in self.records() if self.path.is_file() else ():
            for name in self.columns:
                if (value := record.get(name)) not in (None, []):
                    filled[name] += 1
                    seen[name].add(hash(value if isinstance(value, str) else _as_json(value)))
                    if len(samples[name]) < _SAMPLES and value not in samples[name]:
                        samples[name].append(value)
        types = {one.name: f"{one.kind}{'[]' * one.many}" for one in self.schema.columns}
        return [
            ColumnSummary(
                name,
                types.get(name, "records"),
                round(filled[name] / max(len(self), 1), 4),
                tuple(samples[name]),
                len(seen[name]),
            )
            for name in self.columns
        ]

    def to_pandas(self) -> pd.DataFrame:
        """The table as a DataFrame with a type for each column; lists stay Python lists."""
        try:
            import pandas as pd  # noqa: PLC0415 - an extra
        except ImportError:
            raise MissingExtra("pandas", "to_pandas()") from None
        frame = pd.DataFrame.from_records(list(self.records()), columns=self.columns)
        for column in self.schema.columns:
            if not column.many:
                frame[column.name] = _typed(frame[column.name], column.kind)
        return frame

    def to_arrow(self) -> pa.Table:
        """The table as an Arrow table."""
        try:
            import pyarrow as pa  # noqa: PLC0415 - an extra
            import pyarrow.parquet as pq  # noqa: PLC0415 - an extra
        except ImportError:
            raise MissingExtra("pandas", "to_arrow()") from None
        parquet = self.path.with_suffix(".parquet")
        if parquet.is_file():
            return pq.read_table(parquet)
        return pa.Table.from_pylist(list(self.records()))

    def sql(self, query: str) -> DuckDBPyRelation:
        """Ask a question in SQL; the tables are named as in `tables`, and as the class is.

        The database is in memory and can reach no file but those of the class.
        """
        return query_tables({self.name: self, **self.related}, query)

    def __repr__(self) -> str:
        return f"<Table {self.name}: {len(self):,} records, {len(self.columns)} columns>"

    def _repr_html_(self) -> str:
        rows = ([record.get(name) for name in self.columns] for record in self._first_records())
        caption = f"{self.name}: {len(self):,} records"
        return html_table(caption, self.columns, rows, len(self))

    def _first_records(self) -> Iterator[dict[str, Any]]:
        if self.path.is_file():
            for _, record in zip(range(MAX_ROWS), self.records(), strict=False):
                yield record


def _typed(values: pd.Series[Any], kind: ValueKind) -> pd.Series[Any]:
    """A column in the type of its values; what does not fit stays as it is."""
    import pandas as pd  # noqa: PLC0415 - an extra

    try:
        match kind:
            case ValueKind.INTEGER:
                return values.astype("Int64")
            case ValueKind.DECIMAL:
                return values.astype("float64")
            case ValueKind.DATE:
                return pd.to_datetime(values, format="ISO8601")
    except (ValueError, TypeError, OverflowError):
        pass
    return values


def query_tables(tables: Mapping[str, Table], query: str) -> DuckDBPyRelation:
    """Ask some tables in SQL, each under its name, and under one that needs no quotes.

    The database is in memory and can reach no file but theirs.
    """
    if missing_parquet() is not None:
        raise MissingExtra("tables", "sql()")
    named: dict[str, Table] = {}
    taken: set[str] = set()
    # A name as it is comes before one that was made from another.
    aliases = [(_NOT_IN_SQL_NAMES.sub("_", name), one) for name, one in tables.items()]
    for name, one in [*tables.items(), *aliases]:
        if name.casefold() not in taken:  # names that differ in case are one to SQL
            taken.add(name.casefold())
            named[name] = one
    # To load a table takes as long as to read it: only those that are spoken of.
    wanted = {name: one for name, one in named.items() if name.casefold() in query.casefold()}
    wanted = wanted or named
    database = confined_database(sorted({str(one.path) for one in wanted.values()}))
    for name, one in wanted.items():
        _load(database, name, one)
    return database.sql(query)


def _load(database: Any, name: str, table: Table) -> None:  # noqa: ANN401 - a DuckDB connection
    if not table.path.is_file():
        return
    quoted = '"' + name.replace('"', '""') + '"'
    columns = column_types(table.schema, date_types(table.path, table.schema))
    longest = table.path.stat().st_size + 1024
    try:
        database.execute(
            f"CREATE TABLE {quoted} AS SELECT * FROM read_json($lines, "  # noqa: S608 - quoted
            "format = 'newline_delimited', columns = $columns, hive_partitioning = false, "
            "maximum_object_size = $longest)",
            {"lines": str(table.path), "columns": columns, "longest": longest},
        )
    except Exception as error:  # whatever DuckDB has to say of a file that was damaged
        why = str(error).partition("\n")[0]
        raise UnreadableInput(str(table.path), f"a damaged table: {why}") from None


class ProjectClass:
    """A page class of a project: what is known of it, and its table."""

    def __init__(
        self,
        folder: Path,
        described: PageClass,
        wrapper: Wrapper | None,
        counted: int | None,
        known: int = 0,
    ) -> None:
        self._folder = folder
        self.wrapper = wrapper
        """The fields and record sets; None for a class that has none."""
        self.name: str = described.name
        self.url_template: str = described.url_template
        """What the URLs of its pages look like: `/players/{name}.html`."""
        self.size: int = max(described.size, known) if counted is None else counted
        """How many pages it has: counted where all pages were read, else those that links lead to,
        or an estimate."""
        self.size_at_most: int = max(self.size, described.size_at_most if counted is None else 0)
        """The same where it is counted; else how many it likely has at most."""
        self.is_counted: bool = counted is not None
        """Whether the size is counted."""
        self.samples: tuple[str, ...] = described.samples
        """URLs of some of its pages."""

    @property
    def template(self) -> Template | None:
        """What its pages share; None for a class of one page."""
        return read_template(self._folder.parent.parent, self.name)

    @cached_property
    def table(self) -> Table:
        """One record a page, or one for each row of a list."""
        return self._tables[TABLE]

    @cached_property
    def record_sets(self) -> dict[str, Table]:
        """The repeated parts of its pages, each as a table with the page's `_url`."""
        return {one.name: one for stem, one in self._tables.items() if stem != TABLE}

    def records(self) -> Iterator[dict[str, Any]]:
        """Each record as a dictionary."""
        return self.table.records()

    def to_pandas(self) -> pd.DataFrame:
        """The table as a DataFrame."""
        return self.table.to_pandas()

    def to_arrow(self) -> pa.Table:
        """The table as an Arrow table."""
        return self.table.to_arrow()

    def sql(self, query: str) -> DuckDBPyRelation:
        """Ask the table and its record sets in SQL, each under its name."""
        return self.table.sql(query)

    def extract(self, html: bytes | str, url: str = "") -> dict[str, Any] | Misfit:
        """The record of one page, or why it has none."""
        if self.wrapper is None:
            return Misfit(url, "the class has no wrapper")
        found = Extractor(self.wrapper).extract(as_document(html, url))
        if not isinstance(found, Record):
            return found
        rows = list(lines(self.wrapper, found))
        return rows[0] if len(rows) == 1 else {"_url": found.url, **found.values}

    def provenance(self, html: bytes | str, url: str = "") -> list[dict[str, Any]]:
        """Where each value of one page stands: the selector that found it, and the element."""
        if self.wrapper is None:
            return []
        places = value_places(self.wrapper, as_document(html, url))
        return [one.as_json(url) for one in places]

    def __repr__(self) -> str:
        return (
            f"<{self.name}: {self.url_template}, {'' if self.is_counted else 'about '}"
            f"{self.size:,} pages, "
            f"{len(self.table):,} records>"
        )

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    @cached_property
    def _tables(self) -> dict[str, Table]:
        """All tables, by the stem of their files."""
        columns, sets = table_columns(self.wrapper) if self.wrapper else ([], [])
        related: dict[str, Table] = {}
        stems = dict(zip(file_stems(tuple(sets)), sets, strict=True))
        names = {TABLE: self.name, **{stem: one.name for stem, one in stems.items()}}
        schemas = {TABLE: record_schema(tuple(columns), tuple(sets))}
        schemas |= {stem: flat_schema(one) for stem, one in stems.items()}
        for stem, listed in self._listed_columns():
            if stem in schemas:
                schemas[stem] = replace(schemas[stem], columns=listed)
        tables = {
            stem: Table(names[stem], self._folder / f"{stem}.jsonl", schema, related, self.name)
            for stem, schema in schemas.items()
        }
        related.update({table.name: table for table in tables.values()})
        return tables

    def _listed_columns(self) -> Iterator[tuple[str, tuple[TableColumn, ...]]]:
        """The columns of each table as it was written: some depend on more than the wrapper."""
        with suppress(SitewrightError):
            for table in formats.read(self._folder / LISTING, TableListing).tables:
                yield table.name, table.columns


class ProjectResults:
    """What is known of a site, read from the folder of results when it is asked for."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        """The folder of the results."""
        self.given_settings = settings
        """What the caller set; a later step of the project knows what an earlier one recorded."""

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
    def counted_sizes(self) -> dict[str, int]:
        """How many pages each class has, if every page that is known of was read."""
        crawl = self._last_crawl
        return {one.name: one.read for one in crawl.classes} if crawl and crawl.is_complete else {}

    @property
    def known_sizes(self) -> dict[str, int]:
        """How many pages of each class links led to when the crawl ended."""
        return {one.name: one.known for one in self._last_crawl.classes} if self._last_crawl else {}

    @property
    def _last_crawl(self) -> CrawlAccount | None:
        try:
            return read_source(self.path).crawl
        except InvalidInput:
            return None

    @cached_property
    def classes(self) -> tuple[ProjectClass, ...]:
        """The page classes, the largest first."""
        return tuple(
            ProjectClass(
                self.path / "classes" / one.name,
                one,
                self.wrappers.get(one.name),
                self.counted_sizes.get(one.name),
                self.known_sizes.get(one.name, 0),
            )
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
        expected = {"url": (str,), "class": (str, NoneType), "reason": (str,)}
        lines = formats.json_lines(path, expected)
        return [{"url": "", "class": None, "reason": "", **line} for line in lines]

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

    @cached_property
    def _classifier(self) -> Classifier:
        with using(self.settings):
            return site_classifier(self.model)

    def _has_model(self) -> bool:
        return (self.path / MODEL).is_file()

    def _forget(self) -> None:
        """What was read from files is read again, now that they have changed."""
        for name in ("model", "wrappers", "classes", "tables", "counted_sizes", "_classifier"):
            self.__dict__.pop(name, None)


@dataclass(frozen=True, slots=True)
class ClassGraph:
    """The page classes of a site and the links between them."""

    nodes: tuple[str, ...]
    edges: tuple[ClassLink, ...]

    def _repr_html_(self) -> str:
        rows = [(one.source, one.target, one.path, one.links) for one in self.edges]
        caption = f"{len(self.nodes)} classes, {len(self.edges)} class links"
        return html_table(caption, ("from", "to", "path", "links"), rows, len(rows))


def as_document(html: bytes | str, url: str) -> Document:
    """A page that was given as bytes, or as text, whose encoding nobody need guess."""
    if isinstance(html, bytes):
        return Document(html, url)
    return Document(html.encode("utf-8", "replace"), url, encoding="utf-8")
