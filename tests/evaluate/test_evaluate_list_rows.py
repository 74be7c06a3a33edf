"""The measure of rows: right, wrong and missed."""

import pytest

from sitewright.evaluate.list_rows import row_scores
from sitewright.page import Document

NAMES = "Ada Bela Cleo Dora Ewa Fay Gus Hal Ida Jon Kit Lea".split()


def page(number):
    rows = "".join(
        f"<li class=row><b>{name} {number}</b> <i>{turn * number}</i></li>"
        for turn, name in enumerate(NAMES[: 4 + number % 5])
    )
    return Document(f"<h1>List {number}</h1><ul>{rows}</ul>".encode(), f"http://x.example/{number}")


@pytest.fixture(scope="module")
def pages():
    return [page(number) for number in range(1, 11)]


def test_all_rows_are_right_where_the_expression_selects_the_same(pages):
    found = row_scores(pages, "//li")
    assert found.true == found.right == sum(4 + number % 5 for number in range(1, 11))
    assert found.wrong == found.missed == 0


def test_a_row_may_be_told_by_an_element_inside_it(pages):
    assert row_scores(pages, "//li/b").missed == 0


def test_rows_that_are_not_there_are_missed_and_others_are_wrong(pages):
    found = row_scores(pages, "//li[1] | //h1")
    assert (found.right, found.missed) == (10, 10)
    assert found.wrong == found.as_json()["wrong"] > 10


def test_pages_without_rows_have_none():
    plain = [Document(b"<h1>%d</h1>" % number, f"http://x.example/{number}") for number in range(5)]
    assert row_scores(plain, "//li").as_json()["rows"] == 0
