"""From a page to its record: every rule of the wrapper, applied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sitewright.html.address import absolute_url
from sitewright.html.finder import Finder
from sitewright.wrapper.types import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.html import Document
    from sitewright.wrapper.wrapper import Field, RecordSet, Wrapper

Value: TypeAlias = "str | int | float | list[Any] | None"
_ADDRESSES = (Kind.URL, Kind.IMAGE)
ENOUGH = 0.3
"""A page with a smaller share of what every page of the class has does not fit."""


@dataclass(frozen=True, slots=True)
class Record:
    """What a page says: a value for each field, a list of rows for each record set."""

    url: str
    values: dict[str, Value]


@dataclass(frozen=True, slots=True)
class Misfit:
    """A page that the wrapper does not fit, and why."""

    url: str
    reason: str


def extract(wrapper: Wrapper, document: Document) -> Record | Misfit:
    """Apply a wrapper to a page of its class."""
    values: dict[str, Value] = {}
    finder = Finder(document.tree)
    for field in wrapper.fields:
        values.update(field_values(field, finder, document.base_url))
    for records in wrapper.record_sets:
        values[records.name] = list(_rows(records, finder, document.base_url))
    missing = [name for name in wrapper.required if values.get(name) in (None, [])]
    if len(missing) > (1 - ENOUGH) * len(wrapper.required):
        found = len(wrapper.required) - len(missing)
        reason = f"only {found} of {len(wrapper.required)} required fields: no {', '.join(missing)}"
        return Misfit(document.url, reason)
    if not any(value not in (None, []) for value in values.values()):
        return Misfit(document.url, "no field has a value")
    return Record(document.url, values)


def lines(wrapper: Wrapper, record: Record) -> Iterator[dict[str, Value]]:
    """The records of a page as the class's table has them: one, or one for each row of a list."""
    page = {"_url": record.url, **record.values}
    rows = page.pop(wrapper.rows, None) if wrapper.rows else None
    if not isinstance(rows, list):
        yield page
        return
    for row in rows:
        yield {**page, **row}


def field_values(field: Field, finder: Finder, base_url: str) -> dict[str, Value]:
    """The value of a field under its name and, where the table keeps it, its text beside it."""
    texts = field.rule.texts(finder)
    values: list[str | int | float | None] = [_typed(field, text, base_url) for text in texts]
    if field.many:
        return dict(zip(field.columns(), (values, texts), strict=False))
    return dict(zip(field.columns(), (*values[:1], *texts[:1]) or (None, None), strict=False))


def _rows(records: RecordSet, finder: Finder, base_url: str) -> Iterator[dict[str, Value]]:
    for element in finder.select(records.rule.xpath):
        if isinstance(element, str):
            continue
        row: dict[str, Value] = {}
        for field in records.fields:
            row.update(field_values(field, Finder(element), base_url))
        if any(value not in (None, []) for value in row.values()):
            yield row


def _typed(field: Field, text: str, base_url: str) -> str | int | float | None:
    cut = field.rule.cut(text)
    if field.type.kind in _ADDRESSES:
        return absolute_url(base_url, cut) or cut
    return field.type.value(cut)
