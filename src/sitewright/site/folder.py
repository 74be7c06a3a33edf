"""A folder that mirrors a web site, as wget, httrack or a static site generator leaves it."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from sitewright.errors import InputNotFound, InvalidInput, InvalidURL, NoPages, UnreadableInput
from sitewright.formats import format_of
from sitewright.page.document import HEAD
from sitewright.page.host import registered_domain
from sitewright.page.url import INDEX_NAMES, UrlParts, canonical, parts
from sitewright.site.base import NONE_KNOWN, ClosedByContext, Missing, Page, Reason
from sitewright.site.folder_names import FolderNames, SavedPages, companion_folders, url_path
from sitewright.site.http import SNIFFED, looks_binary, looks_like_html
from sitewright.site.scope import Scope, ScopeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


# The files of a folder: their names, and their bytes without ever leaving the folder.
#
# Names come from one walk over the folder, and only these are ever opened: no URL reaches the file
# system. Symbolic links are other names of what they point to, if that lies in the folder.

MAX_FILE = 64 << 20
"""The largest file that is read, in bytes."""
_VERSIONS = frozenset({".git", ".hg", ".svn"})
"""Where version control keeps its own files, which are nobody's pages."""
_MODEL, _MODEL_FORMAT = "model.json", "sitewright-model"
"""The file that every folder of our results has, and what it says that it is."""
_MAX_NAME = 2000
"""The longest name, in characters: every URL made of it is short enough to be one."""

# Without O_NONBLOCK, opening a pipe would wait for a writer. Windows has none of these.
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_STEPWISE = os.open in os.supports_dir_fd and bool(_NO_LINK)


class FolderFiles:
    """The regular files under a folder, by their names in it, with `/` between the segments.

    Folders below it that hold results of ours are passed over, and so is `without`; `only` is the
    one file that counts, so that the folder is not walked.
    """

    def __init__(
        self, root: str, without: str | os.PathLike[str] | None = None, only: str | None = None
    ) -> None:
        self.root = os.path.realpath(root)
        self._without = None if without is None else os.path.realpath(without)
        if self._without == self.root:
            raise InvalidInput(root, "is the site itself: results would be read as its pages")
        self.names: list[str] = []
        """Sorted, and without symbolic links in any segment."""
        self.refused: Counter[Reason] = Counter()
        """What the walk passed over: links that lead outside, folders that cannot be listed."""
        self._links: dict[str, str] = {}
        if only is not None:
            self.names.append(only)
        waiting = [""] if only is None else []
        while waiting:
            self._list(waiting.pop(), waiting)
        self.names.sort()

    def _list(self, prefix: str, waiting: list[str]) -> None:
        try:
            with os.scandir(f"{self.root}/{prefix}") as listed:
                entries = list(listed)
            if prefix and any(entry.name == _MODEL for entry in entries) and self._is_ours(prefix):
                return
            for entry in entries:
                self._take_in(entry, prefix + entry.name, waiting)
        except OSError:
            self.refused[Reason.UNREADABLE] += 1

    def _is_ours(self, prefix: str) -> bool:
        """Whether a folder holds results of ours, which are nobody's pages."""
        return format_of(self.head(prefix + _MODEL, SNIFFED)) == _MODEL_FORMAT

    def _take_in(self, entry: os.DirEntry[str], name: str, waiting: list[str]) -> None:
        if len(name) > _MAX_NAME:
            self.refused[Reason.UNREADABLE] += 1
        elif entry.is_symlink():
            self._take_in_link(name)
        elif entry.is_dir(follow_symlinks=False):
            if entry.name not in _VERSIONS and f"{self.root}/{name}" != self._without:
                waiting.append(f"{name}/")
        elif entry.is_file(follow_symlinks=False):
            self.names.append(name)

    def _take_in_link(self, name: str) -> None:
        target = os.path.realpath(f"{self.root}/{name}")
        if os.path.commonpath([target, self.root]) != self.root:
            self.refused[Reason.OUT_OF_SCOPE] += 1
        else:
            inside = os.path.relpath(target, self.root).replace(os.sep, "/")
            self._links[name] = "" if inside == "." else inside

    @property
    def linked(self) -> list[str]:
        """Further names of files, which are symbolic links."""
        names = set(self.names) if self._links else set()
        return [name for name, target in self._links.items() if target in names]

    @property
    def has_links(self) -> bool:
        """Whether there are symbolic links within the folder."""
        return bool(self._links)

    def real_name(self, name: str) -> str:
        """Give another name of a file, through symbolic links, as its one real name."""
        if not self._links:
            return name
        real = ""
        for segment in name.split("/"):
            real = f"{real}/{segment}" if real else segment
            real = self._links.get(real, real)
        return real

    def head(self, name: str, size: int) -> bytes:
        """Read the first bytes of a file of `names`, as safely; none if it cannot be read."""
        try:
            file = _open(self.root, name)
        except OSError:
            return b""
        try:
            is_regular = stat.S_ISREG(os.fstat(file).st_mode)
            return os.read(file, size) if is_regular else b""
        except OSError:
            return b""
        finally:
            os.close(file)

    def read(self, name: str, is_wanted: Callable[[bytes], bool], limit: int) -> bytes | Reason:
        """Read a file of `names`, or tell why not; `is_wanted` decides by the first bytes.

        Every segment of its name is opened without following links: whatever has been put in its
        place since the walk, nothing outside is read, and no pipe or device.
        """
        try:
            file = _open(self.root, name)
        except OSError:
            return Reason.UNREADABLE
        try:
            return _read_regular(file, is_wanted, limit)
        except OSError:
            return Reason.UNREADABLE
        finally:
            os.close(file)


def _read_regular(file: int, is_wanted: Callable[[bytes], bool], limit: int) -> bytes | Reason:
    status = os.fstat(file)
    if not stat.S_ISREG(status.st_mode):
        return Reason.UNREADABLE
    with open(file, "rb", closefd=False) as stream:
        head = stream.read(SNIFFED)
        if not is_wanted(head):
            return Reason.NOT_HTML
        if status.st_size > limit:
            return Reason.TOO_LARGE
        return head + stream.read(max(0, status.st_size - len(head)))


def _open(root: str, name: str) -> int:
    """Open a file without following a link anywhere below the root."""
    if not _STEPWISE:
        return _open_checked(root, name)
    *folders, last = name.split("/")
    folder = os.open(root, _READ | _DIRECTORY)
    try:
        for segment in folders:
            inner = os.open(segment, _READ | _DIRECTORY | _NO_LINK, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(last, _READ | _NO_LINK, dir_fd=folder)
    finally:
        os.close(folder)


def _open_checked(root: str, name: str) -> int:
    """Open a file where systems cannot do it step by step: what it really is must be its name."""
    path = Path(root, name)
    if path.resolve() != path or not path.is_file():
        raise FileNotFoundError(name)
    return os.open(path, _READ | getattr(os, "O_BINARY", 0))


NO_HOST = "http://folder.invalid/"
"""The base of a folder that is named after no host: a name that can never be fetched."""

_PAGE_ENDING = re.compile(r"\.(?:x?html?|xht|shtml)\Z", re.IGNORECASE)
_SLASH = re.compile("/")
_MOST_REMEMBERED = 1 << 16
"""URLs whose pages are remembered."""
_VOTES = 24
"""So many pages are asked where they lead to, if no index page says which is home."""
# Files that are never pages, and not worth opening. Anything else is looked at.
_OTHER_ENDING = re.compile(
    r"\.(?:css|js|mjs|map|json|xml|rss|atom|txt|md|csv|tsv|pdf|ps|docx?|xlsx?|pptx?|od[tsp]|rtf|epub"
    r"|png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|og[gv]|wav|flac|webm|avi|mov|mkv|swf"
    r"|woff2?|ttf|otf|eot|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|exe|msi|dmg|iso|bin|wasm|warc|wacz"
    r"|py|c|h|java|rs|go|sh|ya?ml|toml|ini|sql|db|sqlite)(?:[?@].*)?\Z",
    re.IGNORECASE,
)


class FolderSite(ClosedByContext):
    """The pages of a folder, under URLs that do not depend on where the folder lies.

    The base is `base_url`; else the host that the folder is named after, as wget names its
    mirrors; else `NO_HOST`. A page's URL is the base and the name of its file, `index.html`
    and all. `file:` URLs are nobody's URL: they say where a folder lay when it was written.
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
        self._names = FolderNames(
            self._files.names, self._files.real_name if self._files.has_links else str
        )
        self._companions = companion_folders(self._files.names)
        self._saved = SavedPages(self._page_names(), self._head, self._names.find)
        self._max_size = max_size
        self._page_urls: dict[str, str | None] = {}
        self._first: Page | None = None
        self.missed: dict[str, Missing] = {}
        self.tally: Counter[Reason] = Counter(self._files.refused)
        self.home = self._home() if home is None else self._given_home(home)
        if not self.home:
            raise NoPages(os.fspath(folder), "no pages in this folder")

    def page_url(self, url: str) -> str | None:
        """Give the URL of the file that serves a URL, or its canonical form if none does.

        A URL that a page of the folder was saved from is a URL of that page, whatever its
        host; other URLs out of scope have none.
        """
        # Pages link to the same pages: a menu is asked for on every one of them.
        try:
            return self._page_urls[url]
        except KeyError:
            pass
        if len(self._page_urls) >= _MOST_REMEMBERED:
            self._page_urls.clear()
        found = self._page_urls[url] = self._find_page_url(url)
        return found

    def _find_page_url(self, url: str) -> str | None:
        canonical_url = canonical(url)
        if canonical_url is None:
            return None
        split = parts(canonical_url)
        name = self._file_for(split)
        if name is not None:
            return self._address_of(name)
        return canonical_url if self._scope.contains_parts(split) else None

    async def fetch(self, urls: Sequence[str]) -> list[Page | Missing]:
        """Read these pages; the disk is fast enough to do so one by one."""
        return [self._counted(self._fetch(url)) for url in urls]

    def pages(self, known: Mapping[str, Page] = NONE_KNOWN) -> Iterator[Page]:
        """Stream all pages in the order of their file names."""
        for name in self._files.names:
            url = self._address_of(name)
            outcome = known.get(url) or self._read(name, url)
            if isinstance(outcome, Page) and self._scope.contains(outcome.url):
                yield outcome
            elif isinstance(outcome, Missing) and outcome.reason is not Reason.NOT_HTML:
                self._counted(outcome)

    def listing(self) -> Iterator[str]:
        """Give the URLs of all pages in the order of their file names."""
        urls = map(self._address_of, self._page_names())
        return (url for url in urls if self._scope.contains(url))

    async def aclose(self) -> None:
        """Finish; there is nothing to close."""

    def _fetch(self, url: str) -> Page | Missing:
        canonical_url = canonical(url)
        split = parts(canonical_url) if canonical_url is not None else None
        name = self._file_for(split) if split is not None else None
        if name is not None:
            return self._read(name, url)
        is_own = split is not None and self._scope.contains_parts(split)
        return Missing(url, Reason.NOT_FOUND if is_own else Reason.OUT_OF_SCOPE)

    def _file_for(self, split: UrlParts) -> str | None:
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
        """Read a page, recognised by its ending or else by its first bytes."""
        if not self._may_be_page(name):
            return Missing(requested, Reason.NOT_HTML)
        url = self._address_of(name)
        if self._first is not None and self._first.url == url:  # read to choose the home page
            return replace(self._first, requested="" if requested == url else requested)
        is_wanted = _is_text if _PAGE_ENDING.search(name) else looks_like_html
        body = self._files.read(name, is_wanted, self._max_size)
        if isinstance(body, Reason):
            return Missing(requested, body)
        return Page(url, body, requested="" if requested == url else requested)

    def _counted(self, outcome: Page | Missing) -> Page | Missing:
        """Count a missing page once, however often it is asked for."""
        if isinstance(outcome, Missing) and outcome.url not in self.missed:
            self.missed[outcome.url] = outcome
            self.tally[outcome.reason] += 1
        return outcome

    def _given_home(self, home: str) -> str:
        try:
            outcome = self._fetch(urljoin(self._base, home))
        except ValueError as error:
            raise InvalidURL(home, str(error)) from None
        if isinstance(outcome, Missing):
            raise InvalidURL(home, f"no page of this folder ({outcome.reason})")
        self._first = outcome
        return outcome.url

    def _home(self) -> str:
        """Choose the index page of the folder, else the page that most pages lead to.

        The index page may be another name of a page: `index.html -> manual.html`. Where most pages
        lead to none, the first page nearest to the top is home.
        """
        nearest = sorted([*self._files.names, *self._files.linked], key=_distance)
        for name in nearest:
            page = self._read(real := self._files.real_name(name), self._address_of(real))
            if isinstance(page, Page):
                self._first = page if _is_index(name) else self._linked_by_most() or page
                return self._first.url
        return ""

    def _linked_by_most(self) -> Page | None:
        """The page that most pages lead to, of equals the one that they lead to first."""
        names = list(self._page_names())
        asked = names[:: -(-len(names) // _VOTES)] if len(names) > 1 else []
        votes: Counter[str] = Counter()
        ranks: Counter[str] = Counter()
        for name in asked:
            page = self._read(name, self._address_of(name))
            found = self._linked_files(page) if isinstance(page, Page) else {}
            for rank, file in enumerate(one for one in found if one != name):
                votes[file] += 1
                ranks[file] += rank
        best = max(votes, key=lambda file: (votes[file], -ranks[file]), default="")
        if 2 * votes[best] <= len(asked):
            return None
        home = self._read(best, self._address_of(best))
        return home if isinstance(home, Page) else None

    def _linked_files(self, page: Page) -> dict[str, None]:
        """The files that a page leads to, in their order."""
        urls = filter(None, (canonical(link.url) for link in page.document().links if link.url))
        return dict.fromkeys(filter(None, map(self._file_for, map(parts, urls))))


def is_page_file(file: Path) -> bool:
    """Whether a file is a page, by its ending or else by its first bytes."""
    if _PAGE_ENDING.search(file.name):
        return True
    real = file.resolve()
    head = FolderFiles(str(real.parent), only=real.name).head(real.name, SNIFFED)
    return not _OTHER_ENDING.search(file.name) and looks_like_html(head)


def _is_text(head: bytes) -> bool:
    return not looks_binary(head)


def _distance(name: str) -> tuple[int, int, str]:
    last = _last(name)
    rank = INDEX_NAMES.index(last) if _is_index(name) else len(INDEX_NAMES)
    return name.count("/"), rank, name


def _is_index(name: str) -> bool:
    return _last(name) in INDEX_NAMES


def _last(name: str) -> str:
    return name.rpartition("/")[2].lower()


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
