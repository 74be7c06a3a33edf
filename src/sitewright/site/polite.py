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
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final, Self

from protego import Protego
from scrapy import Request, signals
from scrapy.exceptions import StopDownload
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.asyncio import call_later

from sitewright.errors import SitewrightError
from sitewright.page.url import canonical, parts
from sitewright.settings import current
from sitewright.site.base import Reason
from sitewright.site.engine import failure
from sitewright.site.guard import FILE, ROBOTS, ROBOTS_MAX_AGE, Refused, crawl_of
from sitewright.site.http import decoded, may_be_html

if TYPE_CHECKING:
    from scrapy.core.downloader import Slot
    from scrapy.crawler import Crawler
    from scrapy.http import Headers, Response


MAX_BYTES: Final = 512 * 1024
"""What follows in a robots.txt is not read; RFC 9309 asks for no more."""
ASK_AGAIN: Final = 60.0
"""Seconds until a robots.txt that could not be fetched is asked for again."""

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
        self._budget = crawl_of(crawler).budget
        self._rules: dict[str, asyncio.Task[Rules]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make it for a crawler, and connect it to the signal that stops it."""
        made = cls(crawler)
        crawler.signals.connect(made.stop, signal=signals.engine_stopped)
        return made

    async def process_request(self, request: Request) -> None:
        """Raise `Refused` where robots.txt says so."""
        if request.meta.get(ROBOTS):
            return
        rules = await self._rules_of(_origin(request.url))
        try:
            rules.check(request.url, self._options.user_agent)
        except Refused as refused:
            self._budget.give_back(canonical(request.url) or request.url)
            if request.meta.get("redirect_urls") and not refused.detail:
                raise Refused(refused.reason, f"to {request.url[:200]}") from None
            raise

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
        crawl_of(self._crawler).slowed[host] = delay
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
    except ValueError:  # a bomb
        body = b""
    return body[:MAX_BYTES].decode("utf-8-sig", errors="replace")


# How fast a host is asked: slower when it is slow, and not at all while it asks for a rest.

_LONGEST_DATE = 200
BUSY: Final = frozenset({429, 503})


class Throttle(AutoThrottle):
    """Scrapy's AutoThrottle, which never goes below what robots.txt asks for."""

    def _adjust_delay(self, slot: Slot, latency: float, response: Response) -> None:
        downloader = self.crawler.engine.downloader
        host = next((key for key, value in downloader.slots.items() if value is slot), "")
        floor: float = downloader.per_slot_settings.get(host, {}).get("delay", 0.0)
        super()._adjust_delay(slot, latency, response)
        slot.delay = max(slot.delay, floor)


class BackOff:
    """Leaves a host alone for as long as it asks for, after 429 and 503.

    All requests to the host wait, not only the one that was turned away. This listens to the
    signal that Scrapy sends before it starts the host's next request: a middleware would be late.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._options = crawl_of(crawler).options
        self._closed = crawl_of(crawler).closed
        self._turned_away: dict[str, set[str]] = {}
        """The URLs of each host that were turned away for long since its last good answer."""
        self._until: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make it for a crawler, and connect it to the signal of every response."""
        made = cls(crawler)
        crawler.signals.connect(made.responded, signal=signals.response_downloaded)
        return made

    def responded(self, response: Response, request: Request) -> None:
        """Hold the host back if it is busy."""
        host: str = request.meta["download_slot"]
        if response.status not in BUSY:
            self._turned_away.pop(host, None)
            return
        asked = retry_after(response.headers.get("Retry-After"), datetime.now(UTC))
        usual = self._options.back_off * 2.0 ** request.meta.get("retry_times", 0)
        if asked is not None and asked > current().limits.short_wait:
            self._asked_for_long(host, request, asked, usual)
        else:
            self._pause_host(
                host, min(usual if asked is None else asked, self._options.max_back_off)
            )

    def _asked_for_long(self, host: str, request: Request, asked: float, usual: float) -> None:
        """Let one page that wants a long wait hold nobody; what all want is the host's own wish."""
        most = self._options.max_back_off
        turned_away = self._turned_away.setdefault(host, set())
        turned_away.add(request.url)
        if len(turned_away) < current().limits.busy_urls:
            logger.warning(
                "%s asks to wait %.6g s; other pages go on meanwhile", request.url, asked
            )
            self._pause_host(host, min(usual, most))
        elif asked > most:
            logger.warning("%s asks to be left alone for %.6g s, and is", host, asked)
            self._closed[host] = time.monotonic() + asked
        else:
            logger.warning("%s asks to wait %.6g s: waiting", host, asked)
            self._pause_host(host, asked)

    def _pause_host(self, host: str, wait: float) -> None:
        downloader = self._crawler.engine.downloader
        slot = downloader.slots.get(host)
        until = time.monotonic() + wait
        if slot is None or until <= self._until.get(host, 0.0):
            return
        self._until[host] = until
        logger.info("%s is busy: nothing is asked of it for %.3g s", host, wait)
        slot.delay = min(2 * slot.delay, self._options.max_back_off)
        if slot.latercall is not None:
            slot.latercall.cancel()
        slot.latercall = call_later(wait, downloader._latercall, slot)  # noqa: SLF001 - as Scrapy


class OnlyPages:
    """Hangs up on bodies that are no pages as soon as their headers are there."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make it for a crawler, and connect it to the signal of received headers."""
        made = cls()
        crawler.signals.connect(made.headers_received, signal=signals.headers_received)
        return made

    def headers_received(self, headers: Headers, request: Request) -> None:
        """Stop a download that brings no page; the response goes on without its body."""
        content_type = (headers.get("Content-Type") or b"").decode("latin-1")
        is_wanted = request.meta.get(ROBOTS) or request.meta.get(FILE)
        if not may_be_html(content_type) and not is_wanted:
            raise StopDownload(fail=False)


def retry_after(value: bytes | None, now: datetime) -> float | None:
    """Give the seconds that a Retry-After header asks for: a number, or a date; None if neither."""
    text = (value or b"").decode("latin-1").strip()
    if text.isdecimal():
        return float(text)
    try:
        when = parsedate_to_datetime(text[:_LONGEST_DATE])
        if when.tzinfo is None:
            when = when.replace(tzinfo=UTC)
        return max(0.0, (when - now).total_seconds())
    except (ValueError, OverflowError, TypeError):  # no date, or none that a calendar has
        return None
