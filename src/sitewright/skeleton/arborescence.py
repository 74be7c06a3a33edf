"""The best tree: every page gets one parent, there are no cycles, and the score is greatest."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def best_arborescence(root: str, scores: Mapping[str, Mapping[str, float]]) -> dict[str, str]:
    """The parent of each page in the tree of greatest total score (Chu and Liu; Edmonds).

    `scores[page][parent]` are the candidates. Pages that no choice of candidates connects with the
    root are left out. Of equal scores the candidate that is given first wins.
    """
    pages = [root, *(page for page in _reachable(root, scores) if page != root)]
    numbers = {page: number for number, page in enumerate(pages)}
    heaps = [_Heap([])]
    for page in pages[1:]:
        known = [(parent, score) for parent, score in scores[page].items() if parent in numbers]
        # Losses, not scores: a heap gives its least. The place in the list breaks ties.
        heaps.append(
            _Heap(
                [
                    (-score, place, numbers[parent], numbers[page])
                    for place, (parent, score) in enumerate(known)
                    if parent != page
                ]
            )
        )
    parents = _Contraction(heaps).parents()
    return {pages[child]: pages[parent] for child, parent in parents.items()}


def _reachable(root: str, scores: Mapping[str, Mapping[str, float]]) -> list[str]:
    below: dict[str, list[str]] = {}
    for page, parents in scores.items():
        for parent in parents:
            below.setdefault(parent, []).append(page)
    found, waiting = {root: None}, [root]
    while waiting:
        for page in below.get(waiting.pop(), ()):
            if page not in found:
                found[page] = None
                waiting.append(page)
    return list(found)


_Edge = tuple[float, int, int, int]
"""Its loss, its place among the candidates, its parent and its child."""


class _Heap:
    """Edges into a page, or into a cycle of pages, by loss; all losses can be changed at once."""

    __slots__ = ("edges", "offset")

    def __init__(self, edges: list[_Edge]) -> None:
        self.edges = edges
        self.offset = 0.0
        heapify(edges)

    def pop(self) -> _Edge:
        """Take out the edge of least loss; the losses of the others count from its loss."""
        edge = heappop(self.edges)
        self.offset = -edge[0]
        return edge

    def merged(self, other: _Heap) -> _Heap:
        """Both heaps in one; the smaller goes into the larger."""
        large, small = (self, other) if len(self.edges) >= len(other.edges) else (other, self)
        shift = small.offset - large.offset
        for loss, place, parent, child in small.edges:
            heappush(large.edges, (loss + shift, place, parent, child))
        return large


class _Contraction:
    """Edmonds' algorithm as Tarjan made it fast: cycles shrink to one page, and open up again."""

    def __init__(self, heaps: list[_Heap]) -> None:
        self._heaps = heaps
        self._leader = list(range(len(heaps)))
        self._joined: list[int] = []
        self._cycles: list[tuple[int, int, list[_Edge]]] = []
        self._entering: dict[int, _Edge] = {}

    def parents(self) -> dict[int, int]:
        """The parent of every page but the root, which is page 0."""
        reached = [-1] * len(self._heaps)
        reached[0] = 0
        for start in range(1, len(self._heaps)):
            self._go_up(start, reached)
        self._open_cycles()
        return {child: self._entering[child][2] for child in range(1, len(self._heaps))}

    def _go_up(self, start: int, reached: list[int]) -> None:
        """Follow the best edges upwards to a page that is settled; contract cycles on the way."""
        edges: list[_Edge] = []
        path: list[int] = []
        page = self._find(start)
        while reached[page] < 0:
            edge = self._heaps[page].pop()
            edges.append(edge)
            path.append(page)
            reached[page] = start
            page = self._find(edge[2])
            if reached[page] == start:
                page = self._contract(page, path, edges)
                reached[page] = -1
        for edge in edges:
            self._entering[self._find(edge[3])] = edge

    def _contract(self, page: int, path: list[int], edges: list[_Edge]) -> int:
        """Make one page of the cycle that ends the path."""
        before = len(self._joined)
        first = len(path) - 1
        while path[first] != page:
            first -= 1
        heap = self._heaps[path[first]]
        leader = path[first]
        for other in path[first + 1 :]:
            heap = heap.merged(self._heaps[other])
            self._leader[other] = leader
            self._joined.append(other)
        self._heaps[leader] = heap
        self._cycles.append((leader, before, edges[first:]))
        del path[first:], edges[first:]
        return leader

    def _open_cycles(self) -> None:
        for leader, before, edges in reversed(self._cycles):
            while len(self._joined) > before:
                other = self._joined.pop()
                self._leader[other] = other
            outside = self._entering[leader]
            for edge in edges:
                self._entering[self._find(edge[3])] = edge
            self._entering[self._find(outside[3])] = outside

    def _find(self, page: int) -> int:
        """The page that stands for a contracted one; no short cuts, so that it can be undone."""
        while self._leader[page] != page:
            page = self._leader[page]
        return page
