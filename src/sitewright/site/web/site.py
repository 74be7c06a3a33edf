"""A live web site: fetched once, politely, within its bounds, and read back ever after."""

from __future__ import annotations

import asyncio
import logging
import shutil
import tempfile
import weakref
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sitewright.errors import SitewrightError
from sitewright.site.base import NONE_KNOWN, ClosedByContext, Missing, Page, Reason
from sitewright.site.reply import Reply, outcome
from sitewright.site.scope import Scope, ScopeKind
from sitewright.site.url import canonical, is_private_host, parts
from sitewright.site.web.crawl import Crawl
from sitewright.site.web.gate import Gate, Refused
from sitewright.site.web.options import DEFAULT_DELAY, CrawlOptions
from sitewright.site.web.store import ReplyStore
from sitewright.site.web.traps import TrapCounter

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitewright.site.web.engine import Engine

_HOSTS_AT_A_TIME: Final = 4
"""How many hosts of a domain are asked at the same time."""

logger = logging.getLogger(__name__)


class WebSite(ClosedByContext):
    """A live web site, with an archive of all that was fetched from it.

    ::

        async with WebSite("https://example.org/", archive=Path("out/pages.warc.gz")) as site:
            [home] = await site.fetch([site.home])

    What the archive holds is not fetched again, neither in this run nor in a later one, save for
    errors that may have passed. Without an archive, a temporary one lives as long as the site.
    Scrapy is started by the first fetch that needs the network, in the loop that runs then.
    """

    is_live = True

    def __init__(
        self,
        start: str,
        *,
        archive: str | os.PathLike[str] | None = None,
        scope: ScopeKind = ScopeKind.HOST,
        options: CrawlOptions | None = None,
    ) -> None:
        self.scope = Scope(start, scope)
        self.home: str = self.scope.start
        self.options = options or CrawlOptions()
        self.tally: Counter[Reason] = Counter()
        kept = _temporary_archive(self) if archive is None else Path(archive)
        self._store = ReplyStore(kept, self.options.max_size)
        self._crawl = _crawl(self.scope, self.options, self._store)
        self._traps = TrapCounter(self.options.trap_limits)
        self._asked: set[str] = set()
        self.missed: dict[str, Missing] = {}
        self._engine: asyncio.Task[Engine] | None = None

    def address(self, url: str) -> str | None:
        """Give the canonical URL of a page in scope; None for all others."""
        address = canonical(url)
        return address if address is not None and self.scope.contains(address) else None

    async def fetch(self, urls: Sequence[str]) -> list[Page | Missing]:
        """Fetch these pages now, or read them back; one outcome a URL, in order."""
        admitted = {url: self._admitted(url) for url in dict.fromkeys(urls)}
        addresses = dict.fromkeys(a for a in admitted.values() if isinstance(a, str))
        outcomes = await self._fetch_all(addresses)
        results = [
            found if isinstance(found, Missing) else outcomes[found]
            for found in map(admitted.__getitem__, urls)
        ]
        self._count(results)
        return results

    def pages(self, known: Mapping[str, Page] = NONE_KNOWN) -> Iterator[Page]:
        """Stream every page of the archive that lies in scope, each once, as first fetched."""
        seen: set[str] = set()
        for reply in self._store.replies():
            address = self.address(reply.url)
            if address is None or address in seen:
                continue
            found = known.get(address) or self._judge(reply, address)
            if isinstance(found, Page):
                seen.add(address)
                yield found

    def listing(self) -> Iterator[str]:
        """Give nothing: of a live site only links tell which pages it has."""
        return iter(())

    async def aclose(self) -> None:
        """Stop the engine; what was fetched is in the archive already."""
        starting, self._engine = self._engine, None
        try:
            if starting is not None and starting.get_loop() is asyncio.get_running_loop():
                await (await starting).stop()
        finally:
            self._store.close()

    def _admitted(self, url: str) -> str | Missing:
        """Give the address to fetch, or say why this URL is not to be fetched."""
        address = canonical(url) or url
        try:
            self._crawl.gate.check(address)
        except Refused as refused:
            return Missing(address, refused.reason, refused.detail)
        if address in self._asked:
            return address
        limit = self.options.max_pages
        if limit is not None and len(self._asked) >= limit:
            return Missing(address, Reason.OVER_LIMIT, f"{limit} pages")
        if (why := self._traps.trap(address)) is not None:
            return Missing(address, Reason.TRAP, why)
        self._asked.add(address)
        return address

    async def _fetch_all(self, addresses: Iterable[str]) -> dict[str, Page | Missing]:
        """Read back what can be, and fetch the rest with as many workers as the site allows."""
        outcomes: dict[str, Page | Missing] = {}
        unread: list[str] = []
        for address in addresses:
            reply = self._store.final(address)
            if reply is None or reply.is_redirect:
                unread.append(address)
            else:
                outcomes[address] = self._judge(reply, address)
                await asyncio.sleep(0)
        if unread:
            await self._fetch_live(unread, outcomes)
        return outcomes

    async def _fetch_live(self, addresses: list[str], outcomes: dict[str, Page | Missing]) -> None:
        engine = await self._running_engine()
        queue = iter(addresses)

        async def work() -> None:
            for address in queue:
                outcomes[address] = await self._fetch_one(engine, address)

        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(min(len(addresses), self._crawl.total_concurrency)):
                    workers.create_task(work())
        except ExceptionGroup as group:
            raise group.exceptions[0] from None

    async def _fetch_one(self, engine: Engine, address: str) -> Page | Missing:
        """Fetch one page through the engine; whatever goes wrong with it is an outcome."""
        # It is loaded with the engine: who reads an archive back does not wait for Scrapy.
        from sitewright.site.web.failures import failure  # noqa: PLC0415

        try:
            reply = await engine.fetch(address)
        except SitewrightError:
            raise
        except Exception as error:
            reason, detail = failure(error)
            logger.debug("%s: %s (%s)", address, reason, detail, exc_info=error)
            return Missing(address, reason, detail)
        return self._judge(reply, address)

    def _judge(self, reply: Reply, requested: str) -> Page | Missing:
        own = canonical(reply.url) or requested
        return outcome(reply, own, requested, self.options.max_size)

    def _count(self, outcomes: Iterable[Page | Missing]) -> None:
        """Count what is missing, each address once; what robots.txt forbids was not asked for."""
        for found in outcomes:
            if isinstance(found, Missing) and found.url not in self.missed:
                self.missed[found.url] = found
                self.tally[found.reason] += 1
            if isinstance(found, Missing) and found.reason is Reason.DISALLOWED:
                self._asked.discard(found.url)

    async def _running_engine(self) -> Engine:
        """Give the engine of the running loop; one that ran in another loop ended with it."""
        loop = asyncio.get_running_loop()
        starting = self._engine
        if starting is None or starting.get_loop() is not loop:
            from sitewright.site.web.engine import Engine  # noqa: PLC0415 - Scrapy takes a while to load

            starting = self._engine = loop.create_task(Engine.start(self._crawl))
        try:
            return await asyncio.shield(starting)
        except Exception:
            self._engine = None
            raise


def _crawl(scope: Scope, options: CrawlOptions, store: ReplyStore) -> Crawl:
    private = is_private_host(parts(scope.start).host)
    default_delay = 0.0 if private else DEFAULT_DELAY
    hosts = _HOSTS_AT_A_TIME if scope.kind is ScopeKind.DOMAIN else 1
    return Crawl(
        gate=Gate(scope, private or options.allow_private, options.max_redirects),
        options=options,
        store=store,
        delay=default_delay if options.delay is None else options.delay,
        total_concurrency=options.concurrency * hosts,
    )


def _temporary_archive(site: WebSite) -> Path:
    """Make room for an archive that is removed together with the site."""
    folder = tempfile.mkdtemp(prefix="sitewright-")
    weakref.finalize(site, shutil.rmtree, folder, ignore_errors=True)
    return Path(folder) / "pages.warc.gz"
