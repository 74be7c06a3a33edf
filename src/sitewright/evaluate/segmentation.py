"""How well blocks agree with blocks that people marked.

A block is a node of the rendered page. Its content is the characters of the texts in it; an image
or a field counts as `IMAGE` characters, so that blocks without words count too. Measured are:
the same node; the same node but for wrappers, that is, the same content exactly; the same content
to 0.8 (twice what is shared over the sum of both); and B-cubed over characters, where the
characters of a page are clustered by the smallest block around them.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from sitewright.errors import UnreadableInput
from sitewright.evaluate.vips import vips_blocks
from sitewright.page import Document
from sitewright.page.rendering import TEXT, Rendering
from sitewright.site import Page
from sitewright.site.browser import FolderResources
from sitewright.visual.elements import ATOMS, block_candidates, leaves
from sitewright.visual.roles import feature_rows
from sitewright.visual.segmentation import segment, train

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitewright.site import Missing
    from sitewright.site.browser import Browser
    from sitewright.visual.elements import BlockCandidate
    from sitewright.visual.segmentation import Ensemble


IMAGE = 20
"""How many characters an image is worth."""
FUZZY = 0.8


@dataclass(frozen=True, slots=True)
class Counts:
    """How many blocks were marked, found, and found rightly."""

    expected: int
    found: int
    correct: int

    @property
    def precision(self) -> float:
        """Of the blocks found, how many were marked."""
        return self.correct / self.found if self.found else float(not self.expected)

    @property
    def recall(self) -> float:
        """Of the blocks marked, how many were found."""
        return self.correct / self.expected if self.expected else float(not self.found)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return harmonic(self.precision, self.recall)


@dataclass(frozen=True, slots=True)
class SegmentationScore:
    """The measures of one page."""

    same_node: Counts
    exact: Counts
    fuzzy: Counts
    bcubed_precision: float
    bcubed_recall: float

    @property
    def bcubed_f1(self) -> float:
        """The harmonic mean of both B-cubed measures."""
        return harmonic(self.bcubed_precision, self.bcubed_recall)


def harmonic(first: float, second: float) -> float:
    """The harmonic mean of two shares."""
    return 2 * first * second / (first + second) if first + second else 0.0


def score_blocks(
    rendering: Rendering, found: Collection[int], marked: Collection[int]
) -> SegmentationScore:
    """Score the blocks that were found against those that were marked, as numbers of nodes."""
    weights = content_weights(rendering)
    contents_found = {node: _content(rendering, weights, node) for node in found}
    contents_marked = {node: _content(rendering, weights, node) for node in marked}
    return SegmentationScore(
        Counts(len(set(marked)), len(set(found)), len(set(marked) & set(found))),
        _matched(contents_found, contents_marked, weights, 1.0),
        _matched(contents_found, contents_marked, weights, FUZZY),
        *_bcubed(_smallest(contents_found, weights), _smallest(contents_marked, weights), weights),
    )


def content_weights(rendering: Rendering) -> dict[int, int]:
    """The leaves of a page with the characters that each is worth."""
    return {
        leaf.number: IMAGE if rendering.nodes[leaf.number].tag in ATOMS else len(leaf.text)
        for leaf in leaves(rendering)
    }


def _content(rendering: Rendering, weights: Mapping[int, int], node: int) -> frozenset[int]:
    return frozenset(n for n in range(node, rendering.ends[node]) if n in weights)


def _matched(
    found: Mapping[int, frozenset[int]],
    marked: Mapping[int, frozenset[int]],
    weights: Mapping[int, int],
    least: float,
) -> Counts:
    """Pair blocks one to one, the most alike first; equal contents are one block.

    A block in which nothing is visible cannot be found by looking: it does not count.
    """
    contents_a = sorted({content for content in found.values() if content}, key=sorted)
    contents_b = sorted({content for content in marked.values() if content}, key=sorted)
    alike = [
        (-_similarity(a, b, weights), i, j)
        for i, a in enumerate(contents_a)
        for j, b in enumerate(contents_b)
    ]
    used_a: set[int] = set()
    used_b: set[int] = set()
    for unlikeness, i, j in sorted(alike):
        if -unlikeness >= least and i not in used_a and j not in used_b:
            used_a.add(i)
            used_b.add(j)
    return Counts(len(contents_b), len(contents_a), len(used_a))


def _similarity(first: frozenset[int], second: frozenset[int], weights: Mapping[int, int]) -> float:
    total = sum(map(weights.__getitem__, first)) + sum(map(weights.__getitem__, second))
    shared = sum(map(weights.__getitem__, first & second))
    return 2 * shared / total if total else float(first == second)


def _smallest(contents: Mapping[int, frozenset[int]], weights: Mapping[int, int]) -> dict[int, int]:
    """For each leaf the smallest block around it; -1 where there is none."""
    around = dict.fromkeys(weights, -1)
    for node in sorted(contents, key=lambda node: (-len(contents[node]), node)):
        around.update(dict.fromkeys(contents[node], node))
    return around


def _bcubed(
    found: Mapping[int, int], marked: Mapping[int, int], weights: Mapping[int, int]
) -> tuple[float, float]:
    """B-cubed precision and recall of two clusterings of the characters of a page."""
    sizes_found: Counter[int] = Counter()
    sizes_marked: Counter[int] = Counter()
    shared: Counter[tuple[int, int]] = Counter()
    for leaf, weight in weights.items():
        sizes_found[found[leaf]] += weight
        sizes_marked[marked[leaf]] += weight
        shared[found[leaf], marked[leaf]] += weight
    total = sum(weights.values())
    if not total:
        return 1.0, 1.0
    precision = sum(n * n / sizes_found[f] for (f, _), n in shared.items() if n) / total
    recall = sum(n * n / sizes_marked[m] for (_, m), n in shared.items() if n) / total
    return precision, recall


# Pages with hand-marked blocks: the set of Kreuzer (2013), a folder for each of 82 pages.
#
# Beside each `NAME.dom.html` there is `NAME.blocks.html`, a tidied copy with `data-block` (levels:
# 1,
# 2 or both) and `data-block-type` on the elements that volunteers marked. Marks are carried over
# to the page itself by aligning the elements of both. Where the two files are different pages
# (eleven
# in the set), the marked copy without its marks is the page.

_MARKS = re.compile(rb"\sdata-block(?:-type)?=\"[^\"]*\"")
_MARKING_STYLE = re.compile(rb"\*\[data-block\]\s*\{[^}]*\}|\.highlight\s*\{[^}]*\}")
_LEVEL = re.compile(r"[0-9]{1,3}")
_NO_NOSCRIPT = b"<style>noscript{display:none}</style>"
"""Appended to each page: they were saved, and marked, with their scripts run."""
_LEAST_CARRIED = 0.5
"""With fewer marks than this carried over, the two files are not the same page."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A block as a volunteer marked it."""

    levels: tuple[int, ...]
    """From the outermost on: an element may be a block of the page and one inside of it."""
    kind: str


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page and its marks, by the place of the marked element among all elements."""

    file: Path
    body: bytes
    marks: Mapping[int, Mark]


def marked_pages(folder: Path) -> Iterator[MarkedPage]:
    """The marked pages of a folder, in the order of their names."""
    found = sorted(folder.glob("**/*.blocks.html"))
    if not found:
        raise UnreadableInput(str(folder), "no marked pages (*.blocks.html) in this folder")
    for marked in found:
        page = marked.with_name(marked.name.replace(".blocks.html", ".dom.html"))
        yield marked_page(page, page.read_bytes() if page.is_file() else b"", marked.read_bytes())


def marked_page(file: Path, body: bytes, marked: bytes) -> MarkedPage:
    """Carry marks over to a page, or take the marked copy if it is another page."""
    copy = file.with_name(file.name.replace(".dom.html", ".blocks.html"))
    keys, marks = _keys(marked), _marks(copy, marked)
    carried: dict[int, Mark] = {}
    for same in SequenceMatcher(None, keys, _keys(body), autojunk=False).get_matching_blocks():
        for step in range(same.size):
            if (mark := marks.get(same.a + step)) is not None:
                carried[same.b + step] = mark
    if len(carried) >= _LEAST_CARRIED * len(marks):
        return MarkedPage(file, body + _NO_NOSCRIPT, carried)
    unmarked = _MARKING_STYLE.sub(b"", _MARKS.sub(b"", marked))
    return MarkedPage(file, unmarked + _NO_NOSCRIPT, marks)


def marked_nodes(page: MarkedPage, rendering: Rendering) -> dict[int, Mark]:
    """The marks by the numbers of the rendered page's nodes."""
    elements = [node.number for node in rendering.nodes if node.tag != TEXT]
    return {elements[place]: mark for place, mark in page.marks.items() if place < len(elements)}


def _keys(body: bytes) -> list[tuple[str, str, str]]:
    elements = Document(body).tree.iter_elements()
    return [(e.tag, e.attr("id") or "", e.attr("src") or "") for e in elements]


def _marks(file: Path, body: bytes) -> dict[int, Mark]:
    elements = enumerate(Document(body).tree.iter_elements())
    marked = ((place, e) for place, e in elements if e.attr("data-block"))
    return {
        place: Mark(_levels(file, e.attr("data-block") or ""), e.attr("data-block-type") or "")
        for place, e in marked
    }


def _levels(file: Path, value: str) -> tuple[int, ...]:
    levels = value.split()
    if not levels or any(_LEVEL.fullmatch(level) is None for level in levels):
        raise UnreadableInput(str(file), f'data-block="{value}" does not name levels')
    return tuple(sorted({int(level) for level in levels}))


# Segmentation on marked pages: ours, learned on other pages, against two baselines, in one run.

DEPTHS = range(2, 11)
_ROLES = {"linklist": "links", "searchbar": "search"}


@dataclass(frozen=True, slots=True)
class SegmentationResult:
    """A rendered page and what people marked on it."""

    name: str
    rendering: Rendering
    marks: dict[int, Mark]
    parts: Sequence[BlockCandidate]

    @property
    def answers(self) -> list[bool]:
        """Which candidates were marked."""
        return [any(node.number in self.marks for node in part.nodes) for part in self.parts]


async def trial(page: MarkedPage, folder: Path, browser: Browser) -> SegmentationResult | Missing:
    """Render a marked page, with the other files of its set."""
    resources = FolderResources(folder)
    rendering = await browser.render(Page(resources.url(page.file), page.body), resources)
    if not isinstance(rendering, Rendering):
        return rendering
    name = page.file.relative_to(folder).parts[0]
    return SegmentationResult(
        name, rendering, marked_nodes(page, rendering), block_candidates(rendering)
    )


def evaluate_segmentation(
    trials: Sequence[SegmentationResult], *, folds: int = 10
) -> list[dict[str, Any]]:
    """A row of measures for each method: the baselines, then ours."""
    begin = time.perf_counter()
    models = cross_trained(trials, folds)
    ours = [
        [block.node for block in segment(each.rendering, model=models[place % folds])]
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


def cross_trained(trials: Sequence[SegmentationResult], folds: int) -> list[Ensemble]:
    """For each fold a model that has not seen the pages of that fold."""
    rows = [feature_rows(each.parts) if each.parts else None for each in trials]
    models: list[Ensemble] = []
    for fold in range(folds):
        seen = [place for place in range(len(trials)) if place % folds != fold]
        models.append(_trained(trials, rows, seen))
    return models


def trained_on(trials: Sequence[SegmentationResult]) -> Ensemble:
    """The model that comes with the package: it has seen all pages."""
    rows = [feature_rows(each.parts) if each.parts else None for each in trials]
    return _trained(trials, rows, range(len(trials)))


def _trained(
    trials: Sequence[SegmentationResult], rows: Sequence[Any], seen: Iterable[int]
) -> Ensemble:
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


def role_agreement(trials: Sequence[SegmentationResult]) -> float:
    """Of the marked blocks that we find at the usual granularity, how many get the marked role."""
    right = compared = 0
    for each in trials:
        wrappers = {part.node.number: part.nodes for part in each.parts}
        for block in segment(each.rendering):
            kinds = {
                each.marks[node.number].kind.lower()
                for node in wrappers[block.node]
                if node.number in each.marks
            }
            compared += bool(kinds)
            right += block.role.value in {_ROLES.get(kind, kind) for kind in kinds}
    return right / compared if compared else 0.0


def depth_blocks(rendering: Rendering, depth: int) -> list[int]:
    """The plainest segmentation: every element at one depth of the tree that shows something."""
    depths: list[int] = []
    for node in rendering.nodes:
        depths.append(depths[node.parent] + 1 if node.parent >= 0 else 0)
    shown = {node.number for part in block_candidates(rendering) for node in part.nodes}
    return [number for number, found in enumerate(depths) if found == depth and number in shown]


def _best_depth(trials: Sequence[SegmentationResult]) -> tuple[int, list[SegmentationScore]]:
    """The depth that does best on these very pages: the baseline is given every advantage."""
    tried = {
        depth: _scores(trials, [depth_blocks(each.rendering, depth) for each in trials])
        for depth in DEPTHS
    }
    best = max(tried, key=lambda depth: measures("", tried[depth])["exact_f"])
    return best, tried[best]


def _scores(
    trials: Sequence[SegmentationResult], found: Sequence[Sequence[int]]
) -> list[SegmentationScore]:
    pairs = zip(trials, found, strict=True)
    return [score_blocks(each.rendering, blocks, each.marks) for each, blocks in pairs]
