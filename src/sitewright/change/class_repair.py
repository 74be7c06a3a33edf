"""One class of an old project and the new class that it became: its fields under their old names.

Each old field is read by the best of these, tried on pages whose old values are known: the old
selector, the new column that is matched with it, the selector that reads it in a larger part of the
class, and one that is learnt from the old values, as a person's examples would be.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sitewright.change.field_matching import FieldMatch, MatchedBy, match_fields
from sitewright.change.old_forms import OldForms
from sitewright.change.page_pairs import PlacePair
from sitewright.change.repaired_wrapper import RepairedWrapper
from sitewright.page.selector import Selector
from sitewright.settings import current
from sitewright.wrapper.alternatives import with_alternatives
from sitewright.wrapper.examples import fields_with_values
from sitewright.wrapper.records import fields_of_rows
from sitewright.wrapper.spare_selectors import SelectorKind, selector_kind
from sitewright.wrapper.values.sketch import with_sketch
from sitewright.wrapper.wrapper import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitewright.change.columns import (
        ClassColumns,
        ComparedColumn,
    )
    from sitewright.change.two_sides import TwoSides
    from sitewright.wrapper import Field, RecordSet, Wrapper


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


@dataclass(slots=True)
class _State:
    """What is known so far of the old fields."""

    matches: dict[str, FieldMatch]
    """Each old field: the column that it is now, or why it is lost."""
    candidates: dict[str, _Candidate] = field(default_factory=dict)
    """The rules of the fields of pages."""
    sets: dict[str, RecordSet] = field(default_factory=dict)
    """The old record sets, by the names that they have in the new project."""


class ClassRepair:
    """One old class and the new class that is (a part of) it."""

    def __init__(self, sides: TwoSides, *, learns_rules: bool = False) -> None:
        """`learns_rules`: the site is what it was; a new rule takes the place of the old one."""
        self.old, self.new, self.documents = sides.old, sides.new, sides.documents
        self._learns_rules = learns_rules
        self.matches = match_fields(sides.old, sides.new, sides.pair.pairs)
        if learns_rules:
            self.matches = _with_same_rules(self.matches, sides.old, sides.new)
        self._sides = sides
        self._forms = OldForms(sides)
        self._parts = RepairedWrapper(sides, self.matches, learns_rules=learns_rules)

    def repaired(self, main: Wrapper | None = None) -> RepairedPart:
        """The wrapper of the new class with the old names, and what became of each field.

        `main` is the wrapper of a larger part of the old class: what reads that may read this.
        """
        state = _State({match.old: match for match in self.matches if match.old is not None})
        for name, match in state.matches.items():
            if match.new is not None and not self.old.by_name(name).record_set:
                candidate = self._page_field(name, match)
                if candidate is not None:
                    state.candidates[name] = candidate
                else:
                    why = "cannot be read as it was"
                    state.matches[name] = replace(match, new=None, reason=why)
        state.sets |= self._record_sets(state.matches)
        taken = {match.new for match in state.matches.values() if match.new}
        self._keep(_without_alternatives(self.old.wrapper), state)
        if main is not None:
            self._keep(_without_alternatives(main), state)
        if self._learns_rules:
            self._keep_unseen(state)
            taken = self._still_taken(taken, state)
        else:
            self._take_alternatives(state)
            self._take_other_rows(state)
            self._read_rows_anew(state)
            self._improve(state)
        made = state.candidates
        fields = [made[one.name].field for one in self.old.columns if one.name in made]
        record_sets = list(state.sets.items())
        added = self._parts.added(fields, record_sets, taken)
        new = self._parts.wrapper(fields, record_sets, added, taken)
        wrapper = with_alternatives(new, self.documents)
        wrapper = with_sketch(wrapper, self.documents)
        reports = [self._report(one.name, state) for one in self.old.columns]
        return RepairedPart(wrapper, reports, [one.name for one in added])

    def _keep(self, tried: Wrapper, state: _State) -> None:
        """Keep rules that still read their fields: nothing lasts like what need not be changed."""
        columns = self._sides.read(tried)
        scores: dict[str, FieldMatch] = {}
        for column in columns.columns:
            if column.name in state.matches and column.values:
                scores[column.name] = self._sides.kept_match(column)
        for one in tried.fields:
            match = scores.get(one.name)
            if match is None or match.score < self._sides.gate():
                continue
            known = state.matches[one.name]
            # Without values to compare, nothing is as sure as what still reads what it did.
            is_better = not self._sides.has_pairs or match.score >= known.score + self._least_gain()
            if known.new is None or is_better:
                state.matches[one.name] = match
                state.candidates[one.name] = _Candidate(self._forms.readable(one), match)
        for records in tried.record_sets:
            self._keep_records(records, state, scores)

    def _keep_unseen(self, state: _State) -> None:
        """Keep rare fields that none of these pages had: nothing says that they are gone."""
        known = set(self._sides.old_place.values())
        for one in self.old.columns:
            is_free = one.name not in state.candidates and not one.record_set
            if is_free and one.field.coverage and known.isdisjoint(one.values):
                xpath = one.field.rule.xpath
                match = FieldMatch(one.name, xpath, matched_by=MatchedBy.KEPT)
                state.matches[one.name] = match
                state.candidates[one.name] = _Candidate(one.field, match)

    def _take_alternatives(self, state: _State) -> None:
        """The further selectors of the old fields, where nothing else reads them so well."""
        settings = current().change
        gate = self._sides.gate() if self._sides.has_pairs else settings.min_form_score
        for wrapper in self._alternative_wrappers():
            fields = {one.name: one for one in wrapper.fields}
            for column in self._sides.read(wrapper).columns:
                known = state.matches.get(column.name)
                if known is None or not column.values:
                    continue
                match = self._sides.kept_match(column)
                # Without values to compare, what was matched is not given up for a guess.
                is_gain = self._sides.has_pairs and match.score > known.score + settings.min_gain
                if match.score >= gate and (known.new is None or is_gain):
                    state.matches[column.name] = match
                    kept = self._forms.readable(fields[column.name])
                    state.candidates[column.name] = _Candidate(kept, match)

    def _take_other_rows(
        self,
        state: _State,
    ) -> None:
        """The further selectors of the rows of old record sets that nothing else finds."""
        old = self.old.wrapper
        for turn in range(current().wrapper.selectors.max_alternatives_kept):
            found = {one.name for one in state.sets.values()}
            lost = [
                replace(one, rule=Rule(selector))
                for one in old.record_sets
                if one.name not in found and self._sides.has_pairs
                for selector in one.rule.alternatives[turn : turn + 1]
            ]
            if lost:
                tried = replace(old, fields=(), record_sets=tuple(lost), rows=None, key=())
                self._keep(tried, state)

    def _read_rows_anew(self, state: _State) -> None:
        """Old rows that are still found, and whose fields stand elsewhere in them.

        Learning may take the same rows for parts of the page; here it is known that they are rows.
        """
        for records in self.old.wrapper.record_sets if self._sides.has_pairs else ():
            names = [f"{records.name}.{one.name}" for one in records.fields]
            names = [name for name in names if name in state.matches]
            if all(state.matches[name].new is not None for name in names):
                continue
            for selector in (records.rule.selector, *records.rule.alternatives):
                known = sum(
                    state.matches[name].score
                    for name in names
                    if state.matches[name].new is not None
                )
                made, found = self._rows_anew(replace(records, rule=Rule(selector)))
                if sum(one.score for one in found.values()) <= known + current().change.min_gain:
                    continue
                home = next((h for h, one in state.sets.items() if one.name == records.name), "")
                state.sets.pop(home, None)
                state.sets[home or f"={records.name}"] = made
                why = "not in the rows that the old selector finds"
                for name in names:
                    lost = replace(state.matches[name], new=None, reason=why)
                    state.matches[name] = found.get(name, lost)

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
        now = self._sides.read(wrapper)
        own = tuple(one for one in self.old.columns if one.record_set == records.name)
        pairs = [PlacePair(old, new) for new, old in self._sides.old_place.items()]
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
                if self._sides.has_pairs or selector_kind(selector) is not SelectorKind.POSITION
            ]
            if fields:
                yield replace(old, fields=tuple(fields), record_sets=(), rows=None, key=())

    def _keep_records(
        self,
        records: RecordSet,
        state: _State,
        scores: Mapping[str, FieldMatch],
    ) -> None:
        """The same for a record set: its fields stay together."""
        names = [f"{records.name}.{one.name}" for one in records.fields]
        read = [one for one in names if one in scores and scores[one].score >= self._sides.gate()]
        before = [
            one for one in names if one in state.matches and state.matches[one].new is not None
        ]
        mine = sum(scores[one].score for one in read)
        theirs = sum(state.matches[one].score for one in before)
        is_better = mine >= theirs + self._least_gain() * max(1, len(before))
        if not self._sides.has_pairs:
            is_better = 2 * len(read) >= len([one for one in names if one in state.matches])
            read = [one for one in names if one in scores] if is_better else read
        if not read or not is_better:
            return
        home = next((h for h, one in state.sets.items() if one.name == records.name), "")
        state.sets.pop(home, None)
        kept = tuple(one for one in records.fields if f"{records.name}.{one.name}" in read)
        state.sets[home or f"={records.name}"] = replace(records, fields=kept)
        why = "the other fields of its records stayed where they were"
        for name in names:
            if name in read:
                state.matches[name] = scores[name]
            elif name in state.matches:
                state.matches[name] = replace(state.matches[name], new=None, reason=why)

    def _least_gain(self) -> float:
        """How much better than a new rule an old one must be to be kept."""
        settings = current().change
        return settings.min_gain if self._learns_rules else -settings.keep_bonus

    def _still_taken(self, taken: set[str], state: _State) -> set[str]:
        """The new columns that are old fields, after some of these have kept their old rules.

        One that held nearly the same is the same field, and not shown a second time.
        """
        least = current().change.sure_agreement
        same = {one.new for one in self.matches if one.new and one.agreement >= least}
        return taken & (same | {one.new for one in state.matches.values() if one.new})

    def _page_field(self, name: str, match: FieldMatch) -> _Candidate | None:
        """The old field with the rule of the new one."""
        old, new = self.old.by_name(name), self.new.by_name(match.new or "")
        rule = new.field.rule
        if new.record_set:  # a list of values that became a column of records
            records = self._sides.new_set(new.record_set)
            joined = _joined(records.rule.selector, rule.selector)
            if joined is None or records.rule.pattern:
                return None
            rule = Rule(joined, rule.pattern)
        cut = self._forms.in_old_form(name, replace(new.field, rule=rule))
        made = self._forms.retyped(old.field, cut)
        if self._learns_rules and rule == cut.rule:
            made = replace(made, raw=made.raw or self._forms.needs_text(made))
        return _Candidate(replace(made, many=old.field.many), match)

    def _improve(self, state: _State) -> None:
        """Look for old values in the new pages where no new column holds them, or not well."""
        settings = current().change
        weak = [
            name
            for name, match in state.matches.items()
            if not self.old.by_name(name).record_set
            and (match.new is None or match.agreement < settings.sure_agreement)
        ]
        examples, held_out = self._sides.examples(weak)
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
            new = replace(self._forms.retyped(old, made), many=old.many)
            pages, agreement, score = self._sides.trial(new, name, held_out)
            before = state.matches[name]
            better = before.new is None or agreement > before.agreement + settings.min_gain
            if score >= settings.min_field_score and better and pages >= settings.min_pairs:
                match = FieldMatch(
                    name, new.rule.xpath, score, score, None, MatchedBy.EXAMPLES, pages, agreement
                )
                state.matches[name] = match
                state.candidates[name] = _Candidate(new, match)

    def _record_sets(self, matches: Mapping[str, FieldMatch]) -> Iterator[tuple[str, RecordSet]]:
        """The old record sets, each with the name that it has in the new project before."""
        for records in self.old.wrapper.record_sets:
            own = [
                match
                for one in records.fields
                if (match := matches.get(f"{records.name}.{one.name}")) is not None
                and match.new is not None
                and "." in match.new
            ]
            homes = [match.new.rpartition(".")[0] for match in own if match.new]
            if not homes:
                continue
            home = max(dict.fromkeys(homes), key=homes.count)
            new = self._sides.new_set(home)
            fields = []
            for match in own:
                if match.new is not None and match.new.rpartition(".")[0] == home:
                    old_field = self.old.by_name(match.old or "").field
                    new_field = self.new.by_name(match.new).field
                    needs_text = self._learns_rules and new_field.raw
                    made = replace(
                        new_field, name=old_field.name, raw=old_field.raw or needs_text,
                        named_by=old_field.named_by, many=old_field.many,
                    )  # fmt: skip
                    fields.append(made)
            fields = list(self._parts.fields_of_rows(new, fields))
            yield home, replace(new, name=records.name, fields=tuple(fields))

    def _report(self, name: str, state: _State) -> RepairedField:
        old = self.old.by_name(name).field
        unseen = FieldMatch(name, None, reason="the old table had no values")
        match = state.matches.get(name) or unseen
        made: Field | None = None
        if name in state.candidates:
            made = state.candidates[name].field
        else:
            record_set, _, inner = name.rpartition(".")
            for records in state.sets.values():
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
