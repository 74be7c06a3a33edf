"""A project that crawls: the records of its feeds are those of `extract`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from small_shop import WRAPPERS, shop_model, write_shop

from examples.cup.server import Faults, serve
from sitewright.export.scrapy.check import expected
from sitewright.export.scrapy.project import LocalPages, make_project, write_project
from sitewright.site import open_site

IMPATIENT = ["AUTOTHROTTLE_ENABLED=0", "DOWNLOAD_DELAY=0", "CONCURRENT_REQUESTS_PER_DOMAIN=8"]
"""A site on this machine needs no patience."""


def crawl(folder: Path, *arguments: str) -> dict[str, list[dict]]:
    """Run the spider; the records of each feed."""
    settings = [part for setting in IMPATIENT for part in ("-s", setting)]
    command = [sys.executable, "-m", "scrapy", "crawl", "site", *settings, *arguments]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "ERROR" not in run.stderr, run.stderr
    feeds = sorted((folder / "records").glob("*.jsonl"))
    return {
        feed.stem: [json.loads(line) for line in feed.read_text().splitlines()] for feed in feeds
    }


def in_order(records: list[dict]) -> list[str]:
    return sorted(json.dumps(record, sort_keys=True) for record in records)


def extracted(model, wrappers, site, unreached=()) -> dict[str, list[dict]]:
    """What `extract` gives for each class, in the feeds of a project."""
    found: dict[str, list[dict]] = {name: [] for name in wrappers}
    for page in LocalPages(model, wrappers, site.pages).of(wrappers):
        if page.url not in unreached:
            found[page.page_class] += expected(wrappers[page.page_class], page)
    return found


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "site"


def test_the_feeds_hold_the_records_of_extract_and_nothing_else_is_fetched(folder, tmp_path):
    write_shop(folder)
    robots = "User-agent: *\nDisallow: /good/3.html\n"
    with serve(folder, faults=Faults(robots=robots)) as server, serve(folder) as elsewhere:
        home = folder / "index.html"
        links = f"<a href='{elsewhere.url}list/0.html'>Elsewhere</a><a href='x.pdf'>No page</a>"
        links += "<a href='good/99.html'>Away</a><a href='index.html'>Here</a>"
        home.write_text(home.read_text() + links)
        away = f"<meta http-equiv=refresh content='0; url={elsewhere.url}good/1.html'>"
        (folder / "good" / "99.html").write_text(away)
        site = open_site(str(folder), base_url=server.url)
        model = shop_model(site)
        write_project(make_project(model, WRAPPERS, site.pages), tmp_path / "spider")
        feeds = crawl(tmp_path / "spider")
        assert elsewhere.requests == []
        assert "/good/3.html" not in server.paths
        assert "/x.pdf" not in server.paths
        assert server.paths.count("/good/99.html") == 1
        assert server.paths.count("/index.html") == 1
        agents = {hit.user_agent for hit in server.requests}
    assert all("who-runs-this-crawler" in agent for agent in agents)
    wanted = extracted(model, WRAPPERS, site, unreached={f"{server.url}good/3.html"})
    assert {name: in_order(records) for name, records in feeds.items()} == {
        name: in_order(records) for name, records in wanted.items()
    }


def test_classes_without_fields_are_followed_only_where_they_lead_on(folder, tmp_path):
    write_shop(folder)
    (folder / "more").mkdir()
    for n in range(6):
        body = f"<body class='barren'><a href='/more/{(n + 1) % 6}.html'>on</a>"
        (folder / f"more/{n}.html").write_text(f"<!doctype html><title>x</title>{body}")
    home = folder / "index.html"
    home.write_text(home.read_text() + "<a href='more/0.html'>More</a>")
    site = open_site(str(folder))
    model = shop_model(site)
    plan = make_project(model, {"good": WRAPPERS["good"]}, site.pages).plan
    templates = {one.url_template: one.is_followed for one in plan.classes}
    assert templates["/good/{id}.html"]
    assert templates["/list/{id}.html"]
    assert not templates["/more/{id}.html"]


def test_another_address_of_the_site_can_be_crawled(folder, tmp_path):
    site = write_shop(folder)
    model = shop_model(site)
    write_project(make_project(model, WRAPPERS, site.pages), tmp_path / "spider")
    with serve(folder) as server:
        feeds = crawl(tmp_path / "spider", "-a", f"home={server.url}")
    assert len(feeds["good"]) == 12
    assert {one["_url"].startswith(server.url) for one in feeds["good"]} == {True}
