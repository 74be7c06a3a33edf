"""Fleets against kills, bombs and archives that lie: counted, and the rest unharmed."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import time
import zlib

import pytest

from sitewright.errors import InvalidInput
from sitewright.fleet import FleetOptions, run_fleet
from sitewright.fleet.job import make_job
from sitewright.fleet.report import write_fleet_report
from sitewright.site.warc import MAX_RECORD
from tests.fleet.small_fleet import InThisProcess, digest, rows, site_pages, write_fleet, write_warc

MOMENTS = 20
COMMAND = [sys.executable, "-m", "sitewright", "fleet", "run"]


def start(archives, out):
    words = [*COMMAND, str(archives), "-o", str(out), "--workers", "2"]
    return subprocess.Popen(
        words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


def markers(out):
    """How many tasks are done."""
    return sum(1 for _ in (out / "done").rglob("*.json")) if (out / "done").exists() else 0


def kill_after(run, out, tasks, delay):
    """Kill a run and all its processes once so many tasks are done, and a moment later."""
    end = time.monotonic() + 60
    while run.poll() is None and markers(out) < tasks and time.monotonic() < end:
        time.sleep(0.005)
    try:
        run.wait(delay)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, 9)  # its own session, so its own processes and nobody else's
        run.wait()


@pytest.mark.slow
def test_kill_9_at_twenty_moments_loses_nothing_and_doubles_nothing(tmp_path):
    """The same folder is killed again and again, each time a little further, until it is done."""
    archives = write_fleet(tmp_path / "w", hosts=[f"s{n}.example" for n in range(4)], files=6)
    whole, out = tmp_path / "whole", tmp_path / "out"
    assert start(archives, whole).wait() == 0
    wanted = digest(whole)
    total = markers(whole)
    chance = random.Random(28)
    killed = 0
    for moment in range(MOMENTS):
        run = start(archives, out)
        kill_after(run, out, moment * total // MOMENTS, chance.uniform(0, 0.25))
        killed += run.returncode == -9
        for name, found in digest(out).items():
            if name in wanted and not name.startswith(("projects/", "failed/")):
                assert found == wanted[name], f"{name} is incomplete after kill {moment}"
    assert start(archives, out).wait() == 0
    assert killed >= MOMENTS // 2
    assert digest(out) == wanted
    assert not (out / ".work").exists()


# Archives that are not what they say.


def run(archives, out, **options):
    return run_fleet([str(archives)], out, FleetOptions(**options), engine=InThisProcess())


def fleet_with(tmp_path, data, name="evil.warc.gz"):
    folder = tmp_path / "w"
    folder.mkdir()
    write_warc(folder / "good.warc.gz", site_pages("a.example"))
    (folder / name).write_bytes(data)
    return folder


def record(url, body, *, length=None, status="200 OK", extra=""):
    http = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n{extra}\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
        "WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http) if length is None else length}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


PAGE = b"<title>A page</title><p>with some text in it"


def good(n):
    return record(f"http://evil.example/{n}", PAGE)


@pytest.mark.parametrize("name", ["evil.warc", "evil.warc.gz"])
@pytest.mark.parametrize("length", [3, 10**14, 100])
def test_a_record_that_lies_about_its_length_is_passed_by(tmp_path, length, name):
    data = good(1) + record("http://evil.example/lie", PAGE, length=length) + good(2) + good(3)
    packed = gzip.compress(data) if name.endswith(".gz") else data
    summary = run(fleet_with(tmp_path, packed, name), tmp_path / "out")
    assert summary.is_complete
    assert summary.counts["bad_records"] >= 1
    urls = {row["url"] for row in rows(tmp_path / "out", "pages")}
    assert {"http://evil.example/2", "http://evil.example/3"} <= urls
    assert sum(url.startswith("https://a.example/") for url in urls) == 25


def test_a_truncated_archive_gives_what_it_has(tmp_path):
    data = b"".join(gzip.compress(good(n)) for n in range(10))
    folder = fleet_with(tmp_path, data[: len(data) - 30])
    summary = run(folder, tmp_path / "out")
    assert summary.is_complete
    assert summary.counts["pages"] == 25 + 9
    errors = (tmp_path / "out/errors.jsonl").read_text().splitlines()
    problem = {"file": "evil.warc.gz", "problem": "a bad record: unreadable", "records": 1}
    assert json.loads(errors[0]) == {"step": "index", **problem}


def bomb(size):
    """A gzip member of so many zeros: a thousandth of that."""
    pack = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    chunk = bytes(1 << 20)
    return b"".join(pack.compress(chunk) for _ in range(size >> 20)) + pack.flush()


def test_a_bomb_costs_its_record(tmp_path):
    head = gzip.compress(good(1))
    data = head + bomb(8 * MAX_RECORD) + gzip.compress(good(2))
    summary = run(fleet_with(tmp_path, data), tmp_path / "out")
    assert summary.is_complete
    assert summary.counts["bad_records"] >= 1
    urls = {row["url"] for row in rows(tmp_path / "out", "pages")}
    assert {"http://evil.example/1", "http://evil.example/2"} <= urls


def test_a_page_that_is_a_bomb_costs_its_page(tmp_path):
    body = gzip.compress(bytes(MAX_RECORD + 1))
    evil = record("http://a.example/bomb", body, extra="Content-Encoding: gzip\r\n")
    summary = run(fleet_with(tmp_path, gzip.compress(evil)), tmp_path / "out")
    assert summary.is_complete
    (row,) = (row for row in rows(tmp_path / "out", "pages") if row["url"].endswith("bomb"))
    assert row["problem"] == "no page: too large"
    assert summary.counts["classified"] >= 24


EVIL_URLS = [
    "http://../../etc/passwd",
    "http://evil.example:99999/",
    "http://" + "x" * 300 + "/",
    "http://evil.example/" + "a" * 5000,
    "http://%2e%2e%2f/",
    "http://[::1]/x",
    "http://evil.example/\u202e\x00",
    "javascript:alert(1)",
    "http://con/",
]


@pytest.mark.parametrize("by", ["host", "domain", "prefix"])
def test_names_of_sites_and_pages_lead_nowhere(tmp_path, by):
    data = b"".join(gzip.compress(record(url, PAGE)) for url in EVIL_URLS for _ in range(2))
    before = set(tmp_path.rglob("*"))
    folder = fleet_with(tmp_path, data)
    summary = run(folder, tmp_path / "out", by=by, min_pages=1)
    assert summary.is_complete, summary.failed
    outside = {
        path
        for path in set(tmp_path.rglob("*")) - before
        if tmp_path / "out" not in path.parents and folder not in path.parents
    }
    assert outside == {tmp_path / "out", folder}


def test_texts_that_no_table_can_hold_are_mended(tmp_path):
    pages = [
        (url, html.replace("It rained", "It \x00 rained &#xD800; \ufdd0 \U0001f600"))
        for url, html in site_pages("b.example")
    ]
    folder = tmp_path / "w"
    folder.mkdir()
    write_warc(folder / "a.warc.gz", pages)
    summary = run(folder, tmp_path / "out")
    assert summary.is_complete, summary.failed
    assert any("\U0001f600" in row["text"] for row in rows(tmp_path / "out", "text"))


def test_a_text_longer_than_a_row_is_cut(tmp_path):
    pages = [*site_pages("b.example"), ("https://b.example/news/long.html", "x " * 200_000)]
    folder = tmp_path / "w"
    folder.mkdir()
    write_warc(folder / "a.warc.gz", pages)
    run(folder, tmp_path / "out")
    (row,) = (row for row in rows(tmp_path / "out", "text") if row["url"].endswith("long.html"))
    assert len(row["text"]) == 200_000


# An index that somebody else has made.

ROW = {
    "url": "'https://a.example/'",
    "fetch_time": "timestamp '2026-01-01'",
    "fetch_status": "200",
    "content_digest": "'x'",
    "content_mime_type": "'text/html'",
    "warc_filename": "'pages.warc.gz'",
    "warc_record_offset": "0",
    "warc_record_length": "100",
}


def write_index(path, **changes):
    """A columnar index of one row, with other expressions for some columns."""
    duckdb = pytest.importorskip("duckdb")
    columns = ", ".join(f"{value} as {name}" for name, value in (ROW | changes).items())
    duckdb.connect().execute(f"copy (select {columns}) to '{path}' (format parquet)")
    return str(path)


@pytest.mark.parametrize(
    ("column", "value"),
    [("url", "1"), ("url", "['x']"), ("url", "'x'::blob"), ("fetch_time", "5"),
     ("fetch_status", "'abc'"), ("fetch_status", "'nan'::double"), ("content_digest", "{'a': 1}"),
     ("warc_filename", "['pages.warc.gz']"), ("warc_record_offset", "'x'"),
     ("warc_record_length", "'inf'::double")],
)  # fmt: skip
def test_an_index_with_columns_of_other_types_is_refused(tmp_path, column, value):
    index = write_index(tmp_path / "cc.parquet", **{column: value})
    with pytest.raises(InvalidInput, match=f"no columnar index: {column} is "):
        make_job([str(tmp_path)], index=[index])


def test_an_index_cannot_ask_for_tasks_without_end(tmp_path):
    """Sites are sampled in as many tasks as the lengths of the records call for."""
    index = write_index(tmp_path / "cc.parquet", warc_record_length="9223372036854775807")
    assert make_job([str(tmp_path)], index=[index]).buckets == 1


@pytest.mark.parametrize(
    "time_",
    ["'infinity'::timestamp", "timestamp '0001-01-01 (BC)'", "timestamp '290000-01-01'",
     "'yesterday'", "null::timestamp"],
)  # fmt: skip
def test_no_time_of_an_index_fails_a_task(tmp_path, time_):
    page, *_ = site_pages("a.example", 1)
    write_warc(tmp_path / "pages.warc.gz", [page])
    index = write_index(tmp_path / "cc.parquet", fetch_time=time_, warc_record_length="1000")
    options = FleetOptions(min_pages=1)
    summary = run_fleet(
        [str(tmp_path)], tmp_path / "out", options, index=[index], engine=InThisProcess()
    )
    assert summary.is_complete


# What a fleet has written, damaged before it goes on.


@pytest.fixture(scope="module")
def done_fleet(tmp_path_factory):
    folder = tmp_path_factory.mktemp("done")
    archives = write_fleet(folder / "w", files=1)
    run(archives, folder / "out")
    return archives, folder / "out"


WRONG_MARKERS = {
    "a list of classes": {"classes": 5},
    "the marks of a class": {"classes": [{"name": "x", "marks": ["a"], "fields": []}]},
    "a class": {"classes": [None]},
    "problems": {"problems": [["x"]]},
    "a count of problems": {"problems": [{"records": "many"}]},
    "what was taken": {"theme": "a.example", "taken": [1]},
    "a sample": {"sampled": {}},
}


@pytest.mark.parametrize("step", ["index", "learn", "offer"])
@pytest.mark.parametrize("said", WRONG_MARKERS.values(), ids=WRONG_MARKERS)
def test_a_marker_that_is_damaged_is_named(tmp_path, done_fleet, step, said):
    archives, done = done_fleet
    out = tmp_path / "out"
    shutil.copytree(done, out)
    folder = out / "done" / step
    path = next(iter(folder.iterdir())) if folder.is_dir() else folder / "offer-a.example.json"
    folder.mkdir(exist_ok=True)
    path.write_text(json.dumps(said))
    with pytest.raises(InvalidInput, match=f"{path.name}.*damaged.*remove it") as found:
        run(archives, out)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("table", ["pages", "records", "sample"])
@pytest.mark.parametrize("damage", ["cut", "empty", "other bytes"])
def test_a_table_that_is_damaged_is_told_in_one_line(tmp_path, done_fleet, table, damage):
    archives, done = done_fleet
    out = tmp_path / "out"
    shutil.copytree(done, out)
    path = max((out / table).iterdir())
    whole = path.read_bytes()
    path.write_bytes({"cut": whole[:-3], "empty": b"", "other bytes": b"PAR1" * 500}[damage])
    with pytest.raises(InvalidInput, match=path.name) as found:
        run(archives, out)
    assert "\n" not in str(found.value)


def test_a_report_of_a_damaged_table_is_an_error_in_one_line(tmp_path, done_fleet):
    out = tmp_path / "out"
    shutil.copytree(done_fleet[1], out)
    (out / "sites" / "part-000000.parquet").write_bytes(b"x")
    with pytest.raises(InvalidInput) as found:
        write_fleet_report(out)
    assert "\n" not in str(found.value)
