"""Views: the visual elements of a page that are matched, with the features that pairs compare.

A leaf is what a reader sees as one thing: a text, an image, a field of a form. A container is an
element with something visible in it. Ids and classes are no features: they are not visual, and they
are the answer that matchers are measured against.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.visual.boxes import Box, around
from sitewright.visual.rendering import TEXT

if TYPE_CHECKING:
    from sitewright.visual.rendering import Node, Rendering, Style

ATOMS = frozenset(
    "img input select textarea button video audio canvas svg object embed iframe hr meter progress "
    "picture math".split()
)
"""Elements that are seen as one thing, whatever stands in them."""


@dataclass(frozen=True, slots=True)
class View:
    """A visual element: a node with its box and its content."""

    number: int
    """The number of its node."""
    tag: str
    """Of a text, the tag of the element around it."""
    kind: str
    """What it is: text, link, image, field, or container."""
    box: Box
    style: Style
    text: str
    depth: int


def leaves(rendering: Rendering) -> list[View]:
    """The visible leaves of a page, in document order."""
    found: list[View] = []
    depths = _depths(rendering)
    links = _inside(rendering, "a")
    number = 0
    while number < len(rendering.nodes):
        node = rendering.nodes[number]
        is_atom = node.tag in ATOMS
        if node.visible and (is_atom or node.tag == TEXT):
            found.append(_leaf(rendering, node, depths[number], is_link=links[number]))
        number = rendering.ends[number] if is_atom else number + 1
    return found


def container(rendering: Rendering, number: int, depth: int) -> View | None:
    """A node as a view, its box drawn around what is visible in it; None if nothing is."""
    node = rendering.nodes[number]
    if node.tag == TEXT or node.tag in ATOMS:
        is_link = any(a.tag == "a" for a in _ancestors(rendering, number))
        return _leaf(rendering, node, depth, is_link=is_link) if node.visible else None
    seen = [inner for inner in rendering.subtree(number) if inner.visible]
    if not any(inner.tag == TEXT or inner.tag in ATOMS for inner in seen):
        return None
    box = node.box if node.visible else around(inner.box for inner in seen)
    text = " ".join(inner.text.strip() for inner in seen if inner.text)
    return View(number, node.tag, "container", box or node.box, node.style, text, depth)


def _leaf(rendering: Rendering, node: Node, depth: int, *, is_link: bool) -> View:
    if node.tag == TEXT:
        tag = rendering.nodes[node.parent].tag
        kind = "link" if is_link else "text"
        return View(node.number, tag, kind, node.box, node.style, node.text.strip(), depth)
    kind = "image" if node.tag in {"img", "svg", "canvas", "picture", "video"} else "field"
    text = node.attribute("alt") or node.attribute("value") or node.attribute("placeholder")
    return View(node.number, node.tag, kind, node.box, node.style, text.strip(), depth)


def _depths(rendering: Rendering) -> list[int]:
    depths: list[int] = []
    for node in rendering.nodes:
        depths.append(depths[node.parent] + 1 if node.parent >= 0 else 0)
    return depths


def _inside(rendering: Rendering, tag: str) -> list[bool]:
    inside: list[bool] = []
    for node in rendering.nodes:
        inside.append(node.tag == tag or (node.parent >= 0 and inside[node.parent]))
    return inside


def _ancestors(rendering: Rendering, number: int) -> list[Node]:
    found: list[Node] = []
    while number >= 0:
        found.append(rendering.nodes[number])
        number = rendering.nodes[number].parent
    return found
