"""Stadium pages, some with awkward file names, and the list of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from examples.cup.page import HOME, Page, shown, url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from examples.cup.templating import View
    from examples.cup.world import Stadium, World

STADIUMS = "stadiums/index.html"


def stadium_pages(world: World) -> Iterator[Page]:
    """Make the list and the pages of all stadiums."""
    yield Page(STADIUMS, "single:stadiums", _index(world), parent=HOME, label="Stadiums")
    for stadium in world.stadiums:
        view = _stadium(world, stadium)
        yield Page(stadium.path, "stadium", view, parent=STADIUMS, label=stadium.name)


def _index(world: World) -> View:
    """List the stadiums; a name with accents and nothing worse is written as it is."""
    rows = [
        {
            "name": stadium.name,
            "url": _as_written(stadium),
            "city": stadium.city,
            "capacity": f"{stadium.capacity:,}",
        }
        for stadium in world.stadiums
    ]
    return {"title": "Stadiums", "stadiums": rows}


def _as_written(stadium: Stadium) -> str:
    raw = not stadium.file_name.isascii() and not set(stadium.file_name) & set(" %")
    return stadium.file_name if raw else url(stadium.path).removeprefix("stadiums/")


def _stadium(world: World, stadium: Stadium) -> View:
    return {
        "title": stadium.name,
        "name": stadium.name,
        "city": stadium.city,
        "capacity": f"{stadium.capacity:,}",
        "opened": str(stadium.opened),
        "surface": stadium.surface,
        "architect": stadium.architect,
        "tram": stadium.tram,
        "matches": [
            {
                "date": shown(match.day),
                "match": match.title,
                "url": url(match.path),
                "score": match.score,
                "attendance": f"{match.attendance:,}",
            }
            for match in world.matches
            if match.stadium is stadium
        ],
    }
