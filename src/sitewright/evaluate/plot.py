"""Curves as an SVG file: the papers' figures, drawn without any library."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


_WIDTH, _HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 64, 64, 56
_COLOURS = ("#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#0a7ea4", "#bf3989", "#57606a")
_TICKS = 5


@dataclass(frozen=True, slots=True)
class Series:
    """A named curve; on the right axis it is dashed."""

    name: str
    points: tuple[tuple[float, float], ...]
    on_right: bool = False
    colour: int | None = None
    """Two curves of one colour belong together; None for the next free one."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What stands along an axis, and where it begins and ends."""

    label: str
    low: float
    high: float

    @classmethod
    def of(cls, label: str, values: Iterable[float]) -> Axis:
        """From 0, or below if need be, to a round number that is not exceeded."""
        found = list(values)
        high = max(found, default=1.0)
        return cls(label, min(0.0, *found, 0.0), _round_up(high) if high > 0 else 1.0)

    def ticks(self) -> list[float]:
        """Round numbers from one end to the other."""
        step = (self.high - self.low) / _TICKS
        return [self.low + step * place for place in range(_TICKS + 1)]

    def share(self, value: float) -> float:
        """How far along the axis a value lies, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


def line_plot(
    title: str, labels: tuple[str, str], series: Sequence[Series], right_label: str = ""
) -> str:
    """An SVG drawing of curves over one horizontal axis, with a second vertical one if need be.

    `labels` are those of the horizontal and of the left axis.
    """
    across = Axis.of(labels[0], (x for one in series for x, _ in one.points))
    left = Axis.of(labels[1], (y for one in series if not one.on_right for _, y in one.points))
    right = Axis.of(right_label, (y for one in series if one.on_right for _, y in one.points))
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
            'font-family="sans-serif" font-size="12" fill="#24292f">'
        ),
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_WIDTH / 2}" y="20" text-anchor="middle" font-size="14">{escape(title)}</text>',
        *_frame(across, left, right if any(one.on_right for one in series) else None),
        *_curves(series, across, left, right),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _frame(across: Axis, left: Axis, right: Axis | None) -> Iterator[str]:
    base, end = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    for tick in left.ticks():
        y = _y(left, tick)
        yield f'<path d="M{_LEFT} {y}H{end}" stroke="#d0d7de" stroke-width="0.6"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{_number(tick)}</text>'
    for tick in across.ticks():
        x = _x(across, tick)
        yield f'<path d="M{x} {base}v4" stroke="#57606a"/>'
        yield f'<text x="{x}" y="{base + 18}" text-anchor="middle">{_number(tick)}</text>'
    yield f'<path d="M{_LEFT} {_TOP}V{base}H{end}V{_TOP}" fill="none" stroke="#57606a"/>'
    middle = (_TOP + base) / 2
    yield _label(across.label, (_LEFT + end) / 2, _HEIGHT - 14)
    yield _label(left.label, 16, middle, turned=-90)
    if right is not None:
        for tick in right.ticks():
            yield f'<text x="{end + 6}" y="{_y(right, tick) + 4}">{_number(tick)}</text>'
        yield _label(right.label, _WIDTH - 14, middle, turned=90)


def _curves(series: Sequence[Series], across: Axis, left: Axis, right: Axis) -> Iterator[str]:
    free = 0
    at = float(_LEFT)
    for one in series:
        number = free if one.colour is None else one.colour
        free = max(free, number + 1)
        colour = _COLOURS[number % len(_COLOURS)]
        dashes = ' stroke-dasharray="5 4"' if one.on_right else ""
        axis = right if one.on_right else left
        places = " ".join(f"{_x(across, x)},{_y(axis, y)}" for x, y in one.points)
        line = f'fill="none" stroke="{colour}" stroke-width="1.6"{dashes}'
        yield f'<polyline points="{places}" {line}/>'
        yield f'<path d="M{at} 42h22" {line}/>'
        yield f'<text x="{at + 27}" y="46">{escape(one.name)}</text>'
        at += 48 + 6.6 * len(one.name)


def _label(text: str, x: float, y: float, turned: int = 0) -> str:
    turn = f' transform="rotate({turned} {x} {y})"' if turned else ""
    return f'<text x="{x}" y="{y}" text-anchor="middle"{turn}>{escape(text)}</text>'


def _x(axis: Axis, value: float) -> float:
    return round(_LEFT + (_WIDTH - _RIGHT - _LEFT) * axis.share(value), 1)


def _y(axis: Axis, value: float) -> float:
    base = _HEIGHT - _BOTTOM
    return round(base - (base - _TOP) * axis.share(value), 1)


def _round_up(value: float) -> float:
    """The next number of the form 1, 2, 2.5, 4, 5, 8 or 10 times a power of ten."""
    power = 10.0 ** floor(log10(value))
    for step in (1.0, 2.0, 2.5, 4.0, 5.0, 8.0, 10.0):
        if value <= step * power * (1 + 1e-9):
            return step * power
    return ceil(value)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 10 or value == int(value) else f"{value:.2g}"
