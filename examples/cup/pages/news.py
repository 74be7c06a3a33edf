"""News stories, and the list of them, page by page."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

from examples.cup.page import HOME, Page, photo, shown, url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from examples.cup.stories import Draft, Story
    from examples.cup.templating import View
    from examples.cup.world import World

NEWS = "news/index.html"
_PER_PAGE = 20
_FEWEST_LISTS = 3


def news_pages(world: World, stories: Sequence[Story], stubs: Mapping[int, str]) -> Iterator[Page]:
    """Make the lists and the stories; `stubs` are old addresses by the number of the story.

    Two stories at the end are drafts that nobody links to.
    """
    published, drafts = stories[:-2], stories[-2:]
    per_page = min(_PER_PAGE, -(-len(published) // _FEWEST_LISTS))
    lists = [published[i : i + per_page] for i in range(0, len(published), per_page)]
    for number, part in enumerate(lists, 1):
        yield _list(part, number, len(lists))
    for index, story in enumerate(published):
        rng = Random(f"{world.seed} story {story.number}")
        listed = _list_path(index // per_page + 1)
        related, missing = _related(story, published, stubs, rng)
        yield Page(
            story.path,
            "news",
            _story(story) | {"has_related": bool(related), "related": related},
            parent=NEWS,
            label=story.headline,
            other_parents=(listed,) if listed != NEWS else (),
            broken=missing,
        )
    for story in drafts:
        yield Page(story.path, "news", _story(story) | {"related": []}, orphan=True)


def _list_path(number: int) -> str:
    return NEWS if number == 1 else f"news/page-{number}.html"


def _list_url(number: int) -> str:
    return _list_path(number).removeprefix("news/")


def _list(stories: Sequence[Story], number: int, count: int) -> Page:
    near = range(max(1, number - 3), min(count, number + 3) + 1)
    view: View = {
        "title": "News" if number == 1 else f"News, page {number}",
        "stories": [_teaser(story) for story in stories],
        "newer": _list_url(number - 1) if number > 1 else None,
        "older": _list_url(number + 1) if number < count else None,
        "pages": [
            {"number": str(each), "url": _list_url(each), "here": each == number} for each in near
        ],
    }
    path = _list_path(number)
    if number == 1:
        return Page(path, "news-list", view, parent=HOME, label="News")
    return Page(path, "news-list", view, continues=NEWS)


def _teaser(story: Story) -> View:
    return {
        "headline": story.headline,
        "url": url(story.path),
        "iso": story.draft.day.isoformat(),
        "date": shown(story.draft.day),
        "lead": story.draft.lead,
        "image": photo(story.number) if story.caption else None,
    }


def _story(story: Story) -> dict[str, object]:
    draft = story.draft
    return {
        "title": draft.headline,
        "category": draft.category,
        "headline": draft.headline,
        "iso": draft.day.isoformat(),
        "date": shown(draft.day),
        "byline": story.byline,
        "lead": draft.lead,
        "image": photo(story.number),
        "caption": story.caption,
        "paragraphs": draft.paragraphs,
        "quote": story.quote[0] if story.quote else None,
        "speaker": story.quote[1] if story.quote else None,
        "tags": _tags(draft),
        "json_ld": _json_ld(story),
    }


def _tags(draft: Draft) -> list[View]:
    tags = [{"name": team.name, "url": url(team.path)} for team in draft.teams]
    tags += [{"name": player.name, "url": url(player.path)} for player in draft.players]
    if draft.match:
        tags.append({"name": "Match report", "url": url(draft.match.path)})
    return list(tags)


def _json_ld(story: Story) -> str:
    data = {
        "@context": "https://schema.example",
        "@type": "NewsArticle",
        "headline": story.headline,
        "datePublished": story.draft.day.isoformat(),
    }
    return json.dumps(data, ensure_ascii=False).replace("</", "<\\/")


def _related(
    story: Story, stories: Sequence[Story], stubs: Mapping[int, str], rng: Random
) -> tuple[list[View], tuple[str, ...]]:
    """Choose what to link to, and say what of it is missing.

    Links go to the old address of a story that has one; every old address is linked at least from
    the story before; and a few links lead to a story that was removed.
    """
    others = rng.sample(stories, rng.randint(2, 3)) if rng.random() < 0.6 else []
    if story.number - 1 in stubs:
        others.append(stories[story.number - 2])
    links: list[View] = [
        {"headline": other.headline, "url": url(stubs.get(other.number, other.path))}
        for other in others
        if other is not story
    ]
    if story.number % 29 != 7:
        return links, ()
    missing = f"news/withdrawn-{story.number}/index.html"
    return [*links, {"headline": "An earlier report", "url": url(missing)}], (missing,)
