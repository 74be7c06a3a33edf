"""The ways to the pages of a class: what the model expects of them, and what a crawl learns."""

from __future__ import annotations

import asyncio

import pytest

from sitewright.classes import Classifier, ClassLink, PageClass, SiteModel
from sitewright.crawl.targeted import LinkPattern, Seen
from sitewright.crawl.waves import CrawlPlan, breadth_first
from sitewright.extraction.page_results import crawl_for_classes, crawl_planner
from sitewright.methods import discover
from sitewright.site import Missing, open_site


def page_class(name, pattern, visited=10, precision=1.0, is_stub=False):
    return PageClass(
        name=name,
        url_template=pattern,
        url_pattern=pattern,
        url_precision=precision,
        url_recall=1.0,
        visited=visited,
        size=visited,
        samples=(),
        entry_points=(),
        nearest=None,
        distinguishing=(),
        schema={},
        scores={},
        prior=0.0,
        shares={},
        least_fit=0.0,
        is_stub=is_stub,
    )


def model(classes, links):
    return SiteModel(
        home="http://site.example/",
        method="default",
        parameters={},
        visited=0,
        paths=((0, ""),),
        structure_columns=(),
        address_columns=(),
        skip=0,
        classes=tuple(classes),
        links=tuple(ClassLink(*link) for link in links),
        curve=(),
    )


CUP = model(
    [
        page_class("home", "/", visited=1),
        page_class("team", r"/teams/[^/]+"),
        page_class("player", r"/players/[^/]+"),
        page_class("news", r"/news/[^/]+"),
        page_class("moved", r"/old/[^/]+", is_stub=True),
    ],
    [
        # source, target, path, links, pages of the source, pages of the target
        ("home", "team", "menu", 8, 1, 8),
        ("home", "news", "menu", 5, 1, 5),
        ("home", "moved", "menu", 5, 1, 5),
        ("team", "player", "list", 180, 10, 180),
        ("team", "team", "menu", 80, 10, 8),
        ("news", "player", "prose", 5, 5, 5),
        ("player", "team", "up", 10, 10, 3),
    ],
)


def test_a_link_to_a_wanted_class_is_worth_a_fetch():
    planner = crawl_planner(CUP, ["player"])
    assert planner.expected_yield(LinkPattern("team", "list", "player")).share == 1


def test_a_page_that_leads_to_many_is_worth_more_than_one_that_leads_to_few():
    planner = crawl_planner(CUP, ["player"])
    team, news = (
        planner.expected_yield(LinkPattern("home", "menu", name)).share for name in ("team", "news")
    )
    # A team and its 18 players are 19 fetches; two news have a player between them.
    assert team == pytest.approx(18 / 19)
    assert news == pytest.approx(0.5 / 1.5)


def test_each_step_further_away_is_worth_less():
    planner = crawl_planner(CUP, ["news"])
    home, player = (
        planner.expected_yield(LinkPattern("team", "menu", name)).share
        for name in ("home", "player")
    )
    assert home == pytest.approx(5 / 6)
    assert player == 0  # no link of the model leads from a player or a team to the news


def test_where_a_path_leads_to_several_classes_the_address_decides():
    planner = crawl_planner(CUP, ["player"])
    assert planner.pattern_of("home", "menu", "http://site.example/news/1") == LinkPattern(
        "home", "menu", "news"
    )
    assert planner.pattern_of("home", "menu", "http://site.example/teams/1") == LinkPattern(
        "home", "menu", "team"
    )


def test_where_the_address_says_nothing_the_path_decides():
    planner = crawl_planner(CUP, ["player"])
    assert planner.pattern_of("home", "menu", "http://site.example/x") == LinkPattern(
        "home", "menu", "team"
    )
    assert planner.pattern_of("home", "elsewhere", "http://site.example/x") is None


def test_a_pattern_that_other_classes_share_is_trusted_only_at_paths_that_lead_there():
    vague = page_class("misc", r"/[^/]+/[^/]+", precision=0.2)
    planner = crawl_planner(
        model([*CUP.classes, vague], [("news", "misc", "foot", 5, 5, 5)]), ["misc"]
    )
    assert planner.pattern_of("news", "foot", "http://site.example/a/b") == LinkPattern(
        "news", "foot", "misc"
    )
    assert planner.pattern_of("news", "foot", "http://site.example/players/b").target == "player"


def test_a_class_that_shows_nothing_new_is_worth_less_with_every_page():
    planner = crawl_planner(CUP, ["player"])
    way = LinkPattern("home", "menu", "team")
    values = [planner.expected_yield(way).share]
    for _ in range(30):
        planner.learn_page("team", {}, way)
        values.append(planner.expected_yield(way).share)
    assert values == sorted(values, reverse=True)
    assert values[-1] < 0.02


def test_a_way_is_known_by_what_was_behind_it():
    """Of two menus that lead to one class, the one that led to nothing comes last."""
    planner = crawl_planner(CUP, ["player"])
    good, bad = LinkPattern("home", "menu", "team"), LinkPattern("news", "menu", "team")
    for _ in range(3):
        planner.learn_page("team", {LinkPattern("team", "list", "player"): 18}, good)
        planner.learn_page("team", {}, bad)
    assert planner.expected_yield(good).share > 0.9
    assert planner.expected_yield(good).share > planner.expected_yield(bad).share


def test_a_way_that_leads_elsewhere_is_trusted_less_each_time():
    planner = crawl_planner(CUP, ["player"])
    way = LinkPattern("team", "list", "player")
    planner.learn_arrival(way, "news")
    once = planner.expected_yield(way).share
    planner.learn_arrival(way, None)
    assert 1 > once > planner.expected_yield(way).share


def test_classes_whose_addresses_look_alike_share_a_way_by_chance():
    """Old and new posts: nothing but the pages themselves tells them apart."""
    posts = [page_class(name, r"/posts/[^/]+", precision=0.5) for name in ("new", "old")]
    links = [("home", "new", "list", 30, 1, 30), ("home", "old", "list", 10, 1, 10)]
    planner = crawl_planner(model([CUP.classes[0], *posts], links), ["old"])
    way = planner.pattern_of("home", "list", "http://site.example/posts/1")
    assert way.target == "new"
    assert planner.expected_yield(way).share == planner.chance_wanted(way) == 0.25
    for _ in range(50):
        planner.learn_arrival(way, "new")
    assert 0.05 < planner.expected_yield(way).share < 0.1
    for _ in range(50):
        planner.learn_arrival(way, "old")
    assert planner.expected_yield(way).share > 0.4


def test_a_model_with_links_between_classes_that_it_does_not_have_is_no_error():
    odd = model(CUP.classes[:1], [("home", "gone", "menu", 1, 1), ("gone", "home", "menu", 1, 1)])
    assert crawl_planner(odd, ["home"]).pattern_of("home", "menu", "http://site.example/x") is None


def write(folder, name, title, links, mark):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    items = "".join(f"<li><a href='/{link}'>{link}</a>" for link in links)
    path.write_text(
        f"<title>{title}</title><div class={mark}><h1 class={mark}-title>{title}</h1>"
        f"<p class={mark}-text>Text</p><ul class={mark}-list>{items}</ul></div>"
    )


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """Forty articles in five shelves beside two hundred pages of small talk."""
    folder = tmp_path_factory.mktemp("shop")
    shelves = [f"shelf/{n}.html" for n in range(5)]
    talk = [f"talk/{n}.html" for n in range(200)]
    write(folder, "index.html", "Home", [*talk[:20], *shelves], "home")
    for n, name in enumerate(shelves):
        own = [f"item/{n}-{m}.html" for m in range(8)]
        write(folder, name, f"Shelf {n}", [*own, "item/gone.html"], "shelf")
        for item in own:
            write(folder, item, item, [name], "item")
    for n, name in enumerate(talk):
        write(folder, name, f"Talk {n}", talk[n + 1 : n + 11], "talk")
    return folder


def visit(folder, wanted, limit):
    site = open_site(str(folder))
    found = asyncio.run(discover(site, CrawlPlan(limit=150)))
    classifier = Classifier(found)
    name = classifier.of_url(f"{site.home.rpartition('/')[0]}/{wanted}").page_class

    async def walk():
        return [one async for one in crawl_for_classes(site, classifier, [name], limit=limit)]

    seen = asyncio.run(walk())
    return name, seen, site, classifier


def test_a_focused_walk_goes_straight_to_the_wanted_pages(shop):
    name, seen, site, classifier = visit(shop, "item/0-0.html", 47)
    wanted = [one for one in seen if isinstance(one, Seen) and one.placed.page_class == name]
    assert len(wanted) == 40

    async def plain():
        return [visited async for visited in breadth_first(site, limit=47)]

    documents = [one.document for one in asyncio.run(plain()) if not isinstance(one, Missing)]
    assert sum(classifier.classify(document).page_class == name for document in documents) < 20


def test_a_focused_walk_ends_when_no_way_promises_more(shop):
    _, seen, _, _ = visit(shop, "item/0-0.html", 1000)
    assert len(seen) < 120


def test_a_focused_walk_asks_for_no_more_pages_than_allowed_and_for_none_twice(shop):
    _, seen, _, _ = visit(shop, "item/0-0.html", 20)
    assert len(seen) == 20
    urls = [one.url if isinstance(one, Missing) else one.page.url for one in seen]
    assert len(set(urls)) == len(urls)


def test_what_is_missing_on_the_way_comes_with_its_reason(shop):
    _, seen, _, _ = visit(shop, "item/0-0.html", 1000)
    assert [one.reason for one in seen if isinstance(one, Missing)] == ["not found"]


def test_the_same_site_is_walked_the_same_way(shop):
    walks = [visit(shop, "item/0-0.html", 60)[1] for _ in range(2)]
    first, second = ([getattr(one, "page", one).url for one in walk] for walk in walks)
    assert first == second
