"""Segmentation on marked pages: ours, learned on other pages, against two baselines, in one run."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from sitewright.evaluate.marked_pages import marked_nodes
from sitewright.evaluate.segmentation import Counts, harmonic, score_blocks
from sitewright.site import Page
from sitewright.visual import FolderResources, Rendering
from sitewright.visual.boosting import train
from sitewright.visual.candidates import candidates
from sitewright.visual.features import feature_rows
from sitewright.visual.segment import segment
from sitewright.visual.vips import vips_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from sitewright.evaluate.marked_pages import Mark, MarkedPage
    from sitewright.evaluate.segmentation import SegmentationScore
    from sitewright.site import Missing
    from sitewright.visual import Browser
    from sitewright.visual.boosting import Ensemble
    from sitewright.visual.candidates import Candidate

DEPTHS = range(2, 11)
_ROLES = {"linklist": "links", "searchbar": "search"}


@dataclass(frozen=True, slots=True)
class Trial:
    """A rendered page and what people marked on it."""

    name: str
    rendering: Rendering
    marks: dict[int, Mark]
    parts: Sequence[Candidate]

    @property
    def answers(self) -> list[bool]:
        """Which candidates were marked."""
        return [any(node.number in self.marks for node in part.nodes) for part in self.parts]


async def trial(page: MarkedPage, folder: Path, browser: Browser) -> Trial | Missing:
    """Render a marked page, with the other files of its set."""
    resources = FolderResources(folder)
    rendering = await browser.render(Page(resources.url(page.file), page.body), resources)
    if not isinstance(rendering, Rendering):
        return rendering
    name = page.file.relative_to(folder).parts[0]
    return Trial(name, rendering, marked_nodes(page, rendering), candidates(rendering))


def evaluate_segmentation(trials: Sequence[Trial], *, folds: int = 10) -> list[dict[str, Any]]:
    """A row of measures for each method: the baselines, then ours."""
    begin = time.perf_counter()
    judges = cross_trained(trials, folds)
    ours = [
        [block.node for block in segment(each.rendering, judge=judges[place % folds])]
        for place, each in enumerate(trials)
    ]
    seconds = time.perf_counter() - begin
    vips = [vips_blocks(each.rendering) for each in trials]
    depth, by_depth = _best_depth(trials)
    return [
        measures(f"DOM depth {depth}", by_depth),
        measures("VIPS rules", _scores(trials, vips)),
        {**measures("default", _scores(trials, ours)), "seconds": round(seconds, 1)},
    ]


def cross_trained(trials: Sequence[Trial], folds: int) -> list[Ensemble]:
    """For each fold a judge that has not seen the pages of that fold."""
    rows = [feature_rows(each.parts) if each.parts else None for each in trials]
    judges: list[Ensemble] = []
    for fold in range(folds):
        seen = [place for place in range(len(trials)) if place % folds != fold]
        judges.append(_trained(trials, rows, seen))
    return judges


def trained_on(trials: Sequence[Trial]) -> Ensemble:
    """The judge that comes with the package: it has seen all pages."""
    rows = [feature_rows(each.parts) if each.parts else None for each in trials]
    return _trained(trials, rows, range(len(trials)))


def _trained(trials: Sequence[Trial], rows: Sequence[Any], seen: Iterable[int]) -> Ensemble:
    used = [place for place in seen if rows[place] is not None]
    answers = [answer for place in used for answer in trials[place].answers]
    return train(np.vstack([rows[place] for place in used]), np.array(answers))


def measures(method: str, scores: Sequence[SegmentationScore]) -> dict[str, Any]:
    """The measures of a method over all pages: blocks are pooled, B-cubed is the mean of pages."""
    row: dict[str, Any] = {"method": method, "pages": len(scores)}
    for name in ("exact", "fuzzy", "same_node"):
        counts = [getattr(score, name) for score in scores]
        pooled = Counts(
            sum(c.expected for c in counts), sum(c.found for c in counts),
            sum(c.correct for c in counts),
        )  # fmt: skip
        row |= {
            f"{name}_precision": round(pooled.precision, 4),
            f"{name}_recall": round(pooled.recall, 4),
            f"{name}_f": round(pooled.f1, 4),
        }
    precision = fmean(score.bcubed_precision for score in scores)
    recall = fmean(score.bcubed_recall for score in scores)
    return {**row, "bcubed_f": round(harmonic(precision, recall), 4)}


def role_agreement(trials: Sequence[Trial]) -> float:
    """Of the marked blocks that we find at the usual granularity, how many get the marked role."""
    right = judged = 0
    for each in trials:
        wrappers = {part.node.number: part.nodes for part in each.parts}
        for block in segment(each.rendering):
            kinds = {
                each.marks[node.number].kind.lower()
                for node in wrappers[block.node]
                if node.number in each.marks
            }
            judged += bool(kinds)
            right += block.role.value in {_ROLES.get(kind, kind) for kind in kinds}
    return right / judged if judged else 0.0


def depth_blocks(rendering: Rendering, depth: int) -> list[int]:
    """The plainest segmentation: every element at one depth of the tree that shows something."""
    depths: list[int] = []
    for node in rendering.nodes:
        depths.append(depths[node.parent] + 1 if node.parent >= 0 else 0)
    shown = {node.number for part in candidates(rendering) for node in part.nodes}
    return [number for number, found in enumerate(depths) if found == depth and number in shown]


def _best_depth(trials: Sequence[Trial]) -> tuple[int, list[SegmentationScore]]:
    """The depth that does best on these very pages: the baseline is given every advantage."""
    tried = {
        depth: _scores(trials, [depth_blocks(each.rendering, depth) for each in trials])
        for depth in DEPTHS
    }
    best = max(tried, key=lambda depth: measures("", tried[depth])["exact_f"])
    return best, tried[best]


def _scores(trials: Sequence[Trial], found: Sequence[Sequence[int]]) -> list[SegmentationScore]:
    pairs = zip(trials, found, strict=True)
    return [score_blocks(each.rendering, blocks, each.marks) for each, blocks in pairs]
