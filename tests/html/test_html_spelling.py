"""Tokens as the source spells them, and which of them the source has."""

from hypothesis import given
from hypothesis import strategies as st

from sitewright.html import Document, Tokeniser, spelled_tokens, spelling

PIECES = [
    "<p>", "</p>", "<b>", "</b>", "<table>", "<tr>", "<td>", "</table>", "<svg>", "<style>",
    "</style>", "<path/>", "</svg>", "<template>", "</template>", "<br>", "<script>1<2</script>",
    "<title>", "</title>", "<a HREF='X  Y'>", "</a>", "<!--c-->", "x &amp; Y", " ", "<select>",
    "<option>", "<math>", "<textarea>\n", "</body>", "<body id=q>", "<frameset>", "&nbsp;",
]  # fmt: skip


def spelled(source: str) -> list[str]:
    return [token.spelling for token in spelled_tokens(Document(source.encode())) if token.written]


def implied(source: str) -> list[str]:
    tokens = spelled_tokens(Document(source.encode()))
    return [token.spelling for token in tokens if not token.written]


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
    tokens = list(spelled_tokens(document))
    assert [token.token for token in tokens] == sequence.tokens(tokeniser.vocabulary)
    assert [token.node for token in tokens] == sequence.nodes.tolist()


@given(st.text("<>/=\"' abPp!-&;\n", max_size=80))
def test_the_fast_way_and_the_plain_way_agree(source: str):
    document = Document(source.encode())
    assert spelled_tokens(document) == list(spelling._walked(document.located_tree()))


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_both_ways_agree_on_bad_markup(source: str):
    document = Document(source.encode())
    assert spelled_tokens(document) == list(spelling._walked(document.located_tree()))
