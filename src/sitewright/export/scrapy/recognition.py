"""How a spider knows the pages of a class: by URL, by the place of links, and by marks.

A mark is a kind of element, as an XPath expression, that the pages of the class have and others
with such URLs lack. Marks are looked for in Scrapy's own trees of the local pages.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.export.scrapy.runtime.page_classes import page_links, page_url
from sitewright.page.url import INDEX_NAMES, folder_url
from sitewright.page.url_pattern import learn_url_pattern, path_and_query

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scrapy.http import HtmlResponse

    from sitewright.classes import PageClass, SiteModel
    from sitewright.export.scrapy.project import LocalPage


PRECISE = 0.95
"""Where so many of the pages with such a URL are of the class, the URL is enough."""
MOST_REGIONS = 12
MOST_MARKS = 3
ALWAYS = 0.99
"""The share of the pages of its class that a mark must be on."""
MOST_RIVALS = 400
"""So many other pages are remembered for each class."""
_FEW = 8
"""So many odd URLs are written out; more of them get a pattern of their own."""
_MOSTLY = 0.9
_CUT_LABEL = "~"
_TAG = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_LABEL_PART = re.compile(r"(?:\\.|[^.\\])+")
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class ClassURLs:
    """The URLs of a class, measured on the local pages."""

    patterns: tuple[str, ...]
    """Regular expressions for all of a URL behind its host; every local page has one."""
    precision: float
    """The share of the local pages with such a URL that are of the class."""
    pages: int
    """How many local pages the class has."""

    def fits(self, url: str) -> bool:
        """Whether a URL looks like those of the class."""
        return any(_matches(pattern, url) for pattern in self.patterns)


def class_urls(model: SiteModel, classes: Mapping[str, str | None]) -> dict[str, ClassURLs]:
    """The URLs of each class, the surest first, those of redirect pages last.

    `classes` says of each local URL which class its page belongs to.
    """
    own: dict[str, list[str]] = {one.name: [] for one in model.classes}
    for url, name in classes.items():
        if name in own:
            own[name].append(url)
    stubs = {one.name for one in model.classes if one.is_stub}
    found = {one.name: _urls(one, own[one.name], classes) for one in model.classes}
    order = sorted(
        found, key=lambda name: (name in stubs, -found[name].precision, -found[name].pages, name)
    )
    return {name: found[name] for name in order}


def folder_index(urls: Iterable[str]) -> str:
    """The index page that stands for a folder, where pages of folders are known by it only."""
    names = Counter(url.rpartition("/")[2].lower() for url in urls)
    known = [(count, name) for name, count in names.items() if name in INDEX_NAMES]
    return "" if names[""] or not known else max(known)[1]


def link_regions(model: SiteModel, name: str) -> tuple[str, ...]:
    """Where in pages links to a class stand, as XPath; nothing if that cannot be said briefly."""
    regions = [region(link.path) for link in model.links if link.target == name]
    found = tuple(dict.fromkeys(filter(None, regions)))
    return found if None not in regions and len(found) <= MOST_REGIONS else ()


def region(path: str) -> str | None:
    """The part of a page that a path of links leads into: the innermost with a class.

    >>> region("html > body.news > ul.menu.top > li > a")
    '//ul[has-class("menu", "top")]'
    """
    above = [_LABEL_PART.findall(label) for label in path.split(" > ")[:-1]]
    if not above or not all(map(_can_be_written, above)):
        return None
    for tag, *classes in reversed(above):
        if classes:
            quoted = ", ".join(f'"{_ESCAPED.sub(_bare, one)}"' for one in classes)
            return f"//{tag}[has-class({quoted})]"
    # Scrapy's tree has a table's body only where the page writes one.
    return "/" + "/".join(tag for tag, *_ in above if tag != "tbody").replace("table/", "table//")


def _can_be_written(parts: list[str]) -> bool:
    """Whether a label can stand in an expression: of whole names, without odd characters."""
    if not parts or not _TAG.fullmatch(parts[0]):
        return False
    return all(one.isprintable() and not set(one) & {'"', _CUT_LABEL} for one in parts[1:])


def _bare(escaped: re.Match[str]) -> str:
    return escaped[1]


def _patterns(page_class: PageClass, own: Sequence[str]) -> tuple[str, ...]:
    """The model's pattern, if it holds for most; what it does not hold for is added."""
    matching = sum(_matches(page_class.url_pattern, url) for url in own)
    holds = matching >= _MOSTLY * len(own)
    patterns = [page_class.url_pattern if holds else learn_url_pattern(own).pattern]
    rest = [url for url in own if not _matches(patterns[0], url)]
    if len(rest) > _FEW:
        patterns.append(learn_url_pattern(rest).pattern)
        rest = [url for url in rest if not _matches(patterns[-1], url)]
    return (*patterns, *sorted({re.escape(path_and_query(url)) for url in rest}))


def _urls(
    page_class: PageClass, own: Sequence[str], classes: Mapping[str, str | None]
) -> ClassURLs:
    if not own:
        return ClassURLs((page_class.url_pattern,), page_class.url_precision, 0)
    patterns = _patterns(page_class, own)
    compiled = re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
    matching = [one for url, one in classes.items() if compiled.fullmatch(path_and_query(url))]
    return ClassURLs(patterns, matching.count(page_class.name) / len(matching), len(own))


def _matches(pattern: str, url: str) -> bool:
    return re.fullmatch(pattern, path_and_query(url)) is not None


class MarkSearch:
    """Looks for the marks of each class that shares URLs with other local pages."""

    def __init__(self, urls: Mapping[str, ClassURLs]) -> None:
        self._urls = urls
        self._evidence = {name: _Evidence() for name, one in urls.items() if one.precision < 1}

    def see(self, page: LocalPage) -> None:
        """Take a page into account."""
        doubtful = [name for name in self._evidence if self._urls[name].fits(page.url)]
        kinds = frozenset(element_kinds(page.response)) if doubtful else frozenset[str]()
        for name in doubtful:
            self._evidence[name].add(kinds, is_own=name == page.page_class)

    def marks(self, name: str) -> tuple[str, ...]:
        """The marks of a class, after all pages."""
        return tuple(self._evidence[name].marks()) if name in self._evidence else ()


class _Evidence:
    """What was seen on the pages with the URLs of one class."""

    def __init__(self) -> None:
        self.own: Counter[str] = Counter()
        self.pages = 0
        self.rivals: list[frozenset[str]] = []

    def add(self, kinds: frozenset[str], *, is_own: bool) -> None:
        if is_own:
            self.own.update(kinds)
            self.pages += 1
        elif len(self.rivals) < MOST_RIVALS:
            self.rivals.append(kinds)

    def marks(self) -> Iterator[str]:
        """Each time the kind that most of the rivals lack which are still left."""
        always = sorted(kind for kind, seen in self.own.items() if seen >= ALWAYS * self.pages)
        left: Sequence[frozenset[str]] = self.rivals
        for _ in range(MOST_MARKS):
            with_kind = {kind: sum(kind in rival for rival in left) for kind in always}
            # Of equally good ones, that with a name says most, and the shorter one more.
            ranks = {kind: (with_kind[kind], "[" not in kind, len(kind)) for kind in always}
            best = min(always, key=ranks.__getitem__, default="")
            if not left or not best or with_kind[best] == len(left):
                return
            yield best
            left = [rival for rival in left if best in rival]


def element_kinds(response: HtmlResponse) -> Iterator[str]:
    """The kinds of elements of a page, each as the expression that selects them."""
    seen: set[tuple[str, str]] = set()
    for element in response.selector.root.iter():
        if isinstance(element.tag, str) and element.tag.isalnum():
            seen.add((element.tag, element.get("class") or ""))
    for tag, classes in seen:
        yield f"//{tag}"
        for name in classes.split():
            if name.isprintable() and '"' not in name:
                yield f'//{tag}[has-class("{name}")]'


# Whether links to a class can all be found where the model says that they stand.


class RegionTrial:
    """Follows the links of the local pages, with and without the regions of each class."""

    def __init__(
        self,
        regions: Mapping[str, Sequence[str]],
        classes: Mapping[str, str | None],
        folder_index: str,
    ) -> None:
        self._regions = {name: one for name, one in regions.items() if one}
        self._classes = classes
        self._folder_index = folder_index
        self._linked: dict[str, set[str]] = {name: set() for name in self._regions}
        self._reached: dict[str, set[str]] = {name: set() for name in self._regions}

    def see(self, page: LocalPage) -> None:
        """Take the links of a page into account."""
        if not self._regions:
            return
        for url in self._links(page, ()):
            if (name := self._classes.get(url)) in self._linked:
                self._linked[name or ""].add(url)
        for name, regions in self._regions.items():
            if len(self._reached[name]) < len(self._linked[name]):
                self._reached[name].update(self._own(name, self._links(page, regions)))

    def sufficient(self, name: str) -> tuple[str, ...]:
        """The regions of a class, if every local page that is linked to is reached by them."""
        enough = name in self._regions and self._linked[name] <= self._reached[name]
        return tuple(self._regions[name]) if enough else ()

    def _own(self, name: str, urls: Iterable[str]) -> Iterator[str]:
        return (url for url in urls if self._classes.get(url) == name)

    def _links(self, page: LocalPage, places: Sequence[str]) -> Iterator[str]:
        return page_links(page.response, page.url, places, self._folder_index)


class ReachTrial:
    """Follows the links of the local pages without some of the classes.

    A class whose pages hold no fields is followed only for what its pages lead to: without those
    that lead nowhere new, the spider comes to the same pages with fewer requests.
    """

    def __init__(
        self,
        without_fields: Sequence[str],
        classes: Mapping[str, str | None],
        home: str,
        folder_index: str,
    ) -> None:
        self._without_fields = without_fields
        self._class_of = {folder_url(url): name for url, name in classes.items()}
        self._home = folder_url(page_url(home, folder_index) or home)
        self._folder_index = folder_index
        self._links: dict[str, frozenset[str]] = {}

    def see(self, page: LocalPage) -> None:
        """Take in the links of a page."""
        if not self._without_fields:
            return
        found = [*page_links(page.response, page.url, (), self._folder_index)]
        if page.document.refresh:
            found.append(page_url(page.document.refresh, self._folder_index) or "")
        self._links[folder_url(page.url)] = frozenset(
            form for form in map(folder_url, found) if form in self._class_of
        )

    def needless(self) -> frozenset[str]:
        """Those of the classes that no page with fields is reached by alone; the largest first."""
        names = {name for name in self._class_of.values() if name is not None}
        barren = {url for url, name in self._class_of.items() if name in self._without_fields}
        wanted = self._reached(names) - barren if barren else set()
        dropped: set[str] = set()
        sizes = Counter(self._class_of.values())
        for name in sorted(self._without_fields, key=lambda name: (-sizes[name], name)):
            if wanted <= self._reached(names - dropped - {name}):
                dropped.add(name)
        return frozenset(dropped)

    def _reached(self, followed: set[str]) -> set[str]:
        """The pages that are come to from the home page through pages of these classes."""
        seen, waiting = {self._home}, [self._home]
        while waiting:
            for url in self._links.get(waiting.pop(), frozenset()):
                if url not in seen and self._class_of[url] in followed:
                    seen.add(url)
                    waiting.append(url)
        return seen
