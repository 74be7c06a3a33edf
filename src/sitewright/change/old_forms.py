"""A new field in the form of the old one: its type, and without words that were not there before.

Rules are learnt from the new pages alone, where "Price: 12 EUR" may stand for what was "12 EUR".
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from sitewright.extraction.compared_pages import place_of
from sitewright.settings import current
from sitewright.wrapper.values.sketch import value_key
from sitewright.wrapper.values.types import ValueKind, collapsed, infer_type, raw_differs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.change.two_sides import TwoSides
    from sitewright.wrapper import Field
    from sitewright.wrapper.values.types import FieldType

_BRACKETS = {"(": ")", "[": "]", "{": "}", '"': '"', "\u201c": "\u201d", "\u00ab": "\u00bb"}
ADDRESSES = frozenset({ValueKind.URL, ValueKind.IMAGE})
_ALWAYS_READ = ADDRESSES | {ValueKind.TEXT}


class OldForms:
    """The types and texts of the old fields, for those of the new pages."""

    def __init__(self, sides: TwoSides) -> None:
        self.sides = sides

    def in_old_form(self, name: str, new: Field) -> Field:
        """The new field without the words or brackets around all its values that old ones lacked.

        Values are compared without brackets, so a field is found whether it has them or not.
        """
        old = self.sides.old.by_name(name).field
        texts = [] if new.rule.pattern else [collapsed(text) for text in self.sides.texts(new)]
        texts = [text for text in texts if text]
        if len(set(texts)) < current().change.min_pairs:
            return new
        before = self.sides.old_texts(name) or list(old.samples)
        pattern = _bracket_pattern(texts, before)
        if not pattern:
            pattern = word_pattern(texts, before, old.type.kind)
            pattern = pattern if self._agrees_inside(name, new, pattern) else ""
        return replace(new, rule=replace(new.rule, pattern=pattern)) if pattern else new

    def _agrees_inside(self, name: str, new: Field, pattern: str) -> bool:
        """Whether known pages said what is left; where none is known, nothing speaks against it."""
        known = inside = whole = 0
        for document in self.sides.documents if pattern else ():
            place = self.sides.old_place.get(place_of(document.url))
            before = value_key(self.sides.old_text(name, place)) if place is not None else ""
            texts = [collapsed(text) for text in new.rule.texts(document.index)[:1]]
            if before and texts and (found := re.match(pattern, texts[0])):
                known += 1
                whole += value_key(texts[0]) == before
                inside += value_key(found[1]) == before
        return inside > whole or not known

    def needs_text(self, made: Field) -> bool:
        """Whether a rule learnt anew leaves out, or a type cannot read, what the pages say."""
        rule = made.rule
        return made.type.kind not in ADDRESSES and any(
            raw_differs(rule.own_text(text), made.type.value(rule.extract_group(text)))
            for document in self.sides.documents
            for text in rule.texts(document.index)[: 1 if not made.many else None]
        )

    def readable(self, kept: Field) -> Field:
        """A field that its old rule still finds, with a type that reads its values.

        Its texts may be what they were but for the unit: with the old type all would be empty.
        """
        kept = self.in_old_form(kept.name, kept)
        if kept.type.kind in _ALWAYS_READ:
            return kept
        texts = list(self.sides.texts(kept))
        if not texts or self._reads(kept.type, texts):
            return kept
        kind = infer_type(texts)
        is_raw = kept.raw or any(raw_differs(text, kind.value(text)) for text in texts)
        return replace(kept, type=kind, raw=is_raw)

    @staticmethod
    def _reads(kind: FieldType, texts: Sequence[str]) -> bool:
        """Whether a type reads practically all of these texts."""
        read = sum(kind.value(text) is not None for text in texts)
        return read >= (1 - current().wrapper.types.max_odd_share) * len(texts)

    def retyped(self, old: Field, new: Field) -> Field:
        """The new field under the old name, with the old type if that reads its values."""
        kind = new.type
        if new.type.kind is not old.type.kind:
            texts = list(self.sides.texts(new))
            kind = old.type if texts and self._reads(old.type, texts) else new.type
        return replace(
            new, name=old.name, type=kind, raw=old.raw, named_by=old.named_by,
            coverage=new.coverage,
        )  # fmt: skip


def _bracket_pattern(texts: Sequence[str], before: Sequence[str]) -> str:
    """What is inside the brackets that all texts stand in, if none did before."""
    first = texts[0][:1]
    last = _BRACKETS.get(first)
    if last is None or any(text.startswith(first) for text in before):
        return ""
    pattern = f"^{re.escape(first)}(.+){re.escape(last)}$"
    return pattern if all(re.match(pattern, text) for text in texts) else ""


def word_pattern(texts: Sequence[str], before: Sequence[str], kind: ValueKind) -> str:
    """What is between the words that nearly all texts begin or end with, if none did before.

    What stands on all pages says nothing of one. Of a date or number, what is left must be one.
    """
    if kind in ADDRESSES:
        return ""
    lead, tail = _common_lead(texts, before), _tail(texts, before)
    if kind not in _ALWAYS_READ and infer_type(texts).kind is kind:
        return ""
    for first, last in ((lead, tail), (lead, ""), ("", tail)):
        pattern = _between(first, last)
        inside = [found[1] for text in texts if (found := re.match(pattern, text))]
        is_left = len(inside) == len(texts) and all(inside)
        if (
            (first or last)
            and is_left
            and (kind in _ALWAYS_READ or infer_type(inside).kind is kind)
        ):
            return pattern
    return ""


def _between(lead: str, tail: str) -> str:
    """The pattern of what stands between some words, which a few texts may lack."""
    first, last = (r"\s+".join(map(re.escape, words.split())) for words in (lead, tail))
    before = rf"(?:{first}\s+)?" if first else ""
    after = rf"(?:\s+{last})?" if last else ""
    return rf"^\s*{before}(.+?){after}\s*$"


def _common_lead(texts: Sequence[str], before: Sequence[str]) -> str:
    """The longest lead of whole words that nearly all texts have, and none had before."""
    most = current().change.max_around_words
    found = ""
    for count in range(1, most + 1):
        leads = Counter(
            " ".join(text.split()[:count]) for text in texts if text.count(" ") >= count
        )
        if not leads:
            break
        lead, times = leads.most_common(1)[0]
        if times < current().change.around_share * len(texts):
            break
        found = lead
    is_new = not any(text.startswith(found) for text in before)
    return found if found and is_new else ""


def _tail(texts: Sequence[str], before: Sequence[str]) -> str:
    """The same of what they end with."""
    turned, turned_before = (
        [" ".join(text.split()[::-1]) for text in held] for held in (texts, before)
    )
    return " ".join(_common_lead(turned, turned_before).split()[::-1])
