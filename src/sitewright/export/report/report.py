"""Where the parts of the report's drawings stand, so that the same model gives the same picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import atan2, cos, hypot, log2, pi, sin
from typing import TYPE_CHECKING

from sitewright.export.graph import arcs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jinja2 import Environment
    from markupsafe import Markup

    from sitewright.classes import SiteModel


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report: a template, and the data that it shows."""

    title: str
    template: str
    data: Mapping[str, object]

    @property
    def html(self) -> Markup:
        """The section under its title; what comes from pages is escaped."""
        return render(self.template, self.data)


def render(template: str, data: Mapping[str, object]) -> Markup:
    """Fill one of the templates of the report."""
    from markupsafe import Markup  # noqa: PLC0415 - only who writes a report waits for it

    return Markup(_environment().get_template(template).render(data))  # noqa: S704 - escaped there


def render_report(title: str, lead: str, sections: Sequence[Section]) -> str:
    """The whole page: no script, nothing fetched from anywhere."""
    page = render("report.html", {"title": title, "lead": lead, "sections": sections})
    return page.encode("utf-8", "replace").decode()


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - see `render`

    environment = Environment(
        loader=PackageLoader("sitewright.export.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["commas"] = "{:,}".format
    environment.filters["percent"] = "{:.0%}".format
    environment.filters["counted"] = _counted
    return environment


def _counted(number: int, what: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


# Where the parts of the report's drawings stand, so that the same model gives the same picture.

_WIDTH, _HEIGHT = 1060, 640
_MOST_NODES = 40
_MOST_ARCS_OF_A_NODE = 4
_CURVE_WIDTH, _CURVE_HEIGHT = 640, 260
_CURVE_LEFT, _CURVE_RIGHT, _CURVE_TOP, _CURVE_BOTTOM = 40, 20, 15, 30


@dataclass(frozen=True, slots=True)
class DrawnClass:
    """A circle with a name beside it."""

    name: str
    size: int
    x: float
    y: float
    radius: float
    text_x: float
    text_y: float
    anchor: str
    """Which end of the name stands at the circle, as SVG's `text-anchor` has it."""


@dataclass(frozen=True, slots=True)
class DrawnArc:
    """A curve from one class to another."""

    title: str
    width: float
    start: tuple[float, float]
    bend: tuple[float, float]
    end: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ClassDrawing:
    """Classes on a circle, and the strongest links between them."""

    width: int
    height: int
    arcs: tuple[DrawnArc, ...]
    classes: tuple[DrawnClass, ...]
    left_out: int
    """How many classes are not drawn."""


@dataclass(frozen=True, slots=True)
class CurveDrawing:
    """Quality from 0 to 1 against the number of pages."""

    title: str
    width: int
    height: int
    left: int
    right: int
    levels: tuple[tuple[float, float], ...]
    """Values of the quality that get a line, each with its y."""
    points: tuple[tuple[int, float, float], ...]
    """Pages, x and y."""


def class_drawing(model: SiteModel) -> ClassDrawing:
    """Classes on a circle, the largest at the top; an arc for the strongest links of each class."""
    classes = model.classes[:_MOST_NODES]
    places = {one.name: _on_circle(number, len(classes)) for number, one in enumerate(classes)}
    largest = max((one.size for one in classes), default=1)
    return ClassDrawing(
        _WIDTH,
        _HEIGHT,
        tuple(
            _arc(places[source], places[target], count, f"{source} to {target}: {count} links")
            for source, target, count in _strongest(model, set(places))
        ),
        tuple(_drawn(places[one.name], one.name, one.size, largest) for one in classes),
        len(model.classes) - len(classes),
    )


def curve_drawing(points: Sequence[tuple[int, float]], title: str = "") -> CurveDrawing:
    """The curve of a model's quality while pages were visited."""
    right = _CURVE_WIDTH - _CURVE_RIGHT
    base = _CURVE_HEIGHT - _CURVE_BOTTOM
    most = max(pages for pages, _ in points)

    def x(pages: int) -> float:
        return round(_CURVE_LEFT + (right - _CURVE_LEFT) * pages / most, 1)

    def y(quality: float) -> float:
        return round(base - (base - _CURVE_TOP) * quality, 1)

    return CurveDrawing(
        title,
        _CURVE_WIDTH,
        _CURVE_HEIGHT,
        _CURVE_LEFT,
        right,
        tuple((level, y(level)) for level in (0, 0.25, 0.5, 0.75, 1)),
        tuple((pages, x(pages), y(quality)) for pages, quality in points),
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


def _arc(start: tuple[float, float], end: tuple[float, float], count: int, title: str) -> DrawnArc:
    """A curve bent towards the middle, ending short of the node."""
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    bend = middle[0] * 0.6 + _WIDTH * 0.2, middle[1] * 0.6 + _HEIGHT * 0.2
    gap = hypot(end[0] - bend[0], end[1] - bend[1]) or 1.0
    tip = end[0] - 22 * (end[0] - bend[0]) / gap, end[1] - 22 * (end[1] - bend[1]) / gap
    width = round(0.5 + 0.25 * log2(1 + count), 1)
    return DrawnArc(title, width, _rounded(start), _rounded(bend), _rounded(tip))


def _drawn(place: tuple[float, float], name: str, size: int, largest: int) -> DrawnClass:
    x, y = place
    radius = 4 + 14 * (log2(1 + size) / log2(1 + max(largest, 1)))
    angle = atan2(y - _HEIGHT / 2, x - _WIDTH / 2)
    side = cos(angle)
    anchor = "middle" if abs(side) < 0.35 else "start" if side > 0 else "end"
    text = x + (radius + 6) * cos(angle), y + (radius + 10) * sin(angle) + 4
    return DrawnClass(name, size, *_rounded(place), round(radius, 1), *_rounded(text), anchor)


def _rounded(point: tuple[float, float]) -> tuple[float, float]:
    return round(point[0], 1), round(point[1], 1)
