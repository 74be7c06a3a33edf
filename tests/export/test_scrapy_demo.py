"""The whole way on the demo site: classes, wrappers, project, crawl; its feeds are the tables."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from examples.cup import generate
from examples.cup.server import serve
from sitewright import formats
from sitewright.export.class_tables import classes_of_urls, extract_site, write_wrapper
from sitewright.export.scrapy.project import make_project, served, write_project
from sitewright.extraction.page_results import ExtractionJob
from sitewright.methods import discover_all, sample_pages
from sitewright.site import open_site
from sitewright.wrapper import induce

ENOUGH = 12
"""Players and matches that are kept: a class of hundreds tells no more than one of a dozen."""
IMPATIENT = ["AUTOTHROTTLE_ENABLED=0", "DOWNLOAD_DELAY=0", "CONCURRENT_REQUESTS_PER_DOMAIN=8"]


def crawl(project: Path) -> None:
    settings = [part for setting in IMPATIENT for part in ("-s", setting)]
    command = [sys.executable, "-m", "scrapy", "crawl", "site", *settings]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr


def records(file: Path) -> dict[str, list[str]]:
    """The records of each page, in their order."""
    found: dict[str, list[str]] = {}
    for line in file.read_text().splitlines():
        record = json.loads(line)
        # The folder keeps the queries of addresses in the names of its files.
        record["_url"] = served(record["_url"])
        for known in ("_doubtful", "_fetched", "_key", "_confidence"):  # of tables alone
            record.pop(known, None)
        found.setdefault(record["_url"], []).append(json.dumps(record, sort_keys=True))
    return found


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The folder with the tables of extract, the project after its crawl, and the orphans."""
    folder = tmp_path_factory.mktemp("demo")
    generate(folder / "cup", scale=0.02)
    pages = folder / "cup" / "site"
    for part in ("players", "matches"):
        for page in sorted((pages / part).glob("[0-9]*"))[ENOUGH:]:
            page.unlink()
    with serve(pages) as server:
        site = open_site(str(pages), base_url=server.url)
        model = discover_all(site)
        leads_to = classes_of_urls(model)
        wrappers = {
            name: induce(documents, name, leads_to=leads_to)
            for name, documents in asyncio.run(sample_pages(model, site)).items()
            if documents
        }
        for wrapper in wrappers.values():
            write_wrapper(folder, wrapper, model=formats.identity(model))
        asyncio.run(extract_site(folder, site, ExtractionJob(model, wrappers, workers=1)))
        project = make_project(model, wrappers, site.pages)
        write_project(project, folder / "spider")
        crawl(folder / "spider")
    orphans = (folder / "cup" / "truth" / "orphans.txt").read_text().split()
    return folder, project, {server.url + path for path in orphans}


def test_every_selector_agrees_and_every_page_gives_the_same_records(demo):
    _, project, _ = demo
    assert len(project.checked.agreements) > 100
    assert project.checked.left_out() == []
    with_records = {name: count for name, count in project.run.pages.items() if name}
    assert sum(with_records.values()) > 120
    assert project.run.same == with_records


def test_the_feeds_of_the_crawl_are_the_tables_of_extract(demo):
    folder, project, unlinked = demo
    different = {}
    for one in project.plan.classes:
        if one.items:
            table = records(folder / "classes" / one.name / "table.jsonl")
            feed = records(folder / "spider" / "records" / f"{one.identifier}.jsonl")
            different |= {
                url: (table.get(url), feed.get(url))
                for url in (table.keys() | feed.keys()) - unlinked
                if table.get(url) != feed.get(url)
            }
    # Pages that are like no other have no class of ours; a spider takes them for one.
    taken = project.run.taken_for
    assert len(different) <= taken.total() <= 0.02 * project.run.pages.total(), different
    assert {own for own, _ in taken} <= {""}
