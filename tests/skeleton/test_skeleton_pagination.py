"""Lists over many pages: what a page says of its list, and how its pages are joined."""

import re
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.page import Document
from sitewright.skeleton import pagination
from sitewright.skeleton.pagination import ListPage, ListPlace, joined_lists, list_page

HOST = "http://site.example/"


def page(url, links, head=""):
    anchors = " ".join(f'<a href="{urljoin(HOST, to)}">{text}</a>' for text, to in links)
    body = f"<!doctype html><head>{head}<title>x</title><body><ul><li>row</ul><p>{anchors}</p>"
    return Document(body.encode(), HOST + url)


@pytest.mark.parametrize(
    ("url", "links", "pattern", "number"),
    [
        # A parameter, named on the first page by others only.
        ("list", [("2", "list?page=2"), ("3", "list?page=3")], "list?page={}", 1),
        ("list?page=2", [("1", "list"), ("3", "list?page=3")], "list?page={}", 2),
        ("list?page=9", [("Previous", "list?page=8")], "list?page={}", 9),
        # Counted from 0, or by the first row.
        ("list?page=1", [("1", "list?page=0"), ("3", "list?page=2")], "list?page={}", 2),
        ("list?start=40", [("1", "list?start=0"), ("2", "list?start=20")], "list?start={}", 3),
        # A number in the path, with a word before it or without.
        ("news/", [("Older posts", "news/page/2/")], "news/page/{}/index.html", 1),
        ("news/3/", [("1", "news/1/"), ("2", "news/2/")], "news/{}/index.html", 3),
        ("news-2.html", [("1", "news.html"), ("3", "news-3.html")], "news-{}.html", 2),
        # A mirror keeps the query in the name of the file.
        ("list%3Fpage=2", [("1", "list"), ("3", "list%3Fpage=3")], "list?page={}", 2),
        # A button that is a link.
        ("list", [("Load more", "list?page=2")], "list?page={}", 1),
    ],
)
def test_a_page_tells_its_list_and_its_number(url, links, pattern, number):
    found = list_page(page(url, links))
    assert (found.pattern, found.number) == (pattern, number)


@pytest.mark.parametrize(
    ("url", "links"),
    [
        ("archive/2011/", [("2010", "archive/2010/"), ("2012", "archive/2012/")]),
        ("teams/4", [("Ann", "players/1"), ("Bob", "players/2")]),
        ("item/7", [("3", "item/7/reviews")]),
        ("shop", [("2", "http://other.example/shop?page=2")]),
    ],
)
def test_other_numbers_are_no_pages(url, links):
    assert list_page(page(url, links)) is None


def test_the_head_of_a_page_may_name_the_next():
    found = list_page(page("a", [], head='<link rel="next" href="/b">'))
    assert found == ListPage("", 0, HOST + "b")


def test_pages_are_joined_under_the_first():
    pages = {
        HOST + "list": ListPage("list?page={}", 1),
        HOST + "list?page=3": ListPage("list?page={}", 3),
        HOST + "alone?page=2": ListPage("alone?page={}", 2),
        HOST + "a": ListPage("", 0, HOST + "b"),
        HOST + "b": ListPage("", 0, HOST + "c/"),
        HOST + "c/index.html": ListPage("", 0, HOST + "a"),
        HOST + "x": ListPage("", 0, HOST + "y"),
        HOST + "y": ListPage("", 0, HOST + "missing"),
    }
    assert joined_lists(pages) == {
        HOST + "list": ListPlace(HOST + "list", 1),
        HOST + "list?page=3": ListPlace(HOST + "list", 3),
        HOST + "x": ListPlace(HOST + "x", 1),
        HOST + "y": ListPlace(HOST + "x", 2),
    }


def test_lists_by_cursor_are_joined_to_their_last_page():
    home = "http://a.example/"
    pages = {
        home: ListPage("", 0, f"{home}?after=a7"),
        f"{home}?after=a7": ListPage("", 0, f"{home}?after=c2"),
        f"{home}?after=c2": ListPage("", 0),  # the last leads nowhere
        f"{home}alone": ListPage("", 0),
    }
    assert joined_lists(pages) == {
        url: ListPlace(home, n) for n, url in enumerate(pages, 1) if n < 4
    }


@pytest.mark.parametrize("said", ["next", "\u203a", "&raquo;", "older posts", "&rarr; "])
def test_what_leads_to_the_next_page(said):
    page = f"<p>Rows</p><a href='?after=a7'>{said}</a>".encode()
    found = list_page(Document(page, "http://a.example/list"))
    assert found == ListPage("", 0, "http://a.example/list?after=a7")


PIECES = st.sampled_from(["<a>", "<b", ">", "<", " ", "\n", "next", "more", "load more", "nextx"])


@given(st.lists(PIECES, max_size=12).map("".join))
def test_a_word_behind_tags_is_one_behind_the_last_of_them(text: str) -> None:
    words = "(?:next|older|more|load more|show more)"
    behind_tags = re.compile(rf">(?:\s|<[^>]{{0,200}}+>){{0,20}}+{words}\b")
    (sign,) = (one for one in pagination._PAGING_SIGNS if b"older" in one.pattern)
    assert bool(sign.search(text.encode())) == bool(behind_tags.search(text))
