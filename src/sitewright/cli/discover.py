"""`sitewright discover`: the page classes of a site and the links between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.options import (
    crawl_options,
    exploring_options,
    json_option,
    output_option,
    settings_option,
    site_options,
)

if TYPE_CHECKING:
    from pathlib import Path

    from sitewright.cli.console import Console
    from sitewright.cli.options import SiteOptions
    from sitewright.project import Exploring
    from sitewright.site.web import CrawlOptions


@click.command("discover")
@site_options
@output_option("OUT", "The folder for the results; it is made if it is not there.", required=True)
@exploring_options
@json_option
@crawl_options
@settings_option
@click.pass_obj
def command(
    console: Console,
    /,
    site: SiteOptions,
    output: Path,
    exploring: Exploring,
    as_json: bool,
    crawl: CrawlOptions,
) -> None:
    """Find the page classes of a site and the links between them.

    OUT gets model.json and report.html; for a live site also pages.warc.gz, all that was fetched.
    Stop it whenever you like: the same command goes on from there and fetches nothing twice.

    \b
    Example:
      sitewright discover https://example.org/ -o out
      sitewright discover demo/cup/site -o demo/out --pages 500
    """
    from sitewright.cli.tables import class_table, model_summary

    with console.watched() as progress:
        project = site.project(output, crawl, progress)
        model = project.discover(exploring)
    console.count(pages=model.visited)
    console.note_removed(project)
    if console.speaks_json(as_json):
        console.write_json(model_summary(model, output))
    else:
        console.show(class_table(model))
