"""A table that was written, read back: as records, as a DataFrame, as Arrow, or with SQL."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sitewright import formats
from sitewright.errors import InputNotFound, MissingExtra
from sitewright.export.class_tables import table_columns
from sitewright.export.parquet import column_types, confined_database, date_types, missing_parquet
from sitewright.export.tables import TABLE, TableSchema, file_stems, flat_schema, record_schema
from sitewright.notebook import MAX_ROWS, html_table
from sitewright.page import Document
from sitewright.template import Template
from sitewright.wrapper import Extractor, Misfit, Record, lines
from sitewright.wrapper.types import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import pandas as pd
    import pyarrow as pa
    from duckdb import DuckDBPyRelation

    from sitewright.classes import PageClass
    from sitewright.wrapper import Wrapper


_NOT_IN_SQL_NAMES = re.compile(r"\W+")


_SAMPLES = 3


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
            with self.path.open(encoding="utf-8") as lines:
                yield from map(json.loads, lines)
        except FileNotFoundError:
            why = "no records were extracted yet: project.extract(), or: sitewright extract"
            raise InputNotFound(str(self.path), why) from None

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.records()

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
        for record in self.records() if self.path.is_file() else ():
            for name in self.columns:
                if (value := record.get(name)) not in (None, []):
                    filled[name] += 1
                    if len(samples[name]) < _SAMPLES and value not in samples[name]:
                        samples[name].append(value)
        types = {one.name: f"{one.kind}{'[]' * one.many}" for one in self.schema.columns}
        return [
            ColumnSummary(
                name,
                types.get(name, "records"),
                round(filled[name] / max(len(self), 1), 4),
                tuple(samples[name]),
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
    database.execute(
        f"CREATE TABLE {quoted} AS SELECT * FROM read_json($lines, "  # noqa: S608 - quoted
        "format = 'newline_delimited', columns = $columns, hive_partitioning = false, "
        "maximum_object_size = $longest)",
        {"lines": str(table.path), "columns": columns, "longest": table.path.stat().st_size + 1024},
    )


class ProjectClass:
    """A page class of a project: what is known of it, and its table."""

    def __init__(self, folder: Path, described: PageClass, wrapper: Wrapper | None) -> None:
        self._folder = folder
        self.wrapper = wrapper
        """The fields and record sets; None for a class that has none."""
        self.name: str = described.name
        self.url_template: str = described.url_template
        """What the URLs of its pages look like: `/players/{name}.html`."""
        self.size: int = described.size
        """About how many pages it has."""
        self.samples: tuple[str, ...] = described.samples
        """URLs of some of its pages."""

    @property
    def template(self) -> Template | None:
        """What its pages share; None for a class of one page."""
        path = self._folder / "template.json"
        if not path.is_file():
            return None
        return formats.read(path, Template)

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

    def __repr__(self) -> str:
        return (
            f"<{self.name}: {self.url_template}, about {self.size:,} pages, "
            f"{len(self.table):,} records>"
        )

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    @cached_property
    def _tables(self) -> dict[str, Table]:
        """All tables, by the stem of their files."""
        columns, sets = table_columns(self.wrapper) if self.wrapper else ([], [])
        related: dict[str, Table] = {}
        main = Table(
            self.name,
            self._folder / f"{TABLE}.jsonl",
            record_schema(tuple(columns), tuple(sets)),
            related,
            self.name,
        )
        tables = {TABLE: main}
        for stem, one in zip(file_stems(tuple(sets)), sets, strict=True):
            schema = flat_schema(one)
            path = self._folder / f"{stem}.jsonl"
            tables[stem] = Table(one.name, path, schema, related, self.name)
        related.update({table.name: table for table in tables.values()})
        return tables


def as_document(html: bytes | str, url: str) -> Document:
    """A page that was given as bytes, or as text, whose encoding nobody need guess."""
    if isinstance(html, bytes):
        return Document(html, url)
    return Document(html.encode("utf-8", "replace"), url, encoding="utf-8")
