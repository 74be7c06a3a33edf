"""Pages without their template: what is left is the page's own content.

What the page's tokens have in common with the template's, in order, is the template's: a longest
common subsequence. It takes a fifth of the time of the paper's alignment, which stays for pages
that are too long for it (docs/template.md). An element of the template stays if any content is
left in it, so that what is left nests as it did; an element that had something in it and has
nothing left goes too.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from sitewright.page import (
    SourceColumns,
    TokenKind,
    TokenVocabulary,
    source_columns,
    tree_without,
)
from sitewright.template.alignment import GAP, MAX_BITS, CommonSubsequence, align

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.page import Document, SourceToken, Token, Tree
    from sitewright.template.template import Template


_FRAME_ENDS = frozenset({"</html>", "</head>", "</body>"})
"""Every page has these elements, written or not."""


@dataclass(frozen=True, slots=True, eq=False)
class Stripped:
    """A page without its template."""

    tree: Tree
    tokens: int
    """How many tokens the page had."""
    removed: int
    """How many of them are gone."""

    @property
    def fraction(self) -> float:
        """The part of the page's tokens that is gone."""
        return self.removed / self.tokens if self.tokens else 0.0

    @property
    def html(self) -> str:
        """A page still: what is left nests as it did."""
        return self.tree.html

    @property
    def text(self) -> str:
        """Plain text, laid out in blocks."""
        return self.tree.to_text()

    @property
    def markdown(self) -> str:
        """Headings, lists, links and tables in Markdown."""
        return self.tree.to_markdown()


def strip(document: Document, template: Template) -> Stripped:
    """The page without the template: order and nesting of what is left stay as they were.

    Of many pages, a `Stripper` prepares the template once.
    """
    return Stripper(template).strip(document)


class Stripper:
    """Takes one template off many pages."""

    def __init__(self, template: Template) -> None:
        self._template = [token.token for token in template]
        self._common = CommonSubsequence(self._template)

    def strip(self, document: Document) -> Stripped:
        """The page without the template."""
        page = source_columns(document)
        dropped = _dropped(page, self.matching(page))
        return Stripped(tree_without(document, dropped), *_counts(page, dropped))

    def matching(self, page: SourceColumns) -> set[int]:
        """The nodes of a page whose start tag, or text, is the template's."""
        own = list(compress(page.tokens, page.in_source))
        nodes = list(compress(page.nodes, page.in_source))
        is_short = self._common.length * len(own) <= MAX_BITS
        places = self._common.places(own) if is_short else _aligned(self._template, own)
        return {nodes[place] for place in places if own[place].kind is not TokenKind.END}


def _aligned(template: list[Token], own: list[Token]) -> list[int]:
    """The same by a best alignment, whose memory is bounded."""
    vocabulary = TokenVocabulary()
    ours = np.array([vocabulary.id(token) for token in template], dtype=np.int32)
    theirs = np.array([vocabulary.id(token) for token in own], dtype=np.int32)
    left, right = align(ours, theirs).pairs
    paired = (left != GAP) & (right != GAP)
    left, right = left[paired], right[paired]
    places: list[int] = right[ours[left] == theirs[right]].tolist()
    return places


def stripped_share(tokens: Sequence[SourceToken], matching: set[int]) -> float:
    """`Stripped.fraction` of a page with these tokens: no page without them is made for it."""
    page = SourceColumns.of(tokens)
    written, removed = _counts(page, _dropped(page, matching))
    return removed / written if written else 0.0


def _counts(page: SourceColumns, dropped: set[int]) -> tuple[int, int]:
    """How many tokens the source has, and how many of these go."""
    written = list(compress(page.nodes, page.in_source))
    return len(written), sum(map(dropped.__contains__, written))


def dropped_nodes(tokens: Sequence[SourceToken], template: Template) -> set[int]:
    """The nodes of a page that go with its template."""
    page = SourceColumns.of(tokens)
    return _dropped(page, Stripper(template).matching(page))


def template_nodes(document: Document, template: Template) -> set[int]:
    """The numbers of the page's nodes that belong to the template."""
    return Stripper(template).matching(source_columns(document))


def matching_nodes(tokens: Sequence[SourceToken], template: Template) -> set[int]:
    """The nodes whose start tag, or text, is the template's."""
    return Stripper(template).matching(SourceColumns.of(tokens))


_EMPTY, _EMPTIED, _KEEPS = range(3)
"""What there is in an element: nothing; only what goes; something that stays."""


def _dropped(page: SourceColumns, matching: set[int]) -> set[int]:
    """The nodes that go: what matches and holds nothing that stays, and what was emptied."""
    dropped: set[int] = set()
    still_open: list[int] = []
    start, end = TokenKind.START, TokenKind.END
    for (kind, text), node in zip(page.tokens, page.nodes, strict=True):
        if kind is start:
            still_open.append(_EMPTY)
            continue
        if kind is end and (inside := still_open.pop()) != _EMPTY:
            goes = inside == _EMPTIED and text not in _FRAME_ENDS
        else:
            goes = node in matching and (kind is not end or text not in _FRAME_ENDS)
        if goes:
            dropped.add(node)
        if still_open:
            still_open[-1] = max(still_open[-1], _EMPTIED) if goes else _KEEPS
    return dropped
