from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.methods import MATCHING_METHODS, match
from sitewright.page.rendering import Rendering
from sitewright.papers.cosulschi import match_leaves, match_top_down, match_views
from sitewright.visual import block_pairs
from sitewright.visual.association import PairConditions, association_graph, box_relation
from sitewright.visual.elements import block_candidates, leaves
from sitewright.visual.segmentation import _tree
from sitewright.visual.visible_tree import align, longest_rising, similarity
from tests.visual.drawn_pages import page, said

TEAM = page(
    ("h1", "Alberia"),
    ("dl", ("dt", "Coach"), ("dd", "A. Alba"), ("dt", "Nickname"), ("dd", "The Foxes"),
     ("dt", "Founded"), ("dd", "1959")),
    ("ul", ("li", ("a", "First story")), ("li", ("a", "Second story"))),
    ("footer", ("p", "Every name is invented.")),
)  # fmt: skip
OTHER_TEAM = page(
    ("h1", "Borungu"),
    ("dl", ("dt", "Coach"), ("dd", "B. Bora"), ("dt", "Founded"), ("dd", "1971")),
    ("div", ("p", "An advertisement")),
    ("ul", ("li", ("a", "Their first story")), ("li", ("a", "Their second")),
     ("li", ("a", "Third"))),
    ("footer", ("p", "Every name is invented.")),
)  # fmt: skip
RIGHT = [
    ("Alberia", "Borungu"),
    ("Coach", "Coach"),
    ("A. Alba", "B. Bora"),
    ("Founded", "Founded"),
    ("1959", "1971"),
    ("First story", "Their first story"),
    ("Second story", "Their second"),
    ("Every name is invented.", "Every name is invented."),
]


def test_what_plays_the_same_part_is_paired_around_what_only_one_page_has():
    assert said(TEAM, OTHER_TEAM, match(TEAM, OTHER_TEAM).pairs) == RIGHT


def test_containers_are_paired_too():
    pairs = dict(match(TEAM, OTHER_TEAM).pairs)
    lists = [next(n.number for n in side.nodes if n.tag == "ul") for side in (TEAM, OTHER_TEAM)]
    assert pairs[lists[0]] == lists[1]


def test_a_page_matches_itself_leaf_by_leaf():
    assert all(a == b for a, b in match(TEAM, TEAM).pairs)
    assert len(match(TEAM, TEAM).pairs) == len(TEAM.nodes)


@pytest.mark.parametrize("method", MATCHING_METHODS)
def test_no_node_is_in_two_pairs_and_pages_without_content_give_none(method):
    pairs = match(TEAM, OTHER_TEAM, method=method).pairs
    assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)
    assert said(page(), TEAM, match(page(), TEAM, method=method).pairs) == []


@pytest.mark.parametrize("method", MATCHING_METHODS)
def test_ids_and_classes_make_no_difference(method):
    plain = page(("div", ("p", "One")), ("div", ("p", "Two")))
    named = page(
        ("div", {"id": "b", "class": "x"}, ("p", "One")), ("div", {"id": "a"}, ("p", "Two"))
    )
    assert match(plain, plain, method=method).pairs == match(named, plain, method=method).pairs


def test_labels_that_both_pages_have_keep_values_apart():
    first = page(("dl", ("dt", "Born"), ("dd", "1990"), ("dt", "Height"), ("dd", "1.80")))
    second = page(("dl", ("dt", "Height"), ("dd", "1.75")))
    assert said(first, second, match(first, second).pairs) == [
        ("Height", "Height"),
        ("1.80", "1.75"),
    ]


def test_pieces_of_running_text_are_paired_only_where_the_texts_are_built_alike():
    first = page(("p", "He scored ", ("b", "twice"), " in the final."))
    alike = page(("p", "She scored ", ("b", "once"), " in the cup."))
    other = page(("p", "A ", ("em", "quiet"), " game, and ", ("b", "no"), " goals at all."))
    assert len(said(first, alike, match(first, alike).pairs)) == 3
    assert said(first, other, match(first, other).pairs) == []


def test_the_paper_matches_children_only_inside_matched_containers():
    first = page(("ul", ("li", "one"), ("li", "two")), ("ol", ("li", "three")))
    second = page(("ul", ("li", "ONE"), ("li", "TWO")), ("div", ("li", "three")))
    found = said(first, second, match_top_down(first, second).pairs)
    assert found == [("one", "ONE"), ("two", "TWO")]


def test_the_papers_clique_is_the_largest_set_of_compatible_pairs():
    first = leaves(page(("p", "alpha"), ("p", "beta"), ("h1", "gamma")))
    second = leaves(page(("p", "delta"), ("h1", "omega"), ("p", "kappa")))
    hold = PairConditions().hold
    vertices = [(a, b) for a, b in product(first, second) if hold(a, b)]

    def compatible(u, v):
        (a, b), (x, y) = u, v
        same = box_relation(a.box, x.box, 5) == box_relation(b.box, y.box, 5)
        return same and a != x and b != y

    sizes = [
        len(chosen)
        for size in range(len(vertices) + 1)
        for chosen in combinations(vertices, size)
        if all(compatible(u, v) for u, v in combinations(chosen, 2))
    ]
    found = match_views(first, second)
    assert found.optimal
    assert len(found.pairs) == max(sizes)
    assert len(association_graph(first, second).pairs) == len(vertices)


def test_too_large_an_association_graph_is_cut_and_the_answer_says_so():
    first = leaves(page(*(("p", f"line {n}") for n in range(12))))
    graph = association_graph(first, first, max_vertices=20)
    assert len(graph.pairs) == 20
    assert not graph.complete
    assert {(n, n) for n in range(12)} <= set(graph.pairs)


def test_out_of_time_the_paper_gives_what_it_has():
    lines = page(*(("p", f"line {n}") for n in range(25)))
    found = match_leaves(lines, lines, time_limit=0.0)
    assert found.pairs
    assert not found.optimal


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=4))
def test_alignment_has_the_greatest_sum_of_all_rising_choices(rows):
    scores = np.array(rows, dtype=float)
    cells = list(np.ndindex(scores.shape))
    rising = (
        chosen
        for size in range(4)
        for chosen in combinations(cells, size)
        if all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(chosen))
    )
    best = max(sum(scores[cell] for cell in chosen) for chosen in rising)
    found = align(scores)
    assert sum(scores[cell] for cell in found) == best
    assert all(scores[cell] > 0 for cell in found)


@given(st.lists(st.integers(0, 9), max_size=9))
def test_the_longest_rising_subsequence_is_the_longest(numbers):
    found = [numbers[place] for place in longest_rising(numbers)]
    assert all(a < b for a, b in pairwise(found))
    longest = max(
        len(chosen)
        for size in range(len(numbers) + 1)
        for chosen in combinations(numbers, size)
        if all(a < b for a, b in pairwise(chosen))
    )
    assert len(found) == longest


@given(st.lists(st.frozensets(st.integers(0, 6)), min_size=1, max_size=4))
def test_likeness_is_dices_coefficient(sets):
    found = similarity(sets, sets)
    for (i, a), (j, b) in product(enumerate(sets), repeat=2):
        expected = 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0
        assert found[i, j] == pytest.approx(expected)


def test_hundreds_of_alike_rows_are_paired_in_order():
    rows = [("tr", ("td", f"player {n}"), ("td", str(n))) for n in range(300)]
    first, second = page(("table", *rows)), page(("table", *rows[:250]))
    assert isinstance(first, Rendering)
    found = said(first, second, match(first, second).pairs)
    assert len(found) == 500
    assert all(a == b for a, b in found)


def test_very_long_and_very_deep_pages_are_bounded():
    long = page(*(("p", f"line {n}") for n in range(1500)))
    found = said(long, long, match(long, long).pairs)
    assert len(found) == 1500
    assert all(a == b for a, b in found)
    nested = ("div", "bottom")
    for _ in range(300):
        nested = ("div", nested, "text beside it")
    deep = page(nested)
    assert len(said(deep, deep, match(deep, deep).pairs)) == 301


def test_the_box_of_a_pair_has_the_headings_of_both_pages(monkeypatch):
    def team(*stories):
        links = [("li", ("a", story)) for story in stories]
        return page(("p", "Some words of no matter."), ("h2", "Stories"), ("ul", *links))

    def lists(rendering, **_):
        parts = block_candidates(rendering)
        chosen = [part for part in parts if part.node.tag == "ul"]
        return _tree(rendering, parts, chosen, [1.0] * len(parts))

    monkeypatch.setattr("sitewright.visual.matching.segment", lists)
    first, second = team("One", "Two"), team("Three", "Four", "Five")
    (pair,) = block_pairs(first, second, match(first, second))
    assert (pair.first.box.ly, pair.first.box.bottom) == (20, 80)
    assert (pair.second.box.ly, pair.second.box.bottom) == (20, 100)
