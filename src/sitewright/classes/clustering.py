"""From the facts of pages to classes: our method over a sample, the rest by classification."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sitewright.classes.description_length import DescriptionLength
from sitewright.classes.features import FeatureColumns, FeatureMatrix
from sitewright.page.url_pattern import UrlPattern, learn_url_pattern
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sitewright.classes.features import PageFeatures
    from sitewright.page import PathVocabulary

    Classes = NDArray[np.int64]
    """The class of each row."""


# Finding the partition of a sample whose description is shortest.
#
# One class is split by the column that saves most, its halves are sharpened by moving rows between
# them, and so on until no split pays. Then rows move to the class that writes them shortest, and
# classes merge while that pays. The passes are repeated until the description gets no shorter.

_GAIN = 1e-6


@dataclass(slots=True, eq=False)
class Partition:
    """Classes of the rows of a sample, and the description length that judges them."""

    sample: FeatureMatrix
    length: DescriptionLength
    classes: Classes
    _done: set[bytes] = field(default_factory=set)

    @classmethod
    def shortest(cls, sample: FeatureMatrix) -> Partition:
        """Search from one class of everything."""
        settings = current().classes
        rows = len(sample.rows)
        partition = cls(sample, DescriptionLength.of(sample), np.zeros(rows, dtype=np.int64))
        best, bits = partition.classes, partition.bits()
        for _ in range(settings.max_passes):
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
        settings = current().classes
        for _ in range(settings.max_moves):
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
        settings = current().classes
        if len(rows) < 2:
            return None
        weights, length = self.sample.weights[rows], self.length
        # Paths that no page of the class has can neither be declared nor divide it.
        live = np.flatnonzero((weights @ self.sample.rows[rows])[: length.paths])
        attributes = np.arange(length.paths, self.sample.rows.shape[1])
        matrix = self.sample.rows[np.ix_(rows, np.concatenate([live, attributes]))]
        length = length.of_paths(live)
        total = weights @ matrix
        columns = _splitting_columns(matrix, total)
        if not len(columns):
            return None
        parts = ((matrix[:, columns] * weights[:, None]).T @ matrix).astype(np.float32)
        lengths = _lengths(length, parts) + _lengths(length, (total - parts).astype(np.float32))
        best: tuple[float, NDArray[np.bool_]] | None = None
        for place in np.argsort(lengths, kind="stable")[: settings.sharpened_splits]:
            half = _sharpened(length, matrix, weights, matrix[:, columns[place]] > 0)
            if half.all() or not half.any():
                continue
            part = weights[half] @ matrix[half]
            bits = float((_lengths(length, part) + _lengths(length, total - part))[0])
            if best is None or bits < best[0]:
                best = bits, half
        pages, classes = int(self.sample.weights.sum()), len(np.unique(self.classes))
        more = length.composition(pages, classes + 1) - length.composition(pages, classes)
        now = float(_lengths(length, total)[0])
        return best[1] if best is not None and best[0] + more < now - _GAIN else None


def _lengths(length: DescriptionLength, sums: NDArray[np.float32]) -> NDArray[np.float64]:
    """What classes cost: their labels less what they save."""
    sums = np.atleast_2d(sums)
    sizes = np.rint(sums[:, 0]).astype(np.int64)
    lengths: NDArray[np.float64] = -length.factorials[sizes] - length.saved(sums)
    return lengths


def _sharpened(
    length: DescriptionLength,
    matrix: NDArray[np.float32],
    weights: NDArray[np.float32],
    half: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Let both halves take the rows that they write shorter."""
    settings = current().classes
    for _ in range(settings.max_moves):
        if half.all() or not half.any():
            break
        sums = np.stack([weights[half] @ matrix[half], weights[~half] @ matrix[~half]])
        scores = matrix @ length.scores(sums).T.astype(np.float32) + np.log2(sums[:, 0])
        moved = scores[:, 0] > scores[:, 1]
        if (moved == half).all():
            break
        half = moved
    return half


def _splitting_columns(
    matrix: NDArray[np.float32], total: NDArray[np.float32]
) -> NDArray[np.int64]:
    """Columns that divide a class into two parts of two pages or more, each division once."""
    settings = current().classes
    pages = total[0]
    columns = np.flatnonzero((total >= 2) & (total <= pages - 2))
    packed = np.packbits((matrix[:, columns] > 0) ^ (matrix[:1, columns] > 0), axis=0)
    _, first = np.unique(packed, axis=1, return_index=True)
    columns = columns[np.sort(first)]
    evenness = np.abs(total[columns] - pages / 2)
    return columns[np.argsort(evenness, kind="stable")[: settings.max_split_candidates]]


# How much structure classes have in common: where that decides, and not the shortest description.
#
# The description length weighs facts, and takes a path with all that stands below it for one. So it
# is blind in two ways, both of which show where URLs say nothing, as those of saved pages do:
#
# - Pages that differ from the `<body>` on differ in one fact only, and one fact never pays for its
#   labels. `divided` parts pages that have less than a third of their structure in common. A class
#   on an element high up, a mere state, changes every path below it: so less than half of the
# single
#   steps from an element to one in it must be in common, too.
# - Two optional parts that mostly come together are two facts, and pay. `joined` makes classes one
#   again that have two thirds of their structure in common, and URLs that do not tell them
#   apart: they are one class, of which some pages have more parts than others.
#
# Structure in common is the sum over all paths of the smaller share of pages that have the path,
# over the sum of the larger shares.


def structural_similarity(
    one: NDArray[np.floating[Any]], other: NDArray[np.floating[Any]]
) -> NDArray[np.float64]:
    """The structure that classes have in common, 1 for all of it, from their shares, row by row."""
    common = np.minimum(one, other).sum(axis=-1)
    found: NDArray[np.float64] = common / np.maximum(one, other).sum(axis=-1)
    return found


def split_dissimilar(partition: Partition, vocabulary: PathVocabulary) -> Classes:
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


def merge_similar(partition: Partition) -> Classes:
    """Join the two classes that are most alike, while URLs do not tell them apart."""
    settings = current().classes
    classes, length = partition.classes.copy(), partition.length
    names, sums = list(np.unique(classes)), partition.sums()
    while len(names) > 1:
        shares = sums[:, : length.paths] / sums[:, :1]
        alike = np.stack([structural_similarity(shares, share) for share in shares])
        alone = length.url_bits(sums)
        together = np.stack([length.url_bits(sums + one) for one in sums])
        told_apart = alone[:, None] + alone > together
        alike[told_apart | np.tri(len(names), dtype=bool)] = 0
        one, other = divmod(int(alike.argmax()), len(names))
        if alike[one, other] < settings.min_similarity_of_merged:
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
        settings = current().classes
        matrix, weights = self.paths[rows], self.weights[rows]
        total, pages = weights @ matrix, weights.sum()
        may_divide = (total >= settings.min_pages_of_half) & (
            total <= pages - settings.min_pages_of_half
        )
        tried = self.largest[may_divide[self.largest]][: settings.max_split_candidates]
        if not len(tried):
            return None
        halves = matrix[:, tried].T * weights
        alike = _likeness_of_halves(halves, weights, matrix)
        alike[
            _likeness_of_halves(halves, weights, self.steps[rows])
            >= settings.max_step_similarity_of_halves
        ] = 1
        best = int(alike.argmin())
        return (
            matrix[:, tried[best]] > 0 if alike[best] < settings.max_similarity_of_halves else None
        )


def _likeness_of_halves(
    halves: NDArray[np.float32], weights: NDArray[np.float32], matrix: NDArray[np.float32]
) -> NDArray[np.float64]:
    """For each half of a class, given by the weights of its pages, its likeness to the other."""
    matrix = matrix[:, matrix.any(axis=0)]  # what no page has is nothing in common, either
    sizes = halves.sum(axis=1, keepdims=True)
    inside = halves @ matrix
    outside = weights @ matrix - inside
    return structural_similarity(inside / sizes, outside / (weights.sum() - sizes))


def _steps(sample: FeatureMatrix, vocabulary: PathVocabulary) -> NDArray[np.float32]:
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


NO_CLASS = -1


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """Classes of pages, and the scores that classify more of them."""

    columns: FeatureColumns
    class_of_page: NDArray[np.int64]
    scores: NDArray[np.float64]
    """A row a class; a class of stubs has scores for URLs only, and comes last."""
    has_stubs: bool

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many pages each class has."""
        return np.bincount(self.class_of_page, minlength=len(self.scores))


# Products of small matrices may report an invalid value where all are finite: the vector kernels of
# OpenBLAS read past the end of a row, and throw away what they computed there.
@np.errstate(invalid="ignore")
def cluster_pages(pages: Sequence[PageFeatures], vocabulary: PathVocabulary) -> Clustering:
    """Find the classes of these pages by the shortest description.

    Stubs have no structure of their own: they are a class, but for those that stand for a page of
    another class by their URL.
    """
    real = [place for place, page in enumerate(pages) if not page.is_stub]
    stubs = [place for place, page in enumerate(pages) if page.is_stub]
    chosen = _chosen(real or stubs)
    sample = FeatureMatrix.of([pages[place] for place in chosen], vocabulary)
    partition = Partition.shortest(sample)
    partition.classes = split_dissimilar(partition, vocabulary)
    partition.classes = merge_similar(partition)
    names, classes = np.unique(partition.classes[sample.row_of_page], return_inverse=True)
    sums, columns = partition.sums(), sample.columns
    scores = partition.length.scores(sums)
    class_of_page = np.full(len(pages), NO_CLASS, dtype=np.int64)
    class_of_page[chosen] = classes
    priors = np.log2(sums[:, 0])
    for place in real:
        if class_of_page[place] == NO_CLASS:
            row = columns.row(pages[place])
            class_of_page[place] = int((scores[:, row].sum(axis=1) + priors).argmax())
    if not real or not stubs:
        return Clustering(columns, class_of_page, scores, has_stubs=not real)
    urls = [[pages[place].url for place in real if class_of_page[place] == number]
                 for number in range(len(names))]  # fmt: skip
    trusted = trusted_patterns(urls)
    own = len(names)
    for place in stubs:
        class_of_page[place] = stands_for(pages[place].url, trusted, own)
    left = [columns.url_row(pages[place].url) for place in stubs if class_of_page[place] == own]
    if not left:
        return Clustering(columns, class_of_page, scores, has_stubs=False)
    stub_scores = _address_scores(left, partition)
    return Clustering(columns, class_of_page, np.vstack([scores, stub_scores]), has_stubs=True)


def trusted_patterns(urls: Sequence[Sequence[str]]) -> list[tuple[int, UrlPattern]]:
    """Classes whose pattern hardly any page of another class has, given the URLs of each."""
    settings = current().classes
    trusted = []
    for number, own in enumerate(urls):
        pattern = learn_url_pattern(own)
        matching = [sum(map(pattern.matches, others)) for others in urls]
        if len(own) > 1 and matching[number] >= settings.min_url_precision * sum(matching):
            trusted.append((number, pattern))
    return trusted


def stands_for(url: str, trusted: Sequence[tuple[int, UrlPattern]], otherwise: int) -> int:
    """The class of a stub: a stub with a URL like the pages of a class stands for one."""
    return next((number for number, pattern in trusted if pattern.matches(url)), otherwise)


def _chosen(places: list[int]) -> list[int]:
    settings = current().classes
    if len(places) <= settings.max_sampled_pages:
        return places
    chance = random.Random(0)  # noqa: S311 - a choice that can be repeated is wanted
    return sorted(chance.sample(places, settings.max_sampled_pages))


def _address_scores(rows: list[NDArray[np.int64]], partition: Partition) -> NDArray[np.float64]:
    """The scores of a class of stubs: of their URLs, since they have nothing else.

    The code's tables reach as far as the sample; of more stubs than that, some stand for all.
    """
    most = int(partition.sample.weights.sum())
    rows = rows[:: -(-len(rows) // most)]
    sums = np.zeros(len(partition.sample.columns), dtype=np.float32)
    for row in rows:
        sums[row] += 1
    sums[0] = len(rows)
    scores: NDArray[np.float64] = partition.length.scores(sums)[0]
    scores[: partition.length.paths] = 0.0
    return scores
