"""Selectors are data: what is printed is read back, and people may write any XPath."""

from __future__ import annotations

import doctest
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectors_strategy import PATHS, SELECTORS

from sitewright.page import Document
from sitewright.page import selector as selector_module
from sitewright.page.page_index import text_of
from sitewright.page.selector import Selector
from sitewright.page.steps import (
    Attribute,
    HasClass,
    OtherExpression,
    OtherPredicate,
    OwnText,
    Path,
    Position,
    Step,
    TextIs,
    anywhere,
)

IN_CLASS = "[contains(concat(' ', normalize-space(@class), ' '), ' big ')]"


@given(SELECTORS)
def test_a_selector_that_is_printed_is_read_back(selector: Selector) -> None:
    assert Selector.parse(selector.xpath()) == selector


@given(PATHS)
def test_a_relative_selector_that_is_printed_is_read_back(path: Path) -> None:
    selector = Selector.of(replace(path, is_relative=True))
    assert Selector.parse(selector.xpath()) == selector


@given(st.text(st.characters(exclude_characters="\x00", exclude_categories=("Cs",)), min_size=1))
def test_any_text_can_be_a_label_a_class_or_an_id(text: str) -> None:
    tests = (Attribute("id", text), OwnText(TextIs((text,))), OwnText(TextIs((text,), True)))
    for predicate in (*tests, HasClass(text)):
        selector = Selector.of(Path((Step("p", (predicate,), is_deep=True),)))
        assert Selector.parse(selector.xpath()) == selector


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('// p [ @id = "x" ]', "//p[@id='x']"),
        ("td[1]/a", "./td[1]/a"),
        ("//p/child::b/attribute::title", "//p/b/@title"),
        ("//p[@id=concat('a', \"'\", 'b', '\"')]", "//p[@id=concat('a', \"'\", 'b\"')]"),
    ],
)
def test_what_people_write_in_another_way_means_the_same(written: str, read: str) -> None:
    assert Selector.parse(written).xpath() == read


@pytest.mark.parametrize(
    "xpath",
    [
        "string(//h1)",
        "count(//a[@href]) > 2",
        "(//a | //b)[1]",
        "id('x')/a",
        "/",
        "(//a)[position() < 3]/b",
        "//a[.//b[@c='d']]/ancestor::div[2]/following::i",
        "//p[. = 'a|b'] | //q[contains(., ']')]",
        "//*[@x]/node()",
        "//p[1 + 1]",
        "(//p)[0]",
        "//p[99999999999999999999]",
    ],
)
def test_xpath_of_any_form_is_kept_as_it_is_written(xpath: str) -> None:
    assert Selector.parse(xpath).xpath() == xpath


def test_what_has_no_form_of_its_own_is_left_to_the_engine() -> None:
    selector = Selector.parse("//p[. = '1'] | id('b')")
    assert selector.paths[0] == Path((Step("p", (OtherPredicate(". = '1'"),), is_deep=True),))
    assert selector.paths[1] == OtherExpression("id('b')")
    page = Document(b"<p>1<p>2<b>3</b>")
    assert page.index.select(Selector.parse("string(//b)")) == ["3"]
    assert len(page.index.select(Selector.parse("//p[. = '1']"))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "|",
        "'",
        "$x",
        "//p[",
        "//p |",
        "//p[$x]",
        "//p[@id='x']/[",
        "//p[has-class('x')]",
        "//p | string(//b)",
    ],
)
def test_what_is_no_xpath_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not an XPath expression: "):
        Selector.parse(text)


def test_classes_are_asked_for_with_scrapys_own_function() -> None:
    assert Selector.parse(f"//ul{IN_CLASS}/li[@class='b']").scrapy() == (
        "//ul[has-class(\"big\")]/li[@class='b']"
    )


@pytest.mark.parametrize("name", ["it's", 'say"so', "two words"])
def test_a_class_that_scrapys_function_cannot_take_is_asked_for_at_length(name: str) -> None:
    selector = Selector.of(Path((anywhere(Step("p", (HasClass(name),))),)))
    assert selector.scrapy() == selector.xpath()


@pytest.mark.parametrize(
    ("xpath", "short"),
    [
        (
            f"(//div[@id='top']/p{IN_CLASS}/text()[normalize-space()])[2]",
            "(//div#top/p.big/text())[2]",
        ),
        (
            "//b[text()[normalize-space()='Born:']]/../following-sibling::td[1]",
            "//b['Born:']/../following-sibling::td[1]",
        ),
        ("//b[text()[normalize-space()='A' or normalize-space()='B']]", "//b['A' or 'B']"),
        ("//b[text()[normalize-space(translate(., '\xa0', ' '))='A']]", "//b['A']"),
        ("//p[@id='two words']", "//p[@id='two words']"),
    ],
)
def test_people_see_a_selector_in_short(xpath: str, short: str) -> None:
    assert Selector.parse(xpath).short() == short


def test_an_anchor_is_what_an_index_finds_first() -> None:
    anchor = Selector.parse(f"(//p{IN_CLASS}[2]/a/@href)[last()-1]").anchor()
    assert anchor is not None
    assert (anchor.tag, anchor.attribute, anchor.names, anchor.position) == (
        "p",
        "class",
        ("big",),
        2,
    )
    assert (anchor.rest, anchor.place) == ("/a/@href", -2)


@pytest.mark.parametrize(
    ("xpath", "css", "rest"),
    [
        (f"//p{IN_CLASS}/b/a[@id='x']/text()", 'p[class~="big"] > b > a[id="x"]', "/text()"),
        (f"//p{IN_CLASS}//a{IN_CLASS}/b", 'p[class~="big"] a[class~="big"]', "/b"),
        # Below the one element with an id there is little to look through.
        (f"//p[@id='x']/a{IN_CLASS}", 'p[id="x"]', None),
        # CSS is not asked for what it is slow at, or compares otherwise.
        (f"//p{IN_CLASS}//a", 'p[class~="big"]', "//a"),
        (f"//p{IN_CLASS}//a{IN_CLASS}//b{IN_CLASS}", 'p[class~="big"] a[class~="big"]', None),
        (f"//p{IN_CLASS}/a[@rel='x']", 'p[class~="big"]', "/a[@rel='x']"),
        (f"//p[@rel='x']/a{IN_CLASS}", 'p[rel="x"]', None),
    ],
)
def test_an_anchor_goes_on_as_far_as_css_finds_a_class(
    xpath: str, css: str, rest: str | None
) -> None:
    anchor = Selector.parse(xpath).anchor()
    assert anchor is not None
    assert anchor.css() == css
    assert rest is None or anchor.rest == rest


@pytest.mark.parametrize(
    "xpath",
    [
        "//p",
        "/html/body",
        "//p[@id='x'][b]",
        "//p[@class='x']",
        "//p[@id='x'] | //b",
        "./p[@id='x']",
        "(//p[@id='x'])[1]/b",
    ],
)
def test_a_selector_that_names_no_elements_at_first_has_no_anchor(xpath: str) -> None:
    assert Selector.parse(xpath).anchor() is None


def test_a_selector_goes_to_another_process_as_it_is() -> None:
    selector = Selector.parse("//p[@id='x']/b")
    assert selector.anchor() is not None
    assert pickle.loads(pickle.dumps(selector)) == selector


def test_one_of_what_is_selected_is_counted_as_python_counts() -> None:
    selector = Selector.parse("//p/b")
    assert selector.at(1).xpath() == "(//p/b)[2]"
    assert selector.at(-1).xpath() == "(//p/b)[last()]"
    assert selector.at(-3).xpath() == "(//p/b)[last()-2]"
    assert selector.at(0).paths[0] == Path(selector.steps(), index=0)
    with pytest.raises(ValueError, match="index"):
        selector.at(0).at(1)


def test_a_position_may_count_from_the_end() -> None:
    for number, written in ((-1, "last()"), (-3, "last()-2")):
        selector = Selector.of(Path((Step("td", (Position(number),)),), is_relative=True))
        assert selector.xpath() == f"./td[{written}]"
        assert Selector.parse(selector.xpath()) == selector


def test_paths_are_made_step_by_step() -> None:
    path = Path((anywhere(Step("tr")),)).then(Step("td")).where(Position(2))
    assert Selector.of(path).xpath() == "//tr/td[2]"
    indexed = replace(path, index=0).then(Step("b")).where(Position(1))
    assert Selector.of(indexed).xpath() == "(//tr/td[2])[1]/b[1]"


@pytest.mark.parametrize("steps", [400, 511, 512, 513, 2000])
def test_expressions_of_many_steps_are_evaluated_to_their_end(steps: int) -> None:
    """A person may write what no step of ours is; what is counted is what other engines count."""
    items = "".join(f"<li>{number}</li>" for number in range(steps + 1))
    page = Document(f"<ul>{items}</ul>".encode())
    there_and_back = "//ul" + "/li[2]/.." * (steps // 2) + "/li[1]"
    along = "//li[1]" + "/following-sibling::li[1]" * steps
    union = " | ".join(f"//li[{number}]" for number in range(1, steps // 10))
    assert texts(page, there_and_back) == ["0"]
    assert texts(page, along) == [str(steps)]
    assert texts(page, along + "/following-sibling::li[1]") == []
    assert texts(page, union) == [str(number) for number in range(steps // 10 - 1)]


def texts(page: Document, xpath: str) -> list[str]:
    return [text_of(one) for one in page.index.select(Selector.parse(xpath))]


def test_the_example_in_the_docs_of_the_module_is_right() -> None:
    assert doctest.testmod(selector_module) == (0, 3)
