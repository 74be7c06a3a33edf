"""robots.txt: what a site's owner lets crawlers fetch, and how fast (RFC 9309).

Scrapy's own middleware knows no Crawl-delay, takes a server error for permission, and leaves all
others waiting for ever when the one who fetches robots.txt is cancelled; so this stands in its
place, on the same parser.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from protego import Protego
from scrapy import Request, signals
from scrapy.http.request import NO_CALLBACK

from sitewright.errors import SitewrightError
from sitewright.site.base import Reason
from sitewright.site.http_body import TooLarge, decoded
from sitewright.site.url import canonical, parts
from sitewright.site.web.crawl import ROBOTS, ROBOTS_MAX_AGE, crawl_of
from sitewright.site.web.failures import failure
from sitewright.site.web.gate import Refused

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

MAX_BYTES: Final = 512 * 1024
"""What follows in a robots.txt is not read; RFC 9309 asks for no more."""
ASK_AGAIN: Final = 60.0
"""Seconds until a robots.txt that could not be had is asked for again."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rules:
    """What a robots.txt says: its rules, or why there are none to go by."""

    parsed: Protego
    valid_until: float
    """In the time of `time.monotonic`."""
    refusal: tuple[Reason, str] | None = None

    def check(self, url: str, user_agent: str) -> None:
        """Raise `Refused` for what may not be fetched."""
        if self.refusal is not None:
            raise Refused(*self.refusal)
        if not self.parsed.can_fetch(url, user_agent):
            raise Refused(Reason.DISALLOWED)


class Robots:
    """Asks each host's robots.txt before anything else of the host."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._options = crawl_of(crawler).options
        self._rules: dict[str, asyncio.Task[Rules]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make it for a crawler, and have it told when to stop."""
        made = cls(crawler)
        crawler.signals.connect(made.stop, signal=signals.engine_stopped)
        return made

    async def process_request(self, request: Request) -> None:
        """Raise `Refused` where robots.txt says so."""
        if request.meta.get(ROBOTS):
            return
        rules = await self._rules_of(_origin(request.url))
        rules.check(request.url, self._options.user_agent)

    async def _rules_of(self, origin: str) -> Rules:
        """Give the rules of a host, read once for all; a waiter that leaves ends nothing."""
        task = self._rules.get(origin)
        if task is None or (task.done() and _is_stale(task)):
            task = self._rules[origin] = asyncio.create_task(self._read(origin))
        return await asyncio.shield(task)

    async def _read(self, origin: str) -> Rules:
        """Fetch and parse; 4xx allows all, and what is out of reach allows nothing for now."""
        meta = {ROBOTS: True, "verbatim_url": True}
        request = Request(f"{origin}/robots.txt", meta=meta, callback=NO_CALLBACK)
        try:
            response = await self._crawler.engine.download_async(request)
        except Refused:
            return _rules("")
        except SitewrightError:
            raise
        except Exception as error:
            reason, detail = failure(error)
            return _out_of_reach(reason, f"robots.txt: {detail}")
        if response.status >= 500 or response.status == 429:
            return _out_of_reach(Reason.DISALLOWED, f"robots.txt answers {response.status}")
        text = _text(response) if 200 <= response.status < 300 else ""
        rules = _rules(text)
        self._slow_down(origin, rules.parsed.crawl_delay(self._options.user_agent))
        return rules

    def _slow_down(self, origin: str, asked: float | None) -> None:
        """Keep to a Crawl-delay, if it is longer than our own; exactly, so without jitter."""
        if asked is None or asked <= crawl_of(self._crawler).delay:
            return
        delay = min(asked, self._options.max_crawl_delay)
        if delay < asked:
            logger.warning("%s asks for a Crawl-delay of %g s; it gets %g s", origin, asked, delay)
        host = parts(f"{origin}/").host.strip("[]")
        downloader = self._crawler.engine.downloader
        downloader.per_slot_settings[host] = {"delay": delay, "jitter": 0.0}
        if (slot := downloader.slots.get(host)) is not None:
            slot.delay, slot.jitter = delay, 0.0

    def stop(self) -> None:
        """Leave no task behind."""
        for task in self._rules.values():
            task.cancel()


def _is_stale(task: asyncio.Task[Rules]) -> bool:
    if task.cancelled() or task.exception() is not None:
        return True
    return task.result().valid_until <= time.monotonic()


def _rules(text: str) -> Rules:
    return Rules(Protego.parse(text), time.monotonic() + ROBOTS_MAX_AGE)


def _out_of_reach(reason: Reason, detail: str) -> Rules:
    return Rules(Protego.parse(""), time.monotonic() + ASK_AGAIN, (reason, detail))


def _origin(url: str) -> str:
    """Give scheme, host and port of a URL that has passed the gate."""
    return "/".join((canonical(url) or url).split("/", 3)[:3])


def _text(response: Response) -> str:
    codings = [value.decode("latin-1") for value in response.headers.getlist("Content-Encoding")]
    try:
        body = decoded(response.body, ",".join(codings).split(","), 16 * MAX_BYTES)
    except TooLarge:
        body = b""
    return body[:MAX_BYTES].decode("utf-8-sig", errors="replace")
