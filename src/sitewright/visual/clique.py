"""The maximum clique of a graph: exact, by branch and bound, or the best that time allows.

A graph is a list of bit sets, one integer a vertex: bit `j` of `graph[i]` means that `i` and `j`
are adjacent. The bound is a colouring: a clique has at most one vertex of each colour (Tomita and
Seki, 2003; with bit sets San Segundo et al., 2011).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
