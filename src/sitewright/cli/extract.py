"""`sitewright extract`: the records of every page class of a site, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.group import NOTHING_FOUND, SITE_CHANGED
from sitewright.cli.options import (
    crawl_options,
    json_option,
    out_argument,
    pages_option,
    settings_option,
    site_options,
    workers_option,
)

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType

    from sitewright.cli.console import Console
    from sitewright.cli.options import SiteOptions
    from sitewright.extraction.page_results import ExtractionSummary
    from sitewright.site.web import CrawlOptions


@click.command("extract")
@out_argument
@site_options
@click.option(
    "--class",
    "classes",
    metavar="NAME",
    multiple=True,
    help="Only this class; of a live site, only what leads there is fetched. May be repeated.",
)
@pages_option(1000)
@workers_option
@json_option
@settings_option
@crawl_options
@click.pass_context
def command(
    context: click.Context,
    /,
    out: Path,
    site: SiteOptions,
    classes: tuple[str, ...],
    pages: int,
    workers: int | None,
    as_json: bool,
    crawl: CrawlOptions,
) -> None:
    """Extract the records of a site with the wrappers of its page classes.

    OUT is a folder with model.json and wrappers, as `sitewright run` makes it. Each page of SITE is
    classified, and its class's wrapper applied. OUT/classes/NAME gets table.jsonl, table.csv and
    table.parquet, and the same of each record set; OUT/rejected.jsonl every page that does not fit,
    with the reason. All of them are written when the last page is done.

    \b
    Example:
      sitewright extract demo/out demo/cup/site
      sitewright extract out https://example.org/ --class player --pages 200
    """
    from sitewright.export.parquet import missing_parquet

    console: Console = context.obj
    if (missing := missing_parquet()) is not None:
        console.note(str(missing))
    with console.watched() as progress:
        project = site.project(out, crawl, progress)
        summary = project.extract(classes, pages=pages, workers=workers)
    _tell(console, summary, out, as_json)
    if summary.has_changed:
        console.note("most pages do not fit: the site has changed since it was discovered")
        context.exit(SITE_CHANGED)
    if not summary.records.total():
        console.note("no page gave a record")
        context.exit(NOTHING_FOUND)


def _tell(console: Console, summary: ExtractionSummary, output: Path, as_json: bool) -> None:
    if console.speaks_json(as_json):
        for one in summary.of_classes():
            console.write_json(one.as_json())
        console.write_json(summary.as_json())
        return
    console.show(*_tables(summary))
    if summary.rejected:
        console.note(f"why pages were rejected: {output / 'rejected.jsonl'}")


def _tables(summary: ExtractionSummary) -> list[RenderableType]:
    from rich.table import Table

    from sitewright.cli.tables import facts, plain

    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("class", header_style="dim")
    for column in ("pages", "records", "rejected"):
        table.add_column(column, justify="right", header_style="dim")
    for one in summary.of_classes():
        counts = (one.pages, one.records, one.rejected)
        table.add_row(plain(one.page_class, 40), *(f"{count:,}" for count in counts))
    return [table, "", facts("All pages", summary.as_json())]
