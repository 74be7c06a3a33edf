"""A page of the site before it is HTML: where it is, what it shows, and where it belongs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from datetime import date

    from examples.cup.templating import View

HOME = "index.html"


@dataclass(frozen=True, slots=True)
class Page:
    """What there is to know of a page: all of the truth is written from this."""

    path: str
    """The file, relative to the site's folder."""
    page_class: str
    view: View
    parent: str = ""
    """The page above it in the navigation tree; none where it has no place there."""
    label: str = ""
    """The text of the link by which its parent leads to it."""
    other_parents: tuple[str, ...] = ()
    """Pages that lead to it just as well."""
    continues: str = ""
    """The list whose next part this is."""
    broken: tuple[str, ...] = ()
    """What it links to, though it does not exist."""
    leads_to: str = ""
    """Where a redirect stub sends its visitors."""
    orphan: bool = field(default=False)
    """No page links to it."""


def url(path: str) -> str:
    """Write a file's path as a link does: a folder for its index page, escapes where needed.

    A query in a file's name stays a query.
    """
    if path.endswith("/index.html"):
        path = path.removesuffix("index.html")
    plain = path.isascii() and " " not in path and "%" not in path
    return path if plain else quote(path, safe="/?&=")


def shown(day: date) -> str:
    """Write a date as the site's newer pages do: 7 June 2031."""
    return f"{day.day} {day:%B %Y}"


def crest(number: int) -> str:
    """Name the image of a team's crest; there are fewer images than teams."""
    return f"crest-{number % 12 + 1:02}.svg"


def portrait(number: int) -> str:
    """Name the image of a player."""
    return f"portrait-{number % 6 + 1}.svg"


def photo(number: int) -> str:
    """Name the image of a photo."""
    return f"photo-{number % 12 + 1:02}.svg"
