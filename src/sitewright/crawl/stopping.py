"""When to stop exploring: when more pages no longer change the model."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray


class Grouping(Protocol):
    """A model of the pages visited so far: it puts each into one class."""

    @property
    def class_of_page(self) -> NDArray[np.int64]:
        """The number of the class of each page, in the order of their visit."""
        ...


Fitted = TypeVar("Fitted", bound=Grouping)


@dataclass(slots=True)
class StoppingRule(Generic[Fitted]):
    """Compares each model with the one before; two agreements in a row end the exploration.

    A model that has a class more, but leaves the pages of before in theirs, is no step back: the
    next one comes after fewer pages, and the agreements so far still count.
    """

    fits: list[tuple[int, Fitted]] = field(default_factory=list)
    """Pages visited, and the model that they gave, from the first check to the last."""
    _next: int = field(default_factory=lambda: current().crawl.first_check)
    _in_a_row: int = 0

    def __call__(self, visited: int, fit: Callable[[], Fitted]) -> bool:
        """Whether the exploration may end after this wave; `fit` makes a model of all pages."""
        settings = current().crawl
        if visited < self._next:
            return False
        found = fit()
        growth = settings.check_growth
        if self.fits:
            is_stable = _leaves_pages_in_classes(self.fits[-1], found)
            is_known = _shows_known_classes(self.fits[-1][0], found)
            if is_stable and not is_known:
                growth = settings.recheck_growth
            else:
                self._in_a_row = self._in_a_row + 1 if is_stable else 0
        self._next = int(visited * growth)
        self.fits.append((visited, found))
        return self._in_a_row >= settings.checks_in_a_row


def agreement(one: Sequence[int], other: Sequence[int]) -> float:
    """How far two partitions of the same pages agree, 1 if they are the same.

    The mean of two shares: pages that are in the largest part which their class of the one has in
    common with a class of the other, and the reverse.
    """
    pairs = Counter(zip(one, other, strict=True))
    best_one: Counter[int] = Counter()
    best_other: Counter[int] = Counter()
    for (first, second), count in pairs.items():
        best_one[first] = max(best_one[first], count)
        best_other[second] = max(best_other[second], count)
    return (best_one.total() + best_other.total()) / (2 * len(one)) if one else 1.0


def _leaves_pages_in_classes(before: tuple[int, Grouping], now: Grouping) -> bool:
    """Whether the pages of before are together as they were."""
    visited, old = before
    same = agreement(old.class_of_page.tolist(), now.class_of_page[:visited].tolist())
    return same >= current().crawl.min_agreement


def _shows_known_classes(visited: int, now: Grouping) -> bool:
    """Whether hardly any page beyond the first ones is of a class that these do not have."""
    classes = now.class_of_page.tolist()
    known, new = set(classes[:visited]), classes[visited:]
    unknown = sum(number not in known for number in new)
    return unknown <= current().crawl.max_unknown_share * len(new)
