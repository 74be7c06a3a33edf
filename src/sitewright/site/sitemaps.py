"""Sitemaps and feeds: lists of a site's pages that are no pages themselves.

Both are XML from strangers. Nothing is expanded, included or fetched while they are read: each URL
is found by the tags around it, in time and memory in proportion to the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import unescape
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from sitewright.page.url import canonical
from sitewright.site.http import decoded

if TYPE_CHECKING:
    from collections.abc import Iterator


GZIP = b"\x1f\x8b"
_ROBOTS_LINE = re.compile(
    r"^[ \t]*sitemap[ \t]*:[ \t]*(\S{1,4000})[ \t\r]*$", re.IGNORECASE | re.MULTILINE
)
"""`\\s` would run over the ends of lines: a file of empty lines took time in their square."""
_ENTRY = re.compile(rb"<(?:[\w-]{1,40}:)?(url|sitemap|item|entry)(?=[\s>])", re.IGNORECASE)
_LOCATION = re.compile(
    rb"<(?:[\w-]{1,40}:)?(?:loc|link)\s*>\s*([^<]{1,9000}|<!\[CDATA\[.{1,9000}?\]\]>)\s*<",
    re.IGNORECASE | re.DOTALL,
)
_LINK_TAG = re.compile(rb"<(?:[\w-]{1,40}:)?link\b([^>]{0,9000})>", re.IGNORECASE)
_HREF = re.compile(rb"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_REL = re.compile(rb"""\brel\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_DATE = re.compile(
    rb"<(?:[\w-]{1,40}:)?(?:lastmod|updated|pubdate|date)\s*>\s*([^<]{1,100})<", re.IGNORECASE
)
_FEED_LINK = re.compile(
    rb"<link\b(?=[^>]{0,2000}\btype\s*=\s*[\"']?application/(?:rss|atom)\+xml)([^>]{0,2000})>",
    re.IGNORECASE,
)
_HEAD = 1 << 16
_LONGEST_ENTRY = 20_000


class ListedPage(NamedTuple):
    """A page that a sitemap or a feed lists."""

    url: str
    changed: float | None = None
    """When it was last changed, in seconds since 1970, if the list says so."""


@dataclass(frozen=True, slots=True)
class PageList:
    """What a sitemap or a feed holds."""

    pages: tuple[ListedPage, ...] = ()
    lists: tuple[str, ...] = ()
    """Further sitemaps, of an index of sitemaps."""
    is_feed: bool = False


def sitemaps_in_robots(text: str) -> list[str]:
    """The sitemaps that a robots.txt names, each once."""
    return list(dict.fromkeys(_ROBOTS_LINE.findall(text)))


def feeds_of(body: bytes, url: str) -> list[str]:
    """The feeds that a page names, each once."""
    found = (_attribute(_HREF, match[1]) for match in _FEED_LINK.finditer(body, 0, _HEAD))
    return list(dict.fromkeys(filter(None, (_absolute(one, url) for one in found if one))))


def read_list(body: bytes, url: str, *, most: int, limit: int) -> PageList:
    """Read a sitemap, an index of sitemaps, a feed, or a plain list of URLs; gzip or not.

    At most `most` pages are taken, of at most `limit` bytes.
    """
    if body.startswith(GZIP):
        try:
            body = decoded(body, ["gzip"], limit)
        except ValueError:  # a bomb
            return PageList()
    if b"<" not in body[:_HEAD]:
        lines = (line.strip().decode("utf-8", "replace") for line in body.splitlines()[:most])
        urls = dict.fromkeys(filter(None, map(canonical, lines)))
        return PageList(tuple(map(ListedPage, urls)))
    pages: dict[str, ListedPage] = {}
    lists: dict[str, None] = {}
    is_feed = False
    for kind, entry in _entries(body):
        is_feed = is_feed or kind in {b"item", b"entry"}
        if len(pages) + len(lists) >= most:
            break
        location = _absolute(_location(entry), url)
        if location is None:
            continue
        if kind == b"sitemap":
            lists[location] = None
        else:
            pages.setdefault(location, ListedPage(location, _changed(entry)))
    return PageList(tuple(pages.values()), tuple(lists), is_feed)


def _entries(body: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The parts of a list, each from its tag to the next one."""
    found = list(_ENTRY.finditer(body))
    ends = [*(match.start() for match in found[1:]), len(body)][: len(found)]
    for match, end in zip(found, ends, strict=True):
        yield match[1].lower(), body[match.start() : min(end, match.start() + _LONGEST_ENTRY)]


def _location(entry: bytes) -> str | None:
    """The URL of an entry: `<loc>` and `<link>` hold it, Atom's `<link>` has an attribute."""
    if (match := _LOCATION.search(entry)) is not None:
        text = match[1].removeprefix(b"<![CDATA[").removesuffix(b"]]>")
        return unescape(text.decode("utf-8", "replace")).strip()
    for tag in _LINK_TAG.finditer(entry):
        relation = _attribute(_REL, tag[1])
        if relation in {None, "alternate"} and (href := _attribute(_HREF, tag[1])):
            return href
    return None


def _attribute(pattern: re.Pattern[bytes], tag: bytes) -> str | None:
    match = pattern.search(tag)
    if match is None:
        return None
    return unescape(next(filter(None, match.groups()), b"").decode("utf-8", "replace"))


def _absolute(written: str | None, url: str) -> str | None:
    try:
        return canonical(urljoin(url, written)) if written else None
    except ValueError:
        return None


def _changed(entry: bytes) -> float | None:
    """When an entry says that its page was changed: W3C's form of dates, or that of mails."""
    match = _DATE.search(entry)
    if match is None:
        return None
    text = match[1].decode("ascii", "replace").strip()
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        try:
            when = parsedate_to_datetime(text)
        except (ValueError, TypeError, OverflowError):
            return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    try:
        return when.timestamp()
    except (ValueError, OverflowError, OSError):
        return None
