"""A page as a wrapper sees it: elements as numbers, and the leaves that could be data."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sitewright.page import parser
from sitewright.page.elements import INLINE, SAYING, UNSEEN
from sitewright.settings import current
from sitewright.wrapper.grids import record_cells
from sitewright.wrapper.titled_tables import first_titles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitewright.page import Document
    from sitewright.wrapper.css_names import Names


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
_ANY_ATTRIBUTES = ("content",)
_HEAD = ("title", "meta", "link")
_MOST_LEAVES = 20_000
"""Leaves beyond this number are not read: a wrapper is learnt from fewer."""
_CELLS = ("td", "th")
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
class FlatPage:
    """The elements of a page in document order, and its leaves."""

    url: str
    nodes: list[parser.Element]
    parents: list[int]
    tags: list[str]
    nth: list[int]
    """The place of each element among its siblings of the same tag, from 1."""
    leaves: list[Leaf]

    @property
    def is_cut(self) -> bool:
        """Whether the page has more than was read."""
        return len(self.leaves) >= _MOST_LEAVES

    def ancestry(self, element: int) -> Iterator[int]:
        """An element and those around it, from within."""
        while element >= 0:
            yield element
            element = self.parents[element]

    def block(self, element: int) -> int:
        """The element that a text flows in: tags inside a sentence are the author's."""
        while self.tags[element] in INLINE and self.parents[element] >= 0:
            element = self.parents[element]
        return element

    def meeting(self, one: int, other: int) -> int:
        """The innermost element that holds both; -1 if none."""
        while one != other:
            if one > other:
                one = self.parents[one]
            else:
                other = self.parents[other]
        return one

    def child_towards(self, element: int, outer: int) -> int:
        """The child of an element that another one stands in; -1 if that is the element itself."""
        if element == outer:
            return -1
        while self.parents[element] != outer:
            element = self.parents[element]
        return element


def flat_page(document: Document) -> FlatPage:
    """Walk a page once."""
    reading = FlatPage(document.url, [], [], [], [], [])
    _read_head(document, reading)
    for body in document.tree.iter_elements(("body",)):
        _walk(body, reading)
        break
    return reading


def flat_element(element: parser.Element, url: str) -> FlatPage:
    """Walk one element of a page as if it were a page of its own."""
    reading = FlatPage(url, [], [], [], [], [])
    _walk(element, reading)
    return reading


def _read_head(document: Document, reading: FlatPage) -> None:
    """What stands in the head: its elements have no parents here."""
    counts: dict[str, int] = {}
    for element in document.tree.iter_elements(_HEAD):
        if not any(isinstance(up, parser.Element) and up.tag == "head" for up in (element.parent,)):
            continue
        counts[element.tag] = counts.get(element.tag, 0) + 1
        number = _add(reading, element, -1, counts[element.tag])
        if element.tag == "title":
            _add_text(reading, number, 1, element.text)


def _walk(outermost: parser.Element, reading: FlatPage) -> None:
    """Elements and texts in document order, without recursion: hostile pages are deep."""
    # An element with its tag, or a text; the number of the element around it; its place there.
    waiting: list[tuple[parser.Element | str, str, int, int]]
    waiting = [(outermost, outermost.tag, -1, 1)]
    depths = [0] * len(reading.nodes)
    leaves = reading.leaves
    while waiting and len(leaves) < _MOST_LEAVES:
        node, tag, parent, place = waiting.pop()
        if isinstance(node, str):
            if node:
                leaves.append(Leaf(parent, TEXT, place, node))
            continue
        if tag in _UNREAD:
            continue
        number = _add(reading, node, parent, place)
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        if depths[number] < _DEEPEST:
            waiting += _numbered(node, number)[::-1]


def _numbered(
    element: parser.Element, number: int
) -> list[tuple[parser.Element | str, str, int, int]]:
    """The children with their places among those of their kind."""
    counts: dict[str, int] = {}
    found: list[tuple[parser.Element | str, str, int, int]] = []
    for child in element.children:
        if isinstance(child, parser.Text):
            text = child.data
            if not text.isspace():
                place = counts[TEXT] = counts.get(TEXT, 0) + 1
                found.append((" ".join(text.split()), TEXT, number, place))
        elif isinstance(child, parser.Element):
            tag = child.tag
            place = counts[tag] = counts.get(tag, 0) + 1
            found.append((child, tag, number, place))
    return found


def _add(reading: FlatPage, element: parser.Element, parent: int, place: int) -> int:
    number = len(reading.nodes)
    tag = element.tag
    reading.nodes.append(element)
    reading.parents.append(parent)
    reading.tags.append(tag)
    reading.nth.append(place)
    for name in _ATTRIBUTES.get(tag, _ANY_ATTRIBUTES):
        value = element.attr(name)
        if value and not value.isspace() and _is_data(element, value):
            reading.leaves.append(Leaf(number, name, 0, " ".join(value.split())))
    return number


def _is_data(element: parser.Element, value: str) -> bool:
    """Whether an attribute could hold data: no script, no place in the page, no tracking pixel."""
    if value.lstrip().lower().startswith(("javascript:", "#", "data:")):
        return False
    if element.tag == "meta":
        name = element.attr("name") or element.attr("property") or element.attr("itemprop") or ""
        return bool(name) and name.lower() not in _FOR_BROWSERS
    if element.tag == "link":
        said = (element.attr("rel") or "").lower().split()
        return not said or not _LINKS_FOR_PROGRAMS.issuperset(said)
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
_LINKS_FOR_PROGRAMS = frozenset(
    "alternate apple-touch-icon dns-prefetch edituri https://api.w.org/ icon index manifest "
    "mask-icon modulepreload next pingback preconnect prefetch preload prerender prev search "
    "shortcut shortlink start stylesheet up wlwmanifest".split()
)
"""Links of the head to what a browser or a feed reader fetches; lists are followed elsewhere."""


def _add_text(reading: FlatPage, element: int, place: int, text: str) -> None:
    collapsed = " ".join(text.split())
    if collapsed:
        reading.leaves.append(Leaf(element, TEXT, place, collapsed))


# The structure that the pages of a class share: which names count, and a path for each element.
#
# A path is a number for the labels from the root to an element. A label is the tag with the id and
# the classes that name a part of the page; names that only one page has, that count siblings
# (`row-17`) or that tell a state (`odd`, `active`) are no part of it.


class Label(NamedTuple):
    """What of an element counts when two paths are compared."""

    tag: str
    id: str = ""
    classes: tuple[str, ...] = ()
    cell: int = 0
    """The place of a table cell in its row, from 1, or from -1 if the last one counts as first; 0
    for other elements."""
    named: tuple[str, str] = ("", "")
    """The attribute that says what a `<meta>` or `<link>` is of, and what it says."""
    cells: int = 0
    """How many cells the row of a grid without classes has; 0 for other elements."""
    titled: str = ""
    """The first title of a table that has neither id nor class and stands beside other tables."""


@dataclass(slots=True)
class Paths:
    """Numbers for paths: the same path has the same number in every page."""

    names: Names
    from_end: bool = False
    """Whether the cells of a row are counted from its end: some rows lack the first ones."""
    of_rows: bool = False
    """Whether these are paths in rows: the classes of a row (`odd`, `topic-tips`) do not count."""
    labels: list[tuple[int, Label]] = field(default_factory=list)
    """For each path, the one around it and its own label."""
    _numbers: dict[tuple[int, Label], int] = field(default_factory=dict)
    _blocks: list[int] = field(default_factory=list)
    _bare: dict[int, int] = field(default_factory=dict)
    _steps: dict[int, tuple[Label, ...]] = field(default_factory=dict)
    _known: dict[tuple[str | None, str | None], tuple[str, tuple[str, ...]]] = field(
        default_factory=dict
    )
    """What counts of an id and of classes as they are written."""
    _looks: frozenset[str] = frozenset()
    _looked_at: int = 0

    def number(self, around: int, label: Label) -> int:
        """The number of a path."""
        key = (around, label)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.labels)
            self.labels.append(key)
            is_inline = label in _NAMELESS and around >= 0
            self._blocks.append(self._blocks[around] if is_inline else found)
        return found

    def of(self, reading: FlatPage) -> list[int]:
        """The path of each element of a page; table cells are told apart by their place."""
        paths: list[int] = []
        cells = _cells_of_rows(reading) if self.from_end else {}
        cards = record_cells(reading, self.names.grids)
        rows = {} if self.of_rows else _rows_of_plain_grids(reading)
        titles = first_titles(reading) if self.names.titles else {}
        titles = {table: text for table, text in titles.items() if text in self.names.titles}
        for element, parent in enumerate(reading.parents):
            label = self._label(reading, element)
            if element in cards:
                label = label._replace(cell=0)
            elif element in rows:
                label = label._replace(cells=rows[element])
            elif parent in rows:
                label = label._replace(cell=reading.nth[element])
            elif element in titles:
                label = label._replace(titled=titles[element])
            if label.cell and self.from_end:
                label = label._replace(cell=label.cell - 1 - cells[parent, label.tag])
            # An id names its element wherever it stands.
            around = paths[parent] if parent >= 0 and not label.id else -1
            paths.append(self.number(around, label))
        return paths

    def steps(self, path: int) -> tuple[Label, ...]:
        """The labels of a path, from the outermost."""
        if path not in self._steps:
            found: list[Label] = []
            above = path
            while above >= 0:
                above, label = self.labels[above]
                found.append(label)
            self._steps[path] = tuple(reversed(found))
        return self._steps[path]

    def block(self, path: int) -> int:
        """The path without the nameless inline elements at its end: `td` for `td/font/a`."""
        return self._blocks[path]

    def written(self, path: int) -> str:
        """A path for people: `div#main/ul.news/li`."""
        return "/".join(
            label.tag
            + (f"#{label.id}" if label.id else "".join(f".{one}" for one in label.classes))
            for label in self.steps(path)
        )

    def bare(self, path: int) -> int:
        """The path without the classes of its last element: `td` for `td.odd`."""
        found = self._bare.get(path)
        if found is None:
            around, label = self.labels[path]
            plain = label._replace(classes=())
            found = self._bare[path] = path if plain == label else self.number(around, plain)
        return found

    def is_record_cell(self, path: int) -> bool:
        """Whether it is the path of a cell that holds a record, whatever its place."""
        label = self.labels[path][1]
        return label.tag in _CELLS and not label.cell

    def looks(self) -> frozenset[str]:
        """The classes of unlike things: they say how a thing looks, not what it is."""
        if len(self.labels) != self._looked_at:
            tags: dict[str, set[str]] = {}
            for _around, label in self.labels:
                for name in label.classes:
                    tags.setdefault(name, set()).add(label.tag)
            least = current().wrapper.fields.min_tags_of_looks
            self._looks = frozenset(name for name, own in tags.items() if len(own) >= least)
            self._looked_at = len(self.labels)
        return self._looks

    def _label(self, reading: FlatPage, element: int) -> Label:
        tag, node = reading.tags[element], reading.nodes[element]
        for name in _SAYING.get(tag, ()):
            if says := node.attr(name):
                return Label(tag, named=(name, says))
        if self.of_rows and reading.parents[element] < 0:
            return Label(tag)
        # Most elements say what others have said.
        written = node.attr("id"), node.attr("class")
        known = self._known.get(written)
        if known is None:
            known = self._known[written] = self.names.of(*written)
        name, classes = known
        return Label(tag, name, classes, reading.nth[element] if tag in _CELLS else 0)


def _cells_of_rows(reading: FlatPage) -> Counter[tuple[int, str]]:
    """How many cells of each tag an element has."""
    return Counter(
        (parent, tag)
        for parent, tag in zip(reading.parents, reading.tags, strict=True)
        if tag in _CELLS
    )


def _rows_of_plain_grids(reading: FlatPage) -> dict[int, int]:
    """The rows of grids in which nothing has a class, with the number of their cells.

    `<div><div>Year</div><div>2017</div></div>` and more of them side by side are a table: without
    the places of its cells, labels and values would stand in one path.
    """
    inside: dict[int, list[int]] = defaultdict(list)
    for element, parent in enumerate(reading.parents):
        if reading.tags[element] in _PLAIN_CELLS:
            inside[parent].append(element)
        elif parent >= 0:
            inside[parent].append(-1)
    widths = {
        row: len(cells)
        for row, cells in inside.items()
        if 1 < len(cells) <= _WIDEST_PLAIN_ROW
        and -1 not in cells
        and reading.tags[row] in _PLAIN_ROWS
        and len({reading.tags[cell] for cell in cells}) == 1
        and all(_is_plain(reading.nodes[one]) for one in (row, *cells))
    }
    found: dict[int, int] = {}
    for rows in inside.values():
        sizes = {widths.get(row, 0) for row in rows}
        if len(rows) >= _LEAST_PLAIN_ROWS and len(sizes) == 1 and sizes != {0}:
            found.update((row, widths[row]) for row in rows)
    return found


def _is_plain(node: parser.Element) -> bool:
    return not node.attr("class") and not node.attr("id")


_PLAIN_CELLS = frozenset({"div", "span", "p", "li"})
_PLAIN_ROWS = frozenset({"div", "li", "p"})
_WIDEST_PLAIN_ROW = 12
_LEAST_PLAIN_ROWS = 3
_NAMELESS = frozenset(map(Label, INLINE - SAYING))
_SAYING = {"meta": ("property", "name", "itemprop", "http-equiv"), "link": ("rel", "itemprop")}


TextSignature: TypeAlias = tuple[str, str, int]
_MARKS = re.compile(r"[^$£€%@:/()|+\-\u2013#&\"']")
_LONGEST_SIGNED = 200
_SENTENCE = 8
"""So many spaces make a sentence: its marks say nothing."""
_MANY_WORDS = 5


def text_signature(text: str) -> TextSignature:
    """What a text begins with, its telling marks, and its length by powers of two."""
    return ("a", "", _MANY_WORDS) if text.count(" ") >= _SENTENCE else _short_shape(text)


# The texts of a class come back on its pages, and are compared in several groups.
@lru_cache(maxsize=1 << 15)
def _short_shape(text: str) -> TextSignature:
    head = text[:_LONGEST_SIGNED]
    marks = "".join(sorted(set(_MARKS.sub("", head))))
    digits = sum(map(str.isdigit, head))
    letters = sum(map(str.isalpha, head))
    kind = "0" if digits > letters else ("a0" if digits else "a")
    return kind, marks[:3], min(len(text.split()).bit_length(), _MANY_WORDS)


def overlap(one: Counter[TextSignature], other: Counter[TextSignature]) -> float:
    """How alike two distributions are, from 0 to 1."""
    total, others = one.total(), other.total()
    if not total or not others:
        return 0.0
    return sum(min(count / total, other[key] / others) for key, count in one.items())


@lru_cache(maxsize=1 << 12)
def _expected_share(likely: float, size: int) -> float:
    """The mean of min(X / size, likely), where X of `size` texts have a shape that is so likely.

    That is what half of the mean deviation of a binomial leaves (De Moivre).
    """
    least = math.floor(size * likely)
    if least >= size:
        return likely
    logarithm = (
        math.lgamma(size + 1) - math.lgamma(least + 1) - math.lgamma(size - least)
        + (least + 1) * math.log(likely) + (size - least) * math.log1p(-likely)
    )  # fmt: skip
    return likely - math.exp(logarithm) / size


def expected_overlap(size: int, everything: Counter[TextSignature]) -> float:
    """How alike so many texts of a distribution are to it, in the mean: a few never are quite."""
    total = everything.total()
    return sum(_expected_share(count / total, size) for count in everything.values())


def homogeneity(groups: Iterable[Counter[TextSignature]]) -> float:
    """The share of the texts that have the commonest shape of the others of their group.

    A text that is alone in its group tells nothing of it.
    """
    most = total = 0
    for group in groups:
        (_, first), *rest = group.most_common(2)
        most += first if first > 1 and all(first > second for _, second in rest) else 0
        total += group.total()
    return most / total if total else 0.0
