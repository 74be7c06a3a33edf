"""Writes the site and its truth to a folder, all of it or nothing."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from examples.cup.generations import redesign
from examples.cup.images import images
from examples.cup.layouts import templates
from examples.cup.live import live_files
from examples.cup.malformed import choose
from examples.cup.page import HOME
from examples.cup.pages.help import topics
from examples.cup.play import make_world
from examples.cup.site import html, make_pages
from examples.cup.truth import truth_files
from sitewright.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from examples.cup.world import World

_ASSETS = Path(__file__).parent / "assets"
_MARKER = ".cup"
_LIVE_LINK = b'<p class="live"><a href="live/">Live sections</a></p>\n'
_SCALES = (0.01, 4.0)


@dataclass(frozen=True, slots=True)
class Summary:
    """What was written."""

    out: Path
    seed: int
    scale: float
    pages: int
    size: int
    """The bytes of all files."""
    classes: Mapping[str, int]
    """The number of pages of each class, the largest first."""


def generate(
    out: Path,
    *,
    seed: int = 2002,
    scale: float = 1.0,
    live: bool = False,
    generation: int = 1,
) -> Summary:
    """Write the site to `out/site` and the truth to `out/truth`.

    With `live` there are the sections of `examples.cup.live`, which a server must complete.

    A site that stands there from an earlier run is replaced once the new one is complete; a folder
    that holds anything else is left alone: `InvalidInput` is raised. Later generations are the same
    site after a redesign.
    """
    least, most = _SCALES
    if not least <= scale <= most:
        raise InvalidInput(f"scale {scale:g}", f"not between {least} and {most}")
    _refuse_strange_folder(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as folder:
        fresh = Path(folder) / "new"
        summary = _write(fresh, make_world(seed, scale), out, scale, live=live)
        if generation > 1:
            redesign(fresh, generation)
        if out.exists():
            out.rename(Path(folder) / "old")
        fresh.rename(out)
    return summary


def _refuse_strange_folder(out: Path) -> None:
    if not out.exists():
        return
    if not out.is_dir():
        raise InvalidInput(str(out), "exists and is not a folder")
    if any(out.iterdir()) and not (out / _MARKER).is_file():
        raise InvalidInput(str(out), "holds files that this program did not write")


def _write(fresh: Path, world: World, out: Path, scale: float, *, live: bool) -> Summary:
    counts: Counter[str] = Counter()
    size = 0
    made: set[str] = set()
    for path, body in _all_files(world, counts, live=live):
        folder = os.path.dirname(path)  # noqa: PTH120 - a Path for each of 2,000 files is slow
        if folder not in made:
            (fresh / folder).mkdir(parents=True, exist_ok=True)
            made.add(folder)
        with open(f"{fresh}/{path}", "wb") as file:  # noqa: PTH123 - the same
            file.write(body)
        size += len(body)
    (fresh / _MARKER).write_text(f"seed {world.seed}, scale {scale}\n", encoding="utf-8")
    classes = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    return Summary(out, world.seed, scale, counts.total(), size, classes)


def _all_files(world: World, counts: Counter[str], *, live: bool) -> Iterator[tuple[str, bytes]]:
    """Give every file; with live sections, the home page leads to them."""
    if not live:
        yield from _files(world, counts)
        return
    for path, body in _files(world, counts):
        is_home = path == f"site/{HOME}"
        yield path, body.replace(b"</body>", _LIVE_LINK + b"</body>") if is_home else body
    yield from live_files(world.seed)


def _files(world: World, counts: Counter[str]) -> Iterator[tuple[str, bytes]]:
    """Give every file of the site and of the truth, and count the pages by class."""
    pages = make_pages(world)
    layouts = templates(world)
    malformed = choose(pages, world.seed)
    for page in pages:
        text = html(page, layouts[page.page_class], world.seed)
        spoil = malformed.get(page.path, str.encode)
        counts[page.page_class] += 1
        yield f"site/{page.path}", spoil(text)
    for name, body in images(world.seed):
        yield f"site/assets/img/{name}", body
    yield "site/assets/style.css", (_ASSETS / "style.css").read_bytes()
    for name, text in truth_files(pages, layouts, topics(world), malformed):
        yield f"truth/{name}", text.encode()
