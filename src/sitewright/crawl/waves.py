"""Exploration in waves: from the home page, collection by collection, until nothing new comes."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sitewright.crawl.frontier import Strategy, link_queue
from sitewright.page import Document, Labelling, PathVocabulary, link_collections
from sitewright.page.url_pattern import place_in_site
from sitewright.settings import current
from sitewright.site import Page
from sitewright.site.base import Missing, Reason, address_of, is_local, readable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from sitewright.crawl.frontier import LinkQueue
    from sitewright.site import Site


_NOWHERE = -1
"""The class that links stand in which stand in no page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlPlan:
    """How to explore."""

    limit: int = 1000
    """The most pages to ask for."""
    strategy: Strategy = Strategy.BALANCED
    wave_size: int = field(default_factory=lambda: current().crawl.wave_size)
    """n: the most pages that are fetched from one link collection."""
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "strategy", Strategy(self.strategy))


class GroupedLinks(NamedTuple):
    """What the crawler needs to know of one page."""

    group: int
    """Pages of one group are alike; a page like no other has a number below zero of its own."""
    collections: Sequence[tuple[int, tuple[str, ...]]]
    """For each path that ends in links, the URLs of this site that they lead to."""


async def crawl_waves(
    site: Site,
    plan: CrawlPlan,
    read_wave: Callable[[list[Document]], Sequence[GroupedLinks]],
    is_settled: Callable[[], bool] = lambda: False,
    parse: Callable[[Site, Page], Document | None] = readable,
) -> tuple[tuple[int, int], ...]:
    """Visit a site in waves: the pages of a wave come from one link collection, at the same time.

    `read_wave` takes the documents of a wave and gives the links of each. A part of the visits
    goes to pages that the site lists and no link has led to: saved pages need not lead to each
    other. It ends when all are visited, when the limit of pages is reached, or when `is_settled`,
    which is asked after every wave, says so.

    The limit is of requests. A page that is not in a folder, in an archive or on a live site of
    which everything was fetched before costs none. `parse` gives the document of a page, or None
    for one that cannot be read.

    The answer has a pair for each wave: pages visited so far, and what waits in the queue.
    """
    queue, sizes = link_queue(plan.strategy, plan.seed), []
    visited: set[str] = set()
    asked: set[str] = set()
    pages = spent = 0
    unlinked = _UnlinkedPages(site, plan)
    queue.add(_NOWHERE, [(0, (site.home,))])
    while spent < plan.limit and (len(queue) or unlinked.has_more(asked)):
        size = min(plan.wave_size, plan.limit - spent)
        urls = [] if len(queue) and not unlinked.is_due(pages) else unlinked.pop(size, queue)
        is_linked = not urls
        if is_linked and len(queue):
            urls = queue.pop(size)
        urls = [url for url in _own_urls(site, urls) if url not in visited and url not in asked]
        asked.update(urls)
        documents = await _fetched(site, urls, visited, parse)
        for group, collections in read_wave(documents):
            queue.add(group, collections)
        pages += len(documents)
        unlinked.visited += 0 if is_linked else len(documents)
        spent += len(documents) if is_local(site) else len(urls)
        sizes.append((pages, len(queue)))
        if documents and is_settled():
            break
    return tuple(sizes)


class _UnlinkedPages:
    """The pages that a site lists: a part of the visits goes to those that no link has led to.

    The papers know of links only: to their strategies these pages are there only where the home
    page leads nowhere at all.
    """

    def __init__(self, site: Site, plan: CrawlPlan) -> None:
        self.visited = 0
        self._site = site
        self._seed = plan.seed
        self._is_wanted = plan.strategy is Strategy.BALANCED
        self._share = current().crawl.unlinked_share if self._is_wanted else 0.0
        self._waiting: LinkQueue | None = None

    def has_more(self, asked: set[str]) -> bool:
        """Whether any wait where no link leads on."""
        self._is_wanted = self._is_wanted or len(asked) <= 1
        return self._is_wanted and len(self._queue) > 0

    def is_due(self, pages: int) -> bool:
        """Whether it is their turn, when so many pages have been visited."""
        return self.visited < self._share * (pages - 1)

    def pop(self, size: int, linked: LinkQueue) -> list[str]:
        """Take some that no link has led to; the others come in their own turn."""
        found: list[str] = []
        while not found and len(self._queue):
            found = [url for url in self._queue.pop(size) if not linked.knows(url)]
        return found

    @property
    def _queue(self) -> LinkQueue:
        if self._waiting is None:
            self._waiting = link_queue(Strategy.BALANCED, self._seed)
            # In an order of our own: what a site and its mirror list, they list in theirs.
            listed = sorted(self._site.listing(), key=place_in_site)
            self._waiting.add(_NOWHERE, [(0, tuple(listed))])
        return self._waiting


def _own_urls(site: Site, urls: list[str]) -> list[str]:
    """The URLs as the site knows them by now: it may have learnt that some are one page."""
    return list(dict.fromkeys(address_of(site, url) for url in urls))


async def _fetched(
    site: Site,
    urls: list[str],
    visited: set[str],
    parse: Callable[[Site, Page], Document | None],
) -> list[Document]:
    """The pages of a wave that were not visited under another URL."""
    wave = []
    for outcome in await site.fetch(urls):
        if isinstance(outcome, Page) and outcome.url not in visited:
            visited.add(outcome.url)
            document = parse(site, outcome)
            if document is not None:
                wave.append(document)
    return wave


# Breadth first: from the home page, link by link, nearest pages first.


class Visited(NamedTuple):
    """A page with its document, parsed once."""

    page: Page
    document: Document


async def breadth_first(
    site: Site, *, limit: int | None = None, wave: int = 32
) -> AsyncGenerator[Visited | Missing, None]:
    """Visit the pages of a site in the order of their distance from its home page.

    Every page comes once; a page that is missing comes with its reason. `limit` is the most pages
    to visit, `wave` how many are fetched at a time. It also ends where the site has a limit of its
    own: all that waits would come to nothing.
    """
    waiting = deque([site.home])
    known = set(waiting)
    visited = 0
    while waiting and (limit is None or visited < limit):
        size = min(len(waiting), wave, wave if limit is None else limit - visited)
        fetched = await site.fetch([waiting.popleft() for _ in range(size)])
        outcomes = [outcome for outcome in fetched if not _is_over_limit(outcome)]
        if not outcomes:
            return
        for outcome in outcomes:
            if isinstance(outcome, Missing):
                yield outcome
            elif not (outcome.requested and outcome.url in known):
                # Otherwise a redirect led to a page that comes under its own URL.
                known.add(outcome.url)
                visited += 1
                document = readable(site, outcome)
                if document is None:
                    yield site.missed[outcome.url]
                    continue
                yield Visited(outcome, document)
                new = [url for url in _linked_pages(site, document) if url not in known]
                known.update(new)
                waiting.extend(new)


def _is_over_limit(outcome: Page | Missing) -> bool:
    return isinstance(outcome, Missing) and outcome.reason is Reason.OVER_LIMIT


def _linked_pages(site: Site, document: Document) -> list[str]:
    """The pages of the site that a page leads to, each once."""
    collections = link_collections(document, PathVocabulary(Labelling.TAG))
    urls = [link.url for collection in collections for link in collection.links]
    if document.refresh:
        urls.append(document.refresh)
    resolved = map(site.page_url, dict.fromkeys(urls))
    return list(dict.fromkeys(url for url in resolved if url is not None))
