"""`sitewright inspect`: the link collections, schema and tokens of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.options import crawl_options, crawl_settings, json_option, label_option
from sitewright.cli.pages import open_page
from sitewright.cli.tables import inspection_tables
from sitewright.html import Labelling, inspect

if TYPE_CHECKING:
    from sitewright.cli.console import Console


@click.command("inspect")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@label_option
@click.option("--url", help="The address of a page in a file: what its links refer to.")
@click.option("--encoding", help="The encoding that the server declared, for a file.")
@json_option
@crawl_options
@click.pass_obj
def command(
    console: Console,
    /,
    pages: tuple[str, ...],
    label: str,
    url: str | None,
    encoding: str | None,
    as_json: bool,
    **crawling: Any,
) -> None:
    """Show the links, the schema and the tokens of a page.

    PAGE is a URL, a file, or - for standard input. On a terminal you get tables; with --json or
    in a pipe, one JSON object a page.

    \b
    Example:
      sitewright inspect demo/cup/site/index.html
      sitewright inspect https://example.org/ | jq '.collections[].path'
    """
    options = crawl_settings(**crawling)
    for where in pages:
        inspection = inspect(
            open_page(where, options, url=url, encoding=encoding), Labelling(label)
        )
        if console.speaks_json(as_json):
            console.write_json(inspection.as_json())
        else:
            console.show(*inspection_tables(inspection))
