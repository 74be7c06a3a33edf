"""The live sections of the demo site: all their records are found, by whatever leads to them."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import pytest

import sitewright
from examples.cup import generate
from examples.cup.live import COOKIE, PINNED, ROWS_A_PAGE, live_files
from examples.cup.server import serve
from sitewright.errors import MissingBrowser, MissingExtra
from sitewright.site.browser import Browser
from sitewright.site.credentials import Credentials

COUNT = 16
FOLDERS = {"scorers": "scorer", "kits": "kits", "notices": "notices", "archive": "archive",
           "members": "members"}  # fmt: skip


@pytest.fixture(scope="module")
def sections(tmp_path_factory):
    """The sections alone, under a home page of their own."""
    folder = tmp_path_factory.mktemp("live")
    for name, body in live_files(7, COUNT):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    home = '<!doctype html><title>Cup</title><h1>Cup</h1><a href="/live/">Live</a>'
    (folder / "site/index.html").write_text(home)
    return folder


@pytest.fixture(scope="module")
def crawled(sections, tmp_path_factory):
    """The sections, crawled with all that it takes, and the server's log."""

    async def start():
        async with Browser():
            pass

    try:
        asyncio.run(start())
    except (MissingExtra, MissingBrowser) as error:
        pytest.skip(str(error))
    options = sitewright.CrawlOptions(credentials=Credentials(cookies=(COOKIE,)))
    with serve(sections / "site") as server:
        out = tmp_path_factory.mktemp("out")
        project = sitewright.run(server.url, out, complete=True, forms=True, crawl=options)
        yield project, server


@pytest.mark.parametrize("name", FOLDERS)
def test_all_records_of_a_section_are_found(sections, crawled, name):
    project, server = crawled
    tables = [project[one.name] for one in project.classes if one.name in project.wrappers]
    found = {record["_url"]: json.dumps(record) for table in tables for record in table.records()}
    lines = (sections / f"truth/live/{name}.jsonl").read_text().splitlines()
    truth = [json.loads(line) for line in lines]
    urls = [f"{server.url}live/{FOLDERS[name]}/{record['id']}.html" for record in truth]
    assert set(urls) <= set(found)
    assert len(truth) == COUNT
    values = [
        (str(value), found[url])
        for url, record in zip(urls, truth, strict=True)
        for field, value in record.items()
        if field not in {"id", "price"}  # the price stands only in a script
    ]
    assert all(value in record for value, record in values)


def rows_of_lists(project):
    """The rows of all lists that go over many pages."""
    for one in project.classes:
        if one.name not in project.wrappers:
            continue
        table = project[one.name]
        for rows in (table.records(), *(each.records() for each in table.record_sets.values())):
            yield from (row for row in rows if row.get("_on_pages"))


def truth_of(sections, name):
    lines = (sections / f"truth/live/{name}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_a_list_over_many_pages_is_one_with_its_page_numbers(sections, crawled):
    project, server = crawled
    rows = [row for row in rows_of_lists(project) if "/live/transfers" in row["_url"]]
    truth = truth_of(sections, "transfers")
    assert {row["_list"] for row in rows} == {f"{server.url}live/transfers"}
    found = {
        (row["_page"], *(str(value) for name, value in row.items() if name[0] != "_"))
        for row in rows
        if row["_on_pages"] == 1
    }
    assert found == {
        (1 + number // ROWS_A_PAGE, one["player"], one["club"], str(one["fee"]))
        for number, one in enumerate(truth)
    }
    assert all(row["_on_pages"] > 1 for row in rows if PINNED["player"] in row.values())


def test_rows_behind_a_button_are_found(sections, crawled):
    project, _ = crawled
    tables = [project[one.name] for one in project.classes if one.name in project.wrappers]
    shown = json.dumps([record for table in tables for record in table.records()])
    truth = truth_of(sections, "fans")
    assert [one["name"] for one in truth if one["name"] not in shown] == []


def test_no_page_is_asked_for_twice_and_few_for_nothing(crawled):
    project, server = crawled
    assert len(server.paths) == len(set(server.paths))
    account = project.account
    files = (".js", ".json", ".xml", ".txt")
    questions = sum(form.asked for form in account.forms)
    pages = [path for path in server.paths if not path.endswith(files)]
    assert len(pages) - questions <= 1.2 * account.counts["fetched"]
    rendered = {path.partition("?")[0] for path in server.paths if "/live/api/" in path}
    fans = -(-COUNT // ROWS_A_PAGE) - 1
    assert len(rendered) == COUNT + 1 + fans
    assert account.rendered <= COUNT + 1 + 1 + 3


def test_the_exported_project_asks_for_the_data_behind_the_pages(sections, crawled, tmp_path):
    project, server = crawled
    project.export("scrapy", tmp_path / "spider")
    before = len(server.paths)
    command = [sys.executable, "-m", "scrapy", "crawl", "data"]
    command += ["-s", "AUTOTHROTTLE_ENABLED=0", "-s", "DOWNLOAD_DELAY=0"]
    run = subprocess.run(
        command, cwd=tmp_path / "spider", capture_output=True, text=True, check=False
    )
    assert "Traceback" not in run.stderr, run.stderr
    lines = (tmp_path / "spider/records/data.jsonl").read_text().splitlines()
    found = {(row["name"], row.get("city"), row.get("goals")) for row in map(json.loads, lines)}
    truth = {(one["name"], one["city"], one["goals"]) for one in truth_of(sections, "scorers")}
    assert truth <= found
    asked = [path for path in server.paths[before:] if path != "/robots.txt"]
    assert all(path.startswith("/live/api/") for path in asked)
    assert len(asked) == len(set(asked))


def test_calendars_end_and_are_named(crawled):
    project, server = crawled
    assert sum("calendar" in path for path in server.paths) <= 30
    traps = [one for one in project.account.urls if "calendar" in one.url and one.why]
    assert "lead to nothing new" in traps[0].why


def test_the_default_site_has_no_live_sections(tmp_path):
    generate(tmp_path / "plain", scale=0.01)
    generate(tmp_path / "live", scale=0.01, live=True)
    assert not (tmp_path / "plain/site/live").exists()
    assert (tmp_path / "live/truth/live/archive.jsonl").is_file()
    plain, live = (tmp_path / name / "site/index.html" for name in ("plain", "live"))
    assert (
        live.read_bytes().replace(b'<p class="live"><a href="live/">Live sections</a></p>\n', b"")
        == plain.read_bytes()
    )
