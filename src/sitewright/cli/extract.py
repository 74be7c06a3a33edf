"""`sitewright extract`: the records of every page class of a site, as tables."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from sitewright.cli.group import NOTHING_FOUND, SITE_CHANGED
from sitewright.cli.options import (
    PlaceKind,
    crawl_options,
    json_option,
    out_argument,
    pages_option,
    provenance_option,
    refuse,
    refuse_without_effect,
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
    from sitewright.project import Project
    from sitewright.site.web import CrawlOptions


_HAS_EFFECT = {"pages": frozenset({PlaceKind.URL, PlaceKind.PLUGIN})}
"""Of a folder or an archive every page is taken."""


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
@click.option(
    "--below",
    metavar="PAGE",
    help="Only pages below this page of OUT/skeleton.json; its URL, or that relative to home.",
)
@click.option(
    "--relearn",
    is_flag=True,
    help="With --below: first learn the wrappers anew, from these pages alone.",
)
@pages_option(1000)
@workers_option
@provenance_option
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
    below: str | None,
    relearn: bool,
    pages: int,
    workers: int | None,
    provenance: bool,
    as_json: bool,
    crawl: CrawlOptions,
) -> None:
    """Extract the records of a site with the wrappers of its page classes.

    OUT is a folder with model.json and wrappers, as `sitewright run` makes it. Each page of SITE is
    classified, and its class's wrapper applied. OUT/classes/NAME gets table.jsonl, table.csv and
    table.parquet, and the same of each record set; OUT/rejected.jsonl every page that does not fit,
    with the reason. All of them are written when the last page is done.

    --below takes a branch of the skeleton, such as a site's news: the tables then have its pages
    alone, and of a live site no others are fetched.

    \b
    Example:
      sitewright extract demo/out demo/cup/site
      sitewright extract out https://example.org/ --class player --pages 200
      sitewright extract demo/out demo/cup/site --below teams/index.html
    """
    from sitewright.export.parquet import missing_parquet

    console: Console = context.obj
    refuse_without_effect(context, [site.where], _HAS_EFFECT)
    if below is None:
        refuse(context, ("relearn",), "needs --below; to learn everything anew, use run --relearn")
    if (missing := missing_parquet()) is not None:
        console.note(str(missing))
    with console.watched() as progress:
        project = site.project(out, crawl, progress)
        if relearn:
            project.learn_wrappers(below=below)
        summary = project.extract(
            classes, below=below, pages=pages, workers=workers, provenance=provenance
        )
    records, rejected = summary.records.total(), summary.rejected.total()
    console.count(pages=summary.pages, records=records, rejected=rejected)
    _print_result(console, summary, out, as_json)
    console.note_edits(project)
    if summary.has_changed:
        from sitewright.extraction.alarms import told

        console.warn(f"the site has changed since it was learnt: {told(summary.alarms)}")
        context.exit(SITE_CHANGED)
    if summary.notices:
        from sitewright.extraction.alarms import told

        console.note(f"small changes: {told(summary.notices)}")
    if not records:
        console.note(f"no page gave a record: {_reasons(project)}")
        context.exit(NOTHING_FOUND)


def _reasons(project: Project) -> str:
    """Why pages were rejected, the usual reasons first."""
    reasons = Counter(str(one["reason"]) for one in project.rejected)
    told = ", ".join(f"{reason} (pages: {count})" for reason, count in reasons.most_common(3))
    return f"{told or 'there are no pages'}; see {project.path / 'rejected.jsonl'}"


def _print_result(
    console: Console, summary: ExtractionSummary, output: Path, as_json: bool
) -> None:
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
