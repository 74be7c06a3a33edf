"""The pages that exist once: home, about, contact, imprint, search, and the forgotten old home."""

from __future__ import annotations

from typing import TYPE_CHECKING

from examples.cup.page import HOME, Page, photo, shown, url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from examples.cup.pages.photos import Gallery
    from examples.cup.stories import Story
    from examples.cup.templating import View
    from examples.cup.world import World


def single_pages(
    world: World, stories: Sequence[Story], galleries: Sequence[Gallery]
) -> Iterator[Page]:
    """Make them all."""
    yield Page(HOME, "single:home", _home(world, stories, galleries))
    about = {"teams": str(len(world.teams)), "groups": str(len(world.standings))}
    yield _single("about", "About the cup", about)
    yield _single("contact", "Contact", {})
    yield _single("imprint", "Imprint", {"seed": str(world.seed)})
    yield _single("search", "Search", {})
    yield Page("old-home.html", "single:old-home", {}, orphan=True)


def _single(name: str, title: str, view: View) -> Page:
    path = f"{name}.html"
    return Page(path, f"single:{name}", {"title": title, **view}, parent=HOME, label=title)


def _home(world: World, stories: Sequence[Story], galleries: Sequence[Gallery]) -> View:
    final = world.matches[-1]
    scorers = sorted(world.tallies.values(), key=lambda t: (-t.goals, t.player.family))[:8]
    champion = final.winner or final.home.team
    return {
        "title": "Welcome",
        "teams": str(len(world.teams)),
        "players": str(len(world.players)),
        "matches": str(len(world.matches)),
        "champion": champion.name,
        "final_url": url(final.path),
        "stories": [
            {
                "headline": story.headline,
                "url": url(story.path),
                "image": photo(story.number),
                "date": shown(story.draft.day),
            }
            for story in stories[:9]
        ],
        "results": [
            {
                "round": match.round,
                "match": match.title,
                "url": url(match.path),
                "score": match.score,
            }
            for match in world.matches[:-9:-1]
        ],
        "scorers": [
            {
                "player": tally.player.name,
                "url": url(tally.player.path),
                "goals": str(tally.goals),
            }
            for tally in scorers
        ],
        "galleries": [
            {"headline": gallery.headline, "url": url(gallery.path)} for gallery in galleries[:4]
        ],
    }
