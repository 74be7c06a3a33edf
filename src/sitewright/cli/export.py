"""`sitewright export`: the graph of classes, a site map or a spider, for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.options import (
    Place,
    base_url_option,
    json_option,
    out_argument,
    output_option,
    refuse,
    refuse_without_effect,
)

if TYPE_CHECKING:
    from pathlib import Path

    from sitewright.cli.console import Console

_FORMATS = ["scrapy", "graphml", "dot", "json", "sitemap"]


@click.command("export")
@click.argument("form", metavar="FORMAT", type=click.Choice(_FORMATS))
@out_argument
@output_option(
    "FILE|FOLDER",
    "Output file or folder. Default: stdout; sitemap: OUT; scrapy: OUT/spider.",
    formerly="--to",
)
@click.option(
    "--site",
    metavar="SITE",
    type=Place(),
    help="scrapy: folder or archive with the pages. Default: OUT/pages.warc.gz.",
)
@base_url_option
@click.option("--force", is_flag=True, help="scrapy: write over an older project.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    /,
    form: str,
    out: Path,
    output: Path | None,
    site: str | None,
    base_url: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Write a Scrapy project, the graph of page classes, or the skeleton as a site map.

    scrapy makes a project in OUT/spider that crawls the site and yields the records that extract
    does. Its selectors are checked on all local pages: those in OUT/pages.warc.gz, or --site.
    graphml, dot and json are the graph of page classes. sitemap makes sitemap.xml and
    sitemap.txt in OUT, or the file that -o names.

    \b
    Example:
      sitewright export scrapy out && cd out/spider && scrapy crawl site
      sitewright export scrapy out --site saved/pages -o my-spider
      sitewright export dot out | dot -Tsvg > classes.svg
      sitewright export graphml out -o classes.graphml
      sitewright export sitemap out
    """
    console: Console = context.obj
    if form == "scrapy":
        from sitewright.cli.export_scrapy import export_scrapy

        if site is not None:
            refuse_without_effect(context, [site])
        folder = output or out / "spider"
        export_scrapy(
            console, out, folder, site=site, base_url=base_url, force=force, as_json=as_json
        )
        return
    refuse(context, ("site", "base_url", "force", "as_json"), f"has no effect on {form}")
    if form == "sitemap":
        _export_sitemap(console, out, output or out)
    else:
        _export_graph(form, out, output)


def _export_graph(form: str, out: Path, output: Path | None) -> None:
    from sitewright.formats import complete_or_absent
    from sitewright.output.folder import read_model
    from sitewright.output.graph import FORMATS

    text = FORMATS[form](read_model(out))
    if output is None:
        click.echo(text, nl=False)
        return
    with complete_or_absent(output) as file:
        file.write(text)


def _export_sitemap(console: Console, out: Path, to: Path) -> None:
    from sitewright.output.folder import read_skeleton
    from sitewright.output.sitemap import write_sitemap

    for path in write_sitemap(read_skeleton(out), to):
        console.note(f"wrote {path}")
