"""Wrappers: induction by number of pages, extraction against parsing, and against parsel.

The pages are real ones: sites of the SWDE set from the labelled data if that is there, else the
pages of one class of a Debian documentation package. Times are of the processor, the best of a few
rounds; ratios are of figures from the same round, their median.
"""

from __future__ import annotations

import gc
import io
import statistics
import tarfile
import time
from typing import TYPE_CHECKING

from parsel import Selector

from benchmarks.pages import data_folder, real_pages
from sitewright.page import Document
from sitewright.page.page_index import select
from sitewright.wrapper import Extractor, Rule, Wrapper, induce

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Pages = list[tuple[str, bytes]]

ARCHIVE = data_folder() / "swde-dev.tar.xz"
EVERY = 4
"""One site in so many is measured."""
SIZES = (10, 20, 40, 60)
ROUNDS = 5
_DOCUMENTATION = 4000
INDUCTION_GOAL = 0.1
EXTRACTION_GOAL = 3


def main() -> None:
    found = sites()
    pages = sum(map(len, found.values()))
    size = sum(len(body) for site in found.values() for _url, body in site) / 1e6
    print(f"{', '.join(found)}: {pages} real pages, {size:.1f} MB")
    print_induction(found)
    print_extraction(found)


def sites() -> dict[str, Pages]:
    """Pages by site."""
    return swde_sites() if ARCHIVE.exists() else documentation()


def swde_sites() -> dict[str, Pages]:
    """Some sites of SWDE, evenly over their names."""
    pages: dict[str, Pages] = {}
    with tarfile.open(fileobj=io.BytesIO(ARCHIVE.read_bytes()), mode="r:xz") as archive:
        for member in archive:
            if member.name.endswith(".htm") and (file := archive.extractfile(member)):
                site, name = member.name.split("/")[-2:]
                pages.setdefault(site, []).append((f"http://{site}.invalid/{name}", file.read()))
    return {site: sorted(pages[site])[: SIZES[-1]] for site in sorted(pages)[::EVERY]}


def documentation() -> dict[str, Pages]:
    """Pages of one class: those of structures in the documentation of Rust."""
    pages = [page for page in real_pages(_DOCUMENTATION) if "/struct." in page[0]]
    return {"rust-doc": pages[: SIZES[-1]]}


def print_induction(found: dict[str, Pages]) -> None:
    """Seconds a page for more and more pages: level if the cost is linear."""
    by_size: dict[int, float] = {}
    for size in SIZES:
        documents = [[Document(body, url) for url, body in site[:size]] for site in found.values()]
        times = [_seconds(induce, site, "page") / len(site) for site in documents]
        by_size[size] = statistics.fmean(times)
        print(f"  induction from {size} pages {by_size[size] * 1000:8.1f} ms a page")
    growth = by_size[SIZES[-1]] / by_size[SIZES[0]]
    print(
        f"  ratio {growth:6.2f}   cost of a page among {SIZES[-1]} / among {SIZES[0]} "
        f"(linear: about 1; goal: a page under {INDUCTION_GOAL} s)"
    )


def print_extraction(found: dict[str, Pages]) -> None:
    """Extraction against parsing, and the same rules by others on the same pages."""
    wrappers = {
        site: induce([Document(body, url) for url, body in pages], site)
        for site, pages in found.items()
    }
    tasks: dict[str, Callable[[Wrapper, Pages], None]] = {
        "sitewright: parse": _parse,
        "sitewright: parse and extract": _parse_and_extract,
        "sitewright: parse, every rule by select": _parse_and_select,
        "sitewright: parse, every rule by PageIndex": _parse_and_find,
        "parsel: parse, every rule": _parsel,
    }
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(ROUNDS):
        for name, task in tasks.items():
            times[name].append(sum(_seconds(task, wrappers[site], found[site]) for site in found))
    count = sum(map(len, found.values()))
    for name, measured in times.items():
        print(f"  {name:42} {min(measured) / count * 1000:8.2f} ms a page")
    _print_ratios(times)


def _print_ratios(times: dict[str, list[float]]) -> None:
    parsing, extracting, selecting, finding, rival = times.values()
    pairs = zip(extracting, parsing, strict=True)
    extraction = statistics.median((both - parse) / parse for both, parse in pairs)
    print(f"  ratio {extraction:6.2f}   extract / parse (goal: under {EXTRACTION_GOAL})")
    pairs = zip(selecting, finding, parsing, strict=True)
    index = statistics.median((one - parse) / (two - parse) for one, two, parse in pairs)
    print(f"  ratio {index:6.2f}   every rule by select / by PageIndex, parsing aside")
    against = statistics.median(one / two for one, two in zip(rival, extracting, strict=True))
    print(f"  ratio {against:6.2f}   parsel: parse, every rule / sitewright: parse and extract")


def _parse(_wrapper: Wrapper, pages: Pages) -> None:
    for url, body in pages:
        Document(body, url)


def _parse_and_extract(wrapper: Wrapper, pages: Pages) -> None:
    extractor = Extractor(wrapper)
    for url, body in pages:
        extractor.extract(Document(body, url))


def _parse_and_select(wrapper: Wrapper, pages: Pages) -> None:
    rules = list(_page_rules(wrapper))
    for url, body in pages:
        tree = Document(body, url).tree
        for rule in rules:
            select(tree, rule.xpath)


def _parse_and_find(wrapper: Wrapper, pages: Pages) -> None:
    rules = list(_page_rules(wrapper))
    for url, body in pages:
        index = Document(body, url).index
        for rule in rules:
            index.select(rule.selector)


def _parsel(wrapper: Wrapper, pages: Pages) -> None:
    """The rules of a wrapper as a spider would apply them: texts, but no types."""
    fields = [field.rule.xpath for field in wrapper.fields]
    for _url, body in pages:
        page = Selector(text=body.decode("utf-8", "replace"))
        for xpath in fields:
            page.xpath(xpath).getall()
        for records in wrapper.record_sets:
            for row in page.xpath(records.rule.xpath):
                for field in records.fields:
                    row.xpath(field.rule.xpath).getall()


def _page_rules(wrapper: Wrapper) -> Iterator[Rule]:
    """The rules that start from the page."""
    yield from (field.rule for field in wrapper.fields)
    yield from (records.rule for records in wrapper.record_sets)


def _seconds(task: Callable[..., object], *given: object) -> float:
    gc.collect()
    start = time.process_time()
    task(*given)
    return time.process_time() - start


if __name__ == "__main__":
    main()
