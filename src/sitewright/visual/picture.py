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
_LABEL = 15
"""The height of a label."""
MARGIN = 24
"""Room around a page, for the labels and lines of blocks at its edges."""
_LINE_DISTANCE, _MAX_LINE_DISTANCE = 4, 16
"""Pixels between a block and its line: a line on the block would cut its first letters. A block
around others has more, so that no two lines lie on each other."""


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
    return f"hsl({number * _GOLDEN_ANGLE % 360:.0f} 85% {30 + 10 * (number % 2)}%)"


def picture_page(plates: Sequence[Plate], scale: float = 1.0) -> tuple[str, tuple[int, int]]:
    """A page of HTML that shows the screenshots side by side with their boxes, and its size."""
    width = sum(plate.width + 2 * MARGIN for plate in plates) + GAP * (len(plates) - 1)
    height = max(plate.height for plate in plates) + 2 * MARGIN
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return _html(plates, scale), size


def _html(plates: Sequence[Plate], scale: float) -> str:
    left = 0
    drawn_plates: list[str] = []
    for plate in plates:
        drawn_plates.append(_plate_html(plate, left))
        left += plate.width + 2 * MARGIN + GAP
    return (
        "<!DOCTYPE html><meta charset=utf-8><style>"
        "html,body{margin:0;background:#888}div,img,b{position:absolute}"
        "div.box{box-sizing:border-box;border:2px solid}"
        f"b{{font:bold 11px/{_LABEL}px sans-serif;color:#fff;padding:0 4px;opacity:.92;"
        "white-space:nowrap}</style>"
        f'<div style="transform-origin:0 0;transform:scale({scale})">{"".join(drawn_plates)}</div>'
    )


def _plate_html(plate: Plate, left: int) -> str:
    image = b64encode(plate.png).decode()
    distances = _line_distances([outline.box for outline in plate.outlines])
    shifts = _shifts(plate.outlines, distances)
    boxes = "".join(map(_outline, plate.outlines, distances, shifts))
    return (
        f'<div style="left:{left}px;top:0;width:{plate.width + 2 * MARGIN}px;'
        f'height:{plate.height + 2 * MARGIN}px;overflow:hidden;background:#fff">'
        f'<div style="left:{MARGIN}px;top:{MARGIN}px">'
        f'<img src="data:image/png;base64,{image}">{boxes}</div></div>'
    )


def _line_distances(boxes: Sequence[Box]) -> list[int]:
    """How far from each box its line is drawn: the more boxes are inside of it, the farther."""
    by_area = sorted(range(len(boxes)), key=lambda number: boxes[number].dx * boxes[number].dy)
    levels = [1] * len(boxes)
    for place, outer in enumerate(by_area):
        inside = [
            levels[inner] for inner in by_area[:place] if _contains(boxes[outer], boxes[inner])
        ]
        levels[outer] = 1 + max(inside, default=0)
    return [min(_LINE_DISTANCE * level, _MAX_LINE_DISTANCE) for level in levels]


def _contains(outer: Box, inner: Box) -> bool:
    return (
        outer.lx <= inner.lx
        and outer.ly <= inner.ly
        and outer.lx + outer.dx >= inner.lx + inner.dx
        and outer.ly + outer.dy >= inner.ly + inner.dy
    )


def _shifts(outlines: Sequence[Outline], distances: Sequence[int]) -> list[int]:
    """How far each label is moved to the right, so that those of nested boxes can all be read."""
    taken: list[tuple[int, int, int]] = []
    shifts: list[int] = []
    for outline, distance in zip(outlines, distances, strict=True):
        start, width = outline.box.lx - distance, 10 + 7 * len(outline.label)
        left, top = start, outline.box.ly - distance
        while any(
            abs(top - y) < _LABEL and left < x + wide and x < left + width for x, y, wide in taken
        ):
            left += 8
        taken.append((left, top, width))
        shifts.append(left - start)
    return shifts


def _outline(outline: Outline, distance: int, shift: int) -> str:
    box = outline.box
    # The label stands above its line, so that it hides nothing of the block.
    return (
        f'<div class=box style="left:{box.lx - distance}px;top:{box.ly - distance}px;'
        f'width:{box.dx + 2 * distance}px;height:{box.dy + 2 * distance}px;color:{outline.colour}">'
        f'<b style="top:{-_LABEL - 2}px;left:{shift - 2}px;'
        f'background:{outline.colour}">{escape(outline.label)}</b></div>'
    )
