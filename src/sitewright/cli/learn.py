"""`sitewright learn`: the wrapper of a class from example values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.options import (
    Place,
    base_url_option,
    crawl_options,
    home_option,
    json_option,
    out_argument,
    refuse,
    refuse_without_effect,
    scope_option,
    settings_option,
)
from sitewright.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.table import Table

    from sitewright.cli.console import Console
    from sitewright.site.web import CrawlOptions
    from sitewright.wrapper import Wrapper


@click.command("learn")
@out_argument
@click.option(
    "--class", "name", metavar="NAME", help="Page class. Default: that of the first --page."
)
@click.option(
    "--field",
    "fields",
    metavar="NAME=VALUE",
    multiple=True,
    required=True,
    help="Name of a field and a value that it has on a page. May be repeated.",
)
@click.option(
    "--page",
    "pages",
    metavar="URL",
    multiple=True,
    help="Page that has the values. Default: the pages that the class was learnt from.",
)
@click.option(
    "--keep",
    is_flag=True,
    help="Keep the fields that were learnt before: rename them, or add to them.",
)
@click.option(
    "--site",
    metavar="SITE",
    type=Place(),
    help="Where the pages are. Default: where they were when OUT was made.",
)
@base_url_option
@home_option
@scope_option
@json_option
@settings_option
@crawl_options
@click.pass_context
def command(
    context: click.Context,
    /,
    out: Path,
    name: str | None,
    fields: tuple[str, ...],
    pages: tuple[str, ...],
    keep: bool,
    site: str | None,
    base_url: str | None,
    home: str | None,
    scope: str,
    as_json: bool,
    crawl: CrawlOptions,
) -> None:
    """Learn the wrapper of a class from examples: a few values choose and name its fields.

    OUT is a folder with model.json, as `sitewright run` makes it. The wrapper takes the place of
    the one that was learnt without examples, and later runs keep it; `sitewright extract` then
    fills the tables. With --keep the fields of that one stay, and the examples rename them or add
    to them. An example that cannot be learnt is refused.

    \b
    Example:
      sitewright learn out --class player --field name="Ada Example" --field birth=1990-05-01 \\
          --page https://example.org/players/ada
    """
    from sitewright import formats
    from sitewright.project import Project

    console: Console = context.obj
    if site is None:
        refuse(context, ("base_url", "home", "scope"), "needs --site")
    project = Project(out, site, base_url=base_url, home=home, scope=scope, crawl=crawl)
    _ = project.model  # a folder without one is refused before anything else is said of it
    where = project.source.site
    refuse_without_effect(context, [where])
    wrapper = project.learn(_values(fields), page_class=name, pages=pages, keep=keep)
    if console.speaks_json(as_json):
        for field in wrapper.all_fields():
            console.write_json(formats.plain(field))
        return
    console.show(_table(wrapper))
    command_line = f"sitewright extract {out} {where} --class {wrapper.page_class}"
    console.note(f"fill its table with: {command_line}")


def _values(fields: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for field in fields:
        name, equals, value = field.partition("=")
        if not equals or not value.strip():
            raise InvalidInput(f"--field {field}", "write it as NAME=VALUE")
        found.setdefault(name.strip(), []).append(value)
    return found


def _table(wrapper: Wrapper) -> Table:
    from rich.table import Table

    from sitewright.cli.tables import plain

    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("field", "type", "coverage", "stability", "samples", "selector"):
        table.add_column(column, header_style="dim")
    for field in wrapper.all_fields():
        table.add_row(
            plain(field.name, 30),
            str(field.type.kind),
            f"{field.coverage:.0%}",
            f"{field.stability:.0%}",
            plain(", ".join(field.samples[:3]), 40),
            plain(field.rule.xpath, 60),
        )
    return table
