"""Pages with hand-marked blocks: the set of Kreuzer (2013), a folder for each of 82 pages.

Beside each `NAME.dom.html` there is `NAME.blocks.html`, a tidied copy with `data-block` (levels: 1,
2 or both) and `data-block-type` on the elements that volunteers marked. Marks are carried over
to the page itself by aligning the elements of both. Where the two files are different pages (eleven
in the set), the marked copy without its marks is the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from sitewright.errors import UnreadableInput
from sitewright.html import Document
from sitewright.visual.rendering import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitewright.visual.rendering import Rendering

_MARKS = re.compile(rb"\sdata-block(?:-type)?=\"[^\"]*\"")
_MARKING_STYLE = re.compile(rb"\*\[data-block\]\s*\{[^}]*\}|\.highlight\s*\{[^}]*\}")
_LEVEL = re.compile(r"[0-9]{1,3}")
_NO_NOSCRIPT = b"<style>noscript{display:none}</style>"
"""Appended to each page: they were saved, and marked, with their scripts run."""
_LEAST_CARRIED = 0.5
"""With fewer marks than this carried over, the two files are not the same page."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A block as a volunteer marked it."""

    levels: tuple[int, ...]
    """From the outermost on: an element may be a block of the page and one inside of it."""
    kind: str


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page and its marks, by the place of the marked element among all elements."""

    file: Path
    body: bytes
    marks: Mapping[int, Mark]


def marked_pages(folder: Path) -> Iterator[MarkedPage]:
    """The marked pages of a folder, in the order of their names."""
    found = sorted(folder.glob("**/*.blocks.html"))
    if not found:
        raise UnreadableInput(str(folder), "no marked pages (*.blocks.html) in this folder")
    for marked in found:
        page = marked.with_name(marked.name.replace(".blocks.html", ".dom.html"))
        yield marked_page(page, page.read_bytes() if page.is_file() else b"", marked.read_bytes())


def marked_page(file: Path, body: bytes, marked: bytes) -> MarkedPage:
    """Carry marks over to a page, or take the marked copy if it is another page."""
    copy = file.with_name(file.name.replace(".dom.html", ".blocks.html"))
    keys, marks = _keys(marked), _marks(copy, marked)
    carried: dict[int, Mark] = {}
    for same in SequenceMatcher(None, keys, _keys(body), autojunk=False).get_matching_blocks():
        for step in range(same.size):
            if (mark := marks.get(same.a + step)) is not None:
                carried[same.b + step] = mark
    if len(carried) >= _LEAST_CARRIED * len(marks):
        return MarkedPage(file, body + _NO_NOSCRIPT, carried)
    unmarked = _MARKING_STYLE.sub(b"", _MARKS.sub(b"", marked))
    return MarkedPage(file, unmarked + _NO_NOSCRIPT, marks)


def marked_nodes(page: MarkedPage, rendering: Rendering) -> dict[int, Mark]:
    """The marks by the numbers of the rendered page's nodes."""
    elements = [node.number for node in rendering.nodes if node.tag != TEXT]
    return {elements[place]: mark for place, mark in page.marks.items() if place < len(elements)}


def _keys(body: bytes) -> list[tuple[str, str, str]]:
    elements = Document(body).tree.iter_elements()
    return [(e.tag, e.attr("id") or "", e.attr("src") or "") for e in elements]


def _marks(file: Path, body: bytes) -> dict[int, Mark]:
    elements = enumerate(Document(body).tree.iter_elements())
    marked = ((place, e) for place, e in elements if e.attr("data-block"))
    return {
        place: Mark(_levels(file, e.attr("data-block") or ""), e.attr("data-block-type") or "")
        for place, e in marked
    }


def _levels(file: Path, value: str) -> tuple[int, ...]:
    levels = value.split()
    if not levels or any(_LEVEL.fullmatch(level) is None for level in levels):
        raise UnreadableInput(str(file), f'data-block="{value}" does not name levels')
    return tuple(sorted({int(level) for level in levels}))
