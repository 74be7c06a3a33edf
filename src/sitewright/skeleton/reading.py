"""What one page tells about the skeleton: its links with their surroundings, and its place."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from sitewright.html.dom import Element, Text
from sitewright.skeleton.marks import SEPARATORS, STRONG_SEPARATORS, Role, is_trail, role_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sitewright.html import Document, Link
    from sitewright.html.dom import Node

MAX_LINKS = 20_000
"""More links than this on one page are not read."""
MAX_ANCESTORS = 60
"""How far up from a link its surroundings are looked at."""
_TRAIL_HEIGHT = 5
_TRAIL_GAP = 2
"""Steps of one trail stand close together: at most one other link between them."""
_MAX_TEXT = 300
_MAX_CLASSES = 80
_FOLLOWED = frozenset({"a", "area"})
"""What readers choose from; a frame is shown to them without their doing."""
_LISTS = frozenset("ul ol dl menu".split())
_ITEMS = frozenset("li dd dt".split())
_BLOCKS = frozenset(
    "p li dd dt td th div section article aside nav header footer main body h1 h2 h3 h4 h5 h6 "
    "figure figcaption blockquote caption summary".split()
)
_STATEFUL = frozenset("html body li a tr td article".split())
"""Elements whose classes change from page to page or from item to item: only their tag counts."""


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link of a page to another page of its site."""

    target: str
    text: str
    path: str
    """The labels from the root to the link: links of one list have one path."""
    head: str | None
    """The page that heads the list item which the link is nested in: its parent, in this list."""
    prose: float
    """The share of the text around the link that is no link: near 1 in running text."""
    is_part: bool
    """Whether it leads to a place inside the page (it has a fragment)."""
    role: Role


@dataclass(frozen=True, slots=True)
class PageReading:
    """What a page tells about the skeleton."""

    url: str
    title: str
    language: str
    links: tuple[PageLink, ...]
    above: str | None
    """The page that this one names as its parent: by an up link or its breadcrumb trail."""


def read_page(document: Document, address: Callable[[str], str | None]) -> PageReading:
    """Read a page; `address` gives the one address of a page of the site, None for other sites."""
    return _Reader(document, address).reading()


class _Reader:
    """Reads one page; what is asked of an element is remembered, since many links share it."""

    def __init__(self, document: Document, address: Callable[[str], str | None]) -> None:
        self._document = document
        self._address = address
        self._paths: dict[Node, str] = {}
        self._prose: dict[Node, float] = {}
        self._first_links: dict[Node, str | None] = {}
        self._trail: set[Element] = set()
        self._trails: dict[Node, bool] = {}
        links = islice((link for link in document.links if link.tag in _FOLLOWED), MAX_LINKS)
        self._links = [(link, target) for link in links if (target := self._target(link))]

    def reading(self) -> PageReading:
        self._note_first_links()
        above = self._end_of_trail()
        root = self._document.tree.find("html")
        language = (root.attr("lang") or "") if root is not None else ""
        links = tuple(self._other_pages())
        return PageReading(
            url=self._document.url,
            title=self._document.title[:_MAX_TEXT],
            language=language.lower().replace("_", "-").partition("-")[0],
            links=links,
            above=self._declared_up() or _named(links, Role.UP) or above,
        )

    def _target(self, link: Link) -> str | None:
        """The page of the site that a link leads to; a link to the top of this page leads to it."""
        if link.written in {"", "#"}:
            return self._document.url
        return self._address(link.url) if link.url else None

    def _other_pages(self) -> Iterator[PageLink]:
        for link, target in self._links:
            if target == self._document.url:
                continue
            text = _text(link)
            yield PageLink(
                target=target,
                text=text,
                path=self._path(link.element),
                head=None if link.has_fragment else self._head(link.element, target),
                prose=self._prose_around(link.element),
                is_part=link.has_fragment,
                role=self._role(link.element, text),
            )

    def _path(self, anchor: Element) -> str:
        """The labels from the root to a link; beyond a bound, ancestors are not looked at."""
        unknown: list[Element] = [anchor]
        above = anchor.parent
        while isinstance(above, Element) and above not in self._paths:
            unknown.append(above)
            above = above.parent if len(unknown) < MAX_ANCESTORS else None
        path = self._paths.get(above, "") if above is not None else ""
        for element in reversed(unknown):
            path = f"{path}>{_label(element)}"
            self._paths[element] = path
        return path

    def _note_first_links(self) -> None:
        """The first link of each list item: the page that the item, and what it nests, is about.

        An item whose first link stands in a list inside it is about no page.
        """
        for link, target in self._links:
            head = None if link.has_fragment else target
            for above in islice(link.element.ancestors, MAX_ANCESTORS):
                if isinstance(above, Element) and above.tag in _LISTS:
                    head = None
                elif isinstance(above, Element) and above.tag in _ITEMS:
                    if above in self._first_links:
                        break
                    self._first_links[above] = head

    def _head(self, anchor: Element, target: str) -> str | None:
        """The first link of the nearest enclosing item that leads to another page.

        `<li><a>Part</a><ul><li><a>Chapter</a>`; in a `<dl>`, the term in front of the `<dd>`.
        """
        in_inner_list = False
        for above in islice(anchor.ancestors, MAX_ANCESTORS):
            if not isinstance(above, Element):
                continue
            if above.tag in _LISTS:
                in_inner_list = True
            elif above.tag in _ITEMS and in_inner_list:
                head = self._first_links.get(above) if above.tag != "dd" else self._term(above)
                if head is not None and head != target:
                    return head
        return None

    def _term(self, definition: Element) -> str | None:
        for before in definition.previous_siblings:
            if isinstance(before, Element) and before.tag == "dt":
                return self._first_links.get(before)
        return None

    def _prose_around(self, anchor: Element) -> float:
        block: Node = anchor
        for above in islice(anchor.ancestors, MAX_ANCESTORS):
            if isinstance(above, Element) and above.tag in _BLOCKS:
                block = above
                break
        if block is anchor or not isinstance(block, Element):
            return 0.0
        if block not in self._prose:
            total = len(" ".join(block.text.split())) if block.tag != "body" else 0
            linked = sum(len(" ".join(inner.text.split())) for inner in block.iter_elements(("a",)))
            self._prose[block] = max(0.0, 1 - linked / total) if total else 0.0
        return self._prose[block]

    def _declared_up(self) -> str | None:
        for element in islice(self._document.tree.iter_elements(("link",)), 200):
            if role_of(element, "") is Role.UP and (written := element.attr("href")):
                url = self._document.resolve(written)
                address = self._address(url) if url is not None else None
                if address is not None and address != self._document.url:
                    return address
        return None

    def _role(self, anchor: Element, text: str) -> Role:
        said = role_of(anchor, text)
        return Role.TRAIL if said is Role.NONE and anchor in self._trail else said

    def _in_trail(self, anchor: Element) -> bool:
        for above in islice(anchor.ancestors, _TRAIL_HEIGHT):
            if above not in self._trails:
                self._trails[above] = isinstance(above, Element) and is_trail(above)
            if self._trails[above]:
                return True
        return False

    def _end_of_trail(self) -> str | None:
        """The last step, before this page, of the first breadcrumb trail on it."""
        last = None
        end: int | None = None
        for number, (link, target) in enumerate(self._links):
            if not (_before_separator(link.element) or self._in_trail(link.element)):
                continue
            self._trail.add(link.element)
            if end is None or number - end <= _TRAIL_GAP:
                end = number
                last = last if target == self._document.url else target
        return last


def _named(links: tuple[PageLink, ...], role: Role) -> str | None:
    return next((link.target for link in links if link.role is role), None)


def _label(element: Element) -> str:
    if element.tag in _STATEFUL:
        return element.tag
    return ".".join([element.tag, *(element.attr("class") or "")[:_MAX_CLASSES].split()[:3]])


def _before_separator(anchor: Element) -> bool:
    """Whether a sign that separates the steps of a trail stands right behind the link."""
    after = anchor.next_sibling
    if not isinstance(after, Text):
        return False
    words = after.data[:_MAX_TEXT].split(None, 1)
    return bool(words) and words[0] in (SEPARATORS if len(words) == 1 else STRONG_SEPARATORS)


def _text(link: Link) -> str:
    """What the link says: its text, the alt text of its image, or its title."""
    said = link.text or " ".join((link.element.attr("title") or "")[:_MAX_TEXT].split())
    return said[:_MAX_TEXT]
