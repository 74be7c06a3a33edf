"""`sitewright inspect`: the link collections, schema and tokens of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.options import (
    PageOptions,
    crawl_options,
    json_option,
    label_option,
    page_options,
    pages_argument,
)
from sitewright.cli.pages import open_page
from sitewright.cli.tables import inspection_tables
from sitewright.page import Labelling, inspect

if TYPE_CHECKING:
    from sitewright.cli.console import Console
    from sitewright.site.web import CrawlOptions


@click.command("inspect")
@pages_argument
@label_option
@page_options
@json_option
@crawl_options
@click.pass_obj
def command(
    console: Console,
    /,
    pages: tuple[str, ...],
    label: str,
    page: PageOptions,
    as_json: bool,
    crawl: CrawlOptions,
) -> None:
    """Show the links, the schema and the tokens of a page.

    PAGE is a URL, a file, or - for standard input. On a terminal you get tables; with --json or
    in a pipe, one JSON object a page.

    \b
    Example:
      sitewright inspect demo/cup/site/index.html
      sitewright inspect https://example.org/ | jq '.collections[].path'
    """
    for where in pages:
        inspection = inspect(open_page(where, crawl, page), Labelling(label))
        if console.speaks_json(as_json):
            head, tokens = inspection.json_without_tokens(), inspection.json_tokens()
            console.write_long_json(head, "tokens", tokens)
        else:
            console.show(*inspection_tables(inspection))
