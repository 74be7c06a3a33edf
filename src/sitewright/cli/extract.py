"""`sitewright extract`: the records of every page class of a site, as tables."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.discover import opened_site
from sitewright.cli.exit_codes import NOTHING_FOUND, SITE_CHANGED
from sitewright.cli.options import crawl_options, json_option, scope_option
from sitewright.cli.running import run_async

if TYPE_CHECKING:
    from rich.console import RenderableType

    from sitewright.cli.console import Console
    from sitewright.output.tally import Summary
    from sitewright.output.verdicts import Job
    from sitewright.site import Site


@click.command("extract")
@click.argument("output", metavar="OUT", type=click.Path(path_type=Path))
@click.argument("site", metavar="SITE")
@click.option(
    "--class",
    "classes",
    metavar="NAME",
    multiple=True,
    help="Only this class; of a live site, only what leads there is fetched. May be repeated.",
)
@click.option(
    "--pages",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Most pages to ask of a live site; those fetched before count when they are met again.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    metavar="N",
    help="Processes that share the pages at hand; 1 for none but this.  [default: one a core]",
)
@click.option(
    "--base-url",
    metavar="URL",
    help="The address that a folder's pages had, or the page of an archive to start at.",
)
@scope_option
@json_option
@crawl_options
@click.pass_context
def command(
    context: click.Context,
    /,
    output: Path,
    site: str,
    classes: tuple[str, ...],
    workers: int | None,
    as_json: bool,
    **given: Any,
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
    from sitewright.output.class_tables import chosen_classes
    from sitewright.output.folder import read_model, read_wrappers
    from sitewright.output.tables import missing_parquet
    from sitewright.output.verdicts import Job

    console: Console = context.obj
    model = read_model(output)
    wrappers = read_wrappers(output, model)
    chosen = chosen_classes(classes, model, wrappers)
    job = Job(model, wrappers, chosen, given["pages"], workers)
    if (missing := missing_parquet()) is not None:
        console.note(str(missing))
    opened = opened_site(site, output, home=None, **given)
    summary = run_async(_extracted(console, output, opened, job))
    _tell(console, summary, output, as_json)
    if summary.has_changed:
        console.note("most pages do not fit: the site has changed since it was discovered")
        context.exit(SITE_CHANGED)
    if not summary.records.total():
        console.note("no page gave a record")
        context.exit(NOTHING_FOUND)


async def _extracted(console: Console, output: Path, site: Site, job: Job) -> Summary:
    from sitewright.output.extraction import extract_site

    with console.progress() as progress:
        task = progress.add_task("extracting records", total=None)

        def show(summary: Summary) -> None:
            progress.update(task, completed=summary.pages)

        async with aclosing(site):
            return await extract_site(output, site, job, show)


def _tell(console: Console, summary: Summary, output: Path, as_json: bool) -> None:
    if console.speaks_json(as_json):
        for one in summary.of_classes():
            console.write_json(one.as_json())
        console.write_json(summary.as_json())
        return
    console.show(*_tables(summary))
    if summary.rejected:
        console.note(f"why pages were rejected: {output / 'rejected.jsonl'}")


def _tables(summary: Summary) -> list[RenderableType]:
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
