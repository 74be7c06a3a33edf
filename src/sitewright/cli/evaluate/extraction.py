"""`sitewright evaluate extraction`: tables against known values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.options import json_option
from sitewright.evaluate.datasets import unpacked
from sitewright.evaluate.extraction import means, strangers_for, try_site
from sitewright.evaluate.extraction_truth import labelled_sites

if TYPE_CHECKING:
    from sitewright.cli.console import Console
    from sitewright.evaluate.extraction_truth import LabelledSite

_COLUMNS = {
    "pages": "pages",
    "f": "F",
    "columns": "columns",
    "floor_f": "floor F",
    "floor_columns": "columns",
    "mixed": "mixed",
    "cut": "cut",
    "glued": "glued",
    "misfits": "misfits",
    "seconds_a_page": "s a page",
}
_GOOD = 0.97


@click.command("extraction")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--pages",
    type=click.IntRange(1),
    metavar="N",
    help="Learn from the first N pages of each site.  [default: all]",
)
@click.option(
    "--foreign",
    type=click.FloatRange(0, 0.9),
    default=0.0,
    metavar="SHARE",
    help="Mix pages of another site in, this share of all.",
)
@click.option("--site", "only", metavar="NAME", multiple=True, help="Only this site.")
@json_option
@click.pass_obj
def command(
    console: Console,
    /,
    data: Path,
    pages: int | None,
    foreign: float,
    only: tuple[str, ...],
    as_json: bool,
) -> None:  # fmt: skip
    """Compare the columns that wrappers give with the true values of the SWDE set.

    DATA is the set's folder, or the folder packed as .tar.xz. For each attribute the best column
    counts: a page is right when the field holds a true value, and every other value in the field
    counts against it. F1 is averaged over attributes, then sites, then verticals. Beside it stand
    the number of columns, and the floor: the best of all places of texts, with their number.

    Mixed columns hold one attribute on a tenth of the pages and another on another tenth. Cut
    values are a part of a true one; glued values hold a true one and more.

    \b
    Example:
      sitewright evaluate extraction swde-dev.tar.xz
      sitewright evaluate extraction swde-dev.tar.xz --pages 5 --foreign 0.1
    """
    with unpacked(data) as folder:
        sites = labelled_sites(folder)
        chosen = [site for site in sites if not only or site.name in only]
        if not chosen:
            raise click.UsageError(f"no such site; there are: {', '.join(s.name for s in sites)}.")
        rows = []
        with console.progress() as progress:
            task = progress.add_task("learning and extracting", total=len(chosen))
            for site in chosen:
                rows.append(_row(site, sites, pages, foreign))
                progress.advance(task)
    _tell(console, [*rows, means(rows)], as_json=as_json)


def _row(
    site: LabelledSite, sites: list[LabelledSite], pages: int | None, foreign: float
) -> dict[str, Any]:
    strangers = strangers_for(site, sites, foreign, pages)
    return try_site(site, pages=pages, strangers=strangers).as_json()


def _tell(console: Console, rows: list[dict[str, Any]], *, as_json: bool) -> None:
    if console.speaks_json(as_json):
        for row in rows:
            console.write_json(row)
    else:
        console.show(_table(rows))


def _table(rows: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table("site", box=None)
    for name in _COLUMNS.values():
        table.add_column(name, justify="right", header_style="dim")
    table.add_column("attributes below 0.97", header_style="dim")
    for row in rows:
        style = "bold" if row["site"] == "all" else ""
        cells = (_shown(row[name]) for name in _COLUMNS)
        table.add_row(row["site"], *cells, _doubtful(row), style=style)
    return table


def _doubtful(row: dict[str, Any]) -> str:
    """The attributes that were not found well, the worst first."""
    low = sorted((f, name[2:]) for name, f in row.items() if name.startswith("f_") and f < _GOOD)
    return ", ".join(f"{name} {f:.2f}" for f, name in low)


def _shown(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}"
