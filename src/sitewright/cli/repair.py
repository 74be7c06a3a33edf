"""`sitewright repair`: a new project with the old names, after a redesign."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.group import DONE_IN_PART, one_line
from sitewright.cli.options import (
    crawl_options,
    json_option,
    out_argument,
    output_option,
    pages_option,
    settings_option,
    site_options,
    workers_option,
)

if TYPE_CHECKING:
    from pathlib import Path

    from sitewright.change.repairing import RepairReport
    from sitewright.cli.console import Console
    from sitewright.cli.options import SiteOptions
    from sitewright.site.web import CrawlOptions


@click.command("repair")
@out_argument
@site_options
@output_option("NEW", "The folder for the new project; it must not be there.", required=True)
@click.option("--dry-run", is_flag=True, help="Only say what would become of each field.")
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
    output: Path,
    dry_run: bool,
    pages: int,
    workers: int | None,
    as_json: bool,
    crawl: CrawlOptions,
) -> None:
    """Learn a SITE that has changed, under the names and types that OUT has.

    OUT is a folder as `sitewright run` makes it. NEW gets a whole project: its classes and fields
    are named as in OUT where their values show that they are the same; NEW/repair.json says what
    became of each field and why, NEW/spider is the Scrapy project. What could not be repaired is
    listed with the reason, and never guessed. If a field is lost that most pages had, the exit code
    is 4.

    \b
    Example:
      sitewright repair demo/out demo/cup/site -o demo/repaired
      sitewright repair out https://example.org/ -o new --dry-run
    """
    from sitewright.formats import plain

    console: Console = context.obj
    with console.watched() as progress:
        project = site.project(out, crawl, progress)
        report = project.repair(
            site.where,
            output,
            pages=pages,
            base_url=site.base_url,
            home=site.home,
            scope=site.scope,
            workers=workers,
            dry_run=dry_run,
        )
    if console.speaks_json(as_json):
        console.write_json({**report.summary(), **plain(report)})
    else:
        _show(report)
        if not dry_run:
            console.note(f"the new project: {output}")
    if not report.is_whole:
        context.exit(DONE_IN_PART)


def _show(report: RepairReport) -> None:
    """What became of each class, and of the fields that did not stay as they were."""
    for one in report.classes:
        found = [each for each in one.fields if each.found]
        parts = f" ({', '.join(one.now)})" if len(one.now) > 1 else ""
        click.echo(f"{one.page_class}: {one.fate}{parts}, {len(found)} of {len(one.fields)} fields")
        for each in one.fields:
            if not each.found:
                click.echo("  " + one_line(f"lost: {each.field}: {each.reason}"))
            elif each.type_was != each.type_now:
                click.echo(
                    "  " + one_line(f"{each.field}: is {each.type_now}, was {each.type_was}")
                )
