"""Large sites: processor time and memory of a whole run as the number of pages grows.

The site is a shop with lists of fifty products each, made for this; with `live` it is served on
127.0.0.1 and fetched with `--complete`. Time should grow with the pages, memory hardly at all.

    python -m benchmarks large_site                         1,000 to 4,000 pages
    python -m benchmarks.large_site folder 20000 100000
    python -m benchmarks.large_site live 5000 20000
"""

from __future__ import annotations

import sys
import tempfile
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.whole_run import MB, RunSite, run_cost

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ON_A_LIST = 50
ON_A_HUB = 50
FOLDER = ("--workers", "1")
LIVE = ("--workers", "1", "--complete", "--delay", "0", "--ignore-robots", "--allow-private")
_MENU = "<nav><a href=/index.html>Home</a> <a href=/help.html>Help</a></nav>"


def write_shop(folder: Path, pages: int) -> None:
    """A home page, hubs of lists, lists of products, and the products: so many pages in all."""
    lists = max(1, (pages - 2) // (ON_A_LIST + 1))
    hubs = -(-lists // ON_A_HUB)
    _write(folder / "index.html", "Home", _links(f"/hub/{n}.html" for n in range(hubs)))
    _write(folder / "help.html", "Help", "<p>Ask us anything, at any time.")
    for hub in range(hubs):
        own = range(hub * ON_A_HUB, min(lists, (hub + 1) * ON_A_HUB))
        _write(folder / f"hub/{hub}.html", f"Part {hub}", _links(f"/list/{n}.html" for n in own))
    for one in range(lists):
        products = range(one * ON_A_LIST, (one + 1) * ON_A_LIST)
        own = _links(f"/product/{n}.html" for n in products)
        _write(folder / f"list/{one}.html", f"List {one}", own)
        for number in products:
            _write(folder / f"product/{number}.html", f"Product {number}", _product(number))


def _write(path: Path, title: str, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"<!doctype html><title>{title}</title><body>{_MENU}<main><h1>{title}</h1>{content}</main>"
        "<footer><p>A shop that sells nothing</footer>"
    )


def _links(urls: Iterator[str]) -> str:
    return "<ul>" + "".join(f"<li><a href={url}>{url[1:-5]}</a>" for url in urls) + "</ul>"


def _product(number: int) -> str:
    rows = {"Price": f"{number % 97}.50 EUR", "Weight": f"{number % 31} kg", "Code": f"c{number}"}
    cells = "".join(f"<tr><th>{name}<td>{value}" for name, value in rows.items())
    return f"<table>{cells}</table><p class=text>Product {number} is made of {number % 13} parts."


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - its name for it
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The folder as a live site."""
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


def measure(kind: str, pages: int) -> str:
    """One line: what a run on a site of so many pages costs."""
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "site"
        write_shop(folder, pages)
        count = sum(1 for _ in folder.rglob("*.html"))
        if kind == "live":
            with served(folder) as url:
                cost = run_cost(RunSite("live", url, LIVE), Path(work) / "out")
        else:
            cost = run_cost(RunSite("folder", folder, FOLDER), Path(work) / "out")
    each = 1000 * cost.seconds / count
    return (
        f"  {kind:6} {count:8,} pages  {cost.seconds:8.1f} s  {each:6.2f} ms a page"
        f"  peak {cost.memory / MB:5,.0f} MB"
    )


def main(arguments: Sequence[str] = ()) -> None:
    kind, *sizes = arguments or ("folder", "1000", "2000", "4000")
    for size in map(int, sizes):
        print(measure(kind, size), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
