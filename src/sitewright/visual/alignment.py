"""Two lists side by side: how alike their members are, and the best pairs that keep the order."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray


def align(scores: NDArray[np.float64]) -> list[tuple[int, int]]:
    """The pairs, rising in both places, whose scores have the greatest sum; 0 is no pair."""
    rows, columns = scores.shape
    best = np.zeros((rows + 1, columns + 1))
    for i in range(rows):
        reached = np.maximum(best[i, 1:], best[i, :-1] + scores[i])
        best[i + 1, 1:] = np.maximum.accumulate(reached)
    pairs: list[tuple[int, int]] = []
    i, j = rows, columns
    while i > 0 and j > 0:
        if best[i, j] == best[i, j - 1]:
            j -= 1
        elif best[i, j] == best[i - 1, j]:
            i -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


def longest_rising(numbers: Sequence[int]) -> list[int]:
    """The places of a longest rising subsequence."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(tails, number)
        before.append(ends[length - 1] if length else -1)
        tails[length:] = [number, *tails[length + 1 :]]
        ends[length:] = [place, *ends[length + 1 :]]
    found: list[int] = []
    place = ends[-1] if ends else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    return found[::-1]


def likeness(
    left: Sequence[frozenset[Hashable]], right: Sequence[frozenset[Hashable]]
) -> NDArray[np.float64]:
    """Dice's coefficient of each set with each: twice what is shared over the sum of the sizes."""
    words = {word: place for place, word in enumerate(frozenset().union(*left))}
    sizes = np.array([[len(a) + len(b) for b in right] for a in left], dtype=np.float64)
    shared = _indicators(left, words) @ _indicators(right, words).T
    return np.divide(2.0 * shared, sizes, out=np.zeros_like(sizes), where=sizes > 0)


def _indicators(
    sets: Sequence[frozenset[Hashable]], words: dict[Hashable, int]
) -> NDArray[np.float64]:
    matrix = np.zeros((len(sets), len(words)))
    for row, members in enumerate(sets):
        matrix[row, [words[word] for word in members if word in words]] = 1.0
    return matrix
