"""The fast alignment against the paper's, cell by cell."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.papers.cosulschi import written_tokens
from sitewright.papers.geraci import similarity_matrix, traceback
from sitewright.template import alignment as kernel
from sitewright.template.alignment import GAP, Pairs, align, score

sequences = st.lists(st.integers(0, 6), max_size=40)


def array(tokens) -> np.ndarray:
    return np.array(tokens, dtype=np.int32)


def ids(*pages: str) -> list[np.ndarray]:
    numbers: dict[str, int] = {}
    return [
        array([numbers.setdefault(token.text, len(numbers)) for token in written_tokens(page)])
        for page in pages
    ]


def assert_valid(pairs: Pairs, left: list[int], right: list[int]) -> None:
    """Every token stands in the alignment once, in order, and no step is all gap."""
    assert [place for place in pairs.left.tolist() if place != GAP] == list(range(len(left)))
    assert [place for place in pairs.right.tolist() if place != GAP] == list(range(len(right)))
    assert not ((pairs.left == GAP) & (pairs.right == GAP)).any()


def test_the_similarity_matrix_of_two_small_snippets():
    u, v = ids("<div><b>one</b></div>", "<div><i>two</i><b>one</b></div>")
    #   "" <div> <i> two </i> <b> one </b> </div>
    assert similarity_matrix(u.tolist(), v.tolist()) == [
        [0, -1, -2, -3, -4, -5, -6, -7, -8],
        [-1, 1, 0, -1, -2, -3, -4, -5, -6],
        [-2, 0, 1, 0, -1, -1, -2, -3, -4],
        [-3, -1, 0, 1, 0, -1, 0, -1, -2],
        [-4, -2, -1, 0, 1, 0, -1, 1, 0],
        [-5, -3, -2, -1, 0, 1, 0, 0, 2],
    ]


def test_matching_tokens_of_two_small_snippets_are_paired():
    u, v = ids("<div><b>one</b></div>", "<div><i>two</i><b>one</b></div>")
    found = align(u, v)
    assert found.score == 2
    matches = [
        (i, j)
        for i, j in zip(*map(np.ndarray.tolist, found.pairs), strict=True)
        if GAP not in (i, j)
    ]
    assert matches == [(0, 0), (1, 4), (2, 5), (3, 6), (4, 7)]


@given(sequences, sequences)
def test_the_score_is_that_of_the_paper(left: list[int], right: list[int]):
    found = align(array(left), array(right))
    assert found.score == similarity_matrix(left, right)[-1][-1]
    assert found.score == score(array(left), array(right), found.pairs)


@given(sequences, sequences)
def test_the_alignment_is_valid(left: list[int], right: list[int]):
    assert_valid(align(array(left), array(right)).pairs, left, right)


@given(sequences, sequences)
def test_without_common_ends_it_is_the_very_alignment_of_the_reference(left, right):
    left, right = [7, *left, 8], [9, *right, 10]
    found = align(array(left), array(right)).pairs
    expected = traceback(similarity_matrix(left, right), left, right)
    assert list(zip(found.left.tolist(), found.right.tolist(), strict=True)) == expected


@given(sequences, sequences, st.integers(1, 60))
def test_a_small_memory_changes_nothing(left: list[int], right: list[int], cells: int):
    whole = align(array(left), array(right))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "_MAX_CELLS", cells)
        in_blocks = align(array(left), array(right))
    assert in_blocks.score == whole.score
    assert in_blocks.pairs.left.tolist() == whole.pairs.left.tolist()
    assert in_blocks.pairs.right.tolist() == whole.pairs.right.tolist()


def test_long_sequences_get_wider_scores():
    """16 bits hold the shifted scores of 10,922 matches; beyond that they would wrap around."""
    common = np.arange(11_000, dtype=np.int32)
    left = np.concatenate([array([-1]), common, array([-2])])
    right = np.concatenate([array([-3]), common, array([-4])])
    assert align(left, right).score == 11_000


def test_equal_sequences_match_throughout():
    tokens = array([3, 1, 4, 1, 5])
    found = align(tokens, tokens)
    assert found.score == 5
    assert found.pairs.left.tolist() == found.pairs.right.tolist() == [0, 1, 2, 3, 4]


def test_an_empty_sequence_is_all_gaps():
    found = align(array([]), array([1, 2]))
    assert found.score == -2
    assert found.pairs.left.tolist() == [GAP, GAP]
