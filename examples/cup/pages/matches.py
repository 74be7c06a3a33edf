"""Match reports, the rounds with their matches, and the groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from examples.cup.names import slug
from examples.cup.page import HOME, Page, crest, shown, url
from examples.cup.pages.teams import group_path
from examples.cup.prose import match_report

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from examples.cup.templating import View
    from examples.cup.world import Goal, Match, Side, World

MATCHES = "matches/index.html"
GROUPS = "groups/index.html"


def match_pages(world: World, galleries: Mapping[int, View]) -> Iterator[Page]:
    """Make the list of rounds, the rounds and the reports; `galleries` is by match number."""
    yield Page(MATCHES, "single:matches", _rounds(world), parent=HOME, label="Matches")
    for name in world.rounds:
        matches = [match for match in world.matches if match.round == name]
        lines = [_line(match) for match in matches]
        view = {"title": name, "round": name, _active(name): True, "matches": lines}
        yield Page(round_path(name), "schedule", view, parent=MATCHES, label=name)
    for index, match in enumerate(world.matches):
        report = {
            "report": match_report(match, world.seed),
            "gallery": galleries.get(match.number),
        }
        yield Page(
            match.path,
            "match",
            _match(match) | _neighbours(world.matches, index) | report,
            parent=round_path(match.round),
            label=match.title,
            other_parents=(group_path(match.group),) if match.group else (),
        )


def round_path(name: str) -> str:
    """Give the path of the page of a round."""
    return f"matches/{slug(name)}.html"


def round_links(world: World) -> str:
    """Write the row of rounds that all of them share; the current one is marked."""
    return "\n".join(
        f'<li{{% if {_active(name)} %}} class="active"{{% endif %}}>'
        f'<a href="{slug(name)}.html">{name}</a></li>'
        for name in world.rounds
    )


def _active(name: str) -> str:
    return f"is_{slug(name).replace('-', '_')}"


def _rounds(world: World) -> View:
    days = {name: [m.day for m in world.matches if m.round == name] for name in world.rounds}
    rows = [
        {
            "round": name,
            "url": f"{slug(name)}.html",
            "dates": shown(played[0])
            if played[0] == played[-1]
            else f"{shown(played[0])} to {shown(played[-1])}",
        }
        for name, played in days.items()
    ]
    return {"title": "Matches", "rounds": rows}


def _line(match: Match) -> View:
    return {
        "date": shown(match.day),
        "iso": match.day.isoformat(),
        "kickoff": match.kickoff,
        "match": match.title,
        "url": url(match.path),
        "score": match.score,
        "stadium": match.stadium.name,
        "stadium_url": url(match.stadium.path),
    }


def _match(match: Match) -> dict[str, object]:
    return {
        "title": f"{match.home.team.name} {match.score} {match.away.team.name}",
        "round": match.round,
        "round_url": url(round_path(match.round)),
        "score": match.score,
        "shootout": match.shootout_score,
        "date": shown(match.day),
        "iso": f"{match.day.isoformat()}T{match.kickoff}",
        "kickoff": match.kickoff,
        "stadium": match.stadium.name,
        "stadium_url": url(match.stadium.path),
        "attendance": f"{match.attendance:,}",
        "referee": match.referee,
        "group": f"Group {match.group}" if match.group else None,
        "group_url": url(group_path(match.group)) if match.group else None,
        "has_goals": bool(match.goals),
        "goals": [_goal(goal) for goal in match.goals],
        "has_cards": bool(match.cards),
        "cards": [
            {
                "colour": card.colour,
                "minute": f"{card.minute}\N{PRIME}",
                "player": card.player.name,
                "url": url(card.player.path),
            }
            for card in match.cards
        ],
        **_side("home", match.home),
        **_side("away", match.away),
    }


def _goal(goal: Goal) -> View:
    notes = [f"assist: {goal.assist.name}"] if goal.assist else ["penalty"] if goal.penalty else []
    return {
        "minute": f"{goal.minute}\N{PRIME}",
        "player": goal.player.name,
        "url": url(goal.player.path),
        "team": goal.player.team.code,
        "assist": notes[0] if notes else None,
    }


def _side(prefix: str, side: Side) -> dict[str, object]:
    return {
        prefix: side.team.name,
        f"{prefix}_url": url(side.team.path),
        f"{prefix}_crest": crest(side.team.number),
        f"{prefix}_possession": f"{side.possession}%",
        f"{prefix}_shots": str(side.shots),
        f"{prefix}_on_target": str(side.on_target),
        f"{prefix}_corners": str(side.corners),
        f"{prefix}_fouls": str(side.fouls),
        f"{prefix}_lineup": [
            {
                "number": str(player.shirt),
                "player": player.name,
                "url": url(player.path),
                "minutes": str(end - start),
            }
            for player, start, end in side.lineup
        ],
    }


def _neighbours(matches: tuple[Match, ...], index: int) -> dict[str, object]:
    return {
        "previous": {"url": url(matches[index - 1].path)} if index else None,
        "next": {"url": url(matches[index + 1].path)} if index + 1 < len(matches) else None,
    }


def group_pages(world: World) -> Iterator[Page]:
    """Make the list of groups, and the table and matches of each."""
    yield Page(GROUPS, "single:groups", _groups(world), parent=HOME, label="Groups")
    for group in world.standings:
        matches = (match for match in world.matches if match.group == group)
        view = _group(world, group, matches)
        path = group_path(group)
        yield Page(path, "group", view, parent=GROUPS, label=f"Group {group}")


def group_links(groups: Iterable[str]) -> str:
    """Write the menu of groups that all of them share; it links to the page itself, too."""
    return "\n".join(
        f'<li{{% if is_{group} %}} class="active"{{% endif %}}>'
        f'<a href="../{group.lower()}/">Group {group}</a></li>'
        for group in groups
    )


def _groups(world: World) -> View:
    groups = [
        {
            "group": f"Group {group}",
            "url": f"{group.lower()}/",
            "teams": [{"team": line.team.name, "url": url(line.team.path)} for line in lines],
        }
        for group, lines in world.standings.items()
    ]
    return {"title": "Groups", "groups": groups}


def _group(world: World, group: str, matches: Iterable[Match]) -> View:
    lines = world.standings[group]
    first, second = lines[:2]
    note = f"{first.team.name} went on ahead of {second.team.name} on goals alone."
    return {
        "title": f"Group {group}",
        f"is_{group}": True,
        "group": f"Group {group}",
        "standings": [
            {
                "rank": str(line.rank),
                "team": line.team.name,
                "url": url(line.team.path),
                "won": str(line.won),
                "drawn": str(line.drawn),
                "lost": str(line.lost),
                "goals": f"{line.scored}:{line.conceded}",
                "points": str(line.points),
            }
            for line in lines
        ],
        "note": note if first.points == second.points else None,
        "matches": [_line(match) for match in matches],
    }
