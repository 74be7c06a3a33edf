"""Learning from labelled sites, and how good that is on a site left out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright import formats
from sitewright.cli.options import settings_option
from sitewright.event_loop import run_async

if TYPE_CHECKING:
    from sitewright.classes.similarity import PairModel
    from sitewright.cli.console import Console
    from sitewright.evaluate.class_training import ComparedMethod, LeftOut
    from sitewright.evaluate.classes import ClassSite
    from sitewright.wrapper.column_model import ColumnModel

_SITES = click.argument(
    "sites", metavar="SITES...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
_PAGES = click.option("--pages", type=click.IntRange(1), default=300, show_default=True,
                      help="Most pages to visit of each site.")  # fmt: skip


def compare_classes(
    console: Console, sites: tuple[str, ...], pages: int, seeds: int, columns: str, as_json: bool
) -> None:
    """Print a row for each site, whose classes were found with what the others taught."""
    from sitewright.evaluate.class_training import ComparedMethod

    try:
        methods = [ComparedMethod(name.strip()) for name in columns.split(",")]
    except ValueError as error:
        raise click.BadParameter(f"{error}; there are {', '.join(ComparedMethod)}") from None
    labelled = _labelled(tuple(map(Path, sites)))
    rows = [one.as_json() for one in run_async(_left_out(labelled, pages, seeds, methods, console))]
    if console.speaks_json(as_json):
        for row in rows:
            console.write_json(row)
        return
    from rich.table import Table

    table = Table(*(name.replace("_", " ") for name in rows[0]), box=None)
    for row in [*rows, _mean(rows)]:
        table.add_row(*(f"{cell:.3f}" if isinstance(cell, float) else str(cell)
                        for cell in row.values()))  # fmt: skip
    console.show(table)


def _mean(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The means of the columns; of the lowest, the lowest."""
    mean = {name: sum(row[name] for row in rows) / len(rows) for name in rows[0] if name != "site"}
    if "lowest" in mean:
        mean["lowest"] = min(row["lowest"] for row in rows)
    return {"site": f"mean of {len(rows)}"} | mean


async def _left_out(
    sites: list[ClassSite],
    pages: int,
    seeds: int,
    methods: list[ComparedMethod],
    console: Console,
) -> list[LeftOut]:
    from sitewright.evaluate.class_training import leave_one_out, logistic_regression

    logistic_regression()  # says what is missing before any site is explored
    found = []
    with console.progress() as progress:
        task = progress.add_task("leaving sites out", total=len(sites))
        async for one in leave_one_out(sites, pages=pages, seeds=seeds, methods=methods):
            found.append(one)
            progress.update(task, advance=1)
    return found


@click.command("train")
@click.argument("what", type=click.Choice(["classes", "columns"]))
@_SITES
@_PAGES
@click.option("-o", "--output", metavar="FILE", required=True, type=click.Path(path_type=Path),
              help="Where the numbers go.")  # fmt: skip
@settings_option
@click.pass_obj
def train_command(
    console: Console, /, what: str, sites: tuple[Path, ...], pages: int, output: Path
) -> None:
    """Learn from labelled sites the numbers that we ship.

    `classes`: what makes two pages of one class; SITES are as in `sitewright evaluate classes`.
    `columns`: which columns of a table somebody wants; SITES are data as in `sitewright evaluate
    extraction --method run`. What the numbers are worth on sites left out is printed.

    \b
    Example:
      sitewright evaluate train classes cms-sites cms-sites-2 more-sites.tsv -o pairs.json
      sitewright evaluate train columns swde-dev swde-dev-2 redesigns demo/cup -o columns.json
    """
    model: PairModel | ColumnModel = (
        run_async(_trained(_labelled(sites), pages, console))
        if what == "classes"
        else _trained_columns(sites, console)
    )
    formats.write(formats.output_folder(output.parent) / output.name, model.rounded())
    console.note(f"wrote {output}")


def _trained_columns(data: tuple[Path, ...], console: Console) -> ColumnModel:
    from sitewright.evaluate.class_training import logistic_regression
    from sitewright.evaluate.column_training import (
        column_case,
        labelled_pages,
        left_out,
        train_columns,
    )
    from sitewright.evaluate.measures import unpacked

    logistic_regression()  # says what is missing before any page is read
    cases = []
    for place in data:
        with unpacked(place) as folder, console.progress() as progress:
            labelled = list(labelled_pages(folder))
            task = progress.add_task("finding columns", total=len(labelled))
            for one in labelled:
                cases.append(column_case(one))
                progress.update(task, advance=1)
    model = train_columns(cases)
    likely, wanted = left_out(cases)
    kept = likely >= model.keep_from
    console.note(
        f"{len(cases)} classes, each site left out: {kept[wanted].mean():.1%} of {wanted.sum()}"
        f" wanted columns kept, {1 - kept.mean():.1%} of {len(kept)} columns left out"
    )
    return model


async def _trained(sites: list[ClassSite], pages: int, console: Console) -> PairModel:
    from sitewright.crawl.waves import CrawlPlan
    from sitewright.evaluate.class_training import logistic_regression, pair_case, train_pairs

    logistic_regression()  # says what is missing before any site is explored
    cases = []
    with console.progress() as progress:
        task = progress.add_task("exploring sites", total=len(sites))
        for one in sites:
            cases.append(await pair_case(one, CrawlPlan(limit=pages)))
            progress.update(task, advance=1)
    return train_pairs(cases)


def _labelled(paths: tuple[Path, ...]) -> list[ClassSite]:
    from sitewright.evaluate.classes import read_sites

    return [site for path in paths for site in read_sites(path)]
