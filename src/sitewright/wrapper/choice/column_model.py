"""How likely somebody wants a column: a linear model over what is known of it.

In go the columns of a class with their names, out come probabilities. What each feature is worth
was learnt on sites whose data are known, and ships as the few numbers of `columns.json`::

    kept, dropped = wanted_columns(candidates, pages, width)

docs/wrapper.md has how well this does on sites that nothing was learnt from.
"""

from __future__ import annotations

import math
from collections import Counter
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sitewright.classes.similarity import standardised
from sitewright.formats import parse
from sitewright.settings import current
from sitewright.wrapper.choice.column_choice import is_aside
from sitewright.wrapper.pages import WORDS
from sitewright.wrapper.values.types import ValueKind
from sitewright.wrapper.wrapper import RejectedColumn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.fields import FieldCandidate


_SHIPPED = "columns.json"
_DIGITS = 4
_HEAD = frozenset({"title", "meta", "link"})
_NAVIGATION = frozenset({"nav", "footer", "aside", "form", "option", "select"})
_HEADINGS = frozenset({"h2", "h3", "h4"})
_CELLS = frozenset({"td", "th"})
_MADE_FOR_MACHINES = frozenset({"microdata", "metadata", "meta", "header"})
SEEN_PARTS = frozenset({*WORDS, "content", "datetime"})
"""What a person who lists the data of a page writes down: no addresses. Nothing is learnt from
those, and they are as likely as a text would be in their place."""
_MOST_BITS = 5.0
_FEW_PAGES = 4
_LONG_TEXT = 200
_MAIN_PART = 0.4
"""Where the middle of the main part of a page stands, among its texts."""


@dataclass(frozen=True, slots=True)
class ColumnModel:
    """The learnt numbers: for each feature its mean, deviation and weight."""

    FORMAT: ClassVar[str] = "sitewright-column-weights"
    bias: float
    weights: dict[str, tuple[float, float, float]]
    keep_from: float
    """Columns of a smaller probability are left out: nobody wanted such ones on sites left out."""

    def probabilities(self, features: Sequence[Mapping[str, float]]) -> NDArray[np.float64]:
        """How likely somebody wants each of some columns."""
        odds: Any = np.full(len(features), self.bias)
        for name, (mean, deviation, weight) in self.weights.items():
            values = np.array([one.get(name, math.nan) for one in features])
            odds = odds + weight * standardised(values, mean, deviation)
        found: NDArray[np.float64] = 1 / (1 + np.exp(-odds))
        return found

    def rounded(self) -> ColumnModel:
        """The numbers to the digits that matter, for a file."""
        rounded = {
            name: (round(mean, _DIGITS), round(deviation, _DIGITS), round(weight, _DIGITS))
            for name, (mean, deviation, weight) in self.weights.items()
        }
        return ColumnModel(round(self.bias, _DIGITS), rounded, round(self.keep_from, _DIGITS))


@cache
def shipped_column_model() -> ColumnModel:
    """The numbers that come with the package."""
    text = files(__package__).joinpath(_SHIPPED).read_bytes()
    return parse(text, ColumnModel, _SHIPPED)


_in_use: ContextVar[ColumnModel | None] = ContextVar("column_model", default=None)


@contextmanager
def using_column_model(model: ColumnModel) -> Iterator[None]:
    """Choose columns with other numbers: those that were learnt without a site."""
    token = _in_use.set(model)
    try:
        yield
    finally:
        _in_use.reset(token)


def wanted_columns(
    candidates: Sequence[FieldCandidate], pages: ClassPages, width: int
) -> tuple[list[FieldCandidate], list[RejectedColumn]]:
    """The columns that somebody is likely to want, as many as a table may have; and the others."""
    if not candidates:
        return [], []
    model = _in_use.get() or shipped_column_model()
    likely = model.probabilities(column_features(candidates, pages)).tolist()
    is_strict = len(pages.readings) >= current().wrapper.columns.min_pages_for_strictness
    least = model.keep_from if is_strict else 0.0
    reasons: dict[int, str] = {}
    for place in sorted(range(len(candidates)), key=lambda place: -likely[place]):
        if likely[place] < least:
            reasons[place] = "hardly wanted"
        elif candidates[place].width() > width:
            reasons[place] = "beyond the width of the table"
        else:
            width -= candidates[place].width()
    kept = [one for place, one in enumerate(candidates) if place not in reasons]
    dropped = [
        RejectedColumn(candidates[place].rule.xpath, why, _first(candidates[place]))
        for place, why in sorted(reasons.items())
    ]
    return kept, dropped


def _first(one: FieldCandidate) -> str:
    return next((texts[0] for texts in one.texts if texts), "")[:80]


def column_features(
    candidates: Sequence[FieldCandidate], pages: ClassPages
) -> list[dict[str, float]]:
    """What is known of each column of a class, as numbers."""
    shared = Counter(one.name.text for one in candidates)
    leaves = sum(len(reading.leaves) for reading in pages.readings) / len(pages.readings)
    return [
        {
            name: float(value)
            for name, value in (
                *_of_values(one),
                *_of_place(one, pages, max(1.0, leaves)),
                *_of_name(one, shared[one.name.text]),
            )
        }
        for one in candidates
    ]


def _of_values(one: FieldCandidate) -> Iterator[tuple[str, float]]:
    known, type_of = one.statistics, one.type()
    texts = [one.rule.extract_group(text) for found in one.texts for text in found]
    lengths = sorted(map(len, texts))
    length = lengths[len(lengths) // 2] if lengths else 0
    yield "coverage", known.coverage
    yield "distinct", known.distinct / max(1, known.filled)
    yield "commonest", known.commonest
    yield "bits", min(known.bits, _MOST_BITS)
    yield "few pages", known.filled < _FEW_PAGES
    yield "length", math.log1p(length)
    yield "long text", length > _LONG_TEXT
    yield "number", type_of.kind in {ValueKind.INTEGER, ValueKind.DECIMAL}
    yield "date", type_of.kind is ValueKind.DATE
    yield "unit", bool(type_of.unit)
    yield "stability", one.stability


def _of_place(one: FieldCandidate, pages: ClassPages, leaves: float) -> Iterator[tuple[str, float]]:
    column = one.column
    steps = pages.paths.steps(column.path)
    tags = {step.tag for step in steps}
    places = sorted(places[0] for places in column.cells.values())
    place = places[len(places) // 2] / leaves
    yield "labelled", column.kind == "label"
    yield "prefixed", column.kind == "prefix"
    yield "list", column.many or column.kind == "list"
    yield "by position", bool(column.place)
    yield "in metadata", column.part == "content"
    yield "in the head", steps[0].tag in _HEAD
    yield "in navigation", not tags.isdisjoint(_NAVIGATION)
    yield "main heading", "h1" in tags
    yield "heading", not tags.isdisjoint(_HEADINGS)
    yield "cell", not tags.isdisjoint(_CELLS)
    yield "definition", "dd" in tags
    yield "list item", "li" in tags
    yield "aside", is_aside(steps)
    yield "place", place
    yield "far from the main part", abs(place - _MAIN_PART)
    yield "depth", len(steps)
    yield "in a link", _share_in_links(one, pages)


def _share_in_links(one: FieldCandidate, pages: ClassPages) -> float:
    inside = 0
    for page, places in one.column.cells.items():
        reading = pages.readings[page]
        around = reading.ancestry(reading.leaves[places[0]].element)
        inside += any(reading.tags[up] == "a" for up in around)
    return inside / len(one.column.cells)


def _of_name(one: FieldCandidate, columns: int) -> Iterator[tuple[str, float]]:
    source = one.name.source
    yield "named by a label", source == "label"
    yield "named by the title", source == "title"
    yield "named for machines", source in _MADE_FOR_MACHINES
    yield "named by a class", source == "class"
    yield "named by a class around", source in {"around", "container"}
    yield "named by a tag", source == "tag"
    yield "named by type", source == "type"
    yield "named by link", source == "link"
    yield "columns of the name", math.log(columns)
