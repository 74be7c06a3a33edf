"""Foreign keys: the page class that the links of a field lead to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from sitewright.wrapper.extract import Record, extract
from sitewright.wrapper.types import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitewright.html import Document
    from sitewright.wrapper.wrapper import Field, Wrapper

LeadsTo: TypeAlias = Callable[[str], str | None]
"""The page class behind an address; None where nobody knows."""
_PAGES = 20
_MOST = 0.8


def with_references(wrapper: Wrapper, documents: Sequence[Document], leads_to: LeadsTo) -> Wrapper:
    """The wrapper with the classes that its links lead to."""
    found: dict[tuple[str, str], Counter[str | None]] = defaultdict(Counter)
    for document in documents[:_PAGES]:
        record = extract(wrapper, document)
        if isinstance(record, Record):
            for place, address in _addresses(wrapper, record):
                found[place][leads_to(address)] += 1
    return replace(
        wrapper,
        fields=tuple(_referring(field, found["", field.name]) for field in wrapper.fields),
        record_sets=tuple(
            replace(
                records,
                fields=tuple(
                    _referring(field, found[records.name, field.name]) for field in records.fields
                ),
            )
            for records in wrapper.record_sets
        ),
    )


def _addresses(wrapper: Wrapper, record: Record) -> Iterator[tuple[tuple[str, str], str]]:
    yield from _of_fields("", wrapper.fields, record.values)
    for records in wrapper.record_sets:
        rows = record.values.get(records.name)
        for row in rows if isinstance(rows, list) else []:
            yield from _of_fields(records.name, records.fields, row)


def _of_fields(
    records: str, fields: Sequence[Field], values: Mapping[str, Any]
) -> Iterator[tuple[tuple[str, str], str]]:
    for field in fields:
        if field.type.kind is Kind.URL:
            value = values.get(field.name)
            for address in value if isinstance(value, list) else [value]:
                if isinstance(address, str):
                    yield (records, field.name), address


def _referring(field: Field, classes: Counter[str | None]) -> Field:
    """The field with the class that most of its links lead to."""
    known = {name: count for name, count in classes.items() if name is not None}
    if not known:
        return field
    best = max(known, key=lambda name: (known[name], name))
    return replace(field, references=best) if known[best] >= _MOST * classes.total() else field
