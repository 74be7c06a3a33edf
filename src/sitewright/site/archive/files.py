"""The WARC files of an archive: the file itself, or those inside a WACZ."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.site.archive.spool import unwrapped
from sitewright.site.archive.wacz import open_wacz
from sitewright.site.warc.frames import GZIP_MAGIC, WARC_MAGIC

if TYPE_CHECKING:
    import os
    from typing import BinaryIO

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
