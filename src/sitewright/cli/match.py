"""`sitewright match`: what plays the same part in two pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sitewright.cli.group import NOTHING_FOUND
from sitewright.cli.options import Place
from sitewright.cli.rendering import (
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
from sitewright.methods import MATCHING_METHODS, match
from sitewright.site.browser import Browser
from sitewright.visual import block_pairs, leaf_pairs
from sitewright.visual.picture import Outline, Plate, colour, picture_page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sitewright.cli.console import Console
    from sitewright.cli.rendering import PageSource, RenderingOptions
    from sitewright.page.rendering import Rendering
    from sitewright.site.web import CrawlOptions
    from sitewright.visual import BlockPair


@click.command("match")
@click.argument("first", metavar="PAGE_A", type=Place())
@click.argument("second", metavar="PAGE_B", type=Place())
@picture_options("Draw both pages side by side, pairs in one colour.", scale=0.5)
@click.option("--leaves", is_flag=True, help="Give pairs of texts and images, not of blocks.")
@granularity_option
@click.option(
    "--method",
    type=click.Choice([method.value for method in MATCHING_METHODS]),
    default="default",
    show_default=True,
    help="Ours, or the paper's: from the top down, or all leaves at once.",
)
@visual_options
@click.pass_context
def command(
    context: click.Context,
    /,
    first: str,
    second: str,
    picture: Path | None,
    scale: float,
    leaves: bool,
    granularity: float,
    method: str,
    as_json: bool,
    rendering: RenderingOptions,
    crawl: CrawlOptions,
) -> None:
    """Find the blocks of two pages that play the same part.

    Give two pages of one kind: two products, two articles. PAGE is a URL, a file, or with --site a
    page of a folder or an archive. With --json or in a pipe you get one JSON object a pair. The
    exit code is 1 if the pages have nothing in common.

    \b
    Example:
      sitewright match teams/one.html teams/two.html --picture pairs.png
    """
    console: Console = context.obj
    wanted = _MatchRequest(method, picture, scale, granularity, leaves or method == "paper-leaves")
    pairs, optimal = run_async(_match((first, second), rendering, crawl, wanted))
    if not optimal:
        console.note("not all of it could be solved in time: these are the best pairs found")
    if console.speaks_json(as_json):
        for pair in pairs:
            console.write_json(pair.as_json())
    else:
        console.show(_table(pairs))
    context.exit(0 if pairs else NOTHING_FOUND)


class _MatchRequest(NamedTuple):
    """What is to be found in two rendered pages."""

    method: str
    picture: Path | None
    scale: float
    granularity: float
    leaves: bool


async def _match(
    pages: tuple[str, str], options: RenderingOptions, crawl: CrawlOptions, wanted: _MatchRequest
) -> tuple[list[BlockPair], bool]:
    """The pairs of two pages, and whether they are the best that there are."""
    async with (
        source(pages[0], options.site, crawl) as a,
        source(pages[1], options.site, crawl) as b,
        Browser(options.layout) as browser,
    ):
        renderings = await rendered(browser, a), await rendered(browser, b)
        correspondence = match(*renderings, method=wanted.method)
        if wanted.leaves:
            pairs = leaf_pairs(*renderings, correspondence)
        else:
            pairs = block_pairs(*renderings, correspondence, granularity=wanted.granularity)
        if wanted.picture is not None:
            image = await _drawn(browser, (a, b), renderings, pairs, wanted.scale)
            write_picture(wanted.picture, image)
        return pairs, correspondence.optimal


async def _drawn(
    browser: Browser,
    sources: tuple[PageSource, PageSource],
    renderings: tuple[Rendering, Rendering],
    pairs: Sequence[BlockPair],
    scale: float,
) -> bytes:
    plates: list[Plate] = []
    for side, (given, rendering) in enumerate(zip(sources, renderings, strict=True)):
        screenshot = found(given.where, await browser.picture(given.page, given.resources))
        views = ((pair, (pair.first, pair.second)[side]) for pair in pairs)
        outlines = [
            Outline(view.box, colour(pair.number), str(pair.number)) for pair, view in views
        ]
        plates.append(Plate(screenshot, rendering.viewport[0], rendering.height, outlines))
    return found(sources[0].where, await browser.paint(*picture_page(plates, scale)))


def _table(pairs: Sequence[BlockPair]) -> Any:
    from rich.table import Table

    table = Table(box=None)
    for name in ("pair", "role", "in the first page", "in the second page"):
        table.add_column(name, header_style="dim")
    for pair in pairs:
        texts = plain(pair.first.text, 45), plain(pair.second.text, 45)
        table.add_row(str(pair.number), pair.role, *texts)
    return table
