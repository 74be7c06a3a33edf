"""How well a correspondence of two pages agrees with the ids and classes that their author gave.

The matcher never sees ids and classes. A leaf's part in its page follows from its ancestors':
labels that only one of the two pages has (the id of this very page, the mark of the current item)
say nothing, and cells of tables are told apart by their columns. Two leaves with one part are a
correct pair; where a part occurs several times (the rows of a list), any may stand for any other.

How many pairs there are to find is not the number of leaves with equal parts: of ten entries with
two links each and three entries with five, six links can be paired, not fifteen. So it is computed:
the most leaves that can be paired in the order of both pages, with equal parts, inside pairs of
containers.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from sitewright.methods import match
from sitewright.visual.elements import leaves
from sitewright.visual.visible_tree import align, build_visible_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitewright.page.rendering import Rendering
    from sitewright.visual.visible_tree import VisibleTree


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
class PageParts:
    """What each node of a page is called, and what the things that correspond are."""

    page: VisibleTree
    steps: tuple[str, ...]
    """The tag of each node with the labels that both pages have."""
    named: Mapping[int, str]
    """The steps from the root to each thing that has a labelled ancestor."""
    units: Mapping[int, int]
    """For each leaf the thing that it counts as: itself, or the running text that it is in."""


def score_pairs(
    pairs: Iterable[tuple[int, int]], first: PageParts, second: PageParts
) -> MatchingScore:
    """Score the pairs of things of which at least one has a part."""
    compared = [
        (a, b)
        for a, b in paired_things(pairs, first, second)
        if a in first.named or b in second.named
    ]
    correct = sum(first.named.get(a) == second.named.get(b) for a, b in compared)
    return MatchingScore(most_pairs(first, second), len(compared), correct)


def paired_things(
    pairs: Iterable[tuple[int, int]], first: PageParts, second: PageParts
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


def most_pairs(first: PageParts, second: PageParts, a: int = 0, b: int = 0) -> int:
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


def leaf_parts(first: Rendering, second: Rendering) -> tuple[PageParts, PageParts]:
    """The parts of what a reader sees as one: running texts, other texts, images, fields."""
    shared = _labels(first) & _labels(second)
    page_a, page_b = build_visible_tree(first), build_visible_tree(second)
    return _parts(page_a, shared, page_a.wholes), _parts(page_b, shared, page_b.wholes)


def fragment_parts(first: Rendering, second: Rendering) -> tuple[PageParts, PageParts]:
    """The parts of every leaf of the tree, the words inside running texts included."""
    shared = _labels(first) & _labels(second)
    page_a, page_b = build_visible_tree(first), build_visible_tree(second)
    each_a, each_b = ({leaf: leaf for leaf in page.leaves} for page in (page_a, page_b))
    return _parts(page_a, shared, each_a), _parts(page_b, shared, each_b)


def _labels(rendering: Rendering) -> set[str]:
    return {label for node in rendering.nodes for label in _own_labels(dict(node.attributes))}


def _own_labels(attributes: Mapping[str, str]) -> list[str]:
    names = sorted(set(attributes.get("class", "").split()))
    identity = attributes.get("id", "")
    return [f".{name}" for name in names] + ([f"#{identity}"] if identity else [])


def _parts(page: VisibleTree, shared: set[str], units: Mapping[int, int]) -> PageParts:
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
    return PageParts(page, tuple(steps), named, units)


# Matching on pairs of pages of one class: each method on the same renderings, in one run.


@dataclass(frozen=True, slots=True)
class PagePair:
    """Two pages of one class, rendered."""

    name: str
    first: Rendering
    second: Rendering


@dataclass(frozen=True, slots=True)
class MatchingResult:
    """How a method did on one pair of pages."""

    encounter: PagePair
    seconds: float
    optimal: bool
    leaves: MatchingScore
    fragments: MatchingScore


def sampled_pairs(
    classes: Mapping[str, Sequence[str]], *, pairs: int, seed: int
) -> list[tuple[str, str, str]]:
    """Class and two pages of it, drawn at random, no page twice where there are enough."""
    chance = random.Random(seed)  # noqa: S311 - a sample is no secret
    drawn: list[tuple[str, str, str]] = []
    for name in sorted(classes):
        pages = sorted(classes[name])
        chance.shuffle(pages)
        couples = zip(pages[::2], pages[1::2], strict=False)
        drawn += [(name, a, b) for a, b in list(couples)[:pairs]]
    return drawn


def run_method(encounter: PagePair, method: str) -> MatchingResult:
    """Match two pages and compare with what their ids and classes say."""
    begin = time.perf_counter()
    found = match(encounter.first, encounter.second, method=method)
    seconds = time.perf_counter() - begin
    whole = leaf_parts(encounter.first, encounter.second)
    small = fragment_parts(encounter.first, encounter.second)
    return MatchingResult(
        encounter,
        seconds,
        found.optimal,
        score_pairs(found.pairs, *whole),
        score_pairs(found.pairs, *small),
    )


def rows(method: str, results: Sequence[MatchingResult]) -> list[dict[str, Any]]:
    """A row for each class, and one for all."""
    by_class: dict[str, list[MatchingResult]] = defaultdict(list)
    for result in results:
        by_class[result.encounter.name].append(result)
    named = [*sorted(by_class.items()), ("all", list(results))]
    return [_row(method, name, part) for name, part in named if part]


def _row(method: str, name: str, results: Sequence[MatchingResult]) -> dict[str, Any]:
    sizes = [
        len(leaves(page))
        for result in results
        for page in (result.encounter.first, result.encounter.second)
    ]
    row: dict[str, Any] = {
        "method": method, "class": name, "pairs": len(results),
        "leaves": round(fmean(sizes)), "most_leaves": max(sizes),
        "seconds": round(fmean(result.seconds for result in results), 3),
        "most_seconds": round(max(result.seconds for result in results), 3),
        "optimal": sum(result.optimal for result in results),
    }  # fmt: skip
    for kind in ("leaves", "fragments"):
        scores = [getattr(result, kind) for result in results]
        expected, found, correct = (
            sum(getattr(score, count) for score in scores)
            for count in ("expected", "found", "correct")
        )
        prefix = "" if kind == "leaves" else "fragment_"
        row[f"{prefix}precision"] = round(correct / found, 4) if found else 1.0
        row[f"{prefix}recall"] = round(correct / expected, 4) if expected else 1.0
    return row
