"""Which links lead to the pages of some wanted classes, and how well.

The report of 2004 (section 6) names this use of a site model: its class links describe the ways
that lead to the pages of a class. A `Way` is one step of such a way. Its value is the share of
wanted pages among all that one fetches who follows it to its end; the model says what to expect
of a way at first, and the pages that come say it better and better.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sitewright.classes.address_pattern import path_and_query
from sitewright.classes.fit import TRUST

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sitewright.classes.model import ClassLink, PageClass, SiteModel

MEMORY = 0.75
"""How much of what was expected of a way remains beside what its last page told."""


class Way(NamedTuple):
    """Links at one path of the pages of one class that, by their addresses, lead to another."""

    source: str | None
    path: str
    target: str


class Reach(NamedTuple):
    """What a page of a class is good for."""

    share: float
    """Of the pages fetched because of it, itself included, the share that is wanted."""
    pages: float
    """How many wanted pages it leads to; of a wanted page, itself."""


Key = TypeVar("Key", Way, str)
_NOTHING = Reach(0.0, 0.0)
_WANTED = Reach(1.0, 1.0)


class Route:
    """The ways to the wanted classes of a model, with what is expected of each."""

    def __init__(self, model: SiteModel, wanted: Collection[str]) -> None:
        self.wanted = frozenset(wanted)
        self._classes = [one for one in model.classes if not one.is_stub]
        self._patterns = {one.name: re.compile(one.url_pattern) for one in self._classes}
        self._trusted = {one.name for one in self._classes if _is_trusted(one)}
        self._targets = _targets(model)
        self._new = _new_links(model)
        self._right = self._expected_right()
        self._behind: dict[Way, dict[str, float]] = {}
        self._reach: dict[str, Reach] | None = None

    def way(self, source: str | None, path: str, url: str) -> Way | None:
        """The way that a link is part of; None if neither its place nor its address tells.

        Where one path leads to several classes, the address decides: a pattern that hardly another
        class shares first, then the class that most links of the path lead to.
        """
        at_path = self._targets.get((source, path), {})
        address = path_and_query(url)
        matching = [name for name, pattern in self._patterns.items() if pattern.fullmatch(address)]
        trusted = [name for name in matching if name in self._trusted]
        for names in (trusted, [name for name in matching if name in at_path], at_path, matching):
            if names:
                return Way(source, path, max(names, key=lambda name: at_path.get(name, 0)))
        return None

    def value(self, way: Way) -> float:
        """The share of wanted pages among all that following the way fetches."""
        return self._right.get(way, 1.0) * self.reach(way).share

    def reach(self, way: Way) -> Reach:
        """What a page at the end of the way is good for.

        At first that is what a page of its class is good for; then what those of this way were.
        """
        if self._reach is None:
            self._reach = self._reaches()
        if way not in self._behind or way.target in self.wanted:
            return self._reach.get(way.target, _NOTHING)
        behind = ((self._reach.get(name, _NOTHING), new) for name, new in self._behind[way].items())
        return max((_reach_through(reach, new, new) for reach, new in behind), default=_NOTHING)

    def learn_page(self, source: str | None, found: Mapping[Way, int], by: Way | None) -> None:
        """Take in how many new addresses each way had on a page, which was reached `by` another."""
        if by is not None:
            behind = self._behind.setdefault(by, _by_target(self._new[by.target]))
            _learn(behind, _by_target(found))
        _learn(self._new[source], found)
        self._reach = None

    def learn_arrival(self, way: Way, page_class: str | None) -> None:
        """Take in which class a way did lead to; None for a page that is missing or fits none."""
        is_right = page_class == way.target or page_class in self.wanted
        self._right[way] = _blend(self._right.get(way, 1.0), is_right)
        self._reach = None

    def _reaches(self) -> dict[str, Reach]:
        """Every class with the best that its pages lead to: Dijkstra's way, the best class first.

        The reach of a class depends on that of classes that are better than itself only, so a
        circle of classes counts nothing twice.
        """
        found: dict[str, Reach] = {}
        best = dict.fromkeys(self.wanted, _WANTED)
        steps = self._steps()
        while best:
            name = max(sorted(best), key=lambda name: best[name])
            found[name] = best.pop(name)
            for source, (new, right) in steps.get(name, {}).items():
                if source not in found:
                    through = _reach_through(found[name], new, right)
                    best[source] = max(through, best.get(source, _NOTHING))
        return found

    def _steps(self) -> dict[str, dict[str, tuple[float, float]]]:
        """By target and source: how many new links a page has, and how many of them are right."""
        steps: dict[str, dict[str, tuple[float, float]]] = defaultdict(dict)
        for source, ways in self._new.items():
            if source is None:  # pages of no class lead on by their addresses, but nothing to them
                continue
            for way, new in ways.items():
                links, right = steps[way.target].get(source, (0.0, 0.0))
                more = new * self._right.get(way, 1.0)
                steps[way.target][source] = links + new, right + more
        return steps

    def _expected_right(self) -> dict[Way, float]:
        """How sure the class of a link is, as the model has it."""
        precision = {one.name: one.url_precision for one in self._classes}
        expected = {}
        for (source, path), targets in self._targets.items():
            others = sum(links for name, links in targets.items() if name not in self._trusted)
            for name, links in targets.items():
                sure = precision[name] if name in self._trusted else links / others
                expected[Way(source, path, name)] = sure
        return expected


def _is_trusted(one: PageClass) -> bool:
    return one.url_precision >= TRUST and one.visited > 1


def _targets(model: SiteModel) -> dict[tuple[str | None, str], dict[str, int]]:
    """For each path of each class the classes that it leads to, with the number of links."""
    targets: dict[tuple[str | None, str], dict[str, int]] = defaultdict(dict)
    for link in _links_to_pages(model):
        targets[link.source, link.path][link.target] = link.links
    return dict(targets)


def _new_links(model: SiteModel) -> dict[str | None, dict[Way, float]]:
    """By source: how many links to pages not seen before a page has, in the mean.

    The same links on all pages, such as a menu, are many links to few pages.
    """
    visited = {one.name: one.visited for one in model.classes}
    new: dict[str | None, dict[Way, float]] = defaultdict(dict)
    for link in _links_to_pages(model):
        way = Way(link.source, link.path, link.target)
        new[link.source][way] = (link.targets or link.links) / max(1, visited[link.source])
    return new


def _links_to_pages(model: SiteModel) -> list[ClassLink]:
    """The class links that end at a page; a stub is known by what stands there when one comes."""
    stubs = {one.name: one.is_stub for one in model.classes}
    return [
        link for link in model.links if link.source in stubs and not stubs.get(link.target, True)
    ]


def _reach_through(target: Reach, new: float, right: float) -> Reach:
    """The reach of a page with so many links to pages of a known reach, not all of them right."""
    pages = right * target.pages
    fetches = 1 + (pages / target.share if target.share else 0.0) + (new - right)
    return Reach(pages / fetches, pages)


def _by_target(links: Mapping[Way, float]) -> dict[str, float]:
    counts: dict[str, float] = defaultdict(float)
    for way, count in links.items():
        counts[way.target] += count
    return dict(counts)


def _learn(expected: dict[Key, float], seen: Mapping[Key, float]) -> None:
    for key in {**expected, **seen}:
        expected[key] = _blend(expected.get(key, 0.0), seen.get(key, 0.0))


def _blend(expected: float, seen: float) -> float:
    return MEMORY * expected + (1 - MEMORY) * seen
