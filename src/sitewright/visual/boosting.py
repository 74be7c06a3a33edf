"""Boosted decision trees: small ones, for yes or no, saved as plain lists.

Trees are grown by scikit-learn (gradient boosting of the log-loss, Friedman 2001), which the extra
`evaluate` brings. What comes with the package are the trees, and the few lines that read them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec
import numpy as np

from sitewright.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_DIGITS = 4


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
    if answers.all() or not answers.any():
        return Ensemble(bias, ())
    model = classifier()(
        n_estimators=growth.rounds,
        max_depth=growth.depth,
        learning_rate=growth.rate,
        min_samples_leaf=growth.least_rows,
        random_state=0,
    )
    model.fit(rows, answers)
    return Ensemble(bias, tuple(_heap(tree.tree_, growth) for (tree,) in model.estimators_))


def classifier() -> Callable[..., Any]:
    """scikit-learn's boosting; long work that ends with training asks for it before it begins."""
    try:
        from sklearn.ensemble import (  # type: ignore[import-untyped]  # noqa: PLC0415
            GradientBoostingClassifier,
        )
    except ImportError:
        raise MissingExtra("evaluate", "learning from marked pages") from None
    found: Callable[..., Any] = GradientBoostingClassifier
    return found


def _heap(grown: Any, growth: Growth) -> Tree:  # noqa: ANN401 - scikit-learn has no types
    """A tree of scikit-learn with its nodes where `Tree` looks for them."""
    size = 2 ** (growth.depth + 1) - 1
    features, thresholds, values = [-1] * size, [0.0] * size, [0.0] * size
    waiting = [(0, 0)]
    while waiting:
        place, node = waiting.pop()
        values[place] = growth.rate * float(grown.value[node, 0, 0])
        below, above = int(grown.children_left[node]), int(grown.children_right[node])
        if below != above:  # a leaf has none of either
            features[place] = int(grown.feature[node])
            # There a row goes down where it is at most the threshold, here where it is less.
            thresholds[place] = float(np.nextafter(grown.threshold[node], np.inf))
            waiting += [(2 * place + 1, below), (2 * place + 2, above)]
    return Tree(tuple(features), tuple(thresholds), tuple(values))


def _sigmoid(odds: Floats) -> Floats:
    probabilities: Floats = 1.0 / (1.0 + np.exp(-odds))
    return probabilities
