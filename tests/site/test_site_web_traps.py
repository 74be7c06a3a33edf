"""Traps: URLs without end are bounded, and big sites are not hurt."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live import fault, fetch, fetch_from, options, write_site

from examples.cup.faults import Faults
from examples.cup.server import serve
from sitewright.site.base import Page, Reason
from sitewright.site.guard import (
    MAX_DEPTH,
    BarrenPatterns,
    Limits,
    TrapCounter,
    growth_of,
    misshapen,
)
from sitewright.site.web import WebSite

HOST = "https://example.org"


@pytest.mark.parametrize(
    "path",
    [
        "/a/b/a/b/a/b",
        "/shop/x/a/a/a",
        "/en/fr/de/en/fr/de/en/fr/de/page.html",
        "/a/b/a/c/a/d/a/e/a",
        "/" + "/".join(map(str, range(MAX_DEPTH + 1))),
        "/?q=" + "x" * 2000,
    ],
)
def test_an_endless_path_shows_in_its_shape(path):
    assert misshapen(HOST + path)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/a/a/b.html",
        "/docs/api/docs/api/index.html",
        "/tiles/0/0/0/0/0/0.html",
        "/2024/01/01/01/",
        "/a/b/c/d/e/f/g/h/i/j/k/l",
        "/wiki/New_York,_New_York/New_York",
    ],
)
def test_an_ordinary_path_has_no_such_shape(path):
    assert misshapen(HOST + path) is None


@given(st.lists(st.integers(0, 10**9), max_size=300))
def test_pages_told_apart_by_their_path_are_never_a_trap(numbers):
    counter = TrapCounter(Limits(dates=1, facets=1, tokens=1, queries=1, patterns=1))
    for number in numbers:
        assert counter.trap(f"{HOST}/players/{number}.html") is None
        assert counter.trap(f"{HOST}/team-{number}/squad") is None


@pytest.mark.parametrize(
    ("rest", "kind", "pattern"),
    [
        ("/list?page=2", "queries", "example.org/list?page"),
        ("/topic12.php?f=3&t=99", "queries", "example.org/topic0.php?f&t"),
        ("/search?brand=x&color=red&size=9", "facets", "example.org/search?brand&color&size"),
        ("/cal?month=1&year=2024", "dates", "example.org/cal?month&year"),
        ("/cal?d=2024-01-31", "dates", "example.org/cal?d"),
        ("/events/2024/01/", "dates", "example.org/events/0/0/"),
        ("/events/2024-01-31", "dates", "example.org/events/0-0-0"),
        ("/a?token=0123456789abcdef0123456789abcdef", "tokens", "example.org/a?token"),
    ],
)
def test_growth_has_a_kind_and_a_pattern(rest, kind, pattern):
    assert growth_of(HOST + rest) == (kind, pattern)


@pytest.mark.parametrize("rest", ["/", "/2024/01/31/a-story.html", "/a/b/c.html", "/2024/"])
def test_most_pages_cannot_grow(rest):
    assert growth_of(HOST + rest) is None


@given(st.sampled_from(["dates", "facets", "tokens", "queries"]), st.integers(0, 30))
def test_each_kind_of_growth_ends_at_its_limit(kind, limit):
    urls = {
        "dates": "/cal?year={}",
        "facets": "/search?a={}&b=1&c=2",
        "tokens": "/x?k={:032d}a",
        "queries": "/list?page={}",
    }
    counter = TrapCounter(Limits(**{kind: limit}))
    passed = [counter.trap(HOST + urls[kind].format(n)) is None for n in range(limit + 5)]
    assert passed == [True] * limit + [False] * 5


def test_the_default_limits_let_big_sites_through():
    counter = TrapCounter()
    assert not any(counter.trap(f"{HOST}/item?id={n}") for n in range(20_000))
    assert counter.trap(f"{HOST}/item?id=20000") == (
        "more than 20000 URLs like example.org/item?id"
    )


def test_memory_is_bounded_however_many_patterns_there_are():
    counter = TrapCounter(Limits(queries=5, patterns=10))
    names = ["".join(chr(97 + int(digit)) for digit in str(number)) for number in range(1000)]
    let_through = [name for name in names if not counter.trap(f"{HOST}/{name}?q=1")]
    assert let_through == names[: 10 + 5]  # ten are counted one by one, all others together


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serve(write_site(tmp_path_factory.mktemp("s")), faults=Faults(paths=True)) as running:
        yield running


def follow(site, start, rounds):
    """Follow all links, round after round; give the pages and the refusals."""
    pages, refused, front, seen = [], [], [start], {start}
    for _ in range(rounds):
        found = fetch(site, front)
        pages += [page for page in found if isinstance(page, Page)]
        refused += [missing for missing in found if not isinstance(missing, Page)]
        links = {
            site.page_url(site.home.rstrip("/") + link.replace("&amp;", "&"))
            for page in found
            if isinstance(page, Page)
            for link in re.findall(r'href="([^"]+)"', page.body.decode())
        }
        front = sorted(links - seen)
        seen |= links
        if not front:
            break
    return pages, refused


def test_an_endless_calendar_ends(server):
    site = WebSite(server.url, options=options(trap_limits=Limits(dates=15)))
    pages, refused = follow(site, fault(server, "calendar?month=6&year=2024"), 20)
    assert len(pages) == 15
    assert {missing.reason for missing in refused} == {Reason.TRAP}
    assert site.tally[Reason.TRAP] == len(refused)


def test_a_growing_path_ends(server):
    site = WebSite(server.url, options=options(concurrency=16))
    pages, refused = follow(site, fault(server, "grow/more"), 20)
    assert len(pages) < 50
    assert {missing.reason for missing in refused} == {Reason.TRAP}


def test_session_ids_make_no_new_pages(server):
    site = WebSite(server.url, options=options())
    pages, refused = follow(site, fault(server, "session/a"), 20)
    assert [page.url for page in pages] == [fault(server, f"session/{name}") for name in "abc"]
    assert refused == []


def test_a_redirect_into_a_trap_is_refused(server):
    [missing] = fetch_from(server.url, [fault(server, "redirect?to=/x/x/x/x/")])
    assert missing.reason is Reason.TRAP


def test_paths_that_grow_are_left_when_their_pages_say_the_same():
    patterns = BarrenPatterns()
    for n in range(30):
        url = f"http://a.example/grow/{'x/y/' * (n % 2)}{n}/more/z"
        patterns.note(url, lambda: b"the same", [f"{url}/deeper", f"{url}/x/y"])
    assert "lead to nothing new" in patterns.trap("http://a.example/grow/1/2/3/4")
    assert patterns.trap("http://a.example/other/1/2/3/4") is None
    assert patterns.trap("http://a.example/grow/1") is None
    patterns.note("http://a.example/grow/a/b/c", lambda: b"the same", ["http://a.example/new"])
    assert patterns.trap("http://a.example/grow/1/2/3/4") is None


def test_months_that_lead_to_empty_days_are_a_trap_like_these():
    patterns = BarrenPatterns()
    for n in range(60):
        month = f"http://127.0.0.1:8000/events/{2020 + n // 12}/{1 + n % 12}/"
        patterns.note(month, lambda: b"a month", [f"{month}{day}/" for day in range(1, 29)])
        patterns.note(f"{month}7/", lambda: b"a day", [f"{month}8/"])
    why = patterns.trap("http://127.0.0.1:8000/events/2040/1/")
    assert why.endswith("pages like 127.0.0.1/events/0/0/ say the same and lead to nothing new")
    patterns.note("http://127.0.0.1:8000/events/2041/1/", lambda: b"", ["http://127.0.0.1/talk"])
    assert patterns.trap("http://127.0.0.1:8000/events/2040/1/") is None


def test_deep_pages_that_say_something_are_no_trap():
    patterns = BarrenPatterns()
    for n in range(100):
        url = f"http://a.example/docs/{n}/part/page"
        patterns.note(url, lambda n=n: b"%d" % n, [f"{url}/deeper"])
    assert patterns.trap("http://a.example/docs/1/2/3/4") is None
