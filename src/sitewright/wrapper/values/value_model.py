"""How likely a value is another thing than its field: a linear model over what is odd about it.

In goes what an `Expectation` finds odd about a text, out come the odds that it is none of the
field's values. What each measure is worth was learnt on sites whose values are known, from the
values of pages that nothing was learnt from and the texts beside them
(`evaluate/alarm_training.py`), and ships as the few numbers of `values.json`. So does the
threshold: the odds that one right value in so many passes, on sites left out.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, ClassVar

from sitewright.formats import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SHIPPED = "values.json"
_DIGITS = 4
_MOST_DEVIATIONS = 4.0


@dataclass(frozen=True, slots=True)
class ValueModel:
    """The learnt numbers: for each measure its mean, deviation and weight."""

    FORMAT: ClassVar[str] = "sitewright-value-weights"
    bias: float
    weights: dict[str, tuple[float, float, float]]
    doubt_from: float
    """A value of such odds, or higher ones, is doubted."""

    def odds(self, measures: Mapping[str, float]) -> float:
        """The logarithm of the odds that a value is wrong; what is not known is average."""
        odds = self.bias
        for name, (mean, deviation, weight) in self.weights.items():
            scaled = (measures.get(name, mean) - mean) / deviation
            odds += weight * max(-_MOST_DEVIATIONS, min(_MOST_DEVIATIONS, scaled))
        return odds

    def doubts(self, measures: Mapping[str, float]) -> bool:
        """Whether a value with these measures is likely wrong."""
        return self.odds(measures) >= self.doubt_from

    def rounded(self) -> ValueModel:
        """The numbers to the digits that matter, for a file."""
        rounded = {
            name: (round(mean, _DIGITS), round(deviation, _DIGITS), round(weight, _DIGITS))
            for name, (mean, deviation, weight) in self.weights.items()
        }
        threshold = math.ceil(self.doubt_from * 10**_DIGITS) / 10**_DIGITS
        return ValueModel(round(self.bias, _DIGITS), rounded, threshold)


@cache
def shipped_value_model() -> ValueModel:
    """The numbers that come with the package."""
    text = files(__package__).joinpath(_SHIPPED).read_bytes()
    return parse(text, ValueModel, _SHIPPED)


_in_use: ContextVar[ValueModel | None] = ContextVar("value_model", default=None)


def current_value_model() -> ValueModel:
    """The numbers in force: the package's own, but within `using_value_model`."""
    return _in_use.get() or shipped_value_model()


@contextmanager
def using_value_model(model: ValueModel) -> Iterator[None]:
    """Doubt values by other numbers: those that were learnt without a site."""
    token = _in_use.set(model)
    try:
        yield
    finally:
        _in_use.reset(token)
