"""Pages without their template."""

from hypothesis import given, settings
from hypothesis import strategies as st

from sitewright.methods import distill
from sitewright.page import Document, TokenKind, source_tokens
from sitewright.template import Template, strip, stripping, template_nodes
from sitewright.template.stripping import matching_nodes, stripped_share

MENU = '<ul id="menu"><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul>'


def page(content: str, menu: str = MENU) -> Document:
    body = f'<div class="page">{menu}<div id="main">{content}</div><p>Imprint</p></div>'
    return Document(f"<html><head><title>T</title></head><body>{body}</body></html>".encode())


def template() -> Template:
    return distill([page(f"<h1>Title {number}</h1>" + "<p>x</p>" * number) for number in range(4)])


def body(document: Document) -> str:
    return strip(document, template()).html.partition("<body>")[2].partition("</body>")[0]


def test_content_stays_in_the_elements_that_held_it():
    left = body(page("<h1>New</h1><p>Words <b>here</b>.</p>"))
    assert left == (
        '<div class="page"><div id="main"><h1>New</h1><p>Words <b>here</b>.</p></div></div>'
    )


def test_an_active_item_goes_with_the_menu():
    menu = MENU.replace('<li><a href="/b">', '<li class="active"><a href="#">')
    assert "menu" not in body(page("<h1>New</h1>", menu))


def test_what_the_page_has_of_its_own_stays_even_if_empty():
    assert '<img src="own.png">' in body(page('<h1>New</h1><img src="own.png"><iframe></iframe>'))
    assert "<iframe></iframe>" in body(page("<h1>New</h1><iframe></iframe>"))


def test_text_and_markdown_are_of_what_is_left():
    stripped = strip(page("<h1>New</h1><p>Words <b>here</b>.</p>"), template())
    assert stripped.text == "New\n\nWords here."
    assert stripped.markdown == "# New\n\nWords **here**."


def test_the_fraction_removed_is_of_tokens():
    document = page("<h1>New</h1>")
    stripped = strip(document, template())
    assert stripped.tokens == len([t for t in source_tokens(document) if t.in_source]) == 31
    assert stripped.removed == 18  # the menu, the imprint, the title
    assert stripped.fraction == 18 / 31


def test_an_empty_template_removes_nothing():
    document = page("<h1>New</h1>")
    stripped = strip(document, Template((), 2, "default"))
    assert stripped.removed == 0
    assert stripped.html == document.tree.html


def test_the_template_of_a_page_is_known_by_node():
    document = page("<h1>New</h1>")
    nodes = template_nodes(document, template())
    spelled = {token.spelling: token.node for token in source_tokens(document)}
    assert spelled["imprint"] in nodes
    assert spelled["new"] not in nodes


def tags_and_words(source: str) -> list[str]:
    tokens = source_tokens(Document(source.encode()))
    return [
        part
        for token in tokens
        for part in (
            token.spelling.split() if token.token.kind is TokenKind.TEXT else [token.spelling]
        )
    ]


def is_subsequence(short: list[str], long: list[str]) -> bool:
    rest = iter(long)
    return all(token in rest for token in short)


pieces = st.sampled_from(
    [
        MENU,
        "<p>one</p>",
        "<p>Imprint</p>",
        "<div class=x>",
        "</div>",
        "words",
        "<hr>",
        "<b>",
        "<table>",
    ]
)


@settings(deadline=None, max_examples=80)
@given(st.lists(pieces, max_size=8).map("".join))
def test_what_is_left_is_a_part_of_the_page_in_its_order(source: str):
    document = Document(source.encode())
    stripped = strip(document, template())
    assert is_subsequence(tags_and_words(stripped.html), tags_and_words(document.tree.html))
    assert 0 <= stripped.fraction <= 1


def test_the_share_that_goes_is_known_without_making_the_page():
    document, shared = page("<h1>New</h1><p>Text</p>"), template()
    tokens = source_tokens(document)
    share = stripped_share(tokens, matching_nodes(tokens, shared))
    assert share == strip(document, shared).fraction > 0


def test_a_page_that_is_too_long_for_bits_is_aligned(monkeypatch):
    """Both ways find what the page has in common with the template."""
    pages = [
        Document(f"<p>Menu</p><h1>Name {n}</h1><p>Text {n}</p><p>Foot</p>".encode())
        for n in range(6)
    ]
    template = distill(pages)
    by_bits = [strip(page, template).text for page in pages]
    monkeypatch.setattr(stripping, "MAX_BITS", 0)
    assert [strip(page, template).text for page in pages] == by_bits
    assert "Menu" not in by_bits[2]
    assert "Text 2" in by_bits[2]
