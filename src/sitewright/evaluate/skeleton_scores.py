"""How well a computed skeleton agrees with the true one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.evaluate.skeleton_truth import page_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.evaluate.skeleton_truth import SkeletonTruth
    from sitewright.skeleton import SkeletonNode


@dataclass(frozen=True, slots=True)
class Score:
    """Precision and recall, kept as the counts that they are made of."""

    right: int
    found: int
    recalled: int
    wanted: int

    @property
    def precision(self) -> float:
        """The share of what was found that is right."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """The share of what is wanted that was found."""
        return self.recalled / self.wanted if self.wanted else 0.0

    @property
    def f(self) -> float:
        """Their harmonic mean."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page of a computed tree, named as in the truth."""

    page: str
    parent: str
    level: int


def placed_pages(tree: SkeletonNode, truth: SkeletonTruth) -> list[PlacedPage]:
    """The pages of a tree but the home page, each once, stubs as the page that they lead to.

    The later pages of a list and other neutral pages are left out; what hangs under them counts.
    """
    return list(_placed(tree, truth))


def _placed(tree: SkeletonNode, truth: SkeletonTruth) -> Iterator[PlacedPage]:
    seen = {truth.home}
    for level, parent, node in tree.walk():
        page = _name(node.url, tree, truth)
        if parent is None or page in seen or page in truth.neutral:
            continue
        seen.add(page)
        yield PlacedPage(page, _name(parent.url, tree, truth), level)


def _name(url: str, tree: SkeletonNode, truth: SkeletonTruth) -> str:
    page = page_path(url, tree.url)
    return truth.aliases.get(page, page)


def edge_score(tree: SkeletonNode, truth: SkeletonTruth, depth: int) -> Score:
    """Agreement of the parent-child edges of both trees, cut below `depth`."""
    placed = [page for page in placed_pages(tree, truth) if page.level <= depth]
    right = {page.page for page in placed if truth.accepts(page.parent, page.page)}
    wanted = _wanted(truth, depth)
    return Score(len(right), len(placed), len(right & wanted), len(wanted))


def level_score(tree: SkeletonNode, truth: SkeletonTruth, depth: int) -> Score:
    """Agreement of the pages with their level, down to `depth`."""
    placed = [page for page in placed_pages(tree, truth) if page.level <= depth]
    right = {page.page for page in placed if page.level in truth.accepted_levels(page.page)}
    wanted = _wanted(truth, depth)
    return Score(len(right), len(placed), len(right & wanted), len(wanted))


def page_score(tree: SkeletonNode, truth: SkeletonTruth, depth: int) -> Score:
    """The paper's p_oa, r_oa and f_oa: pages found to `depth` that are in the true tree to it."""
    placed = [page for page in placed_pages(tree, truth) if page.level <= depth]
    right = {
        page.page
        for page in placed
        if min(truth.accepted_levels(page.page), default=depth + 1) <= depth
    }
    wanted = _wanted(truth, depth)
    return Score(len(right), len(placed), len(right & wanted), len(wanted))


def _wanted(truth: SkeletonTruth, depth: int) -> set[str]:
    """The pages that count as missed when they are not found."""
    return {
        page
        for page, level in truth.levels.items()
        if 0 < level <= depth and page not in truth.optional and page not in truth.neutral
    }
