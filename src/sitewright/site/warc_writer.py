"""Fetched pages go into a WARC file, record by record, so that a killed run loses at most one."""

from __future__ import annotations

import re
import sys
import zlib
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitewright.errors import UnreadableInput
from sitewright.page.url import canonical, parts
from sitewright.site.base import Reason
from sitewright.site.http import fastwarc, is_encoded
from sitewright.site.warc import GZIP_MAGIC, MAX_RECORD, WARC_MAGIC, frames, read_member

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from io import FileIO
    from typing import BinaryIO, Self


Headers = list[tuple[str, str]] | bytes
"""Header fields in order, or the raw lines as they came."""

_TAIL = 1 << 20
_BREAK = re.compile(r"[\r\n\0]+")
_PHRASES = {status.value: status.phrase for status in HTTPStatus}
_WARCINFO = b"software: sitewright\r\nformat: WARC File Format 1.1\r\n"


class Location(NamedTuple):
    """Where a record is in its file."""

    offset: int
    length: int


class WarcWriter:
    """Appends records to a .warc.gz file, one gzip member each, handed to the system at once.

    Opening a file that a killed process left behind cuts off the record that it was writing. A
    file that is something else is not touched, nor one that another writer has open.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._file = self.path.open("ab", buffering=0)
        try:
            _claim(self._file, self.path)
            self._end = _whole_length(self.path)
            self._file.truncate(self._end)
            if self._end == 0:
                self._append(_record(fastwarc.WarcRecordType.warcinfo, _WARCINFO, date=None))
        except BaseException:
            self._file.close()
            raise

    def write_response(  # noqa: PLR0913 - this is what a response is made of
        self,
        url: str,
        status: int,
        headers: Headers,
        body: bytes,
        *,
        date: datetime | None = None,
        request_headers: Headers | None = None,
    ) -> Location:
        """Append a response as it came, redirects too; tell where it is.

        The body is written as given. Header fields that do not fit it are put right: the length,
        the transfer coding (which no client hands on), and a content coding already undone.
        """
        block = _http_block(_status_line(status), _fitting(headers, body), body)
        record = _record(fastwarc.WarcRecordType.response, block, url=url, date=date)
        location = self._append(record)
        if request_headers is not None:
            self._append(_request(url, request_headers, record))
        return location

    def write_conversion(self, url: str, html: bytes, *, date: datetime | None = None) -> Location:
        """Append a page in the form that a browser gave it; its text is in UTF-8."""
        record = fastwarc.WarcRecord()
        record.init_headers(fastwarc.WarcRecordType.conversion)
        record.record_date = date or datetime.now(UTC)
        record.headers["WARC-Target-URI"] = _BREAK.sub("", url)
        record.headers["Content-Type"] = "text/html; charset=utf-8"
        record.set_bytes_content(html)
        return self._append(record)

    def _append(self, record: fastwarc.WarcRecord) -> Location:
        """Write one member whole; if that fails (a full disk), the file is as it was before."""
        data = _member(record)
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            self._file.truncate(self._end)
            raise
        location = Location(self._end, len(data))
        self._end += len(data)
        return location

    def close(self) -> None:
        """Finish; every record is in the file already."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _claim(file: FileIO, path: Path) -> None:
    """Keep others from writing for as long as the file is open; some systems cannot."""
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415 - Windows has none

        with suppress(OSError):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UnreadableInput(str(path), "another run is writing to it") from None


def _member(record: fastwarc.WarcRecord) -> bytes:
    member = BytesIO()
    compressed = fastwarc.GzipWriter(member, compression_level=6)
    record.write(compressed, checksum_data=True)
    compressed.finish()
    return member.getvalue()


def _record(
    kind: fastwarc.WarcRecordType, block: bytes, *, date: datetime | None, url: str | None = None
) -> fastwarc.WarcRecord:
    record = fastwarc.WarcRecord()
    record.init_headers(kind)
    record.record_date = date or datetime.now(UTC)
    if url is None:
        record.headers["Content-Type"] = "application/warc-fields"
    else:
        record.headers["WARC-Target-URI"] = _BREAK.sub("", url)
        record.headers["Content-Type"] = f"application/http; msgtype={kind}"
        record.is_http = True
    record.set_bytes_content(block)
    return record


def _request(url: str, headers: Headers, response: fastwarc.WarcRecord) -> fastwarc.WarcRecord:
    canonical_url = canonical(url)
    target = "/"
    if canonical_url is not None:
        split = parts(canonical_url)
        target = split.path + (f"?{split.query}" if split.query else "")
    block = _http_block(f"GET {target} HTTP/1.1", _fields(headers), b"")
    record = _record(fastwarc.WarcRecordType.request, block, url=url, date=response.record_date)
    record.headers["WARC-Concurrent-To"] = response.record_id or ""
    return record


def _status_line(status: int) -> str:
    return f"HTTP/1.1 {status} {_PHRASES.get(status, '')}"


def _fields(headers: Headers) -> list[tuple[str, str]]:
    """Give header fields that fit on a line each: a break inside one would forge another."""
    if isinstance(headers, bytes):
        lines = headers.decode("latin-1").splitlines()
        headers = [
            (name, value) for name, colon, value in (s.partition(":") for s in lines) if colon
        ]
    fields = ((_BREAK.sub(" ", name).strip(), _BREAK.sub(" ", value)) for name, value in headers)
    return [(name, value.strip()) for name, value in fields if name and ":" not in name]


def _fitting(headers: Headers, body: bytes) -> list[tuple[str, str]]:
    """Leave out what the fields say wrongly about the body, and give its length."""
    fields = _fields(headers)
    codings = [value for name, value in fields if name.lower() == "content-encoding"]
    wrong = {"content-length", "transfer-encoding"}
    if not is_encoded(body, ",".join(codings).split(","), MAX_RECORD):
        wrong.add("content-encoding")
    kept = [(name, value) for name, value in fields if name.lower() not in wrong]
    return [*kept, ("Content-Length", str(len(body)))]


def _http_block(first_line: str, fields: Iterable[tuple[str, str]], body: bytes) -> bytes:
    lines = [first_line, *(f"{name}: {value}" for name, value in fields), "", ""]
    head = "\r\n".join(lines)
    try:
        return head.encode("latin-1") + body
    except UnicodeEncodeError:
        return head.encode("utf-8", "replace") + body


def _whole_length(path: Path) -> int:
    """Tell how much of a file is whole records; a file that is no WARC.gz is refused."""
    with path.open("rb") as file:
        size = file.seek(0, SEEK_END)
        if _ends_whole(file, size):
            return size
        if not _begins_as_warc(file):
            raise UnreadableInput(str(path), "not a .warc.gz file, so nothing is added to it")
        whole = 0
        for frame in frames(file):
            if frame.problem is not Reason.UNREADABLE:
                whole = frame.offset + frame.length
        return whole


def _ends_whole(file: BinaryIO, size: int) -> bool:
    """Look at the last member only: a clean end is the rule, and the file may be long."""
    start = max(0, size - _TAIL)
    file.seek(start)
    tail = file.read()
    place = tail.rfind(GZIP_MAGIC)
    while place >= 0:
        member = read_member(file, start + place)
        if member.end is not None:
            return member.end == size and member.data.startswith(WARC_MAGIC)
        place = tail.rfind(GZIP_MAGIC, 0, place)
    return False


def _begins_as_warc(file: BinaryIO) -> bool:
    """Say whether a file holds the beginning of a WARC.gz file, however little of it."""
    file.seek(0)
    head = file.read(4096)
    if not head.startswith(GZIP_MAGIC[: len(head)]):
        return False
    try:
        inflated = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, len(WARC_MAGIC))
    except zlib.error:
        return False
    return WARC_MAGIC.startswith(inflated)
