"""A page as it was laid out: plain data that can be saved and read back."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sitewright.errors import UnreadableInput, WrongFormatVersion
from sitewright.visual.boxes import Box

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = 1
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


@dataclass(frozen=True)
class Rendering:
    """Every node of a page with its box, at one viewport."""

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

    def to_json(self) -> str:
        """The rendering as one JSON object; equal renderings give equal text."""
        styles = {style: place for place, style in enumerate(self._styles)}
        payload = {
            "format": FORMAT,
            "url": self.url,
            "title": self.title,
            "viewport": self.viewport,
            "width": self.width,
            "height": self.height,
            "styles": [_style_values(style) for style in styles],
            "nodes": [_node_values(node, styles[node.style]) for node in self.nodes],
        }
        return json.dumps(payload, separators=(",", ":"))

    @cached_property
    def _styles(self) -> tuple[Style, ...]:
        return tuple(dict.fromkeys(node.style for node in self.nodes))

    @classmethod
    def from_json(cls, text: str, name: str = "rendering") -> Rendering:
        """Read back what `to_json` wrote."""
        try:
            payload = json.loads(text)
            if payload["format"] != FORMAT:
                raise WrongFormatVersion(name, payload["format"], FORMAT)
            return cls.from_snapshot(payload, payload["url"], tuple(payload["viewport"]))
        except (ValueError, KeyError, TypeError, IndexError):
            raise UnreadableInput(name, "not a saved rendering") from None

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


def _style(values: list[Any]) -> Style:
    size, weight, colour, background, image, *rest = values
    return Style(size, weight, colour, background, bool(image), *rest)


def _style_values(style: Style) -> list[Any]:
    return [
        style.font_size, style.font_weight, style.colour, style.background,
        int(style.has_background_image), style.display, style.position, style.floating,
        style.borders, style.text_align,
    ]  # fmt: skip


def _node_values(node: Node, style: int) -> list[Any]:
    box = node.box
    return [
        node.parent, node.tag, [box.lx, box.ly, box.dx, box.dy], int(node.visible), style,
        node.text, [list(pair) for pair in node.attributes],
    ]  # fmt: skip
