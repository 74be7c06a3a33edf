"""Our correspondence: containers first, anchors before all, and small exact problems.

The paper's association graph of all leaves has up to 250,000 vertices. Here the two pages are
walked from the top: inside two containers that correspond, the children are aligned in their order,
so that the pairs are as alike as possible in what they are made of, what they say and where they
stand. Texts that each page has once are anchors: they correspond, and little may contradict them.
What the order leaves over inside two matched containers is a small association graph, solved as in
the paper.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sitewright.choices import Choice
from sitewright.page.rendering import around as box_around
from sitewright.settings import current
from sitewright.visual.association import association_graph, maximum_clique
from sitewright.visual.elements import Correspondence, block_candidates, container, leaves
from sitewright.visual.roles import HEADINGS
from sitewright.visual.segmentation import GRANULARITY, segment
from sitewright.visual.visible_tree import align, build_visible_tree, longest_rising, similarity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sitewright.page.rendering import Box, Rendering
    from sitewright.visual.elements import BlockCandidate, VisualElement
    from sitewright.visual.visible_tree import VisibleTree


_MOST_CELLS = 1_000_000
"""Pairs of children that are compared in two containers; longer lists are paired in step."""
_STEPS = 2_000


class MatchMethod(Choice):
    """Which algorithm matches two pages."""

    DEFAULT = "default"
    """Ours."""
    PAPER = "paper"
    """The paper's, from the top down."""
    PAPER_LEAVES = "paper-leaves"
    """The paper's, over the leaves alone."""


def match_blocks(first: Rendering, second: Rendering) -> Correspondence:
    """Our own method."""
    return _Matching(build_visible_tree(first), build_visible_tree(second)).run()


class _Matching:
    """Two pages under comparison, and the pairs found so far."""

    def __init__(self, first: VisibleTree, second: VisibleTree) -> None:
        self._a, self._b = first, second
        self._anchors = _anchors(first, second)
        self._anchored_b = sorted(b for _, b in self._anchors)
        self._to_b = dict(self._anchors)
        self._shared_texts = first.texts[0] & second.texts[0]
        self._optimal = True

    def run(self) -> Correspondence:
        pairs: list[tuple[int, int]] = []
        waiting = [(0, 0)]
        while waiting:
            a, b = waiting.pop()
            pairs.append((a, b))
            waiting.extend(self._inside(a, b))
        return Correspondence(tuple(sorted(pairs)), self._optimal)

    def _inside(self, a: int, b: int) -> list[tuple[int, int]]:
        """The pairs of children of two containers that correspond."""
        left, right = self._a.children[a], self._b.children[b]
        if not left or not right:
            return []
        if self._a.is_running_text(a) and self._b.is_running_text(b):
            return self._inside_text(left, right)
        if len(left) * len(right) > _MOST_CELLS:
            return self._in_step(left, right)
        scores = self._scores(left, right)
        aligned = [(left[i], right[j]) for i, j in align(scores)]
        return aligned + self._left_over(a, b, aligned)

    def _in_step(self, left: list[int], right: list[int]) -> list[tuple[int, int]]:
        """Pair very long lists child by child, each tag for itself."""
        waiting: dict[str, list[int]] = {}
        for number in reversed(right):
            waiting.setdefault(self._b.tag(number), []).append(number)
        partners = ((a, waiting.get(self._a.tag(a))) for a in left)
        return [(a, numbers.pop()) for a, numbers in partners if numbers]

    def _inside_text(self, left: list[int], right: list[int]) -> list[tuple[int, int]]:
        """Pair the pieces of two running texts that are built alike, else those that are alike."""
        if [self._a.tag(n) for n in left] == [self._b.tag(n) for n in right]:
            return list(zip(left, right, strict=True))
        same = np.array([[self._a.texts[x] == self._b.texts[y] for y in right] for x in left])
        scores = np.where(same & self._same_tags(left, right), 1.0, 0.0)
        return [(left[i], right[j]) for i, j in align(scores)]

    def _scores(self, left: list[int], right: list[int]) -> NDArray[np.float64]:
        """How well each child of one fits each child of the other; 0 where it does not."""
        settings = current().visual
        shapes = similarity([self._a.shapes[n] for n in left], [self._b.shapes[n] for n in right])
        fine = similarity(
            [self._a.text_styles[n] for n in left], [self._b.text_styles[n] for n in right]
        )
        texts = similarity(
            [self._a.texts[n] & self._shared_texts for n in left],
            [self._b.texts[n] & self._shared_texts for n in right],
        )
        agreeing, contradicting = self._anchoring(left, right)
        fits = self._same_tags(left, right)
        fits &= contradicting <= agreeing + self._slack(left, right)
        fits &= (shapes >= settings.min_shape_similarity) | (texts > 0.5) | (agreeing > 0)
        score = (
            0.2 + shapes + fine + texts + 0.3 * self._near(left, right) + np.minimum(agreeing, 3)
        )
        return np.where(fits, score, 0.0)

    def _same_tags(self, left: list[int], right: list[int]) -> NDArray[np.bool_]:
        tags_a = np.array([self._a.tag(n) for n in left])
        tags_b = np.array([self._b.tag(n) for n in right])
        same: NDArray[np.bool_] = np.equal(tags_a[:, None], tags_b[None, :])
        return same

    def _near(self, left: list[int], right: list[int]) -> NDArray[np.bool_]:
        """Which children stand in the same column: pages grow downwards, not sideways."""
        settings = current().visual
        x_a = np.array([self._a.rendering.nodes[n].box.lx for n in left])
        x_b = np.array([self._b.rendering.nodes[n].box.lx for n in right])
        near: NDArray[np.bool_] = np.abs(x_a[:, None] - x_b[None, :]) <= settings.max_shift
        return near

    def _anchoring(
        self, left: list[int], right: list[int]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many anchors each pair of children has in common, and how many speak against it."""
        agreeing = np.zeros((len(left), len(right)), dtype=np.int64)
        places = {b: j for j, number in enumerate(right) for b in self._anchored_in_b(number)}
        totals_b = np.bincount(list(places.values()), minlength=len(right))
        totals_a = np.zeros(len(left), dtype=np.int64)
        for i, number in enumerate(left):
            for a in self._anchored_in_a(number):
                totals_a[i] += 1
                if (j := places.get(self._to_b[a])) is not None:
                    agreeing[i, j] += 1
        contradicting = totals_a[:, None] + totals_b[None, :] - 2 * agreeing
        return agreeing, contradicting

    def _slack(self, left: list[int], right: list[int]) -> NDArray[np.float64]:
        """How many anchors may speak against a pair: in large parts some are chance."""
        settings = current().visual
        sizes_a = np.array([len(self._a.texts[n]) for n in left])
        sizes_b = np.array([len(self._b.texts[n]) for n in right])
        slack: NDArray[np.float64] = settings.max_contradicting_share * np.minimum(
            sizes_a[:, None], sizes_b[None, :]
        )
        return slack

    def _anchored_in_a(self, number: int) -> list[int]:
        return _between([a for a, _ in self._anchors], number, self._a.rendering.ends[number])

    def _anchored_in_b(self, number: int) -> list[int]:
        return _between(self._anchored_b, number, self._b.rendering.ends[number])

    def _left_over(self, a: int, b: int, aligned: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Match exactly the leaves in children that found no partner in their order."""
        settings = current().visual
        taken_a, taken_b = {x for x, _ in aligned}, {y for _, y in aligned}
        left = _leaves_of(self._a, [n for n in self._a.children[a] if n not in taken_a])
        right = _leaves_of(self._b, [n for n in self._b.children[b] if n not in taken_b])
        if not left or not right or max(len(left), len(right)) > settings.max_exact_leaves:
            return []
        associated = association_graph(left, right)
        alike = [
            place
            for place, (x, y) in enumerate(associated.pairs)
            if left[x].text == right[y].text and left[x].text
        ]
        clique = maximum_clique(_part(associated.graph, alike), step_limit=_STEPS)
        self._optimal &= clique.optimal
        chosen = (associated.pairs[alike[place]] for place in clique.vertices)
        return [(left[x].number, right[y].number) for x, y in chosen]


def _anchors(first: VisibleTree, second: VisibleTree) -> list[tuple[int, int]]:
    """Leaves that say the same, once in each page and in the same column, in the order of both.

    Where few of the texts at a path are in both pages, they are data, and equal by chance.
    """
    settings = current().visual
    shared = first.anchors.keys() & second.anchors.keys()
    here, there, common = (
        Counter(path for path, _ in keys) for keys in (first.anchors, second.anchors, shared)
    )
    pairs = sorted(
        (first.anchors[path, text], second.anchors[path, text])
        for path, text in shared
        if common[path] >= settings.min_shared_texts * min(here[path], there[path])
    )
    near = [(a, b) for a, b in pairs if abs(_x(first, a) - _x(second, b)) <= settings.max_shift]
    return [near[place] for place in longest_rising([b for _, b in near])]


def _x(page: VisibleTree, number: int) -> int:
    return page.rendering.nodes[number].box.lx


def _between(numbers: Sequence[int], low: int, high: int) -> list[int]:
    return list(numbers[bisect_left(numbers, low) : bisect_left(numbers, high)])


def _leaves_of(page: VisibleTree, numbers: Sequence[int]) -> list[VisualElement]:
    inside = (range(number, page.rendering.ends[number]) for number in numbers)
    return [page.leaves[n] for part in inside for n in part if n in page.leaves]


def _part(graph: Sequence[int], vertices: Sequence[int]) -> list[int]:
    """The graph of some of the vertices, renumbered."""
    return [
        sum(1 << place for place, other in enumerate(vertices) if graph[vertex] >> other & 1)
        for vertex in vertices
    ]


# Pairs of blocks: a correspondence of nodes, told in blocks that a person would name.


@dataclass(frozen=True, slots=True)
class BlockPair:
    """Two parts of two pages that play the same part."""

    number: int
    """From 1, in the order of the first page."""
    role: str
    first: VisualElement
    second: VisualElement
    first_path: str
    second_path: str

    def as_json(self) -> dict[str, Any]:
        """A flat object: what ends in `_a` is of the first page, in `_b` of the second."""
        found: dict[str, Any] = {"number": self.number, "role": self.role}
        for end, view, path in (
            ("a", self.first, self.first_path),
            ("b", self.second, self.second_path),
        ):
            box = view.box
            found |= {
                f"path_{end}": path, f"text_{end}": view.text,
                f"lx_{end}": box.lx, f"ly_{end}": box.ly,
                f"dx_{end}": box.dx, f"dy_{end}": box.dy,
            }  # fmt: skip
        return found


def block_pairs(
    first: Rendering,
    second: Rendering,
    correspondence: Correspondence,
    *,
    granularity: float = GRANULARITY,
) -> list[BlockPair]:
    """The blocks of the first page that correspond to something in the second.

    Their boxes are around what can be seen in them, and around the headings that stand above them.
    """
    partners = dict(correspondence.pairs)
    parts = {part.node.number: part for part in block_candidates(first)}
    others = {node.number: part for part in block_candidates(second) for node in part.nodes}
    seen = leaves(first), {leaf.number: leaf for leaf in leaves(second)}
    pairs: list[BlockPair] = []
    for block in segment(first, granularity=granularity):
        part = parts[block.node]
        same = (node.number for node in reversed(part.nodes))
        matched = next((number for number in same if number in partners), None)
        if matched is None:
            continue
        number = len(pairs) + 1
        for pair in _pairs(first, second, [(block.role.value, matched, partners[matched])]):
            other = others.get(partners[matched])
            above = [leaf.number for leaf in seen[0] if _heads(leaf, block.box, part)]
            heads = [seen[1][partners[one]].box for one in above if partners.get(one) in seen[1]]
            seen_box = box_around([other.box if other else pair.second.box, *heads])
            pairs.append(
                replace(
                    pair,
                    number=number,
                    first=replace(pair.first, box=block.box),
                    second=replace(pair.second, box=seen_box or pair.second.box),
                )
            )
    return pairs


def _heads(leaf: VisualElement, box: Box, part: BlockCandidate) -> bool:
    """Whether a leaf is a heading that a block has from outside of its element."""
    inside = box.ly <= leaf.box.ly and leaf.box.bottom <= part.box.ly + 2
    return leaf.tag in HEADINGS and inside and box.lx <= leaf.box.lx < box.right


def leaf_pairs(
    first: Rendering, second: Rendering, correspondence: Correspondence
) -> list[BlockPair]:
    """The leaves that correspond."""
    kinds = {leaf.number: leaf.kind for leaf in leaves(first)}
    found = [(kinds[a], a, b) for a, b in correspondence.pairs if a in kinds]
    return _pairs(first, second, found)


def node_pairs(
    first: Rendering, second: Rendering, correspondence: Correspondence
) -> list[BlockPair]:
    """All pairs, whatever they are."""
    found = [(first.nodes[a].tag, a, b) for a, b in correspondence.pairs]
    return _pairs(first, second, found)


def _pairs(
    first: Rendering, second: Rendering, found: list[tuple[str, int, int]]
) -> list[BlockPair]:
    pairs: list[BlockPair] = []
    for role, a, b in found:
        view_a, view_b = container(first, a, 0), container(second, b, 0)
        if view_a is not None and view_b is not None:
            number = len(pairs) + 1
            pairs.append(BlockPair(number, role, view_a, view_b, first.paths[a], second.paths[b]))
    return pairs
