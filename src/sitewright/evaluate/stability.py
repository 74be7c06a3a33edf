"""Whether learning again gives the same columns: the same class, the same name, the same values.

Both sides are read from the same pages, so that nothing counts but what was learnt: for a pair of
one site at two dates, what the old wrappers read in the new pages against what a new run makes of
them; for one class, what two wrappers read that each half of its pages has taught.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.change.columns import class_columns
from sitewright.extraction.compared_pages import place_of
from sitewright.page.url import host_of
from sitewright.wrapper import Extractor, Record, induce, lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitewright.change.columns import ClassColumns, ComparedColumn
    from sitewright.page import Document
    from sitewright.wrapper import Wrapper

_SAME = 0.9
"""The share of the pages where either of two columns has a value that must have the same."""
_FEWEST_PAGES = 5
"""Classes with fewer pages are learnt from next to nothing, and are left out."""


@dataclass(frozen=True, slots=True)
class ColumnStability:
    """How many columns came back."""

    columns: int = 0
    """Columns that there were, with a value on some page."""
    same: int = 0
    """Those that came back in their class, under their name, with their values."""
    same_values: int = 0
    """Those whose values came back in their class, under any name."""
    new: int = 0
    """Columns that there are now."""

    def __add__(self, other: ColumnStability) -> ColumnStability:
        return ColumnStability(
            self.columns + other.columns,
            self.same + other.same,
            self.same_values + other.same_values,
            self.new + other.new,
        )

    @property
    def share(self) -> float:
        """The share of the columns that came back."""
        return self.same / max(1, self.columns)

    @property
    def share_of_values(self) -> float:
        """The share of the columns whose values came back."""
        return self.same_values / max(1, self.columns)


def project_stability(
    old: Mapping[str, ClassColumns], new: Mapping[str, ClassColumns]
) -> ColumnStability:
    """Count the columns of one project that another has, too, where both read the same pages."""
    total = ColumnStability()
    for name, before in old.items():
        if len(before.pages) >= _FEWEST_PAGES:
            total += class_stability(before, new.get(name))
    return total


def class_stability(before: ClassColumns, after: ClassColumns | None) -> ColumnStability:
    """The same of one class; None for one that is no more."""
    olds = [one for one in before.columns if one.values]
    news = [one for one in after.columns if one.values] if after is not None else []
    named = {one.name: one for one in news}
    same = [one for one in olds if one.name in named and is_same(one, named[one.name])]
    kept = [one for one in olds if one in same or any(is_same(one, other) for other in news)]
    return ColumnStability(len(olds), len(same), len(kept), len(news))


def is_same(one: ComparedColumn, other: ComparedColumn) -> bool:
    """Whether two columns hold the same on nearly all pages where either has a value."""
    places = one.values.keys() | other.values.keys()
    equal = sum(one.values.get(place) == other.values.get(place) for place in places)
    return equal >= _SAME * len(places)


def halves_stability(documents: Sequence[Document], seed: int = 0) -> ColumnStability:
    """Learn a class from each half of its pages, and compare what the two read in all of them."""
    halves: tuple[list[Document], list[Document]] = ([], [])
    for document in documents:
        halves[zlib.crc32(f"{seed} {place_of(document.url)}".encode()) % 2].append(document)
    if not all(halves):
        return ColumnStability()
    first, second = (_read(induce(half, "class"), documents) for half in halves)
    return class_stability(first, second) + class_stability(second, first)


def _read(wrapper: Wrapper, documents: Sequence[Document]) -> ClassColumns:
    extractor = Extractor(wrapper)
    found = map(extractor.extract, documents)
    records = {
        place_of(one.url): list(lines(wrapper, one)) for one in found if isinstance(one, Record)
    }
    return class_columns(wrapper.page_class, wrapper, records, host_of(documents[0].url))
