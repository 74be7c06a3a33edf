"""Which links lead to the pages of some wanted classes, and how well.

The report of 2004 (section 6) names this use of a site model: its class links describe the ways
that lead to the pages of a class. A `Way` is one step of such a way. Its value is the share of
wanted pages among all that one fetches who follows it to its end; the model says what to expect
of a way at first, and the pages that come say it better and better.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sitewright.classes.address_pattern import path_and_query
from sitewright.classes.fit import TRUST

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sitewright.classes.model import ClassLink, PageClass, SiteModel

NEWS = 0.25
"""How much the last page counts for what is new on the next: a class that is known to the last
page shows nothing new from then on, so old news fade."""
BELIEF = 20
"""As many pages as what the model says of the chances of a way counts for. They do not fade: the
pages of a list are often sorted, and what was not yet there may be at its end."""


class Way(NamedTuple):
    """Links at one path of the pages of one class that most likely lead to one class."""

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
        self._classes = {one.name: one for one in model.classes if not one.is_stub}
        self._patterns = {name: re.compile(one.url_pattern) for name, one in self._classes.items()}
        self._trusted = {name for name, one in self._classes.items() if _is_trusted(one)}
        self._targets = _targets(model)
        self._new = _new_links(model)
        self._chances: dict[Way, dict[str, float]] = {}
        self._arrivals: Counter[Way] = Counter()
        self._behind: dict[Way, dict[str, float]] = {}
        self._of_class: dict[str, Reach] | None = None

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

    def chances(self, way: Way) -> dict[str, float]:
        """For each class the chance that a link leads there: as the model has it, then as seen.

        Classes whose addresses look alike share a way; only what comes tells them apart.
        """
        if way not in self._chances:
            self._chances[way] = self._expected(way)
        return self._chances[way]

    def reach(self, way: Way) -> Reach:
        """What a page at the end of the way is good for.

        At first that is what pages of its class are good for; then what those of this way were.
        """
        if self._of_class is None:
            self._of_class = self._reaches()
        reaches = self._of_class
        behind = self._behind.get(way)
        if behind is None:
            parts = [(chance, reaches.get(name)) for name, chance in self.chances(way).items()]
        else:
            sure = self.chance_wanted(way)
            led = [_reach_through(reaches.get(name, _NOTHING), n, n) for name, n in behind.items()]
            rest = sum(self.chances(way).values()) - sure
            parts = [(sure, _WANTED), (rest, max(led, default=_NOTHING))]
        known = [(chance, reach) for chance, reach in parts if reach is not None]
        return Reach(
            sum(chance * reach.share for chance, reach in known),
            sum(chance * reach.pages for chance, reach in known),
        )

    def chance_wanted(self, way: Way) -> float:
        """The chance that a link of the way leads to a wanted page at once."""
        return sum(chance for name, chance in self.chances(way).items() if name in self.wanted)

    def learn_page(self, source: str | None, found: Mapping[Way, int], by: Way | None) -> None:
        """Take in how many new addresses each way had on a page, which was reached `by` another."""
        if by is not None:
            behind = self._behind.setdefault(by, self._by_target(self._new[by.target]))
            _learn(behind, self._by_target(found), NEWS)
        _learn(self._new[source], found, NEWS)
        self._of_class = None

    def learn_arrival(self, way: Way, page_class: str | None) -> None:
        """Take in which class a way did lead to; None for a page that is missing or fits none."""
        self._arrivals[way] += 1
        seen = {} if page_class is None else {page_class: 1.0}
        _learn(self.chances(way), seen, 1 / (BELIEF + self._arrivals[way]))
        self._of_class = None

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
                for name, chance in self.chances(way).items():
                    links, right = steps[name].get(source, (0.0, 0.0))
                    steps[name][source] = links + new, right + new * chance
        return steps

    def _by_target(self, links: Mapping[Way, float]) -> dict[str, float]:
        """How many links lead to each class, by chance."""
        counts: dict[str, float] = defaultdict(float)
        for way, count in links.items():
            for name, chance in self.chances(way).items():
                counts[name] += count * chance
        return dict(counts)

    def _expected(self, way: Way) -> dict[str, float]:
        """The chances of a way, as the model has them."""
        weights = {
            name: links
            for name, links in self._targets.get((way.source, way.path), {}).items()
            if name not in self._trusted
        }
        if way.target not in weights:  # its address told
            return {way.target: self._classes[way.target].url_precision}
        return {name: links / sum(weights.values()) for name, links in weights.items()}


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


def _learn(expected: dict[Key, float], seen: Mapping[Key, float], part: float) -> None:
    """Move what is expected towards what was seen, by a part of the way."""
    for key in {**expected, **seen}:
        before = expected.get(key, 0.0)
        expected[key] = before + part * (seen.get(key, 0.0) - before)
