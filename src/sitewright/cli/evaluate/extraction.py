"""`sitewright evaluate extraction`: tables against known values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.options import json_option, settings_option
from sitewright.evaluate.extraction import (
    ExtractionCase,
    means,
    strangers_for,
    with_examples,
    without_labels,
)
from sitewright.evaluate.extraction_truth import labelled_sites
from sitewright.evaluate.measures import unpacked

if TYPE_CHECKING:
    from sitewright.cli.console import Console


_COLUMNS = {
    "f": ("F", ".3f"),
    "columns": ("columns", ",.0f"),
    "floor_f": ("floor", ".3f"),
    "floor_columns": ("columns", ",.0f"),
    "mixed": ("mixed", ","),
    "cut": ("cut", ","),
    "glued": ("glued", ","),
    "misfits": ("misfits", ","),
}
"""For people: the heading of each measure, and how it is written."""
_METHODS = {"default": without_labels, "example": with_examples}
_GOOD = 0.97
_LINE = 120


@click.command("extraction")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--method",
    type=click.Choice(list(_METHODS)),
    default="default",
    show_default=True,
    help="Without labels, or with one value of each attribute from three pages.",
)
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
@settings_option
@click.pass_obj
def command(
    console: Console,
    /,
    data: Path,
    method: str,
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

    By example, three pages give one value of each attribute; the column that gets the attribute's
    name counts, on the other pages.

    \b
    Example:
      sitewright evaluate extraction swde-dev.tar.xz
      sitewright evaluate extraction swde-dev.tar.xz --method example
      sitewright evaluate extraction swde-dev.tar.xz --pages 5 --foreign 0.1
    """
    is_json = console.speaks_json(as_json)
    with unpacked(data) as folder:
        sites = labelled_sites(folder)
        chosen = [site for site in sites if not only or site.name in only]
        if not chosen:
            raise click.UsageError(f"no such site; there are: {', '.join(s.name for s in sites)}.")
        rows = []
        with console.progress() as progress:
            task = progress.add_task("learning and extracting", total=len(chosen))
            for site in chosen:
                lesson = ExtractionCase.of(site, pages, strangers_for(site, sites, foreign, pages))
                rows.append({"method": method, **_METHODS[method](lesson).as_json()})
                progress.advance(task)
                if is_json:
                    console.write_json(rows[-1])
    if is_json:
        console.write_json({"method": method, **means(rows)})
    else:
        from sitewright.cli.tables import plain

        doubts = (plain(doubt, _LINE) for doubt in _doubtful(rows))
        console.show(_table([*rows, means(rows)]), *doubts)


def _table(rows: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column("site", no_wrap=True)
    for heading, _form in _COLUMNS.values():
        table.add_column(heading, justify="right", header_style="dim")
    for row in rows:
        style = "bold" if row["site"] == "all" else ""
        cells = (format(row[name], form) for name, (_heading, form) in _COLUMNS.items())
        table.add_row(row["site"], *cells, style=style)
    return table


def _doubtful(rows: list[dict[str, Any]]) -> list[str]:
    """The attributes that were not found well, in sentences, with the columns that came nearest."""
    return [
        f"{row['site']}: {name[2:]} has F {f:.3f} in its best column, {row['column' + name[1:]]}"
        for row in rows
        for name, f in row.items()
        if name.startswith("f_") and f < _GOOD
    ]
