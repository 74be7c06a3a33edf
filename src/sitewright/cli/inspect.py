"""`sitewright inspect`: the link collections, schema and tokens of pages."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.options import crawl_options, crawl_settings, json_option, label_option
from sitewright.cli.tables import inspection_tables
from sitewright.errors import UnreadableInput
from sitewright.html import Document, Labelling, inspect
from sitewright.site.base import Missing, Page
from sitewright.site.open import is_url, not_found

if TYPE_CHECKING:
    from sitewright.cli.console import Console
    from sitewright.site.web.options import CrawlOptions


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
        inspection = inspect(_document(where, url, encoding, options), Labelling(label))
        if console.speaks_json(as_json):
            console.write_json(inspection.as_json())
        else:
            console.show(*inspection_tables(inspection))


def _document(where: str, url: str | None, encoding: str | None, options: CrawlOptions) -> Document:
    if where == "-":
        return Document(sys.stdin.buffer.read(), url or "", encoding=encoding)
    if is_url(where):
        page = _fetched(where, options)
        return Document(page.body, page.url, encoding=encoding or page.encoding)
    path = Path(where)
    return Document(_read(path), url or path.resolve().as_uri(), encoding=encoding)


def _fetched(where: str, options: CrawlOptions) -> Page:
    from sitewright.site.web.site import WebSite

    async def fetch() -> Page | Missing:
        site = WebSite(where, options=options)
        try:
            return (await site.fetch([site.home]))[0]
        finally:
            await site.aclose()

    outcome = asyncio.run(fetch())
    if isinstance(outcome, Missing):
        raise UnreadableInput(
            where, outcome.reason + (f": {outcome.detail}" if outcome.detail else "")
        )
    return outcome


def _read(path: Path) -> bytes:
    if path.is_dir():
        raise UnreadableInput(
            str(path), f"is a folder, not a page; for a whole site: sitewright run {path} -o OUT"
        )
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise not_found(str(path)) from None
    except OSError as error:
        raise UnreadableInput(str(path), error.strerror or "cannot be read") from None
