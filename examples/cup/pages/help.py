"""Help articles, under topics that are headings without a page."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from examples.cup.page import HOME, Page, url
from examples.cup.pages.help_texts import ARTICLES, Article

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from examples.cup.templating import View
    from examples.cup.world import World

HELP = "help/index.html"


def articles(world: World) -> list[Article]:
    """Give the articles that this site has, topic by topic."""
    chosen = ARTICLES[: world.sizes.help_articles]
    topics = list(dict.fromkeys(article.topic for article in chosen))
    return sorted(chosen, key=lambda article: topics.index(article.topic))


def help_pages(world: World) -> Iterator[Page]:
    """Make the index and the articles."""
    chosen = articles(world)
    yield Page(HELP, "single:help-index", _index(chosen), parent=HOME, label="Help")
    for index, article in enumerate(chosen):
        view = _article(article, chosen, index)
        yield Page(article.path, "help", view, parent=HELP, label=article.title)


def article_links(world: World) -> str:
    """Write the menu of articles that all of them share; it links to the page itself, too."""
    return "\n".join(
        f'<li{{% if {_active(article)} %}} class="active"{{% endif %}}>'
        f'<a href="{_href(article)}">{article.title}</a></li>'
        for article in articles(world)
    )


def topics(world: World) -> dict[str, list[str]]:
    """Give the paths of the articles under each topic."""
    return {
        topic: [article.path for article in members]
        for topic, members in groupby(articles(world), lambda article: article.topic)
    }


def _active(article: Article) -> str:
    return f"is_{re.sub('[^a-z0-9]', '_', article.slug)}"


def _href(article: Article) -> str:
    return url(article.path).removeprefix("help/")


def _link(article: Article) -> View:
    return {"title": article.title, "url": _href(article)}


def _index(chosen: Sequence[Article]) -> View:
    rows = [
        {"topic": topic, "articles": [_link(article) for article in members]}
        for topic, members in groupby(chosen, lambda article: article.topic)
    ]
    return {"title": "Help", "topics": rows}


def _article(article: Article, chosen: Sequence[Article], index: int) -> View:
    others = [chosen[(index + step) % len(chosen)] for step in range(1, 3 + index % 2)]
    return {
        "title": article.title,
        "question": article.title,
        "topic": article.topic,
        _active(article): True,
        "answer": article.answer,
        "has_steps": bool(article.steps),
        "steps": article.steps,
        "has_prices": bool(article.prices),
        "prices": [{"kind": kind, "price": price} for kind, price in article.prices],
        "note": article.note,
        "see_also": [_link(other) for other in others],
    }
