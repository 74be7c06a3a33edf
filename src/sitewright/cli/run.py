"""`sitewright run`: the whole job on one site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.options import (
    NumberRange,
    columns_option,
    json_option,
    project_options,
    provenance_option,
    workers_option,
)

if TYPE_CHECKING:
    from sitewright.cli.console import Console
    from sitewright.cli.options import ProjectOptions
    from sitewright.site.account import CrawlAccount


@click.command("run")
@project_options
@workers_option
@provenance_option
@click.option(
    "--relearn",
    is_flag=True,
    help="Learn all wrappers anew, those too that were learnt from examples, and keep no names.",
)
@click.option(
    "--complete/--no-complete",
    default=None,
    help="Fetch all other pages that are known of, too: whole tables. Else as in the last run.",
)
@click.option(
    "--forms",
    is_flag=True,
    help="Ask search forms (GET only) for pages that no link leads to.",
)
@click.option(
    "--refresh",
    is_flag=True,
    help="Ask again for pages that may have changed; changes.jsonl has what is new or gone.",
)
@click.option(
    "--max-age",
    type=NumberRange(0),
    metavar="HOURS",
    help="With --refresh: leave pages alone that were fetched less than so long ago.",
)
@click.option(
    "--pictures",
    is_flag=True,
    help="Show a small picture of a page of each class in the report; needs Chromium.",
)
@json_option
@columns_option
@click.pass_obj
def command(
    console: Console,
    /,
    given: ProjectOptions,
    workers: int | None,
    provenance: bool,
    relearn: bool,
    complete: bool | None,
    forms: bool,
    refresh: bool,
    max_age: float | None,
    pictures: bool,
    as_json: bool,
) -> None:
    """Do the whole job: page classes, navigation tree, templates, tables, and a report.

    OUT gets model.json, skeleton.json, report.html, for each class NAME classes/NAME/ with
    template.json, wrapper.json, table.jsonl, table.csv and table.parquet, rejected.jsonl with the
    pages that fit no class, site.json with what became of every URL, and for a live site
    pages.warc.gz, all that was fetched. Stop it
    whenever you like: the same command goes on from there and fetches nothing twice. Classes and
    columns that were in OUT before keep their names.

    \b
    Example:
      sitewright run https://example.org/ -o out
      sitewright run demo/cup/site -o demo/out
    """
    from sitewright.cli.tables import (
        class_table,
        coverage_table,
        crawl_summary,
        model_summary,
    )
    from sitewright.event_loop import run_async

    if politeness := given.politeness():
        console.note(politeness)
    with console.watched() as progress:
        project = given.project(progress)
        summary = run_async(
            project.arun(
                given.exploring,
                workers=workers,
                provenance=provenance,
                relearn=relearn,
                complete=complete,
                forms=forms,
                refresh=refresh,
                max_age=None if max_age is None else 3600 * max_age,
                pictures=pictures,
            )
        )
    console.note_removed(project)
    console.note_edits(project)
    if project.refreshed is not None:
        found = ", ".join(f"{count:,} {change}" for change, count in project.changes.items())
        console.note(f"{project.refreshed}; in changes.jsonl: {found or 'nothing'}")
    output, account = given.output, project.account
    records, rejected = summary.records.total(), summary.rejected.total()
    console.count(pages=project.model.visited, records=records, rejected=rejected)
    if console.speaks_json(as_json):
        known = crawl_summary(account) if account is not None else {}
        if account is not None and (left_out := account.sentence() or account.hint()):
            console.note(left_out)
        console.write_json({**model_summary(project.model, output), "records": records, **known})
        return
    console.show(
        class_table(project.model, counted=project.counted_sizes, known=project.known_sizes)
    )
    if account is not None:
        console.show(*coverage_table(account))
    pages = "page" if rejected == 1 else "pages"
    console.note(f"{records:,} records in {output / 'classes'}, {rejected:,} {pages} rejected")
    console.note(f"the report: {output / 'report.html'}")
    if account is not None:
        _note_crawl(console, account, obeys_robots=given.crawl.obey_robots)


def _note_crawl(console: Console, account: CrawlAccount, *, obeys_robots: bool) -> None:
    from sitewright.cli.tables import crawl_notes

    for line in crawl_notes(account, obeys_robots=obeys_robots):
        console.note(line)
