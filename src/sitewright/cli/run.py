"""`sitewright run`: the whole job on one site, one step after the other."""

from __future__ import annotations

from contextlib import aclosing, contextmanager
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.discover import (
    discovered,
    exploring_options,
    opened_site,
    summary,
)
from sitewright.cli.exit_codes import NOTHING_FOUND
from sitewright.cli.running import run_async

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitewright.classes import SiteModel
    from sitewright.cli.console import Console
    from sitewright.output.report import Section
    from sitewright.output.tally import Summary
    from sitewright.site import Site
    from sitewright.skeleton import SkeletonNode

_SKELETON_PAGES = 400
"""What the tree is drawn from; most of these pages were fetched for the classes already."""


@click.command("run")
@click.argument("site", metavar="SITE")
@exploring_options
@click.pass_context
def command(context: click.Context, /, **given: Any) -> None:
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
    console: Console = context.obj
    as_json = given.pop("as_json")
    output: Path = given["output"]
    model = discovered(console, **given)
    if model is None:
        console.note("no page of this site can be had")
        context.exit(NOTHING_FOUND)
    sections, extracted = run_async(_later_steps(console, _reopened(model, given), model, given))
    from sitewright.output.report import write_report

    write_report(output, model, sections)
    if console.speaks_json(as_json):
        console.write_json({**summary(model, output), "records": extracted.records.total()})
        return
    from sitewright.cli.class_tables import class_table

    console.show(class_table(model))
    counts = extracted.as_json()
    console.note(
        f"{counts['records']:,} records in {output / 'classes'}, "
        f"{counts['rejected']:,} pages rejected"
    )
    console.note(f"the report: {output / 'report.html'}")


def _reopened(model: SiteModel, given: dict[str, Any]) -> Site:
    """The site for the later steps: those pages that were visited count on top of its limit."""
    visited = sum(len(one.pages) for one in model.classes)
    return opened_site(**{**given, "pages": given["pages"] + visited})


async def _later_steps(
    console: Console, site: Site, model: SiteModel, given: dict[str, Any]
) -> tuple[list[Section], Summary]:
    """Everything that follows from the model; parts of the report, and what was extracted."""
    from sitewright import formats
    from sitewright.classes import sample_pages
    from sitewright.output.extraction import extract_site
    from sitewright.output.folder import wrappers_by_example
    from sitewright.output.report.skeleton import skeleton_section
    from sitewright.output.report.templates import templates_section
    from sitewright.output.report.wrappers import wrappers_section
    from sitewright.output.templates import write_templates
    from sitewright.output.verdicts import Job
    from sitewright.output.wrappers import write_wrappers

    output: Path = given["output"]
    identity = formats.identity(model)
    kept = wrappers_by_example(output, model)
    async with aclosing(site):
        with _step(console, "drawing the tree of the navigation"):
            tree = await _skeleton(site, min(given["pages"], _SKELETON_PAGES))
            formats.write(output / "skeleton.json", tree, model=identity)
        with _step(console, "reading the pages of each class"):
            pages = await sample_pages(model, site)
        with _step(console, "distilling templates"):
            templates = write_templates(output, pages, model=identity)
        with _step(console, "learning wrappers"):
            wrappers = write_wrappers(output, model, pages, kept=kept)
        with _step(console, "extracting records"):
            # What was fetched is enough: `extract` fetches more of a live site.
            job = Job(model, wrappers, limit=0)
            summary = await extract_site(output, site, job)
    sections = [
        wrappers_section(wrappers, pages),
        skeleton_section(tree),
        templates_section(templates, pages),
    ]
    return sections, summary


@contextmanager
def _step(console: Console, what: str) -> Iterator[None]:
    """A step of which nobody knows how long it takes: say that it goes on."""
    with console.progress() as progress:
        progress.add_task(what, total=None)
        yield


async def _skeleton(site: Site, pages: int) -> SkeletonNode:
    from sitewright.skeleton import extract_skeleton

    return (await extract_skeleton(site, limit=pages)).root
