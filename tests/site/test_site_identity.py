"""Each page once: which URLs are one page, and what must never be taken for one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from live import options, write_site

from examples.cup.server import serve
from sitewright.settings import current
from sitewright.site.base import Page
from sitewright.site.folder import FolderSite
from sitewright.site.identity import PageIdentity, content_digest, declared_canonical
from sitewright.site.store import PageStore
from sitewright.site.web import WebSite

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

HOME = "http://shop.example/"


class Reader:
    """Takes pages in one after the other."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes] = {}
        self.identity = PageIdentity(self.bodies.get)

    def read(self, path: str, text: str) -> str:
        """Read a page; gives the path of the page that it is."""
        page = Page(HOME + path, text.encode())
        url = self.identity.take(page)
        if url == page.url:
            self.bodies[url] = page.body
        return url.removeprefix(HOME)

    def address(self, path: str) -> str:
        return self.identity.address(HOME + path).removeprefix(HOME)


@pytest.fixture
def reader() -> Reader:
    return Reader()


ROWS = [f'<li><a href="/item{n}">Item {n}</a></li>' for n in range(4)]


def test_equal_bytes_are_one_page(reader):
    assert reader.read("a", "<p>Tea</p>") == "a"
    assert reader.read("b", "<p>Tea</p>") == "a"
    assert reader.read("c", "<p>Coffee</p>") == "c"
    assert [reader.address(path) for path in "abc"] == ["a", "a", "c"]


def test_equal_bytes_with_relative_links_in_two_folders_are_two_pages(reader):
    assert reader.read("x/a", "<a href=1.html>one</a>") == "x/a"
    assert reader.read("y/a", "<a href=1.html>one</a>") == "y/a"
    assert reader.read("x/b", "<a href=1.html>one</a>") == "x/a"
    assert reader.read("z/a", "<a href=/1.html>one</a>") == "z/a"
    assert reader.read("zz/a", "<a href=/1.html>one</a>") == "z/a"


def test_a_parameter_that_changes_nothing_is_learnt_and_left_out(reader):
    assert reader.read("list", "".join(ROWS)) == "list"
    for number in range(3):
        rows = ROWS[number:] + ROWS[:number]
        assert reader.read(f"list?sort={number}", "".join(rows)) == "list"
    left_out = [path for path in (f"list?sort={n}" for n in range(9, 99))
                if reader.address(path) == "list"]  # fmt: skip
    assert len(left_out) >= 80
    [rule] = reader.identity.learned()
    assert (rule.kind, rule.name, rule.where, rule.compared) == ("parameter", "sort", "/", 3)
    assert rule.left_out == len(left_out)
    assert reader.address("list?page=2&sort=3") in {"list?page=2", "list?page=2&sort=3"}
    assert reader.address("list?page=2") == "list?page=2"
    assert reader.address("other/list?sort=2") == "other/list?sort=2"


def test_a_parameter_that_changes_the_page_once_is_followed(reader):
    reader.read("list", "all")
    for number in range(5):
        reader.read(f"list?page={number}", "all")
    assert reader.address("list?page=77") == "list"
    urls = [f"list?page={n}" for n in range(100, 200)]
    [audited, *_] = [url for url in urls if reader.address(url) == url]
    assert reader.read(audited, "something else") == audited
    assert [reader.address(url) for url in urls] == urls
    assert list(reader.identity.learned()) == []


def test_parameters_are_compared_with_each_other_where_the_page_without_is_not_known(reader):
    for number in range(4):
        reader.read(f"view?id=7&token={number}", "<p>Seven</p>" + " " * number)
    reader.read("view?id=8&token=9", "<p>Eight</p>")
    assert reader.address("view?id=9&token=1") == "view?id=9"


def test_a_visit_that_all_links_of_a_page_carry_on_is_no_other_page(reader):
    """A shop without cookies writes who visits into each link of a page."""

    def item(number: int, visit: str) -> str:
        links = "".join(f'<a href="/item/{n}?visit={visit}">{n}</a>' for n in range(number, 9))
        return f"<h1>Item {number}</h1>{links}<a href='/item/7?visit={visit}&amp;old=1'>old</a>"

    for number in range(3):
        assert reader.read(f"item/{number}?visit=a{number}", item(number, f"a{number}"))
        found = reader.read(f"item/{number}?visit=b{number}", item(number, f"b{number}"))
        assert found == f"item/{number}?visit=a{number}"
    reader.read("item/3", item(3, "new"))
    assert reader.read("item/3?visit=x", item(3, "x")) == "item/3"
    left_out = [n for n in range(20, 60) if reader.address(f"item/{n}?visit=y") == f"item/{n}"]
    assert len(left_out) >= 32


def test_pages_whose_links_tell_them_apart_stay_two(reader):
    """Albums of pictures without a word: what differs is where their links lead."""
    for album in range(4):
        links = "".join(f'<a href="/photo?id={album}{n}"><img src="/t/x.png"></a>' for n in "12")
        assert reader.read(f"album?id={album}", links) == f"album?id={album}"
        one = f'<a href="/first?id={album}0">show</a>'
        assert reader.read(f"start?id={album}", one) == f"start?id={album}"


def test_the_first_page_of_a_list_tells_nothing_of_the_second(reader):
    """`?page=1` is the list itself wherever one looks, and says nothing of other numbers."""
    for name in "abcd":
        reader.read(f"list/{name}", f"<p>{name}")
        assert reader.read(f"list/{name}?page=1", f"<p>{name}<!-- 1 -->") == f"list/{name}"
    assert reader.address("list/e?page=1") == "list/e"
    assert reader.address("list/e?page=2") == "list/e?page=2"
    [rule] = reader.identity.learned()
    assert rule.values == ("1",)
    assert str(rule).startswith("?page=1 on /list/")


def test_a_parameter_with_few_pairs_is_not_trusted(reader):
    reader.read("item", "not found")
    for number in range(current().crawl.same_content_pairs - 1):
        reader.read(f"item?id={number}", "not found")
    assert reader.address("item?id=77") == "item?id=77"


def test_index_pages_are_their_folders_once_some_were_compared(reader):
    for name in "abc":
        reader.read(f"{name}/", f"<p>{name}</p><script>var at = 1</script>")
        text = f"<p>{name}</p><script>at = 2</script>"
        assert reader.read(f"{name}/index.html", text) == f"{name}/"
    assert reader.address("d/index.html") in {"d/", "d/index.html"}
    addresses = [reader.address(f"e{n}/index.html") for n in range(40)]
    assert sum(one.endswith("/") for one in addresses) >= 30


def test_index_pages_that_differ_from_their_folders_stay(reader):
    for name in "abcd":
        reader.read(f"{name}/", f"<p>{name}</p>")
        assert reader.read(f"{name}/index.html", f"<p>other {name}</p>") == f"{name}/index.html"
    assert reader.address("e/index.html") == "e/index.html"


def canonical_link(path: str) -> str:
    return f'<link rel="canonical" href="{path}">'


@pytest.mark.parametrize("first", ["plain", "marked"])
def test_canonical_links_fold_pages_of_one_content(reader, first):
    text = canonical_link("/tea") + "<p>Tea"
    order = ["tea", "drinks/tea"] if first == "plain" else ["drinks/tea", "tea"]
    found = [reader.read(path, text + f"<!-- {path} -->") for path in order]
    assert found == [order[0]] * 2


def test_hostile_canonical_links_lose_no_page(reader):
    link = canonical_link("/")
    assert reader.read("", f"{link}<p>Home") == ""
    for number in range(9):
        assert reader.read(f"p{number}", f"{link}<p>Page {number}") == f"p{number}"
        other = canonical_link("https://elsewhere.example/")
        assert reader.read(f"q{number}", f"{other}<p>Page q{number}") == f"q{number}"
    assert reader.address("r") == "r"


def test_declared_canonical_is_read_from_any_spelling():
    for link in ("<link rel=canonical href=/a?b=1&amp;c=2>",
                 "<LINK HREF='/a?b=1&amp;c=2' REL='canonical'>",
                 '<link id=x rel="canonical" href="http://shop.example/a?c=2&b=1">'):  # fmt: skip
        assert declared_canonical(Page(HOME + "x/y", link.encode())) == HOME + "a?b=1&c=2"
    assert declared_canonical(Page(HOME, b"<link rel=alternate href=/a>")) is None
    assert declared_canonical(Page(HOME, b"<link rel=canonical href='http://[x'>")) is None


def test_content_takes_time_in_proportion_to_the_page():
    for piece in (b"<script", b"<!--", b"href='", b"<style", b'<link rel="', b"<"):
        body = piece * (200_000 // len(piece))
        assert content_digest(body, HOME)
        declared_canonical(Page(HOME, body))


def read_all(site: PageStore, urls: Sequence[str]) -> list[str]:
    async def run() -> list[str]:
        async with site:
            found = await site.fetch(urls)
            streamed = [page.url for page in site.pages()]
            assert set(streamed) == {one.url for one in found}
            assert len(streamed) == len(set(streamed))
            return [one.url for one in found]

    return asyncio.run(run())


def test_a_live_site_and_a_folder_give_each_page_once(tmp_path):
    folder = write_site(tmp_path, 3)
    (folder / "copy.html").write_text("<title>Page 1</title>")
    with serve(folder) as server:
        names = ["", "index.html", "0.html", "1.html", "copy.html", "0.html?sort=1"]
        site = WebSite(server.url, archive=tmp_path / "pages.warc.gz", options=options())
        found = read_all(PageStore(site), [server.url + name for name in names])
        names = [url.removeprefix(server.url) for url in found]
    assert names == ["", "", "0.html", "1.html", "1.html", "0.html"]
    site = FolderSite(folder, base_url="http://a.example/")
    urls = [f"http://a.example/{name}" for name in ("index.html", "1.html", "copy.html")]
    assert read_all(PageStore(site), [*urls, *site.listing()])[:3] == [urls[0], urls[1], urls[1]]


def list_page(sort: str, items: Sequence[int]) -> str:
    """A list whose links to other orders of itself differ from copy to copy."""
    rows = "".join(f'<li><a href="item{n}.html">Item {n}</a></li>' for n in items)
    return f'<a href="?sort=up&view={sort}">up</a><ul>{rows}</ul>'


def local_pages(folder: Path) -> list[str]:
    """The names of the pages of a folder, copies left out."""
    store = PageStore(FolderSite(folder))
    names = sorted(unquote(page.url.partition(".invalid/")[2]) for page in store.pages())
    asyncio.run(store.aclose())
    return names


@pytest.mark.parametrize(
    ("base", "copy"),
    [
        ("list.html", "list.html?{}"),
        ("list.html", "list.html?{}.html"),
        ("list.html", "list?{}.html"),
        ("list", "list?{}"),
        ("list.html", "list.html@{}.html"),
    ],
)
def test_copies_of_a_mirror_under_other_parameters_are_one_page(tmp_path, base, copy):
    (tmp_path / base).write_text(list_page("none", range(9)))
    for sort in ("name", "price"):
        for query in (f"sort={sort}", f"sort={sort}&view=grid", f"view=grid&sort={sort}"):
            (tmp_path / copy.format(query)).write_text(list_page(query, range(9)[::-1]))
    (tmp_path / copy.format("colour=red")).write_text(list_page("red", range(0, 9, 3)))
    (tmp_path / "item.html?id=1").write_text("<h1>One</h1>")
    (tmp_path / "item.html?id=2").write_text("<h1>Two</h1>")
    assert local_pages(tmp_path) == sorted(
        [base, copy.format("colour=red"), "item.html?id=1", "item.html?id=2"]
    )


def test_a_mirror_without_the_plain_page_keeps_one_of_its_copies(tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.html").write_text(list_page("x", [number]))
        for sort in ("a", "b"):
            (tmp_path / f"{number}.html?sort={sort}").write_text(list_page(sort, [number]))
    for sort in ("a", "b"):
        (tmp_path / f"9.html?sort={sort}").write_text(list_page(sort, [9]))
    assert local_pages(tmp_path) == ["0.html", "1.html", "2.html", "9.html?sort=a"]


def test_a_rule_leads_to_no_page_that_a_mirror_does_not_have(tmp_path):
    (tmp_path / "index.html").write_text("<h1>Home</h1>")
    for number in range(4):
        (tmp_path / f"{number}.html").write_text(list_page("x", [number]))
        (tmp_path / f"{number}.html?sort=a{number}").write_text(list_page("a", [number]))
    for number in (3, 9):
        (tmp_path / f"{number}.html?sort=z").write_text(list_page("z", [number]))

    async def read() -> list[str]:
        async with PageStore(FolderSite(tmp_path)) as store:
            root = store.home.removesuffix("index.html")
            names = [f"{n}.html{query}" for n in range(4) for query in ("", f"%3Fsort=a{n}")]
            await store.fetch([root + name for name in names])
            return [store.address(f"{root}{n}.html%3Fsort=z") for n in (3, 9)]

    three, nine = asyncio.run(read())
    assert three.endswith("/3.html")
    assert nine.endswith("/9.html%3Fsort=z")
