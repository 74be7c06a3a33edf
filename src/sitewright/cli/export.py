"""`sitewright export`: the graph of classes, or a site map, for other programs."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("export")
@click.argument("form", metavar="FORMAT", type=click.Choice(["graphml", "dot", "json", "sitemap"]))
@click.argument("output", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--to", metavar="FILE", type=click.Path(path_type=Path), help="Instead of stdout.")
def command(form: str, output: Path, to: Path | None) -> None:
    """Write the graph of page classes as graphml, dot or json, or the skeleton as a site map.

    A site map is two files, sitemap.xml and sitemap.txt, in OUT or in the folder given with --to.

    \b
    Example:
      sitewright export dot out | dot -Tsvg > classes.svg
      sitewright export graphml out --to classes.graphml
      sitewright export sitemap out
    """
    if form == "sitemap":
        _export_sitemap(output, to or output)
        return
    from sitewright.classes import read_model
    from sitewright.output import complete_or_absent
    from sitewright.output.graph import FORMATS

    text = FORMATS[form](read_model(output))
    if to is None:
        click.echo(text, nl=False)
        return
    with complete_or_absent(to) as file:
        file.write(text)


def _export_sitemap(output: Path, folder: Path) -> None:
    from sitewright.output.sitemap import write_sitemap
    from sitewright.output.skeleton import read_skeleton

    for path in write_sitemap(read_skeleton(output / "skeleton.json"), folder):
        click.echo(f"wrote {path}", err=True)
