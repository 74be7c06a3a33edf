"""Two projects compared: which class became which, which field became which, and how sure that is.

Pages are paired first: by their address, else by values that hardly another page has. Pairs of
pages make pairs of classes; on them, fields are paired one to one so that the sum of their scores
is highest. A field whose best partner is below the gate is lost, never guessed. Where two classes
have no page in common, the form of the values decides, under a stricter gate.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from sitewright.change.columns import (
    ClassColumns,
    ComparedColumn,
    column_agreement,
    project_columns,
    shared_values,
    value_key,
)
from sitewright.change.forms import form_score, selector_marks
from sitewright.export.changes import record_changes
from sitewright.formats import plain
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sitewright.export.changes import RecordChange
    from sitewright.export.results import ProjectResults


class ClassFate(StrEnum):
    """What became of a class. The text is what people and files see."""

    SAME = "same"
    MOVED = "moved"
    """Its pages are there, under other addresses."""
    SPLIT = "split"
    MERGED = "merged"
    GONE = "gone"
    NEW = "new"


class ChangeLevel(StrEnum):
    """How far a change went, in plain words."""

    NONE = "nothing changed"
    CONTENT = "content changed"
    TEMPLATE = "template changed, fields still read"
    FIELD_FOUND = "field moved and found"
    FIELD_LOST = "field lost"
    CLASS_GONE = "class gone"


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


@dataclass(frozen=True, slots=True)
class ClassMatch:
    """A class of the old side, what became of it, and of its fields."""

    fate: ClassFate
    old: str | None
    new: tuple[str, ...]
    """The classes that it became, the largest part first."""
    matched_by: MatchedBy | None = None
    pages: int = 0
    """Pages that both sides have."""
    fields: tuple[FieldMatch, ...] = ()
    """Of the largest part."""
    level: ChangeLevel = ChangeLevel.NONE


class SiteRelation(StrEnum):
    """What two sites have to do with each other."""

    REPLICA = "replica"
    """Most pages of the smaller one say what pages of the other say."""
    THEME = "same theme"
    """They are made alike, and say other things."""
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is different between two projects: of one site at two dates, or of two sites."""

    FORMAT: ClassVar[str] = "sitewright-diff"
    old: str
    new: str
    level: ChangeLevel
    """The highest of all classes."""
    classes: tuple[ClassMatch, ...]
    records: dict[str, int]
    """How many records are new, changed and gone."""
    relation: SiteRelation
    same_pages: float
    """The share of the pages of the smaller side that say what one page of the other says."""
    same_marks: float
    """The share of the tags, classes and paths of either side that both have."""

    def as_json(self) -> dict[str, Any]:
        """The whole as plain data."""
        data: dict[str, Any] = plain(self)
        return data


class PlacePair(NamedTuple):
    """The place of a page before, and its place now."""

    old: str
    new: str


_LEVELS = tuple(ChangeLevel)


def compare(old: ProjectResults, new: ProjectResults) -> Comparison:
    """Compare two projects: classes, fields, records."""
    return comparison_with_changes(old, new)[0]


def comparison_with_changes(
    old: ProjectResults, new: ProjectResults
) -> tuple[Comparison, list[RecordChange]]:
    """The same with every record that is new, changed or gone."""
    before, after = project_columns(old), project_columns(new)
    pairs = pair_pages(before, after)
    found = pair_classes(before, after, pairs)
    fields = {
        pair.new: match_fields(before[pair.old], after[pair.new], pair.pairs) for pair in found
    }
    classes = [*_old_classes(before, after, found, fields), *_new_classes(after, found)]
    changes = list(_record_changes(before, after, found, fields))
    if changes:
        classes = [_with_content(one, {change.page_class for change in changes}) for one in classes]
    same_pages = _same_pages(before, after)
    marks = set(old.model.structure_columns), set(new.model.structure_columns)
    same_marks = len(marks[0] & marks[1]) / max(1, len(marks[0] | marks[1]))
    settings = current().change
    relation = SiteRelation.DIFFERENT
    if same_marks >= settings.min_theme_marks:
        relation = SiteRelation.THEME
    if same_pages >= settings.min_paired_share:
        relation = SiteRelation.REPLICA
    level = max((one.level for one in classes), key=_LEVELS.index, default=ChangeLevel.NONE)
    comparison = Comparison(
        old.path.as_posix(),
        new.path.as_posix(),
        level,
        tuple(classes),
        dict(Counter(change.change for change in changes)),
        relation,
        round(same_pages, 3),
        round(same_marks, 3),
    )
    return comparison, changes


def _old_classes(
    before: Mapping[str, ClassColumns],
    after: Mapping[str, ClassColumns],
    found: Sequence[ClassPair],
    fields: Mapping[str, Sequence[FieldMatch]],
) -> Iterator[ClassMatch]:
    for name, one in before.items():
        own = [pair for pair in found if pair.old == name]
        own.sort(key=lambda pair: (-len(pair.pairs), pair.new))
        if not own:
            yield ClassMatch(ClassFate.GONE, name, (), level=ChangeLevel.CLASS_GONE)
            continue
        main = own[0]
        is_moved = any(pair.old != pair.new for pair in main.pairs)
        fate = ClassFate.SPLIT if len(own) > 1 else ClassFate.MOVED if is_moved else ClassFate.SAME
        yield ClassMatch(
            fate,
            name,
            tuple(pair.new for pair in own),
            main.matched_by,
            sum(len(pair.pairs) for pair in own),
            tuple(fields[main.new]),
            _level(one, after[main.new], fields[main.new]),
        )


def _new_classes(
    after: Mapping[str, ClassColumns], found: Sequence[ClassPair]
) -> Iterator[ClassMatch]:
    known = {pair.new for pair in found}
    for name in after:
        if name not in known:
            yield ClassMatch(ClassFate.NEW, None, (name,))


def _level(old: ClassColumns, new: ClassColumns, matches: Sequence[FieldMatch]) -> ChangeLevel:
    """How far the change of a class went; fields that few pages had count for nothing."""
    least = current().change.min_alarm_coverage
    level = ChangeLevel.NONE
    for match in matches:
        if match.old is None:
            continue
        one = old.by_name(match.old)
        if match.new is None:
            if one.profile.coverage >= least:
                return ChangeLevel.FIELD_LOST
            continue
        rule = new.by_name(match.new).field.rule
        if rule.xpath != one.field.rule.xpath and level is not ChangeLevel.FIELD_FOUND:
            is_alike = selector_marks(one) == selector_marks(new.by_name(match.new))
            level = ChangeLevel.TEMPLATE if is_alike else ChangeLevel.FIELD_FOUND
    return level


def _with_content(one: ClassMatch, changed: set[str]) -> ClassMatch:
    is_content = one.level is ChangeLevel.NONE and (one.old or one.new[0]) in changed
    return replace(one, level=ChangeLevel.CONTENT) if is_content else one


def _record_changes(
    before: Mapping[str, ClassColumns],
    after: Mapping[str, ClassColumns],
    found: Sequence[ClassPair],
    fields: Mapping[str, Sequence[FieldMatch]],
) -> Iterator[RecordChange]:
    """Records by their page; of the fields, those that are matched and hold other values."""
    for name, one in before.items():
        now: dict[str, list[dict[str, Any]]] = {}
        known: set[str] = set()
        for pair in (pair for pair in found if pair.old == name):
            places = {each.new: each.old for each in pair.pairs}
            names = {match.new: match.old for match in fields[pair.new] if match.old and match.new}
            known |= set(names.values())
            for place, lines in after[pair.new].records.items():
                now[places.get(place, place)] = [
                    _translated(line, names, after[pair.new].wrapper.rows) for line in lines
                ]
        was = {
            place: [_only(line, known, one.wrapper.rows) for line in lines]
            for place, lines in one.records.items()
        }
        old_table = [{"_url": place, **line} for place, lines in was.items() for line in lines]
        new_table = [{"_url": place, **line} for place, lines in now.items() for line in lines]
        for change in record_changes({name: old_table}, {name: new_table}):
            if change.change != "changed" or not _is_same(change.old, change.new):
                yield change


def _is_same(old: object, new: object) -> bool:
    ours, theirs = (
        [value_key(one) for one in (value if isinstance(value, list) else [value])]
        for value in (old, new)
    )
    return ours == theirs


def _translated(
    line: Mapping[str, Any], names: Mapping[str, str], rows: str | None
) -> dict[str, Any]:
    """A record of the new side under the old names of its fields; record sets are left out."""
    found: dict[str, Any] = {}
    for name, value in line.items():
        old = names.get(name) or names.get(f"{rows}.{name}")
        if old is not None:
            found[old.rpartition(".")[2]] = value
    return found


def _only(line: Mapping[str, Any], known: set[str], rows: str | None) -> dict[str, Any]:
    return {
        name: value for name, value in line.items() if name in known or f"{rows}.{name}" in known
    }


def _same_pages(old: Mapping[str, ClassColumns], new: Mapping[str, ClassColumns]) -> float:
    """The share of the pages of the smaller side that say what one page of the other says."""
    ours = {place for one in old.values() for place in one.pages}
    theirs = {place for one in new.values() for place in one.pages}
    pairs = _moved_pages(old, new, ours, theirs, current().change.min_same_share)
    return len(pairs) / max(1, min(len(ours), len(theirs)))


# Pages: by their address, else by values that few pages have.


def pair_pages(old: Mapping[str, ClassColumns], new: Mapping[str, ClassColumns]) -> list[PlacePair]:
    """Pair the pages of two projects, each at most once."""
    ours = {place for one in old.values() for place in one.pages}
    theirs = {place for one in new.values() for place in one.pages}
    shared = sorted(ours & theirs)
    moved = _moved_pages(old, new, ours - theirs, theirs - ours)
    believed = _believed(moved, old, new)
    return [*(PlacePair(place, place) for place in shared), *believed]


def _believed(
    pairs: Sequence[PlacePair], old: Mapping[str, ClassColumns], new: Mapping[str, ClassColumns]
) -> Iterator[PlacePair]:
    """Pairs of classes whose pages mostly have a partner: a few values meet by accident."""
    settings = current().change
    of_old = {place: one.name for one in old.values() for place in one.pages}
    of_new = {place: one.name for one in new.values() for place in one.pages}
    known = {place for one in old.values() for place in one.pages}
    known &= {place for one in new.values() for place in one.pages}
    common: dict[tuple[str, str], list[PlacePair]] = defaultdict(list)
    for pair in pairs:
        common[of_old[pair.old], of_new[pair.new]].append(pair)
    for (mine, theirs), own in common.items():
        left = [sum(place not in known for place in old[mine].pages)]
        left.append(sum(place not in known for place in new[theirs].pages))
        alike = len(own) >= settings.min_believed_pairs or settings.max_size_ratio * min(
            left
        ) >= max(left)
        if alike and len(own) >= settings.min_paired_share * min(left):
            yield from own


def _moved_pages(
    old: Mapping[str, ClassColumns],
    new: Mapping[str, ClassColumns],
    ours: set[str],
    theirs: set[str],
    least: float = 0.01,
) -> list[PlacePair]:
    """Pages whose telling values stand on one page of the other side, and on no other."""
    mine, others = _telling_values(old, ours), _telling_values(new, theirs)
    owners: dict[str, list[str]] = defaultdict(list)
    for place, keys in others.items():
        for key in keys:
            owners[key].append(place)
    best = {}
    for place, keys in mine.items():
        if (found := _best_owner(keys, owners)) is not None:
            best[place] = found
    claimed: dict[str, tuple[float, str]] = {}
    for place, (score, owner) in sorted(best.items()):
        if owner not in claimed or score > claimed[owner][0]:
            claimed[owner] = score, place
    moved = [PlacePair(place, owner) for owner, (_, place) in sorted(claimed.items())]
    return [pair for pair in moved if _shared_share(mine[pair.old], others[pair.new]) >= least]


def _shared_share(mine: set[str], theirs: set[str]) -> float:
    """The share of the values of two pages that both have; one value alone is no evidence."""
    both = len(mine & theirs)
    share = both / min(len(mine), len(theirs))
    return share if both > 1 or share >= 0.5 else 0.0


def _best_owner(
    keys: Iterable[str], owners: Mapping[str, Sequence[str]]
) -> tuple[float, str] | None:
    """The page that has the most of these values, if it has far more than any other."""
    scores: dict[str, float] = defaultdict(float)
    for key in keys:
        for owner in owners.get(key, ()):
            scores[owner] += 1 / len(owners[key])
    ranked = sorted(((score, owner) for owner, score in scores.items()), reverse=True)[:2]
    margin = current().change.pair_margin
    if not ranked or (len(ranked) > 1 and ranked[0][0] <= margin * ranked[1][0]):
        return None
    return ranked[0]


def _telling_values(classes: Mapping[str, ClassColumns], places: set[str]) -> dict[str, set[str]]:
    """For each page the values that few pages have, long enough to be no accident."""
    settings = current().change
    held: dict[str, set[str]] = defaultdict(set)
    counts: Counter[str] = Counter()
    for one in classes.values():
        for column in one.columns:
            for place, keys in column.values.items():
                if place in places:
                    long = (key for key in keys if len(key) >= settings.min_telling_length)
                    # Dates and numbers meet by accident.
                    held[place].update(key for key in long if any(map(str.isalpha, key)))
    for telling in held.values():
        counts.update(telling)
    return {
        place: {key for key in telling if counts[key] <= settings.max_telling_pages}
        for place, telling in held.items()
    }


# Classes: by their pages, else by what their fields are like.


class ClassPair(NamedTuple):
    """A part of an old class, in the new project."""

    old: str
    new: str
    pairs: tuple[PlacePair, ...]
    matched_by: MatchedBy
    score: float
    recognised: float = 0.0
    """The share of the pages of the new class that the old model takes for this class."""


Recognised: TypeAlias = "Mapping[str, Mapping[str, float]]"
"""For new classes the shares of their pages that the old model takes for pages of its classes."""


def pair_classes(
    old: Mapping[str, ClassColumns],
    new: Mapping[str, ClassColumns],
    pairs: Sequence[PlacePair],
    recognised: Recognised = MappingProxyType({}),
) -> list[ClassPair]:
    """For each new class the old one that most of its known pages were of; the rest by form."""
    of_old = {place: one.name for one in old.values() for place in one.pages}
    of_new = {place: one.name for one in new.values() for place in one.pages}
    common: dict[tuple[str, str], list[PlacePair]] = defaultdict(list)
    for pair in pairs:
        common[of_old[pair.old], of_new[pair.new]].append(pair)
    found: list[ClassPair] = []
    for name in new:
        votes = [(len(own), mine) for (mine, theirs), own in common.items() if theirs == name]
        if votes:
            count, mine = max(votes, key=lambda vote: (vote[0], vote[1]))
            share = count / sum(one for one, _ in votes)
            own = tuple(common[mine, name])
            found.append(ClassPair(mine, name, own, MatchedBy.PAGES, share))
    found += _paired_by_form(old, new, found, recognised)
    known = {pair.new for pair in found}
    for name, shares in recognised.items():  # further parts of a class
        best, share = max(shares.items(), key=lambda one: (one[1], one[0]), default=("", 0.0))
        if best in old and name not in known and share >= current().change.min_recognised:
            found.append(ClassPair(best, name, (), MatchedBy.MODEL, share))
    return [
        pair._replace(recognised=recognised.get(pair.new, {}).get(pair.old, 0.0)) for pair in found
    ]


def _paired_by_form(
    old: Mapping[str, ClassColumns],
    new: Mapping[str, ClassColumns],
    known: Sequence[ClassPair],
    recognised: Recognised,
) -> Iterator[ClassPair]:
    settings = current().change
    ours = [name for name in old if name not in {pair.old for pair in known}]
    theirs = [name for name in new if name not in {pair.new for pair in known}]
    if not ours or not theirs:
        return
    total_old = max(1, sum(len(one.pages) for one in old.values()))
    total_new = max(1, sum(len(one.pages) for one in new.values()))
    scores = np.zeros((len(ours), len(theirs)))
    for row, mine in enumerate(ours):
        for column, other in enumerate(theirs):
            size, other_size = len(old[mine].pages) / total_old, len(new[other].pages) / total_new
            alike = min(size, other_size) / max(size, other_size, 1e-9)
            fields = class_form(old[mine], new[other])
            scores[row, column] = (
                settings.class_fields_weight * fields
                + settings.class_size_weight * alike
                + settings.class_name_weight * (mine == other)
                + settings.class_url_weight * url_form(old[mine], new[other])
            )
            share = recognised.get(other, {}).get(mine, 0.0)
            scores[row, column] += settings.class_model_weight * share
    for row, column in assign(scores):
        if scores[row, column] >= settings.min_class_form:
            by = MatchedBy.FORM
            yield ClassPair(ours[row], theirs[column], (), by, float(scores[row, column]))


def class_form(old: ClassColumns, new: ClassColumns) -> float:
    """How alike the fields of two classes are: the mean over the old fields of their best."""
    weights = total = 0.0
    for one in old.columns:
        if one.record_set or not one.values:
            continue
        weight = one.profile.coverage
        best = max((form_score(one, other) for other in new.columns if other.values), default=0.0)
        total += weight * best
        weights += weight
    return total / weights if weights else 0.0


def url_form(old: ClassColumns, new: ClassColumns) -> float:
    """The share of the pages of a class whose URLs look like those of another class.

    A pattern that pages of other classes match, too, says less.
    """
    if not new.pages:
        return 0.0
    pattern = re.compile(old.url_pattern)
    matching = sum(pattern.fullmatch(place) is not None for place in new.full_places)
    return old.url_precision * matching / len(new.pages)


# Fields: one to one.


def match_fields(
    old: ClassColumns, new: ClassColumns, pairs: Sequence[PlacePair]
) -> list[FieldMatch]:
    """Match the fields of two classes; a field without a partner is lost, or new."""
    scored = _Scores(old, new, pairs)
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


class _Scores:
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
            if not self.has_pairs:  # columns that say the same are equally right
                twin = others[place]
                other_scores = [
                    scores[row, turn]
                    for turn, other in enumerate(others)
                    if turn != place and not _says_the_same(twin, other)
                ]
                runner = float(max(other_scores, default=0.0))
            gap = round(match.score - runner, 4)
            match = replace(match, gap=gap, runner_up=name)
            if match.score < self.gate():
                yield self.lost(one, match)
            elif not self.has_pairs and match.gap < settings.min_form_gap:
                yield self.lost(one, match, "another field fits as well")
            else:
                yield match

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


def _matched_sets(scored: _Scores) -> list[tuple[str, str]]:
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


def assign(scores: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Pair rows with columns, each at most once, so that the sum of the scores is highest.

    The Hungarian method with potentials (Kuhn 1955; Jonker and Volgenant 1987). Pairs with a score
    of 0 are left out.
    """
    rows, columns = scores.shape
    if rows > columns:
        return sorted((row, column) for column, row in assign(scores.T))
    costs = scores.max(initial=0.0) - scores
    row_cost, column_cost = np.zeros(rows + 1), np.zeros(columns + 1)
    owner = np.zeros(columns + 1, dtype=np.int64)
    way = np.zeros(columns + 1, dtype=np.int64)
    for row in range(1, rows + 1):
        owner[0], at = row, 0
        least = np.full(columns + 1, np.inf)
        done = np.zeros(columns + 1, dtype=bool)
        while True:
            done[at] = True
            current_row = owner[at]
            reduced = costs[current_row - 1] - row_cost[current_row] - column_cost[1:]
            better = ~done[1:] & (reduced < least[1:])
            least[1:][better] = reduced[better]
            way[1:][better] = at
            open_costs = np.where(done, np.inf, least)
            open_costs[0] = np.inf
            following = int(open_costs.argmin())
            delta = open_costs[following]
            row_cost[owner[done]] += delta
            column_cost[done] -= delta
            least[~done] -= delta
            at = following
            if owner[at] == 0:
                break
        while at:
            before = int(way[at])
            owner[at] = owner[before]
            at = before
    return sorted(
        (int(owner[column]) - 1, column - 1)
        for column in range(1, columns + 1)
        if owner[column] and scores[owner[column] - 1, column - 1] > 0
    )
