"""Small pictures of pages as a browser shows them, for the cards of the report."""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from sitewright import formats
from sitewright.errors import InvalidInput
from sitewright.site import Missing
from sitewright.site.archive import ArchiveSite
from sitewright.site.browser import (
    ArchiveResources,
    Browser,
    FolderResources,
    Layout,
    NoResources,
)
from sitewright.site.open import read_source
from sitewright.site.web import CrawlOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sitewright.site import Site
    from sitewright.site.browser import Resources
    from sitewright.site.open import SiteSource

PICTURES = "pictures.json"
_SCALE = 0.25
_WINDOW = (1280, 960)
_MOST_BYTES = 20_000
"""A picture that is larger is left out: fifty classes make a report that people can send."""


@dataclass(frozen=True, slots=True)
class PagePictures:
    """What pictures.json holds: JPEG pictures in base64 by the URL of the page."""

    FORMAT: ClassVar[str] = "sitewright-pictures"
    pages: dict[str, str]


async def take_pictures(
    out: Path, urls: Sequence[str], progress: Callable[[int], None] = lambda _: None
) -> None:
    """Write OUT/pictures.json: the top of some pages, in a window that is made small.

    Pages, and what they load, come from the folder or the archive that is here. MissingBrowser or
    MissingExtra where no browser is there.
    """
    source, found = read_source(out), {}
    async with Browser(Layout(_WINDOW, scale=_SCALE)) as browser:
        site = source.local(out).open(CrawlOptions(), out)
        try:
            resources = local_resources(source, site)
            for number, page in enumerate(await site.fetch(urls)):
                progress(number)
                if isinstance(page, Missing):
                    continue
                picture = await browser.window(page, resources)
                if isinstance(picture, bytes) and len(picture) <= _MOST_BYTES:
                    found[page.url] = b64encode(picture).decode()
        finally:
            await site.aclose()
    formats.write(out / PICTURES, PagePictures(found))


def read_pictures(out: Path) -> dict[str, str]:
    """The pictures of a project by URL; none if nobody took any."""
    with suppress(InvalidInput):
        return formats.read(out / PICTURES, PagePictures).pages
    return {}


def local_resources(source: SiteSource, site: Site) -> Resources:
    """What the pages of a folder or an archive load, from the same place."""
    if isinstance(site, ArchiveSite):
        return ArchiveResources(site)
    path = Path(source.site)
    if not source.is_live:
        base = site.page_url(site.home) or site.home
        folder = path if path.is_dir() else path.parent
        return FolderResources(folder, base.rpartition("/")[0] + "/")
    return NoResources()
