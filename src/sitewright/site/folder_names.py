"""Which file of a mirror serves a URL: how wget, httrack and web servers name files."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes, unquote_to_bytes

from sitewright.page import Document
from sitewright.page.document import saved_from
from sitewright.page.url import INDEX_NAMES, UrlParts, canonical, parts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator


_PAGE_ENDINGS = (".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx")
_ADDED_ENDINGS = (".html", ".htm")
_QUERY_MARKS = "?@"
# Everything that has a meaning of its own in a URL is escaped; `;` too, which may begin a session.
_SAFE = "/!$&'()*+,=:@"


def url_path(name: str) -> str:
    """Give the path that names a file in a URL; bytes that are no UTF-8 stay what they are."""
    return quote_from_bytes(os.fsencode(name), safe=_SAFE)


class FolderNames:
    """Finds the file for a URL's path and query, among the names of a folder's files.

    `real_name` turns other names, those that go through symbolic links, into real ones; `str` if
    there are no such links.
    """

    def __init__(self, names: Collection[str], real_name: Callable[[str], str] = str) -> None:
        self._names = frozenset(names)
        self._real_name = real_name

    def find(self, path: str, query: str | None) -> str | None:
        """Give the file that serves an escaped path, relative to the folder, with its query.

        An exact name wins; then one that differs only in case, if it is the only one.
        """
        if not query and (own := _decoded(path)) in self._names:
            return own
        if not self._may_serve(path, query):
            return None
        wanted = [self._real_name(name) for name in _candidates(path)]
        if query:
            found = self._find_with_query(wanted, query)
            if found is not None or any(name in self._paths_with_query for name in wanted):
                return found
        return self._find_exact(wanted) or self._find_in_any_case(wanted)

    def _may_serve(self, path: str, query: str | None) -> bool:
        """Whether there can be a file for a path: links that lead nowhere must cost little."""
        if self._real_name is not str or (query and self._by_query):
            return True
        return not self._served.isdisjoint(map(_any_case, (_decoded(path), path)))

    @cached_property
    def _served(self) -> frozenset[str]:
        """The paths, in any case, that some file serves, by its name or without its ending."""
        found: set[str] = set()
        for name in map(_any_case, self._names):
            found.add(name)
            folder, slash, last = name.rpartition("/")
            if last in _ANY_CASE_INDEX_NAMES:
                found |= {folder, folder + slash}
            found.update(name.removesuffix(one) for one in _PAGE_ENDINGS if name.endswith(one))
        return frozenset(found)

    def _find_exact(self, wanted: list[str]) -> str | None:
        return next((name for name in wanted if name in self._names), None)

    def _find_in_any_case(self, wanted: list[str]) -> str | None:
        found = (self._by_lower_case.get(name.lower()) for name in wanted)
        return next((name for name in found if name), None)

    def _find_with_query(self, wanted: list[str], query: str) -> str | None:
        found = (self._by_query.get((name, query)) for name in wanted)
        return next((name for name in found if name), None)

    @cached_property
    def _by_lower_case(self) -> dict[str, str]:
        """Names by their lower-case form; an empty one where several would do."""
        found: dict[str, str] = {}
        for name in self._names:
            lower = name.lower()
            found[lower] = "" if lower in found else name
        return found

    @cached_property
    def _by_query(self) -> dict[tuple[str, str], str]:
        """Names that hold a query (`page.php?id=1`), by what stands before it and the query."""
        found: dict[tuple[str, str], str] = {}
        for name in sorted(self._names, reverse=True):
            for stem, query in _query_readings(name):
                found[stem, query] = name
        return found

    @cached_property
    def _paths_with_query(self) -> frozenset[str]:
        """The paths where another query means another file."""
        return frozenset(stem for stem, _ in self._by_query)


def _any_case(name: str) -> str:
    """A name in lower case, one that is the same wherever in a name a letter stands."""
    return name.lower().replace("ς", "\N{GREEK SMALL LETTER SIGMA}")


_ANY_CASE_INDEX_NAMES = frozenset(map(_any_case, INDEX_NAMES))


def _candidates(path: str) -> Iterator[str]:
    """Give the names that may serve a path: its own, decoded or not, with an ending, an index."""
    for name in dict.fromkeys((_decoded(path), path)):
        if not name or name.endswith("/"):
            yield from (name + index for index in INDEX_NAMES)
        else:
            yield name
            yield from (name + ending for ending in _PAGE_ENDINGS)
            yield from (f"{name}/{index}" for index in INDEX_NAMES)


def _decoded(path: str) -> str:
    return os.fsdecode(unquote_to_bytes(path))


def _query_readings(name: str) -> Iterator[tuple[str, str]]:
    """Read a query out of a file name: after `?`, or `@` where `?` is not allowed in names.

    The ending that makes it open as a page (`page.php?id=1.html`) may be part of it or not.
    """
    folder, slash, last = name.rpartition("/")
    for mark in _QUERY_MARKS:
        stem, found, written = last.partition(mark)
        if not found or not stem:
            continue
        for ending in ("", *_ADDED_ENDINGS):
            query = _normal_query(written.removesuffix(ending)) if written.endswith(ending) else ""
            if query:
                yield folder + slash + stem, query


def _normal_query(written: str) -> str:
    url = canonical(f"http://folder.invalid/?{os.fsencode(written).decode('utf-8', 'replace')}")
    return (parts(url).query or "") if url else ""


# Pages that say where they were saved from, so that links between them lead into the folder.
#
# A page saved from a browser has its URL in a comment in front of it; crawlers put a `<base>`
# with it there. Both leave links that lead to the host it came from.

_ASKED = 20
"""If none of the first so many pages says where it is from, the folder is a mirror like others."""


_ENDINGS = ("_files", ".files", "-Dateien", "_fichiers", "_archivos", "_bestanden", "_arquivos")
"""How browsers name the folder that holds what a saved page shows."""
_PAGE = re.compile(r"(.+)\.x?html?", re.IGNORECASE | re.DOTALL)

SavedKey = tuple[str, int | None, str, str | None]
"""A URL without what sites do not care about: its scheme, and `www.`."""


def companion_folders(names: Iterable[str]) -> frozenset[str]:
    """Where the frames and images of saved pages lie: `Tea_files/` beside `Tea.html`."""
    stems = (page[1] for page in map(_PAGE.fullmatch, names) if page)
    return frozenset(f"{stem}{ending}/" for stem in stems for ending in _ENDINGS)


class SavedPages:
    """Finds the file that was saved from a URL.

    A URL that one page alone declares is its own. One that several declare is the base of
    them all: what lies under it, or at the same path of its host, is looked for in the folder.
    """

    def __init__(
        self,
        names: Iterable[str],
        head: Callable[[str], bytes],
        find: Callable[[str, str | None], str | None],
    ) -> None:
        self._all_names, self._head, self._find = names, head, find

    def file_for(self, url: UrlParts) -> str | None:
        """The file that was saved from a canonical URL; None if the folder has none."""
        key = _key(url)
        pages = self._pages.get(key, ())
        if len(pages) == 1:
            return pages[0]
        folders = self._bases.get(key[:2], ())
        inside = (url.path[len(f) :] for f in folders if url.path.startswith(f))
        found = (self._find(path, url.query) for path in inside)
        return next(filter(None, found), None)

    @cached_property
    def _pages(self) -> dict[SavedKey, list[str]]:
        """The pages that declare each URL."""
        names = iter(self._all_names)
        first = [(name, self._source(name)) for name in islice(names, _ASKED)]
        if not any(source for _, source in first):
            return {}
        others = ((name, self._source(name)) for name in names)
        found: defaultdict[SavedKey, list[str]] = defaultdict(list)
        for name, source in chain(first, others):
            if source is not None:
                found[_key(parts(source))].append(name)
        return dict(found)

    def _source(self, name: str) -> str | None:
        return saved_from(Document(self._head(name)))

    @cached_property
    def _bases(self) -> dict[tuple[str, int | None], tuple[str, ...]]:
        """For each host the folders that several pages declare, the longest first, and its root."""
        found: defaultdict[tuple[str, int | None], set[str]] = defaultdict(set)
        for (host, port, path, _), names in self._pages.items():
            if len(names) > 1:
                found[host, port] |= {path[: path.rindex("/") + 1], "/"}
        return {
            host: tuple(sorted(folders, key=lambda folder: (-len(folder), folder)))
            for host, folders in found.items()
        }


def _key(split: UrlParts) -> SavedKey:
    return split.host.removeprefix("www."), split.port, split.path, split.query
