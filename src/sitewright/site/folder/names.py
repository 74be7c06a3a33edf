"""Which file of a mirror serves a URL: how wget, httrack and web servers name files."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes, unquote_to_bytes

from sitewright.site.url import INDEX_NAMES, canonical, parts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

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

    `real_name` turns other names, those that go through symbolic links, into real ones.
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
        wanted = [self._real_name(name) for name in _candidates(path)]
        if query:
            found = self._find_with_query(wanted, query)
            if found is not None or any(name in self._paths_with_query for name in wanted):
                return found
        return self._find_exact(wanted) or self._find_in_any_case(wanted)

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
    address = canonical(f"http://folder.invalid/?{os.fsencode(written).decode('utf-8', 'replace')}")
    return (parts(address).query or "") if address else ""
