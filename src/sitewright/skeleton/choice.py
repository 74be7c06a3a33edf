"""Choosing parents: how strongly the evidence speaks for each candidate, learnt from true trees.

The parent of a page is one of its candidates, with a chance in proportion to exp(w . x), where x
is the evidence (a conditional logit). Each weight has the sign that its evidence must have in any
site, so that few labelled sites suffice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Case = tuple["NDArray[np.float64]", "NDArray[np.bool_]", float]
"""The evidence of a page's candidates, which of them are right, and the weight of the page."""


def learn(
    cases: Sequence[Case], prior: NDArray[np.float64], *, penalty: float = 0.02, steps: int = 400
) -> NDArray[np.float64]:
    """The weights of greatest likelihood, with a quadratic penalty: by projected gradient ascent.

    `signs` is +1 or -1 for weights that must not have the other sign, 0 for free ones.
    """
    weights = prior.copy()
    rows = np.concatenate([rows for rows, _, _ in cases])
    right = np.concatenate([right for _, right, _ in cases])
    sizes = np.array([len(rows) for rows, _, _ in cases])
    importance = np.array([weight for _, _, weight in cases])
    importance /= importance.sum()
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    case_of = np.repeat(np.arange(len(sizes)), sizes)
    velocity = np.zeros_like(weights)
    squares = np.zeros_like(weights)
    for step in range(1, steps + 1):
        scores = rows @ weights
        scores -= np.maximum.reduceat(scores, starts)[case_of]
        chances = np.exp(scores)
        chances /= np.add.reduceat(chances, starts)[case_of]
        hits = np.where(right, chances, 0.0)
        posterior = hits / np.maximum(np.add.reduceat(hits, starts), 1e-12)[case_of]
        pull = (posterior - chances) * importance[case_of]
        gradient = rows.T @ pull - penalty * (weights - prior)
        velocity = 0.9 * velocity + 0.1 * gradient
        squares = 0.99 * squares + 0.01 * gradient**2
        scale = np.sqrt(squares / (1 - 0.99**step)) + 1e-8
        weights += 0.05 * velocity / (1 - 0.9**step) / scale
        weights = np.where(weights * prior < 0, 0.0, weights)
    return weights
