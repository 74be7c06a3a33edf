"""A site is the same site live, in a folder and in an archive: classes, columns and records."""

from __future__ import annotations

import shutil
from urllib.parse import urlsplit

import pytest

import sitewright
from examples.cup import generate
from examples.cup.server import serve
from sitewright.page.url import folder_url
from sitewright.page.url_pattern import place_in_site


@pytest.fixture(scope="module")
def projects(tmp_path_factory):
    """The demo site, of the pages that links lead to, and all that is on it, three times."""
    work = tmp_path_factory.mktemp("same")
    generate(work / "cup", seed=2002, scale=0.01)
    for orphan in (work / "cup/truth/orphans.txt").read_text().splitlines():
        (work / "cup/site" / orphan).unlink()
    with serve(work / "cup/site") as server:
        live = sitewright.run(server.url, work / "live", complete=True, workers=1)
        asked = list(server.paths)
        home = server.url
    shutil.copy(work / "live/pages.warc.gz", work / "site.warc.gz")
    return {
        "asked": asked,
        "live": live,
        "folder": sitewright.run(work / "cup/site", work / "folder", workers=1),
        "archive": sitewright.run(work / "site.warc.gz", work / "archive", home=home, workers=1),
    }


def without_host(value):
    """A value as it is on every copy of the site."""
    match value:
        case str() if value.startswith("http"):
            return place_in_site(folder_url(value)) + urlsplit(value).fragment
        case list():
            return [without_host(one) for one in value]
        case dict():
            return {name: without_host(one) for name, one in value.items() if name != "_key"}
    return value


def tables(project):
    return {
        one.name: sorted(map(repr, map(without_host, project[one.name].records())))
        for one in project.classes
    }


@pytest.mark.parametrize("copy", ["folder", "archive"])
def test_live_and_copy_have_the_same_classes_columns_and_records(projects, copy):
    live, other = tables(projects["live"]), tables(projects[copy])
    assert list(live) == list(other)
    assert [name for name in live if live[name] != other[name]] == []


def test_no_page_is_asked_for_twice_and_hardly_any_in_vain(projects):
    asked, live = projects["asked"], projects["live"]
    assert len(asked) == len(set(asked))
    assert len(asked) <= 1.2 * live.account.counts["fetched"]
    assert live.account.is_complete
