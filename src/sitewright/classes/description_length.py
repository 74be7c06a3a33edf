"""Our description length: how many bits a class saves when its pages are written with its help.

Every page is written as the set of its paths and the attributes of its URL.

- Without classes, a path costs what it costs anywhere in the site: of the pages that have the path
  above it, a share g has this one, so its presence costs -log2 g and its absence -log2 (1 - g).
  A path inside an absent one costs nothing. This is the background; it explains prose, whose paths
  come and go everywhere alike, and it is the same for every partition of the pages.
- A class may declare that its pages have a path, with exceptions at a rate e of `EXCEPTIONS`. Then
  a page that has it pays -log2 (1 - e), one that lacks it -log2 e. Naming the path costs log2 of
  the number of paths with the same path above them, a bit to go on, and the choice of e. Classes
  declare what they have, never what they lack: absence is no template.
- The attributes of URLs are written with an adaptive code for each class that starts from the
  site's frequencies (Dirichlet-multinomial), and `ATTRIBUTE_BITS` to say so.
- Which class a page belongs to is written as well: log2 of the number of partitions into classes
  of these sizes. So an attribute alone never splits a class: what it saves, the label costs.

What a class saves depends on nothing but the sum of its rows, so no page is looked at twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import lgamma, log
from typing import TYPE_CHECKING

import numpy as np

from sitewright.settings import current

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sitewright.classes.features import FeatureMatrix

    Floats = NDArray[np.float64]


_SMALLEST = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class DescriptionLength:
    """The codes for one sample; made once, asked for every class that is considered."""

    parents: NDArray[np.int32]
    paths: int
    starts: NDArray[np.int64]
    present: Floats
    """For each rate of exceptions and path: the bits saved by a page that has a declared path."""
    absent: Floats
    """The same for a page that has the path above it, but not the path: below zero."""
    naming: Floats
    """For each path the bits that declare it."""
    attribute_bits: float
    background: Floats
    """Bits of each value of an attribute with the site's frequencies."""
    factorials: Floats
    """log2 n! by n."""
    rising: Floats
    """For each value of an attribute and count: log2 of the rising factorial of its frequency."""
    levels: NDArray[np.int64]

    @classmethod
    def of(cls, sample: FeatureMatrix) -> DescriptionLength:
        """Take the background from the whole sample."""
        settings = current().classes
        columns = sample.columns
        totals = (sample.weights @ sample.rows).astype(float)
        paths, starts = len(columns.paths), columns.starts
        present, absent = _declarations(sample, totals)
        frequencies = _frequencies(totals, starts)
        levels = np.clip(np.rint(-2 * np.log2(frequencies)), 0, _LEVELS - 1).astype(np.int64)
        pages = int(sample.weights.sum())
        scale = max(1.0, pages / settings.independent_pages)
        return cls(
            parents=columns.parents,
            paths=paths,
            starts=starts - paths,
            present=present,
            absent=absent,
            naming=_naming(columns.parents, totals) * scale,
            attribute_bits=settings.url_bits * scale,
            background=-np.log2(frequencies),
            factorials=_table(1.0, pages),
            rising=np.stack([_table(2.0 ** (-level / 2), pages) for level in range(_LEVELS)]),
            levels=levels,
        )

    def saved(self, sums: NDArray[np.float32]) -> Floats:
        """The bits that classes save, given the sum of the rows of each, one class a row."""
        sums = np.atleast_2d(sums)
        declared = self.best_declared(sums[:, : self.paths])
        bits: Floats = np.maximum(declared - self.naming, 0).sum(axis=1)
        bits += self._attributes(sums).sum(axis=1)
        return bits

    def of_paths(self, kept: NDArray[np.int64]) -> DescriptionLength:
        """The same codes for pages that have none but these paths; with each the one above it."""
        return replace(
            self,
            parents=np.searchsorted(kept, self.parents[kept]).astype(np.int32),
            paths=len(kept),
            present=self.present[:, kept],
            absent=self.absent[:, kept],
            naming=self.naming[kept],
        )

    def scores(self, sums: NDArray[np.float32]) -> Floats:
        """For each class and column, the bits that a page with this column saves in the class."""
        sums = np.atleast_2d(sums)
        scores: Floats = np.zeros(sums.shape)
        declared = self.declared(sums[:, : self.paths])
        rate = declared.argmax(axis=0)
        is_declared = declared.max(axis=0) > self.naming
        here = np.arange(self.paths)
        absent = np.where(is_declared, self.absent[rate, here], 0.0)
        scores[:, : self.paths] = np.where(is_declared, self.present[rate, here], 0.0) - absent
        for row in range(len(sums)):
            scores[row, : self.paths] += np.bincount(
                self.parents, weights=absent[row], minlength=self.paths
            )
        scores[:, self.paths :] = self._attribute_scores(sums)
        return scores

    def url_bits(self, sums: NDArray[np.float32]) -> Floats:
        """The bits that classes save on the URLs of their pages alone."""
        bits: Floats = self._attributes(np.atleast_2d(sums)).sum(axis=1)
        return bits

    def labels(self, sizes: NDArray[np.float32]) -> float:
        """The bits that say which page belongs to which class, from the sizes of the classes."""
        counts = np.rint(sizes).astype(np.int64)
        pages, classes = int(counts.sum()), len(counts)
        return float(-self.factorials[counts].sum()) + self.composition(pages, classes)

    def composition(self, pages: int, classes: int) -> float:
        """log2 of the number of ways to give sizes to so many classes."""
        table = self.factorials
        return float(table[pages - 1] - table[classes - 1] - table[pages - classes])

    def declared(self, sums: NDArray[np.float32]) -> Floats:
        """What declaring each path would save before it is named, for each rate and class."""
        lacking = sums[:, self.parents] - sums
        gains: Floats = (
            sums[None] * self.present[:, None, :] + lacking[None] * self.absent[:, None, :]
        )
        return gains

    def best_declared(self, sums: NDArray[np.float32]) -> Floats:
        """The same at the best rate; a rate at a time, since all of them together fill no cache."""
        lacking = sums[:, self.parents] - sums
        best: Floats = np.full(sums.shape, -np.inf)
        for present, absent in zip(self.present, self.absent, strict=True):
            gains = sums * present
            gains += lacking * absent
            np.maximum(best, gains, out=best)
        return best

    def _attributes(self, sums: NDArray[np.float32]) -> Floats:
        counts = np.rint(sums[:, self.paths :]).astype(np.int64)
        first = self.starts[:-1]
        saved = np.add.reduceat(
            counts * self.background + self.rising[self.levels, counts], first, axis=1
        )
        totals = np.add.reduceat(counts, first, axis=1)
        bits: Floats = np.maximum(saved - self.rising[0, totals] - self.attribute_bits, 0)
        return bits

    def _attribute_scores(self, sums: NDArray[np.float32]) -> Floats:
        counts = sums[:, self.paths :].astype(float)
        slot = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        totals = np.add.reduceat(counts, self.starts[:-1], axis=1)[:, slot]
        own = np.log2((counts + 2.0**-self.background) / (totals + 1)) + self.background
        chosen: Floats = np.where(self._attributes(sums)[:, slot] > 0, own, 0.0)
        return chosen


_LEVELS = 33
"""Frequencies are rounded to powers of the square root of a half, so that a table holds them."""


def _table(start: float, pages: int) -> Floats:
    """log2 of start (start + 1) ... (start + n - 1), by n.

    No class has more than all pages, but a merge is asked of a class with itself, too.
    """
    base = lgamma(start)
    return np.array([(lgamma(start + n) - base) / log(2) for n in range(2 * pages + 2)])


def _declarations(sample: FeatureMatrix, totals: Floats) -> tuple[Floats, Floats]:
    settings = current().classes
    paths = len(sample.columns.paths)
    above = totals[sample.columns.parents]
    share = np.clip(totals[:paths] / np.maximum(above, 1), _SMALLEST, 1 - _SMALLEST)
    weight = 1 / _twins(sample)
    varies = totals[:paths] < above
    rates = np.array(settings.exception_rates)[:, None]
    present = np.where(varies, weight * (np.log2(1 - rates) - np.log2(share)), 0.0)
    absent = np.where(varies, weight * (np.log2(rates) - np.log2(1 - share)), 0.0)
    # Where the site as a whole has the path more often than the declaration says, it says nothing.
    useful = present > 0
    return np.where(useful, present, 0.0), np.where(useful, absent, 0.0)


def _naming(parents: NDArray[np.int32], totals: Floats) -> Floats:
    """One of the varying paths below the same path, a bit to go on, and the rate of exceptions."""
    settings = current().classes
    varies = totals[: len(parents)] < totals[parents]
    siblings = np.bincount(parents[varies], minlength=len(parents))[parents]
    bits: Floats = np.log2(np.maximum(siblings, 1)) + 1 + np.log2(len(settings.exception_rates))
    return bits


def _twins(sample: FeatureMatrix) -> Floats:
    """How many paths share both the path above and the pages: together they are one fact."""
    paths = len(sample.columns.paths)
    packed = np.packbits(sample.rows[:, :paths] > 0, axis=0)
    keys = [
        (int(parent), packed[:, path].tobytes())
        for path, parent in enumerate(sample.columns.parents)
    ]
    sizes: dict[tuple[int, bytes], int] = {}
    for key in keys:
        sizes[key] = sizes.get(key, 0) + 1
    return np.array([sizes[key] for key in keys], dtype=float)


def _frequencies(totals: Floats, starts: NDArray[np.int64]) -> Floats:
    """The site's frequency of each value of each attribute; a rare value is never impossible."""
    counts = np.maximum(totals[starts[0] :], 0.5)
    first = starts[:-1] - starts[0]
    sizes = np.diff(starts)
    shares: Floats = counts / np.repeat(np.add.reduceat(counts, first), sizes)
    return shares
