"""Kinds of sites that people meet: whole tables, each page once, hardly a request in vain."""

from __future__ import annotations

import asyncio

import pytest

import sitewright
from examples.cup.server import serve
from sitewright.errors import MissingBrowser, MissingExtra
from sitewright.site.account import FETCHED, SAME_PAGE, CrawlAccount, UrlAccount
from sitewright.site.base import Missing, Reason
from sitewright.site.browser import Browser
from sitewright.site.credentials import Credentials
from sitewright.site.identity import FilterParameters
from sitewright.site.scripts import looks_like_shell
from sitewright.site.web import CrawlOptions
from tests.site.kinds import Blog, Scripted, Shop, Walled


@pytest.fixture
def chromium():
    """Skip where there is no browser."""

    async def start():
        async with Browser():
            pass

    try:
        asyncio.run(start())
    except (MissingExtra, MissingBrowser) as error:
        pytest.skip(str(error))


def run(tmp_path, site, **given):
    """Run on a live site; the project, and the paths of pages that were asked for."""
    with serve(tmp_path, dynamic=site) as server:
        project = sitewright.run(server.url, tmp_path / "out", complete=True, workers=1, **given)
        files = (
            "/robots.txt",
            "/sitemap.xml",
            "/.well-known/",
            "/feed/",
            ".js",
            "/api/",
            "/_next/",
        )
        paths = [path for path in server.paths if not any(one in path for one in files)]
    return project, paths


def is_frugal(project, paths):
    """Whether at most 1.2 pages were asked for each that was kept, and none twice."""
    kept = project.account.counts["fetched"]
    return len(paths) == len(set(paths)) and len(paths) <= 1.2 * kept


def test_a_blog_with_feeds_and_links_to_reply(tmp_path):
    project, paths = run(tmp_path, site := Blog())
    assert is_frugal(project, paths)
    assert not [path for path in paths if "replytocom" in path or "share=" in path]
    # The posts, not the lists of them, whatever the two are called.
    [posts] = [
        records
        for one in project.classes
        if "author" in next(iter(records := list(project[one.name].records())), {})
    ]
    assert {record["title"] for record in posts} == set(site.titles.values())
    assert {record["author"] for record in posts} == {
        "Ada Byron", "Grace Hill", "Linus Berg", "Mary Shaw"
    }  # fmt: skip


def test_a_shop_with_filters_and_a_list_that_grows(tmp_path, chromium):
    project, paths = run(tmp_path, site := Shop())
    assert is_frugal(project, paths)
    products = list(project["product"].records())
    assert {tuple(sorted(one["_url"].split("/", 3)[3:])) for one in products} == {
        (path[1:],) for path in site.products
    }
    skus = {one["sku"] for one in site.products.values()}
    assert any({str(one.get(field)) for one in products} >= skus for field in products[0])
    assert project.account.rendered == 3
    [endpoint] = {one.url for one in project.account.endpoints}
    assert endpoint.endswith("/api/products")


def test_a_site_of_scripts_whose_data_stands_in_its_pages(tmp_path, chromium):
    project, paths = run(tmp_path, site := Scripted())
    assert is_frugal(project, paths)
    clubs = list(project["club"].records())
    assert {one["club"] for one in clubs} == {one["name"] for one in site.clubs.values()}
    # Only the data has the seats; no text of the page does.
    assert {one["seats"] for one in clubs} == {
        one["ground"]["seats"] for one in site.clubs.values()
    }


def test_a_site_behind_a_consent_wall_with_its_cookie(tmp_path):
    crawl = CrawlOptions(credentials=Credentials(cookies=("consent=yes",)))
    project, paths = run(tmp_path, Walled(), crawl=crawl)
    assert is_frugal(project, paths)
    assert len(list(project["room"].records())) == 40


@pytest.mark.parametrize("redirects", [True, False])
def test_a_wall_is_named_where_nothing_lies_behind(tmp_path, redirects):
    project, _ = run(tmp_path, Walled(redirects=redirects))
    assert "--cookie" in project.account.hint()


def test_a_folder_with_one_page_under_two_addresses_is_no_wall():
    twin = UrlAccount("http://folder.invalid/b.html", SAME_PAGE, "http://folder.invalid/a.html")
    counts = {FETCHED: 40, SAME_PAGE: 1}
    assert CrawlAccount(300, True, 0, 0.0, counts, {}, urls=(twin,)).hint() == ""


LIST = b"<title>List</title><ul>%s</ul>"
ROW = b'<li><a href="/item/%d">Item %d</a> word%s</li>'


def rows(numbers):
    return LIST % b"".join(ROW % (n, n, b"x" * (n % 7)) for n in numbers)


def test_filters_are_left_out_when_they_show_nothing_new():
    bodies = {"http://a/list": rows(range(40))}
    filters = FilterParameters(bodies.get)
    known = {f"http://a/item/{n}" for n in range(40)}.__contains__
    for n in range(4):
        filters.note(f"http://a/list?colour={n}", rows(range(n, 40, 4)), known)
        assert filters.left_out("http://a/list?colour=9") is None
    filters.note("http://a/list?colour=5", rows(range(0, 40, 9)), known)
    assert "?colour=" in filters.left_out("http://a/list?colour=9&x=1")
    assert filters.left_out("http://a/other/list?colour=9") is None
    assert filters.left_out("http://a/list?page=9") is None
    # One that shows something new ends that.
    filters.note("http://a/list?colour=6", rows([1, 77]), known)
    assert filters.left_out("http://a/list?colour=9") is None


@pytest.mark.parametrize(
    "pager",
    [
        b'<a href="?page=2">2</a>',
        b"<a href='/list?page=1&amp;view=rows'><b>2</b></a>",
        b'<link rel="next" href="http://a/list?page=2">',
    ],
)
def test_the_pages_of_a_list_are_no_filter_though_all_their_rows_are_known(pager):
    bodies = {"http://a/list": rows(range(40)) + pager}
    filters = FilterParameters(bodies.get)
    filters.note("http://a/list", bodies["http://a/list"], lambda _: True)
    for n in range(4):
        filters.note(f"http://a/list?page={n}", rows(range(n, 40, 4)) + pager, lambda _: True)
        filters.note(f"http://a/list?colour={n}", rows(range(n, 40, 4)) + pager, lambda _: True)
    for n in range(3):
        filters.note_same(f"http://a/list?page={n}")
        filters.note_same(f"http://a/list?colour={n}")
    assert filters.left_out("http://a/list?page=9") is None
    assert "?colour=" in filters.left_out("http://a/list?colour=9&page=2")


@pytest.mark.parametrize("version", ["print/item/{}", "item/{}/print", "item/{}/amp/"])
def test_print_versions_in_a_folder_of_their_own_are_left_out(version):
    url = f"http://a/{version}"
    bodies = {f"http://a/item/{n}": rows([n, n + 1, n + 2]) for n in range(30)}
    filters = FilterParameters(bodies.get)
    for n in range(20):
        filters.note(f"http://a/item/{n}", bodies[f"http://a/item/{n}"], lambda _: True)
        if n < 5:
            assert filters.left_out(url.format(n)) is None
            filters.note(url.format(n), b"<title>Print</title>" + rows([n, n + 1]), lambda _: True)
    assert sum(filters.left_out(url.format(n)) is not None for n in range(20)) >= 15
    assert filters.left_out(url.format(29)) is None  # the page itself was not read


def test_pages_below_others_are_content():
    filters = FilterParameters({"http://a/list": rows(range(40))}.get)
    filters.note("http://a/list", rows(range(40)), lambda _: True)
    for n in range(20):
        filters.note(f"http://a/list/{n}", b"<h1>%d</h1><p>" % n * 3 + b"a" * n, lambda _: True)
        assert filters.left_out(f"http://a/list/{n + 1}") is None


def test_parameters_that_lead_away_are_left_out_and_what_is_not_found_is_not():
    filters = FilterParameters({}.get)
    for n in range(5):
        assert filters.left_out("http://a/p/9?add=1") is None
        away = Missing(f"http://a/p/{n}?add=1", Reason.DISALLOWED, "to http://a/cart")
        filters.note_missing(away.url, away)
        gone = Missing(f"http://a/show?id={n}", Reason.NOT_FOUND, "404")
        filters.note_missing(gone.url, gone)
    assert "?add=" in filters.left_out("http://a/p/9?add=1")
    assert filters.left_out("http://a/show?id=9") is None


def test_a_parameter_that_shows_something_new_now_and_then_is_followed():
    """Five views in a row come by chance; the more often it showed something new, the more so."""
    base = rows(range(40))
    filters = FilterParameters({"http://a/list": base}.get)
    for n in range(60):
        is_new = n % 2 == 0 and n % 14 < 8
        new = b"<h1>%s</h1><p>a%s</p><p>b%s</p>" % ((b"n" * (n + 1),) * 3)
        assert filters.left_out(f"http://a/list?on={n}") is None
        filters.note(f"http://a/list?on={n}", new if is_new else base, lambda _: True)


def test_pages_of_one_script_are_content_though_they_lead_to_nothing_new():
    bodies = {"http://a/show": rows(range(3))}
    filters = FilterParameters(bodies.get)
    for n in range(100):
        body = b"<h1>Title %s</h1><p>Text of %s</p><p>More on %s</p>" % ((b"t" * n,) * 3)
        filters.note(f"http://a/show?id={n}", body, lambda _: True)
        assert filters.left_out(f"http://a/show?id={n + 1}") is None


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<ul data-next-url="/more">', True),
        ('<div class="feed infinite-scroll">', True),
        ('<ul data-cursor="abc">', True),
        ('<div class="feed">', False),
        ('<nav data-nextjs-scroll="x">', False),
    ],
)
def test_lists_that_grow_are_told_by_their_marks(html, expected):
    body = f"<body>{html}<li>{'Words of a row. ' * 20}<script src=a.js></script>".encode()
    assert looks_like_shell(body) is expected
