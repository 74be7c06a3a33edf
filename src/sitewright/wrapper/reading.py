"""A page as a wrapper sees it: elements as numbers, and the leaves that could be data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sitewright.html import dom
from sitewright.html.elements import UNSEEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.html import Document

TEXT = "text()"
ELEMENT = "string()"
"""The part of a leaf that is the whole text of an element."""
WORDS = frozenset({TEXT, ELEMENT})
_UNREAD = UNSEEN | {"head"}
_ATTRIBUTES = {
    "a": ("href",),
    "area": ("href",),
    "img": ("src", "alt"),
    "time": ("datetime",),
    "meta": ("content",),
    "data": ("value",),
    "link": ("href",),
    "source": ("src",),
    "video": ("src",),
    "audio": ("src",),
    "input": ("value",),
}
"""The attributes that hold data, by element; `content` counts wherever it stands."""
_HEAD = ("title", "meta", "link")
_MANY = 20_000
"""Leaves beyond this number are not read: a wrapper is learnt from fewer."""
_DEEPEST = 200
"""What stands deeper is not read: no page for people is nested so, and work grows with depth."""


class Leaf(NamedTuple):
    """A text or an attribute that could be data."""

    element: int
    part: str
    """`text()`, `string()` for all the text of the element, or the name of an attribute."""
    place: int
    """Its place among the texts of its element that are not empty, from 1; 0 for attributes."""
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The elements of a page in document order, and its leaves."""

    url: str
    nodes: list[dom.Element]
    parents: list[int]
    tags: list[str]
    nth: list[int]
    """The place of each element among its siblings of the same tag, from 1."""
    leaves: list[Leaf]

    @property
    def is_cut(self) -> bool:
        """Whether the page has more than was read."""
        return len(self.leaves) >= _MANY

    def ancestry(self, element: int) -> Iterator[int]:
        """An element and those around it, from within."""
        while element >= 0:
            yield element
            element = self.parents[element]

    def meeting(self, one: int, other: int) -> int:
        """The innermost element that holds both; -1 if none."""
        while one != other:
            if one > other:
                one = self.parents[one]
            else:
                other = self.parents[other]
        return one


def read(document: Document) -> Reading:
    """Walk a page once."""
    reading = Reading(document.url, [], [], [], [], [])
    _read_head(document, reading)
    for body in document.tree.iter_elements(("body",)):
        _walk(body, reading)
        break
    return reading


def read_element(element: dom.Element, url: str) -> Reading:
    """Walk one element of a page as if it were a page of its own."""
    reading = Reading(url, [], [], [], [], [])
    _walk(element, reading)
    return reading


def _read_head(document: Document, reading: Reading) -> None:
    """What stands in the head: its elements have no parents here."""
    counts: dict[str, int] = {}
    for element in document.tree.iter_elements(_HEAD):
        if not any(isinstance(up, dom.Element) and up.tag == "head" for up in (element.parent,)):
            continue
        counts[element.tag] = counts.get(element.tag, 0) + 1
        number = _add(reading, element, -1, counts[element.tag])
        if element.tag == "title":
            _add_text(reading, number, 1, element.text)


def _walk(outermost: dom.Element, reading: Reading) -> None:
    """Elements and texts in document order, without recursion: hostile pages are deep."""
    waiting: list[tuple[dom.Node, int, int]] = [(outermost, -1, 1)]
    depths = [0] * len(reading.nodes)
    while waiting and len(reading.leaves) < _MANY:
        node, parent, place = waiting.pop()
        if isinstance(node, dom.Text):
            _add_text(reading, parent, place, node.data)
            continue
        if not isinstance(node, dom.Element) or node.tag in _UNREAD:
            continue
        number = _add(reading, node, parent, place)
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        if depths[number] < _DEEPEST:
            waiting.extend(reversed(list(_numbered(node, number))))


def _numbered(element: dom.Element, number: int) -> Iterator[tuple[dom.Node, int, int]]:
    """The children with their places among those of their kind."""
    counts: dict[str, int] = {}
    for child in element.children:
        if isinstance(child, dom.Text):
            if child.data.isspace():
                continue
            kind = TEXT
        elif isinstance(child, dom.Element):
            kind = child.tag
        else:
            continue
        counts[kind] = counts.get(kind, 0) + 1
        yield child, number, counts[kind]


def _add(reading: Reading, element: dom.Element, parent: int, place: int) -> int:
    number = len(reading.nodes)
    reading.nodes.append(element)
    reading.parents.append(parent)
    reading.tags.append(element.tag)
    reading.nth.append(place)
    for name in _ATTRIBUTES.get(element.tag, ("content",)):
        value = element.attr(name)
        if value and not value.isspace() and _is_data(element, value):
            reading.leaves.append(Leaf(number, name, 0, " ".join(value.split())))
    return number


def _is_data(element: dom.Element, value: str) -> bool:
    """Whether an attribute could hold data: no script, no place in the page, no tracking pixel."""
    if value.lstrip().lower().startswith(("javascript:", "#", "data:")):
        return False
    if element.tag == "meta":
        name = element.attr("name") or element.attr("property") or element.attr("itemprop") or ""
        return bool(name) and name.lower() not in _FOR_BROWSERS
    if element.tag == "input":
        return (element.attr("type") or "text").lower() not in _FOR_SERVERS
    return element.tag != "img" or not {element.attr("width"), element.attr("height")} & _NOTHING


_NOTHING = {"0", "1"}
_FOR_SERVERS = frozenset("hidden submit button reset image password checkbox radio".split())
_FOR_BROWSERS = frozenset(
    "viewport robots generator theme-color format-detection referrer color-scheme "
    "apple-mobile-web-app-capable csrf-token".split()
)
"""The metas that say nothing of what a page is about."""


def _add_text(reading: Reading, element: int, place: int, text: str) -> None:
    collapsed = " ".join(text.split())
    if collapsed:
        reading.leaves.append(Leaf(element, TEXT, place, collapsed))
