"""changes.jsonl: which records are new, changed or gone since the tables were written before."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sitewright.formats import complete_or_absent, json_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path


CHANGES = "changes.jsonl"
_URL = "_url"
_LONGEST_KEY = 80
Records = dict[str, list[dict[str, Any]]]
"""The records of the tables of some classes, by the name of the class."""


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
    return {
        path.parent.name: [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for path in tables
    }


def write_changes(out: Path, before: Records, after: Records) -> Counter[str]:
    """Write OUT/changes.jsonl; gives how many records are new, changed and gone."""
    counts: Counter[str] = Counter()
    with complete_or_absent(out / CHANGES) as file:
        for change in record_changes(before, after):
            counts[change.change] += 1
            file.write(json_line(change.as_json()))
    return counts


def record_changes(before: Records, after: Records) -> Iterator[RecordChange]:
    """The differences of two sets of tables, class by class, page by page.

    A page with one record before and after is compared field by field. Rows of a list have no
    name of their own: those that are in one table only are new or gone. A page that has changed
    its class is gone from the one and new in the other.
    """
    for name in sorted({*before, *after}):
        old, new = _by_page(before.get(name, [])), _by_page(after.get(name, []))
        for url in dict.fromkeys((*old, *new)):
            yield from _page_changes(name, url, old.get(url, []), new.get(url, []))


def _by_page(records: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    pages: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        pages.setdefault(str(record.get(_URL, "")), []).append(record)
    return pages


def _page_changes(
    name: str, url: str, old: list[dict[str, Any]], new: list[dict[str, Any]]
) -> Iterator[RecordChange]:
    if len(old) == len(new) == 1:
        yield from _field_changes(name, url, old[0], new[0])
        return
    was, now = Counter(map(_values, old)), Counter(map(_values, new))
    for change, rows in (("gone", was - now), ("new", now - was)):
        for line in rows.elements():
            row = json.loads(line)
            key = url if len(old) + len(new) == 1 else f"{url}#{_first_value(row)}"
            values = {"old": row} if change == "gone" else {"new": row}
            yield RecordChange(name, key, change, url, **values)


def _field_changes(
    name: str, url: str, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[RecordChange]:
    for field in dict.fromkeys((*old, *new)):
        if not field.startswith("_") and old.get(field) != new.get(field):
            yield RecordChange(name, url, "changed", url, field, old.get(field), new.get(field))


def _values(row: Mapping[str, Any]) -> str:
    """What a row says; when it was fetched, and how sure we are, is no part of that."""
    kept = {name: value for name, value in row.items() if not name.startswith("_")}
    return json_line(kept)


def _first_value(row: Mapping[str, Any]) -> str:
    values = (value for name, value in row.items() if not name.startswith("_"))
    return str(next((value for value in values if isinstance(value, str | int | float)), ""))[
        :_LONGEST_KEY
    ]
