"""The spider without its site: follows links within bounds and reads records from pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.link import Link
from scrapy.spiders import CrawlSpider

from sitewright.export.scrapy.runtime.page_classes import page_links, page_url, records_of_page
from sitewright.page.url import folder_pattern, folder_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scrapy import Item, Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from sitewright.export.scrapy.runtime.page_classes import SpiderClass


class SiteLinkExtractor:
    """Finds the links that a rule follows, under the URLs that the page classes have.

    The extractor of Scrapy would write some of them otherwise: it knows a page's `<base>` only at
    its beginning, and drops what the encoding of a page lacks.
    """

    def __init__(
        self,
        allow: Sequence[str] = (),
        restrict_xpaths: Sequence[str] = (),
        folder_index: str = "",
    ) -> None:
        self._allowed = [re.compile(pattern) for pattern in allow]
        self._regions = restrict_xpaths
        self._folder_index = folder_index

    def extract_links(self, response: Response) -> list[Link]:
        """The links of a page to pages with an allowed URL, each once."""
        if not isinstance(response, HtmlResponse):
            return []
        found = page_links(response, response.url, self._regions, self._folder_index)
        return [Link(url) for url in dict.fromkeys(found) if self.matches(url)]

    def matches(self, url: str) -> bool:
        """Whether a URL is allowed."""
        return not self._allowed or any(pattern.search(url) for pattern in self._allowed)


class PageClassSpider(CrawlSpider):
    """Crawls a site whose page classes are known."""

    home = ""
    """Where the crawl starts; another URL of the same site: `-a home=URL`."""
    hosts: Sequence[str] = ()
    """The hosts of the site, with their ports; nothing else is fetched."""
    folder_index = ""
    same_content: Sequence[tuple[str, str]] = ()
    """Folders and the parameters that change nothing on pages there, or do so with one value
    (`page=1`): they are taken off."""
    filters: Sequence[tuple[str, str]] = ()
    """Folders and the parameters that only choose among what is known: not followed."""
    page_classes: Sequence[SpiderClass] = ()
    """In the order in which they are tried on a page."""

    def __init__(self, *args: object, home: str = "", **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if home:
            self.home, self.hosts = home, (urlsplit(home).netloc,)
        self.start_urls = [self.home]
        self.own_hosts = frozenset(map(_bare, self.hosts))
        self._asked = {folder_url(self.home)}
        self._read: set[str] = set()
        self.allowed_domains = [urlsplit(f"//{host}").hostname for host in self.own_hosts]

    def within_site(self, request: Request, _response: Response) -> Request | None:
        """Drop requests to other hosts and ports, and to the other URL of a page.

        `news/` and `news/index.html` are one page: the first that is met counts. Parameters that
        were seen to change nothing are taken off.
        """
        url = self._without_parameters(request.url)
        if url is None or not self.is_own(url) or not _is_new(url, self._asked):
            return None
        return request if url == request.url else request.replace(url=url)

    def _without_parameters(self, url: str) -> str | None:
        """A URL without parameters that change nothing; None if one only filters a list."""
        path, _, query = url.partition("?")
        if not query:
            return url
        where = folder_pattern(path)
        named = [((where, one.partition("=")[0]), one) for one in query.split("&")]
        if any(place in self.filters for place, _ in named):
            return None
        known = self.same_content
        kept = [one for place, one in named if place not in known and (where, one) not in known]
        return f"{path}?{'&'.join(kept)}" if kept else path

    def is_own(self, url: str) -> bool:
        """Whether a URL is of the site: `allowed_domains` would let in all subdomains."""
        return _bare(urlsplit(url).netloc) in self.own_hosts

    def parse_start_url(self, response: Response, **_: object) -> Iterator[Item]:
        """The first page may hold records like any other."""
        return self.records(response)

    def parse_other(self, response: Response) -> Iterator[Item]:
        """Pages of a class without records of its own; a URL may deceive."""
        return self.records(response)

    def records(self, response: Response) -> Iterator[Item]:
        """The records of a page, as its class has them; none if it fits no class.

        A page is read once, though redirects lead to it from several URLs.
        """
        url = page_url(response.url, self.folder_index) or response.url
        if not isinstance(response, HtmlResponse) or not _is_new(url, self._read):
            return
        page_class, records = records_of_page(self.page_classes, response, url)
        if hasattr(self, "crawler"):  # without one, somebody only tries the selectors
            self.crawler.stats.inc_value(f"pages/{page_class or 'of no class'}")
        yield from records


class WithinSite:
    """Downloader middleware: nothing outside the site is fetched, wherever redirects lead."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WithinSite:
        """Made by Scrapy."""
        return cls(crawler)

    def process_request(self, request: Request, spider: object = None) -> None:
        """Drop requests to other hosts and ports; older versions of Scrapy give the spider, too."""
        del spider
        own = self._crawler.spider
        if isinstance(own, PageClassSpider) and not own.is_own(request.url):
            raise IgnoreRequest(f"outside the site: {request.url}")


def _is_new(url: str, seen: set[str]) -> bool:
    """Whether a page was not seen yet; from now on it was."""
    form = folder_url(url)
    if form in seen:
        return False
    seen.add(form)
    return True


def _bare(netloc: str) -> str:
    """A host with its port; a site is the same with and without `www.`."""
    return netloc.rpartition("@")[2].lower().removeprefix("www.")
