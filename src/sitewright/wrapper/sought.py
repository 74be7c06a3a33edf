"""Which pages have a value that somebody wants, before anything is learnt from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.html.selection import text_of
from sitewright.wrapper.example_records import normal
from sitewright.wrapper.reading import read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.html import Document


@dataclass(frozen=True, slots=True)
class PageTexts:
    """What a page says: its texts and attributes one by one, and all that a reader sees."""

    own: frozenset[str]
    whole: str


def page_texts(document: Document) -> PageTexts:
    """Read a page once, for all values that are sought in it."""
    bodies = document.tree.iter_elements(("body",))
    whole = normal(" ".join(map(text_of, bodies)))
    return PageTexts(frozenset(leaf.text for leaf in read(document).leaves), whole)


def pages_with(pages: Sequence[PageTexts], value: str) -> list[int]:
    """The pages that have a value: as a text of its own before those that hold it in a longer one.

    A number or date may be written in another form: then any page may have it.
    """
    wanted = normal(value)
    own = [place for place, page in enumerate(pages) if wanted in page.own]
    inside = [place for place, page in enumerate(pages) if wanted in page.whole]
    other = list(range(len(pages))) if any(map(str.isdigit, wanted)) else []
    return own or inside or other
