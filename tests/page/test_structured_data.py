"""What a page says for machines, as pairs of a dotted key and a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.page import Document
from sitewright.page.structured_data import MAX_VALUES, declared_type


def said(html: str) -> list[tuple[str, str]]:
    return Document(html.encode()).structured_data


def linked(json: str) -> str:
    return f'<script type="application/ld+json">{json}</script>'


def test_a_key_has_the_keys_around_it():
    product = '{"name": "Chair", "offers": {"@type": "Offer", "price": 12.5}}'
    assert said(linked(product)) == [("name", "Chair"), ("offers.price", "12.5")]


def test_a_graph_only_holds_things_together():
    graph = '{"@graph": [{"@type": "Person", "name": "Ada"}, {"author": [{"name": "Bo"}]}]}'
    assert said(linked(graph)) == [("name", "Ada"), ("author.name", "Bo")]


def test_microdata_is_read_with_what_is_inside_of_it():
    html = (
        '<div itemscope><b itemprop="name">Chair</b>'
        '<p itemprop="offers" itemscope><i itemprop="price">12</i></p></div>'
    )
    assert said(html) == [("name", "Chair"), ("offers.price", "12")]


def test_the_namespace_of_a_meta_is_left_out():
    assert said('<meta property="og:title" content="T"><meta name="robots" content="x">') == [
        ("title", "T")
    ]


def test_broken_and_endless_data_is_passed_over():
    assert said(linked("{")) == []
    assert said(linked("[" * 100_000 + "]" * 100_000)) == []
    assert len(said(linked(f"[{', '.join(map(str, range(5 * MAX_VALUES)))}]"))) <= MAX_VALUES


@given(st.text(max_size=60))
def test_no_text_makes_it_raise(text):
    said(linked(text) + text)


GRAPH = """<script type="application/ld+json">
[{"@graph": [{"@type": "WebSite"}]}, {"@type": ["Recipe", "Thing"]}]</script>"""


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<script type="application/ld+json">{"@type": "Product"}</script>', "Product"),
        (GRAPH, "Recipe"),
        ('<div itemscope itemtype="https://schema.org/Event/">x</div>', "Event"),
        ('<script type="application/ld+json">{"@type": {"x": 1}, "@graph": 7}</script>', ""),
        ('<script type="application/ld+json">{"@type": "a b"}</script>', ""),
        ('<script type="application/ld+json">[[[</script><p>x', ""),
    ],
)  # fmt: skip
def test_the_type_that_a_page_declares(html, expected):
    assert declared_type(Document(html.encode()).tree) == expected
