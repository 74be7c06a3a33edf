"""What can be a block: elements with visible content, wrappers and what they wrap as one.

Elements that hold the same leaves look the same; the innermost stands for all of them: of marked
blocks with wrappers, people pointed at the innermost four times out of five. The candidates of a
page are a tree, much flatter than the tree of its elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.visual.boxes import around
from sitewright.visual.rendering import TEXT
from sitewright.visual.views import leaves

if TYPE_CHECKING:
    from sitewright.visual.boxes import Box
    from sitewright.visual.rendering import Node, Rendering
    from sitewright.visual.views import View


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A part of the page that could be a block."""

    place: int
    """Its place in the list of candidates: parents come before their children."""
    parent: int
    """The place of the candidate around it, -1 for the whole page."""
    depth: int
    nodes: tuple[Node, ...]
    """The elements that hold just this content, outermost first."""
    leaves: tuple[View, ...]
    box: Box
    """Around what is visible in it."""

    @property
    def outermost(self) -> Node:
        """The outermost element, below the body where there is one."""
        below = (node for node in self.nodes if node.tag not in {"html", "body"})
        return next(below, self.nodes[0])

    @property
    def node(self) -> Node:
        """The element that stands for it: the innermost, which fits it best."""
        return self.nodes[-1]


def candidates(rendering: Rendering) -> list[Candidate]:
    """All candidates of a page, in document order; none if nothing is visible."""
    content = leaves(rendering)
    spans = _spans(rendering, {leaf.number for leaf in content})
    groups: dict[tuple[int, int], list[Node]] = {}
    for node in rendering.nodes:
        low, high = spans[node.number]
        if high > low and node.tag != TEXT:
            groups.setdefault((low, high), []).append(node)
    found: list[Candidate] = []
    enclosing: list[Candidate] = []
    for (low, high), nodes in groups.items():
        while enclosing and nodes[0].number >= rendering.ends[enclosing[-1].nodes[0].number]:
            enclosing.pop()
        inside = tuple(content[low:high])
        box = around(leaf.box for leaf in inside) or nodes[0].box
        parent = enclosing[-1].place if enclosing else -1
        part = Candidate(len(found), parent, len(enclosing), tuple(nodes), inside, box)
        found.append(part)
        enclosing.append(part)
    return found


def _spans(rendering: Rendering, content: set[int]) -> list[tuple[int, int]]:
    """For each node the range of leaves in it."""
    before = [0]
    for node in rendering.nodes:
        before.append(before[-1] + (node.number in content))
    return [(before[number], before[end]) for number, end in enumerate(rendering.ends)]
