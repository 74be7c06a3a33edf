"""What was learnt, in a file: the set that comes with the package, or one's own."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sitewright.errors import MissingExtra
from sitewright.formats import parse
from sitewright.papers.liu import (
    FEATURE_NAMES,
    SewParameters,
    combined_confidence,
    prob,
)
from sitewright.skeleton.parent_features import FEATURES, PRIOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from sitewright.skeleton.parent_features import ParentCandidates

    Numbers = NDArray[np.float64]


# Learning from labelled skeletons: the paper's norms, and the weights of our evidence.
#
# The parent of a page is one of its candidates, with a chance in proportion to exp(w . x), where x
# is the evidence (a conditional logit). Each weight keeps the sign that its evidence must have in
# any
# site, so that few labelled sites suffice. Learning the weights needs the extra `evaluate` (SciPy);
# what comes with the package are the weights.

Case = tuple["Numbers", "NDArray[np.bool_]", float]
"""The evidence of a page's candidates, which of them are right, and the weight of the page."""
PENALTY = 0.02
"""How strongly the weights are held to the prior ones: few sites must not move them far."""


@dataclass(frozen=True, slots=True)
class TrainingCase:
    """What one labelled site teaches."""

    link_sets: tuple[tuple[float, ...], ...]
    """The feature values of its navigation link sets, for the paper's method."""
    cases: tuple[Case, ...]
    """The evidence for and against the candidate parents of its pages, for ours."""


def paper_parameters(lessons: Iterable[TrainingCase]) -> SewParameters:
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


def evidence_weights(lessons: Sequence[TrainingCase]) -> dict[str, float]:
    """The weights under which the true parents are likeliest; every site counts the same."""
    cases: list[Case] = []
    for lesson in lessons:
        total = sum(weight for _, _, weight in lesson.cases)
        cases += [(rows, right, weight / total) for rows, right, weight in lesson.cases]
    prior = np.array(list(PRIOR.values()))
    weights = likeliest_weights(cases, prior) if cases else prior
    return dict(zip(PRIOR, weights.tolist(), strict=True))


def likeliest_weights(cases: Sequence[Case], prior: Numbers, penalty: float = PENALTY) -> Numbers:
    """The weights of greatest likelihood, with a quadratic penalty on what differs from the prior.

    A weight never takes the other sign than its prior one; where that is zero, it is free.
    """
    minimize = minimizer()
    bounds = [(0.0 if sign > 0 else None, 0.0 if sign < 0 else None) for sign in prior.tolist()]
    loss = _Loss.of(cases, prior, penalty)
    found = minimize(loss, prior, jac=True, method="L-BFGS-B", bounds=bounds)
    weights: Numbers = found.x
    return weights


def minimizer() -> Callable[..., Any]:
    """SciPy's `minimize`; long work that ends with training asks for it before it begins."""
    try:
        from scipy.optimize import minimize  # type: ignore[import-untyped]  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("evaluate", "learning from labelled skeletons") from None
    found: Callable[..., Any] = minimize
    return found


@dataclass(frozen=True, slots=True)
class _Loss:
    """The penalised negative log-likelihood of the true parents, with its gradient."""

    rows: Numbers
    """The evidence of all candidates, one page after the other."""
    right: NDArray[np.bool_]
    starts: NDArray[np.int64]
    """The first row of each page."""
    case_of: NDArray[np.int64]
    """The page of each row."""
    importance: Numbers
    prior: Numbers
    penalty: float

    @classmethod
    def of(cls, cases: Sequence[Case], prior: Numbers, penalty: float) -> _Loss:
        sizes = np.array([len(rows) for rows, _, _ in cases])
        importance = np.array([weight for _, _, weight in cases])
        return cls(
            rows=np.concatenate([rows for rows, _, _ in cases]),
            right=np.concatenate([right for _, right, _ in cases]),
            starts=np.concatenate([[0], np.cumsum(sizes)[:-1]]),
            case_of=np.repeat(np.arange(len(sizes)), sizes),
            importance=importance / importance.sum(),
            prior=prior,
            penalty=penalty,
        )

    def __call__(self, weights: Numbers) -> tuple[float, Numbers]:
        scores = self.rows @ weights
        scores -= np.maximum.reduceat(scores, self.starts)[self.case_of]
        chances = np.exp(scores)
        chances /= np.add.reduceat(chances, self.starts)[self.case_of]
        hits = np.where(self.right, chances, 0.0)
        hit = np.maximum(np.add.reduceat(hits, self.starts), 1e-300)
        pull = (hits / hit[self.case_of] - chances) * self.importance[self.case_of]
        away = weights - self.prior
        loss = self.penalty / 2 * float(away @ away) - float(self.importance @ np.log(hit))
        return loss, self.penalty * away - self.rows.T @ pull


def lesson_cases(
    choices: Iterable[ParentCandidates],
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


_SHIPPED = "trained.json"
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Trained:
    """The learnt numbers of both methods."""

    FORMAT: ClassVar[str] = "sitewright-skeleton-weights"
    paper: SewParameters
    evidence: dict[str, float]
    """The weight of each kind of evidence."""

    @classmethod
    def on(cls, lessons: Sequence[TrainingCase]) -> Trained:
        """Learn from labelled sites."""
        return cls(paper_parameters(lessons), evidence_weights(lessons))

    def __post_init__(self) -> None:
        """Refuse numbers of another method: a file may say anything."""
        for numbers in (self.paper.means, self.paper.deviations):
            if len(numbers) != len(FEATURE_NAMES):
                raise ValueError(f"{len(numbers)} features instead of {len(FEATURE_NAMES)}")
        if wrong := set(FEATURES) ^ set(self.evidence):
            raise ValueError(f"weights that are missing or unknown: {', '.join(sorted(wrong))}")

    def rounded(self) -> Trained:
        """The weights to the digits that matter, for a file."""
        weights = {name: round(weight, _DIGITS) for name, weight in self.evidence.items()}
        return Trained(self.paper, weights)


def shipped() -> Trained:
    """The numbers that come with the package."""
    text = files("sitewright.skeleton").joinpath(_SHIPPED).read_bytes()
    return parse(text, Trained, _SHIPPED)
