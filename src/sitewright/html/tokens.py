"""Tokens: a tag, or the text between two tags, in a normal form, numbered by a vocabulary.

As the 2011 paper has it (Geraci and Maggini, section 2): attributes are sorted, white space is
collapsed, letters are lower case. Comments are dropped; a script's or style's content is one token.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitewright.html.elements import VOID

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


class Kind(IntEnum):
    """What a token is."""

    START = 0
    END = 1
    TEXT = 2
    VOID = 3
    """A start tag that no end tag belongs to: `<br>`."""


class Token(NamedTuple):
    """A tag or a text, normalised. The kind tells the tag `<b>` from a text that spells it."""

    kind: Kind
    text: str

    @property
    def tag(self) -> str:
        """The name of a tag's element; empty for a text."""
        if self.kind is Kind.TEXT:
            return ""
        return self.text.strip("</>").split(" ", 1)[0]


def normal_text(text: str) -> str:
    """White space collapsed, letters lower case; empty for white space alone."""
    return " ".join(text.split()).lower()


def start_token(tag: str, attributes: Iterable[tuple[str, str]]) -> Token:
    """A start tag with its attributes sorted by name: `<a class="x" href="y">`."""
    pairs = sorted((name.lower(), normal_text(value)) for name, value in attributes)
    written = "".join(f' {name}="{_quoted(value)}"' for name, value in pairs)
    kind = Kind.VOID if tag.lower() in VOID else Kind.START
    return Token(kind, f"<{tag.lower()}{written}>")


def end_token(tag: str) -> Token:
    """An end tag: `</a>`."""
    return Token(Kind.END, f"</{tag.lower()}>")


def text_token(text: str) -> Token:
    """The text between two tags."""
    return Token(Kind.TEXT, normal_text(text))


def _quoted(value: str) -> str:
    return value.replace("&", "&amp;").replace('"', "&quot;")


class TokenVocabulary:
    """The tokens seen so far, each an integer, shared by the pages that are to be compared."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._kinds = bytearray()
        self._ids: dict[Kind, dict[str, int]] = {kind: {} for kind in Kind}

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, token_id: int) -> Token:
        return Token(Kind(self._kinds[token_id]), self._texts[token_id])

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
