"""The experiments on skeletons: leave one site out, test on training, and breadth-first search."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from statistics import pstdev
from typing import TYPE_CHECKING, Any

from sitewright.crawl.waves import breadth_first
from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.evaluate.skeleton_truth import (
    TrainingCase,
    candidate_cases,
    minimizer,
    navigation_link_sets,
    page_path,
    read_skeleton_truth,
    step_scores,
    train,
)
from sitewright.methods import Trained, shipped, survey_site
from sitewright.papers.liu import sew_skeleton
from sitewright.site import Missing, open_site
from sitewright.skeleton.graph import link_graph
from sitewright.skeleton.navigation import page_navigation
from sitewright.skeleton.parent_features import parent_candidates
from sitewright.skeleton.tree import SkeletonNode, assemble, build_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitewright.evaluate.skeleton_truth import SkeletonTruth
    from sitewright.site import Site
    from sitewright.skeleton.graph import LinkGraph


TRAINED_DEPTH = 3
"""Deeper levels are not learnt from: the paper's experiments end there too."""


@dataclass(frozen=True, slots=True)
class SkeletonSite:
    """A site with its true skeleton."""

    name: str
    where: str
    truth: SkeletonTruth
    base_url: str | None = None

    def open(self) -> Site:
        """Open the site anew."""
        return open_site(self.where, base_url=self.base_url)


def read_labelled_sites(path: Path) -> list[SkeletonSite]:
    """Read lines `name, site, truth, base URL, redirects`, tabs between; the last two may lack.

    Files are looked for beside the file that names them.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise InputNotFound(str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableInput(str(path), f"cannot be read: {error}") from None
    sites = []
    for number, line in enumerate(lines, start=1):
        if not line or line.startswith("#"):
            continue
        name, *fields = line.split("\t")
        if len(fields) < 2:
            raise UnreadableInput(str(path), f"line {number}: expected name, site, truth")
        where, truth, base_url, redirects = [*fields, "", ""][:4]
        folder = path.parent
        read = read_skeleton_truth(folder / truth, folder / redirects if redirects else None)
        sites.append(SkeletonSite(name, str(folder / where), read, base_url or None))
    if not sites:
        raise UnreadableInput(str(path), "no sites in this file")
    return sites


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A labelled site, explored once, with what it teaches."""

    site: SkeletonSite
    graph: LinkGraph
    training_case: TrainingCase
    fetched: int

    def tree(self, weights: Mapping[str, float]) -> SkeletonNode:
        """Our skeleton of the site under these weights."""
        return build_tree(self.graph, weights)


def survey(labelled: SkeletonSite, limit: int) -> Surveyed:
    """Explore a labelled site and take its training case."""
    site = labelled.open()
    found = asyncio.run(survey_site(site, limit=limit))
    links = link_graph(found, site.page_url)
    truth = labelled.truth
    sizes = Counter(truth.parents.values())

    def name(url: str) -> str:
        page = page_path(url, links.home)
        return truth.aliases.get(page, page)

    def accepts(parent: str, child: str) -> bool:
        page = name(child)
        is_learnt = 0 < truth.levels.get(page, 0) <= TRAINED_DEPTH
        return is_learnt and truth.accepts(name(parent), page)

    cases = candidate_cases(
        parent_candidates(links), accepts, lambda page: sizes[truth.parents[name(page)]]
    )
    link_sets = asyncio.run(navigation_link_sets(labelled.open(), truth, TRAINED_DEPTH))
    return Surveyed(labelled, links, TrainingCase(tuple(link_sets), cases), found.fetched)


async def breadth_first_tree(site: Site, limit: int | None = None) -> tuple[SkeletonNode, int]:
    """The baseline: every page hangs under the page that breadth-first search finds it from.

    It fetches every page that it can reach; the answer has the number of pages with the tree.
    """
    children: dict[str, list[str]] = {}
    known = {site.home}
    visited = 0
    async for visit in breadth_first(site, limit=limit):
        if isinstance(visit, Missing):
            continue
        visited += 1
        page = visit.page.url
        known.add(page)
        below = children.setdefault(page, [])
        for link in page_navigation(visit.document, site.page_url).links:
            if link.target not in known:
                known.add(link.target)
                below.append(link.target)
    return assemble(site.home, children, {}), visited


# How well a computed skeleton agrees with the true one.


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
    """The pages of a tree but the home page, each once, redirects as the page that they lead to.

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


# The paper's experiment on labelled sites: each method, each way of training, each depth.

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
    deviations: dict[str, float] = field(default_factory=dict)
    """Of a row of means: the standard deviation of each measure over the sites."""

    def as_json(self) -> dict[str, Any]:
        """One flat object; deviations are `NAME_sd`."""
        rounded = {name: round(value, 4) for name, value in self.measures.items()}
        rounded |= {f"{name}_sd": round(value, 4) for name, value in self.deviations.items()}
        return {
            "site": self.site,
            "method": self.method,
            "depth": self.depth,
            "fetched": self.fetched,
            **rounded,
        }


def experiment(
    sites: Sequence[SkeletonSite], *, limit: int, done: Callable[[str], None] = lambda _: None
) -> list[Row]:
    """Leave one site out (loo) and test on training (tot), against breadth-first search.

    Our method and the paper's fetch at most `limit` pages of a site, breadth-first search all of
    them. With one site there is nothing to leave out, and the numbers that we ship are used.
    """
    minimizer()  # nobody waits for the surveys to hear that an extra is missing
    surveyed = []
    for site in sites:
        surveyed.append(survey(site, limit))
        done(site.name)
    rows: list[Row] = []
    everything = train([one.training_case for one in surveyed])
    for left_out in surveyed:
        others = [one.training_case for one in surveyed if one is not left_out]
        trained = train(others) if others else shipped()
        rows += _ours(left_out, "loo", trained)
        rows += _ours(left_out, "tot", everything)
        rows += _paper(left_out, "loo", trained, limit)
        rows += _paper(left_out, "tot", everything, limit)
        rows += _baseline(left_out)
        done(left_out.site.name)
    return rows + list(_averages(rows))


def score_site(site: SkeletonSite, trained: Trained, *, limit: int) -> list[Row]:
    """All methods on one site, with numbers that were learnt elsewhere."""
    one = survey(site, limit)
    return [*_ours(one, "given", trained), *_paper(one, "given", trained, limit), *_baseline(one)]


def _ours(one: Surveyed, training: str, trained: Trained) -> Iterator[Row]:
    tree = one.tree(trained.evidence)
    for depth in DEPTHS:
        measures = tree_measures(tree, one.site.truth, depth)
        yield Row(one.site.name, f"default {training}", depth, one.fetched, measures)


def _paper(one: Surveyed, training: str, trained: Trained, limit: int) -> Iterator[Row]:
    for depth in DEPTHS:
        site = one.site.open()
        found = sew_skeleton(site, trained.paper, levels=depth, limit=limit)
        skeleton, analyses = asyncio.run(found)
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
    """Mean and standard deviation over the sites, as in the paper's tables 2, 4 and 5."""
    for method in dict.fromkeys(row.method for row in rows):
        for depth in DEPTHS:
            chosen = [row for row in rows if row.method == method and row.depth == depth]
            values = {
                name: [row.measures[name] for row in chosen]
                for name in _MEANS
                if name in chosen[0].measures
            }
            means = {name: sum(each) / len(each) for name, each in values.items()}
            deviations = {name: pstdev(each) for name, each in values.items()}
            fetched = sum(row.fetched for row in chosen) // len(chosen)
            yield Row(ALL, method, depth, fetched, means, deviations)


def site_statistics(site: SkeletonSite) -> dict[str, Any]:
    """A row of the paper's table 1: pages of the true tree, its depth, pages to levels 1 and 2."""
    levels = [level for level in site.truth.levels.values() if level > 0]
    counts = {f"to_level_{depth}": sum(level <= depth for level in levels) for depth in (1, 2)}
    shares = {
        f"share_{name}": round(count / len(levels), 4) if levels else 0.0
        for name, count in counts.items()
    }
    return {
        "site": site.name,
        "pages": len(levels),
        "depth": max(levels, default=0),
        **counts,
        **shares,
    }
