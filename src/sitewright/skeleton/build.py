"""Our method: every page gets the parent that best explains all that the site says about it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from sitewright.errors import UnreadableInput
from sitewright.skeleton.arborescence import best_arborescence
from sitewright.skeleton.doubts import survey_site
from sitewright.skeleton.evidence import FEATURES, candidates
from sitewright.skeleton.linkage import linkage
from sitewright.skeleton.marks import Role
from sitewright.skeleton.targets import last_step
from sitewright.skeleton.tree import assemble

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sitewright.site import Site
    from sitewright.skeleton.explore import ReadPage
    from sitewright.skeleton.linkage import Linkage
    from sitewright.skeleton.reading import PageLink
    from sitewright.skeleton.tree import SkeletonNode

MAX_DEPTH = 64
"""Deeper pages are laid side by side: a chain of pages that only lead on is no hierarchy."""
_FIRST_LINKS = 50


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A site's skeleton, and what it cost to find."""

    root: SkeletonNode
    fetched: int
    """Pages that were asked for."""
    missing: int
    """Those of them that could not be had."""


async def site_skeleton(
    site: Site,
    weights: Mapping[str, float],
    *,
    limit: int = 400,
    known: Mapping[str, ReadPage] = MappingProxyType({}),
    progress: Callable[[int], None] | None = None,
) -> Skeleton:
    """Explore a site and build its skeleton from all the evidence that its pages give."""
    survey = await survey_site(site, limit=limit, known=known, progress=progress)
    if survey.home not in survey.readings:
        raise UnreadableInput(site.home, "the home page could not be fetched")
    root = build_tree(linkage(survey, site.address), weights)
    return Skeleton(root, survey.fetched, len(survey.missing))


def build_tree(site: Linkage, weights: Mapping[str, float]) -> SkeletonNode:
    """The tree of greatest total evidence over the pages that are known."""
    weight = np.array([weights[name] for name in FEATURES])
    scores = {
        choice.page: dict(zip(choice.parents, (choice.rows @ weight).tolist(), strict=True))
        for choice in candidates(site)
    }
    parents = best_arborescence(site.home, scores)
    children = _ordered_children(site, _bounded(site.home, parents))
    return assemble(site.home, children, _titles(site, parents))


def _bounded(home: str, parents: Mapping[str, str]) -> dict[str, list[str]]:
    """The children of each page, those too deep under their last ancestor that is not."""
    below: dict[str, list[str]] = defaultdict(list)
    for page, parent in parents.items():
        below[parent].append(page)
    children: dict[str, list[str]] = {}
    waiting = [(home, home, 0)]
    while waiting:
        page, holder, depth = waiting.pop()
        children.setdefault(holder, [])
        for child in below.get(page, ()):
            children[holder].append(child)
            waiting.append((child, child if depth + 1 < MAX_DEPTH else holder, depth + 1))
    return children


def _ordered_children(site: Linkage, children: dict[str, list[str]]) -> dict[str, list[str]]:
    """Children in the order in which their parent lists them, the others as they were found."""
    found = {page: number for number, page in enumerate(site.pages)}
    ordered = {}
    for parent, below in children.items():
        listed = {page: number for number, page in enumerate(site.links.get(parent, ()))}
        last = len(listed)
        ordered[parent] = sorted(below, key=lambda page: (listed.get(page, last), found[page]))
    return ordered


def _titles(site: Linkage, parents: Mapping[str, str]) -> dict[str, str]:
    """What links call each page: the parent's link first, and what no other page is called.

    "Read more" names nothing, and a link in running text bends the name; where no link has a
    text, the page's own title names it, or else its address.
    """
    meant: dict[str, set[str]] = defaultdict(set)
    said: dict[str, list[PageLink]] = defaultdict(list)
    for targets in site.links.values():
        for target, links in targets.items():
            for link in links:
                if _names(link):
                    meant[link.text].add(target)
                    said[target].append(link)
    titles = {site.home: site.titles.get(site.home, "") or last_step(site.home)}
    for page, parent in parents.items():
        own = site.links.get(parent, {}).get(page, [])
        links = [link for link in own if _names(link)] or said[page][:_FIRST_LINKS]
        best = min(links, key=lambda link: (len(meant[link.text]), link.prose), default=None)
        title = best.text if best is not None else site.titles.get(page, "")
        titles[page] = title or last_step(page)
    return titles


def _names(link: PageLink) -> bool:
    return bool(link.text) and link.role is Role.NONE and not link.is_part
