"""Scrapy as a library: an engine that runs in the caller's event loop and fetches on request.

No reactor is installed, no signal handler, no root logger; several engines run side by side in one
loop, and one after the other in one process.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Self

import aiohttp
from aiohttp import ClientHttpProxyError, ClientProxyConnectionError, ClientSSLError
from aiohttp.resolver import ThreadedResolver
from scrapy import Request, Spider, signals
from scrapy.core.downloader.handlers._aiohttp import AiohttpDownloadHandler, _ClientResponse
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
from scrapy.http import Headers, Response
from scrapy.http.request import NO_CALLBACK

from sitewright.page.host import is_private_ip
from sitewright.page.url import canonical
from sitewright.settings import current
from sitewright.site.base import Reason
from sitewright.site.guard import (
    CONDITIONAL,
    FILE,
    ROBOTS,
    ROBOTS_MAX_AGE,
    Crawl,
    Refused,
    crawl_of,
    slot_of,
)
from sitewright.site.http import Reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from aiohttp.abc import ResolveResult

    from sitewright.site.web import CrawlOptions


_OURS = "sitewright.site"
_SCRAPYS = "scrapy.downloadermiddlewares"
_SCRAPY_LOG = logging.getLogger("scrapy")

logger = logging.getLogger(__name__)


class SiteSpider(Spider):
    """A spider that asks for nothing itself: it keeps the engine open until it is stopped."""

    name = "sitewright"
    crawl: Crawl
    opened: asyncio.Future[None]

    async def start(self) -> AsyncIterator[Any]:
        """Say that the engine is open, and wait until it is stopped."""
        self.opened.set_result(None)
        await asyncio.get_running_loop().create_future()
        yield


class Engine:
    """A running Scrapy engine; `start` makes one."""

    def __init__(self, crawler: Crawler, running: asyncio.Task[None]) -> None:
        self._crawler = crawler
        self._running = running
        self.loop = asyncio.get_running_loop()

    @classmethod
    async def start(cls, crawl: Crawl) -> Engine:
        """Start Scrapy in the running loop; raises what it raises."""
        _silence_scrapy()
        crawler = Crawler(SiteSpider, settings(crawl))
        opened = asyncio.get_running_loop().create_future()
        running = asyncio.create_task(crawler.crawl_async(crawl=crawl, opened=opened))
        await asyncio.wait({running, opened}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        return cls(crawler, running)

    async def fetch(self, url: str) -> Reply:
        """Fetch a canonical URL and follow its redirects; raises what `failures` explains."""
        request = Request(url, meta={"verbatim_url": True}, callback=NO_CALLBACK)
        return _reply(await self._crawler.engine.download_async(request))

    async def fetch_file(self, url: str, *, anew: bool = False) -> Reply:
        """Fetch something that need be no page: a sitemap, a feed; anew, whatever is archived."""
        meta = {"verbatim_url": True, FILE: True, CONDITIONAL: anew}
        request = Request(url, meta=meta, callback=NO_CALLBACK)
        return _reply(await self._crawler.engine.download_async(request))

    async def ask_again(self, url: str, validators: dict[str, str]) -> Reply:
        """Ask for a page whatever the archive holds; a server that knows it answers 304."""
        meta = {"verbatim_url": True, CONDITIONAL: True, "dont_redirect": True}
        request = Request(url, meta=meta, headers=validators, callback=NO_CALLBACK)
        return _reply(await self._crawler.engine.download_async(request))

    async def stop(self) -> None:
        """Let what is under way end, drop what waits, and close all connections."""
        for slot in self._crawler.engine.downloader.slots.values():
            slot.queue.clear()
        await self._crawler.stop_async()
        await self._running


def _reply(response: Response) -> Reply:
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in response.headers.items()
        for value in values
    )
    return Reply(response.url.partition("#")[0], response.status, headers, response.body)


def _silence_scrapy() -> None:
    """Keep Scrapy's log to itself, unless the program has set a level for it."""
    if _SCRAPY_LOG.level == logging.NOTSET:
        _SCRAPY_LOG.setLevel(logging.CRITICAL)


def settings(crawl: Crawl) -> dict[str, Any]:
    """Give Scrapy's settings for a crawl: the parts named here, and no others."""
    options = crawl.options
    return {
        "TWISTED_REACTOR_ENABLED": False,
        "DOWNLOADER_MIDDLEWARES_BASE": {},
        "DOWNLOADER_MIDDLEWARES": _middlewares(options),
        "EXTENSIONS_BASE": {},
        "EXTENSIONS": {
            f"{_OURS}.polite.{name}": 0 for name in ("Throttle", "BackOff", "OnlyPages")
        },
        "DOWNLOAD_HANDLERS_BASE": {},
        "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https"), f"{_OURS}.engine.ArchivingHandler"),
        "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",
        "USER_AGENT": options.user_agent_header,
        "DEFAULT_REQUEST_HEADERS": {
            "Accept": "text/html,application/xhtml+xml,*/*;q=0.1",
            "Accept-Encoding": "gzip, deflate",
            "Accept-Language": "en,*;q=0.5",
        },
        "DOWNLOAD_TIMEOUT": options.timeout,
        "DOWNLOAD_MAXSIZE": options.max_size,
        "DOWNLOAD_WARNSIZE": 0,
        "DOWNLOAD_VERIFY_CERTIFICATES": options.verify_certificates,
        "RETRY_TIMES": options.retries,
        "RETRY_EXCEPTIONS": [
            f"scrapy.exceptions.{name}"
            for name in (
                "DownloadConnectionRefusedError",
                "DownloadFailedError",
                "ResponseDataLossError",
            )
        ],
        # One more than ours, so that it is ours that says why.
        "REDIRECT_MAX_TIMES": options.max_redirects + 1,
    } | _rates(crawl)


def _rates(crawl: Crawl) -> dict[str, Any]:
    """Give the settings that say how fast, and how much at a time."""
    concurrency = crawl.options.concurrency
    return {
        # Several hosts share an engine where the scope is a domain.
        "CONCURRENT_REQUESTS": crawl.total_concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
        "DOWNLOAD_DELAY": crawl.delay,
        "DOWNLOAD_DELAY_JITTER": 0.5,
        "AUTOTHROTTLE_ENABLED": crawl.delay > 0,
        "AUTOTHROTTLE_START_DELAY": crawl.delay,
        # A host that takes a second to answer gets half of the allowed requests at a time.
        "AUTOTHROTTLE_TARGET_CONCURRENCY": max(1.0, concurrency / 2),
    }


def _middlewares(options: CrawlOptions) -> dict[str, int]:
    """Give the middlewares with their places: the smallest number sees a request first."""
    chosen = {
        f"{_OURS}.engine.Guard": 10,
        f"{_OURS}.engine.Replay": 20,
        f"{_SCRAPYS}.downloadtimeout.DownloadTimeoutMiddleware": 350,
        f"{_SCRAPYS}.defaultheaders.DefaultHeadersMiddleware": 400,
        f"{_SCRAPYS}.useragent.UserAgentMiddleware": 500,
        f"{_SCRAPYS}.retry.RetryMiddleware": 550,
        f"{_OURS}.engine.Redirects": 600,
        f"{_OURS}.engine.SingleFlight": 900,
    }
    if options.obey_robots:
        chosen[f"{_OURS}.polite.Robots"] = 100
    if options.cookies:
        chosen[f"{_SCRAPYS}.cookies.CookiesMiddleware"] = 700
    if options.credentials:
        chosen[f"{_OURS}.engine.SendCredentials"] = 510
    if options.environment_proxies or options.credentials.proxy:
        chosen[f"{_SCRAPYS}.httpproxy.HttpProxyMiddleware"] = 750
    return chosen


# What every request of a live site passes on its way through Scrapy, in this order.
#
# `Guard` refuses what is out of bounds, `Replay` answers from the archive, then come robots.txt
# (`sitewright.site.polite`) and Scrapy's own parts, and right before the network `SingleFlight`.
# A redirect is a new request to Scrapy, which passes all of them again.


class Guard:
    """Refuses every request that is out of scope or over the limit, redirects included."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._gate = crawl.gate
        self._budget = crawl.budget

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make it for a crawler, as Scrapy asks."""
        return cls(crawl_of(crawler))

    def process_request(self, request: Request) -> None:
        """Raise `Refused`, or let the request pass."""
        # A redirect inherits the slot of the host it comes from: the new host would be asked at
        # the old one's pace.
        request.meta.pop("download_slot", None)
        if (proxy := self._crawl.options.credentials.proxy) is not None:
            request.meta["proxy"] = proxy
        hops = request.meta.get("redirect_urls", ())
        if request.meta.get(ROBOTS) or request.meta.get(FILE):
            self._gate.check_robots(request.url, hops)
        else:
            self._gate.check(request.url, hops)
            self._crawl.check_open(request.url)
            if request.meta.get(CONDITIONAL):
                return  # the page is here already
            # The site has counted what it asked for; here come the redirects on the way.
            self._budget.spend(canonical(request.url) or request.url)


class Replay:
    """Answers from the archive what was answered once and for all.

    It stands before robots.txt: what is not asked of the server needs no leave, and an archive
    can be read back without the network.
    """

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make it for a crawler, as Scrapy asks."""
        return cls(crawl_of(crawler))

    def process_request(self, request: Request) -> Response | None:
        """Give the archived response, if there is one."""
        if request.meta.get(CONDITIONAL):
            return None
        max_age = ROBOTS_MAX_AGE if request.meta.get(ROBOTS) else float("inf")
        reply = self._crawl.store.final(request.url.partition("#")[0], max_age=max_age)
        return None if reply is None else self._response(request, reply)

    def _response(self, request: Request, reply: Reply) -> Response:
        if reply.too_large:
            limit = self._crawl.options.max_size
            raise Refused(Reason.TOO_LARGE, f"more than {limit} bytes")
        # In bytes: Scrapy would take text for UTF-8, and it need not be.
        headers = Headers(
            (name.encode("latin-1"), value.encode("latin-1")) for name, value in reply.headers
        )
        return Response(request.url, status=reply.status, headers=headers, body=reply.body)


class SendCredentials:
    """Adds the user's headers and cookies to requests to the user's own host, and to no other."""

    def __init__(self, crawl: Crawl) -> None:
        self._credentials = crawl.options.credentials
        self._start = crawl.gate.scope.start

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make it for a crawler, as Scrapy asks."""
        return cls(crawl_of(crawler))

    def process_request(self, request: Request) -> None:
        """Set the headers; a redirect to another host brought those of its request along."""
        for name in self._credentials.names():
            request.headers.pop(name, None)
        for name, value in self._credentials.for_url(request.url, self._start).items():
            request.headers[name] = value.encode("latin-1")


class Redirects(RedirectMiddleware):
    """Scrapy's, which knows no answer to a Location that is no URL."""

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override] # Scrapy 2.19 still allows for an argument that it no longer gives
        """Follow a redirect, if it leads anywhere."""
        try:
            return super().process_response(request, response)
        except ValueError:
            location = (response.headers["Location"] or b"").decode("latin-1")
            raise Refused(Reason.BAD_REDIRECT, f"to {location[:200]}") from None


class SingleFlight(Replay):
    """Lets a URL go to the network once at a time; who comes second reads the archive.

    Many pages may redirect to one: without this, each of them would fetch it.
    """

    def __init__(self, crawl: Crawl) -> None:
        super().__init__(crawl)
        self._flights: dict[str, tuple[Request, asyncio.Event]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make it for a crawler, and connect it to the signal of a finished download."""
        made = super().from_crawler(crawler)
        crawler.signals.connect(made.landed, signal=signals.request_left_downloader)
        return made

    async def process_request(self, request: Request) -> Response | None:  # type: ignore[override]
        """Wait for a download of the same URL; then take its answer, or go oneself."""
        url = request.url.partition("#")[0]
        while url in self._flights:
            await self._flights[url][1].wait()
            if (response := super().process_request(request)) is not None:
                return response
        self._flights[url] = (request, asyncio.Event())
        return None

    def landed(self, request: Request) -> None:
        """Wake those who wait for this download."""
        url = request.url.partition("#")[0]
        flight = self._flights.get(url)
        if flight is not None and flight[0] is request:
            del self._flights[url]
            flight[1].set()


# The last step before the network, and the first after it.
#
# Scrapy's handler for aiohttp, with two changes: a name is looked up by us, so that no connection
# is
# made to a private address; and every answer is in the archive before anyone else sees it, even if
# the one who asked for it is gone by then.


class PublicResolver(ThreadedResolver):
    """Looks names up, and refuses those that lead to a private address.

    The connection is made to the addresses that were checked here, so a name server that answers
    differently the next time (DNS rebinding) gains nothing.
    """

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Look a name up; one private address among others is reason enough to refuse it."""
        found = await super().resolve(host, port, family)
        for result in found:
            if is_private_ip(result["host"]):
                raise Refused(Reason.PRIVATE_ADDRESS, f"{host} leads to {result['host']}")
        return found


class ArchivingHandler(AiohttpDownloadHandler):
    """Downloads with aiohttp, from public addresses, into the archive."""

    lazy = True  # most sites have one scheme, and to load the certificates twice takes a while
    experimental = False  # else every start would log a warning; our tests stand for it

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._crawl = crawl_of(crawler)
        self._unused_session = self._session
        self._session = self._guarded_session()

    def _guarded_session(self) -> aiohttp.ClientSession:
        """Make the parent's session again, with our resolver in its connector."""
        options = self._crawl.options
        # Through a proxy, the only name that is looked up here is the proxy's own.
        has_proxy = options.environment_proxies or options.credentials.proxy is not None
        unguarded = self._crawl.gate.allow_private or has_proxy
        connector = aiohttp.TCPConnector(
            limit=self._pool_size_total,
            limit_per_host=self._pool_size_per_host,
            resolver=ThreadedResolver() if unguarded else PublicResolver(),
        )
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            response_class=_ClientResponse,
            skip_auto_headers=("Accept", "Accept-Encoding", "Content-Type", "User-Agent"),
        )

    @staticmethod
    def _extract_headers(response: _ClientResponse) -> Headers:
        """Give the headers as bytes: as text, those that are not UTF-8 would be lost."""
        return Headers(list(response.raw_headers))

    async def download_request(self, request: Request) -> Response:
        """Download in what is left of the URL's time: all its tries and redirects share it."""
        patience = self._crawl.patience
        host = slot_of(request.url)
        is_robots = bool(request.meta.get(ROBOTS))  # is asked again now and then, whatever it cost
        first = request.meta.get("redirect_urls", [request.url])[0]
        left = patience.timeout if is_robots else patience.left(first, host)
        if left <= 0:
            raise DownloadTimeoutError(f"no time is left for {first}")
        request.meta["download_timeout"] = left
        start = time.monotonic()
        try:
            response = await super().download_request(request)
        except DownloadTimeoutError:
            stalled = patience.stalled(request.url if is_robots else first, host)
            if stalled == current().limits.stalled_requests:
                logger.warning("%s lets requests time out: it is asked more slowly now", host)
            if patience.is_tried(host):
                self._slow_down(host)
            raise
        finally:
            patience.spend(first, time.monotonic() - start)
        patience.answered(host)
        return response

    def _slow_down(self, host: str) -> None:
        """Ask a host that stalls often less often."""
        slot = self.crawler.engine.downloader.slots.get(host)
        if slot is not None:
            slot.delay = max(slot.delay, current().limits.stalling_delay)

    async def _read_response(self, response: _ClientResponse, request: Request) -> Response:
        try:
            result = await super()._read_response(response, request)
        except DownloadCancelledError:
            self._keep(request, response, b"", too_large=True)
            limit = self._crawl.options.max_size
            raise Refused(Reason.TOO_LARGE, f"more than {limit} bytes") from None
        self._keep(request, response, result.body)
        return result

    def _keep(
        self, request: Request, response: _ClientResponse, body: bytes, *, too_large: bool = False
    ) -> None:
        headers = tuple(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in response.raw_headers
        )
        url = request.url.partition("#")[0]
        is_page = not request.meta.get(ROBOTS) and not request.meta.get(FILE)
        self._crawl.traffic["pages" if is_page else "others"] += 1
        if response.status == HTTPStatus.NOT_MODIFIED:
            return  # what the archive holds stands
        self._crawl.store.put(Reply(url, response.status, headers, body, too_large))

    async def close(self) -> None:
        """Close both sessions: the parent's own was never used."""
        await self._unused_session.close()
        await super().close()


# Why a request came to nothing, in the words of `Reason`.

_REASONS: Final[tuple[tuple[type[Exception], Reason, str], ...]] = (
    (DownloadTimeoutError, Reason.TIMED_OUT, "no answer in time"),
    (DownloadCancelledError, Reason.TOO_LARGE, "larger than allowed"),
    (CannotResolveHostError, Reason.NO_ANSWER, "no such host"),
    (DownloadConnectionRefusedError, Reason.NO_ANSWER, "connection refused"),
    (ResponseDataLossError, Reason.NO_ANSWER, "the answer broke off"),
    (DownloadFailedError, Reason.NO_ANSWER, "the connection failed"),
)


def failure(error: Exception) -> tuple[Reason, str]:
    """Give the reason that an exception of the engine stands for, and the detail."""
    if isinstance(error, Refused):
        return error.reason, error.detail
    if isinstance(error.__cause__, ClientHttpProxyError):
        return Reason.NO_ANSWER, f"the proxy answers {error.__cause__.status}"
    if isinstance(error.__cause__, ClientProxyConnectionError):
        return Reason.NO_ANSWER, "the proxy does not answer"
    if isinstance(error.__cause__, ClientSSLError):
        return Reason.NO_ANSWER, "no secure connection: is the certificate valid?"
    for kind, reason, detail in _REASONS:
        if isinstance(error, kind):
            return reason, detail
    return Reason.NO_ANSWER, f"{type(error).__name__}: {error}".splitlines()[0][:200]
