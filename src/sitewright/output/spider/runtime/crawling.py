"""The spider without its site: follows links within bounds and reads records from pages."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.http import HtmlResponse
from scrapy.spiders import CrawlSpider

from sitewright.output.spider.runtime.page_classes import folder_form, page_address, records_of_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scrapy import Item, Request
    from scrapy.http import Response

    from sitewright.output.spider.runtime.page_classes import PageClass


class PageClassSpider(CrawlSpider):
    """Crawls a site whose page classes are known."""

    home = ""
    """Where the crawl starts; another address of the same site: `-a home=URL`."""
    hosts: Sequence[str] = ()
    """The hosts of the site, with their ports; nothing else is fetched."""
    folder_index = ""
    page_classes: Sequence[PageClass] = ()
    """In the order in which they are tried on a page."""

    def __init__(self, *args: object, home: str = "", **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if home:
            self.home, self.hosts = home, (urlsplit(home).netloc,)
        self.start_urls = [self.home]
        self.own_hosts = frozenset(map(_bare, self.hosts))
        self._asked = {folder_form(self.home): self.home}
        self.allowed_domains = [urlsplit(f"//{host}").hostname for host in self.own_hosts]

    def within_site(self, request: Request, _response: Response) -> Request | None:
        """Drop requests to other hosts and ports, and to the other address of a page.

        `allowed_domains` would let in all subdomains. `news/` and `news/index.html` are one page:
        the first that is met counts.
        """
        if _bare(urlsplit(request.url).netloc) not in self.own_hosts:
            return None
        known = self._asked.setdefault(folder_form(request.url), request.url)
        return request if known == request.url else None

    def parse_start_url(self, response: Response, **_: object) -> Iterator[Item]:
        """The first page may hold records like any other."""
        return self.records(response)

    def parse_other(self, response: Response) -> Iterator[Item]:
        """Pages of a class without records of its own; an address may deceive."""
        return self.records(response)

    def records(self, response: Response) -> Iterator[Item]:
        """The records of a page, as its class has them; none if it fits no class."""
        url = page_address(response.url, self.folder_index) or response.url
        if not isinstance(response, HtmlResponse):
            return
        page_class, records = records_of_page(self.page_classes, response, url)
        if hasattr(self, "crawler"):  # without one, somebody only tries the selectors
            self.crawler.stats.inc_value(f"pages/{page_class or 'of no class'}")
        yield from records


def _bare(netloc: str) -> str:
    """A host with its port; a site is the same with and without `www.`."""
    return netloc.rpartition("@")[2].lower().removeprefix("www.")
