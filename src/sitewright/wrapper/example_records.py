"""Examples in lists: the record set with a row that holds all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from sitewright.html.address import Resolver
from sitewright.wrapper.extract import FieldReader
from sitewright.wrapper.induce import learnt_records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.html.page_index import PageIndex
    from sitewright.wrapper.extract import Value
    from sitewright.wrapper.view import View
    from sitewright.wrapper.wrapper import Field, RecordSet

Examples: TypeAlias = Mapping[str, Mapping[int, str]]
"""For each field the pages, by their places, and the value that is to be found there."""


def normal(text: str) -> str:
    """A value as it is compared: white space aside."""
    return " ".join(text.split())


def records_with(pages: View, indexes: Sequence[PageIndex], examples: Examples) -> RecordSet | None:
    """The record set with rows that hold the examples of all fields, if there is one."""
    found: list[tuple[float, RecordSet]] = []
    for records in learnt_records(pages, indexes):
        chosen: list[Field] = []
        for name, values in examples.items():
            field = _field_with(records, indexes, values)
            if field is not None:
                chosen.append(replace(field, name=name, named_by="example"))
        is_whole = len({field.rule for field in chosen}) == len(examples)
        if is_whole and _share_a_row(records, chosen, indexes, examples):
            found.append((records.rows, replace(records, fields=tuple(chosen))))
    several = [one for one in found if one[0] > 1]
    return max(several, key=lambda one: one[0])[1] if several and len(examples) > 1 else None


def _share_a_row(
    records: RecordSet, fields: Sequence[Field], indexes: Sequence[PageIndex], examples: Examples
) -> bool:
    """Whether on each page with examples one row holds all that are of this page."""
    for page in {page for values in examples.values() for page in values}:
        own = [field for field in fields if page in examples[field.name]]
        held = [_values_by_row(field, records, indexes[page]) for field in own]
        wanted = [normal(examples[field.name][page]) for field in own]
        if not any(
            all(value in values for value, values in zip(wanted, row, strict=True))
            for row in zip(*held, strict=True)
        ):
            return False
    return True


def _field_with(
    records: RecordSet, indexes: Sequence[PageIndex], values: Mapping[int, str]
) -> Field | None:
    """The field of a record set that has a row with the value on each page of the examples."""
    for field in records.fields:
        if all(
            any(normal(value) in row for row in _values_by_row(field, records, indexes[page]))
            for page, value in values.items()
        ):
            return field
    return None


def _values_by_row(field: Field, records: RecordSet, index: PageIndex) -> list[set[str]]:
    """What each row of a page has in a field, as text and as value."""
    reader = FieldReader(field)
    found: list[set[str]] = []
    for element in index.select(records.rule.selector):
        if not isinstance(element, str):
            row: dict[str, Value] = {}
            reader.read(reader.select_inside(element), Resolver(""), row)
            found.append({str(one) for one in row.values()})
    return found
