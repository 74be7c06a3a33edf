"""`sitewright evaluate template`: templates against known ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.options import json_option, settings_option
from sitewright.evaluate.template import average, run_site, template_sites

if TYPE_CHECKING:
    from sitewright.choices import Method
    from sitewright.cli.console import Console
    from sitewright.evaluate.template import TemplateResult, TemplateSite


SIZES = (2, 4, 8, 16, 32, 64)
_COLUMNS = {
    "pages": "t",
    "precision": "P",
    "recall": "R",
    "f": "F",
    "ordered_f": "F in order",
    "tokens": "tokens",
    "jaccard": "Jaccard",
    "seconds": "seconds",
}


@click.command("template")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--method",
    type=click.Choice(["default", "paper", "both"]),
    default="both",
    show_default=True,
    help="Our own method, the paper's, or one after the other.",
)
@click.option(
    "-t",
    "--pages",
    "sizes",
    type=click.IntRange(2),
    multiple=True,
    metavar="T",
    help="How many pages to distil; may be given several times.  [default: 2, 4, … 64]",
)
@click.option("--site", "only", metavar="NAME", multiple=True, help="Only this site.")
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Which pages are drawn, and how the paper's method pairs them.",
)
@json_option
@settings_option
@click.pass_obj
def command(
    console: Console,
    /,
    data: Path,
    method: str,
    sizes: tuple[int, ...],
    only: tuple[str, ...],
    seed: int,
    as_json: bool,
) -> None:  # fmt: skip
    """Distil templates from t = 2 … 64 pages of sites whose template is known: the paper's table 2.

    DATA is a folder with a folder for each site, or such a folder packed as .tar.xz. P, R and F
    are over the multiset of tokens; F in order is over the longest common subsequence. Jaccard
    compares the template with that of the same pages in another order and with another seed. A
    site with fewer than t pages gives all it has.

    \b
    Example:
      sitewright evaluate template templates/sites.tar.xz -t 16
    """
    methods: list[Any] = ["paper", "default"] if method == "both" else [method]
    with template_sites(data) as sites:
        chosen = [site for site in sites if not only or site.name in only]
        if not chosen:
            raise click.UsageError(f"no such site; there are: {', '.join(s.name for s in sites)}.")
        for each in methods:
            _evaluate(console, chosen, each, sizes or SIZES, seed=seed, as_json=as_json)


def _evaluate(
    console: Console,
    sites: list[TemplateSite],
    method: Method,
    sizes: tuple[int, ...],
    *,
    seed: int,
    as_json: bool,
) -> None:
    rows: list[dict[str, Any]] = []
    with console.progress() as progress:
        task = progress.add_task(f"distilling ({method})", total=len(sites) * len(sizes))
        for size in sizes:
            trials: list[TemplateResult] = []
            for site in sites:
                trials.append(run_site(site, size, method, seed))
                progress.advance(task)
            rows += [trial.as_json() for trial in trials]
            rows.append({**average(trials), "pages": size})
    if console.speaks_json(as_json):
        for row in rows:
            console.write_json({"method": method, **row})
    else:
        console.show(_table(method, rows))


def _table(method: str, rows: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    title = f"method: {method}"
    table = Table("site", title=title, title_justify="left", title_style="bold", box=None)
    for name in _COLUMNS.values():
        table.add_column(name, justify="right", header_style="dim")
    for row in sorted(rows, key=lambda row: (row["site"] == "all", row["site"], row["pages"])):
        style = "bold" if row["site"] == "all" else ""
        table.add_row(row["site"], *(_shown(row[name]) for name in _COLUMNS), style=style)
    return table


def _shown(value: float) -> str:
    return f"{value:,}" if value == int(value) and value > 1 else f"{value:.3f}"
