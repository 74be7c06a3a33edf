"""`sitewright show`: what is known of a site, as a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitewright.cli.options import json_option

if TYPE_CHECKING:
    from sitewright.cli.console import Console


@click.command("show")
@click.argument("output", metavar="OUT", type=click.Path(path_type=Path))
@json_option
@click.pass_obj
def command(console: Console, /, output: Path, as_json: bool) -> None:
    """Show the page classes of a discovered site.

    With --json or in a pipe: one object a class.

    \b
    Example:
      sitewright show out
      sitewright show out | jq -r '[.name, .url_template] | @tsv'
    """
    from sitewright.classes import read_model

    model = read_model(output)
    if not console.speaks_json(as_json):
        from sitewright.cli.class_tables import class_table

        console.show(class_table(model))
        return
    for one in model.as_json()["classes"]:
        for hidden in ("schema", "scores", "prior", "worst", "pages", "structure_deficit"):
            del one[hidden]
        console.write_json(one)
