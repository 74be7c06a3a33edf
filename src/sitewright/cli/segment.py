"""`sitewright segment`: the visual blocks of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sitewright import formats
from sitewright.cli.group import NOTHING_FOUND
from sitewright.cli.options import Place
from sitewright.cli.rendering import (
    NEW_FILE,
    found,
    granularity_option,
    picture_options,
    rendered,
    source,
    visual_options,
    write_picture,
)
from sitewright.cli.tables import plain
from sitewright.event_loop import run_async
from sitewright.formats import complete_or_absent, output_folder
from sitewright.site.browser import Browser
from sitewright.visual import segment
from sitewright.visual.picture import Outline, Plate, colour, picture_page

if TYPE_CHECKING:
    from pathlib import Path

    from sitewright.cli.console import Console
    from sitewright.cli.rendering import PageSource, RenderingOptions
    from sitewright.page.rendering import Rendering
    from sitewright.site.web import CrawlOptions
    from sitewright.visual import Block


@click.command("segment")
@click.argument("page", metavar="PAGE", type=Place())
@picture_options("Draw the blocks on a picture of the page (PNG).", scale=1.0)
@granularity_option
@click.option("--rendering", "save", type=NEW_FILE, help="Save every box and style as JSON.")
@click.option("--html", type=NEW_FILE, help="Save the page with lx, ly, dx and dy on its elements.")
@visual_options
@click.pass_context
def command(
    context: click.Context,
    /,
    page: str,
    picture: Path | None,
    scale: float,
    granularity: float,
    save: Path | None,
    html: Path | None,
    as_json: bool,
    rendering: RenderingOptions,
    crawl: CrawlOptions,
) -> None:
    """Cut a page into visual blocks, as a reader sees them: header, menu, content, footer.

    PAGE is a URL, a file, - for standard input, or with --site a page of a folder or an archive.
    It is rendered by Chromium, without scripts and without a way to the network: what it loads
    comes from its own host, folder or archive. With --json or in a pipe you get one JSON object a
    block. The exit code is 1 if nothing on the page is visible.

    \b
    Example:
      sitewright segment demo/cup/site/teams/index.html --picture blocks.png
      sitewright segment page.html --granularity 0.8 | jq -r '[.role, .text] | @tsv'
    """
    console: Console = context.obj
    wanted = _SegmentRequest(picture, scale, granularity, save, html)
    blocks = run_async(_segment(page, rendering, crawl, wanted))
    if console.speaks_json(as_json):
        for block in blocks:
            console.write_json({"page": page, **block.as_json()})
    else:
        console.show(_table(page, blocks))
    context.exit(0 if blocks else NOTHING_FOUND)


class _SegmentRequest:
    """What is to be made of a rendered page."""

    def __init__(
        self,
        picture: Path | None,
        scale: float,
        granularity: float,
        rendering: Path | None,
        html: Path | None,
    ) -> None:
        self.picture, self.scale, self.granularity = picture, scale, granularity
        self.rendering, self.html = rendering, html


async def _segment(
    page: str, options: RenderingOptions, crawl: CrawlOptions, wanted: _SegmentRequest
) -> list[Block]:
    async with source(page, options.site, crawl) as given, Browser(options.layout) as browser:
        rendering = await rendered(browser, given)
        blocks = segment(rendering, granularity=wanted.granularity)
        if wanted.rendering is not None:
            path = wanted.rendering
            formats.write(output_folder(path.parent) / path.name, rendering)
        if wanted.html is not None:
            annotated = await browser.annotated(given.page, given.resources)
            _write_text(wanted.html, found(page, annotated))
        if wanted.picture is not None:
            await _draw(browser, given, rendering, blocks, wanted)
    return blocks


async def _draw(
    browser: Browser,
    given: PageSource,
    rendering: Rendering,
    blocks: list[Block],
    wanted: _SegmentRequest,
) -> None:
    screenshot = found(given.where, await browser.picture(given.page, given.resources))
    outlines = [
        Outline(block.box, colour(block.number), f"{block.number} {block.role.value}")
        for block in blocks
    ]
    plate = Plate(screenshot, rendering.viewport[0], rendering.height, outlines)
    picture = found(given.where, await browser.paint(*picture_page([plate], wanted.scale)))
    if wanted.picture is not None:
        write_picture(wanted.picture, picture)


def _write_text(path: Path, text: str) -> None:
    with complete_or_absent(output_folder(path.parent) / path.name) as file:
        file.write(text.encode("utf-8", "replace").decode())


def _table(page: str, blocks: list[Block]) -> Any:
    from rich.table import Table

    table = Table(title=plain(page, 90), title_justify="left", title_style="bold", box=None)
    for name in ("block", "role", "lx", "ly", "dx", "dy", "text"):
        right = name in {"lx", "ly", "dx", "dy"}
        table.add_column(name, justify="right" if right else "left", header_style="dim")
    for block in blocks:
        box = block.box
        numbers = map(str, (box.lx, box.ly, box.dx, box.dy))
        label = "  " * block.depth + str(block.number)
        table.add_row(label, block.role.value, *numbers, plain(block.text, 50))
    return table
