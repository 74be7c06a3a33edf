"""Our method in small: addresses, patterns, names, classes, the queue."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright import formats
from sitewright.classes import Classifier, SiteModel
from sitewright.classes.clustering import cluster_pages, partition_pages
from sitewright.classes.features import page_features
from sitewright.classes.naming import NamedBy, class_names
from sitewright.crawl.frontier import Strategy, link_queue
from sitewright.crawl.stopping import agreement
from sitewright.crawl.waves import CrawlPlan
from sitewright.methods import discover, explore
from sitewright.page import Document, PathVocabulary, Schema
from sitewright.page.url_pattern import (
    common_folders,
    learn_url_pattern,
    place_in_site,
    segments,
    url_shape,
)
from sitewright.papers.crescenzi import PaperModel
from sitewright.site import Missing, Page, Reason

HOST = "http://x.example/"


def facts_of(pages: dict[str, str]):
    vocabulary = PathVocabulary()
    facts = [
        page_features(Document(body.encode(), HOST + name), vocabulary, lambda url: url)
        for name, body in pages.items()
    ]
    return facts, vocabulary


def two_classes(size: int = 15) -> dict[str, str]:
    players = {
        f"players/{n}.html": f"<h1>{n}</h1><table><tr><td>a<td>b</table>" + "<p>x" * (n % 4)
        for n in range(size)
    }
    news = {
        f"news/s{n}.html": "<article><h2>n</h2><blockquote>q</blockquote></article>"
        + "<p>x" * (n % 3)
        for n in range(size)
    }
    return players | news


def test_an_address_is_described_part_by_part():
    assert url_shape(HOST + "core/arch/fn.add.html?b=1&a=2") == (
        "2", "core", "arch", "fn", "2", "add", "a&b",
    )  # fmt: skip
    assert url_shape(HOST) == url_shape(HOST + "index.html") == (
        "0", "", None, "index", "1", None, "",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("live", "mirrored"),
    [
        ("news/", "news/index.html"),
        ("stats.html?category=goals&page=2", "stats.html%3Fcategory=goals&page=2"),
        ("list/?page=2", "list/index.html%3Fpage=2"),
        ("caf%C3%A9.html?q=%C3%A9", "caf%C3%A9.html%3Fq=%C3%A9"),
    ],
)
def test_a_live_page_and_its_mirror_have_one_place(live, mirrored):
    assert url_shape(HOST + live) == url_shape("http://folder.invalid/" + mirrored)
    assert place_in_site(HOST + live) == place_in_site("http://folder.invalid/" + mirrored)


def test_a_question_in_a_title_is_no_query():
    assert segments(HOST + "wiki/Why%3F")[-1] == "Why?"


def test_a_word_that_repeats_a_folder_says_only_that():
    assert url_shape(HOST + "romeo/romeo.1.2.html")[3:6] == ("=", "2", "#")
    assert url_shape(HOST + "qtgui/qtgui-index.html")[3] == "="


def test_folders_that_all_pages_share_are_skipped():
    urls = [HOST + "docs/v1/a/x.html", HOST + "docs/v1/b/y.html"]
    assert common_folders(urls) == 2
    assert url_shape(urls[0], 2)[1] == "a"
    assert common_folders([]) == 0


@pytest.mark.parametrize(
    ("urls", "template"),
    [
        (["players/1-ann.html", "players/2-bob.html"], "/players/{id}-{name}.html"),
        (["p/green-tea-1.html", "p/mug-22.html"], "/p/{name}-{id}.html"),
        (["p/1.html", "p/22.html"], "/p/{id}.html"),
        (["teams/a/squad.html", "teams/b/squad.html"], "/teams/{name}/squad.html"),
        (["a/fn.x.html", "a/b/fn.y.html", "c/d/e/fn.z.html"], "/{path}/fn.{name}.html"),
        (["about.html"], "/about.html"),
        (["stats?page=2&by=goals", "stats?page=1"], "/stats?by={by}&page={page}"),
    ],
)
def test_the_pattern_of_a_class_is_readable_and_matches_its_pages(urls, template):
    pattern = learn_url_pattern([HOST + url for url in urls])
    assert pattern.template == template
    assert all(pattern.matches(HOST + url) for url in urls)


def test_two_stray_pages_do_not_hide_what_the_names_of_the_others_begin_with():
    urls = [f"{HOST}std/{n}/fn.x{n}.html" for n in range(27)]
    urls += [f"{HOST}std/macro.write.html", f"{HOST}std/macro.vec.html"]
    assert learn_url_pattern(urls).template == "/std/{id}/fn.x{id}.html"


@given(st.lists(st.from_regex(r"[a-z0-9./?=&%-]{0,20}", fullmatch=True), min_size=1, max_size=6))
def test_a_pattern_matches_some_of_the_addresses_that_it_was_made_from(paths):
    pattern = learn_url_pattern([HOST + path for path in paths])
    assert any(pattern.matches(HOST + path) for path in paths)


def test_classes_get_names_that_people_recognise():
    classes = [
        NamedBy([HOST + f"players/{n}-x{n}.html" for n in range(5)], ["A", "B"]),
        NamedBy([HOST + f"teams/t{n}/squad.html" for n in range(5)], []),
        NamedBy([HOST + f"news/page-{n}.html" for n in range(5)], []),
        NamedBy([HOST + "index.html"], ["Home"]),
        NamedBy([HOST + f"players/{n}-y{n}.html" for n in range(5)], []),
    ]
    names = class_names(classes, 0)
    assert names[:4] == ["player", "squad", "news-list", "home"]
    assert len(set(names)) == 5


def test_the_name_of_the_site_is_no_name_of_a_class():
    site = "Halcyon Cup"
    classes = [
        NamedBy([HOST + f"{n}-{kind}{n}.html" for n in range(5)], [f"{title} | {site}"] * 5)
        for kind, title in (("x", "Group table"), ("y", "Line-up"), ("z", ""))
    ]
    assert class_names(classes, 0) == ["group-table", "line-up", "page"]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("Product/Product.aspx?Item={}", "product"),
        ("Pages/CollegeInformation.aspx?id={}", "college-information"),
        ("films/{}", "film"),
        ("web/movies/{}/view", "movie"),
        ("job/view/id/{}/post_id/{}", "job"),
        ("{}.html", "green-tea"),
    ],
)
def test_a_class_of_saved_pages_is_named_after_where_they_come_from(source, name):
    urls = [f"{HOST}{n:04}.htm" for n in range(5)]
    sources = ["http://shop.example/" + source.format(n, n) for n in range(5)]
    titles = [f"Green tea {n}" for n in range(5)]
    assert class_names([NamedBy(urls, titles, sources)], 0) == [name]


def test_two_templates_are_two_classes_and_prose_makes_none():
    facts, vocabulary = facts_of(two_classes())
    classes = cluster_pages(facts, vocabulary).class_of_page.tolist()
    assert classes == [classes[0]] * 15 + [classes[15]] * 15
    assert classes[0] != classes[15]


def test_an_attribute_alone_splits_no_class():
    pages = {f"{'ab'[n % 2]}/x.html?{n}": "<h1>x</h1>" for n in range(40)}
    facts, vocabulary = facts_of(pages)
    assert len(set(cluster_pages(facts, vocabulary).class_of_page.tolist())) == 1


def test_a_stub_stands_for_a_page_with_an_address_like_its_own():
    stub = '<meta http-equiv="refresh" content="0;url=/elsewhere.html">'
    pages = two_classes() | {"players/99.html": stub, "old/a.html": stub, "old/b.html": stub}
    facts, vocabulary = facts_of(pages)
    found = cluster_pages(facts, vocabulary)
    *real, player_stub, old, other = found.class_of_page.tolist()
    assert player_stub == real[0]
    assert old == other == len(found.scores) - 1
    assert found.has_stubs


def test_the_papers_model_merges_what_is_alike_and_leaves_menus_out():
    model = PaperModel()
    list_page, story = Schema.of({1: 5, 2: 1}), Schema.of({1: 1, 7: 3, 8: 1, 9: 2})
    assert model.update([list_page] * 4) == [0, 0, 0, 0]
    assert model.update([story] * 4) == [1, 1, 1, 1]
    assert model.update([list_page] * 2) == [0, 0]
    assert model.update([Schema.of({n: 1, n + 1: 1}) for n in (20, 30, 40)]) == [None] * 3
    assert [summary.pages for summary in model.classes] == [6, 4]
    assert model.best_class(story) == 1


def test_densest_first_follows_the_longest_list_and_sparsest_first_the_shortest():
    collections = [(1, tuple("abcdef")), (2, ("x",))]
    for strategy, first in ((Strategy.DENSEST_FIRST, 6), (Strategy.SPARSEST_FIRST, 1)):
        queue = link_queue(strategy)
        queue.add(0, collections)
        assert len(queue.pop(10)) == first


def test_collections_of_single_pages_come_first():
    queue = link_queue(Strategy.DENSEST_FIRST)
    queue.add(0, [(1, ("a", "b", "c"))])
    queue.add(0, [(1, ("d",))])
    queue.add(1, [(5, ("only",)), (6, ("u", "v"))])
    assert set(queue.pop(9)) <= {"only", "u", "v"}


def test_the_balanced_queue_looks_at_every_kind_of_address():
    queue = link_queue(Strategy.BALANCED)
    many = tuple(f"{HOST}players/{n}.html" for n in range(50))
    queue.add(0, [(1, many), (2, (f"{HOST}news/a.html",))])
    first = queue.pop(5) + queue.pop(5)
    assert f"{HOST}news/a.html" in first


def test_partitions_agree_with_themselves_and_less_with_others():
    assert agreement([1, 1, 2], [5, 5, 7]) == 1
    assert agreement([1, 1, 1, 1], [1, 1, 2, 2]) == 0.75


class SmallSite:
    """Pages in memory; every fetch is remembered."""

    def __init__(self, pages: dict[str, str]) -> None:
        self.pages_by_url = {HOST + name: body for name, body in pages.items()}
        self.home, self.tally, self.fetched = HOST + "index.html", Counter(), []
        self.is_live = True

    def page_url(self, url):
        return url if url.startswith(HOST) else None

    def listing(self):
        return iter(self.pages_by_url)

    async def fetch(self, urls):
        self.fetched += urls
        return [
            Page(url, self.pages_by_url[url].encode())
            if url in self.pages_by_url
            else Missing(url, Reason.NOT_FOUND)
            for url in urls
        ]


@pytest.mark.parametrize("strategy", list(Strategy))
def test_exploration_visits_each_page_once_and_keeps_its_limit(strategy):
    links = "".join(f'<a href="p{n}.html">x</a>' for n in range(30))
    site = SmallSite({"index.html": links} | {f"p{n}.html": links for n in range(25)})
    exploration = asyncio.run(explore(site, CrawlPlan(limit=20, strategy=strategy)))
    assert len(site.fetched) == len(set(site.fetched)) == 20
    assert len(exploration.pages) <= 20
    everything = asyncio.run(explore(site, CrawlPlan(limit=1000, strategy=strategy)))
    assert len(everything.pages) == 26


def test_pages_that_no_link_leads_to_are_explored_too():
    pages = {"index.html": '<a href="a.html">x</a>', "a.html": "x"}
    site = SmallSite(pages | {f"p{n}.html": '<a href="gone.html">x</a>' for n in range(23)})
    exploration = asyncio.run(explore(site, CrawlPlan()))
    assert exploration.pages[0].url == HOST + "index.html"
    assert len(exploration.pages) == 25
    assert len(site.fetched) == len(set(site.fetched)) == 26
    assert len(asyncio.run(explore(site, CrawlPlan(limit=10))).pages) <= 10
    papers = CrawlPlan(strategy=Strategy.DENSEST_FIRST)
    assert len(asyncio.run(explore(site, papers)).pages) == 2


def test_a_part_of_the_visits_goes_to_pages_that_no_link_has_led_to():
    linked = {f"p{n}.html": "x" for n in range(80)}
    links = "".join(f'<a href="{name}">x</a>' for name in linked)
    site = SmallSite({"index.html": links} | linked | {f"u/{n}.html": "x" for n in range(80)})
    pages = asyncio.run(explore(site, CrawlPlan(limit=50))).pages
    unlinked = sum("/u/" in page.url for page in pages)
    assert 8 <= unlinked <= 14


def test_a_page_that_a_folder_lacks_costs_no_visit():
    links = "".join(f'<a href="p{n}.html">x</a>' for n in range(60))
    site = SmallSite({"index.html": links} | {f"p{n}.html": "x" for n in range(0, 60, 3)})
    site.is_live = False
    assert len(asyncio.run(explore(site, CrawlPlan(limit=20))).pages) == 20
    site.is_live = True
    assert len(asyncio.run(explore(site, CrawlPlan(limit=20))).pages) < 20


@pytest.mark.parametrize("strategy", list(Strategy))
def test_pages_without_any_link_are_all_explored(strategy):
    site = SmallSite({"index.html": "x"} | {f"p{n}.html": "x" for n in range(23)})
    assert len(asyncio.run(explore(site, CrawlPlan(strategy=strategy))).pages) == 24


def test_exploration_ends_when_it_is_told_to():
    links = "".join(f'<a href="p{n}.html">x</a>' for n in range(30))
    site = SmallSite({"index.html": links} | {f"p{n}.html": links for n in range(25)})
    exploration = asyncio.run(explore(site, CrawlPlan(), lambda so_far: len(so_far.pages) >= 6))
    assert 6 <= len(exploration.pages) <= 10


def test_a_model_that_was_written_and_read_classifies_as_the_fit_did(tmp_path):
    pages = two_classes() | {"index.html": "".join(f'<a href="{n}">x</a>' for n in two_classes())}
    site = SmallSite(pages)
    model = asyncio.run(discover(site, CrawlPlan()))
    formats.write(tmp_path / "model.json", model)
    read = formats.read(tmp_path / "model.json", SiteModel)
    assert formats.dump(read) == formats.dump(model)
    assert formats.identity(read) == formats.identity(model)
    classifier = Classifier(read)
    for name, body in two_classes().items():
        found = classifier.classify(Document(body.encode(), HOST + name))
        assert found.page_class == ("player" if name.startswith("players") else "news")


def test_a_model_of_all_pages_is_not_made_twice(monkeypatch):
    fitted = []

    def counted(pages, marks):
        fitted.append(len(pages))
        return partition_pages(pages, marks)

    monkeypatch.setattr("sitewright.methods.partition_pages", counted)
    bodies = two_classes(60)
    links = "".join(f'<p><a href="{name}">x</a>' for name in bodies)
    asyncio.run(discover(SmallSite({"index.html": links, **bodies}), CrawlPlan(limit=100)))
    assert fitted == [100]


def test_a_class_is_called_what_its_containers_say():
    """The address says nothing (`/7`), the body of its pages says what they are."""
    numbers = [f"{HOST}{n}" for n in range(8)]
    frame = {"body.page", "div.content"}
    session = NamedBy(numbers, ["x"] * 8, marks=[frame | {"body.node-type-session"}] * 8)
    sponsor = NamedBy(numbers, ["y"] * 8, marks=[frame | {"article.node-sponsors"}] * 8)
    assert class_names([session, sponsor], skip=0) == ["session", "sponsor"]


def test_a_word_of_one_div_is_no_name_for_a_class():
    numbers = [f"{HOST}{n}" for n in range(8)]
    one = NamedBy(numbers, ["x"] * 8, marks=[{"div.alignmid"}] * 8)
    other = NamedBy(numbers, ["y"] * 8, marks=[{"div.quote", "section.quotes"}] * 8)
    assert class_names([one, other], skip=0) == ["page", "quote"]


def test_what_the_body_calls_pages_comes_before_a_url_that_says_something_else():
    def pages(folder: str, root: str) -> NamedBy:
        urls = [f"{HOST}{folder}/{n}-x{n}.html" for n in range(8)]
        return NamedBy(urls, ["x"] * 8, marks=[{"body.page", f"body.{root}"}] * 8)

    classes = [
        pages("news", "node-type-article"),
        pages("lectures", "node-type-guest-lecture"),
        pages("7", "node-type-interest-group"),
        pages("offers", "looks-fine"),
    ]
    assert class_names(classes, 0) == ["article", "lecture", "interest-group", "offer"]
    classes = [pages("7", "post-template"), pages("8", "tag-template"), pages("9", "left-panel")]
    assert class_names(classes, 0) == ["post", "tag", "page"]
    classes = [pages("7", "fun-red"), pages("8", "fun-of-the-very-fast-cars")]
    assert class_names(classes, 0) == ["red", "car"]


def test_the_kind_of_a_file_that_a_page_shows_is_no_name():
    shown = NamedBy([f"{HOST}sources/{word}.rs.html" for word in "abcde"], ["x"] * 5)
    assert class_names([shown], 0) == ["source"]


def test_a_folder_between_others_names_a_class():
    logs = [f"{HOST}{tool}/log/{part}/x.html" for tool in "abc" for part in ("src", "doc")]
    home = NamedBy([HOST + "index.html"], [])
    assert class_names([NamedBy(logs, []), home], 0) == ["log", "home"]


def test_folders_that_are_a_date_hold_posts():
    posts = [f"{HOST}20{n}/08/0{n % 9}/{word}-x.html" for n, word in enumerate("abcde", 10)]
    months = [f"{HOST}20{n}/08/index.html" for n in range(10, 15)]
    years = [*(f"{HOST}20{n}/index.html" for n in range(10, 14)), HOST + "2011/01/index.html"]
    for lists in (months, years):
        classes = [NamedBy(posts, []), NamedBy(lists, []), NamedBy([HOST + "index.html"], [])]
        assert class_names(classes, 0) == ["post", "archive", "home"]


def test_what_most_urls_say_names_a_class_before_a_number_does():
    urls = [*(f"{HOST}meters/{n}/index.html" for n in range(5)), *(f"{HOST}{n}" for n in "ab")]
    other = NamedBy([f"{HOST}{word}/{word}" for word in "vwxyz"], [])
    assert class_names([NamedBy(urls, []), other], 0) == ["meter", "page"]


def test_a_mixed_class_is_called_after_its_folders():
    urls = [f"{HOST}{folder}/{n}" for folder in ("news", "jobs") for n in range(4)]
    strays = [f"{HOST}{folder}/x" for folder in "abcd"]
    assert class_names([NamedBy(urls, []), NamedBy(strays, [])], 0) == ["news-job", "page"]


def test_a_name_that_is_taken_gets_a_word_of_the_titles():
    found = [NamedBy([f"{HOST}search.php?q={n}" for n in range(8)], ["Found"] * 8)]
    active = NamedBy(
        [f"{HOST}search.php?of={n}" for n in range(4)], [f"Active {n}" for n in "abcd"]
    )
    news = NamedBy([f"{HOST}news/{word}" for word in "abcd"], [*"abcd"])
    assert class_names([*found, active, news], 0) == ["search", "search-active", "news"]


def test_pages_with_the_title_of_the_home_page_are_home():
    urls = [HOST, f"{HOST}start?language=de", f"{HOST}welcome"]
    others = NamedBy([f"{HOST}{word}" for word in ("ab", "cd", "ef")], [*"abc"])
    assert class_names([NamedBy(urls, ["Shop"] * 3), others], 0) == ["home", "page"]
    assert class_names([NamedBy(urls, ["Shop"] * 3), others._replace(titles=["Shop"] * 3)], 0) == [
        "page",
        "page-2",
    ]


def test_words_of_most_titles_name_a_class_before_a_number_does():
    scenes = NamedBy(
        [f"{HOST}{word}" for word in ("ab", "cd", "ef")], ["Scene 1", "Scene 2", "All"]
    )
    others = NamedBy([f"{HOST}{word}" for word in ("gh", "ij")], ["X", "Y"])
    assert class_names([scenes, others], 0) == ["scene", "page"]


def test_what_most_parameters_say_names_a_class():
    brands = [f"{HOST}index.php?route=product/brand|info&id={n}" for n in range(9)]
    special = [f"{HOST}index.php?route=product/special"]
    account = [f"{HOST}index.php?route=account/{word}" for word in ("login", "address", "order")]
    classes = [NamedBy(brands + special, []), NamedBy(account, [])]
    assert class_names(classes, 0) == ["brand", "account"]


def test_a_list_of_some_kind_is_called_after_what_it_lists():
    urls = [f"{HOST}events/category/{word}/index.html" for word in ("ab", "cd", "ef", "gh")]
    news = NamedBy([f"{HOST}news/{word}" for word in "abcd"], [])
    assert class_names([NamedBy(urls, []), news], 0) == ["event-category", "news"]


def test_pages_that_send_their_readers_on_are_called_so():
    urls = [f"{HOST}news/story-{n}.html" for n in range(5)]
    assert class_names([NamedBy(urls, ["Moved"] * 5, are_redirects=True)], 0) == ["redirect"]


def test_accented_letters_are_letters():
    urls = [f"{HOST}%C3%9Cbungen/{n}" for n in range(5)]
    assert class_names([NamedBy(urls, [])], 0) == ["ubungen"]
    urls = [f"{HOST}traducciones/{n}" for n in range(5)]
    assert class_names([NamedBy(urls, [])], 0) == ["traduccion"]


def test_a_declared_type_names_a_class_unless_its_address_does():
    def pages(folder: str, declared: str) -> NamedBy:
        urls = [f"{HOST}{folder}{n}" for n in range(8)]
        return NamedBy(urls, ["x"] * 8, types=[declared] * 8)

    found = class_names([pages("", "BlogPosting"), pages("players/", "Athlete")], skip=0)
    assert found == ["blog-posting", "player"]
    assert class_names([pages("", "Product")] * 2, skip=0) == ["page", "page-2"]


def test_a_script_that_shows_something_is_called_what_it_shows():
    urls = [f"{HOST}viewtopic-{n}.html" for n in range(8)]
    assert class_names([NamedBy(urls, ["x"] * 8)], skip=0) == ["topic"]


def test_a_parameter_that_says_what_a_page_is_names_its_class():
    saved = [HOST + f"index.php@route=product%252Fcategory&path={n}.html" for n in range(5)]
    asked = [HOST + f"index.php?route=product/product&id={n}" for n in range(5)]
    classes = [NamedBy(saved, ["A", "B"]), NamedBy(asked, ["C", "D"])]
    assert class_names(classes, 0) == ["category", "product"]


def test_a_short_form_of_a_folder_is_written_in_full_where_titles_say_what_it_means():
    def pages(folder, word):
        urls = [HOST + f"{folder}/{n}/x{n}.html" for n in range(5)]
        return NamedBy(
            urls, [f"Olson - {word} - {name}" for name in ("Ada", "Bo", "Cy", "Di", "Ed")]
        )

    classes = [pages("src", "Sources"), pages("srn", "Surname"), pages("img", "Media")]
    assert class_names(classes, 0) == ["source", "surname", "media"]
    assert class_names([pages("blog", "Stories"), pages("news", "Media")], 0) == ["blog", "news"]


def test_a_page_under_many_parameters_is_called_after_its_folder_and_itself():
    friday = [HOST + f"sessions/friday?order={n}.html" for n in "abcde"]
    login = [HOST + f"user/login-destination=node-{n}.html" for n in range(5)]
    found = [HOST + f"search.php@search_id=unanswered&start={n}.html" for n in range(5)]
    classes = [NamedBy(urls, []) for urls in (friday, login, found, [HOST + "search.html"])]
    names = ["session-friday", "user-login", "search", "search-page"]
    assert class_names(classes, 0) == names
    classes[2:] = [NamedBy([HOST + "search.html"], []), NamedBy(found, [])]
    assert class_names(classes, 0)[2:] == ["search", "search-unanswered"]


def test_the_order_of_a_list_is_no_name():
    urls = [HOST + f"7?order=title&view=all&sort=asc&page={n}" for n in range(5)]
    assert class_names([NamedBy(urls, [])], 0) == ["page"]
    urls = [HOST + f"7?do=index&sort=asc&page={n}" for n in range(5)]
    assert class_names([NamedBy(urls, [])], 0) == ["index"]


def test_pages_that_are_folders_are_called_as_files_are():
    hymns = [HOST + f"book-{n}/hymn-{n}-x{n}/index.html" for n in range(5)]
    events = [HOST + f"events/halcyon-cup-{n}/index.html" for n in range(5)]
    home = [HOST + "index.html", *(HOST + f"page/{n}/index.html" for n in range(2, 6))]
    site = [[f"{word} | Halcyon Cup"] * 5 for word in ("A", "B", "")]
    classes = [NamedBy(*of) for of in zip((hymns, events, home), site, strict=True)]
    assert class_names(classes, 0) == ["hymn", "event", "home"]


def test_what_urls_say_comes_before_what_titles_say():
    told = NamedBy([HOST + f"a{n}/{n}.html" for n in range(9)], ["Hymn"] * 9)
    named = NamedBy([HOST + f"hymns/{n}.html" for n in range(5)], [])
    other = NamedBy([HOST + f"b{n}/{n}.html" for n in range(4)], ["x"] * 4)
    assert class_names([told, named, other], 0)[1] == "hymn"
