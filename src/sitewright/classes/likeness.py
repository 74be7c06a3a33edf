"""How much structure classes have in common: where that decides, and not the shortest description.

The description length weighs facts, and takes a path with all that stands below it for one. So it
is blind in two ways, both of which show where addresses say nothing, as those of saved pages do:

- Pages that differ from the `<body>` on differ in one fact only, and one fact never pays for its
  labels. `divided` parts pages that have less than a third of their structure in common. A class
  on an element high up, a mere state, changes every path below it: so less than half of the single
  steps from an element to one in it must be in common, too.
- Two optional parts that mostly come together are two facts, and pay. `joined` makes classes one
  again that have two thirds of their structure in common, and addresses that do not tell them
  apart: they are one class, of which some pages have more parts than others.

Structure in common is the sum over all paths of the smaller share of pages that have the path,
over the sum of the larger shares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sitewright.classes.partition import Partition
    from sitewright.classes.sample import Sample
    from sitewright.html import PathVocabulary

    Classes = NDArray[np.int64]

UNLIKE = 1 / 3
ALIKE = 2 / 3
"""Below the one and above the other the eye needs no statistics; between them they decide."""
UNLIKE_STEPS = 1 / 2
_FEWEST = 2
"""One page shows no regularity."""
_TRIED_PATHS = 256


def likeness(
    one: NDArray[np.floating[Any]], other: NDArray[np.floating[Any]]
) -> NDArray[np.float64]:
    """The structure that classes have in common, 1 for all of it, from their shares, row by row."""
    common = np.minimum(one, other).sum(axis=-1)
    found: NDArray[np.float64] = common / np.maximum(one, other).sum(axis=-1)
    return found


def divided(partition: Partition, vocabulary: PathVocabulary) -> Classes:
    """Divide every class along a path whose pages are unlike those without it, until none is."""
    sample, classes = partition.sample, partition.classes.copy()
    views = _Views(
        sample.rows[:, : partition.length.paths],
        _steps(sample, vocabulary),
        sample.weights,
        np.argsort(-_sizes_below(sample.columns.parents), kind="stable"),
    )
    waiting = [int(name) for name in np.unique(classes)]
    while waiting:
        name = waiting.pop()
        rows = np.flatnonzero(classes == name)
        half = views.unlike_half(rows)
        if half is not None:
            new = int(classes.max()) + 1
            classes[rows[half]] = new
            waiting += [name, new]
    return classes


def joined(partition: Partition) -> Classes:
    """Join the two classes that are most alike, while addresses do not tell them apart."""
    classes, length = partition.classes.copy(), partition.length
    names, sums = list(np.unique(classes)), partition.sums()
    while len(names) > 1:
        shares = sums[:, : length.paths] / sums[:, :1]
        alike = np.stack([likeness(shares, share) for share in shares])
        alone = length.addresses(sums)
        together = np.stack([length.addresses(sums + one) for one in sums])
        told_apart = alone[:, None] + alone > together
        alike[told_apart | np.tri(len(names), dtype=bool)] = 0
        one, other = divmod(int(alike.argmax()), len(names))
        if alike[one, other] < ALIKE:
            break
        classes[classes == names[other]] = names[one]
        sums[one] += sums[other]
        sums = np.delete(sums, other, 0)
        del names[other]
    return classes


class _Views(NamedTuple):
    """The pages of a sample as two matrices: their paths, and the last steps of their paths."""

    paths: NDArray[np.float32]
    steps: NDArray[np.float32]
    weights: NDArray[np.float32]
    largest: NDArray[np.int64]
    """Paths in the order of what they hold: those that hold most make the greatest difference."""

    def unlike_half(self, rows: Classes) -> NDArray[np.bool_] | None:
        """The pages of a class that have the path which divides it best; None if all are alike."""
        matrix, weights = self.paths[rows], self.weights[rows]
        total, pages = weights @ matrix, weights.sum()
        may_divide = (total >= _FEWEST) & (total <= pages - _FEWEST)
        tried = self.largest[may_divide[self.largest]][:_TRIED_PATHS]
        if not len(tried):
            return None
        halves = matrix[:, tried].T * weights
        alike = _likeness_of_halves(halves, weights, matrix)
        alike[_likeness_of_halves(halves, weights, self.steps[rows]) >= UNLIKE_STEPS] = 1
        best = int(alike.argmin())
        return matrix[:, tried[best]] > 0 if alike[best] < UNLIKE else None


def _likeness_of_halves(
    halves: NDArray[np.float32], weights: NDArray[np.float32], matrix: NDArray[np.float32]
) -> NDArray[np.float64]:
    """For each half of a class, given by the weights of its pages, its likeness to the other."""
    sizes = halves.sum(axis=1, keepdims=True)
    inside = halves @ matrix
    outside = weights @ matrix - inside
    return likeness(inside / sizes, outside / (weights.sum() - sizes))


def _steps(sample: Sample, vocabulary: PathVocabulary) -> NDArray[np.float32]:
    """Which steps each page has: the last two labels of its paths."""
    last = [tuple(vocabulary.labels(int(path))[-2:]) for path in sample.columns.paths]
    number = {step: place for place, step in enumerate(dict.fromkeys(last))}
    steps = np.zeros((len(sample.rows), len(number)), dtype=np.float32)
    for column, step in enumerate(last):
        np.maximum(steps[:, number[step]], sample.rows[:, column], out=steps[:, number[step]])
    return steps


def _sizes_below(parents: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many paths each path holds."""
    sizes = np.ones(len(parents), dtype=np.int64)
    for path in range(len(parents) - 1, 0, -1):
        sizes[parents[path]] += sizes[path]
    return sizes
