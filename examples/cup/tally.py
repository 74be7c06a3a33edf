"""Adds up matches: the tables of the groups, and what every player did."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from examples.cup.world import Match, Player, Side, Standing, Tally, Team

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def standings(teams: Sequence[Team], matches: Iterable[Match]) -> dict[str, tuple[Standing, ...]]:
    """Give the table of each group: by points, goal difference, goals, and then the name."""
    lines = {team.code: Standing(0, team, 0, 0, 0, 0, 0) for team in teams}
    for match in matches:
        if match.group is not None:
            for own, other in ((match.home, match.away), (match.away, match.home)):
                lines[own.team.code] = _after(lines[own.team.code], own, other)
    groups: dict[str, list[Standing]] = defaultdict(list)
    for line in lines.values():
        groups[line.team.group].append(line)
    return {group: _ranked(members) for group, members in groups.items()}


def _after(line: Standing, own: Side, other: Side) -> Standing:
    scored, conceded = len(own.goals), len(other.goals)
    return replace(
        line,
        won=line.won + (scored > conceded),
        drawn=line.drawn + (scored == conceded),
        lost=line.lost + (scored < conceded),
        scored=line.scored + scored,
        conceded=line.conceded + conceded,
    )


def _ranked(lines: Iterable[Standing]) -> tuple[Standing, ...]:
    order = sorted(lines, key=lambda s: (-s.points, s.conceded - s.scored, -s.scored, s.team.name))
    return tuple(replace(line, rank=rank) for rank, line in enumerate(order, 1))


def tallies(squads: Mapping[str, Sequence[Player]], matches: Iterable[Match]) -> dict[int, Tally]:
    """Count what each player did, by the player's number."""
    counts: dict[int, dict[str, int]] = {
        player.number: defaultdict(int) for squad in squads.values() for player in squad
    }
    for match in matches:
        for own, other in ((match.home, match.away), (match.away, match.home)):
            _count(counts, own, other)
    return {
        player.number: Tally(player, **counts[player.number])
        for squad in squads.values()
        for player in squad
    }


def _count(counts: Mapping[int, dict[str, int]], own: Side, other: Side) -> None:
    for player, start, end in own.lineup:
        counts[player.number]["matches"] += 1
        counts[player.number]["minutes"] += end - start
    for goal in own.goals:
        counts[goal.player.number]["goals"] += 1
        if goal.assist:
            counts[goal.assist.number]["assists"] += 1
    for card in own.cards:
        counts[card.player.number]["cards"] += 1
    keeper = own.lineup[0].player
    counts[keeper.number]["saves"] += other.on_target - len(other.goals)
