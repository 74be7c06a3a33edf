"""Clustering pages against parsing them, and how clustering grows with the number of pages.

The rival is our own reading of the same pages: parsing, paths and links. Real pages are those of
Debian's documentation; synthetic ones are made of random parts of templates.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.pages import real_pages
from sitewright.classes.clustering import cluster_pages
from sitewright.classes.features import PageFeatures, page_features
from sitewright.page import Document, PathVocabulary, Schema
from sitewright.page.url import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable

REAL_PAGES = 10_000
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)


def real(pages: Iterable[tuple[str, bytes]]) -> tuple[int, float, float]:
    """Pages, seconds to read them, seconds to cluster them."""
    vocabulary = PathVocabulary()
    begin = time.process_time()
    features = [page_features(Document(body, url), vocabulary, canonical) for url, body in pages]
    middle = time.process_time()
    cluster_pages(features, vocabulary)
    return len(features), middle - begin, time.process_time() - middle


def synthetic(count: int, classes: int = 20) -> tuple[list[PageFeatures], PathVocabulary]:
    """Pages of twenty templates with optional parts and prose."""
    chance, vocabulary = random.Random(1), PathVocabulary()
    body = vocabulary.extend(vocabulary.extend(0, "html"), "body")
    prose = [vocabulary.extend(body, f"x{n}") for n in range(40)]
    parts = [[vocabulary.extend(body, f"c{c}-{n}") for n in range(30)] for c in range(classes)]
    features = []
    for number in range(count):
        own = chance.randrange(classes)
        paths = {1, body, *parts[own][:20]}
        paths.update(path for path in parts[own][20:] if chance.random() < 0.5)
        paths.update(path for path in prose if chance.random() < 0.2)
        schema = Schema.of(dict.fromkeys(sorted(paths), 1))
        url = f"http://x.example/c{own}/{number}.html"
        features.append(PageFeatures(url, "", schema, schema, (), is_stub=False))
    return features, vocabulary


def memory_of(features: list[PageFeatures]) -> float:
    """Bytes of the schemas of a page."""
    arrays = [array for page in features for array in (page.nodes.paths, page.nodes.counts)]
    return float(np.mean([array.nbytes for array in arrays]) * 2) if arrays else 0.0


def main() -> None:
    """Print the ratio (goal: under 1) and the curve."""
    pages, reading, clustering = real(real_pages(REAL_PAGES))
    print(
        f"{pages:,} real pages: reading {reading:.1f} s, clustering {clustering:.1f} s\n"
        f"  ratio {clustering / reading:6.2f}   clustering / reading (goal: under 1)"
    )
    for size in SIZES:
        features, vocabulary = synthetic(size)
        begin = time.perf_counter()
        cluster_pages(features, vocabulary)
        seconds = time.perf_counter() - begin
        print(
            f"  {size:7,} synthetic pages: {seconds:6.2f} s, "
            f"{1000 * seconds / size:.3f} ms a page, "
            f"{memory_of(features):.0f} bytes of schema a page"
        )


if __name__ == "__main__":
    main()
