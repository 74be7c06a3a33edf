"""Cosulschi et al. 2004: GoodDOM, and the correspondence of two pages by their blocks.

GoodDOM makes a token list well nested in two passes (section 2.3). The association graph and its
maximum clique, which our own matcher uses too, are in `sitewright.visual.association`.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from sitewright.page.elements import VOID
from sitewright.page.parser import is_end_tag, written_tags_and_texts
from sitewright.page.tokens import Token, TokenKind, end_token, start_token, text_token
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
    time_limit: float = 10.0,
) -> Correspondence:
    """Algorithm 4: the maximum clique of the association graph."""
    associated = association_graph(first, second, conditions, tolerance=tolerance)
    clique = maximum_clique(associated.graph, time_limit=time_limit)
    chosen = (associated.pairs[vertex] for vertex in clique.vertices)
    pairs = tuple(sorted((first[a].number, second[b].number) for a, b in chosen))
    return Correspondence(pairs, clique.optimal and associated.complete)


def match_leaves(
    first: Rendering,
    second: Rendering,
    *,
    tolerance: int | None = None,
    time_limit: float = 10.0,
) -> Correspondence:
    """The paper's first way (section 5): all leaves of one page against all of the other."""
    return match_views(leaves(first), leaves(second), tolerance=tolerance, time_limit=time_limit)


def match_top_down(
    first: Rendering,
    second: Rendering,
    *,
    tolerance: int | None = None,
    time_limit: float = 10.0,
) -> Correspondence:
    """The paper's second way: depth by depth, and only inside containers that correspond."""
    deadline = time.perf_counter() + time_limit
    matched: list[tuple[int, int]] = [(0, 0)]
    optimal = True
    depth = 1
    level = list(matched)
    while level:
        following: list[tuple[int, int]] = []
        for a, b in level:
            left = max(0.05, deadline - time.perf_counter())
            inside = match_views(
                _children(first, a, depth), _children(second, b, depth),
                tolerance=tolerance, time_limit=left,
            )  # fmt: skip
            optimal &= inside.optimal
            following.extend(inside.pairs)
        matched.extend(following)
        level, depth = following, depth + 1
    return Correspondence(tuple(sorted(matched)), optimal)


def _children(rendering: Rendering, number: int, depth: int) -> list[VisualElement]:
    """The visible children of a container, in document order."""
    views = (container(rendering, child, depth) for child in rendering.children[number])
    return [view for view in views if view is not None]


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
    backwards = _paired(reversed(list(tokens)), TokenKind.END, lambda tag: start_token(tag, ()))
    return list(backwards)[::-1]


def written_tokens(source: str) -> list[Token]:
    """The tokens of a page as it is written, unlike those of its tree: nothing is implied."""
    tokens: list[Token] = []
    text = ""
    for piece in written_tags_and_texts(source):
        if piece.tag is None:
            text += piece.data or ""
            continue
        tokens += _text_between(text)
        text = ""
        tokens.append(
            end_token(piece.tag) if is_end_tag(piece) else start_token(piece.tag, piece.attrs or ())
        )
    return tokens + _text_between(text)


def _text_between(text: str) -> list[Token]:
    return [text_token(text)] if text.strip() else []


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
