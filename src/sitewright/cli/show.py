"""`sitewright show`: what is known of a site, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.options import json_option, out_argument

if TYPE_CHECKING:
    from pathlib import Path

    from sitewright.cli.console import Console


@click.command("show")
@out_argument
@json_option
@click.pass_obj
def command(console: Console, /, out: Path, as_json: bool) -> None:
    """Show the page classes of a discovered site.

    With --json or in a pipe: one object a class.

    \b
    Example:
      sitewright show out
      sitewright show out | jq -r '[.name, .url_template] | @tsv'
    """
    from sitewright import formats
    from sitewright.export.folder import read_model

    model = read_model(out)
    if not console.speaks_json(as_json):
        from sitewright.cli.tables import class_table

        console.show(class_table(model))
        return
    for one in formats.plain(model)["classes"]:
        for hidden in ("schema", "scores", "prior", "worst", "pages", "structure_deficit"):
            del one[hidden]
        console.write_json(one)
