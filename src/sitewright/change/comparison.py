"""Two projects compared: what became of classes, fields and records, and how far the change went.

Pages are paired first (`page_pairs`); pairs of pages make pairs of classes (`class_pairs`), and on
them fields are paired one to one (`field_matching`).
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from sitewright.change.class_pairs import merged_classes, pair_classes
from sitewright.change.columns import project_columns
from sitewright.change.field_matching import (  # the types of what is written are read when it is
    FieldMatch,
    MatchedBy,
    match_fields,
)
from sitewright.change.forms import selector_marks
from sitewright.change.page_pairs import pair_pages, same_pages
from sitewright.change.side_by_side import page_sides, side_by_side_page
from sitewright.event_loop import run_async
from sitewright.export.changes import record_changes
from sitewright.export.folder import MODEL
from sitewright.formats import plain
from sitewright.project import Project, load
from sitewright.settings import current
from sitewright.wrapper.values.sketch import value_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitewright.change.class_pairs import ClassPair
    from sitewright.change.columns import ClassColumns
    from sitewright.export.changes import RecordChange
    from sitewright.export.results import ProjectResults
    from sitewright.project_steps import PathLike, Progress, ProgressCallback


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


_LEVELS = tuple(ChangeLevel)
FieldMatches: TypeAlias = "Mapping[tuple[str, str], Sequence[FieldMatch]]"
"""By old and new class."""


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
    found += merged_classes(before, after, pairs, found)
    fields = {
        (pair.old, pair.new): match_fields(before[pair.old], after[pair.new], pair.pairs)
        for pair in found
    }
    classes = [*_old_classes(before, after, found, fields), *_new_classes(after, found)]
    changes = list(_record_changes(before, after, found, fields))
    if changes:
        classes = [_with_content(one, {change.page_class for change in changes}) for one in classes]
    shared = same_pages(before, after)
    marks = set(old.model.structure_columns), set(new.model.structure_columns)
    same_marks = len(marks[0] & marks[1]) / max(1, len(marks[0] | marks[1]))
    settings = current().change
    relation = SiteRelation.DIFFERENT
    if same_marks >= settings.min_theme_marks:
        relation = SiteRelation.THEME
    if shared >= settings.min_paired_share:
        relation = SiteRelation.REPLICA
    level = max((one.level for one in classes), key=_LEVELS.index, default=ChangeLevel.NONE)
    comparison = Comparison(
        old.path.as_posix(),
        new.path.as_posix(),
        level,
        tuple(classes),
        dict(Counter(change.change for change in changes)),
        relation,
        round(shared, 3),
        round(same_marks, 3),
    )
    return comparison, changes


def _old_classes(
    before: Mapping[str, ClassColumns],
    after: Mapping[str, ClassColumns],
    found: Sequence[ClassPair],
    fields: FieldMatches,
) -> Iterator[ClassMatch]:
    for name, one in before.items():
        own = [pair for pair in found if pair.old == name]
        own.sort(key=lambda pair: (-len(pair.pairs), pair.new))
        if not own:
            yield ClassMatch(ClassFate.GONE, name, (), level=ChangeLevel.CLASS_GONE)
            continue
        main = own[0]
        matches = fields[name, main.new]
        yield ClassMatch(
            class_fate(own, found),
            name,
            tuple(pair.new for pair in own),
            main.matched_by,
            sum(len(pair.pairs) for pair in own),
            tuple(matches),
            _level(one, after[main.new], matches),
        )


def class_fate(own: Sequence[ClassPair], found: Sequence[ClassPair]) -> ClassFate:
    """What became of a class, from its parts in the new project, the largest first."""
    if not own:
        return ClassFate.GONE
    if len(own) > 1:
        return ClassFate.SPLIT
    (main,) = own
    others = [pair for pair in found if pair.new == main.new and pair.old != main.old]
    # A class that a few pages of another came into is what it was.
    if main.is_merged or any(2 * len(pair.pairs) >= len(main.pairs) for pair in others):
        return ClassFate.MERGED
    is_moved = any(pair.old != pair.new for pair in main.pairs)
    return ClassFate.MOVED if is_moved else ClassFate.SAME


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
    fields: FieldMatches,
) -> Iterator[RecordChange]:
    """Records by their page; of the fields, those that are matched and hold other values."""
    owners = {each.new: pair.old for pair in found for each in pair.pairs}
    for name, one in before.items():
        if one.is_sketch or any(after[pair.new].is_sketch for pair in found if pair.old == name):
            continue  # without a table nobody can say what changed in it
        now: dict[str, list[dict[str, Any]]] = {}
        known: set[str] = set()
        for pair in (pair for pair in found if pair.old == name):
            places = {each.new: each.old for each in pair.pairs}
            names = {
                match.new: match.old for match in fields[name, pair.new] if match.old and match.new
            }
            known |= set(names.values())
            for place, lines in after[pair.new].records.items():
                if owners.get(place, None if pair.is_merged else name) != name:
                    continue  # of another class that became this one
                now[places.get(place, place)] = [
                    _translated(line, names, after[pair.new].wrapper.rows) for line in lines
                ]
        was = {
            place: [_only(line, known, one.wrapper.rows) for line in lines]
            for place, lines in one.records.items()
        }
        old_table = [{"_url": place, **line} for place, lines in was.items() for line in lines]
        new_table = [{"_url": place, **line} for place, lines in now.items() for line in lines]
        keys = {name: tuple(key for key in one.wrapper.key if key in _column_names(known))}
        for change in record_changes({name: old_table}, {name: new_table}, keys):
            if change.change != "changed" or not _is_same(change.old, change.new):
                yield change


def _column_names(names: Iterable[str]) -> set[str]:
    """The names of fields as the class's table has them."""
    return {name.rpartition(".")[2] for name in names}


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


def _show_nothing(_: Progress) -> None:
    """Show nothing."""


def diff(old: PathLike | Project, new: PathLike | Project) -> Comparison:
    """Say what is different between two projects, or between a project and a site.

    Each is a `Project` or the folder of one; `new` may be a URL, a folder of pages or an archive,
    which is learnt first, and of which nothing is kept.
    """
    return compared(old, new).comparison


class ComparedProjects(NamedTuple):
    """What `diff` finds out of two projects."""

    comparison: Comparison
    changes: list[RecordChange]
    page: str
    """Old and new side by side, for people; empty if it was not asked for."""


def compared(
    old: PathLike | Project,
    new: PathLike | Project,
    *,
    progress: ProgressCallback = _show_nothing,
    with_page: bool = False,
) -> ComparedProjects:
    """The same with every record that is new, changed or gone, and with a page for people."""
    first = old if isinstance(old, Project) else load(old)
    with TemporaryDirectory(prefix="sitewright-") as folder:
        if isinstance(new, Project):
            second = new
        elif (Path(os.fspath(new)) / MODEL).is_file():
            second = load(new)
        else:
            second = Project(folder, new, settings=first.settings, progress=progress)
            second.run()
        comparison, changes = comparison_with_changes(first, second)
        page = run_async(_page(first, second, comparison)) if with_page else ""
    return ComparedProjects(comparison, changes, page)


async def _page(old: Project, new: Project, comparison: Comparison) -> str:
    return side_by_side_page(comparison, await page_sides(old, new, comparison))
