"""Boxes: where something stands on the rendered page, in pixels from its upper left corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True, order=True)
class Box:
    """The smallest rectangle around something: the paper's four attributes (section 2.4)."""

    lx: int
    ly: int
    """The upper left corner."""
    dx: int
    dy: int
    """Width and height."""

    @property
    def right(self) -> int:
        """The first column right of the box."""
        return self.lx + self.dx

    @property
    def bottom(self) -> int:
        """The first row below the box."""
        return self.ly + self.dy

    @property
    def area(self) -> int:
        """Square pixels; a box that has collapsed to a line has none."""
        return self.dx * self.dy

    @property
    def horizontal(self) -> tuple[int, int]:
        """The interval that the box covers on the x axis."""
        return self.lx, self.right

    @property
    def vertical(self) -> tuple[int, int]:
        """The interval that the box covers on the y axis."""
        return self.ly, self.bottom

    def contains(self, other: Box, tolerance: int = 0) -> bool:
        """Whether the other box lies inside this one, give or take some pixels."""
        return (
            self.lx - tolerance <= other.lx
            and self.ly - tolerance <= other.ly
            and other.right <= self.right + tolerance
            and other.bottom <= self.bottom + tolerance
        )


def around(boxes: Iterable[Box]) -> Box | None:
    """The smallest box around all of these; None around nothing."""
    given = list(boxes)
    if not given:
        return None
    left, top = min(box.lx for box in given), min(box.ly for box in given)
    right, bottom = max(box.right for box in given), max(box.bottom for box in given)
    return Box(left, top, right - left, bottom - top)
