"""What a server said to one request, live or read back, and what that makes of the page."""

from __future__ import annotations

import re
import warnings
import zlib
from dataclasses import dataclass
from io import BytesIO
from string import printable
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urljoin

from sitewright.site.base import Missing, Page, Reason

# FastWARC warns of its own old names on every import. Programs that turn warnings into errors, as
# test suites do, could not import sitewright otherwise.
with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import fastwarc as fastwarc  # noqa: PLC0414 - other modules import it from here
    import fastwarc.stream_io

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


# Telling pages from other files, where nobody says what they are.

# How browsers do it (WHATWG MIME sniffing, 7.1), with the tags that real pages begin with added.
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--|(?:<\?xml[^>]*>\s*(?:<!--.{0,400}?-->\s*)?)?"
    rb"<(?:!doctype\s+html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p"
    rb"|meta|link|ul|section|main|center)[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_WIDE_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}

SNIFFED = 1024
"""How many bytes are looked at."""


def looks_like_html(body: bytes) -> bool:
    """Say whether a file begins as a page does."""
    head = body[:SNIFFED]
    encoding = _WIDE_MARKS.get(head[:2])
    if encoding is not None:
        head = head[2:].decode(encoding, "replace").encode()
    return _HTML.match(head) is not None


def looks_binary(body: bytes) -> bool:
    """Say whether a file that is called a page is a picture, an archive or other noise."""
    head = body[:SNIFFED]
    if len(_CONTROLS.findall(head)) <= _MAX_CONTROLS * len(head):
        return False
    # In UTF-16 every other byte of English is one; a mark at the start need not be there.
    return head[:2] not in _WIDE_MARKS and _TAG.search(head.replace(b"\0", b"")) is None


_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MAX_CONTROLS = 0.05
_TAG = re.compile(rb"<(?:!doctype|!--|/?[a-z][a-z0-9]*[\s>])", re.IGNORECASE)

# The bodies of HTTP responses as archives keep them: chunked, compressed, or neither any more.

_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,16})[^\r\n]{0,1024}\r?\n")


_MAX_CODINGS = 8
"""Nobody compresses what is compressed; each layer of hundreds costs time and memory."""


class TooLarge(ValueError):
    """A body that is larger than the limit, once decoded."""


class TooManyCodings(ValueError):
    """A body that is said to be packed in more layers than anybody packs."""


def decoded(payload: bytes, codings: Iterable[str], limit: int) -> bytes:
    """Undo the codings, the last one first; raise `TooLarge` beyond `limit` bytes.

    Hundreds of layers are nothing but an attack: `TooManyCodings`.

    A coding that does not fit the bytes was undone before they were archived, as many crawlers
    do without touching the header: the bytes are left as they are. So are they for a coding that
    nobody knows. A body that breaks off gives what is there, as in a browser.
    """
    named = [coding for coding in codings if coding.strip()]
    if len(named) > _MAX_CODINGS:
        raise TooManyCodings
    for coding in reversed(named):
        decode = _DECODERS.get(coding.strip().lower())
        if decode is not None and len(payload) <= limit:
            payload = decode(payload, limit) or payload
    if len(payload) > limit:
        raise TooLarge
    return payload


def is_encoded(payload: bytes, codings: Iterable[str], limit: int) -> bool:
    """Say whether the bytes are in these codings, as their header claims."""
    try:
        return decoded(payload, codings, limit) != payload
    except ValueError:
        return True


def _dechunked(payload: bytes, limit: int) -> bytes | None:
    """Join the chunks; bytes that begin like one but do not go on like one were never chunked."""
    chunks: list[bytes] = []
    position = 0
    while position < len(payload):
        size = _CHUNK_SIZE.match(payload, position)
        if size is None:
            return None
        length = min(int(size[1], 16), limit)
        chunks.append(payload[size.end() : size.end() + length])
        position = size.end() + length + 2
        if length == 0:
            break
    return b"".join(chunks)


def _inflated(payload: bytes, limit: int) -> bytes | None:
    """Undo gzip, or deflate in its zlib wrapping."""
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(payload, limit + 1)
    except zlib.error:
        return None


def _deflated(payload: bytes, limit: int) -> bytes | None:
    """Undo deflate with its wrapping, or bare as some servers send it."""
    inflated = _inflated(payload, limit)
    if inflated is not None:
        return inflated
    bare = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        inflated = bare.decompress(payload, limit + 1)
    except zlib.error:
        return None
    # Without a wrapping there is no mark to know it by, so only a clean end counts.
    return inflated if bare.eof or len(inflated) > limit else None


def _unbrotlied(payload: bytes, limit: int) -> bytes | None:
    return _read(fastwarc.stream_io.BrotliReader(BytesIO(payload)), limit)


def _unzstded(payload: bytes, limit: int) -> bytes | None:
    return _read(fastwarc.stream_io.ZstdReader(BytesIO(payload)), limit)


def _read(reader: fastwarc.stream_io.WarcReader, limit: int) -> bytes | None:
    try:
        return reader.read(limit + 1)
    except OSError:
        return None


_DECODERS: dict[str, Callable[[bytes, int], bytes | None]] = {
    "chunked": _dechunked,
    "gzip": _inflated,
    "x-gzip": _inflated,
    "deflate": _deflated,
    "br": _unbrotlied,
    "zstd": _unzstded,
}


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


def outcome(reply: Reply, url: str, requested: str, max_size: int) -> Page | Missing:
    """Judge a reply that is not followed any further; `canonical_url` is its own URL."""
    if (missing := _judged_by_status(reply, requested)) is not None:
        return missing
    content_type = reply.content_type
    if not may_be_html(content_type):
        return Missing(requested, Reason.NOT_HTML, media_type(content_type))
    body: bytes | None
    try:
        body = b"" if reply.too_large else reply.unpacked(max_size)
    except TooManyCodings:
        return Missing(requested, Reason.UNREADABLE, f"packed more than {_MAX_CODINGS} times")
    except TooLarge:
        body = None
    if body is None or reply.too_large:
        return too_large(requested, max_size)
    if looks_binary(body) if content_type else not looks_like_html(body):
        said = (
            "declared as a page, and no text" if content_type else "no declared type, and no HTML"
        )
        return Missing(requested, Reason.NOT_HTML, said)
    charset = _CHARSET.search(content_type)
    asked = requested if requested != url else ""
    return Page(url, body, charset[1] if charset else None, asked)


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
