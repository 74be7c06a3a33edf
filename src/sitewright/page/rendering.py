"""A page as it was laid out: plain data that can be saved and read back."""

from __future__ import annotations

from dataclasses import astuple, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


# Boxes: where something stands on the rendered page, in pixels from its upper left corner.


@dataclass(frozen=True, slots=True, order=True)
class Box:
    """The smallest rectangle around something: the paper's four attributes (section 2.4)."""

    lx: int
    ly: int
    """The upper left corner."""
    dx: int
    dy: int
    """Width and height."""

    @property
    def right(self) -> int:
        """The first column right of the box."""
        return self.lx + self.dx

    @property
    def bottom(self) -> int:
        """The first row below the box."""
        return self.ly + self.dy

    @property
    def area(self) -> int:
        """Square pixels; a box that has collapsed to a line has none."""
        return self.dx * self.dy

    @property
    def horizontal(self) -> tuple[int, int]:
        """The interval that the box covers on the x axis."""
        return self.lx, self.right

    @property
    def vertical(self) -> tuple[int, int]:
        """The interval that the box covers on the y axis."""
        return self.ly, self.bottom

    def contains(self, other: Box, tolerance: int = 0) -> bool:
        """Whether the other box lies inside this one, give or take some pixels."""
        return (
            self.lx - tolerance <= other.lx
            and self.ly - tolerance <= other.ly
            and other.right <= self.right + tolerance
            and other.bottom <= self.bottom + tolerance
        )


def around(boxes: Iterable[Box]) -> Box | None:
    """The smallest box around all of these; None around nothing."""
    given = list(boxes)
    if not given:
        return None
    left, top = min(box.lx for box in given), min(box.ly for box in given)
    right, bottom = max(box.right for box in given), max(box.bottom for box in given)
    return Box(left, top, right - left, bottom - top)


TEXT = "#text"
"""The tag of a text: texts are leaves of the tree, with boxes of their own."""
TRANSPARENT = "rgba(0, 0, 0, 0)"


@dataclass(frozen=True, slots=True)
class Style:
    """How something is drawn; a text has the style of its element."""

    font_size: float
    font_weight: int
    colour: str
    background: str
    has_background_image: bool
    display: str
    position: str
    floating: str
    borders: int
    """How many of the four sides have a line."""
    text_align: str

    @property
    def is_inline(self) -> bool:
        """Whether it stands in a line of text."""
        return self.display in {"inline", "contents", "ruby"}

    @property
    def has_own_background(self) -> bool:
        """Whether it is painted differently from what lies behind it."""
        return self.has_background_image or self.background != TRANSPARENT


@dataclass(frozen=True, slots=True)
class RenderedNode:
    """An element or a text of the page, as it is laid out."""

    number: int
    """Its place in document order."""
    parent: int
    """The number of its parent, -1 for the root."""
    tag: str
    box: Box
    visible: bool
    style: Style
    text: str
    """What a text says, white space collapsed; elements have none of their own."""
    attributes: tuple[tuple[str, str], ...] = ()

    def attribute(self, name: str) -> str:
        """The value of an attribute, empty if it is not there."""
        return dict(self.attributes).get(name, "")


class NodeForm(msgspec.Struct, frozen=True, array_like=True):
    """A node as a saved rendering has it: a list, for there are thousands."""

    parent: int
    tag: str
    box: tuple[int, int, int, int]
    visible: bool
    style: int
    """The place of its style."""
    text: str
    attributes: tuple[tuple[str, str], ...]


class RenderingForm(msgspec.Struct, frozen=True):
    """What the file of a rendering holds; a style that many nodes have stands there once."""

    url: str
    title: str
    viewport: tuple[int, int]
    width: int
    height: int
    styles: tuple[tuple[float, int, str, str, bool, str, str, str, int, str], ...]
    nodes: tuple[NodeForm, ...]

    @classmethod
    def of(cls, page: Rendering) -> Self:
        """Take a rendering apart."""
        styles = {style: place for place, style in enumerate(_distinct_styles(page.nodes))}
        nodes = (
            NodeForm(node.parent, node.tag, astuple(node.box), node.visible, styles[node.style],
                     node.text, node.attributes)
            for node in page.nodes
        )  # fmt: skip
        return cls(page.url, page.title, page.viewport, page.width, page.height,
                   tuple(map(astuple, styles)), tuple(nodes))  # fmt: skip

    def restored(self) -> Rendering:
        """The rendering again."""
        styles = [Style(*values) for values in self.styles]
        nodes = []
        for number, node in enumerate(self.nodes):
            if not -1 <= node.parent < number or not 0 <= node.style < len(styles):
                raise ValueError(f"node {number} has no such parent or style")
            box, style = Box(*node.box), styles[node.style]
            nodes.append(RenderedNode(number, node.parent, node.tag, box, node.visible, style,
                              node.text, node.attributes))  # fmt: skip
        return Rendering(self.url, self.title, self.viewport, self.width, self.height, tuple(nodes))


@dataclass(frozen=True)
class Rendering:
    """Every node of a page with its box, at one viewport."""

    FORMAT: ClassVar[str] = "sitewright-rendering"
    FILE_FORM: ClassVar[type[RenderingForm]] = RenderingForm
    url: str
    title: str
    viewport: tuple[int, int]
    width: int
    height: int
    nodes: tuple[RenderedNode, ...] = field(repr=False)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of each node's children."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for node in self.nodes:
            if node.parent >= 0:
                found[node.parent].append(node.number)
        return tuple(map(tuple, found))

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """For each node the number after its last descendant."""
        ends = [node.number + 1 for node in self.nodes]
        for node in reversed(self.nodes):
            if node.parent >= 0:
                ends[node.parent] = max(ends[node.parent], ends[node.number])
        return tuple(ends)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The path of each node, as XPath writes it: `/html/body/div[2]/p[1]/text()[1]`."""
        paths: list[str] = []
        counts: dict[tuple[int, str], int] = {}
        for node in self.nodes:
            key = node.parent, node.tag
            counts[key] = counts.get(key, 0) + 1
            name = "text()" if node.tag == TEXT else node.tag
            above = paths[node.parent] if node.parent >= 0 else ""
            alone = node.tag in {"html", "head", "body"}
            paths.append(f"{above}/{name}" if alone else f"{above}/{name}[{counts[key]}]")
        return tuple(paths)

    def subtree(self, number: int) -> Iterator[RenderedNode]:
        """A node and all that it contains, in document order."""
        return iter(self.nodes[number : self.ends[number]])

    @classmethod
    def from_snapshot(
        cls, snapshot: dict[str, Any], url: str, viewport: tuple[int, int]
    ) -> Rendering:
        """Make a rendering of what `snapshot.js` found; ValueError if it is no such thing.

        It comes out of a process that ran a stranger's page, so everything about it is checked.
        """
        return msgspec.convert(
            {**snapshot, "url": url, "viewport": viewport}, RenderingForm
        ).restored()


def _distinct_styles(nodes: Iterable[RenderedNode]) -> Iterable[Style]:
    return dict.fromkeys(node.style for node in nodes)
