"""Exploring a site for its skeleton: fetch where the next page is expected to tell most.

The links of one list (one path in one page) lead to pages of one kind. What the first few pages of
a list told, and what pages at the same path elsewhere told, is the best guess of what the others
will tell: so content pages are listed from the links to them, and not fetched one by one.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from sitewright.settings import current
from sitewright.site import Missing
from sitewright.skeleton.graph import continued, link_graph
from sitewright.skeleton.navigation import LinkRole, may_be_page, page_navigation
from sitewright.skeleton.parent_features import FEATURES, PRIOR, parent_candidates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sitewright.page import Document
    from sitewright.site import Site
    from sitewright.skeleton.graph import LinkGraph
    from sitewright.skeleton.navigation import PageLink, PageNavigation
    from sitewright.skeleton.parent_features import ParentCandidates


_MAX_STUBS = 3


@dataclass(frozen=True, slots=True)
class Survey:
    """What was learnt of a site: the readings of the fetched pages, by URL."""

    home: str
    readings: dict[str, PageNavigation]
    """The home page first, then in the order of fetching."""
    redirects: dict[str, str] = field(default_factory=dict)
    """URLs that turned out to be other URLs of a page."""
    missing: frozenset[str] = frozenset()
    fetched: int = 0
    """How many pages were asked for."""


@dataclass(slots=True)
class _List:
    """The pages that one list of links leads to, and what fetching some of them told."""

    path: str
    depth: int
    """How many fetches away from the home page the list was found."""
    is_weak: bool
    """Whether its links stand in running text, lead into pages, or only lead on to the next."""
    waiting: deque[str] = field(default_factory=deque)
    read: deque[str] = field(default_factory=deque)
    """Those of its pages that were read before: they cost nothing."""
    fetched: float = 0.0
    told: float = 0.0


@dataclass(frozen=True, slots=True)
class ReadPage:
    """What exploring needs of a page: its document can be forgotten."""

    url: str
    moved_to: str | None
    """The page that a refresh sends the reader on to."""
    reading: PageNavigation | None
    """None for a page that only sends its reader on."""


def read_document(document: Document, url: Callable[[str], str | None]) -> ReadPage:
    """Read a page for the skeleton; `address` is the site's, which knows its own pages."""
    moved = url(document.refresh) if document.refresh else None
    if moved is not None and moved != document.url:
        return ReadPage(document.url, moved, None)
    return ReadPage(document.url, None, page_navigation(document, url))


class Explorer:
    """Fetches the pages of a site that lead to new pages, and keeps what they told.

    Pages that were read before, by whoever, are `known`: they are taken before others of their
    list, and not fetched again.
    """

    def __init__(self, site: Site, known: Mapping[str, ReadPage] = MappingProxyType({})) -> None:
        self._known = known
        self._site = site
        self._addresses: dict[str, str | None] = {}
        self.home = site.home
        self.readings: dict[str, PageNavigation] = {}
        self.redirects: dict[str, str] = {}
        self.missing: set[str] = set()
        self.fetched = 0
        self._asked: set[str] = set()
        self._named: dict[str, None] = {}
        self._depths: dict[str, int] = {}
        self._lists: dict[tuple[str, str], _List] = {}
        self._list_of: dict[str, _List] = {}
        self._pools: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])

    async def explore(self, limit: int, progress: Callable[[int], None] | None = None) -> None:
        """Go on until `limit` pages were fetched, or no list is worth fetching from."""
        if not self.fetched:
            await self._start()
        while batch := self._next_batch(limit - self.fetched):
            await self.fetch(batch)
            if progress is not None:
                progress(self.fetched)

    def unasked(self, pages: Iterable[str]) -> list[str]:
        """Those of the pages that were not asked for yet, each once."""
        return [page for page in dict.fromkeys(pages) if page not in self._asked]

    def survey(self) -> Survey:
        """What was learnt so far."""
        missing = frozenset(self.missing)
        return Survey(self.home, dict(self.readings), dict(self.redirects), missing, self.fetched)

    async def _start(self) -> None:
        """Fetch the home page; a stub in its place is followed, a few times."""
        for _ in range(_MAX_STUBS):
            await self.fetch([self.home])
            moved = self.redirects.get(self.home)
            if moved is None:
                return
            self.home = moved
            if moved in self.readings:
                return

    def _next_batch(self, most: int) -> list[str]:
        """The next pages to fetch: some each of the most promising lists, until a wave is full."""
        settings = current().skeleton
        batch = self._named_pages(most)
        ranked = sorted(self._lists.values(), key=self._rank, reverse=True)
        for pages in ranked:
            if self._expected(pages) < settings.min_expected_pages:
                continue
            # A list that has proved itself is fetched faster than one that is only hoped for.
            share = max(1, settings.wave_size // 2) if pages.fetched else 1
            while (
                (pages.read or pages.waiting)
                and share
                and len(batch) < min(settings.wave_size, most)
            ):
                url = (pages.read or pages.waiting).popleft()
                if self._list_of[url] is pages and url not in self._asked:
                    batch.append(url)
                    share -= 1
        return batch

    def _named_pages(self, most: int) -> list[str]:
        """Pages that others name as their parent: they tell how things hang together."""
        settings = current().skeleton
        waiting = [page for page in self._named if page not in self._asked]
        self._named.clear()
        self._named.update(dict.fromkeys(waiting[min(settings.wave_size, most) :]))
        return waiting[: min(settings.wave_size, most)]

    def _rank(self, pages: _List) -> tuple[bool, bool, int, float]:
        """Plain lists before weak ones, promising ones before others, near ones before far ones."""
        settings = current().skeleton
        expected = self._expected(pages)
        return not pages.is_weak, expected >= settings.promising_pages, -pages.depth, expected

    def _expected(self, pages: _List) -> float:
        """How many new pages the next page of a list will lead to: a mean that shrinks.

        Towards the mean of the lists at the same path elsewhere, which shrinks towards a hope.
        """
        settings = current().skeleton
        if not pages.read and not pages.waiting:
            return 0.0
        pool_fetched, pool_told = self._pools[pages.path]
        pool = (pool_told + settings.hope_weight * settings.hope) / (
            pool_fetched + settings.hope_weight
        )
        return (pages.told + settings.pool_weight * pool) / (pages.fetched + settings.pool_weight)

    async def fetch(self, batch: list[str]) -> None:
        """Fetch pages and note what they lead to."""
        self._asked.update(batch)
        new = [url for url in batch if url not in self._known]
        fetched = dict(zip(new, await self._site.fetch(new), strict=True))
        for asked in batch:
            self.fetched += 1
            outcome = fetched.get(asked)
            if isinstance(outcome, Missing):
                self.missing.add(asked)
                self._learn(asked, 0)
            elif outcome is None:
                self._learn(asked, self._note(asked, self._known[asked]))
            else:
                page = self._known.get(outcome.url)
                read = page or read_document(outcome.document(), self._address)
                self._learn(asked, self._note(asked, read))

    def _note(self, asked: str, page: ReadPage) -> int:
        """Take in a page; the answer is how many new pages it leads to."""
        if page.url != asked:
            self.redirects[asked] = page.url
        if page.moved_to is not None:
            self.redirects[page.url] = page.moved_to
            return self._wait(page.moved_to, page.url, "refresh")
        reading = page.reading
        if reading is None or page.url in self.readings:
            return 0
        self.readings[page.url] = reading
        home = self.readings.get(self.home)
        if home and home.language and reading.language not in {"", home.language}:
            return 0  # the same site in another language is another skeleton
        self._depths[page.url] = 1 + self._list_of[asked].depth if asked in self._list_of else 0
        new = sum(self._wait_for(link, page.url) for link in reading.links)
        if reading.declared_parent is not None:
            self._named[reading.declared_parent] = None
        return new

    def _address(self, url: str) -> str | None:
        """The site's answer, remembered: pages repeat their links."""
        if url not in self._addresses:
            self._addresses[url] = self._site.page_url(url)
        return self._addresses[url]

    def _wait_for(self, link: PageLink, source: str) -> int:
        settings = current().skeleton
        depth = self._depths[source]
        turns_the_page = link.role is LinkRole.NEXT or link.text.isdigit()
        if turns_the_page and any(continued(link.target)):
            return self._wait(link.target, source, link.path, depth=depth - 1)
        is_weak = (
            link.has_fragment or link.role is not LinkRole.NONE or link.prose > settings.max_prose
        )
        return self._wait(link.target, source, link.path, depth=depth, is_weak=is_weak)

    def _wait(
        self, url: str, source: str, path: str, *, depth: int = 0, is_weak: bool = False
    ) -> int:
        """Put a URL into the list that leads to it; a plain list takes it from a weak one.

        The answer is 1 if the URL is new.
        """
        before = self._list_of.get(url)
        if url in self.readings or url == self.home or not may_be_page(url):
            return 0
        if before is not None and (is_weak or not before.is_weak or url in self._asked):
            return 0
        key = (source, path + "~" * is_weak)
        pages = self._lists.get(key)
        if pages is None:
            pages = self._lists[key] = _List(key[1], depth, is_weak)
        (pages.read if url in self._known else pages.waiting).append(url)
        self._list_of[url] = pages
        return int(before is None)

    def _learn(self, url: str, told: int) -> None:
        settings = current().skeleton
        pages = self._list_of.get(url)
        if pages is None:
            return
        pages.fetched = pages.fetched * settings.fading + 1
        pages.told = pages.told * settings.fading + told
        pool = self._pools[pages.path]
        pool[0] = pool[0] * settings.fading + 1
        pool[1] = pool[1] * settings.fading + told


# Surveying a site: explore it, then fetch what would settle how things hang together.
#
# Pages that an index lists, but that name another parent wherever one of them was fetched, belong
# somewhere that exploring did not come to: a few of them are asked. And where the fetched pages of
# a list lead on to others, the rest of the list is fetched too: the list leads to navigation.

MAX_ROUNDS = 16
_DISOWNED, _PART, _SEQUENCE = map(FEATURES.index, ("disowned", "part", "sequence"))


async def survey_site(
    site: Site,
    *,
    limit: int,
    known: Mapping[str, ReadPage] = MappingProxyType({}),
    progress: Callable[[int], None] | None = None,
) -> Survey:
    """Read at most `limit` pages of a site: those that lead on, then those that settle doubts.

    Pages that are `known` come first of those of their list, and are not fetched.
    """
    settings = current().skeleton
    explorer = Explorer(site, known)
    await explorer.explore(max(1, round(limit * settings.exploring_share)), progress)
    for _ in range(MAX_ROUNDS):
        left = limit - explorer.fetched
        if left <= 0 or explorer.home not in explorer.readings:
            break
        links = link_graph(explorer.survey(), site.page_url)
        choices = list(parent_candidates(links))
        asked = _spread(uncertain_pages(links, choices), min(settings.wave_size, left))
        asked += unfinished(links, choices)[: min(settings.wave_size, left - len(asked))]
        asked = explorer.unasked(asked)
        if not asked:
            break
        await explorer.fetch(asked)
        await explorer.explore(min(limit, explorer.fetched + settings.wave_size), progress)
    await explorer.explore(limit, progress)
    return explorer.survey()


def uncertain_pages(site: LinkGraph, choices: Sequence[ParentCandidates]) -> list[str]:
    """The pages that were not fetched and that no candidate can claim without contradiction."""
    settings = current().skeleton
    found = []
    for choice in choices:
        lists = choice.rows[(choice.rows[:, _PART] < 1) & (choice.rows[:, _SEQUENCE] < 1)]
        is_claimed = len(lists) and lists[:, _DISOWNED].min() <= settings.uncertain_share
        if choice.page not in site.links and not is_claimed:
            found.append(choice.page)
    return found


def unfinished(site: LinkGraph, choices: Sequence[ParentCandidates]) -> list[str]:
    """The pages that were not fetched, of lists whose fetched pages mostly have pages below them.

    What is below a page is taken from the best candidates under the prior weights.
    """
    settings = current().skeleton
    prior = np.array(list(PRIOR.values()))
    below = Counter(choice.parents[int(np.argmax(choice.rows @ prior))] for choice in choices)
    lists: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for source, targets in site.links.items():
        for target, links in targets.items():
            for link in links:
                if link.role is LinkRole.NONE and not link.has_fragment:
                    lists[source, link.path][target] = None
    found: dict[str, None] = {}
    for listed in lists.values():
        fetched = [page for page in listed if page in site.links]
        leading = sum(below[page] > 0 for page in fetched)
        if len(listed) <= settings.max_list and leading > settings.uncertain_share * len(fetched):
            found.update(dict.fromkeys(page for page in listed if page not in site.links))
    nearest = site.distances
    return sorted(found, key=lambda page: nearest.get(page, len(nearest)))


def _spread(pages: list[str], most: int) -> list[str]:
    """Some of the pages, from all over the list: neighbours would name the same parent."""
    return pages[:: -(-len(pages) // most)] if pages else []
