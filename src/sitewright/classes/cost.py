"""The papers' description length: what it costs to write a page with the help of a class.

Crescenzi, Merialdo, Missier: Clustering Web pages based on their structure (2005), section 3.2.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitewright.html import Schema


@dataclass(frozen=True, slots=True)
class Costs:
    """The weights of the parts of an encoding, as the paper found them (footnote 7)."""

    url: float = 1.0
    """c_u: one URL, written out."""
    path: float = 1.0
    """c_p: one path, written out."""
    index: float = 0.8
    """c_i: one path, by its place in the class schema."""
    miss: float = 1.0
    """c_miss: the sign that a path of the class schema has no link in this page."""


PAPER_COSTS = Costs()


@dataclass(slots=True)
class ClassSummary:
    """What the costs need to know of a class: never its pages, so updates rescan none of them."""

    pages: int = 0
    urls: int = 0
    """Links of all its pages."""
    occurrences: Counter[int] = field(default_factory=Counter)
    """For each path of the class schema, in how many pages it occurs."""

    @classmethod
    def of(cls, schemas: Iterable[Schema]) -> ClassSummary:
        """The summary of some pages, given by their schemas."""
        summary = cls()
        for schema in schemas:
            summary.pages += 1
            summary.urls += int(schema.counts.sum())
            summary.occurrences.update(schema.paths.tolist())
        return summary

    def add(self, other: ClassSummary) -> None:
        """Take in the pages of another class."""
        self.pages += other.pages
        self.urls += other.urls
        self.occurrences.update(other.occurrences)


def schema_cost(paths: int, costs: Costs = PAPER_COSTS) -> float:
    """Part A for one class: its schema, path by path, `c_p` each.

    The paper's example writes `1 c_p` for a schema of three paths; that contradicts
    `enc(C_A) = enc(path_1) enc(path_2) enc(path_3)` right above it, so every path counts.
    """
    return costs.path * paths


def encoding_cost(page: Schema, class_schema: Iterable[int], costs: Costs = PAPER_COSTS) -> float:
    """`enc(p|C)`: what it costs to write one page with the help of a class.

    Every path of the class schema costs an index; one that the page lacks costs a miss as well;
    a path that only the page has is written out; every URL is written out.
    """
    schema = np.fromiter(class_schema, dtype=np.int32)
    shared = int(np.isin(page.paths, schema, assume_unique=True).sum())
    return (
        costs.index * len(schema)
        + costs.url * int(page.counts.sum())
        + costs.path * (len(page) - shared)
        + costs.miss * (len(schema) - shared)
    )


def class_cost(summary: ClassSummary, costs: Costs = PAPER_COSTS) -> float:
    """Parts A and B for one class: its schema, and all its pages with its help."""
    return _cost(
        summary.pages,
        summary.urls,
        len(summary.occurrences),
        summary.occurrences.total(),
        costs,
    )


def merged_cost(one: ClassSummary, other: ClassSummary, costs: Costs = PAPER_COSTS) -> float:
    """The cost of the class that two classes would make together."""
    small, large = sorted((one.occurrences, other.occurrences), key=len)
    shared = sum(path in large for path in small)
    return _cost(
        one.pages + other.pages,
        one.urls + other.urls,
        len(small) + len(large) - shared,
        small.total() + large.total(),
        costs,
    )


def _cost(pages: int, urls: int, paths: int, occurrences: int, costs: Costs) -> float:
    """A class schema is a union, so no page of the class has a path that it lacks."""
    return (
        schema_cost(paths, costs)
        + costs.index * pages * paths
        + costs.miss * (pages * paths - occurrences)
        + costs.url * urls
    )
