"""Rankings of players: pages whose file names hold a query, as wget writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from examples.cup.page import HOME, Page, url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from examples.cup.templating import View
    from examples.cup.world import Tally, World

STATISTICS = "stats.html"
_PER_PAGE = 25
_MOST_PAGES = 3

_TOTALS: dict[str, tuple[str, Callable[[Tally], int]]] = {
    "goals": ("Goals", lambda tally: tally.goals),
    "assists": ("Assists", lambda tally: tally.assists),
    "saves": ("Saves", lambda tally: tally.saves),
    "minutes": ("Minutes played", lambda tally: tally.minutes),
    "cards": ("Cards", lambda tally: tally.cards),
    "matches": ("Matches played", lambda tally: tally.matches),
}
_ORDERS: dict[str, tuple[str, Callable[[Tally], str]]] = {
    "name": ("Ordered by name", lambda tally: tally.player.family),
    "team": ("Ordered by team", lambda tally: tally.player.team.name),
}
Ranked = tuple[int, "Tally"]


def stats_pages(world: World) -> Iterator[Page]:
    """Make the overview and, for each category, its pages by rank and in other orders."""
    rankings = {category: _ranking(world, category) for category in _categories(world)}
    overview = _overview(rankings)
    yield Page(STATISTICS, "single:statistics", overview, parent=HOME, label="Statistics")
    for category, ranking in rankings.items():
        yield from _by_rank(category, ranking)
        first = _address(category)
        for order, (title, key) in _ORDERS.items():
            rows = sorted(ranking[:_PER_PAGE], key=lambda line: (key(line[1]), line[0]))
            view = _view(category, rows, title, None)
            yield Page(_address(category, f"sort={order}"), "stats", view, continues=first)


def category_links(world: World) -> str:
    """Write the row of categories that all rankings share; the current one is marked."""
    return "\n".join(
        f'<li{{% if is_{category} %}} class="active"{{% endif %}}>'
        f'<a href="{_address(category)}">{_TOTALS[category][0]}</a></li>'
        for category in _categories(world)
    )


def _categories(world: World) -> list[str]:
    return list(_TOTALS)[: world.sizes.statistics]


def _address(category: str, *more: str) -> str:
    return "stats.html?" + "&".join((f"category={category}", *more))


def _ranking(world: World, category: str) -> list[Ranked]:
    """Rank those who have any, the most first; equal totals are in the order of the names."""
    total = _TOTALS[category][1]
    some = [tally for tally in world.tallies.values() if total(tally)]
    some.sort(key=lambda tally: (-total(tally), tally.player.family, tally.player.number))
    return list(enumerate(some[: _PER_PAGE * _MOST_PAGES], 1))


def _by_rank(category: str, ranking: Sequence[Ranked]) -> Iterator[Page]:
    parts = [ranking[i : i + _PER_PAGE] for i in range(0, len(ranking), _PER_PAGE)]
    later = [_address(category, f"page={number}") for number in range(2, len(parts) + 1)]
    paths = [_address(category), *later]
    pages = {"links": [{"url": path, "number": str(n)} for n, path in enumerate(paths, 1)]}
    for path, part in zip(paths, parts, strict=True):
        view = _view(category, part, "Ordered by total", pages if len(paths) > 1 else None)
        if path == paths[0]:
            title = _TOTALS[category][0]
            yield Page(path, "stats", view, parent=STATISTICS, label=title)
        else:
            yield Page(path, "stats", view, continues=paths[0])


def _view(category: str, rows: Sequence[Ranked], order: str, pages: View | None) -> View:
    title, total = _TOTALS[category]
    return {
        "title": title,
        "category": title,
        f"is_{category}": True,
        "order": order,
        "by_name_url": _address(category, "sort=name"),
        "by_team_url": _address(category, "sort=team"),
        "by_value_url": _address(category),
        "rows": [
            {
                "rank": str(rank),
                "player": tally.player.name,
                "url": url(tally.player.path),
                "team": tally.player.team.name,
                "team_url": url(tally.player.team.path),
                "matches": str(tally.matches),
                "total": str(total(tally)),
            }
            for rank, tally in rows
        ],
        "pages": pages,
    }


def _overview(rankings: dict[str, list[Ranked]]) -> View:
    categories = [
        {
            "category": _TOTALS[category][0],
            "url": _address(category),
            "leader": ranking[0][1].player.name,
            "total": str(_TOTALS[category][1](ranking[0][1])),
        }
        for category, ranking in rankings.items()
    ]
    return {"title": "Statistics", "categories": categories}
