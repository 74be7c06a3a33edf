"""Text clustering before and after a template is removed (Geraci and Maggini 2011, section 3.2).

Pages with known categories are clustered by their words with the Furthest-Point-First algorithm
(Gonzalez 1985); the clusters are compared with the categories. What the paper leaves open: words
are weighted by frequency and rarity (tf-idf), the distance is one minus the cosine, and since the
first centre is arbitrary, measures are means over several.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray


_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """Unit vectors of texts over their words, row after row: only what is not zero is kept."""

    words: NDArray[np.int32]
    weights: NDArray[np.float64]
    starts: NDArray[np.int64]
    """Where each text's words begin, and behind the last where all end."""
    vocabulary: int

    @classmethod
    def of(cls, texts: Sequence[str]) -> WordVectors:
        """Count the words of texts: often in this text, and in few others."""
        counted = [Counter(_WORD.findall(text.lower())) for text in texts]
        spread = Counter(word for counts in counted for word in counts)
        numbers = {word: number for number, word in enumerate(sorted(spread))}
        rows = [
            [(numbers[word], count * log(len(texts) / spread[word])) for word, count in row.items()]
            for row in counted
        ]
        flat = np.array([pair for row in rows for pair in row], dtype=np.float64).reshape(-1, 2)
        starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        vectors = cls(flat[:, 0].astype(np.int32), flat[:, 1], starts, len(numbers))
        lengths = np.sqrt(vectors._row_sums(vectors.weights**2))
        per_word = np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(starts))
        return cls(vectors.words, vectors.weights / per_word, starts, len(numbers))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def distances(self, row: int) -> NDArray[np.float64]:
        """How far each text is from one of them: one minus the cosine."""
        centre = np.zeros(self.vocabulary)
        here = slice(self.starts[row], self.starts[row + 1])
        centre[self.words[here]] = self.weights[here]
        return 1.0 - self._row_sums(self.weights * centre[self.words])

    def _row_sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        running = np.concatenate([[0.0], np.cumsum(values)])
        sums: NDArray[np.float64] = running[self.starts[1:]] - running[self.starts[:-1]]
        return sums


def furthest_point_first(vectors: WordVectors, clusters: int, first: int) -> list[int]:
    """The cluster of each text (Gonzalez 1985).

    Each new centre is the text that is furthest from all centres so far; then every text belongs
    to its nearest centre, of several to the earliest.
    """
    nearest = vectors.distances(first)
    assigned = np.zeros(len(vectors), dtype=np.int32)
    for cluster in range(1, clusters):
        from_centre = vectors.distances(int(np.argmax(nearest)))
        closer = from_centre < nearest
        assigned[closer] = cluster
        nearest = np.minimum(nearest, from_centre)
    found: list[int] = assigned.tolist()
    return found


@dataclass(frozen=True, slots=True)
class ClusterTable:
    """How many pages each true category and each cluster have in common."""

    shared: Counter[tuple[Hashable, Hashable]]
    categories: Counter[Hashable]
    clusters: Counter[Hashable]

    @classmethod
    def of(cls, categories: Sequence[Hashable], clusters: Sequence[Hashable]) -> ClusterTable:
        """Count pairs."""
        return cls(
            Counter(zip(categories, clusters, strict=True)), Counter(categories), Counter(clusters)
        )

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return self.shared.total()

    def f_measure(self) -> float:
        """The best F of each category with any cluster, weighted by the category's size."""
        best = dict.fromkeys(self.categories, 0.0)
        for (true, cluster), both in self.shared.items():
            harmonic = 2 * both / (self.categories[true] + self.clusters[cluster])
            best[true] = max(best[true], harmonic)
        return sum(best[true] * size for true, size in self.categories.items()) / self.pages

    def purity(self) -> float:
        """The part of pages that are of their cluster's largest category.

        The paper's formula multiplies by the cluster's size once too often to stay below 1.
        """
        largest: Counter[Hashable] = Counter()
        for (_true, cluster), both in self.shared.items():
            largest[cluster] = max(largest[cluster], both)
        return largest.total() / self.pages

    def nmi(self) -> float:
        """Mutual information, times 2 / log(|C||GT|)."""
        information = sum(
            both / self.pages * log(both * self.pages / (self.categories[t] * self.clusters[c]))
            for (t, c), both in self.shared.items()
        )
        possible = log(len(self.clusters) * len(self.categories))
        return 2 * information / possible if possible else 1.0

    def nce(self) -> float:
        """One minus the entropy of categories in each cluster, weighted by the cluster's size.

        As in Strehl (2002), whom the paper cites: the paper's own sum has no weights and leaves
        [0, 1]; `nce_as_printed` is that.
        """
        entropy = -sum(
            both / self.pages * log(both / self.clusters[cluster])
            for (_true, cluster), both in self.shared.items()
        )
        return 1 - entropy / log(len(self.categories)) if len(self.categories) > 1 else 1.0

    def nce_as_printed(self) -> float:
        """One minus the sum over clusters of the entropy of recalls, over log|GT|."""
        recalls = [both / self.categories[true] for (true, _), both in self.shared.items()]
        entropy = -sum(recall * log(recall) for recall in recalls)
        return 1 - entropy / log(len(self.categories)) if len(self.categories) > 1 else 1.0


def cluster_texts(
    texts: Sequence[str], categories: Sequence[str], *, starts: int = 10, seed: int = 0
) -> dict[str, Any]:
    """Cluster texts into as many clusters as there are categories; the means over some starts."""
    begin = time.perf_counter()
    vectors = WordVectors.of(texts)
    firsts = random.Random(seed).choices(range(len(texts)), k=starts)  # noqa: S311
    number = len(set(categories))
    tables = [
        ClusterTable.of(categories, furthest_point_first(vectors, number, first))
        for first in firsts
    ]
    seconds = time.perf_counter() - begin
    measures = ("f_measure", "purity", "nmi", "nce", "nce_as_printed")
    means = {
        name: round(sum(getattr(table, name)() for table in tables) / starts, 4)
        for name in measures
    }
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    return {**means, "bytes": size, "words": vectors.vocabulary, "seconds": round(seconds, 3)}
