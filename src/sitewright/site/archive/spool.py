"""Archives that were compressed as one piece, unpacked to where their records can be found."""

from __future__ import annotations

import io
import zlib
from contextlib import suppress
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, cast

from sitewright.errors import UnreadableInput
from sitewright.site.warc.frames import frames, is_gzip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

MAX_SPOOL = 8 << 30
"""How much may be unpacked to a temporary file, in bytes."""
_CHUNK = 1 << 20


def unwrapped(stream: BinaryIO, name: str, max_spool: int = MAX_SPOOL) -> BinaryIO:
    """Give a WARC file whose records can be read at their places.

    A .warc.gz should hold a gzip member for each record. One that was compressed as a whole could
    be read at a place only from its beginning, every time: it is unpacked, once.
    """
    if not is_gzip(stream) or not _is_one_piece(stream):
        return stream
    with stream:
        return spooled(_inflated(stream), name, max_spool)


def _is_one_piece(stream: BinaryIO) -> bool:
    """Say whether the first gzip member goes on after its first record, and is a long one."""
    stream.seek(0)
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    with suppress(zlib.error):
        head = inflate.decompress(stream.read(4 * _CHUNK), 4 * _CHUNK)
        first = next(frames(io.BytesIO(head), limit=len(head)), None)
        return not inflate.eof and first is not None and first.length < len(head)
    return False


def _inflated(stream: BinaryIO) -> Iterator[bytes]:
    """Inflate a file of gzip members as far as it goes."""
    stream.seek(0)
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    with suppress(zlib.error):
        while chunk := inflate.unconsumed_tail or inflate.unused_data or stream.read(_CHUNK):
            if inflate.eof:
                inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
            yield inflate.decompress(chunk, _CHUNK)


def spooled(chunks: Iterable[bytes], name: str, max_spool: int) -> BinaryIO:
    """Write a stream to a temporary file without a name, which is gone once it is closed."""
    spool = cast("BinaryIO", TemporaryFile())  # noqa: SIM115 - the caller closes it
    try:
        spool.writelines(_bounded(chunks, name, max_spool))
    except BaseException:
        spool.close()
        raise
    return spool


def _bounded(chunks: Iterable[bytes], name: str, max_spool: int) -> Iterator[bytes]:
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > max_spool:
            raise UnreadableInput(name, f"unpacks to more than {max_spool} bytes")
        yield chunk
