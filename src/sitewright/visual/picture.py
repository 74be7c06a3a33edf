"""Pictures of pages with boxes drawn on them, as HTML that a browser paints."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.page.rendering import Box


GAP = 24
"""Pixels between two pages that stand side by side."""
_GOLDEN_ANGLE = 137.508
_LABEL = 21
"""The height of a label and the line of its box."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A box to draw, with its colour and what to write in its corner."""

    box: Box
    colour: str
    label: str


@dataclass(frozen=True, slots=True)
class Plate:
    """A screenshot with its size and the boxes to draw on it."""

    png: bytes
    width: int
    height: int
    outlines: Sequence[Outline]


def colour(number: int) -> str:
    """A colour for a number; near numbers get colours far apart."""
    return f"hsl({number * _GOLDEN_ANGLE % 360:.0f} 85% {38 + 12 * (number % 2)}%)"


def picture_page(plates: Sequence[Plate], scale: float = 1.0) -> tuple[str, tuple[int, int]]:
    """A page of HTML that shows the screenshots side by side with their boxes, and its size."""
    width = sum(plate.width for plate in plates) + GAP * (len(plates) - 1)
    height = max(plate.height for plate in plates)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return _html(plates, scale), size


def _html(plates: Sequence[Plate], scale: float) -> str:
    left = 0
    drawn_plates: list[str] = []
    for plate in plates:
        drawn_plates.append(_plate(plate, left))
        left += plate.width + GAP
    return (
        "<!DOCTYPE html><meta charset=utf-8><style>"
        "html,body{margin:0;background:#888}div,img,b{position:absolute}"
        "div.box{box-sizing:border-box;border:3px solid}"
        "b{font:bold 15px/18px sans-serif;color:#fff;padding:0 4px;"
        "white-space:nowrap}</style>"
        f'<div style="transform-origin:0 0;transform:scale({scale})">{"".join(drawn_plates)}</div>'
    )


def _plate(plate: Plate, left: int) -> str:
    image = b64encode(plate.png).decode()
    shifts = _shifts(plate.outlines)
    boxes = "".join(map(_outline, plate.outlines, shifts))
    return (
        f'<div style="left:{left}px;top:0;width:{plate.width}px;height:{plate.height}px;'
        f'overflow:hidden"><img src="data:image/png;base64,{image}">{boxes}</div>'
    )


def _shifts(outlines: Sequence[Outline]) -> list[int]:
    """How far each label is moved to the right, so that those of nested boxes can all be read."""
    taken: list[tuple[int, int, int]] = []
    shifts: list[int] = []
    for outline in outlines:
        left, top, width = outline.box.lx, outline.box.ly, 12 + 9 * len(outline.label)
        while any(
            abs(top - y) < _LABEL and left < x + wide and x < left + width for x, y, wide in taken
        ):
            left += 12
        taken.append((left, top, width))
        shifts.append(left - outline.box.lx)
    return shifts


def _outline(outline: Outline, shift: int) -> str:
    box = outline.box
    # Above its box, so that it hides nothing of it; below the edge where there is no room.
    top = -_LABEL if box.ly >= _LABEL else 0
    return (
        f'<div class=box style="left:{box.lx}px;top:{box.ly}px;width:{box.dx}px;'
        f'height:{box.dy}px;color:{outline.colour}"><b style="top:{top}px;left:{shift - 3}px;'
        f'background:{outline.colour}">{escape(outline.label)}</b></div>'
    )
