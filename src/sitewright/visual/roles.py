"""The role of a block: what a reader would call it, from its place and its content.

The rules are tried in order; the first that holds names the role. Elements that say themselves what
they are (`nav`, `footer`) are believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from sitewright.visual.features import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitewright.visual.candidates import Candidate


class Role(StrEnum):
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
    "nav": Role.MENU,
    "header": Role.HEADER,
    "footer": Role.FOOTER,
    "aside": Role.SIDEBAR,
    "main": Role.CONTENT,
    "article": Role.ARTICLE,
}
_FIRST_SCREEN = 300
"""Pixels from the top in which headers and logos stand."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What the rules look at."""

    part: Candidate
    page: Candidate
    holds_blocks: bool

    @property
    def tags(self) -> set[str]:
        return {node.tag for node in self.part.nodes}

    @property
    def width(self) -> float:
        return self.part.box.dx / max(1, self.page.box.dx)

    @property
    def is_at_top(self) -> bool:
        box = self.part.box
        return box.ly < _FIRST_SCREEN and box.bottom < 0.4 * self.page.box.bottom

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
    def linked(self) -> float:
        inside = sum(len(leaf.text) for leaf in self.part.leaves if leaf.kind == "link")
        return inside / max(1, self.characters)


def _is_search(look: _Look) -> bool:
    return look.count("field") in {1, 2, 3} and look.characters < 60 and not look.holds_blocks


def _is_logo(look: _Look) -> bool:
    box = look.part.box
    alone = look.count("image") == 1 and look.characters < 60
    return alone and box.ly < 150 and box.dy < 220 and look.width < 0.6 and box.area > 1500


def _is_image(look: _Look) -> bool:
    images = look.count("image")
    return images > 0 and (look.characters < 20 * images or images == len(look.part.leaves))


def _is_menu(look: _Look) -> bool:
    links = look.count("link")
    box, page = look.part.box, look.page.box
    wide_or_left = box.dx > 2.5 * box.dy or box.right < page.lx + 0.35 * page.dx
    high_up = box.ly < 1.5 * _FIRST_SCREEN and wide_or_left
    short = look.characters < 30 * max(1, links)
    return links >= 3 and look.linked > 0.8 and high_up and short and not look.holds_blocks


def _is_title(look: _Look) -> bool:
    large = look.part.leaves[0].style.font_size >= 20 or bool(look.tags & HEADINGS)
    return large and len(look.part.leaves) <= 2 and look.characters < 120


_RULES: tuple[tuple[Role, Callable[[_Look], bool]], ...] = (
    (Role.VIDEO, lambda look: bool(look.tags & {"video", "object", "embed", "iframe"})),
    (Role.HEADER, lambda look: look.is_at_top and look.width > 0.5 and look.holds_blocks),
    (Role.FOOTER, lambda look: look.is_at_bottom and look.width > 0.4),
    (Role.SEARCH, _is_search),
    (Role.LOGO, _is_logo),
    (Role.MENU, _is_menu),
    (Role.IMAGE, lambda look: _is_image(look) and not look.holds_blocks),
    (Role.TITLE, _is_title),
    (Role.FORM, lambda look: look.count("field") >= 3 and look.count("field") > look.count("link")),
    (Role.LINKS, lambda look: look.linked > 0.6 and look.width < 0.4 and look.count("link") > 1),
    (Role.SIDEBAR, lambda look: look.is_narrow_column and look.holds_blocks),
    (Role.CONTENT, lambda look: look.holds_blocks),
    (Role.LINKS, lambda look: look.count("link") >= 1 and look.linked > 0.45),
    (Role.TABLE, lambda look: bool(look.tags & {"table", "tbody"}) and look.count("image") == 0),
)


def role(part: Candidate, page: Candidate, *, holds_blocks: bool) -> Role:
    """Name the role of a block; `holds_blocks` says whether there are other blocks inside."""
    said = (_SAID[node.tag] for node in part.nodes if node.tag in _SAID)
    if len(part.leaves) > 1 and (named := next(said, None)) is not None:
        return named
    look = _Look(part, page, holds_blocks)
    return next((name for name, holds in _RULES if holds(look)), Role.ARTICLE)
