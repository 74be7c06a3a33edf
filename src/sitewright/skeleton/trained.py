"""What was learnt, in a file: the set that comes with the package, or one's own."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitewright.errors import InputNotFound, UnreadableInput, WrongFormatVersion
from sitewright.skeleton.evidence import FEATURES
from sitewright.skeleton.features import FEATURE_NAMES
from sitewright.skeleton.selection import SewParameters
from sitewright.skeleton.training import evidence_weights, paper_parameters

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from sitewright.skeleton.training import Lesson

FORMAT = 1
_SHIPPED = "trained.json"
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Trained:
    """The learnt numbers of both methods."""

    paper: SewParameters
    evidence: dict[str, float]
    """The weight of each kind of evidence."""

    @classmethod
    def on(cls, lessons: Sequence[Lesson]) -> Trained:
        """Learn from labelled sites."""
        return cls(paper_parameters(lessons), evidence_weights(lessons))

    def as_json(self) -> dict[str, Any]:
        """The object that a file holds."""
        weights = {name: round(weight, _DIGITS) for name, weight in self.evidence.items()}
        return {"format": FORMAT, "paper": asdict(self.paper), "evidence": weights}


def shipped() -> Trained:
    """The numbers that come with the package."""
    text = files("sitewright.skeleton").joinpath(_SHIPPED).read_text(encoding="utf-8")
    return _from_json(json.loads(text), _SHIPPED)


def read_trained(path: str | os.PathLike[str]) -> Trained:
    """Read numbers that `sitewright skeleton train` wrote."""
    path = Path(path)
    try:
        written = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputNotFound(str(path)) from None
    except (OSError, ValueError) as error:
        raise UnreadableInput(str(path), f"cannot be read: {error}") from None
    return _from_json(written, str(path))


def _from_json(written: Any, source: str) -> Trained:  # noqa: ANN401 - whatever a file holds
    version = written.get("format") if isinstance(written, dict) else None
    if version != FORMAT:
        raise WrongFormatVersion(source, version, FORMAT)
    try:
        paper = written["paper"]
        parameters = SewParameters(
            means=_numbers(paper["means"]),
            deviations=_numbers(paper["deviations"]),
            combined_mean=float(paper["combined_mean"]),
            combined_deviation=float(paper["combined_deviation"]),
            threshold=float(paper["threshold"]),
        )
        evidence = {name: float(written["evidence"][name]) for name in FEATURES}
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableInput(source, f"not what training writes: {error}") from None
    return Trained(parameters, evidence)


def _numbers(written: Sequence[float]) -> tuple[float, ...]:
    numbers = tuple(float(number) for number in written)
    if len(numbers) != len(FEATURE_NAMES):
        raise ValueError(f"{len(numbers)} features instead of {len(FEATURE_NAMES)}")
    return numbers
