"""`sitewright evaluate skeleton`: navigation trees against true ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright import formats
from sitewright.cli.options import json_option, settings_option

if TYPE_CHECKING:
    from rich.table import Table

    from sitewright.cli.console import Console
    from sitewright.evaluate.skeleton import Row


_COLUMNS = {
    "edge_f": "edges F",
    "level_f": "levels F",
    "p_oa": "p_oa",
    "r_oa": "r_oa",
    "f_oa": "f_oa",
    "p_cg": "p_cg",
    "r_cg": "r_cg",
    "f_cg": "f_cg",
    "p_ns": "p_ns",
}


@click.command("skeleton")
@click.argument("data", metavar="SITES | SITE TRUTH", nargs=-1, required=True)
@click.option("--base-url", metavar="URL", help="With SITE: the address that its pages had.")
@click.option(
    "--redirects",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="With SITE: redirect stubs and where they lead, tabs between.",
)
@click.option(
    "--trained",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="With SITE: numbers from `sitewright skeleton train`, instead of those that we ship.",
)
@click.option(
    "--pages",
    type=click.IntRange(1),
    default=400,
    show_default=True,
    help="Most pages that our method may fetch of a site.",
)
@json_option
@settings_option
@click.pass_obj
def command(
    console: Console,
    /,
    data: tuple[str, ...],
    base_url: str | None,
    redirects: Path | None,
    trained: Path | None,
    pages: int,
    as_json: bool,
) -> None:  # fmt: skip
    """Compare navigation trees with true ones: our method, the paper's, breadth-first search.

    SITES is a file with one line a site: its name, where it is, the file with its true skeleton,
    and where they are needed its base URL and a file of redirects; tabs between. Each site is
    left out of the training in turn (loo), or not (tot), as in the paper. SITE and TRUTH instead
    are one site and its true skeleton, and nothing is learnt. Both trees are cut at depth 1, 2, 3.

    \b
    Example:
      sitewright evaluate skeleton sites.tsv
      sitewright evaluate skeleton demo/cup/site demo/cup/truth/skeleton.tsv
    """
    match data:
        case (sites,):
            rows = _experiment(console, Path(sites), pages)
        case (site, truth):
            rows = _one_site(site, truth, base_url, redirects, trained, pages)
        case _:
            raise click.UsageError("Expected SITES, or SITE and TRUTH.")
    if console.speaks_json(as_json):
        for row in rows:
            console.write_json(row.as_json())
    else:
        console.show(_table(rows))


def _experiment(console: Console, path: Path, pages: int) -> list[Row]:
    from sitewright.evaluate.skeleton import experiment, read_labelled_sites

    sites = read_labelled_sites(path)
    with console.progress() as progress:
        task = progress.add_task("sites", total=2 * len(sites))
        return experiment(sites, limit=pages, done=lambda _: progress.advance(task))


def _one_site(
    where: str,
    truth: str,
    base_url: str | None,
    redirects: Path | None,
    trained: Path | None,
    pages: int,
) -> list[Row]:
    from sitewright.evaluate.skeleton import SkeletonSite, score_site
    from sitewright.evaluate.skeleton_truth import read_skeleton_truth
    from sitewright.papers.training import Trained, shipped

    site = SkeletonSite(where, where, read_skeleton_truth(Path(truth), redirects), base_url)
    numbers = formats.read(trained, Trained) if trained else shipped()
    return score_site(site, numbers, limit=pages)


def _table(rows: list[Row]) -> Table:
    from rich.table import Table

    table = Table("site", "method", box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("depth", "fetched", *_COLUMNS.values()):
        table.add_column(name, justify="right")
    last: Any = None
    for row in rows:
        values = [row.measures.get(name) for name in _COLUMNS]
        shown = [f"{value:.3f}" if value is not None else "" for value in values]
        site = row.site if row.site != last else ""
        table.add_row(site, row.method, str(row.depth), f"{row.fetched:,}", *shown)
        last = row.site
    return table
