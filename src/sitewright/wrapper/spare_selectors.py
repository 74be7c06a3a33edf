"""Further selectors of a field, at work: they read what the first one misses, and doubt it.

Where the first selector finds nothing on a page, the next one that reads a value of the field's
type takes its place, unless another field of the page says just that: a page that lacks a field has
something else in its position. On some of the pages all selectors are asked, and what they do not
agree on is told: so a small change is survived, and seen.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sitewright.page.steps import Attribute, HasClass, OwnText, TextIs, TextStartsWith
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitewright.page.page_index import PageIndex
    from sitewright.page.selector import Selector
    from sitewright.page.url import Resolver
    from sitewright.wrapper.reading import FieldReader, Value


class SelectorKind(StrEnum):
    """What a selector holds on to; the most lasting first."""

    LABEL = "label"
    """The words beside the value."""
    MARK = "mark"
    """A class, an id, microdata, or a tag that a page has but once."""
    DATA = "data"
    """What the page says to programs: its head, the data in its scripts."""
    POSITION = "position"
    """The places of elements among their siblings."""


KINDS = tuple(SelectorKind)
_LABELS = (TextIs, OwnText, TextStartsWith)
_MARKS = (Attribute, HasClass)
_HEAD = frozenset({"meta", "title", "link"})
_NAMED_TAGS = frozenset("h1 time address figcaption blockquote cite caption".split())


def selector_kind(selector: Selector) -> SelectorKind:
    """What a selector holds on to."""
    steps = selector.steps()
    predicates = [one for step in steps for one in step.predicates]
    if selector.data_key() or any(step.test in _HEAD for step in steps):
        return SelectorKind.DATA
    if any(isinstance(one, _LABELS) for one in predicates):
        return SelectorKind.LABEL
    if any(isinstance(one, _MARKS) for one in predicates):
        return SelectorKind.MARK
    is_named = any(step.test in _NAMED_TAGS for step in steps[:1])
    return SelectorKind.MARK if is_named else SelectorKind.POSITION


class SelectorDoubt(StrEnum):
    """What the selectors of a field say of each other on one page."""

    OTHERWISE = "read otherwise"
    """The first finds nothing; another has read the value."""
    DISAGREE = "selectors disagree"
    """A weaker one says something else."""
    OUTVOTED = "outvoted"
    """A more lasting one says something else, or all others do."""


@dataclass(frozen=True, slots=True)
class SelectorDoubts:
    """What the selectors of a page's fields say of each other."""

    fields: tuple[tuple[str, SelectorDoubt], ...] = ()
    is_compared: bool = False
    """Whether all selectors were asked; else only those of fields that were empty."""

    def with_other_rows(self, records: str) -> SelectorDoubts:
        """The same, and a record set whose rows another selector has found."""
        return replace(self, fields=(*self.fields, (records, SelectorDoubt.OTHERWISE)))


NO_DOUBTS = SelectorDoubts()


class SpareSelectors:
    """The further selectors of the fields of a page."""

    def __init__(self, readers: Iterable[FieldReader], *, always_compared: bool = False) -> None:
        self._readers = [one for one in readers if one.rule.alternatives]
        self._every = 1 if always_compared else current().extraction.compare_selectors_every

    def read(
        self, index: PageIndex, resolve: Resolver, values: dict[str, Value], url: str
    ) -> SelectorDoubts:
        """Fill what is empty, and say what is in doubt."""
        if not self._readers:
            return NO_DOUBTS
        is_compared = zlib.crc32(url.encode("utf-8", "replace")) % self._every == 0
        doubts = []
        for reader in self._readers:
            doubt = None
            if not reader.has_value(values):
                doubt = SelectorDoubt.OTHERWISE if _filled(reader, index, resolve, values) else None
            elif is_compared:
                doubt = _doubt(reader, index, resolve, values)
            if doubt is not None:
                doubts.append((reader.name, doubt))
        return SelectorDoubts(tuple(doubts), is_compared)


def _filled(
    reader: FieldReader, index: PageIndex, resolve: Resolver, values: dict[str, Value]
) -> bool:
    """Read a field by the first of its further selectors that fits; whether one did."""
    said: set[str] | None = None
    for found in _read(reader, reader.rule.alternatives, index, resolve):
        value = found[reader.name]
        if value is None or value == []:
            continue
        said = {str(one) for one in values.values()} if said is None else said
        if str(value) not in said:
            values.update(found)
            return True
    return False


def _doubt(
    reader: FieldReader, index: PageIndex, resolve: Resolver, values: dict[str, Value]
) -> SelectorDoubt | None:
    own = values[reader.name]
    rank = KINDS.index(selector_kind(reader.selector))
    others = list(_read(reader, reader.rule.alternatives, index, resolve))
    told = [
        (KINDS.index(selector_kind(selector)), found[reader.name])
        for selector, found in zip(reader.rule.alternatives, others, strict=True)
        if found[reader.name] not in (None, [], own)
    ]
    if not told:
        return None
    is_outvoted = len(told) > 1 and all(value == told[0][1] for _, value in told)
    is_weaker = any(kind < rank for kind, _ in told)
    return SelectorDoubt.OUTVOTED if is_outvoted or is_weaker else SelectorDoubt.DISAGREE


def _read(
    reader: FieldReader, selectors: Sequence[Selector], index: PageIndex, resolve: Resolver
) -> Iterator[dict[str, Any]]:
    for selector in selectors:
        found: dict[str, Value] = {}
        reader.read(index.select(selector), resolve, found)
        yield found
