"""A folder that mirrors a web site, as wget, httrack or a static site generator leaves it."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from sitewright.errors import InputNotFound, InvalidAddress, UnreadableInput
from sitewright.site.base import Missing, Page, Reason
from sitewright.site.folder.files import MAX_FILE, FolderFiles
from sitewright.site.folder.names import INDEX_NAMES, FolderNames, url_path
from sitewright.site.scope import Scope, ScopeKind
from sitewright.site.sniff import looks_like_html
from sitewright.site.url import Parts, canonical, parts, registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NO_HOST = "http://folder.invalid/"
"""The base of a folder that is named after no host: a name that can never be fetched."""

_PAGE_ENDING = re.compile(r"\.(?:x?html?|xht|shtml)\Z", re.IGNORECASE)
# Files that are never pages, and not worth opening. Anything else is looked at.
_OTHER_ENDING = re.compile(
    r"\.(?:css|js|mjs|map|json|xml|rss|atom|txt|md|csv|tsv|pdf|ps|docx?|xlsx?|pptx?|od[tsp]|rtf|epub"
    r"|png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|og[gv]|wav|flac|webm|avi|mov|mkv|swf"
    r"|woff2?|ttf|otf|eot|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|exe|msi|dmg|iso|bin|wasm|warc|wacz"
    r"|py|c|h|java|rs|go|sh|ya?ml|toml|ini|sql|db|sqlite)(?:[?@].*)?\Z",
    re.IGNORECASE,
)


class FolderSite:
    """The pages of a folder, under addresses that do not depend on where the folder lies.

    The base is `base_url`; else the host that the folder is named after, as wget names its
    mirrors; else `NO_HOST`. A page's address is the base and the name of its file, `index.html`
    and all. `file:` URLs are nobody's address: they say where a folder lay when it was written.
    `without` is a folder whose pages are not the site's own, such as the one for our results.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        base_url: str | None = None,
        home: str | None = None,
        without: str | Path | None = None,
        max_size: int = MAX_FILE,
    ) -> None:
        _check_is_folder(Path(folder))
        self._scope = Scope(_base(Path(folder), base_url), ScopeKind.PREFIX)
        self._base = urljoin(self._scope.start, self._scope.folder)
        self._files = FolderFiles(str(folder), without)
        self._names = FolderNames(self._files.names, self._files.real_name)
        self._max_size = max_size
        self._missed: set[str] = set()
        self.tally: Counter[Reason] = Counter(self._files.refused)
        self.home = self._home() if home is None else self._given_home(home)
        if not self.home:
            raise UnreadableInput(str(folder), "no pages in this folder")

    def address(self, url: str) -> str | None:
        """Give the address of the file that serves a URL, or its canonical form if none does."""
        address = canonical(url)
        split = parts(address) if address is not None else None
        if split is None or not self._scope.contains_parts(split):
            return None
        name = self._file_for(split)
        return address if name is None else self._address_of(name)

    async def fetch(self, urls: Sequence[str]) -> list[Page | Missing]:
        """Read these pages; the disk is fast enough to do so one by one."""
        return [self._counted(self._fetch(url)) for url in urls]

    def pages(self) -> Iterator[Page]:
        """Stream all pages in the order of their file names."""
        for name in self._files.names:
            outcome = self._read(name, self._address_of(name))
            if isinstance(outcome, Page) and self._scope.contains(outcome.url):
                yield outcome
            elif isinstance(outcome, Missing) and outcome.reason is not Reason.NOT_HTML:
                self._counted(outcome)

    async def aclose(self) -> None:
        """Finish; there is nothing to close."""

    def _fetch(self, url: str) -> Page | Missing:
        address = canonical(url)
        split = parts(address) if address is not None else None
        if split is None or not self._scope.contains_parts(split):
            return Missing(url, Reason.OUT_OF_SCOPE)
        name = self._file_for(split)
        return Missing(url, Reason.NOT_FOUND) if name is None else self._read(name, url)

    def _file_for(self, split: Parts) -> str | None:
        """Find the file for a canonical URL within scope."""
        return self._names.find(split.path[len(self._scope.folder) :], split.query)

    def _address_of(self, name: str) -> str:
        return self._base + url_path(name)

    def _read(self, name: str, requested: str) -> Page | Missing:
        """Read a page, judged by its ending or else by its first bytes."""
        if _OTHER_ENDING.search(name):
            return Missing(requested, Reason.NOT_HTML)
        is_wanted = _always if _PAGE_ENDING.search(name) else looks_like_html
        body = self._files.read(name, is_wanted, self._max_size)
        if isinstance(body, Reason):
            return Missing(requested, body)
        address = self._address_of(name)
        return Page(address, body, requested="" if requested == address else requested)

    def _counted(self, outcome: Page | Missing) -> Page | Missing:
        """Count a missing page once, however often it is asked for."""
        if isinstance(outcome, Missing) and outcome.url not in self._missed:
            self._missed.add(outcome.url)
            self.tally[outcome.reason] += 1
        return outcome

    def _given_home(self, home: str) -> str:
        outcome = self._fetch(urljoin(self._base, home))
        if isinstance(outcome, Missing):
            raise InvalidAddress(home, f"no page of this folder ({outcome.reason})")
        return outcome.url

    def _home(self) -> str:
        """Choose the index page of the folder, else the first page nearest to its top."""
        nearest = sorted(self._files.names, key=_distance)
        pages = (self._read(name, self._address_of(name)) for name in nearest)
        return next((page.url for page in pages if isinstance(page, Page)), "")


def _always(_: bytes) -> bool:
    return True


def _distance(name: str) -> tuple[int, int, str]:
    last = name.rpartition("/")[2].lower()
    rank = INDEX_NAMES.index(last) if last in INDEX_NAMES else len(INDEX_NAMES)
    return name.count("/"), rank, name


def _check_is_folder(folder: Path) -> None:
    if not folder.exists():
        raise InputNotFound(str(folder))
    if not folder.is_dir():
        raise UnreadableInput(str(folder), "not a folder")
    try:
        os.scandir(folder).close()
    except OSError as error:
        raise UnreadableInput(str(folder), error.strerror or "cannot be listed") from None


def _base(folder: Path, base_url: str | None) -> str:
    if base_url is not None:
        return base_url
    name = folder.absolute().name
    return f"http://{name}/" if "." in name and registered_domain(name) else NO_HOST
