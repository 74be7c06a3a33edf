"""The archive: every answer goes in, nothing is fetched twice, and nothing that came is lost."""

from __future__ import annotations

import asyncio
import errno
import gc
import tempfile

import pytest
from live import fault, fetch, fetch_from, options, write_site

from examples.cup.faults import Faults
from examples.cup.server import serve
from sitewright.errors import InvalidInput
from sitewright.site import engine
from sitewright.site.base import Page, Reason
from sitewright.site.scope import ScopeKind
from sitewright.site.warc import read_records
from sitewright.site.warc_writer import WarcWriter
from sitewright.site.web import WebSite


@pytest.fixture
def archive(tmp_path):
    return tmp_path / "pages.warc.gz"


@pytest.fixture
def server(tmp_path):
    (tmp_path / "site").mkdir()
    folder = write_site(tmp_path / "site", 20)
    with serve(folder, faults=Faults(paths=True, robots="User-agent: *\nDisallow: /9")) as running:
        yield running


def numbered(server, *numbers):
    return [server.url + f"{number}.html" for number in numbers]


def test_a_second_run_asks_the_server_for_nothing(server, archive):
    urls = [
        server.url,
        *numbered(server, 1, 2, 9),
        server.url + "none",
        fault(server, "redirect?to=/3.html"),
        fault(server, "chain/4"),
        fault(server, "loop/a"),
        fault(server, "redirect?to=file:///etc/passwd"),
        fault(server, "gzip"),
        fault(server, "charset/koi8-r"),
        fault(server, "type/text/plain"),
        fault(server, "large?bytes=200000"),
        fault(server, "bomb?bytes=200000"),
        fault(server, "error/403"),
    ]
    first = fetch_from(server.url, urls, archive, max_size=100_000)
    assert server.requests != []
    server.requests.clear()
    assert fetch_from(server.url, urls, archive, max_size=100_000) == first
    assert server.requests == []


def test_an_archive_is_read_back_without_the_server(tmp_path, archive):
    (tmp_path / "site").mkdir()
    with serve(write_site(tmp_path / "site", 3), faults=Faults(paths=True)) as server:
        urls = [*numbered(server, 0, 1, 2), fault(server, "chain/2")]
        first = fetch_from(server.url, urls, archive)
    assert fetch_from(server.url, urls, archive) == first
    assert all(isinstance(page, Page) for page in first)


def test_every_answer_is_in_the_archive_as_it_came(server, archive):
    fetch_from(
        server.url, [fault(server, "redirect?to=/_faults/gzip"), server.url + "none"], archive
    )
    records = {
        record.url.removeprefix(server.url): record.reply for record in read_records(archive)
    }
    assert {path: reply.status for path, reply in records.items()} == {
        "robots.txt": 200,
        "_faults/redirect?to=/_faults/gzip": 302,
        "_faults/gzip": 200,
        "none": 404,
    }
    assert records["_faults/gzip"].header("content-encoding") == "gzip"
    assert records["_faults/gzip"].body.startswith(b"\x1f\x8b")


def test_what_failed_is_worth_another_try_in_the_next_run(server, archive):
    urls = [fault(server, "heals?after=1"), fault(server, "busy/429?after=1")]
    assert [f.reason for f in fetch_from(server.url, urls, archive, max_back_off=0.0)] == [
        Reason.HTTP_ERROR,
        Reason.HTTP_ERROR,
    ]
    assert [type(f) for f in fetch_from(server.url, urls, archive)] == [Page, Page]


def test_a_page_that_was_too_large_is_asked_for_again_under_a_higher_limit(server, archive):
    urls = [fault(server, "large?bytes=200000")]
    assert fetch_from(server.url, urls, archive, max_size=1000)[0].reason is Reason.TOO_LARGE
    server.requests.clear()
    assert fetch_from(server.url, urls, archive, max_size=900)[0].reason is Reason.TOO_LARGE
    assert server.requests == []
    [page] = fetch_from(server.url, urls, archive, max_size=1_000_000)
    assert len(page.body) == 200_000
    site = WebSite(server.url, archive=archive, options=options(max_size=1_000_000))
    assert [len(page.body) for page in site.pages()] == [200_000]


def test_a_body_that_is_no_page_is_not_downloaded(server, archive):
    fetch_from(server.url, [fault(server, "large/video/mp4?bytes=5000000")], archive)
    [record] = [r for r in read_records(archive) if "large" in r.url]
    assert (record.reply.header("Content-Type"), record.reply.body) == ("video/mp4", b"")


def test_many_redirects_to_one_page_fetch_it_once(server, archive):
    urls = [fault(server, f"redirect?to=/5.html&from={n}") for n in range(8)]
    pages = fetch_from(server.url, urls, archive, concurrency=8)
    assert {page.url for page in pages} == {server.url + "5.html"}
    assert server.paths.count("/5.html") == 1


def test_the_page_limit_counts_what_is_read_back(server, archive):
    def run():
        found = fetch_from(server.url, numbered(server, 1, 2, 3), archive, max_pages=2)
        return [type(outcome) for outcome in found]

    first = run()
    server.requests.clear()
    assert run() == first
    assert server.requests == []


def test_robots_txt_is_asked_for_again_after_a_day(server, archive, monkeypatch):
    fetch_from(server.url, numbered(server, 1), archive)
    server.requests.clear()
    fetch_from(server.url, numbered(server, 2), archive)
    assert server.paths == ["/2.html"]
    monkeypatch.setattr(engine, "ROBOTS_MAX_AGE", -1.0)
    server.requests.clear()
    fetch_from(server.url, numbered(server, 1, 3), archive)
    assert server.paths == ["/robots.txt", "/3.html"]


def test_pages_are_all_at_hand_once_each_in_the_order_of_their_urls(server, archive):
    urls = [
        *numbered(server, 3, 1),
        server.url + "none",
        fault(server, "redirect?to=/1.html"),
        fault(server, "gzip"),
        fault(server, "type/text/plain"),
    ]
    fetch_from(server.url, urls, archive, concurrency=1)
    site = WebSite(server.url, archive=archive)
    pages = list(site.pages())
    assert [page.url for page in pages] == [*numbered(server, 1, 3), fault(server, "gzip")]
    assert pages[2].body.startswith(b"<!DOCTYPE html><title>Packed")
    assert list(site.pages()) == pages
    narrow = WebSite(fault(server, "gzip"), archive=archive, scope=ScopeKind.PREFIX)
    assert [page.url for page in narrow.pages()] == [fault(server, "gzip")]


def test_pages_are_at_hand_while_others_are_fetched(server):
    site = WebSite(server.url, options=options())

    async def run():
        await site.fetch(numbered(server, 1))
        first = [page.url for page in site.pages()]
        await site.fetch(numbered(server, 2))
        await site.aclose()
        return first, [page.url for page in site.pages()]

    assert asyncio.run(run()) == (numbered(server, 1), numbered(server, 1, 2))


def test_a_cancelled_run_keeps_what_came_and_goes_on_from_there(tmp_path, archive):
    (tmp_path / "site").mkdir()
    folder = write_site(tmp_path / "site", 20)
    with serve(folder, faults=Faults(slow=1.0, delay=0.03)) as server:
        urls = numbered(server, *range(20))

        async def interrupted():
            site = WebSite(server.url, archive=archive, options=options())
            task = asyncio.create_task(site.fetch(urls))
            while len(server.requests) < 9:
                await asyncio.sleep(0.001)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await site.aclose()

        asyncio.run(interrupted())
        kept = {record.url for record in read_records(archive)} & set(urls)
        assert len(kept) >= 4
        server.requests.clear()
        assert all(isinstance(page, Page) for page in fetch_from(server.url, urls, archive))
        fetched = {server.url + path[1:] for path in server.paths}
        assert fetched == set(urls) - kept


def test_an_answer_that_nobody_waits_for_any_more_is_kept(tmp_path, archive):
    (tmp_path / "site").mkdir()
    folder = write_site(tmp_path / "site", 2)
    with serve(folder, faults=Faults(slow=1.0, delay=0.1)) as server:
        site = WebSite(server.url, archive=archive, options=options(obey_robots=False))

        async def run():
            task = asyncio.create_task(site.fetch(numbered(server, 0)))
            while not server.requests:
                await asyncio.sleep(0.001)
            task.cancel()
            await site.fetch(numbered(server, 0, 1))
            await site.aclose()

        asyncio.run(run())
        assert sorted(server.paths) == ["/0.html", "/1.html"]


def test_a_record_that_a_killed_run_left_unfinished_is_cut_off(server, archive):
    fetch_from(server.url, numbered(server, 1, 2), archive)
    whole = archive.read_bytes()
    archive.write_bytes(whole[:-20])
    server.requests.clear()
    found = fetch_from(server.url, numbered(server, 1, 2), archive)
    assert all(isinstance(page, Page) for page in found)
    assert len(server.requests) == 1


@pytest.mark.parametrize("obey_robots", [True, False])
def test_a_full_disk_ends_the_run_in_one_line(server, archive, monkeypatch, obey_robots):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(WarcWriter, "write_response", full)
    urls = numbered(server, *range(8))
    with pytest.raises(InvalidInput, match=r"pages\.warc\.gz: cannot be written: No space left"):
        fetch_from(server.url, urls, archive, obey_robots=obey_robots)
    assert len(server.requests) <= 4


def test_a_temporary_archive_goes_with_its_site(server, tmp_path, monkeypatch):
    (folder := tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    site = WebSite(server.url, options=options())
    fetch(site, [server.url])
    assert len(list(folder.rglob("*.warc.gz"))) == 1
    del site
    gc.collect()
    assert list(folder.iterdir()) == []
