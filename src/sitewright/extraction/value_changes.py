"""What became of the values of one field on pages that are known: quietly wrong ways to be read.

A field may have a value of its type on every page, and none of them be right: all pages say one
thing, letters are broken, texts end in dots, a list has its first entry alone. Each function below
knows one such thing, and gives the pages that show it, if they are enough for an alarm. What a page
said before is known in full where its table is (`check`), and by the hashes in wrapper.json
elsewhere; where only texts tell, hashes give no alarm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from sitewright.settings import current
from sitewright.wrapper.values.sketch import value_hash, value_key
from sitewright.wrapper.values.types import ValueKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_WORD = re.compile(r"\w+")
NUMBERS = frozenset({ValueKind.INTEGER, ValueKind.DECIMAL})
_CUT = ("\N{HORIZONTAL ELLIPSIS}", "...")
_BROKEN = re.compile(
    "\ufffd"  # what a decoder writes for bytes that it does not know
    r"|[^\W\d_]\?+[^\W\d_]"  # and an encoder for letters that it does not have
    r"|&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]{2,8});"  # written twice for HTML
    r"|\{\{|\{%|\$\{|<%"  # a template that was not filled
)
_UTF_8_AS_LATIN = re.compile(
    "[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0178\u02c6-\u02dc\u2013-\u2122]"
)
"""The first byte of a letter and one that follows it, each taken for a letter of its own."""
_MOST_AROUND = 4
_LONGEST_AROUND = 2000


@dataclass(frozen=True, slots=True)
class ValueChange:
    """The values of a field on one page: before and now."""

    url: str
    before: tuple[str, ...]
    """As hashes of what they mean, each once."""
    now: tuple[str, ...]
    texts: tuple[str, ...]
    """What the page says now; each as often as it does."""
    texts_before: tuple[str, ...] | None
    """What it said; None if only hashes are known."""

    @property
    def is_changed(self) -> bool:
        """Whether the page says something else."""
        return set(self.before) != set(self.now)


def overlap(one: str, other: str) -> float:
    """The share of the words of the shorter of two texts that both have, whatever their case."""
    return _shared(_words(one), _words(other)) or float(one == other)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _shared(mine: frozenset[str], theirs: frozenset[str]) -> float:
    least = min(len(mine), len(theirs))
    return len(mine & theirs) / least if least else 0.0


def now_constant(changes: Sequence[ValueChange], kind: ValueKind) -> list[ValueChange]:
    """Pages of a field that differed between pages and is the same on all now.

    A site that is built anew may have one date on all; but not where each page had its own.
    """
    settings = current().change
    different = len({one.before for one in changes})
    others = [one for one in changes if one.is_changed]
    is_enough = len(changes) >= settings.min_compared_pages or different == len(changes)
    least = settings.telling_share * len(changes) if kind is ValueKind.DATE else 0
    is_found = (
        is_enough
        and different >= max(settings.min_pairs, least)
        and len({one.now for one in changes}) == 1
        and len(others) > settings.other_share * len(changes)
    )
    return others if is_found else []


def other_words(changes: Sequence[ValueChange], kind: ValueKind) -> list[ValueChange]:
    """Pages of a text that told pages apart, and now has to do with its page no more.

    It shares no more words with what its page said than with what other pages did. Numbers, dates
    and links change from day to day; the texts of a page seldom do, all at once.
    """
    settings = current().change
    known = [one for one in changes if len(one.texts) == 1 and len(one.texts_before or ()) == 1]
    pairs = [((one.texts_before or ("",))[0], one.texts[0]) for one in known]
    different = len({before for before, _ in pairs})
    is_telling = different >= settings.telling_share * len(pairs)
    if kind is not ValueKind.TEXT or len(pairs) < settings.min_compared_pages or not is_telling:
        return []
    before = [_words(text) for text, _ in pairs]
    found = []
    for turn, (one, (was, text)) in enumerate(zip(known, pairs, strict=True)):
        now = _words(text)
        if not one.is_changed or was == text:
            continue
        own = _shared(before[turn], now)
        others = [_shared(words, now) for place, words in enumerate(before) if place != turn]
        if own < max(settings.min_overlap, sum(others) / len(others) + settings.min_overlap):
            found.append(one)
    return found if len(found) > settings.other_share * len(pairs) else []


def other_numbers(changes: Sequence[ValueChange], kind: ValueKind) -> list[ValueChange]:
    """Pages of a number that has another value on all, whose order has nothing to do with before.

    Prices rise, counts grow, and those that were large stay large.
    """
    settings = current().change
    pairs = []
    for one in changes:
        before, now = map(_number, (one.texts_before or (), one.texts))
        if before is not None and now is not None:
            pairs.append((one, before, now))
    if kind not in NUMBERS or len(pairs) < settings.min_ranked_pages:
        return []
    others = [one for one, before, now in pairs if before != now]
    if len(others) <= settings.moved_numbers_share * len(pairs):
        return []
    first = _ranks([before for _, before, _ in pairs])
    second = _ranks([now for *_, now in pairs])
    if not (first.std() and second.std()):
        return []
    related = float(np.corrcoef(first, second)[0, 1])
    return others if related < settings.min_rank_correlation else []


def _number(texts: Sequence[str]) -> float | None:
    try:
        return float(texts[0]) if len(texts) == 1 else None
    except ValueError:
        return None


def _ranks(values: Sequence[float]) -> NDArray[np.float64]:
    """The rank of each value; those that are the same share the mean of theirs."""
    held = np.asarray(values)
    below = (held[:, None] > held[None, :]).sum(axis=1)
    return np.asarray(below * 1.0 + ((held[:, None] == held[None, :]).sum(axis=1) - 1) / 2)


def broken_letters(changes: Sequence[ValueChange], kind: ValueKind) -> list[ValueChange]:
    """Pages whose letters are no letters of a language any more, or no content at all."""
    if kind is not ValueKind.TEXT:
        return []
    changed = [one for one in changes if one.is_changed]
    found = [one for one in changed if _is_broken(one)]
    return _if_many(found, len(changed))


def _is_broken(one: ValueChange) -> bool:
    held = one.texts_before or ()
    return any(
        pattern.search(text) and not any(map(pattern.search, held))
        for text in one.texts
        for pattern in (_BROKEN, _UTF_8_AS_LATIN)
    )


def cut_off(changes: Sequence[ValueChange], kind: ValueKind) -> list[ValueChange]:
    """Pages of a text that ends in dots, where it was another one."""
    if kind is not ValueKind.TEXT:
        return []
    found = [
        one
        for one in changes
        if one.is_changed
        and any(text.endswith(_CUT) for text in one.texts)
        and not any(text.endswith(_CUT) for text in one.texts_before or ())
    ]
    return _if_many(found, len(changes))


def written_otherwise(changes: Sequence[ValueChange], kind: ValueKind) -> list[ValueChange]:
    """Pages of a text that is what it was with other words around it, or in another order."""
    if kind is not ValueKind.TEXT:
        return []
    found = [one for one in changes if one.is_changed and (_is_around(one) or _is_turned(one))]
    return _if_many(found, len(changes))


def _is_around(one: ValueChange) -> bool:
    """Whether the value is inside the new one, some words from its ends."""
    if len(one.before) != 1 or len(one.texts) != 1 or len(one.texts[0]) > _LONGEST_AROUND:
        return False
    words = one.texts[0].split()
    cuts = product(range(_MOST_AROUND + 1), range(_MOST_AROUND + 1))
    inside = (words[first : len(words) - last] for first, last in cuts if first + last > 0)
    return any(value_hash(value_key(" ".join(part))) == one.before[0] for part in inside if part)


def _is_turned(one: ValueChange) -> bool:
    held = one.texts_before or ()
    if len(held) != 1 or len(one.texts) != 1:
        return False
    before, now = (_WORD.findall(text.casefold()) for text in (held[0], one.texts[0]))
    return before != now and sorted(before) == sorted(now)


def fewer_values(changes: Sequence[ValueChange]) -> list[ValueChange]:
    """Pages of a list that has half of its values or fewer, and no other."""
    settings = current().change
    lists = [one for one in changes if len(one.before) > 1]
    found = [
        one
        for one in lists
        if set(one.now) < set(one.before) and 2 * len(one.now) <= len(one.before)
    ]
    is_enough = len(lists) >= settings.min_compared_pages
    return found if is_enough and len(found) > settings.other_share * len(lists) else []


def doubled_values(changes: Sequence[ValueChange]) -> list[ValueChange]:
    """Pages of a list that says all it said twice as often."""
    settings = current().change
    lists = [one for one in changes if one.texts_before]
    found = [
        one
        for one in lists
        if not one.is_changed and len(one.texts) == 2 * len(one.texts_before or ())
    ]
    is_enough = len(lists) >= settings.min_compared_pages
    return found if is_enough and len(found) > settings.other_share * len(lists) else []


def mixed_rows(changes: Sequence[ValueChange], others: Sequence[ValueChange]) -> list[ValueChange]:
    """Pages where one column of some rows has another order, and another column the old one."""
    settings = current().change
    same = {one.url for one in others if len(one.before) > 2 and one.before == one.now}
    lists = [one for one in changes if one.url in same and len(one.before) > 2]
    found = [one for one in lists if not one.is_changed and one.before != one.now]
    is_enough = len(found) >= settings.min_pairs
    return found if is_enough and len(found) > settings.other_share * len(lists) else []


def _if_many(found: list[ValueChange], of: int) -> list[ValueChange]:
    """Pages that show what no page shows by chance, if they are half of those that could."""
    return found if len(found) >= current().change.min_pairs and 2 * len(found) >= of else []
