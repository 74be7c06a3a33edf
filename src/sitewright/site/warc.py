"""Web archives: writing them, and reading their responses in order, by place or by URL.

`writer` adds records, `frames` cuts a file into records and passes over damage, `index` finds them
by URL; this module reads what is in a record.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from sitewright.site.base import Reason
from sitewright.site.http import Reply, TooLarge, decoded, fastwarc

if TYPE_CHECKING:
    import os
    from collections import Counter
    from collections.abc import Iterator
    from datetime import datetime
    from typing import BinaryIO


# Whole WARC records out of a file, with the damaged ones marked and passed over.
#
# FastWARC gives up on a file at its first damaged byte. Here a file is cut into records first, one
# gzip member or one length at a time; after damage, the search goes on for the next place where a
# record begins. Nothing is held but one record, and nothing is inflated beyond a limit.

MAX_RECORD = 64 << 20
"""The largest record that is read, in bytes, inflated."""
_MAX_RATIO = 100
"""How many times its own size a member beyond the limit may inflate to: more is a bomb, of which
nothing further is inflated. Text shrinks to a tenth, films hardly at all."""
_BOMB = 16
"""How many times the limit is inflated and thrown away in order to find a member's end."""
_MAX_WASTE = 4 << 30
"""How much is inflated for nothing before the rest of a file is given up, in bytes.

Members can be built into one another, each a bomb: their number must not count.
"""

GZIP_MAGIC = b"\x1f\x8b\x08"
WARC_MAGIC = b"WARC/"
_MAX_HEADER = 64 << 10
_CHUNK = 32 << 10
_SCAN = 1 << 20
_PROBE = 1 << 10
_HEADER_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,15})[ \t]*\r\n", re.IGNORECASE)
_FIRST_LINE = re.compile(rb"WARC/[0-9]\.[0-9]+\r\n")
_GAP = re.compile(rb"\r\n\r\n[\r\n]*|[\r\n]*(?=WARC/|\Z)")


@dataclass(frozen=True, slots=True)
class Frame:
    """One record of a file: where it is, and its bytes or the reason why it has none."""

    offset: int
    """Where the gzip member begins, or the record itself in a file without compression."""
    inner: int
    """Where the record begins within its member, inflated: 0 in well-made archives."""
    length: int
    """How many bytes the member, or the record, takes in the file; damage reaches to the next."""
    data: bytes
    problem: Reason | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """One gzip member: where it ends, if that can be known, and its bytes if it is whole."""

    end: int | None
    data: bytes
    inflated: int = 0
    """How many bytes came out, kept or not."""
    problem: Reason | None = None


def frames(stream: BinaryIO, *, limit: int = MAX_RECORD) -> Iterator[Frame]:
    """Cut a seekable WARC or WARC.gz file into its records, in order."""
    return _gzip_frames(stream, limit) if is_gzip(stream) else _plain_frames(stream, limit)


def is_gzip(stream: BinaryIO, offset: int = 0) -> bool:
    """Say whether a gzip member begins at this place."""
    stream.seek(offset)
    return stream.read(len(GZIP_MAGIC)) == GZIP_MAGIC


def read_frame(stream: BinaryIO, offset: int, inner: int, *, limit: int = MAX_RECORD) -> Frame:
    """Read the one record at a place that `frames` gave."""
    if not is_gzip(stream, offset):
        return _plain_frame(stream, offset, stream.seek(0, SEEK_END), limit)
    member = read_member(stream, offset, limit)
    length = (member.end or offset) - offset
    if member.problem is not None:
        return Frame(offset, inner, length, b"", member.problem)
    frame = _plain_frame(BytesIO(member.data), inner, len(member.data), limit)
    return Frame(offset, inner, length, frame.data, frame.problem)


def _gzip_frames(stream: BinaryIO, limit: int) -> Iterator[Frame]:
    size = stream.seek(0, SEEK_END)
    offset = waste = 0
    while offset < size:
        member = read_member(stream, offset, limit)
        waste += member.inflated if member.problem is not None else 0
        end = member.end
        if end is None:
            end = next_member(stream, offset + 1, size) if waste < _MAX_WASTE else size
        if member.problem is not None:
            yield Frame(offset, 0, end - offset, b"", member.problem)
        for frame in _plain_frames(BytesIO(member.data), limit):
            yield Frame(offset, frame.offset, end - offset, frame.data, frame.problem)
        offset = end


def read_member(stream: BinaryIO, offset: int, limit: int = MAX_RECORD) -> Member:
    """Inflate the gzip member at this place, its checksum checked, if it is whole and no bomb."""
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    kept: list[bytes] = []
    inflated = 0
    stream.seek(offset)
    try:
        while not inflate.eof:
            chunk = inflate.unconsumed_tail or stream.read(_CHUNK)
            if not chunk:
                return Member(None, b"", inflated, Reason.UNREADABLE)
            kept.append(inflate.decompress(chunk, _SCAN))
            inflated += len(kept[-1])
            if inflated > limit:
                kept.clear()
            taken = stream.tell() - len(inflate.unconsumed_tail) - offset
            if inflated > limit and inflated > min(_MAX_RATIO * taken, limit * _BOMB):
                return Member(None, b"", inflated, Reason.TOO_LARGE)
    except zlib.error:
        return Member(None, b"", inflated, Reason.UNREADABLE)
    end = stream.tell() - len(inflate.unused_data)
    problem = Reason.TOO_LARGE if inflated > limit else None
    return Member(end, b"".join(kept), inflated, problem)


def next_member(stream: BinaryIO, start: int, size: int) -> int:
    """Find where the next gzip member with a record in it begins; the end of the file if none."""
    for place in _places_of(GZIP_MAGIC, stream, start):
        stream.seek(place)
        try:
            head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(stream.read(_PROBE), 64)
        except zlib.error:
            continue
        if head.startswith(WARC_MAGIC):
            return place
    return size


def _places_of(mark: bytes, stream: BinaryIO, start: int) -> Iterator[int]:
    """Find every place of a mark from `start` on; the caller may move the stream."""
    while True:
        stream.seek(start)
        block = stream.read(_SCAN)
        found = block.find(mark)
        while found >= 0:
            yield start + found
            found = block.find(mark, found + 1)
        if len(block) < _SCAN:
            return
        start += len(block) - len(mark) + 1


def _plain_frames(stream: BinaryIO, limit: int) -> Iterator[Frame]:
    size = stream.seek(0, SEEK_END)
    offset = 0
    while offset < size:
        frame = _plain_frame(stream, offset, size, limit)
        yield frame
        offset += frame.length


def _plain_frame(stream: BinaryIO, offset: int, size: int, limit: int) -> Frame:
    """Read the record at this place; it is damaged if it does not end as records do."""
    header, length = _header(stream, offset)
    end = offset + len(header) + (length or 0)
    gap = None
    if length is not None and end <= size:
        stream.seek(end)
        gap = _GAP.match(stream.read(64))
    if gap is None:
        following = _next_record(stream, offset + 1, size)
        return Frame(offset, 0, following - offset, b"", Reason.UNREADABLE)
    taken = end + len(gap[0]) - offset
    if taken > limit:
        return Frame(offset, 0, taken, b"", Reason.TOO_LARGE)
    stream.seek(offset)
    return Frame(offset, 0, taken, stream.read(end - offset))


def _next_record(stream: BinaryIO, start: int, size: int) -> int:
    """Find where the next record begins in a file without compression; its end if none does."""
    for place in _places_of(WARC_MAGIC, stream, start):
        if _header(stream, place)[1] is not None:
            return place
    return size


def _header(stream: BinaryIO, offset: int) -> tuple[bytes, int | None]:
    """Read a record's header and the length it gives; None if this is no header."""
    stream.seek(offset)
    head = stream.read(4096)
    if not _FIRST_LINE.match(head):
        return b"", None
    end = head.find(_HEADER_END)
    if end < 0 and not _FIRST_LINE.search(head, 1):
        head += stream.read(_MAX_HEADER)
        end = head.find(_HEADER_END)
    header = head[: end + len(_HEADER_END)]
    length = _LENGTH.search(header) if end >= 0 else None
    if length is None or _FIRST_LINE.search(header, 1):  # broken off, and another one begins
        return b"", None
    return header, int(length[1])


_KINDS = frozenset({"response", "resource", "revisit", "conversion"})


@dataclass(frozen=True, slots=True)
class WarcRecord:
    """A response in an archive, and where it is.

    The kind is `response`, `resource` (a file that was archived without an answer from a server;
    its status is 200), `revisit` (an answer whose body is that of an earlier record) or
    `conversion` (a page as a browser made it of an answer; one without a body says that the
    browser added nothing).
    """

    kind: str
    reply: Reply
    offset: int
    inner: int
    length: int
    date: int = 0
    """Seconds since 1970; 0 if unknown."""
    digest: str = ""
    refers_to: str = ""
    """The URL whose earlier record holds the body of a revisit, where it is named."""

    @property
    def url(self) -> str:
        """The URL as the archive gives it."""
        return self.reply.url

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.reply.status


def read_records(
    path: str | os.PathLike[str], *, tally: Counter[Reason] | None = None, limit: int = MAX_RECORD
) -> Iterator[WarcRecord]:
    """Stream the responses of a .warc or .warc.gz file; what is passed over goes into the tally."""
    with Path(path).open("rb") as stream:
        yield from records(stream, tally=tally, limit=limit)


def records(
    stream: BinaryIO, *, tally: Counter[Reason] | None = None, limit: int = MAX_RECORD
) -> Iterator[WarcRecord]:
    """Stream the responses of an open archive; others may read from it meanwhile."""
    for frame in frames(stream, limit=limit):
        record = _parsed(frame, limit)
        if isinstance(record, WarcRecord):
            yield record
        elif record is not None and tally is not None:
            tally[record] += 1


def read_record(
    stream: BinaryIO, offset: int, inner: int = 0, *, limit: int = MAX_RECORD
) -> WarcRecord | Reason:
    """Read the response at one place, or tell why it cannot be fetched."""
    record = _parsed(read_frame(stream, offset, inner, limit=limit), limit)
    return Reason.UNREADABLE if record is None else record


def _parsed(frame: Frame, limit: int) -> WarcRecord | Reason | None:
    """Read a frame; None if it is whole but no response: a request, metadata, a DNS answer."""
    if frame.problem is not None:
        return frame.problem
    try:
        warc = fastwarc.WarcRecord.from_bytes(frame.data)
        kind = (warc.headers.get("WARC-Type") or "").lower()
        reply = _reply(warc, limit) if kind in _KINDS else None
        date = _seconds(warc.record_date)
    except TooLarge:
        return Reason.TOO_LARGE
    except (OSError, ValueError, OverflowError):
        return Reason.UNREADABLE
    if reply is None:
        return None
    return WarcRecord(
        kind,
        reply,
        frame.offset,
        frame.inner,
        frame.length,
        date=date,
        digest=warc.headers.get("WARC-Payload-Digest") or "",
        refers_to=_bare(warc.headers.get("WARC-Refers-To-Target-URI")),
    )


def _seconds(date: datetime | None) -> int:
    return 0 if date is None else max(0, int(date.timestamp()))


def _bare(url: str | None) -> str:
    """Take off the angle brackets that early writers put around URLs."""
    return (url or "").removeprefix("<").removesuffix(">")


def _reply(warc: fastwarc.WarcRecord, limit: int) -> Reply | None:
    url = _bare(warc.headers.get("WARC-Target-URI"))
    if not url[:6].lower().startswith(("http:", "https:")):
        return None
    if not warc.is_http:
        content_type = warc.headers.get("Content-Type") or ""
        return Reply(url, 200, (("Content-Type", content_type),), warc.reader.read())
    warc.parse_http(quirks_mode=True, strict_mode=False)
    status = warc.http_headers.status_code
    if status is None:
        raise ValueError("no status line")
    headers = tuple(_text(pair) for pair in warc.http_headers.items_bytes())
    transfer = ",".join(value for name, value in headers if name.lower() == "transfer-encoding")
    return Reply(url, status, headers, decoded(warc.reader.read(), transfer.split(","), limit))


def _text(field: tuple[bytes, bytes]) -> tuple[str, str]:
    """Read header bytes as HTTP says, so that they can be written again."""
    return field[0].decode("latin-1"), field[1].decode("latin-1")
