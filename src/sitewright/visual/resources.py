"""What a page may load while it is laid out: files of its own site, and nothing from elsewhere.

The browser has no way to the network. Each of its requests comes here, and what is not found here
fails.
"""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote, unquote, urlsplit

from sitewright.site.url import INDEX_NAMES

if TYPE_CHECKING:
    import os

    from sitewright.site.archive import ArchiveSite

MAX_RESOURCE = 16 << 20
"""The largest file that a page may load, in bytes."""
FILE_BASE = "http://folder.invalid/"
"""The address of a folder that is named after no host: a name that can never be fetched."""


@dataclass(frozen=True, slots=True)
class Resource:
    """A stylesheet, an image, a font: bytes and what they are."""

    body: bytes
    content_type: str


class Resources(Protocol):
    """Where a page's resources come from."""

    async def get(self, url: str) -> Resource | None:
        """The resource at a URL; None if there is none, or none that may be had."""
        ...


class NoResources:
    """For a page that stands alone."""

    async def get(self, url: str) -> Resource | None:  # noqa: ARG002 - as the protocol has it
        """Nothing is there."""
        return None


class FolderResources:
    """The files of a folder under a base address; nothing outside it is ever opened."""

    def __init__(self, folder: str | os.PathLike[str], base_url: str = FILE_BASE) -> None:
        self._folder = Path(folder).resolve()
        self._base = base_url

    def url(self, file: str | os.PathLike[str]) -> str:
        """The address of a file in the folder."""
        return self._base + quote(Path(file).resolve().relative_to(self._folder).as_posix())

    async def get(self, url: str) -> Resource | None:
        """Read the file that a URL names; links that lead out of the folder lead nowhere."""
        if not url.startswith(self._base):
            return None
        rest = url[len(self._base) :].partition("#")[0]
        path, mark, query = rest.partition("?")
        for name in (f"{path}?{query}" if mark else path, path, path + ".html"):
            found = self._read(unquote(name))
            if found is not None:
                return Resource(found, content_type(path))
        return None

    def _read(self, name: str) -> bytes | None:
        try:
            file = (self._folder / name).resolve()
            if not file.is_relative_to(self._folder) or not file.is_file():
                return None
            return file.read_bytes() if file.stat().st_size <= MAX_RESOURCE else None
        except (OSError, ValueError):
            return None


class ArchiveResources:
    """Everything that an archive holds, under the addresses that it had."""

    def __init__(self, archive: ArchiveSite) -> None:
        self._archive = archive

    async def get(self, url: str) -> Resource | None:
        """Read a record."""
        found = self._archive.resource(url)
        return None if found is None else Resource(found[1], found[0] or "text/plain")


def content_type(path: str) -> str:
    """What a file is, by its name; mirrors append `.html` and the like to names with queries."""
    return mimetypes.guess_type(urlsplit(path).path)[0] or "application/octet-stream"


def site_folder(file: str | os.PathLike[str]) -> Path:
    """The folder of the site that a file belongs to, as far as folders tell.

    It is the highest folder above the file that has an index page; else the file's own.
    """
    with_index = [
        folder
        for folder in Path(file).resolve().parents
        if any((folder / name).is_file() for name in INDEX_NAMES)
    ]
    return with_index[-1] if with_index else Path(file).resolve().parent
