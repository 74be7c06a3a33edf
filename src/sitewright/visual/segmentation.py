"""Segmentation: the blocks of one page, as a tree.

Each part of the page that could be a block is judged by its features (`features`), with boosted
trees that learned from pages on which people marked the blocks. Blocks may lie in blocks: the tree
of blocks is the tree of the page with everything else left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec
import numpy as np

from sitewright.errors import MissingExtra
from sitewright.formats import parse
from sitewright.page.rendering import around as box_around
from sitewright.settings import current
from sitewright.visual.elements import block_candidates
from sitewright.visual.roles import HEADINGS, BlockRole, feature_rows, role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from sitewright.page.rendering import Box, Rendering
    from sitewright.visual.elements import BlockCandidate, VisualElement

    FloatArray = NDArray[np.float64]


# Boosted decision trees: small ones, for yes or no, saved as plain lists.
#
# Trees are grown by scikit-learn (gradient boosting of the log-loss, Friedman 2001), which the
# extra
# `evaluate` brings. What comes with the package are the trees, and the few lines that read them.

_DIGITS = 4


@dataclass(frozen=True, slots=True)
class DecisionTree:
    """A decision tree as lists: from node `i` on to `2i+1` below the threshold, else `2i+2`."""

    features: tuple[int, ...]
    """The feature that a node looks at, -1 at a leaf."""
    thresholds: tuple[float, ...]
    values: tuple[float, ...]

    def predict(self, rows: FloatArray) -> FloatArray:
        """The value of the leaf that each row ends in."""
        features, thresholds = np.array(self.features), np.array(self.thresholds)
        at = np.zeros(len(rows), dtype=np.int64)
        while (inside := features[at] >= 0).any():
            moving = at[inside]
            above = rows[inside, features[moving]] >= thresholds[moving]
            at[inside] = 2 * moving + 1 + above
        found: FloatArray = np.array(self.values)[at]
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
        return Ensemble(self.bias, tuple(DecisionTree(*tree) for tree in self.trees))


def _rounded(numbers: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(number, _DIGITS) for number in numbers)


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Trees whose values add up to the log-odds of a yes."""

    FORMAT: ClassVar[str] = "sitewright-block-trees"
    FILE_FORM: ClassVar[type[EnsembleForm]] = EnsembleForm
    bias: float
    trees: tuple[DecisionTree, ...]

    def probabilities(self, rows: FloatArray) -> FloatArray:
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


def train(rows: FloatArray, answers: NDArray[np.bool_], growth: Growth | None = None) -> Ensemble:
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


def _heap(grown: Any, growth: Growth) -> DecisionTree:  # noqa: ANN401 - scikit-learn has no types
    """A tree of scikit-learn with its nodes where `DecisionTree` looks for them."""
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
    return DecisionTree(tuple(features), tuple(thresholds), tuple(values))


def _sigmoid(odds: FloatArray) -> FloatArray:
    probabilities: FloatArray = 1.0 / (1.0 + np.exp(-odds))
    return probabilities


GRANULARITY = 0.5


@dataclass(frozen=True, slots=True)
class Block:
    """A rectangle of the page that belongs together."""

    number: int
    """From 1, in document order."""
    parent: int | None
    """The number of the block around it."""
    depth: int
    node: int
    """The node of the rendering that stands for it."""
    path: str
    tag: str
    role: BlockRole
    box: Box
    likelihood: float
    text: str

    def as_json(self) -> dict[str, Any]:
        """A flat object."""
        box = self.box
        return {
            "number": self.number, "parent": self.parent, "depth": self.depth,
            "role": self.role.value, "lx": box.lx, "ly": box.ly, "dx": box.dx, "dy": box.dy,
            "path": self.path, "likelihood": round(self.likelihood, 3), "text": self.text,
        }  # fmt: skip


def segment(
    rendering: Rendering, *, granularity: float = GRANULARITY, model: Ensemble | None = None
) -> list[Block]:
    """The blocks of a page, parents before their children.

    `granularity` is between 0 (few, sure blocks) and 1 (many); 0.5 is what people mark.
    """
    parts = block_candidates(rendering)
    if not parts:
        return []
    likelihoods = (model or trained()).probabilities(feature_rows(parts))
    least = threshold(granularity)
    chosen = [part for part in parts[1:] if likelihoods[part.place] >= least]
    return _tree(rendering, parts, chosen, likelihoods.tolist())


def threshold(granularity: float) -> float:
    """The least likelihood of a block."""
    settings = current().visual
    odds = log(
        settings.block_likelihood / (1 - settings.block_likelihood)
    ) + settings.granularity_steepness * (GRANULARITY - granularity)
    return 1 / (1 + exp(-odds))


@cache
def trained() -> Ensemble:
    """What was learned from the marked pages, as it comes with the package."""
    saved = (files(__package__) / "blocks.json").read_bytes()
    return parse(saved, Ensemble, "blocks.json")


def _tree(
    rendering: Rendering,
    parts: Sequence[BlockCandidate],
    chosen: Sequence[BlockCandidate],
    likelihoods: Sequence[float],
) -> list[Block]:
    numbers = {part.place: number for number, part in enumerate(chosen, 1)}
    around = [_nearest(part, parts, numbers) for part in chosen]
    headings = _headings(parts, chosen, numbers)
    depths: dict[int, int] = {}
    blocks: list[Block] = []
    for number, (part, parent) in enumerate(zip(chosen, around, strict=True), 1):
        depths[number] = 0 if parent is None else depths[parent] + 1
        named = role(part, parts[0], holds_blocks=number in around)
        own = (*headings.get(part.place, ()), *part.leaves)
        text = " ".join(leaf.text for leaf in own if leaf.text)
        node = part.node
        blocks.append(
            Block(
                number=number,
                parent=parent,
                depth=depths[number],
                node=node.number,
                path=rendering.paths[node.number],
                tag=node.tag,
                role=named,
                box=box_around(leaf.box for leaf in own) or part.box,
                likelihood=likelihoods[part.place],
                text=text,
            )
        )
    return blocks


_TAKEN = -2
"""The place of a heading that a block has already."""


def _headings(
    parts: Sequence[BlockCandidate],
    chosen: Sequence[BlockCandidate],
    numbers: dict[int, int],
) -> dict[int, tuple[VisualElement, ...]]:
    """For blocks that stand right below a heading that no block of its own has: the heading.

    The block around both has it, too, and goes on having it.
    """
    innermost: dict[int, int] = {}
    for part in chosen:  # parents come first, so that the innermost block is the last
        innermost.update((leaf.number, part.place) for leaf in part.leaves)
    leaves = parts[0].leaves
    place_of = {leaf.number: place for place, leaf in enumerate(leaves)}
    found: dict[int, tuple[VisualElement, ...]] = {}
    for part in chosen:
        outer = next((place for place in _outer(part, parts) if place in numbers), None)
        first = start = place_of[part.leaves[0].number]
        while start > 0 and leaves[start - 1].tag in HEADINGS:
            if innermost.get(leaves[start - 1].number, -1) != (-1 if outer is None else outer):
                break
            start -= 1
        above = leaves[start:first]
        if above and all(_stands_above(leaf.box, part.box) for leaf in above):
            found[part.place] = tuple(above)
            innermost.update((leaf.number, _TAKEN) for leaf in above)
    return found


def _outer(part: BlockCandidate, parts: Sequence[BlockCandidate]) -> Iterator[int]:
    place = part.parent
    while place >= 0:
        yield place
        place = parts[place].parent


def _stands_above(heading: Box, block: Box) -> bool:
    beside = heading.lx < block.lx + block.dx and block.lx < heading.lx + heading.dx
    return beside and heading.ly + heading.dy <= block.ly + 2


def _nearest(
    part: BlockCandidate, parts: Sequence[BlockCandidate], numbers: dict[int, int]
) -> int | None:
    """The number of the block that a part lies in."""
    place = part.parent
    while place >= 0 and place not in numbers:
        place = parts[place].parent
    return numbers.get(place)
