"""Other ways to write a selector for Scrapy's tree."""

import pytest

from sitewright.export.scrapy.check import equivalents
from sitewright.page.selector import Selector


def written(xpath):
    return [one.scrapy() for one in equivalents(Selector.parse(xpath))]


@pytest.mark.parametrize(
    ("xpath", "other"),
    [
        ("//table/tbody/tr[2]", "//table/tr[2]"),
        ("//table/tbody/tr[2]", "//table/tbody/tr[2] | //table/tr[2]"),
        ("//table/tbody/tr[2]", "//table//tr[2]"),
        ("//table/tbody[1]/tr", "//table/tr"),
        ("./tbody/tr", "./tr"),
        ("tbody/tr", "./tr"),
        ("//table/tbody//td", "//table//td"),
        ("(//table/tbody/tr)[2]", "(//table/tr)[2]"),
        ("/html/body/p/a", "/html//body//p//a"),
        ("//td/b/text()", "//td//b/text()"),
    ],
)
def test_steps_that_another_tree_lacks_are_left_out(xpath, other):
    assert other in written(xpath)


def test_of_several_tables_any_may_have_a_body():
    assert written("//table/tbody/tr/td/table/tbody/tr")[:3] == [
        "//table/tr/td/table/tr",
        "//table/tr/td/table/tbody/tr",
        "//table/tbody/tr/td/table/tr",
    ]


def test_a_selector_with_many_bodies_does_not_get_ever_more_proposals():
    assert len(written("//table/tbody/tr/td" * 12)) < 8


def test_a_literal_is_never_changed():
    assert all("'a/tbody/b'" in one for one in written("//table[. = 'a/tbody/b']/tbody/tr"))
    assert written("//p[. = '/tbody/']") == []


def test_axes_and_attributes_stay_steps():
    assert written("//dt/following-sibling::dd[1]/@title") == []
    assert written("//tbody") == []


def test_the_rows_of_one_of_several_tables_are_found_without_its_body_too():
    assert written("(//table)[2]/tbody/tr")[0] == "(//table)[2]/tr"
    assert written("(//table)[2]/tr") == ["(//table)[2]//tr"]


def test_what_the_engine_alone_understands_is_not_changed():
    assert written("string(//table/tbody/tr)") == []
