"""A class of the old project and a class of the new one: what is known of both.

Old values are known on the new pages that are old ones, too: there a rule is tried. Where there are
no such pages, what it reads is compared by its form only.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sitewright.change.columns import (
    ClassColumns,
    ComparedColumn,
    class_columns,
    column_agreement,
)
from sitewright.change.field_matching import FieldMatch, MatchedBy
from sitewright.change.forms import form_score
from sitewright.change.page_pairs import PlacePair
from sitewright.classes.features import evenly
from sitewright.extraction.alarms import has_value
from sitewright.extraction.compared_pages import place_of
from sitewright.extraction.fit import page_values
from sitewright.page.url import host_of
from sitewright.settings import current, using
from sitewright.wrapper import Extractor, Record, lines
from sitewright.wrapper.values.types import ValueKind, collapsed
from sitewright.wrapper.wrapper import RAW

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.change.class_pairs import ClassPair
    from sitewright.page import Document
    from sitewright.wrapper import Field, RecordSet, Wrapper


class TwoSides:
    """The columns of both sides, the new pages, and which of these the old project knows."""

    def __init__(
        self,
        old: ClassColumns,
        new: ClassColumns,
        pair: ClassPair,
        documents: Sequence[Document],
        home: str,
    ) -> None:
        self.old, self.new, self.pair = old, new, pair
        self.documents = documents
        self._host = host_of(home)
        here = {place_of(document.url) for document in documents}
        self.old_place = {one.new: one.old for one in pair.pairs if one.new in here}
        """Where the new pages were in the old project."""
        self.has_pairs = len(self.old_place) >= current().change.min_pairs
        """Whether enough of them were there for their values to be compared."""

    def new_set(self, name: str) -> RecordSet:
        """A record set of the new class."""
        return next(one for one in self.new.wrapper.record_sets if one.name == name)

    def gate(self) -> float:
        """The score from which on a rule that was there before reads its field."""
        settings = current().change
        return settings.min_field_score if self.has_pairs else settings.min_kept_form

    def read(self, wrapper: Wrapper) -> ClassColumns:
        """What a wrapper reads in the new pages, whether they fit it or not."""
        settings = current().extraction
        loose = replace(wrapper, required=(), rows=None, page_class=self.new.name)
        with using(replace(current(), extraction=replace(settings, min_fields_for_two=1 << 30))):
            extractor = Extractor(loose)
            records = {}
            for document in self.documents:
                found = extractor.extract(document)
                if isinstance(found, Record):
                    records[place_of(found.url)] = list(lines(loose, found))
        for document in self.documents:  # a page without a value is one that lacks them
            records.setdefault(place_of(document.url), [{"_url": document.url}])
        columns = class_columns(self.new.name, loose, records, self._host)
        return columns.hashed() if self.old.is_sketch else columns

    def kept_match(self, column: ComparedColumn) -> FieldMatch:
        """How well a rule that was there before reads its field in the new pages."""
        old = self.old.by_name(column.name)
        xpath = column.field.rule.xpath
        if self.has_pairs:
            pairs = [PlacePair(self.old_place[at], at) for at in self.old_place]
            found = column_agreement(old, column, pairs)
            score = found.score
            if found.chance >= current().change.max_chance:
                score = found.agreement * form_score(old, column)
            return FieldMatch(
                column.name, xpath, score, score, None, MatchedBy.KEPT,
                found.pages, found.agreement,
            )  # fmt: skip
        expected = old.profile.coverage
        share = min(1.0, column.profile.coverage / expected) if expected else 0.0
        # Pages that the old model knows have the old template: there its selectors mean the same.
        score = max(form_score(old, column), self.pair.recognised) * share
        return FieldMatch(column.name, xpath, score, score, None, MatchedBy.KEPT)

    def old_text(self, name: str, place: str) -> str:
        """What the old table has of a field on a page."""
        found = page_values(self.old.wrapper, self.old.records.get(place, []))
        value, raw = found.get(name), found.get(name + RAW)
        value = value[0] if isinstance(value, list) and value else value
        raw = raw[0] if isinstance(raw, list) and raw else raw
        is_plain = self.old.by_name(name).field.type.kind is ValueKind.TEXT
        shown = value if is_plain or not has_value(raw) else raw
        return str(shown) if has_value(shown) and not isinstance(shown, dict | list) else ""

    def old_texts(self, name: str) -> list[str]:
        """What the old table has of a field on some pages."""
        places = self.old.records
        return [text for place in places if (text := collapsed(self.old_text(name, place)))]

    def texts(self, new: Field) -> Iterator[str]:
        """What a field reads in the new pages."""
        rule = new.rule
        for document in self.documents:
            for text in rule.texts(document.index)[: 1 if not new.many else None]:
                yield rule.extract_group(text)

    def examples(self, names: Sequence[str]) -> tuple[dict[str, dict[int, str]], list[int]]:
        """Old values on new pages that are known, and the pages that are kept for trying out."""
        settings = current().change
        known = [
            place
            for place, document in enumerate(self.documents)
            if place_of(document.url) in self.old_place
        ]
        if len(known) < settings.min_example_pages:
            return {}, []
        held_out = known[::2]
        examples: dict[str, dict[int, str]] = {}
        for name in names:
            one = self.old.by_name(name)
            values: dict[int, str] = {}
            for place in known[1::2]:
                old_place = self.old_place[place_of(self.documents[place].url)]
                text = self.old_text(one.name, old_place)
                if text and len(text) <= settings.max_example_length:
                    values[place] = text
            chosen = evenly(sorted(values), settings.example_pages)
            if len(chosen) >= settings.min_pairs:
                examples[name] = {place: values[place] for place in chosen}
        return examples, held_out

    def trial(self, new: Field, name: str, places: Sequence[int]) -> tuple[int, float, float]:
        """How well a rule reads an old field on pages that it was not learnt from."""
        wrapper = replace(
            self.new.wrapper, fields=(new,), record_sets=(), rows=None, key=(), required=()
        )
        column = self.read(wrapper).columns[0]
        at = [place_of(self.documents[place].url) for place in places]
        pairs = [PlacePair(self.old_place[one], one) for one in at]
        found_ = column_agreement(self.old.by_name(name), column, pairs)
        return found_.pages, found_.agreement, found_.score
