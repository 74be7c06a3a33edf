"""What the values of a field look like, so that one which is unlike all of them is noticed.

A page that is made a little differently has something else where the value stands on others: a
date in the place of a name, a link that says "Save this job". A field keeps what its texts had:
their traits (do they have digits, how long are they, what do they begin with, ...), their words and
their marks. What is odd about another text is measured by these, and learnt numbers say what each
measure tells (`value_model.py`). A text that a page had that was learnt from is never odd::

    expected = Expectation.of(["David Lean", "Jane Campion", "Mira Nair", "Agnes Varda", "Wim Vey"])
    expected.is_unlike("Dec 7, 2007") and not expected.is_unlike("Lynne Ramsay")
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

import msgspec

from sitewright.settings import current
from sitewright.wrapper.values.dates import read_date
from sitewright.wrapper.values.quantities import read_number
from sitewright.wrapper.values.value_model import current_value_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


_HALF = 0.5
"""What is added to each count: a trait that was never seen may come."""
_JOINTS = frozenset({",", ";", "|", "/", ":", "and"})
_MOST_NEVER = 12
_LONGEST_NEVER = 60
_MOST_WORDS = 5
_MOST_MARKS = 24
_LONGEST_TYPED = 40
_USUAL_SHARE = 0.9
"""A mark that so many texts have is missed in one without it."""
StoredCounts = tuple[tuple[str, Annotated[int, msgspec.Meta(ge=0)]], ...]


class Expectation(msgspec.Struct, frozen=True):
    """What the texts of a field have, counted over those that it was learnt from.

    Files of earlier versions know of traits and texts beside the values only.
    """

    texts: Annotated[int, msgspec.Meta(ge=0)]
    traits: StoredCounts
    """How many of them have each: `words=2`."""
    never: tuple[str, ...] = ()
    """Texts that most pages have beside the values, and that are none of them."""
    distinct: Annotated[int, msgspec.Meta(ge=0)] = 0
    """How many different texts there are."""
    known: str = ""
    """Hashes of them, with blanks between."""
    words: str = ""
    """Hashes of their commonest words."""
    repeated: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    """The share of their words that another text has, too."""
    marks: StoredCounts = ()
    """How many of them have each character that is neither a letter nor a digit."""

    @classmethod
    def of(cls, texts: Sequence[str], beside: Sequence[str] = ()) -> Expectation:
        """Count what some texts have."""
        settings = current().wrapper.expectation
        traits = Counter(f"{name}={form}" for text in texts for name, form in _traits(text))
        words = Counter(word for text in texts for word in set(_words(text)))
        marks = Counter(mark for text in texts for mark in _marks(text))
        different = set(texts)
        never = [one for one in dict.fromkeys(beside) if one not in different]
        repeated = sum(count for count in words.values() if count > 1)
        found = cls(
            texts=len(texts),
            traits=tuple(sorted(traits.items())),
            never=tuple(one for one in never if len(one) <= _LONGEST_NEVER)[:_MOST_NEVER],
            distinct=len(different),
            words=_hashes(_commonest(words)[: settings.kept_words]),
            repeated=round(repeated / max(1, words.total()), 3),
            marks=tuple(sorted((one, marks[one]) for one in _commonest(marks)[:_MOST_MARKS])),
        )
        kept = sorted(different)
        if len(kept) > settings.kept_texts:  # those first that would be doubted otherwise
            kept.sort(key=found.is_unlike, reverse=True)
        return msgspec.structs.replace(found, known=_hashes(kept[: settings.kept_texts]))

    def is_unlike(self, text: str) -> bool:
        """Whether a text is so odd that it is likely another thing."""
        decided = self.decided(text)
        return current_value_model().doubts(self.measures(text)) if decided is None else decided

    def decided(self, text: str) -> bool | None:
        """Whether a text is another thing where that needs no measures; None where it does."""
        if _hash(text) in _hash_set(self.known):
            return False
        if text in self.never or text in _JOINTS:
            return True
        if self.texts < current().wrapper.expectation.min_texts or not any(map(str.isalnum, text)):
            return False  # a dash says that there is no value
        return None

    def measures(self, text: str) -> dict[str, float]:
        """What is odd about a text: the rarity of its traits in nats, new words, other marks."""
        nats = self._rarity(text)
        found = {f"rare {name}": one for name, one in nats.items()}
        found["surprise"] = sum(nats.values())
        found["rarest"] = max(nats.values())
        found["rare traits"] = float(sum(one > 1 for one in nats.values()))
        for size, bucket in _sizes(text):
            known = _learnt_sizes(self.traits, size)
            found[f"{size} apart"] = float(min((abs(bucket - one) for one in known), default=0))
        found["texts"] = math.log(max(1, self.texts))
        if self.distinct:
            found |= self._compared(text)
        return found

    def _rarity(self, text: str) -> dict[str, float]:
        """For each trait how much rarer that of a text is than the usual one."""
        usual, counts = _usual(self.traits), _counts(self.traits)
        return {
            name: math.log((usual.get(name, 0) + _HALF) / (counts.get(f"{name}={form}", 0) + _HALF))
            for name, form in _traits(text)
        }

    def _compared(self, text: str) -> dict[str, float]:
        """What of a text the others do not have, and what they have and it has not."""
        words, known = _words(text), _hash_set(self.words)
        new = sum(_hash(word) not in known for word in words) / max(1, len(words))
        own, marks = _marks(text), _counts(self.marks)
        return {
            "new words": new,
            "repeated words": self.repeated,
            "new among repeated": new * self.repeated,
            "different": self.distinct / max(1, self.texts),
            "new marks": float(len(own - marks.keys())),
            "missed marks": float(
                sum(
                    count > _USUAL_SHARE * self.texts
                    for mark, count in marks.items()
                    if mark not in own
                )
            ),
        }


def _words(text: str) -> list[str]:
    return text.casefold().split()


def _marks(text: str) -> set[str]:
    return {character for character in text if not character.isalnum()}


def _commonest(counts: Mapping[str, int]) -> list[str]:
    """The commonest first, whatever order they came in."""
    return sorted(counts, key=lambda one: (-counts[one], one))


def _hash(text: str) -> str:
    return f"{zlib.crc32(text.encode('utf-8', 'replace')):08x}"[2:]


def _hashes(texts: Iterable[str]) -> str:
    return " ".join(sorted(map(_hash, texts)))


@lru_cache(maxsize=1024)
def _hash_set(hashes: str) -> frozenset[str]:
    return frozenset(hashes.split())


@lru_cache(maxsize=1024)
def _counts(counts: StoredCounts) -> dict[str, int]:
    return dict(counts)


@lru_cache(maxsize=1024)
def _usual(traits: tuple[tuple[str, int], ...]) -> dict[str, int]:
    """How many texts have the commonest form of each trait."""
    found: dict[str, int] = {}
    for trait, count in traits:
        name = trait.rpartition("=")[0]
        found[name] = max(count, found.get(name, 0))
    return found


@lru_cache(maxsize=1024)
def _learnt_sizes(traits: StoredCounts, size: str) -> tuple[int, ...]:
    """The sizes of the learnt texts, as powers of two."""
    found = (trait.split("=") for trait, _count in traits)
    return tuple(int(form) for name, form in found if name == size)


def _traits(text: str) -> Iterator[tuple[str, str]]:
    digits = sum(map(str.isdigit, text))
    yield "digits", str(digits > 0)
    yield "mostly digits", str(2 * digits > len(text))
    yield "letters", str(any(map(str.isalpha, text)))
    yield "lower case", str(any(map(str.islower, text)))
    yield "first", _kind(text[:1])
    yield "last", _kind(text[-1:]).upper()
    for size, bucket in _sizes(text):
        yield size, str(bucket)
    for mark in ",:(":
        yield mark, str(mark in text)
    yield "money", str(any(sign in text for sign in "$\u20ac\u00a3\u00a5"))
    yield "read as", _read_as(text)


def _sizes(text: str) -> Iterator[tuple[str, int]]:
    yield "words", min(_MOST_WORDS, round(math.log2(max(1, len(text.split())))))
    yield "length", int(math.log2(max(1, len(text))))


def _read_as(text: str) -> str:
    """What a short text with digits is written like."""
    if len(text) > _LONGEST_TYPED or not any(map(str.isdigit, text)):
        return "text"
    date = read_date(text, "")
    if date is not None and not date.is_doubtful:
        return "date"
    return "text" if read_number(text, ".") is None else "number"


def _kind(character: str) -> str:
    if character.isdigit():
        return "0"
    if character.isalpha():
        return "A" if character.isupper() else "a"
    return "."


RARITIES = frozenset(
    {
        "surprise", "rarest", "rare traits", "words apart", "length apart",
        *(f"rare {name}" for name, _form in _traits("")),
    }
)  # fmt: skip
"""The measures that say how rare something about a text is."""
