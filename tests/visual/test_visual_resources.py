"""Where a page's resources come from, without a browser."""

import asyncio
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from sitewright.site.archive import ArchiveSite
from sitewright.site.browser import (
    ArchiveResources,
    FolderResources,
    NoResources,
    WebResources,
    site_folder,
)
from sitewright.site.warc_writer import WarcWriter
from sitewright.site.web import CrawlOptions


def get(resources, url):
    return asyncio.run(resources.get(url))


def test_a_folder_serves_its_files_by_name_query_and_all(tmp_path):
    (tmp_path / "a b.css").write_text("one")
    (tmp_path / "style.css?v=2").write_text("two")
    (tmp_path / "plain.css").write_text("three")
    resources = FolderResources(tmp_path)
    assert get(resources, resources.url(tmp_path / "a b.css")).body == b"one"
    assert get(resources, "http://folder.invalid/style.css?v=2").body == b"two"
    found = get(resources, "http://folder.invalid/plain.css?v=9#top")
    assert (found.body, found.content_type) == (b"three", "text/css")


@pytest.mark.parametrize(
    "url",
    [
        "http://folder.invalid/../secret.txt",
        "http://folder.invalid/%2e%2e/secret.txt",
        "http://folder.invalid//etc/hostname",
        "http://folder.invalid/%2fetc/hostname",
        "http://folder.invalid/link.txt",
        "http://folder.invalid/nul%00l",
        "http://folder.invalid/",
        "http://elsewhere.example/own.css",
        "file:///etc/hostname",
    ],
)
def test_a_folder_serves_nothing_from_outside(tmp_path, url):
    (tmp_path / "secret.txt").write_text("secret")
    site = tmp_path / "site"
    site.mkdir()
    (site / "own.css").write_text("own")
    (site / "link.txt").symlink_to(tmp_path / "secret.txt")
    assert get(FolderResources(site), url) is None
    assert get(NoResources(), url) is None


def test_a_file_belongs_to_the_highest_folder_with_an_index_page(tmp_path):
    site = tmp_path / "site"
    (site / "news" / "story").mkdir(parents=True)
    (site / "index.html").write_text("")
    (site / "news" / "index.html").write_text("")
    assert site_folder(site / "news" / "story" / "page.html") == site
    alone = tmp_path / "alone" / "page.html"
    assert site_folder(alone) == alone.parent


def test_an_archive_serves_what_it_holds_redirects_followed(tmp_path):
    path = tmp_path / "pages.warc.gz"
    writer = WarcWriter(path)
    html, css = [("Content-Type", "text/html")], [("Content-Type", "text/css")]
    writer.write_response("http://a.example/", 200, html, b"<p>x")
    writer.write_response("http://cdn.example/s.css", 200, css, b"p {color: red}")
    moved = [("Location", "http://cdn.example/s.css")]
    writer.write_response("http://a.example/old.css", 301, moved, b"")
    writer.write_response("http://a.example/gone.css", 404, css, b"")
    writer.close()
    archive = ArchiveSite(path)
    resources = ArchiveResources(archive)
    try:
        assert get(resources, "http://a.example/old.css").body == b"p {color: red}"
        assert get(resources, "http://cdn.example/s.css").content_type == "text/css"
        assert get(resources, "http://a.example/gone.css") is None
        assert get(resources, "http://a.example/never.css") is None
    finally:
        asyncio.run(archive.aclose())


class Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        to = {"/moved.css": "/own.css", "/away.css": "http://elsewhere.example/x.css"}
        if self.path in to:
            self.send_response(302)
            self.send_header("Location", to[self.path])
        else:
            self.send_response(200 if self.path == "/own.css" else 404)
            self.send_header("Content-Type", "text/css")
        self.end_headers()
        self.wfile.write(b"p {}" if self.path == "/own.css" else b"")

    def log_message(self, *_):
        pass


def test_a_live_page_loads_from_its_own_host_only():
    async def ask(base):
        async with WebResources(f"{base}/page.html", CrawlOptions()) as resources:
            names = ("own.css", "moved.css", "away.css", "missing.css")
            own = [await resources.get(f"{base}/{name}") for name in names]
            return [*own, await resources.get("http://127.0.0.2:1/x.css")]

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            found = asyncio.run(ask(f"http://127.0.0.1:{server.server_port}"))
        finally:
            server.shutdown()
            thread.join()
    assert [each and each.body for each in found] == [b"p {}", b"p {}", None, None, None]


def test_a_public_page_loads_nothing_from_a_private_address():
    async def ask():
        async with WebResources("http://127.0.0.1.example/", CrawlOptions()) as resources:
            return await resources.get("http://127.0.0.1:1/x.css")

    assert asyncio.run(ask()) is None
