"""Other ways to write a selector for Scrapy's tree."""

import pytest

from sitewright.output.spider.rewrite import equivalents


@pytest.mark.parametrize(
    ("xpath", "written"),
    [
        ("//table/tbody/tr[2]", "//table/tr[2]"),
        ("//table/tbody/tr[2]", "//table/tbody/tr[2] | //table/tr[2]"),
        ("//table/tbody/tr[2]", "//table//tr[2]"),
        ("//table/tbody[1]/tr", "//table/tr"),
        ("./tbody/tr", "./tr"),
        ("tbody/tr", "tr"),
        ("//table/tbody//td", "//table//td"),
        ("/html/body/p/a", "/html//body//p//a"),
        ("//td/b/text()", "//td//b/text()"),
    ],
)
def test_steps_that_another_tree_lacks_are_left_out(xpath, written):
    assert written in list(equivalents(xpath))


def test_a_literal_is_never_changed():
    assert all("'a/tbody/b'" in one for one in equivalents("//table[. = 'a/tbody/b']/tbody/tr"))
    assert list(equivalents("//p[. = '/tbody/']")) == []


def test_axes_and_attributes_stay_steps():
    assert list(equivalents("//dt/following-sibling::dd[1]/@title")) == []
