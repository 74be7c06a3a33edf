"""One class of an old project and the new class that it became: its fields under their old names.

Each old field is read by the best of these, tried on pages whose old values are known: the old
selector, the new column that is matched with it, the selector that reads it in a larger part of the
class, and one that is learnt from the old values, as a person's examples would be.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sitewright.change.columns import (
    ClassColumns,
    ComparedColumn,
    class_columns,
    column_agreement,
)
from sitewright.change.field_matching import FieldMatch, MatchedBy, match_fields
from sitewright.change.forms import form_score
from sitewright.change.page_pairs import PlacePair
from sitewright.classes.features import evenly
from sitewright.extraction.fit import has_value, page_values, place_of
from sitewright.page.selector import Selector
from sitewright.page.url import host_of
from sitewright.settings import current, using
from sitewright.wrapper import Extractor, Record, lines
from sitewright.wrapper.alternatives import with_alternatives
from sitewright.wrapper.examples import fields_with_values
from sitewright.wrapper.records import fields_of_rows
from sitewright.wrapper.spare_selectors import SelectorKind, selector_kind
from sitewright.wrapper.values.sketch import value_key, with_sketch
from sitewright.wrapper.values.types import ValueKind, collapsed, infer_type, raw_differs
from sitewright.wrapper.wrapper import RAW, LearntFrom, Rule

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from sitewright.change.class_pairs import ClassPair
    from sitewright.page import Document
    from sitewright.wrapper import Field, RecordSet, Wrapper
    from sitewright.wrapper.values.types import FieldType


_BRACKETS = {"(": ")", "[": "]", "{": "}", '"': '"', "\u201c": "\u201d", "\u00ab": "\u00bb"}
_ADDRESSES = frozenset({ValueKind.URL, ValueKind.IMAGE})
_ALWAYS_READ = _ADDRESSES | {ValueKind.TEXT}


@dataclass(frozen=True, slots=True)
class RepairedField:
    """A field of the old project, and what became of it."""

    field: str
    """Its name: `FIELD`, or `SET.FIELD`."""
    found: bool
    """Whether the new project has it."""
    was: str
    """What found it in the old pages."""
    now: str = ""
    """What finds it in the new pages."""
    matched_by: str = ""
    score: float = 0.0
    gap: float = 0.0
    """How much lower the score of the runner-up is."""
    runner_up: str | None = None
    pages: int = 0
    """Pages on which old and new values were compared."""
    agreement: float = 0.0
    """The share of the values that were the same there."""
    type_was: str = ""
    type_now: str = ""
    reason: str = ""
    """Why it is lost."""
    coverage: float = 0.0
    """The share of the old pages that had it."""


@dataclass(slots=True)
class RepairedPart:
    """The wrapper of the new class, and what became of each old field."""

    wrapper: Wrapper
    fields: list[RepairedField]
    new_fields: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A rule that may read an old field in the new pages."""

    field: Field
    match: FieldMatch


class ClassRepair:
    """One old class and the new class that is (a part of) it."""

    def __init__(  # noqa: PLR0913 - both sides, and how they are paired
        self,
        old: ClassColumns,
        new: ClassColumns,
        pair: ClassPair,
        documents: Sequence[Document],
        home: str,
        *,
        learns_rules: bool = False,
    ) -> None:
        """`learns_rules`: the site is what it was; a new rule takes the place of the old one."""
        self.old, self.new, self.pair = old, new, pair
        self._learns_rules = learns_rules
        self.documents = documents
        self.host = host_of(home)
        self.matches = match_fields(old, new, pair.pairs)
        if learns_rules:
            self.matches = _with_same_rules(self.matches, old, new)
        here = {place_of(document.url) for document in documents}
        self._old_place = {one.new: one.old for one in pair.pairs if one.new in here}
        self._has_pairs = len(self._old_place) >= current().change.min_pairs

    def repaired(self, main: Wrapper | None = None) -> RepairedPart:
        """The wrapper of the new class with the old names, and what became of each field.

        `main` is the wrapper of a larger part of the old class: what reads that may read this.
        """
        chosen = {match.old: match for match in self.matches if match.old is not None}
        candidates: dict[str, _Candidate] = {}
        for name, match in chosen.items():
            if match.new is not None and not self.old.by_name(name).record_set:
                made = self._page_field(name, match)
                if made is not None:
                    candidates[name] = made
                else:
                    chosen[name] = replace(match, new=None, reason="cannot be read as it was")
        sets = dict(self._record_sets(chosen))
        taken = {match.new for match in chosen.values() if match.new}
        self._keep(_without_alternatives(self.old.wrapper), candidates, sets, chosen)
        if main is not None:
            self._keep(_without_alternatives(main), candidates, sets, chosen)
        if self._learns_rules:
            self._keep_unseen(candidates, chosen)
            taken = self._still_taken(taken, chosen)
        else:
            self._take_alternatives(candidates, chosen)
            self._take_other_rows(candidates, sets, chosen)
            self._read_rows_anew(sets, chosen)
            self._improve(candidates, chosen)
        fields = [candidates[one.name].field for one in self.old.columns if one.name in candidates]
        record_sets = list(sets.items())
        added = self._added(fields, record_sets, taken)
        new = self._wrapper(fields, record_sets, added, taken)
        wrapper = with_alternatives(new, self.documents)
        wrapper = with_sketch(wrapper, self.documents)
        reports = [
            self._report(one.name, chosen, candidates, record_sets) for one in self.old.columns
        ]
        return RepairedPart(wrapper, reports, [one.name for one in added])

    def _keep(
        self,
        tried: Wrapper,
        candidates: dict[str, _Candidate],
        sets: dict[str, RecordSet],
        chosen: dict[str, FieldMatch],
    ) -> None:
        """Keep rules that still read their fields: nothing lasts like what need not be changed."""
        columns = self._read(tried)
        scores: dict[str, FieldMatch] = {}
        for column in columns.columns:
            if column.name in chosen and column.values:
                scores[column.name] = self._kept_match(column)
        for one in tried.fields:
            match = scores.get(one.name)
            if match is None or match.score < self._gate():
                continue
            known = chosen[one.name]
            # Without values to compare, nothing is as sure as what still reads what it did.
            is_better = not self._has_pairs or match.score >= known.score + self._least_gain()
            if known.new is None or is_better:
                chosen[one.name] = match
                candidates[one.name] = _Candidate(self._readable(one), match)
        for records in tried.record_sets:
            self._keep_records(records, sets, chosen, scores)

    def _keep_unseen(
        self, candidates: dict[str, _Candidate], chosen: dict[str, FieldMatch]
    ) -> None:
        """Keep rare fields that none of these pages had: nothing says that they are gone."""
        known = set(self._old_place.values())
        for one in self.old.columns:
            is_free = one.name not in candidates and not one.record_set
            if is_free and one.field.coverage and known.isdisjoint(one.values):
                xpath = one.field.rule.xpath
                match = FieldMatch(one.name, xpath, matched_by=MatchedBy.KEPT)
                chosen[one.name] = match
                candidates[one.name] = _Candidate(one.field, match)

    def _take_alternatives(
        self, candidates: dict[str, _Candidate], chosen: dict[str, FieldMatch]
    ) -> None:
        """The further selectors of the old fields, where nothing else reads them so well."""
        settings = current().change
        gate = self._gate() if self._has_pairs else settings.min_form_score
        for wrapper in self._alternative_wrappers():
            fields = {one.name: one for one in wrapper.fields}
            for column in self._read(wrapper).columns:
                known = chosen.get(column.name)
                if known is None or not column.values:
                    continue
                match = self._kept_match(column)
                # Without values to compare, what was matched is not given up for a guess.
                is_gain = self._has_pairs and match.score > known.score + settings.min_gain
                if match.score >= gate and (known.new is None or is_gain):
                    chosen[column.name] = match
                    kept = self._readable(fields[column.name])
                    candidates[column.name] = _Candidate(kept, match)

    def _take_other_rows(
        self,
        candidates: dict[str, _Candidate],
        sets: dict[str, RecordSet],
        chosen: dict[str, FieldMatch],
    ) -> None:
        """The further selectors of the rows of old record sets that nothing else finds."""
        old = self.old.wrapper
        for turn in range(current().wrapper.selectors.max_alternatives_kept):
            found = {one.name for one in sets.values()}
            lost = [
                replace(one, rule=Rule(selector))
                for one in old.record_sets
                if one.name not in found and self._has_pairs
                for selector in one.rule.alternatives[turn : turn + 1]
            ]
            if lost:
                tried = replace(old, fields=(), record_sets=tuple(lost), rows=None, key=())
                self._keep(tried, candidates, sets, chosen)

    def _read_rows_anew(self, sets: dict[str, RecordSet], chosen: dict[str, FieldMatch]) -> None:
        """Old rows that are still found, and whose fields stand elsewhere in them.

        Learning may take the same rows for parts of the page; here it is known that they are rows.
        """
        for records in self.old.wrapper.record_sets if self._has_pairs else ():
            names = [f"{records.name}.{one.name}" for one in records.fields]
            names = [name for name in names if name in chosen]
            if all(chosen[name].new is not None for name in names):
                continue
            for selector in (records.rule.selector, *records.rule.alternatives):
                known = sum(chosen[name].score for name in names if chosen[name].new is not None)
                made, found = self._rows_anew(replace(records, rule=Rule(selector)))
                if sum(one.score for one in found.values()) <= known + current().change.min_gain:
                    continue
                home = next((h for h, one in sets.items() if one.name == records.name), "")
                sets.pop(home, None)
                sets[home or f"={records.name}"] = made
                why = "not in the rows that the old selector finds"
                for name in names:
                    lost = replace(chosen[name], new=None, reason=why)
                    chosen[name] = found.get(name, lost)

    def _rows_anew(self, records: RecordSet) -> tuple[RecordSet, dict[str, FieldMatch]]:
        """A record set with fields that are learnt in its rows, and which old field each is."""
        rows = [
            [
                (row, document.url)
                for row in document.index.select(records.rule.selector)
                if not isinstance(row, str)
            ]
            for document in self.documents
        ]
        learnt = replace(records, fields=fields_of_rows(rows))
        if not learnt.fields:
            return records, {}
        wrapper = replace(self.new.wrapper, fields=(), record_sets=(learnt,), rows=None, key=())
        now = self._read(wrapper)
        own = tuple(one for one in self.old.columns if one.record_set == records.name)
        pairs = [PlacePair(old, new) for new, old in self._old_place.items()]
        matches = match_fields(replace(self.old, columns=own), now, pairs)
        found = {one.old: one for one in matches if one.old is not None and one.new is not None}
        fields = []
        for name, match in found.items():
            old, new = self.old.by_name(name).field, now.by_name(match.new or "").field
            made = replace(
                new, name=old.name, raw=old.raw,
                named_by=old.named_by, many=old.many,
            )  # fmt: skip
            fields.append(made)
        return replace(learnt, fields=tuple(fields)), found

    def _alternative_wrappers(self) -> Iterator[Wrapper]:
        """The old wrapper by the second selectors of its fields, then by their third ones."""
        old = self.old.wrapper
        for turn in range(current().wrapper.selectors.max_alternatives_kept):
            fields = [
                replace(one, rule=Rule(selector, one.rule.pattern))
                for one in old.fields
                for selector in one.rule.alternatives[turn : turn + 1]
                # A position alone proves nothing where no value can be compared.
                if self._has_pairs or selector_kind(selector) is not SelectorKind.POSITION
            ]
            if fields:
                yield replace(old, fields=tuple(fields), record_sets=(), rows=None, key=())

    def _keep_records(
        self,
        records: RecordSet,
        sets: dict[str, RecordSet],
        chosen: dict[str, FieldMatch],
        scores: Mapping[str, FieldMatch],
    ) -> None:
        """The same for a record set: its fields stay together."""
        names = [f"{records.name}.{one.name}" for one in records.fields]
        read = [one for one in names if one in scores and scores[one].score >= self._gate()]
        before = [one for one in names if one in chosen and chosen[one].new is not None]
        mine = sum(scores[one].score for one in read)
        theirs = sum(chosen[one].score for one in before)
        is_better = mine >= theirs + self._least_gain() * max(1, len(before))
        if not self._has_pairs:
            is_better = 2 * len(read) >= len([one for one in names if one in chosen])
            read = [one for one in names if one in scores] if is_better else read
        if not read or not is_better:
            return
        home = next((h for h, one in sets.items() if one.name == records.name), "")
        sets.pop(home, None)
        kept = tuple(one for one in records.fields if f"{records.name}.{one.name}" in read)
        sets[home or f"={records.name}"] = replace(records, fields=kept)
        why = "the other fields of its records stayed where they were"
        for name in names:
            if name in read:
                chosen[name] = scores[name]
            elif name in chosen:
                chosen[name] = replace(chosen[name], new=None, reason=why)

    def _least_gain(self) -> float:
        """How much better than a new rule an old one must be to be kept."""
        settings = current().change
        return settings.min_gain if self._learns_rules else -settings.keep_bonus

    def _still_taken(self, taken: set[str], chosen: Mapping[str, FieldMatch]) -> set[str]:
        """The new columns that are old fields, after some of these have kept their old rules.

        One that held nearly the same is the same field, and not shown a second time.
        """
        least = current().change.sure_agreement
        same = {one.new for one in self.matches if one.new and one.agreement >= least}
        return taken & (same | {one.new for one in chosen.values() if one.new})

    def _gate(self) -> float:
        settings = current().change
        return settings.min_field_score if self._has_pairs else settings.min_kept_form

    def _kept_match(self, column: ComparedColumn) -> FieldMatch:
        """How well a rule that was there before reads its field in the new pages."""
        old = self.old.by_name(column.name)
        xpath = column.field.rule.xpath
        if self._has_pairs:
            pairs = [PlacePair(self._old_place[at], at) for at in self._old_place]
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

    def _read(self, wrapper: Wrapper) -> ClassColumns:
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
        columns = class_columns(self.new.name, loose, records, self.host)
        return columns.hashed() if self.old.is_sketch else columns

    def _page_field(self, name: str, match: FieldMatch) -> _Candidate | None:
        """The old field with the rule of the new one."""
        old, new = self.old.by_name(name), self.new.by_name(match.new or "")
        rule = new.field.rule
        if new.record_set:  # a list of values that became a column of records
            records = self._new_set(new.record_set)
            joined = _joined(records.rule.selector, rule.selector)
            if joined is None or records.rule.pattern:
                return None
            rule = Rule(joined, rule.pattern)
        cut = self._in_old_form(name, replace(new.field, rule=rule))
        made = self._retyped(old.field, cut)
        if self._learns_rules and rule == cut.rule:
            made = replace(made, raw=made.raw or self._needs_text(made))
        return _Candidate(replace(made, many=old.field.many), match)

    def _needs_text(self, made: Field) -> bool:
        """Whether a rule learnt anew leaves out, or a type cannot read, what the pages say."""
        rule = made.rule
        return made.type.kind not in _ADDRESSES and any(
            raw_differs(rule.own_text(text), made.type.value(rule.extract_group(text)))
            for document in self.documents
            for text in rule.texts(document.index)[: 1 if not made.many else None]
        )

    def _in_old_form(self, name: str, new: Field) -> Field:
        """The new field without the words or brackets around all its values that old ones lacked.

        Values are compared without brackets, so a field is found whether it has them or not.
        """
        old = self.old.by_name(name).field
        texts = [] if new.rule.pattern else [collapsed(text) for text in self._texts(new)]
        texts = [text for text in texts if text]
        if len(set(texts)) < current().change.min_pairs:
            return new
        before = self._old_texts(name) or list(old.samples)
        pattern = _bracket_pattern(texts, before)
        if not pattern:
            pattern = word_pattern(texts, before, old.type.kind)
            pattern = pattern if self._agrees_inside(name, new, pattern) else ""
        return replace(new, rule=replace(new.rule, pattern=pattern)) if pattern else new

    def _agrees_inside(self, name: str, new: Field, pattern: str) -> bool:
        """Whether known pages said what is left; where none is known, nothing speaks against it."""
        known = inside = whole = 0
        for document in self.documents if pattern else ():
            place = self._old_place.get(place_of(document.url))
            before = value_key(self._old_text(name, place)) if place is not None else ""
            texts = [collapsed(text) for text in new.rule.texts(document.index)[:1]]
            if before and texts and (found := re.match(pattern, texts[0])):
                known += 1
                whole += value_key(texts[0]) == before
                inside += value_key(found[1]) == before
        return inside > whole or not known

    def _old_texts(self, name: str) -> list[str]:
        """What the old table has of a field on some pages."""
        places = self.old.records
        return [text for place in places if (text := collapsed(self._old_text(name, place)))]

    def _new_set(self, name: str) -> RecordSet:
        return next(one for one in self.new.wrapper.record_sets if one.name == name)

    def _readable(self, kept: Field) -> Field:
        """A field that its old rule still finds, with a type that reads its values.

        Its texts may be what they were but for the unit: with the old type all would be empty.
        """
        kept = self._in_old_form(kept.name, kept)
        if kept.type.kind in _ALWAYS_READ:
            return kept
        texts = list(self._texts(kept))
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

    def _retyped(self, old: Field, new: Field) -> Field:
        """The new field under the old name, with the old type if that reads its values."""
        kind = new.type
        if new.type.kind is not old.type.kind:
            texts = list(self._texts(new))
            kind = old.type if texts and self._reads(old.type, texts) else new.type
        return replace(
            new, name=old.name, type=kind, raw=old.raw, named_by=old.named_by,
            coverage=new.coverage,
        )  # fmt: skip

    def _texts(self, new: Field) -> Iterator[str]:
        rule = new.rule
        for document in self.documents:
            for text in rule.texts(document.index)[: 1 if not new.many else None]:
                yield rule.extract_group(text)

    def _improve(self, candidates: dict[str, _Candidate], chosen: dict[str, FieldMatch]) -> None:
        """Look for old values in the new pages where no new column holds them, or not well."""
        settings = current().change
        weak = [
            name
            for name, match in chosen.items()
            if not self.old.by_name(name).record_set
            and (match.new is None or match.agreement < settings.sure_agreement)
        ]
        examples, held_out = self._examples(weak)
        if not examples:
            return
        places = sorted({place for values in examples.values() for place in values})
        documents = [self.documents[place] for place in places]
        turned = {
            name: {places.index(place): text for place, text in values.items()}
            for name, values in examples.items()
        }
        for name, made in fields_with_values(documents, turned).items():
            old = self.old.by_name(name).field
            new = replace(self._retyped(old, made), many=old.many)
            pages, agreement, score = self._trial(new, name, held_out)
            before = chosen[name]
            better = before.new is None or agreement > before.agreement + settings.min_gain
            if score >= settings.min_field_score and better and pages >= settings.min_pairs:
                match = FieldMatch(
                    name, new.rule.xpath, score, score, None, MatchedBy.EXAMPLES, pages, agreement
                )
                chosen[name] = match
                candidates[name] = _Candidate(new, match)

    def _examples(self, names: Sequence[str]) -> tuple[dict[str, dict[int, str]], list[int]]:
        """Old values on new pages that are known, and the pages that are kept for trying out."""
        settings = current().change
        known = [
            place
            for place, document in enumerate(self.documents)
            if place_of(document.url) in self._old_place
        ]
        if len(known) < settings.min_example_pages:
            return {}, []
        held_out = known[::2]
        examples: dict[str, dict[int, str]] = {}
        for name in names:
            one = self.old.by_name(name)
            values: dict[int, str] = {}
            for place in known[1::2]:
                old_place = self._old_place[place_of(self.documents[place].url)]
                text = self._old_text(one.name, old_place)
                if text and len(text) <= settings.max_example_length:
                    values[place] = text
            chosen = evenly(sorted(values), settings.example_pages)
            if len(chosen) >= settings.min_pairs:
                examples[name] = {place: values[place] for place in chosen}
        return examples, held_out

    def _old_text(self, name: str, place: str) -> str:
        """What the old table has of a field on a page."""
        found = page_values(self.old.wrapper, self.old.records.get(place, []))
        value, raw = found.get(name), found.get(name + RAW)
        value = value[0] if isinstance(value, list) and value else value
        raw = raw[0] if isinstance(raw, list) and raw else raw
        is_plain = self.old.by_name(name).field.type.kind is ValueKind.TEXT
        shown = value if is_plain or not has_value(raw) else raw
        return str(shown) if has_value(shown) and not isinstance(shown, dict | list) else ""

    def _trial(self, new: Field, name: str, places: Sequence[int]) -> tuple[int, float, float]:
        """How well a rule reads an old field on pages that it was not learnt from."""
        wrapper = replace(
            self.new.wrapper, fields=(new,), record_sets=(), rows=None, key=(), required=()
        )
        column = self._read(wrapper).columns[0]
        at = [place_of(self.documents[place].url) for place in places]
        pairs = [PlacePair(self._old_place[one], one) for one in at]
        found_ = column_agreement(self.old.by_name(name), column, pairs)
        return found_.pages, found_.agreement, found_.score

    def _record_sets(self, chosen: Mapping[str, FieldMatch]) -> Iterator[tuple[str, RecordSet]]:
        """The old record sets, each with the name that it has in the new project before."""
        for records in self.old.wrapper.record_sets:
            matches = [
                match
                for one in records.fields
                if (match := chosen.get(f"{records.name}.{one.name}")) is not None
                and match.new is not None
                and "." in match.new
            ]
            homes = [match.new.rpartition(".")[0] for match in matches if match.new]
            if not homes:
                continue
            home = max(dict.fromkeys(homes), key=homes.count)
            new = self._new_set(home)
            fields = []
            for match in matches:
                if match.new is not None and match.new.rpartition(".")[0] == home:
                    old_field = self.old.by_name(match.old or "").field
                    new_field = self.new.by_name(match.new).field
                    needs_text = self._learns_rules and new_field.raw
                    made = replace(
                        new_field, name=old_field.name, raw=old_field.raw or needs_text,
                        named_by=old_field.named_by, many=old_field.many,
                    )  # fmt: skip
                    fields.append(made)
            yield home, replace(new, name=records.name, fields=tuple(self._rest(new, fields)))

    def _rest(self, records: RecordSet, fields: Sequence[Field]) -> Iterator[Field]:
        """The fields of a record set that are known, then those that it did not have."""
        yield from fields
        taken = {match.new for match in self.matches if match.old is not None}
        names = {name for one in fields for name in one.columns()}
        names |= {one.name.rpartition(".")[2] for one in self.old.columns if one.record_set}
        rules = {one.rule for one in fields}
        for one in records.fields:
            if f"{records.name}.{one.name}" not in taken and one.rule not in rules:
                free = replace(one, name=_free_name(one.name, names))
                names |= {*free.columns()}
                yield free

    def _added(
        self,
        fields: Sequence[Field],
        sets: Sequence[tuple[str, RecordSet]],
        taken: set[str],
    ) -> list[Field]:
        """Fields that the old class did not have, under names that are free."""
        names = {one.name for one in fields} | {one.name for _, one in sets}
        names |= {one.name for one in self.old.wrapper.fields}
        names |= {one.name for one in self.old.wrapper.record_sets}
        rules = {one.rule for one in fields}
        added = []
        for one in self.new.wrapper.fields:
            if one.name in taken or one.rule in rules:
                continue
            name = _free_name(one.name, names)
            names |= {name, name + RAW}
            added.append(replace(one, name=name))
        return added

    def _wrapper(
        self,
        fields: Sequence[Field],
        sets: Sequence[tuple[str, RecordSet]],
        added: Sequence[Field],
        taken: Collection[str],
    ) -> Wrapper:
        new, old = self.new.wrapper, self.old.wrapper
        all_fields = (*fields, *added)
        homes = dict(sets)
        record_sets = [one for _, one in sets]
        names = {one.name for one in all_fields} | {one.name for one in record_sets}
        for one in new.record_sets:
            if one.name in homes:
                continue
            if not {f"{one.name}.{inner.name}" for inner in one.fields} <= set(taken):
                name = one.name if one.name not in names else f"new_{one.name}"
                names.add(name)
                record_sets.append(replace(one, name=name))
        rows = homes[new.rows].name if new.rows in homes else None
        if rows is None and old.rows in {one.name for _, one in sets}:
            rows = old.rows
        if rows is not None and old.rows is None:
            rows = None  # one record a page, as it was
        columns = {name for one in all_fields for name in one.columns()}
        inside = next((one for one in record_sets if one.name == rows), None)
        if inside is not None and columns & {n for one in inside.fields for n in one.columns()}:
            clash = {n for one in inside.fields for n in one.columns()}
            all_fields = tuple(one for one in all_fields if not clash & set(one.columns()))
        least = current().wrapper.min_required_share
        required = [one.name for one in all_fields if one.coverage >= least]
        required += [one.name for one in record_sets if one.coverage >= least]
        key_names = {one.name for one in (*all_fields, *(inside.fields if inside else ()))}
        return replace(
            new,
            fields=tuple(all_fields),
            record_sets=tuple(record_sets),
            rows=rows,
            key=self._key(key_names),
            required=tuple(required),
            learnt_from=LearntFrom.PAGES,
        )

    def _key(self, names: Collection[str]) -> tuple[str, ...]:
        """The old key, if all of it is there; one that was first found now, under its new names."""
        old, now = self.old.wrapper.key, {one.new: one.old for one in self.matches if one.new}
        if old or not self._learns_rules:
            return old if set(old) <= set(names) else ()
        key = tuple(now.get(name) or name for name in self.new.wrapper.key)
        return key if set(key) <= set(names) else ()

    def _report(
        self,
        name: str,
        chosen: Mapping[str, FieldMatch],
        candidates: Mapping[str, _Candidate],
        sets: Sequence[tuple[str, RecordSet]],
    ) -> RepairedField:
        old = self.old.by_name(name).field
        match = chosen.get(name) or FieldMatch(name, None, reason="the old table had no values")
        made: Field | None = None
        if name in candidates:
            made = candidates[name].field
        else:
            record_set, _, inner = name.rpartition(".")
            for _, records in sets:
                if records.name == record_set:
                    made = next((one for one in records.fields if one.name == inner), None)
        if made is None and match.new is not None:
            match = replace(match, reason=f"{match.new} has its values in another form")
        return RepairedField(
            name,
            made is not None,
            old.rule.xpath,
            made.rule.xpath if made else "",
            str(match.matched_by or "") if made else "",
            round(match.score, 3),
            round(match.gap, 3),
            match.runner_up,
            match.pages,
            round(match.agreement, 3),
            str(old.type.kind),
            str(made.type.kind) if made else "",
            "" if made else match.reason,
            old.coverage,
        )


def _with_same_rules(
    matches: Sequence[FieldMatch], old: ClassColumns, new: ClassColumns
) -> list[FieldMatch]:
    """The matches, those fields first that are read as they were, whatever the pages say now.

    Of the others, those whose values stand where they stood, and are only cut in another way.
    """
    same = _same_rules(old, new, with_pattern=True)
    taken = set(same.values())
    matched = {one.new for one in matches if one.old is not None}
    lost = {one.old for one in matches if one.new is None}
    for name, now in _same_rules(old, new, with_pattern=False).items():
        if name in lost - same.keys() and now not in taken | matched:
            same[name] = now
            taken.add(now)
    found = []
    for match in matches:
        if match.old in same:
            kept = replace(match, new=same[match.old], score=1.0, matched_by=MatchedBy.KEPT)
            found.append(replace(kept, agreement=1.0, reason=""))
        elif match.old is None and match.new in taken:
            continue
        elif match.new in taken:
            found.append(replace(match, new=None, reason="its column is another field"))
        else:
            found.append(match)
    return found


def _same_rules(
    old: ClassColumns, new: ClassColumns, *, with_pattern: bool
) -> dict[str | None, str]:
    """The new column that is read like each old one, where one is."""

    def rule(one: ComparedColumn) -> tuple[str, str, str]:
        pattern = one.field.rule.pattern if with_pattern else ""
        return one.record_set, one.field.rule.xpath, pattern

    now = {rule(one): one.name for one in new.columns if one.values}
    return {one.name: now[rule(one)] for one in old.columns if rule(one) in now}


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
    if kind in _ADDRESSES:
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


def _free_name(name: str, taken: Collection[str]) -> str:
    free = name if name not in taken else f"new_{name}"
    while free in taken:
        free += "_2"
    return free


def _without_alternatives(wrapper: Wrapper) -> Wrapper:
    fields = (replace(one, rule=replace(one.rule, alternatives=())) for one in wrapper.fields)
    sets = (replace(one, rule=replace(one.rule, alternatives=())) for one in wrapper.record_sets)
    return replace(wrapper, fields=tuple(fields), record_sets=tuple(sets))


def _joined(outer: Selector, inner: Selector) -> Selector | None:
    """The selector of a field of records, from the page."""
    first, second = outer.xpath(), inner.xpath()
    if "|" in first or "|" in second or not second.startswith("."):
        return None
    try:
        return Selector.parse(first + second[1:])
    except ValueError:
        return None
