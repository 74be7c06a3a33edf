"""`sitewright export`: the graph of classes, a site map or a spider, for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from sitewright.errors import InputNotFound, UnreadableInput

if TYPE_CHECKING:
    from rich.table import Table

    from sitewright.classes import SiteModel
    from sitewright.cli.console import Console
    from sitewright.export.scrapy.project import ScrapyProject
    from sitewright.site import Site


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
    from sitewright.export.folder import read_model
    from sitewright.export.graph import FORMATS
    from sitewright.formats import complete_or_absent

    text = FORMATS[form](read_model(out))
    if output is None:
        click.echo(text, nl=False)
        return
    with complete_or_absent(output) as file:
        file.write(text)


def _export_sitemap(console: Console, out: Path, to: Path) -> None:
    from sitewright.export.folder import read_skeleton
    from sitewright.export.sitemap import write_sitemap

    for path in write_sitemap(read_skeleton(out), to):
        console.note(f"wrote {path}")


# `sitewright export scrapy`: a Scrapy project, checked on the local pages.

_ARCHIVE = "pages.warc.gz"


def export_scrapy(
    console: Console,
    out: Path,
    folder: Path,
    *,
    site: str | None,
    base_url: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Check the selectors, write the project and say how well it does."""
    from sitewright.export.folder import read_model, read_wrappers
    from sitewright.export.scrapy.project import make_project, write_project

    if not force:
        _check_is_free(folder)
    model = read_model(out)
    wrappers = read_wrappers(out, model)
    opened = _local_pages(out, model, site, base_url)
    with console.progress() as progress:
        progress.add_task("checking selectors on the local pages", total=None)
        project = make_project(model, wrappers, opened.pages)
    write_project(project, folder)
    if console.speaks_json(as_json):
        console.write_json(summary(project, folder))
    else:
        console.show(class_table(project))
    for one in project.checked.left_out():
        console.note(
            f"left out: {one.trial.name}, the same on {one.share:.1%} of {one.pages} pages"
        )
    console.note(f"wrote {folder}: start with its README.md")


def summary(project: ScrapyProject, folder: Path) -> dict[str, Any]:
    """The export in one object."""
    run, checked = project.run, project.checked
    own = sum(count for name, count in run.pages.items() if name)
    return {
        "project": str(folder),
        "package": project.plan.package,
        "classes": [one.name for one in project.plan.classes if one.items],
        "selectors": len(checked.agreements),
        "left_out": {one.trial.name: round(one.share, 4) for one in checked.left_out()},
        "pages": own,
        "same_records": run.same.total(),
        "taken_for_others": sum(run.taken_for.values()),
    }


def class_table(project: ScrapyProject) -> Table:
    """The classes with records: selectors, and how many pages give the same records."""
    from rich.table import Table

    from sitewright.cli.tables import plain

    run = project.run
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("class", "addresses"):
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


def _check_is_free(folder: Path) -> None:
    """What somebody may have changed is overwritten only on request."""
    if folder.is_dir() and any(folder.iterdir()):
        raise UnreadableInput(str(folder), "is not empty; --force writes over an older project")


def _local_pages(out: Path, model: SiteModel, site: str | None, base_url: str | None) -> Site:
    from sitewright.site import ScopeKind, open_site
    from sitewright.site.open import SOURCE_FILE, is_url, read_source

    archive = out / _ARCHIVE
    if site is None and not archive.is_file() and (out / SOURCE_FILE).is_file():
        source = read_source(out)
        site, base_url = source.site, base_url or source.base_url
    if site is not None and not is_url(site):
        return open_site(site, archive=archive, base_url=base_url or _base(site, model))
    if not archive.is_file():
        why = f"no {_ARCHIVE} here; say where the pages are: --site FOLDER|ARCHIVE"
        raise InputNotFound(str(out), why)
    return open_site(str(archive), base_url=model.home, scope=ScopeKind.DOMAIN)


def _base(site: str, model: SiteModel) -> str | None:
    """The pages of a folder have the URLs that they had when the model was made."""
    from urllib.parse import urljoin

    return urljoin(model.home, ".") if Path(site).is_dir() else model.home
