"""How fast a host is asked: slower when it is slow, and not at all while it asks for a rest."""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final, Self

from scrapy import signals
from scrapy.exceptions import StopDownload
from scrapy.extensions.throttle import AutoThrottle
from scrapy.utils.asyncio import call_later

from sitewright.site.reply import may_be_html
from sitewright.site.web.crawl import ROBOTS, crawl_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.core.downloader import Slot
    from scrapy.crawler import Crawler
    from scrapy.http import Headers, Response

BUSY: Final = frozenset({429, 503})

logger = logging.getLogger(__name__)


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
        self._until: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make it for a crawler, and have it told of every response."""
        made = cls(crawler)
        crawler.signals.connect(made.responded, signal=signals.response_downloaded)
        return made

    def responded(self, response: Response, request: Request) -> None:
        """Hold the host back if it is busy."""
        if response.status not in BUSY:
            return
        host: str = request.meta["download_slot"]
        wait = retry_after(response.headers.get("Retry-After"), datetime.now(UTC))
        if wait is None:
            wait = self._options.back_off * 2.0 ** request.meta.get("retry_times", 0)
        self._hold(host, min(wait, self._options.max_back_off))

    def _hold(self, host: str, wait: float) -> None:
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
        """Make it for a crawler, and have it told of every answer's headers."""
        made = cls()
        crawler.signals.connect(made.headers_received, signal=signals.headers_received)
        return made

    def headers_received(self, headers: Headers, request: Request) -> None:
        """Stop a download that brings no page; the response goes on without its body."""
        content_type = (headers.get("Content-Type") or b"").decode("latin-1")
        if not may_be_html(content_type) and not request.meta.get(ROBOTS):
            raise StopDownload(fail=False)


def retry_after(value: bytes | None, now: datetime) -> float | None:
    """Give the seconds that a Retry-After header asks for: a number, or a date; None if neither."""
    text = (value or b"").decode("latin-1").strip()
    if text.isdecimal():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())
