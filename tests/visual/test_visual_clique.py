from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.visual.association import greedy_clique, maximum_clique


def graph_of(size, edges):
    graph = [0] * size
    for a, b in edges:
        graph[a] |= 1 << b
        graph[b] |= 1 << a
    return graph


def is_clique(graph, vertices):
    return all(graph[a] >> b & 1 for a, b in combinations(vertices, 2))


def largest_by_trying_all(graph):
    sizes = range(len(graph), -1, -1)
    return next(
        size
        for size in sizes
        if any(is_clique(graph, chosen) for chosen in combinations(range(len(graph)), size))
    )


@st.composite
def graphs(draw):
    size = draw(st.integers(0, 9))
    pairs = list(combinations(range(size), 2))
    return graph_of(size, [pair for pair in pairs if draw(st.booleans())])


@given(graphs())
def test_the_clique_is_as_large_as_the_largest_of_all_subsets(graph):
    found = maximum_clique(graph)
    assert found.optimal
    assert is_clique(graph, found.vertices)
    assert len(found.vertices) == largest_by_trying_all(graph)


@given(graphs())
def test_the_greedy_clique_is_a_clique_that_cannot_grow(graph):
    found = greedy_clique(graph)
    assert is_clique(graph, found)
    assert not any(is_clique(graph, (*found, v)) for v in range(len(graph)) if v not in found)


@pytest.mark.parametrize("seed", range(10))
def test_a_hidden_clique_is_found(seed):
    chance = Random(seed)
    hidden = chance.sample(range(120), 15)
    noise = [pair for pair in combinations(range(120), 2) if chance.random() < 0.3]
    found = maximum_clique(graph_of(120, [*noise, *combinations(hidden, 2)]))
    assert found.optimal
    assert len(found.vertices) >= 15


def test_a_large_clique_needs_no_deep_recursion():
    everything = graph_of(1600, combinations(range(1600), 2))
    assert len(maximum_clique(everything, step_limit=5000).vertices) == 1600


def test_beyond_its_limit_it_gives_the_best_so_far_and_says_so():
    chance = Random(1)
    graph = graph_of(150, [p for p in combinations(range(150), 2) if chance.random() < 0.8])
    found = maximum_clique(graph, step_limit=50)
    assert not found.optimal
    assert len(found.vertices) >= len(greedy_clique(graph))
    assert is_clique(graph, found.vertices)
    assert not maximum_clique(graph, time_limit=0.0).optimal
    assert maximum_clique(graph, step_limit=50) == found


def test_no_vertices_make_an_empty_clique():
    assert maximum_clique([]).vertices == ()
