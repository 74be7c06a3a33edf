"""GoodDOM: make a token list well nested in two passes (Cosulschi et al. 2004, section 2.3).

The paper's method, kept for study and comparison; the system uses the parser. docs/repair.md says
where the two differ. What the paper leaves open is decided here:

- its "special cases" (line 6 of Forward-Pass) are not listed; there are none here;
- tags still on the stack at the end of a pass are closed (or opened) there, innermost first.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sitewright.html.dom import is_end_tag, written_tags_and_texts
from sitewright.html.elements import VOID
from sitewright.html.tokens import Kind, Token, end_token, start_token, text_token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_PAIRED = (Kind.START, Kind.END)
_UNPAIRED = VOID | {"script", "style"}
"""Elements without a closing tag, and the two that the paper passes through with them."""


def repair(tokens: Iterable[Token]) -> list[Token]:
    """Algorithm 1, GoodDOM: every tag of the result has its pair, and pairs nest."""
    return backward_pass(forward_pass(tokens))


def forward_pass(tokens: Iterable[Token]) -> list[Token]:
    """Algorithm 2: add the closing tags that are missing before a closing tag that is there."""
    return list(_paired(tokens, Kind.START, end_token))


def backward_pass(tokens: Iterable[Token]) -> list[Token]:
    """Algorithm 3: the same from the end to the beginning, adding opening tags."""
    backwards = _paired(reversed(list(tokens)), Kind.END, lambda tag: start_token(tag, ()))
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
    tokens: Iterable[Token], opening: Kind, pair_of: Callable[[str], Token]
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
