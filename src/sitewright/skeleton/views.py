"""Views of one list: its later pages, and the list in another order.

A paginated list is one navigation page, not fifty.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from sitewright.site.url import folder_url, is_index_page
from sitewright.skeleton.marks import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sitewright.skeleton.explore import Survey

_NUMBERED = re.compile(r"[/_-]?page[/_-]?\d+(?=/|\.[a-z]+$|$)", re.IGNORECASE)
_PAGE_KEYS = frozenset("page p pg paged pagenum pageno start offset skip".split())
_ORDER_KEYS = frozenset("sort sortby sort_by order orderby order_by dir direction per_page".split())
_MIRRORED_QUERY = re.compile(r"%3f", re.IGNORECASE)


class Folding:
    """Gives each page its one address: stubs go to their targets, later pages to their list.

    `news/index.html` is `news/` where the site knows both.

    A later page must look like one (see `continued`) and some link to it must be a page's number,
    or say "next" or "previous".
    """

    def __init__(self, survey: Survey, address: Callable[[str], str | None]) -> None:
        self._address = address
        self._redirects = survey.redirects
        links = [link for reading in survey.readings.values() for link in reading.links]
        self._known = survey.readings.keys() | {link.target for link in links}
        self._turned = {
            link.target
            for link in links
            if link.role in {Role.NEXT, Role.PREVIOUS} or link.text.strip().isdigit()
        }
        self._remembered: dict[str, str] = {}

    def __call__(self, url: str) -> str:
        """The one address of a page."""
        if url not in self._remembered:
            seen = [url]
            while (then := self._step(seen[-1])) not in seen:
                seen.append(then)
            self._remembered.update(dict.fromkeys(seen, seen[-1]))
        return self._remembered[url]

    def _step(self, url: str) -> str:
        if url in self._redirects:
            return self._redirects[url]
        for base in self._lists(url):
            found = self._address(base)
            if found is not None and found != url and found in self._known:
                return found
        return url

    def _lists(self, url: str) -> Iterator[str]:
        yield from indexed(url)
        yield from reordered(url)
        if url in self._turned:
            yield from continued(url)


def indexed(url: str) -> Iterator[str]:
    """The folder that an index page stands for: sites link to both."""
    if is_index_page(url):
        yield folder_url(url)


def continued(url: str) -> Iterator[str]:
    """The addresses of the list that a page may be a later page of: the likeliest first.

    Whether it is one, the links to it must tell: `page-2.html` can be an ordinary page.
    """
    path, query = _parts(url)
    pairs = parse_qsl(query, keep_blank_values=True)
    kept = [(key, value) for key, value in pairs if not _is_number(key, value)]
    for start in _NUMBERED.finditer(path):
        head, rest = path[: start.start()], path[start.end() :]
        folder = head if head.endswith("/") else head + "/"
        for base in dict.fromkeys((folder, head + rest, head)):
            yield _joined(url, base, query)
    if len(kept) < len(pairs):
        yield _joined(url, path, urlencode(kept))


def reordered(url: str) -> Iterator[str]:
    """The address of the list that a page shows in another order, if its query says so."""
    path, query = _parts(url)
    pairs = parse_qsl(query, keep_blank_values=True)
    kept = [(key, value) for key, value in pairs if key.lower() not in _ORDER_KEYS]
    if len(kept) < len(pairs):
        yield _joined(url, path, urlencode(kept))


def _is_number(key: str, value: str) -> bool:
    return key.lower() in _PAGE_KEYS and value.isdigit()


def _parts(url: str) -> tuple[str, str]:
    """Path and query; a mirror keeps the query in the name of the file, escaped."""
    split = urlsplit(url)
    if split.query:
        return split.path, split.query
    path, _, query = _MIRRORED_QUERY.sub("?", split.path).partition("?")
    return path, query


def _joined(url: str, path: str, query: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=path or "/", query=query))
