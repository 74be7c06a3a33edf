"""The whole job against parsing alone: `sitewright run` on whole sites, in a process of its own.

For each site the processor time of the run, the processes that it starts included, over the time
that our own parser takes to parse each of its pages once; and the most memory that these processes
had together (their shares of common pages count once). Sites that are not here are left out.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.pages import CACHE, data_folder, debian_package, made
from sitewright.page import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

THINNED = 10_000
SAMPLING = 0.2
"""Seconds between two looks at the memory."""
MB = 1 << 20


@dataclass(frozen=True, slots=True)
class RunSite:
    """A site in a folder, and how to run on it."""

    name: str
    folder: Path | str
    """Or the URL of a live one."""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process and those that it started have used."""

    seconds: float
    """Of the processor."""
    memory: int
    """Bytes at the worst moment."""


def main() -> None:
    with tempfile.TemporaryDirectory() as work:
        for site in sites(Path(work)):
            files = pages_of(Path(site.folder))
            parsing = parse_seconds(files)
            cost = run_cost(site, Path(work) / "out" / site.name)
            print(
                f"  {site.name:12} {len(files):6,} pages  whole run {cost.seconds:7.2f} s"
                f"  parse only {parsing:6.3f} s  ratio {cost.seconds / parsing:6.1f}"
                f"  peak {cost.memory / MB:5,.0f} MB",
                flush=True,
            )


def sites(work: Path) -> Iterator[RunSite]:
    """The sites that are here: made, fetched, or unpacked."""
    subprocess.run([sys.executable, "-m", "examples.cup", str(work / "cup")], check=True,
                   capture_output=True)  # fmt: skip
    yield RunSite("demo", work / "cup" / "site")
    if folder := unpacked("cms-sites", work):
        yield RunSite("symscape", folder / "sites" / "symscape")
    if folder := unpacked("swde-dev-2", work):
        # These pages do not link to each other.
        pages = folder / "swde-dev-2" / "movie" / "movie-metacritic"
        yield RunSite("metacritic", pages, ("--local-only",))
    if package := debian_package("rust-doc"):
        root = package / "usr/share/doc/rust-doc/html"
        yield RunSite("rust-doc", thinned(root, THINNED), ("--home", "std/index.html"))


def unpacked(name: str, work: Path) -> Path | None:
    """An archive of labelled data in a folder; None, with a note, where it is not there."""
    archive = data_folder() / f"{name}.tar.xz"
    if not archive.is_file():
        print(f"left out: no {archive}", file=sys.stderr)
        return None
    with tarfile.open(archive) as packed:
        packed.extractall(work / name, filter="data")
    return work / name


def thinned(root: Path, count: int) -> Path:
    """A copy of a folder with so many of its pages, evenly spread over their names, and a home."""
    folder = made(CACHE) / f"{root.parent.name}-{count}"
    if not folder.is_dir():
        files = pages_of(root)
        chosen = {files[place * len(files) // count] for place in range(count)}
        with tempfile.TemporaryDirectory(dir=CACHE) as temporary:
            for file in sorted(chosen | {root / "index.html", root / "std" / "index.html"}):
                copy = Path(temporary) / "pages" / file.relative_to(root)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.hardlink_to(file.resolve())
            (Path(temporary) / "pages").rename(folder)
    return folder


def pages_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.htm*") if path.is_file())


def parse_seconds(files: list[Path]) -> float:
    """Parsing alone: the pages are read, one by one, while the clock stands still."""
    seconds = 0.0
    for file in files:
        body = file.read_bytes()
        begin = time.process_time()
        Document(body)
        seconds += time.process_time() - begin
    return seconds


def run_cost(site: RunSite, out: Path) -> Cost:
    """Run the whole job on a site."""
    command = [sys.executable, "-m", "sitewright", "run", str(site.folder), "-o", str(out)]
    process = subprocess.Popen([*command, "--json", *site.options], stdout=subprocess.DEVNULL)
    ended = threading.Event()
    peak = [0]
    watch = threading.Thread(target=watch_memory, args=(process.pid, ended, peak))
    watch.start()
    # Of the system's ways to ask, this one counts the processes that it waited for, too.
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    ended.set()
    watch.join()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Cost(usage.ru_utime + usage.ru_stime, peak[0] or usage.ru_maxrss * 1024)


def watch_memory(pid: int, ended: threading.Event, peak: list[int]) -> None:
    """Keep the most memory that a process and its children have had together; Linux only.

    What is shared is asked for only when what is resident has never been more: to ask for it makes
    the system walk all pages of a process, which 20 times a second is a part of a core.
    """
    most = 0
    while not ended.wait(SAMPLING):
        processes = descendants(pid)
        resident = sum(map(resident_memory, processes))
        if resident > most:
            most = resident
            peak[0] = max(peak[0], sum(map(memory_share, processes)))


def descendants(pid: int) -> list[int]:
    """A process and all that it has started, as far as they still run."""
    found = [pid]
    for one in found:
        for listing in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += map(int, listing.read_text().split())
            except OSError:  # it has just ended
                continue
    return found


def resident_memory(pid: int) -> int:
    """The memory of a process, all that it shares with others included."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def memory_share(pid: int) -> int:
    """The memory of a process; of what it shares with others, its part."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
