"""Player pages, in two generations of the template, and the lists of players by letter."""

from __future__ import annotations

from itertools import groupby
from random import Random
from typing import TYPE_CHECKING

from examples.cup.names import slug
from examples.cup.page import HOME, Page, portrait, shown, url
from examples.cup.world import result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from examples.cup.templating import View
    from examples.cup.world import Match, Player, Team, World

PLAYERS = "players/index.html"
_CLASSIC_SHARE = 0.15
"""The share of player pages that were never moved to the newer design."""


def player_pages(world: World) -> Iterator[Page]:
    """Make the index by letter, the lists and the pages of all players."""
    letters = by_letter(world)
    yield Page(PLAYERS, "single:players", _index(list(letters)), parent=HOME, label="Players")
    for letter, players in letters.items():
        view = _letter(letter, players)
        yield Page(_letter_path(letter), "player-list", view, parent=PLAYERS, label=letter)
    for team in world.teams:
        yield from _team_players(world, team)


def _team_players(world: World, team: Team) -> Iterator[Page]:
    squad = world.squads[team.code]
    for index, player in enumerate(squad):
        rng = Random(f"{world.seed} player {player.number}")
        view = _player(world, player, rng)
        if rng.random() < _CLASSIC_SHARE:
            view |= _classic(player)
        else:
            view |= _modern(player, squad, index, rng)
        yield Page(
            player.path,
            "player",
            view,
            parent=team.squad_path,
            label=player.name,
            other_parents=(_letter_path(_letter_of(player)),),
        )


def by_letter(world: World) -> dict[str, list[Player]]:
    """Group the players by the first letter of the family name, without its accent."""
    ordered = sorted(world.players, key=lambda player: (slug(player.family), player.number))
    return {letter: list(players) for letter, players in groupby(ordered, _letter_of)}


def letter_links(world: World) -> str:
    """Write the row of letters that all lists share."""
    return " ".join(f'<a href="{_file(letter)}">{letter}</a>' for letter in by_letter(world))


def _letter_of(player: Player) -> str:
    return slug(player.family)[0].upper()


def _file(letter: str) -> str:
    return f"letter-{letter.lower()}.html"


def _letter_path(letter: str) -> str:
    return f"players/{_file(letter)}"


def _index(letters: Sequence[str]) -> View:
    rows = [{"letter": letter, "url": _file(letter)} for letter in letters]
    return {"title": "Players from A to Z", "letters": rows}


def _letter(letter: str, players: Sequence[Player]) -> View:
    return {
        "title": f"Players: {letter}",
        "letter": letter,
        "count": f"{len(players)} players" if len(players) > 1 else "One player",
        "players": [
            {
                "name": f"{player.family}, {player.given}",
                "url": url(player.path),
                "team": player.team.name,
            }
            for player in players
        ],
    }


def _player(world: World, player: Player, rng: Random) -> dict[str, object]:
    """Make what both generations show."""
    tally = world.tallies[player.number]
    matches = [
        row for match in world.matches_of[player.team.code] if (row := _appearance(player, match))
    ]
    return {
        "title": player.name,
        "name": player.name,
        "number": str(player.shirt),
        "team": player.team.name,
        "team_url": url(player.team.path),
        "squad_url": url(player.team.squad_path),
        "portrait": portrait(player.number + rng.randrange(6)),
        "position": player.position,
        "birthplace": player.birthplace,
        "club": player.club,
        "nickname": player.nickname,
        "caps": str(tally.matches),
        "minutes": str(tally.minutes),
        "goals": str(tally.goals),
        "assists": str(tally.assists),
        "cards": str(tally.cards),
        "has_matches": bool(matches),
        "matches": matches,
    }


def _appearance(player: Player, match: Match) -> View | None:
    own, other = match.sides(player.team)
    played = next((each for each in own.lineup if each.player is player), None)
    if played is None:
        return None
    return {
        "opponent": other.team.name,
        "url": url(match.path),
        "result": result(own, other),
        "minutes": str(played.end - played.start),
        "goals": str(sum(goal.player is player for goal in own.goals)),
    }


def _modern(player: Player, squad: Sequence[Player], index: int, rng: Random) -> View:
    others = [mate for mate in squad if mate is not player]
    clubs = [{"years": years, "club": club} for years, club in player.former_clubs]
    return {
        "modern": True,
        "captain": player.captain,
        "born": shown(player.born),
        "born_iso": player.born.isoformat(),
        "height": f"{player.height} cm",
        "weight": f"{player.weight} kg",
        "foot": player.foot,
        "biography": _biography(player, rng) if rng.random() < 0.6 else None,
        "has_former_clubs": bool(clubs),
        "former_clubs": clubs,
        "previous": _link(squad[index - 1]) if index else None,
        "next": _link(squad[index + 1]) if index + 1 < len(squad) else None,
        "team_mates": [_link(mate) for mate in rng.sample(others, rng.randint(4, 6))],
    }


def _classic(player: Player) -> View:
    return {
        "classic": True,
        "born": f"{player.born:%d/%m/%Y}",
        "height": f"{player.height / 100:.2f} m",
        "weight": f"{player.weight} kilos",
    }


def _link(player: Player) -> View:
    return {"name": player.name, "url": url(player.path)}


_BEGINNINGS = (
    "learnt the game in the yards of",
    "was a swimmer before a teacher sent him to the club of",
    "is the third in a family of players from",
    "sold programmes at the ground of",
)
_HABITS = (
    "Off the pitch he keeps bees.",
    "He is never seen without a chess board.",
    "He studied bridge building for two years.",
    "He ties his left boot first, always.",
    "His free kicks are copied in every school yard of the country.",
)


def _biography(player: Player, rng: Random) -> str:
    return (
        f"{player.given} {rng.choice(_BEGINNINGS)} {player.birthplace} "
        f"and joined {player.club} at {rng.randint(16, min(22, player.age))}. {rng.choice(_HABITS)}"
    )
