"""Cosulschi et al. 2004: GoodDOM and XHTML, and the correspondence of two pages by their blocks.

GoodDOM makes a token list well nested in two passes (section 2.3); `xhtml` writes the result by the
rules of section 2.2. The association graph and its maximum clique, which our own matcher uses too,
are in `sitewright.visual.association`.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sitewright.page.elements import VOID
from sitewright.page.parser import is_end_tag, written_tags_and_texts
from sitewright.page.tokens import Token, TokenKind, end_token
from sitewright.settings import current
from sitewright.visual.association import (
    PairConditions,
    association_graph,
    maximum_clique,
)
from sitewright.visual.elements import Correspondence, container, leaves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sitewright.page.rendering import Rendering
    from sitewright.visual.elements import VisualElement


def match_views(
    first: Sequence[VisualElement],
    second: Sequence[VisualElement],
    conditions: PairConditions | None = None,
    *,
    tolerance: int | None = None,
    time_limit: float | None = None,
) -> Correspondence:
    """Algorithm 4: the maximum clique of the association graph.

    What is not given is as the settings have it (`papers.cosulschi`). A `tolerance` of 0 is Allen's
    relations, a greater one those of thick boundaries.
    """
    settings = current().papers.cosulschi
    associated = association_graph(
        first, second, conditions, tolerance=tolerance, max_vertices=settings.max_vertices
    )
    seconds = settings.time_limit if time_limit is None else time_limit
    clique = maximum_clique(associated.graph, time_limit=seconds)
    chosen = (associated.pairs[vertex] for vertex in clique.vertices)
    pairs = tuple(sorted((first[a].number, second[b].number) for a, b in chosen))
    return Correspondence(pairs, clique.optimal and associated.complete)


def match_leaves(
    first: Rendering,
    second: Rendering,
    conditions: PairConditions | None = None,
    *,
    tolerance: int | None = None,
    time_limit: float | None = None,
) -> Correspondence:
    """The paper's first way (section 5): all leaves of one page against all of the other."""
    return match_views(
        leaves(first), leaves(second), _on_pages(conditions, first, second),
        tolerance=tolerance, time_limit=time_limit,
    )  # fmt: skip


def match_top_down(
    first: Rendering,
    second: Rendering,
    conditions: PairConditions | None = None,
    *,
    tolerance: int | None = None,
    time_limit: float | None = None,
) -> Correspondence:
    """The paper's second way: depth by depth, and only inside containers that correspond."""
    conditions = _on_pages(conditions, first, second)
    seconds = current().papers.cosulschi.time_limit if time_limit is None else time_limit
    deadline = time.perf_counter() + seconds
    matched: list[tuple[int, int]] = [(0, 0)]
    optimal = True
    depth = 1
    level = list(matched)
    while level:
        following: list[tuple[int, int]] = []
        for a, b in level:
            left = max(0.05, deadline - time.perf_counter())
            inside = match_views(
                _children(first, a, depth), _children(second, b, depth), conditions,
                tolerance=tolerance, time_limit=left,
            )  # fmt: skip
            optimal &= inside.optimal
            following.extend(inside.pairs)
        matched.extend(following)
        level, depth = following, depth + 1
    return Correspondence(tuple(sorted(matched)), optimal)


def _on_pages(
    conditions: PairConditions | None, first: Rendering, second: Rendering
) -> PairConditions:
    """The conditions, with the areas of the two pages."""
    areas = tuple(max(1, page.viewport[0] * page.height) for page in (first, second))
    return replace(conditions or PairConditions(), page_areas=areas)


def _children(rendering: Rendering, number: int, depth: int) -> list[VisualElement]:
    """The visible children of a container, in document order."""
    views = (container(rendering, child, depth) for child in rendering.children[number])
    return [view for view in views if view is not None]


# GoodDOM: a page made well nested (section 2.3).

_PAIRED = (TokenKind.START, TokenKind.END)
_UNPAIRED = VOID | {"script", "style"}
"""Elements without a closing tag, and the two that the paper passes through with them."""


def repair(tokens: Iterable[Token]) -> list[Token]:
    """Algorithm 1, GoodDOM: every tag of the result has its pair, and pairs nest."""
    return backward_pass(forward_pass(tokens))


def forward_pass(tokens: Iterable[Token]) -> list[Token]:
    """Algorithm 2: add the closing tags that are missing before a closing tag that is there."""
    return list(_paired(tokens, TokenKind.START, end_token))


def backward_pass(tokens: Iterable[Token]) -> list[Token]:
    """Algorithm 3: the same from the end to the beginning, adding opening tags."""
    backwards = _paired(reversed(list(tokens)), TokenKind.END, lambda tag: _start(tag, ()))
    return list(backwards)[::-1]


def written_tokens(source: str) -> list[Token]:
    """The tokens of a page as it is written, unlike those of its tree: nothing is implied.

    Texts and values of attributes stay as they are, white space and capitals too: these tokens are
    not for comparison, but to be written again.
    """
    tokens: list[Token] = []
    text = ""
    for piece in written_tags_and_texts(source):
        if piece.tag is None:
            text += piece.data or ""
            continue
        tokens += _text_between(text)
        text = ""
        is_end = is_end_tag(piece)
        tokens.append(end_token(piece.tag) if is_end else _start(piece.tag, piece.attrs or ()))
    return tokens + _text_between(text)


def _text_between(text: str) -> list[Token]:
    return [Token(TokenKind.TEXT, text)] if text else []


def _start(tag: str, attributes: Iterable[tuple[str, str | None]]) -> Token:
    """A start tag by section 2.2: names in lower case, values quoted, none minimised."""
    name = tag.lower()
    pairs = {key.lower(): value for key, value in reversed(list(attributes))}
    written = "".join(
        f' {key}="{_escaped(_full(key, value), quote=True)}"'
        for key, value in reversed(pairs.items())
    )
    return Token(TokenKind.VOID if name in VOID else TokenKind.START, f"<{name}{written}>")


_MINIMISED = frozenset(
    "allowfullscreen async autofocus autoplay checked compact controls declare default defer "
    "disabled formnovalidate hidden ismap loop multiple muted nohref noresize noshade novalidate "
    "nowrap open readonly required reversed selected".split()
)
"""Attributes that mean something by being there."""


def _full(name: str, value: str | None) -> str:
    return value or (name if name in _MINIMISED else "")


def _paired(
    tokens: Iterable[Token], opening: TokenKind, pair_of: Callable[[str], Token]
) -> Iterator[Token]:
    """One pass: `opening` tags are stacked, and their pairs added where one that follows needs it.

    Forwards, start tags open and `pair_of` makes end tags; backwards it is the other way round.
    """
    stack: list[str] = []
    stacked: Counter[str] = Counter()
    for token in tokens:
        tag = token.tag
        if token.kind in _PAIRED and tag not in _UNPAIRED:
            if token.kind is opening:
                stack.append(tag)
                stacked[tag] += 1
            elif stacked[tag]:
                yield from map(pair_of, _pop_above(stack, stacked, tag))
        yield token
    yield from map(pair_of, reversed(stack))


def _pop_above(stack: list[str], stacked: Counter[str], tag: str) -> list[str]:
    """Take the stack down to the innermost `tag`, that one too; the tags that stood above it."""
    above: list[str] = []
    while True:
        top = stack.pop()
        stacked[top] -= 1
        if top == tag:
            return above
        above.append(top)


# XHTML (section 2.2).

_DOCTYPE = (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"\n'
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
)
_NAMESPACE = "http://www.w3.org/1999/xhtml"
_NAMED = frozenset({"a", "applet", "form", "frame", "iframe", "img", "map"})
"""Elements whose `name` became `id`; the name of a field or of metadata says something else."""
_ATTRIBUTE = re.compile(r' ([^\s=]+)="([^"]*)"')
_NO_NAME_CHARACTER = re.compile(r"[^\w.-]", re.ASCII)
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEADING_TAGS = frozenset({"title", "meta", "link", "base", "script", "style"})


@dataclass(slots=True, eq=False)
class _XhtmlElement:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[_XhtmlElement | str] = field(default_factory=list)


def xhtml(source: str) -> str:
    """A page as well-formed XHTML: repaired by GoodDOM, with all that section 2.2 asks for.

    One root with head, title and body, and a DOCTYPE; elements closed, `<hr />` too; names in lower
    case, values quoted, `id` for `name`. Names that XML does not know are changed, characters that
    it does not know replaced; comments are left out.
    """
    root = _XhtmlElement("html", {"xmlns": _NAMESPACE})
    head, body = _XhtmlElement("head"), _XhtmlElement("body")
    root.children = [head, body]
    for part in _top_parts(_forest(repair(written_tokens(source))), root):
        _put_into_page(part, head, body)
    if not any(
        isinstance(child, _XhtmlElement) and child.tag == "title" for child in head.children
    ):
        head.children.insert(0, _XhtmlElement("title"))
    return f"{_DOCTYPE}\n{''.join(_written(root))}\n"


def _top_parts(
    parts: Sequence[_XhtmlElement | str], root: _XhtmlElement
) -> Iterator[_XhtmlElement | str]:
    """What stands in the page's `html` elements and beside them."""
    for part in parts:
        if isinstance(part, _XhtmlElement) and part.tag == "html":
            root.attributes |= part.attributes
            yield from part.children
        else:
            yield part


def _put_into_page(part: _XhtmlElement | str, head: _XhtmlElement, body: _XhtmlElement) -> None:
    """Put a part of the page into its head or its body; there is one of each."""
    if isinstance(part, str):
        target = body if body.children or part.strip() else head
        target.children.append(part)
    elif part.tag in {"head", "body"}:
        target = head if part.tag == "head" else body
        target.attributes = part.attributes | target.attributes
        target.children += part.children
    elif part.tag in _HEADING_TAGS and not body.children:
        head.children.append(part)
    else:
        body.children.append(part)


def _forest(tokens: Iterable[Token]) -> list[_XhtmlElement | str]:
    """The elements of repaired tokens. Scripts, which GoodDOM passes through, are paired here."""
    top = _XhtmlElement("")
    stack = [top]
    for token in tokens:
        tag = _xml_name(token.tag) if token.kind is not TokenKind.TEXT else ""
        if token.kind is not TokenKind.TEXT and stack[-1].tag in _RAW and tag != stack[-1].tag:
            stack.pop()  # a script that nothing closes
        if token.kind is TokenKind.TEXT:
            stack[-1].children.append(token.text)
        elif token.kind is TokenKind.END:
            if len(stack) > 1 and stack[-1].tag == tag:
                stack.pop()
        else:
            element = _XhtmlElement(tag, _xhtml_attributes(tag, token.text))
            stack[-1].children.append(element)
            if token.kind is TokenKind.START:
                stack.append(element)
    return top.children


_RAW = frozenset({"script", "style"})


def _xhtml_attributes(tag: str, start: str) -> dict[str, str]:
    """The attributes of a start tag as XML has them, values escaped."""
    found: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(start):
        key = _xml_name(name)
        if key != "xmlns":
            found.setdefault(key, _NO_XML.sub("\ufffd", value))
    if tag in _NAMED and "name" in found:
        name = found.pop("name")
        found.setdefault("id", name)
    return found


def _xml_name(name: str) -> str:
    """A name that every XML parser takes: without a prefix, which nobody declared."""
    known = _NO_NAME_CHARACTER.sub("_", name)
    return known if known[:1].isalpha() or known[:1] == "_" else f"_{known}"


def _written(root: _XhtmlElement) -> Iterator[str]:
    """The text of an element; a stack of our own, since pages nest deeper than Python does."""
    waiting: list[_XhtmlElement | str | tuple[str]] = [root]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):  # an end tag
            yield part[0]
            continue
        if isinstance(part, str):
            yield _escaped(part)
            continue
        attributes = "".join(f' {name}="{value}"' for name, value in part.attributes.items())
        if part.tag in VOID:
            yield f"<{part.tag}{attributes} />"
            waiting.extend(reversed(part.children))
        elif part.tag in _RAW:
            content = "".join(child for child in part.children if isinstance(child, str))
            yield f"<{part.tag}{attributes}>{_character_data(content)}</{part.tag}>"
        else:
            yield f"<{part.tag}{attributes}>"
            waiting.append((f"</{part.tag}>",))
            waiting.extend(reversed(part.children))


def _character_data(text: str) -> str:
    """The content of a script: as it is where XML can read it, else marked as no markup."""
    known = _NO_XML.sub("\ufffd", text)
    if not set("<&") & set(known) and "]]>" not in known:
        return known
    return f"<![CDATA[{known.replace(']]>', ']]]]><![CDATA[>')}]]>"


def _escaped(text: str, *, quote: bool = False) -> str:
    known = _NO_XML.sub("\ufffd", text)
    for character, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        known = known.replace(character, written)
    return known.replace('"', "&quot;") if quote else known
