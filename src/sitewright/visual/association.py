"""Correspondence as the paper has it: pairs that may correspond, and the largest set that fits.

`association_graph` is Algorithm 4 (MatchViews) up to its last line: a vertex is a pair of views
that meets the pair conditions, an edge joins two pairs that lie to each other in one page as they
do in the other. `match_views` takes its maximum clique. The paper applies it at the level of
leaves, or from the top down, where the children of matched containers are matched, depth by depth.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from sitewright.page.rendering import Box
    from sitewright.visual.elements import VisualElement


# How two intervals, and two boxes, lie to each other: Allen's relations on both axes.
#
# Of any two intervals exactly one of thirteen relations holds: the paper's seven (Definition 3.1)
# and
# the inverses of six of them. The thick-boundary version (Todoran et al., 2001) takes two ends that
# are at most `tolerance` pixels apart for one: two pages of one template rarely agree to the pixel.

Interval: TypeAlias = tuple[int, int]


class Relation(IntEnum):
    """Where the first interval lies, seen from the second; an inverse is the negative."""

    PRECEDES = 1
    MEETS = 2
    OVERLAYS = 3
    STARTS = 4
    DURING = 5
    FINISHES = 6
    EQUALS = 0
    PRECEDED_BY = -1
    MET_BY = -2
    OVERLAID_BY = -3
    STARTED_BY = -4
    CONTAINS = -5
    FINISHED_BY = -6

    @property
    def inverse(self) -> Relation:
        """The relation of the second interval to the first."""
        return Relation(-self)


_BY_ENDS = {
    (0, 0): Relation.EQUALS,
    (0, -1): Relation.STARTS,
    (0, 1): Relation.STARTED_BY,
    (1, 0): Relation.FINISHES,
    (-1, 0): Relation.FINISHED_BY,
    (1, -1): Relation.DURING,
    (-1, 1): Relation.CONTAINS,
}
"""By the order of the two starts and the order of the two ends; the other two cases need more."""


def relation(first: Interval, second: Interval, tolerance: int = 0) -> Relation:
    """The one relation that holds; with a tolerance, that of thick boundaries.

    The starts and the ends are compared first, so that one relation holds even where an interval
    is shorter than the tolerance.
    """
    starts = _order(first[0], second[0], tolerance)
    ends = _order(first[1], second[1], tolerance)
    if (starts, ends) in _BY_ENDS:
        return _BY_ENDS[starts, ends]
    if starts < 0:
        return _before(first, second, tolerance)
    return _before(second, first, tolerance).inverse


def box_relation(first: Box, second: Box, tolerance: int = 0) -> tuple[Relation, Relation]:
    """The relations of two boxes on the x axis and on the y axis."""
    return (
        relation(first.horizontal, second.horizontal, tolerance),
        relation(first.vertical, second.vertical, tolerance),
    )


def relation_codes(boxes: Sequence[Box], tolerance: int = 0) -> NDArray[np.int16]:
    """For each pair of boxes one number, the same for the same relations on both axes."""
    x = _relations(np.array([box.horizontal for box in boxes], dtype=np.int64), tolerance)
    y = _relations(np.array([box.vertical for box in boxes], dtype=np.int64), tolerance)
    return x * np.int16(16) + y


def _order(first: int, second: int, tolerance: int) -> int:
    difference = first - second
    return 0 if abs(difference) <= tolerance else (1 if difference > 0 else -1)


def _before(first: Interval, second: Interval, tolerance: int) -> Relation:
    """The relation where the first both starts and ends earlier."""
    order = _order(first[1], second[0], tolerance)
    return (Relation.MEETS, Relation.OVERLAYS, Relation.PRECEDES)[order]


def _relations(intervals: NDArray[np.int64], tolerance: int) -> NDArray[np.int16]:
    """`relation` for all pairs of intervals at once."""
    intervals = intervals.reshape(-1, 2)
    low, high = intervals[:, 0], intervals[:, 1]
    starts = _orders(low[:, None] - low[None, :], tolerance)
    ends = _orders(high[:, None] - high[None, :], tolerance)
    table = np.zeros((3, 3), dtype=np.int16)
    for (start, end), value in _BY_ENDS.items():
        table[start, end] = value
    found = table[starts, ends]
    meeting = _orders(high[:, None] - low[None, :], tolerance)
    before = np.array([Relation.MEETS, Relation.OVERLAYS, Relation.PRECEDES], dtype=np.int16)
    found = np.where((starts < 0) & (ends < 0), before[meeting], found)
    return np.where((starts > 0) & (ends > 0), -before[meeting.T], found).astype(np.int16)


def _orders(differences: NDArray[np.int64], tolerance: int) -> NDArray[np.int64]:
    return np.where(np.abs(differences) <= tolerance, 0, np.sign(differences))


# The maximum clique of a graph: exact, by branch and bound, or the best that time allows.
#
# A graph is a list of bit sets, one integer a vertex: bit `j` of `graph[i]` means that `i` and `j`
# are adjacent. The bound is a colouring: a clique has at most one vertex of each colour (Tomita and
# Seki, 2003; with bit sets San Segundo et al., 2011).

_STEPS_BETWEEN_LOOKS = 16
_MOST_ORDERED = 1500
"""Larger graphs are searched in the order they come in: to order one would take the time away."""


@dataclass(frozen=True, slots=True)
class Clique:
    """A clique, and whether it is known that there is no larger one."""

    vertices: tuple[int, ...]
    optimal: bool


class _OutOfTime(Exception):
    """The limit is reached; what was found so far counts."""


def maximum_clique(
    graph: Sequence[int], *, time_limit: float | None = None, step_limit: int | None = None
) -> Clique:
    """The largest set of vertices that are all adjacent to each other.

    A `step_limit` bounds the work in the same way on every machine; a `time_limit`, in seconds,
    does not, so its answers may differ where they are not optimal.
    """
    search = _Search(graph, time_limit, step_limit)
    try:
        search.run()
    except _OutOfTime:
        return Clique(tuple(sorted(search.best)), optimal=False)
    return Clique(tuple(sorted(search.best)), optimal=True)


def greedy_clique(graph: Sequence[int]) -> tuple[int, ...]:
    """A clique that cannot be made larger by adding a vertex: most neighbours left first."""
    chosen: list[int] = []
    left = (1 << len(graph)) - 1
    while left:
        best = max(bits(left), key=lambda vertex: (graph[vertex] & left).bit_count())
        chosen.append(best)
        left &= graph[best]
    return tuple(chosen)


def bits(number: int) -> Iterator[int]:
    """The places of the ones in a bit set, lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


class _Search:
    """Branch and bound over the vertices in an order that makes the colouring tight."""

    def __init__(
        self, graph: Sequence[int], time_limit: float | None, step_limit: int | None
    ) -> None:
        self._order = _degeneracy_order(graph)
        self._graph = _reordered(graph, self._order)
        self._deadline = None if time_limit is None else time.perf_counter() + time_limit
        self._step_limit = step_limit
        self._steps = 0
        self.best: tuple[int, ...] = greedy_clique(graph)

    def run(self) -> None:
        if self._graph:
            self._expand([], (1 << len(self._graph)) - 1)

    def _expand(self, chosen: list[int], candidates: int) -> None:
        # A stack of our own: cliques can be larger than Python's recursion limit.
        levels = [(candidates, self._coloured(candidates))]
        while levels:
            candidates, coloured = levels[-1]
            if not coloured or len(chosen) + coloured[-1][1] <= len(self.best):
                levels.pop()
                if chosen:
                    chosen.pop()
                continue
            vertex, _ = coloured.pop()
            levels[-1] = candidates & ~(1 << vertex), coloured
            self._count_step()
            chosen.append(vertex)
            inner = candidates & self._graph[vertex]
            if not inner:
                self._keep(chosen)
                chosen.pop()
            else:
                levels.append((inner, self._coloured(inner)))

    def _keep(self, chosen: list[int]) -> None:
        if len(chosen) > len(self.best):
            self.best = tuple(self._order[vertex] for vertex in chosen)

    def _coloured(self, candidates: int) -> list[tuple[int, int]]:
        """The candidates with their colours, greedily, colours rising."""
        found: list[tuple[int, int]] = []
        colour = 0
        while candidates:
            colour += 1
            independent = candidates
            while independent:
                lowest = independent & -independent
                vertex = lowest.bit_length() - 1
                found.append((vertex, colour))
                candidates ^= lowest
                independent &= ~(self._graph[vertex] | lowest)
        return found

    def _count_step(self) -> None:
        self._steps += 1
        if self._step_limit is not None and self._steps > self._step_limit:
            raise _OutOfTime
        looks = self._deadline is not None and self._steps % _STEPS_BETWEEN_LOOKS == 0
        if looks and time.perf_counter() > (self._deadline or 0):
            raise _OutOfTime


def _degeneracy_order(graph: Sequence[int]) -> list[int]:
    """Vertices, the one with the fewest neighbours among those left always last."""
    if len(graph) > _MOST_ORDERED:
        return list(range(len(graph)))
    left = (1 << len(graph)) - 1
    degrees = [(neighbours & left).bit_count() for neighbours in graph]
    waiting = set(range(len(graph)))
    order: list[int] = []
    while waiting:
        least = min(waiting, key=lambda vertex: (degrees[vertex], vertex))
        waiting.remove(least)
        left ^= 1 << least
        order.append(least)
        for neighbour in bits(graph[least] & left):
            degrees[neighbour] -= 1
    return order[::-1]


def _reordered(graph: Sequence[int], order: Sequence[int]) -> list[int]:
    if len(graph) > _MOST_ORDERED:
        return list(graph)
    places = {vertex: place for place, vertex in enumerate(order)}
    return [sum(1 << places[other] for other in bits(graph[vertex])) for vertex in order]


@dataclass(frozen=True, slots=True)
class PairConditions:
    """What two views must have in common to be a pair at all (section 3: geometric features).

    Same tag, kind and font, and ratios of at least so much; each is a setting.
    """

    size_ratio: float = field(default_factory=lambda: current().papers.cosulschi.min_size_ratio)
    """The smaller width over the larger, and the same for heights; texts may be of any width."""
    length_ratio: float = field(default_factory=lambda: current().papers.cosulschi.min_length_ratio)
    """The shorter text over the longer one."""
    aspect_ratio: float = field(default_factory=lambda: current().papers.cosulschi.min_aspect_ratio)
    """Of width over height, the smaller over the larger."""
    area_ratio: float = field(default_factory=lambda: current().papers.cosulschi.min_area_ratio)
    """Of the share of the page's area, the smaller over the larger."""
    page_areas: tuple[int, ...] = (1, 1)
    """The areas of the two pages."""

    def hold(self, first: VisualElement, second: VisualElement) -> bool:
        """Same tag, same type, comparable size, comparable content."""
        return (
            first.tag == second.tag
            and first.kind == second.kind
            and first.style.font_size == second.style.font_size
            and first.style.font_weight == second.style.font_weight
            and _ratio(first.box.dy, second.box.dy) >= self.size_ratio
            and (_is_text(first) or _ratio(first.box.dx, second.box.dx) >= self.size_ratio)
            and _ratio(len(first.text), len(second.text)) >= self.length_ratio
            and (not self.aspect_ratio or self._have_one_form(first.box, second.box))
            and (not self.area_ratio or self._have_one_share(first.box, second.box))
        )

    def _have_one_form(self, first: Box, second: Box) -> bool:
        ratio = _ratio(first.dx * max(1, second.dy), second.dx * max(1, first.dy))
        return ratio >= self.aspect_ratio

    def _have_one_share(self, first: Box, second: Box) -> bool:
        one, other = self.page_areas
        return _ratio(first.dx * first.dy / one, second.dx * second.dy / other) >= self.area_ratio


@dataclass(frozen=True, slots=True)
class AssociationGraph:
    """Pairs of views as vertices, and for each the set of pairs that it is compatible with."""

    pairs: tuple[tuple[int, int], ...]
    """Places in the two lists of views."""
    graph: tuple[int, ...]
    complete: bool
    """Whether every pair that meets the conditions is a vertex."""


def association_graph(
    first: Sequence[VisualElement],
    second: Sequence[VisualElement],
    conditions: PairConditions | None = None,
    *,
    tolerance: int | None = None,
    max_vertices: int | None = None,
) -> AssociationGraph:
    """Algorithm 4, lines 1 to 14; a graph of more than `max_vertices` pairs is cut.

    The most alike pairs are kept.
    """
    settings = current().papers.cosulschi
    max_vertices = settings.max_vertices if max_vertices is None else max_vertices
    pixels = settings.tolerance if tolerance is None else tolerance
    hold = (conditions or PairConditions()).hold
    pairs = [(a, b) for a, x in enumerate(first) for b, y in enumerate(second) if hold(x, y)]
    complete = len(pairs) <= max_vertices
    if not complete:
        pairs.sort(key=lambda pair: _text_and_distance(first[pair[0]], second[pair[1]]))
        pairs = sorted(pairs[:max_vertices])
    return AssociationGraph(tuple(pairs), _edges(pairs, first, second, pixels), complete)


def _edges(
    pairs: Sequence[tuple[int, int]],
    first: Sequence[VisualElement],
    second: Sequence[VisualElement],
    tolerance: int,
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


def _is_text(view: VisualElement) -> bool:
    return view.kind in {"text", "link"}


def _ratio(first: float, second: float) -> float:
    larger = max(first, second)
    return min(first, second) / larger if larger else 1.0


def _text_and_distance(first: VisualElement, second: VisualElement) -> tuple[bool, int, int, int]:
    """Same text first, then the nearest."""
    distance = abs(first.box.lx - second.box.lx) + abs(first.box.ly - second.box.ly)
    return first.text != second.text, distance, first.number, second.number
