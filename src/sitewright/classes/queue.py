"""The queue of links that wait to be followed, and in which order.

The papers order link collections (2005 paper, 3.3): `CollectionQueue`. Ours looks at every kind of
address and every part of the site alike: `BalancedQueue`.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from math import log2
from typing import TYPE_CHECKING, Protocol

from sitewright.choices import Choice
from sitewright.classes.address_shape import RARE, address_shape

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

Place = tuple[int, int]
"""A class and a path of it. Pages of no class are classes of their own, numbered below zero."""
Kind = tuple[str | None, ...]
"""Addresses that look alike."""

_SHARE = 0.02
_OFTEN = 5
"""A word that so many addresses have, and this share of them, tells a sort of page; a rarer one
is the name of a page."""


class Strategy(Choice):
    """Which links come first."""

    BALANCED = "balanced"
    """The kind of address, then the place, that the fewest pages were fetched from."""
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

    def pop(self, size: int, chance: random.Random) -> list[str]:
        """Take at most so many addresses of one link collection, each given out once."""
        ...


def link_queue(strategy: Strategy) -> LinkQueue:
    """The queue of a strategy."""
    if strategy is Strategy.BALANCED:
        return BalancedQueue()
    return CollectionQueue(is_densest=strategy is Strategy.DENSEST_FIRST)


@dataclass(slots=True)
class CollectionQueue:
    """Collections by class and path: the same path in pages of one class is one place.

    Collections in classes of one page come first; then those with the greatest, or the smallest,
    share of the links of their class.
    """

    is_densest: bool
    _waiting: dict[Place, deque[tuple[str, ...]]] = field(default_factory=dict)
    _links: Counter[Place] = field(default_factory=Counter)
    _links_of_class: Counter[int] = field(default_factory=Counter)
    _pages_of_class: Counter[int] = field(default_factory=Counter)
    _given: set[str] = field(default_factory=set)

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(self, number: int, collections: Sequence[tuple[int, tuple[str, ...]]]) -> None:
        """Put the link collections of one page of a class into the queue."""
        self._pages_of_class[number] += 1
        for path, addresses in collections:
            place = number, path
            self._waiting.setdefault(place, deque()).append(addresses)
            self._links[place] += len(addresses)
            self._links_of_class[number] += len(addresses)

    def pop(self, size: int, chance: random.Random) -> list[str]:
        """Take at most so many pages of the first collection of the place that comes first."""
        place = min(self._waiting, key=self._rank)
        addresses = self._waiting[place].popleft()
        if not self._waiting[place]:
            del self._waiting[place]
        chosen = _some([a for a in addresses if a not in self._given], size, chance)
        self._given.update(chosen)
        return chosen

    def _rank(self, place: Place) -> tuple[bool, float, Place]:
        density = self._links[place] / self._links_of_class[place[0]]
        has_more = self._pages_of_class[place[0]] > 1
        return has_more, -density if self.is_densest else density, place


@dataclass(slots=True)
class BalancedQueue:
    """Addresses by their kind, and within a kind by the place where a link to them stands.

    A kind is a top folder and the form of the rest. The kind comes first of which least was
    visited: log2 (1 + pages visited with this form) + log2 (1 + pages visited in this folder) is
    smallest. So a new form comes first, then a known form in a new folder.
    """

    _waiting: dict[Kind, dict[Place, dict[str, None]]] = field(default_factory=dict)
    _visited: Counter[Kind] = field(default_factory=Counter)
    _words: Counter[str | None] = field(default_factory=Counter)
    _taken: Counter[Place] = field(default_factory=Counter)
    _addresses: set[str] = field(default_factory=set)

    def __len__(self) -> int:
        return sum(len(urls) for places in self._waiting.values() for urls in places.values())

    def add(self, number: int, collections: Sequence[tuple[int, tuple[str, ...]]]) -> None:
        """Put the new addresses of one page of a class into the queue."""
        for path, addresses in collections:
            for address in addresses:
                if address not in self._addresses:
                    self._addresses.add(address)
                    places = self._waiting.setdefault(self._kind(address), {})
                    places.setdefault((number, path), {})[address] = None

    def pop(self, size: int, chance: random.Random) -> list[str]:
        """Take addresses of the kind that was visited least, from the place visited least."""
        kind = min(self._waiting, key=lambda kind: (self._familiarity(kind), repr(kind)))
        places = self._waiting[kind]
        place = min(places, key=lambda place: (self._taken[place], -len(places[place]), place))
        chosen = _some(list(places[place]), size, chance)
        for address in chosen:
            del places[place][address]
        if not places[place]:
            del places[place]
        if not places:
            del self._waiting[kind]
        self._visited[kind[:1]] += len(chosen)
        self._visited[kind[1:]] += len(chosen)
        self._taken[place] += len(chosen)
        return chosen

    def _kind(self, address: str) -> Kind:
        depth, top, _, first, words, last, query = address_shape(address)
        self._words.update({first, last})
        return top, depth, words, query, self._if_often(first), self._if_often(last)

    def _if_often(self, word: str | None) -> str | None:
        least = max(_OFTEN, _SHARE * len(self._addresses))
        return word if word is None or self._words[word] >= least else RARE

    def _familiarity(self, kind: Kind) -> float:
        return log2(1 + self._visited[kind[:1]]) + log2(1 + self._visited[kind[1:]])


def _some(addresses: list[str], size: int, chance: random.Random) -> list[str]:
    """A choice of a long collection: its first pages are often its oldest or its newest."""
    if len(addresses) <= size:
        return addresses
    return [addresses[place] for place in sorted(chance.sample(range(len(addresses)), size))]
