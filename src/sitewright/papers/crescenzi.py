"""Crescenzi et al. 2004 and 2005: page classes by their description length.

Candidate classes of a wave (2005, section 3.1), what it costs to write a page with the help of a
class, the update of the model, and the quality Q of a model (section 4.3).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sitewright.classes.classification import Classification, Classifier
from sitewright.classes.features import page_features
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Set

    from sitewright.classes.features import PageFeatures
    from sitewright.classes.model import SiteModel
    from sitewright.page import Document, Schema


# Candidate selection: from the pages of one wave to candidate classes (2005 paper, 3.1).


def distance(one: Set[int], other: Set[int]) -> float:
    """The share of the paths of two schemas that only one of them has.

    `|(G_i - G_j) u (G_j - G_i)| / |G_i u G_j|`; two empty schemas are equal.
    """
    union = len(one | other)
    return len(one ^ other) / union if union else 0.0


def candidate_classes(schemas: Sequence[Schema], threshold: float | None = None) -> list[list[int]]:
    """Group pages with equal schemas, and let large groups take in small ones that are like them.

    The answer holds places in `schemas`, the largest candidate first. A group that takes in
    another one has the union of their schemas from then on (Fig. 5, lines 8 to 14).
    """
    least = current().papers.crescenzi.dt if threshold is None else threshold
    groups = [(set(schemas[pages[0]].paths.tolist()), pages) for pages in _by_schema(schemas)]
    first = 0
    while first < len(groups):
        paths, pages = groups[first]
        for other in range(len(groups) - 1, first, -1):
            if distance(paths, groups[other][0]) < least:
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


# The papers' description length: what it costs to write a page with the help of a class.
#
# Crescenzi, Merialdo, Missier: Clustering Web pages based on their structure (2005), section 3.2.


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


def paper_costs() -> Costs:
    """The weights that the settings give."""
    settings = current().papers.crescenzi
    return Costs(settings.url_cost, settings.path_cost, settings.index_cost, settings.miss_cost)


@dataclass(slots=True)
class ClassCounts:
    """What the costs need to know of a class: never its pages, so updates rescan none of them."""

    pages: int = 0
    urls: int = 0
    """Links of all its pages."""
    occurrences: Counter[int] = field(default_factory=Counter)
    """For each path of the class schema, in how many pages it occurs."""

    @classmethod
    def of(cls, schemas: Iterable[Schema]) -> ClassCounts:
        """The summary of some pages, given by their schemas."""
        summary = cls()
        for schema in schemas:
            summary.pages += 1
            summary.urls += int(schema.counts.sum())
            summary.occurrences.update(schema.paths.tolist())
        return summary

    def add(self, other: ClassCounts) -> None:
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


def class_cost(summary: ClassCounts, costs: Costs = PAPER_COSTS) -> float:
    """Parts A and B for one class: its schema, and all its pages with its help."""
    return _cost(
        summary.pages,
        summary.urls,
        len(summary.occurrences),
        summary.occurrences.total(),
        costs,
    )


def merged_cost(one: ClassCounts, other: ClassCounts, costs: Costs = PAPER_COSTS) -> float:
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


@dataclass(slots=True)
class PaperModel:
    """A set of page classes that grows with each wave (2005 paper, Fig. 5, lines 8 to 22)."""

    costs: Costs = field(default_factory=paper_costs)
    threshold: float = field(default_factory=lambda: current().papers.crescenzi.dt)
    classes: list[ClassCounts] = field(default_factory=list)

    def update(self, wave: Sequence[Schema]) -> list[int | None]:
        """Take in the pages of one collection; the class of each, None for those of a menu."""
        candidates = candidate_classes(wave, self.threshold)
        found: list[int | None] = [None] * len(wave)
        if is_heterogeneous(candidates):
            return found
        for pages in candidates:
            number = self._place(ClassCounts.of([wave[page] for page in pages]))
            for page in pages:
                found[page] = number
        return found

    def best_class(self, page: Schema) -> int | None:
        """The class that minimises `enc(p|C)`, the first of equals; None without classes."""
        costs = [self.page_cost(page, number) for number in range(len(self.classes))]
        return costs.index(min(costs)) if costs else None

    def page_cost(self, page: Schema, number: int) -> float:
        """`enc(p|C)` for one class."""
        return encoding_cost(page, self.classes[number].occurrences, self.costs)

    def _place(self, candidate: ClassCounts) -> int:
        """Merge where the whole model gets cheaper by it; else the candidate is a new class."""
        alone = class_cost(candidate, self.costs)
        changes = [
            merged_cost(candidate, known, self.costs) - class_cost(known, self.costs) - alone
            for known in self.classes
        ]
        if changes and min(changes) < 0:
            number = changes.index(min(changes))
            self.classes[number].add(candidate)
            return number
        self.classes.append(candidate)
        return len(self.classes) - 1


class PaperClassifier(Classifier):
    """Puts each page into the class that minimises `enc(p|C)`: the paper reads links only."""

    def __init__(self, model: SiteModel, home: str = "") -> None:
        super().__init__(model, home)
        self._schemas = [[self.path_ids[path] for path in one.schema] for one in model.classes]

    def features(self, document: Document) -> PageFeatures:
        """The page schema, which is made of links, and all else that is known of a page."""
        return page_features(document, self.vocabulary, lambda url: url)

    def of_features(self, page: PageFeatures) -> Classification:
        """The class of a page whose features are over this classifier's vocabulary."""
        costs = np.array([encoding_cost(page.schema, one, paper_costs()) for one in self._schemas])
        found = self.decide(page.url, -costs, None)
        ratio = 1 - float(np.sort(costs)[0] / max(np.sort(costs)[1], 1e-9)) if len(costs) > 1 else 1
        return replace(found, confidence=round(min(ratio, 1.0), 4))


# The quality Q of a model against a reference (Crescenzi et al. 2005, section 4.3).


def schema_f(page: Set[int], reference: Set[int]) -> float:
    """`F(s_p, s_C)`: precision and recall of a page's paths against those of a class."""
    shared = len(page & reference)
    return 2 * shared / (len(page) + len(reference)) if shared else 0.0


def model_quality(references: Sequence[Set[int]], computed: Sequence[Sequence[Set[int]]]) -> float:
    """`Q = 2 F RevF / (F + RevF)`: how like the computed classes are to the reference ones.

    `references` are class schemas; a computed class is the schemas of its pages.
    `sim(C, Ĉ)` is the mean of `F(s_p, s_C)` over the pages of Ĉ; F is the mean over reference
    classes of the best sim, RevF the mean over computed classes.
    """
    if not references or not computed:
        return 0.0
    similar = [
        [sum(schema_f(page, reference) for page in pages) / len(pages) for pages in computed]
        for reference in references
    ]
    forward = sum(map(max, similar)) / len(references)
    backward = sum(map(max, zip(*similar, strict=True))) / len(computed)
    return 2 * forward * backward / (forward + backward) if forward + backward else 0.0
