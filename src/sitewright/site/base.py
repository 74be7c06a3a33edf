"""What every site offers: a URL for each page, pages on request, and all local pages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol, Self

from sitewright.page import Document, LocatedDocument

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType


class Reason(StrEnum):
    """Why a page is missing. The text is what people and files see."""

    OUT_OF_SCOPE = "out of scope"
    PRIVATE_ADDRESS = "private address"
    DISALLOWED = "disallowed by robots.txt"
    TRAP = "looks like a trap"
    NOT_FOUND = "not found"
    HTTP_ERROR = "http error"
    BAD_REDIRECT = "bad redirect"
    TIMED_OUT = "timed out"
    NO_ANSWER = "no answer"
    TOO_LARGE = "too large"
    NOT_HTML = "not html"
    UNREADABLE = "unreadable"
    OVER_LIMIT = "over the limit"


@dataclass(frozen=True, slots=True)
class Page:
    """A URL with its HTML, as it came."""

    url: str
    """The page's own URL in its site, after redirects: what `Site.page_url` answers for it."""
    body: bytes
    encoding: str | None = None
    """What the server declared, if it did; the document decides."""
    requested: str = ""
    """The URL that was asked for, where that was another one."""

    def document(self) -> Document:
        """Parse the page; callers keep the result, since every call parses again."""
        return Document(self.body, self.url, encoding=self.encoding)

    def located_document(self) -> LocatedDocument:
        """The same for a page whose tokens are asked for."""
        return LocatedDocument(self.body, self.url, encoding=self.encoding)


@dataclass(frozen=True, slots=True)
class Missing:
    """A page that could not be fetched, and why: an ordinary outcome, not an error."""

    url: str
    reason: Reason
    detail: str = ""


Outcome = Page | Missing
NONE_KNOWN: Final[Mapping[str, Page]] = MappingProxyType({})


class ClosedByContext:
    """Makes a site an async context manager: `async with open_site(...) as site`."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Finish: nothing that was fetched may be lost."""


class Site(Protocol):
    """Where pages come from: a live web site, a folder that mirrors one, an archive.

    A site of your own needs these members; derive from `ClosedByContext` to get the two methods of
    an async context manager.
    """

    is_live: bool
    """Whether pages are fetched from somewhere else; else all of them are local."""

    home: str
    """The URL of the page that exploration starts from."""

    @property
    def tally(self) -> Counter[Reason]:
        """How many URLs were refused or missing, by reason."""
        ...

    @property
    def missed(self) -> dict[str, Missing]:
        """What was missing so far of what was asked for or streamed, by URL."""
        ...

    def page_url(self, url: str) -> str | None:
        """Give the one URL under which the site knows this absolute URL; None if not its own.

        Two URLs with one URL are one page. The answer is a pure look at the URL: the page
        behind it may turn out to be missing.
        """
        ...

    async def fetch(self, urls: Sequence[str]) -> list[Page | Missing]:
        """Fetch these pages now, concurrently where that helps; one outcome a URL, in order."""
        ...

    def pages(self, known: Mapping[str, Page] = NONE_KNOWN) -> Iterator[Page]:
        """Stream every local page, without fetching, in an order that never changes.

        Pages that are `known`, by their URL, come from there and are not read again.
        """
        ...

    def listing(self) -> Iterator[str]:
        """Give the URLs of pages that no link need lead to, each once, always in one order.

        All pages of a folder or an archive; none of a live site, where only links tell of pages.
        """
        ...

    async def aclose(self) -> None:
        """Finish: nothing that was fetched may be lost."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...
