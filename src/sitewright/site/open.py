"""From what a person types to the site that it means."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from sitewright import formats
from sitewright.errors import InputNotFound, InvalidURL, UnreadableInput
from sitewright.page.host import registered_domain
from sitewright.site.scope import ScopeKind

if TYPE_CHECKING:
    from sitewright.site.base import Site
    from sitewright.site.web import CrawlOptions


ARCHIVE_ENDINGS = (".warc", ".warc.gz", ".wacz")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
_HOST_LIKE = re.compile(r"[\w-]+(\.[\w-]+)*\.[a-z]{2,}(:\d+)?(/.*)?", re.IGNORECASE)


def open_site(
    where: str | os.PathLike[str],
    *,
    archive: str | os.PathLike[str] | None = None,
    base_url: str | None = None,
    scope: ScopeKind = ScopeKind.HOST,
    options: CrawlOptions | None = None,
) -> Site:
    """Open a URL, a folder, a saved page, or a .warc, .warc.gz or .wacz file as a site.

    `archive` is where pages of a live site are kept: its folder, where results go, is no part of a
    folder that mirrors a site. `base_url` is the URL that a folder's pages had, or the page of
    an archive to start from.
    """
    where = os.fspath(where)
    archive = None if archive is None else Path(archive)
    if is_url(where):
        from sitewright.site.web import WebSite

        return WebSite(where, archive=archive, scope=scope, options=options)
    path = Path(where)
    if stat.S_ISDIR(mode_of(where)):
        from sitewright.site.folder import FolderSite

        return FolderSite(path, base_url=base_url, without=archive.parent if archive else None)
    if where.lower().endswith(ARCHIVE_ENDINGS):
        from sitewright.site.archive import ArchiveSite

        return ArchiveSite(path, start=base_url, scope=scope)
    if stat.S_ISREG(mode_of(where)):
        from sitewright.site.folder import FolderSite, is_page_file

        if is_page_file(path):
            return FolderSite(path, base_url=base_url)
    raise UnreadableInput(where, f"not a site: expected a URL, a folder, a page, or {_endings()}")


def is_url(where: str) -> bool:
    """Whether this is a URL of the web; other schemes are refused."""
    scheme = _SCHEME.match(where)
    if scheme and scheme[1].lower() not in {"http", "https"}:
        raise InvalidURL(where, "only http and https URLs can be fetched")
    return bool(scheme)


def mode_of(where: str) -> int:
    """What a path is, as the system says; the errors of the system become ours."""
    if not where:  # Python would take it for the current folder
        raise InputNotFound("an empty name")
    try:
        return Path(where).stat().st_mode
    except FileNotFoundError:
        raise not_found(where) from None
    except OSError as error:
        raise UnreadableInput(where, error.strerror or "cannot be read") from None


def not_found(where: str) -> InputNotFound:
    """The error for something that is neither a file nor a folder, with a hint where one helps."""
    if _HOST_LIKE.fullmatch(where) and registered_domain(re.split("[:/]", where)[0]):
        return InputNotFound(where, f"no such file or folder; if it is a web site: https://{where}")
    return InputNotFound(where)


def _endings() -> str:
    return f"a {', '.join(ARCHIVE_ENDINGS[:-1])} or {ARCHIVE_ENDINGS[-1]} file"


# Where the pages of an output folder came from, so that later commands know.

SOURCE_FILE = "site.json"


@dataclass(frozen=True, slots=True)
class SiteSource:
    """The site that a folder of results is about, as it was named."""

    FORMAT: ClassVar[str] = "sitewright-site"
    site: str
    """A URL, or the path of a folder or file, from the output folder."""
    base_url: str | None = None
    home: str | None = None
    scope: ScopeKind = ScopeKind.HOST


def write_source(out: Path, source: SiteSource, *, model: str) -> None:
    """Write OUT/site.json; a path is relative to OUT, so that both can be moved."""
    if not is_url(source.site):
        source = replace(source, site=Path(os.path.relpath(source.site, out)).as_posix())
    formats.write(out / SOURCE_FILE, source, model=model)


def read_source(out: Path) -> SiteSource:
    """Read OUT/site.json; a path comes back relative to the current folder."""
    path = out / SOURCE_FILE
    if not path.exists():
        why = "does not say where its pages came from; name the SITE with --site"
        raise InputNotFound(str(out), why)
    source = formats.read(path, SiteSource)
    if is_url(source.site):
        return source
    return replace(source, site=os.path.normpath(out / source.site))
