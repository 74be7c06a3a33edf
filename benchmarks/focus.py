"""A focused walk of the demo site, served on 127.0.0.1, against breadth-first.

The share of the fetched pages that are of the wanted class, by the demo site's own truth, after so
many fetches; and at the end of the walk: fetches, share, and the part of the class that was found.
The seed decides which pages the classes are learnt from; `make figures` takes five of them.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
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


async def discovered(site: WebSite, seed: int) -> SiteModel:
    async with aclosing(site):
        model = await discover(site, CrawlPlan(seed=seed))
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


class FocusedWalk(NamedTuple):
    """How a walk to the pages of one class went."""

    shares: dict[int, float]
    """The share of the class after so many fetches, as far as the walk went."""
    fetches: int
    found: float
    """The part of the class that was found."""


class Walks(NamedTuple):
    """The walks of one seed, and the one that all of them are against."""

    sizes: dict[str, int]
    """The pages of each class."""
    focused: dict[str, FocusedWalk]
    plain: dict[str, dict[int, float]]


def walks(seed: int) -> Walks:
    """Learn the classes of the demo site, and walk to those that are asked for."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder) / "cup")
        truth = read_labels(Path(folder) / "cup/truth/page-classes.tsv")
        sizes = Counter(truth.values())
        with serve(Path(folder) / "cup/site") as server:
            model = asyncio.run(discovered(WebSite(server.url), seed))
            plain = asyncio.run(breadth(WebSite(server.url), truth))
            focused = {}
            for name in CLASSES:
                walk = asyncio.run(focus(WebSite(server.url), model, name, truth))
                shares = {n: share(walk, name, n) for n in FETCHES if n <= len(walk)}
                focused[name] = FocusedWalk(shares, len(walk), walk.count(name) / sizes[name])
    at_first = {name: {n: share(plain, name, n) for n in FETCHES} for name in CLASSES}
    return Walks({name: sizes[name] for name in CLASSES}, focused, at_first)


def main() -> None:
    found = walks(0)
    columns = "".join(f"{f'{n} fetches':>18}" for n in FETCHES)
    print(f"{'':9}{columns}   {'at the end':30}   (focused / breadth-first)")
    for name, walk in found.focused.items():
        cells = "".join(
            f"{f'{walk.shares[n]:.2f} / {found.plain[name][n]:.2f}':>18}"
            if n in walk.shares
            else f"{'-':>18}"
            for n in FETCHES
        )
        print(f"{name:9}{cells}   {walk.fetches} fetches, {walk.found:.2f} found")
