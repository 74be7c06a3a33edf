"""Lists that go over many pages: which list a page shows a part of, and which part.

A page of such a list leads to others by their numbers, or says "next" and "previous". Their URLs
are alike but for one number: that of the page, or of its first row. So each page tells by itself
which list it belongs to, and pages of a folder or an archive are joined as those of a live site.
Where URLs have no such number, the links that say "next" are followed from page to page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from sitewright.page.url import host_of
from sitewright.page.url_pattern import place_in_site
from sitewright.skeleton.navigation import LinkRole, role_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitewright.page import Document
    from sitewright.page.parser import Element


_DIGITS = re.compile(r"\d{1,9}")
_PAGE_WORD = re.compile(r"(?<![a-z])(?:page|paged|pagenum|pageno|pg|p|seite)[=/_-]?\Z")
"""What stands before the number of a page."""
_ROW_WORD = re.compile(r"(?<![a-z])(?:start|offset|skip)[=/_-]?\Z")
"""What stands before the number of a page's first row."""
_MAX_PAGES = 1000
"""Numbers from here on are years, or whatever else, unless the URL says that they are pages."""
_MAX_LINKS = 5000
_MORE = re.compile(r"(?:load|show|view|see) more\b.{0,20}|more results|mehr (?:laden|anzeigen)")
"""What a button says that shows the next rows."""
_PAGING_SIGNS = tuple(
    map(
        re.compile,
        (
            rb"<a\b[^>]{0,500}+>(?:\s|<[^>]{0,200}+>){0,20}+\d{1,4}\s{0,20}+<",
            rb"rel\s{0,3}=\s{0,3}[\"']?(?:next|prev)",
            rb"page[=/_-]?\d",
            rb"offset=",
            rb"start=",
            rb"skip=",
            rb">\s{0,20}+(?:next|older|more|load more|show more)\b",
        ),
    )
)
"""What a page, in lower case, has that leads on to others of its list; most pages have none of it.

Each begins with letters that are looked for as they are: one expression for all would be tried at
every letter of the page.
"""
_ARROW_ENDS = (
    *(b"\xe2\x80\xba", b"\xc2\xbb", b"\xe2\x86\x92", b">>"),
    *(b"&rsaquo;", b"&raquo;", b"&rarr;", b"&gt;"),
)
"""What a link ends in that leads on, with no more than so many spaces behind it."""
_MOST_SPACES = 20
_LONGEST_END = _MOST_SPACES + max(map(len, _ARROW_ENDS))


@dataclass(frozen=True, slots=True)
class ListPage:
    """What a page says of the list that it shows a part of."""

    pattern: str
    """The place of its pages in the site, with `{}` for the number; empty if they have none."""
    number: int
    """From 1; 0 if only the links from page to page tell."""
    next_url: str = ""
    """The page that comes next."""


class ListPlace(NamedTuple):
    """Where in a list over many pages a page stands."""

    list_url: str
    """The URL of the list's first page, or of the first that is there."""
    number: int
    """The number of the page, from 1."""


class _Slot(NamedTuple):
    """A number in a URL that may be that of a page."""

    pattern: str
    value: int
    is_page: bool
    is_row: bool


class _PageLink(NamedTuple):
    """A link to another page of a list."""

    url: str
    number: int | None
    """What it says; None if it says "next" or "previous"."""
    is_next: bool


def list_page(document: Document) -> ListPage | None:
    """Which list a page shows a part of, as far as its URL and its links tell; None if none."""
    source = document.body.lower()
    if not any(one.search(source) for one in _PAGING_SIGNS) and not _ends_in_arrow(source):
        return None
    links = list(_page_links(document))
    own = {slot.pattern: slot for slot in _slots(document.url)}
    groups: dict[str, dict[int, int | None]] = defaultdict(dict)
    slots: dict[str, _Slot] = {}
    for link in links:
        for slot in _slots(link.url):
            if _fits(slot, link.number):
                groups[slot.pattern][slot.value] = link.number
                slots.setdefault(slot.pattern, slot)
    lists = [one for one in slots.values() if _is_list(one, groups[one.pattern], own)]
    following = next((link.url for link in links if link.is_next), "")
    if not lists:
        return ListPage("", 0, following) if following else None
    best = max(lists, key=lambda one: (one.pattern in own, one.is_page, len(groups[one.pattern])))
    return ListPage(best.pattern, _number(own.get(best.pattern), groups[best.pattern]), following)


def _ends_in_arrow(source: bytes) -> bool:
    """Whether what stands in a link ends in an arrow: the end of a link is found at once."""
    for inside in source.split(b"</a")[:-1]:
        end = inside[-_LONGEST_END:]
        text = end.rstrip()
        if text.endswith(_ARROW_ENDS) and len(end) - len(text) <= _MOST_SPACES:
            return True
    return False


def _page_links(document: Document) -> Iterator[_PageLink]:
    host, own = host_of(document.url), place_in_site(document.url)
    anchors = (link for link in islice(document.links, _MAX_LINKS) if link.url)
    link_roles = ((link.url, *_number_and_role(link.element, link.own_text)) for link in anchors)
    for url, number, role in (*link_roles, *_declared(document)):
        is_paging = number is not None or role is LinkRole.NEXT or role is LinkRole.PREVIOUS
        if is_paging and host_of(url) == host and place_in_site(url) != own:
            yield _PageLink(url, number, is_next=role is LinkRole.NEXT)


def _number_and_role(element: Element, text: str) -> tuple[int | None, LinkRole]:
    """The number of a page that a link says, and what it says that it is for."""
    if text.isdecimal() and len(text) <= len(str(_MAX_PAGES)):
        return int(text), LinkRole.NONE
    return None, LinkRole.NEXT if _MORE.fullmatch(text.lower()) else role_of(element, text)


def _declared(document: Document) -> Iterator[tuple[str, None, LinkRole]]:
    """What the head of a page says: `<link rel="next">`."""
    for element in document.tree.iter_elements(("link",)):
        url = document.resolve(element.attr("href") or "")
        if url is not None:
            yield url, None, role_of(element, "")


def _slots(url: str) -> Iterator[_Slot]:
    place = place_in_site(url)
    for found in _DIGITS.finditer(place):
        before = place[: found.start()].lower()
        yield _Slot(
            f"{place[: found.start()]}{{}}{place[found.end() :]}",
            int(found[0]),
            is_page=_PAGE_WORD.search(before) is not None,
            is_row=_ROW_WORD.search(before) is not None,
        )


def _fits(slot: _Slot, number: int | None) -> bool:
    """Whether a number in the URL of a link may be that which the link says."""
    if number is None:
        return slot.is_page or slot.is_row
    if slot.is_row:
        return slot.value == 0 or (number > 1 and slot.value % (number - 1) == 0)
    return slot.value in {number, number - 1}


def _is_list(slot: _Slot, group: Mapping[int, int | None], own: Mapping[str, _Slot]) -> bool:
    """Whether links whose URLs differ in one number lead to the pages of a list."""
    if slot.is_page or slot.is_row:
        return True
    numbers = [number for number in group.values() if number is not None]
    if slot.pattern in own:
        numbers.append(own[slot.pattern].value)
    return len(numbers) > 1 and min(numbers) <= 2 and max(numbers) < _MAX_PAGES


def _number(own: _Slot | None, group: Mapping[int, int | None]) -> int:
    """The number of the page itself, from what others say and which numbers their URLs have."""
    if own is None:
        return 1  # the first page is mostly named without a number
    numbered = sorted((value, number) for value, number in group.items() if number is not None)
    if own.is_row:
        values = sorted({0, own.value, *group})
        step = min(after - before for before, after in pairwise(values))
        return 1 + own.value // step
    shift = numbered[0][1] - numbered[0][0] if numbered else 0
    return max(1, own.value + shift)


def joined_lists(pages: Mapping[str, ListPage]) -> dict[str, ListPlace]:
    """By URL: where pages stand in lists of which more than one page is there."""
    by_pattern: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    for url, page in pages.items():
        if page.pattern:
            by_pattern[page.pattern].append((page.number, place_in_site(url), url))
    places: dict[str, ListPlace] = {}
    for numbered in by_pattern.values():
        if len({number for number, _, _ in numbered}) > 1:
            *_, first = min(numbered)
            places |= {url: ListPlace(first, number) for number, _, url in numbered}
    for chain in _chains({url: page for url, page in pages.items() if url not in places}):
        places |= {url: ListPlace(chain[0], number) for number, url in enumerate(chain, 1)}
    return places


def _chains(pages: Mapping[str, ListPage]) -> Iterator[list[str]]:
    """Pages that name each other as the next."""
    here = {place_in_site(url): url for url in pages}
    named = {
        url: here.get(place_in_site(page.next_url)) for url, page in pages.items() if page.next_url
    }
    following = {url: after for url, after in named.items() if after is not None and after != url}
    led_to = set(following.values())
    for start in (url for url in following if url not in led_to):
        chain, seen = [start], {start}
        while (url := following.get(chain[-1], "")) and url not in seen:
            chain.append(url)
            seen.add(url)
        yield chain
