"""Our own template: what is shared, in which form, and what is content."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitewright import formats
from sitewright.errors import InvalidInput
from sitewright.methods import distill
from sitewright.page import Document
from sitewright.template import Template, slots, tree
from sitewright.template.slots import shared_tokens


def distilled(*sources: str, method="default") -> Template:
    return distill([Document(source.encode()) for source in sources], method=method)


def spellings(*sources: str) -> list[str]:
    return [token.spelling for token in distilled(*sources)]


def page(body: str, title: str = "x") -> str:
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


NAV = '<ul id="menu"><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul>'
FRAME = ["<html>", "<head>", "<title>", "</title>", "</head>", "<body>"]
ENDS = ["</body>", "</html>"]
MENU = [
    '<ul id="menu">', "<li>", '<a href="/a">', "a", "</a>", "</li>",
    "<li>", '<a href="/b">', "b", "</a>", "</li>", "</ul>",
]  # fmt: skip


def test_what_all_pages_share_is_the_template():
    pages = [page(f"{NAV}<p>Text {number}</p>" * 1, f"Page {number}") for number in range(4)]
    assert spellings(*pages) == [*FRAME, *MENU, "<p>", "</p>", *ENDS]


def test_a_list_of_different_lengths_is_content():
    pages = [page(NAV + f"<p>Text {number}</p>" * (number + 1)) for number in range(4)]
    assert spellings(*pages)[-15:] == ["<body>", *MENU, *ENDS]


def test_the_active_item_of_a_menu_is_still_that_item():
    pages = [
        page(NAV.replace(f'<a href="/{here}">', '<a class="active" href="#">') + f"<p>{here}1</p>")
        for here in ("a", "b", "c", "d")
    ]
    found = distilled(*pages)
    assert [t.spelling for t in found if t.spelling in MENU] == MENU
    assert {t.spelling: t.support for t in found}['<a href="/a">'] == 0.75


def test_markup_inside_a_text_belongs_to_the_text():
    pages = [
        page(f'{NAV}<p class="lead">Words {number} with <em>stress {number}</em></p>')
        for number in range(4)
    ]
    assert spellings(*pages)[-4:] == ['<p class="lead">', "</p>", *ENDS]


def test_markup_beside_a_shared_text_stays():
    pages = [page(f"{NAV}<p>By <b>author {number}</b></p>") for number in range(4)]
    assert spellings(*pages)[-7:] == ["<p>", "by", "<b>", "</b>", "</p>", *ENDS]


def test_rows_are_known_by_what_they_begin_with():
    """Optional rows make tables of different lengths; a row with a label is still no list."""
    rows = ["<tr><th>Born<td>{}", "<tr><th>Height<td>{}", "<tr><th>Nickname<td>{}"]
    tables = [rows, rows[:2], rows, [rows[0], rows[2]]]
    pages = [
        page(f"{NAV}<table>{''.join(table).format(*[number] * 3)}</table>")
        for number, table in enumerate(tables)
    ]
    found = [token.spelling for token in distilled(*pages)]
    assert [text for text in found if text in ("born", "height", "nickname")] == [
        "born", "height", "nickname",
    ]  # fmt: skip
    assert found.count("<tr>") == found.count("<td>") == 3


def test_one_more_element_for_an_ad_does_not_make_a_list():
    pages = [
        page(NAV + "<div class=ad></div>" * (number % 2) + f"<div id=main><p>{number}</p></div>")
        for number in range(4)
    ]
    assert '<div id="main">' in spellings(*pages)


def test_values_between_shared_labels_are_counted_between_them():
    pages = [
        page(NAV + "<dl><dt>Born<dd>a1</dl>".replace("<dl>", "<dl>" + "<dt>Club<dd>x" * extra))
        for extra in (0, 1, 1, 1)
    ]
    assert spellings(*pages).count("<dd>") == 2


def test_what_a_third_of_the_pages_lacks_stays_and_what_more_lack_goes():
    with_banner, without = page(f"<b>Ad</b>{NAV}"), page(NAV)
    assert "ad" in spellings(with_banner, with_banner, without)
    assert "ad" not in spellings(with_banner, without, without)


def test_values_keep_their_case_and_implied_tags_are_left_out():
    source = '<title>x</title><table CLASS="Big"><tr><td>Cell</table>'
    assert spellings(source, source) == [
        "<title>", "x", "</title>", '<table class="Big">', "<tr>", "<td>", "cell", "</table>",
    ]  # fmt: skip


def test_pages_that_share_nothing_have_an_empty_template():
    assert len(distilled(page("<p>one</p>", "a"), page("<h1>two</h1>", "b"))) == 0
    assert len(distilled("", "plain words", "<p>x")) == 0


def test_one_page_is_not_enough():
    with pytest.raises(InvalidInput, match="at least two"):
        distilled(NAV)


@pytest.mark.parametrize("method", ["default", "paper"])
def test_a_template_can_be_written_and_read_back(method):
    template = distilled(page(NAV), page(NAV), method=method)
    assert formats.parse(formats.dump(template).encode(), Template, "saved") == template
    written = formats.plain(template)
    assert len(written["tokens"]) == len(written["support"]) == len(written["kinds"]) > 0


def test_the_papers_method_spells_tokens_as_the_source_does():
    source = page('<a HREF="/Home">Home</a>')
    found = [token.spelling for token in distilled(source, source, method="paper")]
    assert found == [*FRAME[:3], "x", *FRAME[3:], '<a href="/Home">', "home", "</a>", *ENDS]


fragments = st.sampled_from(
    [NAV, "<p>one</p>", "<p>two</p>", "<div class=x>", "</div>", "<b>Ad</b>", "words", "<hr>"]
)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(fragments, max_size=8).map("".join), min_size=2, max_size=6),
    st.randoms(use_true_random=False),
)
def test_the_order_of_pages_does_not_matter(sources: list[str], chance: random.Random):
    shuffled = sources[:]
    chance.shuffle(shuffled)
    assert distilled(*sources) == distilled(*shuffled)


@settings(deadline=None, max_examples=60)
@given(st.lists(fragments, max_size=8).map("".join))
def test_a_page_with_a_template_is_in_its_own_template(source: str):
    """Of two equal pages everything is shared, each token as often as it is written."""
    paper = [token.spelling for token in distilled(source, source, method="paper")]
    ours = spellings(source, source)
    assert ours in ([], paper)


def test_a_very_deep_page_and_a_very_wide_one_are_read():
    deep = "<div>" * 3000 + NAV
    wide = page("".join(f"<p>{number}</p>" for number in range(5000)) + NAV)
    assert "b" in spellings(deep, deep)
    assert "b" in spellings(wide, wide.replace("<p>7", "<p>x7"))


WORDS = st.sampled_from(("One", "two", "3", "Menu"))
PARTS = st.recursive(
    WORDS | st.just("<br>") | st.just('<img src="a">'),
    lambda inner: st.builds(
        lambda tag, held: f"<{tag}>{''.join(held)}</{tag.partition(' ')[0]}>",
        st.sampled_from(("p", "div", 'div class="x"', "DIV", "ul", "li")),
        st.lists(inner, max_size=4),
    ),
    max_leaves=8,
)
PAGES = st.lists(st.lists(PARTS, max_size=4).map("".join), min_size=2, max_size=6)


@given(PAGES, PARTS)
def test_pages_that_are_equal_somewhere_give_what_aligning_them_gives(bodies, shared):
    pages = [Document(page(NAV + body + shared).encode()) for body in bodies]
    found = shared_tokens(pages)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(slots, "are_equal", lambda _lists: False)
        assert shared_tokens(pages) == found


@given(st.lists(st.integers(0, 4), min_size=1))
def test_the_mode_is_the_most_frequent_value_that_came_first(values):
    mode = tree.Mode()
    for end, value in enumerate(values, 1):
        mode.add(value)
        assert mode.value == Counter(values[:end]).most_common(1)[0][0]


@given(PARTS, PARTS)
def test_one_node_goes_with_one_column_if_they_are_similar_at_all(one, other):
    reader = tree.NodeReader()
    (first, *_), (second, *_) = (
        reader.read(Document(page(body or "x").encode()))[0][0].children[1].children or [None]
        for body in (one, other)
    )
    if first is not None and second is not None:
        column = tree.AlignedColumn(0, first)
        similarity = tree.similarities([column], [second])[0, 0]
        assert tree.most_similar([column], [second]) == ([(0, 0)] if similarity else [])


@given(PARTS, PARTS, PARTS)
def test_few_nodes_are_paired_as_many_are(one, other, third):
    reader = tree.NodeReader()
    lists = [
        reader.read(Document(page(body or "x").encode()))[0][0].children[1].children
        for body in (one, other, third)
    ]
    columns = tree.align_lists(list(enumerate(lists[:2])), 0)
    expected = tree.most_similar_of_many(columns, lists[2]) if columns and lists[2] else []
    assert tree.most_similar(columns, lists[2]) == expected
