"""A kind of site: SQLite databases with a table of pages, as `dump://FILE` or `FILE.pages`."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

from sitewright import Missing, Page
from sitewright.site.base import NONE_KNOWN, ClosedByContext, Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class DumpSite(ClosedByContext):
    """The rows of `page(url, html)`; the first page is the home page."""

    is_live = False

    def __init__(self, where: str) -> None:
        with closing(sqlite3.connect(where.removeprefix("dump://"))) as database:
            self._pages = dict(database.execute("SELECT url, html FROM page ORDER BY rowid"))
        self.home = next(iter(self._pages))
        self.tally: Counter[Reason] = Counter()
        self.missed: dict[str, Missing] = {}

    @staticmethod
    def recognizes(where: str) -> bool:
        """Take files that end so, beside all that begins with dump://."""
        return where.endswith(".pages")

    def page_url(self, url: str) -> str | None:
        """The page's own URL, without a fragment."""
        plain = url.partition("#")[0]
        return plain if plain in self._pages else None

    async def fetch(self, urls: Sequence[str]) -> list[Page | Missing]:
        """One outcome a URL, in order."""
        return [
            Page(url, self._pages[url].encode())
            if url in self._pages
            else Missing(url, Reason.NOT_FOUND)
            for url in urls
        ]

    def pages(self, known: Mapping[str, Page] = NONE_KNOWN) -> Iterator[Page]:
        """All pages."""
        return (known.get(url) or Page(url, html.encode()) for url, html in self._pages.items())

    def listing(self) -> Iterator[str]:
        """The URLs of all pages."""
        return iter(self._pages)
