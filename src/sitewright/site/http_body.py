"""The bodies of HTTP responses as archives keep them: chunked, compressed, or neither any more."""

from __future__ import annotations

import re
import zlib
from io import BytesIO
from typing import TYPE_CHECKING

from sitewright.site.warc_library import fastwarc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,16})[^\r\n]{0,1024}\r?\n")


class TooLarge(ValueError):
    """A body that is larger than the limit, once decoded."""


def decoded(payload: bytes, codings: Iterable[str], limit: int) -> bytes:
    """Undo the codings, the last one first; raise `TooLarge` beyond `limit` bytes.

    A coding that does not fit the bytes was undone before they were archived, as many crawlers
    do without touching the header: the bytes are left as they are. So are they for a coding that
    nobody knows. A body that breaks off gives what is there, as in a browser.
    """
    for coding in reversed(list(codings)):
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
    except TooLarge:
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
