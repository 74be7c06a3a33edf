"""The archive of a live site: every answer goes in, and comes back by its URL."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from sitewright.errors import InputNotFound, InvalidInput
from sitewright.site.warc.records import WarcWriter, read_record, read_records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from sitewright.site.reply import Reply
    from sitewright.site.warc.records import Record

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

    def __init__(self, path: Path, max_size: int) -> None:
        self.path = path
        self._max_size = max_size
        self._entries: dict[str, _Entry] = {}
        self._writer: WarcWriter | None = None
        self._reader: BinaryIO | None = None
        if not path.parent.is_dir():
            raise InputNotFound(str(path.parent))
        if path.exists():
            with _named(path):
                WarcWriter(path).close()  # cuts off what a killed run left unfinished
            for record in read_records(path):
                self._enter(_read(record), record.offset, record.date)

    def put(self, reply: Reply) -> None:
        """Write an answer; when this returns, it is in the file.

        A disk that is full is no fault of the page: `InvalidInput` ends the run, rather than have
        it fetch what it cannot keep.
        """
        headers = list(reply.headers)
        if reply.too_large:
            headers.append((LIMIT_HEADER, str(self._max_size)))
        with _named(self.path):
            if self._writer is None:
                self._writer = WarcWriter(self.path)
            place = self._writer.write_response(reply.url, reply.status, headers, reply.body)
        self._enter(reply, place.offset, time.time())

    def final(self, url: str, *, max_age: float = float("inf")) -> Reply | None:
        """Give the answer to a URL that stands, unless it is older than `max_age` seconds."""
        entry = self._entries.get(url)
        if entry is None or entry.date < time.time() - max_age:
            return None
        if self._reader is None:
            self._reader = self.path.open("rb")
        record = read_record(self._reader, entry.offset)
        return _read(record) if not isinstance(record, str) else None

    def replies(self) -> Iterator[Reply]:
        """Stream all answers, in the order in which they came."""
        if self.path.exists():
            yield from map(_read, read_records(self.path))

    def close(self) -> None:
        """Close the file; the store opens it again when it needs to."""
        if self._writer is not None:
            self._writer.close()
        if self._reader is not None:
            self._reader.close()
        self._writer = self._reader = None

    def _enter(self, reply: Reply, offset: int, date: float) -> None:
        if reply.is_final and not (reply.too_large and _limit(reply) < self._max_size):
            self._entries[reply.url] = _Entry(offset, date)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Turn an error of the system into one that names the archive."""
    try:
        yield
    except OSError as error:
        raise InvalidInput(str(path), f"cannot be written: {error.strerror or error}") from error


def _read(record: Record) -> Reply:
    reply = record.reply
    return replace(reply, too_large=True) if reply.header(LIMIT_HEADER) else reply


def _limit(reply: Reply) -> float:
    """Give the limit that an answer went beyond; one that came just now, that of today."""
    text = reply.header(LIMIT_HEADER)
    return int(text) if text.isdecimal() else float("inf")
