"""The whole site before it is written: all pages of a world, and the HTML of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from examples.cup.ads import ads
from examples.cup.layouts import root
from examples.cup.page import url
from examples.cup.pages.help import help_pages
from examples.cup.pages.matches import group_pages, match_pages
from examples.cup.pages.news import news_pages
from examples.cup.pages.photos import gallery_pages, make_galleries
from examples.cup.pages.players import player_pages
from examples.cup.pages.redirects import old_addresses, redirect_pages
from examples.cup.pages.singles import single_pages
from examples.cup.pages.stadiums import stadium_pages
from examples.cup.pages.stats import stats_pages
from examples.cup.pages.teams import team_pages
from examples.cup.stories import make_stories

if TYPE_CHECKING:
    from collections.abc import Sequence

    from examples.cup.page import Page
    from examples.cup.stories import Story
    from examples.cup.templating import PageTemplate
    from examples.cup.world import World


def make_pages(world: World) -> list[Page]:
    """Make every page of the site, in the order of the navigation."""
    stories = make_stories(world)
    galleries = make_galleries(world)
    stubs = old_addresses(stories)
    boxes = {
        gallery.match.number: {
            "url": url(gallery.path),
            "image": gallery.photos[0].image,
            "gallery_title": gallery.headline,
        }
        for gallery in galleries
    }
    return [
        *single_pages(world, stories, galleries),
        *news_pages(world, stories, stubs),
        *team_pages(world, _by_team(stories[:-2])),
        *player_pages(world),
        *match_pages(world, boxes),
        *group_pages(world),
        *stadium_pages(world),
        *gallery_pages(galleries),
        *stats_pages(world),
        *help_pages(world),
        *redirect_pages(stories, stubs),
    ]


def _by_team(stories: Sequence[Story]) -> dict[str, list[Story]]:
    found: dict[str, list[Story]] = {}
    for story in stories:
        for team in story.draft.teams:
            found.setdefault(team.code, []).append(story)
    return found


def html(page: Page, template: PageTemplate, seed: int) -> str:
    """Write a page as HTML, with the ads that it gets."""
    return template.render({**page.view, **ads(seed, page.path, root(page.page_class))})
