"""Words that all values of a column have around them: `Phone: 555` is a label and a value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_FEWEST = 3
_LONGEST = 60


def common_wording(texts: Sequence[str]) -> str:
    """An expression whose group is what differs between these texts; empty if nothing is common.

    Only whole words count, and something must be left of every text.
    """
    distinct = sorted(set(texts))
    if len(distinct) < _FEWEST:
        return ""
    split = [text.split() for text in distinct]
    shortest = min(map(len, split))
    before = _shared([words[: shortest - 1] for words in split])
    left = shortest - len(before) - 1
    after = _shared([words[::-1][:left] for words in split])[::-1] if left > 0 else []
    before, after = _telling(before), _boilerplate(_telling(after))
    before = _label(before)
    if not (before or after) or len(" ".join(before + after)) > _LONGEST:
        return ""
    start = r"\s+".join(map(re.escape, before)) + r"\s+" if before else ""
    end = r"\s+" + r"\s+".join(map(re.escape, after)) if after else ""
    return f"^{start}(.+){end}$"


def _label(words: list[str]) -> list[str]:
    """The words up to the last that ends in a mark: others may be the beginning of a name."""
    marks = [turn for turn, word in enumerate(words, 1) if not word[-1].isalnum()]
    if marks:
        return words[: marks[-1]]
    return words if [word.casefold() for word in words] == ["by"] else []


def _boilerplate(words: list[str]) -> list[str]:
    """The words from a dash or bar on: without one they may be a unit, and belong to the value."""
    marks = [turn for turn, word in enumerate(words) if not any(map(str.isalnum, word))]
    return words[marks[0] :] if marks else []


def _shared(sequences: Sequence[Sequence[str]]) -> list[str]:
    found: list[str] = []
    for words in zip(*sequences, strict=False):
        if len(set(words)) > 1:
            break
        found.append(words[0])
    return found


def _telling(words: list[str]) -> list[str]:
    """The words, if they are no number: a year that all pages happen to share is data."""
    return [] if any(any(map(str.isdigit, word)) for word in words) else words
