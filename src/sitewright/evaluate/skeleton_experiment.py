"""The paper's experiment on labelled sites: each method, each way of training, each depth."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sitewright.evaluate.skeleton import breadth_first_tree, survey
from sitewright.evaluate.skeleton_paper import step_scores
from sitewright.evaluate.skeleton_scores import edge_score, level_score, page_score
from sitewright.skeleton import Trained, sew_skeleton
from sitewright.skeleton.training import minimizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sitewright.evaluate.skeleton import LabelledSite, Surveyed
    from sitewright.evaluate.skeleton_truth import SkeletonTruth
    from sitewright.skeleton import SkeletonNode

DEPTHS = (1, 2, 3)
ALL = "all"
"""The name of the rows of means over the sites."""
_MEANS = (
    "edge_f", "level_f", "edge_p", "edge_r", "p_oa", "r_oa", "f_oa", "p_cg", "r_cg", "f_cg", "p_ns"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """The measures of one method on one site, both trees cut at one depth."""

    site: str
    method: str
    depth: int
    fetched: int
    measures: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        """One flat object."""
        rounded = {name: round(value, 4) for name, value in self.measures.items()}
        return {
            "site": self.site,
            "method": self.method,
            "depth": self.depth,
            "fetched": self.fetched,
            **rounded,
        }


def experiment(
    sites: Sequence[LabelledSite], *, limit: int, done: Callable[[str], None] = lambda _: None
) -> list[Row]:
    """Leave one site out (loo) and test on training (tot), against breadth-first search.

    With one site there is nothing to leave out, and the numbers that we ship are used.
    """
    minimizer()  # nobody waits for the surveys to hear that an extra is missing
    surveyed = []
    for site in sites:
        surveyed.append(survey(site, limit))
        done(site.name)
    rows: list[Row] = []
    everything = Trained.on([one.lesson for one in surveyed])
    for left_out in surveyed:
        others = [one.lesson for one in surveyed if one is not left_out]
        rows += _ours(left_out, "loo", Trained.on(others))
        rows += _ours(left_out, "tot", everything)
        rows += _paper(left_out, "loo", Trained.on(others))
        rows += _paper(left_out, "tot", everything)
        rows += _baseline(left_out)
        done(left_out.site.name)
    return rows + list(_averages(rows))


def score_site(site: LabelledSite, trained: Trained, *, limit: int) -> list[Row]:
    """All methods on one site, with numbers that were learnt elsewhere."""
    one = survey(site, limit)
    return [*_ours(one, "given", trained), *_paper(one, "given", trained), *_baseline(one)]


def _ours(one: Surveyed, training: str, trained: Trained) -> Iterator[Row]:
    tree = one.tree(trained.evidence)
    for depth in DEPTHS:
        measures = tree_measures(tree, one.site.truth, depth)
        yield Row(one.site.name, f"default {training}", depth, one.fetched, measures)


def _paper(one: Surveyed, training: str, trained: Trained) -> Iterator[Row]:
    for depth in DEPTHS:
        site = one.site.open()
        skeleton, analyses = asyncio.run(sew_skeleton(site, trained.paper, levels=depth))
        steps = step_scores(analyses, site, one.site.truth)
        measures = tree_measures(skeleton.root, one.site.truth, depth)
        measures |= {
            "p_cg": steps.p_cg, "r_cg": steps.r_cg, "f_cg": steps.f_cg, "p_ns": steps.p_ns
        }  # fmt: skip
        yield Row(one.site.name, f"paper {training}", depth, skeleton.fetched, measures)


def _baseline(one: Surveyed) -> Iterator[Row]:
    tree, visited = asyncio.run(breadth_first_tree(one.site.open()))
    for depth in DEPTHS:
        measures = tree_measures(tree, one.site.truth, depth)
        yield Row(one.site.name, "breadth-first", depth, visited, measures)


def tree_measures(tree: SkeletonNode, truth: SkeletonTruth, depth: int) -> dict[str, float]:
    """Agreement of edges, of pages with their level, and the paper's p_oa, r_oa and f_oa."""
    edges = edge_score(tree, truth, depth)
    overall = page_score(tree, truth, depth)
    return {
        "edge_f": edges.f,
        "level_f": level_score(tree, truth, depth).f,
        "edge_p": edges.precision,
        "edge_r": edges.recall,
        "p_oa": overall.precision,
        "r_oa": overall.recall,
        "f_oa": overall.f,
    }


def _averages(rows: Sequence[Row]) -> Iterator[Row]:
    for method in dict.fromkeys(row.method for row in rows):
        for depth in DEPTHS:
            chosen = [row for row in rows if row.method == method and row.depth == depth]
            means = {
                name: sum(row.measures[name] for row in chosen) / len(chosen)
                for name in _MEANS
                if name in chosen[0].measures
            }
            fetched = sum(row.fetched for row in chosen) // len(chosen)
            yield Row(ALL, method, depth, fetched, means)
