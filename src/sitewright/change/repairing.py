"""A new project with the old names: what was learnt of a site, carried over a redesign.

The new site is learnt from its pages alone; then its classes and fields get the names and types of
the old ones that they turn out to be (`comparison`). A field that no new column holds is looked for
in the new pages by its old values, page by page, as a person's examples would be. Whatever is found
is read again from pages and compared with the old values before it is believed; what is not found,
or not believed, is lost, and said so.
"""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from sitewright import formats
from sitewright.change.class_pairs import ClassPair, merged_classes, pair_classes
from sitewright.change.class_repair import ClassRepair, RepairedField
from sitewright.change.columns import ClassColumns, project_columns
from sitewright.change.comparison import ClassFate, class_fate
from sitewright.change.page_pairs import PlacePair, pair_pages
from sitewright.change.two_sides import TwoSides
from sitewright.classes.features import evenly
from sitewright.edits.edit import EDITS_FILE, DropField, read_edits, write_edits
from sitewright.errors import InvalidInput
from sitewright.methods import documents_of, site_classifier
from sitewright.settings import current
from sitewright.site import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitewright.change.class_repair import RepairedPart
    from sitewright.classes import SiteModel
    from sitewright.export.results import ProjectResults
    from sitewright.project import Project
    from sitewright.wrapper import Field, Wrapper


REPAIR = "repair.json"


@dataclass(frozen=True, slots=True)
class RepairedClass:
    """A class of the old project, and what became of it."""

    page_class: str
    fate: ClassFate
    now: tuple[str, ...]
    """The classes of the new project, the first under the old name."""
    was_named: tuple[str, ...]
    """What these would have been called without the old project."""
    matched_by: str
    pages: int
    """Pages that both projects have."""
    fields: tuple[RepairedField, ...]
    new_fields: tuple[str, ...] = ()
    """Fields that the old project did not have."""
    rows: str | None = None
    """The record set whose rows are the records of the class, if it is a list."""


@dataclass(frozen=True, slots=True)
class RepairReport:
    """What became of all classes and fields: repair.json."""

    FORMAT: ClassVar[str] = "sitewright-repair"
    old: str
    """The folder of the old project."""
    site: str
    classes: tuple[RepairedClass, ...]
    new_classes: tuple[str, ...] = ()
    """Classes that the old project did not have."""

    def lost(self) -> Iterator[tuple[str, RepairedField]]:
        """The fields that could not be repaired, each with its class."""
        for one in self.classes:
            for each in one.fields:
                if not each.found:
                    yield one.page_class, each

    @property
    def is_whole(self) -> bool:
        """Whether every field that most pages had was found."""
        least = current().change.min_alarm_coverage
        return not any(each.coverage >= least for _, each in self.lost())

    def summary(self) -> dict[str, Any]:
        """The numbers."""
        fields = [each for one in self.classes for each in one.fields]
        gone = [one.page_class for one in self.classes if one.fate is ClassFate.GONE]
        return {
            "is_whole": self.is_whole,
            "classes_gone": gone,
            "fields_found": sum(one.found for one in fields),
            "fields_lost": sum(not one.found for one in fields),
        }


async def repair_project(
    old: ProjectResults, new: Project, *, pages: int, workers: int | None = None
) -> RepairReport:
    """Learn the site of `new` and give its classes and fields the names that `old` has."""
    await new.arun(pages=pages, workers=workers)
    return await repair_learnt(old, new, workers=workers)


async def repair_learnt(
    old: ProjectResults, new: Project, *, workers: int | None = None
) -> RepairReport:
    """The same where the site of `new` was learnt already."""
    plan = await plan_repair(old, new)
    await new.arewrite(plan.model, plan.wrappers, workers=workers)
    formats.write(new.path / REPAIR, plan.report, model=formats.identity(plan.model))
    return plan.report


@dataclass(frozen=True, slots=True)
class RepairPlan:
    """The new model and its wrappers under the old names, and what became of what."""

    model: SiteModel
    wrappers: Mapping[str, Wrapper]
    report: RepairReport


async def plan_repair(old: ProjectResults, new: Project) -> RepairPlan:
    """Find out what became of the classes and fields of a project in a new one."""
    before, after = project_columns(old), project_columns(new)
    pairs = pair_pages(before, after)
    found = pair_classes(before, after, pairs, await _recognised(old, new, after, pairs))
    names = new_names(found, list(before), list(after))
    found += merged_classes(before, after, pairs, found)
    parts: dict[tuple[str, str], RepairedPart] = {}
    async with new.opened_site() as site:
        mains: dict[str, Wrapper] = {}
        for pair in sorted(found, key=lambda one: (names[one.new] != one.old, one.new)):
            documents = await documents_of(new.model.by_name(pair.new), site)
            sides = TwoSides(before[pair.old], after[pair.new], pair, documents, new.model.home)
            one = ClassRepair(sides)
            parts[pair.old, pair.new] = one.repaired(mains.get(pair.old))
            mains.setdefault(pair.old, parts[pair.old, pair.new].wrapper)
    learnt = dict(new.wrappers)
    for pair in sorted(found, key=lambda one: one.is_merged):
        part = parts[pair.old, pair.new]
        if pair.is_merged:
            required = before[pair.old].wrapper.required
            learnt[pair.new], part = with_merged(learnt[pair.new], part, required)
            parts[pair.old, pair.new] = part
        else:
            learnt[pair.new] = part.wrapper
    wrappers = {}
    dropped = {
        (edit.page_class, edit.field)
        for edit in read_edits(old.path / EDITS_FILE)
        if isinstance(edit, DropField) and not edit.records
    }
    for name, repaired in learnt.items():
        # What a person took away is not brought back.
        left = [one for one in repaired.fields if (names[name], one.name) not in dropped]
        wrappers[names[name]] = with_targets(replace(repaired, fields=tuple(left)), names)
    report = RepairReport(
        old=old.path.as_posix(),
        site=new.model.home,
        classes=tuple(_class_report(one, found, parts, names) for one in before.values()),
        new_classes=tuple(
            names[name] for name in after if name not in {pair.new for pair in found}
        ),
    )
    return RepairPlan(renamed_model(new.model, names), wrappers, report)


def with_merged(
    wrapper: Wrapper, part: RepairedPart, required: Sequence[str]
) -> tuple[Wrapper, RepairedPart]:
    """The wrapper of a class with the fields of one that was merged into it, under free names.

    Of a page of either no more is expected than what the pages of both had.
    """
    taken = {name for one in wrapper.all_fields() for name in one.columns()}
    taken |= {one.name for one in wrapper.record_sets}
    rules = {one.name: one.rule for one in wrapper.fields}
    found = {one.field for one in part.fields if one.found}
    added = [
        one
        for one in part.wrapper.fields
        if one.name in found and taken.isdisjoint(one.columns()) and one.name not in part.new_fields
    ]
    read = {one.name for one in added}
    read |= {one.name for one in part.wrapper.fields if rules.get(one.name) == one.rule}
    why = "merged into a class where its name is another field's"
    reports = [
        one if one.field in read or not one.found else replace(one, found=False, reason=why)
        for one in part.fields
    ]
    both = tuple(name for name in wrapper.required if name in required)
    whole = replace(wrapper, fields=(*wrapper.fields, *added), required=both)
    return whole, replace(part, fields=reports, new_fields=[])


async def _recognised(
    old: ProjectResults,
    new: Project,
    after: Mapping[str, ClassColumns],
    pairs: Sequence[PlacePair],
) -> dict[str, dict[str, float]]:
    """What the old model takes the pages of new classes for that no known page is in."""
    known = {pair.new for pair in pairs}
    classifier = site_classifier(old.model, new.model.home)
    found: dict[str, dict[str, float]] = {}
    async with new.opened_site() as site:
        for name, one in after.items():
            if len(known.intersection(one.pages)) < current().change.min_pairs:
                some = evenly(new.model.by_name(name).pages, current().change.recognised_pages)
                outcomes = [page for page in await site.fetch(some) if isinstance(page, Page)]
                classes = [classifier.classify(page.document()).page_class for page in outcomes]
                own = Counter(name for name in classes if name is not None)
                found[name] = {mine: count / len(classes) for mine, count in own.items()}
    return found


def new_names(found: Sequence[ClassPair], old: Sequence[str], new: Sequence[str]) -> dict[str, str]:
    """For each new class its name: that of the old class, for the largest part of it."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for name in old:
        parts = [pair for pair in found if pair.old == name]
        for pair in sorted(parts, key=lambda one: (-len(one.pairs), -one.score, one.new))[:1]:
            names[pair.new] = name
            taken.add(name)
    for pair in found:
        if pair.new not in names:
            names[pair.new] = _free(pair.old, taken | set(old))
            taken.add(names[pair.new])
    for name in new:
        if name not in names:
            names[name] = name if name not in taken | set(old) else _free(name, taken | set(old))
            taken.add(names[name])
    return names


def _free(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}"


def renamed_model(model: SiteModel, names: Mapping[str, str]) -> SiteModel:
    """A model with other names for its classes."""

    def now(name: str) -> str:
        return names.get(name, name)

    classes = tuple(
        replace(one, name=now(one.name), nearest=now(one.nearest) if one.nearest else None)
        for one in model.classes
    )
    links = tuple(
        replace(one, source=now(one.source), target=now(one.target)) for one in model.links
    )
    return replace(model, classes=classes, links=links)


def with_targets(wrapper: Wrapper, names: Mapping[str, str]) -> Wrapper:
    """A wrapper whose links lead to classes under their new names, to none that are no more."""

    def referring(one: Field) -> Field:
        target = names.get(one.references or "")
        return one if target == one.references else replace(one, references=target)

    return replace(
        wrapper,
        page_class=names.get(wrapper.page_class, wrapper.page_class),
        fields=tuple(map(referring, wrapper.fields)),
        record_sets=tuple(
            replace(one, fields=tuple(map(referring, one.fields))) for one in wrapper.record_sets
        ),
    )


def _class_report(
    old: ClassColumns,
    found: Sequence[ClassPair],
    parts: Mapping[tuple[str, str], RepairedPart],
    names: Mapping[str, str],
) -> RepairedClass:
    own = [pair for pair in found if pair.old == old.name]
    own.sort(key=lambda pair: (names[pair.new] != old.name, -len(pair.pairs), pair.new))
    if not own:
        why = "the class is gone: none of its pages was found, and none that look like them"
        fields = [
            RepairedField(one.name, False, one.field.rule.xpath, reason=why,
                          type_was=str(one.field.type.kind), coverage=one.field.coverage)
            for one in old.columns
        ]  # fmt: skip
        return RepairedClass(
            old.name, ClassFate.GONE, (), (), "", 0, tuple(fields), (), old.wrapper.rows
        )
    main = own[0]
    part = parts[old.name, main.new]
    return RepairedClass(
        old.name,
        class_fate(own, found),
        tuple(names[pair.new] for pair in own),
        tuple(pair.new for pair in own),
        str(main.matched_by),
        sum(len(pair.pairs) for pair in own),
        tuple(part.fields),
        tuple(part.new_fields),
        old.wrapper.rows,
    )


# The folder: complete or absent.


async def repair_into(  # noqa: PLR0913 - as the command has them
    old: Project,
    project: Callable[[Path], Project],
    target: Path,
    *,
    pages: int,
    workers: int | None = None,
    dry_run: bool = False,
) -> RepairReport:
    """Repair a project into a new folder.

    It is made under another name beside it, where an interrupted repair of a live site goes on with
    what was fetched, and takes its own name when all of it is there.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InvalidInput(str(target), "is there already; choose a new folder for the repair")
    made = target.parent / f".{target.name}.repair"
    new = project(made)
    report = await repair_project(old, new, pages=pages, workers=workers)
    if dry_run:
        shutil.rmtree(made, ignore_errors=True)
        return report
    edits = read_edits(old.path / EDITS_FILE)
    if edits:  # they belong to the site, not to one model
        write_edits(made / EDITS_FILE, edits)
    new.export("scrapy", force=True)
    if target.is_dir():
        target.rmdir()
    made.rename(target)
    return report
