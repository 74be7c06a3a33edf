"""A crawl that goes where the pages of some wanted classes are: the best ways of a model first."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sitewright.page.url import folder_url
from sitewright.page.url_pattern import path_and_query
from sitewright.site import Missing, Page, Reason

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence

    from sitewright.page import Document
    from sitewright.site import Site


# Which links lead to the pages of some wanted classes, and how well.
#
# The report of 2004 (section 6) names this use of a site model: its class links describe the ways
# that lead to the pages of a class. A `Way` is one step of such a way. Its value is the share of
# wanted pages among all that one fetches who follows it to its end; the model says what to expect
# of a way at first, and the pages that come say it better and better.

NEWS = 0.25
"""How much the last page counts for what is new on the next: a class that is known to the last
page shows nothing new from then on, so old news fade."""
BELIEF = 20
"""As many pages as what the model says of the chances of a way counts for. They do not fade: the
pages of a list are often sorted, and what was not yet there may be at its end."""


@dataclass(frozen=True, slots=True)
class TargetClass:
    """What the planner needs to know of a page class."""

    name: str
    url_pattern: str
    """A regular expression for the path and query of its URLs."""
    url_precision: float
    """The share of the pages with such a URL that are of this class."""
    is_known_by_url: bool
    """Whether hardly another class has such URLs."""


@dataclass(frozen=True, slots=True)
class TargetLink:
    """Links at one path of the pages of one class that lead to another class."""

    source: str
    path: str
    target: str
    links: int
    new: float
    """How many links to pages not seen before a page of the source has, in the mean: the same
    links on all pages, such as a menu, are many links to few pages."""


class LinkPattern(NamedTuple):
    """Links at one path of the pages of one class that most likely lead to one class."""

    source: str | None
    path: str
    target: str


class ExpectedYield(NamedTuple):
    """What a page of a class is good for."""

    share: float
    """Of the pages fetched because of it, itself included, the share that is wanted."""
    pages: float
    """How many wanted pages it leads to; of a wanted page, itself."""


LinkKey = TypeVar("LinkKey", LinkPattern, str)
_NOTHING = ExpectedYield(0.0, 0.0)
_WANTED = ExpectedYield(1.0, 1.0)


class CrawlPlanner:
    """The ways to the wanted classes of a model, with what is expected of each."""

    def __init__(
        self, classes: Sequence[TargetClass], links: Sequence[TargetLink], wanted: Collection[str]
    ) -> None:
        self.wanted = frozenset(wanted)
        self._classes = {one.name: one for one in classes}
        self._patterns = {one.name: re.compile(one.url_pattern) for one in classes}
        self._trusted = {one.name for one in classes if one.is_known_by_url}
        self._targets: dict[tuple[str | None, str], dict[str, int]] = {}
        """For each path of each class the classes that it leads to, with the number of links."""
        self._new: dict[str | None, dict[LinkPattern, float]] = defaultdict(dict)
        """By source: how many new links a page has."""
        for link in links:
            self._targets.setdefault((link.source, link.path), {})[link.target] = link.links
            self._new[link.source][LinkPattern(link.source, link.path, link.target)] = link.new
        self._chances: dict[LinkPattern, dict[str, float]] = {}
        self._arrivals: Counter[LinkPattern] = Counter()
        self._behind: dict[LinkPattern, dict[str, float]] = {}
        self._of_class: dict[str, ExpectedYield] | None = None

    def way(self, source: str | None, path: str, url: str) -> LinkPattern | None:
        """The way that a link is part of; None if neither its place nor its URL tells.

        Where one path leads to several classes, the URL decides: a pattern that hardly another
        class shares first, then the class that most links of the path lead to.
        """
        at_path = self._targets.get((source, path), {})
        address = path_and_query(url)
        matching = [name for name, pattern in self._patterns.items() if pattern.fullmatch(address)]
        trusted = [name for name in matching if name in self._trusted]
        for names in (trusted, [name for name in matching if name in at_path], at_path, matching):
            if names:
                return LinkPattern(source, path, max(names, key=lambda name: at_path.get(name, 0)))
        return None

    def chances(self, way: LinkPattern) -> dict[str, float]:
        """For each class the chance that a link leads there: as the model has it, then as seen.

        Classes whose URLs look alike share a way; only what comes tells them apart.
        """
        if way not in self._chances:
            self._chances[way] = self._expected(way)
        return self._chances[way]

    def reach(self, way: LinkPattern) -> ExpectedYield:
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
        return ExpectedYield(
            sum(chance * reach.share for chance, reach in known),
            sum(chance * reach.pages for chance, reach in known),
        )

    def chance_wanted(self, way: LinkPattern) -> float:
        """The chance that a link of the way leads to a wanted page at once."""
        return sum(chance for name, chance in self.chances(way).items() if name in self.wanted)

    def learn_page(
        self, source: str | None, found: Mapping[LinkPattern, int], by: LinkPattern | None
    ) -> None:
        """Take in how many new URLs each way had on a page, which was reached `by` another."""
        if by is not None:
            behind = self._behind.setdefault(by, self._by_target(self._new[by.target]))
            _learn(behind, self._by_target(found), NEWS)
        _learn(self._new[source], found, NEWS)
        self._of_class = None

    def learn_arrival(self, way: LinkPattern, page_class: str | None) -> None:
        """Take in which class a way did lead to; None for a page that is missing or fits none."""
        self._arrivals[way] += 1
        seen = {} if page_class is None else {page_class: 1.0}
        _learn(self.chances(way), seen, 1 / (BELIEF + self._arrivals[way]))
        self._of_class = None

    def _reaches(self) -> dict[str, ExpectedYield]:
        """Every class with the best that its pages lead to: Dijkstra's way, the best class first.

        The reach of a class depends on that of classes that are better than itself only, so a
        circle of classes counts nothing twice.
        """
        found: dict[str, ExpectedYield] = {}
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
            if source is None:  # pages of no class lead on by their URLs, but nothing to them
                continue
            for way, new in ways.items():
                for name, chance in self.chances(way).items():
                    links, right = steps[name].get(source, (0.0, 0.0))
                    steps[name][source] = links + new, right + new * chance
        return steps

    def _by_target(self, links: Mapping[LinkPattern, float]) -> dict[str, float]:
        """How many links lead to each class, by chance."""
        counts: dict[str, float] = defaultdict(float)
        for way, count in links.items():
            for name, chance in self.chances(way).items():
                counts[name] += count * chance
        return dict(counts)

    def _expected(self, way: LinkPattern) -> dict[str, float]:
        """The chances of a way, as the model has them."""
        weights = {
            name: links
            for name, links in self._targets.get((way.source, way.path), {}).items()
            if name not in self._trusted
        }
        if way.target not in weights:  # its URL told
            return {way.target: self._classes[way.target].url_precision}
        return {name: links / sum(weights.values()) for name, links in weights.items()}


def _reach_through(target: ExpectedYield, new: float, right: float) -> ExpectedYield:
    """The reach of a page with so many links to pages of a known reach, not all of them right."""
    pages = right * target.pages
    fetches = 1 + (pages / target.share if target.share else 0.0) + (new - right)
    return ExpectedYield(pages / fetches, pages)


def _learn(expected: dict[LinkKey, float], seen: Mapping[LinkKey, float], part: float) -> None:
    """Move what is expected towards what was seen, by a part of the way."""
    for key in {**expected, **seen}:
        before = expected.get(key, 0.0)
        expected[key] = before + part * (seen.get(key, 0.0) - before)


LEAST_VALUE = 0.02
"""A way is not followed that would fetch more than fifty pages for each that is wanted."""
_SURE = 0.5
WAVE = 8
"""The most pages that are fetched at the same time."""
NEVER_ASKED = frozenset(
    {Reason.OUT_OF_SCOPE, Reason.PRIVATE_ADDRESS, Reason.DISALLOWED, Reason.TRAP}
)
"""Why a page was missing that the site itself was not asked for."""


class ClassifiedPage(NamedTuple):
    """The class of a page, and where its links lead to."""

    page_class: str | None
    links: Sequence[tuple[str, Sequence[str]]]
    """For each path that ends in links, the URLs of this site that they lead to."""
    is_redirect: bool
    """The page only sends its reader on."""


class Seen(NamedTuple):
    """A page that the crawl came to, parsed once."""

    page: Page
    document: Document
    placed: ClassifiedPage


async def targeted_crawl(
    site: Site, planner: CrawlPlanner, place: Callable[[Document], ClassifiedPage], *, limit: int
) -> AsyncGenerator[Seen | Missing, None]:
    """Visit a site from its home page, following only what leads to pages of the wanted classes.

    `place` says which class a page belongs to, and where its links lead. Each page comes once; a
    page that is missing comes with its reason. It ends when `limit` pages were asked for (or the
    site's own limit was), or when no link is left that promises more. The same pages give the same
    walk.
    """
    waiting = _Waiting(planner)
    seen: set[str] = set()
    wave: list[tuple[str, LinkPattern | None]] = [(site.home, None)] if limit > 0 else []
    asked = 0
    while wave:
        outcomes = await site.fetch([url for url, _ in wave])
        had = [pair for pair in zip(wave, outcomes, strict=True) if not _is_over_limit(pair[1])]
        if not had:
            return
        for (_, way), outcome in had:
            asked += not (isinstance(outcome, Missing) and outcome.reason in NEVER_ASKED)
            found = _read(outcome, place)
            waiting.learn_arrival(way, found)
            if isinstance(found, Missing):
                yield found
            elif found.page.url not in seen:  # else a redirect led to a page that was here before
                seen.add(found.page.url)
                waiting.add(found, way)
                yield found
        wave = waiting.pop(min(WAVE, limit - asked))


def _is_over_limit(outcome: Page | Missing) -> bool:
    return isinstance(outcome, Missing) and outcome.reason is Reason.OVER_LIMIT


def _read(outcome: Page | Missing, place: Callable[[Document], ClassifiedPage]) -> Seen | Missing:
    if isinstance(outcome, Missing):
        return outcome
    document = outcome.document()
    return Seen(outcome, document, place(document))


@dataclass(slots=True)
class _Waiting:
    """Links that wait to be followed, by the ways that they are part of."""

    route: CrawlPlanner
    _links: dict[LinkPattern, dict[str, None]] = field(default_factory=dict)
    _known: set[str] = field(default_factory=set)
    """URLs that a page had before: only new ones make a page worth its fetch."""
    _asked: set[str] = field(default_factory=set)
    _here: set[str] = field(default_factory=set)
    """Pages that came, by the form of URL that index pages share with their folders."""
    _taken_of: Counter[str] = field(default_factory=Counter)

    def add(self, seen: Seen, by: LinkPattern | None) -> None:
        """Put in the links of a page; what is new tells what pages of its class are good for."""
        source = seen.placed.page_class
        self._here.add(folder_url(seen.page.url))
        new: Counter[LinkPattern] = Counter()
        for path, urls in seen.placed.links:
            for url in urls:
                way = None if self._is_done(url) else self.route.way(source, path, url)
                if way is not None:
                    self._links.setdefault(way, {})[url] = None
                    new[way] += url not in self._known
                    self._known.add(url)
        self.route.learn_page(source, new, by)

    def pop(self, size: int) -> list[tuple[str, LinkPattern | None]]:
        """Take links of the way that promises most; a few, where each is to lead to many pages."""
        while size > 0 and self._links:
            way = max(self._links, key=self._rank)
            if self.route.reach(way).share < LEAST_VALUE:
                break
            links = self._links[way]
            enough = max(1, int(size / max(1.0, self.route.reach(way).pages)))
            chosen: list[tuple[str, LinkPattern | None]] = []
            while links and len(chosen) < enough:
                url = next(iter(links))
                del links[url]
                if not self._is_done(url):
                    self._asked.add(url)
                    chosen.append((url, way))
            if not links:
                del self._links[way]
            if chosen:
                self._taken_of[way.target] += len(chosen)
                return chosen
        return []

    def learn_arrival(self, way: LinkPattern | None, found: Seen | Missing) -> None:
        """Take in where a link led to; a page that only sends on is not what was looked for."""
        if way is None:
            return
        if isinstance(found, Missing) or found.placed.is_redirect:
            self.route.learn_arrival(way, None)
        else:
            self.route.learn_arrival(way, found.placed.page_class)

    def _is_done(self, url: str) -> bool:
        return url in self._asked or folder_url(url) in self._here

    def _rank(self, way: LinkPattern) -> tuple[float, int]:
        """The value; of wanted classes about as sure, that of which the fewest pages were taken."""
        value = self.route.reach(way).share
        is_sure = self.route.chance_wanted(way) >= _SURE
        return round(value, 1) if is_sure else value, -self._taken_of[way.target]
