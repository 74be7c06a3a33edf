"""GoodDOM, the repair of the 2004 visual paper."""

from hypothesis import given
from hypothesis import strategies as st

from sitewright.page import TokenKind
from sitewright.papers.cosulschi import backward_pass, forward_pass, repair, written_tokens

PAGE = """
<head><title> First Test Page </title></head>
<body>
<tag1><tag2><tag3>Inside Tag3</tag3>
Outside Tag3, inside Tag2
<tag2>Open second Tag2, Close Tag1</tag1>
Close second Tag2
</tag2>Close first Tag1
</tag1></body></html>
"""

REPAIRED = """
<html><head><title>First Test Page</title></head><body>
<tag1><tag2>
<tag1><tag2><tag3>Inside Tag3</tag3>Outside Tag3, inside Tag2
<tag2>Open second Tag2, Close Tag1</tag2></tag2></tag1>
Close second Tag2</tag2>
Close first Tag1</tag1>
</body></html>
"""


def texts(tokens) -> list[str]:
    return [token.text for token in tokens]


def test_the_papers_worked_example():
    """Cosulschi et al. 2004, section 2.3; the page as printed lacks its `<html>` too."""
    assert texts(repair(written_tokens(PAGE))) == texts(written_tokens(REPAIRED))


def test_forward_pass_closes_what_a_closing_tag_encloses():
    closed = forward_pass(written_tokens(PAGE))
    at = texts(closed).index("open second tag2, close tag1")
    assert texts(closed)[at + 1 : at + 5] == ["</tag2>", "</tag2>", "</tag1>", "close second tag2"]


def test_backward_pass_opens_what_an_opening_tag_encloses():
    assert texts(backward_pass(written_tokens("<a></b></a>"))) == ["<a>", "<b>", "</b>", "</a>"]


def test_a_well_nested_page_stays_as_it_is():
    tokens = written_tokens("<ul><li>One<br></li><li><b>Two</b></li></ul>")
    assert repair(tokens) == tokens


def test_wrong_nesting_of_the_papers_example():
    html = "<b><i>Bold, italic</b></i>"
    assert texts(repair(written_tokens(html))) == [
        "<i>", "<b>", "<i>", "bold, italic", "</i>", "</b>", "</i>",
    ]  # fmt: skip


TAGS = st.sampled_from(["<a>", "</a>", "<b>", "</b>", "<c>", "</c>", "<br>", "</br>", "text"])


@given(st.lists(TAGS, max_size=40).map("".join))
def test_every_tag_of_the_result_has_its_pair(html):
    still_open = []
    for token in repair(written_tokens(html)):
        if token.kind is TokenKind.START:
            still_open.append(token.tag)
        elif token.kind is TokenKind.END and token.tag != "br":
            assert still_open.pop() == token.tag
    assert still_open == []


@given(st.lists(TAGS, max_size=40).map("".join))
def test_nothing_is_lost_and_repairing_twice_changes_nothing(html):
    written = written_tokens(html)
    repaired = repair(written)
    remaining = iter(repaired)
    assert all(token in remaining for token in written)
    assert repair(repaired) == repaired


def test_a_hundred_thousand_open_tags_are_closed_at_once():
    assert len(repair(written_tokens("<a>" * 100_000))) == 200_000
    assert len(repair(written_tokens("<a>" + "<b>" * 100_000 + "</a>" * 100_000))) == 400_000
