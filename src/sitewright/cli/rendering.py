"""Pages that a person names, rendered: what `segment` and `match` have in common."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sitewright.cli.options import (
    NumberRange,
    Place,
    crawl_options,
    json_option,
    option_group,
    settings_option,
)
from sitewright.cli.pages import read_file, read_input
from sitewright.errors import InvalidInput, UnreadableInput
from sitewright.formats import output_folder, write_bytes
from sitewright.site import Missing, Page, open_site
from sitewright.site.archive import ArchiveSite
from sitewright.site.browser import (
    ArchiveResources,
    Browser,
    FolderResources,
    Layout,
    NoResources,
    site_folder,
)
from sitewright.site.open import is_url
from sitewright.visual import GRANULARITY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from sitewright.page.rendering import Rendering
    from sitewright.site.browser import Resources
    from sitewright.site.web import CrawlOptions


FoundPage = TypeVar("FoundPage")
_SIZE = re.compile(r"(\d{2,5})x(\d{2,5})")
_STANDARD_INPUT = "http://page.invalid/"

_LAYOUT = Layout()
granularity_option = click.option(
    "--granularity",
    type=NumberRange(0, 1),
    default=GRANULARITY,
    show_default=True,
    help="From 0, a few sure blocks, to 1, many.",
)


@dataclass(frozen=True, slots=True)
class PageSource:
    """A page, and where what it loads comes from."""

    where: str
    page: Page
    resources: Resources


@dataclass(frozen=True, slots=True)
class RenderingOptions:
    """How pages of a command line are laid out, and where they and what they load come from."""

    site: str | None
    layout: Layout


def _rendering(
    site: str | None, viewport: str, scripts: bool, render_timeout: float
) -> RenderingOptions:
    size = _SIZE.fullmatch(viewport)
    if size is None:
        raise InvalidInput(viewport, "not a size; expected something like 1280x1024")
    size_in_pixels = int(size[1]), int(size[2])
    return RenderingOptions(site, Layout(size_in_pixels, scripts=scripts, timeout=render_timeout))


rendering_options = option_group(
    (
        click.option(
            "--site",
            metavar="SITE",
            type=Place(),
            help="The folder or archive that the page, and what it loads, comes from.",
        ),
        click.option(
            "--viewport",
            metavar="WxH",
            default="{}x{}".format(*_LAYOUT.viewport),
            show_default=True,
            help="The size of the browser's window, in pixels.",
        ),
        click.option("--scripts", is_flag=True, help="Let the pages' own scripts run."),
        click.option(
            "--render-timeout",
            type=NumberRange(0, min_open=True),
            default=_LAYOUT.timeout,
            show_default=True,
            metavar="SECONDS",
            help="Maximum time for laying out one page.",
        ),
    ),
    "rendering",
    _rendering,
)
"""--site, --viewport, --scripts and --render-timeout, as `rendering: RenderingOptions`."""


def visual_options(verb: Any) -> Any:
    """Add --json and the options of rendering, settings and crawl."""
    for option in (crawl_options, settings_option, rendering_options, json_option):
        verb = option(verb)
    return verb


NEW_FILE = click.Path(dir_okay=False, path_type=Path)


def picture_options(text: str, scale: float) -> Callable[[Any], Any]:
    """Add --picture FILE and --scale, as `picture: Path | None` and `scale: float`."""

    def decorate(verb: Any) -> Any:
        size = click.option(
            "--scale",
            type=NumberRange(0.1, 2),
            default=scale,
            show_default=True,
            help="Scale of the picture.",
        )
        return click.option("--picture", type=NEW_FILE, help=text)(size(verb))

    return decorate


@asynccontextmanager
async def source(where: str, site: str | None, options: CrawlOptions) -> AsyncIterator[PageSource]:
    """Open a page: a URL, a file, standard input, or a page of a folder or an archive."""
    if site is not None:
        async with _page_of_site(where, site) as found:
            yield found
    elif where == "-":
        yield PageSource(where, Page(_STANDARD_INPUT, read_input()), NoResources())
    elif is_url(where):
        async with _live_page(where, options) as found:
            yield found
    else:
        file = Path(where)
        yield _file(where, file)


def found(where: str, outcome: FoundPage | Missing) -> FoundPage:
    """Return what was asked for; if it could not be fetched, raise the error that says why."""
    if isinstance(outcome, Missing):
        detail = f" ({outcome.detail})" if outcome.detail else ""
        raise UnreadableInput(where, f"{outcome.reason}{detail}")
    return outcome


async def rendered(browser: Browser, given: PageSource) -> Rendering:
    """Lay a page out."""
    return found(given.where, await browser.render(given.page, given.resources))


def write_picture(path: Path, picture: bytes) -> None:
    """Write a picture, complete or not at all."""
    write_bytes(output_folder(path.parent) / path.name, picture)


@asynccontextmanager
async def _page_of_site(where: str, site: str) -> AsyncIterator[PageSource]:
    folder = Path(site)
    if folder.is_dir():
        file = Path(where)
        yield _file(where, file if file.exists() else folder / where, folder)
        return
    opened = open_site(site)
    try:
        if not isinstance(opened, ArchiveSite):
            raise InvalidInput(site, "not a folder or an archive; give a live page by its URL")
        page = found(where, (await opened.fetch([where]))[0])
        yield PageSource(where, page, ArchiveResources(opened))
    finally:
        await opened.aclose()


@asynccontextmanager
async def _live_page(where: str, options: CrawlOptions) -> AsyncIterator[PageSource]:
    from sitewright.site.browser import WebResources
    from sitewright.site.web import WebSite

    site = WebSite(where, options=options)
    try:
        page = found(where, (await site.fetch([site.home]))[0])
    finally:
        await site.aclose()
    async with WebResources(page.url, options) as resources:
        yield PageSource(where, page, resources)


def _file(where: str, file: Path, folder: Path | None = None) -> PageSource:
    """A page of a folder: if none is given, of the one that seems to be its site."""
    body = read_file(where, file)  # first: links may lead in circles
    folder = folder or site_folder(file)
    if not file.resolve().is_relative_to(folder.resolve()):
        raise UnreadableInput(where, f"is not in the folder {folder}")
    resources = FolderResources(folder)
    return PageSource(where, Page(resources.url(file), body), resources)
