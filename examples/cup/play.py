"""Plays the cup: a group stage, then a knock-out. All later numbers come from these matches."""

from __future__ import annotations

from datetime import date, timedelta
from math import exp
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from examples.cup import names
from examples.cup.squads import make_squad, make_stadiums, make_teams
from examples.cup.tally import standings, tallies
from examples.cup.world import (
    YEAR,
    Appearance,
    Card,
    Goal,
    Match,
    Player,
    Side,
    Sizes,
    Stadium,
    Team,
    World,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_FIRST_DAY = date(YEAR, 6, 7)
_KICKOFFS = ("14:00", "17:00", "20:00")
_PAIRINGS = (((0, 1), (2, 3)), ((0, 2), (3, 1)), ((3, 0), (1, 2)))
"""Who meets whom in a group of four, on each of the three match days."""
_ROUNDS = {8: "Quarter-finals", 4: "Semi-finals", 2: "Final"}
_SCORES = {"Goalkeeper": 0.01, "Defender": 1.0, "Midfielder": 2.5, "Forward": 5.0}
"""How likely a player is to score, by position."""


class Fixture(NamedTuple):
    """A match before it is played."""

    round: str
    group: str | None
    home: Team
    away: Team


def make_world(seed: int, scale: float) -> World:
    """Make the teams and play the whole cup."""
    rng = Random(seed)
    sizes = Sizes.at(scale)
    teams = make_teams(rng, sizes)
    taken: set[str] = set()
    squads = {team.code: make_squad(rng, team, taken) for team in teams}
    cup = _Cup(rng, squads, make_stadiums(rng, sizes))
    cup.play_groups(teams)
    tables = standings(teams, cup.matches)
    cup.play_knockout([(table[0].team, table[1].team) for table in tables.values()])
    tally = tallies(squads, cup.matches)
    return World(seed, sizes, teams, squads, cup.stadiums, tuple(cup.matches), tables, tally)


class _Cup:
    """The matches so far, and the day of the next."""

    def __init__(
        self, rng: Random, squads: dict[str, tuple[Player, ...]], stadiums: tuple[Stadium, ...]
    ) -> None:
        self._rng = rng
        self._squads = squads
        self._day = _FIRST_DAY
        self.stadiums = stadiums
        self.matches: list[Match] = []

    def play_groups(self, teams: Sequence[Team]) -> None:
        """Play everyone against everyone in each group, on three match days."""
        groups = [teams[i : i + 4] for i in range(0, len(teams), 4)]
        for number, pairings in enumerate(_PAIRINGS, 1):
            name = f"Matchday {number}"
            self._play_round(
                [
                    Fixture(name, group[0].group, group[home], group[away])
                    for group in groups
                    for home, away in pairings
                ]
            )

    def play_knockout(self, qualified: Sequence[tuple[Team, Team]]) -> None:
        """Play winners of a group against the second of the next, until one is left."""
        left: list[Team] = []
        for (first, second), (third, fourth) in zip(qualified[::2], qualified[1::2], strict=True):
            left += [first, fourth, third, second]
        while len(left) > 2:
            name = _ROUNDS.get(len(left), f"Round of {len(left)}")
            played = self._play_round(_paired(name, left))
            left = [match.winner or match.home.team for match in played]
            if len(played) == 2:
                beaten = [_loser(match) for match in played]
        self._play_round(_paired("Third place", beaten))
        self._play_round(_paired("Final", left))

    def _play_round(self, fixtures: Sequence[Fixture]) -> list[Match]:
        """Play some matches, up to eight a day, and rest for a day."""
        played = []
        for index, fixture in enumerate(fixtures):
            if index and index % 8 == 0:
                self._day += timedelta(days=1)
            played.append(self._play(fixture, _KICKOFFS[index % 8 % 3]))
        self._day += timedelta(days=2)
        return played

    def _play(self, fixture: Fixture, kickoff: str) -> Match:
        rng = self._rng
        stadium = self.stadiums[len(self.matches) % len(self.stadiums)]
        possession = rng.randint(35, 65)
        home = self._side(fixture.home, fixture.away, possession)
        away = self._side(fixture.away, fixture.home, 100 - possession)
        draw = len(home.goals) == len(away.goals)
        tongue = rng.choice(names.TONGUES)
        match = Match(
            number=len(self.matches) + 1,
            round=fixture.round,
            group=fixture.group,
            day=self._day,
            kickoff=kickoff,
            stadium=stadium,
            referee=f"{names.given_name(rng, tongue)} {names.family_name(rng, tongue)}",
            attendance=round(stadium.capacity * rng.uniform(0.55, 1.0)),
            home=home,
            away=away,
            shootout=rng.choice(((5, 4), (4, 3), (4, 2), (2, 4), (3, 5), (6, 7)))
            if draw and fixture.group is None
            else None,
        )
        self.matches.append(match)
        return match

    def _side(self, team: Team, other: Team, possession: int) -> Side:
        rng = self._rng
        lineup = _lineup(rng, self._squads[team.code])
        expected = max(0.2, 1.3 + team.strength - other.strength)
        goals = _goals(rng, lineup, _poisson(rng, expected))
        on_target = len(goals) + rng.randint(0, 6)
        return Side(
            team=team,
            lineup=lineup,
            goals=goals,
            cards=_cards(rng, lineup),
            possession=possession,
            shots=on_target + rng.randint(1, 9),
            on_target=on_target,
            corners=rng.randint(0, 11),
            fouls=rng.randint(5, 21),
        )


def _paired(name: str, teams: Sequence[Team]) -> list[Fixture]:
    return [Fixture(name, None, *pair) for pair in zip(teams[::2], teams[1::2], strict=True)]


def _loser(match: Match) -> Team:
    return match.away.team if match.winner is match.home.team else match.home.team


def _lineup(rng: Random, squad: Sequence[Player]) -> tuple[Appearance, ...]:
    """Choose eleven players, and two or three who come on for one of them."""
    keepers, field = squad[:2], squad[2:]
    starters = [keepers[0] if rng.random() < 0.9 else keepers[1]]
    starters += sorted(rng.sample(field, 10), key=lambda player: player.shirt)
    bench = [player for player in field if player not in starters]
    leave = dict.fromkeys(starters, 90)
    lineup = []
    for fresh in rng.sample(bench, rng.randint(2, 3)):
        minute = rng.randint(46, 86)
        leave[rng.choice([player for player in starters[1:] if leave[player] == 90])] = minute
        lineup.append(Appearance(fresh, minute, 90))
    lineup.sort(key=lambda appearance: appearance.start)
    return (*(Appearance(player, 0, leave[player]) for player in starters), *lineup)


def _goals(rng: Random, lineup: Sequence[Appearance], count: int) -> tuple[Goal, ...]:
    goals = []
    for minute in sorted(rng.sample(range(1, 91), count)):
        present = [a.player for a in lineup if a.start < minute <= a.end]
        scorer = rng.choices(present, [_SCORES[player.position] for player in present])[0]
        others = [player for player in present if player is not scorer]
        penalty = rng.random() < 0.1
        assist = rng.choice(others) if not penalty and rng.random() < 0.7 else None
        goals.append(Goal(minute, scorer, assist, penalty))
    return tuple(goals)


def _cards(rng: Random, lineup: Sequence[Appearance]) -> tuple[Card, ...]:
    """Show some yellow cards; a red one ends the match of a player who would have left anyway."""
    booked = rng.sample(lineup, min(4, _poisson(rng, 1.4)))
    cards = [
        Card(rng.randint(a.start + 1, a.end), a.player, "yellow")
        if a.end == 90 or rng.random() < 0.8
        else Card(a.end, a.player, "red")
        for a in booked
    ]
    return tuple(sorted(cards, key=lambda card: card.minute))


def _poisson(rng: Random, mean: float) -> int:
    """Draw from a Poisson distribution (Knuth's way)."""
    limit, product, count = exp(-mean), rng.random(), 0
    while product > limit:
        product *= rng.random()
        count += 1
    return count
