"""Pages that say where they were saved from, so that links between them lead into the folder.

A page saved from a browser has its address in a comment in front of it; crawlers put a `<base>`
with it there. Both leave links that lead to the host it came from.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING

from sitewright.html import Document
from sitewright.site.url import Parts, canonical, parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

HEAD = 8192
"""How many bytes of a page are looked at: what says so stands at its beginning."""
_ASKED = 20
"""If none of the first so many pages says where it is from, the folder is a mirror like others."""
_COMMENT = re.compile(rb"<!--\s{0,9}saved from url=\(\d{1,9}\)(https?://[^\s<>]{1,4000})\s{0,9}-->")
_ENDINGS = ("_files", ".files", "-Dateien", "_fichiers", "_archivos", "_bestanden", "_arquivos")
"""How browsers name the folder that holds what a saved page shows."""
_PAGE = re.compile(r"(.+)\.x?html?", re.IGNORECASE | re.DOTALL)

Key = tuple[str, int | None, str, str | None]
"""An address without what sites do not care about: its scheme, and `www.`."""


def companion_folders(names: Iterable[str]) -> frozenset[str]:
    """Where the frames and images of saved pages lie: `Tea_files/` beside `Tea.html`."""
    stems = (page[1] for page in map(_PAGE.fullmatch, names) if page)
    return frozenset(f"{stem}{ending}/" for stem in stems for ending in _ENDINGS)


def saved_from(page: Document) -> str | None:
    """The address that a page says it comes from; None if it does not. Its beginning is enough."""
    comment = _COMMENT.search(page.body, 0, HEAD)
    said = comment[1].decode("utf-8", "replace") if comment else page.base_url
    return canonical(said) if said != page.url else None


class SavedPages:
    """Finds the file that was saved from an address.

    An address that one page alone declares is its own. One that several declare is the base of
    them all: what lies under it, or at the same path of its host, is looked for in the folder.
    """

    def __init__(
        self,
        names: Iterable[str],
        head: Callable[[str], bytes],
        find: Callable[[str, str | None], str | None],
    ) -> None:
        self._all_names, self._head, self._find = names, head, find

    def file_for(self, address: Parts) -> str | None:
        """The file that was saved from a canonical URL; None if the folder has none."""
        key = _key(address)
        pages = self._pages.get(key, ())
        if len(pages) == 1:
            return pages[0]
        folders = self._bases.get(key[:2], ())
        inside = (address.path[len(f) :] for f in folders if address.path.startswith(f))
        found = (self._find(path, address.query) for path in inside)
        return next(filter(None, found), None)

    @cached_property
    def _pages(self) -> dict[Key, list[str]]:
        """The pages that declare each address."""
        names = iter(self._all_names)
        first = [(name, self._source(name)) for name in islice(names, _ASKED)]
        if not any(source for _, source in first):
            return {}
        others = ((name, self._source(name)) for name in names)
        found: defaultdict[Key, list[str]] = defaultdict(list)
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


def _key(split: Parts) -> Key:
    return split.host.removeprefix("www."), split.port, split.path, split.query
