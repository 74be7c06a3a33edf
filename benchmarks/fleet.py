"""Fleets: throughput of `apply` beside its rivals, growth with the number of pages, memory.

The archives are synthetic, and what is true of each page lies beside them: every site is a cup of
`examples.cup` with a seed and a theme of its own; half of all pages are those of one site.

    python -m benchmarks fleet                      throughput, then growth to 6,000 pages
    python -m benchmarks.fleet make OUT --pages 20000 --sites 100
    python -m benchmarks.fleet throughput OUT [WARC]
    python -m benchmarks.fleet growth OUT 2000 20000
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.whole_run import watch_memory
from examples.cup.layouts import templates
from examples.cup.play import make_world
from examples.cup.site import html, make_pages
from sitewright.fleet import FleetOptions, run_fleet
from sitewright.fleet.apply import PageReader, SiteReader, SiteReaders
from sitewright.fleet.job import read_job
from sitewright.fleet.storage import ArchiveReader, open_storage
from sitewright.page import Document
from sitewright.site.base import Page
from sitewright.site.http import outcome
from sitewright.site.warc import MAX_RECORD, records
from sitewright.site.warc_writer import WarcWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DAY = datetime(2026, 1, 1, tzinfo=UTC)
GIANT = "giant.example"
MOST_OF_A_CLASS = 30
"""A cup has 17 players for each team: in a small site they would be all there is."""
PER_FILE = 1000
TRUTH = "truth.tsv"
_CLASS = re.compile(r'\bclass="([^"]*)"')
_TAGS = ("article", "section", "aside", "main", "nav", "figure", "header", "footer")


class SyntheticPage(NamedTuple):
    url: str
    page_class: str
    html: str


# Sites: cups of other seeds, in other themes.


class Theme:
    """What a site's designer has done: other names for classes, other elements, a box more."""

    def __init__(self, number: int) -> None:
        chance = random.Random(f"theme {number}")
        self._prefix = f"t{number}-" if number else ""
        self._tags = {tag: "div" for tag in _TAGS if number and chance.random() < 0.5}
        self._opening = re.compile(rf"<(/?)({'|'.join(_TAGS)})\b")
        self._has_box = bool(number) and chance.random() < 0.5

    def restyled(self, page: str, name: str) -> str:
        """A page of the demo site in this theme, with the name of its own site."""
        page = page.replace("Halcyon Cup", name)
        if not self._prefix:
            return page
        page = _CLASS.sub(self._classes, page)
        page = self._opening.sub(lambda tag: f"<{tag[1]}{self._tags.get(tag[2], tag[2])}", page)
        if self._has_box:
            page = page.replace("<main", '<div class="box"><main', 1)
            page = page.replace("</main>", "</main></div>", 1)
        return page

    def _classes(self, written: re.Match[str]) -> str:
        return 'class="' + " ".join(self._prefix + one for one in written[1].split()) + '"'


def cup_pages(host: str, seed: int, theme: Theme, folder: str = "") -> Iterator[SyntheticPage]:
    """The pages of one cup, no more than some of each class."""
    world = make_world(seed, 0.01)
    layouts = templates(world)
    pages = make_pages(world)
    random.Random(seed).shuffle(pages)
    seen: dict[str, int] = {}
    for page in pages:
        seen[page.page_class] = seen.get(page.page_class, 0) + 1
        if seen[page.page_class] <= MOST_OF_A_CLASS or folder:
            text = html(page, layouts[page.page_class], seed)
            url = f"https://{host}/{folder}{page.path}"
            yield SyntheticPage(url, page.page_class, theme.restyled(text, f"{host} Cup"))


def synthetic_pages(pages: int, sites: int, themes: int = 20) -> Iterator[SyntheticPage]:
    """So many pages of so many sites; half of the pages are those of one."""
    made = 0
    giant = Theme(1)
    edition = 0
    while made < pages // 2:
        for page in cup_pages(GIANT, 100_000 + edition, giant, f"edition-{edition}/"):
            if made == pages // 2:
                break
            made += 1
            yield page
        edition += 1
    each = (pages - made) // (sites - 1)
    for number in range(sites - 1):
        own = cup_pages(f"cup{number}.example", number, Theme(number % themes))
        for _, page in zip(range(each), own, strict=False):
            yield page


def make_archives(out: Path, pages: int, sites: int) -> Path:
    """Write the archives and the truth, unless they are there."""
    folder = out / f"warcs-{pages}-{sites}"
    if (folder / TRUTH).exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    files = max(2, pages // PER_FILE)
    chance = random.Random(pages)
    with ExitStack() as stack:
        writers = [
            stack.enter_context(WarcWriter(folder / f"part-{number:04}.warc.gz"))
            for number in range(files)
        ]
        truth = stack.enter_context((folder / f".{TRUTH}").open("w", encoding="utf-8"))
        for page in synthetic_pages(pages, sites):
            body, types = page.html.encode(), [("Content-Type", "text/html; charset=utf-8")]
            chance.choice(writers).write_response(page.url, 200, types, body, date=DAY)
            truth.write(f"{page.url}\t{page.page_class}\n")
    (folder / f".{TRUTH}").replace(folder / TRUTH)
    return folder


# Throughput: one map over the same archive for each way to read its pages.


def pages_of(archive: Path) -> Iterator[Page]:
    with ArchiveReader(str(archive)) as reader:
        for stream in reader.streams():
            for record in records(stream):
                page = outcome(record.reply, record.url, record.url, MAX_RECORD)
                if isinstance(page, Page):
                    yield page


class _Sites:
    """The readers of all sites of a fleet, each made once."""

    def __init__(self, out: Path) -> None:
        storage = open_storage(out)
        self._job = read_job(storage)
        self._made = SiteReaders(self._job, storage)
        self._readers: dict[str, PageReader] = {}

    def reader(self, url: str) -> PageReader:
        site = self._job.site_of(url)
        if site not in self._readers:
            self._readers[site] = self._made.of_site(site)
        return self._readers[site]

    def strip(self, page: Page) -> object:
        reader = self.reader(page.url)
        assert isinstance(reader, SiteReader)
        return reader.class_and_text(page.located_document(), _result(page))

    def everything(self, page: Page) -> object:
        return self.reader(page.url).read(page, _result(page))


def _result(page: Page) -> dict[str, Any]:
    row = {"site": "", "url": page.url, "class": None, "problem": None}
    return {"page": row, "text": None, "records": []}


def throughput(out: Path, archive: Path) -> dict[str, float]:
    """Pages a second of processor time, for each way; the archive is read in each of them."""
    sites = _Sites(out)
    for page in pages_of(archive):
        sites.reader(page.url)
    ways: dict[str, Callable[[Page], object]] = {
        "read only": lambda page: page,
        "parse only": lambda page: Document(page.body, page.url, encoding=page.encoding).tree,
        "apply: classify and strip": sites.strip,
        "apply: records, too": sites.everything,
    }
    try:
        from trafilatura import extract  # noqa: PLC0415 - an extra

        ways["trafilatura"] = lambda page: extract(page.body, include_comments=False)
    except ImportError:
        print("  trafilatura is not here: extra `text`")
    try:
        from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415 - not ours
        from resiliparse.parse.html import HTMLTree  # noqa: PLC0415

        ways["resiliparse, main content"] = lambda page: extract_plain_text(
            HTMLTree.parse_from_bytes(page.body), main_content=True
        )
    except ImportError:
        print("  resiliparse is not here")
    return {name: _rate(way, archive) for name, way in ways.items()}


def _rate(way: Callable[[Page], object], archive: Path) -> float:
    begin = time.process_time()
    count = 0
    for page in pages_of(archive):
        way(page)
        count += 1
    return count / max(time.process_time() - begin, 1e-9)


def print_throughput(rates: dict[str, float]) -> None:
    for name, rate in rates.items():
        of_parse = rate / rates["parse only"]
        line = f"  {name:28} {rate:9,.0f} pages/s  {of_parse:6.3f} of parse only"
        if "trafilatura" in rates:
            line += f"  {rate / rates['trafilatura']:6.2f} of trafilatura"
        print(line)


# Growth: processor time and memory of whole fleets.


class FleetCost(NamedTuple):
    pages: int
    seconds: float
    memory: int
    steps: dict[str, float]


def fleet_cost(archives: Path, out: Path, sample: int, workers: int) -> FleetCost:
    """Run a fleet step by step, each in a process of its own."""
    steps: dict[str, float] = {}
    peak = 0
    said: dict[str, int] = {}
    for step in ("index", "sample", "learn", "themes", "offer", "apply", "finish"):
        words = ["fleet", "run", str(archives), "-o", str(out), "--step", step, "--json"]
        words += ["--pages-per-site", str(sample), "--workers", str(workers)]
        process = subprocess.Popen(
            [sys.executable, "-m", "sitewright", *words], stdout=subprocess.PIPE
        )
        ended, most = threading.Event(), [0]
        watch = threading.Thread(target=watch_memory, args=(process.pid, ended, most))
        watch.start()
        assert process.stdout is not None
        text = process.stdout.read()
        _pid, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        ended.set()
        watch.join()
        steps[step] = usage.ru_utime + usage.ru_stime
        print(f"    {step:8} {steps[step]:8.1f} s  peak {most[0] >> 20:,} MB", flush=True)
        peak = max(peak, most[0])
        said = json.loads(text) if process.returncode == 0 else said
    return FleetCost(said.get("pages", 0), sum(steps.values()), peak, steps)


def print_growth(out: Path, sizes: list[int], sample: int, workers: int) -> None:
    for pages in sizes:
        archives = make_archives(out, pages, max(3, pages // 200))
        cost = fleet_cost(archives, out / f"fleet-{pages}", sample, workers)
        each = ", ".join(f"{name} {seconds:.1f}" for name, seconds in cost.steps.items())
        print(
            f"  {cost.pages:8,} pages {pages // 200:5,} sites  {cost.seconds:8.1f} s"
            f"  {1000 * cost.seconds / max(1, cost.pages):6.2f} ms a page"
            f"  peak {cost.memory >> 20:,} MB  ({each})",
            flush=True,
        )


def class_scores(out: Path, archives: Path) -> dict[str, float]:
    """How many pages have a class, and how pure these are: the share of their largest true one."""
    import duckdb  # noqa: PLC0415 - an extra

    query = f"""select sum(most) / sum(pages), sum(pages) from (
                  select max(pages) as most, sum(pages) as pages from (
                    select site, class, true_class, count(*) as pages
                    from '{out}/pages/*.parquet' join read_csv('{archives}/{TRUTH}', delim='\t',
                         header=false, names=['url', 'true_class']) using (url)
                    where class is not null group by all) group by site, class)"""
    purity, pages = duckdb.connect().execute(query).fetchone() or (0.0, 0)
    return {"purity": purity, "pages": pages}


def main(arguments: list[str] | None = None) -> None:
    """Without arguments: all of it, on a small fleet in a temporary folder."""
    if arguments is None:
        with tempfile.TemporaryDirectory() as work:
            main(["all", work])
        return
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fleet")
    parser.add_argument("what", choices=["make", "throughput", "growth", "all"])
    parser.add_argument("out", type=Path)
    parser.add_argument("sizes", nargs="*", type=int)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--sites", type=int, default=10)
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    if options.what == "make":
        print(make_archives(options.out, options.pages, options.sites))
    if options.what in {"throughput", "all"}:
        archives = make_archives(options.out, options.pages, options.sites)
        fleet = options.out / f"fleet-{options.pages}-{options.sites}"
        run_fleet([str(archives)], fleet, FleetOptions(pages_per_site=options.sample))
        print_throughput(throughput(fleet, min(archives.glob("*.warc.gz"))))
        print("  classes:", class_scores(fleet, archives))
    if options.what in {"growth", "all"}:
        print_growth(options.out, options.sizes or [2000, 6000], options.sample, options.workers)


if __name__ == "__main__":
    main(sys.argv[1:])
