"""Saved pages: where they are from, what belongs to them, and that none needs a link."""

from __future__ import annotations

import asyncio
import gzip
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import NoPages
from sitewright.page import Document
from sitewright.page.document import saved_from
from sitewright.page.url import canonical
from sitewright.site import Page, open_site
from sitewright.site.folder import NO_HOST, FolderSite, is_page_file
from sitewright.site.folder_names import companion_folders
from sitewright.site.warc_writer import WarcWriter
from sitewright.site.web import WebSite

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, pages: dict[str, str]) -> Path:
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def names(site) -> list[str]:
    return [url.removeprefix(NO_HOST) for url in site.listing()]


@pytest.mark.parametrize(
    ("head", "source"),
    [
        ('\ufeff<base href="http://shop.example/p?id=1"/>\n<!DOCTYPE html>', "/p?id=1"),
        ("<html><head><meta charset=utf-8><base href=HTTP://shop.example/a/>", "/a/"),
        ("<!DOCTYPE html>\n<!-- saved from url=(0022)http://shop.example/b -->\n<p>", "/b"),
        ("<html><base target=_top><p>nothing", None),
        ("<base href=/relative/>", None),
        ("<base href='file:///home/me/'>", None),
        ("", None),
    ],
)
def test_a_page_says_where_it_was_saved_from(head, source):
    found = saved_from(Document(head.encode()))
    assert found == (None if source is None else f"http://shop.example{source}")


@given(st.binary(max_size=300))
def test_no_page_makes_the_look_at_its_source_fail(head):
    found = saved_from(Document(b"<base href='http://a.org/" + head))
    assert found is None or canonical(found) == found


def test_links_between_saved_pages_stay_in_the_folder(tmp_path):
    pages = {
        f"{n:04}.htm": f'<base href="http://www.shop.example/tea/view?id={n}"><a href="?id=1">1</a>'
        for n in range(3)
    }
    site = FolderSite(write(tmp_path, pages))
    assert site.page_url("http://www.shop.example/tea/view?id=1") == f"{NO_HOST}0001.htm"
    assert site.page_url("https://shop.example/tea/view?id=2#top") == f"{NO_HOST}0002.htm"
    assert site.page_url("http://www.shop.example/tea/view?id=9") is None
    assert site.page_url("http://www.shop.example/") is None
    (page,) = asyncio.run(site.fetch(["http://www.shop.example/tea/view?id=1"]))
    assert isinstance(page, Page)
    assert page.url == f"{NO_HOST}0001.htm"


def test_a_base_that_pages_share_stands_for_the_folder(tmp_path):
    head = '<base href="https://shop.example/en/">'
    site = FolderSite(write(tmp_path, {"index.html": head, "tea/green.html": head}))
    assert site.page_url("https://shop.example/en/tea/green.html") == f"{NO_HOST}tea/green.html"
    assert site.page_url("https://shop.example/tea/green.html") == f"{NO_HOST}tea/green.html"
    assert site.page_url("https://shop.example/en/") == f"{NO_HOST}index.html"
    assert site.page_url("https://shop.example/en/coffee.html") is None
    assert site.page_url("https://other.example/en/") is None


def test_what_belongs_to_a_saved_page_is_no_page(tmp_path):
    pages = {
        "Product one.html": "<p>1",
        "Product one_files/saved_resource.html": "<p>an advertisement",
        "Product one_files/inner/frame.html": "<p>and another",
        "lists_files/page.html": "<p>a folder that only looks so",
    }
    site = FolderSite(write(tmp_path, pages))
    expected = ["Product%20one.html", "lists_files/page.html"]
    assert names(site) == expected
    assert [page.url for page in site.pages()] == [NO_HOST + name for name in expected]


def test_companion_folders_lie_beside_pages_only():
    assert "a/Tea_files/" in companion_folders(["a/Tea.htm", "b/x.png"])
    assert not companion_folders(["b/x.png", ".html"])


def test_the_listing_holds_the_pages_of_a_folder_in_the_order_of_their_names(tmp_path):
    write(
        tmp_path, {"b.html": "x", "a.html": "x", "x.png": "<p>", "page.php?id=1": "<p>1", "n": "n"}
    )
    assert names(FolderSite(tmp_path)) == ["a.html", "b.html", "page.php%3Fid=1"]


def test_the_listing_of_an_archive_is_its_pages_and_a_live_site_has_none(tmp_path):
    with WarcWriter(tmp_path / "pages.warc.gz") as writer:
        for name in ("", "lonely"):
            header = [("Content-Type", "text/html")]
            writer.write_response(f"http://a.org/{name}", 200, header, b"<p>x")
    archive = open_site(str(tmp_path / "pages.warc.gz"))
    assert list(archive.listing()) == ["http://a.org/", "http://a.org/lonely"]
    asyncio.run(archive.aclose())
    assert list(WebSite("http://a.org/").listing()) == []


def test_one_saved_page_is_a_site(tmp_path):
    write(tmp_path, {"page.html": "<a href=other.html>x</a>", "other.html": "x"})
    site = open_site(str(tmp_path / "page.html"))
    assert site.home == f"{NO_HOST}page.html"
    assert names(site) == ["page.html"]
    (tmp_path / "odd.xyz").write_text("<html>")
    assert names(open_site(str(tmp_path / "odd.xyz"))) == ["odd.xyz"]


def test_a_link_to_a_saved_page_is_that_page(tmp_path):
    write(tmp_path, {"inner/page.html": "<p>x"})
    (tmp_path / "link").symlink_to(tmp_path / "inner/page.html")
    assert is_page_file(tmp_path / "link")
    assert names(open_site(str(tmp_path / "link"))) == ["page.html"]


@pytest.mark.parametrize("found", [{}, {"a.png": "x", "b/c.jpg": "x"}])
def test_a_folder_without_pages_is_told_apart_from_one_that_cannot_be_read(tmp_path, found):
    with pytest.raises(NoPages, match="no pages in this folder"):
        open_site(str(write(tmp_path, found)))


def test_an_archive_without_pages_is_told_apart_too(tmp_path):
    (tmp_path / "a.warc.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(NoPages):
        open_site(str(tmp_path / "a.warc.gz"))
