"""The records of each page class: which of the values that a page shows are its data.

A name is a field; a name with names behind it is a list of records inside the record, and one with
a dot behind it a list of texts. A field is left out where the page does not show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from examples.cup.templating import View

Fields = Mapping[str, "Fields | None"]


def _fields(text: str, **nested: str) -> Fields:
    inner: dict[str, Fields | None] = {name: _fields(names) for name, names in nested.items()}
    return dict.fromkeys(text.split()) | inner


_LINEUP = "number player minutes"

FIELDS: Mapping[str, Fields] = {
    "team": _fields(
        "name nickname code group coach captain founded best_finish colours profile",
        matches="date round opponent result",
        key_players="name position",
        news="headline",
    ),
    "squad": _fields("team coach assistant doctor", players="number name position age height club"),
    "player": _fields(
        "name number team position born birthplace height weight foot club nickname biography "
        "caps minutes goals assists cards",
        matches="opponent result minutes goals",
        former_clubs="years club",
        team_mates="name",
    ),
    "player-list": _fields("letter count", players="name team"),
    "match": _fields(
        "home away score shootout round date kickoff stadium attendance referee group "
        "home_possession away_possession home_shots away_shots home_on_target away_on_target "
        "home_corners away_corners home_fouls away_fouls",
        report=".",
        goals="minute player team assist",
        cards="minute player",
        home_lineup=_LINEUP,
        away_lineup=_LINEUP,
    ),
    "schedule": _fields("round", matches="date kickoff match score stadium"),
    "group": _fields(
        "group note",
        standings="rank team won drawn lost goals points",
        matches="date match score",
    ),
    "news": _fields(
        "category headline date byline lead caption quote speaker",
        paragraphs=".",
        tags="name",
        related="headline",
    ),
    "news-list": _fields("", stories="headline date lead"),
    "gallery": _fields("headline date photographer intro report"),
    "gallery-list": _fields("", galleries="headline date"),
    "photo": _fields("gallery caption place credit", people="name"),
    "stats": _fields("category order", rows="rank player team matches total"),
    "stadium": _fields(
        "name city capacity opened surface architect tram",
        matches="date match score attendance",
    ),
    "help": _fields("topic question answer note", steps=".", prices="kind price", see_also="title"),
}
"""The fields of every class; README.md says what they mean."""


SHOWN_NAMES: Mapping[str, Mapping[str, str]] = {
    "team": {"name": "title", "key_players.name": "title", "news.headline": "latest_news"},
    "squad": {"players.number": "no", "players.name": "player"},
    "player": {
        "number": "shirt", "birthplace": "place_of_birth", "biography": "bio", "caps": "matches",
        "team_mates.name": "team_mates",
    },
    "player-list": {"letter": "players", "players.name": "player"},
    "match": {
        **{f"{side}_{figure}": figure for side in ("home", "away")
           for figure in ("possession", "shots", "on_target", "corners", "fouls")},
        "home_lineup.player": "home", "away_lineup.player": "away",
    },
    "group": {"group": "title"},
    "schedule": {"round": "title"},
    "stadium": {"name": "title"},
    "stats": {"category": "title"},
    "news": {
        "headline": "title", "category": "kicker", "lead": "description", "paragraphs": "story",
        "tags.name": "tags", "related.headline": "related",
    },
    "news-list": {"stories.headline": "title"},
    "gallery": {"headline": "title", "photographer": "photos", "intro": "lead"},
    "gallery-list": {"galleries.headline": "title"},
    "photo": {"credit": "photo", "people.name": "in_this_photo"},
    "help": {"question": "title", "see_also.title": "see_also"},
}  # fmt: skip
"""What pages themselves call a field where it has another name here: a label, the head of a column,
a class, metadata; `title` for the heading of a page or of a card; of a list, what it lists."""


def record(view: View, fields: Fields) -> dict[str, object]:
    """Give the record that a page shows, without the fields that it does not show."""
    found: dict[str, object] = {}
    for name, inner in fields.items():
        value = view.get(name)
        if value:
            found[name] = value if inner is None else _nested(value, inner)
    return found


def _nested(value: object, fields: Fields) -> object:
    if isinstance(value, (list, tuple)):
        return [_nested(row, fields) for row in value]
    return record(value, fields) if isinstance(value, dict) else value
