"""Team pages, squads, and the list of all teams."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from examples.cup import names
from examples.cup.page import HOME, Page, crest, portrait, shown, url
from examples.cup.world import result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from examples.cup.stories import Story
    from examples.cup.templating import View
    from examples.cup.world import Match, Player, Team, World

TEAMS = "teams/index.html"


def group_path(group: str) -> str:
    """Give the path of a group's page: a folder of its own."""
    return f"groups/{group.lower()}/index.html"


def team_pages(world: World, news: Mapping[str, Sequence[Story]]) -> Iterator[Page]:
    """Make the list of teams, and for each team its page and its squad; `news` is by team code."""
    yield Page(TEAMS, "single:teams", _index(world), parent=HOME, label="Teams")
    for team in world.teams:
        rng = Random(f"{world.seed} team {team.number}")
        missing = f"fans/{team.slug}.html" if team.number % 16 == 5 else ""
        yield Page(
            team.path,
            "team",
            _team(world, team, news.get(team.code, ())[:4], missing, rng),
            parent=TEAMS,
            label=team.name,
            other_parents=(group_path(team.group),),
            broken=(missing,) if missing else (),
        )
        view = _squad(team, world.squads[team.code], rng)
        yield Page(team.squad_path, "squad", view, parent=team.path, label="Squad")


def _index(world: World) -> View:
    teams = sorted(world.teams, key=lambda team: team.name)
    return {
        "title": "Teams",
        "teams": [
            {
                "name": team.name,
                "url": team.path.removeprefix("teams/"),
                "crest": crest(team.number),
                "group": f"Group {team.group}",
            }
            for team in teams
        ],
    }


def _team(
    world: World, team: Team, news: Sequence[Story], missing: str, rng: Random
) -> dict[str, object]:
    squad = world.squads[team.code]
    captain = next(player for player in squad if player.captain)
    return {
        "title": team.name,
        "name": team.name,
        "url": url(team.path),
        "nickname": team.nickname,
        "crest": crest(team.number),
        "code": team.code,
        "group": f"Group {team.group}",
        "group_url": url(group_path(team.group)),
        "squad_url": url(team.squad_path),
        "coach": team.coach,
        "captain": captain.name,
        "captain_url": url(captain.path),
        "founded": str(team.founded),
        "best_finish": team.best_finish,
        "colours": team.colours.capitalize(),
        "profile": _profile(team, squad, rng) if rng.random() < 0.75 else None,
        "matches": [_result(team, match) for match in world.matches_of[team.code]],
        "key_players": [_card(player) for player in _best(world, squad)],
        "fan_page": missing,
        "has_news": bool(news),
        "news": [{"headline": story.headline, "url": url(story.path)} for story in news],
    }


def _result(team: Team, match: Match) -> View:
    own, other = match.sides(team)
    return {
        "date": shown(match.day),
        "iso": match.day.isoformat(),
        "round": match.round,
        "opponent": other.team.name,
        "opponent_url": url(other.team.path),
        "result": result(own, other),
        "match_url": url(match.path),
    }


def _best(world: World, squad: Sequence[Player]) -> list[Player]:
    def worth(player: Player) -> tuple[int, int]:
        tally = world.tallies[player.number]
        return -3 * tally.goals - 2 * tally.assists, -tally.minutes

    return sorted(squad, key=worth)[:3]


def _card(player: Player) -> View:
    return {
        "name": player.name,
        "url": url(player.path),
        "position": player.position,
        "portrait": portrait(player.number),
    }


_STYLES = (
    "like to keep the ball and wait",
    "sit deep and break at speed",
    "press high from the first minute",
    "rely on set pieces more than they admit",
    "build everything on a stubborn defence",
)
_HOPES = (
    "Anything beyond the group stage would be celebrated at home for weeks.",
    "At home, nothing short of the final will do.",
    "The talk before the cup was of a rebuilding year.",
    "They came as outsiders and said so cheerfully.",
)


def _profile(team: Team, squad: Sequence[Player], rng: Random) -> str:
    veteran = min(squad, key=lambda player: player.born)
    return (
        f"Coached by {team.coach}, {team.name} {rng.choice(_STYLES)}. "
        f"{veteran.name}, at {veteran.age}, is the oldest of the squad. {rng.choice(_HOPES)}"
    )


def _squad(team: Team, squad: Sequence[Player], rng: Random) -> View:
    tongue = names.TONGUES[team.number % len(names.TONGUES)]
    assistant, doctor = (
        f"{names.given_name(rng, tongue)} {names.family_name(rng, tongue)}" for _ in range(2)
    )
    staffed = rng.random() < 0.6
    return {
        "title": f"{team.name}: the squad",
        "team": team.name,
        "team_url": url(team.path),
        "coach": team.coach,
        "players": [
            {
                "number": str(player.shirt),
                "name": player.name,
                "url": url(player.path),
                "position": player.position,
                "age": str(player.age),
                "height": f"{player.height} cm",
                "club": player.club,
            }
            for player in squad
        ],
        "assistant": assistant if staffed else None,
        "doctor": doctor if staffed else None,
    }
