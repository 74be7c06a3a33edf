"""When an exploration ends: models that agree, and what a class more means."""

from dataclasses import dataclass

import numpy as np
import pytest

from sitewright.crawl.stopping import StoppingRule


@dataclass
class Found:
    """A model: the class of each page."""

    class_of_page: np.ndarray


def checks(classes):
    """Visit pages of these classes one by one; at which numbers of pages a model was made."""
    rule = StoppingRule()
    numbers = np.array(classes)
    for visited in range(1, len(numbers) + 1):
        if rule(visited, lambda visited=visited: Found(numbers[:visited])):
            break
    return [visited for visited, _ in rule.fits]


def test_two_models_that_agree_with_the_one_before_end_it():
    assert checks([page % 4 for page in range(1000)]) == [100, 150, 225]


@pytest.mark.parametrize("at", [120, 200])
def test_a_class_more_is_looked_at_soon_and_takes_no_agreement_back(at):
    """Five pages of a class that nobody knew: once a wave that leads to a new folder."""
    classes = [9 if at <= page < at + 5 else page % 4 for page in range(1000)]
    assert checks(classes) == {120: [100, 150, 180, 270], 200: [100, 150, 225, 270]}[at]


def test_classes_that_keep_coming_go_on():
    assert checks([page // 20 for page in range(1000)])[-1] > 800


def test_pages_that_change_their_classes_begin_anew():
    made = iter([0, 0, 1, 1, 1])

    def fit(visited):
        changed = next(made)
        return Found(np.array([page % 4 if changed else page % 2 for page in range(visited)]))

    rule = StoppingRule()
    ends = [rule(visited, lambda visited=visited: fit(visited)) for visited in range(1, 508)]
    assert [visited for visited, _ in rule.fits] == [100, 150, 225, 337, 505]
    assert ends.index(True) == 504
