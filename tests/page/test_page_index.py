"""Whatever a selector starts from, an index answers as XPath does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectors_strategy import NAMES, PATHS, SELECTORS, TAGS

from sitewright.page import Document, page_index, parser
from sitewright.page.page_index import (
    ElementScope,
    PageIndex,
    compiled,
    label_texts,
    select,
    select_with_elements,
    text_of,
)
from sitewright.page.selector import Selector
from sitewright.page.steps import (
    TEXT,
    Attribute,
    HasClass,
    HasTag,
    Path,
    Position,
    Step,
    anywhere,
)

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


TEXT_NODES = st.sampled_from((*TEXTS, "<!-- -->", "<br>", '<meta property="og:a" content="x">'))
PAGES = st.lists(st.recursive(TEXT_NODES, _element, max_leaves=12), max_size=5).map("".join)


@given(PAGES, st.lists(SELECTORS, min_size=1, max_size=6))
def test_an_index_selects_what_the_expressions_select(page: str, selectors: list[Selector]) -> None:
    index = Document(page.encode(), encoding="utf-8").index
    for selector in [*selectors, *selectors]:  # what was asked before is remembered
        xpath = selector.xpath()
        assert index.select(selector) == select(index.tree, xpath)
        assert index.select_with_elements(selector) == select_with_elements(index.tree, xpath)


@given(PAGES, st.lists(SELECTORS, min_size=1, max_size=4), st.none() | st.integers(1, 3))
def test_an_index_gives_the_texts_of_what_is_selected(
    page: str, selectors: list[Selector], most: int | None
) -> None:
    index = Document(page.encode(), encoding="utf-8").index
    for selector in [*selectors, *selectors]:
        texts = [text_of(one) for one in select(index.tree, selector.xpath())]
        assert index.select_texts(selector, most=most)[:most] == texts[:most]
        assert [*index.iter_texts(selector)] == texts
        assert index.select_texts(selector) == texts
        assert [*index.iter_texts(selector)] == texts


@given(PAGES, st.lists(SELECTORS, min_size=1, max_size=4), st.none() | st.integers(1, 3))
def test_texts_are_the_same_asked_of_one_element_after_the_other(
    page: str, selectors: list[Selector], most: int | None
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_index, "_FIRST_ELEMENTS", 1)
        index = Document(page.encode(), encoding="utf-8").index
        for selector in selectors:
            texts = [text_of(one) for one in select(index.tree, selector.xpath())]
            assert [*index.iter_texts(selector)] == texts
            assert index.select_texts(selector, most=most)[:most] == texts[:most]


@pytest.mark.parametrize("first", [1, 2, 16])
def test_an_element_inside_another_is_asked_together_with_it(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_index, "_FIRST_ELEMENTS", first)
    page = b"<div class=x>1<div class=x>2<p class=x>3</p>4</div>5</div><div class=x>6</div>"
    selector = Selector.parse("//div[contains(concat(' ', normalize-space(@class), ' '), ' x ')]")
    texts = Selector.of(*(one.then(TEXT) for one in selector.paths if isinstance(one, Path)))
    assert [*Document(page).index.iter_texts(texts)] == ["1", "2", "4", "5", "6"]


@given(PAGES, st.lists(SELECTORS, min_size=1, max_size=4), st.integers(1, 3))
def test_an_index_gives_the_first_of_what_is_selected(
    page: str, selectors: list[Selector], most: int
) -> None:
    index = Document(page.encode(), encoding="utf-8").index
    for selector in [*selectors, *selectors]:
        found = select_with_elements(index.tree, selector.xpath())
        assert index.select_with_elements(selector, most=most)[:most] == found[:most]
        assert index.select_with_elements(selector) == found  # no part of it is remembered


@given(PAGES, st.lists(SELECTORS, min_size=1, max_size=3), SELECTORS)
def test_an_index_that_knows_what_it_will_be_asked_answers_all_else_too(
    page: str, expected: list[Selector], other: Selector
) -> None:
    tree = parser.parse(page.encode(), "utf-8")
    index = PageIndex(tree)
    index.expect(label_texts(expected))
    for selector in (*expected, other, *expected):
        assert index.select(selector) == select(tree, selector.xpath())


@given(PAGES, PATHS)
def test_an_element_is_asked_for_what_is_in_it_or_for_the_page(page: str, path: Path) -> None:
    tree = parser.parse(page.encode(), "utf-8")
    whole, inside = Selector.of(path), Selector.of(replace(path, is_relative=True))
    for element in tree.iter_elements(("body", "td")):
        scope = ElementScope(element)
        assert scope.select(whole) == select(tree, whole.xpath())
        found = select(element, inside.xpath())
        assert scope.select(inside) == compiled(inside)(element) == found
        assert scope.select_with_elements(inside) == select_with_elements(element, inside.xpath())


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
    assert Document(page).index.select(Selector.parse(xpath)) == texts


@pytest.mark.parametrize("space", [" ", "\f"])
def test_a_form_feed_parts_no_classes(space: str) -> None:
    page = f'<p class="x{space}y"><b class=z>1</b><p class=x><b class="z{space}z">2</b>'
    paths = [
        Path((Step("p", (HasClass("x"),), is_deep=True), Step("b", naming), TEXT))
        for naming in ((), (HasClass("z"),))
    ]
    index = Document(page.encode()).index
    found = [index.select(Selector.of(path)) for path in paths]
    assert found == ([["1", "2"], ["1", "2"]] if space == " " else [["2"], []])


def test_what_stands_behind_two_labels_is_selected_once() -> None:
    page = b"<p><b>Size:</b><b>Size:</b> 3"
    xpath = "//b[text()[normalize-space()='Size:']]/following-sibling::text()[normalize-space()]"
    assert Document(page).index.select(Selector.parse(xpath)) == [" 3"]


@pytest.mark.parametrize("page", [b"<p id=x>1", b"<h1 class=y>1", b"<p id=x>1<h1 class=y>2"])
def test_the_layouts_of_a_class_are_found_whichever_a_page_has(page: bytes) -> None:
    named = (Step("p", (Attribute("id", "x"),)), Step("h1", (HasClass("y"),)))
    selector = Selector(tuple(Path((anywhere(one), TEXT)) for one in named))
    index = Document(page).index
    assert index.select(selector) == select(index.tree, selector.xpath()) != []


@given(st.integers(0, 2), st.sampled_from(("[0]", "[1]", "[2]", "[3]")))
def test_a_position_counts_the_elements_of_one_parent(held: int, position: str) -> None:
    index = Document(b"<div>" + b"<p id=x>1</p>" * held + b"</div><p id=x>2").index
    selector = Selector.parse(f"//p[@id='x']{position}")
    assert index.select(selector) == select(index.tree, selector.xpath())


@given(PAGES)
def test_the_short_way_to_a_text_is_that_of_the_walk_over_all_nodes(page: str) -> None:
    for element in Document(page.encode(), encoding="utf-8").tree.iter_elements():
        walked = " ".join("".join(page_index._pieces(element)).split())
        assert text_of(element) == text_of(element, most_pieces=1_000_000) == walked


@given(PAGES, st.integers(1, 12))
def test_of_a_text_so_many_pieces_are_its_beginning(page: str, most: int) -> None:
    for element in Document(page.encode(), encoding="utf-8").tree.iter_elements():
        beginning = text_of(element, most_pieces=most).replace(" ", "")
        assert text_of(element).replace(" ", "").startswith(beginning)


def test_a_page_as_a_whole_has_no_text_of_its_own() -> None:
    (whole,) = select(Document(b"<p>text</p>").tree, ".")
    assert text_of(whole) == ""


def test_a_document_has_one_index() -> None:
    document = Document(b"<p>")
    assert document.index is document.index


@given(PAGES, st.integers(1, 4), st.sampled_from(TAGS))
def test_what_follows_an_element_is_found_without_xpath(page: str, turn: int, tag: str) -> None:
    tree = parser.parse(page.encode(), "utf-8")
    step = Step("*", (Position(turn), HasTag(tag)), "following-sibling")
    selector = Selector.of(Path((step,), is_relative=True))
    for element in tree.iter_elements():
        assert compiled(selector)(element) == select(element, selector.xpath())


def test_what_follows_each_of_very_many_elements_is_found_in_time() -> None:
    # XPath looks at all siblings that follow, for each of them: more than 10^9 steps.
    tree = parser.parse(b"<p>" + b"<b>1</b><i>2</i>" * 50_000, "utf-8")
    step = Step("*", (Position(1), HasTag("i")), "following-sibling")
    ask = compiled(Selector.of(Path((step,), is_relative=True)))
    assert sum(len(ask(element)) for element in tree.iter_elements(("b",))) == 50_000
