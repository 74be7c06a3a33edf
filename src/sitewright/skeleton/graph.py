"""The links of a surveyed site with stubs, later pages and foreign pages taken out."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from sitewright.page.url import folder_url, is_index_page
from sitewright.skeleton.navigation import LinkRole, folder_steps, may_be_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sitewright.skeleton.navigation import PageLink, PageNavigation


@dataclass(frozen=True, slots=True)
class Survey:
    """What was learnt of a site: the readings of the fetched pages, by URL."""

    home: str
    readings: dict[str, PageNavigation]
    """The home page first, then in the order of fetching."""
    redirects: dict[str, str] = field(default_factory=dict)
    """URLs that turned out to be other URLs of a page."""
    missing: frozenset[str] = frozenset()
    fetched: int = 0
    """How many pages were asked for."""


# Views of one list: its later pages, and the list in another order.
#
# A paginated list is one navigation page, not fifty.

_NUMBERED = re.compile(r"[/_-]?page[/_-]?\d+(?=/|\.[a-z]+$|$)", re.IGNORECASE)
_PAGE_KEYS = frozenset("page p pg paged pagenum pageno start offset skip".split())
_ORDER_KEYS = frozenset("sort sortby sort_by order orderby order_by dir direction per_page".split())
_MIRRORED_QUERY = re.compile(r"%3f", re.IGNORECASE)


class PageMerger:
    """Gives each page its one URL: stubs go to their targets, later pages to their list.

    `news/index.html` is `news/` where the site knows both.

    A later page must look like one (see `continued`) and some link to it must be a page's number,
    or say "next" or "previous".
    """

    def __init__(self, survey: Survey, url: Callable[[str], str | None]) -> None:
        self._resolve = url
        self._redirects = survey.redirects
        links = [link for reading in survey.readings.values() for link in reading.links]
        self._known = survey.readings.keys() | {link.target for link in links}
        self._turned = {
            link.target
            for link in links
            if link.role in {LinkRole.NEXT, LinkRole.PREVIOUS} or link.text.strip().isdigit()
        }
        self._remembered: dict[str, str] = {}

    def __call__(self, url: str) -> str:
        """The one URL of a page."""
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
            found = self._resolve(base)
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
    """The URLs of the list that a page may be a later page of: the likeliest first.

    Whether it is one, the links to it must tell: `page-2.html` can be an ordinary page.
    """
    path, query = _parts(url)
    pairs = parse_qsl(query, keep_blank_values=True)
    kept = [(key, value) for key, value in pairs if not _is_number(key, value)]
    for start in _NUMBERED.finditer(path):
        list_parent, rest = path[: start.start()], path[start.end() :]
        folder = list_parent if list_parent.endswith("/") else list_parent + "/"
        for base in dict.fromkeys((folder, list_parent + rest, list_parent)):
            yield _joined(url, base, query)
    if len(kept) < len(pairs):
        yield _joined(url, path, urlencode(kept))


def turns_the_page(link: PageLink) -> bool:
    """Whether a link leads to a later page of the list that its page shows."""
    is_sequel = link.role is LinkRole.NEXT or link.text.isdigit()
    return is_sequel and any(continued(link.target))


def reordered(url: str) -> Iterator[str]:
    """The URL of the list that a page shows in another order, if its query says so."""
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


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """Which page links to which, each page under one URL."""

    home: str
    links: dict[str, dict[str, list[PageLink]]]
    """For each fetched page the pages that it links to, with the links, in their order."""
    declared_parent: dict[str, str]
    """The parent that a fetched page names, where it names one."""
    titles: dict[str, str]
    distances: dict[str, int]
    """How many links each page is away from the home page."""

    @property
    def pages(self) -> list[str]:
        """Every page that is known, the nearest to the home page first."""
        return list(self.distances)


def link_graph(survey: Survey, resolved: Callable[[str], str | None]) -> LinkGraph:
    """Fold a survey: stubs into their targets, the pages of a list into the list.

    Pages that are missing, and pages in another language than the home page, are left out.
    """
    one = PageMerger(survey, resolved)
    gone = set(survey.missing) | _foreign(survey)
    gone |= _probably_gone(survey, gone)
    links: dict[str, dict[str, list[PageLink]]] = {}
    declared_parent: dict[str, str] = {}
    titles: dict[str, str] = {}
    for url, reading in survey.readings.items():
        page = one(url)
        if url in gone or page in gone:
            continue
        to = links.setdefault(page, {})
        for target, link in ((one(link.target), link) for link in reading.links):
            if target != page and target not in gone and may_be_page(target):
                to.setdefault(target, []).append(link)
        if page == url:
            titles[page] = reading.title
            if reading.declared_parent is not None:
                declared_parent[page] = one(reading.declared_parent)
    home = one(survey.home)
    return LinkGraph(home, links, declared_parent, titles, _distances(home, links))


def _foreign(survey: Survey) -> set[str]:
    language = survey.readings[survey.home].language if survey.home in survey.readings else ""
    if not language:
        return set()
    return {
        url for url, reading in survey.readings.items() if reading.language not in {"", language}
    }


def _probably_gone(survey: Survey, gone: set[str]) -> set[str]:
    """Pages that were not fetched, at places where every page that was fetched is gone.

    A place is a path that the link stands at, or the top folder that the page lies in.
    """
    paths: dict[str, set[str]] = defaultdict(set)
    for reading in survey.readings.values():
        for link in reading.links:
            paths[link.target].add(link.path)
    fetched = survey.readings.keys() | survey.redirects.keys()
    seen_gone: dict[object, Counter[bool]] = defaultdict(Counter)
    for page, places in paths.items():
        if page in gone or page in fetched:
            for place in (*places, folder_steps(page)[:2]):
                seen_gone[place][page in gone] += 1
    dead = {place for place, seen in seen_gone.items() if seen[True] > 1 and not seen[False]}
    return {
        page
        for page, places in paths.items()
        if page not in fetched and (places <= dead or folder_steps(page)[:2] in dead)
    }


def _distances(home: str, links: dict[str, dict[str, list[PageLink]]]) -> dict[str, int]:
    """Steps from the home page, going down nested lists item by item.

    First by plain links only; what those do not reach is reached by links into the middle of
    pages and by links to the next page.
    """
    below: dict[str, list[str]] = defaultdict(list)
    other: dict[str, list[str]] = defaultdict(list)
    for page, targets in links.items():
        for target, ways in targets.items():
            plain = [link for link in ways if link.role is LinkRole.NONE and not link.has_fragment]
            for link in plain:
                below[link.list_parent or page].append(target)
            if not plain:
                other[page].append(target)
    distances = {home: 0}
    _spread_out(distances, below)
    for page, others in other.items():
        below[page].extend(others)
    _spread_out(distances, below)
    return distances


def _spread_out(distances: dict[str, int], below: dict[str, list[str]]) -> None:
    waiting = deque(distances)
    while waiting:
        page = waiting.popleft()
        for target in below.get(page, ()):
            if target not in distances:
                distances[target] = distances[page] + 1
                waiting.append(target)
