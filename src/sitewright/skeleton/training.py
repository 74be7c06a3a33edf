"""Learning from labelled skeletons: the paper's norms, and the weights of our evidence."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from sitewright.skeleton.choice import learn
from sitewright.skeleton.evidence import PRIOR
from sitewright.skeleton.features import FEATURE_NAMES
from sitewright.skeleton.selection import SewParameters, combined_confidence, prob

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sitewright.skeleton.choice import Case
    from sitewright.skeleton.evidence import Candidates


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one labelled site teaches."""

    link_sets: tuple[tuple[float, ...], ...]
    """The feature values of its navigation link sets, for the paper's method."""
    cases: tuple[Case, ...]
    """The evidence for and against the candidate parents of its pages, for ours."""


def paper_parameters(lessons: Iterable[Lesson]) -> SewParameters:
    """Mean and standard deviation of each feature and of the combined confidence (section 4.2)."""
    values = np.array([row for lesson in lessons for row in lesson.link_sets])
    if not len(values):
        values = np.zeros((1, len(FEATURE_NAMES)))
    means, deviations = values.mean(axis=0).tolist(), values.std(axis=0).tolist()
    untested = SewParameters(tuple(means), tuple(deviations), 0.0, 0.0, 0.0)
    combined = np.array([combined_confidence(row, untested) for row in values.tolist()])
    mean, deviation = float(combined.mean()), float(combined.std())
    lowest = prob(float(combined.min()), mean, deviation)
    return SewParameters(tuple(means), tuple(deviations), mean, deviation, lowest)


def evidence_weights(lessons: Sequence[Lesson]) -> dict[str, float]:
    """The weights under which the true parents are likeliest; every site counts the same."""
    cases: list[Case] = []
    for lesson in lessons:
        total = sum(weight for _, _, weight in lesson.cases)
        cases += [(rows, right, weight / total) for rows, right, weight in lesson.cases]
    prior = np.array(list(PRIOR.values()))
    weights = learn(cases, prior) if cases else prior
    return dict(zip(PRIOR, weights.tolist(), strict=True))


def lesson_cases(
    choices: Iterable[Candidates],
    accepts: Callable[[str, str], bool],
    siblings: Callable[[str], int],
) -> tuple[Case, ...]:
    """The cases of a site: pages that have a true parent among their candidates.

    `siblings` is how many children a page's true parent has. Its pages share a weight that grows
    with the square root of their number: a list of hundreds is not a hundred times as instructive.
    """
    cases = []
    for choice in choices:
        right = np.array([accepts(parent, choice.page) for parent in choice.parents])
        if right.any():
            cases.append((choice.rows, right, 1 / sqrt(max(1, siblings(choice.page)))))
    return tuple(cases)
