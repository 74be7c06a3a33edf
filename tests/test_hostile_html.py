"""No page raises, hangs or blows up: nesting, size, encodings, attributes, random bytes."""

import random
import subprocess
import sys
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitewright.page import (
    Document,
    Labelling,
    PathVocabulary,
    Tokeniser,
    label_values,
    link_collections,
    node_schema,
    page_schema,
)
from sitewright.papers.cosulschi import repair, written_tokens

URL = "http://a.example/b/c.html"
_MOST_SECONDS = 60
"""Of the processor, not of the clock: the slowest page takes about a fifth of it."""


def read_everything(body: bytes, encoding: str | None = None) -> int:
    document = Document(body, URL, encoding=encoding)
    assert isinstance(document.title + document.base_url + (document.refresh or ""), str)
    for labelling in Labelling:
        vocabulary = PathVocabulary(labelling)
        collections = link_collections(document, vocabulary)
        assert page_schema(collections).counts.sum() == sum(len(c.links) for c in collections)
        node_schema(document, vocabulary)
        label_values(document, labelling)
        [vocabulary.text(path) for path in range(min(len(vocabulary), 100))]
    repair(written_tokens(body.decode("utf-8", "replace")))
    return len(Tokeniser().sequence(document))


HOSTILE = {
    "nothing": b"",
    "nested 100,000 deep": b"<div>" * 100_000 + b"<a href=x>t",
    "links nested 100,000 deep": b"<div><a href=x>t</a>" * 100_000,
    "anchors nested in a drawing": b"<svg>" + b"<a href=x>" * 100_000 + b"t",
    "anchors nested below the deepest path": b"<div>" * 600 + b"<svg>" + b"<a href=x>" * 50_000,
    "anchors nested in tables": b"<a href=x><table><tr><td>" * 20_000 + b"t",
    "anchors nested in a template": b"<template><svg>" + b"<a href=x>" * 50_000,
    "formatting never closed": b"<b><i><a href=x>" * 5_000,
    "adoption": b"<a><b><p>" * 3_000 + b"</a>" * 3_000,
    "templates in templates": b"<template>" * 50_000,
    "tables never closed": b"<table><tr><td>" * 20_000,
    "bodies that each bring an attribute": b"".join(b"<Body a%d>" % i for i in range(50_000)),
    "roots that each bring an attribute": b"".join(b"<html a%d=1>" % i for i in range(50_000)),
    "unclosed everything": b"<ul><li><a href='x" + b"<p class=\"y" * 1000,
    "NUL bytes": b"\0" * 100_000 + b"<a href='x\0y'>\0</a>",
    "an attribute of 10 MB": b"<a href=x class='" + b"x" * 10_000_000 + b"'>t</a>",
    "classes without end": b"<p class='" + b" ".join(b"c%d" % i for i in range(200_000)) + b"'>",
    "200,000 attributes": b"<p " + b" ".join(b"a%d=1" % i for i in range(200_000)) + b">",
    "a link of 10 MB": b"<a href='" + b"x" * 10_000_000 + b"'>t</a>",
    "a long base for many links":
        b"<base href='/" + b"x" * 1_000_000 + b"/'>" + b"<a href=y>" * 10_000,
    "a link that never ends": b"<a href=x>" + b"<p>word" * 100_000,
    "a title of 5 MB": b"<title>" + b"word " * 1_000_000,
    "a script never closed": b"<script>" + b"<p></p>" * 100_000,
    "script in script": b"<script><!--<script>" * 10_000,
    "comments never closed": b"<!--" * 100_000,
    "only less-than": b"<" * 1_000_000,
    "only ampersands": b"&" * 1_000_000,
    "the alphabet of attributes": b"<p " + bytes(range(256)) * 100 + b">",
    "refresh to nowhere":
        b"<meta http-equiv=refresh content='0;url=http://[" + b"x" * 100_000 + b"'>",
    "not HTML at all": bytes(range(256)) * 1_000,
}  # fmt: skip


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_page_raises_or_hangs(body):
    """The parser adds html, head and body; no page is read as more tokens than it has bytes."""
    before = process_time()
    tokens = read_everything(body)
    assert 6 <= tokens <= 6 + len(body)
    assert process_time() - before < _MOST_SECONDS


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-16", "utf-7", "iso-2022-jp", "gb18030", "koi8-r", "x-user-defined", "rot13",
     "idna", "base64", "", " ", "\0", "é", "utf-8; charset=x", "x" * 10_000],
)  # fmt: skip
def test_no_declared_encoding_raises(encoding):
    read_everything(b"\xff\xfe\x00\x1b$B<a href=x>caf\xe9</a>\xed\xa0\x80", encoding)


FIFTY_MEGABYTES = """
import resource
from sitewright.page import Document, PathVocabulary, Tokeniser, link_collections
from sitewright.settings import Settings, using
body = b"<div class=row><a href=page.html>Some words of text</a></div>" * 800_000
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
# More than any real page has: beyond the limits, memory still grows no faster than the page.
changes = {"limits.bytes_per_element": 20, "limits.max_links": 1_000_000}
with using(Settings.of(changes)):
    document = Document(body, "http://a.example/")
    (collection,) = link_collections(document, PathVocabulary())
assert len(collection.links) == 800_000
assert len(Tokeniser().sequence(document)) == 5 * 800_000 + 6
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((after - before) * 1024 // len(body))
"""


def test_a_page_of_50_mb_takes_memory_in_proportion():
    """In a process of its own, since the most that a process ever used cannot be taken back."""
    run = subprocess.run(
        [sys.executable, "-c", FIFTY_MEGABYTES], capture_output=True, text=True, check=True
    )
    assert int(run.stdout) < 40


def test_paths_of_deep_pages_do_not_add_up():
    """A path costs one entry however long it is: 512 paths here, not their 131,328 labels."""
    vocabulary = PathVocabulary()
    link_collections(Document(b"<div><a href=x>t</a>" * 100_000, URL), vocabulary)
    assert len(vocabulary) < 1_100


@given(st.binary(max_size=300))
def test_no_bytes_raise(body):
    read_everything(body)


@settings(max_examples=50)
@given(st.integers(min_value=0))
def test_no_mutated_page_raises(seed):
    """A bounded fuzz run: pieces of a real-looking page cut, repeated, swapped and broken."""
    page = (
        b"<!doctype html><html><head><meta charset=utf-8><base href='/x/'><title>T</title>"
        b"<script>var a='</p>';</script><style>p{}</style></head><body class='a b'><ul><li>"
        b"<a href='../y.html?z=1&amp;w#f'>Y</a><li><img src=i alt='I'></ul><table><tr><td>"
        b"<iframe src=f></iframe><svg><a xlink:href=s><path d=''/></a></svg><!-- c -->"
        b"<template><p>x</template><select><option>o</select></table></body></html>"
    )
    generator = random.Random(seed)
    for _ in range(20):
        at, to = sorted(generator.choices(range(len(page)), k=2))
        kind = generator.randrange(4)
        if kind == 0:
            page = page[:at] + page[to:] if to - at < 80 else page
        elif kind == 1:
            page = page[:to] + page[at : at + 60] * generator.randrange(4) + page[to:]
        elif kind == 2:
            page = page[:at] + bytes([generator.randrange(256)]) + page[at + 1 :]
        else:
            page = page[to:] + page[:to]
        page = page or b"<p>"
    read_everything(page)
