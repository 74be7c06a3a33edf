"""`sitewright discover`: the page classes of a site and the links between them."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.exit_codes import NOTHING_FOUND
from sitewright.cli.options import crawl_options, crawl_settings, json_option, scope_option
from sitewright.cli.running import run_async

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitewright.classes import Exploration, Plan, SiteModel
    from sitewright.cli.console import Console
    from sitewright.site import Site

_EXPLORING = ("all_pages", "method", "strategy", "seed")
"""Options that say how to explore, not how to fetch."""


def exploring_options(command: Any) -> Any:
    """The options of an exploration."""
    options = (
        click.option(
            "-o",
            "--output",
            metavar="OUT",
            required=True,
            type=click.Path(path_type=Path),
            help="The folder for the results; it is made if it is not there.",
        ),
        click.option(
            "--pages",
            type=click.IntRange(1),
            default=1000,
            show_default=True,
            help="Most pages to visit; it ends by itself when more change nothing.",
        ),
        click.option("--all-pages", is_flag=True, help="Take every page at hand; fetch none."),
        click.option(
            "--method",
            type=click.Choice(["sitewright", "paper"]),
            default="sitewright",
            show_default=True,
            help="Ours, or that of the papers.",
        ),
        click.option(
            "--strategy",
            type=click.Choice(["balanced", "densest", "sparsest"]),
            help="Which links come first.  [default: balanced; densest for the papers' method]",
        ),
        click.option("--seed", type=int, default=0, show_default=True, help="For random choices."),
        click.option(
            "--base-url",
            metavar="URL",
            help="The address that a folder's pages had, or the page of an archive to start at.",
        ),
        click.option("--home", metavar="PAGE", help="The page of a folder to start at."),
        scope_option,
        json_option,
        crawl_options,
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command("discover")
@click.argument("site", metavar="SITE")
@exploring_options
@click.pass_context
def command(context: click.Context, /, **given: Any) -> None:
    """Find the page classes of a site and the links between them.

    OUT gets model.json and report.html; for a live site also pages.warc.gz, all that was fetched.
    Stop it whenever you like: the same command goes on from there and fetches nothing twice.

    \b
    Example:
      sitewright discover https://example.org/ -o out
      sitewright discover demo/cup/site -o demo/out --pages 500
    """
    console: Console = context.obj
    as_json = given.pop("as_json")
    output = given["output"]
    model = discovered(console, **given)
    if model is None:
        console.note("no page of this site can be had")
        context.exit(NOTHING_FOUND)
    if console.speaks_json(as_json):
        console.write_json(summary(model, output))
    else:
        from sitewright.cli.class_tables import class_table

        console.show(class_table(model))


def discovered(console: Console, /, site: str, output: Path, **given: Any) -> SiteModel | None:
    """Explore and write model.json and report.html; None if there is no page."""
    from sitewright import formats
    from sitewright.output.folder import write_model
    from sitewright.output.report import write_report
    from sitewright.output.source import Source, write_source

    opened = opened_site(site, output, **given)
    model = _model(console, opened, _plan(given), given["method"], given["all_pages"])
    if model is None:
        return None
    if removed := write_model(output, model):
        names = ", ".join(path.relative_to(output).as_posix() for path in removed)
        console.note(f"removed from {output} what belonged to another model: {names}")
    source = Source(site, given["base_url"], given["home"], given["scope"])
    write_source(output, source, model=formats.identity(model))
    write_report(output, model)
    return model


def summary(model: SiteModel, output: Path) -> dict[str, Any]:
    """The run in one flat object."""
    return {
        "site": model.home,
        "output": str(output),
        "pages": model.visited,
        "classes": len(model.classes),
        "class_links": len(model.links),
        "names": [one.name for one in model.classes],
    }


def opened_site(
    site: str,
    output: Path,
    *,
    pages: int,
    base_url: str | None,
    home: str | None,
    scope: str,
    **given: Any,
) -> Site:
    """The site that the command line names; what is fetched of it is kept in OUT."""
    from sitewright.formats import output_folder
    from sitewright.site import Scope, ScopeKind, open_site
    from sitewright.site.open import is_url

    if is_url(site):
        Scope(site, ScopeKind(scope))  # a bad address is refused before a folder is made for it
        output_folder(output)
    if home is not None and Path(site).is_dir():
        from sitewright.site.folder import FolderSite

        return FolderSite(Path(site), base_url=base_url, home=home, without=output)
    crawling = {name: value for name, value in given.items() if name not in _EXPLORING}
    return open_site(
        site,
        archive=output / "pages.warc.gz",
        base_url=base_url,
        scope=ScopeKind(scope),
        options=crawl_settings(max_pages=pages, **crawling),
    )


def _plan(given: Mapping[str, Any]) -> Plan:
    from sitewright.classes import Plan, Strategy

    usual = "densest" if given["method"] == "paper" else "balanced"
    strategy = Strategy(given["strategy"] or usual)
    return Plan(limit=given["pages"], strategy=strategy, seed=given["seed"])


def _model(
    console: Console, site: Site, plan: Plan, method: str, all_pages: bool
) -> SiteModel | None:
    from sitewright.classes import discover, discover_all

    if all_pages:
        return discover_all(site, method=method)

    async def explored() -> SiteModel | None:
        with console.progress() as progress:
            task = progress.add_task("visiting pages", total=plan.limit)

            def show(exploration: Exploration) -> None:
                progress.update(task, completed=len(exploration.pages))

            async with aclosing(site):
                return await discover(site, plan, method=method, on_wave=show)

    return run_async(explored())
