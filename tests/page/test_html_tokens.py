"""The token sequence of the 2011 paper, the fast way and the plain way."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitewright.page import Document, Tokeniser, TokenKind, TokenVocabulary, numbered_nodes
from sitewright.page.tokens import walk
from sitewright.papers.cosulschi import written_tokens


def tokens(html: str) -> list[str]:
    tokeniser = Tokeniser()
    sequence = tokeniser.sequence(Document(html.encode()))
    return [token.text for token in sequence.tokens(tokeniser.vocabulary)]


def body_tokens(html: str) -> list[str]:
    found = tokens(html)
    return found[found.index("<body>") + 1 : found.index("</body>")]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<P  CLASS='b' Align=left>One\n  Two</P>", ['<p align="left" class="b">', "one two",
            "</p>"]),
        ("<a title='A  B\n C' href=X.HTML>", ['<a href="x.html" title="a b c">', "</a>"]),
        ("<input disabled value='&quot;&amp;'>", ['<input disabled="" value="&quot;&amp;">']),
        ("a<!-- x -->b", ["ab"]),
        ("a <!-- x --> b", ["a b"]),
        ("<b> \n&nbsp;</b>", ["<b>", "</b>"]),
        ("x<br>y<hr/>", ["x", "<br>", "y", "<hr>"]),
        ("<script> if (a < b)\n  X('<p>') </script>", ["<script>", "if (a < b) x('<p>')",
            "</script>"]),
        ("<style>p > a { }</style>", ["<style>", "p > a { }", "</style>"]),
        ("&lt;b&gt;", ["<b>"]),
        ("<p>1<p>2", ["<p>", "1", "</p>", "<p>", "2", "</p>"]),
        ("<template><i>x</i></template>", ["<template>", "<i>", "x", "</i>", "</template>"]),
    ],
)  # fmt: skip
def test_tokens_are_normalised_tags_and_texts(html, expected):
    assert body_tokens(f"<body>{html}") == expected


def test_a_text_that_spells_a_tag_is_another_token():
    tokeniser = Tokeniser()
    sequence = tokeniser.sequence(Document(b"<b>&lt;b&gt;"))
    kinds = [token.kind for token in sequence.tokens(tokeniser.vocabulary) if token.text == "<b>"]
    assert kinds == [TokenKind.START, TokenKind.TEXT]


def test_pages_share_the_vocabulary():
    tokeniser = Tokeniser()
    one, two = (
        tokeniser.sequence(Document(page)).ids
        for page in (b"<p id=1 class=x>A", b"<p CLASS=x id=1>a")
    )
    assert one.tolist() == two.tolist()
    assert one.dtype == np.int32


def test_each_token_knows_its_node():
    document = Document(b"<body><ul><li>One<!--x--> more<li>Two<br></ul>")
    tokeniser = Tokeniser()
    sequence = tokeniser.sequence(document)
    nodes = numbered_nodes(document.tree)
    for token, number in zip(sequence.tokens(tokeniser.vocabulary), sequence.nodes, strict=True):
        node = nodes[number]
        if token.kind is TokenKind.TEXT:
            assert token.text.startswith(node.data.strip().lower())
        else:
            assert token.tag == node.tag


def test_both_tags_of_an_element_have_its_node():
    tokeniser = Tokeniser()
    sequence = tokeniser.sequence(Document(b"<p>a<b>c</b></p><p>d</p>"))
    pairs = {}
    for token, node in zip(
        sequence.tokens(tokeniser.vocabulary), sequence.nodes.tolist(), strict=True
    ):
        pairs.setdefault(node, []).append(token.text)
    assert [texts for texts in pairs.values() if "<p>" in texts] == [["<p>", "</p>"]] * 2
    assert ["<b>", "</b>"] in pairs.values()


def test_vocabularies_merge():
    ours, theirs = Tokeniser(), Tokeniser()
    ours.sequence(Document(b"<p>other"))
    sequence = theirs.sequence(Document(b"<p>one<b>two"))
    mapping = ours.vocabulary.merge(theirs.vocabulary)
    assert [ours.vocabulary[i] for i in mapping[sequence.ids]] == sequence.tokens(theirs.vocabulary)


MARKUP = st.sampled_from(
    [
        "<p>", "</p>", "<b>", "</b>", "<br>", "<table>", "<tr>", "<td>", "</table>", "<a href='x'>",
        "</a>", "<svg>", "</svg>", "<math>", "<style>", "</style>", "<script>", "</script>", "<!--",
        "-->", "<template>", "</template>", "<title>", "</title>", "<select>", "<option>",
        "<pre>\n",
        "<plaintext>", "<iframe>", "</iframe>", "<noscript>", "<frameset>", "<link>", "</link>",
        "<textarea>\n", "</textarea>", "<?php x ?>", "<![CDATA[", "]]>", "<foreignObject>",
        "<desc>",
        "text", " ", "&lt;", "&amp;", "&nbsp;", "<", ">", '"', "\0", "\n", "<p =x a\"b=1 <c>",
        "<x-y/>",
        "<template shadowrootmode=open>",
        "<image>", "<li>", "<form>", "<noembed>", "<xmp>", "</xmp>",
        "<annotation-xml encoding='text/html'>",
    ]
)  # fmt: skip


@settings(max_examples=400)
@given(st.lists(MARKUP, max_size=25).map("".join))
@example("<svg><style>a<b</style><script>x&lt;y</script></svg>")
@example("<script><!--<script></script>--></script>x")
@example("<svg><link>a</link>b</svg>")
@example("<table>a<tr>b<td>c</table>")
@example('<p =foo a"b=1 ="x=2>')
def test_the_fast_way_gives_what_the_plain_way_gives(html):
    document = Document(html.encode())
    tokeniser = Tokeniser()
    sequence = tokeniser.sequence(document)
    plain = list(walk(document.tree))
    assert sequence.tokens(tokeniser.vocabulary) == [token for token, _ in plain]
    assert sequence.nodes.tolist() == [node for _, node in plain]
    nodes = numbered_nodes(document.tree)
    assert all(number < len(nodes) for number in sequence.nodes)


@given(st.lists(MARKUP, max_size=25).map("".join))
def test_tags_always_nest(html):
    tokeniser = Tokeniser()
    still_open = []
    for token in tokeniser.sequence(Document(html.encode())).tokens(tokeniser.vocabulary):
        if token.kind is TokenKind.START:
            still_open.append(token.tag)
        elif token.kind is TokenKind.END:
            assert still_open.pop() == token.tag
    assert still_open == []


def test_tokens_as_written_imply_nothing():
    html = "<TABLE><tr><td CLASS=b ID=a>x &amp; Y<!-- c --> z<br/></table>"
    assert [token.text for token in written_tokens(html)] == [
        "<table>", "<tr>", '<td class="b" id="a">', "x & Y z", "<br>", "</table>",
    ]  # fmt: skip


def test_a_vocabulary_counts_its_tokens():
    vocabulary = TokenVocabulary()
    assert len(vocabulary) == 0
    Tokeniser(vocabulary).sequence(Document(b"<p>x"))
    assert {"<p>", "x", "</p>"} <= {vocabulary[i].text for i in range(len(vocabulary))}
