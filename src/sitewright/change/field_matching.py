"""Which field of a class became which: one to one, with a score and the gap to the runner-up.

On pages that both sides have, values decide; without such pages their form does, under a stricter
gate. A field whose best partner is below the gate is lost, never guessed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from sitewright.change.assignment import assign
from sitewright.change.columns import (
    ClassColumns,
    ComparedColumn,
    column_agreement,
    shared_values,
)
from sitewright.change.forms import form_score
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sitewright.change.page_pairs import PlacePair


class MatchedBy(StrEnum):
    """What a pair of classes or fields is founded on."""

    PAGES = "values on shared pages"
    VALUES = "shared values"
    FORM = "form of the values"
    MODEL = "recognised by the old model"
    EXAMPLES = "old values found in the new pages"
    KEPT = "the old selector still reads it"


@dataclass(frozen=True, slots=True)
class FieldMatch:
    """A field of an old class, and the field that it became."""

    old: str | None
    """None: the field is new."""
    new: str | None
    """None: the field is lost."""
    score: float = 0.0
    """From 0 to 1."""
    gap: float = 0.0
    """How much lower the score of the runner-up is."""
    runner_up: str | None = None
    matched_by: MatchedBy | None = None
    pages: int = 0
    """Pages that both sides have and the old field has a value on."""
    agreement: float = 0.0
    """The share of the values on these pages that are the same."""
    reason: str = ""
    """Why it is lost."""


def match_fields(
    old: ClassColumns, new: ClassColumns, pairs: Sequence[PlacePair]
) -> list[FieldMatch]:
    """Match the fields of two classes; a field without a partner is lost, or new."""
    if old.is_sketch != new.is_sketch:
        old, new = old if old.is_sketch else old.hashed(), new if new.is_sketch else new.hashed()
    scored = FieldScores(old, new, pairs)
    found: dict[str, FieldMatch] = {}
    for mine, theirs in _matched_sets(scored):
        rows = [one for one in old.columns if one.record_set == mine and one.values]
        others = [one for one in new.columns if one.record_set == theirs and one.values]
        for match in scored.matches(rows, others):
            if match.old is not None:
                found[match.old] = match
    taken = {match.new for match in found.values()}
    for one in old.columns:
        if one.values and (one.name not in found or found[one.name].new is None):
            found[one.name] = scored.second_choice(one) or found.get(one.name) or scored.lost(one)
    matches = [found[one.name] for one in old.columns if one.name in found]
    matches += [
        FieldMatch(None, one.name) for one in new.columns if one.name not in taken and one.values
    ]
    return matches


class FieldScores:
    """The scores of the fields of one class against those of another."""

    def __init__(self, old: ClassColumns, new: ClassColumns, pairs: Sequence[PlacePair]) -> None:
        settings = current().change
        self.old, self.new = old, new
        self._known: dict[tuple[str, str], FieldMatch] = {}
        told = [pair for pair in pairs if any(pair.old in one.values for one in old.columns)]
        self._pairs = told[: settings.max_compared_pages]
        self.has_pairs = len(told) >= settings.min_pairs

    def of(self, one: ComparedColumn, other: ComparedColumn) -> FieldMatch:
        """How well a field fits another."""
        key = one.name, other.name
        if key not in self._known:
            found = self._scored(one, other)
            rounded = round(found.score, 4), round(found.agreement, 4)
            self._known[key] = replace(found, score=rounded[0], agreement=rounded[1])
        return self._known[key]

    def _scored(self, one: ComparedColumn, other: ComparedColumn) -> FieldMatch:
        settings = current().change
        if not self.has_pairs:
            score = form_score(one, other)
            by = MatchedBy.FORM
            if shared_values(one, other) >= settings.min_shared_values:
                by = MatchedBy.VALUES
            return FieldMatch(one.name, other.name, score, matched_by=by)
        found = column_agreement(one, other, self._pairs)
        form = form_score(one, other)
        score = found.score
        if found.chance >= settings.max_chance:  # both say one thing everywhere
            score = found.agreement * form
        elif found.pages < settings.min_pairs:
            score *= form
        score = score * (1 - settings.tie_weight) + settings.tie_weight * form * (score > 0)
        return FieldMatch(
            one.name, other.name, score, matched_by=MatchedBy.PAGES,
            pages=found.pages, agreement=found.agreement,
        )  # fmt: skip

    def gate(self) -> float:
        """The least score of a match."""
        settings = current().change
        return settings.min_field_score if self.has_pairs else settings.min_form_score

    def matches(
        self, rows: Sequence[ComparedColumn], others: Sequence[ComparedColumn]
    ) -> Iterator[FieldMatch]:
        """The best one-to-one assignment; those below the gate are lost."""
        if not rows or not others:
            return
        scores = np.array([[self.of(one, other).score for other in others] for one in rows])
        settings = current().change
        partner = dict(assign(scores))
        for row, one in enumerate(rows):
            if row not in partner:
                continue
            place = partner[row]
            match = self.of(one, others[place])
            rest = np.delete(scores[row], place)
            runner = float(rest.max()) if rest.size else 0.0
            name = None
            if rest.size and runner > 0:
                name = [other.name for turn, other in enumerate(others) if turn != place][
                    int(rest.argmax())
                ]
            gap = match.score - runner
            if not self.has_pairs:
                gap = self.form_gap(scores, partner, row, others)
            gap = round(gap, 4)
            match = replace(match, gap=gap, runner_up=name)
            if match.score < self.gate():
                yield self.lost(one, match)
            elif not self.has_pairs and match.gap < settings.min_form_gap:
                yield self.lost(one, match, "another field fits as well")
            else:
                yield match

    def form_gap(
        self,
        scores: NDArray[np.float64],
        partner: Mapping[int, int],
        row: int,
        others: Sequence[ComparedColumn],
    ) -> float:
        """How much better a field fits than another, or all fields than if it were another.

        Columns that say the same are equally right, and a rival that is surely another field is no
        doubt about this one.
        """
        twin = others[partner[row]]
        twins = [
            turn
            for turn, other in enumerate(others)
            if turn == partner[row] or _says_the_same(twin, other)
        ]
        without = scores.copy()
        without[row, twins] = 0.0
        gap = float(scores[row, partner[row]] - without[row].max())
        if gap >= current().change.min_form_gap:
            return gap
        best = sum(without[pair] for pair in assign(without))
        return float(sum(scores[pair] for pair in partner.items()) - best)

    def lost(
        self, one: ComparedColumn, best: FieldMatch | None = None, reason: str = ""
    ) -> FieldMatch:
        """A field that became nothing that is known."""
        if best is None:
            best = self.best(one)
        name, score = (best.new, best.score) if best is not None else (None, 0.0)
        pages, agreement = (best.pages, best.agreement) if best is not None else (0, 0.0)
        if not reason:
            reason = "no field has such values"
            if name is not None and score > 0:
                reason = f"{name} comes nearest, with a score of {score:.2f}"
        return FieldMatch(
            one.name, None, score, 0.0, name, None, pages, agreement, reason
        )  # fmt: skip

    def second_choice(self, one: ComparedColumn) -> FieldMatch | None:
        """What a field may still be that the assignment has left without a partner.

        Columns that said the same may share what they became, and a list of values may have become
        a column of records.
        """
        settings = current().change
        if not self.has_pairs:
            return None
        best = self.best(one, one.record_set)
        if best is not None and best.score >= settings.min_shared_score:
            return best
        best = None if one.record_set else self.best(one, "*")
        return best if best is not None and best.score >= settings.min_field_score else None

    def best(self, one: ComparedColumn, record_set: str | None = None) -> FieldMatch | None:
        """The match with the highest score, taken or not."""
        found = [
            self.of(one, other)
            for other in self.new.columns
            if other.values and (record_set is None or bool(other.record_set) == bool(record_set))
        ]
        return max(found, key=lambda match: match.score, default=None)


def _says_the_same(one: ComparedColumn, other: ComparedColumn) -> bool:
    """Whether two columns of one side hold the same values."""
    pairs = [(place, place) for place in one.values]
    return column_agreement(one, other, pairs).agreement >= current().change.sure_agreement


def _matched_sets(scored: FieldScores) -> list[tuple[str, str]]:
    """Which record set became which; the fields of the page are among themselves."""
    mine = list(dict.fromkeys(one.record_set for one in scored.old.columns if one.record_set))
    theirs = list(dict.fromkeys(one.record_set for one in scored.new.columns if one.record_set))
    pairs = [("", "")]
    if not mine or not theirs:
        return pairs
    scores = np.zeros((len(mine), len(theirs)))
    for row, one in enumerate(mine):
        for column, other in enumerate(theirs):
            ours = [c for c in scored.old.columns if c.record_set == one and c.values]
            others = [c for c in scored.new.columns if c.record_set == other and c.values]
            scores[row, column] = sum(
                max((scored.of(c, d).score for d in others), default=0.0) for c in ours
            )
    pairs += [(mine[row], theirs[column]) for row, column in assign(scores)]
    return pairs
