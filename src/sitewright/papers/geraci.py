"""Geraci and Maggini 2011: the template as a consensus of token sequences.

The consensus tree (section 2.2), and the alignment (2.1) cell by cell as the paper writes it down;
the fast kernel that does the same is in `sitewright.template.alignment`.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sitewright.page import TokenVocabulary, source_tokens
from sitewright.settings import current
from sitewright.template.alignment import GAP, align
from sitewright.template.template import TemplateToken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from sitewright.page import Document

    Mapping = Callable[..., Iterable["Profile"]]


_ABSENT = -1


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """A hypothesis of the template: tokens, each with the number of pages that support it."""

    ids: NDArray[np.int32]
    counts: NDArray[np.int32]
    pages: int
    """How many pages it stands for."""

    @classmethod
    def of_page(cls, ids: NDArray[np.int32]) -> Profile:
        """A page by itself."""
        return cls(ids, np.ones(len(ids), dtype=np.int32), 1)

    def supported_by(self, pages: float) -> Profile:
        """Without the tokens that fewer pages support."""
        kept = self.counts >= pages
        return Profile(self.ids[kept], self.counts[kept], self.pages)


def consensus(
    sequences: Sequence[NDArray[np.int32]],
    *,
    seed: int = 0,
    threshold: float | None = None,
    pruning: float | None = None,
    workers: int = 1,
) -> Profile:
    """Distil the template of some pages' token sequences (section 2.2).

    The seed decides the order of pairs. `pruning` is the share of its pages that must have a token
    of an inner node, `threshold` that of the root. The alignments of one level can run in several
    processes; the result is the same.
    """
    settings = current().papers.geraci
    node = partial(aligned_and_pruned, pruning=settings.pruning if pruning is None else pruning)
    shuffled = list(sequences)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - pairing is no secret
    profiles = [Profile.of_page(ids) for ids in shuffled]
    with _mapping(workers) as mapping:
        while len(profiles) > 1:
            aligned = list(mapping(node, profiles[0:-1:2], profiles[1::2]))
            profiles = aligned + profiles[2 * len(aligned) :]
    share = settings.threshold if threshold is None else threshold
    return profiles[0].supported_by(share * len(sequences))


def aligned_and_pruned(first: Profile, second: Profile, pruning: float = 0.25) -> Profile:
    """One node of the tree: in step r tokens below 2^(r-2)/t go, a quarter of the node's pages."""
    union = merged(first, second)
    return union.supported_by(union.pages * pruning)


def merged(first: Profile, second: Profile) -> Profile:
    """The union of two sequences in the order of their alignment; matching tokens add up."""
    left, right = align(first.ids, second.ids, ends_first=False).pairs
    ids = np.stack([_opposite(first.ids, left), _opposite(second.ids, right)], axis=1)
    counts = np.stack([_opposite(first.counts, left), _opposite(second.counts, right)], axis=1)
    matches = ids[:, 0] == ids[:, 1]
    counts[matches, 0] += counts[matches, 1]
    ids[matches, 1] = _ABSENT
    present = ids != _ABSENT
    return Profile(ids[present], counts[present], first.pages + second.pages)


def _opposite(values: NDArray[np.int32], places: NDArray[np.int32]) -> NDArray[np.int32]:
    """The values at these places, and nothing at a gap."""
    padded = np.append(values, np.int32(_ABSENT))
    found: NDArray[np.int32] = padded[np.where(places == GAP, len(values), places)]
    return found


def _mapping(workers: int) -> AbstractContextManager[Mapping]:
    return nullcontext(map) if workers <= 1 else _processes(workers)


@contextmanager
def _processes(workers: int) -> Iterator[Any]:
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - few ask for it
    from multiprocessing import get_context  # noqa: PLC0415

    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield pool.map


def consensus_tokens(
    pages: Sequence[Document], threshold: float | None, seed: int, workers: int
) -> list[TemplateToken]:
    """The tokens of the consensus of some pages, each with the share of pages that have it."""
    numbering = _TokenNumbering()
    sequences = [numbering.sequence(page) for page in pages]
    profile = consensus(sequences, seed=seed, threshold=threshold, workers=workers)
    return [
        numbering.token(token_id, count / len(pages))
        for token_id, count in zip(profile.ids.tolist(), profile.counts.tolist(), strict=True)
    ]


class _TokenNumbering:
    """Token sequences of pages as they are written, and how each token is mostly spelled."""

    def __init__(self) -> None:
        self._vocabulary = TokenVocabulary()
        self._spellings: defaultdict[int, Counter[str]] = defaultdict(Counter)

    def sequence(self, page: Document) -> NDArray[np.int32]:
        written = [spelled for spelled in source_tokens(page) if spelled.in_source]
        ids = [self._vocabulary.id(spelled.token) for spelled in written]
        for token_id, spelled in zip(ids, written, strict=True):
            self._spellings[token_id][spelled.spelling] += 1
        return np.array(ids, dtype=np.int32)

    def token(self, token_id: int, support: float) -> TemplateToken:
        spellings = self._spellings[token_id]
        usual = min(spellings, key=lambda spelling: (-spellings[spelling], spelling))
        return TemplateToken(self._vocabulary[token_id].kind, usual, support)


# The alignment as the paper writes it down, cell by cell: what the fast kernel is tested against.
#
# Section 2.1 of Geraci and Maggini 2011. The paper's matrix has a column for each token of U and a
# row for each of V; which way round it lies changes nothing but the drawing.


def similarity_matrix(u: Sequence[int], v: Sequence[int]) -> list[list[int]]:
    """S: the best score of each prefix of U with each prefix of V (figure 1)."""
    scores = [[-j for j in range(len(v) + 1)]]
    for i, token in enumerate(u, 1):
        above = scores[-1]
        row = [-i]
        for j, other in enumerate(v, 1):
            row.append(max(above[j - 1] + (token == other), above[j] - 1, row[j - 1] - 1))
        scores.append(row)
    return scores


def traceback(scores: list[list[int]], u: Sequence[int], v: Sequence[int]) -> list[tuple[int, int]]:
    """The aligned places from the first to the last, GAP opposite a token that stands alone."""
    i, j = len(u), len(v)
    steps = []
    while i or j:
        here = scores[i][j]
        if i and j and here == scores[i - 1][j - 1] + (u[i - 1] == v[j - 1]):
            i, j = i - 1, j - 1
            steps.append((i, j))
        elif i and here == scores[i - 1][j] - 1:
            i -= 1
            steps.append((i, GAP))
        else:
            j -= 1
            steps.append((GAP, j))
    return steps[::-1]
