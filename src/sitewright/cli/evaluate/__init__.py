"""`sitewright evaluate`: the papers' experiments."""

from __future__ import annotations

import click

from sitewright.cli.group import VerbGroup

EXPERIMENTS: dict[str, str] = {
    "classes": "Page classes against true ones.",
    "train": "Learn the numbers that we ship from labelled sites.",
    "navigation": "Random walks mapped onto the site model.",
    "convergence": "Model quality against pages visited.",
    "skeleton": "Navigation trees against true ones.",
    "template": "Templates against known ones.",
    "clustering": "Text clustering before and after templates are removed.",
    "segmentation": "Visual blocks against marked ones.",
    "matching": "Pairs of blocks against ids and classes.",
    "extraction": "Tables against known values.",
    "repair": "What check and repair make of sites at two dates.",
    "sensitivity": "Scores with each setting lowered and raised.",
}
MODULES: dict[str, tuple[str, ...]] = {
    "sites": ("classes", "navigation", "convergence", "skeleton"),
    "pages": ("template", "clustering", "extraction"),
    "blocks": ("segmentation", "matching"),
    "training": ("train",),
    "redesigns": ("repair",),
}
"""The experiments of each module here: `classes` is its command `classes_command`."""


_COMMANDS = {
    name: f"{module}.{name.replace('-', '_')}_command"
    for module, names in MODULES.items()
    for name in names
}


@click.command("evaluate", cls=VerbGroup, package=__name__, verbs=EXPERIMENTS, locations=_COMMANDS)
def command() -> None:
    """Run an experiment on data with known answers and print its measures.

    With --json every experiment writes flat JSON objects.
    """
