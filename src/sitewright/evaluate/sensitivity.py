"""What each setting is worth: the scores of labelled sites with one setting changed at a time.

A case is one site and one measure; it has a score, and a digest of all that came out. A setting
that changes no digest, not even at its extremes, decides nothing on these sites.
"""

from __future__ import annotations

import ast
import asyncio
import json
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from math import ceil, floor
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from sitewright import formats
from sitewright import settings as settings_module
from sitewright.choices import Choice, Method
from sitewright.classes.features import evenly
from sitewright.crawl.waves import CrawlPlan
from sitewright.errors import InvalidInput, UnreadableInput
from sitewright.evaluate.classes import ClassSite, class_quality, class_sites
from sitewright.evaluate.extraction_truth import (
    ExtractionSite,
    best_fits,
    labelled_sites,
    record_columns,
)
from sitewright.evaluate.measures import f_star
from sitewright.evaluate.skeleton import SkeletonSite, tree_measures
from sitewright.evaluate.skeleton_truth import read_skeleton_truth
from sitewright.evaluate.template import TemplateSite, run_site, template_sites
from sitewright.methods import extract_skeleton
from sitewright.settings import Settings, current, setting_names, setting_type, using
from sitewright.wrapper import Extractor, Record, induce

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sitewright.evaluate.extraction_truth import Truth
    from sitewright.page import Document
    from sitewright.settings import SettingValue


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured."""

    sites: int | None = None
    """Of each folder, spread evenly; None for all."""
    learnt_from: int = 60
    """Pages of a class that its wrapper or template is learnt from."""
    visited: int = 300
    """Pages of a site that its classes or its skeleton are found from."""
    tested: int = 2000
    """Pages that are classified."""


FAST = Effort(sites=4, learnt_from=12, visited=100, tested=200)


class CaseResult(NamedTuple):
    """One site under some settings."""

    score: float
    columns: int
    """Of its tables; 0 where there are none."""
    digest: str
    """Of all that came out."""


class Change(NamedTuple):
    """A setting with another value."""

    setting: str
    label: str
    """What was done to it: -20%, +20%, lowest, highest."""
    value: SettingValue


def changes_of(name: str, *, with_extremes: bool = False) -> list[Change]:
    """The values that a setting is tried at; those that cannot be, or change nothing, are left out.

    A whole number moves by one at least.
    """
    usual, kind = Settings()[name], setting_type(name)
    if usual is None:
        return [Change(name, "1", Settings.of({name: 1})[name])]
    if usual == 0:
        return [Change(name, "0.5", Settings.of({name: 0.5})[name])]
    if isinstance(usual, Choice):
        return [Change(name, word, word) for word in type(usual) if word != usual]
    tried: dict[str, SettingValue] = {"-20%": _scaled(usual, 0.8), "+20%": _scaled(usual, 1.2)}
    if with_extremes:
        is_share = kind == "Share"
        tried |= {
            "lowest": 0.0 if is_share else _scaled(usual, 0.1),
            "highest": 1.0 if is_share else _scaled(usual, 10),
        }
    found = []
    for label, value in tried.items():
        try:
            changed = Settings.of({name: value})[name]
        except InvalidInput:
            changed = Settings.of({name: 1.0})[name] if kind == "Share" else usual
        if changed != usual:
            found.append(Change(name, label, changed))
    return found


def _scaled(value: float, factor: float) -> float:
    if isinstance(value, int):
        return ceil(value * factor) if factor > 1 else max(1, floor(value * factor))
    return value * factor


# The cases: one site and one measure, with the settings that it is for.


@dataclass(frozen=True, slots=True)
class ExtractionMeasure:
    """Best column of each attribute, and the columns of the table."""

    site: ExtractionSite
    pages: int
    prefixes: tuple[str, ...] = ("wrapper", "extraction")

    @property
    def name(self) -> str:
        """That of the site."""
        return self.site.name

    def prepared(self) -> Callable[[], CaseResult]:
        """Parse the pages; what is returned scores them under the settings in force."""
        # Scored on the pages that it learns from: a comparison needs no others.
        files = tuple(evenly(self.site.files, self.pages))
        documents = replace(self.site, files=files).documents()
        truths = {
            name: {page: values for page, values in truth.items() if page in documents}
            for name, truth in self.site.truth.items()
        }
        told = {name: truth for name, truth in truths.items() if any(truth.values())}
        return lambda: self._scored(documents, told)

    def _scored(self, documents: Mapping[str, Document], truths: Mapping[str, Truth]) -> CaseResult:
        wrapper = induce(list(documents.values()), self.site.name)
        extract = Extractor(wrapper).extract
        records = {page: extract(one) for page, one in documents.items()}
        fits = best_fits(record_columns(records), truths)
        rejected = sorted(page for page, one in records.items() if not isinstance(one, Record))
        return CaseResult(
            fmean(fit.f for fit in fits.values()) if fits else 0.0,
            wrapper.width(),
            _digest(formats.identity(wrapper), rejected),
        )


@dataclass(frozen=True, slots=True)
class ClassMeasure:
    """F* of page classes."""

    site: ClassSite
    visited: int
    tested: int
    prefixes: tuple[str, ...] = ("classes", "crawl")

    @property
    def name(self) -> str:
        """That of the site."""
        return self.site.name

    def prepared(self) -> Callable[[], CaseResult]:
        """What is returned scores the site under the settings in force."""
        site, truth = self.site.open(), self.site.truth()

        def scored() -> CaseResult:
            plan = CrawlPlan(limit=self.visited)
            found = asyncio.run(class_quality(site, truth, plan, "default", self.tested))
            classes = sorted((one.name, one.pages) for one in found.model.classes)
            rows = [list(map(str, row)) for row in found.matrix.rows()]
            return CaseResult(f_star(found.matrix), 0, _digest(classes, rows))

        return scored


@dataclass(frozen=True, slots=True)
class TemplateMeasure:
    """F of the tokens of a template."""

    site: TemplateSite
    pages: int
    prefixes: tuple[str, ...] = ("template",)

    @property
    def name(self) -> str:
        """That of the site."""
        return self.site.name

    def prepared(self) -> Callable[[], CaseResult]:
        """What is returned scores the site under the settings in force."""

        def scored() -> CaseResult:
            found = run_site(self.site, self.pages, Method.DEFAULT, 0)
            digest = _digest(found.tokens, found.multiset, found.ordered)
            return CaseResult(found.multiset.f, 0, digest)

        return scored


@dataclass(frozen=True, slots=True)
class SkeletonMeasure:
    """F of the edges of a skeleton, to depth 3."""

    site: SkeletonSite
    visited: int
    prefixes: tuple[str, ...] = ("skeleton",)

    @property
    def name(self) -> str:
        """That of the site."""
        return self.site.name

    def prepared(self) -> Callable[[], CaseResult]:
        """What is returned scores the site under the settings in force."""

        def scored() -> CaseResult:
            found = asyncio.run(extract_skeleton(self.site.open(), limit=self.visited))
            score = tree_measures(found.root, self.site.truth, _DEPTH)["edge_f"]
            return CaseResult(score, 0, _digest(formats.identity(found.root)))

        return scored


_DEPTH = 3
SensitivityCase = ExtractionMeasure | ClassMeasure | TemplateMeasure | SkeletonMeasure


def _digest(*parts: object) -> str:
    return sha256(json.dumps(parts, default=str).encode()).hexdigest()


def sensitivity_cases(folder: Path, effort: Effort) -> list[SensitivityCase]:
    """What can be measured in a folder: pages with labels, true values, templates, skeletons."""
    found: list[SensitivityCase] = []
    if (folder / "truth" / "records").is_dir():
        found += _demo_cases(folder, effort)
    elif (folder / "labels").is_dir():
        sites = _some(class_sites(folder), effort)
        found += [ClassMeasure(site, effort.visited, effort.tested) for site in sites]
    elif next(folder.rglob("truth.json"), None):
        with template_sites(folder) as known:
            found += [TemplateMeasure(one, effort.learnt_from) for one in _some(known, effort)]
    else:
        sites = _some(labelled_sites(folder), effort)
        found += [ExtractionMeasure(site, effort.learnt_from) for site in sites]
    return found


def _some(sites: Sequence[Any], effort: Effort) -> list[Any]:
    return evenly(list(sites), effort.sites or len(sites))


def _demo_cases(folder: Path, effort: Effort) -> Iterator[SensitivityCase]:
    """The demo site: each of its parts, and the table of each class."""
    truth = folder / "truth"
    site = ClassSite(folder.name, folder / "site", truth / "page-classes.tsv")
    yield ClassMeasure(site, effort.visited, effort.tested)
    skeleton = read_skeleton_truth(truth / "skeleton.tsv")
    yield SkeletonMeasure(SkeletonSite(folder.name, str(folder / "site"), skeleton), effort.visited)
    known = list(_demo_classes(folder))
    yield from (ExtractionMeasure(one, effort.learnt_from) for one in _some(known, effort))


def _demo_classes(folder: Path) -> Iterator[ExtractionSite]:
    for file in sorted((folder / "truth" / "records").glob("*.jsonl")):
        with file.open(encoding="utf-8") as lines:
            records = {one.pop("_url"): one for one in map(json.loads, lines)}
        pages = {Path(url).stem: folder / "site" / url for url in records}
        if len(pages) < max(len(records), 2):
            continue  # pages of one name in several folders, or a single page
        columns = record_columns({Path(url).stem: Record(url, one) for url, one in records.items()})
        truth = {
            name: {page: tuple(dict.fromkeys(values)) for page, values in column.items()}
            for name, column in columns.items()
        }
        yield ExtractionSite(file.stem, "demo", tuple(pages.values()), truth)


# The experiment.


@dataclass(frozen=True, slots=True)
class SettingScore:
    """A setting at another value, over all sites that it can decide something on."""

    change: Change
    sites: int
    score: float
    base_score: float
    columns: float
    base_columns: float
    changed: int
    """Sites where anything came out differently."""

    def as_json(self) -> dict[str, Any]:
        """One flat object."""
        return {
            "setting": self.change.setting,
            "default": Settings()[self.change.setting],
            "change": self.change.label,
            "value": self.change.value,
            "sites": self.sites,
            "score": round(self.score, 4),
            "difference": round(self.score - self.base_score, 4),
            "columns": round(self.columns, 1),
            "columns_difference": round(self.columns - self.base_columns, 1),
            "sites_changed": self.changed,
        }


def measure_sensitivity(
    cases: Sequence[SensitivityCase],
    *,
    prefix: str = "",
    with_extremes: bool = False,
    workers: int = 2,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> list[SettingScore]:
    """The scores of all cases under each change of the settings whose names begin with a prefix.

    Each case is measured in one process, one change after the other, so that pages are parsed once.
    """
    names = [name for name in setting_names() if name.startswith(prefix)]
    if not names:
        raise InvalidInput(prefix, "no setting begins so; docs/settings.md lists them")
    changes = [change for name in names for change in changes_of(name, with_extremes=with_extremes)]
    work = []
    for case in cases:
        own = [one for one in changes if one.setting.startswith(case.prefixes)]
        if own:
            work.append((case, own))
    if not work:
        raise UnreadableInput(prefix, "nothing in DATA measures these settings")
    results: dict[Change, list[tuple[CaseResult, CaseResult]]] = {one: [] for one in changes}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(_measured, case, own, current()): own for case, own in work}
        for done, future in enumerate(as_completed(running), 1):
            base, *found = future.result()
            for change, result in zip(running[future], found, strict=True):
                results[change].append((base, result))
            progress(done, len(running))
    return [_summed(change, found) for change, found in results.items() if found]


def _measured(
    case: SensitivityCase, changes: Sequence[Change], settings: Settings
) -> list[CaseResult]:
    """The case as it is, and under each change."""
    measure = case.prepared()
    found = []
    for changed in (settings, *(settings.changed_by({one.setting: one.value}) for one in changes)):
        with using(changed):
            found.append(measure())
    return found


def _summed(change: Change, found: Sequence[tuple[CaseResult, CaseResult]]) -> SettingScore:
    return SettingScore(
        change,
        len(found),
        fmean(now.score for _, now in found),
        fmean(base.score for base, _ in found),
        fmean(now.columns for _, now in found),
        fmean(base.columns for base, _ in found),
        sum(base.digest != now.digest for base, now in found),
    )


def undecided_settings(scores: Sequence[SettingScore]) -> list[str]:
    """The settings that changed nothing at all, at any value that was tried."""
    changed: Counter[str] = Counter()
    for one in scores:
        changed[one.change.setting] += one.changed
    return [name for name, count in changed.items() if not count]


# The page of the documentation that lists all settings.


def settings_page(scores: Sequence[SettingScore], about: str = "") -> str:
    """All settings as Markdown: default, what each decides, and what it is worth.

    `about` says on which data the scores were measured.
    """
    found: dict[str, dict[str, SettingScore]] = {}
    for one in scores:
        found.setdefault(one.change.setting, {})[one.change.label] = one
    lines = [_HEAD, about, ""] if about else [_HEAD]
    group = None
    for name, text in setting_docstrings().items():
        above = name.rpartition(".")[0]
        if above != group:
            group = above
            lines += ["", f"## {group}", "", _COLUMNS, "|---|---|---|---|---|"]
        row = found.get(name, {})
        cells = (_cell(row.get(label)) for label in ("-20%", "+20%"))
        last = name.rpartition(".")[2]
        lines.append(f"| `{last}` | {_short(Settings()[name])} | {text} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


_HEAD = """# Settings

Every threshold that decides results, from `src/sitewright/settings.py`. Change one with
`--set NAME=VALUE` or `sitewright.run(..., settings={"NAME": VALUE})`; the name is the heading, a
dot and the name in the table, or its last parts where these are unique. What differs from the
defaults is recorded in model.json, and later steps of the same project use it.

The last two columns say what happens to the score when the setting is lowered and raised by a fifth
(whole numbers by one at least): the difference, of columns too, and on how many sites anything came
out differently. A dash: not measured. This page is written by
`sitewright evaluate sensitivity DATA... -o docs/settings.md`.
"""
_COLUMNS = "| name | default | decides | -20% | +20% |"


def _short(value: SettingValue) -> str:
    if value is None:
        return "none"
    return str(value) if isinstance(value, int | str) else f"{value:.4g}"


def _cell(one: SettingScore | None) -> str:
    if one is None:
        return "-"
    if not one.changed:
        return f"0 of {one.sites}"
    columns = one.columns - one.base_columns
    wider = f", {columns:+.1f} columns" if round(columns, 1) else ""
    return f"{one.score - one.base_score:+.4f}{wider}; {one.changed} of {one.sites}"


def setting_docstrings() -> dict[str, str]:
    """What each setting decides: the string below its field, by dotted name."""
    tree = ast.parse(Path(settings_module.__file__).read_text(encoding="utf-8"))
    texts: dict[tuple[str, str], str] = {}
    for owner in tree.body:
        if isinstance(owner, ast.ClassDef):
            for one, below in pairwise(owner.body):
                if isinstance(one, ast.AnnAssign) and isinstance(below, ast.Expr):
                    name = ast.unparse(one.target)
                    texts[owner.name, name] = " ".join(str(ast.literal_eval(below.value)).split())
    found = {}
    for name in setting_names():
        *groups, last = name.split(".")
        owner_of_name: object = Settings()
        for group in groups:
            owner_of_name = getattr(owner_of_name, group)
        found[name] = texts[type(owner_of_name).__name__, last]
    return found
