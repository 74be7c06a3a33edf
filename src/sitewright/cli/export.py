"""`sitewright export`: the results in another form, for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from sitewright.cli.options import (
    Place,
    PlaceKind,
    base_url_option,
    json_option,
    out_argument,
    output_option,
    refuse,
    refuse_without_effect,
)

if TYPE_CHECKING:
    from pathlib import Path

    from rich.table import Table

    from sitewright.cli.console import Console
    from sitewright.export.scrapy.project import ScrapyProject


_HAS_EFFECT = {
    "site": frozenset({PlaceKind.FOLDER, PlaceKind.FILE, PlaceKind.ARCHIVE, PlaceKind.PLUGIN})
}
"""Selectors are checked on pages that are here."""
_WITHOUT_SUMMARY = frozenset({"graphml", "dot", "json", "sitemap"})


class _ExportForm(click.ParamType):  # type: ignore[type-arg] # older ones take none
    """One of our forms, or of those that plugins add: looked up when it is needed."""

    name = "form"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse what is no form."""
        from sitewright.export.exporters import export_names

        if value not in export_names():
            self.fail(f"{value!r} is not one of {', '.join(export_names())}.", param, ctx)
        return str(value)

    def shell_complete(
        self, _context: click.Context, _parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The forms that begin so."""
        from sitewright.export.exporters import export_names

        return [CompletionItem(name) for name in export_names() if name.startswith(incomplete)]


@click.command("export")
@click.argument("form", metavar="FORMAT", type=_ExportForm())
@out_argument
@output_option(
    "FILE|FOLDER",
    "Output file or folder. Default: graphs: stdout; others: in OUT.",
    formerly="--to",
)
@click.option(
    "--site",
    metavar="SITE",
    type=Place(),
    help="scrapy, sqlite, search: folder or archive with the pages. Default: OUT/pages.warc.gz.",
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
    """Write the results in another form: a Scrapy project, a database, a graph, a site map.

    scrapy makes a project in OUT/spider that crawls the site and yields the records that extract
    does. Its selectors are checked on all local pages: those in OUT/pages.warc.gz, or --site.
    sqlite makes OUT/site.db, with classes, pages, links, and a table for each class and record set.
    schema makes OUT/schema, with JSON Schema and SQL for every table. search makes
    OUT/search.db, a full-text index (SQLite FTS5) of all local pages without their templates, block
    by block, with the class of each. graphml, dot and json are
    the graph of page classes. sitemap makes sitemap.xml and sitemap.txt in OUT, or the file that -o
    names. Plugins add forms: docs/extending.md.

    \b
    Example:
      sitewright export scrapy out && cd out/spider && scrapy crawl site
      sitewright export sqlite out -o site.db && sqlite3 site.db .schema
      sitewright export schema out
      sitewright export search out
      sitewright export dot out | dot -Tsvg > classes.svg
      sitewright export graphml out -o classes.graphml
      sitewright export sitemap out
    """
    from sitewright.export.exporters import export_options
    from sitewright.project import Project

    console: Console = context.obj
    given = {"site": site, "base_url": base_url, "force": force}
    options = {name: value for name, value in given.items() if name in export_options(form)}
    without_effect = given.keys() - options.keys()
    without_effect |= {"as_json"} if form in _WITHOUT_SUMMARY else set()
    refuse(context, without_effect, f"has no effect on {form}")
    if site is None:
        refuse(context, ("base_url",), "needs --site")
    else:
        refuse_without_effect(context, [site])
        refuse_without_effect(context, [site], _HAS_EFFECT)
    with console.watched() as progress:
        exported = Project(out, progress=progress).export(form, output, **options)
    if exported.text is not None and not as_json:
        click.echo(exported.text, nl=False)
    elif form not in _WITHOUT_SUMMARY and console.speaks_json(as_json):
        files = {"files": [str(path) for path in exported.files], "text": exported.text}
        console.write_json({**(exported.summary or files)})
    elif exported.spider is not None:
        console.show(_spider_table(exported.spider))
    for note in exported.notes:
        console.note(note)


def _spider_table(project: ScrapyProject) -> Table:
    """The classes with records: selectors, and how many pages give the same records."""
    from rich.table import Table

    from sitewright.cli.tables import plain

    run = project.run
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("class", "URL pattern"):
        table.add_column(name, header_style="dim")
    for name in ("selectors", "left out", "pages", "same records"):
        table.add_column(name, justify="right", header_style="dim")
    for one in project.plan.classes:
        if one.wrapper is None:
            continue
        selectors = sum(1 for _ in one.wrapper.all_fields()) + len(one.wrapper.record_sets)
        pages = run.pages[one.name]
        table.add_row(
            plain(one.name, 30),
            plain(one.url_template, 50),
            str(selectors),
            str(len(one.left_out)),
            f"{pages:,}",
            f"{run.same[one.name] / pages:.1%}" if pages else "",
        )
    return table
