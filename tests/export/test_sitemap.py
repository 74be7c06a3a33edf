from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright import formats
from sitewright.export.folder import read_skeleton
from sitewright.export.sitemap import sitemap_text, sitemap_xml, write_sitemap
from sitewright.skeleton import SkeletonNode

TREE = SkeletonNode(
    "http://s.example/",
    "Home & <more>",
    (SkeletonNode("http://s.example/a?x=1&y=2", "A", (SkeletonNode("http://s.example/b", "B"),)),),
)
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def test_a_site_map_lists_every_page_for_crawlers(tmp_path):
    first, *_ = write_sitemap(TREE, tmp_path)
    found = ET.parse(first).getroot().iter(f"{NAMESPACE}loc")
    assert [loc.text for loc in found] == [
        "http://s.example/",
        "http://s.example/a?x=1&y=2",
        "http://s.example/b",
    ]


def test_a_site_map_is_an_indented_text_for_people(tmp_path):
    write_sitemap(TREE, tmp_path)
    assert (tmp_path / "sitemap.txt").read_text() == (
        "Home & <more> <http://s.example/>\n"
        "  A <http://s.example/a?x=1&y=2>\n"
        "    B <http://s.example/b>\n"
    )


def test_more_pages_than_one_file_may_have_get_an_index(tmp_path, monkeypatch):
    monkeypatch.setattr("sitewright.export.sitemap.MAX_URLS", 2)
    files = write_sitemap(TREE, tmp_path)
    assert [path.name for path in files] == [
        "sitemap.xml",
        "sitemap-1.xml",
        "sitemap-2.xml",
        "sitemap.txt",
    ]
    assert ET.parse(files[0]).getroot().tag == f"{NAMESPACE}sitemapindex"


@pytest.mark.parametrize("name", ["map.xml", "map.txt", "new/MAP.XML"])
def test_a_file_that_is_named_is_the_only_one(tmp_path, name):
    write_sitemap(TREE, tmp_path / "folder")
    [written] = write_sitemap(TREE, tmp_path / name)
    assert written == tmp_path / name
    kind = "sitemap" + written.suffix.lower()
    assert written.read_text() == (tmp_path / "folder" / kind).read_text()
    assert [path.name for path in written.parent.iterdir() if path.is_file()] == [written.name]


def test_a_file_that_is_named_may_be_an_index(tmp_path, monkeypatch):
    monkeypatch.setattr("sitewright.export.sitemap.MAX_URLS", 2)
    files = write_sitemap(TREE, tmp_path / "map.xml")
    assert [path.name for path in files] == ["map.xml", "map-1.xml", "map-2.xml"]
    assert "<loc>http://s.example/map-1.xml</loc>" in files[0].read_text()


@given(st.text(), st.text())
def test_no_title_and_no_address_breaks_a_site_map(url, title):
    ET.fromstring(sitemap_xml([url]).encode("utf-8"))
    (line,) = sitemap_text(SkeletonNode("http://s.example/", title))
    assert "\n" not in line


def test_a_skeleton_survives_its_file(tmp_path):
    formats.write(tmp_path / "skeleton.json", TREE)
    assert read_skeleton(tmp_path) == TREE


def test_a_title_with_a_lone_surrogate_is_written(tmp_path):
    formats.write(tmp_path / "skeleton.json", SkeletonNode("http://s.example/", "\ud800"))
    assert read_skeleton(tmp_path).title == "\ud800"
