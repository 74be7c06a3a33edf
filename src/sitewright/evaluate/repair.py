"""Change over time on pairs of one site at two dates: what `check` finds, and what `repair` keeps.

A pair is a folder with `before/`, `after/`, `pair.json` and `truth.tsv` (old path, new path, field,
value). The project is learnt on `before`; `after` is checked and repaired. Only fields that were
learnt before count (F1 of at least 0.8), on the pages and fields that have truth. Three settings:

- `shared`: the pages as they are.
- `moved`: every page of `after` at another address.
- `disjoint`: no page is on both sides, but for the home page.
"""

from __future__ import annotations

import json
import re
import shutil
import zlib
from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from sitewright.change.columns import project_columns
from sitewright.change.repairing import repair_learnt
from sitewright.errors import UnreadableInput
from sitewright.evaluate.adaptive_selectors import relocated_values
from sitewright.evaluate.run_tables import RunTables, comparable, page_f, recall
from sitewright.evaluate.stability import ColumnStability, project_stability
from sitewright.event_loop import run_async
from sitewright.project import Project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sitewright.change.columns import ClassColumns
    from sitewright.change.repairing import RepairReport
    from sitewright.evaluate.run_tables import PageValues


LEARNT = 0.8
"""Fields that the tables of `before` hold so well are those that can be lost."""
_ROOTED = re.compile(rb"""((?:href|src|action)\s*=\s*["']?)/(?!/)""", re.IGNORECASE)
_MOVED = "archive-of-pages"
_PAGES = frozenset({".html", ".htm"})


class RepairSetting(StrEnum):
    """What the two sides have in common."""

    SHARED = "shared"
    MOVED = "moved"
    DISJOINT = "disjoint"


@dataclass(frozen=True, slots=True)
class SitePair:
    """One site at two dates."""

    name: str
    folder: Path
    kind: str
    """redesign, minor or quiet."""
    classes: Mapping[str, str]
    """The class of the old pages."""
    truth: Sequence[tuple[str, str, str, str]]
    """Old path, new path, field, value."""


def read_pairs(folder: Path) -> list[SitePair]:
    """The pairs of a folder, by name."""
    found = [_pair(file.parent) for file in sorted(folder.glob("**/pair.json"))]
    if not found:
        raise UnreadableInput(str(folder), "no pairs of a site at two dates (pair.json) in it")
    return found


def _pair(folder: Path) -> SitePair:
    try:
        kind = json.loads((folder / "pair.json").read_bytes())["kind"]
        classes = {row[0]: row[2] for row in _rows(folder / "classes.tsv")}
        truth = [(row[0], row[1], row[2], row[3]) for row in _rows(folder / "truth.tsv")]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise UnreadableInput(str(folder), f"not a pair of a site at two dates: {error}") from None
    return SitePair(folder.name, folder, str(kind), classes, truth)


def _rows(file: Path) -> Iterator[list[str]]:
    for line in file.read_text(encoding="utf-8").split("\n"):
        if line:
            yield line.split("\t")


# The three settings: copies of the two sides.


@dataclass(frozen=True, slots=True)
class _Sides:
    before: Path
    after: Path
    truth: Sequence[tuple[str, str, str, str]]


def _sides(pair: SitePair, setting: RepairSetting, folder: Path) -> _Sides:
    before, after = pair.folder / "before", pair.folder / "after"
    match setting:
        case RepairSetting.SHARED:
            return _Sides(before, after, pair.truth)
        case RepairSetting.MOVED:
            moved = folder / "moved"
            _copy_moved(after, moved)
            truth = [(old, f"{_MOVED}/{new}", *rest) for old, new, *rest in pair.truth]
            return _Sides(before, moved, [(a, b, c, d) for a, b, c, d in truth])
        case RepairSetting.DISJOINT:
            places: dict[str, str] = {new: old for old, new, _, _ in pair.truth}
            _copy_some(before, folder / "even", _is_even)
            _copy_some(after, folder / "odd", lambda path: not _is_even(places.get(path) or path))
            return _Sides(folder / "even", folder / "odd", pair.truth)


def _is_even(path: str) -> bool:
    return zlib.crc32(path.encode()) % 2 == 0


def _copy_moved(source: Path, target: Path) -> None:
    """Copy a site into a folder of its own; links from its root lead into that folder."""
    for file in sorted(source.rglob("*")):
        if file.is_file():
            place = target / _MOVED / file.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            content = file.read_bytes()
            place.write_bytes(_ROOTED.sub(rb"\1/" + _MOVED.encode() + b"/", content))
    home = target / _MOVED / "index.html"
    if home.is_file():
        start = f'<meta http-equiv="refresh" content="0; url={_MOVED}/index.html">'
        (target / "index.html").write_text(start)


def _copy_some(source: Path, target: Path, keeps: Callable[[str], bool]) -> None:
    for file in sorted(source.rglob("*")):
        path = file.relative_to(source).as_posix()
        if file.is_file() and (path == "index.html" or keeps(path)):
            place = target / path
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, place)


# Scores.


@dataclass(frozen=True, slots=True)
class FieldOutcome:
    """What became of one labelled field."""

    page_class: str
    field: str
    column: str
    """The class and the column that held it before."""
    right: int
    wrong: int
    missing: int
    is_said: bool
    """Whether it was reported as lost, or the site as changed."""

    @property
    def precision(self) -> float:
        """Of the values that there are, those that are right."""
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """Of all true values, those that are right."""
        return self.right / max(1, self.right + self.wrong + self.missing)

    @property
    def is_silent(self) -> bool:
        """Whether under half of its values are right, and nobody was told."""
        return self.recall < 0.5 and not self.is_said


@dataclass(frozen=True, slots=True)
class _LearntField:
    page_class: str
    field: str
    owner: str
    column: str
    is_list: bool
    before: PageValues
    """The true values, by old page."""
    after: PageValues
    """The same by new page."""


def _learnt_fields(pair: SitePair, sides: _Sides, tables: RunTables) -> list[_LearntField]:
    """The labelled fields that some column of the old project holds."""
    before: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    after: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for old, new, name, value in sides.truth:
        key = pair.classes.get(old, ""), name
        if key[0]:
            if (sides.before / old).is_file():
                before[key][old].add(comparable(value))
            if (sides.after / new).is_file():
                after[key][new].add(comparable(value))
    found = []
    for key in sorted(before.keys() & after.keys()):
        is_list = any(len(values) > 1 for values in before[key].values())
        best, place = _best_column(before[key], tables, is_list=is_list)
        if best >= LEARNT:
            found.append(_LearntField(*key, *place, is_list, before[key], after[key]))
    return found


def _best_column(
    truth: PageValues, tables: RunTables, *, is_list: bool
) -> tuple[float, tuple[str, str]]:
    """The column of one class that holds a field best; of a list, the share that it holds.

    A record set holds all that its columns do: the column is meant.
    """
    best, place = 0.0, ("", "")
    for (owner, column), values in tables.columns.items():
        if owner:
            score = recall(truth, values) if is_list else page_f(truth, values)
            if score > best or (score == best and column.startswith(f"{place[1]}.")):
                best, place = score, (owner, column)
    return best, place


def _outcome(
    one: _LearntField, tables: RunTables, classes: Sequence[str], *, is_said: bool
) -> FieldOutcome:
    held: dict[str, set[str]] = defaultdict(set)
    for name in classes:
        for page, values in tables.columns.get((name, one.column), {}).items():
            held[page] |= values
    return _counted(one, one.after, held, is_said=is_said)


def _rival_outcome(one: _LearntField, sides: _Sides) -> FieldOutcome | None:
    """What Scrapling makes of a field; where it finds no element, it says so."""
    old, new = one.before, one.after
    held = relocated_values(sides.before, old, sides.after, new, is_list=one.is_list)
    if held is None:
        return None
    is_said = 2 * sum(not values for values in held.values()) > len(held)
    return _counted(one, {page: new[page] for page in held}, held, is_said=is_said)


def _counted(
    one: _LearntField, truth: PageValues, held: PageValues, *, is_said: bool
) -> FieldOutcome:
    right = wrong = missing = 0
    for page, true in truth.items():
        values = held.get(page, set())
        hits = sum(_is_there(value, values) for value in true)
        if one.is_list:
            right += hits
            rest = len(true) - hits
            wrong += rest if values and not hits else 0
            missing += 0 if values and not hits else rest
        else:
            right += bool(hits)
            wrong += not hits and bool(values)
            missing += not values
    column = f"{one.owner}.{one.column}"
    return FieldOutcome(one.page_class, one.field, column, right, wrong, missing, is_said)


_PARTED = re.compile(r",| and | / ")


def _is_there(value: str, values: set[str]) -> bool:
    if value in values:
        return True
    parts = {part.strip(" ,;|/\"'") for part in _PARTED.split(value)} - {""}
    return len(parts) > 1 and parts <= values


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """What check and repair make of one pair."""

    name: str
    kind: str
    setting: RepairSetting
    is_found: bool
    """Whether check gave an alarm."""
    is_found_by_extract: bool
    pages: int
    """Pages that check asked for."""
    most_pages: int
    """The most of one class."""
    fields: tuple[FieldOutcome, ...]
    as_is: tuple[FieldOutcome, ...]
    """The same with the old wrappers."""
    rival: tuple[FieldOutcome, ...] = ()
    """The same with Scrapling's adaptive selectors, if they were asked for."""
    fresh: ColumnStability | None = None
    """How many of the old columns a new run of the new side has, too."""
    again: ColumnStability | None = None
    """The same of a run into the folder of the old project."""

    def scores(self) -> dict[str, Any]:
        """The numbers of one pair, flat."""
        return {
            "pair": self.name,
            "kind": self.kind,
            "setting": str(self.setting),
            "alarm": self.is_found,
            "alarm_extract": self.is_found_by_extract,
            "pages_checked": self.pages,
            "most_pages_of_class": self.most_pages,
            "fields": len(self.fields),
            **_rates(self.fields, ""),
            **_rates(self.as_is, "as_is_"),
            **_rates(self.rival, "scrapling_"),
            **_same_columns([self]),
        }


def _same_columns(outcomes: Sequence[PairOutcome]) -> dict[str, float]:
    """The shares of the columns that came back where no redesign was, every column counted once."""
    quiet = [one for one in outcomes if one.kind != "redesign"]
    found: dict[str, float] = {}
    fresh = sum((one.fresh for one in quiet if one.fresh is not None), ColumnStability())
    again = sum((one.again for one in quiet if one.again is not None), ColumnStability())
    if fresh.columns:
        found |= {"same_columns": fresh.share, "same_values": fresh.share_of_values}
    if again.columns:
        found |= {"same_columns_again": again.share, "columns_more": again.new - again.columns}
    return found


def _rates(fields: Sequence[FieldOutcome], prefix: str) -> dict[str, Any]:
    if not fields:
        return {}
    right = sum(one.right for one in fields)
    wrong = sum(one.wrong for one in fields)
    missing = sum(one.missing for one in fields)
    found = [one for one in fields if one.right + one.wrong]
    return {
        f"{prefix}precision": fmean(one.precision for one in found) if found else 1.0,
        f"{prefix}recall": fmean(one.recall for one in fields),
        f"{prefix}precision_values": right / max(1, right + wrong),
        f"{prefix}recall_values": right / max(1, right + wrong + missing),
        f"{prefix}lost_and_said": sum(one.is_said and one.recall < 0.5 for one in fields),
        f"{prefix}silent": sum(one.is_silent for one in fields),
    }


def totals(outcomes: Sequence[PairOutcome]) -> dict[str, Any]:
    """The numbers over all pairs of one setting, every field counted once."""
    redesigns = [one for one in outcomes if one.kind == "redesign"]
    controls = [one for one in outcomes if one.kind != "redesign"]
    fields = [field for one in redesigns for field in one.fields]
    as_is = [field for one in redesigns for field in one.as_is]
    rival = [field for one in redesigns for field in one.rival]
    quiet = [field for one in controls for field in one.fields]
    return {
        "redesigns": len(redesigns),
        "redesigns_found": sum(one.is_found for one in redesigns),
        "controls": len(controls),
        "false_alarms": sum(one.is_found for one in controls),
        "most_pages_of_class": max((one.most_pages for one in outcomes), default=0),
        "fields": len(fields),
        **_rates(fields, ""),
        **_rates(as_is, "as_is_"),
        **_rates(rival, "scrapling_"),
        **_rates(quiet, "quiet_"),
        **_same_columns(outcomes),
    }


def evaluate_pair(
    pair: SitePair,
    setting: RepairSetting = RepairSetting.SHARED,
    *,
    keep: Path | None = None,
    with_rival: bool = False,
) -> PairOutcome:
    """Learn the old side of a pair, check and repair it on the new one.

    `with_rival`: Scrapling's adaptive selectors are tried on the same fields.
    """
    with TemporaryDirectory(prefix="sitewright-") as temporary:
        folder = Path(temporary) if keep is None else keep / f"{pair.name}-{setting}"
        folder.mkdir(parents=True, exist_ok=True)
        sides = _sides(pair, setting, folder / "sides")
        old = Project(folder / "old", sides.before)
        old.run(workers=1)
        learnt = _learnt_fields(pair, sides, RunTables.of(old.path))
        checked = Project(folder / "old", sides.after).check()
        new = Project(folder / "new", sides.after)
        new.run(workers=1)
        fresh = project_columns(new)
        report = run_async(repair_learnt(old, new, workers=1))
        tables = RunTables.of(new.path)
        reported = _reported(report)
        fields = [
            _outcome(
                one,
                tables,
                _classes(report, one.owner),
                is_said=(one.owner, one.column) in reported,
            )
            for one in learnt
        ]
        shutil.copytree(old.path, folder / "stale", dirs_exist_ok=True)
        summary = Project(folder / "stale", sides.after).extract(workers=1)
        stale = RunTables.of(folder / "stale")
        is_quiet = setting is RepairSetting.SHARED and pair.kind != "redesign"
        stable = _stabilities(folder, sides.after, fresh) if is_quiet else (None, None)
        as_is = [_outcome(one, stale, [one.owner], is_said=summary.has_changed) for one in learnt]
        tried = [_rival_outcome(one, sides) for one in learnt] if with_rival else []
        rival = [one for one in tried if one is not None]
    return PairOutcome(
        pair.name,
        pair.kind,
        setting,
        not checked.fits,
        summary.has_changed,
        checked.pages,
        max((one.asked for one in checked.classes), default=0),
        tuple(fields),
        tuple(as_is),
        tuple(rival),
        *stable,
    )


def _stabilities(
    folder: Path, after: Path, fresh: Mapping[str, ClassColumns]
) -> tuple[ColumnStability, ColumnStability]:
    """What the old wrappers read, against a new run, and one into a folder that has them."""
    before = project_columns(Project(folder / "stale"))
    shutil.copytree(folder / "old", folder / "again", dirs_exist_ok=True)
    again = Project(folder / "again", after)
    again.run(workers=1)
    now = project_columns(again)
    return project_stability(before, fresh), project_stability(before, now)


def _reported(report: RepairReport) -> set[tuple[str, str]]:
    """The columns that were reported as lost, under the names that they have in tables."""
    reported = set()
    for one in report.classes:
        kept: dict[str, int] = defaultdict(int)
        for each in one.fields:
            record_set, _, name = each.field.rpartition(".")
            kept[record_set] += each.found
            if not each.found:
                names = (each.field, name) if record_set == one.rows else (each.field,)
                reported |= {
                    (one.page_class, f"{own}{end}") for own in names for end in ("", "_raw")
                }
        reported |= {
            (one.page_class, record_set) for record_set, count in kept.items() if not count
        }
    return reported


def _classes(report: RepairReport, name: str) -> Sequence[str]:
    return next((one.now for one in report.classes if one.page_class == name), ())
