"""What every request of a live site passes on its way through Scrapy, in this order.

`Guard` refuses what is out of bounds, `Replay` answers from the archive, then come robots.txt
(`sitewright.site.web.robots`) and Scrapy's own parts, and right before the network `SingleFlight`.
A redirect is a new request to Scrapy, which passes all of them again.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.http import Headers, Response

from sitewright.site.base import Reason
from sitewright.site.web.crawl import ROBOTS, ROBOTS_MAX_AGE, Crawl, crawl_of
from sitewright.site.web.gate import Refused

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from sitewright.site.reply import Reply


class Guard:
    """Refuses every request that the user did not put in scope, redirects included."""

    def __init__(self, crawl: Crawl) -> None:
        self._gate = crawl.gate

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make it for a crawler, as Scrapy asks."""
        return cls(crawl_of(crawler))

    def process_request(self, request: Request) -> None:
        """Raise `Refused`, or let the request pass."""
        # A redirect inherits the slot of the host it comes from: the new host would be asked at
        # the old one's pace.
        request.meta.pop("download_slot", None)
        hops = request.meta.get("redirect_urls", ())
        if request.meta.get(ROBOTS):
            self._gate.check_robots(request.url, hops)
        else:
            self._gate.check(request.url, hops)


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
        """Make it for a crawler, and have it told when a download is over."""
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
