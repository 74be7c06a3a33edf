"""What is copied into a project reads pages as sitewright does."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsel import Selector

from sitewright.export.scrapy.project import copied_modules
from sitewright.export.scrapy.runtime import loaders, page_classes
from sitewright.export.scrapy.runtime.text import selected_texts, visible_text
from sitewright.page import Document
from sitewright.page.page_index import select, text_of
from sitewright.settings import ExtractionSettings
from sitewright.wrapper import Rule
from sitewright.wrapper.wrapper import RAW

PAGES = [
    "<p>one<b>two</b> three<br>four</p>",
    "<p>a<!-- no --> b<script>c</script>d<style>e</style><noscript>f</noscript>g</p>",
    "<div>a<div>b</div>c<span>d</span><template><p>x</p></template></div>",
    "<p>&nbsp; a \u2003 b\n\n</p>",
    "<p></p>",
    "<ul><li>a<li>b</ul>tail",
]


@pytest.mark.parametrize("page", PAGES)
def test_the_text_of_an_element_is_the_same_in_both_trees(page):
    ours = [text_of(one) for one in select(Document(page.encode()).tree, "//body | //body//*")]
    theirs = [visible_text(one.root) for one in Selector(page).xpath("//body | //body//*")]
    assert theirs == ours or "template" in page  # a template's content is no part of our tree
    assert theirs[0] == ours[0]


@given(st.lists(st.sampled_from(["a", "b ", " c", "<i>d</i>", "<b> e</b>", "<br>", "<img>"])))
def test_inline_tags_glue_words_and_breaks_part_them_in_both_trees(pieces):
    page = f"<div id=x>{''.join(pieces)}</div>"
    (ours,) = select(Document(page.encode()).tree, "//div")
    (theirs,) = Selector(page).xpath("//div")
    assert visible_text(theirs.root) == text_of(ours)


@pytest.mark.parametrize(
    ("xpath", "pattern"),
    [("//li", ""), ("//li/text()", r"(\d)"), ("//a/@href", ""), ("//a", "none"), ("//i", "")],
)
def test_a_rule_finds_the_same_texts_in_both_trees(xpath, pattern):
    page = "<ul><li>a 1<li> <li>b <a href=' x '>2</a><i> </i></ul>"
    ours = Rule.parse(xpath, pattern).texts(Document(page.encode()).index)
    assert selected_texts(Selector(page), xpath, pattern) == ours


def test_a_page_nested_deeper_than_python_calls_is_read():
    page = "<div>" * 1500 + "deep" + "</div>" * 1500
    assert visible_text(Selector(page).root) == "deep"


def test_both_have_the_same_bounds():
    assert ExtractionSettings().min_required_share == page_classes.ENOUGH
    assert ExtractionSettings().min_fields_for_two == loaders.SEVERAL
    assert loaders.RAW == RAW


def test_copies_import_nothing_of_sitewright():
    copies = copied_modules()
    assert {"loaders.py", "crawling.py", "reading/values.py"} <= set(copies)
    for path, copy in copies.items():
        for node in ast.walk(ast.parse(copy)):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("sitewright"), path
            elif isinstance(node, ast.Import):
                assert all(not one.name.startswith("sitewright") for one in node.names), path
