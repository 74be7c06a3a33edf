"""Parquet from JSON lines, by DuckDB, which comes with the extra `tables`.

No name and no path is ever part of a statement's text: they are bound as parameters, and inside
the type of nested records names are quoted. The database lives in memory, may touch only the
folders that it is given, and neither installs nor loads extensions.
"""

from __future__ import annotations

import glob
import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Self

import msgspec

from sitewright.errors import MissingExtra, UnreadableInput
from sitewright.wrapper.values.types import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from sitewright.export.tables import TableColumn, TableSchema


_TYPES = {ValueKind.INTEGER: "BIGINT", ValueKind.DECIMAL: "DOUBLE"}
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?")
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,  # two would cut the row groups differently from run to run
    "preserve_insertion_order": True,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "temp_directory": "",  # a row group fits in memory
}
_SMALLEST_BUFFER = 1 << 24
_GROUP_BYTES = 1 << 24
_FEWEST_IN_GROUP, _MOST_IN_GROUP = 2_048, 122_880
_COPY = """
    COPY (SELECT * FROM read_json($lines, format = 'newline_delimited', columns = $columns,
                                  hive_partitioning = false, maximum_object_size = $longest))
    TO $target (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {group}, USE_TMP_FILE false)
"""


_read_line = msgspec.json.Decoder().decode


def missing_parquet() -> MissingExtra | None:
    """What to tell the user if Parquet cannot be written; None if it can."""
    return None if find_spec("duckdb") else MissingExtra("tables", "Parquet")


class ParquetWriter:
    """Writes Parquet files into some folders, typed: the same bytes for the same records.

    One database writes all of them, since it takes longer to start than to write a small table.
    """

    def __init__(self) -> None:
        self._folders: list[str] = []
        self._database: DuckDBPyConnection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def allow(self, folder: Path) -> None:
        """Let files of one more folder be read and written."""
        self._close()
        self._folders.append(str(folder))

    def write(self, lines: Path, target: Path, schema: TableSchema) -> None:
        """Write the records of a file of JSON lines; both files are in a folder that is allowed."""
        import duckdb  # noqa: PLC0415 - an extra, and 60 MB

        longest, group = _sizes(lines)
        columns = column_types(schema, date_types(lines, schema))
        source = glob.escape(str(lines))  # read_json takes patterns
        values = {"lines": source, "columns": columns, "longest": longest, "target": str(target)}
        try:
            if self._database is None:
                self._database = confined_database([], self._folders)
            self._database.execute(_COPY.format(group=group), values)
        except (duckdb.IOException, UnicodeError) as error:
            reason = str(error).partition("\n")[0]
            raise UnreadableInput(str(target.name), f"cannot be written: {reason}") from None

    def _close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None


def confined_database(
    paths: list[str], folders: Sequence[str] = (), spill: str = ""
) -> DuckDBPyConnection:
    """A database in memory that can reach these files and folders, and nothing else.

    What memory cannot hold goes to files in the folder `spill`; without one that is an error.
    """
    import duckdb  # noqa: PLC0415 - an extra, and 60 MB

    database = duckdb.connect(":memory:", config={**_SETTINGS, "temp_directory": spill})
    database.execute("SET allowed_paths = ?", [paths])
    # A folder is written as a pattern, too, where it is read from.
    escaped = [form for folder in folders for form in {folder, glob.escape(folder)}]
    database.execute("SET allowed_directories = ?", [escaped])
    database.execute("SET enable_external_access = false")
    return database


def column_types(schema: TableSchema, dates: dict[tuple[str, str], str]) -> dict[str, str]:
    """The SQL type of each column; record sets are lists of structures."""
    types = {column.name: _type(column, dates.get(("", column.name))) for column in schema.columns}
    for records in schema.record_sets:
        inner = ", ".join(
            f"{quoted_name(column.name)} {_type(column, dates.get((records.name, column.name)))}"
            for column in records.columns
        )
        types[records.name] = f"STRUCT({inner})[]"
    return types


def _type(column: TableColumn, of_dates: str | None) -> str:
    plain = of_dates or _TYPES.get(column.kind, "VARCHAR")
    return plain + "[]" if column.many else plain


def quoted_name(name: str) -> str:
    """A name as SQL has it: in double quotes, those in it doubled."""
    return '"' + name.replace('"', '""') + '"'


def _sizes(lines: Path) -> tuple[int, int]:
    """Room for the longest record, and how many records make a group of a fair size."""
    longest = total = number = 0
    with lines.open("rb") as file:
        for line in file:
            longest, total, number = max(longest, len(line)), total + len(line), number + 1
    fitting = _GROUP_BYTES * number // max(total, 1)
    group = min(max(fitting, _FEWEST_IN_GROUP), _MOST_IN_GROUP)
    return max(longest + 1024, _SMALLEST_BUFFER), group


def date_types(lines: Path, schema: TableSchema) -> dict[tuple[str, str], str]:
    """The SQL type of each column of dates, by record set and name: what all its values allow."""
    dates = [(where, column) for where, column in schema.places() if column.kind is ValueKind.DATE]
    seen: dict[tuple[str, str], set[str]] = {(where, column.name): set() for where, column in dates}
    if not dates:
        return {}
    with lines.open("rb") as file:
        for record in map(_read_line, file):
            for where, column in dates:
                seen[where, column.name].update(map(_date_type, _values(record, where, column)))
    return {place: types.pop() for place, types in seen.items() if len(types) == 1}


def _values(record: dict[str, Any], where: str, column: TableColumn) -> Iterator[Any]:
    rows: Iterable[dict[str, Any]] = (record[where] or []) if where else [record]
    for row in rows:
        value = row[column.name]
        values = (value or []) if column.many else [value]
        yield from (value for value in values if value is not None)


def _date_type(text: str) -> str:
    if _DAY.fullmatch(text):
        return "DATE"
    return "TIMESTAMP" if _MOMENT.fullmatch(text) else "VARCHAR"
