"""The tokens of a page as its source spells them, and which of them its source has at all.

A tree says what a page means: it holds elements that nobody wrote (`<tbody>`), closes what was
left open, and its tokens are in lower case to be compared. Here each token of the tree comes with
the spelling of the source, and with whether it stands there: what is shown to people, written to
a file or compared with other programs' tokens should be what the author wrote.
"""

from __future__ import annotations

from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from sitewright.page import parser
from sitewright.page.elements import RAW_TEXT, VOID
from sitewright.page.tokens import (
    Token,
    TokenKind,
    attributes,
    is_plain,
    numbered_nodes,
    paired_nodes,
    pieces_of,
    start_token,
    tag_and_attributes,
    token_of,
    walked_nodes,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sitewright.page.document import Document


START_TAG, END_TAG = 1, 2
"""The tags that an element may have in its source."""
_MAX_REMEMBERED = 160
"""Longer pieces are prose or scripts: they hardly come back."""
_MOST_REMEMBERED = 1 << 14


class SourceToken(NamedTuple):
    """A token of a page's tree, with what its source has in that place."""

    token: Token
    """The normal form, all in lower case."""
    spelling: str
    """A tag keeps the case and the white space of its values; a text is as in the normal form."""
    node: int
    """The number of its node, as `numbered_nodes` counts."""
    in_source: bool
    """Whether the source has it; if not, the parser added it."""


class SourceColumns(NamedTuple):
    """The same of all tokens of a page, column by column.

    An object for each token costs more than to parse the page, so long loops go without.
    """

    tokens: Sequence[Token]
    spellings: Sequence[str]
    nodes: Sequence[int]
    in_source: Sequence[bool]

    @classmethod
    def of(cls, tokens: Sequence[SourceToken]) -> SourceColumns:
        """The columns of some tokens."""
        return cls(*(zip(*tokens, strict=True) if tokens else ((), (), (), ())))


def source_tokens(document: Document) -> list[SourceToken]:
    """Every token of the page's tree in document order."""
    return list(map(_spelled_token, zip(*source_columns(document), strict=True)))


def source_columns(document: Document) -> SourceColumns:
    """The same, column by column."""
    found = _from_pieces(document) if is_plain(document.tree) else None
    return SourceColumns.of(list(walked_tokens(document))) if found is None else found


def _from_pieces(document: Document) -> SourceColumns | None:
    """Fast: cut up the tree as the parser writes it; None if that does not fit the tree."""
    pieces = pieces_of(document.tree.html)
    known = map(_remembered.get, pieces)
    read = [_read(piece) if one is None else one for piece, one in zip(pieces, known, strict=True)]
    kinds = np.frombuffer(bytes([kind for kind, _token, _spelling in read]), dtype=np.uint8)
    nodes = paired_nodes(kinds)
    written = np.frombuffer(document.tags_in_source, dtype=np.uint8)
    if (
        nodes is None
        or len(written) != ((kinds == TokenKind.START) | (kinds == TokenKind.VOID)).sum()
    ):
        return None
    spellings = [spelling for _kind, _token, spelling in read]
    in_source = _is_written(kinds, nodes, written)
    columns = ([token for _kind, token, _spelling in read], spellings, nodes.tolist(), in_source)
    return SourceColumns(*(list(compress(column, spellings)) for column in columns))


def _is_written(
    kinds: NDArray[np.uint8], nodes: NDArray[np.int32], written: NDArray[np.uint8]
) -> list[bool]:
    """For each token whether the source has it, from what it has of each element."""
    is_start = (kinds == TokenKind.START) | (kinds == TokenKind.VOID)
    of_node = np.zeros(len(kinds), dtype=np.uint8)
    of_node[nodes[is_start]] = written
    has = of_node[nodes] & np.where(kinds == TokenKind.END, END_TAG, START_TAG)
    found: list[bool] = ((has != 0) | (kinds == TokenKind.TEXT)).tolist()
    return found


_Piece: TypeAlias = tuple[int, Token, str]
"""The kind of a token, the token, and its spelling."""
_spelled_token = partial(tuple.__new__, SourceToken)
_remembered: dict[str, _Piece] = {}
"""The pages of a site have most of their tags in common."""


def _read(piece: str) -> _Piece:
    if piece[0] == "<" and piece[1] != "/":
        tag, pairs = tag_and_attributes(piece)
        token = start_token(tag, pairs)
        # Most tags are written as they are compared.
        spelling = token.text if token.text == piece else tag_in_source(tag, pairs)
    else:
        token = token_of(piece)
        spelling = token.text
    found = (int(token.kind), token, spelling)
    if len(piece) <= _MAX_REMEMBERED:
        if len(_remembered) >= _MOST_REMEMBERED:
            _remembered.clear()
        _remembered[piece] = found
    return found


def walked_tokens(document: Document) -> Iterator[SourceToken]:
    """The plain algorithm, and the one for trees that cannot be written unambiguously."""
    written = iter(document.tags_in_source)
    of_node: dict[int, int] = {}
    for token, number, node in walked_nodes(document.tree):
        if not isinstance(node, parser.Element):
            yield SourceToken(token, token.text, number, in_source=True)
        elif token.kind is TokenKind.END:
            has_end = bool(of_node[number] & END_TAG)
            yield SourceToken(token, token.text, number, has_end)
        else:
            of_node[number] = next(written)
            spelling = tag_in_source(node.tag, attributes(node))
            yield SourceToken(token, spelling, number, bool(of_node[number] & START_TAG))


def tags_in_source(located: parser.Tree) -> bytes:
    """Which tags of each element, in document order, its source has; what is missing was implied.

    `START_TAG` and `END_TAG`, added up, of a tree that knows its source.
    """
    both = START_TAG | END_TAG
    if _closes_all_that_it_opens(located):
        return bytes(
            [
                0 if element.source_line is None else (START_TAG if element.tag in VOID else both)
                for element in located.iter_elements()
            ]
        )
    return bytes(
        [
            0
            if (place := element.source_location) is None
            else (START_TAG if place.end_tag is None else both)
            for element in located.iter_elements()
        ]
    )


def _closes_all_that_it_opens(located: parser.Tree) -> bool:
    """Whether the source has the end tag of each element whose start tag it has, for sure.

    To ask each element takes four times as long as to parse the page. Written as in the source, a
    tree lacks the end tags that the source lacks; only a value of an attribute could stand in for
    one. Of two elements with one place the parser made the second.
    """
    html = located.html
    if "&lt;/" in html or located.to_source().count("</") != html.count("</"):
        return False
    places = [
        (element.source_line, element.source_col)
        for element in located.iter_elements()
        if element.source_line is not None
    ]
    return len(set(places)) == len(places)


def tag_in_source(tag: str, pairs: Iterable[tuple[str, str]]) -> str:
    """A start tag with its attributes sorted by name, their values as they are."""
    ordered = sorted((name.lower(), value) for name, value in pairs)
    written = "".join(
        f' {name}="{value.replace("&", "&amp;").replace(chr(34), "&quot;")}"'
        for name, value in ordered
    )
    return f"<{tag.lower()}{written}>"


# A page without some of its nodes, or with marks on them: always a new tree.
#
# Nodes are named by their numbers, as `numbered_nodes` counts.

_TEXT_ONLY = RAW_TEXT | {"option", "select", "table", "tbody", "textarea", "tfoot", "thead"}
_TEXT_ONLY |= {"colgroup", "datalist", "head", "optgroup", "title", "tr"}
"""Elements in which a `<span>` around a text would not stay where it is put."""


def tree_without(document: Document, dropped: Collection[int]) -> parser.Tree:
    """The page without these nodes, each with all that is in it."""
    tree = parser.copied(document.tree)
    nodes = numbered_nodes(tree)
    gone = {nodes[number] for number in dropped}
    # From the end: what stands behind a node has gone before the node is looked at.
    for number in sorted(dropped, reverse=True):
        if nodes[number].parent not in gone:
            _drop(list(_run(nodes[number])))
    return tree


def marked_tree(document: Document, marks: Mapping[int, str], attribute: str) -> parser.Tree:
    """The page with an attribute on these nodes; texts get a `<span>` of their own for it."""
    tree = parser.copied(document.tree)
    nodes = numbered_nodes(tree)
    for number, mark in marks.items():
        node = nodes[number]
        if isinstance(node, parser.Element):
            node.attrs[attribute] = mark
            continue
        for text in filter(_takes_a_span, list(_run(node))):
            text.wrap(parser.Element("span", {attribute: mark}))
    return tree


def _drop(run: list[parser.Node]) -> None:
    """Take a node out; what stood on both sides of it stays apart, by one space at most."""
    before, behind = run[0].previous_sibling, run[-1].next_sibling
    space_before = before is None or _touches_space(before, -1)
    if behind is not None and not space_before and not _touches_space(behind, 0):
        run.pop(0).replace_with(parser.Text(" "))
    elif space_before and isinstance(behind, parser.Text) and not behind.data.strip():
        run.append(behind)
    for node in run:
        node.decompose()


def _touches_space(node: parser.Node, end: int) -> bool:
    """Whether a node is a text that begins (0) or ends (-1) with white space."""
    return isinstance(node, parser.Text) and node.data != "" and node.data[end].isspace()


def _run(node: parser.Node) -> Iterator[parser.Node]:
    """An element; or a text with all others that only comments separate from it."""
    yield node
    behind = node.next_sibling if isinstance(node, parser.Text) else None
    while behind is not None and not isinstance(behind, parser.Element):
        if isinstance(behind, parser.Text):
            yield behind
        behind = behind.next_sibling


def _takes_a_span(text: parser.Node) -> bool:
    parent = text.parent
    return (
        isinstance(parent, parser.Element)
        and parent.namespace is parser.HTML_NAMESPACE
        and parent.tag.lower() not in _TEXT_ONLY
    )
