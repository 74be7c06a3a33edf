"""What hostile pages cost: peak memory and processor time above an ordinary small page.

`python -m benchmarks hostile` prints the table of docs/security.md. Each page goes through a verb
in a process of its own, which may use 4 GB and 300 s of processor time; what it needs above a page
of one line is held against the promise: 64 MB + 40 times the page, 1 s + 1 s for each MB.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MB = 1_000_000
MEMORY = 4 << 30
SECONDS = 300
VERBS = ("inspect", "strip", "run")


def _repeated(piece: bytes, size: float) -> bytes:
    return piece * int(size * MB / len(piece))


def _numbered(piece: str, size: float) -> bytes:
    parts: list[str] = []
    length = 0
    while length < size * MB:
        parts.append(piece.replace("#", str(len(parts))))
        length += len(parts[-1])
    return "".join(parts).encode()


def _mixed_nesting(depth: int) -> bytes:
    tags = ["div", "span", "ul", "li", "section", "table", "tr", "td", "em", "p", "a href=x"]
    chance = random.Random(0)
    return "".join(f"<{chance.choice(tags)}>t" for _ in range(depth)).encode()


def _random_bytes(size: float) -> bytes:
    return random.Random(0).randbytes(int(size * MB))


PAGES: dict[str, Callable[[], bytes]] = {
    "short paragraphs, 63 MB": lambda: _repeated(b"<p>x", 63),
    "short paragraphs, 2 MB": lambda: _repeated(b"<p>x", 2),
    "short paragraphs, 0.2 MB": lambda: _repeated(b"<p>x", 0.2),
    "100,000 nested divs": lambda: b"<div>" * 100_000 + b"x",
    "100,000 nested mixed elements": lambda: _mixed_nesting(100_000),
    "20,000 nested mixed elements": lambda: _mixed_nesting(20_000),
    "one element with 50 MB of attributes": lambda: b"<p " + _numbered("a# ", 50) + b">",
    "one element with 2 MB of attributes": lambda: b"<p " + _numbered("a# ", 2) + b">",
    "elements with 40 attributes each, 3 MB": lambda: _repeated(
        b"<p " + b" ".join(b"a%d=1" % n for n in range(40)) + b">x", 3
    ),
    "invalid UTF-8, 10 MB": lambda: b"<p>" + _repeated(b"\xff\xc3(", 10),
    "invalid UTF-8 in paragraphs, 2 MB": lambda: _repeated(b"<p class=x>\xff\xfe\xc3\xc3 word", 2),
    "random bytes, 5 MB": lambda: b"<!doctype html><p>" + _random_bytes(5),
    "formatting never closed, 23 kB": lambda: _numbered("<b a#><p>", 0.023),
    "formatting never closed, 70 kB": lambda: _numbered("<b a#><p>", 0.07),
    "formatting, then paragraphs, 200 kB": lambda: (
        _numbered("<i a#>", 0.1) + _repeated(b"<p>", 0.1)
    ),
    "adoption, 60 kB": lambda: _repeated(b"<a><b><p>", 0.05) + _repeated(b"</a>", 0.01),
    "tables in tables, 0.3 MB": lambda: _repeated(b"<table><tr><td>", 0.3),
    "text before rows of a table, 2 MB": lambda: b"<table>" + _repeated(b"<tr>x", 2),
    "50,000 links": lambda: b"".join(b"<li><a href=/p%d>x</a>" % n for n in range(50_000)),
    "50,000 links in as many folders": lambda: b"".join(
        b"<a href=/d%d/x>x</a>" % n for n in range(50_000)
    ),
    "links with a class of their own, 2 MB": lambda: _numbered("<a class=c# href=#>x</a>", 2),
    "a table of 100,000 cells": lambda: (
        b"<table>" + (b"<tr>" + b"<td>12</td>" * 10 + b"</tr>") * 10_000
    ),
    "a text of 20 MB": lambda: b"<p>" + _repeated(b"word ", 20),
    "a script of 20 MB": lambda: b"<script>" + _repeated(b"var a = '<p>';", 20) + b"</script>",
    "comments, 5 MB": lambda: _repeated(b"<!-- c -->", 5),
    "only less-than, 5 MB": lambda: _repeated(b"<", 5),
    "only ampersands, 5 MB": lambda: _repeated(b"&amp", 5),
    "JSON-LD nested 100,000 deep": lambda: (
        b'<script type="application/ld+json">' + b"[" * 100_000 + b"</script>"
    ),
    "10,000 items of microdata in each other": lambda: _repeated(
        b"<div itemscope itemprop=a itemtype=http://schema.org/Thing>", 0.55
    ),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What one command took."""

    exit_code: int
    seconds: float
    """Of the processor, of all processes together."""
    memory: float
    """The largest process, in bytes."""


def cost(verb: str, page: Path, out: Path) -> Cost:
    """Run a verb on a page, in a process that may not harm the machine."""
    arguments = {
        "inspect": ["inspect", str(page)],
        "strip": ["strip", str(page), "-t", str(page.parent.parent / "template.json")],
        "run": ["run", str(page.parent), "-o", str(out), "--workers", "1"],
    }[verb]

    def confine() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    process = subprocess.Popen(
        [sys.executable, "-m", "sitewright", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=confine,  # noqa: PLW1509 - there are no threads here
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def measure(name: str, body: bytes, verb: str, folder: Path) -> Cost:
    """The cost of one page: alone for most verbs, in a site with an ordinary page for `run`."""
    place = folder / "site"
    place.mkdir(exist_ok=True)
    page = place / ("index.html" if verb != "run" else "hostile.html")
    page.write_bytes(body)
    if verb == "run":
        links = "<a href=hostile.html>x</a><a href=b.html>b</a>"
        (place / "index.html").write_text(f"<!doctype html><title>Home</title>{links}")
        (place / "b.html").write_text("<!doctype html><title>B</title><h1>B</h1><p>text")
    del name
    found = cost(verb, page, folder / "out")
    page.unlink()
    return found


def _learn_template(folder: Path) -> None:
    """A template for `strip`: that of two small pages."""
    for name in ("a.html", "b.html"):
        (folder / name).write_text(f"<!doctype html><title>{name}</title><h1>Site</h1><p>{name}")
    command = [sys.executable, "-m", "sitewright", "template", "a.html", "b.html"]
    subprocess.run([*command, "-o", "template.json"], cwd=folder, check=True, capture_output=True)


def over(found: Cost, idle: Cost, size: int) -> tuple[float, float, bool]:
    """Seconds and bytes above the ordinary page, and whether they are within the promise."""
    seconds, memory = found.seconds - idle.seconds, found.memory - idle.memory
    kept = (
        memory <= 64 * MB + 40 * size and seconds <= 1 + size / MB and found.exit_code in {0, 1, 2}
    )
    return seconds, memory, kept


def main(names: list[str] | None = None) -> None:
    """Print the table: a row for each page, a column for each verb."""
    print(f"| page | MB | {' | '.join(VERBS)} |")
    print("|---|---|" + "---|" * len(VERBS))
    chosen = {name: make for name, make in PAGES.items() if not names or name in names}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        plain = b"<!doctype html><title>A</title><p>text"
        _learn_template(folder)
        idle = {verb: measure("idle", plain, verb, folder) for verb in VERBS}
        for name, make in chosen.items():
            body = make()
            cells = []
            for verb in VERBS:
                found = measure(name, body, verb, folder)
                seconds, memory, kept = over(found, idle[verb], len(body))
                told = f"{max(0.0, seconds):.1f} s, {max(0.0, memory) / MB:.0f} MB"
                refused = " (refused)" if found.exit_code == 2 else ""
                failed = "" if found.exit_code in {0, 1, 2} else f" (exit {found.exit_code})"
                cells.append(f"{told}{refused}{failed}{'' if kept else ' **over**'}")
            print(f"| {name} | {len(body) / MB:.2f} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
