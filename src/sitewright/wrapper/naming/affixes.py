"""What the texts of a column begin and end with: the words that are cut off, and what they say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitewright.settings import current
from sitewright.wrapper.labels import JOINTS
from sitewright.wrapper.naming.names import LEAST_LETTERS, RELATING, FieldName, slug
from sitewright.wrapper.values.quantities import currency, measure

if TYPE_CHECKING:
    from collections.abc import Sequence


_TIED_MARKS = "\u2013\u2014|\u00b7:-"


def affix_pattern(texts: Sequence[str]) -> str:
    """An expression whose group is what differs between these texts; empty if nothing is common.

    Only whole words count, and something must be left of every text.
    """
    settings = current().wrapper.fields
    distinct = sorted(set(texts))
    if len(distinct) < settings.min_texts_for_affix:
        return _between_marks(distinct)
    split = [text.split() for text in distinct]
    shortest = min(map(len, split))
    before = _shared([words[: shortest - 1] for words in split])
    left = shortest - len(before) - 1
    after = _shared([words[::-1][:left] for words in split])[::-1] if left > 0 else []
    before, after = _telling(before), _telling(after)
    before = _label(before)
    # "Ada Arden- Shop of books": the mark is written to the word before it.
    is_tied = bool(after) and all(words[-len(after) - 1][-1] in _TIED_MARKS for words in split)
    after = after if is_tied else _boilerplate(after)
    if not (before or after) or len(" ".join(before + after)) > settings.max_affix_length:
        return _between_marks(distinct)
    # "Written by:" and "Written By:" are one label: sites change their capitals.
    start = "(?i:" + r"\s+".join(map(re.escape, before)) + r")\s+" if before else ""
    end = r"\s+(?i:" + r"\s+".join(map(re.escape, after)) + ")" if after else ""
    if is_tied:
        return f"^{start}(.+?)\\s*[{_TIED_MARKS}]{end}$"
    return f"^{start}(.+){end}$"


_BETWEEN = "|\u00b7\u2022\u203a\u00bb"


def _between_marks(distinct: Sequence[str]) -> str:
    """An expression without the mark that all texts begin or end with: "Public domain \u00b7".

    It stands between the text and the next one on the line. Two texts are enough to tell.
    """
    if len(distinct) < _PAIR or any(len(text.strip(_BETWEEN)) == 0 for text in distinct):
        return ""
    is_first = all(text[0] in _BETWEEN for text in distinct)
    is_last = all(text[-1] in _BETWEEN for text in distinct)
    start = rf"(?:[{_BETWEEN}]\s*)?" if is_first else ""
    end = rf"(?:\s*[{_BETWEEN}])?" if is_last else ""
    return f"^{start}(.+?){end}$" if start or end else ""


_PAIR = 2


_JOINTS = "|".join(sorted(JOINTS))


ITEM_PATTERN = (
    rf"^(?!(?:{_JOINTS})\W*$)(?=.*[^\W_])[\s,;|/&\u00b7\u2022]*(?:(?:{_JOINTS})\s+(?=\S))?"
    r"(?P<part>[^\s,;|/&\u00b7\u2022](?:.*[^\s,;|/&\u00b7\u2022])?)[\s,;|/&\u00b7\u2022]*$"
)
"""What is left of a value of a list without the comma or the word that ties it to the others."""


_JOINT = re.compile(rf"\W+|\W*(?:{_JOINTS})\W*|,\s.*|.*,|and\s.*", re.IGNORECASE)


def has_joints(texts: Sequence[str]) -> bool:
    """Whether some texts of a list are a mere comma or word between values, or have one at an edge.

    Sentences are no such list, wherever they are cut.
    """
    longest = current().wrapper.labels.max_label_length
    lengths = sorted(map(len, texts))
    is_short = bool(lengths) and lengths[len(lengths) * 3 // 4] <= longest
    return is_short and any(_JOINT.fullmatch(text) for text in texts)


def named_by_cut(name: FieldName, pattern: str, found: Sequence[Sequence[str]]) -> FieldName:
    """The name after what a pattern cuts off before values: "Art.-Nr." of "Art.-Nr. HA-36362".

    The one that is given where nothing is cut off, or hardly a word.
    """
    matches = (re.match(pattern, text) for texts in found for text in texts)
    one = next(filter(None, matches), None) if pattern else None
    cut = slug(one.string[: one.start(1)]) if one is not None else ""
    is_word = len(cut) >= LEAST_LETTERS and cut not in JOINTS | RELATING
    return FieldName(cut, "before") if is_word else name


def _label(words: list[str]) -> list[str]:
    """The words up to the last that ends in a mark: others may be the beginning of a name."""
    marks = [position for position, word in enumerate(words, 1) if not word[-1].isalnum()]
    if marks:
        return words[: marks[-1]]
    return words if [word.casefold() for word in words] == ["by"] else []


def _boilerplate(words: list[str]) -> list[str]:
    """The words from a dash or bar on: without one they may be a unit, and belong to the value.

    So do a sign of money and a mark of percent: "1.249,90 €".
    """
    marks = [
        position
        for position, word in enumerate(words)
        if not any(map(str.isalnum, word)) and not (currency(word) or measure(word))
    ]
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
