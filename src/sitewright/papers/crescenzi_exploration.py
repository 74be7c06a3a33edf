"""Crescenzi et al. 2004 and 2005: COMPUTEMODEL, the exploration that makes a site model.

The queue of link collections with its two orders (2005, section 3.3), the loop of figure 5, and
the site model: classes with their schemas, and class links between visited pages (section 2).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sitewright.choices import ExplorationEnd, Method
from sitewright.classes.clustering import Clustering
from sitewright.classes.features import PageFeatures, PageSample
from sitewright.classes.model import ClassLink, Origin, build_model
from sitewright.crawl.frontier import Strategy
from sitewright.page import PathVocabulary, Schema
from sitewright.papers.crescenzi import PaperModel, link_features
from sitewright.settings import CrescenziSettings, current
from sitewright.site import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from sitewright.classes.model import PageClass, SiteModel
    from sitewright.page import Document
    from sitewright.site import Site


LinksAtPath = tuple[int, tuple[str, ...]]
"""A path that ends in links, and the URLs of this site that they lead to."""
_NOWHERE = -1
"""The class that links stand in which stand in no page."""


@dataclass(slots=True)
class PaperQueue:
    """The priority queue of link collections (2005 paper, section 3.3).

    Collections of classes with one page come first; then those that have the greatest share of the
    outgoing links of their class, or the smallest. The share is that of a path of the class: the
    same path in two pages of a class is one place.
    """

    is_densest: bool = True
    _waiting: dict[tuple[int, int], list[tuple[str, ...]]] = field(default_factory=dict)
    _links: Counter[tuple[int, int]] = field(default_factory=Counter)
    _links_of_class: Counter[int] = field(default_factory=Counter)
    _pages_of_class: Counter[int] = field(default_factory=Counter)
    _known: set[frozenset[str]] = field(default_factory=set)
    _fetched: set[str] = field(default_factory=set)

    def __len__(self) -> int:
        """How many collections wait."""
        return sum(map(len, self._waiting.values()))

    def add(self, number: int, schema: Schema, collections: Iterable[LinksAtPath]) -> None:
        """Put the new link collections of a page into the queue (figure 5, line 23).

        A collection is new if none with the same URLs was in the queue before, and one of its pages
        was not fetched. All links of the page count for the shares, those to other sites too.
        """
        self._pages_of_class[number] += 1
        for path, links in zip(schema.paths.tolist(), schema.counts.tolist(), strict=True):
            self._links[number, path] += links
            self._links_of_class[number] += links
        for path, urls in collections:
            known = frozenset(urls)
            if known not in self._known and not known <= self._fetched:
                self._known.add(known)
                self._waiting.setdefault((number, path), []).append(urls)

    def pop(self, most: int | None, chance: random.Random) -> list[str]:
        """Take at most so many pages of the collection that comes first, none of them twice.

        Which ones is a matter of chance: the first pages of a list are often its oldest or newest.
        Collections whose pages were all fetched since they were added are passed over.
        """
        while self._waiting:
            place = min(self._waiting, key=self._rank)
            urls = self._waiting[place].pop(0)
            if not self._waiting[place]:
                del self._waiting[place]
            left = [url for url in urls if url not in self._fetched]
            if left:
                size = len(left) if most is None else min(most, len(left))
                chosen = [left[at] for at in sorted(chance.sample(range(len(left)), size))]
                self._fetched.update(chosen)
                return chosen
        return []

    def _rank(self, place: tuple[int, int]) -> tuple[bool, float, tuple[int, int]]:
        links = self._links_of_class[place[0]]
        share = self._links[place] / links if links else 0.0
        has_more = self._pages_of_class[place[0]] > 1 or place[0] < _NOWHERE
        return has_more, -share if self.is_densest else share, place


@dataclass(slots=True)
class PaperExploration(PageSample):
    """COMPUTEMODEL, step by step: which pages to fetch next, and the model of those fetched."""

    settings: CrescenziSettings = field(default_factory=lambda: current().papers.crescenzi)
    strategy: Strategy = Strategy.DENSEST_FIRST
    seed: int = 0
    model: PaperModel = field(init=False)
    class_of_page: list[int | None] = field(default_factory=list)
    """For each page its class; None for pages of heterogeneous collections."""
    waves: list[tuple[int, int]] = field(default_factory=list)
    """After each wave: pages visited, and link collections in the queue."""
    _queue: PaperQueue = field(init=False)
    _chance: random.Random = field(init=False)
    _visited: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.vocabulary = PathVocabulary(self.settings.labelling)
        self.model = PaperModel(self.settings)
        self._queue = PaperQueue(is_densest=self.strategy is not Strategy.SPARSEST_FIRST)
        self._chance = random.Random(self.seed)  # noqa: S311 - a choice that can be repeated

    def start(self, home: str) -> list[str]:
        """The seed link: the only collection of the queue at first."""
        self._queue.add(_NOWHERE, Schema.of({}), [(0, (home,))])
        return self.next_wave(1)

    def next_wave(self, most: int | None) -> list[str]:
        """At most so many URLs of the next collection; none where the exploration ends."""
        if self.settings.end is ExplorationEnd.LONGEST and self._is_past_longest():
            return []
        return self._queue.pop(most, self._chance)

    def add(self, pages: Sequence[PageFeatures], *, is_collection: bool = True) -> None:
        """Take in the pages of a wave, and put their link collections into the queue.

        Each page of a heterogeneous collection is a class of its own to the queue: an entry point.
        """
        wave = []
        for page in pages:
            if page.url not in self._visited:
                self._visited.add(page.url)
                wave.append(page)
        classes = self.model.update([page.schema for page in wave], is_collection=is_collection)
        for page, number in zip(wave, classes, strict=True):
            self.pages.append(page)
            self.class_of_page.append(number)
            place = -1 - len(self.pages) if number is None else number
            self._queue.add(place, page.schema, page.collections)
        self.waves.append((len(self.pages), len(self._queue)))

    def final_classes(self) -> list[int]:
        """The class of every page; those of heterogeneous collections where `enc(p|C)` is least."""
        found = []
        for page, number in zip(self.pages, self.class_of_page, strict=True):
            best = self.model.best_class(page.schema) if number is None else number
            found.append(best or 0)
        return found

    def _is_past_longest(self) -> bool:
        """Whether the queue was not longer than before for many waves (section 4.4)."""
        sizes = [size for _, size in self.waves]
        return len(sizes) - sizes.index(max(sizes)) > self.settings.patience if sizes else False


async def compute_model(  # noqa: PLR0913 - each of them is optional
    site: Site,
    *,
    limit: int = 1000,
    strategy: Strategy | str = Strategy.DENSEST_FIRST,
    seed: int = 0,
    settings: CrescenziSettings | None = None,
    on_wave: Callable[[PaperExploration], None] = lambda _: None,
    on_document: Callable[[Document], None] = lambda _: None,
) -> PaperExploration:
    """COMPUTEMODEL (2005 paper, figure 5), with a limit of pages to ask for.

    It ends with the queue. Where the home page leads nowhere, the pages that the site lists are
    taken in as they are: saved pages need not lead to each other.
    """
    explored = PaperExploration(
        settings=settings or current().papers.crescenzi, strategy=Strategy(strategy), seed=seed
    )

    async def fetched(urls: list[str]) -> list[PageFeatures]:
        documents = [page.document() for page in await site.fetch(urls) if isinstance(page, Page)]
        for document in documents:
            on_document(document)
        return [link_features(one, explored.vocabulary, site.page_url) for one in documents]

    n = explored.settings.n
    urls, asked = explored.start(site.home), 0
    while urls:
        asked += len(urls)
        explored.add(await fetched(urls))
        on_wave(explored)
        urls = explored.next_wave(min(n, limit - asked)) if asked < limit else []
    if len(explored.pages) <= 1 and asked < limit:
        visited = {page.url for page in explored.pages}
        listed = [url for url in site.listing() if url not in visited]
        explored.add(await fetched(listed[: limit - asked]), is_collection=False)
        on_wave(explored)
    return explored


def compute_model_of_all(
    site: Site, *, seed: int = 0, settings: CrescenziSettings | None = None
) -> PaperExploration:
    """COMPUTEMODEL over every local page: each link collection is followed whole, n has no bound.

    Pages that no link leads to come last, and as they are: they are no link collection that could
    be heterogeneous.
    """
    explored = PaperExploration(settings=settings or current().papers.crescenzi, seed=seed)
    waiting = {
        page.url: link_features(page.document(), explored.vocabulary, site.page_url)
        for page in site.pages()
    }
    urls = explored.start(site.home)
    while urls:
        explored.add([waiting.pop(url) for url in urls if url in waiting])
        urls = explored.next_wave(None)
    if waiting:
        explored.add(list(waiting.values()), is_collection=False)
    return explored


# From an exploration to the site model.


def paper_site_model(
    explored: PaperExploration, home: str, parameters: dict[str, Any] | None = None
) -> SiteModel:
    """The classes in the order in which they were found, and the class links between them.

    A class schema is the union of the schemas of the pages that built the class; those of
    heterogeneous collections, which belong to a class in the end, add nothing to it. What only our
    own method knows, such as the nearest class, is left empty.
    """
    numbers = explored.final_classes()
    classes = np.array(numbers, dtype=np.int64)
    made_with = {
        "strategy": explored.strategy.value,
        "seed": explored.seed,
        **asdict(explored.settings),
        **(parameters or {}),
    }
    del made_with["walk_length"]  # of an experiment, not of the model
    origin = Origin(home, Method.PAPER.value, made_with, (), tuple(explored.waves))
    found = Clustering.given(explored.pages, explored.vocabulary, classes)
    model = build_model(explored, found, origin)
    number_of = {page.url: number for page, number in zip(explored.pages, numbers, strict=True)}
    place_of = _places(model, explored.vocabulary)
    named: dict[int, PageClass] = {}
    for one in model.classes:
        number = number_of[one.samples[0]]
        occurrences = explored.model.classes[number].occurrences
        schema = {place_of[path]: count for path, count in sorted(occurrences.items())}
        named[number] = replace(one, nearest=None, distinguishing=(), schema=schema)
    links = _class_links(explored, number_of, {number: one.name for number, one in named.items()})
    return replace(model, classes=tuple(one for _, one in sorted(named.items())), links=links)


def _places(model: SiteModel, vocabulary: PathVocabulary) -> dict[int, int]:
    """For each path of the model, by its number in the vocabulary, its place in the model."""
    ids = [0]
    for parent, label in model.paths[1:]:
        ids.append(vocabulary.extend(ids[parent], label))
    return {path: place for place, path in enumerate(ids)}


def _class_links(
    explored: PaperExploration, number_of: dict[str, int], names: dict[int, str]
) -> tuple[ClassLink, ...]:
    """C1 -> C2 by a path, where links at this path of pages of C1 lead to visited pages of C2.

    All of them; those with the most links come first.
    """
    links: Counter[tuple[int, int, int]] = Counter()
    sources: defaultdict[tuple[int, int, int], set[str]] = defaultdict(set)
    targets: defaultdict[tuple[int, int, int], set[str]] = defaultdict(set)
    for page in explored.pages:
        for path, urls in page.collections:
            for url in urls:
                if (target := number_of.get(url)) is not None:
                    key = number_of[page.url], target, path
                    links[key] += 1
                    sources[key].add(page.url)
                    targets[key].add(url)
    ordered = sorted(links.items(), key=lambda item: (-item[1], item[0]))
    return tuple(
        ClassLink(
            names[key[0]], names[key[1]], explored.vocabulary.text(key[2]),
            count, len(sources[key]), len(targets[key]),
        )
        for key, count in ordered
    )  # fmt: skip
