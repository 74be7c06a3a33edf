"""`sitewright run`: the whole job on one site. So far: discover, and the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.discover import NOTHING_FOUND, discovered, exploring_options, summary

if TYPE_CHECKING:
    from sitewright.cli.console import Console


@click.command("run")
@click.argument("site", metavar="SITE")
@exploring_options
@click.pass_context
def command(context: click.Context, /, **given: Any) -> None:
    """Do the whole job: explore a site, find its page classes, and write a report.

    OUT gets model.json, report.html and, for a live site, pages.warc.gz, all that was fetched.
    Stop it whenever you like: the same command goes on from there and fetches nothing twice.

    \b
    Example:
      sitewright run https://example.org/ -o out
      sitewright run demo/cup/site -o demo/out
    """
    console: Console = context.obj
    as_json = given.pop("as_json")
    model = discovered(console, **given)
    if model is None:
        console.note("no page of this site can be had")
        context.exit(NOTHING_FOUND)
    if console.speaks_json(as_json):
        console.write_json(summary(model, given["output"]))
        return
    from sitewright.cli.class_tables import class_table

    console.show(class_table(model))
    console.note(f"the report: {given['output'] / 'report.html'}")
