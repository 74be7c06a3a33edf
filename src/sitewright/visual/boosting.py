"""Boosted decision trees: small ones, for yes or no, in NumPy, saved as plain lists.

Gradient boosting of the log-loss (Friedman, 2001) with second-order leaf values; split points are
quantiles. It is here because what it learns is small (8,800 rows), and a library for it would weigh
more than all the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import msgspec
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_BINS = 32
_DIGITS = 4
_REGULARISATION = 1.0
_LEAST_GAIN = 1e-6


@dataclass(frozen=True, slots=True)
class Tree:
    """A decision tree as lists: from node `i` on to `2i+1` below the threshold, else `2i+2`."""

    features: tuple[int, ...]
    """The feature that a node looks at, -1 at a leaf."""
    thresholds: tuple[float, ...]
    values: tuple[float, ...]

    def predict(self, rows: Floats) -> Floats:
        """The value of the leaf that each row ends in."""
        features, thresholds = np.array(self.features), np.array(self.thresholds)
        at = np.zeros(len(rows), dtype=np.int64)
        while (inside := features[at] >= 0).any():
            moving = at[inside]
            above = rows[inside, features[moving]] >= thresholds[moving]
            at[inside] = 2 * moving + 1 + above
        found: Floats = np.array(self.values)[at]
        return found


class EnsembleForm(msgspec.Struct, frozen=True):
    """What the file of an ensemble holds: numbers rounded to what matters."""

    bias: float
    trees: tuple[tuple[tuple[int, ...], tuple[float, ...], tuple[float, ...]], ...]

    @classmethod
    def of(cls, trained: Ensemble) -> Self:
        """Take an ensemble apart."""
        trees = (
            (tree.features, _rounded(tree.thresholds), _rounded(tree.values))
            for tree in trained.trees
        )
        return cls(round(trained.bias, _DIGITS), tuple(trees))

    def restored(self) -> Ensemble:
        """The ensemble again."""
        return Ensemble(self.bias, tuple(Tree(*tree) for tree in self.trees))


def _rounded(numbers: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(number, _DIGITS) for number in numbers)


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Trees whose values add up to the log-odds of a yes."""

    FORMAT: ClassVar[str] = "sitewright-block-trees"
    FILE_FORM: ClassVar[type[EnsembleForm]] = EnsembleForm
    bias: float
    trees: tuple[Tree, ...]

    def probabilities(self, rows: Floats) -> Floats:
        """How likely a yes is, for each row."""
        odds = sum((tree.predict(rows) for tree in self.trees), np.full(len(rows), self.bias))
        return _sigmoid(odds)


@dataclass(frozen=True, slots=True)
class Growth:
    """How many trees, how deep, how fast they learn, and the fewest rows that a leaf has."""

    rounds: int = 60
    depth: int = 3
    rate: float = 0.15
    least_rows: int = 20


def train(rows: Floats, answers: NDArray[np.bool_], growth: Growth | None = None) -> Ensemble:
    """Learn from rows of features with known answers; the same rows give the same trees."""
    growth = growth or Growth()
    share = min(max(float(answers.mean()), 1e-3), 1 - 1e-3)
    bias = float(np.log(share / (1 - share)))
    edges = [_edges(column) for column in rows.T]
    columns = zip(edges, rows.T, strict=True)
    binned = np.stack([np.searchsorted(edge, c, side="right") for edge, c in columns], axis=1)
    odds = np.full(len(rows), bias)
    trees: list[Tree] = []
    for _ in range(growth.rounds):
        likely = _sigmoid(odds)
        loss = _Loss(likely - answers, likely * (1 - likely))
        tree = _grown(binned, edges, loss, growth)
        odds += tree.predict(rows)
        trees.append(tree)
    return Ensemble(bias, tuple(trees))


@dataclass(frozen=True, slots=True)
class _Loss:
    """The first and second derivatives of the loss, for each row."""

    slopes: Floats
    curves: Floats

    def of(self, rows: Ints) -> _Loss:
        return _Loss(self.slopes[rows], self.curves[rows])

    @property
    def best_value(self) -> float:
        return -float(self.slopes.sum() / (self.curves.sum() + _REGULARISATION))


def _grown(binned: Ints, edges: list[Floats], loss: _Loss, growth: Growth) -> Tree:
    """One tree, split level by level where that lowers the loss most."""
    size = 2 ** (growth.depth + 1) - 1
    features, thresholds, values = [-1] * size, [0.0] * size, [0.0] * size
    members: dict[int, Ints] = {0: np.arange(len(binned))}
    for node in range(size):
        rows = members.pop(node, None)
        if rows is None:
            continue
        values[node] = growth.rate * loss.of(rows).best_value
        is_lowest = 2 * node + 2 >= size
        split = None if is_lowest else _best_split(binned[rows], loss.of(rows), growth.least_rows)
        if split is None:
            continue
        feature, place = split
        features[node], thresholds[node] = feature, float(edges[feature][place])
        above = binned[rows, feature] > place
        members[2 * node + 1], members[2 * node + 2] = rows[~above], rows[above]
    return Tree(tuple(features), tuple(thresholds), tuple(values))


def _best_split(binned: Ints, loss: _Loss, least: int) -> tuple[int, int] | None:
    """The feature and the edge that split these rows best; None if no split is any good."""
    counts = _below(binned, np.ones(len(binned)))
    slope, curve = _below(binned, loss.slopes), _below(binned, loss.curves)
    all_slope, all_curve = loss.slopes.sum(), loss.curves.sum()
    gain = (
        slope**2 / (curve + _REGULARISATION)
        + (all_slope - slope) ** 2 / (all_curve - curve + _REGULARISATION)
        - all_slope**2 / (all_curve + _REGULARISATION)
    )
    gain[(counts < least) | (len(binned) - counts < least)] = 0.0
    best = int(gain.argmax())
    return divmod(best, _BINS) if gain.flat[best] > _LEAST_GAIN else None


def _below(binned: Ints, amounts: Floats) -> Floats:
    """For each feature and each edge, what the rows below that edge add up to."""
    features = binned.shape[1]
    places = (binned + np.arange(features) * _BINS).ravel()
    sums = np.bincount(places, np.repeat(amounts, features), features * _BINS)
    below: Floats = sums.reshape(features, _BINS).cumsum(axis=1)
    return below


def _edges(column: Floats) -> Floats:
    """Where a feature may be split: between its quantiles."""
    quantiles = np.unique(np.quantile(column, np.linspace(0, 1, _BINS)[1:-1]))
    return np.unique(np.round(quantiles, 4))


def _sigmoid(odds: Floats) -> Floats:
    probabilities: Floats = 1.0 / (1.0 + np.exp(-odds))
    return probabilities
