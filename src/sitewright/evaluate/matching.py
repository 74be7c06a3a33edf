"""How well a correspondence of two pages agrees with the ids and classes that their author gave.

The matcher never sees ids and classes. A leaf's part in its page is told by those of its ancestors:
labels that only one of the two pages has (the id of this very page, the mark of the current item)
say nothing, and cells of tables are told apart by their columns. Two leaves with one part are a
correct pair; where a part occurs several times (the rows of a list), any may stand for any other.

How many pairs there are to find is not the number of leaves with equal parts: of ten entries with
two links each and three entries with five, six links can be paired, not fifteen. So it is computed:
the most leaves that can be paired in the order of both pages, with equal parts, inside pairs of
containers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sitewright.visual.alignment import align
from sitewright.visual.anatomy import anatomy

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sitewright.visual.anatomy import Anatomy
    from sitewright.visual.rendering import Rendering

CELLS = frozenset({"td", "th"})


@dataclass(frozen=True, slots=True)
class MatchingScore:
    """Counts of leaves that have a part, and what follows from them."""

    expected: int
    found: int
    correct: int

    @property
    def precision(self) -> float:
        """Of the pairs found, how many play one part."""
        return self.correct / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Of the leaves that have a partner, how many got one."""
        return self.correct / self.expected if self.expected else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class Parts:
    """What each node of a page is called, and what the things that correspond are."""

    page: Anatomy
    steps: tuple[str, ...]
    """The tag of each node with the labels that both pages have."""
    named: Mapping[int, str]
    """The steps from the root to each thing that has a labelled ancestor."""
    units: Mapping[int, int]
    """For each leaf the thing that it counts as: itself, or the running text that it is in."""


def score_pairs(pairs: Iterable[tuple[int, int]], first: Parts, second: Parts) -> MatchingScore:
    """Score the pairs of things of which at least one has a part."""
    judged = [
        (a, b)
        for a, b in paired_things(pairs, first, second)
        if a in first.named or b in second.named
    ]
    correct = sum(first.named.get(a) == second.named.get(b) for a, b in judged)
    return MatchingScore(most_pairs(first, second), len(judged), correct)


def paired_things(
    pairs: Iterable[tuple[int, int]], first: Parts, second: Parts
) -> list[tuple[int, int]]:
    """The pairs of things; things that were not paired themselves are paired by their leaves."""
    given = list(pairs)
    things_a, things_b = set(first.units.values()), set(second.units.values())
    found = {a: b for a, b in given if a in things_a and b in things_b}
    taken = set(found.values())
    for a, b in given:
        thing_a, thing_b = first.units.get(a), second.units.get(b)
        if thing_a is None or thing_b is None or thing_a in found or thing_b in taken:
            continue
        found[thing_a] = thing_b
        taken.add(thing_b)
    return sorted(found.items())


def most_pairs(first: Parts, second: Parts, a: int = 0, b: int = 0) -> int:
    """The most things with parts that can be paired inside two containers that correspond."""
    if a in first.named or b in second.named:
        return int(first.named.get(a) == second.named.get(b))
    left, right = first.page.children[a], second.page.children[b]
    if not left or not right:
        return 0
    scores = np.zeros((len(left), len(right)))
    for i, x in enumerate(left):
        for j, y in enumerate(right):
            if first.steps[x] == second.steps[y]:
                scores[i, j] = most_pairs(first, second, x, y)
    return round(float(sum(scores[i, j] for i, j in align(scores))))


def leaf_parts(first: Rendering, second: Rendering) -> tuple[Parts, Parts]:
    """The parts of what a reader sees as one: running texts, other texts, images, fields."""
    shared = _labels(first) & _labels(second)
    page_a, page_b = anatomy(first), anatomy(second)
    return _parts(page_a, shared, page_a.wholes), _parts(page_b, shared, page_b.wholes)


def fragment_parts(first: Rendering, second: Rendering) -> tuple[Parts, Parts]:
    """The parts of every leaf of the tree, the words inside running texts included."""
    shared = _labels(first) & _labels(second)
    page_a, page_b = anatomy(first), anatomy(second)
    each_a, each_b = ({leaf: leaf for leaf in page.leaves} for page in (page_a, page_b))
    return _parts(page_a, shared, each_a), _parts(page_b, shared, each_b)


def _labels(rendering: Rendering) -> set[str]:
    return {label for node in rendering.nodes for label in _own_labels(dict(node.attributes))}


def _own_labels(attributes: Mapping[str, str]) -> list[str]:
    names = sorted(set(attributes.get("class", "").split()))
    identity = attributes.get("id", "")
    return [f".{name}" for name in names] + ([f"#{identity}"] if identity else [])


def _parts(page: Anatomy, shared: set[str], units: Mapping[int, int]) -> Parts:
    steps: list[str] = []
    paths: list[str] = []
    labelled: list[bool] = []
    columns: dict[int, int] = {}
    for node in page.rendering.nodes:
        labels = [label for label in _own_labels(dict(node.attributes)) if label in shared]
        column = ""
        if node.tag in CELLS:
            column = f"({columns.get(node.parent, 0)})"
            columns[node.parent] = columns.get(node.parent, 0) + 1
        steps.append(node.tag + "".join(labels) + column)
        has_parent = node.parent >= 0
        paths.append(f"{paths[node.parent]} {steps[-1]}" if has_parent else steps[-1])
        is_inside = node.tag not in {"html", "body"} and bool(labels)
        labelled.append(is_inside or (has_parent and labelled[node.parent]))
    named = {unit: paths[unit] for unit in units.values() if labelled[unit]}
    return Parts(page, tuple(steps), named, units)
