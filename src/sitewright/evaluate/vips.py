"""The rules of VIPS (Cai, Yu, Wen and Ma, 2003), as they are commonly described: a baseline.

Its first step, visual block extraction: starting from the whole page, a node is divided or taken as
a block by the first of thirteen rules that applies; which of them are asked depends on its tag. The
later steps (separators and their weights) put these blocks together again; what they give is not
made of elements, so it could not be scored here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.page.rendering import TEXT
from sitewright.visual.elements import ATOMS

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from sitewright.page.rendering import RenderedNode, Rendering

    RuleAnswer: TypeAlias = bool | None
    """Divide it, do not, or this rule does not apply."""


RULES_FOR = {
    "inline": (1, 2, 3, 4, 5, 6, 8, 9, 11, 12),
    "table": (1, 2, 3, 7, 8, 10, 13),
    "tr": (1, 2, 3, 7, 8, 10, 13),
    "td": (1, 2, 3, 4, 9, 10, 11, 13),
    "p": (1, 2, 3, 4, 5, 6, 7, 9, 10, 12),
    "other": (1, 2, 3, 4, 6, 8, 9, 11, 12),
}
"""Which rules are asked for which tags, in this order; lists without a last word end in 12."""
SIZE = 0.05
"""The share of the page below which a node is small; 0.01 to 0.1 differ little."""


def vips_blocks(rendering: Rendering, *, size: float = SIZE) -> list[int]:
    """The blocks that the rules extract, as numbers of nodes, in document order."""
    return sorted(_Extraction(rendering, size).run())


class _Extraction:
    """One page on its way into blocks."""

    def __init__(self, rendering: Rendering, size: float) -> None:
        self._page = rendering
        self._small = size * max(1, rendering.width * rendering.height)
        self._valid = _valid(rendering)
        self._divided: set[int] = set()
        self._kept_whole: set[int] = set()
        self._rules: dict[int, Callable[[RenderedNode, list[RenderedNode]], RuleAnswer]] = {
            1: lambda node, children: False if node.tag in ATOMS or not children else None,
            2: lambda _, children: True if _is_one_element(children) else None,
            3: lambda node, _: True if node.tag in {"html", "body"} else None,
            4: lambda _, children: False if all(map(self._is_virtual_text, children)) else None,
            5: lambda _, children: True if any(map(_breaks_line, children)) else None,
            6: lambda _, children: True if any(child.tag == "hr" for child in children) else None,
            7: lambda node, children: True if _area(children) > node.box.area else None,
            8: self._other_background,
            9: self._small_with_text,
            10: lambda _, children: False if self._all_small(children) else None,
            11: self._like_its_sibling,
            12: lambda _node, _children: True,
            13: lambda _node, _children: False,
        }

    def run(self) -> list[int]:
        blocks: list[int] = []
        waiting = [0] if self._page.nodes else []
        while waiting:
            number = waiting.pop()
            if self._divides(self._page.nodes[number]):
                self._divided.add(number)
                waiting.extend(child.number for child in reversed(self._children(number)))
            elif self._page.nodes[number].tag != TEXT:
                blocks.append(number)
        return blocks

    def _children(self, number: int) -> list[RenderedNode]:
        return [self._page.nodes[n] for n in self._page.children[number] if self._valid[n]]

    def _divides(self, node: RenderedNode) -> bool:
        if node.tag == TEXT or node.number in self._kept_whole:
            return False
        kind = "inline" if node.style.is_inline else node.tag
        children = self._children(node.number)
        for rule in RULES_FOR.get(kind, RULES_FOR["other"]):
            verdict = self._rules[rule](node, children)
            if verdict is not None:
                return verdict
        return False

    def _is_virtual_text(self, node: RenderedNode) -> bool:
        """A text, or an inline element with nothing but virtual text in it (the term of VIPS)."""
        if node.tag == TEXT:
            return True
        if node.tag in ATOMS or not node.style.is_inline:
            return False
        return all(map(self._is_virtual_text, self._children(node.number)))

    def _other_background(self, node: RenderedNode, children: list[RenderedNode]) -> RuleAnswer:
        """Rule 8: divide, and keep the children with other backgrounds whole in this round."""
        painted = [
            child.number
            for child in children
            if child.style.has_own_background and child.style.background != node.style.background
        ]
        self._kept_whole.update(painted)
        return True if painted else None

    def _small_with_text(self, node: RenderedNode, children: list[RenderedNode]) -> RuleAnswer:
        has_text = any(map(self._is_virtual_text, children))
        return False if has_text and node.box.area < self._small else None

    def _all_small(self, children: list[RenderedNode]) -> bool:
        return max(child.box.area for child in children) < self._small

    def _like_its_sibling(self, node: RenderedNode, _: list[RenderedNode]) -> RuleAnswer:
        """Rule 11: what stands before it in its parent was not divided, so it is not either."""
        siblings = [sibling.number for sibling in self._children(max(node.parent, 0))]
        place = siblings.index(node.number) if node.number in siblings else 0
        return False if place > 0 and siblings[place - 1] not in self._divided else None


def _valid(rendering: Rendering) -> list[bool]:
    """Which nodes are valid in the sense of VIPS: seen in the browser, or around such."""
    valid = [node.visible and (node.tag == TEXT or node.tag in ATOMS) for node in rendering.nodes]
    for node in reversed(rendering.nodes):
        if node.parent >= 0 and valid[node.number]:
            valid[node.parent] = True
    return valid


def _is_one_element(children: list[RenderedNode]) -> bool:
    return len(children) == 1 and children[0].tag != TEXT


def _breaks_line(node: RenderedNode) -> bool:
    return node.tag != TEXT and not node.style.is_inline and node.tag not in ATOMS


def _area(nodes: list[RenderedNode]) -> int:
    return sum(node.box.area for node in nodes)
