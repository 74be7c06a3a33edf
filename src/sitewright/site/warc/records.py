"""Web archives: writing them, and reading their responses in order, by place or by URL.

`writer` adds records, `frames` cuts a file into records and passes over damage, `index` finds them
by URL; this module reads what is in a record.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sitewright.site.base import Reason
from sitewright.site.http_body import TooLarge, decoded
from sitewright.site.reply import Reply
from sitewright.site.warc.frames import MAX_RECORD, Frame, frames, read_frame
from sitewright.site.warc.writer import Headers, Location, WarcWriter
from sitewright.site.warc_library import fastwarc

if TYPE_CHECKING:
    import os
    from collections import Counter
    from collections.abc import Iterator
    from datetime import datetime
    from typing import BinaryIO

__all__ = [
    "MAX_RECORD",
    "Headers",
    "Location",
    "Record",
    "WarcWriter",
    "read_record",
    "read_records",
    "records",
]

_KINDS = frozenset({"response", "resource", "revisit"})


@dataclass(frozen=True, slots=True)
class Record:
    """A response in an archive, and where it is.

    The kind is `response`, `resource` (a file that was archived without an answer from a server;
    its status is 200) or `revisit` (an answer whose body is that of an earlier record).
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
) -> Iterator[Record]:
    """Stream the responses of a .warc or .warc.gz file; what is passed over goes into the tally."""
    with Path(path).open("rb") as stream:
        yield from records(stream, tally=tally, limit=limit)


def records(
    stream: BinaryIO, *, tally: Counter[Reason] | None = None, limit: int = MAX_RECORD
) -> Iterator[Record]:
    """Stream the responses of an open archive; others may read from it meanwhile."""
    for frame in frames(stream, limit=limit):
        record = _parsed(frame, limit)
        if isinstance(record, Record):
            yield record
        elif record is not None and tally is not None:
            tally[record] += 1


def read_record(
    stream: BinaryIO, offset: int, inner: int = 0, *, limit: int = MAX_RECORD
) -> Record | Reason:
    """Read the response at one place, or tell why it cannot be had."""
    record = _parsed(read_frame(stream, offset, inner, limit=limit), limit)
    return Reason.UNREADABLE if record is None else record


def _parsed(frame: Frame, limit: int) -> Record | Reason | None:
    """Read a frame; None if it is whole but no response: a request, metadata, a DNS answer."""
    if frame.problem is not None:
        return frame.problem
    try:
        warc = fastwarc.WarcRecord.from_bytes(frame.data)
        kind = (warc.headers.get("WARC-Type") or "").lower()
        reply = _reply(warc, limit) if kind in _KINDS else None
    except TooLarge:
        return Reason.TOO_LARGE
    except (OSError, ValueError):
        return Reason.UNREADABLE
    if reply is None:
        return None
    return Record(
        kind,
        reply,
        frame.offset,
        frame.inner,
        frame.length,
        date=_seconds(warc.record_date),
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
    """Read header bytes as HTTP says, so that they can be told again."""
    return field[0].decode("latin-1"), field[1].decode("latin-1")
