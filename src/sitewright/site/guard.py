"""The gate: what may be asked of the network at all, checked for every single request."""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast

from yarl import URL

from sitewright.page.host import is_private_host
from sitewright.page.url import UrlParts, canonical, parts
from sitewright.settings import current
from sitewright.site.base import Reason
from sitewright.site.scope import Scope, ScopeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scrapy.crawler import Crawler

    from sitewright.site.web import CrawlOptions, ReplyStore


# Crawler traps: places where a site makes up new URLs for ever.
#
# Two kinds of evidence. The *shape* of one URL: endless paths repeat themselves. And *growth*: many
# URLs of one pattern that differ only in their query, or in a date. The limits are generous, since
# a
# big site is no trap: `/players/1234.html` and its like are never counted, however many there are;
# `?id=1234` is, but twenty thousand of them are let through. What remains is bounded by the page
# limit of the site.

MAX_LENGTH: Final = 2000
"""Servers and proxies refuse longer URLs, so sites that want to be found have none."""
MAX_DEPTH: Final = 20
MAX_ROUNDS: Final = 3
"""How often a path may go through the same segments in a row: `/a/b/a/b/a/b`."""
MAX_OCCURRENCES: Final = 4
"""How often a path may hold one segment at all. Numbers are free: `/tiles/0/0/0/0/0.html`."""

_DEEP: Final = 4
"""Parts of a path from which on it may grow for ever: `/shop/a/b/c`."""

_NUMBER = re.compile(r"[0-9]+")
_TOKEN = re.compile(r"(?=[^/=&]*[0-9])(?=[^/=&]*[A-Za-z])[A-Za-z0-9-]{24,}")
_DATE_NAME = re.compile(
    r"(?:.*[_-])?(?:years?|months?|days?|dates?|weeks?|yr|mon|ymd?|cal|calendar)(?:[_-].*)?",
    re.IGNORECASE,
)
_DATE_VALUE = re.compile(r"[0-9]{4,5}-[0-9]{1,2}(?:-[0-9]{1,2})?")
_DATE_PATH = re.compile(r".*/[0-9]{4,5}(?:/[0-9]{1,2}){1,2}/?|.*/[0-9]{4,5}(?:-[0-9]{1,2}){1,2}/?")


@dataclass(frozen=True, slots=True)
class Limits:
    """How many URLs of one pattern are let through, by what sets them apart."""

    dates: int = 400
    """Calendars: more than thirty years of months, or a year of days."""
    facets: int = 1000
    """Three parameters or more: filters of a shop, whose combinations multiply."""
    tokens: int = 2000
    """Long random values: session identifiers that `canonical` does not know, or hashes."""
    queries: int = 20_000
    """Any other query: the pages of a list, the items of a shop that has one script."""
    patterns: int = 10_000
    """The most patterns kept in memory; beyond, all new ones count as one."""


@dataclass(slots=True)
class TrapCounter:
    """Remembers how many URLs of each pattern were asked for."""

    limits: Limits = field(default_factory=Limits)
    _asked: Counter[tuple[str, str]] = field(default_factory=Counter)

    def trap(self, url: str) -> str | None:
        """Say why a canonical URL, asked for the first time, looks like a trap; None if not."""
        if (why := misshapen(url)) is not None:
            return why
        growth = growth_of(url)
        if growth is None:
            return None
        kind, pattern = growth
        if growth not in self._asked and len(self._asked) >= self.limits.patterns:
            growth = (kind, "")
        limit: int = getattr(self.limits, kind)
        if self._asked[growth] >= limit:
            return f"more than {limit} URLs like {pattern}"
        self._asked[growth] += 1
        return None


@dataclass(slots=True)
class BarrenPatterns:
    """Notes URLs of one pattern whose pages say the same and lead to more of their kind only.

    What is a trap already is nothing new: months that lead to empty days are barren with them.
    A calendar without end is found so after some months, a path that grows after some steps.
    Pages of a pattern that differ in more than their numbers are content, however many there are.
    """

    _barren: Counter[str] = field(default_factory=Counter)
    _contents: dict[str, set[bytes]] = field(default_factory=dict)

    def note(self, url: str, content: Callable[[], bytes], new_urls: Iterable[str]) -> None:
        """Take in a page, what it says but for its numbers, and the new URLs that it leads to."""
        growth = _barren_kind(url)
        if growth is None or growth[0] == "queries":
            return
        pattern = growth[1]
        if any(_barren_kind(one) != growth and self.trap(one) is None for one in new_urls):
            self._barren[pattern] = 0
            return
        self._barren[pattern] += 1
        self._contents.setdefault(pattern, set()).add(content())

    def trap(self, url: str) -> str | None:
        """Say why a URL looks like a trap; None if it does not."""
        growth = _barren_kind(url)
        pages = self._barren[growth[1]] if growth is not None else 0
        if growth is None or pages < current().crawl.barren_pages:
            return None
        if 2 * len(self._contents[growth[1]]) > pages:
            return None
        return f"{pages} pages like {growth[1]} say the same and lead to nothing new"


def _barren_kind(url: str) -> tuple[str, str] | None:
    """What a URL has in common with others of a trap: its growth, or that its path is deep."""
    growth = growth_of(url)
    if growth is not None:
        return growth
    split = parts(url)
    folders = split.path.split("/")
    return ("paths", f"{split.host}/{folders[1]}/") if len(folders) > _DEEP else None


@lru_cache(maxsize=1024)
def misshapen(url: str) -> str | None:
    """Say what about the shape of a canonical URL shows that it was made without end."""
    if len(url) > MAX_LENGTH:
        return f"longer than {MAX_LENGTH} characters"
    segments = [segment for segment in parts(url).path.split("/") if segment]
    if len(segments) > MAX_DEPTH:
        return f"deeper than {MAX_DEPTH} folders"
    words = Counter(segment for segment in segments if not segment.isdecimal())
    if words and words.most_common(1)[0][1] > MAX_OCCURRENCES:
        return "the path repeats itself"
    if _repeats_segments(segments):
        return "the path goes round in circles"
    return None


def _repeats_segments(segments: list[str]) -> bool:
    """Say whether some segments, not all of them numbers, follow themselves `MAX_ROUNDS` times."""
    for period in range(1, len(segments) // MAX_ROUNDS + 1):
        equal = 0
        for here, there in zip(segments, segments[period:], strict=False):
            equal = equal + 1 if here == there and not here.isdecimal() else 0
            if equal >= period * (MAX_ROUNDS - 1):
                return True
    return False


def growth_of(url: str) -> tuple[str, str] | None:
    """Give the kind of growth that a URL can be part of, and its pattern; None if of none.

    The pattern is the host, the path with numbers and tokens folded, and the parameters' names.
    """
    split = parts(url)
    if split.query is None:
        is_date = _DATE_PATH.fullmatch(split.path) is not None
        return ("dates", f"{split.host}{_folded(split.path)}") if is_date else None
    pairs = [pair.partition("=") for pair in split.query.split("&")]
    names = "&".join(sorted({_folded(name) for name, _, _ in pairs}))
    pattern = f"{split.host}{_folded(split.path)}?{names}"
    if any(_DATE_NAME.fullmatch(name) or _DATE_VALUE.fullmatch(value) for name, _, value in pairs):
        return "dates", pattern
    if any(_TOKEN.fullmatch(value) for _, _, value in pairs):
        return "tokens", pattern
    return "facets" if len(pairs) >= 3 else "queries", pattern


def _folded(text: str) -> str:
    return _NUMBER.sub("0", _TOKEN.sub("0", text))


_PORTS = {"http": 80, "https": 443}


class Refused(Exception):
    """A request that is not made, or given up, and why."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Gate:
    """Knows the user's scope; `check` raises `Refused` for a URL that must not be asked."""

    scope: Scope
    allow_private: bool
    max_redirects: int

    def check(self, url: str, hops: Sequence[str] = ()) -> None:
        """Refuse a URL outside the scope; `hops` are the URLs whose redirects led to it."""
        self._check(self.scope, url, hops)

    def check_robots(self, url: str, hops: Sequence[str] = ()) -> None:
        """Refuse a robots.txt of another host; it need not lie under a path prefix."""
        scope = self.scope
        if scope.kind is ScopeKind.PREFIX:
            scope = Scope(scope.start, ScopeKind.HOST)
        self._check(scope, url, hops)

    def _check(self, scope: Scope, url: str, hops: Sequence[str]) -> None:
        if url in hops:
            raise Refused(Reason.BAD_REDIRECT, "goes round in circles")
        if len(hops) > self.max_redirects:
            raise Refused(Reason.BAD_REDIRECT, f"more than {self.max_redirects} in a row")
        refusal = self._refusal(scope, url)
        if refusal is None:
            return
        reason, why = refusal
        if not hops:
            raise Refused(reason, why)
        if reason is Reason.OUT_OF_SCOPE:
            reason = Reason.BAD_REDIRECT
        raise Refused(reason, f"to {url[:200]}: {why}")

    def _refusal(self, scope: Scope, url: str) -> tuple[Reason, str] | None:
        canonical_url = canonical(url)
        if canonical_url is None:
            return Reason.OUT_OF_SCOPE, "not an http or https URL"
        split = parts(canonical_url)
        if not self.allow_private and is_private_host(split.host):
            return Reason.PRIVATE_ADDRESS, split.host
        if not scope.contains(canonical_url):
            return Reason.OUT_OF_SCOPE, f"not in the {scope.kind} of {scope.start}"
        if not _client_agrees(url, split):
            return Reason.OUT_OF_SCOPE, "a URL that can be read in two ways"
        if (why := misshapen(canonical_url)) is not None:
            return Reason.TRAP, why
        return None


def _client_agrees(url: str, split: UrlParts) -> bool:
    """Say whether the HTTP client would connect where the check thinks that it does.

    A redirect is followed as it was written; if the client read another host or port out of it
    than `canonical` does, that would be a way around the gate.
    """
    try:
        read = URL(url, encoded=True)
        host, port = read.raw_host, read.port
    except ValueError:
        return False
    wanted_port = split.port or _PORTS[split.scheme]
    return (host or "").lower().rstrip(".") == split.host.strip("[]") and port == wanted_port


# One crawl of one site: what all parts of the engine share.

ROBOTS: Final = "sitewright_robots"
"""The mark, in a request's meta, of a request for robots.txt."""
FILE: Final = "sitewright_file"
"""The mark of a request for a sitemap or a feed: it need be no page, and does not count as one."""
CONDITIONAL: Final = "sitewright_conditional"
"""The mark of a request for a page that may have changed: the archive does not answer it."""
ROBOTS_MAX_AGE: Final = 24 * 3600.0
"""Seconds after which a robots.txt is asked for again before anything else is (RFC 9309, 2.4)."""


@dataclass(slots=True)
class RequestBudget:
    """Counts the URLs that were asked for, redirects on the way included, each once.

    A URL that is asked for again, after a failure or by another step, costs nothing: nor does what
    robots.txt forbids, since that is never asked for.
    """

    limit: int | None = None
    """The most URLs; None for no limit."""
    _asked: set[str] = field(default_factory=set)

    def __contains__(self, url: str) -> bool:
        return url in self._asked

    @property
    def is_spent(self) -> bool:
        """Whether no new URL may be asked for."""
        return self.limit is not None and len(self._asked) >= self.limit

    def spend(self, url: str) -> None:
        """Count a URL; raise `Refused` if there is no room for it."""
        if url not in self._asked:
            if self.is_spent:
                raise Refused(Reason.OVER_LIMIT, f"{self.limit} pages")
            self._asked.add(url)

    def give_back(self, url: str) -> None:
        """Take back what was not asked for after all."""
        self._asked.discard(url)


@dataclass(slots=True)
class Patience:
    """How long the answers to a URL are waited for, over all tries and redirects together.

    An answer that never ends would otherwise be asked for again and again. A host that lets many
    requests time out gets less time for the next ones, unless far more of them are answered.
    """

    timeout: float
    _spent: Counter[str] = field(default_factory=Counter)
    _stalled: Counter[str] = field(default_factory=Counter)
    _answered: Counter[str] = field(default_factory=Counter)

    def left(self, url: str, host: str) -> float:
        """The seconds that a URL has left; 0 if none."""
        limit = self.timeout
        if self.is_tried(host):
            limit /= max(1.0, current().limits.impatience)
        return max(0.0, limit - self._spent[url])

    def spend(self, url: str, seconds: float) -> None:
        """Note how long a try took."""
        self._spent[url] += seconds  # type: ignore[assignment]  # a Counter of seconds

    def answered(self, host: str) -> None:
        """Note a whole answer."""
        self._answered[host] += 1

    def stalled(self, url: str, host: str) -> int:
        """Note that a URL timed out: it is not asked for again. How many did, of this host."""
        self._spent[url] = self.timeout  # type: ignore[assignment]  # as above
        self._stalled[host] += 1
        return self._stalled[host]

    def is_tried(self, host: str) -> bool:
        """Whether a host stalls often."""
        limits, stalled = current().limits, self._stalled[host]
        few = limits.max_stalled_share * (stalled + self._answered[host])
        return stalled >= limits.stalled_requests and stalled > few


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
    budget: RequestBudget = field(default_factory=RequestBudget)
    patience: Patience = field(default_factory=lambda: Patience(30.0))
    traffic: Counter[str] = field(default_factory=Counter)
    """Answers that came from the network: `pages`, and `others` such as robots.txt."""
    slowed: dict[str, float] = field(default_factory=dict)
    """Hosts whose robots.txt asks for a longer delay, and which."""
    closed: dict[str, float] = field(default_factory=dict)
    """Hosts that ask to be left alone, and until when, in the time of `time.monotonic`."""

    def check_open(self, url: str) -> None:
        """Refuse a URL of a host that asks to be left alone for longer than anybody waits."""
        left = self.closed.get(slot_of(url), 0.0) - time.monotonic()
        if left > 0:
            why = f"the host asks to be left alone for {math.ceil(left)} s more"
            raise Refused(Reason.HTTP_ERROR, why)


def slot_of(url: str) -> str:
    """The name of a URL's host as Scrapy's downloader has it."""
    return parts(canonical(url) or url).host.strip("[]")


def crawl_of(crawler: Crawler) -> Crawl:
    """Give the crawl that a Scrapy crawler was started for."""
    return cast("Crawl", getattr(crawler.spider, "crawl"))  # noqa: B009 - no attribute of Spider
