"""Classes that do not last: what build tools make up, and what only says how a thing looks.

`css-1x2y3z` and `Card_title__3xY9q` are other words after the next build, and `mt-4 md:flex` after
the next change of looks. Nothing should be named by them, and no selector should rest on them if
another finds the same. Which classes of a site are of these kinds is told by their company: words
like `tad` are made up where most of their neighbours are (`t589c`, `t4b2a`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterable

_SEPARATORS = re.compile(r"[-_]+")
_TURNS = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_CASES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_HEX = re.compile(r"(?=.*\d)(?=.*[a-f])[0-9a-f]{6,}")
_SIZE = re.compile(
    r"-?[a-z]+(?:-[a-z]+)*-(?:\d+(?:\.\d+)?|\d?x[sl]|sm|md|lg|full|auto|none|px|\d+/\d+)"
)
_FEWEST_MADE_UP = 3
_SHORT = 8
"""Characters of the longest word without a separator that may be made up without looking so."""
_MODULE = re.compile(
    r"(?P<component>[A-Za-z0-9]+)_(?P<local>[A-Za-z][A-Za-z0-9-]*?)__?[A-Za-z0-9+/_-]{4,10}"
)
"""What builds make of a class of a component: `Card_title__3xY9q`."""


@lru_cache(maxsize=1 << 14)
def looks_made_up(word: str) -> bool:
    """Whether letters, digits and capitals take turns as in no word.

    >>> [looks_made_up(one) for one in ("3xY9q", "t589c", "kYzGLs", "h1title", "playerName")]
    [True, True, True, False, False]
    """
    if not word.isascii() or len(word) < _LEAST:
        return False
    if len(_TURNS.findall(word)) > 1 or _HEX.fullmatch(word):
        return not _COUNTED.fullmatch(word)
    parts = _CASES.findall(word)
    tiny = sum(len(part) <= _TINY for part in parts)
    return word.isalnum() and len(parts) > _TINY and 2 * tiny > len(parts)


_LEAST = 4
_TINY = 2
_COUNTED = re.compile(r"[a-z]{2,}\d{1,2}[a-z]+|h\d[a-z]+|\d+[a-z]\d+")
"""`col2x`, `h1title`, `3x4`: a number between words."""


def _is_surely_made_up(name: str) -> bool:
    """Whether even a class without company is: `svelte-1a2b3c`."""
    last = _SEPARATORS.split(name)[-1]
    return len(last) >= _SURE_LENGTH and len(_TURNS.findall(last)) > 1 and looks_made_up(last)


_SURE_LENGTH = 6


@dataclass(frozen=True, slots=True)
class Volatile:
    """The classes of some pages that do not last."""

    made_up: frozenset[str] = frozenset()
    looks: frozenset[str] = frozenset()

    def __contains__(self, name: object) -> bool:
        return name in self.made_up or name in self.looks

    def __or__(self, other: Volatile) -> Volatile:
        return Volatile(self.made_up | other.made_up, self.looks | other.looks)

    def __bool__(self) -> bool:
        return bool(self.made_up or self.looks)

    def told(self, names: Iterable[str]) -> list[str]:
        """What classes say without what is made up: `title`, `Card` of `Card_title__3xY9q`."""
        return [word for name in names for word in self._told(name)]

    def _told(self, name: str) -> list[str]:
        if name in self.looks:
            return []
        if name not in self.made_up:
            return [name]
        if found := _MODULE.fullmatch(name):
            return [found["local"], found["component"]]
        others = _SEPARATORS.split(name)[1:]
        left = [one for one in others if not looks_made_up(one) and len(one) > _TINY]
        return ["_".join(left)] if left and len(left) < len(others) else []


NOTHING_VOLATILE = Volatile()


def volatile_classes(elements: Iterable[tuple[str, str]]) -> Volatile:
    """Find them among elements, each a tag and what its `class` says."""
    combinations: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for tag, written in sorted(set(elements)):
        names = written.split()
        together = (tag, *sorted(names))
        for name in names:
            others = combinations[name]
            if len(others) < _MOST_COMBINATIONS:
                others.add(together)
    return Volatile(_made_up(combinations), _utilities(combinations))


_MOST_COMBINATIONS = 8


def _made_up(names: Iterable[str]) -> frozenset[str]:
    """Those that look so, and those of a kind of which most do."""
    settings = current().wrapper.columns
    kinds: dict[str, list[str]] = defaultdict(list)
    for name in names:
        kinds[_kind(name)].append(name)
    found: set[str] = set()
    for own in kinds.values():
        sure = [name for name in own if any(map(looks_made_up, _SEPARATORS.split(name)))]
        is_usual = len(sure) >= max(_FEWEST_MADE_UP, settings.min_made_up_share * len(own))
        found.update(own if is_usual else filter(_is_surely_made_up, sure))
    return frozenset(found)


def _kind(name: str) -> str:
    """What names have in common that one tool makes: the word before, or the form."""
    if "__" in name:
        return f"__{len(name.rpartition('__')[2])}"
    before, mark, _ = name.partition("-")
    if mark:
        return f"{before}-"
    return "short" if len(name) <= _SHORT and "_" not in name else name


def _utilities(combinations: dict[str, set[tuple[str, ...]]]) -> frozenset[str]:
    """The classes that each say one thing about looks, where a site is made of such.

    Their forms tell: `md:flex`, `mt-4`, `text-sm`. What is of a family with these (`text-center`)
    is one, and so is a plain word that stands among them in ever other company (`truncate`).
    """
    settings = current().wrapper.columns
    formed = {name for name in combinations if ":" in name or "[" in name or _SIZE.fullmatch(name)}
    if len(formed) < max(_FEWEST_UTILITIES, settings.min_utility_share * len(combinations)):
        return frozenset()
    members: Counter[str] = Counter(_family(name) for name in formed)
    families = {name for name, count in members.items() if count > 1}
    found = formed | {name for name in combinations if _family(name) in families and "-" in name}
    others: set[str] = set()
    is_made_of_them = len(formed) >= settings.min_only_utilities_share * len(combinations)
    for name, company in combinations.items():
        is_plain = name.islower() and "__" not in name
        fewest = 1 if is_made_of_them else 2
        among = [one for one in company if sum(other in found for other in one[1:]) >= fewest]
        if is_plain and len(among) == len(company) and (is_made_of_them or len(among) > 1):
            others.add(name)
    return frozenset(found | others)


_FEWEST_UTILITIES = 10


def _family(name: str) -> str:
    return name.rpartition(":")[2].lstrip("-").partition("-")[0]
