"""The news: stories of several kinds, about matches, players, teams and stadiums."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import TYPE_CHECKING

from examples.cup import prose
from examples.cup.names import TONGUES, family_name, given_name, slug

if TYPE_CHECKING:
    from collections.abc import Callable

    from examples.cup.world import Match, Player, Team, World


@dataclass(frozen=True, slots=True)
class Draft:
    """What a kind of story says, before it gets its optional parts."""

    category: str
    headline: str
    day: date
    lead: str
    paragraphs: tuple[str, ...]
    teams: tuple[Team, ...]
    players: tuple[Player, ...] = ()
    match: Match | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """A story as published; the byline, the photo and the quote are optional."""

    number: int
    slug: str
    draft: Draft
    byline: str | None
    caption: str | None
    quote: tuple[str, str] | None

    @property
    def path(self) -> str:
        """The path of the story: a folder of its own."""
        return f"news/{self.slug}/index.html"

    @property
    def headline(self) -> str:
        """The headline."""
        return self.draft.headline


def make_stories(world: World) -> list[Story]:
    """Write all stories, the newest first."""
    rng = Random(f"{world.seed} news")
    authors = [f"{given_name(rng, tongue)} {family_name(rng, tongue)}" for tongue in TONGUES]
    drafts = [_draft(world, rng, number) for number in range(world.sizes.stories)]
    drafts.sort(key=lambda draft: draft.day, reverse=True)
    taken: dict[str, int] = {}
    return [
        _published(draft, number, rng, authors, taken) for number, draft in enumerate(drafts, 1)
    ]


def _draft(world: World, rng: Random, number: int) -> Draft:
    """Write a story; the first ones are about the matches, in order, from the final backwards."""
    matches = world.matches
    if number < min(len(matches), world.sizes.stories // 3):
        return _result(matches[-1 - number], rng)
    kind = rng.choices(list(_KINDS), list(_KINDS.values()))[0]
    return kind(world, rng)


def _published(
    draft: Draft, number: int, rng: Random, authors: list[str], taken: dict[str, int]
) -> Story:
    base = slug(draft.headline)
    taken[base] = taken.get(base, 0) + 1
    speaker = rng.choice([*(player.name for player in draft.players), draft.teams[0].coach])
    return Story(
        number=number,
        slug=base if taken[base] == 1 else f"{base}-{taken[base]}",
        draft=draft,
        byline=f"By {rng.choice(authors)}" if rng.random() < 0.7 else None,
        caption=_caption(draft, rng) if rng.random() < 0.65 else None,
        quote=(prose.quote(rng), speaker) if rng.random() < 0.35 else None,
    )


def _caption(draft: Draft, rng: Random) -> str:
    subject = rng.choice([*(p.name for p in draft.players), *(t.name for t in draft.teams)])
    return f"{subject} {rng.choice(('before the match', 'in training', 'on the way to the pitch'))}"


def _result(match: Match, rng: Random) -> Draft:
    winner, (home, away) = match.winner, (match.home.team, match.away.team)
    if winner is None:
        headline = f"{home.name} and {away.name} share the points"
    else:
        loser = away if winner is home else home
        verb = rng.choice(("beat", "get past", "see off", "too strong for"))
        headline = f"{winner.name} {verb} {loser.name}"
    told = [prose.goal_sentence(goal, rng) for goal in match.goals[:3]]
    return Draft(
        category=match.round,
        headline=headline,
        day=match.day,
        lead=f"{prose.opening(match, rng)} It ended {match.score}.",
        paragraphs=(*told, prose.ending(match, rng), *prose.fillers(rng, rng.randint(1, 3))),
        teams=(home, away),
        players=tuple(dict.fromkeys(goal.player for goal in match.goals[:2])),
        match=match,
    )


def _preview(world: World, rng: Random) -> Draft:
    match = rng.choice(world.matches)
    home, away = match.home.team, match.away.team
    headline = rng.choice(
        ("{0} wait for {1}", "{0} against {1}: who to watch", "Can {0} stop {1}?")
    )
    return Draft(
        category="Preview",
        headline=headline.format(home.name, away.name),
        day=match.day - timedelta(days=1),
        lead=f"Tomorrow at {match.kickoff} in {match.stadium.name}: {home.name} meet {away.name}.",
        paragraphs=(
            prose.camp(home, rng),
            prose.camp(away, rng),
            *prose.fillers(rng, rng.randint(1, 4)),
        ),
        teams=(home, away),
        match=match,
    )


def _portrait(world: World, rng: Random) -> Draft:
    player = rng.choice(world.players)
    headline = rng.choice(("The quiet rise of {}", "{}: a career in five games", "At home with {}"))
    return Draft(
        category="Portrait",
        headline=headline.format(player.name),
        day=_some_day(world, rng),
        lead=f"{player.position}, number {player.shirt}, from {player.birthplace}: a portrait.",
        paragraphs=(prose.praise(player, rng), *prose.fillers(rng, rng.randint(2, 5))),
        teams=(player.team,),
        players=(player,),
    )


def _injury(world: World, rng: Random) -> Draft:
    player = rng.choice(world.players)
    part = rng.choice(("ankle", "knee", "shoulder", "hamstring", "toe"))
    headline = rng.choice(("{team} sweat on {player}", "{player} doubtful", "Scare over {player}"))
    return Draft(
        category="Team news",
        headline=headline.format(team=player.team.name, player=player.name),
        day=_some_day(world, rng),
        lead=f"{player.name} left training with a sore {part}.",
        paragraphs=(prose.camp(player.team, rng), *prose.fillers(rng, rng.randint(1, 2))),
        teams=(player.team,),
        players=(player,),
    )


def _town(world: World, rng: Random) -> Draft:
    stadium, team = rng.choice(world.stadiums), rng.choice(world.teams)
    headline = rng.choice(("{city} gets ready", "A day out in {city}", "{city} turns {colour}"))
    return Draft(
        category="Around the cup",
        headline=headline.format(city=stadium.city, colour=team.colours.split()[0]),
        day=_some_day(world, rng),
        lead=f"The supporters of {team.name} have found {stadium.city} and like it.",
        paragraphs=tuple(prose.fillers(rng, rng.randint(2, 4))),
        teams=(team,),
    )


_KINDS: dict[Callable[[World, Random], Draft], int] = {
    _preview: 4,
    _portrait: 3,
    _injury: 2,
    _town: 2,
}
"""How often each kind of story is written."""


def _some_day(world: World, rng: Random) -> date:
    first, last = world.matches[0].day, world.matches[-1].day
    return first + timedelta(days=rng.randint(-5, (last - first).days + 2))
