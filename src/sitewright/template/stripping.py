"""Pages without their template: what is left is the page's own content.

What the page's tokens have in common with the template's, in order, is the template's: a longest
common subsequence. It takes a fifth of the time of the paper's alignment, which stays for pages
that are too long for it (docs/template.md). An element of the template stays if any content is
left in it, so that what is left nests as it did; an element that had something in it and has
nothing left goes too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sitewright.page import TokenKind, TokenVocabulary, source_tokens, tree_without
from sitewright.template.alignment import GAP, MAX_BITS, CommonSubsequence, align

if TYPE_CHECKING:
    from sitewright.page import Document, SourceToken, Token, Tree
    from sitewright.template.template import Template


_FRAME = frozenset({"html", "head", "body"})
"""Every page has these, written or not."""


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
        tokens = list(source_tokens(document))
        dropped = _dropped(tokens, self.matching(tokens))
        return Stripped(tree_without(document, dropped), *_counts(tokens, dropped))

    def matching(self, tokens: list[SourceToken]) -> set[int]:
        """The nodes of a page whose start tag, or text, is the template's."""
        written = [token for token in tokens if token.in_source]
        own = [token.token for token in written]
        is_short = self._common.length * len(own) <= MAX_BITS
        places = self._common.places(own) if is_short else _aligned(self._template, own)
        return {
            written[place].node
            for place in places
            if written[place].token.kind is not TokenKind.END
        }


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


def stripped_share(tokens: list[SourceToken], matching: set[int]) -> float:
    """`Stripped.fraction` of a page with these tokens: no page without them is made for it."""
    written, removed = _counts(tokens, _dropped(tokens, matching))
    return removed / written if written else 0.0


def _counts(tokens: list[SourceToken], dropped: set[int]) -> tuple[int, int]:
    """How many tokens the source has, and how many of these go."""
    written = [token.node for token in tokens if token.in_source]
    return len(written), sum(node in dropped for node in written)


def dropped_nodes(tokens: list[SourceToken], template: Template) -> set[int]:
    """The nodes of a page that go with its template."""
    return _dropped(tokens, matching_nodes(tokens, template))


def template_nodes(document: Document, template: Template) -> set[int]:
    """The numbers of the page's nodes that belong to the template."""
    return matching_nodes(list(source_tokens(document)), template)


def matching_nodes(tokens: list[SourceToken], template: Template) -> set[int]:
    """The nodes whose start tag, or text, is the template's."""
    return Stripper(template).matching(tokens)


@dataclass(slots=True)
class _Open:
    """An element whose end has not come yet."""

    token: SourceToken
    is_empty: bool = True
    """Whether there is nothing in it."""
    is_emptied: bool = True
    """Whether nothing that stays is in it."""


def _dropped(tokens: list[SourceToken], matching: set[int]) -> set[int]:
    """The nodes that go: what matches and holds nothing that stays, and what was emptied."""
    dropped: set[int] = set()
    still_open: list[_Open] = []
    for token in tokens:
        kind = token.token.kind
        if kind is TokenKind.START:
            still_open.append(_Open(token))
            continue
        if kind is TokenKind.END:
            element = still_open.pop()
            goes = element.is_emptied and not (element.is_empty and token.node not in matching)
            goes = goes and element.token.token.tag not in _FRAME
        else:
            goes = token.node in matching
        if goes:
            dropped.add(token.node)
        if still_open:
            still_open[-1].is_empty = False
            still_open[-1].is_emptied &= goes
    return dropped
