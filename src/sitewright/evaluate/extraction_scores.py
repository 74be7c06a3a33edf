"""How well the columns of a table agree with attributes whose true values are known.

For each attribute the column that fits it best counts. On a page it is right when it holds a true
value; every other value in it counts against it. The value must be the field: a field that merely
contains it is wrong.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitewright.evaluate.extraction_columns import Column, Columns
    from sitewright.evaluate.extraction_truth import Truth

MIXED = 0.1
"""The share of the pages that each of two attributes has in a column that mixes them."""


class Fit(NamedTuple):
    """The column that fits an attribute best, and how well."""

    f: float
    column: str


class Harm(NamedTuple):
    """What those who use the table would hate."""

    mixed: int
    """Columns that hold one attribute on some pages and another on others."""
    cut: int
    """Values in the best columns that are only a part of a true value."""
    glued: int
    """Values in the best columns that hold a true value and more."""


def f_measure(column: Column, truth: Truth) -> float:
    """F1 of right pages, against all wrong values and against all pages that have a true value."""
    right = wrong = 0
    for page, true in truth.items():
        values = column.get(page, ())
        right += any(value in true for value in values)
        wrong += sum(value not in true for value in values)
    expected = sum(1 for true in truth.values() if true)
    return 2 * right / (right + wrong + expected) if right else 0.0


def best_fits(columns: Columns, truths: Mapping[str, Truth]) -> dict[str, Fit]:
    """For each attribute the column that fits it best; of equals the first."""
    return {attribute: best_fit(columns, truth) for attribute, truth in truths.items()}


def best_fit(columns: Columns, truth: Truth) -> Fit:
    """The column that fits an attribute best."""
    fits = (Fit(f_measure(column, truth), name) for name, column in columns.items())
    return max(fits, key=lambda fit: fit.f, default=Fit(0.0, ""))


def harm(columns: Columns, truths: Mapping[str, Truth], fits: Mapping[str, Fit]) -> Harm:
    """Count mixed columns, and values that are cut or glued in the best ones."""
    wrong = [
        pair
        for attribute, fit in fits.items()
        for pair in _wrong_values(columns.get(fit.column, {}), truths[attribute])
    ]
    return Harm(
        mixed=sum(mixes(column, truths) for column in columns.values()),
        cut=sum(any(value in one for one in true) for value, true in wrong),
        glued=sum(any(one in value for one in true) for value, true in wrong),
    )


def mixes(column: Column, truths: Mapping[str, Truth]) -> bool:
    """Whether two attributes stand in a column, each on a tenth of the pages without the other."""
    held = [_pages_with(column, truth) for truth in truths.values()]
    least = MIXED * max(map(len, truths.values()), default=0)
    return any(
        min(len(one - other), len(other - one)) >= max(least, 1)
        for one, other in combinations(held, 2)
    )


def _pages_with(column: Column, truth: Truth) -> set[str]:
    """The pages on which a column holds a true value."""
    return {
        page for page, true in truth.items() if any(value in true for value in column.get(page, ()))
    }


def _wrong_values(column: Column, truth: Truth) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each wrong value with the values that are true on its page."""
    for page, true in truth.items():
        yield from ((value, true) for value in column.get(page, ()) if value not in true)
