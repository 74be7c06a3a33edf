"""Correspondence as the paper has it: pairs that may correspond, and the largest set that fits.

`association_graph` is Algorithm 4 (MatchViews) up to its last line: a vertex is a pair of views
that meets the pair conditions, an edge joins two pairs that lie to each other in one page as they
do in the other. `match_views` takes its maximum clique. The paper applies it at the level of
leaves, or from the top down, where the children of matched containers are matched, depth by depth.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sitewright.visual.clique import maximum_clique
from sitewright.visual.relations import relation_codes
from sitewright.visual.views import container, leaves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.visual.rendering import Rendering
    from sitewright.visual.views import View

TOLERANCE = 5
"""Pixels within which two edges count as one."""
MAX_VERTICES = 6_000
"""Larger association graphs are cut, the most alike pairs kept: 250,000 vertices fit nowhere."""


@dataclass(frozen=True, slots=True)
class PairConditions:
    """What two views must have in common to be a pair at all (section 3: geometric features)."""

    size_ratio: float = 0.5
    """The smaller width over the larger, and the same for heights; texts may be of any width."""
    length_ratio: float = 0.1
    """The shorter text over the longer one."""

    def hold(self, first: View, second: View) -> bool:
        """Same tag, same type, comparable size, comparable content."""
        return (
            first.tag == second.tag
            and first.kind == second.kind
            and first.style.font_size == second.style.font_size
            and first.style.font_weight == second.style.font_weight
            and _ratio(first.box.dy, second.box.dy) >= self.size_ratio
            and (_is_text(first) or _ratio(first.box.dx, second.box.dx) >= self.size_ratio)
            and _ratio(len(first.text), len(second.text)) >= self.length_ratio
        )


@dataclass(frozen=True, slots=True)
class AssociationGraph:
    """Pairs of views as vertices, and for each the set of pairs that it is compatible with."""

    pairs: tuple[tuple[int, int], ...]
    """Places in the two lists of views."""
    graph: tuple[int, ...]
    complete: bool
    """Whether every pair that meets the conditions is a vertex."""


@dataclass(frozen=True, slots=True)
class Correspondence:
    """Pairs of nodes that play the same part in two pages."""

    pairs: tuple[tuple[int, int], ...]
    """Numbers of nodes, in the order of the first page."""
    optimal: bool
    """Whether the answer is known to be the best; if not, it is the best that was found."""


def association_graph(
    first: Sequence[View],
    second: Sequence[View],
    conditions: PairConditions | None = None,
    *,
    tolerance: int = TOLERANCE,
    max_vertices: int = MAX_VERTICES,
) -> AssociationGraph:
    """Algorithm 4, lines 1 to 14."""
    hold = (conditions or PairConditions()).hold
    pairs = [(a, b) for a, x in enumerate(first) for b, y in enumerate(second) if hold(x, y)]
    complete = len(pairs) <= max_vertices
    if not complete:
        pairs.sort(key=lambda pair: _unlikeness(first[pair[0]], second[pair[1]]))
        pairs = sorted(pairs[:max_vertices])
    return AssociationGraph(tuple(pairs), _edges(pairs, first, second, tolerance), complete)


def match_views(
    first: Sequence[View],
    second: Sequence[View],
    conditions: PairConditions | None = None,
    *,
    tolerance: int = TOLERANCE,
    time_limit: float = 10.0,
) -> Correspondence:
    """Algorithm 4: the maximum clique of the association graph."""
    associated = association_graph(first, second, conditions, tolerance=tolerance)
    clique = maximum_clique(associated.graph, time_limit=time_limit)
    chosen = (associated.pairs[vertex] for vertex in clique.vertices)
    pairs = tuple(sorted((first[a].number, second[b].number) for a, b in chosen))
    return Correspondence(pairs, clique.optimal and associated.complete)


def match_leaves(
    first: Rendering,
    second: Rendering,
    *,
    tolerance: int = TOLERANCE,
    time_limit: float = 10.0,
) -> Correspondence:
    """The paper's first way (section 5): all leaves of one page against all of the other."""
    return match_views(leaves(first), leaves(second), tolerance=tolerance, time_limit=time_limit)


def match_top_down(
    first: Rendering,
    second: Rendering,
    *,
    tolerance: int = TOLERANCE,
    time_limit: float = 10.0,
) -> Correspondence:
    """The paper's second way: depth by depth, and only inside containers that correspond."""
    deadline = time.perf_counter() + time_limit
    matched: list[tuple[int, int]] = [(0, 0)]
    optimal = True
    depth = 1
    level = list(matched)
    while level:
        following: list[tuple[int, int]] = []
        for a, b in level:
            left = max(0.05, deadline - time.perf_counter())
            inside = match_views(
                _children(first, a, depth), _children(second, b, depth),
                tolerance=tolerance, time_limit=left,
            )  # fmt: skip
            optimal &= inside.optimal
            following.extend(inside.pairs)
        matched.extend(following)
        level, depth = following, depth + 1
    return Correspondence(tuple(sorted(matched)), optimal)


def _children(rendering: Rendering, number: int, depth: int) -> list[View]:
    """The visible children of a container, in document order."""
    views = (container(rendering, child, depth) for child in rendering.children[number])
    return [view for view in views if view is not None]


def _edges(
    pairs: Sequence[tuple[int, int]], first: Sequence[View], second: Sequence[View], tolerance: int
) -> tuple[int, ...]:
    """For each pair the bit set of pairs with the same relations on both axes in both pages."""
    if not pairs:
        return ()
    codes_a = relation_codes([view.box for view in first], tolerance)
    codes_b = relation_codes([view.box for view in second], tolerance)
    a, b = np.array(pairs).T
    rows: list[int] = []
    for x, y in pairs:
        row = (codes_a[x, a] == codes_b[y, b]) & (a != x) & (b != y)
        rows.append(int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little"))
    return tuple(rows)


def _is_text(view: View) -> bool:
    return view.kind in {"text", "link"}


def _ratio(first: float, second: float) -> float:
    larger = max(first, second)
    return min(first, second) / larger if larger else 1.0


def _unlikeness(first: View, second: View) -> tuple[bool, int, int, int]:
    """Same text first, then the nearest."""
    distance = abs(first.box.lx - second.box.lx) + abs(first.box.ly - second.box.ly)
    return first.text != second.text, distance, first.number, second.number
