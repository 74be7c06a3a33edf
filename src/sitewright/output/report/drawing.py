"""Drawings as SVG, laid out here, so that the same model gives the same picture."""

from __future__ import annotations

from html import escape
from math import atan2, cos, hypot, log2, pi, sin
from typing import TYPE_CHECKING

from sitewright.output.graph import arcs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitewright.classes import SiteModel

_WIDTH, _HEIGHT = 1060, 640
_MOST_NODES = 40
_MOST_ARCS_OF_A_NODE = 4


def class_graph(model: SiteModel) -> str:
    """Classes on a circle, the largest at the top; an arc for the strongest links of each class."""
    classes = model.classes[:_MOST_NODES]
    places = {one.name: _on_circle(number, len(classes)) for number, one in enumerate(classes)}
    drawn = "".join(
        _arc(places[source], places[target], count, f"{source} to {target}: {count} links")
        for source, target, count in _strongest(model, set(places))
    )
    largest = max((one.size for one in classes), default=1)
    for one in classes:
        drawn += _node(places[one.name], one.name, one.size, largest)
    left_out = len(model.classes) - len(classes)
    note = f"<p class=soft>{left_out} small classes are left out.</p>" if left_out > 0 else ""
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="page classes and links">'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#8893a3"/></marker></defs>'
        f"{drawn}</svg>{note}"
    )


def curve(points: Sequence[tuple[int, float]]) -> str:
    """Quality from 0 to 1 against the number of pages."""
    width, height, left, bottom = 640, 260, 40, 30
    most = max(pages for pages, _ in points)

    def at(pages: int, quality: float) -> tuple[float, float]:
        x = left + (width - left - 20) * pages / most
        return round(x, 1), round(height - bottom - (height - bottom - 15) * quality, 1)

    axes = "".join(
        f'<line class="axis" x1="{left}" x2="{width - 20}" y1="{at(0, q)[1]}" y2="{at(0, q)[1]}"/>'
        f'<text class="soft" x="{left - 28}" y="{at(0, q)[1] + 4}">{q:g}</text>'
        for q in (0, 0.25, 0.5, 0.75, 1)
    )
    line = " ".join(f"{x},{y}" for x, y in (at(*point) for point in points))
    dots = "".join(
        '<circle class="dot" r="3" cx="{}" cy="{}"/>'.format(*at(*point))
        + f'<text class="soft" x="{at(*point)[0] - 8}" y="{height - 8}">{point[0]}</text>'
        for point in points
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" style="max-width:{width}px" role="img" '
        f'aria-label="quality against pages visited">{axes}'
        f'<polyline class="curve" points="{line}"/>{dots}</svg>'
    )


def standalone_curves(curves: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """One SVG file: the curves of several strategies, one below the other."""
    parts = []
    for number, (name, points) in enumerate(curves.items()):
        inner = curve(points).replace("<svg ", f'<svg y="{number * 290 + 24}" height="260" ', 1)
        parts.append(f'<text x="40" y="{number * 290 + 18}">{escape(name)}</text>{inner}')
    style = (
        ".axis{stroke:#ddd}.curve{fill:none;stroke:#1f6feb;stroke-width:2}.dot{fill:#1f6feb}"
        "text{font:12px sans-serif}.soft{fill:#666}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {len(curves) * 290}">'
        f"<style>{style}</style>{''.join(parts)}</svg>\n"
    )


def _on_circle(number: int, count: int) -> tuple[float, float]:
    angle = 2 * pi * number / max(count, 1) - pi / 2
    return _WIDTH / 2 + 330 * cos(angle), _HEIGHT / 2 + 250 * sin(angle)


def _strongest(model: SiteModel, names: set[str]) -> list[tuple[str, str, int]]:
    """For each class the few classes that it links to most; a menu links everything to everything.

    What counts is the links of a page of the class, so that large classes hide no small ones.
    """
    chosen: list[tuple[str, str, int]] = []
    seen: dict[str, int] = {}
    for source, target, count, _ in sorted(arcs(model), key=lambda arc: (-arc[2], arc[:2])):
        is_shown = source != target and source in names and target in names
        if is_shown and seen.get(source, 0) < _MOST_ARCS_OF_A_NODE:
            seen[source] = seen.get(source, 0) + 1
            chosen.append((source, target, count))
    return chosen


def _arc(start: tuple[float, float], end: tuple[float, float], count: int, title: str) -> str:
    """A curve bent towards the middle, ending short of the node."""
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    bend = middle[0] * 0.6 + _WIDTH * 0.2, middle[1] * 0.6 + _HEIGHT * 0.2
    gap = hypot(end[0] - bend[0], end[1] - bend[1]) or 1.0
    tip = end[0] - 22 * (end[0] - bend[0]) / gap, end[1] - 22 * (end[1] - bend[1]) / gap
    width = 0.5 + 0.25 * log2(1 + count)
    return (
        f'<path class="edge" stroke-width="{width:.1f}" marker-end="url(#tip)" '
        f'd="M{start[0]:.1f} {start[1]:.1f}Q{bend[0]:.1f} {bend[1]:.1f} {tip[0]:.1f} {tip[1]:.1f}">'
        f"<title>{escape(title)}</title></path>"
    )


def _node(place: tuple[float, float], name: str, size: int, largest: int) -> str:
    x, y = place
    radius = 4 + 14 * (log2(1 + size) / log2(1 + max(largest, 1)))
    angle = atan2(y - _HEIGHT / 2, x - _WIDTH / 2)
    side = cos(angle)
    anchor = "middle" if abs(side) < 0.35 else "start" if side > 0 else "end"
    text_x, text_y = x + (radius + 6) * cos(angle), y + (radius + 10) * sin(angle) + 4
    return (
        f'<circle class="node" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'
        f'<text x="{text_x:.1f}" y="{text_y:.1f}" text-anchor="{anchor}">{escape(name)}'
        f' <tspan class="soft">{size:,}</tspan></text>'
    )
