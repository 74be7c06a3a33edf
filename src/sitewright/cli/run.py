"""`sitewright run`: the whole job on one site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.options import (
    columns_option,
    json_option,
    project_options,
    workers_option,
)

if TYPE_CHECKING:
    from sitewright.cli.console import Console
    from sitewright.cli.options import ProjectOptions


@click.command("run")
@project_options
@workers_option
@click.option(
    "--relearn",
    is_flag=True,
    help="Learn all wrappers anew, those too that were learnt from examples.",
)
@json_option
@columns_option
@click.pass_obj
def command(
    console: Console,
    /,
    given: ProjectOptions,
    workers: int | None,
    relearn: bool,
    as_json: bool,
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
        project = given.project(progress)
        summary = run_async(project.arun(given.exploring, workers=workers, relearn=relearn))
    console.note_removed(project)
    console.note_edits(project)
    output = given.output
    records, rejected = summary.records.total(), summary.rejected.total()
    console.count(pages=project.model.visited, records=records, rejected=rejected)
    if console.speaks_json(as_json):
        console.write_json({**model_summary(project.model, output), "records": records})
        return
    console.show(class_table(project.model))
    console.note(f"{records:,} records in {output / 'classes'}, {rejected:,} pages rejected")
    console.note(f"the report: {output / 'report.html'}")
