"""The tables of the docs, measured anew: `make figures`, or `python -m benchmarks.figures NAME...`.

Every figure is the mean over seeds 0 to 4, with the lowest beside it in brackets. What was measured
goes to benchmarks/figures.json, and from there into the docs, between lines that name the table:
`<!-- figures: NAME -->` and `<!-- /figures -->`. A test fails where the two differ.
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
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any

from benchmarks import main_text
from benchmarks.scores import PROJECT, Datasets, data_folder, first_sites, note, skeleton_sites
from sitewright.crawl.waves import CrawlPlan
from sitewright.evaluate.classes import class_quality
from sitewright.evaluate.crescenzi import convergence, navigation_quality
from sitewright.evaluate.skeleton import ALL, experiment
from sitewright.evaluate.template import cluster_texts, run_site, template_sites
from sitewright.methods import distill
from sitewright.page import Document
from sitewright.settings import Settings, using
from sitewright.template import strip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sitewright.evaluate.classes import ClassSite
    from sitewright.evaluate.template import TemplateSite

SEEDS = range(5)
FILE = Path(__file__).with_suffix(".json")
MARKED = re.compile(r"(<!-- figures: ([\w-]+) -->\n).*?(<!-- /figures -->)", re.DOTALL)
Figures = dict[str, Any]
"""A table: `columns`, and `rows` of texts."""
VISITED = 200
TESTED = 500
"""Random pages of a site that its classes are tested on."""
CLASS_WAYS: dict[str, tuple[str, str, dict[str, object]]] = {
    "papers', densest": ("paper", "densest", {}),
    "papers', sparsest": ("paper", "sparsest", {}),
    "papers', densest, judged by candidates": ("paper", "densest", {"heterogeneity": "candidates"}),
    "ours": ("default", "balanced", {}),
}


def shown(values: Sequence[float]) -> str:
    """The mean, and the lowest in brackets."""
    return f"{mean(values):.3f} ({min(values):.3f})"


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


def classes(sets: Datasets, pool: ProcessPoolExecutor) -> Figures:
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
    return table(["method", *names, "F\\* over all", "H", "P"], rows)


def one_navigation_run(site: ClassSite, way: str, seed: int) -> float:
    method, strategy, changes = CLASS_WAYS[way]
    plan = CrawlPlan(limit=VISITED, strategy=strategy, seed=seed)
    with using(Settings.of(changes)):
        found = asyncio.run(navigation_quality(site.open(), site.truth(), plan, method))
    measured: float = found.measures()["f_star"]
    return measured


def navigation(sets: Datasets, pool: ProcessPoolExecutor) -> Figures:
    sites = list(first_sites(sets, is_short=True))
    rows = [
        [way, *(shown(list(pool.map(partial(one_navigation_run, s, way), SEEDS))) for s in sites)]
        for way in CLASS_WAYS
    ]
    return table(["method", *(site.name for site in sites)], rows)


def one_convergence(site: ClassSite, strategy: str, seed: int) -> list[float]:
    plan = CrawlPlan(limit=300, strategy=strategy, seed=seed)
    found = asyncio.run(convergence(site.open(), site.truth(), plan, "paper"))
    best = [max((p.q for p in found.points if p.visited <= n), default=0.0) for n in (50, 150)]
    longest = found.at_longest_queue
    return [*best, found.points[-1].q, float(longest.visited), longest.q] if longest else []


def converging(sets: Datasets, pool: ProcessPoolExecutor) -> Figures:
    rows = []
    for site in first_sites(sets, is_short=True):
        for strategy in ("densest", "sparsest"):
            found = list(pool.map(partial(one_convergence, site, strategy), SEEDS))
            columns = list(zip(*found, strict=True))
            visited = f"{mean(columns[3]):.0f}"
            qs = [shown(columns[place]) for place in (0, 1, 2, 4)]
            rows.append([site.name, strategy, *qs[:3], visited, qs[3]])
    return table(
        [
            "site",
            "strategy",
            "best Q up to 50 pages",
            "up to 150",
            "Q at the end",
            "queue longest after",
            "Q there",
        ],
        rows,
    )


# The skeleton: nothing here is left to chance.


def sew(sets: Datasets, _pool: ProcessPoolExecutor) -> Figures:
    found = experiment(list(skeleton_sites(sets, is_short=False)), limit=400)
    names = ("p_oa", "r_oa", "f_oa", "p_cg", "r_cg", "f_cg", "p_ns")
    rows = [
        [f"{row.method.removeprefix('paper ').upper()}{row.depth}",
         *(f"{row.measures[name]:.2f} ± {row.deviations[name]:.2f}" for name in names)]
        for row in found
        if row.site == ALL and row.method.startswith("paper")
    ]  # fmt: skip
    return table(["", *names], rows)


# Templates and clustering.


def one_template_run(site: TemplateSite, method: Any, size: int, seed: int) -> tuple[float, ...]:
    found = run_site(site, size, method, seed)
    return found.multiset.precision, found.multiset.recall, found.multiset.f


def templates(sets: Datasets, pool: ProcessPoolExecutor) -> Figures:
    folder = sets["templates/sites"]
    if folder is None:
        raise FileNotFoundError("templates/sites")
    rows = []
    with template_sites(folder) as sites:
        for method in ("paper", "default"):
            for size in (8, 16):
                jobs = [(site, method, size, seed) for site in sites for seed in SEEDS]
                found = list(pool.map(one_template_run, *zip(*jobs, strict=True), chunksize=4))
                rows.append([method, str(size), *map(shown, zip(*found, strict=True))])
    return table(["method", "t", "P", "R", "F"], rows)


def one_clustering(folder: Path, variant: tuple[str, int], seed: int) -> tuple[float, ...]:
    pages = sorted(folder.glob("content/20*/*/*/*/index.html"))
    documents = [Document(page.read_bytes(), page.parent.name) for page in pages]
    categories = [page.parts[-5] for page in pages]
    method, size = variant
    if method == "none":
        texts = [document.tree.to_text() for document in documents]
    else:
        template = distill(random.Random(seed).sample(documents, size), method=method, seed=seed)
        texts = [strip(document, template).text for document in documents]
    found = cluster_texts(texts, categories, seed=seed)
    return tuple(found[name] for name in ("f_measure", "purity", "nmi", "nce"))


def clustering(sets: Datasets, pool: ProcessPoolExecutor) -> Figures:
    folder = sets["flink-web-html"]
    if folder is None:
        raise FileNotFoundError("flink-web-html")
    rows = []
    for variant in (("none", 0), ("paper", 8), ("paper", 16), ("default", 8), ("default", 16)):
        found = list(pool.map(partial(one_clustering, folder / "flink-web", variant), SEEDS))
        name = "original" if variant[0] == "none" else f"{variant[0]}, t = {variant[1]}"
        rows.append([name, *map(shown, zip(*found, strict=True))])
    return table(["template", "F", "purity", "NMI", "NCE"], rows)


def main_texts(sets: Datasets, pool: ProcessPoolExecutor) -> Figures:
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
    return table(["", *names, "lowest held back", "time / trafilatura's"], rows)


TABLES: dict[str, Callable[[Datasets, ProcessPoolExecutor], Figures]] = {
    "paper-classes": classes,
    "main-text": main_texts,
    "clustering": clustering,
    "paper-convergence": converging,
    "paper-navigation": navigation,
    "templates": templates,
    "sew": sew,
}


def read_figures() -> dict[str, Figures]:
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}


def filled(page: str, figures: dict[str, Figures]) -> str:
    """A page of the docs with its tables as they were measured last."""
    return MARKED.sub(
        lambda found: (
            found[1] + markdown(figures[found[2]]) + found[3] if found[2] in figures else found[0]
        ),
        page,
    )


def documents() -> list[Path]:
    return [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.figures", description=__doc__)
    parser.add_argument("tables", metavar="TABLE", nargs="*", choices=[*TABLES, []])
    parser.add_argument("--processes", type=int, default=2)
    wanted = parser.parse_args()
    chosen = wanted.tables or list(TABLES)
    if not data_folder().is_dir():
        sys.exit(f"no labelled data in {data_folder()}; name it: SITEWRIGHT_DATA")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as work, ProcessPoolExecutor(wanted.processes) as pool:
        command = [sys.executable, "-m", "examples.cup", str(Path(work) / "cup")]
        subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
        sets = Datasets(data_folder(), Path(work))
        for name in chosen:
            found = TABLES[name](sets, pool)
            figures = read_figures() | {name: found}
            text = json.dumps(dict(sorted(figures.items())), indent=1, ensure_ascii=False)
            FILE.write_text(text + "\n", encoding="utf-8")
            note(f"{name}\n{markdown(found)}")
    figures = read_figures()
    for page in documents():
        before = page.read_text(encoding="utf-8")
        if (after := filled(before, figures)) != before:
            page.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main()
