"""Clustering pages against parsing them, and how clustering grows with the number of pages.

The rival is our own reading of the same pages: parsing, paths and links. Real pages come from a
folder (10,000 of them, if it has as many); synthetic ones are made of random parts of templates.
"""

from __future__ import annotations

import random
import sys
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sitewright.classes.facts import PageFacts, page_facts
from sitewright.classes.fit import fit
from sitewright.html import PathVocabulary, Schema
from sitewright.site import open_site

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitewright.site import Page

REAL_PAGES = 10_000
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)


def real(pages: Iterable[Page], address: object) -> tuple[int, float, float]:
    """Pages, seconds to read them, seconds to cluster them."""
    vocabulary = PathVocabulary()
    begin = time.perf_counter()
    facts = [page_facts(page.document(), vocabulary, address) for page in pages]  # type: ignore[arg-type]
    middle = time.perf_counter()
    fit(facts, vocabulary)
    return len(facts), middle - begin, time.perf_counter() - middle


def synthetic(count: int, classes: int = 20) -> tuple[list[PageFacts], PathVocabulary]:
    """Pages of twenty templates with optional parts and prose."""
    chance, vocabulary = random.Random(1), PathVocabulary()
    body = vocabulary.extend(vocabulary.extend(0, "html"), "body")
    prose = [vocabulary.extend(body, f"x{n}") for n in range(40)]
    parts = [[vocabulary.extend(body, f"c{c}-{n}") for n in range(30)] for c in range(classes)]
    facts = []
    for number in range(count):
        own = chance.randrange(classes)
        paths = {1, body, *parts[own][:20]}
        paths.update(path for path in parts[own][20:] if chance.random() < 0.5)
        paths.update(path for path in prose if chance.random() < 0.2)
        schema = Schema.of(dict.fromkeys(sorted(paths), 1))
        url = f"http://x.example/c{own}/{number}.html"
        facts.append(PageFacts(url, "", schema, schema, (), is_stub=False))
    return facts, vocabulary


def memory_of(facts: list[PageFacts]) -> float:
    """Bytes of the schemas of a page."""
    arrays = [array for page in facts for array in (page.nodes.paths, page.nodes.counts)]
    return float(np.mean([array.nbytes for array in arrays]) * 2) if arrays else 0.0


def main() -> None:
    """Print the ratio (goal: under 1) and the curve."""
    folder = next(filter(Path.is_dir, map(Path, [*sys.argv[1:], "demo/cup/site"])), None)
    if folder is None:
        print("classes: no pages to read; give a folder, or make the demo first")
    else:
        site = open_site(str(folder))
        pages, reading, clustering = real(islice(site.pages(), REAL_PAGES), site.address)
        print(
            f"classes: {pages} real pages: reading {reading:.1f} s, clustering {clustering:.1f} s: "
            f"ratio {clustering / reading:.2f} (goal: under 1)"
        )
    for size in SIZES:
        facts, vocabulary = synthetic(size)
        begin = time.perf_counter()
        fit(facts, vocabulary)
        seconds = time.perf_counter() - begin
        print(
            f"classes: {size:7,} synthetic pages: {seconds:6.2f} s, "
            f"{1000 * seconds / size:.3f} ms a page, {memory_of(facts):.0f} bytes of schema a page"
        )


if __name__ == "__main__":
    main()
