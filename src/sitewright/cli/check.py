"""`sitewright check`: whether a site still fits what was learnt of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.group import SITE_CHANGED, one_line
from sitewright.cli.options import (
    crawl_options,
    json_option,
    out_argument,
    settings_option,
    site_options,
)

if TYPE_CHECKING:
    from pathlib import Path

    from sitewright.cli.console import Console
    from sitewright.cli.options import SiteOptions
    from sitewright.site.web import CrawlOptions


@click.command("check")
@out_argument
@site_options
@json_option
@settings_option
@crawl_options
@click.pass_context
def command(
    context: click.Context,
    /,
    out: Path,
    site: SiteOptions,
    as_json: bool,
    crawl: CrawlOptions,
) -> None:
    """Check that SITE still fits what was learnt of it. Made for cron.

    OUT is a folder as `sitewright run` makes it. At most 20 pages of each class are read again,
    and every field is tested against the share of the pages that had it. When all is well, nothing
    is written and the exit code is 0. Else it is 3, and each class and field that no longer fits is
    named, with an example. --json writes a report in any case.

    \b
    Example:
      sitewright check demo/out demo/cup/site
      sitewright check out https://example.org/ --json
    """
    console: Console = context.obj
    with console.watched() as progress:
        project = site.project(out, crawl, progress)
        report = project.check()
    console.count(pages=report.pages)
    if as_json:
        console.write_json(report.as_json())
    else:
        for alarm in report.alarms:
            click.echo(one_line(str(alarm)))
    if not report.fits:
        context.exit(SITE_CHANGED)
