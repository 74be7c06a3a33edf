"""Sentences about what happened, put together from stock phrases."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from examples.cup.world import Goal, Match, Player, Team

_OPENINGS = (
    "{home} and {away} met in {city} before {crowd} people.",
    "A warm evening in {city}, {crowd} in the stands, and two teams with little to lose.",
    "It had rained in {city} since noon, and the first half looked like it.",
    "The crowd of {crowd} in {city} had barely sat down when it began.",
)
_GOALS = (
    "{player} scored in the {minute} minute with a low shot from the edge of the box.",
    "In the {minute} minute {player} rose above everyone and headed in.",
    "{player} needed no second invitation in the {minute} minute.",
    "A quick exchange on the left set {player} free in the {minute} minute.",
    "The {minute} minute belonged to {player}, who finished calmly.",
)
_GOALLESS = (
    "Neither goalkeeper had much to do.",
    "The posts saw more of the ball than the nets.",
    "Both defences stayed awake until the end.",
)
_WINS = (
    "{winner} held on without much trouble.",
    "{winner} had the better plan and the longer breath.",
    "In the end {winner} were worth every bit of it.",
)
_DRAWS = (
    "A draw was fair, and nobody argued.",
    "Both coaches said that they would take the point.",
)
_QUOTES = (
    "We knew that it would be a long evening.",
    "I told them to enjoy it, and for once they listened.",
    "You cannot plan a goal like that.",
    "We will sleep tonight, and then we will look at the tape.",
    "The second half was ours, whatever the numbers say.",
    "My mother was in the stands, so I had to run.",
    "Nobody outside our dressing room believed it.",
)
_FILLERS = (
    "The squad trains behind closed doors until the weekend.",
    "Shops near the ground sold out of scarves before noon.",
    "The federation declined to comment on the matter.",
    "A short clip of the scene was watched all over the country.",
    "There is no replay in this competition, as the rules make clear.",
    "The next match is only days away.",
    "Older supporters compared it with the cup of twelve years ago.",
    "Local trains will run until two in the morning.",
    "The weather service expects wind from the west and little rain.",
    "A decision is expected before the next round.",
    "The mood in the camp was described as quiet.",
    "The groundsman had been up since four.",
)


def ordinal(number: int) -> str:
    """Write 1st, 2nd, 3rd, 4th, ..."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def match_report(match: Match, seed: int) -> list[str]:
    """Tell the story of a match in two to four paragraphs."""
    rng = Random(f"{seed} report {match.number}")
    told = [goal_sentence(goal, rng) for goal in match.goals[:5]] or [rng.choice(_GOALLESS)]
    first = f"{opening(match, rng)} {told[0]}"
    middle = [" ".join(told[i : i + 2]) for i in range(1, len(told), 2)]
    return [first, *middle, f"{ending(match, rng)} {rng.choice(_FILLERS)}"]


def opening(match: Match, rng: Random) -> str:
    """Set the scene."""
    return rng.choice(_OPENINGS).format(
        home=match.home.team.name,
        away=match.away.team.name,
        city=match.stadium.city,
        crowd=f"{match.attendance:,}",
    )


def goal_sentence(goal: Goal, rng: Random) -> str:
    """Describe a goal."""
    return rng.choice(_GOALS).format(player=goal.player.name, minute=ordinal(goal.minute))


def ending(match: Match, rng: Random) -> str:
    """Say how the match ended."""
    if match.shootout:
        return f"The shoot-out ended {match.shootout_score}."
    if match.winner is None:
        return rng.choice(_DRAWS)
    return rng.choice(_WINS).format(winner=match.winner.name)


def quote(rng: Random) -> str:
    """Say what people say after a match."""
    return f"“{rng.choice(_QUOTES)}”"


def fillers(rng: Random, count: int) -> list[str]:
    """Give some paragraphs of two sentences each, which fit anywhere."""
    sentences = rng.sample(_FILLERS, 2 * count)
    return [f"{sentences[2 * i]} {sentences[2 * i + 1]}" for i in range(count)]


_PRAISE = (
    "{player} is hard to miss: {height} cm, never still, always talking.",
    "Ask anyone at {club} about {player} and they smile.",
    "{player} came to {club} as a trial player and never left.",
)


def praise(player: Player, rng: Random) -> str:
    """Introduce a player."""
    return rng.choice(_PRAISE).format(player=player.name, height=player.height, club=player.club)


_CAMP = (
    "{team} trained for two hours in the morning, and {coach} joined in.",
    "{coach} would not name the side, and {team} would not be drawn.",
    "The {team} camp is a hotel by a lake, with one television.",
)


def camp(team: Team, rng: Random) -> str:
    """Report from a team's camp."""
    return rng.choice(_CAMP).format(team=team.name, coach=team.coach)
