"""The tables of the docs, measured anew: `make figures`, or `python -m benchmarks.figures NAME...`.

Every figure is the mean over seeds 0 to 4, with the lowest beside it in brackets; where nothing is
left to chance, the docs say so. What was measured goes to benchmarks/figures.json, and from there
into the docs, between lines that name the table: `<!-- figures: NAME -->` and `<!-- /figures -->`.
A test fails where the two differ, and where another table of the docs does not say what made it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product, repeat, takewhile
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any, TypeAlias

from benchmarks import focus, main_text, themes
from benchmarks.pages import debian_package
from benchmarks.scores import (
    LEDGER,
    PROJECT,
    Datasets,
    data_folder,
    first_sites,
    note,
    skeleton_sites,
)
from sitewright.crawl.waves import CrawlPlan
from sitewright.evaluate.classes import class_quality
from sitewright.evaluate.crescenzi import convergence, navigation_quality
from sitewright.evaluate.matching import PagePair, run_method, sampled_pairs
from sitewright.evaluate.matching import rows as matching_rows
from sitewright.evaluate.measures import read_labels
from sitewright.evaluate.run_tables import run_cases, run_scores
from sitewright.evaluate.segmentation import (
    SegmentationResult,
    evaluate_segmentation,
    marked_pages,
    trial,
)
from sitewright.evaluate.skeleton import ALL, experiment
from sitewright.evaluate.template import cluster_texts, run_site, template_sites
from sitewright.methods import MATCHING_METHODS, distill
from sitewright.page import Document
from sitewright.page.rendering import Rendering
from sitewright.settings import Settings, using
from sitewright.site import Page
from sitewright.site.browser import Browser, FolderResources
from sitewright.template import strip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sitewright.evaluate.classes import ClassSite
    from sitewright.evaluate.run_tables import RunCase
    from sitewright.evaluate.template import TemplateResult, TemplateSite

SEEDS = range(5)
FILE = Path(__file__).with_suffix(".json")
MARKED = re.compile(r"(<!-- figures: ([\w-]+) -->\n).*?(<!-- /figures -->)", re.DOTALL)
Figures = dict[str, Any]
"""A table: `columns`, and `rows` of texts."""
VISITED = 200
TESTED = 500
TEMPLATE_SIZES = (2, 4, 8, 16, 32)
"""Random pages of a site that its classes are tested on."""
CLASS_WAYS: dict[str, tuple[str, str, dict[str, object]]] = {
    "papers', densest": ("paper", "densest", {}),
    "papers', sparsest": ("paper", "sparsest", {}),
    "papers', densest, judged by candidates": ("paper", "densest", {"heterogeneity": "candidates"}),
    "ours": ("default", "balanced", {}),
}


def shown(values: Sequence[float], worst: Callable[[Sequence[float]], float] = min) -> str:
    """The mean, and the lowest (or the worst) in brackets."""
    return f"{mean(values):.3f} ({worst(values):.3f})"


def folder_of(sets: Datasets, name: str) -> Path:
    """The folder of labelled data; nothing is measured without it."""
    folder = sets[name]
    if folder is None:
        raise FileNotFoundError(name)
    return folder


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Figures:
    return {"columns": list(columns), "rows": [list(row) for row in rows]}


def markdown(figures: Figures) -> str:
    """A table as the docs have it."""
    head = "| " + " | ".join(figures["columns"]) + " |"
    line = "|" + "---|" * len(figures["columns"])
    return (
        "\n".join([head, line, *("| " + " | ".join(row) + " |" for row in figures["rows"])]) + "\n"
    )


# Page classes, walks, convergence.


def one_class_run(site: ClassSite, way: str, seed: int) -> tuple[float, float, float]:
    method, strategy, changes = CLASS_WAYS[way]
    plan = CrawlPlan(limit=VISITED, strategy=strategy, seed=seed)
    with using(Settings.of(changes)):
        quality = class_quality(site.open(), site.truth(), plan, method, TESTED)
        found = asyncio.run(quality).measures()
    return found["f_star"], found["entropy"], found["purity"]


def classes(sets: Datasets, pool: ProcessPoolExecutor) -> dict[str, Figures]:
    sites = list(first_sites(sets, is_short=True))
    rows = []
    for way in CLASS_WAYS:
        f_stars, lasts = [], []
        for site in sites:
            found = list(pool.map(partial(one_class_run, site, way), SEEDS))
            f_stars.append([row[0] for row in found])
            lasts += [row[1:] for row in found]
        entropy, purity = (mean(row[place] for row in lasts) for place in (0, 1))
        every = [f for each in f_stars for f in each]
        rows.append([way, *map(shown, f_stars), shown(every), f"{entropy:.2f}", f"{purity:.2f}"])
    names = [f"{site.name}" for site in sites]
    return {"paper-classes": table(["method", *names, "F\\* over all", "H", "P"], rows)}


def one_navigation_run(site: ClassSite, way: str, seed: int) -> float:
    method, strategy, changes = CLASS_WAYS[way]
    plan = CrawlPlan(limit=VISITED, strategy=strategy, seed=seed)
    with using(Settings.of(changes)):
        found = asyncio.run(navigation_quality(site.open(), site.truth(), plan, method))
    measured: float = found.measures()["f_star"]
    return measured


def navigation(sets: Datasets, pool: ProcessPoolExecutor) -> dict[str, Figures]:
    sites = list(first_sites(sets, is_short=True))
    rows = [
        [way, *(shown(list(pool.map(partial(one_navigation_run, s, way), SEEDS))) for s in sites)]
        for way in CLASS_WAYS
    ]
    return {"paper-navigation": table(["method", *(site.name for site in sites)], rows)}


def one_convergence(site: ClassSite, strategy: str, seed: int) -> list[float]:
    plan = CrawlPlan(limit=300, strategy=strategy, seed=seed)
    found = asyncio.run(convergence(site.open(), site.truth(), plan, "paper"))
    best = [max((p.q for p in found.points if p.visited <= n), default=0.0) for n in (50, 150)]
    longest = found.at_longest_queue
    return [*best, found.points[-1].q, float(longest.visited), longest.q] if longest else []


def converging(sets: Datasets, pool: ProcessPoolExecutor) -> dict[str, Figures]:
    rows = []
    for site in first_sites(sets, is_short=True):
        for strategy in ("densest", "sparsest"):
            found = list(pool.map(partial(one_convergence, site, strategy), SEEDS))
            columns = list(zip(*found, strict=True))
            visited = f"{mean(columns[3]):.0f}"
            qs = [shown(columns[place]) for place in (0, 1, 2, 4)]
            rows.append([site.name, strategy, *qs[:3], visited, qs[3]])
    names = (
        "site", "strategy", "best Q up to 50 pages", "up to 150", "Q at the end",
        "queue longest after", "Q there",
    )  # fmt: skip
    return {"paper-convergence": table(names, rows)}


# The skeleton: nothing here is left to chance.


SEW_MEASURES = ("p_oa", "r_oa", "f_oa", "p_cg", "r_cg", "f_cg", "p_ns")
SKELETON_METHODS = {"default loo": "ours", "paper loo": "paper", "breadth-first": "breadth-first"}


def skeletons(sets: Datasets, _pool: ProcessPoolExecutor) -> dict[str, Figures]:
    found = experiment(list(skeleton_sites(sets, is_short=False)), limit=400)
    sew = [
        [f"{row.method.removeprefix('paper ').upper()}{row.depth}",
         *(f"{row.measures[name]:.2f} ± {row.deviations[name]:.2f}" for name in SEW_MEASURES)]
        for row in found
        if row.site == ALL and row.method.startswith("paper")
    ]  # fmt: skip
    edges = {(row.site, row.method, row.depth): row for row in found}
    trees = []
    for site in dict.fromkeys(row.site for row in found):
        for method, name in SKELETON_METHODS.items():
            rows = [edges[site, method, depth] for depth in (1, 2, 3)]
            figures = [row.measures["edge_f"] for row in rows] + [rows[-1].measures["level_f"]]
            trees.append([site, name, f"{rows[-1].fetched:,}", *(f"{f:.3f}" for f in figures)])
    columns = ("site", "method", "fetched", "edges 1", "edges 2", "edges 3", "levels 3")
    return {"sew": table(["", *SEW_MEASURES], sew), "skeletons": table(columns, trees)}


# Templates and clustering.


def one_template_run(site: TemplateSite, method: Any, size: int, seed: int) -> TemplateResult:
    return run_site(site, size, method, seed)


def templates(sets: Datasets, pool: ProcessPoolExecutor) -> dict[str, Figures]:
    found: dict[tuple[str, int], list[TemplateResult]] = {}
    with template_sites(folder_of(sets, "templates/sites")) as sites:
        for way in product(("paper", "default"), TEMPLATE_SIZES):
            jobs = [(site, *way, seed) for site in sites for seed in SEEDS]
            runs = pool.map(one_template_run, *zip(*jobs, strict=True), chunksize=4)
            found[way] = list(runs)
            note(f"templates, {way[0]}, t = {way[1]}")
        true = {site.name: len(site.truth) for site in sites}
    rows = [
        [method, str(size), *map(shown, zip(*map(_template_figures, runs), strict=True))]
        for (method, size), runs in found.items()
    ]
    sixteen = {
        name: [
            part
            for method in ("paper", "default")
            for part in _site_figures([r for r in found[method, 16] if r.site == name])
        ]
        for name in true
    }
    return {
        "templates": table(["method", "t", "P", "R", "F", "F in order", "Jaccard"], rows),
        "template-sites": table(
            ["site", "true tokens", "paper: F", "tokens", "default: F", "tokens"],
            ([name, f"{true[name]:,}", *parts] for name, parts in sixteen.items()),
        ),
    }


def _template_figures(run: TemplateResult) -> tuple[float, ...]:
    scores = run.multiset
    return scores.precision, scores.recall, scores.f, run.ordered.f, run.jaccard


def _site_figures(runs: Sequence[TemplateResult]) -> tuple[str, str]:
    return shown([run.multiset.f for run in runs]), f"{mean(run.tokens for run in runs):,.0f}"


Posts: TypeAlias = "Sequence[tuple[Path, str]]"
"""Pages, and the category of each."""


def one_clustering(pages: Posts, variant: tuple[str, int], seed: int) -> tuple[float, ...]:
    documents = [Document(page.read_bytes(), str(page)) for page, _category in pages]
    categories = [category for _page, category in pages]
    method, size = variant
    if method == "none":
        texts = [document.tree.to_text() for document in documents]
    else:
        template = distill(random.Random(seed).sample(documents, size), method=method, seed=seed)
        texts = [strip(document, template).text for document in documents]
    found = cluster_texts(texts, categories, seed=seed)
    return (*(found[name] for name in ("f_measure", "purity", "nmi", "nce")), kilobytes(texts))


def kilobytes(texts: Sequence[str]) -> float:
    return sum(len(text.encode()) for text in texts) / 1000


def clustering(sets: Datasets, pool: ProcessPoolExecutor) -> dict[str, Figures]:
    posts = sorted(folder_of(sets, "flink-web-html").glob("flink-web/content/20*/*/*/*/index.html"))
    cup = sets.work / "cup"
    records = (cup / "truth" / "records" / "news.jsonl").read_text(encoding="utf-8")
    news = [json.loads(line) for line in records.splitlines()]
    corpora: dict[str, Posts] = {
        "clustering": [(page, page.parts[-5]) for page in posts],
        "clustering-demo": [(cup / "site" / one["_url"], one["category"]) for one in news],
    }
    return {name: _clustered(pages, pool) for name, pages in corpora.items()}


def _clustered(pages: Posts, pool: ProcessPoolExecutor) -> Figures:
    rows = []
    for variant in (("none", 0), ("paper", 8), ("paper", 16), ("default", 8), ("default", 16)):
        found = list(pool.map(partial(one_clustering, pages, variant), SEEDS))
        *scores, sizes = zip(*found, strict=True)
        name = "original" if variant[0] == "none" else f"{variant[0]}, t = {variant[1]}"
        rows.append([name, *map(shown, scores), f"{mean(sizes):,.0f}"])
    return table(["template", "F", "purity", "NMI", "NCE", "text, kB"], rows)


def main_texts(sets: Datasets, pool: ProcessPoolExecutor) -> dict[str, Figures]:
    looked_at = [main_text.FLINK, *(one.name for one in main_text.LOOKED_AT)]
    held_back = [one.name for one in main_text.HELD_BACK]
    known = {name: main_text.articles(name, sets) for name in (*held_back, *looked_at)}
    jobs = [(name, seed) for name in known if known[name] for seed in SEEDS]
    found = dict(
        zip(
            jobs,
            pool.map(main_text.measure, *zip(*((known[n], s) for n, s in jobs), strict=True)),
            strict=True,
        )
    )
    rows = []
    for way in main_text.WAYS:
        row = [way]
        for part in (held_back, looked_at):
            there = [name for name in part if known[name]]
            row.append(shown([mean(found[n, s][way].f for n in there) for s in SEEDS]))
        lowest = min((mean(found[n, s][way].f for s in SEEDS), n) for n in held_back if known[n])
        ratio = mean(one[way].ms / one["trafilatura"].ms for one in found.values())
        rows.append([*row, f"{lowest[1]} {lowest[0]:.3f}", f"{ratio:.2f}"])
    names = [
        f"F, {len([n for n in part if known[n]])} sites {what}"
        for part, what in ((held_back, "held back"), (looked_at, "looked at"))
    ]
    columns = ["", *names, "lowest held back", "time / trafilatura's"]
    return {"main-text": table(columns, rows)}


# Tables: what a whole run makes of folders of pages.

RUN_GROUPS = {
    "redesigns": ("fields", "fields_named"),
    "demo": ("values", "values_named_exactly", "values_named", "wrong_values"),
}
"""What depends on the seed; all pages of a folder of SWDE are visited, whatever it is."""
RUN_MEASURES = {
    "fields": "labelled fields in a column with F1 of 0.7 and more",
    "fields_named": "the same with a word of the field's name",
    "values": "true values in the field's column",
    "values_named_exactly": "true values in a column of that name",
    "values_named": "the same, or of a name that its pages show",
    "wrong_values": "other values in such columns",
}
LOWER_IS_BETTER = {"wrong_values"}


def one_run(case: RunCase, seed: int) -> list[dict[str, Any]]:
    return run_scores(case, seed)


def run_tables(group: str, sets: Datasets, pool: ProcessPoolExecutor) -> dict[str, Figures]:
    folder = sets.work / "cup" if group == "demo" else folder_of(sets, group)
    cases = run_cases(folder, sets.data / "swde-names.tsv")
    by_seed = []
    for seed in SEEDS:
        by_seed.append([row for found in pool.map(one_run, cases, repeat(seed)) for row in found])
        note(f"runs, {group}, seed {seed}")
    rows = []
    for name in RUN_GROUPS[group]:
        means = [mean(row[name] for row in found if name in row) for found in by_seed]
        worst = max if name in LOWER_IS_BETTER else min
        rows.append([RUN_MEASURES[name], shown(means, worst)])
    return {f"runs-{group}": table(["measure", "mean (worst seed)"], rows)}


# Rendered pages: blocks that people marked, and pairs of pages of one class.


def segmentation(sets: Datasets, _pool: ProcessPoolExecutor) -> dict[str, Figures]:
    """Which pages are in a fold together is left to chance."""
    trials = asyncio.run(rendered_trials(folder_of(sets, "kreuzer-random")))
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for seed in SEEDS:
        shuffled = random.Random(seed).sample(trials, len(trials))
        for row in evaluate_segmentation(shuffled):
            found[row["method"]].append(row)
        note(f"segmentation, seed {seed}")
    names = [
        f"{kind}_{part}" for kind in ("exact", "fuzzy") for part in ("precision", "recall", "f")
    ]
    rows = [
        [
            method,
            *(shown([row[name] for row in each]) for name in [*names, "same_node_f", "bcubed_f"]),
        ]
        for method, each in found.items()
    ]
    columns = ["method", "exact P", "R", "F", "fuzzy P", "R", "F", "same element F", "B-cubed F"]
    return {"segmentation": table(columns, rows)}


async def rendered_trials(folder: Path) -> list[SegmentationResult]:
    inside = [path for path in folder.iterdir() if path.is_dir()]
    root = inside[0] if len(inside) == 1 else folder
    async with Browser() as browser:
        tried = [await trial(page, root, browser) for page in marked_pages(folder)]
    return [one for one in tried if isinstance(one, SegmentationResult)]


MATCHED_PAGES = {
    "python3.11-doc": (
        "usr/share/doc/python3.11/html",
        ("library/*.html", "c-api/*.html", "howto/*.html", "whatsnew/*.html"),
    ),
    "postgresql-doc-15": (
        "usr/share/doc/postgresql-doc-15/html",
        ("sql-*.html", "catalog-pg-*.html", "functions-*.html", "app-*.html"),
    ),
    "rust-doc": (
        "usr/share/doc/rust-doc/html",
        ("std/*/struct.*.html", "std/*/trait.*.html", "std/*/fn.*.html", "std/*/enum.*.html"),
    ),
}
"""Pages of one class, by their names."""
LARGEST_MATCHED = 400_000


def matching(sets: Datasets, _pool: ProcessPoolExecutor) -> dict[str, Figures]:
    cup = sets.work / "cup"
    labels = read_labels(cup / "truth" / "page-classes.tsv")
    own: dict[str, list[str]] = defaultdict(list)
    for page, label in labels.items():
        if not label.startswith("single:") and label != "redirect":
            own[label].append(page)
    rows = _matched("the demo site", cup / "site", own, list(MATCHING_METHODS))
    for package, (inside, globs) in MATCHED_PAGES.items():
        if (folder := debian_package(package)) is not None:
            root = folder / inside
            named = {g: [f.relative_to(root).as_posix() for f in root.glob(g)] for g in globs}
            rows += _matched(package, root, named, ["default"])
    columns = ("pages of", "method", "pairs", "leaves", "P", "R", "words: P", "R", "s a pair")
    return {"matching": table(columns, rows)}


def _matched(
    name: str, folder: Path, classes: Mapping[str, Sequence[str]], methods: Sequence[str]
) -> list[list[str]]:
    """A row a method; each class gives one pair of pages for each seed."""
    fit = {
        label: [page for page in pages if (folder / page).stat().st_size <= LARGEST_MATCHED]
        for label, pages in classes.items()
    }
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for seed in SEEDS:
        drawn = sampled_pairs(fit, pairs=1, seed=seed)
        pairs = asyncio.run(rendered_pairs(folder, drawn))
        for method in methods:
            matched = [run_method(pair, method) for pair in pairs]
            found[method].append(matching_rows(method, matched)[-1])
        note(f"matching, {name}, seed {seed}")
    return [_matching_figures(name, method, each) for method, each in found.items()]


def _matching_figures(name: str, method: str, found: Sequence[dict[str, Any]]) -> list[str]:
    scores = ("precision", "recall", "fragment_precision", "fragment_recall")
    return [
        name, str(method), str(sum(row["pairs"] for row in found)),
        f"{mean(row['leaves'] for row in found):.0f}",
        *(shown([row[score] for row in found]) for score in scores),
        f"{mean(row['seconds'] for row in found):.2f}",
    ]  # fmt: skip


async def rendered_pairs(folder: Path, drawn: Sequence[tuple[str, str, str]]) -> list[PagePair]:
    resources = FolderResources(folder)
    found = []
    async with Browser() as browser:
        for name, *pages in drawn:
            files = [folder / page for page in pages]
            asked = [Page(resources.url(file), file.read_bytes()) for file in files]
            both = [await browser.render(page, resources) for page in asked]
            if all(isinstance(one, Rendering) for one in both):
                found.append(PagePair(name, *both))
    return found


# Walks to the pages of a class, and sites of a theme that is known.


def focused_walks(_sets: Datasets, pool: ProcessPoolExecutor) -> dict[str, Figures]:
    by_seed = list(pool.map(focus.walks, SEEDS))
    rows = []
    for name, pages in by_seed[0].sizes.items():
        found = [walks.focused[name] for walks in by_seed]
        row = [f"{name} ({pages:,})"]
        for count in focus.FETCHES:
            shares = [walk.shares[count] for walk in found if count in walk.shares]
            plain = mean(walks.plain[name][count] for walks in by_seed)
            # Where a walk of some seed ends earlier there is no mean of all of them.
            row.append(f"{shown(shares)} / {plain:.2f}" if len(shares) == len(found) else "")
        ends = [walk.fetches for walk in found]
        row.append(f"{mean(ends):,.0f} ({max(ends):,})")
        rows.append([*row, shown([walk.found for walk in found])])
    counts = [f"{count} fetches" for count in focus.FETCHES]
    columns = ["class (pages)", *counts, "fetches when it ends (most)", "found (lowest)"]
    return {"focused-walks": table(columns, rows)}


def known_themes(_sets: Datasets, pool: ProcessPoolExecutor) -> dict[str, Figures]:
    """Cups of five themes; the seed decides which two of a theme are the known and the new one."""
    wheres = {f"cup, theme {theme}": theme for theme in range(1, 6)}
    return {"themes": _new_sites(wheres, pool)}


def halved_sites(sets: Datasets, pool: ProcessPoolExecutor) -> dict[str, Figures]:
    """Real sites; the seed decides which pages are those of the known half."""
    folders = sorted((folder_of(sets, "cms-sites") / "sites").iterdir())
    wheres = {folder.name: folder for folder in folders if folder.is_dir()}
    return {"themes-halves": _new_sites(wheres, pool)}


def _new_sites(wheres: Mapping[str, int | Path], pool: ProcessPoolExecutor) -> Figures:
    ways = [*(f"own {count}" for count in themes.SAMPLES), "theme, 0"]
    rows = []
    for name, where in wheres.items():
        found = list(pool.map(partial(themes.new_site, where), SEEDS))
        rows.append([name, *(_of_all([one[way] for one in found if way in one]) for way in ways)])
        note(f"themes, {name}")
    samples = [f"own: {count} pages" for count in themes.SAMPLES]
    return table(["new site", *samples, "theme: no page"], rows)


def _of_all(values: Sequence[float]) -> str:
    return shown(values) if len(values) == len(SEEDS) else ""


# Tables that are made of what is measured elsewhere: the ledger of scores, and the tables above.

LEDGER_ROWS = (
    ("swde-dev", "swde-dev/best-column", "F1 of the best column of an attribute"),
    ("swde-dev", "swde-dev/named", "attributes in a column with a known name"),
    ("swde-dev", "swde-dev/columns", "columns of a table"),
    ("swde-dev", "swde-dev/faulty", "share of columns that are constant or repeat another"),
    ("swde-dev", "swde-dev/rejected", "share of pages without a record"),
    ("swde-dev-2", "swde-dev-2/best-column", "F1 of the best column of an attribute"),
    ("swde-dev-2", "swde-dev-2/named", "attributes in a column with a known name"),
    ("swde-dev-2", "swde-dev-2/columns", "columns of a table"),
    ("swde-dev-2", "swde-dev-2/faulty", "share of columns that are constant or repeat another"),
    ("swde-dev-2", "swde-dev-2/rejected", "share of pages without a record"),
    ("six of them", "relations/found", "relations in a column"),
    ("six of them", "relations/named", "relations in a column named as on the page"),
    ("redesigns", "redesigns/fields", "labelled fields in a column with F1 of 0.7 and more"),
    ("redesigns", "redesigns/named", "the same with a word of the field's name"),
    ("demo", "demo/values", "true values in the field's column"),
    ("demo", "demo/named-values", "true values in a column of that name"),
    ("demo", "demo/shown-named-values", "the same, or of a name that its pages show"),
    ("demo", "demo/wrong-values", "other values in such columns"),
)
SUMMARY_ROWS = (
    ("tables, F1 of the best column of each attribute", "swde-dev/best-column"),
    ("the same, 16 sites more", "swde-dev-2/best-column"),
    ("tables, attributes in a column with a recognisable name", "swde-dev/named"),
    ("the same, 16 sites more", "swde-dev-2/named"),
    ("repair after a redesign, precision of values", "repair/precision"),
    ("repair after a redesign, recall of values", "repair/recall"),
    ("navigation tree, F of parent-child links to depth 3", "skeletons/edges-left-out"),
)


Picked: TypeAlias = "tuple[str, str, str, tuple[str, ...], str]"
PICKED: tuple[Picked, ...] = (
    (
        "tables, labelled fields of today's sites in a column with F1 of 0.7 and more",
        "18",
        "runs-redesigns",
        (RUN_MEASURES["fields"],),
        "mean (worst seed)",
    ),
    ("templates, F of tokens from 16 pages", "10", "templates", ("default", "16"), "F"),
    ("blocks of a page, F", "82 pages", "segmentation", ("default",), "F"),
    ("blocks of two pages, precision", "1", "matching", ("the demo site", "default"), "P"),
    ("blocks of two pages, recall", "1", "matching", ("the demo site", "default"), "R"),
)
"""What it is called, of how many sites, and its table, the begin of its row, and its column."""


def cell(figures: Figures, row: Sequence[str], column: str) -> str:
    """A figure of a table, by the begin of its row."""
    at = figures["columns"].index(column)
    (found,) = [each[at] for each in figures["rows"] if each[: len(row)] == list(row)]
    return str(found)


def derived(ledger: Mapping[str, Any], figures: Mapping[str, Figures]) -> dict[str, Figures]:
    """Tables that need no measurement of their own."""
    tables = [
        [group, str(len(ledger[row]["sites"])), what, _of_ledger(ledger[row])]
        for group, row, what in LEDGER_ROWS
    ]
    summary = [
        [what, str(len(ledger[row]["sites"])), _of_ledger(ledger[row])]
        for what, row in SUMMARY_ROWS
    ]
    for what, sites, name, row, column in PICKED:
        if name in figures:
            summary.append([what, sites, cell(figures[name], row, column)])
    return {
        "run-tables": table(["data", "sites", "measure", "mean (worst site)"], tables),
        "summary": table(["what", "sites", "mean (lowest)"], summary),
    }


def _of_ledger(row: Mapping[str, Any]) -> str:
    return f"{row['mean']:.3f} ({row['worst']:.3f})"


# All of them.

MEASUREMENTS: dict[str, Callable[[Datasets, ProcessPoolExecutor], dict[str, Figures]]] = {
    "paper-classes": classes,
    "main-text": main_texts,
    "clustering": clustering,
    "paper-convergence": converging,
    "paper-navigation": navigation,
    "templates": templates,
    "skeletons": skeletons,
    "runs": partial(run_tables, "demo"),
    "runs-redesigns": partial(run_tables, "redesigns"),
    "segmentation": segmentation,
    "matching": matching,
    "focused-walks": focused_walks,
    "themes": known_themes,
    "themes-halves": halved_sites,
}
"""What can be measured by itself; each gives one or more tables."""


def measured_figures() -> dict[str, Figures]:
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}


def read_figures() -> dict[str, Figures]:
    """All tables, as they were measured last."""
    figures = measured_figures()
    return figures | derived(json.loads(LEDGER.read_text(encoding="utf-8")), figures)


def filled(page: str, figures: dict[str, Figures]) -> str:
    """A page of the docs with its tables as they were measured last."""
    return MARKED.sub(
        lambda found: (
            found[1] + markdown(figures[found[2]]) + found[3] if found[2] in figures else found[0]
        ),
        page,
    )


_OTHER_TABLE = re.compile(r"^\|[-|: ]+\|$", re.MULTILINE)
_FIGURE = re.compile(r"\.\d|\d%|\d (?:s|ms|MB)\b|\|\s*[\d,]{2,}\s*\|")
_REFERENCES = ("section", "name | default", "tool |", "against |", "library", "extra", "idea |")
"""How tables begin that list what there is, and not what was measured."""


def unexplained_tables(page: str) -> list[str]:
    """Tables with figures that neither `make figures` fills nor a comment above them explains."""
    found = []
    lines = MARKED.sub("", page).split("\n")
    for at, line in enumerate(lines):
        if not _OTHER_TABLE.match(line):
            continue
        head = lines[at - 1].strip("| ")
        rows = list(takewhile(lambda row: row.startswith("|"), lines[at + 1 :]))
        with_figures = sum(bool(_FIGURE.search(row)) for row in rows)
        explained = any("<!-- once:" in above for above in lines[max(0, at - 3) : at])
        if 2 * with_figures > len(rows) and not explained and not head.startswith(_REFERENCES):
            found.append(head)
    return found


def documents() -> list[Path]:
    return [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.figures", description=__doc__)
    parser.add_argument("tables", metavar="NAME", nargs="*", choices=[*MEASUREMENTS, []])
    parser.add_argument("--processes", type=int, default=2)
    wanted = parser.parse_args()
    chosen = wanted.tables or list(MEASUREMENTS)
    if not data_folder().is_dir():
        sys.exit(f"no labelled data in {data_folder()}; name it: SITEWRIGHT_DATA")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as work, ProcessPoolExecutor(wanted.processes) as pool:
        command = [sys.executable, "-m", "examples.cup", str(Path(work) / "cup")]
        subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
        sets = Datasets(data_folder(), Path(work))
        for name in chosen:
            found = MEASUREMENTS[name](sets, pool)
            figures = measured_figures() | found
            text = json.dumps(dict(sorted(figures.items())), indent=1, ensure_ascii=False)
            FILE.write_text(text + "\n", encoding="utf-8")
            for title, figures in found.items():
                note(f"{title}\n{markdown(figures)}")
    fill_documents()


def fill_documents() -> None:
    """Write all tables into the docs."""
    figures = read_figures()
    for page in documents():
        before = page.read_text(encoding="utf-8")
        if (after := filled(before, figures)) != before:
            page.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main()
