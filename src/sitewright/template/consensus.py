"""The paper's consensus tree (Geraci and Maggini 2011, section 2.2).

Pages are paired at random and aligned; what comes out is paired and aligned again, until one
sequence is left: t pages take t - 1 alignments. Scores are kept as numbers of pages, t times the
paper's: a page's tokens begin with 1, matching tokens add up, and after step r those below
2^(r-2) go. At the end those below t / 2 go.

What the paper leaves open is decided here:

- at a mismatch both tokens come out, that of the first sequence first;
- step r prunes what it has aligned (another reading prunes what it is about to align);
- t need not be a power of two: the last sequence of an odd number waits for the next step, and the
  limit is a quarter of the pages that a sequence stands for, which is 2^(r-2) in a full tree.
"""

from __future__ import annotations

import random
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sitewright.template.align import GAP, align

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

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
    threshold: float = 0.5,
    workers: int = 1,
) -> Profile:
    """Distil the template of some pages' token sequences.

    The seed decides the order of pairs. The alignments of one level can run in several processes;
    the result is the same.
    """
    shuffled = list(sequences)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - pairing is no secret
    profiles = [Profile.of_page(ids) for ids in shuffled]
    with _mapping(workers) as mapping:
        while len(profiles) > 1:
            aligned = list(mapping(aligned_and_pruned, profiles[0:-1:2], profiles[1::2]))
            profiles = aligned + profiles[2 * len(aligned) :]
    return profiles[0].supported_by(threshold * len(sequences))


def aligned_and_pruned(first: Profile, second: Profile) -> Profile:
    """One node of the tree."""
    union = merged(first, second)
    return union.supported_by(union.pages / 4)


def merged(first: Profile, second: Profile) -> Profile:
    """The union of two sequences in the order of their alignment; matching tokens add up."""
    left, right = align(first.ids, second.ids).pairs
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
