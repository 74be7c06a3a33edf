"""Experiments on whole sites: page classes, walks, convergence, navigation trees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright import formats
from sitewright.cli.options import json_option, settings_option
from sitewright.event_loop import run_async

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType
    from rich.table import Table

    from sitewright.cli.console import Console
    from sitewright.crawl.waves import CrawlPlan
    from sitewright.evaluate.classes import ClassQuality
    from sitewright.evaluate.crescenzi import Convergence
    from sitewright.evaluate.skeleton import Row
    from sitewright.site import Site


# classes: page classes against true ones.


def experiment_options(command: Any) -> Any:
    """What the experiments on classes have in common."""
    options = (
        click.argument("site", metavar="SITE"),
        click.option(
            "--labels",
            metavar="FILE",
            required=True,
            type=click.Path(path_type=Path),
            help="Lines of path<TAB>class; may be packed (.xz).",
        ),
        click.option("--pages", type=click.IntRange(1), default=1000, show_default=True,
                     help="Most pages to visit."),
        click.option("--method", type=click.Choice(["default", "paper"]),
                     default="default", show_default=True),
        click.option("--strategy", type=click.Choice(["balanced", "densest", "sparsest"])),
        click.option("--home", metavar="PAGE", help="The page of a folder to start at."),
        click.option("--seed", type=int, default=0, show_default=True),
        json_option,
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def prepared(
    site: str, pages: int, method: str, strategy: str | None, home: str | None, seed: int
) -> tuple[Site, CrawlPlan]:
    """The site and the plan of its exploration."""
    from sitewright.crawl.frontier import Strategy
    from sitewright.crawl.waves import CrawlPlan
    from sitewright.site import open_site

    if home is not None and Path(site).is_dir():
        from sitewright.site.folder import FolderSite

        opened: Site = FolderSite(Path(site), home=home)
    else:
        opened = open_site(site)
    chosen = strategy or ("densest" if method == "paper" else "balanced")
    return opened, CrawlPlan(limit=pages, strategy=Strategy(chosen), seed=seed)


def print_quality(console: Console, as_json: bool, outcome: ClassQuality) -> None:
    """Print an outcome for a program or a person."""
    if console.speaks_json(as_json):
        console.write_json(outcome.as_json())
        return
    from sitewright.cli.tables import confusion_table, facts

    console.show(
        facts(outcome.model.home, outcome.measures()),
        confusion_table(outcome.matrix.rows(), outcome.class_scores(), outcome.support),
    )


@click.command("classes")
@click.argument("sites", metavar="SITE...", nargs=-1, required=True)
@click.option(
    "--labels",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Lines of path<TAB>class for one SITE; may be packed (.xz).",
)
@click.option(
    "--pages",
    type=click.IntRange(1),
    help="Most pages to visit.  [default: 1000; 300 of each of many sites]",
)
@click.option(
    "--method",
    type=click.Choice(["default", "paper"]),
    default="default",
    show_default=True,
    help="Of one SITE.",
)
@click.option(
    "--strategy", type=click.Choice(["balanced", "densest", "sparsest"]), help="Of one SITE."
)
@click.option("--home", metavar="PAGE", help="The page of a folder to start at.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of one SITE.")
@click.option(
    "--test",
    "tested",
    type=click.IntRange(1),
    default=2000,
    show_default=True,
    help="Random pages to classify, of one SITE.",
)
@click.option(
    "--seeds",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Explorations of each of many sites.",
)
@click.option(
    "--columns",
    metavar="NAMES",
    default="ours,rootless,naive,paper",
    show_default=True,
    help="What to compare on many sites.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Processes; each takes one of many sites.",
)
@json_option
@settings_option
@click.pass_obj
def classes_command(
    console: Console, /, sites: tuple[str, ...], labels: Path | None, pages: int | None,
    as_json: bool, tested: int, method: str, strategy: str | None, home: str | None, seed: int,
    seeds: int, columns: str, workers: int,
) -> None:  # fmt: skip
    """Find the page classes of labelled sites, and compare them with the true ones.

    With --labels, one SITE: it is explored, and random pages are classified. Prints F*, entropy and
    purity, and for each class its support, its F and its row of the confusion matrix.

    Without, SITES are folders with `sites` and `labels`, or files with a line for each site:
    folder, file of labels (`-` if all pages are of one class), home page, public address, with tabs
    between them. The classes of each are found with what was learnt from the others. Prints a row
    for each site: F* of our method, of ours where `<html>` and `<body>` say nothing (rootless), of
    the naive baseline, and of the papers' method.

    \b
    Examples:
      sitewright evaluate classes demo/cup/site --labels demo/cup/truth/page-classes.tsv --pages 200
      sitewright evaluate classes cms-sites cms-sites-2 more-sites.tsv --seeds 5
    """
    if labels is None:
        from sitewright.cli.evaluate.training import compare_classes

        compare_classes(console, sites, (pages or 300, seeds), columns, workers, as_json)
        return
    if len(sites) > 1:
        raise click.UsageError("--labels is for one SITE")
    from sitewright.evaluate.classes import class_quality
    from sitewright.evaluate.measures import read_labels

    truth = read_labels(labels)
    site, plan = prepared(sites[0], pages or 1000, method, strategy, home, seed)
    print_quality(console, as_json, run_async(class_quality(site, truth, plan, method, tested)))


# navigation: random walks mapped onto the model.


@click.command("navigation")
@experiment_options
@click.option("--walks", type=click.IntRange(1), default=100, show_default=True)
@settings_option
@click.pass_obj
def navigation_command(
    console: Console, /, labels: Path, as_json: bool, walks: int, method: str, **given: Any
) -> None:
    """Walk at random through a site, eight pages each time, and find the last page's class.

    The class must follow from the class links of the walk alone; of those that it can be, the
    best-fitting counts. F* is weighted by the number of pages that each class has in the site.
    --set walk_length=N changes the length of a walk.

    \b
    Example:
      sitewright evaluate navigation demo/cup/site --labels demo/cup/truth/page-classes.tsv
    """
    from sitewright.evaluate.crescenzi import navigation_quality
    from sitewright.evaluate.measures import read_labels

    truth = read_labels(labels)
    site, plan = prepared(method=method, **given)
    print_quality(console, as_json, run_async(navigation_quality(site, truth, plan, method, walks)))


# convergence: quality against pages visited.

_STRATEGIES = {"default": ("balanced", "densest", "sparsest"), "paper": ("densest", "sparsest")}
plot_option = click.option(
    "--plot",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the curves to an SVG file.",
)
"""--plot FILE, as `plot: Path | None`."""


@click.command("convergence")
@click.argument("site", metavar="SITE")
@click.option("--labels", metavar="FILE", required=True, type=click.Path(path_type=Path),
              help="The reference model: lines of path<TAB>class.")  # fmt: skip
@click.option("--pages", type=click.IntRange(1), default=400, show_default=True,
              help="Most pages to visit.")  # fmt: skip
@click.option("--method", type=click.Choice(list(_STRATEGIES)), default="default",
              show_default=True, help="Whose model: ours, or the papers'.")  # fmt: skip
@click.option("--reference-pages", type=click.IntRange(1), metavar="N",
              help="Pages that make up a reference schema.  [default: all]")  # fmt: skip
@click.option("--home", metavar="PAGE", help="The page of a folder to start at.")
@click.option("--seed", type=int, default=0, show_default=True)
@plot_option
@json_option
@settings_option
@click.pass_obj
def convergence_command(
    console: Console,
    /,
    site: str,
    labels: Path,
    pages: int,
    method: str,
    reference_pages: int | None,
    home: str | None,
    seed: int,
    plot: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Measure the quality Q of the growing model for each strategy, against true classes.

    The papers' model is measured after each wave, ours at eight points. Beside Q stands what waits
    in the queue; the papers suggest to end where it is longest.

    \b
    Example:
      sitewright evaluate convergence demo/cup/site --labels demo/cup/truth/page-classes.tsv
    """
    from sitewright.evaluate.crescenzi import convergence
    from sitewright.evaluate.measures import read_labels

    truth = read_labels(labels)
    found = []
    for strategy in _STRATEGIES[method]:
        opened, plan = prepared(site, pages, method, strategy, home, seed)
        found.append(run_async(convergence(opened, truth, plan, method, reference_pages)))
        if console.speaks_json(as_json):
            for row in found[-1].as_json():
                console.write_json(row)
    if not console.speaks_json(as_json):
        console.show(*map(_convergence_table, found))
    if plot is not None:
        write_plot(plot, _convergence_plot(found))


def _convergence_table(found: Convergence) -> RenderableType:
    from sitewright.cli.tables import facts

    longest = found.at_longest_queue
    step = max(1, len(found.points) // 8)
    shown = {f"{one.visited} pages": f"Q {one.q:.3f}, {one.queue:,} wait"
             for one in (*found.points[::step], *found.points[-1:])}  # fmt: skip
    if longest is not None:
        shown["longest queue"] = f"Q {longest.q:.3f} after {longest.visited} pages"
    return facts(f"{found.method}, {found.strategy}", shown)


def _convergence_plot(found: Sequence[Convergence]) -> str:
    """Figure 8 of the paper: Q, and dashed the queue, against pages visited."""
    from sitewright.evaluate.plot import Series, line_plot

    series = []
    for colour, one in enumerate(found):
        quality = tuple((point.visited, point.q) for point in one.points)
        queue = tuple((point.visited, point.queue) for point in one.points)
        series.append(Series(f"Q, {one.strategy}", quality, colour=colour))
        series.append(Series(f"queue, {one.strategy}", queue, on_right=True, colour=colour))
    title = f"Quality of the growing model ({found[0].method})"
    return line_plot(title, ("pages visited", "Q"), series, "queue")


def write_plot(file: Path, drawing: str) -> None:
    """Write a drawing, complete or not at all."""
    from sitewright.formats import complete_or_absent

    with complete_or_absent(file) as written:
        written.write(drawing)


# skeleton: navigation trees against true ones.

_SKELETON_COLUMNS = {
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
@click.option("--base-url", metavar="URL", help="With SITE: the URL that its pages had.")
@click.option(
    "--redirects",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="With SITE: redirect pages and where they lead, tabs between.",
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
    help="Most pages that our method and the paper's may fetch of a site.",
)
@click.option(
    "--statistics", is_flag=True, help="With SITES: only their sizes, the paper's table 1."
)
@json_option
@settings_option
@click.pass_obj
def skeleton_command(
    console: Console,
    /,
    data: tuple[str, ...],
    base_url: str | None,
    redirects: Path | None,
    trained: Path | None,
    pages: int,
    statistics: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Compare navigation trees with true ones: our method, the paper's, breadth-first search.

    SITES is a file with one line a site: its name, where it is, the file with its true skeleton,
    and where they are needed its base URL and a file of redirects; tabs between. Each site is
    left out of the training in turn (loo), or not (tot), as in the paper. SITE and TRUTH instead
    are one site and its true skeleton, and nothing is learnt. Both trees are cut at depth 1, 2, 3.
    The last rows are means over the sites with standard deviations: the paper's tables 2, 4 and 5.

    \b
    Example:
      sitewright evaluate skeleton sites.tsv
      sitewright evaluate skeleton sites.tsv --statistics
      sitewright evaluate skeleton demo/cup/site demo/cup/truth/skeleton.tsv
    """
    match data:
        case (sites,) if statistics:
            _print_statistics(console, Path(sites), as_json=as_json)
            return
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
        console.show(_skeleton_table(rows))


def _print_statistics(console: Console, path: Path, *, as_json: bool) -> None:
    from sitewright.evaluate.skeleton import read_labelled_sites, site_statistics

    rows = [site_statistics(site) for site in read_labelled_sites(path)]
    if console.speaks_json(as_json):
        for row in rows:
            console.write_json(row)
        return
    from rich.table import Table

    table = Table(*(name.replace("_", " ") for name in rows[0]), box=None, header_style="dim")
    for row in rows:
        table.add_row(*map(str, row.values()))
    console.show(table)


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
    from sitewright.methods import Trained, shipped

    site = SkeletonSite(where, where, read_skeleton_truth(Path(truth), redirects), base_url)
    numbers = formats.read(trained, Trained) if trained else shipped()
    return score_site(site, numbers, limit=pages)


def _skeleton_table(rows: list[Row]) -> Table:
    from rich.table import Table

    table = Table("site", "method", box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("depth", "fetched", *_SKELETON_COLUMNS.values()):
        table.add_column(name, justify="right")
    last: Any = None
    for row in rows:
        shown = [_mean_and_deviation(row, name) for name in _SKELETON_COLUMNS]
        site = row.site if row.site != last else ""
        table.add_row(site, row.method, str(row.depth), f"{row.fetched:,}", *shown)
        last = row.site
    return table


def _mean_and_deviation(row: Row, name: str) -> str:
    if name not in row.measures:
        return ""
    deviation = f" ± {row.deviations[name]:.3f}" if name in row.deviations else ""
    return f"{row.measures[name]:.3f}{deviation}"
