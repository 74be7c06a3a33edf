"""The main text of a page: its template off, then what stands beside the content.

With the template of its class gone, what is left of a page is content and what changes from page to
page around it: a table of contents, related links, a byline, what readers wrote. These are known by
their elements and what authors of themes call them, by the share of their text that is linked, and
by where the running text stands. What all pages share between texts of the content, such as a
heading, belongs to the content. Without a template the same rules are all there is, as for a page
that nothing else is known of.
"""

from __future__ import annotations

import datetime as dt
import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sitewright.errors import MissingExtra
from sitewright.page import TokenKind, numbered_nodes, source_tokens, tree_without
from sitewright.page.parser import Element
from sitewright.settings import current
from sitewright.template.stripping import dropped_nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sitewright.page import Document, SourceToken, Tree
    from sitewright.settings import TemplateSettings
    from sitewright.template.template import Template


_UNSEEN = frozenset({"head", "script", "style", "noscript", "template", "svg"})
_BESIDE = frozenset(
    {"nav", "aside", "footer", "form", "button", "select", "textarea", "dialog", "menu"}
)
"""Elements that say themselves that they are not the content."""
_BESIDE_ROLES = frozenset(
    {"navigation", "contentinfo", "complementary", "search", "banner", "menu"}
)
_HOLDERS = frozenset({"html", "body", "div", "main", "article", "section", "table", "tbody", "tr",
                      "td", "center", "form", "font", "span", "layer"})  # fmt: skip
"""Elements that the content may stand in; a paragraph is content."""
_LISTS = frozenset({"ul", "ol", "dl", "div", "section", "table", "p", "td", "nav", "details"})
_HEADINGS = ("h1", "h2", "h3")
_SENTENCE = re.compile(r"(?:\S+\s+){4}\S.*[.!?…][\"')\u201d\u2019]?\s*$")
"""Five words or more with a full stop: below a date the first paragraph, however short."""
_PERMALINKS = frozenset({"#", "¶", "§", "🔗"})
_NAMED_BESIDE = frozenset({"div", "section", "article", "aside", "footer", "header", "ul", "ol",
                           "dl", "p", "table", "li", "h2", "h3", "h4", "span"})  # fmt: skip
"""Elements whose names are believed."""
_REPLIES = frozenset({"comment", "comments", "disqus", "respond", "replies", "commentlist"})
_BESIDE_NAMES = frozenset(
    "addthis addtoany ads advert advertisement breadcrumb breadcrumbs byline crumbs "
    "meta nav navbar navigation newsletter pager pagination postmeta postmetadata promo "
    "recommended related share sharedaddy sharing sidebar sidenav social sponsored submitted "
    "subscribe tags taxonomy toc widget".split()
)
"""Words of ids and classes that theme after theme has for what is not the content."""
_PLACES = frozenset(
    "area block bottom box container first footer left list main posts right second section top "
    "wrapper".split()
)
_PLAIN_IDS = _BESIDE_NAMES | _REPLIES | _PLACES
"""Words that ids have which say where an element stands: others may be those of a heading."""
_CLASS = re.compile(r' class="([^"]*)"')
_STATE = re.compile(r"(?:has|with|without|no|is|show|hide|one|two)[-_]")
"""A class that tells of something else on the page: `has-sidebar`."""
_ID = re.compile(r' id="([^"]*)"')
_WORDS = re.compile(r"[a-z]+")
_ROLE = re.compile(r' role="([^"]*)"')
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DATE_KEYS = (
    "datepublished", "published_time", "date", "datecreated", "pubdate", "dc.date",
    "dcterms.created",
)  # fmt: skip
_AUTHOR_KEYS = ("author.name", "author", "creator.name", "creator", "dc.creator")
_DATED = frozenset("byline created date info meta posted pubdate published submitted time".split())
_SIGNED = frozenset({"author", "byline", "username", "submitted"})
"""Words of classes of elements that say when a page was written, and by whom."""
_NOT_ITS_OWN = frozenset({"nav", "aside", "head", "select"})
_VALUE = re.compile(r' (?:datetime|content|title)="([^"]*)"')
_OWN_RELATION = re.compile(r' (?:rel="author"|itemprop="author"|property="[^"]*creator)')
_BY = re.compile(
    r"(?:(?:submitted|posted|written|published) )?by:?\s+(.+?)(?:\s+(?:on|in|at|-|\|)\s.*)?$",
    re.IGNORECASE,
)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = f"({'|'.join(_MONTHS)})[a-z]*"
_DATES = (
    (re.compile(r"\b((?:19|20)\d\d)[-/.](\d\d?)[-/.](\d\d?)(?!\d)"), "ymd"),
    (re.compile(rf"\b{_MONTH}\.? (\d\d?)(?:st|nd|rd|th)?,? ((?:19|20)\d\d)\b"), "mdy"),
    (re.compile(rf"\b(\d\d?)(?:st|nd|rd|th)?\.? {_MONTH}\.?,? ((?:19|20)\d\d)\b"), "dmy"),
    (re.compile(r"(?<![\d.])(\d\d?)\.(\d\d?)\.((?:19|20)\d\d)\b"), "dmy"),
)
"""Dates that can be read in one way only, and the order of their parts."""
_MAX_NAME = 60


@dataclass(frozen=True, slots=True, eq=False)
class MainText:
    """The content of a page, and what it says of itself; empty where it says nothing."""

    title: str
    author: str
    date: str
    tree: Tree
    finished: str | None = None
    """The text as a finisher left it."""

    @property
    def text(self) -> str:
        """Plain text, laid out in blocks."""
        return self.tree.to_text() if self.finished is None else self.finished

    @property
    def markdown(self) -> str:
        """Headings, lists, links and tables in Markdown."""
        return self.tree.to_markdown()

    @property
    def html(self) -> str:
        """A page still."""
        return self.tree.html

    def as_json(self) -> dict[str, Any]:
        """A line of a corpus."""
        return {"title": self.title, "author": self.author, "date": self.date, "text": self.text}


def main_text(document: Document, template: Template | None = None) -> MainText:
    """The main text of a page; with the template of its class much surer than without."""
    tokens = list(source_tokens(document))
    dropped = dropped_nodes(tokens, template) if template is not None else set[int]()
    parts = _Parts.of(tokens, dropped)
    settings = current().template
    unwanted = set(parts.beside(settings)) | set(parts.permalinks())
    running = parts.running_text(unwanted)
    main = parts.content(running, settings)
    unwanted.update(parts.link_lists(main, running, settings))
    heading = parts.heading(main, " ".join(document.title.lower().split()))
    if heading is not None:
        unwanted.add(heading)
    beside = parts.outside(main) | {parts.nodes[place] for place in unwanted}
    beside |= parts.byline(main, heading, dropped | beside, settings)
    gone = beside | (dropped - parts.between(unwanted, beside, dropped))
    return MainText(
        _title(document, parts.heading_text(heading) if heading is not None else ""),
        _declared_text(document, _AUTHOR_KEYS, "author") or parts.author(document),
        _declared_text(document, _DATE_KEYS, "date") or parts.date() or _date_in(document.url),
        tree_without(document, gone),
    )


def finished_by_trafilatura(main: MainText) -> MainText:
    """The main text as trafilatura reads it (extra `text`); as it is where it finds nothing."""
    try:
        from trafilatura import extract  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra("text", "finishing texts with trafilatura") from None
    found = extract(main.html, include_comments=False)
    return MainText(main.title, main.author, main.date, main.tree, found or None)


@dataclass(slots=True)
class _Parts:
    """The elements of a page that stay, by their place: how much text each has, and where."""

    tokens: Sequence[SourceToken]
    nodes: list[int] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    spellings: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    text: list[int] = field(default_factory=list)
    """Characters in it, of everything inside."""
    linked: list[int] = field(default_factory=list)
    """Those of them that are links."""
    own: list[int] = field(default_factory=list)
    """Characters that are no links and stand in the element itself, in none inside it."""
    links: list[int] = field(default_factory=list)
    spans: list[list[int]] = field(default_factory=list)
    """The tokens that an element begins and ends at."""
    texts: list[tuple[int, int, int]] = field(default_factory=list)
    """For each text that stays its token, its node and the element that it stands in."""

    @classmethod
    def of(cls, tokens: Sequence[SourceToken], dropped: set[int]) -> _Parts:
        found = cls(tokens)
        still_open: list[int] = []
        unseen = linking = 0
        for place, one in enumerate(tokens):
            kind = one.token.kind
            if kind is TokenKind.START:
                still_open.append(found._add(one, still_open[-1] if still_open else -1, place))
                unseen += one.token.tag in _UNSEEN
                linking += one.token.tag == "a"
            elif kind is TokenKind.END and still_open:
                found._close(closed := still_open.pop(), place)
                unseen -= found.tags[closed] in _UNSEEN
                linking -= found.tags[closed] == "a"
            elif kind is TokenKind.TEXT and still_open and not unseen and one.node not in dropped:
                length = len(one.token.text)
                found.text[still_open[-1]] += length
                found.linked[still_open[-1]] += length if linking else 0
                found.own[still_open[-1]] += 0 if linking else length
                found.texts.append((place, one.node, still_open[-1]))
        while still_open:
            found._close(still_open.pop(), len(tokens))
        return found

    def _add(self, one: SourceToken, parent: int, place: int) -> int:
        self.nodes.append(one.node)
        self.tags.append(one.token.tag)
        self.spellings.append(one.token.text)
        self.parents.append(parent)
        self.text.append(0)
        self.linked.append(0)
        self.own.append(0)
        self.links.append(int(one.token.tag == "a"))
        self.spans.append([place, place])
        return len(self.nodes) - 1

    def _close(self, part: int, place: int) -> None:
        self.spans[part][1] = place
        if (above := self.parents[part]) >= 0:
            self.text[above] += self.text[part]
            self.linked[above] += self.linked[part]
            self.links[above] += self.links[part]

    def beside(self, settings: TemplateSettings) -> Iterator[int]:
        """Elements beside the content; one that holds most of the text is the content after all.

        Not so what readers wrote below it: that may be longer than the page itself.
        """
        whole, plain = (self.text[0], self.text[0] - self.linked[0]) if self.text else (0, 0)
        code = self._within(lambda part: self.tags[part] in {"pre", "code"})
        for part, tag in enumerate(self.tags):
            role = _ROLE.search(self.spellings[part])
            names = self._names(part) if tag in _NAMED_BESIDE and not code[part] else frozenset()
            if names & _REPLIES:
                if whole - self.text[part] >= settings.min_text_without_replies:
                    yield part
            elif 2 * (self.text[part] - self.linked[part]) <= plain and (
                tag in _BESIDE or names & _BESIDE_NAMES or (role and role[1] in _BESIDE_ROLES)
            ):
                yield part

    def _names(self, part: int) -> frozenset[str]:
        """The words of an element's classes, and of its id unless that may be of a heading."""
        spelled = self.spellings[part]
        classes = [name for one in _CLASS.findall(spelled) for name in one.split()]
        found = frozenset(
            word for name in classes if not _STATE.match(name) for word in _WORDS.findall(name)
        )
        named = frozenset(word for one in _ID.findall(spelled) for word in _WORDS.findall(one))
        return found | named if named <= _PLAIN_IDS else found

    def _within(self, is_chosen: Callable[[int], bool]) -> list[bool]:
        """Whether each element is chosen or stands in one that is."""
        found: list[bool] = []
        for part, above in enumerate(self.parents):
            found.append((above >= 0 and found[above]) or is_chosen(part))
        return found

    def running_text(self, unwanted: set[int]) -> list[int]:
        """Characters in each element that are no links, without what is unwanted."""
        is_out = self._within(unwanted.__contains__)
        found = [0 if out else own for out, own in zip(is_out, self.own, strict=True)]
        for part in range(len(found) - 1, 0, -1):
            if not is_out[part] and (above := self.parents[part]) >= 0:
                found[above] += found[part]
        return found

    def link_lists(
        self, main: int, running: Sequence[int], settings: TemplateSettings
    ) -> Iterator[int]:
        """Lists in the content that are nearly all links, and not of the text.

        Of the text are those that it goes on behind, and plain lists beside its paragraphs.
        """
        begin, end = self.spans[main] if self.spans else (0, 0)
        holds_text = {self.parents[part] for part, tag in enumerate(self.tags) if tag == "p"}
        places = [place for place, _, part in self.texts if running[part]]
        first, last = (places[0], places[-1]) if places else (0, 0)
        for part, tag in enumerate(self.tags):
            start, stop = self.spans[part]
            if tag not in _LISTS or not begin < start < end:
                continue
            is_list = (
                self.links[part] >= settings.min_links_beside
                and self.linked[part] >= settings.min_linked_share_beside * self.text[part] > 0
            )
            is_plain = self.parents[part] in holds_text and not self._names(part)
            is_between = first < start and stop < last
            if is_list and (self._leads_inside(part) or not (is_plain or is_between)):
                yield part

    def _leads_inside(self, part: int) -> bool:
        """Whether links lead to places of the page: a table of contents."""
        begin, end = self.spans[part]
        starts = [one.token for one in self.tokens[begin:end] if one.token.kind is TokenKind.START]
        links = [one.text for one in starts if one.tag == "a"]
        return sum('href="#' in link for link in links) * 2 > len(links)

    def between(self, unwanted: set[int], beside: set[int], dropped: set[int]) -> set[int]:
        """Nodes of the template between texts of the content: headings that all pages have."""
        is_out = self._within(unwanted.__contains__)
        places = [
            place for place, node, part in self.texts if node not in beside and not is_out[part]
        ]
        inside = self.tokens[places[0] : places[-1] + 1] if places else ()
        return {one.node for one in inside if one.node in dropped}

    def permalinks(self) -> Iterator[int]:
        """Links that only name the place where they stand."""
        for part, tag in enumerate(self.tags):
            if tag == "a" and 0 < self.text[part] <= 2 and self.text_of(part) in _PERMALINKS:
                yield part

    def text_of(self, part: int) -> str:
        """The text of an element, in lower case."""
        begin, end = self.spans[part]
        inside = (one.token for one in self.tokens[begin:end])
        return " ".join(one.text for one in inside if one.kind is TokenKind.TEXT)

    def content(self, running: Sequence[int], settings: TemplateSettings) -> int:
        """The innermost element that holds nearly all of the running text."""
        children: dict[int, list[int]] = {}
        for part, above in enumerate(self.parents):
            if running[part] and self.tags[part] in _HOLDERS:
                children.setdefault(above, []).append(part)
        here = next(iter(children.get(-1, ())), 0)
        while here in children:
            best = max(children[here], key=running.__getitem__)
            if running[best] < settings.min_main_share * running[here]:
                break
            here = best
        return here

    def outside(self, main: int) -> set[int]:
        """The nodes that are neither in an element nor around it; the page's head stays."""
        if not self.nodes:
            return set()
        around, above = set[int](), main
        while above >= 0:
            around.add(self.nodes[above])
            above = self.parents[above]
        kept = [self.spans[main]]
        kept += [self.spans[part] for part, tag in enumerate(self.tags) if tag == "head"]
        inside: set[int] = set()
        for begin, end in kept:
            inside.update(one.node for one in self.tokens[begin : end + 1])
        return {one.node for one in self.tokens} - inside - around

    def heading(self, main: int, title: str) -> int | None:
        """The heading of the content that says what the page's title says."""
        begin, end = self.spans[main] if self.spans else (0, 0)
        for tag in _HEADINGS:
            for part, own in enumerate(self.tags):
                if own == tag and begin <= self.spans[part][0] < end:
                    text = self.heading_text(part)
                    if text and text in title:
                        return part
        return None

    def heading_text(self, part: int) -> str:
        """The text of a heading without the sign of the link to it."""
        return self.text_of(part).rstrip("#¶§🔗 ")

    def byline(
        self, main: int, heading: int | None, gone: set[int], settings: TemplateSettings
    ) -> set[int]:
        """The nodes of the short texts between the heading and the first paragraph, if dated."""
        if heading is None:
            return set()
        begin, end = self.spans[heading][1], self.spans[main][1]
        nodes, declared = set[int](), ""
        for place, node, _part in self.texts:
            if not begin < place < end or node in gone:
                continue
            text = self.tokens[place].token.text
            if len(text) > settings.max_byline or len(declared) + len(text) > settings.max_byline:
                break
            is_paragraph = len(text) >= settings.min_paragraph or _SENTENCE.search(text)
            if declared and _YEAR.search(declared) and is_paragraph:
                break
            nodes.add(node)
            declared += " " + text
        else:
            return set()
        return nodes if _YEAR.search(declared) else set()

    def date(self) -> str:
        """The date of the page where an element of its own says it: an attribute, or a text."""
        for part in self._own(_DATED, ("time",)):
            for value in (*_VALUE.findall(self.spellings[part]), self.text_of(part)):
                if found := _date_in(value):
                    return found
        return ""

    def author(self, document: Document) -> str:
        """Who wrote the page, where an element of its own says it."""
        for part in self._own(_SIGNED, ()):
            if len(self.text_of(part)) <= 2 * _MAX_NAME:
                element = numbered_nodes(document.tree)[self.nodes[part]]
                text = " ".join(element.text.split()) if isinstance(element, Element) else ""
                signed = _BY.match(text)
                name = signed[1] if signed else text
                if 0 < len(name) <= _MAX_NAME and not _YEAR.search(name):
                    return name
        return ""

    def _own(self, names: frozenset[str], tags: Sequence[str]) -> Iterator[int]:
        """Elements of one of these tags or names, but not of what readers wrote or of a menu."""
        is_other = self._within(
            lambda part: self.tags[part] in _NOT_ITS_OWN or bool(self._names(part) & _REPLIES)
        )
        for part, tag in enumerate(self.tags):
            if is_other[part]:
                continue
            is_author = names is _SIGNED and _OWN_RELATION.search(self.spellings[part])
            if tag in tags or is_author or self._names(part) & names:
                yield part


def _date_in(text: str) -> str:
    """The first date in a text, as ISO writes it."""
    known = " ".join(text.lower().split())
    for pattern, order in _DATES:
        if match := pattern.search(known):
            part = dict(zip(order, match.groups(), strict=True))
            month = part["m"]
            number = int(month) if month.isdigit() else _MONTHS.index(month) + 1
            with suppress(ValueError):
                return dt.date(int(part["y"]), number, int(part["d"])).isoformat()
    return ""


def _title(document: Document, heading: str) -> str:
    """The title of the content: the part of the page's title that its heading repeats."""
    declared = {key.lower(): value for key, value in reversed(document.structured_data)}
    for key in ("headline", "title"):
        if declared.get(key):
            return " ".join(declared[key].split())
    title = " ".join(document.title.split())
    at = title.lower().find(heading) if heading else -1
    return title[at : at + len(heading)] if at >= 0 else title


def _declared_text(document: Document, keys: Sequence[str], name: str) -> str:
    """What the page says for machines, the first of some keys; or a meta of this name."""
    declared = {key.lower(): value for key, value in reversed(document.structured_data)}
    for key in keys:
        if declared.get(key):
            return " ".join(declared[key].split())
    for meta in document.tree.iter_elements(("meta",)):
        if (meta.attr("name") or "").lower() == name:
            return " ".join((meta.attr("content") or "").split())
    return ""
