"""Which pages are put together: by structure where addresses say nothing, else by both."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.classes.clustering import (
    average_linkage,
    cluster_pages,
    softmax_regression,
    split_by_url,
)
from sitewright.classes.features import PageFeatures, PathMarks, page_features
from sitewright.classes.similarity import (
    MEASURES,
    ClassThresholds,
    PageViews,
    PairModel,
    shipped_pair_model,
)
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


def facts_of(pages: dict[str, str], vocabulary: PathVocabulary) -> list[PageFeatures]:
    return [
        page_features(Document(body.encode(), HOST + name), vocabulary, lambda url: url)
        for name, body in pages.items()
    ]


def named_pages(pages: dict[str, str]) -> list[int]:
    vocabulary = PathVocabulary()
    return cluster_pages(facts_of(pages, vocabulary), vocabulary).class_of_page.tolist()


def test_the_classes_that_a_page_has_for_itself_do_not_part_it_from_its_class():
    """`<body class="node-7">` stands above everything."""
    menu = "".join(f'<li class="item-{n}"><a>m</a></li>' for n in range(9))
    players = {
        f"p/{n}.html": f'<body class="page-{n}"><ul class="menu">{menu}</ul>{CORE}'
        for n in range(20)
    }
    news = {
        f"n/{n}.html": f'<body class="page-{n + 50}"><ul class="menu">{menu}</ul>{NEWS}'
        for n in range(20)
    }
    found = named_pages(players | news)
    assert found == [0] * 20 + [1] * 20


def test_a_small_site_has_more_than_one_class():
    items = {f"item/{n}.html": f"<h1>i{n}</h1><dl><dt>Price<dd>{n}</dl>" for n in range(16)}
    sections = {
        f"section/{k}.html": f"<h1>s{k}</h1><ul>" + "<li><a>x</a>" * 8 + "</ul>" for k in range(2)
    }
    home = {"index.html": "<h1>Home</h1><p>x<p><a>s</a>"}
    found = named_pages(home | sections | items)
    assert len(set(found[3:])) == 1
    assert found[1] == found[2] != found[3]


def reference_linkage(similarities: np.ndarray, least: float) -> list[set[int]]:
    """Average linkage by its definition: all means anew for every step."""
    groups = [{n} for n in range(len(similarities))]
    while len(groups) > 1:
        means = {
            (a, b): np.mean([similarities[i, j] for i in groups[a] for j in groups[b]])
            for a in range(len(groups))
            for b in range(a)
        }
        (a, b), best = max(means.items(), key=lambda item: item[1])
        if best < least:
            break
        groups[b] |= groups.pop(a)
    return groups


@given(st.integers(1, 9), st.integers(0, 1 << 30))
def test_average_linkage_is_what_its_definition_says(size, seed):
    half = np.random.default_rng(seed).random((size, size))
    similarities = ((half + half.T) / 2).astype(np.float32)
    np.fill_diagonal(similarities, 1)
    found = average_linkage(similarities, 0.5)
    groups = {frozenset(np.flatnonzero(found == n).tolist()) for n in set(found.tolist())}
    assert groups == set(map(frozenset, reference_linkage(similarities.astype(float), 0.5)))


def test_a_linear_classifier_finds_the_columns_that_tell_classes_apart():
    matrix = np.array([[1, 1, 0, 1], [1, 1, 0, 0], [1, 0, 1, 1], [1, 0, 1, 0]], np.float32)
    weights, bias = softmax_regression(matrix, np.array([0, 0, 1, 1]), 1.0)
    scores = matrix @ weights.T + bias
    assert scores.argmax(axis=1).tolist() == [0, 0, 1, 1]
    assert abs(weights[0, 3]) < 0.1 < weights[0, 1]


def test_scores_are_the_same_in_whatever_order_a_machine_adds_them():
    random = np.random.default_rng(0)
    classes = random.integers(0, 6, 300)
    matrix = (random.random((300, 400)) < 0.1 + 0.1 * classes[:, None]).astype(np.float32)
    weights, bias = softmax_regression(matrix, classes, 1.0)
    order = random.permutation(300)
    others, other_bias = softmax_regression(matrix[order], classes[order], 1.0)
    assert np.allclose(weights, others, rtol=0, atol=1e-9)
    assert np.allclose(bias, other_bias, rtol=0, atol=1e-9)


def split_of_one_class(pages):
    """The classes that URLs make of these pages, where all are as alike as can be."""
    vocabulary = PathVocabulary()
    views = PageViews.of(facts_of(pages, vocabulary), PathMarks(vocabulary))
    count = len(pages)
    all_alike = np.ones((count, count), np.float32)
    return split_by_url(np.zeros(count, np.int64), views, all_alike, ClassThresholds()).tolist()


def test_urls_and_marks_together_split_what_neither_would_alone():
    """Pages that are alike but for a few marks that one folder has and the other lacks."""
    common = "".join(f"<div class=c{n}><p class=q{n}>x</p></div>" for n in range(40))
    more = "".join(f"<b class=m{n}>x</b><i><s class=k{n}>x</s></i>" for n in range(6))
    apart = {f"a/{n}.html": common for n in range(12)}
    assert len(set(named_pages(apart | {f"b/{n}.html": common for n in range(12)}))) == 1
    pages = apart | {f"b/{n}.html": common + more for n in range(12)}
    assert len(set(named_pages(pages))) == 2


def test_urls_split_pages_of_bare_tables_by_the_few_marks_that_they_have():
    """Pages without a class in them have hardly a dozen marks beyond the frame in all."""
    row = "<tr><td>x</td></tr>"
    pages = {f"match_{n}.html": f"<center><table>{row * n}</table></center>" for n in range(1, 9)}
    pages |= {f"player_{n}.html": f"<h1>x</h1><dl><dt>x</dt></dl>{n}" for n in range(1, 9)}
    assert split_of_one_class(pages) == [0] * 8 + [1] * 8
    optional = {f"match_{n}.html": f"<center><p>x</p><u>x</u>{n}</center>" for n in range(1, 9)}
    optional |= {f"cup_{n}.html": f"<center><p>x</p>{n}</center>" for n in range(1, 9)}
    assert split_of_one_class(optional) == [0] * 16


def test_a_name_of_its_own_is_a_kind_of_url_beside_a_word_that_many_have():
    """Each product has a folder, and in it a page of reviews: one word beside ten names."""
    names = ["lamp", "chair", "rug", "desk", "vase", "sofa", "stool", "shelf", "mat", "bed"]
    form = "".join(f"<form class=f{n}><input class=i{n}></form>" for n in range(6))
    pages = {f"{name}/index.html": CORE for name in names}
    pages |= {f"{name}/reviews/index.html": CORE + form for name in names}
    assert split_of_one_class(pages) == [0] * 10 + [1] * 10


def test_marks_are_tags_and_classes_with_and_without_their_numbers():
    vocabulary = PathVocabulary()
    body = b'<div class="post-7 card"><p>x</p></div>'
    page = page_features(Document(body, HOST), vocabulary, lambda url: url)
    marks = PathMarks(vocabulary)
    assert marks.columns(page.nodes) == {
        "div", "div.card", "div.post-7", "div.~post-#", "p", "/html/body/div", "/html/body/div/p",
    }  # fmt: skip


def test_classes_that_tell_the_content_of_a_page_are_values():
    """WordPress and Ghost write the tags of an article into its classes: what it is about."""
    vocabulary = PathVocabulary()
    tag = "tag-{} tag-{} hentry field-title"
    bodies = [f'<article class="{tag.format(chr(97 + n), chr(98 + n))}">x' for n in range(20)]
    marks = PathMarks(vocabulary)
    counted = [
        marks.counted(page_features(Document(b.encode(), HOST), vocabulary, lambda u: u).nodes)
        for b in bodies
    ]
    values = marks.values(counted)
    assert {marks.names[mark] for mark in values.values()} == {"article.tag-*"}
    assert {marks.names[mark] for mark in values} == {
        f"article.tag-{chr(97 + n)}" for n in range(21)
    }
    assert not marks.values(counted[:10])


def test_pages_that_differ_in_values_are_of_one_class():
    bodies = []
    for n in range(60):
        names = " ".join(f"tag-{chr(97 + (n * k) % 23)}" for k in (1, 3, 7))
        parts = "".join(f"<i class={one}>x</i>" for one in names.split())
        bodies.append(FRAME.format(f'<article class="{names}">{CORE}{parts}</article>'))
    assert len(set(classes_of(bodies))) == 1


def test_the_numbers_that_we_ship_are_those_of_the_measures():
    assert set(shipped_pair_model().weights) == set(MEASURES)
    with pytest.raises(ValueError, match="missing or unknown: marks"):
        PairModel(0.0, dict.fromkeys(MEASURES[1:], (0.0, 1.0, 0.0)))
