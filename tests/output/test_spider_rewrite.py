"""Other ways to write a selector for Scrapy's tree."""

import pytest

from sitewright.output.spider.rewrite import equivalents, readable


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
        ("(//table/tbody/tr)[2]", "(//table/tr)[2]"),
        ("/html/body/p/a", "/html//body//p//a"),
        ("//td/b/text()", "//td//b/text()"),
    ],
)
def test_steps_that_another_tree_lacks_are_left_out(xpath, written):
    assert written in list(equivalents(xpath))


def test_classes_are_asked_for_with_scrapys_own_function():
    long = "//ul[contains(concat(' ', normalize-space(@class), ' '), ' a ')]/li[@class='b']"
    assert readable(long) == "//ul[has-class(\"a\")]/li[@class='b']"


def test_of_several_tables_any_may_have_a_body():
    found = list(equivalents("//table/tbody/tr/td/table/tbody/tr"))
    assert found[:3] == [
        "//table/tr/td/table/tr",
        "//table/tr/td/table/tbody/tr",
        "//table/tbody/tr/td/table/tr",
    ]


def test_an_expression_with_many_bodies_does_not_get_ever_more_proposals():
    assert len(list(equivalents("//table/tbody/tr/td" * 12))) < 8


def test_a_literal_is_never_changed():
    assert all("'a/tbody/b'" in one for one in equivalents("//table[. = 'a/tbody/b']/tbody/tr"))
    assert list(equivalents("//p[. = '/tbody/']")) == []


def test_axes_and_attributes_stay_steps():
    assert list(equivalents("//dt/following-sibling::dd[1]/@title")) == []
    assert list(equivalents("//tbody")) == []
