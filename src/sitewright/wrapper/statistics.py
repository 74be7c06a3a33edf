"""What the values of a column say of it: how many, how different, and whether they are data."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_CONSTANT = 0.97
_FEW = 0.05
_ENOUGH = 2


@dataclass(frozen=True, slots=True)
class Statistics:
    """The values of a column over the pages."""

    coverage: float
    distinct: int
    commonest: float
    """The share of the commonest value."""
    bits: float
    """The entropy of the values."""
    filled: int
    pages: int

    def fault(self, pages: int, constant: float = _CONSTANT) -> str:
        """Why this is no column of data; empty if it is one.

        `constant` is the share of one value from which on the others count as errors.
        """
        if not self.filled:
            return "empty"
        if pages == 1:
            return ""
        if pages > _ENOUGH and self.filled < max(_ENOUGH, _FEW * pages):
            return "too rare"
        if self.filled > 1 and (self.commonest >= constant or self.distinct == 1):
            return "constant"
        return ""

    def worth(self) -> float:
        """How much a column tells, from 0 to 1: on how many pages, and whether it varies."""
        if self.pages <= _ENOUGH:
            return self.coverage  # nobody knows what would vary
        return self.coverage * min(1.0, self.bits) * (1 - self.commonest**4)


def statistics(values: Sequence[Sequence[str]]) -> Statistics:
    """Count the values of a column: for each page those that it has."""
    filled = [tuple(found) for found in values if found]
    counts = Counter(filled)
    total = len(filled)
    if not total:
        return Statistics(0.0, 0, 0.0, 0.0, 0, len(values))
    bits = -sum(count / total * math.log2(count / total) for count in counts.values())
    return Statistics(
        total / len(values), len(counts), max(counts.values()) / total, bits, total, len(values)
    )
