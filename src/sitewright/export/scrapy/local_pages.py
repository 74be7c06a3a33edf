"""The local pages, each with its class, as sitewright and as Scrapy see it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sitewright.extraction import page_results
from sitewright.extraction.page_results import Extracted, ExtractionJob, PageExtractor, Rejected
from sitewright.page import Document
from sitewright.page.url import canonical, folder_url

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from scrapy.http import HtmlResponse

    from sitewright.classes import SiteModel
    from sitewright.site import Page
    from sitewright.wrapper import Wrapper


_MIRRORED_QUERY = "%3F"
"""Mirrors keep queries in the names of files; the site itself is asked with a query."""


class LocalPage:
    """A page and its class (None: it fits none), as sitewright and as Scrapy see it."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.url = served(page.url)
        self.page_class: str | None = None

    @cached_property
    def document(self) -> Document:
        """Ours, under the URL that the page has at its site."""
        return Document(self._page.body, self.url, encoding=self._page.encoding)

    @cached_property
    def response(self) -> HtmlResponse:
        """What Scrapy would hand to a spider."""
        from scrapy.http import HtmlResponse  # noqa: PLC0415 - it takes a while to load

        declared = f"; charset={self._page.encoding}" if self._page.encoding else ""
        headers = {"Content-Type": f"text/html{declared}"}
        return HtmlResponse(self.url, headers=headers, body=self._page.body)

    def judge(self, judge: PageExtractor) -> None:
        """Find its class: that of its records, or one that has no wrapper."""
        match judge.of_page(self._page):
            case Extracted(name) | Rejected(_, name, page_results.NO_WRAPPER):
                self.page_class = name


class LocalPages:
    """Streams the local pages as often as they are needed; none is kept in memory."""

    def __init__(
        self,
        model: SiteModel,
        wrappers: Mapping[str, Wrapper],
        pages: Callable[[], Iterable[Page]],
    ) -> None:
        self._judge = PageExtractor(ExtractionJob(model, wrappers))
        self._pages = pages
        self._classes: dict[str, str | None] = {}

    def known_classes(self) -> dict[str, str | None]:
        """The class of each page by its URL, as the site is asked for it."""
        for _ in self.of(()):
            pass  # pages that were read already are passed over
        return dict(self._classes)

    def all(self) -> Iterator[LocalPage]:
        """Every page."""
        yield from self._read(lambda _: True)

    def of(self, names: Collection[str]) -> Iterator[LocalPage]:
        """The pages of some classes."""
        yield from self._read(lambda name: name in names)

    def _read(self, wanted: Callable[[str | None], bool]) -> Iterator[LocalPage]:
        for page in map(LocalPage, _once(self._pages())):
            if page.url in self._classes:
                page.page_class = self._classes[page.url]
            else:
                page.judge(self._judge)
                self._classes[page.url] = page.page_class
            if wanted(page.page_class):
                yield page


def _once(pages: Iterable[Page]) -> Iterator[Page]:
    """Of a folder's URL and that of its index page, the first."""
    seen: set[str] = set()
    for page in pages:
        form = folder_url(page.url)
        if form not in seen:
            seen.add(form)
            yield page


def served(url: str) -> str:
    """The URL that a page of a mirror has at its site."""
    folder, slash, name = url.rpartition("/")
    asked = f"{folder}{slash}{name.replace(_MIRRORED_QUERY, '?', 1)}"
    return url if asked == url else canonical(asked) or url
