"""`sitewright upgrade`: results of an earlier version, in the formats of this one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sitewright.cli.console import Console


@click.command("upgrade")
@click.argument("output", metavar="OUT", type=click.Path(path_type=Path))
@click.pass_obj
def command(console: Console, /, output: Path) -> None:
    """Bring results of an earlier version to the formats of this one.

    OUT is a folder of results, or one file that sitewright wrote: a template, a rendering, learnt
    numbers. What is up to date, and what sitewright did not write, stays as it is.

    \b
    Example:
      sitewright upgrade out
    """
    from sitewright.export.upgrade import upgrade_folder

    written = upgrade_folder(output)
    if console.speaks_json(False):
        for path in written:
            console.write_json({"upgraded": str(path)})
    console.note(f"{output}: {len(written)} files upgraded" if written else f"{output}: up to date")
