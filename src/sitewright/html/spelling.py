"""The tokens of a page as its source spells them, and which of them its source has at all.

A tree says what a page means: it holds elements that nobody wrote (`<tbody>`), closes what was
left open, and its tokens are in lower case to be compared. Here each token of the tree comes with
the spelling of the source, and with whether it stands there: what is shown to people, written to
a file or compared with other programs' tokens should be what the author wrote.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitewright.html import dom
from sitewright.html.sequence import (
    is_plain,
    paired_nodes,
    pieces_of,
    tag_and_attributes,
    token_of,
)
from sitewright.html.tokens import Kind, Token
from sitewright.html.walk import attributes, walked_nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitewright.html.document import Document


_MAX_REMEMBERED = 160
"""Longer pieces are prose or scripts: they hardly come back."""


class SpelledToken(NamedTuple):
    """A token of a page's tree, with what its source has in that place."""

    token: Token
    """The normal form, all in lower case."""
    spelling: str
    """A tag keeps the case and the white space of its values; a text is as in the normal form."""
    node: int
    """The number of its node, as `numbered_nodes` counts."""
    written: bool
    """Whether the source has it; if not, the parser added it."""


def spelled_tokens(document: Document) -> list[SpelledToken]:
    """Every token of the page's tree in document order."""
    tree = document.located_tree()
    found = _from_pieces(tree) if is_plain(tree) else None
    return list(_walked(tree)) if found is None else found


def _from_pieces(tree: dom.Tree) -> list[SpelledToken] | None:
    """The fast way: cut up the tree as the parser writes it; None if that does not fit the tree."""
    spelled = [_spelled(piece) for piece in pieces_of(tree.html)]
    kinds = np.array([token.kind for token, _spelling in spelled], dtype=np.uint8)
    nodes = paired_nodes(kinds)
    elements = [node for node in tree.descendants if isinstance(node, dom.Element)]
    starts = (kinds == Kind.START) | (kinds == Kind.VOID)
    if nodes is None or len(elements) != starts.sum():
        return None
    written = dict(zip(nodes[starts].tolist(), map(_is_written, elements), strict=True))
    return [
        SpelledToken(token, spelling, node, written[node][token.kind is Kind.END])
        if token.kind is not Kind.TEXT
        else SpelledToken(token, spelling, node, written=True)
        for (token, spelling), node in zip(spelled, nodes.tolist(), strict=True)
        if spelling
    ]


def _is_written(element: dom.Element) -> tuple[bool, bool]:
    """Whether the source has the element's start tag, and its end tag."""
    places = element.source_location
    return (False, False) if places is None else (True, places.end_tag is not None)


def _spelled(piece: str) -> tuple[Token, str]:
    return _remembered(piece) if len(piece) <= _MAX_REMEMBERED else _read(piece)


def _read(piece: str) -> tuple[Token, str]:
    token = token_of(piece)
    if token.kind in {Kind.TEXT, Kind.END}:
        return token, token.text
    return token, spelled_tag(*tag_and_attributes(piece))


# The pages of a site have most of their tags in common.
_remembered = lru_cache(maxsize=1 << 14)(_read)


def _walked(tree: dom.Tree) -> Iterator[SpelledToken]:
    """The plain way, and the one for trees that cannot be written unambiguously."""
    for token, number, node in walked_nodes(tree):
        if not isinstance(node, dom.Element):
            yield SpelledToken(token, token.text, number, written=True)
            continue
        start_written, end_written = _is_written(node)
        if token.kind is Kind.END:
            yield SpelledToken(token, token.text, number, end_written)
        else:
            yield SpelledToken(
                token, spelled_tag(node.tag, attributes(node)), number, start_written
            )


def spelled_tag(tag: str, pairs: Iterable[tuple[str, str]]) -> str:
    """A start tag with its attributes sorted by name, their values as they are."""
    ordered = sorted((name.lower(), value) for name, value in pairs)
    written = "".join(
        f' {name}="{value.replace("&", "&amp;").replace(chr(34), "&quot;")}"'
        for name, value in ordered
    )
    return f"<{tag.lower()}{written}>"
