"""Matching two pages: our seconds over those of the paper's two ways, in the same run.

The pages have about 500 leaves each: tables, lists and facts of two made-up shops, laid out by the
browser. The paper's leaf-level method gets its usual time limit and rarely ends before it.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from typing import TYPE_CHECKING

from sitewright.evaluate.matching import leaf_parts, score_pairs
from sitewright.methods import match
from sitewright.page.rendering import Rendering
from sitewright.site import Page
from sitewright.site.browser import Browser
from sitewright.visual.elements import leaves

if TYPE_CHECKING:
    from sitewright.evaluate.matching import MatchingScore

REPEATS = 5
METHODS = ("default", "paper", "paper-leaves")


def shop_page(seed: int) -> bytes:
    """A page of about 500 leaves whose classes say what plays which part."""
    chance = random.Random(seed)

    def words(count: int) -> str:
        return " ".join(chance.choices(_WORDS, k=count))

    rows = "".join(
        f"<tr><td class=item><a href=x>{words(2)}</a><td class=price>{chance.randint(1, 99)}.00"
        f"<td class=stock>{chance.randint(0, 500)}"
        for _ in range(chance.randint(105, 125))
    )
    stories = "".join(
        f"<div class=story><h3>{words(4)}</h3><p>{words(25)}</p><a href=y>More</a></div>"
        for _ in range(chance.randint(45, 55))
    )
    facts = "".join(f"<dt>{label}<dd>{words(2)}" for label in _LABELS if chance.random() < 0.8)
    return (
        f"<!doctype html><title>{words(2)}</title><h1 class=name>{words(2)}</h1>"
        f"<ul class=menu>{''.join(f'<li><a href=m>{label}</a>' for label in _LABELS)}</ul>"
        f"<dl class=facts>{facts}</dl><table class=prices>{rows}</table>{stories}"
        f"<footer class=end><p>All names on this page are invented.</p></footer>"
    ).encode()


async def rendered() -> tuple[list[Rendering], float]:
    """Both pages, and the seconds that one took."""
    async with Browser() as browser:
        begin = time.perf_counter()
        outcomes = [
            await browser.render(Page(f"http://shop{seed}.example/", shop_page(seed)))
            for seed in (1, 2)
        ]
        seconds = (time.perf_counter() - begin) / 2
    return [outcome for outcome in outcomes if isinstance(outcome, Rendering)], seconds


def timed(method: str, pages: list[Rendering]) -> tuple[float, MatchingScore]:
    """Seconds, the median of some runs, and how good the pairs are."""
    repeats = REPEATS if method == "default" else 1
    seconds: list[float] = []
    for _ in range(repeats):
        begin = time.perf_counter()
        found = match(*pages, method=method)
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds), score_pairs(found.pairs, *leaf_parts(*pages))


def main() -> None:
    """Print seconds, quality and ratios."""
    pages, rendering = asyncio.run(rendered())
    sizes = " and ".join(str(len(leaves(page))) for page in pages)
    print(f"visual: pages of {sizes} leaves, rendered in {rendering:.2f} s each")
    ours = 0.0
    for method in METHODS:
        seconds, score = timed(method, pages)
        ours = ours or seconds
        print(
            f"visual: {method} {seconds:.2f} s, precision {score.precision:.3f}, recall "
            f"{score.recall:.3f}: ratio {seconds / ours:.1f} (goal of ours: under 1 s)"
        )


_LABELS = "Address Opened Owner Phone Delivery Returns Payment Languages Parking Hours".split()
_WORDS = (
    "amber basket copper drum engine feather garden hammer island jacket kettle ladder mirror "
    "needle orchard pepper quilt ribbon saddle table umbrella violin window yarn zipper".split()
)

if __name__ == "__main__":
    main()
