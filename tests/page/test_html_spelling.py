"""Tokens as the source spells them, and which of them the source has."""

import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from sitewright.page import (
    Document,
    SourceToken,
    Tokeniser,
    marked_tree,
    parser,
    source_tokens,
    tree_without,
)
from sitewright.page.source_code import tag_in_source, walked_tokens
from sitewright.page.tokens import TokenKind, attributes, walked_nodes

PIECES = [
    "<p>", "</p>", "<b>", "</b>", "<table>", "<tr>", "<td>", "</table>", "<svg>", "<style>",
    "</style>", "<path/>", "</svg>", "<template>", "</template>", "<br>", "<script>1<2</script>",
    "<title>", "</title>", "<a HREF='X  Y'>", "</a>", "<!--c-->", "x &amp; Y", " ", "<select>",
    "<option>", "<math>", "<textarea>\n", "</body>", "<body id=q>", "<frameset>", "&nbsp;",
    "<p title='</p>'>", "<source>", "&lt;/p>", "<i>", "</i>",
]  # fmt: skip


def spelled(source: str) -> list[str]:
    return [token.spelling for token in source_tokens(Document(source.encode())) if token.in_source]


def implied(source: str) -> list[str]:
    tokens = source_tokens(Document(source.encode()))
    return [token.spelling for token in tokens if not token.in_source]


def test_tags_keep_the_case_and_the_white_space_of_their_values():
    assert spelled('<P Class=" Big  One" ID=x>Some  TEXT</P>') == [
        '<p class=" Big  One" id="x">', "some text", "</p>",
    ]  # fmt: skip


def test_quotes_and_ampersands_in_values_are_escaped():
    assert spelled("<a href='?a=1&amp;b=\"2\"'>x</a>")[0] == '<a href="?a=1&amp;b=&quot;2&quot;">'


def test_what_the_parser_adds_is_told_apart():
    source = "<table><tr><td>x</table><p>one<p>two"
    assert spelled(source) == [
        "<table>",
        "<tr>",
        "<td>",
        "x",
        "</table>",
        "<p>",
        "one",
        "<p>",
        "two",
    ]
    assert implied(source) == [
        "<html>", "<head>", "</head>", "<body>", "<tbody>", "</td>", "</tr>", "</tbody>",
        "</p>", "</p>", "</body>", "</html>",
    ]  # fmt: skip


def test_formatting_that_the_parser_repeats_is_not_written_twice():
    assert spelled("<p><b>one<p>two").count("<b>") == 1


def test_a_drawing_keeps_its_spelling_and_gets_no_end_tags():
    assert spelled('<svg viewBox="0 0 1 1"><path d="M0"/></svg>') == [
        '<svg viewbox="0 0 1 1">', '<path d="M0">', "</svg>",
    ]  # fmt: skip


@given(st.text("<>/=\"' abP!-&;\n", max_size=60))
def test_the_tokens_are_those_of_the_tree(source: str):
    document = Document(source.encode())
    tokeniser = Tokeniser()
    sequence = tokeniser.sequence(document)
    tokens = list(source_tokens(document))
    assert [token.token for token in tokens] == sequence.tokens(tokeniser.vocabulary)
    assert [token.node for token in tokens] == sequence.nodes.tolist()


def reference(source: str) -> list[SourceToken]:
    """The plain way: ask every node of a tree that knows its source."""
    tree = turbohtml.parse(
        source.encode(),
        encoding=Document(source.encode()).encoding,
        source_locations=True,
        allow_declarative_shadow_roots=False,
    )
    found = []
    for token, number, node in walked_nodes(tree):
        if not isinstance(node, parser.Element):
            found.append(SourceToken(token, token.text, number, in_source=True))
            continue
        place = node.source_location
        is_end = token.kind is TokenKind.END
        spelling = token.text if is_end else tag_in_source(node.tag, attributes(node))
        written = place is not None and (not is_end or place.end_tag is not None)
        found.append(SourceToken(token, spelling, number, written))
    return found


@given(st.text("<>/=\"' abPp!-&;\n", max_size=80))
def test_all_ways_to_the_tokens_agree(source: str):
    document = Document(source.encode())
    assert source_tokens(document) == list(walked_tokens(document)) == reference(source)


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_all_ways_agree_on_bad_markup(source: str):
    document = Document(source.encode())
    assert source_tokens(document) == list(walked_tokens(document)) == reference(source)


def test_a_page_is_parsed_at_most_twice_for_its_tokens(monkeypatch):
    parses = []
    parse = turbohtml.parse
    monkeypatch.setattr(turbohtml, "parse", lambda *a, **k: parses.append(1) or parse(*a, **k))
    document = Document(b"<p>one<p>two")
    assert source_tokens(document) == source_tokens(document)
    marked_tree(document, {0: "x"}, "mark")
    tree_without(document, {3})
    assert len(parses) == 2
