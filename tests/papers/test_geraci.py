"""The paper's consensus tree: scores, pruning, pairs, and numbers that are no power of two."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitewright.papers import geraci as module
from sitewright.papers.geraci import (
    Profile,
    aligned_and_pruned,
    consensus,
    merged,
    similarity_matrix,
    traceback,
)
from sitewright.template import alignment

pages = st.lists(st.lists(st.integers(0, 8), max_size=12), min_size=1, max_size=9)


def array(tokens) -> np.ndarray:
    return np.array(tokens, dtype=np.int32)


def profile(tokens, counts, number_of_pages) -> Profile:
    return Profile(array(tokens), array(counts), number_of_pages)


def supported(found: Profile) -> list[tuple[int, int]]:
    return list(zip(found.ids.tolist(), found.counts.tolist(), strict=True))


def test_matching_tokens_add_up_and_the_others_keep_their_scores():
    found = merged(profile([1, 2, 4], [2, 1, 2], 2), profile([1, 3, 4], [2, 2, 1], 2))
    assert supported(found) == [(1, 4), (2, 1), (3, 2), (4, 3)]
    assert found.pages == 4


def test_a_mismatch_gives_both_tokens_the_first_sequences_first():
    found = merged(profile([1, 5, 2], [1, 1, 1], 1), profile([1, 6, 2], [1, 1, 1], 1))
    assert found.ids.tolist() == [1, 5, 6, 2]


def test_the_first_two_steps_prune_nothing():
    two = aligned_and_pruned(Profile.of_page(array([1, 2])), Profile.of_page(array([1, 3])))
    four = aligned_and_pruned(two, two)
    assert 2 in four.ids.tolist()
    one_more = aligned_and_pruned(
        profile([1, 2], [2, 1], 2), profile([1, 3], [2, 1], 2)
    )  # counts of 1 in 4 pages: the limit of step 2 is 2^0
    assert one_more.ids.tolist() == [1, 2, 3]


def test_the_third_step_prunes_what_only_one_of_eight_pages_has():
    found = aligned_and_pruned(profile([1, 2, 3], [4, 1, 2], 4), profile([1], [4], 4))
    assert supported(found) == [(1, 8), (3, 2)]


def test_the_root_keeps_what_half_of_the_pages_have():
    sequences = [array(tokens) for tokens in ([1, 2], [1, 2], [1], [1, 3])]
    assert supported(consensus(sequences)) == [(1, 4), (2, 2)]


def test_t_pages_take_one_alignment_less():
    for number in (2, 3, 5, 8, 13):
        calls = []
        with pytest.MonkeyPatch.context() as patch:
            align = alignment.align
            patch.setattr(
                module,
                "align",
                lambda *both, _a=align, _c=calls, **how: _c.append(1) or _a(*both, **how),
            )
            consensus([array([1, 2, 3])] * number)
        assert len(calls) == number - 1


def test_an_odd_page_waits_and_is_not_pruned_before_it_was_aligned():
    """Five pages: the fifth meets the others in the last step, with all its tokens."""
    assert supported(consensus([array([1, 2])] * 5)) == [(1, 5), (2, 5)]


def test_the_seed_decides_the_pairs():
    chance = np.random.default_rng(3)
    sequences = [chance.integers(0, 5, 30).astype(np.int32) for _ in range(8)]
    results = {tuple(consensus(sequences, seed=seed).ids.tolist()) for seed in range(6)}
    assert len(results) > 1
    assert supported(consensus(sequences, seed=4)) == supported(consensus(sequences, seed=4))


def test_processes_change_nothing():
    chance = np.random.default_rng(5)
    sequences = [chance.integers(0, 9, 60).astype(np.int32) for _ in range(6)]
    assert supported(consensus(sequences, workers=2)) == supported(consensus(sequences))


@settings(deadline=None)
@given(pages)
def test_no_token_is_supported_by_more_pages_than_there_are(tokens: list[list[int]]):
    found = consensus([array(page) for page in tokens])
    assert found.pages == len(tokens)
    assert (found.counts <= len(tokens)).all()
    assert (2 * found.counts >= len(tokens)).all()


@settings(deadline=None)
@given(st.lists(st.integers(0, 8), max_size=12), st.integers(1, 9))
def test_equal_pages_are_their_own_template(tokens: list[int], number: int):
    assert supported(consensus([array(tokens)] * number)) == [(token, number) for token in tokens]


def plain_merged(one: Profile, other: Profile) -> Profile:
    """Section 2.1 and 2.2 cell by cell: the traceback through the whole matrix."""
    u, v = one.ids.tolist(), other.ids.tolist()
    tokens, counts = [], []
    for i, j in traceback(similarity_matrix(u, v), u, v):
        if alignment.GAP not in {i, j} and u[i] == v[j]:
            tokens.append(u[i])
            counts.append(int(one.counts[i]) + int(other.counts[j]))
            continue
        for place, sequence, supports in ((i, u, one.counts), (j, v, other.counts)):
            if place != alignment.GAP:
                tokens.append(sequence[place])
                counts.append(int(supports[place]))
    return profile(tokens, counts, one.pages + other.pages)


def plain_consensus(sequences: list[list[int]]) -> Profile:
    """Section 2.2 for t = 2^n pages in their order."""
    t, step = len(sequences), 0
    level = [Profile.of_page(array(tokens)) for tokens in sequences]
    while len(level) > 1:
        step += 1
        pairs = zip(level[::2], level[1::2], strict=True)
        level = [plain_merged(*pair).supported_by(2 ** (step - 2)) for pair in pairs]
    return level[0].supported_by(t / 2)


@settings(deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 4), max_size=8), min_size=8, max_size=8),
    st.lists(st.integers(0, 4), max_size=3),
    st.lists(st.integers(0, 4), max_size=3),
)
def test_the_consensus_is_that_of_the_paper_also_where_pages_begin_and_end_alike(inner, head, tail):
    sequences = [head + tokens + tail for tokens in inner]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module.random.Random, "shuffle", lambda _self, _items: None)
        found = consensus([array(tokens) for tokens in sequences])
    assert supported(found) == supported(plain_consensus(sequences))


def test_pruning_in_the_tree_is_a_parameter():
    sequences = [array(tokens) for tokens in ([1, 2], [1], [1], [1], [1], [1], [1], [1])]
    assert supported(consensus(sequences, threshold=0)) == [(1, 8)]
    kept = consensus(sequences, threshold=0, pruning=0)
    assert supported(kept) == [(1, 8), (2, 1)]
