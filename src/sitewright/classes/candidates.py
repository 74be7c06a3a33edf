"""Candidate selection: from the pages of one wave to candidate classes (2005 paper, 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from sitewright.html import Schema

DISTANCE_THRESHOLD = 0.2
"""dt, determined experimentally by the paper (footnote 5)."""


def distance(one: Set[int], other: Set[int]) -> float:
    """The share of the paths of two schemas that only one of them has.

    `|(G_i - G_j) u (G_j - G_i)| / |G_i u G_j|`; two empty schemas are equal.
    """
    union = len(one | other)
    return len(one ^ other) / union if union else 0.0


def candidate_classes(
    schemas: Sequence[Schema], threshold: float = DISTANCE_THRESHOLD
) -> list[list[int]]:
    """Group pages with equal schemas, and let large groups take in small ones that are like them.

    The answer holds places in `schemas`, the largest candidate first. A group that takes in
    another one has the union of their schemas from then on (Fig. 5, lines 8 to 14).
    """
    groups = [(set(schemas[pages[0]].paths.tolist()), pages) for pages in _by_schema(schemas)]
    first = 0
    while first < len(groups):
        paths, pages = groups[first]
        for other in range(len(groups) - 1, first, -1):
            if distance(paths, groups[other][0]) < threshold:
                absorbed_paths, absorbed = groups.pop(other)
                paths |= absorbed_paths
                pages += absorbed
        first += 1
    return sorted((sorted(pages) for _, pages in groups), key=_largest_first)


def is_heterogeneous(candidates: Sequence[Sequence[int]]) -> bool:
    """Whether a collection leads to unlike pages, as a menu does: many small candidates.

    The papers give no number. Here: more than one candidate, and fewer than two pages in each on
    average. Such pages build no class, but their links are followed.
    """
    pages = sum(map(len, candidates))
    return len(candidates) > 1 and pages < 2 * len(candidates)


def _by_schema(schemas: Sequence[Schema]) -> list[list[int]]:
    groups: dict[bytes, list[int]] = {}
    for place, schema in enumerate(schemas):
        groups.setdefault(schema.key, []).append(place)
    return sorted(groups.values(), key=_largest_first)


def _largest_first(pages: Sequence[int]) -> tuple[int, int]:
    return -len(pages), pages[0]
