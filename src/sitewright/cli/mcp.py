"""`sitewright mcp`: the results for programs that speak the Model Context Protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sitewright.cli.console import Console


@click.command("mcp")
@click.argument("outs", metavar="OUT...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve over streamable HTTP on this machine. Default: standard input and output.",
)
@click.option(
    "--allow-fetch",
    "allowed",
    metavar="URL",
    default="",
    help="Add the tool open_site, which fetches pages of this site.",
)
@click.pass_obj
def command(console: Console, /, outs: tuple[str, ...], port: int | None, allowed: str) -> None:
    """Serve the results in OUT to programs that speak MCP.

    Tools: site_map, describe_class, query (SQL that only reads), find_value, skeleton, get_page.
    All of them read what is in OUT; nothing is fetched, unless --allow-fetch names a site.

    \b
    Example:
      sitewright mcp out
      sitewright mcp shop-out news-out --http 8765
    """
    from pathlib import Path

    from sitewright.errors import MissingExtra
    from sitewright.event_loop import run_async
    from sitewright.project import load
    from sitewright.site.open import is_url

    folders = [Path(out) for out in outs]
    for folder in folders:
        load(folder)
    if allowed and not is_url(allowed):
        raise click.BadParameter(f"{allowed!r} is not a URL.", param_hint="--allow-fetch")
    try:
        from sitewright.mcp import mcp_server, serve_http
    except ImportError:
        raise MissingExtra("mcp", "sitewright mcp") from None
    server = mcp_server(folders, allowed)
    if port is None:
        run_async(server.run_stdio_async())
    else:
        run_async(serve_http(server, port, lambda url: console.note(f"serving {url}")))
