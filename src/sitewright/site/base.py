"""What every site offers: a URL for each page, pages on request, and all local pages."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from types import TracebackType

    from sitewright.page import Document, LocatedDocument


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
    OPTED_OUT = "opted out by its owner"
    ONLY_SCRIPTS = "nothing but scripts"


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
        from sitewright.page import Document  # noqa: PLC0415 - the parser is not needed for help

        return Document(self.body, self.url, encoding=self.encoding)

    def located_document(self) -> LocatedDocument:
        """The same for a page whose tokens are asked for."""
        from sitewright.page import LocatedDocument  # noqa: PLC0415 - as above

        return LocatedDocument(self.body, self.url, encoding=self.encoding)


@dataclass(frozen=True, slots=True)
class Missing:
    """A page that could not be fetched, and why: an ordinary outcome, not an error."""

    url: str
    reason: Reason
    detail: str = ""


_REFUSED = frozenset({"401", "403", "407", "429"})
_ADVICE: Mapping[Reason, str] = {
    Reason.OUT_OF_SCOPE: "Try --scope domain.",
    Reason.PRIVATE_ADDRESS: "If it is of your own network, try --allow-private.",
    Reason.DISALLOWED: "If it is your own site, try --ignore-robots.",
    Reason.NOT_FOUND: "Check the path of the URL.",
    Reason.HTTP_ERROR: "Try again later.",
    Reason.BAD_REDIRECT: "Start at the URL that it leads to, or try --scope domain.",
    Reason.TIMED_OUT: "Try again later, or with a longer --timeout.",
    Reason.NO_ANSWER: "Try the URL in a browser.",
    Reason.NOT_HTML: "Name the URL of an HTML page.",
    Reason.OPTED_OUT: "If it is your own site, try --ignore-robots.",
    Reason.ONLY_SCRIPTS: "Try --render always.",
}
"""What a person can do if there is no page for this reason."""
_CLOSER_ADVICE = {
    "no such host": "Check the host name of the URL.",
    "connection refused": "Check the port of the URL, and that a server runs there.",
    "proxy": "Check the address of --proxy, and the name and password in it.",
    "401": "Give a name and password: --auth USER:PASSWORD.",
    "407": "Put the name and password that the proxy wants into --proxy.",
    "certificate": "Check the certificate of the server, or try http://.",
}
"""The same, for some details."""


def explain_missing(missed: Collection[Missing]) -> str:
    """Say why there is no page: how many requests, what became of them, and what to do.

    ::

        12 requests, 12 refused (403). Try --user-agent.
    """
    counted = Counter(_phrase(missing) for missing in missed)
    if not counted:
        return "the home page could not be fetched"
    total = f"{len(missed)} request" + ("s" if len(missed) > 1 else "")
    what = ", ".join(f"{count} {phrase}" for phrase, count in counted.most_common(3))
    [(usual, _)] = counted.most_common(1)
    advice = next(map(advice_on, (one for one in missed if _phrase(one) == usual)))
    return f"{total}, {what}. {advice}".rstrip()


def _phrase(missing: Missing) -> str:
    name = "refused" if missing.detail in _REFUSED else str(missing.reason)
    return f"{name} ({missing.detail})" if missing.detail else name


def advice_on(missing: Missing) -> str:
    """What a person can do about a page that is missing; empty if nothing."""
    for words, advice in _CLOSER_ADVICE.items():
        if words in missing.detail:
            return advice
    if missing.reason is Reason.HTTP_ERROR and missing.detail in _REFUSED:
        return "Try --user-agent, --contact or a longer --delay; --cookie or --header for a login."
    return _ADVICE.get(missing.reason, "")


Outcome = Page | Missing
NONE_KNOWN: Final[Mapping[str, Page]] = MappingProxyType({})


def readable(site: Site, page: Page) -> Document | None:
    """Parse a page; one that is out of all proportion is missing from its site from then on."""
    document = page.document()
    if not document.refused:
        return document
    if page.url not in site.missed:
        site.missed[page.url] = too_costly(document)
        site.tally[Reason.TOO_LARGE] += 1
    return None


def address_of(site: Site, url: str) -> str:
    """The URL of the page behind one of the site's own URLs, as far as the site knows by now.

    A site that learns which URLs are one page has an `address` of its own.
    """
    address: Callable[[str], str] | None = getattr(site, "address", None)
    return url if address is None else address(url)


def fetch_date(site: Site, url: str) -> str | None:
    """When a page was fetched, in ISO 8601 and UTC; None where nobody wrote that down.

    A site whose pages have dates has a method `fetched`, which answers in seconds since 1970.
    """
    fetched: Callable[[str], float | None] | None = getattr(site, "fetched", None)
    seconds = None if fetched is None else fetched(url)
    if not seconds:
        return None
    return datetime.fromtimestamp(int(seconds), UTC).isoformat().replace("+00:00", "Z")


def is_local(site: Site) -> bool:
    """Whether no further page of a site costs a request: it is local, or all of it was fetched."""
    return not site.is_live or bool(getattr(site, "is_whole", False))


def too_costly(document: Document) -> Missing:
    """What a page is whose document was refused."""
    return Missing(document.url, Reason.TOO_LARGE, document.refused)


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
