"""Makes up the teams, their players and the stadiums."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from examples.cup import names
from examples.cup.world import POSITIONS, YEAR, Player, Sizes, Stadium, Team

if TYPE_CHECKING:
    from random import Random

_SQUAD = tuple(
    position for position, count in zip(POSITIONS, (2, 5, 5, 5), strict=True) for _ in range(count)
)
"""The positions in a squad."""
_NICKNAMES = "Foxes Herons Lanterns Millers Tides Comets Bears Larks Harbourmen Stags".split()
_COLOURS = "red white blue green gold black orange maroon sky-blue violet".split()
_FINISHES = ("Winners", "Runners-up", "Semi-finals", "Quarter-finals", "Group stage", "First entry")
_PLAYER_NICKNAMES = "The Wall|Lightning|Little Owl|Postman|The Fox|Magnet|Clockwork".split("|")
_BIRTHDAY = date(1996, 1, 1)


def group_names(count: int) -> list[str]:
    """Name the groups A, B, ... Z, AA, AB, ..."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [(letters[i // 26 - 1] if i >= 26 else "") + letters[i % 26] for i in range(count)]


def make_teams(rng: Random, sizes: Sizes) -> tuple[Team, ...]:
    """Make four teams for every group."""
    taken: set[str] = set()
    codes: set[str] = set()
    groups = group_names(sizes.groups)
    return tuple(
        _team(rng, number, groups[number // 4], taken, codes) for number in range(4 * sizes.groups)
    )


def _team(rng: Random, number: int, group: str, taken: set[str], codes: set[str]) -> Team:
    tongue = names.TONGUES[number % len(names.TONGUES)]
    name = names.unused(lambda: names.country(rng, tongue), taken)
    letters = names.slug(name).replace("-", "").upper()
    code = names.unused(lambda: letters[0] + "".join(rng.sample(letters[1:], 2)), codes)
    shirt, shorts = rng.sample(_COLOURS, 2)
    return Team(
        number=number,
        name=name,
        slug=names.slug(name),
        code=code,
        group=group,
        coach=f"{names.given_name(rng, tongue)} {names.family_name(rng, tongue)}",
        nickname=f"The {rng.choice(_NICKNAMES)}" if rng.random() < 0.7 else None,
        founded=rng.randint(1888, 1975),
        best_finish=rng.choices(_FINISHES, (1, 2, 4, 8, 16, 6))[0],
        colours=f"{shirt} and {shorts}",
        strength=rng.gauss(1.3, 0.35),
    )


def make_squad(rng: Random, team: Team, taken: set[str]) -> tuple[Player, ...]:
    """Make the players of a team, goalkeepers first; shirt numbers are in that order."""
    captain = rng.randrange(len(_SQUAD))
    return tuple(_player(rng, team, index, captain, taken) for index in range(len(_SQUAD)))


def _player(rng: Random, team: Team, index: int, captain: int, taken: set[str]) -> Player:
    tongue = names.TONGUES[team.number % len(names.TONGUES)]
    full = names.unused(
        lambda: f"{names.given_name(rng, tongue)} {names.family_name(rng, tongue)}", taken
    )
    given, family = full.rsplit(" ", 1)
    height = rng.randint(165, 199)
    born = _BIRTHDAY + timedelta(days=rng.randrange(16 * 365))
    return Player(
        number=team.number * len(_SQUAD) + index + 1,
        given=given,
        family=family,
        slug=names.slug(full),
        team=team,
        shirt=index + 1,
        position=_SQUAD[index],
        born=born,
        birthplace=names.town(rng, tongue),
        height=height,
        weight=height - 100 - rng.randint(-4, 14),
        foot=rng.choice(("Right", "Right", "Left", "Both")) if rng.random() < 0.8 else None,
        club=names.club(rng, rng.choice(names.TONGUES)),
        nickname=rng.choice(_PLAYER_NICKNAMES) if rng.random() < 0.15 else None,
        captain=index == captain,
        former_clubs=_former_clubs(rng, born.year + 15) if rng.random() < 0.45 else (),
    )


def _former_clubs(rng: Random, first: int) -> tuple[tuple[str, str], ...]:
    years = sorted(rng.sample(range(first, YEAR), rng.randint(2, 4)))
    return tuple(
        (f"{start}\N{EN DASH}{end}", names.club(rng, rng.choice(names.TONGUES)))
        for start, end in pairwise(years)
    )


def make_stadiums(rng: Random, sizes: Sizes) -> tuple[Stadium, ...]:
    """Make the stadiums; the first few have file names that need care in a URL."""
    taken: set[str] = set()
    return tuple(_stadium(rng, number, taken) for number in range(sizes.stadiums))


_AWKWARD = ("{name} Stadium.html", "{name}-Aréna.html", "100%-{name}.html")
"""A space, a letter outside ASCII, and a percent sign that is no escape."""
_FORMS = ("{} Stadium", "{} Aréna", "100% {} Park", "{} Park", "Estádio {}", "{} Dome", "{} Bowl")


def _stadium(rng: Random, number: int, taken: set[str]) -> Stadium:
    tongue = names.TONGUES[number % len(names.TONGUES)]
    city = names.unused(lambda: names.town(rng, tongue), taken)
    name = _FORMS[number % len(_FORMS)].format(city)
    awkward = number < len(_AWKWARD)
    return Stadium(
        number=number,
        name=name,
        city=city,
        file_name=_AWKWARD[number].format(name=city) if awkward else f"{names.slug(name)}.html",
        capacity=rng.randrange(18_000, 92_000, 50),
        opened=rng.randint(1924, YEAR - 1),
        surface=rng.choice(("Grass", "Grass", "Hybrid grass", "Artificial turf")),
        architect=f"{names.given_name(rng, tongue)} {names.family_name(rng, tongue)}"
        if rng.random() < 0.6
        else None,
        tram=f"Line {rng.randint(1, 14)} to {city} Stadium stop" if rng.random() < 0.7 else None,
    )
