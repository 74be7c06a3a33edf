"""Archives that lie, break off, unpack without end or lead out of their folder."""

from __future__ import annotations

import asyncio
import gzip
import io
import struct
import zipfile
import zlib
from contextlib import suppress
from time import process_time

import pytest

import sitewright
from sitewright.errors import SitewrightError
from sitewright.site.archive import ArchiveSite
from sitewright.site.base import Missing, Page, Reason
from sitewright.site.http import Reply, outcome
from sitewright.site.warc import read_records
from sitewright.site.warc_writer import WarcWriter
from tests.hostile.wire import head, hostile_server, page
from tests.site.live import fetch_from

URL = "http://site.invalid/"
HTML = b"<!doctype html><title>Page</title><p>text"


def bomb(size, level=9):
    """A gzip member that inflates to so many MB of nothing, made without holding them."""
    packer = zlib.compressobj(level, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    parts = [packer.compress(bytes(1 << 20)) for _ in range(size)]
    return b"".join([*parts, packer.flush()])


def record(body, *fields, url=URL, length=None):
    """One WARC record with a response."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + b"".join(
        field.encode("latin-1") + b"\r\n" for field in fields
    )
    block += b"\r\n" + body
    size = len(block) if length is None else length
    header = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
        f"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
        f"WARC-Record-ID: <urn:uuid:1>\r\nContent-Length: {size}\r\n\r\n"
    )
    return header.encode() + block + b"\r\n\r\n"


def read(data, folder, name="a.warc.gz"):
    path = folder / name
    path.write_bytes(data)
    return list(read_records(path))


def pages_of(path, **keywords):
    """All pages of an archive, which is closed again."""
    site = ArchiveSite(path, **keywords)
    try:
        return list(site.pages())
    finally:
        asyncio.run(site.aclose())


def test_a_gzip_bomb_costs_little_time_and_the_rest_is_read(tmp_path):
    data = bomb(500) + gzip.compress(record(HTML))
    before = process_time()
    assert [one.reply.body for one in read(data, tmp_path)] == [HTML]
    assert process_time() - before < 5


@pytest.mark.slow
def test_a_bomb_compressed_as_one_piece_is_refused_early(tmp_path):
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    start = packer.compress(record(HTML) * 20_000)
    data = start + b"".join(packer.compress(bytes(1 << 20)) for _ in range(300)) + packer.flush()
    path = tmp_path / "a.warc.gz"
    path.write_bytes(data)
    before = process_time()
    with pytest.raises(SitewrightError, match="unpacks to more than"):
        ArchiveSite(path)
    assert process_time() - before < 10


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_hundreds_of_layers_are_not_undone(coding):
    body = HTML * 100_000
    for _ in range(3):
        body = gzip.compress(body)
    reply = Reply(URL, 200, (("Content-Encoding", ", ".join([coding] * 300)),), body)
    before = process_time()
    found = outcome(reply, URL, URL, 16 << 20)
    assert found == Missing(URL, Reason.UNREADABLE, "packed more than 8 times")
    assert process_time() - before < 1


def test_a_few_layers_are_undone():
    body = gzip.compress(zlib.compress(HTML))
    reply = Reply(URL, 200, (("Content-Encoding", "deflate, gzip"),), body)
    assert outcome(reply, URL, URL, 1 << 20).body == HTML


def packed_bombs():
    """Bodies that unpack to 100 MB, one for each coding that a reply may have."""
    size = 100
    yield "gzip", bomb(size)
    yield "deflate", zlib.compress(bytes(size << 20))
    # Brotli and zstd have no encoder here: a frame of zstd is a few bytes for each 128 KiB.
    blocks = b"".join(_run_length_block(128 << 10, is_last=n == 800) for n in range(801))
    yield "zstd", b"\x28\xb5\x2f\xfd" + b"\x00\x58" + blocks


def _run_length_block(size, *, is_last):
    return struct.pack("<I", int(is_last) | 1 << 1 | size << 3)[:3] + b"x"


@pytest.mark.slow
@pytest.mark.parametrize(("coding", "body"), list(packed_bombs()), ids=lambda x: str(x)[:4])
def test_a_bomb_in_a_body_is_too_large_live_and_in_an_archive(coding, body, tmp_path):
    answer = head(f"Content-Encoding: {coding}", f"Content-Length: {len(body)}") + body
    before = process_time()
    with hostile_server({"/x": answer, "/": page("<p>x")}) as server:
        [found] = fetch_from(server.url, [server.url + "x"], tmp_path / "pages.warc.gz")
    assert found.reason in {Reason.TOO_LARGE, Reason.UNREADABLE}
    archive = tmp_path / "other.warc.gz"
    with WarcWriter(archive) as writer:
        headers = [("Content-Type", "text/html"), ("Content-Encoding", coding)]
        writer.write_response(URL, 200, headers, body)
        writer.write_response(URL + "b", 200, headers[:1], HTML)
    pages = pages_of(archive)
    assert [one.url for one in pages] == [URL + "b"]
    assert process_time() - before < 10


LIES = {
    "a length that is too long": record(HTML, length=10**6),
    "a length that is too short": record(HTML, length=10),
    "a length without end": record(HTML, length="9" * 5000),
    "a negative length": record(HTML, length=-5),
    "no length": record(HTML).replace(b"Content-Length", b"X-Length"),
    "a date that is none": record(HTML).replace(b"2024-01-01", b"9999-99-99"),
    "the year 0": record(HTML).replace(b"2024-01-01", b"0000-01-01"),
    "a date with a huge zone": record(HTML).replace(b"00:00:00Z", b"00:00:00+9999999"),
    "a status of 5,000 digits": record(HTML).replace(b" 200 ", b" " + b"9" * 5000 + b" "),
    "no status": record(HTML).replace(b"HTTP/1.1 200 OK", b"HTTP"),
    "a URL with line breaks": record(HTML, url="http://site.invalid/\n\n"),
    "a URL of 1 MB": record(HTML, url=URL + "x" * 50_000),
    "a URL that is none": record(HTML, url="http://[::1"),
    "a URL of the machine": record(HTML, url="file:///etc/passwd"),
    "a chunk without end": record(b"ffffffffffffffff\r\nx", "Transfer-Encoding: chunked"),
    "chunks in chunks": record(b"3\r\nabc\r\n0\r\n\r\n", "Transfer-Encoding: " + "chunked," * 99),
    "a head without end": record(b"", *(f"X-{n}: y" for n in range(50_000))),
    "NUL bytes": record(HTML, "X: \x00\x00"),
    "only magic": b"WARC/1.0\r\n" * 1000,
}


@pytest.mark.parametrize("packed", [True, False], ids=["gzip", "plain"])
@pytest.mark.parametrize("name", LIES)
def test_a_lying_record_stops_nothing(name, packed, tmp_path):
    """What follows it is read; the record itself is read, or passed over."""
    after = record(HTML, url=URL + "after")
    pack = gzip.compress if packed else bytes
    found = read(pack(LIES[name]) + pack(after), tmp_path, "a.warc.gz" if packed else "a.warc")
    assert any(one.url == URL + "after" for one in found)
    path = tmp_path / ("a.warc.gz" if packed else "a.warc")
    assert all(isinstance(one, Page) for one in pages_of(path, start=URL + "after"))


@pytest.mark.parametrize("step", range(12))
def test_an_archive_that_breaks_off_anywhere_gives_what_is_whole(step, tmp_path):
    pieces = [gzip.compress(record(HTML, url=f"{URL}{n}")) for n in range(6)]
    data = b"".join(pieces)
    found = read(data[: len(data) * step // 12], tmp_path)
    whole = 0
    while sum(map(len, pieces[: whole + 1])) <= len(data) * step // 12:
        whole += 1
    assert len(found) == whole


def wacz(members, path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize(
    "name",
    [
        "../../evil.warc", "/etc/evil.warc", "archive/../../../x.warc", "C:\\x.warc",
        "archive/\n.warc.gz", "archive/" + "x" * 3000 + ".warc", "archive/\x1b[31m.warc",
    ],
)  # fmt: skip
def test_names_in_a_zip_file_lead_nowhere(name, tmp_path):
    path = wacz({name: record(HTML), "archive/a.warc": record(HTML)}, tmp_path / "a.wacz")
    before = {one.name for one in tmp_path.rglob("*")}
    try:
        pages = pages_of(path)
    except SitewrightError:
        pages = []
    assert len(pages) <= 1
    assert {one.name for one in tmp_path.rglob("*")} == before


def test_a_bomb_in_a_zip_file_is_refused_early(tmp_path):
    path = tmp_path / "a.wacz"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("archive/a.warc", "w") as member,
    ):
        for _ in range(400):
            member.write(bytes(1 << 20))
    before = process_time()
    with pytest.raises(SitewrightError, match="unpacks to more than"):
        ArchiveSite(path)
    assert process_time() - before < 8


def test_a_run_on_a_hostile_archive_ends_with_the_pages_that_are_there(tmp_path):
    good = [record(HTML.replace(b"text", b"%d" % n), url=f"{URL}{n}") for n in range(5)]
    home = record(b"".join(b"<a href=/%d>x</a>" % n for n in range(5)))
    data = b"".join(map(gzip.compress, [home, *good[:2], *LIES.values(), *good[2:]])) + bomb(200)
    path = tmp_path / "a.warc.gz"
    path.write_bytes(data)
    project = sitewright.run(path, tmp_path / "out")
    assert sum(one.size for one in project.classes) >= 5


def test_random_bytes_behind_the_magic_are_no_archive(tmp_path):
    for start in (b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08", b"WARC/1.0\r\n"):
        path = tmp_path / "a"
        path.write_bytes(start + bytes(range(256)) * 40)
        with suppress(SitewrightError):
            assert pages_of(path) == []


def test_zip_members_that_lie_of_their_size_are_refused(tmp_path):
    path = wacz({"archive/a.warc": record(HTML)}, tmp_path / "a.wacz")
    data = bytearray(path.read_bytes())
    place = data.rfind(b"PK\x01\x02")
    data[place + 20 : place + 28] = struct.pack("<II", 0xFFFFFF00, 0xFFFFFF00)
    path.write_bytes(io.BytesIO(data).getvalue())
    with pytest.raises(SitewrightError):
        ArchiveSite(path)
