"""The role of a block: what a reader would call it, from its place and its content.

The rules are tried in order; the first that holds names the role. Elements that say themselves what
they are (`nav`, `footer`) are believed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import log1p
from typing import TYPE_CHECKING

import numpy as np

from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from sitewright.page.rendering import Box
    from sitewright.visual.elements import BlockCandidate


# What tells a block from other parts of a page: size, place, gaps, alignment, paint, type, DOM.
#
# Ids and classes are not looked at: what an author calls things is no better guide on the pages
# that
# we measured, and it has as many languages as the web.

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_TAGS = ("div", "p", "img", "font")
"""Tags that tell something on their own; `font` stands for what old pages mark up by looks."""
_NO_GAP, _ALONE = -5.0, 40.0
_WIDEST_GAP = 80.0
_NEAR = 30
"""How many siblings before and after are looked at for their column."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A candidate among its relatives."""

    own: BlockCandidate
    parent: BlockCandidate
    siblings: Sequence[BlockCandidate]
    """All children of the parent, itself included."""
    place: int
    alike: int
    """How many siblings are built like it, itself included."""
    of_its_tag: int
    children: Sequence[BlockCandidate]
    page: BlockCandidate
    characters: int
    """Of the whole page."""
    width: int
    height: int


def feature_rows(parts: Sequence[BlockCandidate]) -> NDArray[np.float64]:
    """A row of features for each candidate of a page."""
    around = sorted(_surroundings(parts), key=lambda around: around.own.place)
    return np.array([list(features(each).values()) for each in around], dtype=np.float64)


def features(around: Surroundings) -> dict[str, float]:
    """All features of a candidate, by name."""
    return {
        **_place(around),
        **_content(around),
        **_family(around),
        **_gaps(around),
        **_paint(around),
    }


def _surroundings(parts: Sequence[BlockCandidate]) -> Iterator[Surroundings]:
    children: list[list[BlockCandidate]] = [[] for _ in parts]
    for part in parts[1:]:
        children[part.parent].append(part)
    shapes = [_shape(part, children[part.place]) for part in parts]
    width = max(1, *(part.box.right for part in parts))
    height = max(1, *(part.box.bottom for part in parts))
    characters = sum(len(leaf.text) for leaf in parts[0].leaves)
    families = [(parts[0], [parts[0]]), *zip(parts, children, strict=True)]
    for parent, siblings in families:
        alike = Counter(shapes[part.place] for part in siblings)
        tags = Counter(part.outermost.tag for part in siblings)
        for place, part in enumerate(siblings):
            yield Surroundings(
                part, parent, siblings, place, alike[shapes[part.place]],
                tags[part.outermost.tag], children[part.place], parts[0], characters, width, height,
            )  # fmt: skip


def _place(around: Surroundings) -> dict[str, float]:
    box, parent = around.own.box, around.parent.box
    return {
        "area": log1p(box.area),
        "share of the page": box.area / (around.width * around.height),
        "width": box.dx / around.width,
        "height": box.dy / around.height,
        "pixels high": log1p(box.dy),
        "left": box.lx / around.width,
        "right": box.right / around.width,
        "top": box.ly / around.height,
        "bottom": box.bottom / around.height,
        "pixels from the top": log1p(max(0, box.ly)),
        "share of its parent": box.area / max(1, parent.area),
        "width in its parent": box.dx / max(1, parent.dx),
        "height in its parent": box.dy / max(1, parent.dy),
    }


def _content(around: Surroundings) -> dict[str, float]:
    leaves = around.own.leaves
    characters = sum(len(leaf.text) for leaf in leaves)
    linked = [leaf for leaf in leaves if leaf.kind == "link"]
    fonts = {
        (leaf.style.font_size, leaf.style.font_weight, leaf.style.colour)
        for leaf in leaves
        if leaf.text
    }
    sizes = [leaf.style.font_size for leaf in leaves if leaf.kind in {"text", "link"}]
    return {
        "share of leaves": len(leaves) / len(around.page.leaves),
        "share of its parent's leaves": len(leaves) / len(around.parent.leaves),
        "share of the text": characters / max(1, around.characters),
        "links": log1p(len(linked)),
        "share of text in links": sum(len(leaf.text) for leaf in linked) / max(1, characters),
        "images": log1p(sum(leaf.kind == "image" for leaf in leaves)),
        "fonts": float(len(fonts)),
        "largest font": max(sizes, default=0.0),
    }


def _family(around: Surroundings) -> dict[str, float]:
    own = around.own
    tags = {node.tag for node in own.nodes}
    return {
        "depth": float(own.depth),
        "wrappers": float(len(own.nodes)),
        "children": log1p(len(around.children)),
        "siblings": log1p(len(around.siblings)),
        "siblings alike": log1p(around.alike - 1),
        "share of siblings alike": around.alike / len(around.siblings),
        "siblings of its tag": log1p(around.of_its_tag - 1),
        "on the top level": float(around.parent.depth == 0),
        "in a row of a table": float(around.parent.outermost.tag == "tr"),
        "heading": float(bool(tags & HEADINGS)),
        **{name: float(name in tags) for name in _TAGS},
    }


def _gaps(around: Surroundings) -> dict[str, float]:
    own, siblings = around.own, around.siblings
    beside = siblings[max(0, around.place - 1) : around.place + 2]
    outer = [_gap(own.box, other.box) for other in beside if other is not own]
    inner = [_gap(a.box, b.box) for a, b in zip(around.children, around.children[1:], strict=False)]
    near = siblings[max(0, around.place - _NEAR) : around.place + _NEAR + 1]
    below = sum(_share_of_width(own.box, other.box) > 0.5 for other in near if other is not own)
    return {
        "least gap around": min(outer, default=_ALONE),
        "widest gap around": max(outer, default=_ALONE),
        "least gap inside": min(inner, default=_NO_GAP),
        "widest gap inside": max(inner, default=_NO_GAP),
        "siblings in its column": log1p(below),
    }


def _paint(around: Surroundings) -> dict[str, float]:
    behind = around.parent.outermost.style.background
    painted = any(
        node.style.has_background_image
        or (node.style.has_own_background and node.style.background != behind)
        for node in around.own.nodes
    )
    return {
        "own background": float(painted),
        "borders": float(max(node.style.borders for node in around.own.nodes)),
        "inline": float(around.own.outermost.style.is_inline),
    }


def _shape(part: BlockCandidate, children: Sequence[BlockCandidate]) -> Hashable:
    return part.outermost.tag, tuple(
        sorted(Counter(child.outermost.tag for child in children).items())
    )


def _gap(first: Box, second: Box) -> float:
    """The free pixels between two boxes on the axis where they are further apart."""
    apart = max(
        second.ly - first.bottom,
        first.ly - second.bottom,
        second.lx - first.right,
        first.lx - second.right,
    )
    return max(-20.0, min(_WIDEST_GAP, float(apart)))


def _share_of_width(first: Box, second: Box) -> float:
    shared = min(first.right, second.right) - max(first.lx, second.lx)
    return shared / max(1, min(first.dx, second.dx))


class BlockRole(StrEnum):
    """What blocks are for."""

    HEADER = "header"
    MENU = "menu"
    CONTENT = "content"
    SIDEBAR = "sidebar"
    FOOTER = "footer"
    ARTICLE = "article"
    LINKS = "links"
    TABLE = "table"
    IMAGE = "image"
    VIDEO = "video"
    LOGO = "logo"
    TITLE = "title"
    SEARCH = "search"
    FORM = "form"


_SAID = {
    "nav": BlockRole.MENU,
    "header": BlockRole.HEADER,
    "footer": BlockRole.FOOTER,
    "aside": BlockRole.SIDEBAR,
    "main": BlockRole.CONTENT,
    "article": BlockRole.ARTICLE,
}


_MIN_ROWS = 3
_CELL_GAP = 12
"""Pixels between two cells; between words there are fewer."""
_LARGE_TEXT = 20
"""Pixels of a font that says something of its own: no caption."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What the rules look at."""

    part: BlockCandidate
    page: BlockCandidate
    holds_blocks: bool

    @property
    def tags(self) -> set[str]:
        return {node.tag for node in self.part.nodes}

    @property
    def width(self) -> float:
        return self.part.box.dx / max(1, self.page.box.dx)

    @property
    def is_at_top(self) -> bool:
        settings = current().visual
        box = self.part.box
        return box.ly < settings.first_screen and box.bottom < 0.4 * self.page.box.bottom

    @property
    def is_at_bottom(self) -> bool:
        box, page = self.part.box, self.page.box
        return page.bottom - box.bottom < 60 and box.dy < 0.35 * page.dy and box.ly > page.dy * 0.4

    @property
    def is_narrow_column(self) -> bool:
        return self.width < 0.34 and self.part.box.dy > 1.3 * self.part.box.dx

    def count(self, kind: str) -> int:
        return sum(leaf.kind == kind for leaf in self.part.leaves)

    @property
    def characters(self) -> int:
        return sum(len(leaf.text) for leaf in self.part.leaves if leaf.kind in {"text", "link"})

    @property
    def has_large_text(self) -> bool:
        leaves = self.part.leaves
        return any(leaf.text and leaf.style.font_size >= _LARGE_TEXT for leaf in leaves)

    @property
    def linked(self) -> float:
        inside = sum(len(leaf.text) for leaf in self.part.leaves if leaf.kind == "link")
        return inside / max(1, self.characters)


def _is_search(look: _Look) -> bool:
    return look.count("field") in {1, 2, 3} and look.characters < 60 and not look.holds_blocks


def _is_logo(look: _Look) -> bool:
    box = look.part.box
    # The name beside a logo is a link, too; a heading beside a picture is what the page is about.
    alone = look.count("image") == 1 and look.characters < 60 and not look.count("text")
    return alone and box.ly < 150 and box.dy < 220 and look.width < 0.6 and box.area > 1500


def _is_image(look: _Look) -> bool:
    images = look.count("image")
    captions = look.characters < 20 * images and not look.has_large_text
    return images > 0 and (captions or images == len(look.part.leaves))


def _is_table(look: _Look) -> bool:
    """Whether cells stand side by side in row after row; old pages lay out everything in tables."""
    if not look.tags & {"table", "tbody"} or look.count("image") or look.count("field"):
        return False
    rows: dict[int, list[Box]] = {}
    for leaf in look.part.leaves:
        rows.setdefault(leaf.box.ly + leaf.box.dy // 2, []).append(leaf.box)
    parted = sum(_has_cells(row) for row in rows.values())
    return parted >= _MIN_ROWS and parted > len(rows) / 2


def _has_cells(row: Sequence[Box]) -> bool:
    """Whether there is room between boxes of a line, where words of a sentence have none."""
    ordered = sorted(row, key=lambda box: box.lx)
    return any(after.lx - before.right > _CELL_GAP for before, after in pairwise(ordered))


def _is_menu(look: _Look) -> bool:
    settings = current().visual
    links = look.count("link")
    box, page = look.part.box, look.page.box
    wide_or_left = box.dx > 2.5 * box.dy or box.right < page.lx + 0.35 * page.dx
    high_up = box.ly < 1.5 * settings.first_screen and wide_or_left
    short = look.characters < 30 * max(1, links)
    return links >= 3 and look.linked > 0.8 and high_up and short and not look.holds_blocks


def _is_title(look: _Look) -> bool:
    large = look.part.leaves[0].style.font_size >= _LARGE_TEXT or bool(look.tags & HEADINGS)
    return large and len(look.part.leaves) <= 2 and look.characters < 120


_RULES: tuple[tuple[BlockRole, Callable[[_Look], bool]], ...] = (
    (BlockRole.VIDEO, lambda look: bool(look.tags & {"video", "object", "embed", "iframe"})),
    (BlockRole.HEADER, lambda look: look.is_at_top and look.width > 0.5 and look.holds_blocks),
    (BlockRole.FOOTER, lambda look: look.is_at_bottom and look.width > 0.4),
    (BlockRole.SEARCH, _is_search),
    (BlockRole.LOGO, _is_logo),
    (BlockRole.MENU, _is_menu),
    (BlockRole.IMAGE, lambda look: _is_image(look) and not look.holds_blocks),
    (BlockRole.TITLE, _is_title),
    (
        BlockRole.FORM,
        lambda look: look.count("field") >= 3 and look.count("field") > look.count("link"),
    ),
    (BlockRole.TABLE, lambda look: _is_table(look) and not look.holds_blocks),
    (
        BlockRole.LINKS,
        lambda look: look.linked > 0.6 and look.width < 0.4 and look.count("link") > 1,
    ),
    (BlockRole.SIDEBAR, lambda look: look.is_narrow_column and look.holds_blocks),
    (BlockRole.CONTENT, lambda look: look.holds_blocks),
    (BlockRole.LINKS, lambda look: look.count("link") >= 1 and look.linked > 0.45),
    (
        BlockRole.TABLE,
        lambda look: bool(look.tags & {"table", "tbody"}) and look.count("image") == 0,
    ),
)


def role(part: BlockCandidate, page: BlockCandidate, *, holds_blocks: bool) -> BlockRole:
    """Name the role of a block; `holds_blocks` says whether there are other blocks inside."""
    said = (_SAID[node.tag] for node in part.nodes if node.tag in _SAID)
    if len(part.leaves) > 1 and (named := next(said, None)) is not None:
        return named
    look = _Look(part, page, holds_blocks)
    return next((name for name, holds in _RULES if holds(look)), BlockRole.ARTICLE)
