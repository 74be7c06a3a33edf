"""Several designs in one class: pages that show the same things, made in different ways.

In go the marks of the pages of a class, out come its layouts, if there are two or more::

    layouts_of([{"h1", "div.old"}, {"h1", "section.new"}, ...])

A part that some pages have and others lack makes no layout: it is optional. Layouts stand in for
each other: each has many marks that all of its pages have, and no page has those of two.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

_SHOWN_MARKS = 8


@dataclass(frozen=True, slots=True)
class ClassLayout:
    """One of the designs of a class."""

    visited: int
    """How many visited pages of the class have it."""
    marks: tuple[str, ...]
    """Some tags and classes that its pages have and those of other layouts lack."""
    pages: tuple[str, ...] = ()
    """Which of the pages that the class is learnt from have it."""


def layouts_of(pages: Sequence[Collection[str]]) -> list[tuple[tuple[str, ...], list[int]]]:
    """For each layout its own marks and the places of its pages; empty where there is but one.

    Real pages are not quite regular: marks belong together if practically the same pages have them,
    and a page that has marks of several layouts, or of none, goes to none.
    """
    groups = _groups_of_marks(pages)
    for place, first in enumerate(groups):
        chosen = [first]
        for other in groups[place + 1 :]:
            if all(_shared(one.pages, other.pages) <= _NEARLY_NONE for one in chosen):
                chosen.append(other)
        count = np.sum([one.pages for one in chosen], axis=0)
        if len(chosen) > 1 and (count == 1).mean() >= current().classes.constant_mark_share:
            chosen.sort(key=lambda one: -int(one.pages.sum()))
            return [
                (tuple(sorted(one.marks)[:_SHOWN_MARKS]),
                 np.flatnonzero(one.pages & (count == 1)).tolist())
                for one in chosen
            ]  # fmt: skip
    return []


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Marks that practically the same pages have, and the pages that have one of them."""

    marks: tuple[str, ...]
    pages: NDArray[np.bool_]


def _groups_of_marks(pages: Sequence[Collection[str]]) -> list[_Group]:
    """Groups that are large enough to make a layout, those with the most marks first."""
    settings = current().classes
    least = max(settings.min_pages_of_layout, settings.min_share_of_layout * len(pages))
    counts = Counter(mark for own in pages for mark in own)
    marks = sorted(mark for mark, n in counts.items() if least <= n <= len(pages) - least)
    column = {mark: place for place, mark in enumerate(marks)}
    matrix = np.zeros((len(marks), len(pages)), dtype=bool)
    for place, own in enumerate(pages):
        matrix[[column[mark] for mark in own if mark in column], place] = True
    packed, ids = np.unique(matrix, axis=0, return_inverse=True)
    ids = ids.ravel()
    sizes = np.bincount(ids, minlength=len(packed))
    is_taken = np.zeros(len(packed), dtype=bool)
    groups = []
    for leader in np.argsort(-sizes, kind="stable").tolist():
        if not is_taken[leader]:
            both = (packed & packed[leader]).sum(axis=1)
            either = (packed | packed[leader]).sum(axis=1)
            alike = ~is_taken & (both >= settings.same_pages_share * either)
            is_taken |= alike
            names = tuple(marks[place] for place in np.flatnonzero(alike[ids]))
            if len(names) >= settings.min_marks_of_layout:
                groups.append(_Group(names, packed[leader]))
    return sorted(groups, key=lambda one: (-len(one.marks), one.marks))


_NEARLY_NONE = 0.05


def _shared(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    """The share of the smaller set of pages that is in the other, too."""
    return float((one & other).sum() / min(one.sum(), other.sum()))
