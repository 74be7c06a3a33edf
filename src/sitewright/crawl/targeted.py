"""A crawl that goes where the pages of some wanted classes are: the best links first."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sitewright.page.url_pattern import path_and_query
from sitewright.settings import current
from sitewright.site import Missing, Page, Reason
from sitewright.site.base import address_of, too_costly

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence

    from sitewright.page import Document
    from sitewright.site import Site


# Which links lead to the pages of some wanted classes, and how well.
#
# The report of 2004 (section 6) names this use of a site model: its class links say which links
# lead to the pages of a class. The value of a `LinkPattern` is the share of wanted pages among all
# that are fetched by following its links to the end. The model gives a first estimate, and each
# page that comes corrects it.


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
    """How many wanted pages a page of a class leads to."""

    share: float
    """Of the pages fetched because of it, itself included, the share that is wanted."""
    pages: float
    """How many wanted pages it leads to; of a wanted page, itself."""


LinkKey = TypeVar("LinkKey", LinkPattern, str)
_NOTHING = ExpectedYield(0.0, 0.0)
_WANTED = ExpectedYield(1.0, 1.0)


class CrawlPlanner:
    """The links that lead to the wanted classes, with the pages expected of each pattern."""

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

    def pattern_of(self, source: str | None, path: str, url: str) -> LinkPattern | None:
        """The pattern of a link; None if neither its path nor its URL says where it leads.

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

    def chances(self, pattern: LinkPattern) -> dict[str, float]:
        """For each class the chance that a link leads there: as the model has it, then as seen.

        Classes whose URLs look alike share a pattern until their pages are seen.
        """
        if pattern not in self._chances:
            self._chances[pattern] = self._expected(pattern)
        return self._chances[pattern]

    def expected_yield(self, pattern: LinkPattern) -> ExpectedYield:
        """How many wanted pages to expect behind a link of a pattern.

        At first as many as behind pages of its class; then as many as behind this pattern so far.
        """
        if self._of_class is None:
            self._of_class = self._yields()
        yields = self._of_class
        behind = self._behind.get(pattern)
        if behind is None:
            parts = [(chance, yields.get(name)) for name, chance in self.chances(pattern).items()]
        else:
            sure = self.chance_wanted(pattern)
            led = [_yield_through(yields.get(name, _NOTHING), n, n) for name, n in behind.items()]
            rest = sum(self.chances(pattern).values()) - sure
            parts = [(sure, _WANTED), (rest, max(led, default=_NOTHING))]
        known = [(chance, found) for chance, found in parts if found is not None]
        return ExpectedYield(
            sum(chance * found.share for chance, found in known),
            sum(chance * found.pages for chance, found in known),
        )

    def chance_wanted(self, pattern: LinkPattern) -> float:
        """The chance that a link of the pattern leads to a wanted page at once."""
        return sum(chance for name, chance in self.chances(pattern).items() if name in self.wanted)

    def learn_page(
        self, source: str | None, found: Mapping[LinkPattern, int], by: LinkPattern | None
    ) -> None:
        """Take in how many new URLs each pattern has on a page, which was reached `by` another."""
        settings = current().crawl
        if by is not None:
            behind = self._behind.setdefault(by, self._by_target(self._new[by.target]))
            _learn(behind, self._by_target(found), settings.last_page_weight)
        _learn(self._new[source], found, settings.last_page_weight)
        self._of_class = None

    def learn_arrival(self, pattern: LinkPattern, page_class: str | None) -> None:
        """Take in which class a link led to; None for a page that is missing or fits none."""
        settings = current().crawl
        self._arrivals[pattern] += 1
        seen = {} if page_class is None else {page_class: 1.0}
        _learn(self.chances(pattern), seen, 1 / (settings.model_weight + self._arrivals[pattern]))
        self._of_class = None

    def _yields(self) -> dict[str, ExpectedYield]:
        """Every class with the best that its pages lead to: Dijkstra's algorithm, the best first.

        The yield of a class depends on that of classes that are better than itself only, so a
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
                    through = _yield_through(found[name], new, right)
                    best[source] = max(through, best.get(source, _NOTHING))
        return found

    def _steps(self) -> dict[str, dict[str, tuple[float, float]]]:
        """By target and source: how many new links a page has, and how many of them are right."""
        steps: dict[str, dict[str, tuple[float, float]]] = defaultdict(dict)
        for source, patterns in self._new.items():
            if source is None:  # pages of no class lead on by their URLs, but nothing to them
                continue
            for pattern, new in patterns.items():
                for name, chance in self.chances(pattern).items():
                    links, right = steps[name].get(source, (0.0, 0.0))
                    steps[name][source] = links + new, right + new * chance
        return steps

    def _by_target(self, links: Mapping[LinkPattern, float]) -> dict[str, float]:
        """How many links lead to each class, by chance."""
        counts: dict[str, float] = defaultdict(float)
        for pattern, count in links.items():
            for name, chance in self.chances(pattern).items():
                counts[name] += count * chance
        return dict(counts)

    def _expected(self, pattern: LinkPattern) -> dict[str, float]:
        """The chances of a pattern, as the model has them."""
        weights = {
            name: links
            for name, links in self._targets.get((pattern.source, pattern.path), {}).items()
            if name not in self._trusted
        }
        if pattern.target not in weights:  # known by its URL
            return {pattern.target: self._classes[pattern.target].url_precision}
        return {name: links / sum(weights.values()) for name, links in weights.items()}


def _yield_through(target: ExpectedYield, new: float, right: float) -> ExpectedYield:
    """The yield of a page with so many links to pages of a known yield, not all of them right."""
    pages = right * target.pages
    fetches = 1 + (pages / target.share if target.share else 0.0) + (new - right)
    return ExpectedYield(pages / fetches, pages)


def _learn(expected: dict[LinkKey, float], seen: Mapping[LinkKey, float], part: float) -> None:
    """Move what is expected towards what was seen, by a part of the difference."""
    for key in {**expected, **seen}:
        before = expected.get(key, 0.0)
        expected[key] = before + part * (seen.get(key, 0.0) - before)


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
    settings = current().crawl
    waiting = _Waiting(planner, site)
    seen: set[str] = set()
    wave: list[tuple[str, LinkPattern | None]] = [(site.home, None)] if limit > 0 else []
    asked = 0
    while wave:
        outcomes = await site.fetch([url for url, _ in wave])
        answered = [
            pair for pair in zip(wave, outcomes, strict=True) if not _is_over_limit(pair[1])
        ]
        if not answered:
            return
        for (_, pattern), outcome in answered:
            asked += not (isinstance(outcome, Missing) and outcome.reason in NEVER_ASKED)
            found = _read(outcome, place)
            waiting.learn_arrival(pattern, found)
            if isinstance(found, Missing):
                yield found
            elif found.page.url not in seen:  # else a redirect led to a page that was here before
                seen.add(found.page.url)
                waiting.add(found, pattern)
                yield found
        wave = waiting.pop(min(settings.targeted_wave_size, limit - asked))


def _is_over_limit(outcome: Page | Missing) -> bool:
    return isinstance(outcome, Missing) and outcome.reason is Reason.OVER_LIMIT


def _read(outcome: Page | Missing, place: Callable[[Document], ClassifiedPage]) -> Seen | Missing:
    if isinstance(outcome, Missing):
        return outcome
    document = outcome.document()
    if document.refused:
        return too_costly(document)
    return Seen(outcome, document, place(document))


@dataclass(slots=True)
class _Waiting:
    """Links that wait to be followed, by their patterns."""

    planner: CrawlPlanner
    site: Site
    _links: dict[LinkPattern, dict[str, None]] = field(default_factory=dict)
    _known: set[str] = field(default_factory=set)
    """URLs that a page had before: only new ones make a page worth its fetch."""
    _asked: set[str] = field(default_factory=set)
    _here: set[str] = field(default_factory=set)
    """Pages that came."""
    _taken_of: Counter[str] = field(default_factory=Counter)

    def add(self, seen: Seen, by: LinkPattern | None) -> None:
        """Put in the links of a page; what is new tells what pages of its class are good for."""
        source = seen.placed.page_class
        self._here.add(seen.page.url)
        new: Counter[LinkPattern] = Counter()
        for path, urls in seen.placed.links:
            for url in urls:
                pattern = None if self._is_done(url) else self.planner.pattern_of(source, path, url)
                if pattern is not None:
                    self._links.setdefault(pattern, {})[url] = None
                    new[pattern] += url not in self._known
                    self._known.add(url)
        self.planner.learn_page(source, new, by)

    def pop(self, size: int) -> list[tuple[str, LinkPattern | None]]:
        """Take links of the most promising pattern; a few, where each is to lead to many pages."""
        settings = current().crawl
        while size > 0 and self._links:
            pattern = max(self._links, key=self._rank)
            if self.planner.expected_yield(pattern).share < settings.min_wanted_share:
                break
            links = self._links[pattern]
            enough = max(1, int(size / max(1.0, self.planner.expected_yield(pattern).pages)))
            chosen: list[tuple[str, LinkPattern | None]] = []
            while links and len(chosen) < enough:
                url = next(iter(links))
                del links[url]
                if not self._is_done(url):
                    self._asked.add(url)
                    chosen.append((url, pattern))
            if not links:
                del self._links[pattern]
            if chosen:
                self._taken_of[pattern.target] += len(chosen)
                return chosen
        return []

    def learn_arrival(self, pattern: LinkPattern | None, found: Seen | Missing) -> None:
        """Take in where a link led to; a page that only sends on is not what was looked for."""
        if pattern is None:
            return
        if isinstance(found, Missing) or found.placed.is_redirect:
            self.planner.learn_arrival(pattern, None)
        else:
            self.planner.learn_arrival(pattern, found.placed.page_class)

    def _is_done(self, url: str) -> bool:
        return url in self._asked or address_of(self.site, url) in self._here

    def _rank(self, pattern: LinkPattern) -> tuple[float, int]:
        """The value; of wanted classes about as sure, that of which the fewest pages were taken."""
        settings = current().crawl
        value = self.planner.expected_yield(pattern).share
        is_sure = self.planner.chance_wanted(pattern) >= settings.sure_chance
        return round(value, 1) if is_sure else value, -self._taken_of[pattern.target]
