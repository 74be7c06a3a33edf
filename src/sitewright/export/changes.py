"""changes.jsonl: which records are new, changed or gone since the tables were written before."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from sitewright.export.tables import URL
from sitewright.formats import complete_or_absent, json_line, json_lines
from sitewright.wrapper.wrapper import RAW

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path


CHANGES = "changes.jsonl"
_URL = "_url"
_LONGEST_KEY = 80
Records = dict[str, list[dict[str, Any]]]
"""The records of the tables of some classes, by the name of the class."""
TableRows: TypeAlias = "Sequence[Mapping[str, Any]]"
Keys: TypeAlias = "Mapping[str, tuple[str, ...]]"
"""For classes the fields that tell their records apart."""


@dataclass(frozen=True, slots=True)
class RecordChange:
    """One line of changes.jsonl."""

    page_class: str
    key: str
    """The URL of the record's page; for one of several rows with the row's first value."""
    change: str
    """`new`, `changed` or `gone`."""
    url: str
    field: str | None = None
    old: object = None
    new: object = None

    def as_json(self) -> dict[str, Any]:
        """The line as an object."""
        values = asdict(self)
        return {"class": values.pop("page_class"), **values}


def read_tables(out: Path) -> Records:
    """The records that a folder of results holds."""
    tables = sorted((out / "classes").glob("*/table.jsonl"))
    return {path.parent.name: list(json_lines(path, {URL: (str,)})) for path in tables}


def write_changes(file: Path, changes: Iterable[RecordChange]) -> Counter[str]:
    """Write changes.jsonl; gives how many records are new, changed and gone."""
    counts: Counter[str] = Counter()
    with complete_or_absent(file) as lines:
        for change in changes:
            counts[change.change] += 1
            lines.write(json_line(change.as_json()))
    return counts


def record_changes(
    before: Records, after: Records, keys: Keys = MappingProxyType({})
) -> Iterator[RecordChange]:
    """The differences of two sets of tables, class by class, page by page.

    A page with one record before and after is compared field by field, and so are rows of a list
    that have the same key. Where `keys` has none for the class, or it does not tell the rows of a
    page apart, those that are in one table only are new or gone. A page that has changed its class
    is gone from the one and new in the other.
    """
    for name in sorted({*before, *after}):
        old, new = _by_page(before.get(name, [])), _by_page(after.get(name, []))
        for url in dict.fromkeys((*old, *new)):
            page = _PageChanges(name, url, keys.get(name, ()))
            yield from page.between(old.get(url, []), new.get(url, []))


def _by_page(records: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    pages: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        pages.setdefault(str(record.get(_URL, "")), []).append(record)
    return pages


@dataclass(frozen=True, slots=True)
class _PageChanges:
    """The changes of one page of a class."""

    page_class: str
    url: str
    key: tuple[str, ...]
    """The fields that tell its rows apart, if they are known."""

    def between(self, old: TableRows, new: TableRows) -> Iterator[RecordChange]:
        """The differences of the records before and now."""
        if len(old) == len(new) == 1:
            yield from self._fields(self.url, old[0], new[0])
            return
        was, now = self._by_key(old), self._by_key(new)
        if was is None or now is None:
            yield from self._rows(old, new)
            return
        for key in dict.fromkeys((*was, *now)):
            shown = f"{self.url}#{key[:_LONGEST_KEY]}" if len(old) + len(new) > 1 else self.url
            if key not in now:
                yield self._whole(shown, "gone", was[key])
            elif key not in was:
                yield self._whole(shown, "new", now[key])
            else:
                yield from self._fields(shown, was[key], now[key])

    def _by_key(self, rows: TableRows) -> dict[str, Mapping[str, Any]] | None:
        """The rows by their key; None if it does not tell them apart."""
        if not self.key:
            return None
        found = {" ".join(str(row.get(name)) for name in self.key): row for row in rows}
        return found if len(found) == len(rows) else None

    def _rows(self, old: TableRows, new: TableRows) -> Iterator[RecordChange]:
        was, now = Counter(map(_values, old)), Counter(map(_values, new))
        for change, rows in (("gone", was - now), ("new", now - was)):
            for line in rows.elements():
                row = json.loads(line)
                key = self.url if len(old) + len(new) == 1 else f"{self.url}#{_first_value(row)}"
                yield self._whole(key, change, row)

    def _whole(self, key: str, change: str, row: Mapping[str, Any]) -> RecordChange:
        kept = {name: value for name, value in row.items() if not name.startswith("_")}
        old, new = (kept, None) if change == "gone" else (None, kept)
        return RecordChange(self.page_class, key, change, self.url, None, old, new)

    def _fields(
        self, key: str, old: Mapping[str, Any], new: Mapping[str, Any]
    ) -> Iterator[RecordChange]:
        for field in dict.fromkeys((*old, *new)):
            if field.endswith(RAW) and not (field in old and field in new):
                continue  # the text beside a value is there once some value is unlike its text
            was, now = old.get(field), new.get(field)
            if not field.startswith("_") and was != now:
                yield RecordChange(self.page_class, key, "changed", self.url, field, was, now)


def _values(row: Mapping[str, Any]) -> str:
    """What a row says; when it was fetched, and how sure we are, is no part of that."""
    kept = {name: value for name, value in row.items() if not name.startswith("_")}
    return json_line(kept)


def _first_value(row: Mapping[str, Any]) -> str:
    values = (value for name, value in row.items() if not name.startswith("_"))
    return str(next((value for value in values if isinstance(value, str | int | float)), ""))[
        :_LONGEST_KEY
    ]
