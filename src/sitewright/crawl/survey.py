"""A crawl list by list: fetch where the next page is expected to lead to most new pages.

The links of one list (one path in one page) lead to pages of one kind. How many new pages the first
few pages of a list led to, and those at the same path elsewhere, is the best guess for the others:
so content pages are listed from the links to them, and not fetched one by one.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from sitewright.settings import current
from sitewright.site import Missing
from sitewright.site.base import address_of, readable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sitewright.page import Document
    from sitewright.site import Site


_MAX_REDIRECTS = 3


class ListLink(NamedTuple):
    """A link to a page, as part of a list."""

    target: str
    path: str
    """Links of one page with one path are one list."""
    is_weak: bool = False
    """Whether it stands in running text, leads into a page, or only leads on to the next."""
    turns_page: bool = False
    """Whether it leads to a later page of the list that its page shows."""


class Navigation(Protocol):
    """What a page says of the site."""

    @property
    def language(self) -> str:
        """The language of the page; "" where it does not say."""
        ...

    @property
    def declared_parent(self) -> str | None:
        """The page that this one names as its parent."""
        ...


Reading = TypeVar("Reading", bound=Navigation)


@dataclass(frozen=True, slots=True)
class ReadPage(Generic[Reading]):
    """What the crawl needs of a page: its document can be forgotten."""

    url: str
    moved_to: str | None
    """The page that a refresh sends the reader on to."""
    reading: Reading | None
    """None for a page that only sends its reader on."""


@dataclass(slots=True)
class _List:
    """The pages that one list of links leads to, and how many new pages some of them had."""

    path: str
    depth: int
    """How many fetches away from the home page the list was found."""
    is_weak: bool
    waiting: deque[str] = field(default_factory=deque)
    read: deque[str] = field(default_factory=deque)
    """Those of its pages that were read before: they cost nothing."""
    fetched: float = 0.0
    new_pages: float = 0.0


class ListCrawler(Generic[Reading]):
    """Fetches the pages of a site that lead to new pages, and keeps what was read from them.

    `read` reads a page, with a function that resolves links to the site's own pages; `links` gives
    the links of a page that may lead to pages, the target of a refresh too.

    Pages that were read before, by whoever, are `known`: they are taken before others of their
    list, and not fetched again.
    """

    def __init__(
        self,
        site: Site,
        read: Callable[[Document, Callable[[str], str | None]], ReadPage[Reading]],
        links: Callable[[ReadPage[Reading]], Iterable[ListLink]],
        known: Mapping[str, ReadPage[Reading]] = MappingProxyType({}),
    ) -> None:
        self._read = read
        self._links = links
        self._known = known
        self._site = site
        self._page_urls: dict[str, str | None] = {}
        self.home = site.home
        self.readings: dict[str, Reading] = {}
        """By URL: the home page first, then in the order of fetching."""
        self.redirects: dict[str, str] = {}
        """URLs that turned out to be other URLs of a page."""
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

    async def _start(self) -> None:
        """Fetch the home page; a redirect page in its place is followed, a few times."""
        for _ in range(_MAX_REDIRECTS):
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
        pool_fetched, pool_new = self._pools[pages.path]
        weight = settings.pool_weight
        pool = (pool_new + settings.hope_weight * settings.hope) / (
            pool_fetched + settings.hope_weight
        )
        return (pages.new_pages + weight * pool) / (pages.fetched + weight)

    async def fetch(self, batch: list[str]) -> None:
        """Fetch pages and note what they lead to."""
        self._asked.update(batch)
        batch = [url for url in batch if not self._is_alias(url)]
        new = [url for url in batch if url not in self._known]
        fetched = dict(zip(new, await self._site.fetch(new), strict=True))
        for asked in batch:
            self.fetched += 1
            outcome = fetched.get(asked)
            if isinstance(outcome, Missing):
                self.missing.add(asked)
                self._note_yield(asked, 0)
            elif outcome is None:
                self._note_yield(asked, self._note(asked, self._known[asked]))
            else:
                page = self._known.get(outcome.url)
                document = None if page else readable(self._site, outcome)
                if document is not None:
                    page = self._read(document, self._page_url)
                if page is None:
                    self.missing.add(asked)
                self._note_yield(asked, self._note(asked, page) if page else 0)

    def _is_alias(self, url: str) -> bool:
        """Note a URL that the site has learnt to be another one of a page that was read."""
        page = address_of(self._site, url)
        if page == url or page not in self.readings:
            return False
        self.redirects[url] = page
        return True

    def _note(self, asked: str, page: ReadPage[Reading]) -> int:
        """Take in a page; the answer is how many new pages it leads to."""
        if page.url != asked:
            self.redirects[asked] = page.url
        if page.moved_to is not None:
            self.redirects[page.url] = page.moved_to
            return sum(self._put_into_list(link, page.url, depth=0) for link in self._links(page))
        reading = page.reading
        if reading is None or page.url in self.readings:
            return 0
        self.readings[page.url] = reading
        home = self.readings.get(self.home)
        if home and home.language and reading.language not in {"", home.language}:
            return 0  # the same site in another language is another skeleton
        self._depths[page.url] = 1 + self._list_of[asked].depth if asked in self._list_of else 0
        depth = self._depths[page.url]
        new = sum(
            self._put_into_list(link, page.url, depth=depth - link.turns_page)
            for link in self._links(page)
        )
        if reading.declared_parent is not None:
            self._named[reading.declared_parent] = None
        return new

    def _page_url(self, url: str) -> str | None:
        """The site's answer, remembered: pages repeat their links."""
        if url not in self._page_urls:
            self._page_urls[url] = self._site.page_url(url)
        return self._page_urls[url]

    def _put_into_list(self, link: ListLink, source: str, *, depth: int) -> int:
        """Put a URL into the list that leads to it; a plain list takes it from a weak one.

        The answer is 1 if the URL is new.
        """
        url, is_weak = link.target, link.is_weak
        before = self._list_of.get(url)
        if url in self.readings or url == self.home:
            return 0
        if before is not None and (is_weak or not before.is_weak or url in self._asked):
            return 0
        if before is None and len(self._list_of) >= current().limits.max_waiting_urls:
            return 0
        key = (source, link.path + "~" * is_weak)
        pages = self._lists.get(key)
        if pages is None:
            pages = self._lists[key] = _List(key[1], depth, is_weak)
        (pages.read if url in self._known else pages.waiting).append(url)
        self._list_of[url] = pages
        return int(before is None)

    def _note_yield(self, url: str, new_pages: int) -> None:
        settings = current().skeleton
        pages = self._list_of.get(url)
        if pages is None:
            return
        pages.fetched = pages.fetched * settings.fading + 1
        pages.new_pages = pages.new_pages * settings.fading + new_pages
        pool = self._pools[pages.path]
        pool[0] = pool[0] * settings.fading + 1
        pool[1] = pool[1] * settings.fading + new_pages


# Surveying a site: explore it, then fetch what would settle how things hang together.

MAX_ROUNDS = 16


class UnsettledPages(NamedTuple):
    """Pages that were not fetched, and that would settle how others hang together."""

    uncertain: list[str]
    """Pages whose place is not clear: some of them, from all over the list, are enough."""
    unfinished: list[str]
    """The rest of lists that lead on; the nearest first."""


async def survey_lists(
    crawler: ListCrawler[Reading],
    unsettled: Callable[[ListCrawler[Reading]], UnsettledPages],
    *,
    limit: int,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Read at most `limit` pages of a site: those that lead on, then those that are `unsettled`."""
    settings = current().skeleton
    await crawler.explore(max(1, round(limit * settings.exploring_share)), progress)
    for _ in range(MAX_ROUNDS):
        left = limit - crawler.fetched
        if left <= 0 or crawler.home not in crawler.readings:
            break
        uncertain, unfinished = unsettled(crawler)
        asked = _spread(uncertain, min(settings.wave_size, left))
        asked += unfinished[: min(settings.wave_size, left - len(asked))]
        asked = crawler.unasked(asked)
        if not asked:
            break
        await crawler.fetch(asked)
        await crawler.explore(min(limit, crawler.fetched + settings.wave_size), progress)
    await crawler.explore(limit, progress)


def _spread(pages: list[str], most: int) -> list[str]:
    """Some of the pages, from all over the list: neighbours would name the same parent."""
    return pages[:: -(-len(pages) // most)] if pages else []
