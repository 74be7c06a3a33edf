"""A focused walk of the demo site, served on 127.0.0.1, against breadth-first.

The share of the fetched pages that are of the wanted class, by the demo site's own truth, after so
many fetches; and at the end of the walk: fetches, share, and the part of the class that was found.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from examples.cup import generate
from examples.cup.server import serve
from sitewright.crawl.waves import CrawlPlan, breadth_first
from sitewright.evaluate.measures import read_labels
from sitewright.extraction.page_results import crawl_for_classes
from sitewright.methods import discover, site_classifier
from sitewright.site import Missing
from sitewright.site.web import WebSite

if TYPE_CHECKING:
    from sitewright.classes import SiteModel

CLASSES = ("player", "match", "squad", "photo", "stadium")
FETCHES = (50, 100, 200, 400)


def label(url: str, truth: dict[str, str]) -> str | None:
    parts = urlsplit(url)
    name = unquote(parts.path[1:]) + (f"?{parts.query}" if parts.query else "")
    name = f"{name}index.html" if name.endswith("/") or not name else name
    return truth.get(name)


async def discovered(site: WebSite) -> SiteModel:
    async with aclosing(site):
        model = await discover(site, CrawlPlan())
    assert model is not None
    return model


async def breadth(site: WebSite, truth: dict[str, str]) -> list[str | None]:
    async with aclosing(site), aclosing(breadth_first(site, limit=max(FETCHES))) as walk:
        found = [one async for one in walk]
    return [None if isinstance(one, Missing) else label(one.page.url, truth) for one in found]


async def focus(
    site: WebSite, model: SiteModel, name: str, truth: dict[str, str]
) -> list[str | None]:
    async with (
        aclosing(site),
        aclosing(crawl_for_classes(site, site_classifier(model), [name], limit=10_000)) as walk,
    ):
        found = [one async for one in walk]
    return [None if isinstance(one, Missing) else label(one.page.url, truth) for one in found]


def share(labels: list[str | None], name: str, count: int) -> float:
    return labels[:count].count(name) / min(count, len(labels))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder) / "cup")
        truth = read_labels(Path(folder) / "cup/truth/page-classes.tsv")
        with serve(Path(folder) / "cup/site") as server:
            model = asyncio.run(discovered(WebSite(server.url)))
            plain = asyncio.run(breadth(WebSite(server.url), truth))
            columns = "".join(f"{f'{n} fetches':>18}" for n in FETCHES)
            print(f"{'':9}{columns}   {'at the end':30}   (focused / breadth-first)")
            for name in CLASSES:
                walk = asyncio.run(focus(WebSite(server.url), model, name, truth))
                cells = "".join(
                    f"{f'{share(walk, name, n):.2f} / {share(plain, name, n):.2f}':>18}"
                    if n <= len(walk)
                    else f"{'-':>18}"
                    for n in FETCHES
                )
                part = walk.count(name) / list(truth.values()).count(name)
                end = f"{len(walk)} fetches, {share(walk, name, len(walk)):.2f}, {part:.2f} found"
                print(f"{name:9}{cells}   {end}")
