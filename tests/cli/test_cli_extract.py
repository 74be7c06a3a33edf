"""`sitewright extract` as a stranger uses it: a folder, a live site, Ctrl-C and bad input."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import interruptible
import pytest
from click.testing import CliRunner

from examples.cup.faults import Faults
from examples.cup.server import serve
from sitewright.cli import sitewright as program
from tests.export.shop_site import ITEMS, discover_shop, item_wrapper, write_shop, write_wrapper


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    discover_shop(write_shop(folder / "site"), folder / "out")
    return folder


@pytest.fixture
def site(shop, tmp_path):
    return shutil.copytree(shop / "site", tmp_path / "site")


@pytest.fixture
def out(shop, tmp_path):
    return shutil.copytree(shop / "out", tmp_path / "out")


def sitewright(*arguments, code=0):
    command = [sys.executable, "-m", "sitewright", *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == code, run.stderr
    return run


def told(run):
    *classes, whole = map(json.loads, run.stdout.splitlines())
    return {one["class"]: one for one in classes}, whole


def files(folder):
    """What the files hold; a folder may go while it is looked through."""
    paths = (Path(above, name) for above, _, names in os.walk(folder) for name in names)
    found = {}
    for path in sorted(paths):
        with suppress(FileNotFoundError):
            found[path] = path.read_bytes()
    return found


def test_a_folder_gives_tables_and_a_summary_of_flat_objects(out, site):
    classes, whole = told(sitewright("extract", out, site, "--json", "--workers", 2))
    assert classes["item"] == {"class": "item", "pages": ITEMS, "records": ITEMS, "rejected": 0}
    assert classes["shelf"]["records"] == 45
    assert whole == {
        "pages": 107,
        "records": 85,
        "rejected": 61,
        "redirects": 1,
        "other_classes": 0,
        "alarms": 0,
    }
    assert (out / "classes/item/table.csv").read_text().startswith("_url,name,price,size,size_raw")


def test_one_class_can_be_asked_for(out, site):
    classes, whole = told(sitewright("extract", out, site, "--class", "item"))
    assert list(classes) == ["item"]
    assert (whole["rejected"], whole["other_classes"]) == (0, 66)
    assert not (out / "classes/shelf/table.jsonl").exists()


def test_people_get_a_table_and_are_told_where_the_reasons_are(out, site, monkeypatch):
    monkeypatch.setattr("sitewright.cli.console.Console.speaks_json", lambda *_: False)
    run = CliRunner().invoke(program, ["extract", str(out), str(site), "--workers", "1"])
    assert run.exit_code == 0
    assert "item" in run.stdout
    assert "rejected.jsonl" in run.stderr


def test_a_site_that_no_longer_fits_ends_with_3_and_its_tables_are_written(out, site):
    for path in (site / "item").iterdir():
        path.write_text(path.read_text().replace("<h1", "<h2").replace("price", "cost"))
    run = sitewright("extract", out, site, code=3)
    assert run.stderr.startswith("the site has changed since it was learnt: site: 40 of 45 pages")
    assert "item: 40 of 40 pages give no record; e.g. http" in run.stderr
    assert (out / "classes/shelf/table.jsonl").read_text().count("\n") == 45


def test_nothing_extracted_ends_with_1(out, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other/index.html").write_text("<p>Nothing of the kind")
    run = sitewright("extract", out, tmp_path / "other", code=1)
    assert run.stderr.startswith("no page gave a record: no class fits (")
    assert run.stderr.endswith(f"; see {out / 'rejected.jsonl'}\n")


@pytest.mark.parametrize(
    ("break_it", "arguments", "message"),
    [
        ("model.json", (), "no model.json here; make one with: sitewright discover"),
        ("classes", (), "no class has a wrapper here; make them with: sitewright run"),
        (
            None,
            ("--class", "player"),
            "player: no such class; there are talk, item, shelf, home, redirect",
        ),
        (None, ("--class", "talk"), "talk: has no wrapper; these have: item, shelf"),
        (None, ("--workers", "0"), "0 is not in the range"),
    ],
)
def test_bad_input_ends_with_2_and_one_line(out, site, break_it, arguments, message):
    if break_it:
        path = out / break_it
        path.unlink() if path.is_file() else shutil.rmtree(path)
    run = sitewright("extract", out, site, *arguments, code=2)
    assert message in run.stderr
    assert run.stderr.count("\n") == 1
    assert run.stdout == ""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_stopped_extraction_leaves_the_old_tables_whole_and_no_process(out, site, workers):
    sitewright("extract", out, site)
    before = files(out)
    for number in range(1000):
        (site / f"talk/new-{number}.html").write_text((site / "talk/1.html").read_text() * 20)
    command = [*interruptible.COMMAND, "extract", str(out), str(site)]
    with subprocess.Popen(
        [*command, "--workers", workers],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        # Until the new tables are begun, and all processes are there, one that tidies up included.
        count = {"1": 1, "2": 4}[workers]
        while (files(out) == before or len(_processes(run.pid)) < count) and run.poll() is None:
            time.sleep(0.02)
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does: to every process of the group
        output, errors = run.communicate()
    assert (run.returncode, output) == (130, "")
    assert errors.strip() == "sitewright: interrupted; the same command goes on from here"
    assert files(out) == before
    assert _end(run.pid)


def test_workers_end_when_the_program_is_killed(out, site):
    for number in range(1000):
        (site / f"talk/new-{number}.html").write_text((site / "talk/1.html").read_text() * 20)
    command = [sys.executable, "-m", "sitewright", "extract", str(out), str(site)]
    with subprocess.Popen([*command, "--workers", "2"], start_new_session=True) as run:
        while len(_processes(run.pid)) < 3 and run.poll() is None:
            time.sleep(0.02)
        run.kill()
    assert _end(run.pid)


def _end(session):
    """Whether all processes of a session end soon."""
    deadline = time.monotonic() + 20
    while _processes(session) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not _processes(session)


def _processes(session):
    """The processes of a session, as Linux lists them; those that have ended do not count."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(path)
    return found


def test_of_a_live_site_only_what_leads_to_the_class_is_fetched(out, site):
    with serve(site) as server:
        run = sitewright("extract", out, server.url, "--class", "item", "--pages", 50)
        asked = [path for path in server.paths if path != "/robots.txt"]
    classes, whole = told(run)
    assert classes["item"]["records"] == ITEMS
    # The home page, five shelves, forty articles, one that is gone, and a few that led nowhere.
    assert len(asked) == len(set(asked)) <= 50
    assert sum(path.startswith("/talk/") for path in asked) <= 4
    assert whole["asked"] <= 50
    assert whole["share_wanted"] == round(whole["useful_requests"] / whole["asked"], 4) > 0.75


def test_the_same_command_fetches_nothing_twice_and_writes_the_same(out, site):
    with serve(site) as server:
        first = sitewright("extract", out, server.url, "--class", "item", "--pages", 30)
        asked, written = len(server.paths), files(out / "classes")
        second = sitewright("extract", out, server.url, "--class", "item", "--pages", 30)
        assert len(server.paths) == asked
    assert first.stdout == second.stdout
    assert files(out / "classes") == written
    offline = sitewright("extract", out, out / "pages.warc.gz", "--class", "item")
    assert told(offline)[0] == told(first)[0]


def test_a_live_site_without_a_class_is_walked_over_all_class_links(out, site):
    with serve(site) as server:
        classes, _ = told(sitewright("extract", out, server.url))
    assert classes["item"]["records"] == ITEMS
    assert classes["shelf"]["records"] == 45
    lines = map(json.loads, (out / "rejected.jsonl").read_text().splitlines())
    told_reasons = {line["url"].rpartition("/")[2]: line["reason"] for line in lines}
    assert told_reasons["gone.html"] == "not found: 404"


def test_pages_that_were_fetched_before_are_extracted_too(out, site):
    with serve(site) as server:
        sitewright("discover", server.url, "-o", out, "--pages", 100)
        write_wrapper(out, item_wrapper())
        fetched = sum(path.startswith("/item/") for path in server.paths)
        classes, _ = told(sitewright("extract", out, server.url, "--class", "item", "--pages", 1))
    assert fetched > 10
    assert classes["item"]["records"] == fetched - ("/item/gone.html" in server.paths)


def test_robots_are_obeyed_and_what_they_forbid_is_told(out, site):
    with serve(site, faults=Faults(robots="User-agent: *\nDisallow: /item/3")) as server:
        classes, _ = told(sitewright("extract", out, server.url, "--class", "item"))
        assert not [path for path in server.paths if path.startswith("/item/3")]
    assert classes["item"]["records"] == ITEMS - 11
    lines = [json.loads(line) for line in (out / "rejected.jsonl").read_text().splitlines()]
    forbidden = [line for line in lines if line["reason"].startswith("disallowed by robots.txt")]
    assert len(forbidden) == 11
