"""Whatever an expression starts from, a finder answers as XPath does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.html import dom
from sitewright.html.finder import Finder, query
from sitewright.html.selection import select, select_with_elements
from sitewright.html.ways import said_by
from sitewright.wrapper.xpath import LETTERS, WORDS, begins, has_class, literal, says

NAMES = ("a", "b", "ab", "a-1")
TAGS = ("div", "td", "span", "b")
TEXTS = ("Size:", "Size", " Size:\n", "L \t arge", "\xa0Size:", "it's", "", " ")


def _open(tag: str) -> st.SearchStrategy[str]:
    classes = st.lists(st.sampled_from(NAMES), max_size=2)
    space = st.sampled_from((" ", "\n", "\f", "\xa0"))
    return st.builds(
        lambda name, names, gap: f'<{tag} id="{name}" class="{gap.join(names)}">',
        st.sampled_from(("", *NAMES, "A")),
        classes,
        space,
    )


def _element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    parts = st.lists(inner, max_size=4).map("".join)
    return st.sampled_from((*TAGS, "tr", "table", "template", "svg")).flatmap(
        lambda tag: st.builds(lambda start, held: f"{start}{held}</{tag}>", _open(tag), parts)
    )


TEXT = st.sampled_from((*TEXTS, "<!-- -->", "<br>", '<meta property="og:a" content="x">'))
PAGES = st.lists(st.recursive(TEXT, _element, max_leaves=12), max_size=5).map("".join)


def _says(texts: list[str], *, breaking: bool) -> str:
    return f"[text(){says(texts, breaking=breaking)}]"


NUMBERS = st.integers(1, 3)
LABELS = st.lists(st.sampled_from(("Size:", "Size", "L arge", "it's")), min_size=1, max_size=2)
NAMING = st.one_of(
    st.sampled_from(NAMES).map(lambda name: f"[@id={literal(name)}]"),
    st.sampled_from(NAMES).map(has_class),
    st.builds(_says, LABELS, breaking=st.booleans()),
    st.just("[@property='og:a']"),
)
STARTS = st.builds(
    lambda tag, named, nth: f"//{tag}{named}{nth}",
    st.sampled_from((*TAGS, "meta")),
    NAMING,
    st.one_of(st.just(""), NUMBERS.map(lambda nth: f"[{nth}]")),
)
BESIDE = st.builds(
    lambda tag, texts, tail: f"//{tag}/text(){says(texts)}/{tail}",
    st.sampled_from(TAGS),
    LABELS,
    st.sampled_from((f"following-sibling::{WORDS}", "following-sibling::b[1]")),
)
STEPS = st.lists(
    st.one_of(
        st.sampled_from(TAGS).map(lambda tag: f"/{tag}"),
        st.builds(lambda tag, nth: f"/{tag}[{nth}]", st.sampled_from(TAGS), NUMBERS),
        st.sampled_from(("//b", "/..", "/following-sibling::td[1]", "/preceding-sibling::td[1]")),
    ),
    max_size=3,
).map("".join)
ENDS = st.sampled_from(
    (
        "",
        f"/{WORDS}",
        f"//{WORDS}",
        f"/{LETTERS}",
        "/@id",
        "/@content",
        f"/text(){begins('Size')}",
        f"/following-sibling::{WORDS}",
    )
)
TURNS = st.sampled_from(("{}", "({})[1]", "({})[2]", "({})[last()]", "({})[last()-1]"))
WAYS = st.one_of(BESIDE, st.builds("{}{}{}".format, STARTS, STEPS, ENDS))
TURNED = st.builds(lambda turn, way: turn.format(way), TURNS, WAYS)
UNIONS = st.lists(TURNED, min_size=2, max_size=3).map(" | ".join)
EXPRESSIONS = st.one_of(TURNED, UNIONS, UNIONS.map("({})[1]".format))


@given(PAGES, st.lists(EXPRESSIONS, min_size=1, max_size=6))
def test_a_finder_selects_what_the_expressions_select(page: str, expressions: list[str]) -> None:
    tree = dom.parse(page.encode(), "utf-8")
    finder = Finder(tree)
    for xpath in expressions:
        assert finder.select(xpath) == select(tree, xpath)
        assert finder.select_with_elements(xpath) == select_with_elements(tree, xpath)


@given(PAGES, st.lists(EXPRESSIONS, min_size=1, max_size=3), EXPRESSIONS)
def test_a_finder_that_knows_what_it_will_be_asked_answers_all_else_too(
    page: str, expected: list[str], other: str
) -> None:
    tree = dom.parse(page.encode(), "utf-8")
    finder = Finder(tree, said_by(expected))
    for xpath in (*expected, other):
        assert finder.select(xpath) == select(tree, xpath)


@given(PAGES, st.lists(EXPRESSIONS, min_size=1, max_size=3))
def test_an_element_is_asked_for_what_is_in_it_or_for_the_page(
    page: str, expressions: list[str]
) -> None:
    tree = dom.parse(page.encode(), "utf-8")
    for element in tree.iter_elements(("body", "td")):
        finder = Finder(element)
        for whole in expressions:
            inside = whole.replace("//", ".//", 1) if " | " not in whole else f"./b | {whole}"
            assert finder.select(whole) == select(tree, whole)
            assert finder.select(inside) == query(inside)(finder) == select(element, inside)
            found = finder.select_with_elements(inside)
            assert found == select_with_elements(element, inside)


@pytest.mark.parametrize(
    ("xpath", "texts"),
    [
        ("//p[@id='x']/text()", ["of x"]),
        ("//b[text()[normalize-space()='Size:']]/../text()", [" 3", " 4"]),
        ("//b[text()[normalize-space()='None:']]/../text()", []),
        ("(//b[text()[normalize-space()='Size:']]/../text())[2]", [" 4"]),
        ("(//b[text()[normalize-space()='Size:']]/../text())[3]", []),
    ],
)
def test_texts_are_found_from_names_and_labels(xpath: str, texts: list[str]) -> None:
    page = b"<p id=x>of x<p><b>Size:</b> 3<p><b>\n Size: </b> 4<p><b>size:</b> 5"
    assert Finder(dom.parse(page)).select(xpath) == texts


def test_what_stands_behind_two_labels_is_selected_once() -> None:
    page = b"<p><b>Size:</b><b>Size:</b> 3"
    xpath = "//b[text()[normalize-space()='Size:']]/following-sibling::text()[normalize-space()]"
    assert Finder(dom.parse(page)).select(xpath) == [" 3"]


@pytest.mark.parametrize("page", [b"<p id=x>1", b"<h1 class=y>1", b"<p id=x>1<h1 class=y>2"])
def test_the_layouts_of_a_class_are_found_whichever_a_page_has(page: bytes) -> None:
    tree = dom.parse(page)
    xpath = f"//p[@id='x']/{WORDS} | //h1{has_class('y')}/{WORDS}"
    assert Finder(tree).select(xpath) == select(tree, xpath) != []


def test_an_expression_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="offset"):
        Finder(dom.parse(b"<p id=x>")).select("//p[@id='x']/[")
