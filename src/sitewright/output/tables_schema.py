"""The columns of a class's tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from sitewright.wrapper.types import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

URL = "_url"
ROW = "_row"
TABLE = "table"
"""The name of the files that hold a class's records, without their endings."""
_LONGEST_STEM = 60
_NOT_IN_FILES = re.compile(r"[^\w-]+")


@dataclass(frozen=True, slots=True)
class Column:
    """A column; with `many`, each of its values is a list."""

    name: str
    kind: Kind
    many: bool = False

    def __post_init__(self) -> None:
        _check_name(self.name)


@dataclass(frozen=True, slots=True)
class RecordSetColumns:
    """The columns of records that stand inside others."""

    name: str
    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        _check_name(self.name)
        if not self.columns:
            raise ValueError(f"a record set without columns: {self.name!r}")
        _check_distinct([URL, ROW, *(column.name for column in self.columns)])


@dataclass(frozen=True, slots=True)
class Schema:
    """What one table holds, in this order: the page's address, columns, record sets."""

    columns: tuple[Column, ...]
    record_sets: tuple[RecordSetColumns, ...] = ()

    def __post_init__(self) -> None:
        _check_distinct(self.names())

    def names(self) -> list[str]:
        """The keys of its records, in order."""
        return [column.name for column in self.columns] + [one.name for one in self.record_sets]

    def places(self) -> Iterator[tuple[str, Column]]:
        """Every column with the name of its record set; those of the record itself have none."""
        yield from (("", column) for column in self.columns)
        for records in self.record_sets:
            yield from ((records.name, column) for column in records.columns)


def record_schema(columns: tuple[Column, ...], sets: tuple[RecordSetColumns, ...]) -> Schema:
    """The schema of a class's own table."""
    return Schema((Column(URL, Kind.URL), *columns), sets)


def flat_schema(records: RecordSetColumns) -> Schema:
    """The schema of the table that holds a record set alone, each record with its page."""
    return Schema((Column(URL, Kind.URL), Column(ROW, Kind.INTEGER), *records.columns))


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
