"""How many pages a new site of a known theme needs: learnt from its own, or lent by another site.

For each pair of a known site and a new one of the same theme, a wrapper for each class is learnt
from n pages of the new site; then pages that nobody has learnt from are read with it, and with what
the known site lends. The reference is what the new site's own pages teach if there are enough of
them. Recall is the part of the reference's values, page by page, that a way finds; pages and values
are counted, whatever their columns are called.

New sites are cups of `examples.cup` in five themes, and halves of sites that are named: one half
of the pages is known, the other has another host.

    python -m benchmarks themes
    python -m benchmarks.themes CMS_SITES...
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.fleet import DAY, Theme, cup_pages
from sitewright.fleet import FleetOptions, run_fleet
from sitewright.fleet.apply import SiteReaders
from sitewright.fleet.engines import TaskOutcome, do_task
from sitewright.fleet.job import read_job
from sitewright.fleet.storage import open_storage
from sitewright.fleet.themes import theme_rows
from sitewright.site.base import Page
from sitewright.site.open import open_site
from sitewright.site.warc_writer import WarcWriter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SAMPLES = (2, 5, 10, 20, 40)
HELD_OUT = 60
ENOUGH = 120
"""Pages that the reference is learnt from."""
TYPES = [("Content-Type", "text/html; charset=utf-8")]


class InThisProcess:
    """Does tasks here, one after the other: what is measured is small."""

    def outcomes(self, location: str, tasks: Sequence[Any]) -> Iterator[TaskOutcome]:
        for task in tasks:
            yield TaskOutcome(task, do_task(location, task))


def fleet_of(work: Path, sites: dict[str, Sequence[Page]], least: int) -> SiteReaders:
    """A fleet of some sites; those with fewer pages than `least` are not learnt."""
    work.mkdir(parents=True)
    with WarcWriter(work / "pages.warc.gz") as archive:
        for pages in sites.values():
            for page in pages:
                archive.write_response(page.url, 200, TYPES, page.body, date=DAY)
    options = FleetOptions(min_pages=least, pages_per_site=ENOUGH)
    run_fleet([str(work / "pages.warc.gz")], work / "out", options, engine=InThisProcess())
    storage = open_storage(work / "out")
    return SiteReaders(read_job(storage), storage)


def values_of(readers: SiteReaders, site: str, pages: Sequence[Page]) -> list[Counter[str]]:
    """The values of each page, whatever their columns are called."""
    reader = readers.of_site(site)
    found = []
    for page in pages:
        row = {"site": site, "url": page.url, "class": None, "problem": None}
        result: dict[str, Any] = {"page": row, "text": None, "records": []}
        reader.read(page, result)
        values: Counter[str] = Counter()
        for record in result["records"]:
            values.update(_texts(json.loads(record["fields"])))
        found.append(values)
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif value is not None:
        yield str(value)


def recall(found: list[Counter[str]], wanted: list[Counter[str]]) -> float:
    """The part of the reference's values that are found, each as often as it is there."""
    common = sum((one & other).total() for one, other in zip(found, wanted, strict=True))
    return common / max(1, sum(one.total() for one in wanted))


class Pair(NamedTuple):
    """A known site, and a new one of the same theme."""

    known: tuple[str, list[Page]]
    new: tuple[str, list[Page]]
    all_pages: list[Page]
    """Those that the reference is learnt from, with the new site's host."""


def measured(work: Path, pair: Pair) -> dict[str, float]:
    """The recall of each way on pages of the new site that none of them has learnt from."""
    site, pages = pair.new
    held_out, learnt = pages[:HELD_OUT], pages[HELD_OUT:]
    wanted = values_of(fleet_of(work / "all", {site: pair.all_pages}, 2), site, held_out)
    rows = {}
    for number in SAMPLES:
        if number <= len(learnt):
            own = fleet_of(work / f"own-{number}", {site: learnt[:number]}, 2)
            rows[f"own {number}"] = recall(values_of(own, site, held_out), wanted)
    lent = fleet_of(work / "lent", {pair.known[0]: pair.known[1], site: learnt[:1]}, 3)
    rows["theme, 0"] = recall(values_of(lent, site, held_out), wanted)
    return rows


def cup_site(number: int, theme: int) -> tuple[str, list[Page]]:
    host = f"cup{number}.example"
    return host, [Page(one.url, one.html.encode()) for one in cup_pages(host, number, Theme(theme))]


def cup_pair(theme: int, seed: int = 0) -> Pair:
    """Two sites of a theme; the seed decides which."""
    known, new = cup_site(200 * seed + theme, theme), cup_site(200 * seed + 100 + theme, theme)
    return Pair(known, new, new[1])


def halves(folder: Path, seed: int = 0) -> Pair:
    """The two halves of a site, as the pages of two; the seed decides which page is in which."""
    pages = list(open_site(folder, base_url="http://known.example/").pages())
    random.Random(f"{folder.name}{seed or ''}").shuffle(pages)
    pages = pages[: 2 * (HELD_OUT + ENOUGH)]
    other = [
        Page(page.url.replace("http://known.example/", "http://new.example/", 1), page.body)
        for page in pages
    ]
    half = len(pages) // 2
    return Pair(("known.example", pages[:half]), ("new.example", other[half:]), other)


def new_site(where: int | Path, seed: int) -> dict[str, float]:
    """What each way gives on one new site: a cup of a theme, or half of a folder."""
    pair = cup_pair(where, seed) if isinstance(where, int) else halves(where, seed)
    with tempfile.TemporaryDirectory() as work:
        return measured(Path(work), pair)


def grouping(work: Path, themes: int, each: int) -> str:
    """How many of the generated sites are grouped as they were made."""
    sites = dict(cup_site(number, 1 + number % themes) for number in range(themes * each))
    fleet_of(work, sites, 20)
    groups: dict[str, list[int]] = {}
    for row in theme_rows(open_storage(work / "out")):
        groups.setdefault(row["theme"], []).append(int(row["site"][3:].partition(".")[0]))
    right = sum(len({one % themes for one in group}) == 1 for group in groups.values())
    offers = [json.loads(path.read_text()) for path in (work / "out/done/offer").glob("*.json")]
    taken = sum(len(one["taken"]) for one in offers)
    return (
        f"{themes * each} sites in {themes} themes: {len(groups)} groups, {right} of one theme; "
        f"{taken} wrappers taken by {len(offers)} sites"
    )


def main(arguments: Sequence[str] = ()) -> None:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        print("  " + grouping(work / "groups", 5, 4), flush=True)
        for theme in range(1, 6):
            _show(f"cup, theme {theme}", measured(work / f"t{theme}", cup_pair(theme)))
        for name in arguments:
            _show(Path(name).name, measured(work / Path(name).name, halves(Path(name))))


def _show(name: str, row: dict[str, float]) -> None:
    shown = "  ".join(f"{way} {value:.3f}" for way, value in row.items())
    print(f"  {name:18} {shown}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
