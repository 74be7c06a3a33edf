"""Experiments on rendered pages: visual blocks, and pairs of them."""

from __future__ import annotations

import tarfile
import tempfile
import time
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright import formats
from sitewright.cli.options import json_option, settings_option
from sitewright.errors import InputNotFound, InvalidInput, UnreadableInput
from sitewright.evaluate.matching import PagePair, rows, run_method, sampled_pairs
from sitewright.evaluate.measures import read_labels
from sitewright.evaluate.segmentation import (
    SegmentationResult,
    evaluate_segmentation,
    marked_pages,
    role_agreement,
    trained_on,
    trial,
)
from sitewright.event_loop import run_async
from sitewright.methods import MATCHING_METHODS
from sitewright.page.rendering import Rendering
from sitewright.site import Page
from sitewright.site.browser import Browser, FolderResources
from sitewright.visual.segmentation import classifier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.cli.console import Console


# segmentation: our blocks against those that people marked.

_SEGMENTATION_COLUMNS = {
    "exact_precision": "exact P", "exact_recall": "R", "exact_f": "F",
    "fuzzy_precision": "fuzzy P", "fuzzy_recall": "R", "fuzzy_f": "F",
    "same_node_f": "same element F", "bcubed_f": "B-cubed F",
}  # fmt: skip


@click.command("segmentation")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--folds",
    type=click.IntRange(2),
    default=10,
    show_default=True,
    help="Parts of the pages for cross-validation: each is scored by a model of the others.",
)
@click.option(
    "--train",
    "model",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also learn from all pages, and write what was learned.",
)
@json_option
@settings_option
@click.pass_obj
def segmentation_command(
    console: Console, /, data: Path, folds: int, model: Path | None, as_json: bool
) -> None:  # fmt: skip
    """Compare blocks with those that people marked: the set of Kreuzer, 82 pages.

    DATA is the folder of marked pages, or the folder packed as .tar.xz. Exact: the same content;
    fuzzy: the same content to 0.8; same element: the very element that was marked, wrappers told
    apart. Our method is scored on pages that it did not learn from; the depth of the plain
    baseline is the one that does best on these pages.

    \b
    Example:
      sitewright evaluate segmentation kreuzer-random.tar.xz
    """
    classifier()  # nobody waits for a browser to hear that an extra is missing
    with _unpacked(data) as folder:
        trials = run_async(_trials(console, folder))
    rows = evaluate_segmentation(trials, folds=folds)
    rows[-1]["role_agreement"] = round(role_agreement(trials), 4)
    if model is not None:
        formats.write(formats.output_folder(model.parent) / model.name, trained_on(trials))
    if console.speaks_json(as_json):
        for row in rows:
            console.write_json(row)
    else:
        console.show(_segmentation_table(rows, len(trials)))


async def _trials(console: Console, folder: Path) -> list[SegmentationResult]:
    pages = list(marked_pages(folder))
    root = folder if any(folder.glob("*/*/*.blocks.html")) else _only_folder(folder)
    trials: list[SegmentationResult] = []
    with console.progress() as progress:
        task = progress.add_task("rendering", total=len(pages))
        async with Browser() as browser:
            for page in pages:
                outcome = await trial(page, root, browser)
                if isinstance(outcome, SegmentationResult):
                    trials.append(outcome)
                else:
                    console.note(f"{page.file.name}: {outcome.reason} {outcome.detail}")
                progress.advance(task)
    return trials


def _only_folder(folder: Path) -> Path:
    """The folder inside, where an archive packs all in one."""
    inside = [path for path in folder.iterdir() if path.is_dir()]
    return inside[0] if len(inside) == 1 else folder


@contextmanager
def _unpacked(data: Path) -> Iterator[Path]:
    if not data.exists():
        raise InputNotFound(str(data))
    if data.is_dir():
        yield data
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            with tarfile.open(data) as archive:
                archive.extractall(folder, filter="data")
        except (OSError, tarfile.TarError) as error:
            why = str(error).partition("\n")[0]
            raise UnreadableInput(str(data), f"not an archive of marked pages: {why}") from None
        yield Path(folder)


def _segmentation_table(rows: list[dict[str, Any]], pages: int) -> Any:
    from rich.table import Table

    table = Table("method", title=f"{pages} marked pages", title_justify="left", box=None)
    for name in _SEGMENTATION_COLUMNS.values():
        table.add_column(name, justify="right", header_style="dim")
    for row in rows:
        table.add_row(row["method"], *(f"{row[name]:.3f}" for name in _SEGMENTATION_COLUMNS))
    return table


# matching: pairs of pages of one class, against ids and classes.

_MATCHING_COLUMNS = {
    "pairs": "pairs", "leaves": "leaves", "precision": "P", "recall": "R",
    "fragment_precision": "words: P", "fragment_recall": "R", "seconds": "seconds",
    "most_seconds": "most",
}  # fmt: skip
_LARGEST = 400_000


@click.command("matching")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    help="The classes of the pages, as lines path<TAB>class; may be packed (.xz).",
)
@click.option(
    "--pages",
    "globs",
    metavar="GLOB",
    multiple=True,
    help="Pages of one class, as library/*.html; may be given several times.",
)
@click.option(
    "--pairs",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Pairs to draw of each class.",
)
@click.option(
    "--method",
    type=click.Choice([*(one.value for one in MATCHING_METHODS), "all"]),
    default="default",
    show_default=True,
)
@click.option("--seed", type=int, default=0, show_default=True, help="Which pages are drawn.")
@json_option
@settings_option
@click.pass_obj
def matching_command(
    console: Console,
    /,
    folder: Path,
    labels: Path | None,
    globs: tuple[str, ...],
    pairs: int,
    method: str,
    seed: int,
    as_json: bool,
) -> None:  # fmt: skip
    """Match pairs of pages of one class, and compare with the ids and classes of their authors.

    FOLDER mirrors a site. The matcher does not see ids and classes. P and R count what a reader
    sees as one: a running text, another text, an image; words: P and R count every piece of text,
    the words inside running texts included.

    \b
    Example:
      sitewright evaluate matching cup/site --labels cup/truth/page-classes.tsv
      sitewright evaluate matching python3.11/html --pages 'library/*.html' --method all
    """
    if not folder.is_dir():
        raise InputNotFound(str(folder), "no such folder")
    chosen = sampled_pairs(_classes(folder, labels, globs), pairs=pairs, seed=seed)
    if not chosen:
        raise InvalidInput(str(folder), "no two pages of one class in it")
    encounters, seconds = run_async(_rendered(console, folder, chosen))
    table: list[dict[str, Any]] = []
    for each in MATCHING_METHODS if method == "all" else [method]:
        results = [run_method(encounter, each) for encounter in encounters]
        table += rows(each, results)
    for row in table:
        row["rendering_seconds"] = round(seconds, 3)
        if console.speaks_json(as_json):
            console.write_json(row)
    if not console.speaks_json(as_json):
        console.show(_matching_table(table, seconds))


def _classes(folder: Path, labels: Path | None, globs: tuple[str, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for glob in globs:
        found[glob] = [path.relative_to(folder).as_posix() for path in folder.glob(glob)]
    for page, label in (read_labels(labels) if labels is not None else {}).items():
        if not label.startswith("single:") and label != "redirect":
            found[label].append(page)
    if not found:
        raise InvalidInput(str(folder), "give the classes of its pages: --labels or --pages")
    return {name: [p for p in pages if _is_fit(folder / p)] for name, pages in found.items()}


def _is_fit(file: Path) -> bool:
    return file.is_file() and file.stat().st_size <= _LARGEST


async def _rendered(
    console: Console, folder: Path, chosen: list[tuple[str, str, str]]
) -> tuple[list[PagePair], float]:
    """The pairs, rendered, and the seconds that a page took."""
    resources = FolderResources(folder)
    encounters: list[PagePair] = []
    begin = time.perf_counter()
    with console.progress() as progress:
        task = progress.add_task("rendering", total=2 * len(chosen))
        async with Browser() as browser:
            for name, *pages in chosen:
                renderings: list[Rendering] = []
                for page in pages:
                    file = folder / page
                    asked = Page(resources.url(file), file.read_bytes())
                    outcome = await browser.render(asked, resources)
                    if isinstance(outcome, Rendering):
                        renderings.append(outcome)
                    else:
                        console.note(f"{page}: {outcome.reason} {outcome.detail}")
                    progress.advance(task)
                if len(renderings) == 2:
                    encounters.append(PagePair(name, *renderings))
    return encounters, (time.perf_counter() - begin) / (2 * len(chosen))


def _matching_table(found: list[dict[str, Any]], seconds: float) -> Any:
    from rich.table import Table

    title = f"rendering: {seconds:.2f} seconds a page"
    table = Table("method", "class", title=title, title_justify="left", box=None)
    for name in _MATCHING_COLUMNS.values():
        table.add_column(name, justify="right", header_style="dim")
    for row in found:
        shown = (row[name] for name in _MATCHING_COLUMNS)
        values = (f"{value:.3f}" if isinstance(value, float) else str(value) for value in shown)
        table.add_row(row["method"], row["class"], *values)
    return table
