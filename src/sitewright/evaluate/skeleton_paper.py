"""The paper's own training data and measures of its two steps (Liu et al. 2004, section 4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin

from sitewright.evaluate.skeleton_truth import page_path
from sitewright.site import Missing
from sitewright.skeleton.candidates import link_nodes
from sitewright.skeleton.features import feature_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitewright.evaluate.skeleton_truth import SkeletonTruth
    from sitewright.site import Site
    from sitewright.skeleton.candidates import LinkNode
    from sitewright.skeleton.sew import Analysis

WAVE = 32
CONTAINS = 0.5
"""A candidate contains a page's navigation link set if it has at least half of it."""


async def navigation_link_sets(
    site: Site, truth: SkeletonTruth, depth: int
) -> list[tuple[float, ...]]:
    """The feature values of the true navigation link sets, to `depth`, for training.

    The navigation link set of a page is the first link to each of its children; a page without
    links to them (they are listed elsewhere) has none.
    """
    parents = [
        page
        for page in dict.fromkeys(truth.parents.values())
        if truth.levels.get(page, depth) < depth
    ]
    found = []
    for start in range(0, len(parents), WAVE):
        urls = [_url(site, page) for page in parents[start : start + WAVE]]
        for outcome in await site.fetch(urls):
            if isinstance(outcome, Missing):
                continue
            page = page_path(outcome.url, site.home)
            children = set(truth.children(page))
            links = _first_links(link_nodes(outcome.document()), site, truth, children)
            if links:
                found.append(feature_values(links, outcome.url, site.home))
    return found


@dataclass(frozen=True, slots=True)
class StepScores:
    """The paper's measures of finding candidates (cg) and of choosing among them (ns)."""

    p_cg: float
    r_cg: float
    p_ns: float

    @property
    def f_cg(self) -> float:
        """The harmonic mean of p_cg and r_cg."""
        total = self.p_cg + self.r_cg
        return 2 * self.p_cg * self.r_cg / total if total else 0.0


def step_scores(analyses: Mapping[str, Analysis], site: Site, truth: SkeletonTruth) -> StepScores:
    """p_cg, r_cg and p_ns over the analysed pages that are in the true tree and have children."""
    precisions, recalls, picked = [], [], []
    for url, analysis in analyses.items():
        children = set(truth.children(page_path(url, site.home)))
        if not children:
            continue
        counts = [len(_targets(links, site, truth) & children) for links in analysis.candidates]
        most = max(counts, default=0)
        best = analysis.candidates[counts.index(most)] if most else ()
        precisions.append(most / len(best) if best else 0.0)
        recalls.append(most / len(children))
        if most >= CONTAINS * len(children):
            picked.append(float(analysis.chosen == best))
    return StepScores(_mean(precisions), _mean(recalls), _mean(picked))


def _targets(links: Sequence[LinkNode], site: Site, truth: SkeletonTruth) -> set[str]:
    return {page for link in links if (page := _page(link, site, truth)) is not None}


def _first_links(
    nodes: Sequence[LinkNode], site: Site, truth: SkeletonTruth, children: set[str]
) -> list[LinkNode]:
    first: dict[str, LinkNode] = {}
    for node in nodes:
        page = _page(node, site, truth)
        if page in children and page is not None:
            first.setdefault(page, node)
    return list(first.values())


def _page(link: LinkNode, site: Site, truth: SkeletonTruth) -> str | None:
    address = site.address(link.url) if link.url else None
    if address is None:
        return None
    page = page_path(address, site.home)
    return truth.aliases.get(page, page)


def _url(site: Site, page: str) -> str:
    return urljoin(urljoin(site.home, "."), quote(page, safe="/!$&'()*+,=:@"))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
