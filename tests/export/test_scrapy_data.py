"""The data behind pages: endpoints with numbers, slugs and cursors, and a spider that asks them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from scrapy import Request
from scrapy.http import Response

import sitewright
from examples.cup.server import serve
from sitewright.export.scrapy.runtime.crawling import PageClassSpider
from sitewright.export.scrapy.runtime.json_data import JsonSource, JsonSpider, next_url
from sitewright.site.endpoints import EndpointCollector, url_template
from tests.site.kinds import Shop


def collected(*answers, html=b""):
    """The endpoints of answers, each a URL and its data."""
    collector = EndpointCollector()
    for number, (url, data) in enumerate(answers):
        collector.add("team", (f"http://a/page/{number}", html), url, json.dumps(data).encode())
    return list(collector.endpoints())


def test_slugs_in_paths_are_what_differs():
    names = ["amber-united", "birch-rovers", "cedar-town-2"]
    rows = [{"slug": name} for name in names]
    team, listing = collected(
        ("http://a/api/teams", {"teams": rows}),
        *((f"http://a/api/team/{name}.json", {"name": name, "city": "x"}) for name in names),
    )
    assert listing.url == "http://a/api/teams"
    assert team.url == "http://a/api/team/{}"
    assert team.template == "http://a/api/team/{}.json"
    assert team.values == tuple(names)
    assert (team.listed_in, team.listed_at) == ("http://a/api/teams", "teams[].slug")


def test_other_data_under_a_sibling_path_is_another_endpoint():
    found = collected(
        ("http://a/api/menu", {"entries": [{"label": "Home"}]}),
        ("http://a/api/weather", {"degrees": 7, "wind": "west"}),
        ("http://a/api/user", {"name": "nobody"}),
    )
    assert [one.url for one in found] == [
        "http://a/api/menu", "http://a/api/user", "http://a/api/weather"
    ]  # fmt: skip


def test_a_cursor_is_known_by_the_answer_that_names_it():
    [one] = collected(
        ("http://a/api?kind=x&after=c1", {"items": [{"n": "one"}], "next": "c2"}),
        ("http://a/api?kind=x&after=c2", {"items": [{"n": "two"}], "next": "c3"}),
        ("http://a/api?kind=x&after=c3", {"items": [{"n": "three"}], "next": None}),
        ("http://a/api?kind=y&after=d1", {"items": [{"n": "four"}], "next": "d2"}),
        ("http://a/api?kind=y&after=d2", {"items": [{"n": "five"}], "next": None}),
    )
    assert (one.next_parameter, one.next_at) == ("after", "next")
    assert one.starts == ("http://a/api?kind=x&after=c1", "http://a/api?kind=y&after=d1")


def test_a_list_can_name_the_whole_url_of_its_next_part():
    [one] = collected(
        ("http://a/api/list", {"links": {"next": "/api/list?token=q7"}, "items": [1]}),
        ("http://a/api/list?token=q7", {"links": {"next": "/api/list?token=zz"}, "items": [2]}),
        ("http://a/api/list?token=zz", {"links": {}, "items": [3]}),
    )
    assert (one.next_parameter, one.next_at) == ("", "links.next")
    assert one.starts == ("http://a/api/list",)


def test_numbered_pages_are_counted_on():
    [one] = collected(
        ("http://a/api?page=1", {"items": [{"n": "one"}]}),
        ("http://a/api?page=2", {"items": [{"n": "two"}]}),
        ("http://a/api?page=3", {"items": [{"n": "three"}]}),
    )
    assert (one.next_parameter, one.next_at, one.next_step) == ("page", "", 1)
    assert one.starts == ("http://a/api?page=1",)


def test_numbers_of_records_are_not_counted_on():
    [one] = collected(
        ("http://a/api?id=4", {"name": "one"}),
        ("http://a/api?id=5", {"name": "two"}),
        ("http://a/api?id=6", {"name": "three"}),
    )
    assert (one.next_parameter, one.starts) == ("", ())
    assert one.template == "http://a/api?id={}"


@pytest.mark.parametrize(
    ("urls", "template", "values"),
    [
        (["http://a/x/1", "http://a/x/2"], "http://a/x/{}", ("1", "2")),
        (["http://a/x/a-1/y", "http://a/x/b-2/y"], "http://a/x/{}/y", ("a-1", "b-2")),
        (["http://a/x/a.json", "http://a/x/b.json"], "http://a/x/{}.json", ("a", "b")),
        (["http://a/x/a?q=1", "http://a/x/b?q=2"], "", ()),
    ],
)
def test_templates_of_urls(urls, template, values):
    assert url_template(urls) == (template, values)


@pytest.mark.parametrize(
    ("source", "url", "data", "expected"),
    [
        (
            {"next_parameter": "after", "next_at": "next"},
            "http://a/api?kind=x&after=1",
            {"next": "b c"},
            "http://a/api?kind=x&after=b+c",
        ),
        ({"next_parameter": "after", "next_at": "next"}, "http://a/api", {"next": None}, None),
        ({"next_at": "next"}, "http://a/api", {"next": "?t=4"}, "http://a/api?t=4"),
        ({"next_at": "next"}, "http://a/api", {"next": "http://evil.example/"}, None),
        ({"next_at": "next"}, "http://a/api", {"next": "file:///etc/passwd"}, None),
        (
            {"next_parameter": "page", "next_step": 2},
            "http://a/api?page=2",
            {"items": [{"n": 1}]},
            "http://a/api?page=4",
        ),
        ({"next_parameter": "page", "next_step": 2}, "http://a/api?page=2", {"items": []}, None),
    ],
)
def test_the_next_part_of_a_list(source, url, data, expected):
    made = JsonSource("x", "", ("items[].n",), **source)
    assert next_url(made, url, data) == expected


def test_a_cursor_that_goes_round_ends():
    class Round(JsonSpider):
        name = "round"
        sources = (
            JsonSource("x", "", ("n",), starts=("http://a/?c=1",), next_parameter="c", next_at="c"),
        )

    spider = Round()
    first = list(spider.parse(Response("http://a/?c=1", body=b'{"n": 1, "c": "2"}')))
    assert [getattr(one, "url", one) for one in first][1:] == ["http://a/?c=2"]
    again = list(spider.parse(Response("http://a/?c=2", body=b'{"n": 2, "c": "1"}')))
    assert len(again) == 1


def test_a_spider_takes_off_what_changes_nothing_and_follows_no_filters():
    class Site(PageClassSpider):
        name = "site"
        home = "http://a/"
        hosts = ("a",)
        same_content = (("/shop/", "sort"), ("/shop/", "page=1"))
        filters = (("/shop/", "colour"),)

    spider = Site()

    def followed(url):
        request = spider.within_site(Request(url), Response("http://a/"))
        return None if request is None else request.url

    assert followed("http://a/shop/list?sort=up&page=2") == "http://a/shop/list?page=2"
    assert followed("http://a/shop/list?page=2") is None  # it was asked for
    assert followed("http://a/shop/list?page=1") == "http://a/shop/list"
    assert followed("http://a/shop/list?colour=red&page=3") is None
    assert followed("http://a/other/list?colour=red") == "http://a/other/list?colour=red"


def crawl(folder, spider):
    """Run a spider of an exported project."""
    options = ("-L", "ERROR", "-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=0")
    command = [sys.executable, "-m", "scrapy", "crawl", spider, *options]
    subprocess.run(command, cwd=folder, check=True, timeout=120)


def test_the_exported_spiders_ask_a_shop_for_what_is_new(tmp_path):
    site = Shop()
    with serve(tmp_path, dynamic=site) as server:
        project = sitewright.run(server.url, tmp_path / "out", complete=True, workers=1)
        if not project.account.rendered:
            pytest.skip("no browser")
        project.export("scrapy", tmp_path / "spider")
        before = len(server.paths)
        crawl(tmp_path / "spider", "data")
        asked = [path for path in server.paths[before:] if path != "/robots.txt"]
        before = len(server.paths)
        crawl(tmp_path / "spider", "site")
        pages = [path for path in server.paths[before:] if path != "/robots.txt"]
    # Neither colours that change nothing, nor links that are not to be followed. The spider has no
    # browser: beyond ten rows of a list, only its filters lead to products.
    assert not [path for path in pages if "add-to-cart" in path]
    products = [path for path in pages if path.startswith("/product/")]
    assert sorted(products) == sorted(site.products)
    lines = (tmp_path / "spider/records/data.jsonl").read_text().splitlines()
    assert len(asked) == 9  # three lists in three parts each; the first ten rows are in the page
    names = {json.loads(line)["name"] for line in lines}
    assert len(lines) == 90
    assert names <= {one["name"] for one in site.products.values()}
