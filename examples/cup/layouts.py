"""Which template, menu item and folder depth each page class has; and the templates, read once."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from examples.cup.pages.help import article_links
from examples.cup.pages.matches import group_links, round_links
from examples.cup.pages.players import letter_links
from examples.cup.pages.stats import category_links
from examples.cup.templating import PageTemplate, environment, page_template

if TYPE_CHECKING:
    from collections.abc import Mapping

    from examples.cup.world import World

_TEMPLATES = Path(__file__).parent / "templates"

_MENU = {
    "home": ("Home", "index.html"),
    "news": ("News", "news/"),
    "teams": ("Teams", "teams/index.html"),
    "players": ("Players", "players/index.html"),
    "matches": ("Matches", "matches/"),
    "groups": ("Groups", "groups/"),
    "stadiums": ("Stadiums", "stadiums/index.html"),
    "galleries": ("Photos", "galleries/"),
    "stats": ("Statistics", "stats.html"),
    "help": ("Help", "help/index.html"),
}
"""The menu at the top of every page: its items lead to unlike pages."""

_PLACES = {
    "team": ("teams", 1),
    "squad": ("teams", 2),
    "player": ("players", 1),
    "player-list": ("players", 1),
    "match": ("matches", 1),
    "schedule": ("matches", 1),
    "group": ("groups", 2),
    "news": ("news", 2),
    "news-list": ("news", 1),
    "gallery": ("galleries", 2),
    "gallery-list": ("galleries", 1),
    "photo": ("galleries", 2),
    "stats": ("stats", 0),
    "stadium": ("stadiums", 1),
    "help": ("help", 1),
    "single:home": ("home", 0),
    "single:teams": ("teams", 1),
    "single:players": ("players", 1),
    "single:matches": ("matches", 1),
    "single:groups": ("groups", 1),
    "single:stadiums": ("stadiums", 1),
    "single:statistics": ("stats", 0),
    "single:help-index": ("help", 1),
}
"""The menu item that is marked, and how many folders deep the pages are; other pages: none, 0."""


def root(page_class: str) -> str:
    """Write the way from a page of this class up to the site's folder."""
    return "../" * _PLACES.get(page_class, ("", 0))[1]


def templates(world: World) -> dict[str, PageTemplate]:
    """Read the template of every class, with what all its pages share written in."""
    shared = {
        "rounds": round_links(world),
        "groups": group_links(world.standings),
        "letters": letter_links(world),
        "tabs": category_links(world),
        "articles": article_links(world),
    }
    classes = [*_PLACES, "redirect"]
    classes += [f"single:{name}" for name in ("about", "contact", "imprint", "search", "old-home")]
    made = environment({**_files(), **shared})
    return {
        name: page_template(made, f"{name.removeprefix('single:')}.html", _chrome(name))
        for name in classes
    }


@cache
def _files() -> Mapping[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in _TEMPLATES.glob("*.html")}


def _chrome(page_class: str) -> dict[str, str]:
    section, _ = _PLACES.get(page_class, ("plain", 0))
    up = root(page_class)
    active = {section: ' class="active"'}
    items = "\n".join(
        f'<li{active.get(key, "")}><a href="{up}{address}">{label}</a></li>'
        for key, (label, address) in _MENU.items()
    )
    return {"root": up, "section": section, "menu": items}
