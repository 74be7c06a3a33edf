"""Tokens: a tag, or the text between two tags, in a normal form, numbered by a vocabulary.

As the 2011 paper has it (Geraci and Maggini, section 2): attributes are sorted, white space is
collapsed, letters are lower case. Comments are dropped; a script's or style's content is one token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitewright.page import parser
from sitewright.page.elements import RAW_TEXT, VOID

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from sitewright.page.document import Document


class TokenKind(IntEnum):
    """What a token is."""

    START = 0
    END = 1
    TEXT = 2
    VOID = 3
    """A start tag that no end tag belongs to: `<br>`."""

    __hash__ = int.__hash__  # an enumeration's own is a call of Python for each token that is kept


class Token(NamedTuple):
    """A tag or a text, normalised. The kind tells the tag `<b>` from a text that spells it."""

    kind: TokenKind
    text: str

    @property
    def tag(self) -> str:
        """The name of a tag's element; empty for a text."""
        if self.kind is TokenKind.TEXT:
            return ""
        return self.text.strip("</>").split(" ", 1)[0]


def normal_text(text: str) -> str:
    """White space collapsed, letters lower case; empty for white space alone."""
    return " ".join(text.split()).lower()


def start_token(tag: str, attributes: Iterable[tuple[str, str]]) -> Token:
    """A start tag with its attributes sorted by name: `<a class="x" href="y">`."""
    pairs = sorted((name.lower(), normal_text(value)) for name, value in attributes)
    written = "".join(f' {name}="{_quoted(value)}"' for name, value in pairs)
    kind = TokenKind.VOID if tag.lower() in VOID else TokenKind.START
    return Token(kind, f"<{tag.lower()}{written}>")


def end_token(tag: str) -> Token:
    """An end tag: `</a>`."""
    return Token(TokenKind.END, f"</{tag.lower()}>")


def text_token(text: str) -> Token:
    """The text between two tags."""
    return Token(TokenKind.TEXT, normal_text(text))


def _quoted(value: str) -> str:
    return value.replace("&", "&amp;").replace('"', "&quot;")


class TokenVocabulary:
    """The tokens seen so far, each an integer, shared by the pages that are to be compared."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._kinds = bytearray()
        self._ids: dict[TokenKind, dict[str, int]] = {kind: {} for kind in TokenKind}

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, token_id: int) -> Token:
        return Token(TokenKind(self._kinds[token_id]), self._texts[token_id])

    def id(self, token: Token) -> int:
        """The number of a token; a new one gets the next number."""
        kind, text = token
        found = self._ids[kind].setdefault(text, len(self._texts))
        if found == len(self._texts):
            self._texts.append(text)
            self._kinds.append(kind)
        return found

    def kinds(self, ids: NDArray[np.int32]) -> NDArray[np.uint8]:
        """The kind of each of these tokens."""
        known: NDArray[np.uint8] = np.frombuffer(self._kinds, dtype=np.uint8)
        return known[ids]

    def merge(self, other: TokenVocabulary) -> NDArray[np.int32]:
        """Take in another vocabulary's tokens; the answer maps its ids to ours."""
        ours = [self.id(other[token_id]) for token_id in range(len(other))]
        return np.array(ours, dtype=np.int32)


# A walk over a tree: every token with the number of its node, in document order.


def numbered_nodes(tree: parser.Tree) -> list[parser.Node]:
    """The elements and texts of a page by number, in document order.

    Texts with no tag between them are one node, the first; comments have no number.
    """
    # As `_runs`, without the texts, in a third of the time.
    found: list[parser.Node] = []
    run: parser.Text | None = None
    for node in tree.descendants:
        if isinstance(node, parser.Text):
            if run is None or node.parent is not run.parent:
                run = node
                found.append(node)
        elif isinstance(node, parser.Element):
            run = None
            found.append(node)
    return found


def walk(tree: parser.Tree) -> Iterator[tuple[Token, int]]:
    """Every token of a page with the number of the node that it came from."""
    return ((token, number) for token, number, _node in walked_nodes(tree))


def walked_nodes(tree: parser.Tree) -> Iterator[tuple[Token, int, parser.Node]]:
    """Every token of a page with the number of its node, and the node itself."""
    still_open: list[tuple[parser.Element, int]] = []
    for number, (node, text) in enumerate(_runs(tree)):
        parent = _open_parent(node)
        while still_open and still_open[-1][0] is not parent:
            yield _closing(*still_open.pop())
        if isinstance(node, parser.Element):
            token = start_token(node.tag, attributes(node))
            yield token, number, node
            if token.kind is TokenKind.START:
                still_open.append((node, number))
        elif not text.isspace():
            yield text_token(text), number, node
    while still_open:
        yield _closing(*still_open.pop())


def _runs(tree: parser.Tree) -> Iterator[tuple[parser.Node, str]]:
    """Elements, and runs of texts: the first of them with the text of all."""
    run: list[parser.Text] = []
    for node in parser.nodes(tree):
        continues = isinstance(node, parser.Text) and bool(run) and node.parent is run[0].parent
        if run and not continues:
            yield run[0], "".join(text.data for text in run)
            run = []
        if isinstance(node, parser.Text):
            run.append(node)
        else:
            yield node, ""
    if run:
        yield run[0], "".join(text.data for text in run)


def _open_parent(node: parser.Node) -> parser.Node | None:
    """The nearest ancestor that has an end tag; what a template holds belongs to the template."""
    parent = node.parent
    while isinstance(parent, parser.Fragment) or (
        isinstance(parent, parser.Element) and parent.tag.lower() in VOID
    ):
        parent = parent.parent
    return parent


def _closing(element: parser.Element, number: int) -> tuple[Token, int, parser.Node]:
    return end_token(element.tag), number, element


def attributes(element: parser.Element) -> Iterator[tuple[str, str]]:
    """Names and values of an element's attributes; a missing value is empty."""
    for name in element.attrs:
        yield name, element.attr(name) or ""


# The token sequence of a page: integers of a shared vocabulary, each with the node it came from.
#
# Iterating over all nodes from Python costs several times what parsing does. So the tree is written
# out by the parser's own serialiser, which escapes every `<` and `>` that is not markup, and the
# pieces are looked up as they are; only a piece that was never seen before is normalised. `walk` is
# the plain algorithm with the same result, used where the serialiser's text is ambiguous.

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

    def _walked(self, tree: parser.Tree) -> TokenSequence:
        pairs = [(self.vocabulary.id(token), node) for token, node in walk(tree)]
        columns = np.array(pairs, dtype=np.int32).reshape(-1, 2)
        return TokenSequence(columns[:, 0].copy(), columns[:, 1].copy())


def is_plain(tree: parser.Tree) -> bool:
    """Whether the serialised tree can be read in one way only.

    Scripts and their like are written as they are: what ends them must not stand in them.
    """
    for element in tree.iter_elements(RAW_TEXT):
        text = element.text
        if element.tag == "plaintext" or f"</{element.tag}" in text.lower():
            return False
        # In a drawing a style is an element like any other: it has children, and text is escaped.
        if element.namespace is not parser.HTML_NAMESPACE and element.inner_html != text:
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
    nodes = np.cumsum(kinds != TokenKind.END, dtype=np.int32) - 1
    places = np.flatnonzero((kinds == TokenKind.START) | (kinds == TokenKind.END))
    is_start = kinds[places] == TokenKind.START
    depths = np.cumsum(np.where(is_start, 1, -1)) + ~is_start
    order = np.argsort(depths, kind="stable")
    starts, ends = order[0::2], order[1::2]
    if len(starts) != len(ends) or not is_start[starts].all() or is_start[ends].any():
        return None
    nodes[places[ends]] = nodes[places[starts]]
    return nodes
