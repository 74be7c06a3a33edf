"""A folder that mirrors a web site, as wget, httrack or a static site generator leaves it."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from sitewright.errors import InputNotFound, InvalidAddress, NoPages, UnreadableInput
from sitewright.site.base import NONE_KNOWN, ClosedByContext, Missing, Page, Reason
from sitewright.site.folder.files import MAX_FILE, FolderFiles
from sitewright.site.folder.names import FolderNames, url_path
from sitewright.site.folder.saved import HEAD, SavedPages, companion_folders
from sitewright.site.scope import Scope, ScopeKind
from sitewright.site.sniff import SNIFFED, looks_like_html
from sitewright.site.url import INDEX_NAMES, Parts, canonical, parts, registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

NO_HOST = "http://folder.invalid/"
"""The base of a folder that is named after no host: a name that can never be fetched."""

_PAGE_ENDING = re.compile(r"\.(?:x?html?|xht|shtml)\Z", re.IGNORECASE)
_SLASH = re.compile("/")
# Files that are never pages, and not worth opening. Anything else is looked at.
_OTHER_ENDING = re.compile(
    r"\.(?:css|js|mjs|map|json|xml|rss|atom|txt|md|csv|tsv|pdf|ps|docx?|xlsx?|pptx?|od[tsp]|rtf|epub"
    r"|png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|og[gv]|wav|flac|webm|avi|mov|mkv|swf"
    r"|woff2?|ttf|otf|eot|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|exe|msi|dmg|iso|bin|wasm|warc|wacz"
    r"|py|c|h|java|rs|go|sh|ya?ml|toml|ini|sql|db|sqlite)(?:[?@].*)?\Z",
    re.IGNORECASE,
)


class FolderSite(ClosedByContext):
    """The pages of a folder, under addresses that do not depend on where the folder lies.

    The base is `base_url`; else the host that the folder is named after, as wget names its
    mirrors; else `NO_HOST`. A page's address is the base and the name of its file, `index.html`
    and all. `file:` URLs are nobody's address: they say where a folder lay when it was written.
    `without` is a folder whose pages are not the site's own, such as the one for our results.
    What lies in the folder of a saved page (`Tea_files` beside `Tea.html`) is part of that page,
    and no page itself. A file that is a page stands for a folder with nothing else in it.
    """

    is_live = False

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        base_url: str | None = None,
        home: str | None = None,
        without: str | os.PathLike[str] | None = None,
        max_size: int = MAX_FILE,
    ) -> None:
        root, only = _folder_and_page(Path(folder))
        self._scope = Scope(_base(root, base_url), ScopeKind.PREFIX)
        self._base = urljoin(self._scope.start, self._scope.folder)
        self._files = FolderFiles(str(root), without, only)
        self._names = FolderNames(self._files.names, self._files.real_name)
        self._companions = companion_folders(self._files.names)
        self._saved = SavedPages(self._page_names(), self._head, self._names.find)
        self._max_size = max_size
        self._first: Page | None = None
        self.missed: dict[str, Missing] = {}
        self.tally: Counter[Reason] = Counter(self._files.refused)
        self.home = self._home() if home is None else self._given_home(home)
        if not self.home:
            raise NoPages(os.fspath(folder), "no pages in this folder")

    def address(self, url: str) -> str | None:
        """Give the address of the file that serves a URL, or its canonical form if none does.

        A URL that a page of the folder was saved from is an address of that page, whatever its
        host; other URLs out of scope have none.
        """
        address = canonical(url)
        if address is None:
            return None
        split = parts(address)
        name = self._file_for(split)
        if name is not None:
            return self._address_of(name)
        return address if self._scope.contains_parts(split) else None

    async def fetch(self, urls: Sequence[str]) -> list[Page | Missing]:
        """Read these pages; the disk is fast enough to do so one by one."""
        return [self._counted(self._fetch(url)) for url in urls]

    def pages(self, known: Mapping[str, Page] = NONE_KNOWN) -> Iterator[Page]:
        """Stream all pages in the order of their file names."""
        for name in self._files.names:
            address = self._address_of(name)
            outcome = known.get(address) or self._read(name, address)
            if isinstance(outcome, Page) and self._scope.contains(outcome.url):
                yield outcome
            elif isinstance(outcome, Missing) and outcome.reason is not Reason.NOT_HTML:
                self._counted(outcome)

    def listing(self) -> Iterator[str]:
        """Give the addresses of all pages in the order of their file names."""
        addresses = map(self._address_of, self._page_names())
        return (address for address in addresses if self._scope.contains(address))

    async def aclose(self) -> None:
        """Finish; there is nothing to close."""

    def _fetch(self, url: str) -> Page | Missing:
        address = canonical(url)
        split = parts(address) if address is not None else None
        name = self._file_for(split) if split is not None else None
        if name is not None:
            return self._read(name, url)
        is_own = split is not None and self._scope.contains_parts(split)
        return Missing(url, Reason.NOT_FOUND if is_own else Reason.OUT_OF_SCOPE)

    def _file_for(self, split: Parts) -> str | None:
        """Find the file for a canonical URL: by its name within scope, else by where it is from."""
        if self._scope.contains_parts(split):
            name = self._names.find(split.path[len(self._scope.folder) :], split.query)
            if name is not None:
                return name
        return self._saved.file_for(split)

    def _page_names(self) -> Iterator[str]:
        """The files that are pages, by their ending or else by their first bytes."""
        for name in self._files.names:
            if self._may_be_page(name) and (
                _PAGE_ENDING.search(name) or looks_like_html(self._files.head(name, SNIFFED))
            ):
                yield name

    def _may_be_page(self, name: str) -> bool:
        if _OTHER_ENDING.search(name):
            return False
        folders = (name[: mark.end()] for mark in _SLASH.finditer(name))
        return self._companions.isdisjoint(folders)

    def _head(self, name: str) -> bytes:
        return self._files.head(name, HEAD)

    def _address_of(self, name: str) -> str:
        return self._base + url_path(name)

    def _read(self, name: str, requested: str) -> Page | Missing:
        """Read a page, judged by its ending or else by its first bytes."""
        if not self._may_be_page(name):
            return Missing(requested, Reason.NOT_HTML)
        address = self._address_of(name)
        if self._first is not None and self._first.url == address:  # read to choose the home page
            return replace(self._first, requested="" if requested == address else requested)
        is_wanted = _always if _PAGE_ENDING.search(name) else looks_like_html
        body = self._files.read(name, is_wanted, self._max_size)
        if isinstance(body, Reason):
            return Missing(requested, body)
        return Page(address, body, requested="" if requested == address else requested)

    def _counted(self, outcome: Page | Missing) -> Page | Missing:
        """Count a missing page once, however often it is asked for."""
        if isinstance(outcome, Missing) and outcome.url not in self.missed:
            self.missed[outcome.url] = outcome
            self.tally[outcome.reason] += 1
        return outcome

    def _given_home(self, home: str) -> str:
        outcome = self._fetch(urljoin(self._base, home))
        if isinstance(outcome, Missing):
            raise InvalidAddress(home, f"no page of this folder ({outcome.reason})")
        self._first = outcome
        return outcome.url

    def _home(self) -> str:
        """Choose the index page of the folder, else the first page nearest to its top."""
        nearest = sorted(self._files.names, key=_distance)
        pages = (self._read(name, self._address_of(name)) for name in nearest)
        self._first = next((page for page in pages if isinstance(page, Page)), None)
        return self._first.url if self._first else ""


def is_page_file(file: Path) -> bool:
    """Whether a file is a page, by its ending or else by its first bytes."""
    if _PAGE_ENDING.search(file.name):
        return True
    real = file.resolve()
    head = FolderFiles(str(real.parent), only=real.name).head(real.name, SNIFFED)
    return not _OTHER_ENDING.search(file.name) and looks_like_html(head)


def _always(_: bytes) -> bool:
    return True


def _distance(name: str) -> tuple[int, int, str]:
    last = name.rpartition("/")[2].lower()
    rank = INDEX_NAMES.index(last) if last in INDEX_NAMES else len(INDEX_NAMES)
    return name.count("/"), rank, name


def _folder_and_page(where: Path) -> tuple[Path, str | None]:
    """The folder, and the one file that counts where a page was given in its place."""
    if not where.exists():
        raise InputNotFound(str(where))
    if where.is_file() and is_page_file(where):
        real = where.resolve()
        return real.parent, real.name
    if not where.is_dir():
        raise UnreadableInput(str(where), "not a folder")
    try:
        os.scandir(where).close()
    except OSError as error:
        raise UnreadableInput(str(where), error.strerror or "cannot be listed") from None
    return where, None


def _base(folder: Path, base_url: str | None) -> str:
    if base_url is not None:
        return base_url
    name = folder.absolute().name
    return f"http://{name}/" if "." in name and registered_domain(name) else NO_HOST
