"""A page as it was laid out: plain data that can be saved and read back."""

from __future__ import annotations

from dataclasses import astuple, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

from sitewright.visual.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
class Node:
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
            nodes.append(Node(number, node.parent, node.tag, box, node.visible, style,
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
    nodes: tuple[Node, ...] = field(repr=False)

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

    def subtree(self, number: int) -> Iterator[Node]:
        """A node and all that it contains, in document order."""
        return iter(self.nodes[number : self.ends[number]])

    @classmethod
    def from_snapshot(
        cls, snapshot: dict[str, Any], url: str, viewport: tuple[int, int]
    ) -> Rendering:
        """Make a rendering of what `snapshot.js` found."""
        styles = [_style(values) for values in snapshot["styles"]]
        nodes = tuple(
            Node(number, parent, tag, Box(*box), bool(visible), styles[style], text,
                 tuple((name, value) for name, value in attributes))
            for number, (parent, tag, box, visible, style, text, attributes)
            in enumerate(snapshot["nodes"])
        )  # fmt: skip
        width, height = snapshot["width"], snapshot["height"]
        return cls(url, snapshot["title"], viewport, width, height, nodes)


def _distinct_styles(nodes: Iterable[Node]) -> Iterable[Style]:
    return dict.fromkeys(node.style for node in nodes)


def _style(values: list[Any]) -> Style:
    size, weight, colour, background, image, *rest = values
    return Style(size, weight, colour, background, bool(image), *rest)
