"""Crawling a local server: our pages a second over those of bare Scrapy, in the same run.

The rival is Scrapy with the same settings and download handler, and a plain spider that fetches
the same URLs and does nothing with them. Ours judges every reply and writes it to the archive.
"""

from __future__ import annotations

import asyncio
import logging
import random
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import Request, Spider
from scrapy.crawler import Crawler

from sitewright.site.base import Page
from sitewright.site.engine import settings
from sitewright.site.web import CrawlOptions, WebSite

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator

PAGES = 1500
REPEATS = 3
OPTIONS = CrawlOptions(concurrency=24, delay=0.0)
_SCRAPYS = "scrapy.downloadermiddlewares"


@dataclass(frozen=True, slots=True)
class Result:
    """Pages a second, and the medians of the ratios of each round."""

    ours: float
    bare: float
    ratio: float
    processor: float
    """The same by processor time: what others do on the machine does not count."""


class Speed(NamedTuple):
    """Pages a second, and pages a second of processor time."""

    pages: float
    by_processor: float


class PlainSpider(Spider):
    """Fetches the URLs it is given, and counts the answers."""

    name = "plain"
    urls: list[str]
    fetched = 0

    async def start(self) -> AsyncIterator[Any]:
        for url in self.urls:
            yield Request(url, dont_filter=True)

    def parse(self, response: object) -> None:  # noqa: ARG002 - as Scrapy calls it
        self.fetched += 1


async def bare(urls: list[str]) -> int:
    """Fetch with Scrapy alone; the settings are ours, without our parts."""
    site = WebSite(urls[0], options=OPTIONS)
    chosen = settings(site._crawl) | {  # noqa: SLF001 - the same settings are the point
        "ROBOTSTXT_OBEY": True,
        "EXTENSIONS": {},
        "DOWNLOAD_HANDLERS": {},
        "DOWNLOADER_MIDDLEWARES": {
            f"{_SCRAPYS}.robotstxt.RobotsTxtMiddleware": 100,
            f"{_SCRAPYS}.downloadtimeout.DownloadTimeoutMiddleware": 350,
            f"{_SCRAPYS}.defaultheaders.DefaultHeadersMiddleware": 400,
            f"{_SCRAPYS}.useragent.UserAgentMiddleware": 500,
            f"{_SCRAPYS}.retry.RetryMiddleware": 550,
            f"{_SCRAPYS}.redirect.RedirectMiddleware": 600,
        },
    }
    crawler = Crawler(PlainSpider, chosen)
    await crawler.crawl_async(urls=urls)
    assert isinstance(crawler.spider, PlainSpider)
    return crawler.spider.fetched


async def ours(urls: list[str]) -> int:
    """Fetch as sitewright does, the archive included."""
    with tempfile.TemporaryDirectory() as folder:
        site = WebSite(urls[0], archive=Path(folder) / "pages.warc.gz", options=OPTIONS)
        try:
            return sum(isinstance(found, Page) for found in await site.fetch(urls))
        finally:
            await site.aclose()


def rate(fetch: Callable[[list[str]], Coroutine[Any, Any, int]], urls: list[str]) -> Speed:
    """Fetch all, and give the speed."""
    begin, used = time.perf_counter(), time.process_time()
    fetched = asyncio.run(fetch(urls))
    if fetched != len(urls):
        raise RuntimeError(f"{fetch.__name__} fetched {fetched} of {len(urls)} pages")
    return Speed(fetched / (time.perf_counter() - begin), fetched / (time.process_time() - used))


def write_pages(folder: Path, count: int) -> list[str]:
    """Write pages of about 20 kB, and give their names."""
    chance = random.Random(1)
    letters = "abcdefghijklmnop"
    lexicon = ["".join(chance.choices(letters, k=chance.randint(2, 9))) for _ in range(3000)]
    names = [f"page{number}.html" for number in range(count)]
    for name in names:
        rows = "".join(_row(chance, lexicon, names) for _ in range(200))
        page = f"<!DOCTYPE html><title>{name}</title><body><table>{rows}</table></body>"
        (folder / name).write_text(page)
    (folder / "robots.txt").write_text("User-agent: *\nDisallow: /private/\n")
    return names


def _row(chance: random.Random, lexicon: list[str], names: list[str]) -> str:
    link, text = chance.choice(names), " ".join(chance.choices(lexicon, k=4))
    return f'<tr><td><a href="{link}">{text}</a></td><td>{chance.randint(0, 9999)}</td></tr>\n'


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Serve a folder from a process of its own; give the address."""
    command = [sys.executable, "-m", "examples.cup.server", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def measure(pages: int = PAGES, repeats: int = REPEATS) -> Result:
    """Crawl in turns, ours and bare, and compare."""
    with tempfile.TemporaryDirectory() as folder:
        names = write_pages(Path(folder), pages)
        with server(Path(folder)) as url:
            urls = [url + name for name in names]
            rate(bare, urls[:50])
            rate(ours, urls[:50])
            rounds = [(rate(ours, urls), rate(bare, urls)) for _ in range(repeats)]
    return Result(
        ours=statistics.median(ours.pages for ours, _ in rounds),
        bare=statistics.median(bare.pages for _, bare in rounds),
        ratio=statistics.median(ours.pages / bare.pages for ours, bare in rounds),
        processor=statistics.median(ours.by_processor / bare.by_processor for ours, bare in rounds),
    )


def main() -> None:
    """Print the ratios; 1.2 is the goal."""
    logging.getLogger("scrapy").setLevel(logging.CRITICAL)
    result = measure()
    print(
        f"crawl: {result.ours:.0f} pages/s with the archive, bare Scrapy {result.bare:.0f}: "
        f"ratio {result.ratio:.2f}, by processor time {result.processor:.2f} "
        "(goal: at least 1.2)"
    )


if __name__ == "__main__":
    main()
