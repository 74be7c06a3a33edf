"""Rows paired with columns, one to one, so that the sum of the scores is highest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def assign(scores: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Pair rows with columns, each at most once, so that the sum of the scores is highest.

    The Hungarian method with potentials (Kuhn 1955; Jonker and Volgenant 1987). Pairs with a score
    of 0 are left out.
    """
    rows, columns = scores.shape
    if rows > columns:
        return sorted((row, column) for column, row in assign(scores.T))
    costs = scores.max(initial=0.0) - scores
    row_cost, column_cost = np.zeros(rows + 1), np.zeros(columns + 1)
    owner = np.zeros(columns + 1, dtype=np.int64)
    way = np.zeros(columns + 1, dtype=np.int64)
    for row in range(1, rows + 1):
        owner[0], at = row, 0
        least = np.full(columns + 1, np.inf)
        done = np.zeros(columns + 1, dtype=bool)
        while True:
            done[at] = True
            current_row = owner[at]
            reduced = costs[current_row - 1] - row_cost[current_row] - column_cost[1:]
            better = ~done[1:] & (reduced < least[1:])
            least[1:][better] = reduced[better]
            way[1:][better] = at
            open_costs = np.where(done, np.inf, least)
            open_costs[0] = np.inf
            following = int(open_costs.argmin())
            delta = open_costs[following]
            row_cost[owner[done]] += delta
            column_cost[done] -= delta
            least[~done] -= delta
            at = following
            if owner[at] == 0:
                break
        while at:
            before = int(way[at])
            owner[at] = owner[before]
            at = before
    return sorted(
        (int(owner[column]) - 1, column - 1)
        for column in range(1, columns + 1)
        if owner[column] and scores[owner[column] - 1, column - 1] > 0
    )
