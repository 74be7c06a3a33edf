"""The classes of a site's pages: which pages are theirs, and what records they hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitewright.export.scrapy.runtime.loaders import (
    RecordLoader,
    has_enough_values,
    linked_urls,
    resolver,
)
from sitewright.page.url import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scrapy import Item
    from scrapy.http import HtmlResponse


ENOUGH = 0.3
"""A page with a smaller share of what every page of its class has does not belong to it."""


@dataclass(frozen=True)
class SpiderClass:
    """Pages with one structure."""

    name: str
    url_patterns: Sequence[str]
    """Regular expressions: each for all of a URL behind its host."""
    item: type[Item] | None = None
    """What a page holds; without one, its pages only lead on to others."""
    required: Sequence[str] = ()
    """Fields that (nearly) every page of the class has."""
    marks: Sequence[str] = ()
    """XPath: what pages of the class have, and others with such URLs lack."""
    row_set: str = ""
    """In a list: the field whose rows are the records."""
    row_item: type[Item] | None = None
    """In a list: the record of a row, with what its page says of all of them."""

    @property
    def allow(self) -> list[str]:
        """The URLs of its pages on any host, for link extractors."""
        return [rf"^https?://[^/?#]+(?:{url})$" for url in self.url_patterns]

    def matches(self, url: str) -> bool:
        """Whether the URL looks like those of the class."""
        return any(re.fullmatch(one, path_and_query(url)) for one in self.url_patterns)

    def read(self, response: HtmlResponse, url: str) -> Item | None:
        """What the page holds; None if it lacks what pages of the class have."""
        if self.item is None or not all(map(response.xpath, self.marks)):
            return None
        loader = RecordLoader(self.item(), response.selector, resolver(response, url))
        loader.add_value("_url", url)
        page = loader.load_record()
        found = sum(page[name] not in (None, []) for name in self.required)
        is_list_of_nothing = bool(self.row_set) and not page[self.row_set]
        fits = found >= ENOUGH * len(self.required) and not is_list_of_nothing
        return page if fits and has_enough_values(page) else None

    def records(self, page: Item) -> Iterator[Item]:
        """The records of a page: one, or in a list one a row."""
        if self.row_item is None:
            yield page
            return
        shared = {name: value for name, value in page.items() if name != self.row_set}
        for row in page[self.row_set]:
            yield self.row_item({**shared, **row})


def records_of_page(
    page_classes: Iterable[SpiderClass], response: HtmlResponse, url: str
) -> tuple[str | None, list[Item]]:
    """The class of a page and its records: the first class that the URL and the page fit."""
    for page_class in page_classes:
        page = page_class.read(response, url) if page_class.matches(url) else None
        if page is not None:
            return page_class.name, list(page_class.records(page))
    return None, []


def page_links(
    response: HtmlResponse, url: str, regions: Iterable[str] = (), folder_index: str = ""
) -> Iterator[str]:
    """The one URL of each page that a page at `url` leads to, in some regions or anywhere."""
    for found in linked_urls(response, url, regions):
        target = page_url(found, folder_index)
        if target is not None:
            yield target


def page_url(url: str, folder_index: str = "") -> str | None:
    """The one URL of a page, however links write it; None if it is not of the web.

    Session marks and the like are dropped. Where folders are known by their index page, that is
    the page behind the URL of a folder.
    """
    found = canonical(url)
    if found is not None and folder_index and found.endswith("/"):
        return found + folder_index
    return found


def path_and_query(url: str) -> str:
    """All of a URL behind its host."""
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
