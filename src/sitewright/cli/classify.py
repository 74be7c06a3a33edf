"""`sitewright classify`: which class each page belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.options import (
    CRAWL_NAMES,
    PageOptions,
    Place,
    PlaceKind,
    SiteOptions,
    base_url_option,
    by_url_option,
    crawl_options,
    json_option,
    kind_of,
    out_argument,
    page_options,
    refuse,
    refuse_without_effect,
    scope_option,
)
from sitewright.errors import InvalidURL
from sitewright.page.url import canonical
from sitewright.site import ScopeKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.table import Table

    from sitewright.classes import Classification
    from sitewright.cli.console import Console
    from sitewright.page import Document
    from sitewright.site.web import CrawlOptions


_OF_PAGES = ("url", "encoding", "base_url", "scope", *CRAWL_NAMES)
"""Options about how pages are read."""
_HAS_EFFECT = {
    "base_url": frozenset({PlaceKind.FOLDER, PlaceKind.ARCHIVE}),
    "scope": frozenset({PlaceKind.ARCHIVE}),
    "encoding": frozenset({PlaceKind.FILE, PlaceKind.URL, PlaceKind.STANDARD_INPUT}),
}
"""The kinds of PAGE or SITE on which an option has an effect here: a single page has no scope."""


@click.command("classify")
@out_argument
@click.argument("places", metavar="PAGE...|SITE", type=Place(), nargs=-1, required=True)
@by_url_option
@page_options
@base_url_option
@scope_option
@json_option
@crawl_options
@click.pass_context
def command(
    context: click.Context,
    /,
    out: Path,
    places: tuple[str, ...],
    by_url: bool,
    page: PageOptions,
    base_url: str | None,
    scope: str,
    as_json: bool,
    crawl: CrawlOptions,
) -> None:
    """Say which class each page belongs to.

    PAGE is a URL, a file, or - for standard input; a folder or an archive stands for all of its
    pages. With --json or in a pipe you get one JSON object a page. The class is null where none
    fits.

    \b
    Example:
      sitewright classify out page.html
      sitewright classify out demo/cup/site | jq -r .class | sort | uniq -c
      sitewright classify out --by-url https://example.org/players/9.html
    """
    from sitewright.export.folder import read_model
    from sitewright.methods import site_classifier

    console: Console = context.obj
    classifier = site_classifier(read_model(out))
    found: Iterator[Classification]
    if by_url:
        refuse(context, _OF_PAGES, "has no effect with --by-url")
        for where in places:
            if canonical(where) is None:
                raise InvalidURL(where, "not an http or https URL; --by-url reads no page")
        found = (classifier.of_url(where) for where in places)
    else:
        refuse_without_effect(context, places, _HAS_EFFECT)
        sites = (
            SiteOptions(where=where, base_url=base_url, scope=ScopeKind(scope)) for where in places
        )
        documents = (document for site in sites for document in _documents(site, page, crawl))
        found = (classifier.classify(document) for document in documents)
    if console.speaks_json(as_json):
        for one in found:
            console.write_json(one.as_json())
    else:
        console.show(_table(found))


def _documents(site: SiteOptions, page: PageOptions, crawl: CrawlOptions) -> Iterator[Document]:
    """All pages of a folder or an archive; else the one page that is named."""
    if kind_of(site.where) in {PlaceKind.FOLDER, PlaceKind.ARCHIVE, PlaceKind.PLUGIN}:
        for one in site.open(crawl).pages():
            document = one.document()
            if not document.refused:
                yield document
        return
    from sitewright.cli.pages import open_page

    yield open_page(site.where, crawl, page)


def _table(found: Iterator[Classification]) -> Table:
    from rich.table import Table

    from sitewright.cli.tables import plain

    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("class", "confidence", "URL"):
        table.add_column(column, header_style="dim")
    for one in found:
        name = plain(one.page_class or "-", 30)
        table.add_row(name, f"{one.confidence:.2f}", plain(one.url, 90))
    return table
