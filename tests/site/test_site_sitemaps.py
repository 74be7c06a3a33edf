"""Sitemaps and feeds: pages that no link leads to, and what has changed since."""

from __future__ import annotations

import gzip
import json
from hashlib import sha256

import pytest
from click.testing import CliRunner

import sitewright
from examples.cup.faults import Answer, Faults
from examples.cup.server import folder_answer, serve
from sitewright.cli import sitewright as program
from sitewright.errors import InvalidInput
from sitewright.export.changes import record_changes
from sitewright.site.sitemaps import ListedPage, feeds_of, read_list, sitemaps_in_robots

HERE = "http://a.example/sitemap.xml"
MOST = {"most": 1000, "limit": 1 << 20}


def urlset(*entries):
    inside = "".join(f"<url><loc>{url}</loc>{more}</url>" for url, more in entries)
    return f'<?xml version="1.0"?><urlset xmlns="x">{inside}</urlset>'.encode()


def test_a_sitemap_lists_pages_and_when_they_changed():
    body = urlset(
        ("http://a.example/x?a=1&amp;b=2", "<lastmod>2031-06-07</lastmod>"),
        (" /y ", "<lastmod>2031-06-07T10:00:00+02:00</lastmod>"),
        ("http://a.example/z", "<lastmod>soon</lastmod>"),
        ("mailto:a@b", ""),
    )
    found = read_list(body, HERE, **MOST)
    assert found.pages == (
        ListedPage("http://a.example/x?a=1&b=2", 1938556800.0),
        ListedPage("http://a.example/y", 1938585600.0),
        ListedPage("http://a.example/z", None),
    )
    assert read_list(gzip.compress(body), HERE, **MOST) == found


def test_an_index_lists_sitemaps_and_a_feed_lists_pages():
    index = b"<sitemapindex><sitemap><loc>/one.xml.gz</loc></sitemap></sitemapindex>"
    assert read_list(index, HERE, **MOST).lists == ("http://a.example/one.xml.gz",)
    rss = (
        b"<rss><channel><link>http://a.example/</link><item><title>x</title>"
        b"<link><![CDATA[http://a.example/n?a=1]]></link><pubDate>Sat, 07 Jun 2031 00:00:00 GMT"
        b"</pubDate></item></channel></rss>"
    )
    found = read_list(rss, HERE, **MOST)
    assert found.pages == (ListedPage("http://a.example/n?a=1", 1938556800.0),)
    assert found.is_feed
    atom = (
        b'<feed><link href="/"/><entry><link rel="self" href="/s"/><link href="/e1"/>'
        b"<updated>2031-06-07T00:00:00Z</updated></entry></feed>"
    )
    assert read_list(atom, HERE, **MOST).pages == (ListedPage("http://a.example/e1", 1938556800.0),)
    assert read_list(b"http://a.example/1\nnone\nhttp://a.example/2", HERE, **MOST).pages == (
        ListedPage("http://a.example/1"),
        ListedPage("http://a.example/2"),
    )


def test_lists_are_bounded():
    body = urlset(*((f"http://a.example/{n}", "") for n in range(500)))
    assert len(read_list(body, HERE, most=100, limit=1 << 20).pages) == 100
    assert read_list(gzip.compress(bytes(1 << 22)), HERE, **MOST).pages == ()
    for piece in (b"<url>", b"<loc>", b"<url><loc>", b"<link ", b"<item><link><![CDATA["):
        read_list(piece * 40_000, HERE, **MOST)


def test_robots_and_pages_say_where_lists_are():
    robots = "User-agent: *\nSitemap: http://a.example/s.xml\n sitemap:/t.xml \nSitemap:\n"
    assert sitemaps_in_robots(robots) == ["http://a.example/s.xml", "/t.xml"]
    page = (
        b'<link rel=alternate type="application/rss+xml" href="/feed?a&amp;b"><link rel=x href=y>'
    )
    assert feeds_of(page, "http://a.example/p/") == ["http://a.example/feed?a&b"]


AUTHORS = ("Ann Ash", "Ben Oak", "Cy Elm", "Di Fir", "Ed Yew")


def write_news(folder, stories=30):
    """Write a site of which half of the stories are linked, and all are in the sitemap."""
    folder.mkdir(exist_ok=True)
    (folder / "story").mkdir(exist_ok=True)
    links = "".join(
        f'<li><a href="/story/{n}.html">Story {n}</a></li>' for n in range(0, stories, 2)
    )
    (folder / "index.html").write_text(f"<!doctype html><title>News</title><ul>{links}</ul>")
    for n in range(stories):
        (folder / f"story/{n}.html").write_text(
            f"<!doctype html><title>Story {n}</title><h1>Story {n}</h1>"
            f"<p class=by>{AUTHORS[n % 5]}</p><p>It was number {n} of all.</p>"
        )
    return folder


def served(folder, log, etags=True):
    """Answer with entity tags, and 304 where the client has the page."""

    def answer(path, query, headers):
        found = folder_answer(folder, path, query)
        if found is None or found.type != "text/html" or not etags:
            return None
        tag = f'"{sha256(found.body).hexdigest()[:16]}"'
        if headers.get("If-None-Match") == tag:
            log.append(path)
            return Answer(b"", status=304, headers={"ETag": tag})
        return Answer(found.body, headers={"ETag": tag})

    return answer


def sitemap_of(folder, base, stories=30, changed="2020-01-01"):
    entries = [(f"{base}story/{n}.html", f"<lastmod>{changed}</lastmod>") for n in range(stories)]
    (folder / "sitemap.xml").write_bytes(urlset(*entries, ("http://elsewhere.example/x", "")))


def test_pages_that_only_a_sitemap_names_are_found(tmp_path):
    folder = write_news(tmp_path / "site")
    with serve(folder) as server:
        sitemap_of(folder, server.url)
        project = sitewright.run(server.url, tmp_path / "out", complete=True)
        assert project.account.collections == {server.url + "sitemap.xml": 30}
        assert project.account.orphans == 15
        story = next(one for one in project.classes if "story" in one.name)
        assert len(list(project[story.name].records())) == 30
        asked = [path for path in server.paths if path.startswith("/sitemap")]
    assert asked == ["/sitemap.xml"]


def test_a_sitemap_elsewhere_is_not_fetched(tmp_path):
    folder = write_news(tmp_path / "site", 4)
    with serve(tmp_path) as other:
        robots = f"User-agent: *\nSitemap: {other.url}sitemap.xml"
        with serve(folder, faults=Faults(robots=robots)) as server:
            project = sitewright.run(server.url, tmp_path / "out")
        assert project.account.collections == {}
        assert other.requests == []


def test_refresh_asks_again_and_lists_changes(tmp_path):
    folder, same = write_news(tmp_path / "site"), []
    with serve(folder, dynamic=served(folder, same)) as server:
        run = {"refresh": True, "complete": True}
        sitewright.run(server.url, tmp_path / "out", complete=True)
        (folder / "story/2.html").write_text(
            (folder / "story/2.html").read_text().replace("Cy Elm", "Cy Oakes")
        )
        (folder / "story/4.html").unlink()
        before = len(server.requests)
        project = sitewright.run(server.url, tmp_path / "out", **run)
        assert project.refreshed[:] == (16, 16, 1, 1)
        assert len(same) == 14
        asked = [path for path in server.paths[before:] if path.startswith("/story")]
        assert len(asked) == len(set(asked)) == 15
    lines = [json.loads(line) for line in (tmp_path / "out/changes.jsonl").read_text().splitlines()]
    assert {line["change"] for line in lines} <= {"changed", "gone"}
    [changed] = [line for line in lines if line["change"] == "changed"]
    assert (changed["old"], changed["new"]) == ("Cy Elm", "Cy Oakes")
    assert changed["url"].endswith("story/2.html")
    [gone] = [line for line in lines if line["change"] == "gone"]
    assert gone["url"].endswith("story/4.html")


def test_refresh_believes_the_sitemap_and_the_age(tmp_path):
    folder = write_news(tmp_path / "site")
    with serve(folder, dynamic=served(folder, [], etags=False)) as server:
        sitemap_of(folder, server.url)
        sitewright.run(server.url, tmp_path / "out", complete=True)
        project = sitewright.run(server.url, tmp_path / "out", refresh=True)
        assert project.refreshed[:] == (31, 1, 0, 0)
        project = sitewright.run(server.url, tmp_path / "out", refresh=True, max_age=3600)
        assert project.refreshed[:] == (31, 0, 0, 0)
        result = CliRunner().invoke(
            program,
            ["run", server.url, "-o", str(tmp_path / "out"), "--refresh", "--max-age", "1"],
        )
        assert "0 of 31 pages were asked for again" in result.stderr


def test_refresh_finds_what_is_new_on_the_home_page(tmp_path):
    folder = write_news(tmp_path / "site")
    with serve(folder) as server:
        sitewright.run(server.url, tmp_path / "out", complete=True)
        story = (folder / "story/2.html").read_text()
        (folder / "story/99.html").write_text(story.replace("Cy Elm", "Flo Lime"))
        home = folder / "index.html"
        home.write_text(home.read_text() + '<ul><li><a href="/story/99.html">New</a></li></ul>')
        project = sitewright.run(server.url, tmp_path / "out", refresh=True)
    assert "/story/99.html" in server.paths
    assert project.refreshed.changed == 1
    lines = [json.loads(line) for line in (tmp_path / "out/changes.jsonl").read_text().splitlines()]
    assert any(one["change"] == "new" and one["url"].endswith("/99.html") for one in lines)


def test_refresh_asks_for_the_sitemap_again(tmp_path):
    folder = write_news(tmp_path / "site")
    with serve(folder, dynamic=served(folder, [], etags=False)) as server:
        sitemap_of(folder, server.url)
        sitewright.run(server.url, tmp_path / "out", complete=True)
        sitemap_of(folder, server.url, changed="2099-01-01")
        story = folder / "story/2.html"
        story.write_text(story.read_text().replace("Cy Elm", "Cy Oakes"))
        project = sitewright.run(server.url, tmp_path / "out", refresh=True)
        assert project.refreshed[:] == (31, 31, 1, 0)


def test_refresh_is_for_live_sites(tmp_path):
    folder = write_news(tmp_path / "site", 4)
    with pytest.raises(InvalidInput, match="is for live sites"):
        sitewright.run(folder, tmp_path / "out", refresh=True)
    with pytest.raises(InvalidInput, match="give refresh"):
        sitewright.run("http://a.example/", tmp_path / "out", max_age=3)
    assert not (tmp_path / "out").exists()


def test_a_text_beside_a_value_that_came_or_went_is_no_change():
    before = {"item": [{"_url": "http://a/1", "price": 3}, {"_url": "http://a/2", "price": 4}]}
    after = {
        "item": [
            {"_url": "http://a/1", "price": 3, "price_raw": "3"},
            {"_url": "http://a/2", "price": 5, "price_raw": "5 EUR"},
        ]
    }
    assert [(one.url, one.field) for one in record_changes(before, after)] == [
        ("http://a/2", "price")
    ]
