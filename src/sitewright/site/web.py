"""A live web site: fetched once, politely, within its bounds, and read back ever after."""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
import tempfile
import time
import weakref
from collections import Counter, deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urljoin

from sitewright.errors import InputNotFound, InvalidInput, MissingExtra, SitewrightError
from sitewright.page.host import is_private_host
from sitewright.page.url import canonical, file_ending, parts
from sitewright.settings import current
from sitewright.site.base import NONE_KNOWN, ClosedByContext, Missing, Page, Reason
from sitewright.site.credentials import NEVER_KEPT, Credentials
from sitewright.site.guard import Crawl, Gate, Limits, Patience, Refused, RequestBudget, TrapCounter
from sitewright.site.http import Reply, outcome
from sitewright.site.optouts import (
    RESERVED,
    TDM_FILE,
    content_signals,
    page_signals,
    reservations,
)
from sitewright.site.scope import Scope, ScopeKind
from sitewright.site.scripts import (
    PageRenderer,
    Render,
    RenderingDecisions,
    is_empty_shell,
    lacks,
    looks_like_shell,
)
from sitewright.site.sitemaps import feeds_of, read_list, sitemaps_in_robots
from sitewright.site.warc import read_record, read_records
from sitewright.site.warc_writer import WarcWriter

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import BinaryIO

    from protego import Protego

    from sitewright.site.browser import Resource
    from sitewright.site.engine import Engine
    from sitewright.site.warc import WarcRecord


# How a live site is crawled: politely, unless its user says otherwise.

MiB = 1 << 20
USER_AGENT = f"sitewright/{version('sitewright')}"
"""What we are. Who crawls, only the person who does can say: see `CrawlOptions.contact`."""
DEFAULT_DELAY = 0.25
"""Seconds between two requests to a public host."""
_CONTACT = re.compile(r"https?://[!-'*-~]+|[!-'*-;=?-~]+@[!-'*-;=?-~]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlOptions:
    """Everything that can be set about a crawl; times are in seconds."""

    user_agent: str = USER_AGENT
    contact: str | None = None
    """The e-mail address or URL of the person who crawls, for the owners of sites."""
    obey_robots: bool = True
    """Keep to robots.txt (RFC 9309), its Crawl-delay included."""
    delay: float | None = None
    """The least time between two requests to a host, varied by half. None: a quarter of a second,
    and nothing on a private address, which is the user's own. With a delay, a host that answers
    slowly is asked less often."""
    concurrency: int = 4
    """The most requests to one host at a time."""
    timeout: float = 30.0
    """For the answer to one URL, from the connection to its last byte, all tries and redirects
    together. What was cut here is not asked for again in the same run."""
    max_size: int = 16 * MiB
    """The most bytes of one answer, packed and unpacked."""
    max_pages: int | None = None
    """The most requests for pages of a run, redirects on the way and failures included. Pages read
    back from the archive count as well, so that a run that is repeated, or goes on after it was
    stopped, ends with the same pages. What robots.txt forbids does not count, nor do robots.txt
    itself and retries."""
    retries: int = 2
    """How often a request is repeated after no answer, 408, 429 or 5xx."""
    max_redirects: int = 10
    back_off: float = 1.0
    """The wait after 429 or 503 without Retry-After; it doubles with each try."""
    max_back_off: float = 120.0
    """The longest wait that a Retry-After can ask for."""
    max_crawl_delay: float = 30.0
    """The longest wait that a Crawl-delay can ask for."""
    allow_private: bool = False
    """Connect to private addresses though the start URL is not one itself: for an intranet name.
    Otherwise a public name that leads to a private address is refused."""
    verify_certificates: bool = True
    cookies: bool = False
    """Keep cookies. Without, an answer depends on its URL alone, and reads back as it was."""
    environment_proxies: bool = False
    """Use the proxies of the environment. Off by default: a proxy resolves names itself, so the
    check for private addresses could not see where a request goes."""
    render: Render | str = Render.AUTO
    """Whether pages are rendered by a browser before they are read: the classes that scripts fill.
    """
    credentials: Credentials = field(default_factory=Credentials)
    """Headers, cookies, a name and password, a proxy. A proxy resolves names itself, so the check
    for names that lead to private addresses cannot see where its requests go."""
    trap_limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        for name in ("concurrency", "timeout", "max_size"):
            if getattr(self, name) <= 0:
                raise InvalidInput(name.replace("_", "-"), "must be more than 0")
        for name in ("delay", "max_pages", "retries", "max_redirects", "back_off", "max_back_off"):
            if (getattr(self, name) or 0) < 0:
                raise InvalidInput(name.replace("_", "-"), "must not be negative")
        object.__setattr__(self, "render", Render(self.render))
        if self.render is Render.ALWAYS and find_spec("playwright") is None:
            raise MissingExtra("visual", "rendering pages")
        if not self.user_agent.strip() or not self.user_agent.isprintable():
            raise InvalidInput("user-agent", "must be one line of text")
        if self.contact is not None and not _CONTACT.fullmatch(self.contact):
            raise InvalidInput("contact", "must be an e-mail address, or an http or https URL")

    @property
    def user_agent_header(self) -> str:
        """The User-Agent header: the program, and the person if `contact` names one."""
        return self.user_agent if self.contact is None else f"{self.user_agent} (+{self.contact})"


# The archive of a live site: every answer goes in, and comes back by its URL.

_NUMBER = re.compile(r"[0-9]{1,300}")
"""An archive may hold anything: a number of 5,000 digits is none that Python reads."""
LIMIT_HEADER: Final = "X-Sitewright-Size-Limit"
"""Added to an answer that was cut off: the limit that it went beyond."""


class _Entry(NamedTuple):
    offset: int
    date: float


class ReplyStore:
    """Keeps answers in a .warc.gz file; the last answer to a URL stands for it.

    Only final answers are found again: a page that failed is worth another try. An answer that was
    too large is asked for again under a higher limit.
    """

    def __init__(self, path: Path, max_size: int, never_kept: frozenset[str] = frozenset()) -> None:
        self.path = path
        self._never_kept = never_kept | {LIMIT_HEADER.lower()}
        self._max_size = max_size
        self._entries: dict[str, _Entry] = {}
        self._rendered: dict[str, int] = {}
        """Where the pages are that a browser made, by URL."""
        self._writer: WarcWriter | None = None
        self._reader: BinaryIO | None = None
        if not path.parent.is_dir():
            raise InputNotFound(str(path.parent))
        if path.exists():
            with _named(path):
                WarcWriter(path).close()  # cuts off what a killed run left unfinished
            for record in read_records(path):
                if record.kind == "conversion":
                    self._rendered[record.url] = record.offset
                    continue
                self._enter(_read(record), record.offset, record.date)

    def put(self, reply: Reply) -> None:
        """Write an answer; when this returns, it is in the file.

        A disk that is full is no fault of the page: `InvalidInput` ends the run, rather than have
        it fetch what it cannot keep.
        """
        # The mark is ours alone: a server that sends it would have its page taken for one cut off.
        headers = [one for one in reply.headers if one[0].strip().lower() not in self._never_kept]
        if reply.too_large:
            headers.append((LIMIT_HEADER, str(self._max_size)))
        with _named(self.path):
            if self._writer is None:
                self._writer = WarcWriter(self.path)
            now = datetime.now(UTC)
            place = self._writer.write_response(
                reply.url, reply.status, headers, reply.body, date=now
            )
        self._enter(reply, place.offset, now.timestamp())

    def final(self, url: str, *, max_age: float = float("inf")) -> Reply | None:
        """Give the answer to a URL that stands, unless it is older than `max_age` seconds."""
        entry = self._entries.get(url)
        if entry is None or entry.date < time.time() - max_age:
            return None
        if self._reader is None:
            self._reader = self.path.open("rb")
        record = read_record(self._reader, entry.offset)
        return _read(record) if not isinstance(record, str) else None

    def put_rendered(self, url: str, html: bytes) -> None:
        """Write the form that a browser gave to a page; an empty one adds nothing to the page."""
        with _named(self.path):
            if self._writer is None:
                self._writer = WarcWriter(self.path)
            self._rendered[url] = self._writer.write_conversion(url, html).offset

    @property
    def rendered_pages(self) -> int:
        """How many pages a browser rendered, in this run or an earlier one."""
        return len(self._rendered)

    def rendered(self, url: str) -> bytes | None:
        """The form that a browser gave to a page; None if none did."""
        if url not in self._rendered:
            return None
        if self._reader is None:
            self._reader = self.path.open("rb")
        record = read_record(self._reader, self._rendered[url])
        return None if isinstance(record, str) else record.reply.body

    def replies(self) -> Iterator[Reply]:
        """Stream the answers that stand, in the order of their URLs.

        They come in another order in each run, above all in one that goes on after a kill.
        """
        if not self._entries:
            return
        with self.path.open("rb") as file:
            for _, entry in sorted(self._entries.items()):
                record = read_record(file, entry.offset)
                if not isinstance(record, str):
                    yield _read(record)

    def date(self, url: str) -> float | None:
        """When the answer that stands for a URL was written."""
        entry = self._entries.get(url)
        return None if entry is None else entry.date

    def dates(self) -> dict[str, float]:
        """When the answers that stand were written, by URL."""
        return {url: entry.date for url, entry in self._entries.items()}

    def close(self) -> None:
        """Close the file; the store opens it again when it needs to."""
        if self._writer is not None:
            self._writer.close()
        if self._reader is not None:
            self._reader.close()
        self._writer = self._reader = None

    def _enter(self, reply: Reply, offset: int, date: float) -> None:
        self._rendered.pop(reply.url, None)
        if reply.is_final and not (reply.too_large and _limit(reply) < self._max_size):
            self._entries[reply.url] = _Entry(offset, date)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Turn an error of the system into one that names the archive."""
    try:
        yield
    except OSError as error:
        raise InvalidInput(str(path), f"cannot be written: {error.strerror or error}") from error


def _read(record: WarcRecord) -> Reply:
    reply = record.reply
    return replace(reply, too_large=True) if reply.header(LIMIT_HEADER) else reply


def _limit(reply: Reply) -> float:
    """Give the limit that an answer went beyond; one that came just now, that of today."""
    text = reply.header(LIMIT_HEADER)
    return float(text) if _NUMBER.fullmatch(text) else float("inf")


_MAX_LOADED: Final = 64 * MiB
"""So much of rendered pages and their data is kept in memory, to compare them."""
_ROBOTS_TEXT: Final = 512 * 1024
_FILES_ASKED: Final = 2
"""Files of one ending that are asked for before the others are taken for files as well."""


class LoadedData(NamedTuple):
    """An answer in JSON that a page's scripts asked for."""

    page: str
    html: bytes
    """The page as it was then shown."""
    url: str
    body: bytes


_HOSTS_AT_A_TIME: Final = 4
"""How many hosts of a domain are asked at the same time."""

logger = logging.getLogger(__name__)


class WebSite(ClosedByContext):
    """A live web site, with an archive of all that was fetched from it.

    ::

        async with WebSite("https://example.org/", archive=Path("out/pages.warc.gz")) as site:
            [home] = await site.fetch([site.home])

    What the archive holds is not fetched again, neither in this run nor in a later one, save for
    errors that may have passed. Without an archive, a temporary one lives as long as the site.
    Scrapy is started by the first fetch that needs the network, in the loop that runs then.
    """

    is_live = True

    def __init__(
        self,
        start: str,
        *,
        archive: str | os.PathLike[str] | None = None,
        scope: ScopeKind = ScopeKind.HOST,
        options: CrawlOptions | None = None,
    ) -> None:
        self.scope = Scope(start, scope)
        self.home: str = self.scope.start
        self.options = options or CrawlOptions()
        self.tally: Counter[Reason] = Counter()
        kept = _temporary_archive(self) if archive is None else Path(archive)
        secret = NEVER_KEPT if self.options.credentials else frozenset[str]()
        self._store = ReplyStore(kept, self.options.max_size, secret)
        self._crawl = _crawl(self.scope, self.options, self._store)
        self._traps = TrapCounter(self.options.trap_limits)
        self.missed: dict[str, Missing] = {}
        self._engine: asyncio.Task[Engine] | None = None
        self.listed: dict[str, float | None] = {}
        """Pages that sitemaps and feeds list, with the time of their last change where it is told.
        """
        self.lists: dict[str, int] = {}
        """Sitemaps and feeds, with the pages of this site that each lists."""
        self.renderer = PageRenderer(self._resource, self.options.timeout)
        self.signals: dict[str, frozenset[str]] = {}
        """By page: what its owner says against crawling and mining; see `optouts`."""
        self.robots_signals: frozenset[str] = frozenset()
        """What robots.txt says of the use of content."""
        self._reserved: Protego | None = None
        self._renderings = RenderingDecisions()
        self.shells: dict[str, None] = {}
        """Pages that show nothing without their scripts, and were not rendered."""
        self.loaded_data: list[LoadedData] = []
        """The data that scripts of rendered pages loaded; of many, the first."""
        self._loaded_bytes = 0
        self._files: dict[str, list[bool]] = {}
        """By the ending of a name that files have: whether those that came were pages."""

    @property
    def seconds_per_request(self) -> float:
        """The least time between two requests, with what robots.txt asks for as far as is known."""
        asked = max(self._crawl.slowed.values(), default=0.0)
        return max(self._crawl.delay, asked)

    @property
    def rendered_pages(self) -> int:
        """How many pages of the archive a browser rendered."""
        return self._store.rendered_pages

    @property
    def requests(self) -> int:
        """How many answers came from the network so far; all others were read back."""
        return self._crawl.traffic["pages"]

    def allow(self, pages: int | None) -> None:
        """Raise the limit of pages; None for no limit."""
        self._crawl.budget.limit = pages

    def page_url(self, url: str) -> str | None:
        """Give the canonical URL of a page in scope; None for all others."""
        canonical_url = canonical(url)
        return (
            canonical_url
            if canonical_url is not None and self.scope.contains(canonical_url)
            else None
        )

    async def fetch(self, urls: Sequence[str]) -> list[Page | Missing]:
        """Fetch these pages now, or read them back; one outcome a URL, in order."""
        admitted = {url: self._admitted(url) for url in dict.fromkeys(urls)}
        canonical_urls = dict.fromkeys(a for a in admitted.values() if isinstance(a, str))
        outcomes = await self._fetch_all(canonical_urls)
        results = [
            found if isinstance(found, Missing) else outcomes[found]
            for found in map(admitted.__getitem__, urls)
        ]
        self._count(results)
        return [await self._rendered(found) for found in results]

    async def _rendered(self, found: Page | Missing) -> Page | Missing:
        """The page as a browser makes it, where pages made like it need that."""
        verdict = False if isinstance(found, Missing) else self._is_rendered(found.body)
        if isinstance(found, Missing) or verdict is False:
            return found
        html = self._store.rendered(found.url)
        if html is None:
            html = await self._render(found, is_sure=verdict is True)
        if html is None:
            if is_empty_shell(found.body):
                self.shells[found.url] = None
            return found
        if verdict is None:
            self._renderings.learn(found.body, is_better=bool(html))
        return replace(found, body=html, encoding="utf-8") if html else found

    def _is_rendered(self, body: bytes) -> bool | None:
        """Whether a page is rendered; None if it must be compared with its rendering to know."""
        match self.options.render:
            case Render.ALWAYS:
                return True
            case Render.AUTO if looks_like_shell(body):
                return self._renderings.verdict(body)
        return False

    async def _render(self, page: Page, *, is_sure: bool) -> bytes | None:
        """Render a page and keep it; empty where that adds nothing, None where nothing came."""
        html, loaded = await self.renderer.html(page)
        if html is None:
            return None
        self._note_data(page.url, html, loaded)
        kept = html if is_sure or lacks(page.body, html) else b""
        self._store.put_rendered(page.url, kept)
        return kept

    def _note_data(self, url: str, html: bytes, loaded: list[str]) -> None:
        """Note which of the files that a page loaded are data."""
        for one in loaded:
            reply = self._store.final(canonical(one) or one)
            if reply is not None and "json" in reply.content_type.lower():
                with suppress(ValueError):
                    body = reply.unpacked(self.options.max_size)
                    self._loaded_bytes += len(html) + len(body)
                    if self._loaded_bytes <= _MAX_LOADED:
                        self.loaded_data.append(LoadedData(url, html, one, body))

    async def _resource(self, url: str) -> Resource | None:
        """Something that a page loads while it is rendered, under the same rules as pages."""
        from sitewright.site.browser import Resource  # noqa: PLC0415 - the browser is an extra

        canonical_url = canonical(url)
        if canonical_url is None:
            return None
        reply = self._store.final(canonical_url)
        try:
            self._crawl.gate.check_robots(canonical_url)
            if reply is None:
                reply = await (await self._running_engine()).fetch_file(canonical_url)
            if reply.status != HTTPStatus.OK:
                return None
            return Resource(reply.unpacked(self.options.max_size), reply.content_type)
        except SitewrightError:
            raise
        except Exception as error:
            logger.info("%s: not loaded (%s)", url, error)
            return None

    def pages(self, known: Mapping[str, Page] = NONE_KNOWN) -> Iterator[Page]:
        """Stream every page of the archive that lies in scope, each once, by their URLs."""
        seen: set[str] = set()
        for reply in self._store.replies():
            url = self.page_url(reply.url)
            if url is None or url in seen:
                continue
            found = known.get(url) or self._outcome(reply, url)
            if isinstance(found, Page):
                seen.add(url)
                yield found if url in known else self._as_rendered(found)

    def _as_rendered(self, page: Page) -> Page:
        """A page of the archive in the form that a browser gave it, if one did."""
        html = self._store.rendered(page.url) if self.options.render is not Render.NEVER else None
        return replace(page, body=html, encoding="utf-8") if html else page

    def listing(self) -> Iterator[str]:
        """Give the pages that sitemaps and feeds list; see `read_lists`."""
        return iter(self.listed)

    async def read_lists(self, home: Page | None = None, *, anew: bool = False) -> None:
        """Read the site's sitemaps, and the feeds that its home page names.

        robots.txt says where sitemaps are; where it names none, `/sitemap.xml` is tried. All of
        them pass the same gate as pages, and do not count as such. With `anew` the server is asked
        for them, whatever the archive has.
        """
        limits = current().limits
        waiting = deque(await self._named_sitemaps())
        if home is not None:
            waiting.extend(feeds_of(home.body, home.url)[: limits.max_feeds])
        seen: set[str] = set()
        while waiting and len(seen) < limits.max_sitemaps:
            url = waiting.popleft()
            if url in seen:
                continue
            seen.add(url)
            body = await self._file(url, anew=anew)
            if body is None:
                continue
            most = limits.max_waiting_urls - len(self.listed)
            found = read_list(body, url, most=most, limit=self.options.max_size)
            waiting.extend(found.lists)
            pages = [page for page in found.pages if self.page_url(page.url) == page.url]
            if pages:
                self.lists[url] = len(pages)
            for page in pages:
                self.listed[page.url] = page.changed

    async def read_reservations(self, *, anew: bool = False) -> None:
        """Read which parts of the site its owner reserves from text and data mining."""
        body = await self._file(urljoin(self.home, TDM_FILE), anew=anew)
        self._reserved = None if body is None else reservations(body)

    async def _named_sitemaps(self) -> list[str]:
        robots = urljoin(self.home, "/robots.txt")
        reply = self._store.final(robots)
        body = await self._file(robots) if reply is None else reply.unpacked(self.options.max_size)
        is_there = body is not None and (reply is None or reply.status == HTTPStatus.OK)
        text = body.decode("utf-8", "replace") if body is not None and is_there else ""
        self.robots_signals = content_signals(text[:_ROBOTS_TEXT])
        named = filter(None, map(canonical, sitemaps_in_robots(text[:_ROBOTS_TEXT])))
        return list(named) or [urljoin(self.home, "/sitemap.xml")]

    async def _file(self, url: str, *, anew: bool = False) -> bytes | None:
        """The bytes of a sitemap or feed; whatever goes wrong, the crawl does without it."""
        reply = None if anew else self._store.final(url)
        try:
            self._crawl.gate.check_robots(url)
            if reply is None:
                reply = await (await self._running_engine()).fetch_file(url, anew=anew)
            return reply.unpacked(self.options.max_size) if reply.status == HTTPStatus.OK else None
        except SitewrightError:
            raise
        except Exception as error:
            logger.info("%s: no list of pages (%s)", url, error)
            return None

    async def refresh(self, max_age: float | None = None) -> RefreshedPages:
        """Ask for the pages of the archive that may have changed since they were fetched.

        A sitemap's `lastmod` that is older than the page is taken for its word; then a page that
        is younger than `max_age` seconds is left alone; then the server is asked with the page's
        ETag and Last-Modified, and answers 304 where nothing has changed.
        """
        known = list(self._kept_pages())
        due = [url for url, date in known if not self._is_fresh(url, date, max_age)]
        changed = gone = 0
        for url in due:
            before = self._store.final(url)
            validators = {} if before is None else _validators(before)
            after = await self._asked_again(url, validators)
            if after is None or (before is not None and after.body == before.body):
                continue
            is_gone = after.status in {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}
            gone, changed = gone + is_gone, changed + (not is_gone)
        return RefreshedPages(len(known), len(due), changed, gone)

    def fetched(self, url: str) -> float | None:
        """When the answer that stands for a URL came, in seconds since 1970."""
        return self._store.date(url)

    def _kept_pages(self) -> Iterator[tuple[str, float]]:
        """The pages of the archive, with the time when each was fetched."""
        for url, date in self._store.dates().items():
            reply = self._store.final(url) if self.page_url(url) == url else None
            if reply is not None and isinstance(self._outcome(reply, url), Page):
                yield url, date

    def _is_fresh(self, url: str, date: float, max_age: float | None) -> bool:
        """Whether a page need not be asked for again, by the sitemap or by its age."""
        changed = self.listed.get(url)
        is_young = max_age is not None and time.time() - date < max_age
        return is_young or (changed is not None and changed < date)

    async def _asked_again(self, url: str, validators: dict[str, str]) -> Reply | None:
        """The new answer; None where nothing has changed, or nobody can say."""
        try:
            reply = await (await self._running_engine()).ask_again(url, validators)
        except SitewrightError:
            raise
        except Exception as error:
            logger.info("%s: not refreshed (%s)", url, error)
            return None
        return reply if reply.is_final and reply.status != HTTPStatus.NOT_MODIFIED else None

    async def aclose(self) -> None:
        """Stop the engine; what was fetched is in the archive already."""
        starting, self._engine = self._engine, None
        await self.renderer.aclose()
        try:
            if starting is not None and starting.get_loop() is asyncio.get_running_loop():
                await (await starting).stop()
        finally:
            self._store.close()

    def _admitted(self, url: str) -> str | Missing:
        """Give the URL to fetch, or say why this URL is not to be fetched."""
        canonical_url = canonical(url) or url
        try:
            self._crawl.gate.check(canonical_url)
            self._check_reserved(canonical_url)
        except Refused as refused:
            return Missing(canonical_url, refused.reason, refused.detail)
        budget = self._crawl.budget
        if canonical_url in budget:
            return canonical_url
        if (ending := file_ending(canonical_url)) and self._is_no_page(ending):
            return Missing(canonical_url, Reason.NOT_HTML, f"as other .{ending} files")
        if not budget.is_spent and (why := self._traps.trap(canonical_url)) is not None:
            return Missing(canonical_url, Reason.TRAP, why)
        try:
            budget.spend(canonical_url)
        except Refused as refused:
            return Missing(canonical_url, refused.reason, refused.detail)
        return canonical_url

    def _check_reserved(self, url: str) -> None:
        """Note a page that its owner reserves, and refuse it unless the user says otherwise."""
        if self._reserved is not None and not self._reserved.can_fetch(url, "*"):
            self.signals[url] = frozenset({RESERVED})
            if self.options.obey_robots:
                raise Refused(Reason.OPTED_OUT, RESERVED)

    def _is_no_page(self, ending: str) -> bool:
        """Whether files with this ending are no pages here: a few were asked for, and none was."""
        came = self._files.get(ending, [])
        return len(came) >= _FILES_ASKED and not any(came)

    async def _fetch_all(self, urls: Iterable[str]) -> dict[str, Page | Missing]:
        """Read back what can be, and fetch the rest with as many workers as the site allows."""
        outcomes: dict[str, Page | Missing] = {}
        unread: list[str] = []
        for url in urls:
            reply = self._store.final(url)
            if reply is None or reply.is_redirect:
                unread.append(url)
            else:
                outcomes[url] = self._outcome(reply, url)
                await asyncio.sleep(0)
        if unread:
            await self._fetch_live(unread, outcomes)
        return outcomes

    async def _fetch_live(self, urls: list[str], outcomes: dict[str, Page | Missing]) -> None:
        engine = await self._running_engine()
        queue = iter(urls)

        async def work() -> None:
            for url in queue:
                outcomes[url] = await self._fetch_one(engine, url)

        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(min(len(urls), self._crawl.total_concurrency)):
                    workers.create_task(work())
        except ExceptionGroup as group:
            raise group.exceptions[0] from None

    async def _fetch_one(self, engine: Engine, url: str) -> Page | Missing:
        """Fetch one page through the engine; whatever goes wrong with it is an outcome."""
        # It is loaded with the engine: who reads an archive back does not wait for Scrapy.
        from sitewright.site.engine import failure  # noqa: PLC0415

        try:
            reply = await engine.fetch(url)
        except SitewrightError:
            raise
        except Exception as error:
            reason, detail = failure(error)
            logger.debug("%s: %s (%s)", url, reason, detail, exc_info=error)
            return Missing(url, reason, detail)
        return self._outcome(reply, url)

    def _outcome(self, reply: Reply, requested: str) -> Page | Missing:
        own = canonical(reply.url) or requested
        found = outcome(reply, own, requested, self.options.max_size)
        if isinstance(found, Missing):
            return found
        signals = page_signals(reply, found.body)
        if signals:
            self.signals[own] = signals
        if RESERVED in signals and self.options.obey_robots:
            return Missing(requested, Reason.OPTED_OUT, RESERVED)
        return found

    def _count(self, outcomes: Iterable[Page | Missing]) -> None:
        """Count what is missing, each URL once."""
        for found in outcomes:
            if ending := file_ending(found.url):
                self._files.setdefault(ending, []).append(isinstance(found, Page))
            if isinstance(found, Missing) and found.url not in self.missed:
                self.missed[found.url] = found
                self.tally[found.reason] += 1

    async def _running_engine(self) -> Engine:
        """Give the engine of the running loop; one that ran in another loop ended with it."""
        loop = asyncio.get_running_loop()
        starting = self._engine
        if starting is None or starting.get_loop() is not loop:
            from sitewright.site.engine import Engine  # noqa: PLC0415 - Scrapy takes a while to load

            starting = self._engine = loop.create_task(Engine.start(self._crawl))
        try:
            return await asyncio.shield(starting)
        except Exception:
            self._engine = None
            raise


class RefreshedPages(NamedTuple):
    """How a refresh went."""

    known: int
    """Pages of the archive."""
    asked: int
    """Those that the server was asked about."""
    changed: int
    gone: int

    def __str__(self) -> str:
        return (
            f"{self.asked:,} of {self.known:,} pages were asked for again: "
            f"{self.changed:,} changed, {self.gone:,} gone"
        )


def _validators(reply: Reply) -> dict[str, str]:
    """The headers by which a server knows which version of a page we have."""
    given = {"If-None-Match": "ETag", "If-Modified-Since": "Last-Modified"}
    return {ask: value for ask, name in given.items() if (value := reply.last_header(name))}


def delay_between_requests(start: str, options: CrawlOptions) -> float:
    """The least seconds between two requests to the host of a canonical URL."""
    if options.delay is not None:
        return options.delay
    return 0.0 if is_private_host(parts(start).host) else DEFAULT_DELAY


def _crawl(scope: Scope, options: CrawlOptions, store: ReplyStore) -> Crawl:
    private = is_private_host(parts(scope.start).host)
    hosts = _HOSTS_AT_A_TIME if scope.kind is ScopeKind.DOMAIN else 1
    return Crawl(
        gate=Gate(scope, private or options.allow_private, options.max_redirects),
        options=options,
        store=store,
        delay=delay_between_requests(scope.start, options),
        total_concurrency=options.concurrency * hosts,
        budget=RequestBudget(options.max_pages),
        patience=Patience(options.timeout),
    )


def _temporary_archive(site: WebSite) -> Path:
    """Make room for an archive that is removed together with the site."""
    folder = tempfile.mkdtemp(prefix="sitewright-")
    weakref.finalize(site, shutil.rmtree, folder, ignore_errors=True)
    return Path(folder) / "pages.warc.gz"
