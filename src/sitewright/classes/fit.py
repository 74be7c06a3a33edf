"""From the facts of pages to classes: our method over a sample, the rest by classification."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sitewright.classes.address_pattern import AddressPattern, address_pattern
from sitewright.classes.likeness import divided, joined
from sitewright.classes.partition import Partition
from sitewright.classes.sample import Columns, Sample

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sitewright.classes.facts import PageFacts
    from sitewright.html import PathVocabulary

MOST_SAMPLED = 1200
"""The search looks at no more pages than this; all others are assigned in one pass, so that the
time grows with the number of pages and not faster."""
NO_CLASS = -1
TRUST = 0.8
"""The precision from which on the pattern of a class speaks for a page without structure."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Classes of pages, and the scores that classify more of them."""

    columns: Columns
    class_of_page: NDArray[np.int64]
    scores: NDArray[np.float64]
    """A row a class; a class of stubs has scores for addresses only, and comes last."""
    has_stubs: bool

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many pages each class has."""
        return np.bincount(self.class_of_page, minlength=len(self.scores))


def fit(pages: Sequence[PageFacts], vocabulary: PathVocabulary) -> Fit:
    """Find the classes of these pages by the shortest description.

    Stubs have no structure of their own: they are a class, but for those that stand for a page of
    another class by their address.
    """
    real = [place for place, page in enumerate(pages) if not page.is_stub]
    stubs = [place for place, page in enumerate(pages) if page.is_stub]
    chosen = _chosen(real or stubs)
    sample = Sample.of([pages[place] for place in chosen], vocabulary)
    partition = Partition.shortest(sample)
    partition.classes = divided(partition, vocabulary)
    partition.classes = joined(partition)
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
        return Fit(columns, class_of_page, scores, has_stubs=not real)
    addresses = [[pages[place].url for place in real if class_of_page[place] == number]
                 for number in range(len(names))]  # fmt: skip
    trusted = trusted_patterns(addresses)
    own = len(names)
    for place in stubs:
        class_of_page[place] = stands_for(pages[place].url, trusted, own)
    left = [columns.address_row(pages[place].url) for place in stubs if class_of_page[place] == own]
    if not left:
        return Fit(columns, class_of_page, scores, has_stubs=False)
    stub_scores = _address_scores(left, partition)
    return Fit(columns, class_of_page, np.vstack([scores, stub_scores]), has_stubs=True)


def trusted_patterns(addresses: Sequence[Sequence[str]]) -> list[tuple[int, AddressPattern]]:
    """Classes whose pattern hardly any page of another class has, given the addresses of each."""
    trusted = []
    for number, own in enumerate(addresses):
        pattern = address_pattern(own)
        matching = [sum(map(pattern.matches, others)) for others in addresses]
        if len(own) > 1 and matching[number] >= TRUST * sum(matching):
            trusted.append((number, pattern))
    return trusted


def stands_for(url: str, trusted: Sequence[tuple[int, AddressPattern]], otherwise: int) -> int:
    """The class of a stub: a stub with an address like the pages of a class stands for one."""
    return next((number for number, pattern in trusted if pattern.matches(url)), otherwise)


def _chosen(places: list[int]) -> list[int]:
    if len(places) <= MOST_SAMPLED:
        return places
    chance = random.Random(0)  # noqa: S311 - a choice that can be repeated is wanted
    return sorted(chance.sample(places, MOST_SAMPLED))


def _address_scores(rows: list[NDArray[np.int64]], partition: Partition) -> NDArray[np.float64]:
    """The scores of a class of stubs: of their addresses, since they have nothing else.

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
