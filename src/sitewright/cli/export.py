"""`sitewright export`: the graph of classes, a site map or a spider, for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sitewright.cli.console import Console

_FORMATS = ["scrapy", "graphml", "dot", "json", "sitemap"]


@click.command("export")
@click.argument("form", metavar="FORMAT", type=click.Choice(_FORMATS))
@click.argument("output", metavar="OUT", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--to",
    metavar="FILE|FOLDER",
    type=click.Path(path_type=Path),
    help="Where to; else stdout, for a site map OUT, for scrapy OUT/spider.",
)
@click.option("--site", metavar="SITE", help="scrapy: the pages at hand, if OUT has no archive.")
@click.option("--base-url", metavar="URL", help="scrapy: the address that a folder's pages had.")
@click.option("--force", is_flag=True, help="scrapy: write over an older project.")
@click.pass_obj
def command(
    console: Console,
    /,
    form: str,
    output: Path,
    to: Path | None,
    site: str | None,
    base_url: str | None,
    force: bool,
) -> None:
    """Write a Scrapy project, the graph of page classes, or the skeleton as a site map.

    scrapy makes a project in OUT/spider that crawls the site and yields the records that extract
    does. Its selectors are checked on all pages at hand: those in OUT/pages.warc.gz, or --site.
    graphml, dot and json are the graph of page classes. sitemap makes sitemap.xml and
    sitemap.txt in OUT.

    \b
    Example:
      sitewright export scrapy out && cd out/spider && scrapy crawl site
      sitewright export scrapy out --site saved/pages -o my-spider
      sitewright export dot out | dot -Tsvg > classes.svg
      sitewright export graphml out --to classes.graphml
      sitewright export sitemap out
    """
    if form == "scrapy":
        from sitewright.cli.export_scrapy import export_scrapy

        folder = to or output / "spider"
        export_scrapy(console, output, folder, site=site, base_url=base_url, force=force)
    elif form == "sitemap":
        _export_sitemap(output, to or output)
    else:
        _export_graph(form, output, to)


def _export_graph(form: str, output: Path, to: Path | None) -> None:
    from sitewright.formats import complete_or_absent
    from sitewright.output.folder import read_model
    from sitewright.output.graph import FORMATS

    text = FORMATS[form](read_model(output))
    if to is None:
        click.echo(text, nl=False)
        return
    with complete_or_absent(to) as file:
        file.write(text)


def _export_sitemap(output: Path, folder: Path) -> None:
    from sitewright.output.folder import read_skeleton
    from sitewright.output.sitemap import write_sitemap

    for path in write_sitemap(read_skeleton(output), folder):
        click.echo(f"wrote {path}", err=True)
