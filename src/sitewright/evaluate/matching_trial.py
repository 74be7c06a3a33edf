"""Matching on pairs of pages of one class: each method on the same renderings, in one run."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from sitewright.evaluate.matching import fragment_parts, leaf_parts, score_pairs
from sitewright.visual import match
from sitewright.visual.views import leaves

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitewright.evaluate.matching import MatchingScore
    from sitewright.visual import Rendering


@dataclass(frozen=True, slots=True)
class Encounter:
    """Two pages of one class, rendered."""

    name: str
    first: Rendering
    second: Rendering


@dataclass(frozen=True, slots=True)
class Result:
    """How a method did on one pair of pages."""

    encounter: Encounter
    seconds: float
    optimal: bool
    leaves: MatchingScore
    fragments: MatchingScore


def sampled_pairs(
    classes: Mapping[str, Sequence[str]], *, pairs: int, seed: int
) -> list[tuple[str, str, str]]:
    """Class and two pages of it, drawn at random, no page twice where there are enough."""
    chance = random.Random(seed)  # noqa: S311 - a sample is no secret
    drawn: list[tuple[str, str, str]] = []
    for name in sorted(classes):
        pages = sorted(classes[name])
        chance.shuffle(pages)
        couples = zip(pages[::2], pages[1::2], strict=False)
        drawn += [(name, a, b) for a, b in list(couples)[:pairs]]
    return drawn


def try_method(encounter: Encounter, method: str) -> Result:
    """Match two pages and compare with what their ids and classes say."""
    begin = time.perf_counter()
    found = match(encounter.first, encounter.second, method=method)
    seconds = time.perf_counter() - begin
    whole = leaf_parts(encounter.first, encounter.second)
    small = fragment_parts(encounter.first, encounter.second)
    return Result(
        encounter,
        seconds,
        found.optimal,
        score_pairs(found.pairs, *whole),
        score_pairs(found.pairs, *small),
    )


def rows(method: str, results: Sequence[Result]) -> list[dict[str, Any]]:
    """A row for each class, and one for all."""
    by_class: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        by_class[result.encounter.name].append(result)
    named = [*sorted(by_class.items()), ("all", list(results))]
    return [_row(method, name, part) for name, part in named if part]


def _row(method: str, name: str, results: Sequence[Result]) -> dict[str, Any]:
    sizes = [
        len(leaves(page))
        for result in results
        for page in (result.encounter.first, result.encounter.second)
    ]
    row: dict[str, Any] = {
        "method": method, "class": name, "pairs": len(results),
        "leaves": round(fmean(sizes)), "most_leaves": max(sizes),
        "seconds": round(fmean(result.seconds for result in results), 3),
        "most_seconds": round(max(result.seconds for result in results), 3),
        "optimal": sum(result.optimal for result in results),
    }  # fmt: skip
    for kind in ("leaves", "fragments"):
        scores = [getattr(result, kind) for result in results]
        expected, found, correct = (
            sum(getattr(score, count) for score in scores)
            for count in ("expected", "found", "correct")
        )
        prefix = "" if kind == "leaves" else "fragment_"
        row[f"{prefix}precision"] = round(correct / found, 4) if found else 1.0
        row[f"{prefix}recall"] = round(correct / expected, 4) if expected else 1.0
    return row
