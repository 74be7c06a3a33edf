"""The shape of a text: what a reader who cannot read the language would tell texts apart by."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable

Shape: TypeAlias = tuple[str, str, int]
_MARKS = re.compile(r"[^$£€%@:/()|+\-\u2013#&\"']")
_LONGEST = 200
_SENTENCE = 8
"""So many spaces make a sentence: its marks say nothing."""
_MANY = 5


def shape(text: str) -> Shape:
    """What a text begins with, its telling marks, and its length by powers of two."""
    return ("a", "", _MANY) if text.count(" ") >= _SENTENCE else _short_shape(text)


# The texts of a class come back on its pages, and are compared in several groups.
@lru_cache(maxsize=1 << 15)
def _short_shape(text: str) -> Shape:
    head = text[:_LONGEST]
    marks = "".join(sorted(set(_MARKS.sub("", head))))
    digits = sum(map(str.isdigit, head))
    letters = sum(map(str.isalpha, head))
    kind = "0" if digits > letters else ("a0" if digits else "a")
    return kind, marks[:3], min(len(text.split()).bit_length(), _MANY)


def overlap(one: Counter[Shape], other: Counter[Shape]) -> float:
    """How alike two distributions are, from 0 to 1."""
    total, others = one.total(), other.total()
    if not total or not others:
        return 0.0
    return sum(min(count / total, other[key] / others) for key, count in one.items())


def purity(groups: Iterable[Counter[Shape]]) -> float:
    """The share of the texts that have the commonest shape of their group."""
    most = total = 0
    for group in groups:
        most += max(group.values())
        total += group.total()
    return most / total if total else 0.0
