"""Views: the visual elements of a page that are matched, with the features that pairs compare.

A leaf is what a reader sees as one thing: a text, an image, a field of a form. A container is an
element with something visible in it. Ids and classes are no features: they are not visual, and they
are the answer that matchers are measured against.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.page.rendering import TEXT, Box, around

if TYPE_CHECKING:
    from sitewright.page.rendering import RenderedNode, Rendering, Style


ATOMS = frozenset(
    "img input select textarea button video audio canvas svg object embed iframe hr meter progress "
    "picture math".split()
)
"""Elements that are seen as one thing, whatever stands in them."""


@dataclass(frozen=True, slots=True)
class VisualElement:
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


def leaves(rendering: Rendering) -> list[VisualElement]:
    """The visible leaves of a page, in document order."""
    found: list[VisualElement] = []
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


def container(rendering: Rendering, number: int, depth: int) -> VisualElement | None:
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
    return VisualElement(number, node.tag, "container", box or node.box, node.style, text, depth)


def _leaf(rendering: Rendering, node: RenderedNode, depth: int, *, is_link: bool) -> VisualElement:
    if node.tag == TEXT:
        tag = rendering.nodes[node.parent].tag
        kind = "link" if is_link else "text"
        return VisualElement(node.number, tag, kind, node.box, node.style, node.text.strip(), depth)
    kind = "image" if node.tag in {"img", "svg", "canvas", "picture", "video"} else "field"
    text = node.attribute("alt") or node.attribute("value") or node.attribute("placeholder")
    return VisualElement(node.number, node.tag, kind, node.box, node.style, text.strip(), depth)


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


def _ancestors(rendering: Rendering, number: int) -> list[RenderedNode]:
    found: list[RenderedNode] = []
    while number >= 0:
        found.append(rendering.nodes[number])
        number = rendering.nodes[number].parent
    return found


# What can be a block: elements with visible content, wrappers and what they wrap as one.
#
# Elements that hold the same leaves look the same; the innermost stands for all of them: of marked
# blocks with wrappers, people pointed at the innermost four times out of five. The candidates of a
# page are a tree, much flatter than the tree of its elements.


@dataclass(frozen=True, slots=True, eq=False)
class BlockCandidate:
    """A part of the page that could be a block."""

    place: int
    """Its place in the list of candidates: parents come before their children."""
    parent: int
    """The place of the candidate around it, -1 for the whole page."""
    depth: int
    nodes: tuple[RenderedNode, ...]
    """The elements that hold just this content, outermost first."""
    leaves: tuple[VisualElement, ...]
    box: Box
    """Around what is visible in it."""

    @property
    def outermost(self) -> RenderedNode:
        """The outermost element, below the body where there is one."""
        below = (node for node in self.nodes if node.tag not in {"html", "body"})
        return next(below, self.nodes[0])

    @property
    def node(self) -> RenderedNode:
        """The element that stands for it: the innermost, which fits it best."""
        return self.nodes[-1]


def block_candidates(rendering: Rendering) -> list[BlockCandidate]:
    """All candidates of a page, in document order; none if nothing is visible."""
    content = leaves(rendering)
    spans = _spans(rendering, {leaf.number for leaf in content})
    groups: dict[tuple[int, int], list[RenderedNode]] = {}
    for node in rendering.nodes:
        low, high = spans[node.number]
        if high > low and node.tag != TEXT:
            groups.setdefault((low, high), []).append(node)
    found: list[BlockCandidate] = []
    enclosing: list[BlockCandidate] = []
    for (low, high), nodes in groups.items():
        while enclosing and nodes[0].number >= rendering.ends[enclosing[-1].nodes[0].number]:
            enclosing.pop()
        inside = tuple(content[low:high])
        box = around(leaf.box for leaf in inside) or nodes[0].box
        parent = enclosing[-1].place if enclosing else -1
        part = BlockCandidate(len(found), parent, len(enclosing), tuple(nodes), inside, box)
        found.append(part)
        enclosing.append(part)
    return found


def _spans(rendering: Rendering, content: set[int]) -> list[tuple[int, int]]:
    """For each node the range of leaves in it."""
    before = [0]
    for node in rendering.nodes:
        before.append(before[-1] + (node.number in content))
    return [(before[number], before[end]) for number, end in enumerate(rendering.ends)]


@dataclass(frozen=True, slots=True)
class Correspondence:
    """Pairs of nodes that play the same part in two pages."""

    pairs: tuple[tuple[int, int], ...]
    """Numbers of nodes, in the order of the first page."""
    optimal: bool
    """Whether the answer is known to be the best; if not, it is the best that was found."""
