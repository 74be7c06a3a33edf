"""`sitewright explore`: see the results in a browser, and correct them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitewright.cli.options import out_argument

if TYPE_CHECKING:
    from sitewright.cli.console import Console


@click.command("explore")
@out_argument
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Port on this machine. Default: a free one.",
)
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
@click.option(
    "--before",
    type=click.Path(path_type=Path),
    metavar="OLD",
    help="An earlier project of the site, to show beside it; of a repair it is known.",
)
@click.pass_obj
def command(
    console: Console, /, out: Path, port: int, no_browser: bool, before: Path | None
) -> None:
    """Show the results in OUT as a local web page, and take corrections.

    Classes, tables, pages with their fields marked, the navigation tree, and first of all what the
    program is least sure of. Corrections (rename, merge, split, move; rename, drop, retype fields;
    a field by a click on a value) are kept in OUT/edits.jsonl and replayed on every later run. The
    server listens on this machine alone and asks nothing of any other. Ctrl-C ends it.

    \b
    Example:
      sitewright explore out
      sitewright explore out --port 8000 --no-browser
      sitewright explore new --before old
    """
    from sitewright.errors import MissingExtra
    from sitewright.event_loop import run_async
    from sitewright.project import load

    for folder in (out, before) if before else (out,):
        load(folder)
    try:
        from sitewright.explorer.serving import serve
    except ImportError:
        raise MissingExtra("explorer", "sitewright explore") from None

    def ready(url: str) -> None:
        click.echo(url)
        console.note("Ctrl-C ends the explorer")
        if not no_browser:
            import webbrowser

            webbrowser.open(url)

    run_async(serve(out, port, ready, before=before))
