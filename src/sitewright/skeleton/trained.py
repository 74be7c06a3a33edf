"""What was learnt, in a file: the set that comes with the package, or one's own."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, ClassVar

from sitewright.formats import parse
from sitewright.skeleton.evidence import FEATURES
from sitewright.skeleton.features import FEATURE_NAMES
from sitewright.skeleton.selection import SewParameters  # noqa: TC001 - read at run time, when a file is read
from sitewright.skeleton.training import evidence_weights, paper_parameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.skeleton.training import Lesson

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
    def on(cls, lessons: Sequence[Lesson]) -> Trained:
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
