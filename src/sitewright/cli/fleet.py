"""`sitewright fleet`: many sites from many WARC files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.group import DONE_IN_PART, NOTHING_FOUND, VerbGroup
from sitewright.cli.options import NumberRange, json_option, settings_option, workers_option

if TYPE_CHECKING:
    from sitewright.cli.console import Console
    from sitewright.fleet import FleetSummary


_STEPS = ("index", "sample", "learn", "themes", "offer", "apply", "finish")


@click.command(
    cls=VerbGroup,
    package="sitewright.cli",
    verbs={
        "run": "Classes, texts and records of all sites in WARC files.",
        "report": "One page for people about a fleet.",
    },
    locations={"run": "fleet.run_command", "report": "fleet.report_command"},
)
def command() -> None:
    """Do the same for many sites, from the WARC files that their pages are in.

    \b
    Example:
      sitewright fleet run crawl/*.warc.gz -o out
      sitewright fleet report out
    """


@click.command("run")
@click.argument("archives", metavar="WARC...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="OUT", required=True, help="Folder or URL for results.")
@click.option(
    "--engine",
    type=click.Choice(["local", "spark"]),
    default="local",
    show_default=True,
    help="Who does the work: processes of this machine, or a Spark session.",
)
@click.option(
    "--by",
    type=click.Choice(["host", "domain", "prefix"]),
    default="host",
    show_default=True,
    help="What a site is: a host, a registered domain, or a host with the first folder.",
)
@click.option(
    "--pages-per-site",
    type=click.IntRange(1),
    metavar="N",
    default=1000,
    show_default=True,
    help="Maximum number of pages that a site is learnt from.",
)
@click.option(
    "--min-pages",
    type=click.IntRange(1),
    metavar="N",
    default=20,
    show_default=True,
    help="Sites with fewer pages are read without a model.",
)
@click.option(
    "--index",
    metavar="FILE",
    multiple=True,
    help="Common Crawl's columnar index (Parquet), in place of a first pass. WARC is then the "
    "folder or URL that its file names are relative to. May be repeated.",
)
@click.option(
    "--shard", metavar="I/N", help="Do the I-th of N parts of each step, for arrays of jobs."
)
@click.option(
    "--step",
    "steps",
    type=click.Choice(_STEPS),
    multiple=True,
    help="Do this step alone. May be repeated.  [default: all]",
)
@click.option(
    "--wait",
    type=NumberRange(0),
    metavar="SECONDS",
    default=0,
    show_default=True,
    help="With --shard: how long to wait for the other shards after each step.",
)
@workers_option
@json_option
@settings_option
@click.pass_context
def run_command(
    context: click.Context,
    /,
    archives: tuple[str, ...],
    output: str,
    engine: str,
    by: str,
    pages_per_site: int,
    min_pages: int,
    index: tuple[str, ...],
    shard: str | None,
    steps: tuple[str, ...],
    wait: float,
    workers: int | None,
    as_json: bool,
) -> None:
    """Find the classes, texts and records of every site in WARC files.

    WARC is a .warc, .warc.gz or .wacz file, a folder of them, a pattern, or a URL that fsspec opens
    (extra `remote`). OUT gets Parquet: pages/ (the class of each page), text/ (its text without
    the template), records/ (its values), sites/ (one row a site) and catalogue/ (the fields of all
    classes); projects/ has a project for each site, errors.jsonl what went wrong. The same command
    goes on where it was interrupted. The exit code is 4 where tasks failed, or where other shards
    have not done theirs.

    \b
    Example:
      sitewright fleet run crawl -o out
      sitewright fleet run crawl -o out --shard 3/64 --step index
      spark-submit $(which sitewright) fleet run s3://bucket/crawl -o s3://bucket/out --engine spark
    """
    from sitewright.fleet import FleetOptions, run_fleet
    from sitewright.fleet.engines import make_engine
    from sitewright.fleet.run import Shard
    from sitewright.settings import current

    console: Console = context.obj
    part = Shard.parse(shard) if shard is not None else None
    options = FleetOptions(by, pages_per_site, min_pages, current().changes())
    with console.progress() as bars:
        bar = bars.add_task("", total=None)

        def show(step: str, done: int, total: int) -> None:
            bars.update(bar, description=step, completed=done, total=total)

        summary = run_fleet(
            archives,
            output,
            options,
            index=index,
            engine=make_engine(engine, workers),
            shard=part,
            steps=steps or _STEPS,
            wait=wait,
            progress=show,
        )
    _print_result(console, summary, as_json)
    _end(context, summary, output)


def _print_result(console: Console, summary: FleetSummary, as_json: bool) -> None:
    counts = summary.counts
    console.count(pages=counts.get("pages", 0), records=counts.get("records", 0))
    if console.speaks_json(as_json):
        console.write_json(summary.as_json())
        return
    from sitewright.cli.tables import facts

    console.show(facts("Fleet", summary.as_json()))


def _end(context: click.Context, summary: FleetSummary, output: str) -> None:
    """Say what is missing, and end with the code that goes with it."""
    console: Console = context.obj
    for task, problem in summary.failed[:5]:
        console.note(f"{task} failed: {problem}")
    if len(summary.failed) > 5:
        console.note(f"{len(summary.failed) - 5} further tasks failed: {output}/errors.jsonl")
    if summary.missing:
        why = "run the other shards, then this one again"
        console.note(f"the step {summary.missing} is not done: {why}")
    if not summary.is_complete:
        context.exit(DONE_IN_PART)
    if summary.counts and not summary.counts["pages"]:
        console.note("no pages in these archives")
        context.exit(NOTHING_FOUND)


@click.command("report")
@click.argument("out", metavar="OUT")
@json_option
@click.pass_context
def report_command(context: click.Context, /, out: str, as_json: bool) -> None:
    """Write OUT/report.html: the sites of a fleet, their classes and fields, and what went wrong.

    \b
    Example:
      sitewright fleet report out
    """
    from sitewright.fleet.report import write_fleet_report

    console: Console = context.obj
    summary = write_fleet_report(out)
    if console.speaks_json(as_json):
        console.write_json(summary)
        return
    from sitewright.cli.tables import facts

    console.show(facts("Fleet", summary))
