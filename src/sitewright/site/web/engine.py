"""Scrapy as a library: an engine that runs in the caller's event loop and fetches on request.

No reactor is installed, no signal handler, no root logger; several engines run side by side in one
loop, and one after the other in one process.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http.request import NO_CALLBACK

from sitewright.site.reply import Reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.http import Response

    from sitewright.site.web.crawl import Crawl
    from sitewright.site.web.options import CrawlOptions

_OURS = "sitewright.site.web"
_SCRAPYS = "scrapy.downloadermiddlewares"
_SILENT = logging.getLogger("scrapy")


class SiteSpider(Spider):
    """A spider that asks for nothing itself: it keeps the engine open until it is stopped."""

    name = "sitewright"
    crawl: Crawl
    opened: asyncio.Future[None]

    async def start(self) -> AsyncIterator[Any]:
        """Say that the engine is open, and wait until it is told to stop."""
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
        _silence()
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


def _silence() -> None:
    """Keep Scrapy's log to itself, unless the program has set a level for it."""
    if _SILENT.level == logging.NOTSET:
        _SILENT.setLevel(logging.CRITICAL)


def settings(crawl: Crawl) -> dict[str, Any]:
    """Give Scrapy's settings for a crawl: the parts named here, and no others."""
    options = crawl.options
    return {
        "TWISTED_REACTOR_ENABLED": False,
        "DOWNLOADER_MIDDLEWARES_BASE": {},
        "DOWNLOADER_MIDDLEWARES": _middlewares(options),
        "EXTENSIONS_BASE": {},
        "EXTENSIONS": {f"{_OURS}.pace.{name}": 0 for name in ("Throttle", "BackOff", "OnlyPages")},
        "DOWNLOAD_HANDLERS_BASE": {},
        "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https"), f"{_OURS}.handler.ArchivingHandler"),
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
                "DownloadTimeoutError",
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
        f"{_OURS}.middlewares.Guard": 10,
        f"{_OURS}.middlewares.Replay": 20,
        f"{_SCRAPYS}.downloadtimeout.DownloadTimeoutMiddleware": 350,
        f"{_SCRAPYS}.defaultheaders.DefaultHeadersMiddleware": 400,
        f"{_SCRAPYS}.useragent.UserAgentMiddleware": 500,
        f"{_SCRAPYS}.retry.RetryMiddleware": 550,
        f"{_OURS}.middlewares.Redirects": 600,
        f"{_OURS}.middlewares.SingleFlight": 900,
    }
    if options.obey_robots:
        chosen[f"{_OURS}.robots.Robots"] = 100
    if options.cookies:
        chosen[f"{_SCRAPYS}.cookies.CookiesMiddleware"] = 700
    if options.environment_proxies:
        chosen[f"{_SCRAPYS}.httpproxy.HttpProxyMiddleware"] = 750
    return chosen
