"""The ledger of scores: every accuracy measure on all labelled data that is there.

`make scores` writes scores.json beside this file, and fails with a table where a mean has become
worse by more than its tolerance against the file of the last commit. `make scores-short` takes a
few sites of each measure, compares these with their own figures in the ledger, and writes nothing.

The data lies in ../shared/data beside the project, or in the folder that SITEWRIGHT_DATA names;
pages of Debian packages are fetched once and kept (`benchmarks/pages.py`). A site that cannot be
had is left out of both sides of the comparison.

A measure is a function of one site that gives values for one or more rows; each call runs in a
process of its own. What the measures call of the package stands in the section "The methods".
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import multiprocessing
import os
import subprocess
import sys
import tarfile
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from benchmarks.pages import data_folder, debian_package
from sitewright.choices import Method
from sitewright.crawl.waves import CrawlPlan
from sitewright.evaluate.classes import ClassSite, class_quality, class_sites
from sitewright.evaluate.measures import f_star
from sitewright.evaluate.repair import RepairSetting, evaluate_pair, read_pairs
from sitewright.evaluate.run_tables import run_cases, run_scores
from sitewright.evaluate.skeleton import SkeletonSite, Surveyed, survey, tree_measures
from sitewright.evaluate.skeleton_truth import read_skeleton_truth, train
from sitewright.evaluate.stability import halves_stability
from sitewright.evaluate.template import run_site, template_sites
from sitewright.methods import Trained, shipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitewright.evaluate.extraction_truth import ExtractionSite
    from sitewright.evaluate.repair import SitePair
    from sitewright.evaluate.run_tables import RunCase
    from sitewright.evaluate.template import TemplateSite

PROJECT = Path(__file__).parents[1]
LEDGER = Path(__file__).with_suffix(".json")
WORKERS = 2

VISITED = 300
SEED = 0
TEMPLATE_PAGES = 16
SKELETON_PAGES = 400
SKELETON_DEPTH = 3
SKELETON_SITES = 4
"""Learning from the others means the same only where all of these are there."""
Values = dict[str, float]
"""The value of a site in each row that a measure is for."""
Found = dict[str, Values]
"""What a measure found, by site; of the demo site, by page class."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the ledger: what it says, and how far its mean may fall before we look."""

    title: str
    tolerance: float = 0.005
    data: str = "development"
    """Or "held out": whether the methods were tuned on these sites."""
    is_lower_better: bool = False


ROWS = {
    "classes/first": Row("page classes, F*: the first four sites"),
    "classes/first-stripped": Row("the same without class and id of html and body"),
    "classes/cms-sites": Row("page classes, F*: cms-sites"),
    "classes/cms-sites-stripped": Row("the same without class and id of html and body"),
    "classes/cms-sites-2": Row("page classes, F*: cms-sites-2"),
    "classes/cms-sites-2-stripped": Row("the same without class and id of html and body"),
    "templates/tokens": Row("templates of 16 pages, F of tokens", 0.003),
    "templates/in-order": Row("templates of 16 pages, F of tokens in order", 0.003),
    "skeletons/edges": Row("skeletons to depth 3, F of edges, the numbers we ship"),
    "skeletons/levels": Row("skeletons to depth 3, F of levels, the numbers we ship"),
    "skeletons/edges-left-out": Row("skeletons to depth 3, F of edges, site left out of training"),
    "swde-dev/best-column": Row("SWDE, F1 of the best column"),
    "swde-dev/named": Row("SWDE, share of attributes in a column with a known name", 0.01),
    "swde-dev/columns": Row("SWDE, columns of a table", 1.0, is_lower_better=True),
    "swde-dev/faulty": Row("SWDE, constant or repeated columns, share", 0.02, is_lower_better=True),
    "swde-dev/rejected": Row("SWDE, share of pages without a record", is_lower_better=True),
    "swde-dev-2/best-column": Row("SWDE 2, F1 of the best column"),
    "swde-dev-2/named": Row("SWDE 2, share of attributes in a column with a known name", 0.01),
    "swde-dev-2/columns": Row("SWDE 2, columns of a table", 1.0, is_lower_better=True),
    "swde-dev-2/faulty": Row("SWDE 2, constant or repeated, share", 0.02, is_lower_better=True),
    "swde-dev-2/rejected": Row("SWDE 2, share of pages without a record", is_lower_better=True),
    "relations/found": Row("relations in a column, share", 0.01),
    "relations/named": Row("relations in a column named as on the page, share", 0.01),
    "redesigns/fields": Row("labelled fields in one column with F1 of 0.7 and more, share", 0.01),
    "redesigns/named": Row("the same in a column with a word of the field's name", 0.01),
    "repair/precision": Row("fields after a repair, precision, addresses shared", 0.01),
    "repair/recall": Row("fields after a repair, recall, addresses shared", 0.01),
    "repair/disjoint-recall": Row("the same, no page on both sides", 0.02),
    "repair/silent": Row("fields wrong after a repair and not said", 0.0, is_lower_better=True),
    "repair/check": Row("check is right: redesigns found, quiet years not", 0.0),
    "stability/new-run": Row("columns that a new run has again, where no redesign was", 0.02),
    "stability/same-folder": Row("the same of a run into the folder of the first", 0.02),
    "stability/halves": Row("SWDE, columns that either half of a site's pages teaches", 0.01),
    "demo/values": Row("demo site, share of true values in the field's column"),
    "demo/named-values": Row("demo site, share of true values in a column of that name", 0.01),
    "demo/shown-named-values": Row("the same, or of a name that its pages show", 0.01),
    "demo/wrong-values": Row("demo site, other values in such columns", 0.01, is_lower_better=True),
}


# --- The methods: the only places that know how the package is called -----------------------------


def class_f_star(one: ClassSite) -> float:
    """F* of the classes that `discover` finds in a folder, over all labelled pages but neutral."""
    plan = CrawlPlan(limit=VISITED, seed=SEED)
    return f_star(asyncio.run(class_quality(one.open(), one.truth(), plan, "default")).matrix)


# --- The measures: one site, one process ----------------------------------------------------------


def page_classes(row: str, site: ClassSite) -> Found:
    return {site.name: {row: class_f_star(site)}}


def stripped_page_classes(row: str, stripper: Path, site: ClassSite) -> Found:
    with tempfile.TemporaryDirectory() as copy:
        # The copy has the folder's name, which may be that of a host.
        folder = Path(copy) / site.folder.name
        command = [sys.executable, str(stripper), str(site.folder), str(folder)]
        subprocess.run(command, check=True, capture_output=True)
        return page_classes(f"{row}-stripped", replace(site, folder=folder))


def template(site: TemplateSite) -> Found:
    trial = run_site(site, TEMPLATE_PAGES, Method.DEFAULT, SEED)
    values = {"templates/tokens": trial.multiset.f, "templates/in-order": trial.ordered.f}
    return {site.name: values}


def skeleton(site: SkeletonSite) -> Surveyed:
    """Its scores need the surveys of all sites: see `skeleton_values`."""
    return survey(site, SKELETON_PAGES)


def skeleton_values(one: Surveyed, others: Sequence[Surveyed]) -> Values:
    def scores(trained: Trained) -> dict[str, float]:
        return tree_measures(one.tree(trained.evidence), one.site.truth, SKELETON_DEPTH)

    ours = scores(shipped())
    values = {"skeletons/edges": ours["edge_f"], "skeletons/levels": ours["level_f"]}
    if len(others) == SKELETON_SITES - 1:
        left_out = scores(train([other.training_case for other in others]))
        values["skeletons/edges-left-out"] = left_out["edge_f"]
    return values


def tables_of_run(group: str, case: RunCase) -> Found:
    """What a whole run makes of a folder of pages, against what is known of their values."""
    return {
        row["site"]: {
            line: row[measure]
            for measure, form in _MEASURES.items()
            if measure in row and (line := form.format(group)) in ROWS
        }
        for row in run_scores(case)
    }


def repair_of_pair(pair: SitePair) -> Found:
    """What check and repair make of one site at two dates."""
    shared = evaluate_pair(pair, RepairSetting.SHARED).scores()
    disjoint = evaluate_pair(pair, RepairSetting.DISJOINT).scores()
    is_right = shared["alarm"] == (pair.kind == "redesign")
    values = {"repair/check": float(is_right)}
    values |= {
        f"repair/{name}": shared[name]
        for name in ("precision", "recall", "silent")
        if name in shared
    }
    if "recall" in disjoint:
        values["repair/disjoint-recall"] = disjoint["recall"]
    if "same_columns" in shared:
        values["stability/new-run"] = shared["same_columns"]
        values["stability/same-folder"] = shared["same_columns_again"]
    return {f"{pair.name}/repair": values}


def stability_of_halves(site: ExtractionSite) -> Found:
    """Whether two halves of the pages of one class teach the same columns."""
    found = halves_stability(list(site.documents().values()))
    return {f"{site.name}/halves": {"stability/halves": found.share}}


_MEASURES = {
    "best": "{}/best-column",
    "named": "{}/named",
    "columns": "{}/columns",
    "faulty": "{}/faulty",
    "rejected": "{}/rejected",
    "relations": "relations/found",
    "relations_named": "relations/named",
    "fields": "{}/fields",
    "fields_named": "{}/named",
    "values": "{}/values",
    "values_named_exactly": "{}/named-values",
    "values_named": "{}/shown-named-values",
    "wrong_values": "{}/wrong-values",
}
"""The row of each measure, for the group of the data."""


# --- What there is to measure ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Task:
    """A measure of one site, ready to be called in another process."""

    site: str
    measure: Callable[[], Found] | Callable[[], Surveyed]
    cost: int = 1
    """Roughly how long it takes: the long ones begin first."""


class Datasets:
    """The folder of labelled data; archives are unpacked once, into a folder of the run."""

    def __init__(self, data: Path, work: Path) -> None:
        self.data, self.work = data, work

    def __getitem__(self, name: str) -> Path | None:
        """The folder of an archive, None where it is not there."""
        archive, folder = self.data / f"{name}.tar.xz", self.work / name
        if not archive.is_file():
            note(f"left out: no {archive.name}")
            return None
        if not folder.is_dir():
            with tarfile.open(archive) as packed:
                packed.extractall(folder, filter="data")
        return folder


SHORT = {
    "mit-shakespeare", "flink-web", "midcamp-2015", "drupalutah-2014",
    "stefanscherer", "modextreme",
    "mkdocs-default", "pelican-simple", "honkit-default",
    "book-waterstones", "restaurant-gayot", "movie-metacritic", "university-usnews",
    "dplyr before", "dplyr after",
    "cup",
}  # fmt: skip
"""The sites of the short form."""


def tasks(sets: Datasets, is_short: bool) -> list[Task]:
    """All measures of all sites that are there."""
    found = [
        *class_tasks(sets, is_short),
        *template_tasks(sets),
        *skeleton_tasks(sets, is_short),
        *table_tasks(sets),
    ]
    chosen = [task for task in found if not is_short or task.site in SHORT]
    return sorted(chosen, key=lambda task: -task.cost)


def class_tasks(sets: Datasets, is_short: bool) -> Iterator[Task]:
    stripper = sets.data / "strip-cms-labels"
    groups = {"classes/first": list(first_sites(sets, is_short))}
    for archive in ("cms-sites", "cms-sites-2"):
        if folder := sets[archive]:
            groups[f"classes/{archive}"] = class_sites(folder)
    for row, sites in groups.items():
        for site in sites:
            yield Task(site.name, partial(page_classes, row, site), 10)
            if site.name != "rust-doc":  # 32,101 pages, and links to files that the package lacks
                yield Task(site.name, partial(stripped_page_classes, row, stripper, site), 10)


def first_sites(sets: Datasets, is_short: bool) -> Iterator[ClassSite]:
    """The sites that the method was first developed on."""
    labels = sets.data / "page-classes"
    if folder := sets["mit-shakespeare"]:
        name = "mit-shakespeare"
        yield ClassSite(name, folder / name, labels / f"{name}.tsv")
    if folder := sets["flink-web-html"]:
        name = "flink-web"
        yield ClassSite(name, folder / name / "content", labels / f"{name}.tsv")
    if not is_short and (folder := debian_package("rust-doc")):
        root = folder / "usr/share/doc/rust-doc/html"
        yield ClassSite("rust-doc", root, labels / "rust-doc.tsv.xz", "std/index.html")
    cup = sets.work / "cup"
    yield ClassSite("cup", cup / "site", cup / "truth" / "page-classes.tsv")


def template_tasks(sets: Datasets) -> Iterator[Task]:
    if folder := sets["templates/sites"]:
        with template_sites(folder) as sites:
            yield from (Task(site.name, partial(template, site), 2) for site in sites)


def skeleton_tasks(sets: Datasets, is_short: bool) -> Iterator[Task]:
    for site in skeleton_sites(sets, is_short):
        yield Task(site.name, partial(skeleton, site), 15)


def skeleton_sites(sets: Datasets, is_short: bool) -> list[SkeletonSite]:
    """The sites whose navigation trees are known."""
    truths = sets.data / "skeletons"
    cup = sets.work / "cup"
    truth = read_skeleton_truth(cup / "truth" / "skeleton.tsv")
    sites = [SkeletonSite("cup", str(cup / "site"), truth)]
    if folder := sets["flink-web-html"]:
        where = folder / "flink-web" / "content"
        truth = read_skeleton_truth(truths / "flink-web.tsv", truths / "flink-web.redirects.tsv")
        sites.append(SkeletonSite("flink-web", str(where), truth, "https://flink.apache.org/"))
    for package, inside in () if is_short else _DOCUMENTATION.items():
        if root := debian_package(package):
            truth = read_skeleton_truth(truths / f"{package}.tsv")
            sites.append(SkeletonSite(package, str(root / inside), truth))
    return sites


_DOCUMENTATION = {
    "postgresql-doc-15": "usr/share/doc/postgresql-doc-15/html",
    "python3.11-doc": "usr/share/doc/python3.11/html",
}


def table_tasks(sets: Datasets) -> Iterator[Task]:
    names = sets.data / "swde-names.tsv"
    costs = {"swde-dev": 5, "swde-dev-2": 5, "redesigns": 15}
    for archive, cost in costs.items():
        if folder := sets[archive]:
            for case in run_cases(folder, names if names.is_file() else None):
                yield Task(case.name, partial(tables_of_run, archive, case), cost)
                if case.site is not None:
                    halves = partial(stability_of_halves, case.site)
                    yield Task(f"{case.name}/halves", halves, 3)
    if pairs := sets["redesigns"]:
        for pair in read_pairs(pairs):
            yield Task(f"{pair.name}/repair", partial(repair_of_pair, pair), 30)
    for case in run_cases(sets.work / "cup"):
        yield Task(case.name, partial(tables_of_run, "demo", case), 20)


# --- The ledger -----------------------------------------------------------------------------------


@dataclass(slots=True)
class Ledger:
    """For each row the value of each site."""

    sites: dict[str, Values] = field(default_factory=lambda: defaultdict(dict))

    def add(self, site: str, values: Values) -> None:
        for row, value in values.items():
            self.sites[row][site] = round(value, 4)

    def as_json(self) -> dict[str, Any]:
        return {
            name: {
                "title": row.title,
                "data": row.data,
                "better": "lower" if row.is_lower_better else "higher",
                "mean": round(fmean(values.values()), 4),
                "worst": (max if row.is_lower_better else min)(values.values()),
                "tolerance": row.tolerance,
                "sites": dict(sorted(values.items())),
            }
            for name, row in ROWS.items()
            if (values := self.sites.get(name))
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """A row against the committed one, over the sites that both have."""

    row: str
    sites: int
    before: float
    now: float
    tolerance: float
    """For some of the sites it is larger: the mean of few moves more than the mean of many."""

    @property
    def is_worse(self) -> bool:
        fallen = self.before - self.now
        return (-fallen if ROWS[self.row].is_lower_better else fallen) > self.tolerance + 1e-9


def compare(committed: Mapping[str, Any], now: Mapping[str, Any]) -> list[Comparison]:
    """Compare the rows that both have, over their common sites."""
    found = []
    for name, row in now.items():
        old = committed.get(name, {}).get("sites", {})
        if common := old.keys() & row["sites"].keys():
            found.append(
                Comparison(
                    row=name,
                    sites=len(common),
                    before=fmean(old[site] for site in common),
                    now=fmean(row["sites"][site] for site in common),
                    tolerance=row["tolerance"] * math.sqrt(len(old) / len(common)),
                )
            )
    return found


def committed_ledger() -> dict[str, Any]:
    """The ledger of the last commit: the file itself may be from a run since."""
    command = ["git", "show", f"HEAD:./{LEDGER.relative_to(PROJECT)}"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, check=False)
    text = done.stdout if done.returncode == 0 else b"{}"
    if done.returncode and LEDGER.is_file():
        text = LEDGER.read_bytes()
    ledger: dict[str, Any] = json.loads(text)
    return ledger


def _outcome(numbered: tuple[int, Task]) -> tuple[int, Found | Surveyed | None, str]:
    """What a task gives, or its error as text: not every error can travel between processes."""
    number, task = numbered
    try:
        return number, task.measure(), ""
    except Exception as error:
        return number, None, repr(error)


def measured(work: Iterable[Task]) -> Ledger:
    """Run all tasks, two at a time, each in a process of its own."""
    ledger, surveyed, failed = Ledger(), [], []
    tasks = list(work)
    # A fresh process for each, so that none has what another has left in memory.
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(WORKERS, maxtasksperchild=1) as pool:
        outcomes = pool.imap_unordered(_outcome, list(enumerate(tasks)), chunksize=1)
        for done, (number, result, error) in enumerate(outcomes, 1):
            site = tasks[number].site
            if error or result is None:
                failed.append(f"{site}: {error}")
                note(f"{done}/{len(tasks)} {failed[-1]}")
                continue
            found: Found = {}
            if isinstance(result, Surveyed):
                surveyed.append(result)
            else:
                found = result
            for name, values in found.items():
                ledger.add(name, values)
            told = " ".join(f"{k}={v:.3f}" for k, v in found.get(site, {}).items())
            note(f"{done}/{len(tasks)} {site} {told}")
    surveyed.sort(key=lambda one: one.site.name)
    for one in surveyed:
        others = [other for other in surveyed if other is not one]
        ledger.add(one.site.name, skeleton_values(one, others))
    if failed:
        sys.exit("\n".join(["these measures failed:", *failed]))
    return ledger


def table(now: Mapping[str, Any], comparisons: Sequence[Comparison]) -> str:
    """All rows; those without a committed figure have their mean alone."""
    compared = {one.row: one for one in comparisons}
    told = [f"{'row':32} {'sites':>5} {'now':>9} {'committed':>9} {'tolerance':>9}"]
    for name, row in now.items():
        if one := compared.get(name):
            figures = f"{one.sites:5} {one.now:9.4f} {one.before:9.4f} {one.tolerance:9.4f}"
            told.append(f"{name:32} {figures}{'  WORSE' if one.is_worse else ''}")
        else:
            told.append(f"{name:32} {len(row['sites']):5} {row['mean']:9.4f}")
    return "\n".join(told)


def note(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--short", action="store_true", help="a few sites of each measure")
    is_short = parser.parse_args().short
    data = data_folder()
    if not data.is_dir():
        note(f"scores: skipped, there is no labelled data in {data} (or name it: SITEWRIGHT_DATA)")
        return
    # Threads of the linear algebra would fight with the other process over two cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as work:
        command = [sys.executable, "-m", "examples.cup", str(Path(work) / "cup")]
        subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
        now = measured(tasks(Datasets(data, Path(work)), is_short)).as_json()
    comparisons = compare(committed_ledger(), now)
    if not is_short:
        LEDGER.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        from benchmarks.figures import fill_documents  # noqa: PLC0415 - it imports this module

        fill_documents()
    print(table(now, comparisons))
    if any(one.is_worse for one in comparisons):
        sys.exit("scores: worse than committed, see above")


if __name__ == "__main__":
    main()
