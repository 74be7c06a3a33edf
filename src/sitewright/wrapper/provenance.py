"""Where the values of a record stand: the selector that found each, and its place in the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sitewright.page import parser
from sitewright.page.page_index import ElementScope
from sitewright.page.selector import Selector

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.page import Document
    from sitewright.page.page_index import PageIndex
    from sitewright.wrapper.wrapper import Field, Wrapper


@dataclass(frozen=True, slots=True)
class ValuePlace:
    """Where one value of a page was found."""

    field: str
    """The name of its column; of a record set with the set's name in front: `goals.player`."""
    row: int | None
    """Which record of a record set it is in, from 1; None for a field of the page."""
    xpath: str
    """The selector that found it: of a field with several layouts, the one of this page's."""
    pattern: str
    """The expression whose first group is the value; empty where the whole text is."""
    place: str
    """The element, by its place among its siblings: `/html[1]/body[1]/h1[1]`."""
    text: str
    """What stands there, white space collapsed."""

    def as_json(self, url: str) -> dict[str, Any]:
        """A flat object, with the page's URL."""
        return {
            "_url": url,
            "_row": self.row,
            "field": self.field,
            "xpath": self.xpath,
            "pattern": self.pattern,
            "place": self.place,
            "text": self.text,
        }


def value_places(wrapper: Wrapper, document: Document) -> Iterator[ValuePlace]:
    """The places of all values that a wrapper finds in a page, in the order of its fields.

    What stands in the data of a script is in no element, and has no place.
    """
    index = document.index
    for field in wrapper.fields:
        yield from _places(field, index, field.name, None)
    for records in wrapper.record_sets:
        rows = [one for one in index.select(records.rule.selector) if not isinstance(one, str)]
        for number, row in enumerate(rows, 1):
            for field in records.fields:
                name = f"{records.name}.{field.name}"
                yield from _places(field, ElementScope(row), name, number)


def _places(
    field: Field, scope: PageIndex | ElementScope, name: str, row: int | None
) -> Iterator[ValuePlace]:
    rule = field.rule
    for path in rule.selector.paths:
        selector = Selector((path,))
        for element, text in scope.select_with_elements(selector):
            if text and rule.matches(text):
                place = element_path(element)
                yield ValuePlace(name, row, selector.xpath(), rule.pattern, place, text)
                if not field.many:
                    return


def element_path(element: parser.Element) -> str:
    """The XPath of an element by the places of its ancestors among their siblings."""
    steps: list[str] = []
    up: parser.Node | parser.Tree | None = element
    while isinstance(up, parser.Element):
        around = up.parent
        siblings = () if around is None else around.children
        same = [one for one in siblings if isinstance(one, parser.Element) and one.tag == up.tag]
        turn = next((place for place, one in enumerate(same, 1) if one == up), 1)
        steps.append(f"/{up.tag}[{turn}]")
        up = around
    return "".join(reversed(steps))
