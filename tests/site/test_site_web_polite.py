"""Politeness: robots.txt, pauses, few requests at a time, and a rest for who asks for one."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import pairwise

import pytest
from live import fault, fetch, fetch_from, options, pretend_public, resolve_names, write_site
from scrapy.core import downloader
from scrapy.core.downloader import Slot

from examples.cup.faults import Faults
from examples.cup.server import serve
from sitewright.errors import InvalidInput
from sitewright.site.base import Missing, Page, Reason
from sitewright.site.polite import retry_after
from sitewright.site.web import USER_AGENT, CrawlOptions, WebSite


@pytest.fixture
def folder(tmp_path):
    return write_site(tmp_path, 12)


def urls(server, count):
    return [server.url + f"{number}.html" for number in range(count)]


@pytest.fixture
def watched(monkeypatch):
    """When each request was let go, and the least pause that had to be kept before it."""
    times, least = [], []

    class Watched(Slot):
        def __setattr__(self, name, value):
            if name == "lastseen" and value:
                times.append(value)
                least.append(self.delay * (1 - self.jitter))
            super().__setattr__(name, value)

    monkeypatch.setattr(downloader, "Slot", Watched)
    return times, least


@pytest.fixture
def departures(watched):
    """When each request was let go: the server's own clock would measure the machine's load."""
    return watched[0]


@pytest.fixture
def pauses(watched):
    """The least pause before each request, robots.txt and the first page left out.

    That Scrapy keeps it is Scrapy's to test; on a busy machine all gaps are long.
    """

    def since_the_first_page():
        return watched[1][2:]

    return since_the_first_page


def gaps(departures):
    """Give the times between the requests, robots.txt left out."""
    return [later - earlier + 0.005 for earlier, later in pairwise(departures[1:])]


def test_robots_txt_is_asked_first_once_and_obeyed(folder):
    robots = "User-agent: *\nDisallow: /1\nAllow: /11"
    with serve(folder, faults=Faults(robots=robots)) as server:
        found = fetch_from(server.url, urls(server, 12))
        assert server.paths[0] == "/robots.txt"
        assert server.paths.count("/robots.txt") == 1
        refused = [missing for missing in found if isinstance(missing, Missing)]
        assert refused == [Missing(server.url + f"{n}.html", Reason.DISALLOWED) for n in (1, 10)]
        assert not {"/1.html", "/10.html"} & set(server.paths)


def test_robots_txt_speaks_to_us_by_name(folder):
    robots = "User-agent: sitewright\nDisallow: /\n\nUser-agent: *\nAllow: /"
    with serve(folder, faults=Faults(robots=robots)) as server:
        assert fetch_from(server.url, [server.url])[0].reason is Reason.DISALLOWED
        [page] = fetch_from(server.url, [server.url], user_agent="somebody/2.0")
        assert isinstance(page, Page)


def test_a_redirect_to_a_disallowed_page_is_refused(folder):
    faults = Faults(paths=True, robots="User-agent: *\nDisallow: /1.html")
    with serve(folder, faults=faults) as server:
        [missing] = fetch_from(server.url, [fault(server, "redirect?to=/1.html")])
        assert missing.reason is Reason.DISALLOWED
        assert "/1.html" not in server.paths


def test_robots_txt_can_be_ignored_on_request(folder):
    with serve(folder, faults=Faults(robots="User-agent: *\nDisallow: /")) as server:
        assert isinstance(fetch_from(server.url, [server.url], obey_robots=False)[0], Page)
        assert server.paths == ["/"]


def test_what_robots_txt_forbids_does_not_use_up_the_page_limit(folder):
    with serve(folder, faults=Faults(robots="User-agent: *\nDisallow: /0")) as server:
        site = WebSite(server.url, options=options(max_pages=1))
        assert fetch(site, urls(server, 1))[0].reason is Reason.DISALLOWED
        assert isinstance(fetch(site, [server.url])[0], Page)


@pytest.mark.parametrize(
    ("location", "reason"),
    [("error/500", Reason.DISALLOWED), ("busy/429?after=9", Reason.DISALLOWED), ("none", None)],
)
def test_a_robots_txt_that_fails_forbids_and_one_that_is_not_there_allows(folder, location, reason):
    with serve(folder, faults=Faults(paths=True)) as server:
        answer = server.answer

        def with_robots(target, times):
            return answer("/_faults/" + location if target == "/robots.txt" else target, times)

        server.answer = with_robots
        [found] = fetch_from(server.url, [server.url], back_off=0.0, max_back_off=0.0)
        assert getattr(found, "reason", None) is reason


def test_who_waits_for_robots_txt_does_not_depend_on_who_asked_first(folder):
    with serve(folder) as server:
        site = WebSite(server.url, options=options())

        async def run():
            first = asyncio.create_task(site.fetch([server.url]))
            while not server.requests:
                await asyncio.sleep(0)
            second = asyncio.create_task(site.fetch(urls(server, 1)))
            first.cancel()
            [page] = await asyncio.wait_for(second, 5)
            await site.aclose()
            return page

        assert isinstance(asyncio.run(run()), Page)


def test_a_crawl_delay_is_kept(folder, pauses):
    robots = "User-agent: *\nCrawl-delay: 0.2"
    with serve(folder, faults=Faults(robots=robots)) as server:
        fetch_from(server.url, urls(server, 4))
    assert len(pauses()) == 3
    assert min(pauses()) >= 0.2


def test_a_crawl_delay_without_measure_is_cut(folder, pauses, caplog):
    robots = "User-agent: *\nCrawl-delay: 3600"
    with serve(folder, faults=Faults(robots=robots)) as server:
        fetch_from(server.url, urls(server, 3), max_crawl_delay=0.1)
    assert min(pauses()) >= 0.1
    assert "asks for a Crawl-delay of 3600 s; it gets 0.1 s" in caplog.text


def test_throttling_never_goes_below_the_crawl_delay(folder, pauses):
    robots = "User-agent: *\nCrawl-delay: 0.15"
    with serve(folder, faults=Faults(robots=robots)) as server:
        fetch_from(server.url, urls(server, 5), delay=0.01)
    assert min(pauses()) >= 0.15


def test_requests_are_spaced_by_the_delay(folder, pauses):
    with serve(folder) as server:
        fetch_from(server.url, urls(server, 5), delay=0.1)
    assert min(pauses()) >= 0.05  # varied by half


def test_a_public_host_is_not_asked_in_a_hurry(folder, pauses, monkeypatch):
    resolve_names(monkeypatch, {"public.example.com": "127.0.0.1"})
    pretend_public(monkeypatch)
    with serve(folder) as server:
        start = f"http://public.example.com:{server.server_port}/"
        fetch_from(start, [start, start + "1.html"])
    assert min(pauses()) >= 0.125


def test_few_requests_are_made_at_a_time(folder):
    with serve(folder, faults=Faults(slow=1.0, delay=0.05)) as server:
        fetch_from(server.url, urls(server, 12), concurrency=3)
        assert 2 <= server.busiest <= 3


def test_the_user_agent_says_who_asks(folder):
    with serve(folder) as server:
        fetch_from(server.url, [server.url])
        fetch_from(server.url, [server.url], user_agent="mine/1.0 (+http://me.example)")
    assert f"sitewright/{version('sitewright')}" == USER_AGENT
    assert [hit.user_agent for hit in server.requests] == (
        [USER_AGENT] * 2 + ["mine/1.0 (+http://me.example)"] * 2
    )


@pytest.mark.parametrize("contact", ["ada@cup.example", "https://cup.example/crawler?who=ada"])
def test_the_user_agent_names_the_person_who_crawls_where_one_is_given(folder, contact):
    with serve(folder) as server:
        fetch_from(server.url, [server.url], contact=contact)
    assert {hit.user_agent for hit in server.requests} == {f"{USER_AGENT} (+{contact})"}


@pytest.mark.parametrize(
    "nobody", ["", "ada", "ada@", "a b@c.example", "a@b.example\r\nX: y", "ftp://x.example", "a@b)"]
)
def test_a_contact_that_cannot_be_written_to_is_refused(nobody):
    with pytest.raises(InvalidInput, match="e-mail address"):
        CrawlOptions(contact=nobody)


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_host_is_left_alone_for_as_long_as_it_asks(folder, departures, status):
    with serve(folder, faults=Faults(paths=True)) as server:
        busy = fault(server, f"busy/{status}?after=1&retry=1")
        slow = fault(server, "slow?seconds=0.6")
        found = fetch_from(server.url, [busy, slow, *urls(server, 5)], retries=1, concurrency=2)
    assert all(isinstance(page, Page) for page in found)
    # robots.txt, the busy and the slow page went out; then all others waited, not the first alone.
    assert departures[3] - departures[1] >= 1.0


def test_the_rest_that_a_host_asks_for_has_a_limit(folder):
    with serve(folder, faults=Faults(paths=True)) as server:
        busy = fault(server, "busy/429?after=1&retry=86400")
        [page] = fetch_from(server.url, [busy], retries=1, max_back_off=0.1)
        assert isinstance(page, Page)


def test_without_a_word_about_when_the_pause_grows_with_each_try(folder, departures):
    with serve(folder, faults=Faults(paths=True)) as server:
        busy = fault(server, "busy/429?after=2&retry=")
        [page] = fetch_from(server.url, [busy], retries=2, back_off=0.1)
    assert isinstance(page, Page)
    first, second = gaps(departures)
    assert first >= 0.1
    assert second >= 0.2


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (b"120", 120.0),
        (b" 0 ", 0.0),
        (b"Fri, 01 Nov 2024 12:00:30 GMT", 30.0),
        (b"Fri, 01 Nov 2024 11:00:00 GMT", 0.0),
        (b"Fri, 01 Nov 2024 13:00:30 +0100", 30.0),
        (b"Fri, 01 Nov 2024 12:00:30 -0000", 30.0),
        (b"soon", None),
        (b"-5", None),
        (b"\xb2", None),
        (b"", None),
        (None, None),
    ],
)
def test_retry_after_is_a_number_or_a_date(value, seconds):
    assert retry_after(value, datetime(2024, 11, 1, 12, tzinfo=UTC)) == seconds
