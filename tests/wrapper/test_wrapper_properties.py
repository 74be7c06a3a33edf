"""What holds for any page: nothing raises, nothing is made up, every rule is XPath."""

import json
import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from wrapper_pages import (
    SITE,
    behind_page,
    bold_page,
    book,
    books,
    card_page,
    class_page,
    definition_page,
    header_table_page,
    item_page,
    learnt,
    learnt_list,
    linked_page,
    microdata_page,
    one_text_page,
    table_page,
)

from sitewright import formats
from sitewright.page import Document
from sitewright.wrapper import Misfit, Record, Wrapper, extract, induce, lines

DETAILS = (
    table_page,
    definition_page,
    one_text_page,
    bold_page,
    behind_page,
    linked_page,
    class_page,
    microdata_page,
)
LISTS = (card_page, header_table_page, item_page)
TAGS = "div p b i a ul li table tr td th dl dt dd h1 h2 span time img br select option font".split()
ATTRIBUTES = ["", " class=a", " class='b c'", " id=x", " href=/y", " src=z", " datetime=2020-01-01"]
WORDS = [
    "Price:",
    "Author",
    "12",
    "$3.50",
    "2020-01-05",
    "May 6, 2010",
    "x",
    "",
    "a: b",
    "\u202e",
    "'\"",
]

pieces = st.one_of(
    st.tuples(st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES)).map(
        lambda one: f"<{one[0]}{one[1]}>"
    ),
    st.sampled_from(TAGS).map(lambda tag: f"</{tag}>"),
    st.sampled_from(WORDS),
    st.text(max_size=6),
)
markup = st.lists(pieces, max_size=40).map("".join)
NAMES = [
    "it's",
    '"x"',
    'it\'s "x"',
    "a]b",
    "//*",
    "concat('",
    "\u202e",
    "\x01",
    "x y",
    "\ud800",
    "&amp;",
]


@st.composite
def alike_pages(draw):
    """Pages from one template: what differs are its holes, and parts that some pages lack."""
    template = draw(st.lists(st.one_of(pieces, st.just("HOLE"), named), min_size=3, max_size=30))
    chance = random.Random(draw(st.integers(0, 2**16)))
    return [
        "".join(
            piece.replace("HOLE", chance.choice(VALUES))
            for piece in template
            if chance.random() > 0.05
        )
        for _ in range(draw(st.integers(3, 7)))
    ]


named = st.tuples(
    st.sampled_from(TAGS), st.sampled_from(["class", "id", "itemprop"]), st.sampled_from(NAMES)
).map(lambda one: f"<{one[0]} {one[1]}={one[2].replace(' ', '&#32;')}>{one[2]}: HOLE")
VALUES = [
    *WORDS,
    "7",
    "8.25",
    "Ada",
    "Bela Cole",
    "http://x.example/y",
    "n/a",
    "3 kg",
    "01.02.2003",
]
alike = alike_pages()


@cache
def wrappers():
    return [learnt(make) for make in DETAILS] + [learnt_list(make) for make in LISTS]


def page(text, number=0):
    return Document(text.encode("utf-8", "surrogatepass"), f"{SITE}/{number}.html")


def check(wrapper, document):
    """A page gives a whole record or a reason, and both can be written down."""
    found = extract(wrapper, document)
    if isinstance(found, Misfit):
        assert found.reason
        return
    for line in lines(wrapper, found):
        json.dumps(line, allow_nan=False)
        assert line["_url"] == document.url


@given(markup)
@settings(max_examples=150)
def test_any_page_gives_a_record_or_a_reason(text):
    for wrapper in wrappers():
        check(wrapper, page(text))


@given(st.integers(0, 2**32), st.sampled_from(DETAILS))
@settings(max_examples=100)
def test_a_damaged_page_gives_a_record_or_a_reason(seed, make):
    chance = random.Random(seed)
    body = bytearray(make(book(seed % 90)).body)
    for _ in range(chance.randint(1, 30)):
        start = chance.randrange(len(body))
        body[start : start + chance.randint(0, 12)] = chance.randbytes(chance.randint(0, 4))
    check(wrappers()[DETAILS.index(make)], Document(bytes(body), f"{SITE}/damaged.html"))


@given(alike)
@settings(max_examples=100)
def test_any_pages_give_a_wrapper_that_reads_them(texts):
    documents = [page(text, number) for number, text in enumerate(texts)]
    wrapper = induce(documents, "any", leads_to=lambda url: "other")
    assert wrapper.width() <= 60
    names = [name for field in wrapper.fields for name in field.columns()]
    names += [records.name for records in wrapper.record_sets]
    assert len(names) == len(set(names))
    for document in documents:
        check(wrapper, document)


@given(st.lists(st.sampled_from(books(40)), min_size=3, max_size=8, unique=True), st.data())
@settings(max_examples=40)
def test_pages_of_which_some_are_damaged_give_a_wrapper(some, data):
    make = data.draw(st.sampled_from(DETAILS))
    damage = data.draw(markup)
    documents = [make(one) for one in some]
    text = documents[0].body.decode()
    middle = data.draw(st.integers(0, len(text)))
    documents[0] = page(text[:middle] + damage + text[middle:])
    wrapper = induce(documents, "some")
    for document in documents:
        check(wrapper, document)


def made_up(wrapper, document):
    """Values of a page's fields that do not stand in the page."""
    found = extract(wrapper, document)
    source = squeezed(document)
    texts = [
        "".join(raw.split())
        for field in wrapper.fields
        if isinstance(found, Record)
        for raw in every(found.values[field.columns()[-1]])
        if isinstance(raw, str)
    ]
    return [text for text in texts if text.removeprefix(SITE).lstrip("/") not in source]


@pytest.mark.parametrize("place", range(len(DETAILS)))
def test_every_text_of_a_record_stands_in_its_page(place):
    for one in books(6, start=60):
        assert made_up(wrappers()[place], DETAILS[place](one)) == []


@given(alike)
@settings(max_examples=60)
def test_every_text_of_any_record_stands_in_its_page(texts):
    documents = [page(text, number) for number, text in enumerate(texts)]
    wrapper = induce(documents, "any")
    assert [made_up(wrapper, document) for document in documents] == [[]] * len(documents)


def every(value):
    return value if isinstance(value, list) else [value]


def squeezed(document):
    """The texts of a page, then its attributes, without any white space."""
    nodes = list(document.tree.descendants)
    held = ("href", "src", "alt", "datetime", "content", "value")
    texts = [node.data for node in nodes if hasattr(node, "data")]
    attributes = [node.attr(name) or "" for node in nodes if hasattr(node, "attr") for name in held]
    return "".join("".join([*texts, *attributes]).split())


@pytest.mark.parametrize("place", range(len(DETAILS) + len(LISTS)))
def test_rules_are_xpath_for_libxml2_too(place):
    wrapper = wrappers()[place]
    for rule in rules(wrapper):
        etree.XPath(rule.xpath)


def rules(wrapper):
    yield from (field.rule for field in wrapper.all_fields())
    yield from (records.rule for records in wrapper.record_sets)


@given(alike)
@settings(max_examples=60)
def test_rules_of_any_pages_are_xpath_for_libxml2_too(texts):
    wrapper = induce([page(text, number) for number, text in enumerate(texts)], "any")
    for rule in rules(wrapper):
        etree.XPath(rule.xpath)


@given(alike)
@settings(max_examples=60)
def test_the_wrapper_of_any_pages_comes_back_from_its_file(tmp_path_factory, texts):
    wrapper = induce([page(text, number) for number, text in enumerate(texts)], "any")
    path = tmp_path_factory.getbasetemp() / "wrapper.json"
    formats.write(path, wrapper)
    assert formats.read(path, Wrapper) == wrapper


@given(alike)
@settings(max_examples=30)
def test_the_same_pages_always_give_the_same_bytes(texts):
    one, other = (
        formats.dump(induce([page(text, number) for number, text in enumerate(texts)], "any"))
        for _ in range(2)
    )
    assert one == other
