"""`sitewright export`: the graph of classes for other programs."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("export")
@click.argument("form", metavar="FORMAT", type=click.Choice(["graphml", "dot", "json"]))
@click.argument("output", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--to", metavar="FILE", type=click.Path(path_type=Path), help="Instead of stdout.")
def command(form: str, output: Path, to: Path | None) -> None:
    """Write the graph of page classes as graphml, dot or json.

    \b
    Example:
      sitewright export dot out | dot -Tsvg > classes.svg
      sitewright export graphml out --to classes.graphml
    """
    from sitewright.classes import read_model
    from sitewright.output import complete_or_absent
    from sitewright.output.graph import FORMATS

    text = FORMATS[form](read_model(output))
    if to is None:
        click.echo(text, nl=False)
        return
    with complete_or_absent(to) as file:
        file.write(text)
