from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import UnreadableInput
from sitewright.evaluate.segmentation import Mark, marked_page, marked_pages, score_blocks
from tests.visual.drawn_pages import page

DRAWN = page(("div", ("p", "aaaaaaaaaa"), ("p", "bbbbb")), ("ul", ("li", "ccccc")))
DIV, FIRST, SECOND, LIST, ITEM = (
    next(n.number for n in DRAWN.nodes if n.tag == tag and n.number > after)
    for tag, after in (("div", 0), ("p", 0), ("p", 4), ("ul", 0), ("li", 0))
)


@given(st.sets(st.sampled_from([DIV, FIRST, SECOND, LIST]), min_size=1))
def test_blocks_agree_with_themselves(blocks):
    score = score_blocks(DRAWN, blocks, blocks)
    assert score.same_node.f1 == score.exact.f1 == score.fuzzy.f1 == score.bcubed_f1 == 1


def test_a_wrapper_is_the_same_block_but_not_the_same_node():
    score = score_blocks(DRAWN, [LIST], [ITEM])
    assert (score.exact.f1, score.same_node.f1) == (1, 0)


def test_nearly_the_same_content_is_fuzzily_the_same():
    score = score_blocks(DRAWN, [FIRST], [DIV])  # 10 of 15 characters: 20 / 25
    assert (score.fuzzy.f1, score.exact.f1) == (1, 0)
    assert score_blocks(DRAWN, [SECOND], [DIV]).fuzzy.f1 == 0


def test_each_block_counts_once():
    score = score_blocks(DRAWN, [DIV, FIRST], [DIV])
    assert (score.exact.precision, score.exact.recall) == (0.5, 1)


def test_b_cubed_counts_characters_by_the_smallest_block_around_them():
    # Found: {a, b} and {c}; marked: {a}, {b} and {c}. Precision: a 10/15, b 5/15, c 1.
    score = score_blocks(DRAWN, [DIV, LIST], [FIRST, SECOND, LIST])
    assert score.bcubed_recall == 1
    assert score.bcubed_precision == pytest.approx((10 * 10 / 15 + 5 * 5 / 15 + 5) / 20)


def test_marks_are_carried_over_to_the_page_itself():
    marked = b'<div class="" data-block="1" data-block-type="Header" id=a>x</div><p>y</p>'
    carried = marked_page(
        Path("x.dom.html"), b"<meta charset=utf-8><div id=a>x</div><p>y</p>", marked
    )
    assert carried.marks == {4: Mark((1,), "Header")}
    assert b"data-block" not in carried.body


def test_an_element_can_be_a_block_of_two_levels():
    marked = b'<div data-block="2 1" data-block-type="Menu" id=a>x</div>'
    carried = marked_page(Path("x.dom.html"), b"<div id=a>x</div>", marked)
    assert list(carried.marks.values()) == [Mark((1, 2), "Menu")]


@pytest.mark.parametrize("value", ["two", "1 x", " ", "-1", "\u00b2", "9" * 5000])
def test_a_mark_without_a_level_is_said_with_its_file(value):
    marked = f'<meta charset=utf-8><div data-block="{value}">x</div>'.encode()
    with pytest.raises(UnreadableInput, match=r"x\.blocks\.html: data-block=.* not name levels"):
        marked_page(Path("x.dom.html"), b"<div>x</div>", marked)


def test_another_page_gives_way_to_the_marked_copy_without_its_marks():
    marked = b'<div data-block="2" data-block-type="Menu" id=a>x</div>'
    carried = marked_page(Path("x.dom.html"), b"<table><td>quite another page</table>", marked)
    assert list(carried.marks.values()) == [Mark((2,), "Menu")]
    assert carried.body.startswith(b"<div id=a>")


def test_a_folder_without_marked_pages_is_refused(tmp_path):
    with pytest.raises(UnreadableInput, match="no marked pages"):
        next(marked_pages(tmp_path))
