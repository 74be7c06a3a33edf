"""What a server said to one request, live or read back, and what that makes of the page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import printable
from typing import Final
from urllib.parse import quote, urljoin

from sitewright.site.base import Missing, Page, Reason
from sitewright.site.http_body import TooLarge, decoded
from sitewright.site.sniff import looks_like_html

HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
TRY_LATER: Final = frozenset({408, 425, 429})
"""Errors below 500 that say nothing about the page: it is asked for again in the next run."""

_CHARSET = re.compile(r";\s*charset\s*=\s*[\"']?([^\s\"';]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP response: its body is as it was sent, with the codings of its Content-Encoding."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    """Each byte is one character (Latin-1): HTTP has no other encoding, and none is lost."""
    body: bytes
    too_large: bool = False
    """The body was longer than allowed, and is left out."""

    def header(self, name: str) -> str:
        """Give the values of a header, joined as HTTP allows; empty if it is not there."""
        name = name.lower()
        return ", ".join(value for key, value in self.headers if key.lower() == name)

    def last_header(self, name: str) -> str:
        """Give the last value of a header that should come once; empty if it is not there."""
        name = name.lower()
        return next((value for key, value in reversed(self.headers) if key.lower() == name), "")

    @property
    def content_type(self) -> str:
        """What the body is said to be; servers say it twice, and browsers take the last word."""
        return self.last_header("Content-Type")

    @property
    def is_final(self) -> bool:
        """Whether asking again would give the same answer, as far as the server says."""
        return self.status < 500 and self.status not in TRY_LATER

    @property
    def is_redirect(self) -> bool:
        """Whether the reply sends the client elsewhere."""
        return self.status in REDIRECTS and bool(self.last_header("Location"))

    @property
    def target(self) -> str | None:
        """The URL that a redirect leads to, its bytes escaped as they are; None if it is none."""
        location = self.last_header("Location")
        try:
            return urljoin(self.url, quote(location.encode("latin-1"), safe=printable))
        except ValueError:  # no URL, or a header from elsewhere that is no Latin-1
            return None

    def unpacked(self, limit: int) -> bytes:
        """Give the body without its codings; raises `TooLarge` beyond `limit` bytes."""
        return decoded(self.body, self.header("Content-Encoding").split(","), limit)


def media_type(content_type: str) -> str:
    """Give the bare type of a Content-Type header."""
    return content_type.partition(";")[0].strip().lower()


def may_be_html(content_type: str) -> bool:
    """Say whether a body of this type is worth reading: a page, or of no declared type."""
    return not content_type or media_type(content_type) in HTML_TYPES


def outcome(reply: Reply, address: str, requested: str, max_size: int) -> Page | Missing:
    """Judge a reply that is not followed any further; `address` is its own canonical URL."""
    if (missing := _judged_by_status(reply, requested)) is not None:
        return missing
    content_type = reply.content_type
    if not may_be_html(content_type):
        return Missing(requested, Reason.NOT_HTML, media_type(content_type))
    if reply.too_large:
        return too_large(requested, max_size)
    try:
        body = reply.unpacked(max_size)
    except TooLarge:
        return too_large(requested, max_size)
    if not content_type and not looks_like_html(body):
        return Missing(requested, Reason.NOT_HTML, "no declared type, and no HTML")
    charset = _CHARSET.search(content_type)
    asked = requested if requested != address else ""
    return Page(address, body, charset[1] if charset else None, asked)


def _judged_by_status(reply: Reply, requested: str) -> Missing | None:
    if reply.is_redirect:
        return Missing(requested, Reason.BAD_REDIRECT, f"to {reply.last_header('Location')[:200]}")
    if reply.status in {404, 410}:
        return Missing(requested, Reason.NOT_FOUND, str(reply.status))
    if not 200 <= reply.status < 300:
        return Missing(requested, Reason.HTTP_ERROR, str(reply.status))
    return None


def too_large(requested: str, max_size: int) -> Missing:
    """Say that a page is larger than allowed."""
    return Missing(requested, Reason.TOO_LARGE, f"more than {max_size} bytes")
