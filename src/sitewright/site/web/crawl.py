"""One crawl of one site: what all parts of the engine share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from sitewright.site.web.gate import Gate
    from sitewright.site.web.options import CrawlOptions
    from sitewright.site.web.store import ReplyStore

ROBOTS: Final = "sitewright_robots"
"""The mark, in a request's meta, of a request for robots.txt."""
ROBOTS_MAX_AGE: Final = 24 * 3600.0
"""Seconds after which a robots.txt is asked for again before anything else is (RFC 9309, 2.4)."""


@dataclass(frozen=True, slots=True)
class Crawl:
    """What the parts of the engine share."""

    gate: Gate
    options: CrawlOptions
    store: ReplyStore
    delay: float
    """Between two requests to a host; 0 for none."""
    total_concurrency: int
    """The most requests at a time, over all hosts of the site."""


def crawl_of(crawler: Crawler) -> Crawl:
    """Give the crawl that a Scrapy crawler was started for."""
    return cast("Crawl", getattr(crawler.spider, "crawl"))  # noqa: B009 - no attribute of Spider
