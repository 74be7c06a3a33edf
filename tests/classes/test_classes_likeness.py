"""Saved pages, whose addresses say nothing: structure in common decides."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.classes.clustering import cluster_pages, structural_similarity
from sitewright.classes.features import page_features
from sitewright.page import Document, PathVocabulary

HOST = "http://folder.invalid/"
FRAME = "<div id=top><ul><li><a>x</a></ul></div>{}<div id=end><p><a>y</a></div>"
CORE = "<div id=main><h1>n</h1><table><tr><td>a<td><b>b</b></table><ul><li><i>c</i></ul></div>"


def classes_of(bodies: list[str]) -> list[int]:
    vocabulary = PathVocabulary()
    facts = [
        page_features(Document(body.encode(), f"{HOST}{n:04}.htm"), vocabulary, lambda url: url)
        for n, body in enumerate(bodies)
    ]
    return cluster_pages(facts, vocabulary).class_of_page.tolist()


def test_pages_with_an_optional_part_more_are_of_the_same_class():
    parts = "<h4>s</h4><form><input></form><em>o</em>"
    with_parts = CORE.replace("</div>", f"{parts}</div>").replace("<h1>", "<h1><sub>r</sub>")
    bodies = [FRAME.format(with_parts if n % 3 == 0 else CORE) for n in range(60)]
    assert len(set(classes_of(bodies))) == 1


NEWS = "<article><h2>n</h2><p>a<p>b<em>c</em><blockquote><q>d</q></blockquote></article>"


def test_pages_that_differ_from_the_body_on_are_of_different_classes():
    bodies = [f"<body class=a>{CORE}", f"<body class=b>{NEWS}"] * 20
    found = classes_of(bodies)
    assert len(set(found)) == 2
    assert len(set(found[::2])) == len(set(found[1::2])) == 1


def test_a_state_of_the_body_makes_no_class():
    assert len(set(classes_of([f"<body class=a>{CORE}", f"<body class=b>{CORE}"] * 20))) == 1


def test_one_odd_page_makes_no_class():
    bodies = ['<body class="player">' + CORE] * 30 + ['<body class="odd">' + CORE]
    assert len(set(classes_of(bodies))) == 1


def test_optional_parts_do_not_join_pages_that_addresses_tell_apart():
    vocabulary = PathVocabulary()
    facts = []
    for n in range(60):
        kind, more = ("teams", "<h4>s</h4><em>o</em>") if n % 2 else ("players", "")
        body = CORE.replace("</div>", f"{more}</div>").encode()
        document = Document(body, f"{HOST}{kind}/{n}.html")
        facts.append(page_features(document, vocabulary, lambda url: url))
    found = cluster_pages(facts, vocabulary).class_of_page.tolist()
    assert len(set(found)) == 2


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [([1, 1], [1, 1], 1.0), ([1, 0], [0, 1], 0.0), ([1, 0.5], [0.5, 0.5], 2 / 3)],
)
def test_likeness_is_the_share_of_the_structure_in_common(one, other, expected):
    assert structural_similarity(np.array(one), np.array(other)) == pytest.approx(expected)


shares = st.lists(st.floats(0, 1, width=32), min_size=3, max_size=3)


@given(shares, shares)
def test_likeness_is_symmetric_and_never_above_one(one, other):
    first, second = np.array([1.0, *one]), np.array([1.0, *other])
    assert structural_similarity(first, second) == structural_similarity(second, first)
    assert 0 < structural_similarity(first, second) <= 1
