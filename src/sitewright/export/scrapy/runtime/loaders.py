"""From selectors to items: an item's fields say where their values stand and how they are read.

A field's metadata:

- `xpath`: selects elements, texts or attributes, from the page or from the row around the field.
- `alternatives`: other ways to the same values, for pages where `xpath` selects nothing.
- `pattern`: the value is the first group of this expression in the text; a text that does not
  match has none.
- `input_processor`: `Typed` or `AbsoluteURL`, which turn texts into values.
- `output_processor`: `First`, or `All` where a page has a list of values.
- `raw`: the field that gets the texts as they stand in the page.
- `rows`: the item of the rows that `xpath` selects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.item import Field
from scrapy.loader import ItemLoader

from sitewright.export.scrapy.runtime.text import cut, selected_texts
from sitewright.page.elements import LINK_ATTRIBUTES
from sitewright.page.url import Resolver, page_resolver
from sitewright.wrapper.values.types import (
    FieldType,
    ValueKind,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from parsel import Selector
    from scrapy.http import TextResponse
    from scrapy.item import Item


_TAGS = " or ".join(f"self::{tag}" for tag in LINK_ATTRIBUTES)
_LINKS = f"descendant-or-self::*[{_TAGS}][not(ancestor::template[not(@shadowrootmode)])]"
RAW = "_raw"
PART = "?P<part>"
SEVERAL = 4
"""From so many fields on, one value alone makes no record."""


class Typed:
    """Input processor: reads numbers, dates and texts; None where a text is of another type."""

    def __init__(self, kind: str, **reading: str) -> None:
        self.type = FieldType(ValueKind(kind), **reading)

    def __call__(self, texts: list[str]) -> list[int | float | str | None]:
        """One value a text."""
        return [self.type.value(text) for text in texts]


class AbsoluteURL:
    """Input processor: makes the URLs of links and pictures absolute."""

    def __call__(self, texts: list[str], loader_context: dict[str, Any]) -> list[str]:
        """One URL a text; where no page can be there, as it is written."""
        resolve: Resolver = loader_context["resolve"]
        return [resolve.address(text) for text in texts]


class First:
    """Output processor: the first value, even if it could not be read."""

    def __call__(self, values: list[Any]) -> object:
        """The first value; None if there is none."""
        return values[0] if values else None


class All:
    """Output processor: the list of all values."""

    def __call__(self, values: list[Any]) -> object:
        """All values."""
        return values


class RecordLoader(ItemLoader):
    """Fills an item from a page, or from a row of one."""

    default_output_processor = First()

    def __init__(self, item: Item, scope: Selector, resolve: Resolver) -> None:
        super().__init__(item=item, selector=scope, resolve=resolve)  # type: ignore[arg-type]
        self._scope = scope
        self._resolve = resolve

    def load_record(self) -> Item:
        """Fill all fields; those without a value are None or an empty list."""
        fields: dict[str, Field] = self.item.fields
        for name, field in fields.items():
            if "rows" in field:
                self.add_value(name, self._rows(field))
            elif "xpath" in field:
                self._add_texts(name, field)
        values = {name: self.get_output_value(name) for name in fields}
        for name, field in fields.items():
            is_spare = "alternatives" in field and "rows" not in field
            if is_spare and _is_empty(values, name, field.get("raw", name)):
                values.update(self._otherwise(name, field, {str(one) for one in values.values()}))
        record: Item = type(self.item)(values)
        return record

    def _otherwise(self, name: str, field: Field, said: set[str]) -> dict[str, Any]:
        """What the first alternative that fits reads; what another field says is not it."""
        names = [name, field["raw"]] if "raw" in field else [name]
        for xpath in field["alternatives"]:
            for one in names:
                self._values.pop(one, None)
            self._add_texts(name, field, xpath)
            found = {one: self.get_output_value(one) for one in names}
            if found[name] not in (None, []) and str(found[name]) not in said:
                return found
        return {}

    def _add_texts(self, name: str, field: Field, xpath: str = "") -> None:
        pattern = field.get("pattern", "")
        texts = selected_texts(self._scope, xpath or field["xpath"], pattern)
        values = [cut(text, pattern) for text in texts]
        self.add_value(name, values)
        if "raw" in field:
            self.add_value(field["raw"], values if PART in pattern else texts)

    def _rows(self, field: Field) -> list[Item]:
        """The rows, by the first way that finds any; by another than the first, most must fit."""
        found = list(self._rows_by(field["xpath"], field))
        for xpath in field.get("alternatives", ()):
            if found:
                break
            other = list(self._rows_by(xpath, field))
            full = sum(2 * _count_values(row) > len(row.fields) for row in other)
            found = other if 2 * full > len(other) else []
        return found

    def _rows_by(self, xpath: str, field: Field) -> Iterator[Item]:
        for row in self._scope.xpath(xpath):
            if not isinstance(row.root, str):
                record = RecordLoader(field["rows"](), row, self._resolve).load_record()
                if has_values(record):
                    yield record


def _count_values(row: Item) -> int:
    return sum(row.get(name) not in (None, []) for name in row.fields)


def _is_empty(values: dict[str, Any], name: str, raw: str) -> bool:
    return values[name] in (None, []) and values[raw] in (None, [])


def add_field(item: type[Item], name: str, **metadata: object) -> None:
    """Declare a field whose name cannot be an attribute's."""
    item.fields[name] = Field(metadata)


def has_values(record: Item) -> bool:
    """Whether any field but the page's URL has a value."""
    return any(value not in (None, []) for name, value in record.items() if name != "_url")


def has_enough_values(page: Item) -> bool:
    """Whether a page says anything; one value alone, where there are several fields, is not much.

    A text that is not of its field's type stands in the raw column only.
    """
    names = [name for name in page if name != "_url" and not name.endswith(RAW)]
    there = [name for name in names if _is_there(page, name) or _is_there(page, name + RAW)]
    return bool(there) and (len(there) > 1 or len(names) < SEVERAL)


def _is_there(page: Item, name: str) -> bool:
    return page.get(name) not in (None, [])


def resolver(response: TextResponse, url: str) -> Resolver:
    """What turns the links of a page at `url` into URLs: it knows base and encoding."""
    base = next(filter(None, response.xpath("//base/@href").getall()), None)
    return page_resolver(url, base, response.encoding)


def linked_urls(response: TextResponse, url: str, regions: Iterable[str] = ()) -> Iterator[str]:
    """Where the links of a page at `url` lead, those in some regions of it or all.

    Links are what they are to browsers: anchors, areas, frames; nothing in a template. Those that
    their owner asks crawlers not to follow (`rel=nofollow`) are left out.
    """
    resolve = resolver(response, url)
    for region in regions or ("/",):
        for element in response.xpath(f"{region}/{_LINKS}"):
            attributes = element.attrib
            if "nofollow" in attributes.get("rel", "").lower().split():
                continue
            written = attributes.get(
                LINK_ATTRIBUTES[element.root.tag], attributes.get("xlink:href")
            )
            found = resolve(written) if written else None
            if found is not None:
                yield found
