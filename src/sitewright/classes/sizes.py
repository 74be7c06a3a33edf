"""How many pages the classes of a site have, when only some of its pages were read.

In go the pages in the order of their visit and the class of every URL that is known, out comes an
interval for each class::

    sizes = estimated_sizes(pages, class_of_page, class_of_url, count)
    sizes[3]                                    # SizeEstimate(low=921, high=1290)

A page that waits to be read leads to as many new pages as those of its class did that were read
last. How sure that is, is found by drawing the pages that were read anew, many times.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from sitewright.classes.features import PageFeatures

_DRAWS = 200
_OUTER = 97.5
"""The percentile of the draws that an interval ends at."""


class SizeEstimate(NamedTuple):
    """How many pages a class has: those that are known of, and at most so many."""

    low: int
    high: int


def estimated_sizes(
    pages: Sequence[PageFeatures],
    class_of_page: Sequence[int],
    class_of_url: Mapping[str, int],
    count: int,
) -> list[SizeEstimate]:
    """For each class how many pages are known of, and how many it has at most, likely.

    At most, since pages that wait may lead to the same new pages; and no further than to these.
    """
    first_named = _new_pages(pages, class_of_page, class_of_url, count)
    visited = np.bincount(np.asarray(class_of_page, dtype=np.int64), minlength=count)
    known = np.bincount(list(class_of_url.values()), minlength=count)
    waiting = np.maximum(known - visited, 0).astype(float)
    chance = np.random.default_rng(0)
    draws = [
        waiting @ np.stack([_drawn_rate(own, chance) for own in first_named]) for _ in range(_DRAWS)
    ]
    more = np.ceil(np.percentile(np.stack(draws), _OUTER, axis=0)).astype(int)
    least = np.maximum(known, visited)
    return [SizeEstimate(int(low), int(low + new)) for low, new in zip(least, more, strict=True)]


def _new_pages(
    pages: Sequence[PageFeatures],
    class_of_page: Sequence[int],
    class_of_url: Mapping[str, int],
    count: int,
) -> list[NDArray[np.float64]]:
    """For each class a row a page, in the order of their visit: new pages of each class."""
    named = {page.url for page in pages[:1]}
    rows: defaultdict[int, list[NDArray[np.float64]]] = defaultdict(list)
    for page, own in zip(pages, class_of_page, strict=True):
        row = np.zeros(count)
        for _, urls in page.collections:
            for url in urls:
                if url not in named:
                    named.add(url)
                    if (target := class_of_url.get(url)) is not None:
                        row[target] += 1
        rows[own].append(row)
    return [_last_ones(np.array(rows[one] or [np.zeros(count)])) for one in range(count)]


def _last_ones(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Those read last: the first ones found everything new."""
    least = current().classes.min_pages_of_rate
    return rows[-max(least, len(rows) // 2) :]


def _drawn_rate(rows: NDArray[np.float64], chance: np.random.Generator) -> NDArray[np.float64]:
    """New pages of each class that a page leads to, over pages that are drawn with repetition."""
    mean: NDArray[np.float64] = rows[chance.integers(0, len(rows), len(rows))].mean(axis=0)
    return mean
