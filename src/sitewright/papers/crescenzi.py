"""Crescenzi et al. 2004 and 2005: page classes by their description length.

Page schemas (2005, section 2), candidate classes of a wave (3.1), what it costs to write a page
with the help of a class and the update of the model (3.2), and the quality Q of a model (4.3).
The exploration that feeds it is in `papers.crescenzi_exploration`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from sitewright.choices import Collapse, Heterogeneity, Labelling
from sitewright.classes.classification import Classification, Classifier
from sitewright.classes.features import PageFeatures
from sitewright.page import PathVocabulary, Schema, link_collections
from sitewright.page.document import saved_from
from sitewright.settings import CrescenziSettings, current

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence, Set
    from typing import Any

    from sitewright.classes.model import SiteModel
    from sitewright.page import Document, LinkCollection


# The model of a page: its link collections (2005 paper, section 2).

REFRESH = 0
"""The path under which the page stands that a refresh leads to: the document itself."""


def paper_schema(collections: Iterable[LinkCollection]) -> Schema:
    """The page schema: the paths that end in links, with the number of URLs at each.

    A link collection has a set of URLs, so one that stands twice at a path counts once.
    """
    return Schema.of({path: len({link.url for link in links}) for path, links in collections})


def link_features(
    document: Document, vocabulary: PathVocabulary, page_url: Callable[[str], str | None]
) -> PageFeatures:
    """A page as the papers see it: links only; `page_url` gives None for pages of other sites.

    A page that a refresh leads to is a link collection of its own: browsers follow it.
    """
    collections = link_collections(document, vocabulary)
    schema = paper_schema(collections)
    own = [
        (path, inside)
        for path, links in collections
        if (inside := _inside((link.url for link in links), page_url))
    ]
    if document.refresh and (target := page_url(document.refresh)) is not None:
        own.append((REFRESH, (target,)))
    return PageFeatures(
        url=document.url,
        title=document.title,
        schema=schema,
        nodes=Schema.of({}),
        collections=tuple(own),
        is_stub=document.refresh is not None
        and int(schema.counts.sum()) <= current().classes.max_links_of_stub,
        source=saved_from(document),
    )


def _inside(urls: Iterable[str], page_url: Callable[[str], str | None]) -> tuple[str, ...]:
    resolved = map(page_url, dict.fromkeys(urls))
    return tuple(dict.fromkeys(url for url in resolved if url is not None))


# Candidate selection: from the pages of one wave to candidate classes (2005 paper, 3.1).


def distance(one: Set[int], other: Set[int]) -> float:
    """The share of the paths of two schemas that only one of them has.

    `|(G_i - G_j) u (G_j - G_i)| / |G_i u G_j|`; two empty schemas are equal.
    """
    union = len(one | other)
    return len(one ^ other) / union if union else 0.0


_Group = tuple[set[int], list[int]]
"""The union of the schemas of some pages, and the places of the pages in their wave."""


def groups_of_equal_schema(schemas: Sequence[Schema]) -> list[list[int]]:
    """The places of pages with the same schema, the largest group first (Fig. 5, line 8)."""
    groups: dict[bytes, list[int]] = {}
    for place, schema in enumerate(schemas):
        groups.setdefault(schema.key, []).append(place)
    return sorted(groups.values(), key=_largest_first)


def candidate_classes(
    schemas: Sequence[Schema], dt: float | None = None, collapse: Collapse | str | None = None
) -> list[list[int]]:
    """Group pages with equal schemas, and let large groups take in small ones that are like them.

    The answer holds places in `schemas`, the largest candidate first. A group that takes in
    another one has the union of their schemas from then on. `collapse` is `pass` for Fig. 5 of the
    paper, lines 9 to 13, or `loop` for Fig. 6 of the report.
    """
    settings = current().papers.crescenzi
    groups = [
        (set(schemas[pages[0]].paths.tolist()), pages) for pages in groups_of_equal_schema(schemas)
    ]
    collapsed = _COLLAPSES[settings.collapse if collapse is None else Collapse(collapse)]
    found = collapsed(groups, settings.dt if dt is None else dt)
    return sorted((sorted(pages) for _, pages in found), key=_largest_first)


def _collapse_in_one_pass(groups: list[_Group], dt: float) -> list[_Group]:
    """For i from the first, for j from the last to i + 1: collapse G_j into G_i if they are near.

    A group that took another one in is not looked at again by those before it.
    """
    first = 0
    while first < len(groups):
        paths, pages = groups[first]
        for other in range(len(groups) - 1, first, -1):
            if distance(paths, groups[other][0]) < dt:
                absorbed_paths, absorbed = groups.pop(other)
                paths |= absorbed_paths
                pages += absorbed
        first += 1
    return groups


def _collapse_while_near(groups: list[_Group], dt: float) -> list[_Group]:
    """While two groups are near: the last that is near any, with the first that it is near to.

    The group that they make takes its place in the order by cardinality.
    """
    while (near := _last_near_pair(groups, dt)) is not None:
        first, last = near
        (paths, pages), (other_paths, other) = groups[first], groups[last]
        kept = [group for place, group in enumerate(groups) if place not in near]
        kept.append((paths | other_paths, sorted(pages + other)))
        groups = sorted(kept, key=lambda group: _largest_first(group[1]))
    return groups


def _last_near_pair(groups: Sequence[_Group], dt: float) -> tuple[int, int] | None:
    for last in range(len(groups) - 1, 0, -1):
        for first in range(last):
            if distance(groups[first][0], groups[last][0]) < dt:
                return first, last
    return None


_COLLAPSES = {Collapse.PASS: _collapse_in_one_pass, Collapse.LOOP: _collapse_while_near}


def is_heterogeneous(groups: Sequence[Sequence[int]], min_group_size: float | None = None) -> bool:
    """Whether a collection leads to unlike pages, as a menu does: many small groups.

    The papers give no number. Here: more than one group, and fewer than two pages in each on
    average. Such pages build no class, but their links are followed.
    """
    least = current().papers.crescenzi.min_group_size if min_group_size is None else min_group_size
    return len(groups) > 1 and sum(map(len, groups)) < least * len(groups)


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

    @classmethod
    def of(cls, settings: CrescenziSettings) -> Costs:
        """The weights that settings give."""
        return cls(settings.c_u, settings.c_p, settings.c_i, settings.c_miss)


PAPER_COSTS = Costs()


@cache
def _whole_weights(costs: Costs) -> tuple[int, int, int, int, int]:
    """The weights as whole numbers in the smallest unit that they share, and how many make 1.

    Whether two models cost the same must not depend on rounding: ties are frequent, and the
    paper merges only where that is cheaper (Fig. 5, line 20).
    """
    exact = [Fraction(repr(one)) for one in (costs.url, costs.path, costs.index, costs.miss)]
    unit = lcm(*(one.denominator for one in exact))
    url, path, index, miss = (int(one * unit) for one in exact)
    return url, path, index, miss, unit


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
    url, path, index, miss, unit = _whole_weights(costs)
    shared = int(np.isin(page.paths, schema, assume_unique=True).sum())
    units = (
        index * len(schema)
        + url * int(page.counts.sum())
        + path * (len(page) - shared)
        + miss * (len(schema) - shared)
    )
    return units / unit


def class_cost(summary: ClassCounts, costs: Costs = PAPER_COSTS) -> float:
    """Parts A and B for one class: its schema, and all its pages with its help."""
    return _class_units(summary, costs) / _whole_weights(costs)[-1]


def merged_cost(one: ClassCounts, other: ClassCounts, costs: Costs = PAPER_COSTS) -> float:
    """The cost of the class that two classes would make together."""
    return _merged_units(one, other, costs) / _whole_weights(costs)[-1]


def _class_units(summary: ClassCounts, costs: Costs) -> int:
    return _units(
        summary.pages, summary.urls, len(summary.occurrences), summary.occurrences.total(), costs
    )


def _merged_units(one: ClassCounts, other: ClassCounts, costs: Costs) -> int:
    small, large = sorted((one.occurrences, other.occurrences), key=len)
    shared = sum(path in large for path in small)
    return _units(
        one.pages + other.pages,
        one.urls + other.urls,
        len(small) + len(large) - shared,
        small.total() + large.total(),
        costs,
    )


def _units(pages: int, urls: int, paths: int, occurrences: int, costs: Costs) -> int:
    """A class schema is a union, so no page of the class has a path that it lacks."""
    url, path, index, miss, _ = _whole_weights(costs)
    return path * paths + index * pages * paths + miss * (pages * paths - occurrences) + url * urls


@dataclass(slots=True)
class PaperModel:
    """A set of page classes that grows with each wave (2005 paper, Fig. 5, lines 8 to 22)."""

    settings: CrescenziSettings = field(default_factory=lambda: current().papers.crescenzi)
    classes: list[ClassCounts] = field(default_factory=list)

    @property
    def costs(self) -> Costs:
        """c_u, c_p, c_i and c_miss."""
        return Costs.of(self.settings)

    def update(self, wave: Sequence[Schema], *, is_collection: bool = True) -> list[int | None]:
        """Take in the pages of one collection; the class of each, None for those of a menu.

        Pages that are no link collection are not judged by what they have in common.
        """
        settings = self.settings
        candidates = candidate_classes(wave, settings.dt, settings.collapse)
        by_groups = settings.heterogeneity is Heterogeneity.GROUPS
        judged = groups_of_equal_schema(wave) if by_groups else candidates
        found: list[int | None] = [None] * len(wave)
        if is_collection and is_heterogeneous(judged, settings.min_group_size):
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
        costs = self.costs
        alone = _class_units(candidate, costs)
        changes = [
            _merged_units(candidate, known, costs) - _class_units(known, costs) - alone
            for known in self.classes
        ]
        if changes and min(changes) < 0:
            number = changes.index(min(changes))
            self.classes[number].add(candidate)
            return number
        self.classes.append(candidate)
        return len(self.classes) - 1


class PaperClassifier(Classifier):
    """Puts each page into the class that minimises `enc(p|C)`: the paper reads links only.

    Costs and labels are those that the model was made with. Of equals the class wins that was
    found first, as in `PaperModel.best_class`.
    """

    def __init__(self, model: SiteModel, home: str = "") -> None:
        super().__init__(model, home)
        made_with = _settings_of(model.parameters)
        self._costs = Costs.of(made_with)
        self.vocabulary = PathVocabulary(made_with.labelling)
        paths = [0]
        for parent, label in model.paths[1:]:
            paths.append(self.vocabulary.extend(paths[parent], label))
        self.path_ids = tuple(paths)
        self._schemas = [[paths[place] for place in one.schema] for one in model.classes]

    def features(self, document: Document) -> PageFeatures:
        """The link collections of a page."""
        return link_features(document, self.vocabulary, lambda url: url)

    def of_features(self, page: PageFeatures) -> Classification:
        """The class of a page whose features are over this classifier's vocabulary."""
        costs = self.class_costs(page)
        found = self.decide(page.url, -costs, None)
        ratio = 1 - float(np.sort(costs)[0] / max(np.sort(costs)[1], 1e-9)) if len(costs) > 1 else 1
        return replace(found, confidence=round(min(ratio, 1.0), 4))

    def class_costs(self, page: PageFeatures) -> np.typing.NDArray[np.float64]:
        """`enc(p|C)` for each class of the model."""
        return np.array([encoding_cost(page.schema, one, self._costs) for one in self._schemas])


def _settings_of(parameters: Mapping[str, Any]) -> CrescenziSettings:
    """What a model was made with; those of version 0.2 do not say, and had labels of classes."""
    older = replace(CrescenziSettings(), labelling=Labelling.CLASSES)
    known = {name: parameters[name] for name in CRESCENZI_PARAMETERS if name in parameters}
    if "labelling" in known:
        known["labelling"] = Labelling(known["labelling"])
    return replace(older, **known)


CRESCENZI_PARAMETERS = ("c_u", "c_p", "c_i", "c_miss", "labelling")
"""What a classifier must know of how a model was made."""


# The quality Q of a model against a reference (Crescenzi et al. 2005, section 4.3).


def schema_f(page: Set[int], reference: Set[int]) -> float:
    """`F(s_p, s_C)`: precision and recall of a page's paths against those of a class."""
    shared = len(page & reference)
    return 2 * shared / (len(page) + len(reference)) if shared else 0.0


class ModelQuality:
    """Q of a model that grows page by page, without looking at a page again.

    `sim(C, Ĉ)` is the mean of `F(s_p, s_C)` over the pages of Ĉ; F is the mean over reference
    classes of the best sim, RevF the mean over computed classes; `Q = 2 F RevF / (F + RevF)`.
    """

    def __init__(self, references: Sequence[Set[int]]) -> None:
        self._references = references
        self._sums: dict[int, np.typing.NDArray[np.float64]] = {}
        self._pages: Counter[int] = Counter()

    def add(self, number: int, page: Set[int]) -> None:
        """Put a page, given by its schema, into a computed class."""
        similar = np.array([schema_f(page, reference) for reference in self._references])
        self._sums[number] = self._sums.get(number, 0.0) + similar
        self._pages[number] += 1

    def q(self) -> float:
        """How like the computed classes are to the reference ones."""
        if not self._references or not self._sums:
            return 0.0
        similar = np.array([self._sums[number] / self._pages[number] for number in self._sums])
        forward, backward = similar.max(axis=0).mean(), similar.max(axis=1).mean()
        both = forward + backward
        return float(2 * forward * backward / both) if both else 0.0


def model_quality(references: Sequence[Set[int]], computed: Sequence[Sequence[Set[int]]]) -> float:
    """Q: `references` are class schemas; a computed class is the schemas of its pages."""
    grown = ModelQuality(references)
    for number, pages in enumerate(computed):
        for page in pages:
            grown.add(number, page)
    return grown.q()
