"""The queue of links that wait to be followed, and in which order.

The papers order link collections (2005 paper, 3.3): `CollectionQueue`. Ours looks at every kind of
URL and every part of the site alike: `BalancedQueue`.
"""

from __future__ import annotations

import logging
import random
from collections import Counter, deque
from dataclasses import dataclass, field
from heapq import heappop, heappush, heapreplace
from math import log2
from typing import TYPE_CHECKING, Protocol
from zlib import crc32

from sitewright.choices import Choice
from sitewright.page.url_pattern import RARE, place_in_site, url_shape
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Sequence


logger = logging.getLogger(__name__)

LinkPlace = tuple[int, int]
"""A class and a path of it. Pages of no class are classes of their own, numbered below zero."""
PlaceRank = tuple[int, int, LinkPlace]
"""How many URLs were taken from a place, how many wait there (below zero), and the place."""
CollectionKind = tuple[str | None, ...]
"""URLs that look alike."""


class Strategy(Choice):
    """Which links come first."""

    BALANCED = "balanced"
    """The kind of URL, then the place, that the fewest pages were fetched from."""
    DENSEST_FIRST = "densest"
    """The papers': where most of the links of a class stand; builds support."""
    SPARSEST_FIRST = "sparsest"
    """The papers': where the fewest stand; seeks new regions."""


class LinkQueue(Protocol):
    """Links that wait."""

    def __len__(self) -> int:
        """How much waits."""
        ...

    def add(self, number: int, collections: Sequence[tuple[int, tuple[str, ...]]]) -> None:
        """Put the link collections of one page of a class into the queue."""
        ...

    def pop(self, size: int) -> list[str]:
        """Take at most so many URLs of one link collection, each given out once.

        Which ones of a long collection is left to chance: the first are often its oldest or newest.
        """
        ...

    def knows(self, url: str) -> bool:
        """Whether a link led to this URL."""
        ...


def link_queue(strategy: Strategy, seed: int = 0) -> LinkQueue:
    """The queue of a strategy; another seed takes other URLs of long collections."""
    if strategy is Strategy.BALANCED:
        return BalancedQueue(seed)
    return CollectionQueue(seed, is_densest=strategy is Strategy.DENSEST_FIRST)


@dataclass(slots=True)
class CollectionQueue:
    """Collections by class and path: the same path in pages of one class is one place.

    Collections in classes of one page come first; then those with the greatest, or the smallest,
    share of the links of their class.
    """

    seed: int = 0
    is_densest: bool = True
    _chance: random.Random = field(init=False)
    _waiting: dict[LinkPlace, deque[tuple[str, ...]]] = field(default_factory=dict)
    _links: Counter[LinkPlace] = field(default_factory=Counter)
    _links_of_class: Counter[int] = field(default_factory=Counter)
    _pages_of_class: Counter[int] = field(default_factory=Counter)
    _given: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)  # noqa: S311 - a choice that can be repeated

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(self, number: int, collections: Sequence[tuple[int, tuple[str, ...]]]) -> None:
        """Put the link collections of one page of a class into the queue."""
        self._pages_of_class[number] += 1
        for path, urls in collections:
            place = number, path
            self._waiting.setdefault(place, deque()).append(urls)
            self._links[place] += len(urls)
            self._links_of_class[number] += len(urls)

    def pop(self, size: int) -> list[str]:
        """Take at most so many pages of the first collection of the place that comes first."""
        place = min(self._waiting, key=self._rank)
        urls = self._waiting[place].popleft()
        if not self._waiting[place]:
            del self._waiting[place]
        new = [url for url in urls if url not in self._given]
        places = sorted(self._chance.sample(range(len(new)), min(size, len(new))))
        chosen = [new[at] for at in places]
        self._given.update(chosen)
        return chosen

    def knows(self, url: str) -> bool:
        """Whether a link led to this URL."""
        return url in self._given or any(
            url in urls for place in self._waiting.values() for urls in place
        )

    def _rank(self, place: LinkPlace) -> tuple[bool, float, LinkPlace]:
        density = self._links[place] / self._links_of_class[place[0]]
        has_more = self._pages_of_class[place[0]] > 1
        return has_more, -density if self.is_densest else density, place


@dataclass(slots=True)
class BalancedQueue:
    """URLs by their kind, and within a kind by the place where a link to them stands.

    A kind is a top folder and the form of the rest. The kind comes first of which least was
    visited: the sum of log2 (1 + pages visited) over this form, this folder and the two together is
    smallest. So a new form comes first, then a known form in a new folder, then one that is new in
    this folder: articles may stand in the folder of their lists, and be called as teams are.

    Which URLs of a place come first, only the seed and their own places in the site decide: a site,
    its archives and its mirrors are visited alike.

    What a kind has been visited only grows, so a heap whose stale entries are put right when they
    come up finds the first kind in logarithmic time, however many kinds a site makes up. So it is
    with the places of a kind: each link of a page can stand in a place of its own.
    """

    seed: int = 0
    _waiting: dict[CollectionKind, dict[LinkPlace, list[tuple[int, str]]]] = field(
        default_factory=dict
    )
    """By kind and place a heap of URLs, each with a number that decides which come first."""
    _ranked: dict[CollectionKind, list[PlaceRank]] = field(default_factory=dict)
    """By kind a heap of its places."""
    _latest: dict[tuple[CollectionKind, LinkPlace], PlaceRank] = field(default_factory=dict)
    """The entry of each place in its heap that counts: all others are stale."""
    _order: list[tuple[float, str, CollectionKind]] = field(default_factory=list)
    _ordered: set[CollectionKind] = field(default_factory=set)
    _length: int = 0
    dropped: int = 0
    """URLs that found no room."""
    _visited: Counter[CollectionKind] = field(default_factory=Counter)
    _words: Counter[str | None] = field(default_factory=Counter)
    _taken: Counter[LinkPlace] = field(default_factory=Counter)
    _known_urls: set[str] = field(default_factory=set)

    def __len__(self) -> int:
        return self._length

    def add(self, number: int, collections: Sequence[tuple[int, tuple[str, ...]]]) -> None:
        """Put the new URLs of one page of a class into the queue, as long as there is room."""
        most = current().limits.max_waiting_urls
        for path, urls in collections:
            kinds: set[CollectionKind] = set()
            for url in urls:
                if url in self._known_urls:
                    continue
                if len(self._known_urls) >= most:
                    self._drop()
                    continue
                self._known_urls.add(url)
                kind = self._kind(url)
                places = self._waiting.setdefault(kind, {})
                heappush(places.setdefault((number, path), []), (self._lot(url), url))
                self._length += 1
                kinds.add(kind)
                if kind not in self._ordered:
                    self._ordered.add(kind)
                    heappush(self._order, (self._familiarity(kind), repr(kind), kind))
            for kind in kinds:
                self._rank(kind, (number, path))

    def _drop(self) -> None:
        if not self.dropped:
            most = current().limits.max_waiting_urls
            logger.warning("more than %d URLs are known: further ones are left out", most)
        self.dropped += 1

    def pop(self, size: int) -> list[str]:
        """Take URLs of the kind that was visited least, from the place visited least."""
        kind = self._first_kind()
        places = self._waiting[kind]
        place = self._first_place(kind)
        lots = places[place]
        chosen = [heappop(lots)[1] for _ in range(min(size, len(lots)))]
        if not lots:
            del places[place], self._latest[kind, place]
        if not places:
            del self._waiting[kind], self._ranked[kind]
        self._length -= len(chosen)
        self._visited[kind[:1]] += len(chosen)
        self._visited[kind[1:]] += len(chosen)
        self._visited[kind] += len(chosen)
        self._taken[place] += len(chosen)
        if lots:
            self._rank(kind, place)
        return chosen

    def knows(self, url: str) -> bool:
        """Whether a link led to this URL."""
        return url in self._known_urls

    def _rank(self, kind: CollectionKind, place: LinkPlace) -> None:
        """Put a place where it belongs among those of its kind."""
        rank = (self._taken[place], -len(self._waiting[kind][place]), place)
        self._latest[kind, place] = rank
        heappush(self._ranked.setdefault(kind, []), rank)

    def _first_place(self, kind: CollectionKind) -> LinkPlace:
        """The place that was visited least; of several the one with most URLs."""
        ranks = self._ranked[kind]
        while True:
            rank = ranks[0]
            taken, _, place = rank
            is_latest = self._latest.get((kind, place)) is rank
            if is_latest and taken == self._taken[place]:
                return place
            heappop(ranks)
            if is_latest:  # meanwhile URLs of another kind were taken from there
                self._rank(kind, place)

    def _first_kind(self) -> CollectionKind:
        """The kind that was visited least; of several the first by name."""
        while True:
            before, name, kind = self._order[0]
            if kind not in self._waiting:
                heappop(self._order)
                self._ordered.remove(kind)
                continue
            now = self._familiarity(kind)
            if now == before:
                return kind
            heapreplace(self._order, (now, name, kind))

    def _kind(self, url: str) -> CollectionKind:
        depth, top, _, first, words, last, query = url_shape(url)
        self._words.update({first, last})
        return top, depth, words, query, self._if_often(first), self._if_often(last)

    def _lot(self, url: str) -> int:
        return crc32(f"{self.seed} {place_in_site(url)}".encode("utf-8", "replace"))

    def _if_often(self, word: str | None) -> str | None:
        settings = current().crawl
        least = max(
            settings.frequent_word_urls, settings.frequent_word_share * len(self._known_urls)
        )
        return word if word is None or self._words[word] >= least else RARE

    def _familiarity(self, kind: CollectionKind) -> float:
        return sum(log2(1 + self._visited[part]) for part in (kind[:1], kind[1:], kind))
