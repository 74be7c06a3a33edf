"""Redirect stubs: pages that were moved and left a note behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from examples.cup.page import Page, url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from examples.cup.stories import Story

_MOVED = {"fixtures.html": "matches/index.html", "scorers.html": "stats.html?category=goals"}


def old_addresses(stories: Sequence[Story]) -> dict[int, str]:
    """Give the old addresses of some published stories, by the number of the story."""
    return {
        story.number: f"news/story-{story.number}.html"
        for story in stories[:-3]
        if story.number % 23 == 3
    }


def redirect_pages(stories: Sequence[Story], stubs: Mapping[int, str]) -> Iterator[Page]:
    """Make the stubs."""
    for path, target in _MOVED.items():
        yield Page(path, "redirect", {"url": url(target)}, leads_to=target)
    for story in stories:
        if story.number in stubs:
            view = {"url": f"../{url(story.path)}"}
            yield Page(stubs[story.number], "redirect", view, leads_to=story.path)
