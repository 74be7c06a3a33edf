"""From what a person types to the site that it means."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from sitewright import formats
from sitewright.errors import (
    BrokenPlugin,
    InputNotFound,
    InvalidInput,
    InvalidURL,
    UnreadableInput,
)
from sitewright.page.host import registered_domain
from sitewright.plugins import call_plugin, load_plugin, plugin_names
from sitewright.site.account import CrawlAccount  # noqa: TC001 - read from a file
from sitewright.site.credentials import without_secrets
from sitewright.site.scope import Scope, ScopeKind

if TYPE_CHECKING:
    from collections.abc import Collection

    from sitewright.site.base import Site
    from sitewright.site.web import CrawlOptions


PLUGINS = "sitewright.sites"
"""The group of entry points that add kinds of sites."""
_PROTOCOL = (
    "is_live",
    "home",
    "tally",
    "missed",
    "page_url",
    "fetch",
    "pages",
    "listing",
    "aclose",
)
ARCHIVE_ENDINGS = (".warc", ".warc.gz", ".wacz")
_WEB = frozenset({"http", "https"})
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
_HOST_LIKE = re.compile(r"[\w-]+(\.[\w-]+)*\.[a-z]{2,}(:\d+)?(/.*)?", re.IGNORECASE)
_HOST_AND_PORT = re.compile(
    r"(?:localhost|[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:.]+\]):\d{1,5}(?:/.*)?|localhost(?:/.*)?"
    r"|\d{1,3}(?:\.\d{1,3}){3}(?:/.*)?",
    re.IGNORECASE,
)
"""A host that only a server of one's own is named by, or any host with a port."""


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
    an archive to start from. What else can be a site, plugins say: see `site_plugin`.
    """
    where = os.fspath(where)
    if (plugin := site_plugin(where)) is not None:
        return _plugin_site(plugin, where)
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


def site_plugin(where: str) -> str | None:
    """The plugin that opens this SITE: `NAME://...` is for the plugin NAME.

    A plugin with a function `recognizes` gets every SITE for which that returns True.
    """
    scheme = _SCHEME.match(where)
    for name in plugin_names(PLUGINS):
        if scheme and scheme[1].lower() == name.lower() not in _WEB:
            return name
        recognizes = getattr(load_plugin(PLUGINS, name), "recognizes", None)
        if recognizes is None:
            continue
        try:
            if recognizes(where):
                return name
        except Exception as error:
            raise BrokenPlugin(PLUGINS, name, f"recognizes() raised {error!r:.200}") from error
    return None


def _plugin_site(name: str, where: str) -> Site:
    site: Site = call_plugin(PLUGINS, name, where)
    if missing := [member for member in _PROTOCOL if not hasattr(site, member)]:
        why = f"{type(site).__name__} is no site: it has no {', '.join(missing)}"
        raise BrokenPlugin(PLUGINS, name, why)
    return site


def is_url(where: str) -> bool:
    """Whether this is a URL of the web; other schemes are refused."""
    scheme = _SCHEME.match(where)
    if scheme and scheme[1].lower() not in _WEB:
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
    if _HOST_AND_PORT.fullmatch(where):
        return InputNotFound(where, f"no such file or folder; if it is a web site: http://{where}")
    if _HOST_LIKE.fullmatch(where) and registered_domain(re.split("[:/]", where)[0]):
        return InputNotFound(where, f"no such file or folder; if it is a web site: https://{where}")
    return InputNotFound(where)


def _endings() -> str:
    return f"a {', '.join(ARCHIVE_ENDINGS[:-1])} or {ARCHIVE_ENDINGS[-1]} file"


# Where the pages of an output folder came from, so that later commands know.

SOURCE_FILE = "site.json"
ARCHIVE_FILE = "pages.warc.gz"
"""All that was fetched of a live site."""


@dataclass(frozen=True, slots=True)
class SiteSource:
    """The site that a folder of results is about, as it was named."""

    FORMAT: ClassVar[str] = "sitewright-site"
    site: str
    """A URL, or the path of a folder or file, from the output folder."""
    base_url: str | None = None
    home: str | None = None
    scope: ScopeKind = ScopeKind.HOST
    texts: tuple[str, ...] = ()
    """Digests of texts of the home page: `resemblance` knows a folder by them, wherever it lies."""
    crawl: CrawlAccount | None = None
    """What became of every URL of a live site, and what is left; of others, of those that are no
    pages of their own."""

    @property
    def is_live(self) -> bool:
        """Whether its pages are fetched from the web."""
        return site_plugin(self.site) is None and is_url(self.site)

    def open(self, options: CrawlOptions, out: Path | None = None) -> Site:
        """Open the site; what is fetched of a live one is kept in the folder `out`.

        What lies in `out` is no part of a folder that mirrors a site.
        """
        if self.is_live:
            Scope(self.site, self.scope)  # a bad URL is refused before a folder is made for it
            if out is not None:
                formats.output_folder(out)
        elif self.home is not None and Path(self.site).is_dir():
            from sitewright.site.folder import FolderSite

            return FolderSite(self.site, base_url=self.base_url, home=self.home, without=out)
        return open_site(
            self.site,
            archive=out / ARCHIVE_FILE if out is not None else None,
            base_url=self.base_url,
            scope=ScopeKind(self.scope),
            options=options,
        )

    def local(self, out: Path) -> SiteSource:
        """What is here of a live site: the archive in `out`, from the same start."""
        if not self.is_live:
            return self
        archive = out / ARCHIVE_FILE
        if not archive.is_file():
            why = f"no {ARCHIVE_FILE} here, so no local page of {self.site}; fetch some first"
            raise InputNotFound(str(out), f"{why}: without --local-only")
        return SiteSource(str(archive), base_url=self.site, scope=self.scope)


_DIGESTS = 64
_DIGEST_LENGTH = 12


def text_digests(body: bytes) -> tuple[str, ...]:
    """Digests of the texts between the tags of a page; of many, the smallest few.

    The smallest are a fair sample of all texts, and the same one for every copy of the page.
    """
    pieces = {b" ".join(piece.rpartition(b">")[2].split()) for piece in body.split(b"<")} - {b""}
    digests = sorted(sha256(piece).hexdigest()[:_DIGEST_LENGTH] for piece in pieces)
    return tuple(digests[:_DIGESTS])


def resemblance(one: Collection[str], other: Collection[str]) -> float:
    """The share of the texts of two pages that both have, from their `text_digests`."""
    sample = sorted({*one, *other})[:_DIGESTS]
    return len({*one} & {*other} & {*sample}) / len(sample) if sample else 0.0


def checked_source(
    site: str, base_url: str | None, home: str | None, scope: ScopeKind | str
) -> SiteSource:
    """Where the pages come from, if that can be: nothing is fetched yet."""
    kind = ScopeKind(scope)
    if (plugin := site_plugin(site)) is not None:
        for name, given in (("base_url", base_url), ("home", home)):
            if given is not None:
                raise InvalidInput(f"{name}={given}", f"has no effect on a site of {plugin}")
    elif is_url(site):
        Scope(site, kind)
        if site != without_secrets(site):
            why = "names a user: results would show it; use --auth USER:PASSWORD instead"
            raise InvalidURL(without_secrets(site), why)
        if home is not None:
            raise InvalidInput(f"home={home}", "is for folders: a URL is where the crawl starts")
    else:
        base_url, home = _checked_start(site, base_url, home)
    return SiteSource(site, base_url, home, kind)


def _checked_start(
    site: str, base_url: str | None, home: str | None
) -> tuple[str | None, str | None]:
    """The base URL of something local, and where in it to start."""
    if not Path(site).exists():
        raise not_found(site)
    if home is None or Path(site).is_dir():
        return base_url, home
    if not site.lower().endswith(ARCHIVE_ENDINGS):
        raise InvalidInput(f"home={home}", f"is for folders and archives, and {site} is none")
    if base_url is not None:
        raise InvalidInput(f"base_url={base_url}", "of an archive is the same as home; give one")
    return home, None


def write_source(out: Path, source: SiteSource, *, model: str) -> None:
    """Write OUT/site.json; a path is relative to OUT, so that both can be moved."""
    if not _SCHEME.match(source.site) and Path(source.site).exists():
        source = replace(source, site=Path(os.path.relpath(source.site, out)).as_posix())
    formats.write(out / SOURCE_FILE, source, model=model)


def read_source(out: Path) -> SiteSource:
    """Read OUT/site.json; a path comes back relative to the current folder."""
    path = out / SOURCE_FILE
    if not path.exists():
        why = "does not say where its pages came from; name the SITE with --site"
        raise InputNotFound(str(out), why)
    source = formats.read(path, SiteSource)
    local = os.path.normpath(out / source.site)
    is_path = Path(local).exists() or site_plugin(source.site) is None
    is_path = is_path and not _SCHEME.match(source.site)
    return replace(source, site=local) if is_path else source
