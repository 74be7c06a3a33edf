"""Finding the partition of a sample whose description is shortest.

One class is split by the column that saves most, its halves are sharpened by moving rows between
them, and so on until no split pays. Then rows move to the class that writes them shortest, and
classes merge while that pays. The passes are repeated until the description gets no shorter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sitewright.classes.description import DescriptionLength

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sitewright.classes.sample import Sample

    Classes = NDArray[np.int64]
    """The class of each row."""

MOST_PASSES = 6
MOST_MOVES = 8
_TRIED_COLUMNS = 256
_SHARPENED = 3
_GAIN = 1e-6


@dataclass(slots=True, eq=False)
class Partition:
    """Classes of the rows of a sample, and the description length that judges them."""

    sample: Sample
    length: DescriptionLength
    classes: Classes
    _done: set[bytes] = field(default_factory=set)

    @classmethod
    def shortest(cls, sample: Sample) -> Partition:
        """Search from one class of everything."""
        rows = len(sample.rows)
        partition = cls(sample, DescriptionLength.of(sample), np.zeros(rows, dtype=np.int64))
        best, bits = partition.classes, partition.bits()
        for _ in range(MOST_PASSES):
            partition.split_all()
            partition.move_rows()
            partition.merge()
            found = partition.bits()
            if found >= bits - _GAIN:
                break
            best, bits = partition.classes.copy(), found
        partition.classes = best
        return partition

    def sums(self) -> NDArray[np.float32]:
        """The sum of the rows of each class; all that is known of it."""
        names = np.unique(self.classes)
        weights = np.where(self.classes == names[:, None], self.sample.weights, 0)
        sums: NDArray[np.float32] = (weights @ self.sample.rows).astype(np.float32)
        return sums

    def bits(self) -> float:
        """The description length, without the part that all partitions share."""
        sums = self.sums()
        return self.length.labels(sums[:, 0]) - float(self.length.saved(sums).sum())

    def split_all(self) -> None:
        """Split classes until no split makes the description shorter."""
        waiting = [int(name) for name in np.unique(self.classes)]
        while waiting:
            name = waiting.pop()
            rows = np.flatnonzero(self.classes == name)
            key = rows.tobytes()
            half = None if key in self._done else self._best_half(rows)
            if half is None:
                self._done.add(key)
                continue
            new = int(self.classes.max()) + 1
            self.classes[rows[half]] = new
            waiting += [name, new]

    def move_rows(self) -> None:
        """Move every row to the class that writes it shortest, until none moves."""
        for _ in range(MOST_MOVES):
            names = np.unique(self.classes)
            sums = self.sums()
            scores = self.sample.rows @ self.length.scores(sums).T.astype(np.float32)
            moved = names[(scores + np.log2(sums[:, 0])).argmax(axis=1)]
            if (moved == self.classes).all():
                break
            self.classes = moved

    def merge(self) -> None:
        """Merge the two classes that save most by it, while any do."""
        names, sums = list(np.unique(self.classes)), self.sums()
        saved = self.length.saved(sums)
        gains = np.full((len(names), len(names)), -np.inf)
        for one in range(len(names)):
            self._fill_gains(gains, one, sums, saved)
        while len(names) > 1:
            pages = int(sums[:, 0].sum())
            fewer = self.length.composition(pages, len(names)) - self.length.composition(
                pages, len(names) - 1
            )
            one, other = divmod(int(gains.argmax()), len(names))
            if gains[one, other] + fewer <= _GAIN:
                break
            self.classes[self.classes == names[other]] = names[one]
            sums[one] += sums[other]
            sums, saved = np.delete(sums, other, 0), np.delete(saved, other)
            gains = np.delete(np.delete(gains, other, 0), other, 1)
            del names[other]
            one -= one > other
            saved[one] = self.length.saved(sums[one])[0]
            self._fill_gains(gains, one, sums, saved)

    def _fill_gains(
        self,
        gains: NDArray[np.float64],
        one: int,
        sums: NDArray[np.float32],
        saved: NDArray[np.float64],
    ) -> None:
        """What merging one class with each other one would save; each pair stands once."""
        sizes = np.rint(sums[:, 0]).astype(np.int64)
        table = self.length.factorials
        row = self.length.saved(sums + sums[one]) - saved - saved[one]
        row += table[sizes + sizes[one]] - table[sizes] - table[sizes[one]]
        gains[one, one + 1 :] = row[one + 1 :]
        gains[:one, one] = row[:one]

    def _best_half(self, rows: Classes) -> NDArray[np.bool_] | None:
        """The half of a class to be split off, None if no split pays."""
        if len(rows) < 2:
            return None
        matrix, weights = self.sample.rows[rows], self.sample.weights[rows]
        total = weights @ matrix
        columns = _splitting_columns(matrix, total)
        if not len(columns):
            return None
        parts = ((matrix[:, columns] * weights[:, None]).T @ matrix).astype(np.float32)
        lengths = self._lengths(parts) + self._lengths((total - parts).astype(np.float32))
        best: tuple[float, NDArray[np.bool_]] | None = None
        for place in np.argsort(lengths, kind="stable")[:_SHARPENED]:
            half = self._sharpened(matrix, weights, matrix[:, columns[place]] > 0)
            if half.all() or not half.any():
                continue
            part = weights[half] @ matrix[half]
            bits = float((self._lengths(part) + self._lengths(total - part))[0])
            if best is None or bits < best[0]:
                best = bits, half
        pages, classes = int(self.sample.weights.sum()), len(np.unique(self.classes))
        more = self.length.composition(pages, classes + 1) - self.length.composition(pages, classes)
        now = float(self._lengths(total)[0])
        return best[1] if best is not None and best[0] + more < now - _GAIN else None

    def _lengths(self, sums: NDArray[np.float32]) -> NDArray[np.float64]:
        """What classes cost: their labels less what they save."""
        sums = np.atleast_2d(sums)
        sizes = np.rint(sums[:, 0]).astype(np.int64)
        lengths: NDArray[np.float64] = -self.length.factorials[sizes] - self.length.saved(sums)
        return lengths

    def _sharpened(
        self,
        matrix: NDArray[np.float32],
        weights: NDArray[np.float32],
        half: NDArray[np.bool_],
    ) -> NDArray[np.bool_]:
        """Let both halves take the rows that they write shorter."""
        for _ in range(MOST_MOVES):
            if half.all() or not half.any():
                break
            sums = np.stack([weights[half] @ matrix[half], weights[~half] @ matrix[~half]])
            scores = matrix @ self.length.scores(sums).T.astype(np.float32) + np.log2(sums[:, 0])
            moved = scores[:, 0] > scores[:, 1]
            if (moved == half).all():
                break
            half = moved
        return half


def _splitting_columns(
    matrix: NDArray[np.float32], total: NDArray[np.float32]
) -> NDArray[np.int64]:
    """Columns that divide a class into two parts of two pages or more, each division once."""
    pages = total[0]
    columns = np.flatnonzero((total >= 2) & (total <= pages - 2))
    packed = np.packbits((matrix[:, columns] > 0) ^ (matrix[:1, columns] > 0), axis=0)
    _, first = np.unique(packed, axis=1, return_index=True)
    columns = columns[np.sort(first)]
    evenness = np.abs(total[columns] - pages / 2)
    return columns[np.argsort(evenness, kind="stable")[:_TRIED_COLUMNS]]
