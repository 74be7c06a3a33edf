"""The experiments of Crescenzi et al. on site models: navigation quality, and convergence."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sitewright.classes.clustering import cluster_pages
from sitewright.classes.features import page_features
from sitewright.evaluate.classes import ClassQuality, discovered, labels_by_url
from sitewright.evaluate.measures import ConfusionMatrix
from sitewright.methods import explore, site_classifier
from sitewright.papers.crescenzi import ModelQuality, model_quality
from sitewright.papers.crescenzi_exploration import compute_model
from sitewright.settings import current
from sitewright.site import Page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitewright.classes import Classifier, SiteModel
    from sitewright.crawl.waves import CrawlPlan
    from sitewright.page import Document, PathVocabulary
    from sitewright.site import Site


# Navigational quality (2004 report, section 4.1).

WALKS = 100
"""The report's navigation experiment has so many walks."""
_MOST_FAILURES = 20
"""Links of a page that may lead nowhere before a walk ends."""


@dataclass(frozen=True, slots=True)
class NavigationQuality(ClassQuality):
    """What the walks found; F* is weighted by the support of each class."""

    def measures(self) -> dict[str, Any]:
        """The measures as one flat object; `f_star_by_walks` weighs by how many walks end there."""
        measures = ClassQuality.measures(self)
        by_support = measures.pop("f_star_by_support")
        return {**measures, "f_star": by_support, "f_star_by_walks": measures["f_star"]}


async def navigation_quality(
    site: Site, labels: Mapping[str, str], plan: CrawlPlan, method: str, walks: int = WALKS
) -> NavigationQuality:
    """Map random walks onto the model: the class of a walk's last page, from class links alone.

    A step from a page of some class along a path leads to the classes that class links with this
    path lead to; of those, the best-fitting for the last page of the walk is its class. F* is
    weighted by the support of each class, the number of its pages in the site: only so the tables
    of the report give the F* that is printed below them.
    """
    model = await discovered(site, plan, method)
    truth = labels_by_url(site, labels)
    walker = _Walker(site, model, random.Random(plan.seed))  # noqa: S311 - can be repeated
    pairs = []
    for _ in range(walks):
        last, found = await walker.walk(current().papers.crescenzi.walk_length)
        if last in truth:
            pairs.append((truth[last], found))
    return NavigationQuality(model, ConfusionMatrix.of(pairs), Counter(truth.values()))


class _Walker:
    def __init__(self, site: Site, model: SiteModel, chance: random.Random) -> None:
        self.site, self.model, self.chance = site, model, chance
        self.classifier = site_classifier(model)
        self.every_class = frozenset(one.name for one in model.classes)
        self.targets: dict[tuple[str, str], set[str]] = {}
        for link in model.links:
            self.targets.setdefault((link.source, link.path), set()).add(link.target)
        self._classifiers: dict[frozenset[str], Classifier] = {}

    async def walk(self, pages: int) -> tuple[str, str | None]:
        """The last page of a random walk from the home page, and its class by the model.

        A link that leads to no page is no step: another one is chosen. After a step along a path
        without class links every class is possible.
        """
        page = await self._document(self.site.home)
        if page is None:
            return "", None
        possible = frozenset({self._home_class(page)})
        failures = 0
        while pages > 1 and failures < _MOST_FAILURES:
            features = page_features(page, self.classifier.vocabulary, self.site.page_url)
            if not features.collections:
                break
            path, urls = self.chance.choice(features.collections)
            following = await self._document(self.chance.choice(urls))
            if following is None:
                failures += 1
                continue
            text = self.classifier.vocabulary.text(path)
            reached = (self.targets.get((one, text), set()) for one in possible)
            possible = frozenset().union(*reached) or self.every_class
            page, pages, failures = following, pages - 1, 0
        return page.url, self._best(page, possible)

    def _home_class(self, page: Document) -> str:
        """C_0, which is known: the class that the home page was put into."""
        for one in self.model.classes:
            if page.url in one.samples or page.url in one.pages:
                return one.name
        return self._best(page, self.every_class)

    def _best(self, page: Document, possible: frozenset[str]) -> str:
        """The best-fitting of some classes: that of a classifier which knows no others."""
        if possible not in self._classifiers:
            classes = tuple(one for one in self.model.classes if one.name in possible)
            self._classifiers[possible] = site_classifier(replace(self.model, classes=classes))
        found = self._classifiers[possible].classify(page)
        return found.page_class or found.runner_up or min(possible)

    async def _document(self, url: str) -> Document | None:
        (outcome,) = await self.site.fetch([url])
        return outcome.document() if isinstance(outcome, Page) else None


# Tracking model quality during generation (2005 paper, sections 4.3 and 4.4).

_POINTS = 8
"""How often our own model is made anew: it does not grow page by page."""


@dataclass(frozen=True, slots=True)
class ConvergencePoint:
    """The model after a wave."""

    visited: int
    q: float
    queue: int
    """Link collections that wait; with our own queue, URLs."""


@dataclass(frozen=True, slots=True)
class Convergence:
    """How the quality of a model grew under one strategy."""

    method: str
    strategy: str
    points: tuple[ConvergencePoint, ...]

    @property
    def at_longest_queue(self) -> ConvergencePoint | None:
        """Where the exploration could have ended: the queue is longest (2005, section 4.4)."""
        return max(self.points, key=lambda point: point.queue, default=None)

    def as_json(self) -> list[dict[str, Any]]:
        """One flat object a point; the last one of a strategy says where the queue was longest."""
        longest = self.at_longest_queue
        return [
            {
                "method": self.method,
                "strategy": self.strategy,
                "visited": point.visited,
                "q": round(point.q, 4),
                "queue": point.queue,
                "is_longest_queue": point is longest,
            }
            for point in self.points
        ]


async def convergence(
    site: Site,
    labels: Mapping[str, str],
    plan: CrawlPlan,
    method: str = "default",
    reference_pages: int | None = None,
) -> Convergence:
    """Pages visited, Q of the model of them against the true classes, and the queue.

    The papers' model is measured after each wave, ours at eight points, since it is made anew. The
    reference schema of a class is the union of the link paths of its labelled pages, or of the
    first `reference_pages` of them.
    """
    if method == "paper":
        points = await _papers_points(site, labels, plan, reference_pages)
    else:
        points = await _our_points(site, labels, plan, reference_pages)
    return Convergence(method, plan.strategy.value, tuple(points))


async def _papers_points(
    site: Site, labels: Mapping[str, str], plan: CrawlPlan, reference_pages: int | None
) -> list[ConvergencePoint]:
    explored = await compute_model(site, limit=plan.limit, strategy=plan.strategy, seed=plan.seed)
    truth = labels_by_url(site, labels)
    grown = ModelQuality(await _references(site, truth, explored.vocabulary, reference_pages))
    points, done = [], 0
    for visited, waiting in explored.waves:
        for page, number in zip(
            explored.pages[done:visited], explored.class_of_page[done:visited], strict=True
        ):
            if number is not None:
                grown.add(number, set(page.schema.paths.tolist()))
        done = visited
        points.append(ConvergencePoint(visited, grown.q(), waiting))
    return points


async def _our_points(
    site: Site, labels: Mapping[str, str], plan: CrawlPlan, reference_pages: int | None
) -> list[ConvergencePoint]:
    exploration = await explore(site, plan)
    truth = labels_by_url(site, labels)
    references = await _references(site, truth, exploration.vocabulary, reference_pages)
    schemas = [set(page.schema.paths.tolist()) for page in exploration.pages]
    points = []
    for point in range(1, _POINTS + 1):
        visited = len(schemas) * point // _POINTS
        if not visited:
            continue
        found = cluster_pages(exploration.pages[:visited], exploration.vocabulary)
        computed: dict[int, list[set[int]]] = {}
        for schema, number in zip(schemas[:visited], found.class_of_page.tolist(), strict=True):
            computed.setdefault(number, []).append(schema)
        waiting = [size for pages, size in exploration.queue_sizes if pages <= visited]
        quality = model_quality(references, list(computed.values()))
        points.append(ConvergencePoint(visited, quality, waiting[-1] if waiting else 0))
    return points


async def _references(
    site: Site, truth: Mapping[str, str], vocabulary: PathVocabulary, most: int | None
) -> list[set[int]]:
    chosen: dict[str, list[str]] = {}
    for url, label in sorted(truth.items()):
        chosen.setdefault(label, []).append(url)
    references = [await _class_schema(site, urls[:most], vocabulary) for urls in chosen.values()]
    return [schema for schema in references if schema]


async def _class_schema(site: Site, urls: Sequence[str], vocabulary: PathVocabulary) -> set[int]:
    paths: set[int] = set()
    for outcome in await site.fetch(urls):
        if isinstance(outcome, Page):
            features = page_features(outcome.document(), vocabulary, site.page_url)
            paths.update(features.schema.paths.tolist())
    return paths
