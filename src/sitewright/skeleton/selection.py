"""Choosing the navigation link set among the candidates (Liu et al. 2004, section 3.3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, exp, pi, prod, sqrt
from typing import TYPE_CHECKING

from sitewright.skeleton.features import feature_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.skeleton.candidates import LinkSet


@dataclass(frozen=True, slots=True)
class SewParameters:
    """What training gives: the norm of each feature and of the combined confidence."""

    means: tuple[float, ...]
    deviations: tuple[float, ...]
    combined_mean: float
    combined_deviation: float
    threshold: float
    """`tau`: what `PROB` gives for the lowest combined confidence in the training data."""


def select_navigation_link_set(
    candidates: Sequence[LinkSet], parameters: SewParameters, page: str, home: str
) -> LinkSet:
    """SELECTNAVLINKSET (figure 3): the most confident candidate, if it is confident enough."""
    if not candidates:
        return ()
    scores = [
        combined_confidence(feature_values(links, page, home), parameters) for links in candidates
    ]
    best = max(range(len(candidates)), key=scores.__getitem__)
    chance = prob(scores[best], parameters.combined_mean, parameters.combined_deviation)
    return candidates[best] if chance >= parameters.threshold else ()


def combined_confidence(values: Sequence[float], parameters: SewParameters) -> float:
    """The product of the confidences of all features, taken as independent."""
    norms = zip(values, parameters.means, parameters.deviations, strict=True)
    return prod(norm_dist(value, mean, deviation) for value, mean, deviation in norms)


def norm_dist(value: float, mean: float, deviation: float) -> float:
    """NORMDIST: the density of the standard normal distribution at the standardised value.

    A feature that never varied in training tells nothing: its confidence is that of the mean.
    """
    standardised = (value - mean) / deviation if deviation > 0 else 0.0
    return exp(-(standardised**2) / 2) / sqrt(2 * pi)


def prob(value: float, mean: float, deviation: float) -> float:
    """PROB: the normal distribution's cumulative probability, with `deviation` 0 as a step."""
    if deviation <= 0:
        return float(value >= mean)
    return (1 + erf((value - mean) / (deviation * sqrt(2)))) / 2
