"""Web archives: written record by record, read past any damage."""

from __future__ import annotations

import gzip
import random
import resource
import tracemalloc
from collections import Counter
from datetime import UTC, datetime
from io import BytesIO
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitewright.errors import UnreadableInput
from sitewright.site.archive import WarcIndex
from sitewright.site.base import Reason
from sitewright.site.http import fastwarc
from sitewright.site.warc import WarcRecord, frames, read_record, read_records, records
from sitewright.site.warc_writer import WarcWriter

HTML = [("Content-Type", "text/html; charset=utf-8")]


def body(number: int) -> bytes:
    """A page that does not compress, so that damage hits its bytes."""
    return b"<html>" + random.Random(number).randbytes(2000)


def url(number: int) -> str:
    return f"http://example.org/{number}"


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "pages.warc.gz"
    with WarcWriter(path) as writer:
        for number in range(5):
            writer.write_response(url(number), 200, HTML, body(number))
    return path


def members(path) -> list[bytes]:
    data = path.read_bytes()
    with path.open("rb") as stream:
        return [data[f.offset : f.offset + f.length] for f in frames(stream)]


def numbers(data: bytes) -> tuple[list[int], Counter[Reason]]:
    """Which pages come out of the bytes of an archive, and what was passed over."""
    tally: Counter[Reason] = Counter()
    found = list(records(BytesIO(data), tally=tally))
    assert all(record.reply.body == body(int(record.url.rpartition("/")[2])) for record in found)
    return [int(record.url.rpartition("/")[2]) for record in found], tally


def warc_record(target: str, block: bytes, kind: str = "response", **fields: str) -> bytes:
    content_type = "text/html" if kind == "resource" else "application/http; msgtype=response"
    lines = {"WARC-Type": kind, "WARC-Target-URI": target, "Content-Type": content_type}
    lines |= {name.replace("_", "-"): value for name, value in fields.items()}
    lines["Content-Length"] = str(len(block))
    header = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return b"WARC/1.0\r\n" + header.encode() + b"\r\n" + block + b"\r\n\r\n"


def http(payload: bytes, status: str = "200 OK", *fields: str) -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", *fields, "", ""]).encode() + payload


def test_what_is_written_is_read(archive):
    found = list(read_records(archive))
    assert [record.url for record in found] == [url(number) for number in range(5)]
    assert {(record.kind, record.status) for record in found} == {("response", 200)}
    assert found[3].reply.body == body(3)
    assert found[3].reply.header("content-type") == "text/html; charset=utf-8"


def test_the_writer_tells_where_a_record_is(tmp_path):
    path = tmp_path / "pages.warc.gz"
    with WarcWriter(path) as writer:
        places = [writer.write_response(url(n), 200, HTML, body(n)) for n in range(3)]
    assert gzip.decompress(path.read_bytes()[places[1].offset :][: places[1].length])
    with path.open("rb") as stream:
        record = read_record(stream, places[1].offset)
    assert isinstance(record, WarcRecord)
    assert (record.url, record.reply.body) == (url(1), body(1))


def test_other_programs_read_what_is_written(archive):
    found = list(fastwarc.ArchiveIterator(str(archive)))
    assert [str(record.record_type) for record in found] == ["warcinfo"] + ["response"] * 5
    assert found[1].http_headers.status_code == 200


def test_a_record_keeps_date_and_request(tmp_path):
    path = tmp_path / "pages.warc.gz"
    date = datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)
    with WarcWriter(path) as writer:
        writer.write_response(url(1), 404, [], b"", date=date, request_headers=[("Host", "a")])
    assert [(r.date, r.status) for r in read_records(path)] == [(int(date.timestamp()), 404)]
    kinds = [str(record.record_type) for record in fastwarc.ArchiveIterator(str(path))]
    assert kinds == ["warcinfo", "response", "request"]


def test_header_fields_are_made_to_fit_the_body(tmp_path):
    path = tmp_path / "pages.warc.gz"
    untrue = [("Content-Length", "7"), ("Transfer-Encoding", "chunked")]
    with WarcWriter(path) as writer:
        writer.write_response(url(1), 200, [*untrue, ("Content-Encoding", "br")], body(1))
        packed = gzip.compress(body(2))
        writer.write_response(url(2), 200, [*untrue, ("Content-Encoding", "gzip")], packed)
    undone, kept = read_records(path)
    assert undone.reply.headers == (("Content-Length", str(len(body(1)))),)
    assert kept.reply.header("Content-Encoding") == "gzip"
    assert kept.reply.body == packed


def test_an_archive_has_one_writer_at_a_time(tmp_path):
    path = tmp_path / "pages.warc.gz"
    with WarcWriter(path) as writer:
        before = path.read_bytes()
        with pytest.raises(UnreadableInput, match="another run is writing to it"):
            WarcWriter(path)
        assert path.read_bytes() == before
        writer.write_response(url(1), 200, HTML, body(1))
    with WarcWriter(path) as writer:
        writer.write_response(url(2), 200, HTML, body(2))
    assert [record.url for record in read_records(path)] == [url(1), url(2)]


def test_a_header_field_cannot_forge_another(tmp_path):
    path = tmp_path / "pages.warc.gz"
    with WarcWriter(path) as writer:
        writer.write_response(f"{url(1)}\r\nWARC-Type: x", 200, [("A", "b\r\n\r\nC: d")], b"<p>")
        writer.write_response(url(2), 200, b"A: b\r\nno field\r\nC: \xfc\r\n", b"<p>")
    forged, raw = read_records(path)
    assert forged.reply.headers == (("A", "b C: d"), ("Content-Length", "3"))
    assert forged.reply.body == b"<p>"
    assert raw.reply.headers == (("A", "b"), ("C", "ü"), ("Content-Length", "3"))


def test_opening_again_appends(archive):
    with WarcWriter(archive) as writer:
        writer.write_response(url(5), 200, HTML, body(5))
    assert numbers(archive.read_bytes()) == ([0, 1, 2, 3, 4, 5], Counter())


def test_a_killed_writer_loses_at_most_the_record_it_was_writing(archive):
    whole = archive.read_bytes()
    ends = [0]
    for member in members(archive):
        ends.append(ends[-1] + len(member))
    for cut in [*range(0, len(whole), 97), *ends, *(end - 1 for end in ends[1:])]:
        archive.write_bytes(whole[:cut])
        with WarcWriter(archive) as writer:
            writer.write_response(url(9), 200, HTML, body(9))
        complete = max(0, sum(end <= cut for end in ends) - 2)
        assert numbers(archive.read_bytes()) == ([*range(complete), 9], Counter())


def test_damage_in_the_middle_is_left_alone_when_appending(archive):
    parts = members(archive)
    archive.write_bytes(b"".join([*parts[:2], b"junk", *parts[3:], parts[2][:50]]))
    with WarcWriter(archive) as writer:
        writer.write_response(url(9), 200, HTML, body(9))
    assert numbers(archive.read_bytes())[0] == [0, 2, 3, 4, 9]


@pytest.mark.parametrize(
    "content",
    [b"important notes", b"WARC/1.0\r\n", gzip.compress(b"a backup", mtime=0), b"\x1f\x8cx"],
)
def test_a_file_of_another_kind_is_not_touched(tmp_path, content):
    path = tmp_path / "pages.warc.gz"
    path.write_bytes(content)
    with pytest.raises(UnreadableInput, match=r"not a \.warc\.gz file"):
        WarcWriter(path)
    assert path.read_bytes() == content


def test_a_failed_write_leaves_the_file_as_it_was(archive):
    before = archive.read_bytes()
    writer = WarcWriter(archive)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            writer.write_response(url(5), 200, HTML, body(5))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    writer.close()
    assert archive.read_bytes() == before


def test_a_damaged_member_is_passed_over_and_counted(archive):
    parts = members(archive)
    hurt = bytearray(parts[2])
    hurt[700:710] = b"\xff" * 10
    for damaged in (bytes(hurt), parts[2][:-4] + b"\0\0\0\0", parts[2][:900], b"junk" * 10):
        data = b"".join([*parts[:2], damaged, *parts[3:]])
        assert numbers(data) == ([0, 2, 3, 4], Counter({Reason.UNREADABLE: 1}))


def test_a_cut_off_archive_gives_all_but_its_last_record(archive):
    whole = archive.read_bytes()
    assert numbers(whole[:-100]) == ([0, 1, 2, 3], Counter({Reason.UNREADABLE: 1}))
    assert numbers(gzip.decompress(whole)[:-100]) == ([0, 1, 2, 3], Counter({Reason.UNREADABLE: 1}))


def test_a_plain_archive_is_read_past_damage(archive):
    plain = [gzip.decompress(member) for member in members(archive)]
    assert numbers(b"".join(plain)) == ([0, 1, 2, 3, 4], Counter())
    assert numbers(b"junk" + b"".join(plain)) == ([0, 1, 2, 3, 4], Counter({Reason.UNREADABLE: 1}))
    longer = plain[2].replace(b"Content-Length: 2", b"Content-Length: 9", 1)
    for damaged in (b"WARC/1.0 junk\r\n" * 9, plain[2][:500], longer, b"\0" * 3000):
        data = b"".join([*plain[:2], damaged, *plain[3:]])
        assert numbers(data) == ([0, 2, 3, 4], Counter({Reason.UNREADABLE: 1}))


def test_an_archive_compressed_as_a_whole_is_read(archive):
    whole = gzip.compress(gzip.decompress(archive.read_bytes()))
    assert numbers(whole) == ([0, 1, 2, 3, 4], Counter())
    stream = BytesIO(whole)
    for record in records(BytesIO(whole)):
        assert read_record(stream, record.offset, record.inner) == record


@settings(deadline=None, max_examples=200)
@given(st.booleans(), st.integers(0, 3), st.floats(0, 0.999), st.binary(min_size=1, max_size=40))
def test_damage_costs_only_the_records_that_it_hits(is_packed, hit, where, junk):
    parts = [warc_record(url(number), http(body(number))) for number in range(4)]
    if is_packed:
        parts = [gzip.compress(part, mtime=0) for part in parts]
    start = int(where * len(parts[hit]))
    parts[hit] = parts[hit][:start] + junk + parts[hit][start + len(junk) :]
    found = {record.url for record in records(BytesIO(b"".join(parts)))}
    assert found >= {url(number) for number in range(4) if number != hit}


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_upset_the_reader(data):
    for start in (b"", b"WARC/1.0\r\n", b"\x1f\x8b\x08"):
        assert not list(records(BytesIO(start + data)))


def test_a_record_over_the_limit_is_passed_over():
    large = warc_record(url(1), http(b"x" * 5000))
    data = b"".join([large, warc_record(url(2), http(b"<p>"))])
    for archive in (data, b"".join([gzip.compress(large), gzip.compress(data[len(large) :])])):
        tally: Counter[Reason] = Counter()
        found = list(records(BytesIO(archive), tally=tally, limit=1000))
        assert [record.url for record in found] == [url(2)]
        assert tally == {Reason.TOO_LARGE: 1}


def test_a_bomb_is_passed_over_in_little_memory():
    bomb = gzip.compress(warc_record(url(1), http(bytes(64 << 20))))
    data = bomb + gzip.compress(warc_record(url(2), http(b"<p>")))
    tally: Counter[Reason] = Counter()
    tracemalloc.start()
    found = list(records(BytesIO(data), tally=tally, limit=1 << 20))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [record.url for record in found] == [url(2)]
    assert tally == {Reason.TOO_LARGE: 1}
    assert peak < 16 << 20


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (warc_record("<http://a.org/>", http(b"<p>")), [("http://a.org/", 200, b"<p>")]),
        (warc_record("http://a.org/", b"<p>", "resource"), [("http://a.org/", 200, b"<p>")]),
        (warc_record("http://a.org/", b"HTTP/1.0 404\n\n<p>"), [("http://a.org/", 404, b"<p>")]),
        (
            warc_record("http://a.org/", http(b"", "301 M", "Location: /ü")),
            [("http://a.org/", 301, b"")],
        ),
        (
            warc_record(
                "http://a.org/",
                http(b"3\r\n<p>\r\n0\r\n\r\n", "200 OK", "Transfer-Encoding: chunked"),
            ),
            [("http://a.org/", 200, b"<p>")],
        ),
        (
            warc_record("http://a.org/", http(b"<p>", "200 OK", "Transfer-Encoding: chunked")),
            [("http://a.org/", 200, b"<p>")],
        ),
        (warc_record("http://a.org/", b"no answer"), []),
        (warc_record("http://a.org/", http(b"<p>"), "request"), []),
        (warc_record("dns:a.org", b"1.2.3.4", "resource"), []),
        (warc_record("urn:a", b"<p>", "resource"), []),
    ],
)
def test_records_of_many_writers_are_understood(record, expected):
    found = list(records(BytesIO(record)))
    assert [(r.url, r.status, r.reply.body) for r in found] == expected


lines = st.sampled_from(
    [
        *(b"WARC-Type: response", b"WARC-Type: \xff", b"WARC-Target-URI: http://a.org/\xff"),
        *(b"WARC-Target-URI: http://a.org/", b"WARC-Date: 0001-01-01T00:00:00Z", b"WARC-Date: x"),
        *(b"WARC-Date: 99999-12-31T00:00:00Z", b"Content-Type: application/http", b": x", b"x"),
        *(b"WARC-Payload-Digest: \xff", b"WARC-Refers-To-Target-URI: \xff", b"Content-Type: \xff"),
    ]
)
answers = st.sampled_from(
    [
        *(b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 99999999999999999999\r\n\r\n", b"HTTP/9 -1\r\n"),
        *(b"HTTP/1.1 \xff\r\n\r\n", b"HTTP/1.1 200\n\xff: \xff\n\n", b"", b"\r\n\r\n", b"\0" * 99),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 9999,
    ]
)


@settings(deadline=None, max_examples=300)
@given(st.lists(lines | st.binary(max_size=20), max_size=6), answers | st.binary(max_size=60))
def test_no_record_upsets_the_reader(header, block):
    head = b"\r\n".join([b"WARC/1.1", *header, b"Content-Length: %d" % len(block), b"", b""])
    index = WarcIndex()
    for record in records(BytesIO(head + block + b"\r\n\r\n")):
        index.add(record)


@pytest.mark.parametrize("fake", [b"WARC/1.0\r\n", b"\x1f\x8b\x08\0", b"WARC/1.0\r\n\r\n"])
def test_an_archive_of_false_starts_takes_little_time(fake):
    start = perf_counter()
    for data in (fake * 20_000, b"\x1f\x8b\x08" + fake * 20_000):
        assert not list(records(BytesIO(data)))
    assert perf_counter() - start < 5


def test_members_built_into_one_another_are_given_up(monkeypatch):
    monkeypatch.setattr("sitewright.site.warc._MAX_WASTE", 4 << 20)
    bomb = gzip.compress(b"WARC/1.0\r\n" + bytes(9 << 20))
    data = b"".join(bomb[: len(bomb) // 2] for _ in range(50))
    assert 2 <= len(list(frames(BytesIO(data), limit=1 << 20))) <= 4


def index_of(*written: bytes) -> tuple[WarcIndex, bytes]:
    data = b"".join(written)
    index = WarcIndex()
    for record in records(BytesIO(data)):
        index.add(record)
    return index, data


def body_at(index: WarcIndex, data: bytes, address: str) -> bytes | None:
    entry = index.find(address)
    if entry is None:
        return None
    record = read_record(BytesIO(data), entry.held.offset, entry.held.inner)
    assert isinstance(record, WarcRecord)
    return record.reply.body


def dated(day: int, payload: bytes, status: str = "200 OK", *fields: str) -> bytes:
    date = f"2020-01-{day:02}T00:00:00Z"
    return warc_record("http://a.org/", http(payload, status, *fields), WARC_Date=date)


def test_the_newest_useful_record_answers_for_a_url():
    index, data = index_of(
        dated(3, b"new"),
        dated(2, b"old"),
        dated(4, b"", "302 Found", "Location: /login"),
        dated(5, b"gone", "404 Not Found"),
        dated(6, b"GIF", "200 OK", "Content-Type: image/gif"),
    )
    assert body_at(index, data, "http://a.org/") == b"new"
    assert len(index) == 1


def test_the_last_of_equal_records_answers():
    index, data = index_of(dated(3, b"first"), dated(3, b"last"))
    assert body_at(index, data, "http://a.org/") == b"last"


def test_urls_are_found_by_their_normal_form():
    index, data = index_of(warc_record("HTTP://A.org:80/b?utm_source=x#c", http(b"<p>")))
    assert body_at(index, data, "http://a.org/b") == b"<p>"
    assert index.find("http://a.org/c") is None


def test_a_revisit_leads_to_the_record_it_names():
    revisit = warc_record(
        "http://a.org/b", http(b""), "revisit", WARC_Refers_To_Target_URI="http://a.org/"
    )
    index, data = index_of(dated(1, b"<p>"), revisit)
    assert body_at(index, data, "http://a.org/b") == b"<p>"
    assert len(list(index.pages())) == 2


def test_a_revisit_without_a_name_leads_to_the_record_with_its_digest():
    original = warc_record("http://a.org/", http(b"<p>"), WARC_Payload_Digest="sha1:AB")
    revisit = warc_record("http://a.org/b", http(b""), "revisit", WARC_Payload_Digest="sha1:AB")
    index, data = index_of(revisit, original)
    assert index.wanted_digests == {"sha1:AB"}
    for record in records(BytesIO(data)):
        index.add_original(record)
    assert body_at(index, data, "http://a.org/b") == b"<p>"
    assert index.lost_revisits == 0


def test_a_revisit_of_nothing_is_lost():
    index, _ = index_of(
        warc_record("http://a.org/b", http(b""), "revisit", WARC_Payload_Digest="x")
    )
    assert index.find("http://a.org/b") is None
    assert index.lost_revisits == 1


def test_an_index_costs_little_memory():
    record = next(records(BytesIO(dated(1, b"<p>"))))
    tracemalloc.start()
    index = WarcIndex()
    for number in range(20_000):
        object.__setattr__(record.reply, "url", f"http://example.org/a/rather/long/path/{number}")
        index.add(record)
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(index) == 20_000
    assert used / 20_000 < 250
