"""GoodDOM, the repair of the 2004 visual paper."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.page import TokenKind
from sitewright.papers.cosulschi import backward_pass, forward_pass, repair, written_tokens, xhtml

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
    """The tokens as the paper prints them: without the white space around texts."""
    return [token.text.strip() for token in tokens if token.text.strip()]


def test_the_papers_worked_example():
    """Cosulschi et al. 2004, section 2.3; the page as printed lacks its `<html>` too."""
    assert texts(repair(written_tokens(PAGE))) == texts(written_tokens(REPAIRED))


def test_the_tokens_of_the_worked_example_are_as_they_are_printed():
    assert texts(written_tokens(PAGE))[:5] == [
        "<head>", "<title>", "First Test Page", "</title>", "</head>",
    ]  # fmt: skip
    assert "Outside Tag3, inside Tag2" in texts(written_tokens(PAGE))


def test_forward_pass_closes_what_a_closing_tag_encloses():
    closed = forward_pass(written_tokens(PAGE))
    at = texts(closed).index("Open second Tag2, Close Tag1")
    assert texts(closed)[at + 1 : at + 5] == ["</tag2>", "</tag2>", "</tag1>", "Close second Tag2"]


def test_texts_and_values_stay_as_they_are_written():
    html = (
        'Inside <A HREF="Page.HTML" Class=" Two  Words ">The <B>Bold</B> One</A> and <I>so</I> on'
    )
    written = "".join(token.text for token in written_tokens(html))
    assert written == (
        'Inside <a href="Page.HTML" class=" Two  Words ">The <b>Bold</b> One</a> and <i>so</i> on'
    )


def test_no_attribute_is_minimised():
    """Section 2.2: `<frame noresize>` becomes `<frame noresize="noresize">`; an empty alt stays."""
    assert texts(written_tokens("<frame noresize>")) == ['<frame noresize="noresize">']
    assert texts(written_tokens("<img alt='' ismap>")) == ['<img alt="" ismap="ismap">']


def test_backward_pass_opens_what_an_opening_tag_encloses():
    assert texts(backward_pass(written_tokens("<a></b></a>"))) == ["<a>", "<b>", "</b>", "</a>"]


def test_a_well_nested_page_stays_as_it_is():
    tokens = written_tokens("<ul><li>One<br></li><li><b>Two</b></li></ul>")
    assert repair(tokens) == tokens


def test_wrong_nesting_of_the_papers_example():
    html = "<b><i>Bold, italic</b></i>"
    assert texts(repair(written_tokens(html))) == [
        "<i>", "<b>", "<i>", "Bold, italic", "</i>", "</b>", "</i>",
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


# XHTML (section 2.2), checked with an XML parser.

XHTML = "{http://www.w3.org/1999/xhtml}"


def parsed(html: str) -> ET.Element:
    return ET.fromstring(xhtml(html))


def body_of(html: str) -> str:
    written = xhtml(html)
    return written[written.index("<body") :].partition(">")[2].rpartition("</body>")[0]


@pytest.mark.parametrize(
    ("wrong", "correct"),
    [
        ("<P>Un text", "<p>Un text</p>"),
        ("Textul <hr> Iar <img src=poza.gif>", 'Textul <hr /> Iar <img src="poza.gif" />'),
        ("<table WIDTH=100></table>", '<table width="100"></table>'),
        ("<frame noresize>", '<frame noresize="noresize" />'),
        ('<img src="poza.gif" name="poza">', '<img src="poza.gif" id="poza" />'),
        ("<input name=q>", '<input name="q" />'),
        ("<a name=x id=y>z</a>", '<a id="y">z</a>'),
        ("5 < 6 & more", "5 &lt; 6 &amp; more"),
        ("<p>x<o:p>y</o:p>", "<p>x<o_p>y</o_p></p>"),
    ],
)
def test_the_rules_of_section_2_2(wrong, correct):
    assert body_of(wrong) == correct
    parsed(wrong)


def test_every_page_has_a_doctype_one_root_head_title_and_body():
    for html in ("", "text", "<title>T</title>x", "<html><head></head><body>x</body></html>", PAGE):
        written = xhtml(html)
        assert written.startswith("<!DOCTYPE html PUBLIC")
        root = ET.fromstring(written)
        assert root.tag == f"{XHTML}html"
        assert [child.tag for child in root] == [f"{XHTML}head", f"{XHTML}body"]
        assert root.find(f"{XHTML}head/{XHTML}title") is not None
    assert parsed(PAGE).findtext(f"{XHTML}head/{XHTML}title") == " First Test Page "


def test_scripts_are_no_markup_and_one_that_nothing_closes_ends_with_the_page():
    root = parsed("<script>if (a < b && c) x(']]>')</script><p>y")
    assert root.findtext(f".//{XHTML}script") == "if (a < b && c) x(']]>')"
    parsed("<p><script>a < b")
    parsed("<style>p > a</script></style></style>x")


@given(st.text(alphabet="<>/ab=\"' &;!-\0:_1é\ud800", max_size=60))
def test_whatever_is_written_becomes_xml(html):
    parsed(html)


@given(st.lists(TAGS | st.sampled_from(["<html>", "<body x=1>", "</body>", "<head>", "<script>",
       "</script>", "<title>", '<a b="c" B=d 1=2 =3>']), max_size=30).map("".join))  # fmt: skip
def test_whatever_is_nested_becomes_xml(html):
    parsed(html)


def test_a_deep_page_becomes_xhtml():
    assert xhtml("<b>" * 20_000).count("</b>") == 20_000
