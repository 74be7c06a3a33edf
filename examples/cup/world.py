"""The cup's data: who plays, where, and what happened. Nothing here knows about pages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

CUP = "Halcyon Cup"
YEAR = 2031
POSITIONS = ("Goalkeeper", "Defender", "Midfielder", "Forward")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of everything there is: what a scale means."""

    groups: int
    stories: int
    galleries: int
    stadiums: int
    help_articles: int
    statistics: int

    @classmethod
    def at(cls, scale: float) -> Sizes:
        """Give the sizes at a scale; 1.0 is about 2,000 pages.

        The number of groups is a power of two, since the knock-out needs one; every class keeps
        at least a few pages at any scale.
        """
        return cls(
            groups=1 << max(2, round(4 + log2(scale))),
            stories=max(24, round(344 * scale)),
            galleries=max(5, round(60 * scale)),
            stadiums=max(4, min(32, round(16 * scale))),
            help_articles=max(6, min(20, round(20 * scale))),
            statistics=max(3, min(6, round(6 * scale))),
        )


@dataclass(frozen=True, slots=True)
class Team:
    """A national team."""

    number: int
    name: str
    slug: str
    code: str
    group: str
    coach: str
    nickname: str | None
    founded: int
    best_finish: str
    colours: str
    strength: float

    @property
    def path(self) -> str:
        """The path of the team's page."""
        return f"teams/{self.slug}.html"

    @property
    def squad_path(self) -> str:
        """The path of the page with the team's players."""
        return f"teams/{self.slug}/squad.html"


@dataclass(frozen=True, slots=True)
class Player:
    """A member of a squad."""

    number: int
    given: str
    family: str
    slug: str
    team: Team
    shirt: int
    position: str
    born: date
    birthplace: str
    height: int
    weight: int
    foot: str | None
    club: str
    nickname: str | None
    captain: bool
    former_clubs: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """The full name."""
        return f"{self.given} {self.family}"

    @property
    def path(self) -> str:
        """The path of the player's page."""
        return f"players/{self.number:04}-{self.slug}.html"

    @property
    def age(self) -> int:
        """The age on the day of the final, by years only."""
        return YEAR - self.born.year


@dataclass(frozen=True, slots=True)
class Stadium:
    """Where matches are played."""

    number: int
    name: str
    city: str
    file_name: str
    capacity: int
    opened: int
    surface: str
    architect: str | None
    tram: str | None

    @property
    def path(self) -> str:
        """The path of the stadium's page: some have spaces, accents or a percent sign in it."""
        return f"stadiums/{self.file_name}"


def result(own: Side, other: Side) -> str:
    """Write the score as one side sees it."""
    return f"{len(own.goals)}\N{EN DASH}{len(other.goals)}"


class Appearance(NamedTuple):
    """A player on the pitch, from one minute to another."""

    player: Player
    start: int
    end: int


class Goal(NamedTuple):
    """A goal, with its assist if there was one."""

    minute: int
    player: Player
    assist: Player | None
    penalty: bool


class Card(NamedTuple):
    """A yellow or red card."""

    minute: int
    player: Player
    colour: str


class Side(NamedTuple):
    """What one of the two teams did in a match."""

    team: Team
    lineup: tuple[Appearance, ...]
    goals: tuple[Goal, ...]
    cards: tuple[Card, ...]
    possession: int
    shots: int
    on_target: int
    corners: int
    fouls: int


@dataclass(frozen=True, slots=True)
class Match:
    """A match that was played."""

    number: int
    round: str
    group: str | None
    day: date
    kickoff: str
    stadium: Stadium
    referee: str
    attendance: int
    home: Side
    away: Side
    shootout: tuple[int, int] | None

    @property
    def score(self) -> str:
        """The result without the shoot-out."""
        return result(self.home, self.away)

    @property
    def shootout_score(self) -> str | None:
        """The result of the shoot-out, if there was one."""
        return "\N{EN DASH}".join(map(str, self.shootout)) if self.shootout else None

    @property
    def goals(self) -> list[Goal]:
        """The goals of both sides, in the order in which they fell."""
        return sorted(self.home.goals + self.away.goals, key=lambda goal: goal.minute)

    @property
    def cards(self) -> list[Card]:
        """The cards of both sides, in the order in which they were shown."""
        return sorted(self.home.cards + self.away.cards, key=lambda card: card.minute)

    @property
    def title(self) -> str:
        """Who played whom."""
        return f"{self.home.team.name} v {self.away.team.name}"

    @property
    def path(self) -> str:
        """The path of the match report."""
        return f"matches/{self.number:03}-{self.home.team.slug}-{self.away.team.slug}.html"

    @property
    def winner(self) -> Team | None:
        """The team that won, in the match or in the shoot-out."""
        home = (len(self.home.goals), *(self.shootout or (0, 0))[:1])
        away = (len(self.away.goals), *(self.shootout or (0, 0))[1:])
        if home == away:
            return None
        return self.home.team if home > away else self.away.team

    def sides(self, team: Team) -> tuple[Side, Side]:
        """Give the team's own side and the other one."""
        return (self.home, self.away) if self.home.team is team else (self.away, self.home)


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a group's table."""

    rank: int
    team: Team
    won: int
    drawn: int
    lost: int
    scored: int
    conceded: int

    @property
    def points(self) -> int:
        """Three for a win, one for a draw."""
        return 3 * self.won + self.drawn


@dataclass(frozen=True, slots=True)
class Tally:
    """What a player did in the whole cup."""

    player: Player
    matches: int = 0
    minutes: int = 0
    goals: int = 0
    assists: int = 0
    cards: int = 0
    saves: int = 0


@dataclass(frozen=True)
class World:
    """The whole cup."""

    seed: int
    sizes: Sizes
    teams: tuple[Team, ...]
    squads: Mapping[str, tuple[Player, ...]]
    stadiums: tuple[Stadium, ...]
    matches: tuple[Match, ...]
    standings: Mapping[str, tuple[Standing, ...]]
    tallies: Mapping[int, Tally]

    @cached_property
    def players(self) -> tuple[Player, ...]:
        """Every player, by number."""
        return tuple(player for team in self.teams for player in self.squads[team.code])

    @cached_property
    def rounds(self) -> tuple[str, ...]:
        """The rounds in the order in which they were played."""
        return tuple(dict.fromkeys(match.round for match in self.matches))

    @cached_property
    def matches_of(self) -> Mapping[str, tuple[Match, ...]]:
        """The matches of each team, by its code."""
        played: dict[str, list[Match]] = {team.code: [] for team in self.teams}
        for match in self.matches:
            played[match.home.team.code].append(match)
            played[match.away.team.code].append(match)
        return {code: tuple(matches) for code, matches in played.items()}
