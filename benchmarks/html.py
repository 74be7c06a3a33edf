"""One page: parsing, link collections with schema, tokens; against lxml, selectolax, BeautifulSoup.

Every figure is megabytes a second of processor time, the best of a few rounds; ratios are of
figures from the same round, their median.
"""

from __future__ import annotations

import gc
import resource
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.pages import real_pages
from benchmarks.rivals import RIVALS, Soup, Trie, number_tokens
from sitewright.page import (
    Document,
    PathVocabulary,
    Tokeniser,
    TokenVocabulary,
    link_collections,
    node_schema,
    page_schema,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.rivals import Lxml, Selectolax

Pages = list[tuple[str, bytes]]
ROUNDS = 5
COUNT = 2000
_SOUP_PAGES = 100


def main() -> None:
    pages = list(real_pages(COUNT))
    size = sum(len(body) for _, body in pages) / 1e6
    print(f"{len(pages):,} real pages, {size:.1f} MB")
    tasks = _tasks(pages)
    speeds: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(ROUNDS):
        for name, (task, part) in tasks.items():
            speeds[name].append(_megabytes_a_second(task, part))
    for name, measured in speeds.items():
        print(f"  {name:48} {max(measured):8.1f} MB/s")
    _print_ratios(speeds)
    print_memory()


def _tasks(pages: Pages) -> dict[str, tuple[Callable[[Pages], None], Pages]]:
    tasks: dict[str, tuple[Callable[[Pages], None], Pages]] = {
        "sitewright: parse": (_parse, pages),
        "sitewright: collections and schema": (_collections, pages),
        "sitewright: schema of all nodes": (_nodes, pages),
        "sitewright: tokens": (_tokens, pages),
    }
    for rival in RIVALS:
        part = pages[:: len(pages) // _SOUP_PAGES] if isinstance(rival, Soup) else pages
        tasks[f"{rival.name}: parse"] = (_rival_parse(rival), part)
        tasks[f"{rival.name}: collections and schema"] = (_rival_collections(rival), part)
        tasks[f"{rival.name}: tokens"] = (_rival_tokens(rival), part)
    return tasks


def _parse(pages: Pages) -> None:
    for url, body in pages:
        Document(body, url)


def _collections(pages: Pages) -> None:
    vocabulary = PathVocabulary()
    for url, body in pages:
        page_schema(link_collections(Document(body, url), vocabulary))


def _nodes(pages: Pages) -> None:
    vocabulary = PathVocabulary()
    for url, body in pages:
        node_schema(Document(body, url), vocabulary)


def _tokens(pages: Pages) -> None:
    tokeniser = Tokeniser()
    for url, body in pages:
        tokeniser.sequence(Document(body, url))


def _rival_parse(rival: Lxml | Selectolax | Soup) -> Callable[[Pages], None]:
    def run(pages: Pages) -> None:
        for _url, body in pages:
            rival.parse(body)

    return run


def _rival_collections(rival: Lxml | Selectolax | Soup) -> Callable[[Pages], None]:
    def run(pages: Pages) -> None:
        trie: Trie = {}
        for url, body in pages:
            frozenset(rival.collections(rival.parse(body), url, trie))

    return run


def _rival_tokens(rival: Lxml | Selectolax | Soup) -> Callable[[Pages], None]:
    def run(pages: Pages) -> None:
        vocabulary = TokenVocabulary()
        for _url, body in pages:
            number_tokens(rival.tokens(rival.parse(body)), vocabulary)

    return run


def _megabytes_a_second(task: Callable[[Pages], None], pages: Pages) -> float:
    gc.collect()
    start = time.process_time()
    task(pages)
    return sum(len(body) for _, body in pages) / 1e6 / (time.process_time() - start)


def _print_ratios(speeds: dict[str, list[float]]) -> None:
    ours = "sitewright: collections and schema"
    pairs = [(ours, "sitewright: parse")]
    pairs += [
        (f"sitewright: {what}", f"{rival.name}: {what}")
        for rival in RIVALS
        for what in ("parse", "collections and schema", "tokens")
    ]
    for one, other in pairs:
        ratio = statistics.median(a / b for a, b in zip(speeds[one], speeds[other], strict=True))
        print(f"  ratio {ratio:6.2f}   {one} / {other}")


def print_memory(count: int = 10_000) -> None:
    """Whether memory stays flat: what the process holds as pages go by."""
    vocabulary = PathVocabulary()
    marks = []
    for number, (url, body) in enumerate(real_pages(count), start=1):
        document = Document(body, url)
        page_schema(link_collections(document, vocabulary))
        node_schema(document, vocabulary)
        Tokeniser().sequence(document)
        if number % (count // 5) == 0:
            marks.append(_megabytes_held())
    print(f"memory held after each fifth of {count:,} pages: {marks} MB")
    print(f"  ratio {marks[-1] / marks[0]:6.2f}   after all pages / after a fifth of them")


def _megabytes_held() -> int:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() >> 20


if __name__ == "__main__":
    main()
