from __future__ import annotations

import pytest

from sitewright.skeleton.graph import continued, indexed, reordered
from sitewright.skeleton.navigation import folder_steps, last_step, may_be_page


@pytest.mark.parametrize(
    ("page", "first"),
    [
        ("http://s.example/news/page-2.html", "http://s.example/news/"),
        ("http://s.example/posts/page/10/index.html", "http://s.example/posts/"),
        ("http://s.example/list?category=a&page=3", "http://s.example/list?category=a"),
        ("http://s.example/list.html%3Fcategory=a&page=3", "http://s.example/list.html?category=a"),
    ],
)
def test_a_later_page_of_a_list_tells_where_the_list_begins(page, first):
    assert first in list(continued(page))


@pytest.mark.parametrize("page", ["http://s.example/pages/", "http://s.example/a.html?id=4"])
def test_other_pages_continue_nothing(page):
    assert list(continued(page)) == []


def test_another_order_of_a_list_is_the_same_list():
    assert list(reordered("http://s.example/l?k=1&sort=name")) == ["http://s.example/l?k=1"]
    assert list(reordered("http://s.example/l?k=1")) == []


def test_an_index_page_stands_for_its_folder():
    assert folder_steps("http://s.example/a/b/index.html") == ("s.example", "a", "b")
    assert folder_steps("http://s.example/a/b/") == ("s.example", "a", "b")
    assert folder_steps("http://s.example/a/b.html") == ("s.example", "a", "b")


def test_names_come_from_addresses_where_nothing_else_gives_one():
    assert last_step("http://s.example/a/caf%C3%A9.html") == "café"
    assert last_step("http://s.example/") == "http://s.example/"


def test_files_that_are_no_pages_are_known_by_their_ending():
    assert may_be_page("http://s.example/a.html")
    assert may_be_page("http://s.example/release-1.0")
    assert not may_be_page("http://s.example/a.pdf")


def test_an_index_page_is_its_folder():
    assert list(indexed("http://s.example/news/index.html")) == ["http://s.example/news/"]
    assert list(indexed("http://s.example/news/indexes.html")) == []
