"""The items of a project: what stands in items.py, and the same as classes at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sitewright.output.spider.names import camel_case, identifiers, is_plain, take
from sitewright.output.spider.source import (
    Call,
    Expression,
    Name,
    Pattern,
    assignment,
    comment,
    source,
)
from sitewright.wrapper.types import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scrapy import Item

    from sitewright.wrapper import Field, RecordSet, Wrapper

_HEAD = '''"""What the pages of each class hold, and where in a page it stands."""

import scrapy
'''
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class ItemField:
    """A field of an item: its metadata, and a word on it for people."""

    name: str
    metadata: dict[str, Expression] = field(default_factory=dict)
    remark: str = ""


@dataclass(frozen=True, slots=True)
class ItemClass:
    """A class of items."""

    name: str
    says: str
    fields: tuple[ItemField, ...]
    left_out: tuple[str, ...] = ()
    """Lines on fields that are not here."""


@dataclass(frozen=True, slots=True)
class ClassItems:
    """The items of a page class."""

    page: str
    """The name of the item that a page fills."""
    record: str
    """The name of the item that is a record: the same, or in a list that of a row."""
    classes: tuple[ItemClass, ...]


def class_items(
    identifier: str, wrapper: Wrapper, taken: set[str], left_out: Sequence[str] = ()
) -> ClassItems:
    """The items of a wrapper: of its pages, of each record set, and of the rows of a list.

    `taken` has the names of all items so far: `news` and `news-page` are two classes.
    """
    stem = camel_case(identifier)
    record = take(f"{stem}Item", taken)
    page = take(f"{stem}PageItem", taken) if wrapper.rows else record
    ends = identifiers(one.name for one in wrapper.record_sets)
    sets = {name: take(f"{stem}{camel_case(end)}Row", taken) for name, end in ends.items()}
    classes = [_row_class(sets[one.name], one) for one in wrapper.record_sets]
    fields = [ItemField("_url"), *_fields(wrapper.fields)]
    fields += [_set_field(one, sets[one.name]) for one in wrapper.record_sets]
    classes.append(ItemClass(page, f"A page of class {identifier}.", tuple(fields), (*left_out,)))
    if wrapper.rows:
        classes.append(_list_class(record, identifier, wrapper))
    return ClassItems(page, record, tuple(classes))


def items_source(classes: Iterable[ItemClass]) -> str:
    """The text of items.py."""
    text = "".join(f"\n\n{_class_source(one)}" for one in classes)
    used = [name for name in ("Address", "All", "Typed", "add_field") if f"{name}(" in text]
    imported = f"\nfrom .loaders import {', '.join(used)}\n" if used else ""
    return _HEAD + imported + text


def made_items(classes: Iterable[ItemClass]) -> dict[str, type[Item]]:
    """The classes themselves, as importing items.py would make them."""
    import scrapy  # noqa: PLC0415 - it takes a while to load

    made: dict[str, type[Item]] = {}
    for one in classes:
        made[one.name] = type(one.name, (scrapy.Item,), {})
        for item_field in one.fields:
            metadata = {key: _made(value, made) for key, value in item_field.metadata.items()}
            made[one.name].fields[item_field.name] = scrapy.Field(**metadata)
    return made


def _row_class(name: str, records: RecordSet) -> ItemClass:
    return ItemClass(name, "A row of a page's list.", tuple(_fields(records.fields)))


def _list_class(name: str, identifier: str, wrapper: Wrapper) -> ItemClass:
    """What is known of a row: its own fields before those of its page of the same name."""
    columns = [column for one in wrapper.fields for column in one.columns()]
    for records in wrapper.record_sets:
        own = [column for one in records.fields for column in one.columns()]
        columns += own if records.name == wrapper.rows else [records.name]
    fields = tuple(ItemField(column) for column in dict.fromkeys(["_url", *columns]))
    return ItemClass(name, f"A row of a list of class {identifier}, with its page.", fields)


def _fields(fields: Iterable[Field]) -> Iterator[ItemField]:
    for one in fields:
        yield ItemField(one.name, _metadata(one), _remark(one))
        for raw in one.columns()[1:]:
            yield ItemField(raw, {"output_processor": Call("All")} if one.many else {})


def _metadata(one: Field) -> dict[str, Expression]:
    metadata: dict[str, Expression] = {"xpath": one.rule.selector.scrapy()}
    if one.rule.pattern:
        metadata["pattern"] = Pattern(one.rule.pattern)
    metadata["input_processor"] = _input_processor(one)
    if one.many:
        metadata["output_processor"] = Call("All")
    if one.raw:
        metadata["raw"] = one.columns()[1]
    return metadata


def _input_processor(one: Field) -> Call:
    if one.type.kind in {Kind.URL, Kind.IMAGE}:
        return Call("Address")
    kind, *reading = one.type.as_json().items()
    return Call("Typed", (kind[1],), dict(reading))


def _set_field(records: RecordSet, row_class: str) -> ItemField:
    metadata: dict[str, Expression] = {
        "xpath": records.rule.selector.scrapy(),
        "rows": Name(row_class),
        "output_processor": Call("All"),
    }
    remark = f"on {records.coverage:.0%} of the pages, {records.rows:.3g} rows"
    return ItemField(records.name, metadata, remark)


def _remark(one: Field) -> str:
    sample = f", as {one.samples[0][:_SHOWN]!r}" if one.samples else ""
    return f"{one.type.kind}, on {one.coverage:.0%}{sample}"


def _class_source(one: ItemClass) -> str:
    plain = [item_field for item_field in one.fields if is_plain(item_field.name)]
    odd = [item_field for item_field in one.fields if not is_plain(item_field.name)]
    body = [line for item_field in plain for line in _declaration(item_field)]
    body += [f"    {comment(line)}\n" for line in one.left_out]
    behind = [line for item_field in odd for line in _addition(one.name, item_field)]
    parts = [f'    """{one.says}"""\n', "".join(body), "\n" * bool(behind) + "".join(behind)]
    return f"class {one.name}(scrapy.Item):\n" + "\n".join(filter(None, parts))


def _declaration(item_field: ItemField) -> Iterator[str]:
    """A field as an attribute of its class."""
    if item_field.remark:
        yield f"    {comment(item_field.remark)}\n"
    yield assignment(item_field.name, Call("scrapy.Field", (), item_field.metadata), 4)


def _addition(item: str, item_field: ItemField) -> Iterator[str]:
    """A field behind its class: its name cannot be an attribute's."""
    if item_field.remark:
        yield f"{comment(item_field.remark)}\n"
    call = Call("add_field", (Name(item), item_field.name), item_field.metadata)
    yield f"{source(call)}\n"


def _made(value: Expression, made: dict[str, type[Item]]) -> Any:  # noqa: ANN401 - of any class
    from sitewright.output.spider.runtime import loaders  # noqa: PLC0415

    match value:
        case Pattern(text):
            return text
        case Name(text):
            return made[text]
        case Call(function, arguments, keywords):
            return getattr(loaders, function)(*arguments, **keywords)
        case _:
            return value
