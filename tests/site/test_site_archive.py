"""A WARC or WACZ file as the site that it keeps."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import zipfile
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitewright.errors import InputNotFound, InvalidURL, UnreadableInput
from sitewright.site.archive import ArchiveSite
from sitewright.site.archive_files import spooled, unwrapped
from sitewright.site.base import Missing, Page, Reason
from sitewright.site.scope import ScopeKind
from sitewright.site.warc_writer import WarcWriter

if TYPE_CHECKING:
    from pathlib import Path

HTML = [("Content-Type", "text/html; charset=iso-8859-1")]
HOST = "http://example.org"


def fetch(site: ArchiveSite, *urls: str) -> list[Page | Missing]:
    return asyncio.run(site.fetch(urls))


def missing(site: ArchiveSite, url: str) -> Reason:
    (outcome,) = fetch(site, url)
    assert isinstance(outcome, Missing)
    return outcome.reason


def paths(site: ArchiveSite) -> list[str]:
    return [page.url.removeprefix(HOST) for page in site.pages()]


def write(path: Path, *responses: tuple) -> Path:
    """Each response is a URL and, if not an empty page, its status, headers and body."""
    with WarcWriter(path) as writer:
        for url, *rest in responses:
            status, headers, body = rest or (200, HTML, b"<html>" + url.encode())
            writer.write_response(url if ":" in url else HOST + url, status, headers, body)
    return path


def redirect(url: str, to: str) -> tuple:
    return url, 302, [("Location", to)], b""


@pytest.fixture
def opened(tmp_path):
    """Opens an archive of these responses, and closes it after the test."""
    sites = []

    def open_site(*responses: tuple, **options) -> ArchiveSite:
        path = write(tmp_path / f"{len(sites)}.warc.gz", *responses)
        sites.append(ArchiveSite(path, **options))
        return sites[-1]

    yield open_site
    for site in sites:
        asyncio.run(site.aclose())


def test_pages_are_read_with_the_encoding_that_the_server_declared(opened):
    site = opened(("/",), ("/a",))
    assert fetch(site, HOST + "/a#b") == [
        Page(HOST + "/a", b"<html>/a", "iso-8859-1", HOST + "/a#b")
    ]


def test_all_pages_are_streamed_once_in_the_order_of_the_file(opened):
    site = opened(
        ("/",),
        ("/b",),
        ("/a", 200, HTML, b"old"),
        ("/logo.png", 200, [("Content-Type", "image/png")], b"PNG"),
        ("/gone", 404, HTML, b"<html>"),
        redirect("/old", "/a"),
        ("http://example.com/",),
        ("/a",),
        ("/untyped", 200, [], b"<!doctype html>"),
        ("/unknown", 200, [], b"?"),
    )
    assert paths(site) == ["/", "/b", "/a", "/untyped"]
    assert paths(site) == paths(site)
    assert next(page.body for page in site.pages() if page.url == HOST + "/a") == b"<html>/a"
    assert all(site.page_url(page.url) == page.url for page in site.pages())
    assert site.tally == Counter()


def test_what_cannot_be_had_has_a_reason(opened):
    site = opened(
        ("/",),
        ("/gone", 404, HTML, b""),
        ("/broken", 500, HTML, b""),
        ("/logo.png", 200, [("Content-Type", "image/png")], b"PNG"),
    )
    assert missing(site, HOST + "/nothing") is Reason.NOT_FOUND
    assert missing(site, HOST + "/gone") is Reason.NOT_FOUND
    assert missing(site, HOST + "/broken") is Reason.HTTP_ERROR
    assert missing(site, HOST + "/logo.png") is Reason.NOT_HTML
    assert missing(site, "http://example.com/") is Reason.OUT_OF_SCOPE
    assert missing(site, "mailto:a@example.org") is Reason.OUT_OF_SCOPE
    assert missing(site, HOST + "/nothing") is Reason.NOT_FOUND
    assert site.tally == {
        Reason.NOT_FOUND: 2,
        Reason.HTTP_ERROR: 1,
        Reason.NOT_HTML: 1,
        Reason.OUT_OF_SCOPE: 2,
    }


def test_redirects_are_followed_within_scope(opened):
    site = opened(
        ("/",),
        ("/c",),
        redirect("/a", "b"),
        redirect("/b", "/c#part"),
        redirect("/out", "http://example.com/"),
        redirect("/loop", "/pool"),
        redirect("/pool", "/loop"),
        redirect("/self", "/self"),
        redirect("/lost", "/nothing"),
        redirect("/broken", "http://[::1"),
        *(redirect(f"/{number}", f"/{number + 1}") for number in range(12)),
        ("/12",),
    )
    assert fetch(site, HOST + "/a") == [Page(HOST + "/c", b"<html>/c", "iso-8859-1", HOST + "/a")]
    assert isinstance(fetch(site, HOST + "/2")[0], Page)
    assert missing(site, HOST + "/0") is Reason.BAD_REDIRECT
    assert missing(site, HOST + "/out") is Reason.OUT_OF_SCOPE
    assert missing(site, HOST + "/loop") is Reason.BAD_REDIRECT
    assert missing(site, HOST + "/self") is Reason.BAD_REDIRECT
    assert missing(site, HOST + "/lost") is Reason.NOT_FOUND
    assert missing(site, HOST + "/broken") is Reason.OUT_OF_SCOPE


def test_home_is_the_root_of_the_host_with_most_pages(opened):
    assert opened(("http://a.org/",), ("/x",), ("/",)).home == HOST + "/"
    assert opened(("http://a.org/",), ("/x",), ("/y",)).home == HOST + "/x"
    assert opened(("http://a.org/x",), ("/",)).home == "http://a.org/x"


def test_home_can_be_named(opened):
    pages = [("/",), ("/a/",), ("/a/b",), redirect("/start", "/a/"), ("http://www.example.com/",)]
    assert opened(*pages, start=HOST + "/start").home == HOST + "/a/"
    assert opened(*pages, start="https://example.com").home == "http://www.example.com/"
    assert paths(opened(*pages, start=HOST + "/a/", scope=ScopeKind.PREFIX)) == ["/a/", "/a/b"]
    for start in (HOST + "/nothing", "nonsense"):
        with pytest.raises(InvalidURL, match="no page of this archive"):
            opened(*pages, start=start)


def test_a_domain_has_all_its_hosts(opened):
    pages = [("/",), ("http://shop.example.org/",), ("http://example.com/",)]
    site = opened(*pages, scope=ScopeKind.DOMAIN)
    assert [page.url for page in site.pages()] == [HOST + "/", "http://shop.example.org/"]


def test_links_find_pages_under_the_other_scheme_and_name(opened):
    site = opened(("https://www.example.org/",), ("https://www.example.org/a",), ("/b",))
    assert site.page_url("http://example.org/a") == "https://www.example.org/a"
    assert site.page_url("https://www.example.org/b") == "http://example.org/b"
    assert site.page_url("http://example.org/nothing") == "http://example.org/nothing"
    assert fetch(site, "http://www.example.org/a")[0].url == "https://www.example.org/a"


def test_compressed_bodies_are_unpacked(opened):
    packed = [*HTML, ("Content-Encoding", "gzip")]
    site = opened(("/", 200, packed, gzip.compress(b"<html>packed")))
    assert [page.body for page in site.pages()] == [b"<html>packed"]


def test_a_bomb_in_a_body_is_too_large(opened):
    packed = [*HTML, ("Content-Encoding", "gzip")]
    site = opened(("/",), ("/bomb", 200, packed, gzip.compress(bytes(4 << 20))), max_size=1 << 20)
    assert missing(site, HOST + "/bomb") is Reason.TOO_LARGE
    assert paths(site) == ["/"]
    assert site.tally == {Reason.TOO_LARGE: 1}


def test_damaged_records_are_counted_and_the_rest_read(tmp_path, caplog):
    path = write(tmp_path / "a.warc.gz", ("/",), ("/a",), ("/b",))
    data = bytearray(path.read_bytes())
    data[data.index(b"\x1f\x8b\x08", 600) + 40] ^= 0xFF
    path.write_bytes(data)
    site = ArchiveSite(path)
    assert len(paths(site)) == 2
    assert site.tally == {Reason.UNREADABLE: 1}
    asyncio.run(site.aclose())
    assert [one.getMessage() for one in caplog.records] == [
        f"{path}: 1 record is damaged or cut off; the others are read"
    ]


@pytest.mark.parametrize(
    "wrap", [gzip.decompress, lambda data: gzip.compress(gzip.decompress(data))]
)
def test_archives_without_members_are_read_too(tmp_path, wrap):
    path = write(tmp_path / "a.warc.gz", ("/",), ("/a",), ("/b",))
    path.write_bytes(wrap(path.read_bytes()))
    site = ArchiveSite(path)
    assert paths(site) == ["/", "/a", "/b"]
    assert fetch(site, HOST + "/b")[0].body == b"<html>/b"
    asyncio.run(site.aclose())


def test_a_large_archive_compressed_as_a_whole_is_unpacked_once(tmp_path):
    noise = b"<html>" + random.Random(1).randbytes(3 << 20)
    path = write(tmp_path / "a.warc.gz", ("/",), ("/a", 200, HTML, noise), ("/b", 200, HTML, noise))
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes())))
    with unwrapped(path.open("rb"), "a") as stream:
        assert stream.read(5) == b"" or stream.seek(0) == 0
        assert stream.name != str(path)
    site = ArchiveSite(path)
    assert paths(site) == ["/", "/a", "/b"]
    asyncio.run(site.aclose())
    with pytest.raises(UnreadableInput, match="unpacks to more than 1000 bytes"):
        unwrapped(path.open("rb"), "a", max_spool=1000)


def test_a_spool_has_a_limit():
    with pytest.raises(UnreadableInput, match="unpacks to more than 10 bytes"):
        spooled([b"12345"] * 3, "a", 10)


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04", b"<html>", b"PK" + bytes(100)])
def test_a_file_of_another_kind_is_refused(tmp_path, content):
    path = tmp_path / "a.warc"
    path.write_bytes(content)
    with pytest.raises(UnreadableInput, match="not a WA"):
        ArchiveSite(path)


def test_an_archive_must_be_there_and_hold_pages(tmp_path, opened):
    with pytest.raises(InputNotFound):
        ArchiveSite(tmp_path / "nothing.warc")
    with pytest.raises(UnreadableInput, match="not a file"):
        ArchiveSite(tmp_path)
    with pytest.raises(UnreadableInput, match="no pages in this archive"):
        opened(("/gone", 404, HTML, b""))
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"hello"))
    with pytest.raises(UnreadableInput, match="no pages in this archive"):
        ArchiveSite(tmp_path / "a.gz")


# ------------------------------------------------------------------------------ WACZ


def wacz(path: Path, warcs: dict[str, bytes], method: int = zipfile.ZIP_STORED, **listings) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in warcs.items():
            archive.writestr(name, data)
        for name, text in listings.items():
            archive.writestr(
                {"package": "datapackage.json", "pages": "pages/pages.jsonl"}[name], text
            )
    return path


@pytest.fixture
def warcs(tmp_path):
    first = write(tmp_path / "1.warc.gz", ("/",), ("/a",), redirect("/old", "/b"))
    second = write(tmp_path / "2.warc.gz", ("/b",), ("/a", 200, HTML, b"<html>newer"))
    return {
        "archive/2.warc.gz": second.read_bytes(),
        "archive/1.warc": gzip.decompress(first.read_bytes()),
    }


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_wacz_is_all_its_warc_files(tmp_path, warcs, method):
    site = ArchiveSite(wacz(tmp_path / "a.wacz", warcs, method))
    assert paths(site) == ["/", "/b", "/a"]
    assert [page.body for page in fetch(site, HOST + "/a", HOST + "/old")] == [
        b"<html>newer",
        b"<html>/b",
    ]
    asyncio.run(site.aclose())


@pytest.mark.parametrize(
    ("listings", "home"),
    [
        ({"package": json.dumps({"mainPageUrl": HOST + "/a"})}, "/a"),
        ({"pages": '{"format": "json-pages-1.0"}\n' + json.dumps({"url": HOST + "/b"})}, "/b"),
        (
            {
                "pages": "\n".join(
                    json.dumps({"url": HOST + p, "seed": p == "/a"}) for p in ("/b", "/a")
                )
            },
            "/a",
        ),
        ({"package": json.dumps({"mainPageUrl": HOST + "/nothing"})}, "/"),
        (
            {"package": json.dumps({"mainPageUrl": 7}), "pages": "nonsense\n[]\n" + "[" * 99_999},
            "/",
        ),
    ],
)
def test_the_main_page_of_a_wacz_is_home(tmp_path, warcs, listings, home):
    site = ArchiveSite(wacz(tmp_path / "a.wacz", warcs, **listings))
    assert site.home == HOST + home
    asyncio.run(site.aclose())


def test_members_with_other_names_are_left_alone(tmp_path, warcs):
    evil = {"archive/../../evil.warc.gz": b"x", "/archive/e.warc": b"x", "archive/a/b.warc": b"x"}
    site = ArchiveSite(wacz(tmp_path / "a.wacz", evil | warcs))
    assert paths(site) == ["/", "/b", "/a"]
    asyncio.run(site.aclose())
    with pytest.raises(UnreadableInput, match="no WARC files in it"):
        ArchiveSite(wacz(tmp_path / "b.wacz", evil))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("1.warc.gz", "2.warc.gz", "a.wacz", "b.wacz")
    ]


def test_members_that_share_their_bytes_are_refused(tmp_path, warcs):
    path = tmp_path / "a.wacz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/0.warc.gz", warcs["archive/2.warc.gz"])
        for number in range(1, 50):
            info = zipfile.ZipInfo(f"archive/{number}.warc.gz")
            first = archive.infolist()[0]
            info.header_offset, info.CRC = first.header_offset, first.CRC
            info.file_size, info.compress_size = first.file_size, first.compress_size
            archive.filelist.append(info)
    with pytest.raises(UnreadableInput, match="its members overlap"):
        ArchiveSite(path)


@settings(deadline=None, max_examples=400)
@given(st.integers(0, 2000), st.binary(min_size=1, max_size=8), st.booleans())
@example(30, b"\xff", True)
def test_a_damaged_wacz_gives_pages_or_one_clear_error(damaged_wacz, where, junk, is_near_end):
    data = bytearray(damaged_wacz.read_bytes())
    start = len(data) - 1 - where % 200 if is_near_end else where % len(data)
    data[start : start + len(junk)] = junk
    path = damaged_wacz.with_name("hurt.wacz")
    path.write_bytes(data)
    try:
        site = ArchiveSite(path)
    except UnreadableInput:
        return
    assert set(paths(site)) <= {"/", "/a", "/b"}
    asyncio.run(site.aclose())


@pytest.fixture(scope="module")
def damaged_wacz(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wacz")
    data = write(folder / "1.warc.gz", ("/",), ("/a",), ("/b",)).read_bytes()
    return wacz(folder / "a.wacz", {"archive/1.warc.gz": data}, zipfile.ZIP_DEFLATED, pages="{}")
