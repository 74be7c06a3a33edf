"""The tables of one page class: JSON lines as they come, then CSV and Parquet made from them.

::

    with TableWriter(out / "classes" / "player", columns, record_sets) as table:
        for record in records:
            table.write(record)

`table.jsonl` has one record a line, record sets as lists of objects. Each record set is written
flat too, as SET.jsonl and so on, with the page's `_url` and the place of the record in the page,
`_row`, counted from 1. Parquet needs the extra `tables`; the rest does not.

Records of a list over many pages have the URL of its first page, `_list`, and the number of their
own, `_page`. `_on_pages` says how many of these pages show the row: one shows a row of the list,
many show what stands above or below it on every page.
"""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Protocol, Required, Self, TypedDict

import msgspec

from sitewright import formats
from sitewright.errors import UnreadableInput
from sitewright.export.parquet import ParquetWriter, missing_parquet
from sitewright.formats import json_line, output_folder
from sitewright.wrapper.values.types import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path


# The columns of a class's tables.

URL = "_url"
ROW = "_row"
FETCHED = "_fetched"
KEY = "_key"
CONFIDENCE = "_confidence"
LIST = "_list"
PAGE = "_page"
ON_PAGES = "_on_pages"
TABLE = "table"
"""The name of the files that hold a class's records, without their endings."""
_LONGEST_STEM = 60
_NOT_IN_FILES = re.compile(r"[^\w-]+")


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column; with `many`, each of its values is a list."""

    name: str
    kind: ValueKind
    many: bool = False

    def __post_init__(self) -> None:
        _check_name(self.name)


@dataclass(frozen=True, slots=True)
class RecordSetColumns:
    """The columns of records that stand inside others."""

    name: str
    columns: tuple[TableColumn, ...]

    def __post_init__(self) -> None:
        _check_name(self.name)
        if not self.columns:
            raise ValueError(f"a record set without columns: {self.name!r}")
        _check_distinct([URL, ROW, *(column.name for column in self.columns)])


@dataclass(frozen=True, slots=True)
class TableSchema:
    """What one table holds, in this order: the page's URL, columns, record sets."""

    columns: tuple[TableColumn, ...]
    record_sets: tuple[RecordSetColumns, ...] = ()

    def __post_init__(self) -> None:
        _check_distinct(self.names())

    def names(self) -> list[str]:
        """The keys of its records, in order."""
        return [column.name for column in self.columns] + [one.name for one in self.record_sets]

    def places(self) -> Iterator[tuple[str, TableColumn]]:
        """Every column with the name of its record set; those of the record itself have none."""
        yield from (("", column) for column in self.columns)
        for records in self.record_sets:
            yield from ((records.name, column) for column in records.columns)


def record_schema(
    columns: tuple[TableColumn, ...], sets: tuple[RecordSetColumns, ...]
) -> TableSchema:
    """The schema of a class's own table."""
    return TableSchema((TableColumn(URL, ValueKind.URL), *columns), sets)


def flat_schema(records: RecordSetColumns, late: Sequence[TableColumn] = ()) -> TableSchema:
    """The schema of the table that holds a record set alone, each record with its page."""
    place = (TableColumn(URL, ValueKind.URL), TableColumn(ROW, ValueKind.INTEGER))
    return TableSchema((*place, *records.columns, *late))


class LateColumns(Protocol):
    """Columns whose values are known only when all records were written."""

    @property
    def columns(self) -> Sequence[TableColumn]:
        """Those of the class's table."""
        ...

    @property
    def row_columns(self) -> Sequence[TableColumn]:
        """Those of the tables that hold a record set alone."""
        ...

    def values(self, record: dict[str, Any]) -> dict[str, Any]:
        """Those of a record."""
        ...

    def row_values(
        self, record: dict[str, Any], record_set: str, row: dict[str, Any]
    ) -> dict[str, Any]:
        """Those of a row in one of the record's sets."""
        ...


def file_stems(sets: tuple[RecordSetColumns, ...]) -> list[str]:
    """For each record set the name of its files: what its name has of letters and digits."""
    taken = {TABLE}
    stems = []
    for records in sets:
        plain = _NOT_IN_FILES.sub("_", records.name)[:_LONGEST_STEM].strip("_") or "records"
        names = (plain if number == 1 else f"{plain}-{number}" for number in count(1))
        stem = next(name for name in names if name.casefold() not in taken)
        taken.add(stem.casefold())
        stems.append(stem)
    return stems


_HUGE = sys.float_info.max
_VALUES: dict[ValueKind, Any] = {
    ValueKind.INTEGER: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)],
    ValueKind.DECIMAL: Annotated[float, msgspec.Meta(ge=-_HUGE, le=_HUGE)],  # nor NaN
}


def record_decoder(schema: TableSchema) -> Callable[[bytes], dict[str, Any]]:
    """Reads the lines of a table; ValueError for one that is no record of it."""
    sets = {one.name: list[_row_form(one.columns)] | None for one in schema.record_sets}  # type: ignore[misc]
    form = _row_form(schema.columns, {**sets, URL: Required[str]})
    return msgspec.json.Decoder(form).decode


def _row_form(columns: Iterable[TableColumn], others: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401
    forms = {one.name: _value_form(one) for one in columns} | dict(others or {})
    return TypedDict("_Row", forms, total=False)  # type: ignore[operator]


def _value_form(column: TableColumn) -> Any:  # noqa: ANN401
    plain: Any = _VALUES.get(column.kind, str)
    # One of several texts may not be of the column's type: its place in the list stays empty.
    return (list[plain | None] if column.many else plain) | None


def _check_name(name: str) -> None:
    if not name or not name.isprintable():
        raise ValueError(f"no name for a column: {name!r}")


def _check_distinct(names: list[str]) -> None:
    """Names that differ in case only would be one to whoever asks with SQL."""
    seen: set[str] = set()
    for name in names:
        if name.casefold() in seen:
            raise ValueError(f"two columns are named {name!r}")
        seen.add(name.casefold())


# CSV from JSON lines: RFC 4180 with plain line feeds, in UTF-8, lists as JSON. Of records inside
# records, which have a file of their own, the number.

_NEEDS_QUOTES = re.compile('[",\r\n]')
_read_line = msgspec.json.Decoder().decode
_as_json = json.JSONEncoder(ensure_ascii=False).encode


def write_csv(lines: Path, target: Path, schema: TableSchema) -> None:
    """Write the records of a file of JSON lines as CSV, the names of the columns on top.

    A value that is missing is an empty cell, and so is an empty text. A record set is the number of
    its rows: they stand in a file of their own.
    """
    columns = [column.name for column in schema.columns]
    sets = [records.name for records in schema.record_sets]
    with (
        lines.open("rb") as records,
        target.open("w", encoding="utf-8", newline="") as file,
    ):
        file.write(csv_line(schema.names()))
        for line in records:
            record = _read_line(line)
            values = [record[name] for name in columns]
            file.write(csv_line([*values, *(len(record[name] or ()) for name in sets)]))


_FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d\s().,:/%-]*$)")
"""What a spreadsheet would run. A page's text must not: in CSV, and only there, it gets the
apostrophe in front that makes it text. Numbers and telephone numbers are none."""


def csv_line(values: Iterable[Any]) -> str:
    """One line of CSV. The csv module of Python 3.11 leaves a carriage return without quotes."""
    return ",".join(map(_cell, values)) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else _as_json(value)
    if isinstance(value, str) and _FORMULA.match(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text


LISTING = "tables.json"
_ENDINGS = (".parquet", ".csv", ".jsonl")


@dataclass(frozen=True, slots=True)
class ListedTable:
    """One table, in as many files as there are endings."""

    name: str
    """The name of its files, without their endings."""
    record_set: str | None
    """The record set that it holds; None for the records of the class."""
    rows: int
    columns: tuple[TableColumn, ...]
    record_sets: tuple[str, ...]
    """Columns that hold records inside records."""
    files: tuple[str, ...]

    def __post_init__(self) -> None:
        _check_distinct([*(column.name for column in self.columns), *self.record_sets])


@dataclass(frozen=True, slots=True)
class TableListing:
    """What tables.json holds: the tables of a class, for files that have no room for a header."""

    FORMAT: ClassVar[str] = "sitewright-tables"
    tables: tuple[ListedTable, ...]


class TableWriter:
    """Writes a class's tables; they take their names together, when all of them are whole.

    If anything goes wrong inside the block, the tables that were there before stay as they were.
    """

    def __init__(
        self,
        folder: Path,
        columns: Sequence[TableColumn],
        record_sets: Sequence[RecordSetColumns] = (),
        *,
        model: str | None = None,
        parquet: ParquetWriter | None = None,
    ) -> None:
        sets = tuple(record_sets)
        self.folder = folder
        self.records = 0
        self._is_abandoned = False
        """How many were written."""
        self.files: tuple[Path, ...] = ()
        """What is there when the block has ended."""
        self._schema = record_schema(tuple(columns), sets)
        self._model = model
        self._parquet = parquet or ParquetWriter()
        self._sets = dict(zip(file_stems(sets), sets, strict=True))
        self._keys = _keys(self._schema)
        self._late: LateColumns | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        output_folder(self.folder)
        with _write_errors_explained(self.folder):
            formats.remove_abandoned(self.folder)
            self._aside = self._stack.enter_context(formats.folder_aside(self.folder, TABLE))
            self._parquet.allow(self._aside)
            self._file = (self._aside / f"{TABLE}.jsonl").open("w", encoding="utf-8", newline="\n")
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._stack, _write_errors_explained(self.folder):
            self._file.close()
            if kind is None and not self._is_abandoned:
                self._finish()

    def abandon(self) -> None:
        """Leave the files of an earlier run as they are."""
        self._is_abandoned = True

    def write(self, record: dict[str, Any]) -> None:
        """Add a record: what it lacks is null; ValueError if it has what the table has not."""
        line = json_line(_arranged(record, self._keys))
        if "\\ud" in line:
            # No UTF-8 file can hold a lone surrogate: JSON could, but CSV and Parquet cannot.
            line = json_line(_encodable(_arranged(record, self._keys)))
        with _write_errors_explained(self.folder):
            self._file.write(line)
        self.records += 1

    def add_columns(self, late: LateColumns) -> None:
        """Add columns whose values are known only now, when all records were written."""
        self._schema = TableSchema((*self._schema.columns, *late.columns), self._schema.record_sets)
        self._keys = _keys(self._schema)
        self._late = late

    def _write_late_values(self, late: LateColumns) -> None:
        """Write the records again, with the columns that were added."""
        path = self._aside / f"{TABLE}.jsonl"
        before = path.rename(path.with_suffix(".before"))
        with before.open("rb") as lines, path.open("w", encoding="utf-8", newline="\n") as file:
            for record in map(_read_line, lines):
                file.write(json_line(_arranged({**record, **late.values(record)}, self._keys)))
        before.unlink()

    def _finish(self) -> None:
        if self._late is not None:
            self._write_late_values(self._late)
        self._write_flat_lines()
        late = () if self._late is None else self._late.row_columns
        schemas = {stem: flat_schema(records, late) for stem, records in self._sets.items()}
        for stem, schema in {**schemas, TABLE: self._schema}.items():
            lines = self._aside / f"{stem}.jsonl"
            write_csv(lines, lines.with_suffix(".csv"), schema)
            if missing_parquet() is None:
                self._parquet.write(lines, lines.with_suffix(".parquet"), schema)
        columns, sets = self._schema.columns[1:], self._schema.record_sets
        listing = table_listing(self._aside, columns, sets, late)
        formats.write(self._aside / LISTING, listing, model=self._model)
        self.files = tuple(_publish(self._aside, self.folder, [*schemas, TABLE]))

    def _write_flat_lines(self) -> None:
        """Write the records of each record set to a file of their own."""
        with ExitStack() as stack:
            lines = stack.enter_context((self._aside / f"{TABLE}.jsonl").open("rb"))
            paths = [self._aside / f"{stem}.jsonl" for stem in self._sets]
            files = [
                stack.enter_context(path.open("w", encoding="utf-8", newline="\n"))
                for path in paths
            ]
            for record in map(_read_line, lines if files else ()):
                for records, file in zip(self._sets.values(), files, strict=True):
                    for number, row in enumerate(record[records.name] or (), 1):
                        late = (
                            self._late.row_values(record, records.name, row) if self._late else {}
                        )
                        file.write(json_line({URL: record[URL], ROW: number, **row, **late}))


def table_listing(
    folder: Path,
    columns: Sequence[TableColumn],
    record_sets: Sequence[RecordSetColumns],
    late: Sequence[TableColumn] = (),
) -> TableListing:
    """What tables.json says of the tables in a folder."""
    sets = tuple(record_sets)
    stems = dict(zip(file_stems(sets), sets, strict=True))
    schemas = {TABLE: record_schema(tuple(columns), sets)}
    schemas |= {stem: flat_schema(records, late) for stem, records in stems.items()}
    return TableListing(
        tuple(
            ListedTable(
                name=stem,
                record_set=stems[stem].name if stem in stems else None,
                rows=_count_lines(folder / f"{stem}.jsonl"),
                columns=schema.columns,
                record_sets=tuple(records.name for records in schema.record_sets),
                files=tuple(
                    f"{stem}{ending}"
                    for ending in _ENDINGS
                    if (folder / f"{stem}{ending}").exists()
                ),
            )
            for stem, schema in schemas.items()
        )
    )


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file)


def _keys(schema: TableSchema) -> dict[str, tuple[str, ...]]:
    """The keys of a record in order, each with those of the records inside it."""
    inner = {
        records.name: tuple(column.name for column in records.columns)
        for records in schema.record_sets
    }
    return {name: inner.get(name, ()) for name in schema.names()}


def _arranged(record: dict[str, Any], keys: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    """A record with every key of the table, in its order."""
    _check_known(record, keys)
    return {
        name: [_row(row, inner) for row in record.get(name) or ()] if inner else record.get(name)
        for name, inner in keys.items()
    }


def _row(row: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    _check_known(row, keys)
    return {name: row.get(name) for name in keys}


def _check_known(record: dict[str, Any], keys: Iterable[str]) -> None:
    if unknown := record.keys() - set(keys):
        raise ValueError(f"the table has no column for {sorted(unknown)}")


def _encodable(value: Any) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """The same data with U+FFFD for each lone surrogate."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_encodable(one) for one in value]
    if isinstance(value, dict):
        return {name: _encodable(one) for name, one in value.items()}
    return value


def _publish(aside: Path, folder: Path, stems: Sequence[str]) -> Iterator[Path]:
    """Give the tables their names, and take away those of record sets that are no more."""
    made = [f"{stem}{ending}" for stem in stems for ending in _ENDINGS]
    made = [name for name in (*made, LISTING) if (aside / name).exists()]
    for name in made:
        _settle(aside / name)
    for name in made:
        (aside / name).replace(folder / name)
        yield folder / name
    for path in _left_over(folder, stems):
        if path.name not in made:
            path.unlink(missing_ok=True)


def _settle(path: Path) -> None:
    """Wait until a file is on the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _left_over(folder: Path, stems: Sequence[str]) -> Iterator[Path]:
    """The files of our tables, also of those that an earlier run wrote."""
    earlier = [path.stem for path in sorted(folder.glob("*.csv")) if _is_flat_table(path)]
    for stem in dict.fromkeys([*earlier, *stems]):
        for ending in _ENDINGS:
            yield folder / f"{stem}{ending}"


def written_tables(folder: Path) -> list[Path]:
    """The files in a folder that hold tables of ours; the user's own files are not among them."""
    stems = [path.stem for path in sorted(folder.glob("*.csv")) if _is_flat_table(path)]
    if _starts_with(folder / f"{TABLE}.csv", URL) or _starts_with(
        folder / f"{TABLE}.jsonl", f'{{"{URL}"'
    ):
        stems.append(TABLE)
    paths = (folder / f"{stem}{ending}" for stem in stems for ending in _ENDINGS)
    return [path for path in paths if path.is_file()]


def _is_flat_table(path: Path) -> bool:
    """Whether a CSV file is that of a record set: the user's own files stay."""
    return _starts_with(path, f"{URL},{ROW},")


def _starts_with(path: Path, start: str) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(start)) == start.encode()
    except OSError:
        return False


@contextmanager
def _write_errors_explained(folder: Path) -> Iterator[None]:
    """Say in one line what could not be written."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnreadableInput(str(folder), f"cannot be written: {reason}") from None
