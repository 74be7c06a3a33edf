"""`sitewright run`: the whole job on one site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.options import (
    columns_option,
    crawl_options,
    exploring_options,
    json_option,
    output_option,
    settings_option,
    site_options,
    workers_option,
)

if TYPE_CHECKING:
    from pathlib import Path

    from sitewright.cli.console import Console
    from sitewright.cli.options import SiteOptions
    from sitewright.project import Exploring
    from sitewright.site.web import CrawlOptions


@click.command("run")
@site_options
@output_option("OUT", "The folder for the results; it is made if it is not there.", required=True)
@exploring_options
@workers_option
@json_option
@crawl_options
@columns_option
@settings_option
@click.pass_obj
def command(
    console: Console,
    /,
    site: SiteOptions,
    output: Path,
    exploring: Exploring,
    workers: int | None,
    as_json: bool,
    crawl: CrawlOptions,
) -> None:
    """Do the whole job: page classes, navigation tree, templates, tables, and a report.

    OUT gets model.json, skeleton.json, report.html, for each class NAME classes/NAME/ with
    template.json, wrapper.json, table.jsonl, table.csv and table.parquet, rejected.jsonl with the
    pages that fit no class, and for a live site pages.warc.gz, all that was fetched. Stop it
    whenever you like: the same command goes on from there and fetches nothing twice.

    \b
    Example:
      sitewright run https://example.org/ -o out
      sitewright run demo/cup/site -o demo/out
    """
    from sitewright.cli.tables import class_table, model_summary
    from sitewright.event_loop import run_async

    with console.watched() as progress:
        project = site.project(output, crawl, progress)
        summary = run_async(project.arun(exploring, workers=workers))
    console.note_removed(project)
    records, rejected = summary.records.total(), summary.rejected.total()
    console.count(pages=project.model.visited, records=records, rejected=rejected)
    if console.speaks_json(as_json):
        console.write_json({**model_summary(project.model, output), "records": records})
        return
    console.show(class_table(project.model))
    console.note(f"{records:,} records in {output / 'classes'}, {rejected:,} pages rejected")
    console.note(f"the report: {output / 'report.html'}")
