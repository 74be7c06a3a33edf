"""Exploring a site for its skeleton: fetch where the next page is expected to tell most.

The links of one list (one path in one page) lead to pages of one kind. What the first few pages of
a list told, and what pages at the same path elsewhere told, is the best guess of what the others
will tell: so content pages are listed from the links to them, and not fetched one by one.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from sitewright.site import Missing
from sitewright.skeleton.marks import Role
from sitewright.skeleton.reading import read_page
from sitewright.skeleton.targets import may_be_page
from sitewright.skeleton.views import continued

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sitewright.html import Document
    from sitewright.site import Site
    from sitewright.skeleton.reading import PageLink, PageReading

WAVE = 16
"""How many pages are fetched at a time."""
WORTH_FETCHING = 0.1
"""The least number of new pages that the next page of a list is expected to lead to."""
_HOPE = 1.0
"""New pages that a page is expected to lead to where nothing is known yet."""
_HOPE_WEIGHT = 1.0
_MAX_STUBS = 3
_PROSE = 0.7
_PROMISING = 0.5
"""A list that is expected to tell this much is fetched before all lists further down."""
_FADING = 0.9
"""How fast old news fades: the more of a site is known, the less there is to tell."""
_POOL_WEIGHT = 2.0
"""How many pages the guess from the same path elsewhere counts for."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What was learnt of a site: the readings of the fetched pages, by address."""

    home: str
    readings: dict[str, PageReading]
    """The home page first, then in the order of fetching."""
    redirects: dict[str, str] = field(default_factory=dict)
    """Addresses that turned out to be other addresses of a page."""
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
    reading: PageReading | None
    """None for a page that only sends its reader on."""


def read_document(document: Document, address: Callable[[str], str | None]) -> ReadPage:
    """Read a page for the skeleton; `address` is the site's, which knows its own pages."""
    moved = address(document.refresh) if document.refresh else None
    if moved is not None and moved != document.url:
        return ReadPage(document.url, moved, None)
    return ReadPage(document.url, None, read_page(document, address))


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
        self.readings: dict[str, PageReading] = {}
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
        batch = self._named_pages(most)
        ranked = sorted(self._lists.values(), key=self._rank, reverse=True)
        for pages in ranked:
            if self._expected(pages) < WORTH_FETCHING:
                continue
            # A list that has proved itself is fetched faster than one that is only hoped for.
            share = WAVE // 2 if pages.fetched else 1
            while (pages.read or pages.waiting) and share and len(batch) < min(WAVE, most):
                address = (pages.read or pages.waiting).popleft()
                if self._list_of[address] is pages and address not in self._asked:
                    batch.append(address)
                    share -= 1
        return batch

    def _named_pages(self, most: int) -> list[str]:
        """Pages that others name as their parent: they tell how things hang together."""
        waiting = [page for page in self._named if page not in self._asked]
        self._named.clear()
        self._named.update(dict.fromkeys(waiting[min(WAVE, most) :]))
        return waiting[: min(WAVE, most)]

    def _rank(self, pages: _List) -> tuple[bool, bool, int, float]:
        """Plain lists before weak ones, promising ones before others, near ones before far ones."""
        expected = self._expected(pages)
        return not pages.is_weak, expected >= _PROMISING, -pages.depth, expected

    def _expected(self, pages: _List) -> float:
        """How many new pages the next page of a list will lead to: a mean that shrinks.

        Towards the mean of the lists at the same path elsewhere, which shrinks towards a hope.
        """
        if not pages.read and not pages.waiting:
            return 0.0
        pool_fetched, pool_told = self._pools[pages.path]
        pool = (pool_told + _HOPE_WEIGHT * _HOPE) / (pool_fetched + _HOPE_WEIGHT)
        return (pages.told + _POOL_WEIGHT * pool) / (pages.fetched + _POOL_WEIGHT)

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
        if reading.above is not None:
            self._named[reading.above] = None
        return new

    def _address(self, url: str) -> str | None:
        """The site's answer, remembered: pages repeat their links."""
        if url not in self._addresses:
            self._addresses[url] = self._site.address(url)
        return self._addresses[url]

    def _wait_for(self, link: PageLink, source: str) -> int:
        depth = self._depths[source]
        turns_the_page = link.role is Role.NEXT or link.text.isdigit()
        if turns_the_page and any(continued(link.target)):
            return self._wait(link.target, source, link.path, depth=depth - 1)
        is_weak = link.is_part or link.role is not Role.NONE or link.prose > _PROSE
        return self._wait(link.target, source, link.path, depth=depth, is_weak=is_weak)

    def _wait(
        self, address: str, source: str, path: str, *, depth: int = 0, is_weak: bool = False
    ) -> int:
        """Put an address into the list that leads to it; a plain list takes it from a weak one.

        The answer is 1 if the address is new.
        """
        before = self._list_of.get(address)
        if address in self.readings or address == self.home or not may_be_page(address):
            return 0
        if before is not None and (is_weak or not before.is_weak or address in self._asked):
            return 0
        key = (source, path + "~" * is_weak)
        pages = self._lists.get(key)
        if pages is None:
            pages = self._lists[key] = _List(key[1], depth, is_weak)
        (pages.read if address in self._known else pages.waiting).append(address)
        self._list_of[address] = pages
        return int(before is None)

    def _learn(self, address: str, told: int) -> None:
        pages = self._list_of.get(address)
        if pages is None:
            return
        pages.fetched = pages.fetched * _FADING + 1
        pages.told = pages.told * _FADING + told
        pool = self._pools[pages.path]
        pool[0] = pool[0] * _FADING + 1
        pool[1] = pool[1] * _FADING + told
