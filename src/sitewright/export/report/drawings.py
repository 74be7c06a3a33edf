"""Where the parts of the report's drawings stand: the same model gives the same picture."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitewright.classes import ClassLink, SiteModel


_MOST_NODES = 60
_MOST_ARCS_OF_A_NODE = 4
_MENU_SHARE = 0.5
"""A link that so many pages of a site have, at one place, is a menu's: it says nothing of what a
page is about."""
_FEWEST_SOURCES = 3
"""What only one or two classes have is no menu of the site."""
_OUTER = re.compile(r"^(html|body)\b[^ ]*")
_NODE_WIDTH, _NODE_HEIGHT = 168, 38
_ACROSS, _DOWN = 216, 54
_MARGIN = 12
_ROUNDS = 6
_NAME_LENGTH = 22
_CURVE_WIDTH, _CURVE_HEIGHT = 640, 260
_CURVE_LEFT, _CURVE_RIGHT, _CURVE_TOP, _CURVE_BOTTOM = 40, 20, 15, 30


@dataclass(frozen=True, slots=True)
class DrawnClass:
    """A box with the name of a class."""

    name: str
    shown_name: str
    pages: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class DrawnArc:
    """A curve from one class to another."""

    title: str
    width: float
    path: str


@dataclass(frozen=True, slots=True)
class ClassDrawing:
    """Classes in columns, from the home page on, and the strongest links between them."""

    width: int
    height: int
    box: tuple[int, int]
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


def content_links(model: SiteModel) -> list[ClassLink]:
    """The class links of a model without those of menus that practically all pages have."""
    pages = sum(one.visited for one in model.classes if not one.is_stub)
    having: Counter[tuple[str, str]] = Counter()
    sources: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for link in model.links:
        place = _place(link.path), link.target
        having[place] += link.pages
        sources[place].add(link.source)
    menus = {
        place
        for place, count in having.items()
        if count >= _MENU_SHARE * pages and len(sources[place]) >= _FEWEST_SOURCES
    }
    return [link for link in model.links if (_place(link.path), link.target) not in menus]


def _place(path: str) -> str:
    """A path without the classes of html and body, which name the kind of page."""
    return " > ".join(_OUTER.sub(r"\1", label) for label in path.split(" > "))


def class_drawing(model: SiteModel, pages: Mapping[str, int]) -> ClassDrawing:
    """Classes in columns by how many clicks they are from the home page.

    An arrow stands for the strongest links of each class to classes farther away; links of menus
    and links back are left out. `pages` is how many pages each class has.
    """
    classes = [one for one in model.classes if not one.is_stub]
    shown = {one.name for one in classes[:_MOST_NODES]}
    # A home page that only sends its readers on is of a class that is not drawn.
    shown |= {one.name for one in classes if one.name == home_class(model)}
    links = [
        link
        for link in content_links(model)
        if link.source in shown and link.target in shown and link.source != link.target
    ]
    weights: Counter[tuple[str, str]] = Counter()
    for link in links:
        weights[link.source, link.target] += link.targets or link.links
    names = [one.name for one in classes if one.name in shown]
    layers = _layers(names, weights, home_class(model))
    level = {name: number for number, layer in enumerate(layers) for name in layer}
    arrows = _strongest(weights, level)
    layers = _fewer_crossings(layers, arrows)
    height = 2 * _MARGIN + max(map(len, layers), default=1) * _DOWN - (_DOWN - _NODE_HEIGHT)
    places = {
        name: (
            _MARGIN + number * _ACROSS,
            (height - len(layer) * _DOWN + _DOWN - _NODE_HEIGHT) // 2 + row * _DOWN,
        )
        for number, layer in enumerate(layers)
        for row, name in enumerate(layer)
    }
    return ClassDrawing(
        width=2 * _MARGIN + max(len(layers) - 1, 0) * _ACROSS + _NODE_WIDTH,
        height=height,
        box=(_NODE_WIDTH, _NODE_HEIGHT),
        arcs=tuple(
            _arc(places[source], places[target], f"{source} to {target}: {count:,} pages", count)
            for source, target, count in arrows
        ),
        classes=tuple(
            DrawnClass(name, _short(name), pages.get(name, 0), *places[name]) for name in names
        ),
        left_out=len(classes) - len(names),
    )


def home_class(model: SiteModel) -> str | None:
    """The class of the home page, if a visited page of a class is it."""
    for one in model.classes:
        if model.home in one.pages or model.home in one.samples:
            return one.name
    return None


def _layers(
    names: Sequence[str], weights: Mapping[tuple[str, str], int], home: str | None
) -> list[list[str]]:
    """The classes by their distance from that of the home page; the unreachable ones come last."""
    if not names:
        return []
    layer = [home] if home in names else [names[0]]
    layers, left = [], [name for name in names if name not in layer]
    while layer:
        layers.append([name for name in layer if name is not None])
        layer = [name for name in left if any((one, name) in weights for one in layers[-1])]
        left = [name for name in left if name not in layer]
    if left:
        layers.append(left)
    return layers


def _strongest(
    weights: Mapping[tuple[str, str], int], level: Mapping[str, int]
) -> list[tuple[str, str, int]]:
    """For each class the few classes farther away that it leads to most."""
    chosen: list[tuple[str, str, int]] = []
    seen: Counter[str] = Counter()
    reached: set[str] = set()
    ordered = sorted(weights.items(), key=lambda one: (-one[1], one[0]))
    for (source, target), count in ordered:
        is_first = target not in reached and level[source] + 1 == level[target]
        if level[source] < level[target] and (is_first or seen[source] < _MOST_ARCS_OF_A_NODE):
            seen[source] += 1
            reached.add(target)
            chosen.append((source, target, count))
    return chosen


def _fewer_crossings(
    layers: list[list[str]], arrows: Sequence[tuple[str, str, int]]
) -> list[list[str]]:
    """Order each layer by the mean place of its neighbours, to and fro (Sugiyama et al. 1981)."""
    beside: defaultdict[str, list[str]] = defaultdict(list)
    for source, target, _ in arrows:
        beside[source].append(target)
        beside[target].append(source)
    for _ in range(_ROUNDS):
        place = {
            name: (row + 0.5) / len(layer) for layer in layers for row, name in enumerate(layer)
        }
        layers = [
            sorted(layer, key=lambda name: _mean((place[one] for one in beside[name]), place[name]))
            for layer in layers
        ]
    return layers


def _mean(values: Iterable[float], otherwise: float) -> float:
    found = list(values)
    return sum(found) / len(found) if found else otherwise


def _arc(start: tuple[int, int], end: tuple[int, int], title: str, count: int) -> DrawnArc:
    """A curve from the right side of a box to the left side of another."""
    x, y = start[0] + _NODE_WIDTH, start[1] + _NODE_HEIGHT // 2
    tip, level = end[0] - 2, end[1] + _NODE_HEIGHT // 2
    bend = (tip - x) // 2
    path = f"M{x} {y}C{x + bend} {y} {tip - bend} {level} {tip} {level}"
    return DrawnArc(title, round(0.8 + 0.25 * log2(1 + count), 1), path)


def _short(name: str) -> str:
    return name if len(name) <= _NAME_LENGTH else name[: _NAME_LENGTH - 1] + "…"


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
