"""The token sequence of a page: integers of a shared vocabulary, each with the node it came from.

Iterating over all nodes from Python costs several times what parsing does. So the tree is written
out by the parser's own serialiser, which escapes every `<` and `>` that is not markup, and the
pieces are looked up as they are; only a piece that was never seen before is normalised. `walk` is
the plain way to the same result, and the way taken where the serialiser's text is ambiguous.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING

import numpy as np

from sitewright.html import dom
from sitewright.html.elements import RAW_TEXT
from sitewright.html.tokens import Kind, TokenVocabulary, end_token, start_token, text_token
from sitewright.html.walk import walk

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sitewright.html.document import Document
    from sitewright.html.tokens import Token

_RAW = "|".join(sorted(RAW_TEXT))
_OPAQUE = re.compile(rf"<!--.*?-->|<[!?][^>]*>|<({_RAW})(?=[ >])[^>]*>(.*?)(?=</\1>)", re.DOTALL)
"""Where `<` and `>` need not be markup: comments, declarations, and the content of scripts."""
_PIECE = re.compile(r"<[^>]*>|[^<]+")
_ATTRIBUTE = re.compile(r' (=?[^\s=]*)="([^"]*)"')
_RAW_MARK = "\0"
"""Stands before the content of a script: it is no markup, whatever it begins with."""
_MAX_REMEMBERED = 160
"""Longer pieces are prose or scripts: they hardly come back, and would be kept twice."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenSequence:
    """The tokens of a page in document order."""

    ids: NDArray[np.int32]
    """Numbers of the vocabulary."""
    nodes: NDArray[np.int32]
    """For each token the number of its node, as `numbered_nodes` counts; both tags have one."""

    def __len__(self) -> int:
        return len(self.ids)

    def tokens(self, vocabulary: TokenVocabulary) -> list[Token]:
        """Back to text."""
        return [vocabulary[token_id] for token_id in self.ids.tolist()]


class Tokeniser:
    """Turns pages into token sequences over one vocabulary, remembering pieces it has seen."""

    def __init__(self, vocabulary: TokenVocabulary | None = None) -> None:
        self.vocabulary = TokenVocabulary() if vocabulary is None else vocabulary
        # White space between two tags is a node, but no token: it is numbered and then dropped.
        self._blank = self.vocabulary.id(text_token(""))
        self._remembered: dict[str, int] = {}

    def sequence(self, document: Document) -> TokenSequence:
        """The token sequence of a page."""
        if is_plain(document.tree):
            ids = self._ids(pieces_of(document.tree.html))
            nodes = paired_nodes(self.vocabulary.kinds(ids))
            if nodes is not None:
                return TokenSequence(ids[ids != self._blank], nodes[ids != self._blank])
        return self._walked(document.tree)

    def _ids(self, pieces: list[str]) -> NDArray[np.int32]:
        # Nearly all pieces were seen before: looking them up must not cost a call of ours each.
        remembered = map(self._remembered.get, pieces)
        ids = [
            self._first_id(piece) if token_id is None else token_id
            for piece, token_id in zip(pieces, remembered, strict=True)
        ]
        return np.array(ids, dtype=np.int32)

    def _first_id(self, piece: str) -> int:
        token_id = self.vocabulary.id(token_of(piece))
        if len(piece) <= _MAX_REMEMBERED:
            self._remembered[piece] = token_id
        return token_id

    def _walked(self, tree: dom.Tree) -> TokenSequence:
        pairs = [(self.vocabulary.id(token), node) for token, node in walk(tree)]
        columns = np.array(pairs, dtype=np.int32).reshape(-1, 2)
        return TokenSequence(columns[:, 0].copy(), columns[:, 1].copy())


def is_plain(tree: dom.Tree) -> bool:
    """Whether the serialised tree can be read in one way only.

    Scripts and their like are written as they are: what ends them must not stand in them.
    """
    for element in tree.iter_elements(RAW_TEXT):
        text = element.text
        if element.tag == "plaintext" or f"</{element.tag}" in text.lower():
            return False
        # In a drawing a style is an element like any other: it has children, and text is escaped.
        if element.namespace is not dom.HTML_NAMESPACE and element.inner_html != text:
            return False
    return True


def pieces_of(html: str) -> list[str]:
    """Cut serialised HTML into tags and texts; what comments separate is one text."""
    pieces: list[str] = []
    visible: list[str] = []
    position = 0
    for opaque in _OPAQUE.finditer(html):
        content = opaque[2]
        visible.append(html[position : opaque.start() if content is None else opaque.start(2)])
        position = opaque.end()
        if content:
            pieces += _PIECE.findall("".join(visible))
            pieces.append(_RAW_MARK + content)
            visible.clear()
    visible.append(html[position:])
    return pieces + _PIECE.findall("".join(visible))


def token_of(piece: str) -> Token:
    """The token that a piece is."""
    if piece[0] == "<":
        if piece[1] == "/":
            return end_token(piece[2:-1])
        return start_token(*tag_and_attributes(piece))
    if piece[0] == _RAW_MARK:
        return text_token(piece[1:])
    return text_token(unescape(piece))


def tag_and_attributes(piece: str) -> tuple[str, list[tuple[str, str]]]:
    """What a piece that is a start tag says."""
    tag, _, rest = piece[1:-1].partition(" ")
    pairs = _ATTRIBUTE.findall(piece) if rest else []
    return tag, [(name, unescape(value)) for name, value in pairs]


def paired_nodes(kinds: NDArray[np.uint8]) -> NDArray[np.int32] | None:
    """Number the nodes that tokens came from; an end tag has its start tag's number.

    None if the tags do not pair up. Sorted by depth and then by place, the start and end tags of
    a well-nested sequence stand in turn, each pair together.
    """
    nodes = np.cumsum(kinds != Kind.END, dtype=np.int32) - 1
    places = np.flatnonzero((kinds == Kind.START) | (kinds == Kind.END))
    is_start = kinds[places] == Kind.START
    depths = np.cumsum(np.where(is_start, 1, -1)) + ~is_start
    order = np.argsort(depths, kind="stable")
    starts, ends = order[0::2], order[1::2]
    if len(starts) != len(ends) or not is_start[starts].all() or is_start[ends].any():
        return None
    nodes[places[ends]] = nodes[places[starts]]
    return nodes
