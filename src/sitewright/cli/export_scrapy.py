"""`sitewright export scrapy`: a Scrapy project, checked on the local pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitewright.errors import InputNotFound, UnreadableInput

if TYPE_CHECKING:
    from rich.table import Table

    from sitewright.classes import SiteModel
    from sitewright.cli.console import Console
    from sitewright.output.spider import Project
    from sitewright.site import Site

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
    from sitewright.output.folder import read_model, read_wrappers
    from sitewright.output.spider import make_project, write_project

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


def summary(project: Project, folder: Path) -> dict[str, Any]:
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


def class_table(project: Project) -> Table:
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
    """What somebody may have changed is not written over without being told to."""
    if folder.is_dir() and any(folder.iterdir()):
        raise UnreadableInput(str(folder), "is not empty; --force writes over an older project")


def _local_pages(out: Path, model: SiteModel, site: str | None, base_url: str | None) -> Site:
    from sitewright.output.source import FILE_NAME, read_source
    from sitewright.site import ScopeKind, open_site
    from sitewright.site.open import is_url

    archive = out / _ARCHIVE
    if site is None and not archive.is_file() and (out / FILE_NAME).is_file():
        source = read_source(out)
        site, base_url = source.site, base_url or source.base_url
    if site is not None and not is_url(site):
        return open_site(site, archive=archive, base_url=base_url or _base(site, model))
    if not archive.is_file():
        why = f"no {_ARCHIVE} here; say where the pages are: --site FOLDER|ARCHIVE"
        raise InputNotFound(str(out), why)
    return open_site(str(archive), base_url=model.home, scope=ScopeKind.DOMAIN)


def _base(site: str, model: SiteModel) -> str | None:
    """The pages of a folder have the addresses that they had when the model was made."""
    from urllib.parse import urljoin

    return urljoin(model.home, ".") if Path(site).is_dir() else model.home
