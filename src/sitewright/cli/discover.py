"""`sitewright discover`: the page classes of a site and the links between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.options import json_option, project_options

if TYPE_CHECKING:
    from sitewright.cli.console import Console
    from sitewright.cli.options import ProjectOptions


@click.command("discover")
@project_options
@json_option
@click.pass_obj
def command(console: Console, /, given: ProjectOptions, as_json: bool) -> None:
    """Find the page classes of a site and the links between them.

    OUT gets model.json and report.html; for a live site also pages.warc.gz, all that was fetched.
    Stop it whenever you like: the same command goes on from there and fetches nothing twice.

    \b
    Example:
      sitewright discover https://example.org/ -o out
      sitewright discover demo/cup/site -o demo/out --pages 500
    """
    from sitewright.cli.tables import class_table, model_summary, void_notes

    with console.watched() as progress:
        project = given.project(progress)
        model = project.discover(given.exploring)
    console.count(pages=model.visited)
    console.note_removed(project)
    if console.speaks_json(as_json):
        console.write_json(model_summary(model, given.output))
    else:
        console.show(class_table(model))
        for line in void_notes(model):
            console.note(line)
