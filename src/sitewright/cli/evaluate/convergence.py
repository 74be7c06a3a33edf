"""`sitewright evaluate convergence`: quality against pages visited."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitewright.cli.evaluate.classes import prepared
from sitewright.cli.options import json_option, settings_option
from sitewright.event_loop import run_async

if TYPE_CHECKING:
    from sitewright.cli.console import Console


_STRATEGIES = ("balanced", "densest", "sparsest")


@click.command("convergence")
@click.argument("site", metavar="SITE")
@click.option("--labels", metavar="FILE", required=True, type=click.Path(path_type=Path),
              help="The reference model: lines of path<TAB>class.")  # fmt: skip
@click.option("--pages", type=click.IntRange(1), default=400, show_default=True)
@click.option("--home", metavar="PAGE", help="The page of a folder to start at.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--plot", metavar="FILE", type=click.Path(path_type=Path), help="An SVG drawing.")
@json_option
@settings_option
@click.pass_obj
def command(
    console: Console,
    /,
    site: str,
    labels: Path,
    pages: int,
    home: str | None,
    seed: int,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Measure the quality Q of the growing model for each strategy, against true classes.

    \b
    Example:
      sitewright evaluate convergence demo/cup/site --labels demo/cup/truth/page-classes.tsv
    """
    from sitewright.evaluate.classes import convergence
    from sitewright.evaluate.measures import read_labels

    truth = read_labels(labels)
    curves = {}
    for strategy in _STRATEGIES:
        opened, plan = prepared(site, pages, "default", strategy, home, seed)
        curves[strategy] = run_async(convergence(opened, truth, plan))
        for visited, quality in curves[strategy]:
            if console.speaks_json(as_json):
                console.write_json({"strategy": strategy, "visited": visited, "q": quality})
    if not console.speaks_json(as_json):
        from sitewright.cli.tables import facts

        for strategy, curve in curves.items():
            console.show(facts(strategy, {f"{v} pages": f"Q {q:.3f}" for v, q in curve}))
    if plot is not None:
        from sitewright.export.report.report import standalone_curves
        from sitewright.formats import complete_or_absent

        with complete_or_absent(plot) as file:
            file.write(standalone_curves(curves))
