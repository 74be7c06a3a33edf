"""A crawl that goes where the pages of some wanted classes are: the best ways of a model first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sitewright.classes.facts import PageFacts, page_facts
from sitewright.classes.route import Route, Way
from sitewright.site import Missing, Page, Reason
from sitewright.site.url import folder_url

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Collection

    from sitewright.classes.classify import Classification, Classifier
    from sitewright.html import Document
    from sitewright.site import Site

LEAST_VALUE = 0.02
"""A way is not followed that would fetch more than fifty pages for each that is wanted."""
_SURE = 0.5
WAVE = 8
"""The most pages that are fetched at the same time."""
NEVER_ASKED = frozenset(
    {Reason.OUT_OF_SCOPE, Reason.PRIVATE_ADDRESS, Reason.DISALLOWED, Reason.TRAP}
)
"""Why a page was missing that the site itself was not asked for."""


class Seen(NamedTuple):
    """A page on the way, looked at once."""

    page: Page
    document: Document
    facts: PageFacts
    classification: Classification


async def focused(
    site: Site, classifier: Classifier, wanted: Collection[str], *, limit: int
) -> AsyncGenerator[Seen | Missing, None]:
    """Visit a site from its home page, following only what leads to pages of the wanted classes.

    Each page comes once; what could not be had comes with its reason. It ends when `limit` pages
    were asked for (or the site's own limit was), or when no link is left that promises more. The
    same pages give the same walk.
    """
    waiting = _Waiting(Route(classifier.model, wanted))
    seen: set[str] = set()
    wave: list[tuple[str, Way | None]] = [(site.home, None)] if limit > 0 else []
    asked = 0
    while wave:
        outcomes = await site.fetch([url for url, _ in wave])
        had = [pair for pair in zip(wave, outcomes, strict=True) if not _is_over_limit(pair[1])]
        if not had:
            return
        for (_, way), outcome in had:
            asked += not (isinstance(outcome, Missing) and outcome.reason in NEVER_ASKED)
            found = _looked_at(outcome, site, classifier)
            waiting.learn_arrival(way, found)
            if isinstance(found, Missing):
                yield found
            elif found.page.url not in seen:  # else a redirect led to a page that was here before
                seen.add(found.page.url)
                waiting.add(found, classifier, way)
                yield found
        wave = waiting.pop(min(WAVE, limit - asked))


def _is_over_limit(outcome: Page | Missing) -> bool:
    return isinstance(outcome, Missing) and outcome.reason is Reason.OVER_LIMIT


def _looked_at(outcome: Page | Missing, site: Site, classifier: Classifier) -> Seen | Missing:
    if isinstance(outcome, Missing):
        return outcome
    document = outcome.document()
    facts = page_facts(document, classifier.vocabulary, site.address)
    return Seen(outcome, document, facts, classifier.of_facts(facts))


@dataclass(slots=True)
class _Waiting:
    """Links that wait to be followed, by the ways that they are part of."""

    route: Route
    _links: dict[Way, dict[str, None]] = field(default_factory=dict)
    _known: set[str] = field(default_factory=set)
    """Addresses that a page had before: only new ones make a page worth its fetch."""
    _asked: set[str] = field(default_factory=set)
    _here: set[str] = field(default_factory=set)
    """Pages that came, by the form of address that index pages share with their folders."""
    _taken_of: Counter[str] = field(default_factory=Counter)

    def add(self, seen: Seen, classifier: Classifier, by: Way | None) -> None:
        """Put in the links of a page; what is new tells what pages of its class are good for."""
        source = seen.classification.page_class
        self._here.add(folder_url(seen.page.url))
        new: Counter[Way] = Counter()
        for path, urls in seen.facts.collections:
            text = classifier.vocabulary.text(path)
            for url in urls:
                way = None if self._is_done(url) else self.route.way(source, text, url)
                if way is not None:
                    self._links.setdefault(way, {})[url] = None
                    new[way] += url not in self._known
                    self._known.add(url)
        self.route.learn_page(source, new, by)

    def pop(self, size: int) -> list[tuple[str, Way | None]]:
        """Take links of the way that promises most; a few, where each is to lead to many pages."""
        while size > 0 and self._links:
            way = max(self._links, key=self._rank)
            if self.route.reach(way).share < LEAST_VALUE:
                break
            links = self._links[way]
            enough = max(1, int(size / max(1.0, self.route.reach(way).pages)))
            chosen: list[tuple[str, Way | None]] = []
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

    def learn_arrival(self, way: Way | None, found: Seen | Missing) -> None:
        """Take in where a link led to; a page that only sends on is not what was looked for."""
        if way is None:
            return
        if isinstance(found, Missing) or found.facts.is_stub:
            self.route.learn_arrival(way, None)
        else:
            self.route.learn_arrival(way, found.classification.page_class)

    def _is_done(self, url: str) -> bool:
        return url in self._asked or folder_url(url) in self._here

    def _rank(self, way: Way) -> tuple[float, int]:
        """The value; of wanted classes about as sure, that of which the fewest pages were taken."""
        value = self.route.reach(way).share
        is_sure = self.route.chance_wanted(way) >= _SURE
        return round(value, 1) if is_sure else value, -self._taken_of[way.target]
