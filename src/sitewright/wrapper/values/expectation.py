"""What the values of a field look like, so that one which is unlike all of them is noticed.

A page that is made a little differently has something else where the value stands on others: a
date in the place of a name, a link that says "Save this job". How surprising a text is, is the sum
over its traits (does it have digits, how long is it, what does it begin with, ...) of how much
rarer each is than the usual one among the texts that were learnt from::

    expected = Expectation.of(["David Lean", "Jane Campion", "Mira Nair", "Agnes Varda"])
    expected.surprise("Dec 7, 2007") > expected.surprise("Lynne Ramsay")
"""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

import msgspec

from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_HALF = 0.5
"""What is added to each count: a trait that was never seen may come."""
_JOINTS = frozenset({",", ";", "|", "/", ":", "and"})
_MOST_NEVER = 12
_LONGEST_NEVER = 60
_MOST_WORDS = 5


class Expectation(msgspec.Struct, frozen=True):
    """The traits of the texts of a field, counted over those that it was learnt from."""

    texts: Annotated[int, msgspec.Meta(ge=0)]
    traits: tuple[tuple[str, Annotated[int, msgspec.Meta(ge=0)]], ...]
    """How many of them have each: `words=2`."""
    never: tuple[str, ...] = ()
    """Texts that most pages have beside the values, and that are none of them."""

    @classmethod
    def of(cls, texts: Sequence[str], beside: Sequence[str] = ()) -> Expectation:
        """Count the traits of some texts."""
        found: Counter[str] = Counter()
        for text in texts:
            found.update(f"{name}={form}" for name, form in _traits(text))
        known = set(texts)
        never = [one for one in dict.fromkeys(beside) if one not in known]
        short = tuple(one for one in never if len(one) <= _LONGEST_NEVER)[:_MOST_NEVER]
        return cls(len(texts), tuple(sorted(found.items())), short)

    def is_unlike(self, text: str) -> bool:
        """Whether a text is so surprising that it is likely another thing."""
        settings = current().wrapper.expectation
        if text in self.never or text in _JOINTS:
            return True
        if self.texts < settings.min_texts or not any(map(str.isalnum, text)):
            return False  # a dash says that there is no value
        return self.surprise(text) > settings.max_surprise

    def surprise(self, text: str) -> float:
        """How much rarer the traits of a text are than the usual ones, in nats."""
        total = 0.0
        usual = _usual(self.traits)
        counts = dict(self.traits)
        for name, form in _traits(text):
            own = counts.get(f"{name}={form}", 0) + _HALF
            total += math.log((usual.get(name, 0) + _HALF) / own)
        return total


@lru_cache(maxsize=1024)
def _usual(traits: tuple[tuple[str, int], ...]) -> dict[str, int]:
    """How many texts have the commonest form of each trait."""
    found: dict[str, int] = {}
    for trait, count in traits:
        name = trait.rpartition("=")[0]
        found[name] = max(count, found.get(name, 0))
    return found


def _traits(text: str) -> Iterator[tuple[str, str]]:
    digits = sum(map(str.isdigit, text))
    yield "digits", str(digits > 0)
    yield "mostly digits", str(2 * digits > len(text))
    yield "letters", str(any(map(str.isalpha, text)))
    yield "lower case", str(any(map(str.islower, text)))
    yield "first", _kind(text[:1])
    yield "last", _kind(text[-1:]).upper()
    yield "words", str(min(_MOST_WORDS, round(math.log2(max(1, len(text.split()))))))
    yield "length", str(int(math.log2(max(1, len(text)))))
    for mark in ",:(":
        yield mark, str(mark in text)
    yield "money", str(any(sign in text for sign in "$\u20ac\u00a3\u00a5"))


def _kind(character: str) -> str:
    if character.isdigit():
        return "0"
    if character.isalpha():
        return "A" if character.isupper() else "a"
    return "."
