"""Global alignment of two token sequences (Geraci and Maggini 2011, section 2.1).

Needleman and Wunsch's algorithm: a match scores 1, a mismatch 0, a gap -1. Tokens are integers.

Adding i + j to the score of cell (i, j) makes a match 3, a mismatch 2 and a gap 0 without changing
which alignment is best. Scores then never fall along a row, and a row follows from the one above
it by an addition, a maximum and a running maximum: three vector operations.

Where several alignments are best, the way back from the last cell prefers to pair the two tokens,
then to leave a gap opposite the first sequence's token, then opposite the second's. Common ends are
paired before anything else, which costs nothing: some best alignment pairs them. It need not be the
one that the way back finds, so the paper's method does without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    Tokens: TypeAlias = NDArray[np.int32]

    ScoreArray: TypeAlias = NDArray[np.signedinteger[Any]]


GAP = -1
_MATCH, _MISMATCH = 3, 2
"""The shifted scores; a gap's is 0."""
_MAX_CELLS = 1 << 25
"""How many scores are kept at once: 64 MB of 16-bit integers."""
MAX_BITS = 1 << 29
"""How many columns of all rows of a longest common subsequence are kept: 64 MB."""


class Pairs(NamedTuple):
    """An alignment, step by step: the places in both sequences, or GAP opposite a token."""

    left: NDArray[np.int32]
    right: NDArray[np.int32]


class Alignment(NamedTuple):
    """A best global alignment of two sequences."""

    score: int
    pairs: Pairs


def align(left: Tokens, right: Tokens, *, ends_first: bool = True) -> Alignment:
    """Align two sequences; the score is exact, memory is bounded whatever their lengths.

    Without `ends_first` the way back goes through the whole matrix, as the paper's does.
    """
    prefix, suffix = _common_ends(left, right) if ends_first else (0, 0)
    inner_left = left[prefix : len(left) - suffix]
    inner_right = right[prefix : len(right) - suffix]
    steps = list(_steps_back(inner_left, inner_right))[::-1]
    places = np.array(steps, dtype=np.int32).reshape(-1, 2)
    head = np.arange(prefix, dtype=np.int32)
    tail = np.arange(suffix, dtype=np.int32)
    pairs = Pairs(
        np.concatenate([head, _shifted(places[:, 0], prefix), tail + (len(left) - suffix)]),
        np.concatenate([head, _shifted(places[:, 1], prefix), tail + (len(right) - suffix)]),
    )
    return Alignment(score(left, right, pairs), pairs)


def score(left: Tokens, right: Tokens, pairs: Pairs) -> int:
    """What an alignment scores: 1 for a match, 0 for a mismatch, -1 for a gap."""
    paired = (pairs.left != GAP) & (pairs.right != GAP)
    matches = left[pairs.left[paired]] == right[pairs.right[paired]]
    return int(matches.sum()) - int((~paired).sum())


def _shifted(places: NDArray[np.int32], by: int) -> NDArray[np.int32]:
    return np.where(places == GAP, GAP, places + np.int32(by)).astype(np.int32)


def _common_ends(left: Tokens, right: Tokens) -> tuple[int, int]:
    """How many tokens the sequences share at their beginnings, and at the ends of what is left."""
    prefix = _common_prefix(left, right)
    suffix = _common_prefix(left[prefix:][::-1], right[prefix:][::-1])
    return prefix, suffix


def _common_prefix(left: Tokens, right: Tokens) -> int:
    shorter = min(len(left), len(right))
    different = np.flatnonzero(left[:shorter] != right[:shorter])
    return int(different[0]) if len(different) else shorter


def _steps_back(left: Tokens, right: Tokens) -> Iterator[tuple[int, int]]:
    """The steps of a best alignment from the last to the first.

    Rows are kept in blocks. If all of them are too many, only the first row of each block is kept
    on the way down, and a block is filled in again on the way back: twice the time, and the memory
    of one block.
    """
    rows = _RowScores(left, right)
    height = max(1, _MAX_CELLS // (len(right) + 1))
    starts = range(0, len(left), height)
    tops = list(rows.first_rows(starts))
    i, j = len(left), len(right)
    for top_place, top in zip(reversed(starts), reversed(tops), strict=True):
        block = rows.block(top, top_place, min(top_place + height, len(left)))
        while i > top_place:
            step = rows.step_back(block, i - top_place, i, j)
            yield step
            i -= step[0] != GAP
            j -= step[1] != GAP
    while j:
        j -= 1
        yield GAP, j


class _RowScores:
    """The rows of shifted scores, one a token of the left sequence."""

    def __init__(self, left: Tokens, right: Tokens) -> None:
        self._left = left.tolist()
        self._right = right.tolist()
        largest = _MATCH * min(len(left), len(right))
        narrow = largest <= np.iinfo(np.int16).max
        self._type: type[np.signedinteger[Any]] = np.int16 if narrow else np.int32
        self._places = _places(right)
        self._mismatches: ScoreArray = np.full(len(right), _MISMATCH, dtype=self._type)
        self._gains: dict[int, ScoreArray] = {}

    def first_rows(self, starts: range) -> Iterator[ScoreArray]:
        """The row above each block; only the last block is not filled in."""
        row: ScoreArray = np.zeros(len(self._right) + 1, dtype=self._type)
        for place in starts:
            yield row
            if place != starts[-1]:
                row = self.block(row, place, place + starts.step)[-1].copy()

    def block(self, top: ScoreArray, begin: int, end: int) -> ScoreArray:
        """The rows of some tokens, below the row that stands above them."""
        block: ScoreArray = np.zeros((end - begin + 1, len(top)), dtype=self._type)
        block[0] = top
        for above, row, token in zip(block, block[1:], self._left[begin:end], strict=False):
            inner = row[1:]
            np.add(above[:-1], self._gain(token), out=inner)
            np.maximum(inner, above[1:], out=inner)
            np.maximum.accumulate(inner, out=inner)
        return block

    def step_back(self, block: ScoreArray, row: int, i: int, j: int) -> tuple[int, int]:
        """The last step of a best alignment of the first i and the first j tokens."""
        if j == 0:
            return i - 1, GAP
        here = block[row, j]
        gain = _MATCH if self._left[i - 1] == self._right[j - 1] else _MISMATCH
        if here == block[row - 1, j - 1] + gain:
            return i - 1, j - 1
        return (i - 1, GAP) if here == block[row - 1, j] else (GAP, j - 1)

    def _gain(self, token: int) -> ScoreArray:
        """What pairing a token with each of the right sequence's scores."""
        places = self._places.get(token)
        if places is None:
            return self._mismatches
        gain = self._gains.get(token)
        if gain is None:
            gain = self._mismatches.copy()
            gain[places] = _MATCH
            # Tokens that come often are few; the rest is not worth its memory.
            if len(places) > 1:
                self._gains[token] = gain
        return gain


# Which tokens of a page are those of a template: a longest common subsequence.


class CommonSubsequence:
    """Finds a longest common subsequence of one sequence and each of many others.

    A row of the matrix is one integer whose bits are the columns at which the length does not grow;
    the next row follows from it by an addition and a subtraction (Hyyrö 2004, after Allison and Dix
    1986). So a page costs a few steps a token, with templates of up to some thousand tokens.
    """

    def __init__(self, left: Sequence[Hashable]) -> None:
        self.length = len(left)
        self._columns: dict[Hashable, int] = {}
        for place, token in enumerate(left):
            self._columns[token] = self._columns.get(token, 0) | 1 << place

    def places(self, right: Sequence[Hashable]) -> list[int]:
        """The places in the other sequence of a longest common subsequence, from the last."""
        every = row = (1 << self.length) - 1
        rows: list[int] = []
        places: list[int] = []
        # A token that is not in the left sequence leaves the row as it is.
        for place, columns in enumerate(map(self._columns.get, right)):
            if columns is not None:
                shared = row & columns
                row = (row + shared | row - shared) & every
                rows.append(row)
                places.append(place)
        return [places[number] for number in self._trace_back(rows)]

    def _trace_back(self, rows: list[int]) -> Iterator[int]:
        column, place = self.length, len(rows)
        while place and column:
            if rows[place - 1] >> (column - 1) & 1:
                column -= 1
                continue
            place -= 1
            if not place or rows[place - 1] >> (column - 1) & 1:
                column -= 1
                yield place


def _places(tokens: Tokens) -> dict[int, NDArray[np.intp]]:
    """Where each token stands."""
    order = np.argsort(tokens, kind="stable")
    distinct, first = np.unique(tokens[order], return_index=True)
    return (
        dict(zip(distinct.tolist(), np.split(order, first[1:]), strict=True)) if len(order) else {}
    )
