"""`sitewright evaluate segmentation`: our blocks against those that people marked."""

from __future__ import annotations

import tarfile
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright import formats
from sitewright.cli.options import json_option, settings_option
from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.evaluate.segmentation import (
    SegmentationResult,
    evaluate_segmentation,
    marked_pages,
    role_agreement,
    trained_on,
    trial,
)
from sitewright.event_loop import run_async
from sitewright.site.browser import Browser
from sitewright.visual.segmentation import classifier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.cli.console import Console


_COLUMNS = {
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
    help="In how many parts the pages are divided: each is judged by the others.",
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
def command(
    console: Console, /, data: Path, folds: int, model: Path | None, as_json: bool
) -> None:  # fmt: skip
    """Compare blocks with those that people marked: the set of Kreuzer, 82 pages.

    DATA is the folder of marked pages, or the folder packed as .tar.xz. Exact: the same content;
    fuzzy: the same content to 0.8; same element: the very element that was marked, wrappers told
    apart. Our method is judged on pages that it did not learn from; the depth of the plain
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
        console.show(_table(rows, len(trials)))


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
            raise UnreadableInput(str(data), f"not an archive of marked pages: {error}") from None
        yield Path(folder)


def _table(rows: list[dict[str, Any]], pages: int) -> Any:
    from rich.table import Table

    table = Table("method", title=f"{pages} marked pages", title_justify="left", box=None)
    for name in _COLUMNS.values():
        table.add_column(name, justify="right", header_style="dim")
    for row in rows:
        table.add_row(row["method"], *(f"{row[name]:.3f}" for name in _COLUMNS))
    return table
