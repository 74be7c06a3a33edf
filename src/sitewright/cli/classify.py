"""`sitewright classify`: which class each page belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.options import crawl_options, crawl_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.classes import Classification, Classifier
    from sitewright.cli.console import Console
    from sitewright.site.web.options import CrawlOptions


@click.command("classify")
@click.argument("output", metavar="OUT", type=click.Path(path_type=Path))
@click.argument("pages", metavar="PAGE...|SITE", nargs=-1, required=True)
@click.option("--url-only", is_flag=True, help="Judge by the address alone; read no page.")
@click.option("--url", help="The address of a page in a file.")
@click.option("--base-url", metavar="URL", help="The address that a folder's pages had.")
@crawl_options
@click.pass_obj
def command(
    console: Console,
    /,
    output: Path,
    pages: tuple[str, ...],
    url_only: bool,
    url: str | None,
    base_url: str | None,
    **crawling: Any,
) -> None:
    """Say of each page which class it belongs to, as JSON lines.

    PAGE is a URL, a file, or - for standard input; a folder or an archive stands for all of its
    pages. The class is null where none fits.

    \b
    Example:
      sitewright classify out page.html
      sitewright classify out demo/cup/site | jq -r .class | sort | uniq -c
      sitewright classify out --url-only https://example.org/players/9.html
    """
    from sitewright.classes import Classifier
    from sitewright.output.folder import read_model

    classifier = Classifier(read_model(output))
    options = crawl_settings(**crawling)
    for where in pages:
        if url_only:
            console.write_json(classifier.of_address(where).as_json())
            continue
        for found in _classified(classifier, where, url, base_url, options):
            console.write_json(found.as_json())


def _classified(
    classifier: Classifier,
    where: str,
    url: str | None,
    base_url: str | None,
    options: CrawlOptions,
) -> Iterator[Classification]:
    from sitewright.site import open_site
    from sitewright.site.open import ARCHIVE_ENDINGS, is_url

    is_site = Path(where).is_dir() or where.lower().endswith(ARCHIVE_ENDINGS)
    if where != "-" and not is_url(where) and is_site:
        for page in open_site(where, base_url=base_url).pages():
            yield classifier.classify(page.document())
        return
    from sitewright.cli.pages import open_page

    yield classifier.classify(open_page(where, url=url, options=options))
