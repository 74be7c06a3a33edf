"""Every parser of outside input takes mutations of known inputs without a word."""

import pytest

from tests.hostile.fuzz import TARGETS, attack


@pytest.mark.parametrize("name", TARGETS)
def test_a_few_mutations(name):
    attack(name, 0, 60)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("name", TARGETS)
def test_many_mutations(name, seed):
    attack(name, seed, 1500)


@pytest.mark.parametrize("name", TARGETS)
def test_the_corpus_itself_is_read(name):
    target, corpus = TARGETS[name]
    for body in corpus:
        target(body)
