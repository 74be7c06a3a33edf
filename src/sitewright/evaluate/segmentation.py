"""How well blocks agree with blocks that people marked.

A block is a node of the rendered page. Its content is the characters of the texts in it; an image
or a field counts as `IMAGE` characters, so that blocks without words count too. Measured are:
the same node; the same node but for wrappers, that is, the same content exactly; the same content
to 0.8 (twice what is shared over the sum of both); and B-cubed over characters, where the
characters of a page are clustered by the smallest block around them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.visual.views import ATOMS, leaves

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sitewright.visual.rendering import Rendering

IMAGE = 20
"""How many characters an image is worth."""
FUZZY = 0.8


@dataclass(frozen=True, slots=True)
class Counts:
    """How many blocks were marked, found, and found rightly."""

    expected: int
    found: int
    correct: int

    @property
    def precision(self) -> float:
        """Of the blocks found, how many were marked."""
        return self.correct / self.found if self.found else float(not self.expected)

    @property
    def recall(self) -> float:
        """Of the blocks marked, how many were found."""
        return self.correct / self.expected if self.expected else float(not self.found)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return harmonic(self.precision, self.recall)


@dataclass(frozen=True, slots=True)
class SegmentationScore:
    """The measures of one page."""

    same_node: Counts
    exact: Counts
    fuzzy: Counts
    bcubed_precision: float
    bcubed_recall: float

    @property
    def bcubed_f1(self) -> float:
        """The harmonic mean of both B-cubed measures."""
        return harmonic(self.bcubed_precision, self.bcubed_recall)


def harmonic(first: float, second: float) -> float:
    """The harmonic mean of two shares."""
    return 2 * first * second / (first + second) if first + second else 0.0


def score_blocks(
    rendering: Rendering, found: Collection[int], marked: Collection[int]
) -> SegmentationScore:
    """Score the blocks that were found against those that were marked, as numbers of nodes."""
    weights = content_weights(rendering)
    contents_found = {node: _content(rendering, weights, node) for node in found}
    contents_marked = {node: _content(rendering, weights, node) for node in marked}
    return SegmentationScore(
        Counts(len(set(marked)), len(set(found)), len(set(marked) & set(found))),
        _matched(contents_found, contents_marked, weights, 1.0),
        _matched(contents_found, contents_marked, weights, FUZZY),
        *_bcubed(_smallest(contents_found, weights), _smallest(contents_marked, weights), weights),
    )


def content_weights(rendering: Rendering) -> dict[int, int]:
    """The leaves of a page with the characters that each is worth."""
    return {
        leaf.number: IMAGE if rendering.nodes[leaf.number].tag in ATOMS else len(leaf.text)
        for leaf in leaves(rendering)
    }


def _content(rendering: Rendering, weights: Mapping[int, int], node: int) -> frozenset[int]:
    return frozenset(n for n in range(node, rendering.ends[node]) if n in weights)


def _matched(
    found: Mapping[int, frozenset[int]],
    marked: Mapping[int, frozenset[int]],
    weights: Mapping[int, int],
    least: float,
) -> Counts:
    """Pair blocks one to one, the most alike first; equal contents are one block.

    A block in which nothing is visible cannot be found by looking: it does not count.
    """
    contents_a = sorted({content for content in found.values() if content}, key=sorted)
    contents_b = sorted({content for content in marked.values() if content}, key=sorted)
    alike = [
        (-_likeness(a, b, weights), i, j)
        for i, a in enumerate(contents_a)
        for j, b in enumerate(contents_b)
    ]
    used_a: set[int] = set()
    used_b: set[int] = set()
    for unlikeness, i, j in sorted(alike):
        if -unlikeness >= least and i not in used_a and j not in used_b:
            used_a.add(i)
            used_b.add(j)
    return Counts(len(contents_b), len(contents_a), len(used_a))


def _likeness(first: frozenset[int], second: frozenset[int], weights: Mapping[int, int]) -> float:
    total = sum(map(weights.__getitem__, first)) + sum(map(weights.__getitem__, second))
    shared = sum(map(weights.__getitem__, first & second))
    return 2 * shared / total if total else float(first == second)


def _smallest(contents: Mapping[int, frozenset[int]], weights: Mapping[int, int]) -> dict[int, int]:
    """For each leaf the smallest block around it; -1 where there is none."""
    around = dict.fromkeys(weights, -1)
    for node in sorted(contents, key=lambda node: (-len(contents[node]), node)):
        around.update(dict.fromkeys(contents[node], node))
    return around


def _bcubed(
    found: Mapping[int, int], marked: Mapping[int, int], weights: Mapping[int, int]
) -> tuple[float, float]:
    """B-cubed precision and recall of two clusterings of the characters of a page."""
    sizes_found: Counter[int] = Counter()
    sizes_marked: Counter[int] = Counter()
    shared: Counter[tuple[int, int]] = Counter()
    for leaf, weight in weights.items():
        sizes_found[found[leaf]] += weight
        sizes_marked[marked[leaf]] += weight
        shared[found[leaf], marked[leaf]] += weight
    total = sum(weights.values())
    if not total:
        return 1.0, 1.0
    precision = sum(n * n / sizes_found[f] for (f, _), n in shared.items() if n) / total
    recall = sum(n * n / sizes_marked[m] for (_, m), n in shared.items() if n) / total
    return precision, recall
