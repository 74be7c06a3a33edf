"""From what a person types to a site, and the plain way through it."""

import asyncio
import gzip
from contextlib import aclosing

import pytest
from live import options, write_site

from examples.cup.server import serve
from sitewright.crawl.waves import breadth_first
from sitewright.errors import InputNotFound, InvalidInput, InvalidURL, UnreadableInput
from sitewright.site import Missing, Reason, open_site
from sitewright.site.archive import ArchiveSite
from sitewright.site.folder import FolderSite
from sitewright.site.warc_writer import WarcWriter
from sitewright.site.web import WebSite


@pytest.fixture
def folder(tmp_path):
    pages = {
        "index.html": "<a href=a.html>A</a><a href=b.html>B</a><a href=gone.html>?</a>",
        "a.html": "<a href=c.html>C</a><a href=index.html>home</a><a href=https://x.org/>x</a>",
        "b.html": "<meta http-equiv=refresh content='0; url=d.html'>",
        "c.html": "<p>the end",
        "d.html": "<p>moved here",
        "lonely.html": "<p>nobody links here",
    }
    for name, text in pages.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def visit(site, **keywords):
    async def collect():
        async with aclosing(site):
            return [visited async for visited in breadth_first(site, **keywords)]

    return asyncio.run(collect())


def names(visits):
    urls = [v.url if isinstance(v, Missing) else v.page.url for v in visits]
    return [url.rsplit("/", 1)[1] for url in urls]


def test_a_folder_a_url_and_an_archive_are_sites(folder, tmp_path):
    archive = tmp_path / "pages.warc.gz"
    with WarcWriter(archive) as writer:
        writer.write_response("http://a.org/", 200, [("Content-Type", "text/html")], b"<p>x")
    assert isinstance(open_site(str(folder)), FolderSite)
    opened = open_site(str(archive))
    assert isinstance(opened, ArchiveSite)
    asyncio.run(opened.aclose())
    assert isinstance(open_site("https://example.org/"), WebSite)


@pytest.mark.parametrize(
    ("where", "error", "words"),
    [
        ("nothing-here", InputNotFound, "no such file or folder"),
        ("example.org", InputNotFound, "https://example.org"),
        ("ftp://example.org/", InvalidURL, "only http and https"),
        ("file:///etc", InvalidURL, "only http and https"),
        ("http://", InvalidURL, "not an http or https URL"),
        ("", InputNotFound, "an empty name"),
        ("page.html", InputNotFound, r"folder\Z"),
        ("x" * 300, UnreadableInput, "File name too long"),
        ("x" * 300 + ".warc.gz", UnreadableInput, "File name too long"),
    ],
)
def test_what_is_no_site_gets_one_clear_line(where, error, words):
    with pytest.raises(error, match=words) as caught:
        open_site(where)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_neither_page_nor_archive_is_refused(tmp_path):
    other = tmp_path / "notes.txt"
    other.write_text("<p>x")
    with pytest.raises(UnreadableInput, match=r"expected a URL, a folder, a page, or a \.warc"):
        open_site(str(other))
    broken = tmp_path / "pages.warc.gz"
    broken.write_bytes(gzip.compress(b"no records"))
    with pytest.raises(UnreadableInput):
        open_site(str(broken))


def test_pages_come_nearest_first_and_each_once(folder):
    visits = visit(open_site(str(folder)))
    assert names(visits) == ["index.html", "a.html", "b.html", "gone.html", "c.html", "d.html"]


def test_what_cannot_be_had_comes_with_its_reason(folder):
    (missing,) = [v for v in visit(open_site(str(folder))) if isinstance(v, Missing)]
    assert (missing.url, missing.reason) == ("http://folder.invalid/gone.html", Reason.NOT_FOUND)


def test_the_results_in_a_mirror_are_not_its_pages(folder):
    out = folder / "out"
    out.mkdir()
    (out / "report.html").write_text("<p>ours")
    (folder / "linked").symlink_to("out")
    (folder / "index.html").write_text("<a href=out/report.html>1</a><a href=linked/report.html>2")
    site = open_site(str(folder), archive=out / "pages.warc.gz")
    assert not any("report" in page.url for page in site.pages())
    assert [type(visited) for visited in visit(site)][1:] == [Missing, Missing]
    with pytest.raises(InvalidInput, match="is the site itself"):
        open_site(str(folder), archive=folder / "pages.warc.gz")


def test_a_visit_ends_at_the_limit_of_the_site(tmp_path):
    write_site(tmp_path, 40)
    links = "".join(f"<a href={number}.html>" for number in range(40))
    (tmp_path / "index.html").write_text(f"<a href=none.html>{links}")
    with serve(tmp_path) as server:
        visits = visit(WebSite(server.url, options=options(max_pages=10)), limit=10)
    assert len(visits) == 10
    assert [v.reason for v in visits if isinstance(v, Missing)] == [Reason.NOT_FOUND]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_no_more_pages_are_visited_than_allowed(folder, limit):
    visits = visit(open_site(str(folder)), limit=limit)
    assert len([v for v in visits if not isinstance(v, Missing)]) == limit


def test_the_size_of_a_wave_does_not_change_what_is_visited(folder):
    assert names(visit(open_site(str(folder)), wave=1)) == names(visit(open_site(str(folder))))
