"""Aligning two pages: our kernel's time under that of the paper's cells in plain Python.

The pages are real ones of about 2,000 tokens, from `../shared/data/templates` if that is there,
else pages of the demo site put together. Both align the same pairs, traceback included.
"""

from __future__ import annotations

import io
import statistics
import tarfile
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from examples.cup import generate
from sitewright.page import Document, Tokeniser
from sitewright.papers.geraci import similarity_matrix, traceback
from sitewright.template.alignment import align

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    Tokens = NDArray[np.int32]

ARCHIVE = Path(__file__).parents[2] / "shared/data/templates/sites.tar.xz"
LENGTH = 2000
PAIRS = 5
TOGETHER = 12
GOAL = 30


def real_pages() -> Iterator[bytes]:
    """Pages of the sites with known templates."""
    with tarfile.open(fileobj=io.BytesIO(ARCHIVE.read_bytes()), mode="r:xz") as archive:
        for member in archive:
            if "/pages/" in member.name and (file := archive.extractfile(member)):
                yield file.read()


def demo_pages() -> Iterator[bytes]:
    """Pages of the demo site in order of their names, several in one to make them long enough."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder) / "cup", scale=0.2)
        paths = sorted(Path(folder).rglob("*.html"))
        for first in range(0, len(paths) - TOGETHER, TOGETHER):
            yield b"".join(path.read_bytes() for path in paths[first : first + TOGETHER])


def pairs() -> list[tuple[Tokens, Tokens]]:
    """Neighbouring pages that are about as long as they should be, cut to that length."""
    tokeniser = Tokeniser()
    pages = real_pages() if ARCHIVE.exists() else demo_pages()
    sequences = (tokeniser.sequence(Document(page)).ids for page in pages)
    long_enough = [ids[:LENGTH] for ids in sequences if LENGTH <= len(ids) < 2 * LENGTH]
    found = list(pairwise(long_enough))
    return found[:: max(1, len(found) // PAIRS)][:PAIRS]


def plain(left: Tokens, right: Tokens) -> int:
    """The paper's matrix and traceback, cell by cell."""
    u, v = left.tolist(), right.tolist()
    scores = similarity_matrix(u, v)
    traceback(scores, u, v)
    return scores[-1][-1]


def fast(left: Tokens, right: Tokens) -> int:
    """Ours."""
    return align(left, right).score


def seconds(
    function: Callable[[Tokens, Tokens], int], left: Tokens, right: Tokens, repeats: int
) -> float:
    """The best time of a few: noise only ever adds."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        function(left, right)
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> None:
    """Print the ratio."""
    rounds = []
    for left, right in pairs():
        if plain(left, right) != fast(left, right):
            raise RuntimeError("the two alignments score differently")
        rounds.append((seconds(plain, left, right, 2), seconds(fast, left, right, 5)))
    ratio = statistics.median(slow / quick for slow, quick in rounds)
    slow, quick = (statistics.median(times) * 1000 for times in zip(*rounds, strict=True))
    source = "real pages" if ARCHIVE.exists() else "demo pages"
    print(
        f"alignment: {quick:.1f} ms for two {source} of {LENGTH:,} tokens, plain Python "
        f"{slow:.0f} ms: ratio {ratio:.0f} (goal: at least {GOAL})"
    )


if __name__ == "__main__":
    main()
