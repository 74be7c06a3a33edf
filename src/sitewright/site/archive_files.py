"""The WARC files of an archive: the file itself, or those inside a WACZ."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, cast

from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.site.warc import GZIP_MAGIC, WARC_MAGIC, frames, is_gzip

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO


# Archives that were compressed as one piece, unpacked to where their records can be found.

MAX_SPOOL = 8 << 30
"""How much may be unpacked to a temporary file, in bytes."""
_CHUNK = 1 << 20
_SMALL_SPOOL = 64 << 20
_MAX_RATIO = 100
"""How many times its own size a file beyond that may unpack to. Text shrinks to a tenth."""


def unwrapped(stream: BinaryIO, name: str, max_spool: int = MAX_SPOOL) -> BinaryIO:
    """Give a WARC file whose records can be read at their places.

    A .warc.gz should hold a gzip member for each record. One that was compressed as a whole could
    be read at a place only from its beginning, every time: it is unpacked, once.
    """
    if not is_gzip(stream) or not _is_one_piece(stream):
        return stream
    with stream:
        size = stream.seek(0, io.SEEK_END)
        return spooled(_inflated(stream), name, _room(size, max_spool))


def _room(size: int, max_spool: int) -> int:
    """How much a packed file of some size may unpack to; what is more than that is a bomb."""
    return min(max_spool, _SMALL_SPOOL + _MAX_RATIO * size)


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


# WACZ files: zip archives of WARC files, read in place.

_MAX_MEMBERS = 500  # each is an open file
_MAX_LISTING = 16 << 20


_WARC_NAME = re.compile(r"archive/[^/\\]+\.warc(?:\.gz)?", re.IGNORECASE)
_LOCAL_HEADER = b"PK\x03\x04"


def open_wacz(path: Path, *, max_spool: int = MAX_SPOOL) -> tuple[list[BinaryIO], str | None]:
    """Open the WARC files in a WACZ, and give the URL of its main page, if it names one.

    Other members are left alone, whatever their names, and nothing is unpacked next to the file.
    """
    streams: list[BinaryIO] = []
    try:
        with zipfile.ZipFile(path) as archive:
            for member in _warc_members(archive, path):
                stream = _open_member(archive, member, path, max_spool)
                streams.append(unwrapped(stream, str(path), max_spool))
            return streams, _main_page(archive)
    except BaseException as error:
        for stream in streams:
            stream.close()
        # The zip reader meets damage with exceptions of many kinds, some of them documented.
        if isinstance(error, Exception) and not isinstance(error, UnreadableInput):
            raise UnreadableInput(str(path), f"not a WACZ file ({error})") from error
        raise


def _warc_members(archive: zipfile.ZipFile, path: Path) -> list[zipfile.ZipInfo]:
    members = [info for info in archive.infolist() if _WARC_NAME.fullmatch(info.filename)]
    if not members:
        raise UnreadableInput(str(path), "no WARC files in it")
    if len(members) > _MAX_MEMBERS:
        raise UnreadableInput(str(path), f"more than {_MAX_MEMBERS} WARC files in it")
    # Members that share their bytes make a small file unpack to any size.
    if sum(info.compress_size for info in members) > path.stat().st_size:
        raise UnreadableInput(str(path), "its members overlap")
    return sorted(members, key=_member_name)


def _member_name(info: zipfile.ZipInfo) -> tuple[str, int]:
    return info.filename, info.header_offset


def _open_member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path, max_spool: int
) -> BinaryIO:
    """Open a member in place, as the format wants it stored; a compressed one is unpacked."""
    if member.compress_type == zipfile.ZIP_STORED and not member.flag_bits & 1:
        stretch = _FileStretch(path, _data_offset(path, member), member.compress_size)
        return io.BufferedReader(stretch, 64 << 10)
    with archive.open(member) as packed:
        room = _room(member.compress_size, max_spool)
        return spooled(iter(lambda: packed.read(_CHUNK), b""), str(path), room)


def _data_offset(path: Path, member: zipfile.ZipInfo) -> int:
    """Find the first byte of a member: after its own header, which only it knows the length of."""
    with path.open("rb") as file:
        file.seek(member.header_offset)
        header = file.read(30)
    if len(header) < 30 or not header.startswith(_LOCAL_HEADER):
        raise zipfile.BadZipFile("a member has no header")
    names = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
    return member.header_offset + len(header) + names


class _FileStretch(io.RawIOBase):
    """A stretch of a file, as a file of its own."""

    def __init__(self, path: Path, start: int, size: int) -> None:
        self._file = path.open("rb", buffering=0)
        self._start = start
        self._size = max(0, min(size, path.stat().st_size - start))
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        origin = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(0, origin + offset)
        return self._position

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - any writable buffer
        wanted = max(0, min(len(buffer), self._size - self._position))
        self._file.seek(self._start + self._position)
        read = self._file.readinto(memoryview(buffer)[:wanted]) or 0
        self._position += read
        return read

    def close(self) -> None:
        self._file.close()
        super().close()


def _main_page(archive: zipfile.ZipFile) -> str | None:
    """Give the URL that a WACZ names as its main page, else its first seed, else its first page."""
    package = _objects([_listing(archive, "datapackage.json")])
    lines = list(_objects(_listing(archive, "pages/pages.jsonl").splitlines()))
    seeds = [line for line in lines if line.get("seed") is True]
    named = [*(line.get("mainPageUrl") for line in package), *_urls(seeds), *_urls(lines)]
    return next((url for url in named if isinstance(url, str)), None)


def _listing(archive: zipfile.ZipFile, name: str) -> bytes:
    """Read a listing: of a very long one the beginning, of a broken one nothing.

    The pages can be read without it.
    """
    try:
        with archive.open(name) as member:
            return member.read(_MAX_LISTING)
    except Exception:  # the zip reader raises many kinds, of which KeyError is "not there"
        return b""


def _objects(texts: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Read JSON objects; what is none is passed over."""
    for text in texts:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _urls(lines: Iterable[dict[str, Any]]) -> Iterator[Any]:
    return (line.get("url") for line in lines)


_ZIP_MAGIC = b"PK"


@dataclass(frozen=True, slots=True)
class ArchiveFiles:
    """The open WARC files of an archive, in order, and the page that a WACZ opens with."""

    streams: tuple[BinaryIO, ...]
    main_page: str | None = None

    def close(self) -> None:
        """Close them all."""
        for stream in self.streams:
            stream.close()


def open_archive(path: str | os.PathLike[str]) -> ArchiveFiles:
    """Open a .warc, .warc.gz or .wacz file, whatever its name; its first bytes tell."""
    path = Path(path)
    if not path.exists():
        raise InputNotFound(str(path))
    if not path.is_file():
        raise UnreadableInput(str(path), "not a file")
    try:
        with path.open("rb") as file:
            head = file.read(len(WARC_MAGIC))
    except OSError as error:
        raise UnreadableInput(str(path), error.strerror or "cannot be read") from None
    if head.startswith(_ZIP_MAGIC):
        streams, main_page = open_wacz(path)
        return ArchiveFiles(tuple(streams), main_page)
    if head.startswith((WARC_MAGIC, GZIP_MAGIC)):
        return ArchiveFiles((unwrapped(path.open("rb"), str(path)),))
    raise UnreadableInput(str(path), "not a WARC or WACZ file")
