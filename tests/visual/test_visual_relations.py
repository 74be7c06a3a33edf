from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.page.rendering import Box
from sitewright.visual.association import Relation, box_relation, relation, relation_codes

INTERVALS = [(low, high) for low in range(6) for high in range(low + 1, 7)]
boxes = st.builds(Box, *(st.integers(0, 40) for _ in range(4)))


def definitions(u, v):
    """Every relation whose definition in the paper, or its inverse's, holds."""
    (u1, u2), (v1, v2) = u, v
    return {
        Relation.PRECEDES: u2 < v1,
        Relation.MEETS: u2 == v1,
        Relation.OVERLAYS: u1 < v1 < u2 < v2,
        Relation.STARTS: u1 == v1 and u2 < v2,
        Relation.DURING: u1 > v1 and u2 < v2,
        Relation.FINISHES: u1 > v1 and u2 == v2,
        Relation.EQUALS: u1 == v1 and u2 == v2,
        Relation.PRECEDED_BY: v2 < u1,
        Relation.MET_BY: v2 == u1,
        Relation.OVERLAID_BY: v1 < u1 < v2 < u2,
        Relation.STARTED_BY: u1 == v1 and v2 < u2,
        Relation.CONTAINS: v1 > u1 and v2 < u2,
        Relation.FINISHED_BY: v1 > u1 and v2 == u2,
    }


@pytest.mark.parametrize("u", INTERVALS)
def test_exactly_the_one_relation_holds_that_its_definition_says(u):
    for v in INTERVALS:
        assert [relation(u, v)] == [name for name, holds in definitions(u, v).items() if holds]


def test_all_thirteen_relations_occur():
    assert {relation(u, v) for u, v in product(INTERVALS, repeat=2)} == set(Relation)


@pytest.mark.parametrize("tolerance", [0, 1, 2, 5])
def test_the_inverse_holds_the_other_way_round_whatever_the_tolerance(tolerance):
    for u, v in product(INTERVALS, repeat=2):
        assert relation(v, u, tolerance) is relation(u, v, tolerance).inverse


def test_thick_boundaries_take_near_edges_for_one():
    assert relation((0, 98), (100, 200)) is Relation.PRECEDES
    assert relation((0, 98), (100, 200), tolerance=3) is Relation.MEETS
    assert relation((2, 101), (0, 100), tolerance=3) is Relation.EQUALS
    assert relation((0, 50), (1, 100), tolerance=3) is Relation.STARTS
    assert relation((50, 99), (0, 100), tolerance=3) is Relation.FINISHES


def test_a_thick_relation_is_that_of_intervals_whose_near_edges_were_moved_together():
    far = [(low * 10, high * 10) for low, high in INTERVALS]
    for (u, v), (near_u, moved) in product(product(far, repeat=2), [(0, 0), (2, -1), (-2, 1)]):
        shaken = (u[0] + near_u, u[1] + moved)
        assert relation(shaken, v, tolerance=4) is relation(u, v)


def test_boxes_are_related_on_both_axes():
    menu, content = Box(0, 100, 200, 500), Box(200, 100, 600, 700)
    assert box_relation(menu, content) == (Relation.MEETS, Relation.STARTS)


@given(st.lists(boxes, max_size=8), st.integers(0, 6))
def test_the_fast_relations_are_the_plain_ones(given_boxes, tolerance):
    codes = relation_codes(given_boxes, tolerance)
    plain = [[box_relation(a, b, tolerance) for b in given_boxes] for a in given_boxes]
    expected = np.array([[x * 16 + y for x, y in row] for row in plain]).reshape(codes.shape)
    assert (codes == expected).all()
