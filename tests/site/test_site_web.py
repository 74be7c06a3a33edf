"""A live site: pages on request, one outcome for each URL, whatever the server does."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap

import pytest
from live import fault, fetch, fetch_from, options, write_site

from examples.cup.faults import Faults
from examples.cup.server import serve
from sitewright.errors import InputNotFound, InvalidInput, InvalidURL, UnreadableInput
from sitewright.site.base import Missing, Page, Reason
from sitewright.site.scope import ScopeKind
from sitewright.site.web import CrawlOptions, WebSite


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = write_site(tmp_path_factory.mktemp("site"), 30)
    with serve(folder, faults=Faults(paths=True)) as running:
        yield running


def test_a_page_comes_with_its_address_and_its_body(server):
    [page] = fetch_from(server.url, [server.url])
    assert page == Page(server.url, b"<title>Home</title>")


def test_outcomes_come_in_the_order_of_the_urls(server):
    urls = [server.url + f"{n}.html" for n in (7, 3, 99, 5, 3)]
    found = fetch_from(server.url, urls)
    assert [f.url for f in found] == urls
    assert [isinstance(f, Page) for f in found] == [True, True, False, True, True]


def test_nothing_asked_is_nothing_fetched(server):
    before = len(server.requests)
    assert fetch_from(server.url, []) == []
    assert len(server.requests) == before


def test_two_spellings_of_one_address_are_one_request(server):
    before = len(server.requests)
    first, second = fetch_from(
        server.url, [server.url + "8.html#top", server.url + "x/../8.html?utm_source=mail"]
    )
    assert first == second
    assert [hit.path for hit in server.requests[before:]] == ["/robots.txt", "/8.html"]


def test_a_redirected_page_has_its_own_address_and_tells_what_was_asked(server):
    asked = fault(server, "redirect?to=/1.html%23part")
    [page] = fetch_from(server.url, [asked])
    assert (page.url, page.body) == (server.url + "1.html", b"<title>Page 1</title>")
    assert page.requested == asked


def test_a_redirect_to_a_session_is_followed_as_written(server):
    asked = fault(server, "redirect?to=/_faults/session/a?PHPSESSID=0123456789abcdef")
    [page] = fetch_from(server.url, [asked])
    assert page.url == fault(server, "session/a")
    assert server.requests[-1].path == "/_faults/session/a?PHPSESSID=0123456789abcdef"


def test_the_declared_charset_goes_with_the_page(server):
    plain, declared = fetch_from(server.url, [server.url, fault(server, "charset/koi8-r")])
    assert (plain.encoding, declared.encoding) == (None, "koi8-r")


def test_a_packed_page_is_unpacked(server):
    [page] = fetch_from(server.url, [fault(server, "gzip")])
    assert page.body.startswith(b"<!DOCTYPE html><title>Packed")


def test_a_page_without_a_type_is_judged_by_its_looks(server):
    page, picture = fetch_from(
        server.url, [fault(server, "untyped/html"), fault(server, "untyped/png")]
    )
    assert isinstance(page, Page)
    assert picture.reason is Reason.NOT_HTML


@pytest.mark.parametrize(
    ("rest", "reason", "detail"),
    [
        ("none", Reason.NOT_FOUND, "404"),
        ("error/410", Reason.NOT_FOUND, "410"),
        ("error/403", Reason.HTTP_ERROR, "403"),
        ("error/500", Reason.HTTP_ERROR, "500"),
        ("error/300", Reason.HTTP_ERROR, "300"),
        ("loop/a", Reason.BAD_REDIRECT, "goes round in circles"),
        ("chain/11", Reason.BAD_REDIRECT, "more than 10 in a row"),
        ("truncated", Reason.NO_ANSWER, "the answer broke off"),
        ("type/text/plain", Reason.NOT_HTML, "text/plain"),
        ("endless/video/mp4", Reason.NOT_HTML, "video/mp4"),
        ("large?bytes=200000", Reason.TOO_LARGE, "more than 100000 bytes"),
        ("endless", Reason.TOO_LARGE, "more than 100000 bytes"),
        ("bomb?bytes=200000", Reason.TOO_LARGE, "more than 100000 bytes"),
    ],
)
def test_what_is_no_page_is_missing_for_a_reason(server, rest, reason, detail):
    url = fault(server, rest)
    assert fetch_from(server.url, [url], max_size=100_000) == [Missing(url, reason, detail)]


def test_ten_redirects_in_a_row_are_followed(server):
    [page] = fetch_from(server.url, [fault(server, "chain/10")])
    assert page.url == fault(server, "chain/0")


def test_a_slow_answer_times_out(server):
    url = fault(server, "slow?seconds=60")
    assert fetch_from(server.url, [url], timeout=0.2) == [
        Missing(url, Reason.TIMED_OUT, "no answer in time")
    ]


def test_a_server_that_is_gone_gives_no_answer(tmp_path):
    with serve(write_site(tmp_path)) as gone:
        url = gone.url
    [with_robots] = fetch_from(url, [url])
    [without] = fetch_from(url, [url], obey_robots=False)
    assert with_robots == Missing(url, Reason.NO_ANSWER, "robots.txt: connection refused")
    assert without == Missing(url, Reason.NO_ANSWER, "connection refused")


def test_a_failed_request_is_tried_again(server):
    [page] = fetch_from(server.url, [fault(server, "heals?after=2&x=1")], retries=2)
    assert isinstance(page, Page)
    [missing] = fetch_from(server.url, [fault(server, "heals?after=2&x=2")], retries=1)
    assert missing.reason is Reason.HTTP_ERROR


def test_missing_pages_are_counted_once_each(server):
    site = WebSite(server.url, options=options())
    urls = [server.url + "none", "mailto:a@b.example", server.url + "none#a", server.url]
    fetch(site, urls)
    fetch(site, urls)
    assert site.tally == {Reason.NOT_FOUND: 1, Reason.OUT_OF_SCOPE: 1}


def test_no_more_pages_are_asked_for_than_allowed(server):
    site = WebSite(server.url, options=options(max_pages=3))
    urls = [server.url + f"{n}.html" for n in range(5)]
    before = len(server.requests)
    found = fetch(site, urls)
    assert [isinstance(f, Page) for f in found] == [True, True, True, False, False]
    assert found[4] == Missing(urls[4], Reason.OVER_LIMIT, "3 pages")
    assert isinstance(fetch(site, [urls[0]])[0], Page)
    assert len(server.requests) - before == 4  # robots.txt and three pages


def test_a_redirect_on_the_way_counts_as_a_request(server):
    site = WebSite(server.url, options=options(max_pages=4))
    urls = [fault(server, "chain/2"), server.url + "1.html", server.url + "2.html"]
    before = len(server.requests)
    found = fetch(site, urls[:1]) + fetch(site, urls[1:])
    assert [isinstance(one, Page) for one in found] == [True, True, False]
    assert found[2] == Missing(urls[2], Reason.OVER_LIMIT, "4 pages")
    assert len(server.requests) - before == 1 + 4


def test_a_redirect_beyond_the_limit_is_not_followed(server):
    site = WebSite(server.url, options=options(max_pages=2))
    url = fault(server, "chain/5")
    before = len(server.requests)
    assert fetch(site, [url]) == [Missing(url, Reason.OVER_LIMIT, "2 pages")]
    assert len(server.requests) - before == 1 + 2


def test_an_address_is_canonical_and_in_scope():
    site = WebSite("http://127.0.0.1:1/docs/a", scope=ScopeKind.PREFIX)
    assert site.home == "http://127.0.0.1:1/docs/a"
    assert site.page_url("HTTP://127.0.0.1:1/docs/a/../a/b?utm_source=x#y") == (
        "http://127.0.0.1:1/docs/a/b"
    )
    assert site.page_url("http://127.0.0.1:1/other") is None
    assert site.page_url("javascript:void(0)") is None


@pytest.mark.parametrize("start", ["", "example.org", "ftp://example.org/", "http://", "file:///"])
def test_a_start_that_is_no_web_address_is_refused(start):
    with pytest.raises(InvalidURL):
        WebSite(start)


def test_an_archive_that_is_something_else_is_refused(tmp_path):
    other = tmp_path / "letter.txt"
    other.write_text("Dear reader")
    with pytest.raises(UnreadableInput):
        WebSite("http://127.0.0.1/", archive=other)
    assert other.read_text() == "Dear reader"
    with pytest.raises(InputNotFound):
        WebSite("http://127.0.0.1/", archive=tmp_path / "none" / "pages.warc.gz")


@pytest.mark.parametrize(
    "wrong", [{"concurrency": 0}, {"delay": -1.0}, {"user_agent": ""}, {"user_agent": "a\nb: c"}]
)
def test_options_that_make_no_sense_are_refused(wrong):
    with pytest.raises(InvalidInput):
        CrawlOptions(**wrong)


def test_many_sites_are_fetched_in_one_loop(tmp_path):
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        folder.mkdir()
        (folder / "index.html").write_text(f"<title>{folder.name}</title>")

    async def run(servers):
        sites = [WebSite(server.url, options=options()) for server in servers]
        found = await asyncio.gather(*(site.fetch([site.home]) for site in sites))
        await asyncio.gather(*(site.aclose() for site in sites))
        return [page.body for [page] in found]

    with serve(folders[0]) as a, serve(folders[1]) as b, serve(folders[2]) as c:
        assert asyncio.run(run([a, b, c])) == [
            b"<title>%s</title>" % name for name in (b"a", b"b", b"c")
        ]


def test_one_site_is_fetched_from_at_the_same_time(server):
    site = WebSite(server.url, options=options())

    async def run():
        urls = [[server.url + f"{n}.html"] for n in range(10, 20)]
        found = await asyncio.gather(*map(site.fetch, urls))
        await site.aclose()
        return found

    assert all(isinstance(page, Page) for [page] in asyncio.run(run()))


def test_a_site_lives_on_in_another_loop(server):
    site = WebSite(server.url, options=options())
    assert [type(fetch(site, [server.url + f"{n}.html"])[0]) for n in (20, 21, 20)] == [Page] * 3


def test_closing_twice_or_before_any_fetch_does_no_harm(server):
    async def run():
        site = WebSite(server.url)
        await site.aclose()
        await site.fetch([site.home])
        await site.aclose()
        await site.aclose()

    asyncio.run(run())


def test_scrapy_is_quiet_and_installs_no_reactor(server):
    program = f"""
        import asyncio, logging, sys
        from sitewright.site.web import WebSite

        assert "scrapy" not in sys.modules, "reading back must not wait for Scrapy"

        async def run():
            site = WebSite({server.url!r})
            pages = await site.fetch([site.home, site.home + "none", {fault(server, "loop/a")!r}])
            await site.aclose()
            print(pages[0].body.decode())

        asyncio.run(run())
        assert "twisted.internet.reactor" not in sys.modules
        assert not logging.getLogger().handlers
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("<title>Home</title>\n", "")
