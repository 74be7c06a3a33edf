"""Parts that pages of all classes share: sponsors that take turns, the latest news beside a page.

A wrapper knows its own class only, where the picture of a sponsor differs from page to page as the
picture of a product does. When all classes are learnt, one sees that it says nothing of the page:
nearly every class has the same values, and each of them comes again and again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sitewright.settings import current
from sitewright.wrapper.values.types import ValueKind
from sitewright.wrapper.wrapper import SHARED, RejectedColumn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from sitewright.wrapper.wrapper import Field, Wrapper

_KINDS = frozenset({ValueKind.TEXT, ValueKind.URL, ValueKind.IMAGE})
_SURE = frozenset({"label", "microdata", "header", "metadata", "meta", "title"})
"""Where a name comes from that says what a value is of the page."""


class _Column(NamedTuple):
    """What some pages of a class have in a field."""

    page_class: str
    field: Field
    values: Counter[str]


def without_shared_parts(
    wrappers: Mapping[str, Wrapper], records: Mapping[str, Sequence[Mapping[str, Any]]]
) -> dict[str, Wrapper]:
    """The wrappers without the columns that say the same on pages of (nearly) all classes.

    `records` are lines of the tables, of some pages of each class; only wrappers that change are
    given back.
    """
    settings = current().wrapper.fields
    columns = [
        one
        for name, wrapper in wrappers.items()
        for one in _columns(wrapper, _pages(records.get(name, ())))
    ]
    classes = {one.page_class for one in columns}
    enough = max(settings.min_shared_classes, settings.min_shared_class_share * len(classes))
    with_value: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(columns):
        for value in one.values:
            with_value[value].append(number)
    shared: dict[str, list[Field]] = {}
    for one in columns:
        if one.field.named_by in _SURE or not _comes_again(one):
            continue
        common = Counter(number for value in one.values for number in with_value[value])
        others = [
            columns[n] for n, count in common.items() if _say_the_same(one, columns[n], count)
        ]
        times = Counter[str]()
        for other in others:
            times.update(other.values)
        if len(
            {other.page_class for other in others}
        ) >= enough and times.total() >= settings.min_shared_times * len(times):
            shared.setdefault(one.page_class, []).append(one.field)
    found = {name: _without(wrappers[name], fields) for name, fields in shared.items()}
    return {name: one for name, one in found.items() if one.fields or one.record_sets}


def _pages(lines: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """A line of each page: those of a list repeat what the page itself says."""
    return list({str(line.get("_url")): line for line in lines}.values())


def _columns(wrapper: Wrapper, lines: Sequence[Mapping[str, Any]]) -> Iterator[_Column]:
    for field in wrapper.fields:
        if field.type.kind not in _KINDS:
            continue
        values = Counter[str]()
        for line in lines:
            value = line.get(field.name)
            values.update({str(one) for one in (value if isinstance(value, list) else [value])})
        del values["None"]
        if len(values) > 1:
            yield _Column(wrapper.page_class, field, values)


def _comes_again(one: _Column) -> bool:
    """Whether pages of the class itself share values, as far as so few of them can show."""
    settings = current().wrapper.fields
    total = one.values.total()
    return total < settings.min_shared_pages or total >= settings.min_shared_times * len(one.values)


def _say_the_same(one: _Column, other: _Column, common: int) -> bool:
    """Whether two columns are of one kind, and most values of the smaller one are common."""
    least = current().wrapper.fields.min_shared_overlap
    return (
        one.field.type.kind is other.field.type.kind
        and common > 1
        and common >= least * min(len(one.values), len(other.values))
    )


def _without(wrapper: Wrapper, fields: Sequence[Field]) -> Wrapper:
    names = {field.name for field in fields}
    return replace(
        wrapper,
        fields=tuple(one for one in wrapper.fields if one.name not in names),
        key=tuple(one for one in wrapper.key if one not in names),
        required=tuple(one for one in wrapper.required if one not in names),
        # The first of them: of all that was left out they are the likeliest to be missed.
        dropped=(
            *(RejectedColumn(one.rule.xpath, SHARED, one.samples[0]) for one in fields),
            *wrapper.dropped,
        ),
        sketch=replace(
            wrapper.sketch,
            values={name: one for name, one in wrapper.sketch.values.items() if name not in names},
        ),
    )
