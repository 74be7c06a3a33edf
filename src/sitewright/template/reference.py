"""The alignment as the paper writes it down, cell by cell: what the fast kernel is tested against.

Section 2.1 of Geraci and Maggini 2011. The paper's matrix has a column for each token of U and a
row for each of V; which way round it lies changes nothing but the drawing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.template.align import GAP

if TYPE_CHECKING:
    from collections.abc import Sequence


def similarity_matrix(u: Sequence[int], v: Sequence[int]) -> list[list[int]]:
    """S: the best score of each prefix of U with each prefix of V (figure 1)."""
    scores = [[-j for j in range(len(v) + 1)]]
    for i, token in enumerate(u, 1):
        above = scores[-1]
        row = [-i]
        for j, other in enumerate(v, 1):
            row.append(max(above[j - 1] + (token == other), above[j] - 1, row[j - 1] - 1))
        scores.append(row)
    return scores


def traceback(scores: list[list[int]], u: Sequence[int], v: Sequence[int]) -> list[tuple[int, int]]:
    """The aligned places from the first to the last, GAP opposite a token that stands alone."""
    i, j = len(u), len(v)
    steps = []
    while i or j:
        here = scores[i][j]
        if i and j and here == scores[i - 1][j - 1] + (u[i - 1] == v[j - 1]):
            i, j = i - 1, j - 1
            steps.append((i, j))
        elif i and here == scores[i - 1][j] - 1:
            i -= 1
            steps.append((i, GAP))
        else:
            j -= 1
            steps.append((GAP, j))
    return steps[::-1]
