"""From what a person types to the site that it means."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from sitewright.errors import InputNotFound, InvalidAddress, UnreadableInput
from sitewright.site.scope import ScopeKind

if TYPE_CHECKING:
    from sitewright.site.base import Site
    from sitewright.site.web.options import CrawlOptions

ARCHIVE_ENDINGS = (".warc", ".warc.gz", ".wacz")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
_HOST_LIKE = re.compile(r"[\w-]+(\.[\w-]+)*\.[a-z]{2,}(:\d+)?(/.*)?", re.IGNORECASE)


def open_site(
    where: str,
    *,
    archive: Path | None = None,
    base_url: str | None = None,
    scope: ScopeKind = ScopeKind.HOST,
    options: CrawlOptions | None = None,
) -> Site:
    """Open a URL, a folder, or a .warc, .warc.gz or .wacz file as a site.

    `archive` is where pages of a live site are kept; `base_url` is the address that a folder's
    pages had, or the page of an archive to start from.
    """
    if is_url(where):
        from sitewright.site.web.site import WebSite

        return WebSite(where, archive=archive, scope=scope, options=options)
    path = Path(where)
    if path.is_dir():
        from sitewright.site.folder.site import FolderSite

        return FolderSite(path, base_url=base_url)
    if not path.exists():
        raise not_found(where)
    if where.lower().endswith(ARCHIVE_ENDINGS):
        from sitewright.site.archive.site import ArchiveSite

        return ArchiveSite(path, start=base_url, scope=scope)
    raise UnreadableInput(where, f"not a site: expected a URL, a folder, or {_endings()}")


def is_url(where: str) -> bool:
    """Whether this is an address of the web; other schemes are refused."""
    scheme = _SCHEME.match(where)
    if scheme and scheme[1].lower() not in {"http", "https"}:
        raise InvalidAddress(where, "only http and https addresses can be fetched")
    return bool(scheme)


def not_found(where: str) -> InputNotFound:
    """The error for something that is neither a file nor a folder, with a hint where one helps."""
    if _HOST_LIKE.fullmatch(where):
        return InputNotFound(where, f"no such file or folder; if it is a web site: https://{where}")
    return InputNotFound(where)


def _endings() -> str:
    return f"a {', '.join(ARCHIVE_ENDINGS[:-1])} or {ARCHIVE_ENDINGS[-1]} file"
