"""Several layouts in one class: pages of an older design have the same fields elsewhere.

Pages that the wrapper of a class does not fit are looked at by themselves. If a wrapper that is
learnt from them alone says the same things (labels, titles, values), they are another layout of the
class, and each field that both have gets a selector for each layout. Else they are foreign pages,
and stay without a record.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sitewright.settings import current
from sitewright.wrapper.columns import statistics
from sitewright.wrapper.naming.names import unique
from sitewright.wrapper.reading import Extractor, Record
from sitewright.wrapper.values.expectation import Expectation
from sitewright.wrapper.values.types import FieldType, ValueKind, infer_type, raw_differs
from sitewright.wrapper.wrapper import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sitewright.page import Document
    from sitewright.wrapper.reading import Misfit
    from sitewright.wrapper.wrapper import Field, RecordSet, Wrapper


_SURE = frozenset({"label", "header", "microdata", "metadata", "title"})
_TELLING = _SURE | {"link", "class", "before", "behind"}
"""Where a name comes from that two layouts hardly have in common by chance."""
_FILLING = frozenset("of the and a an in on for de la le der des".split())
_ADDRESSES = frozenset({ValueKind.URL, ValueKind.IMAGE})
_NUMBERS = frozenset({ValueKind.INTEGER, ValueKind.DECIMAL})
_HEAD = frozenset({"title", "meta", "link"})
_SAME_NAME, _SAME_SUBJECT, _SAME_WORD, _PART_OF_NAME, _ONLY_DATE = 1.0, 0.95, 0.9, 0.8, 0.6


def with_layouts(
    wrapper: Wrapper,
    documents: Sequence[Document],
    learn: Callable[[Sequence[Document]], Wrapper],
    required: Callable[[Sequence[Field], Sequence[RecordSet]], tuple[str, ...]],
) -> Wrapper:
    """The wrapper, with what the pages of the class that it does not fit have in their layout."""
    settings = current().wrapper.layouts
    for attempt in range(settings.max_layouts - 1):
        records = list(map(Extractor(wrapper).extract, documents))
        fits = [isinstance(record, Record) for record in records]
        parted = [] if attempt or wrapper.rows else _parted(wrapper, records)
        if parted:
            fits = parted
        own = [document for document, fit in zip(documents, fits, strict=True) if fit]
        others = [document for document, fit in zip(documents, fits, strict=True) if not fit]
        least = max(settings.min_pages, settings.min_share * len(documents))
        if len(others) < least or len(own) < settings.min_pages or wrapper.rows:
            return wrapper
        other = learn(others)
        first = learn(own) if parted else wrapper
        merged = None if other.rows or first.rows else _merged(first, other, own, others)
        if merged is None:
            return wrapper
        wrapper = replace(merged, required=required(merged.fields, merged.record_sets))
    return wrapper


def _parted(wrapper: Wrapper, records: Sequence[Record | Misfit]) -> list[bool]:
    """Which pages are of the first of two layouts that one wrapper was learnt from; else nothing.

    Several fields are on these pages and no others, and several on the others and none of these.
    """
    settings = current().wrapper.layouts
    pages = range(len(records))
    filled: dict[frozenset[int], int] = Counter()
    for field in wrapper.fields:
        if field.named_by != "part" and not _is_in_head(field) and not _is_attribute(field):
            filled[frozenset(page for page in pages if _has(records[page], field.name))] += 1
    least, most = settings.min_pages, settings.max_parted_errors * len(records)
    for mine in sorted(filled, key=lambda one: (-len(one), sorted(one))):
        theirs = frozenset(pages) - mine
        if min(len(mine), len(theirs)) < least:
            continue
        counts = [
            sum(count for one, count in filled.items() if len(one ^ part) <= most)
            for part in (mine, theirs)
        ]
        if min(counts) >= settings.min_parted_fields:
            return [page in mine for page in pages]
    return []


def _has(record: Record | Misfit, name: str) -> bool:
    return isinstance(record, Record) and record.values.get(name) not in (None, [])


@dataclass(frozen=True, slots=True)
class _Known:
    """A field and what it has on the pages of its layout."""

    field: Field
    texts: tuple[tuple[str, ...], ...]
    """For each page what stands there."""
    is_subject: bool
    """Whether the titles of the pages hold its values: it says what they are about."""

    def values(self) -> set[str]:
        """Its different values, as they are compared."""
        rule = self.field.rule
        return {rule.extract_group(text).casefold() for found in self.texts for text in found}


def _known(wrapper: Wrapper, documents: Sequence[Document]) -> list[_Known]:
    found = []
    subject = False
    for field in wrapper.fields:
        texts = tuple(_texts(field.rule, field, document) for document in documents)
        is_subject = not subject and _is_subject(field, texts, documents)
        subject = subject or is_subject
        found.append(_Known(field, texts, is_subject))
    return found


def _texts(rule: Rule, field: Field, document: Document) -> tuple[str, ...]:
    texts = rule.texts(document.index)
    if field.type.kind in _ADDRESSES:
        texts = [document.resolve(text) or text for text in texts]
    return tuple(texts if field.many else texts[:1])


def _is_subject(
    field: Field, texts: Sequence[tuple[str, ...]], documents: Sequence[Document]
) -> bool:
    """Whether the page's title holds the value, on nearly all pages, and it is no part of it."""
    settings = current().wrapper.fields
    if field.many or field.type.kind is not ValueKind.TEXT or _is_in_head(field):
        return False
    held = 0
    for found, document in zip(texts, documents, strict=True):
        title = " ".join(document.title.casefold().split())
        held += bool(found) and title.startswith(field.rule.extract_group(found[0]).casefold())
    different = len({found for found in texts if found})
    return min(held, different) >= settings.min_title_share * len(documents)


def _is_in_head(field: Field) -> bool:
    return any(step.test in _HEAD for step in field.rule.selector.steps()[:1])


def _merged(
    wrapper: Wrapper, other: Wrapper, own: Sequence[Document], others: Sequence[Document]
) -> Wrapper | None:
    """One wrapper for both layouts; None if they do not say the same things."""
    settings = current().wrapper.layouts
    known, further = _known(wrapper, own), _known(other, others)
    partners = _partners(known, further)
    joined: dict[int, Field] = {}
    for mine, theirs in partners.items():
        one = _joined(known[mine], further[theirs], own, others)
        if one is not None:
            joined[mine] = one
    body = [mine for mine in joined if not _is_in_head(known[mine].field)]
    if len(body) < settings.min_common_fields:
        return None
    pages = len(own) + len(others)
    fields = [
        joined.get(place) or _covering(one.field, one.texts, pages)
        for place, one in enumerate(known)
    ]
    taken = {partners[mine] for mine in joined}
    fields += [
        _covering(one.field, one.texts, pages)
        for place, one in enumerate(further)
        if place not in taken and not _is_read_already(one, known, others)
    ]
    names = unique([field.name for field in fields])
    fields = [replace(field, name=name) for field, name in zip(fields, names, strict=True)]
    sets = _joined_sets(wrapper, other, {name for field in fields for name in field.columns()})
    return replace(
        wrapper,
        fields=tuple(fields),
        record_sets=sets,
        pages=wrapper.pages + other.pages,
        key=tuple(name for name in wrapper.key if name in names),
    )


def _joined_sets(wrapper: Wrapper, other: Wrapper, taken: set[str]) -> tuple[RecordSet, ...]:
    """The record sets of both, under names of their own."""
    pages = wrapper.pages + other.pages
    found: list[RecordSet] = []
    for owner in (wrapper, other):
        for one in owner.record_sets:
            if any(one.rule == known.rule for known in found):
                continue
            name = one.name
            while name in taken:
                name += "_rows"
            taken.add(name)
            coverage = round(one.coverage * owner.pages / pages, 3) if pages else one.coverage
            found.append(replace(one, name=name, coverage=coverage))
    return tuple(found)


def _covering(field: Field, texts: Sequence[tuple[str, ...]], pages: int) -> Field:
    return replace(field, coverage=round(sum(map(bool, texts)) / pages, 3))


def _is_read_already(one: _Known, known: Sequence[_Known], documents: Sequence[Document]) -> bool:
    """Whether a field of the first layout finds the same on these pages."""
    return any(
        tuple(_texts(other.field.rule, other.field, document) for document in documents)
        == one.texts
        for other in known
        if other.field.many == one.field.many
    )


# Which fields of two layouts are one.


def _partners(known: Sequence[_Known], further: Sequence[_Known]) -> dict[int, int]:
    """The fields that say the same, best pairs first, each once."""
    dates = [_only_date(known), _only_date(further)]
    scored = []
    for mine, one in enumerate(known):
        for theirs, other in enumerate(further):
            score = _agreement(one, other)
            if None not in dates and [mine, theirs] == dates:
                score = max(score, _ONLY_DATE)
            if score:
                scored.append((score, -abs(mine - theirs), mine, theirs))
    found: dict[int, int] = {}
    taken: set[int] = set()
    for _score, _distance, mine, theirs in sorted(scored, reverse=True):
        if mine not in found and theirs not in taken:
            found[mine] = theirs
            taken.add(theirs)
    return found


def _only_date(fields: Sequence[_Known]) -> int | None:
    """The one field that holds dates as text; None where there are several, or none."""
    dates = [
        place
        for place, one in enumerate(fields)
        if one.field.type.kind is ValueKind.DATE
        and not one.field.many
        and not _is_in_head(one.field)
        and not _is_attribute(one.field)
    ]
    return dates[0] if len(dates) == 1 else None


def _agreement(one: _Known, other: _Known) -> float:
    """How sure it is that two fields are one; 0 if they are not."""
    mine, theirs = one.field, other.field
    if mine.many != theirs.many or not _are_of_one_kind(mine.type, theirs.type):
        return 0.0
    if _is_attribute(mine) != _is_attribute(theirs) or _is_in_head(mine) != _is_in_head(theirs):
        return 0.0
    if one.is_subject or other.is_subject:
        return _SAME_SUBJECT if one.is_subject and other.is_subject else 0.0
    if mine.named_by in _SURE and theirs.named_by in _SURE:
        named = _names_agree(mine.name, theirs.name)
        if named:
            return named
    elif mine.name == theirs.name and mine.named_by in _TELLING and theirs.named_by in _TELLING:
        return _SAME_WORD
    return _values_agree(one, other)


def _is_attribute(field: Field) -> bool:
    steps = field.rule.selector.steps()
    return bool(steps) and steps[-1].test.startswith("@")


def _are_of_one_kind(mine: FieldType, theirs: FieldType) -> bool:
    if mine.kind in _NUMBERS and theirs.kind in _NUMBERS:
        return True
    return mine.kind is theirs.kind


def _names_agree(mine: str, theirs: str) -> float:
    """Whether two names are the same words, or one all words of the other: `club`, `club_team`."""
    one, other = _name_words(mine), _name_words(theirs)
    if not one or not other:
        return 0.0
    if one == other or _is_compound(one, other) or _is_compound(other, one):
        return _SAME_NAME
    return _PART_OF_NAME if one <= other or other <= one else 0.0


def _name_words(name: str) -> frozenset[str]:
    words = re.findall(r"[^\W\d_]+", name)
    return frozenset(word.removesuffix("s") for word in words if word not in _FILLING)


def _is_compound(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether the only word of a name is made of those of the other: `birthplace`."""
    if len(one) != 1 or len(other) < 2:
        return False
    (word,) = one
    return len(word) == sum(map(len, other)) and all(part in word for part in other)


def _values_agree(one: _Known, other: _Known) -> float:
    """The share of the values of the one that the other has too, if that says something."""
    settings = current().wrapper.layouts
    if one.field.type.kind not in {ValueKind.TEXT, ValueKind.URL}:
        return 0.0
    mine, theirs = one.values(), other.values()
    common = len(mine & theirs)
    if common < settings.min_common_values:
        return 0.0
    share = common / min(len(mine), len(theirs))
    return _ONLY_DATE * share if share >= settings.min_value_overlap else 0.0


# One field with a selector for each layout.


def _joined(
    one: _Known, other: _Known, own: Sequence[Document], others: Sequence[Document]
) -> Field | None:
    """The field of both layouts; None if no rule finds in each layout what its own rule does."""
    mine, theirs = one.field.rule, other.field.rule
    selector = (
        mine.selector if mine.selector == theirs.selector else mine.selector.union(theirs.selector)
    )
    wanted = [*_extracted(one), *_extracted(other)]
    for pattern in dict.fromkeys((mine.pattern, theirs.pattern)):
        rule = Rule(selector, pattern)
        texts = [_texts(rule, one.field, document) for document in (*own, *others)]
        found = [tuple(map(rule.extract_group, page)) for page in texts]
        if found == wanted:
            return _field_of_both(one.field, other.field, rule, texts)
    return None


def _extracted(one: _Known) -> Iterator[tuple[str, ...]]:
    rule = one.field.rule
    return (tuple(map(rule.extract_group, page)) for page in one.texts)


def _field_of_both(
    mine: Field, theirs: Field, rule: Rule, texts: Sequence[tuple[str, ...]]
) -> Field | None:
    """The field, of the type that the values of both layouts have; None if they have none."""
    settings = current().wrapper.types
    kind = mine.type
    if kind.kind not in _ADDRESSES:
        kind = infer_type(
            [rule.extract_group(text) for page in texts for text in page],
            max_odd_share=settings.max_odd_share,
            min_counts=settings.min_counts,
        )
        if kind.kind is ValueKind.TEXT and mine.type.kind is not ValueKind.TEXT:
            return None  # 188 cm and 6 ft 2: one column would lose its numbers
    counted = statistics(texts)
    best = mine if mine.named_by in _SURE or theirs.named_by not in _SURE else theirs
    raw = kind.kind not in _ADDRESSES and any(
        raw_differs(rule.own_text(text), kind.value(rule.extract_group(text)))
        for page in texts
        for text in page
    )
    samples = Counter(mine.samples[:3]) | Counter(theirs.samples[:2])
    return replace(
        mine,
        name=best.name,
        named_by=best.named_by,
        rule=rule,
        type=kind,
        raw=raw,
        coverage=round(counted.coverage, 3),
        confidence=min(mine.confidence, theirs.confidence),
        stability=min(mine.stability, theirs.stability),
        samples=tuple(samples),
        expected=_expected_of_both(mine, theirs, rule, texts),
    )


def _expected_of_both(
    mine: Field, theirs: Field, rule: Rule, texts: Sequence[tuple[str, ...]]
) -> Expectation | None:
    """What the values of both layouts look like, where those of one are told by their place."""
    known = [one.expected for one in (mine, theirs) if one.expected is not None]
    beside = [text for one in known for text in one.never]
    found = [rule.extract_group(text) for page in texts for text in page]
    return Expectation.of(found, beside) if known else None
