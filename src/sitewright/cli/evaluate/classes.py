"""`sitewright evaluate classes`: page classes against true ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.options import json_option, settings_option
from sitewright.event_loop import run_async

if TYPE_CHECKING:
    from sitewright.cli.console import Console
    from sitewright.crawl.waves import CrawlPlan
    from sitewright.evaluate.classes import ClassQuality
    from sitewright.site import Site


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


def tell(console: Console, as_json: bool, outcome: ClassQuality) -> None:
    """Print an outcome for a program or a person."""
    measures = outcome.measures()
    if console.speaks_json(as_json):
        console.write_json(measures)
        return
    from sitewright.cli.tables import confusion_table, facts

    console.show(
        facts(outcome.model.home, measures),
        confusion_table(outcome.matrix.rows(), outcome.class_scores()),
    )


@click.command("classes")
@experiment_options
@click.option("--test", "tested", type=click.IntRange(1), default=2000, show_default=True,
              help="Random pages to classify.")  # fmt: skip
@settings_option
@click.pass_obj
def command(
    console: Console, /, labels: Path, as_json: bool, tested: int, method: str, **given: Any
) -> None:
    """Discover a site, classify random pages of it, and compare with their true classes.

    Prints F*, entropy and purity; for people also the confusion matrix and F of each class.

    \b
    Example:
      sitewright evaluate classes demo/cup/site --labels demo/cup/truth/page-classes.tsv --pages 200
    """
    from sitewright.evaluate.classes import class_quality
    from sitewright.evaluate.measures import read_labels

    truth = read_labels(labels)
    site, plan = prepared(method=method, **given)
    tell(console, as_json, run_async(class_quality(site, truth, plan, method, tested)))
