"""`sitewright evaluate navigation`: random walks mapped onto the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.evaluate.classes import experiment_options, prepared, tell
from sitewright.cli.options import settings_option
from sitewright.event_loop import run_async

if TYPE_CHECKING:
    from pathlib import Path

    from sitewright.cli.console import Console


@click.command("navigation")
@experiment_options
@click.option("--walks", type=click.IntRange(1), default=100, show_default=True)
@settings_option
@click.pass_obj
def command(
    console: Console, /, labels: Path, as_json: bool, walks: int, method: str, **given: Any
) -> None:
    """Walk at random through a site, eight pages each time, and find the last page's class.

    The class must follow from the class links of the walk alone, up to those with one path.

    \b
    Example:
      sitewright evaluate navigation demo/cup/site --labels demo/cup/truth/page-classes.tsv
    """
    from sitewright.evaluate.classes import navigation_quality
    from sitewright.evaluate.measures import read_labels

    truth = read_labels(labels)
    site, plan = prepared(method=method, **given)
    tell(console, as_json, run_async(navigation_quality(site, truth, plan, method, walks)))
