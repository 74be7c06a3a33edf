"""A folder as the site that it mirrors."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from time import perf_counter
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitewright.errors import InputNotFound, InvalidURL, UnreadableInput
from sitewright.page.url import canonical
from sitewright.site.base import Missing, Page, Reason
from sitewright.site.folder import NO_HOST, FolderFiles, FolderSite
from sitewright.site.folder_names import FolderNames
from sitewright.site.http import looks_like_html

if TYPE_CHECKING:
    from pathlib import Path

SECRET = b"<html>not for everybody"


def write(folder: Path, *names: str, body: bytes = b"<html>") -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return folder


def fetch(site: FolderSite, url: str) -> Page | Missing:
    (outcome,) = asyncio.run(site.fetch([url]))
    return outcome


def served(site: FolderSite, path: str) -> str | None:
    """The file that serves a path, relative to the folder's address."""
    address = site.page_url(NO_HOST + path)
    outcome = fetch(site, NO_HOST + path)
    if isinstance(outcome, Missing):
        assert address == canonical(NO_HOST + path)
        return None
    assert outcome.url == address == site.page_url(outcome.url)
    return outcome.url.removeprefix(NO_HOST)


@pytest.fixture
def mirror(tmp_path):
    return write(
        tmp_path,
        *("index.html", "about.html", "news/index.htm", "news/2004/story.html", "list.php"),
        *("shop/item.php?id=1&color=red", "shop/item.php?id=2.html", "shop/view.asp@id=3.html"),
        *(
            "caf\u00e9 & bar.html",
            "100%25.html",
            "Mixed/Case.HTML",
            "README",
            "shop/index.html?p=2",
        ),
        *("two/a.html", "two/A.html", "old/a.html", "old/a/index.html"),
    )


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("", "index.html"),
        ("index.html", "index.html"),
        ("#top", "index.html"),
        ("about", "about.html"),
        ("about.html?print=1", "about.html"),
        ("news/", "news/index.htm"),
        ("news", "news/index.htm"),
        ("news/../about.html", "about.html"),
        ("news/2004/story", "news/2004/story.html"),
        ("caf%c3%a9%20%26%20bar.html", "caf%C3%A9%20&%20bar.html"),
        ("100%2525.html", "100%2525.html"),
        ("100%25.html", "100%2525.html"),
        ("shop/item.php?color=red&id=1&utm_source=x", "shop/item.php%3Fid=1&color=red"),
        ("shop/item.php?id=2", "shop/item.php%3Fid=2.html"),
        ("shop/view.asp?id=3", "shop/view.asp@id=3.html"),
        ("shop/?p=2", "shop/index.html%3Fp=2"),
        ("shop/item.php%3Fid=1&color=red", "shop/item.php%3Fid=1&color=red"),
        ("mixed/case.html", "Mixed/Case.HTML"),
        ("ABOUT", "about.html"),
        ("two/A.html", "two/A.html"),
        ("two/a.HTML", None),
        ("old/a", "old/a.html"),
        ("old/a/", "old/a/index.html"),
        ("shop/item.php?id=9", None),
        ("shop/item.php", None),
        ("news/2004/", None),
        ("nothing.html", None),
        ("README", "README"),
    ],
)
def test_a_url_finds_the_file_that_serves_it(mirror, path, file):
    assert served(FolderSite(mirror), path) == file


def test_pages_come_in_the_order_of_their_names_with_the_address_of_their_file(mirror):
    site = FolderSite(mirror)
    urls = [page.url for page in site.pages()]
    assert urls[0] == NO_HOST + "100%2525.html"
    assert len(urls) == len(set(urls)) == 17
    assert all(site.page_url(url) == url for url in urls)
    assert urls == [page.url for page in site.pages()]


def test_what_was_asked_for_is_remembered(mirror):
    site = FolderSite(mirror)
    assert fetch(site, NO_HOST) == Page(NO_HOST + "index.html", b"<html>", None, NO_HOST)
    assert fetch(site, NO_HOST + "index.html").requested == ""


def test_many_pages_come_in_the_order_of_the_request(mirror):
    urls = [NO_HOST + path for path in ("about", "nothing", "", "about")]
    found = asyncio.run(FolderSite(mirror).fetch(urls))
    assert [type(outcome) for outcome in found] == [Page, Missing, Page, Page]


def test_files_that_are_no_pages_are_told_by_name_or_content(tmp_path):
    write(tmp_path, "a.html", "b", "c.cgi", "d.php?x=1")
    write(tmp_path, "logo.png", "style.css", "style.css?v=1", "notes.txt")
    write(tmp_path, "e.php", body=b"<?php echo 1; ?>")
    write(tmp_path, "Makefile", body=b"all:")
    site = FolderSite(tmp_path)
    names = [page.url.removeprefix(NO_HOST) for page in site.pages()]
    assert names == ["a.html", "b", "c.cgi", "d.php%3Fx=1"]
    assert site.tally == Counter()
    assert fetch(site, NO_HOST + "logo.png").reason is Reason.NOT_HTML
    assert fetch(site, NO_HOST + "e.php").reason is Reason.NOT_HTML
    assert site.tally == {Reason.NOT_HTML: 2}


@pytest.mark.parametrize(
    ("body", "is_page"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)), False),
        (b"PK\x03\x04" + bytes(300), False),
        (b"<html>" + bytes(40) + b"<p>Text", True),
        ("<p>Text</p>".encode("utf-16-le") * 9, True),
        ("\ufeffText".encode("utf-16-le") * 99, True),
        (b"Text without a tag \x07", True),
        (b"", True),
    ],
)
def test_a_file_called_a_page_that_is_no_text_is_none(tmp_path, body, is_page):
    write(tmp_path, "index.html")
    write(tmp_path, "photo.html", body=body)
    found = fetch(FolderSite(tmp_path), NO_HOST + "photo.html")
    assert isinstance(found, Page) == is_page
    assert is_page or found.reason is Reason.NOT_HTML


def test_a_missing_page_is_counted_once(mirror):
    site = FolderSite(mirror)
    for _ in range(3):
        fetch(site, NO_HOST + "nothing")
        fetch(site, "http://example.org/")
    assert site.tally == {Reason.NOT_FOUND: 1, Reason.OUT_OF_SCOPE: 1}


def test_the_base_is_the_address_that_the_user_names(mirror):
    site = FolderSite(mirror, base_url="https://www.example.org/site/")
    assert site.home == "https://www.example.org/site/index.html"
    for url in ("http://example.org/site/about", "https://www.example.org/site/x/../about.html"):
        assert site.page_url(url) == "https://www.example.org/site/about.html"
    assert site.page_url("http://example.org/site") == site.home
    assert site.page_url("http://example.org/about.html") is None
    assert site.page_url("http://example.org/site/..%2fabout.html") is None


def test_the_base_may_be_a_page_of_the_site(mirror):
    site = FolderSite(mirror, base_url="http://example.org/site/start.html")
    assert site.home == "http://example.org/site/index.html"


def test_a_folder_named_after_a_host_is_that_host(tmp_path):
    folder = write(tmp_path / "www.example.org", "index.html")
    assert FolderSite(folder).home == "http://www.example.org/index.html"
    folder = write(tmp_path / "release-3.11", "index.html")
    assert FolderSite(folder).home == NO_HOST + "index.html"


def test_addresses_do_not_depend_on_where_the_folder_lies(tmp_path, monkeypatch):
    one, other = write(tmp_path / "a/site", "x/y.html"), write(tmp_path / "b/c/site", "x/y.html")
    assert list(FolderSite(one).pages()) == list(FolderSite(other).pages())
    monkeypatch.chdir(one)
    assert list(FolderSite(".").pages()) == list(FolderSite(other).pages())


@pytest.mark.parametrize(
    ("names", "home"),
    [
        (["b.html", "index.html", "a.html"], "index.html"),
        (["b.html", "Index.HTM", "a.html"], "Index.HTM"),
        (["b.html", "default.asp", "a.html"], "default.asp"),
        (["only.html", "style.css"], "only.html"),
        (["a/index.html", "z.html"], "z.html"),
        (["b/a/x.html", "b/z.html", "c/y.html"], "b/z.html"),
        (["a/page.html", "b/index.html"], "b/index.html"),
    ],
)
def test_home_is_the_index_or_the_page_nearest_to_the_top(tmp_path, names, home):
    assert FolderSite(write(tmp_path, *names)).home == NO_HOST + home


def test_the_index_may_be_another_name_of_a_page(tmp_path):
    folder = write(tmp_path / "site", "about.html", "manual.html")
    (folder / "index.html").symlink_to("manual.html")
    assert FolderSite(folder).home == NO_HOST + "manual.html"
    (folder / "index.html").unlink()
    (folder / "index.html").symlink_to(write(tmp_path / "other", "x.html") / "x.html")
    assert FolderSite(folder).home == NO_HOST + "about.html"


def test_without_an_index_home_is_what_most_pages_lead_to(tmp_path):
    folder = write(tmp_path, "top.html", "all.html", *(f"page-{n}.html" for n in range(40)))
    for n in range(40):
        menu = '<a href="top.html">Top</a><a href="all.html">All</a>' if n % 3 else ""
        (folder / f"page-{n}.html").write_text(f'{menu}<a href="page-{n}.html">{n}</a>')
    assert FolderSite(folder).home == NO_HOST + "top.html"
    write(folder, "sub/index.html")
    assert FolderSite(folder).home == NO_HOST + "top.html"
    for n in range(20):
        (folder / f"page-{n}.html").write_text("nothing leads on")
    assert FolderSite(folder).home == NO_HOST + "all.html"


def test_home_can_be_given_as_a_name_or_an_address(mirror):
    for home in ("news/", "/news/index.htm", NO_HOST + "news"):
        assert FolderSite(mirror, home=home).home == NO_HOST + "news/index.htm"
    for home in ("nothing", "http://example.org/", "../secret.html"):
        with pytest.raises(InvalidURL, match="no page of this folder"):
            FolderSite(mirror, home=home)


def test_a_folder_must_be_there_and_hold_pages(tmp_path):
    with pytest.raises(InputNotFound, match="no such file or folder"):
        FolderSite(tmp_path / "nothing")
    with pytest.raises(UnreadableInput, match="no pages in this folder"):
        FolderSite(tmp_path)
    write(tmp_path, "style.css")
    with pytest.raises(UnreadableInput, match="no pages in this folder"):
        FolderSite(tmp_path)
    with pytest.raises(UnreadableInput, match="not a folder"):
        FolderSite(tmp_path / "style.css")
    with pytest.raises(InvalidURL):
        FolderSite(tmp_path, base_url="example")


def test_a_file_over_the_limit_is_too_large(mirror):
    write(mirror, "large.html", body=b"<html>" * 1000)
    site = FolderSite(mirror, max_size=1000)
    assert fetch(site, NO_HOST + "large.html").reason is Reason.TOO_LARGE
    assert len(list(site.pages())) == 17
    assert site.tally == {Reason.TOO_LARGE: 1}


# ---------------------------------------------------------------- hostile folders and URLs


@pytest.fixture
def guarded(tmp_path):
    """A folder with a secret next to it, and every link there is to it."""
    write(tmp_path, "secret.html", "private/secret.html", body=SECRET)
    folder = write(tmp_path / "site", "index.html", "sub/page.html")
    (folder / "link.html").symlink_to(tmp_path / "secret.html")
    (folder / "relative.html").symlink_to("../secret.html")
    (folder / "outside").symlink_to(tmp_path / "private")
    (folder / "sub/deep").symlink_to("../../private")
    (folder / "chain").symlink_to("outside")
    (folder / "broken.html").symlink_to("nothing.html")
    (folder / "loop.html").symlink_to("loop.html")
    (folder / "self").symlink_to(".")
    (folder / "also.html").symlink_to("sub/page.html")
    (folder / "latest").symlink_to("sub")
    return folder


SPELLINGS = [
    *("../secret.html", "..%2fsecret.html", "%2e%2e/secret.html", "..%5csecret.html"),
    *("..\\secret.html", "sub/../../secret.html", "sub/..%2f..%2fsecret.html", "/../secret.html"),
    *("%2fetc%2fpasswd", "//etc/passwd", "secret.html%00.html", "index.html%00", "..;/secret.html"),
    *("link.html", "relative.html", "outside/secret.html", "sub/deep/secret.html"),
    *("chain/secret.html", "self/../secret.html", "self/outside/secret", "%252e%252e/secret.html"),
    *("broken.html", "loop.html", "latest/deep/secret.html", "~root/secret.html", "outside/"),
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_url_reads_outside_the_folder(guarded, spelling):
    site = FolderSite(guarded)
    outcome = fetch(site, NO_HOST + spelling)
    assert isinstance(outcome, Missing)


@pytest.mark.parametrize(
    "url",
    [
        *("file:///etc/passwd", "/etc/passwd", "file:index.html", "FILE:///C:/a.html"),
        *("http://example.org/", "", "http://folder.invalid:81/index.html"),
    ],
)
def test_other_addresses_are_nobodys(guarded, url):
    site = FolderSite(guarded)
    assert site.page_url(url) is None
    assert site.page_url(f"file://{guarded}/index.html") is None
    assert fetch(site, url).reason is Reason.OUT_OF_SCOPE


def test_links_that_lead_outside_are_counted(guarded):
    assert FolderSite(guarded).tally == {Reason.OUT_OF_SCOPE: 5}


def test_links_inside_the_folder_are_other_names(guarded):
    site = FolderSite(guarded)
    page = NO_HOST + "sub/page.html"
    for path in ("also.html", "also", "latest/page.html", "self/sub/page", "self/self/also.html"):
        assert site.page_url(NO_HOST + path) == page
    assert site.page_url(NO_HOST + "self/") == NO_HOST + "index.html"
    assert [p.url for p in site.pages()] == [NO_HOST + "index.html", page]


PIECES = (
    ".. . / %2f %2e \\ %5c %00 ? # ; %25 secret.html outside self sub link.html deep latest private"
).split()


@settings(deadline=None)
@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
@example("outside/secret.html")
def test_whatever_the_url_the_file_read_lies_inside(shared, path):
    site = shared
    for url in (path, NO_HOST + path):
        outcome = fetch(site, url)
        if isinstance(outcome, Page):
            assert outcome.body != SECRET
            assert site.page_url(outcome.url) == outcome.url == site.page_url(url)


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    return FolderSite(guarded.__wrapped__(tmp_path_factory.mktemp("guarded")))


names = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1)


@settings(deadline=None)
@given(st.lists(names.filter(lambda name: name not in {".", ".."}), min_size=1, max_size=4))
@example(["a;jsessionid=1"])
@example(["a%20b", "a b"])
@example(["..\\x", "?", "#", "%2e%2e"])
def test_every_file_has_an_address_that_leads_back_to_it(tmp_path_factory, written):
    folder = tmp_path_factory.mktemp("names")
    bodies = {}
    for name in written:
        path = folder / os.fsdecode(name.encode()[:80]) / "page.html"
        if not path.parent.exists():
            path.parent.mkdir()
            path.write_bytes(b"<html>" + name.encode())
            bodies[path] = path.read_bytes()
    for base in (None, "http://example.org/docs/"):
        site = FolderSite(folder, base_url=base)
        pages = list(site.pages())
        assert all(site.page_url(page.url) == page.url for page in pages)
        assert all(fetch(site, page.url) == page for page in pages)
        assert base or len(pages) == len(bodies)


def test_names_that_are_no_text_have_addresses(tmp_path):
    (tmp_path / os.fsdecode(b"caf\xe9.html")).write_bytes(b"<html>")
    site = FolderSite(tmp_path)
    assert site.home == NO_HOST + "caf%E9.html"
    assert fetch(site, site.home).body == b"<html>"


def test_pipes_are_never_opened(tmp_path):
    write(tmp_path, "index.html")
    os.mkfifo(tmp_path / "pipe.html")
    site = FolderSite(tmp_path)
    assert fetch(site, NO_HOST + "pipe.html").reason is Reason.NOT_FOUND
    assert [page.url for page in site.pages()] == [site.home]


def test_a_file_that_changes_after_the_walk_is_not_followed(tmp_path):
    write(tmp_path, "secret.html", "private/page.html", body=SECRET)
    folder = write(tmp_path / "site", "index.html", "a.html", "b.html", "c.html", "sub/page.html")
    site = FolderSite(folder)
    for name in ("a.html", "b.html", "c.html", "sub/page.html"):
        (folder / name).unlink()
    (folder / "a.html").symlink_to(tmp_path / "secret.html")
    os.mkfifo(folder / "b.html")
    (folder / "c.html").mkdir()
    (folder / "sub").rmdir()
    (folder / "sub").symlink_to(tmp_path / "private")
    for name in ("a.html", "b.html", "c.html", "sub/page.html"):
        assert fetch(site, NO_HOST + name).reason is Reason.UNREADABLE


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_listed_is_counted(mirror):
    (mirror / "news").chmod(0)
    try:
        assert FolderSite(mirror).tally == {Reason.UNREADABLE: 1}
    finally:
        (mirror / "news").chmod(0o755)


def test_thousands_of_files_take_no_time(tmp_path):
    for number in range(100):
        (tmp_path / f"d{number}").mkdir()
    pages = [f"d{number % 100}/page{number}.html" for number in range(3000)]
    for name in pages:
        os.close(os.open(tmp_path / name, os.O_CREAT | os.O_WRONLY))
    start = perf_counter()
    site = FolderSite(tmp_path)
    assert site.page_url(NO_HOST + quote(pages[-1].upper())) == NO_HOST + pages[-1]
    assert perf_counter() - start < 1


def test_the_files_of_version_control_are_left_alone(tmp_path):
    write(tmp_path, "index.html", ".git/objects/ab/cd", ".well-known/page.html")
    names = [page.url.removeprefix(NO_HOST) for page in FolderSite(tmp_path).pages()]
    assert names == [".well-known/page.html", "index.html"]


def test_the_walk_stops_at_links(guarded):
    assert FolderFiles(str(guarded)).names == ["index.html", "sub/page.html"]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"<!DOCTYPE html>", True),
        (b"\xef\xbb\xbf \n<html lang=en>", True),
        (b"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD'>", True),
        (b"<!-- made by hand -->\n<p>", True),
        ("\ufeff<html>".encode("utf-16-le"), True),
        (b"<?xml version='1.0'?><rss>", False),
        (b"<?php echo 1;", False),
        (b"<svg>", False),
        (b"\x89PNG", False),
        (b"html", False),
        (b"", False),
    ],
)
def test_pages_are_known_by_their_first_bytes(head, expected):
    assert looks_like_html(head) is expected


def test_results_of_an_earlier_run_are_no_pages(tmp_path):
    for number, version in enumerate(('"version": 1, "home": ""', '"version": 3')):
        model = f'{{"format": "sitewright-model", {version}}}'.encode()
        write(tmp_path, f"out{number}/model.json", body=model)
        write(tmp_path, f"out{number}/report.html", f"out{number}/classes/a/page.html")
    write(tmp_path, "index.html", "models/model.json", "models/1.html")
    write(tmp_path, "car/1.html", "car/model.json/2.html")
    assert FolderFiles(str(tmp_path)).names == [
        "car/1.html", "car/model.json/2.html", "index.html", "models/1.html", "models/model.json",
    ]  # fmt: skip


def test_a_url_that_is_asked_for_again_has_the_same_page(tmp_path):
    site = FolderSite(write(tmp_path, "index.html", "Team.html"))
    urls = [site.home, NO_HOST + "team.html#top", NO_HOST + "none.html", "http://y.example/", "x:"]
    first = [site.page_url(url) for url in urls]
    assert [site.page_url(url) for url in urls] == first
    assert first == [
        NO_HOST + "index.html",
        NO_HOST + "Team.html",
        NO_HOST + "none.html",
        None,
        None,
    ]


PIECES = st.sampled_from(["a", "A", "Σ", "ς", "ß", "İ", "b c", "%41", "index", "Default", "x.php"])
ENDINGS = st.sampled_from(["", ".html", ".HTM", "/index.html", "/INDEX.htm", "/", "?id=1", "@id=1"])
NAMES = st.builds("{}{}".format, st.lists(PIECES, min_size=1, max_size=3).map("/".join), ENDINGS)


@given(st.sets(NAMES.map(lambda name: name.rstrip("/")), max_size=6), NAMES, st.booleans())
@example({"ΑΣ.html"}, "ας", False)
@example({"index.html"}, "", False)
def test_links_that_lead_nowhere_are_told_quickly_and_no_other_is_lost(names, path, has_query):
    """Without symbolic links most missing files are known without trying all their names."""
    query = "id=1" if has_query else None
    tried = FolderNames(names, lambda name: name)
    for one in (path, path.upper(), path.lower(), *names):
        assert FolderNames(names).find(one, query) == tried.find(one, query)
