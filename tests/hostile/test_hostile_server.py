"""A server that never ends, lies or floods costs little time and memory, and stops nothing."""

from __future__ import annotations

import time

import pytest

from sitewright.site.base import Missing, Page, Reason
from sitewright.site.warc_writer import WarcWriter
from sitewright.site.web import WebSite
from tests.hostile.wire import ENDLESS, hostile_server, links, page
from tests.site.live import fetch, options

TIMEOUT = 0.6


def fetched(server, paths, archive=None, **changes):
    """What becomes of some paths, one after the other in one site, and how long it took."""
    site = WebSite(server.url, archive=archive, options=options(**{"retries": 2, **changes}))
    start = time.monotonic()
    found = fetch(site, [server.url.rstrip("/") + path for path in paths])
    return found, time.monotonic() - start


@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_ends_is_asked_for_once_and_cut_at_the_time_out(name):
    with hostile_server({"/": links("/x"), "/x": ENDLESS[name]}) as server:
        [found, home], seconds = fetched(server, ["/x", "/"], timeout=TIMEOUT)
        assert server.count("/x") == 1
    assert isinstance(home, Page)
    assert found.reason is Reason.TIMED_OUT
    assert seconds < 5 * TIMEOUT + 2


def test_all_tries_and_redirects_of_a_url_share_one_time_out():
    """An answer that breaks off late is tried again, but only for what is left of the time."""

    def late(wire):
        wire.is_over.wait(0.4)
        wire.send(b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")

    def broken(wire):
        wire.is_over.wait(0.4)
        wire.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<p>")

    with hostile_server({"/a": late, "/b": broken}) as server:
        [found], seconds = fetched(server, ["/a"], timeout=1.0, retries=9)
    assert isinstance(found, Missing)
    assert found.reason is Reason.TIMED_OUT
    assert seconds < 4.0
    assert server.count("/b") <= 2


def test_a_url_that_timed_out_is_not_asked_for_again_in_the_same_run():
    async def twice(site, url):
        try:
            return [*await site.fetch([url]), *await site.fetch([url])]
        finally:
            await site.aclose()

    import asyncio  # noqa: PLC0415

    with hostile_server({"/x": ENDLESS["endless_body"]}) as server:
        site = WebSite(server.url, options=options(timeout=TIMEOUT, obey_robots=False))
        found = asyncio.run(twice(site, server.url + "x"))
        assert server.count("/x") == 1
    assert [one.reason for one in found] == [Reason.TIMED_OUT] * 2


@pytest.mark.slow
def test_a_host_that_stalls_often_gets_less_patience_and_is_named(caplog):
    paths = [f"/{number}" for number in range(12)]
    with (
        hostile_server(dict.fromkeys(paths, ENDLESS["silence"])) as server,
        caplog.at_level("WARNING", logger="sitewright"),
    ):
        found, seconds = fetched(server, paths, timeout=4.0, concurrency=8, obey_robots=False)
    assert {one.reason for one in found} == {Reason.TIMED_OUT}
    # Eight at full patience, all at once; then one a second, each at a quarter of it.
    assert seconds < 4 + 4 + 1 + 4
    assert "127.0.0.1" in caplog.text
    assert "slow" in caplog.text


def test_a_site_with_good_pages_keeps_its_patience():
    def slow(wire):
        wire.is_over.wait(0.3)
        wire.send(page("<title>Slow</title>"))

    good = [f"/good/{number}" for number in range(60)]
    bad = [f"/bad/{number}" for number in range(2)]
    answers = dict.fromkeys(good, page("<p>x")) | dict.fromkeys(bad, ENDLESS["silence"])
    with hostile_server(answers | {"/slow": slow}) as server:
        found, _ = fetched(server, [*good, *bad, "/slow"], timeout=0.8)
    assert isinstance(found[-1], Page)


def test_a_page_that_asks_for_a_long_wait_does_not_hold_the_others(caplog):
    busy = (
        b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 99999999\r\nContent-Length: 0\r\n"
        b"Connection: close\r\n\r\n"
    )
    good = [f"/{number}" for number in range(4)]
    with (
        hostile_server({"/busy": busy} | dict.fromkeys(good, page("<p>x"))) as server,
        caplog.at_level("WARNING", logger="sitewright"),
    ):
        found, seconds = fetched(server, ["/busy", *good], retries=2, back_off=0.1)
        assert server.count("/busy") == 3
    assert found[0] == Missing(server.url + "busy", Reason.HTTP_ERROR, "503")
    assert all(isinstance(one, Page) for one in found[1:])
    assert seconds < 10
    assert "/busy asks to wait 1e+08 s; other pages go on meanwhile" in caplog.text


def test_a_host_that_turns_every_page_away_for_long_is_left_alone(caplog):
    busy = b"HTTP/1.1 429 No\r\nRetry-After: 7200\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    paths = [f"/{number}" for number in range(40)]
    with (
        hostile_server({}, busy) as server,
        caplog.at_level("WARNING", logger="sitewright"),
    ):
        found, seconds = fetched(server, paths, back_off=0.01, obey_robots=False, concurrency=2)
        assert len(server.requests) <= 12
    assert {one.reason for one in found} == {Reason.HTTP_ERROR}
    assert "left alone for" in found[-1].detail
    assert seconds < 10
    assert "asks to be left alone for 7200 s, and is" in caplog.text


@pytest.mark.parametrize(
    "header",
    [
        "X-Sitewright-Size-Limit: " + "9" * 5000,
        "X-Sitewright-Size-Limit: 1",
        "Content-Length: " + "9" * 5000,
        "Content-Length: -1",
        "Content-Length: ٣",
        "Retry-After: " + "9" * 5000,
        "Retry-After: Thu, 01 Jan 99999999999 00:00:00 GMT",
        "Retry-After: Thu, 01 Jan 2026 00:00:00 +99999999999999999999",
        "Last-Modified: " + "9" * 5000,
        "Date: " + "9" * 5000,
        "Content-Encoding: " + "gzip," * 300,
        "Content-Type: text/html; charset=" + "x" * 5000,
        "Content-Type: text/html; charset=\x00",
        "Location: " + "/" * 5000,
        "X-Name: \x00\x01\x02",
        "A" * 5000 + ": b",
        ": b",
        "no colon at all",
        " folded",
        "Transfer-Encoding: gzip, chunked, chunked",
        "Transfer-Encoding: identity",
        "Set-Cookie: " + "a=b; " * 900,
    ],
)
@pytest.mark.parametrize(
    "status",
    [
        "200 OK",
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("302 Found", "503 Busy", "999 ?", "200")
        ),
    ],
)
def test_nothing_that_a_server_sends_stops_a_run_or_the_next_one(header, status, tmp_path):
    body = b"<!doctype html><title>Home</title>"
    length = b"" if "Length" in header or "Transfer" in header else b"Content-Length: 34\r\n"
    answer = (
        f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n".encode()
        + header.encode()
        + b"\r\n"
        + length
        + b"Connection: close\r\n\r\n"
        + body
    )
    archive = tmp_path / "pages.warc.gz"
    changes = {"timeout": 2.0, "retries": 1, "back_off": 0.01, "max_back_off": 0.1}
    with hostile_server({"/x": answer, "/": links("/x")}) as server:
        first, _ = fetched(server, ["/x", "/"], archive, **changes)
        again, _ = fetched(server, ["/x", "/"], archive, **changes)
    assert isinstance(first[1], Page)
    assert again == first
    if status == "200 OK" and "Size-Limit" in header:
        assert isinstance(first[0], Page)


def test_an_archive_that_was_poisoned_opens_again(tmp_path):
    """The header lies in archives that earlier versions wrote."""
    archive = tmp_path / "pages.warc.gz"
    with WarcWriter(archive) as writer:
        for number in range(3):
            headers = [
                ("Content-Type", "text/html"),
                (
                    "X-Sitewright-Size-Limit",
                    "9" * 5000 if number == 1 else "\N{ARABIC-INDIC DIGIT ONE}",
                ),
            ]
            writer.write_response(f"http://127.0.0.1:9/{number}", 200, headers, b"<p>")
    site = WebSite("http://127.0.0.1:9/", archive=archive, options=options())
    found = fetch(site, ["http://127.0.0.1:9/1"])
    assert [one.reason for one in found] == [Reason.TOO_LARGE]
