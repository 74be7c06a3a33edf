"""How two intervals, and two boxes, lie to each other: Allen's relations on both axes.

Of any two intervals exactly one of thirteen relations holds: the paper's seven (Definition 3.1) and
the inverses of six of them. The thick-boundary version (Todoran et al., 2001) takes two ends that
are at most `tolerance` pixels apart for one: two pages of one template rarely agree to the pixel.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sitewright.visual.boxes import Box

Interval: TypeAlias = tuple[int, int]


class Relation(IntEnum):
    """Where the first interval lies, seen from the second; an inverse is the negative."""

    PRECEDES = 1
    MEETS = 2
    OVERLAYS = 3
    STARTS = 4
    DURING = 5
    FINISHES = 6
    EQUALS = 0
    PRECEDED_BY = -1
    MET_BY = -2
    OVERLAID_BY = -3
    STARTED_BY = -4
    CONTAINS = -5
    FINISHED_BY = -6

    @property
    def inverse(self) -> Relation:
        """The relation of the second interval to the first."""
        return Relation(-self)


_BY_ENDS = {
    (0, 0): Relation.EQUALS,
    (0, -1): Relation.STARTS,
    (0, 1): Relation.STARTED_BY,
    (1, 0): Relation.FINISHES,
    (-1, 0): Relation.FINISHED_BY,
    (1, -1): Relation.DURING,
    (-1, 1): Relation.CONTAINS,
}
"""By the order of the two starts and the order of the two ends; the other two cases need more."""


def relation(first: Interval, second: Interval, tolerance: int = 0) -> Relation:
    """The one relation that holds; with a tolerance, that of thick boundaries.

    The starts and the ends are compared first, so that one relation holds even where an interval
    is shorter than the tolerance.
    """
    starts = _order(first[0], second[0], tolerance)
    ends = _order(first[1], second[1], tolerance)
    if (starts, ends) in _BY_ENDS:
        return _BY_ENDS[starts, ends]
    if starts < 0:
        return _before(first, second, tolerance)
    return _before(second, first, tolerance).inverse


def box_relation(first: Box, second: Box, tolerance: int = 0) -> tuple[Relation, Relation]:
    """The relations of two boxes on the x axis and on the y axis."""
    return (
        relation(first.horizontal, second.horizontal, tolerance),
        relation(first.vertical, second.vertical, tolerance),
    )


def relation_codes(boxes: Sequence[Box], tolerance: int = 0) -> NDArray[np.int16]:
    """For each pair of boxes one number, the same for the same relations on both axes."""
    x = _relations(np.array([box.horizontal for box in boxes], dtype=np.int64), tolerance)
    y = _relations(np.array([box.vertical for box in boxes], dtype=np.int64), tolerance)
    return x * np.int16(16) + y


def _order(first: int, second: int, tolerance: int) -> int:
    difference = first - second
    return 0 if abs(difference) <= tolerance else (1 if difference > 0 else -1)


def _before(first: Interval, second: Interval, tolerance: int) -> Relation:
    """The relation where the first both starts and ends earlier."""
    order = _order(first[1], second[0], tolerance)
    return (Relation.MEETS, Relation.OVERLAYS, Relation.PRECEDES)[order]


def _relations(intervals: NDArray[np.int64], tolerance: int) -> NDArray[np.int16]:
    """`relation` for all pairs of intervals at once."""
    intervals = intervals.reshape(-1, 2)
    low, high = intervals[:, 0], intervals[:, 1]
    starts = _orders(low[:, None] - low[None, :], tolerance)
    ends = _orders(high[:, None] - high[None, :], tolerance)
    table = np.zeros((3, 3), dtype=np.int16)
    for (start, end), value in _BY_ENDS.items():
        table[start, end] = value
    found = table[starts, ends]
    meeting = _orders(high[:, None] - low[None, :], tolerance)
    before = np.array([Relation.MEETS, Relation.OVERLAYS, Relation.PRECEDES], dtype=np.int16)
    found = np.where((starts < 0) & (ends < 0), before[meeting], found)
    return np.where((starts > 0) & (ends > 0), -before[meeting.T], found).astype(np.int16)


def _orders(differences: NDArray[np.int64], tolerance: int) -> NDArray[np.int64]:
    return np.where(np.abs(differences) <= tolerance, 0, np.sign(differences))
