"""What one page tells about the skeleton: its links with their surroundings, and its place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sitewright.page.parser import Element, Text
from sitewright.page.url import file_ending, is_index_page
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sitewright.page import Document, Link
    from sitewright.page.parser import Node


# The signs by which pages tell readers where they are: up, next, previous, breadcrumbs.
#
# Relations and access keys are standards (HTML's `rel`; DocBook and Sphinx set access keys). The
# words are what navigation links say in the languages that most pages are written in; a page in
# another language simply gives less evidence.


class LinkRole(Enum):
    """What a link says that it is for."""

    NONE = ""
    UP = "up"
    NEXT = "next"
    PREVIOUS = "previous"
    TRAIL = "trail"


_RELATIONS = {
    "up": LinkRole.UP,
    "parent": LinkRole.UP,
    "next": LinkRole.NEXT,
    "prev": LinkRole.PREVIOUS,
    "previous": LinkRole.PREVIOUS,
}
_ACCESS_KEYS = {"u": LinkRole.UP, "n": LinkRole.NEXT, "p": LinkRole.PREVIOUS}
_WORDS = {
    LinkRole.UP: "up|level up|one level up|nach oben|aufwärts|hinauf|arriba|omhoog",
    LinkRole.NEXT: "next|next page|older|older posts|weiter|nächste|nächste seite|suivant|suivante"
    "|siguiente|successivo|avanti|volgende|próximo|próxima|далее|следующая|下一页|次へ",
    LinkRole.PREVIOUS: "prev|previous|previous page|newer|newer posts|zurück|vorherige|précédent"
    "|précédente|anterior|precedente|indietro|vorige|назад|предыдущая|上一页|前へ",
}
_DECORATION = re.compile(r"[\W_]+")
_SAID = {word: role for role, words in _WORDS.items() for word in words.split("|")}
_ARROWS = {
    **dict.fromkeys("» >> > → \u203a ⟩ ⇒".split(), LinkRole.NEXT),
    **dict.fromkeys("« << < ← \u2039 ⟨ ⇐".split(), LinkRole.PREVIOUS),
    **dict.fromkeys("↑ ⇑".split(), LinkRole.UP),
}
_LONGEST_NAMES = 500

SEPARATORS = frozenset("» \u203a > / → ⟩ ▸ ► :: >>".split())
"""What stands between the steps of a breadcrumb trail."""
STRONG_SEPARATORS = SEPARATORS - {"/", "::"}
"""Those that mean the same in front of a text: the name of the page itself."""
_TRAIL = re.compile(r"bread-?_?crumb|\bcrumbs?\b|you are here", re.IGNORECASE)
_NAMING = ("class", "id", "aria-label", "typeof", "itemtype")


def role_of(element: Element, text: str) -> LinkRole:
    """What a link says that it is for, by its relation, its access key or its words."""
    if relations := element.attr("rel"):
        for name in relations.lower().split():
            if name in _RELATIONS:
                return _RELATIONS[name]
    if (key := element.attr("accesskey")) and key.lower() in _ACCESS_KEYS:
        return _ACCESS_KEYS[key.lower()]
    said = text.strip().lower()
    if len(said) > current().skeleton.max_sign_length:
        return LinkRole.NONE
    return _role_of_words(said)


# The links of a site say the same on page after page.
@lru_cache(maxsize=1 << 14)
def _role_of_words(said: str) -> LinkRole:
    return _ARROWS.get(said) or _SAID.get(_DECORATION.sub(" ", said).strip(), LinkRole.NONE)


def is_trail(element: Element) -> bool:
    """Whether an element says of itself that it is a breadcrumb trail."""
    names = " ".join(element.attr(name) or "" for name in _NAMING)
    return bool(names) and bool(_TRAIL.search(names[:_LONGEST_NAMES]))


MAX_LINKS = 20_000
"""More links than this on one page are not read."""
MAX_ANCESTORS = 60
"""How far up from a link its surroundings are looked at."""
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
    list_parent: str | None
    """The page that heads the list item which the link is nested in: its parent, in this list."""
    prose: float
    """The share of the text around the link that is no link: near 1 in running text."""
    has_fragment: bool
    """Whether it leads to a place inside the page (it has a fragment)."""
    role: LinkRole


@dataclass(frozen=True, slots=True)
class PageNavigation:
    """What a page tells about the skeleton."""

    url: str
    title: str
    language: str
    links: tuple[PageLink, ...]
    declared_parent: str | None
    """The page that this one names as its parent: by an up link or its breadcrumb trail."""


def page_navigation(document: Document, url: Callable[[str], str | None]) -> PageNavigation:
    """Read a page; `url` resolves links to the site's own pages, others to None."""
    return _Reader(document, url).reading()


class _Reader:
    """Reads one page; what is asked of an element is remembered, since many links share it."""

    def __init__(self, document: Document, url: Callable[[str], str | None]) -> None:
        self._document = document
        self._resolve = url
        self._paths: dict[Node, str] = {}
        self._prose: dict[Node, float] = {}
        self._first_links: dict[Node, str | None] = {}
        self._trail: set[Element] = set()
        self._trails: dict[Node, bool] = {}
        links = islice((link for link in document.links if link.tag in _FOLLOWED), MAX_LINKS)
        self._links = [(link, target) for link in links if (target := self._target(link))]

    def reading(self) -> PageNavigation:
        self._note_first_links()
        declared_parent = self._end_of_trail()
        root = self._document.tree.find("html")
        language = (root.attr("lang") or "") if root is not None else ""
        links = tuple(self._other_pages())
        return PageNavigation(
            url=self._document.url,
            title=self._document.title[:_MAX_TEXT],
            language=language.lower().replace("_", "-").partition("-")[0],
            links=links,
            declared_parent=self._declared_up() or _named(links, LinkRole.UP) or declared_parent,
        )

    def _target(self, link: Link) -> str | None:
        """The page of the site that a link leads to; a link to the top of this page leads to it."""
        if link.written in {"", "#"}:
            return self._document.url
        return self._resolve(link.url) if link.url else None

    def _other_pages(self) -> Iterator[PageLink]:
        for link, target in self._links:
            if target == self._document.url:
                continue
            text = _text(link)
            yield PageLink(
                target=target,
                text=text,
                path=self._path(link.element),
                list_parent=None if link.has_fragment else self._list_parent(link.element, target),
                prose=self._prose_around(link.element),
                has_fragment=link.has_fragment,
                role=self._role(link.element, text),
            )

    def _path(self, anchor: Element) -> str:
        """The labels from the root to a link; beyond a bound, ancestors are not looked at."""
        unknown: list[Element] = [anchor]
        declared_parent = anchor.parent
        while isinstance(declared_parent, Element) and declared_parent not in self._paths:
            unknown.append(declared_parent)
            declared_parent = declared_parent.parent if len(unknown) < MAX_ANCESTORS else None
        path = self._paths.get(declared_parent, "") if declared_parent is not None else ""
        for element in reversed(unknown):
            path = f"{path}>{_label(element)}"
            self._paths[element] = path
        return path

    def _note_first_links(self) -> None:
        """The first link of each list item: the page that the item, and what it nests, is about.

        An item whose first link stands in a list inside it is about no page.
        """
        for link, target in self._links:
            list_parent = None if link.has_fragment else target
            for declared_parent in islice(link.element.ancestors, MAX_ANCESTORS):
                if isinstance(declared_parent, Element) and declared_parent.tag in _LISTS:
                    list_parent = None
                elif isinstance(declared_parent, Element) and declared_parent.tag in _ITEMS:
                    if declared_parent in self._first_links:
                        break
                    self._first_links[declared_parent] = list_parent

    def _list_parent(self, anchor: Element, target: str) -> str | None:
        """The first link of the nearest enclosing item that leads to another page.

        `<li><a>Part</a><ul><li><a>Chapter</a>`; in a `<dl>`, the term in front of the `<dd>`.
        """
        in_inner_list = False
        for declared_parent in islice(anchor.ancestors, MAX_ANCESTORS):
            if not isinstance(declared_parent, Element):
                continue
            if declared_parent.tag in _LISTS:
                in_inner_list = True
            elif declared_parent.tag in _ITEMS and in_inner_list:
                list_parent = (
                    self._first_links.get(declared_parent)
                    if declared_parent.tag != "dd"
                    else self._term(declared_parent)
                )
                if list_parent is not None and list_parent != target:
                    return list_parent
        return None

    def _term(self, definition: Element) -> str | None:
        for before in definition.previous_siblings:
            if isinstance(before, Element) and before.tag == "dt":
                return self._first_links.get(before)
        return None

    def _prose_around(self, anchor: Element) -> float:
        block: Node = anchor
        for declared_parent in islice(anchor.ancestors, MAX_ANCESTORS):
            if isinstance(declared_parent, Element) and declared_parent.tag in _BLOCKS:
                block = declared_parent
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
            if role_of(element, "") is LinkRole.UP and (written := element.attr("href")):
                url = self._document.resolve(written)
                resolved = self._resolve(url) if url is not None else None
                if resolved is not None and resolved != self._document.url:
                    return resolved
        return None

    def _role(self, anchor: Element, text: str) -> LinkRole:
        said = role_of(anchor, text)
        return LinkRole.TRAIL if said is LinkRole.NONE and anchor in self._trail else said

    def _in_trail(self, anchor: Element) -> bool:
        settings = current().skeleton
        for declared_parent in islice(anchor.ancestors, settings.trail_height):
            if declared_parent not in self._trails:
                self._trails[declared_parent] = isinstance(declared_parent, Element) and is_trail(
                    declared_parent
                )
            if self._trails[declared_parent]:
                return True
        return False

    def _end_of_trail(self) -> str | None:
        """The last step, before this page, of the first breadcrumb trail on it."""
        settings = current().skeleton
        last = None
        end: int | None = None
        for number, (link, target) in enumerate(self._links):
            if not (_before_separator(link.element) or self._in_trail(link.element)):
                continue
            self._trail.add(link.element)
            if end is None or number - end <= settings.trail_gap:
                end = number
                last = last if target == self._document.url else target
        return last


def _named(links: tuple[PageLink, ...], role: LinkRole) -> str | None:
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


# What can be told of a page from its URL alone.

_ENDING = re.compile(r"\.[a-z]{3,5}", re.IGNORECASE)


def may_be_page(url: str) -> bool:
    """Whether a URL may lead to a page: its name has no ending that only files have."""
    return not file_ending(url)


def stands_beside_lists(link: PageLink) -> bool:
    """Whether a link stands in running text, leads into a page, or only leads on to the next."""
    max_prose = current().skeleton.max_prose
    return link.has_fragment or link.role is not LinkRole.NONE or link.prose > max_prose


@lru_cache(maxsize=65536)
def folder_steps(url: str) -> tuple[str, ...]:
    """The folders that lead to a page, the last of them the one that the page itself stands for.

    An index page stands for its folder, `a/b/index.html` for `a/b`; any other page stands for the
    folder that bears its name, `a/b.html` for `a/b`.
    """
    parts = urlsplit(url)
    steps = [unquote(step) for step in parts.path.split("/") if step]
    if steps and not parts.path.endswith("/"):
        if is_index_page(parts.path):
            steps.pop()
        else:
            steps[-1] = _ENDING.sub("", steps[-1]) if _ENDING.search(steps[-1]) else steps[-1]
    if parts.query:
        steps.append("?" + parts.query)
    return (parts.netloc, *steps)


def last_step(url: str) -> str:
    """The last name in a URL: what to call a page that nothing else names."""
    steps = folder_steps(url)
    return steps[-1] if len(steps) > 1 else url
