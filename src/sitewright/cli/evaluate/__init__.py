"""`sitewright evaluate`: the papers' experiments, one module for each."""

from __future__ import annotations

import click

from sitewright.cli.group import VerbGroup

EXPERIMENTS: dict[str, str] = {
    "classes": "Page classes against true ones.",
    "navigation": "Random walks mapped onto the site model.",
    "convergence": "Model quality against pages visited.",
    "skeleton": "Navigation trees against true ones.",
    "template": "Templates against known ones.",
    "clustering": "Text clustering before and after templates are removed.",
    "segmentation": "Visual blocks against marked ones.",
    "matching": "Pairs of blocks against ids and classes.",
    "extraction": "Tables against known values.",
    "sensitivity": "Scores with each setting lowered and raised.",
}
"""Each experiment is a module here, with a command named `command`."""


@click.command("evaluate", cls=VerbGroup, package=__name__, verbs=EXPERIMENTS)
def command() -> None:
    """Run an experiment on data with known answers and print its measures.

    With --json every experiment writes flat JSON objects.
    """
