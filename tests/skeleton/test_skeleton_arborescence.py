from __future__ import annotations

from contraction import contracted_arborescence
from hypothesis import given, settings
from hypothesis import strategies as st

from sitewright.skeleton.arborescence import best_arborescence


def total(scores, parents):
    return sum(scores[page][parent] for page, parent in parents.items())


@st.composite
def graphs(draw):
    size = draw(st.integers(2, 9))
    pages = [f"p{number}" for number in range(size)]
    scores = {}
    for number, page in enumerate(pages[1:], start=1):
        others = [other for other in pages if other != page]
        parents = draw(st.lists(st.sampled_from(others), unique=True, max_size=5))
        parents += [pages[draw(st.integers(0, number - 1))]]
        scores[page] = {
            parent: float(draw(st.integers(-5, 5))) for parent in dict.fromkeys(parents)
        }
    return pages[0], scores


@given(graphs())
@settings(max_examples=300, deadline=None)
def test_the_fast_way_finds_as_good_a_tree_as_the_plain_way(graph):
    root, scores = graph
    fast = best_arborescence(root, scores)
    assert fast.keys() == scores.keys()
    assert total(scores, fast) == total(scores, contracted_arborescence(root, scores))


@given(graphs())
@settings(max_examples=200, deadline=None)
def test_every_page_leads_up_to_the_root(graph):
    root, scores = graph
    parents = best_arborescence(root, scores)
    for page in scores:
        seen = set()
        while page != root:
            assert page not in seen
            seen.add(page)
            page = parents[page]  # noqa: PLW2901 - climbing


def test_a_cycle_of_favourites_is_broken_where_it_costs_least():
    scores = {"a": {"home": 1.0, "b": 9.0}, "b": {"home": 3.0, "a": 9.0}}
    assert best_arborescence("home", scores) == {"b": "home", "a": "b"}


def test_pages_that_nothing_connects_with_the_root_are_left_out():
    assert best_arborescence("home", {"a": {"b": 1.0}, "b": {"a": 1.0}}) == {}


def test_of_equal_candidates_the_first_wins():
    assert best_arborescence("home", {"a": {"home": 1.0}, "b": {"a": 2.0, "home": 2.0}})["b"] == "a"


def test_long_chains_do_not_recurse():
    scores = {f"p{n}": {f"p{n - 1}" if n else "home": 1.0} for n in range(5000)}
    assert len(best_arborescence("home", scores)) == 5000
