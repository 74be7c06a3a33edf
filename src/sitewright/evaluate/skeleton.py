"""The experiments on skeletons: leave one site out, test on training, and breadth-first search."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.evaluate.skeleton_paper import navigation_link_sets
from sitewright.evaluate.skeleton_truth import page_path, read_skeleton_truth
from sitewright.site import Missing, breadth_first, open_site
from sitewright.skeleton.build import build_tree
from sitewright.skeleton.doubts import survey_site
from sitewright.skeleton.evidence import candidates
from sitewright.skeleton.linkage import linkage
from sitewright.skeleton.reading import read_page
from sitewright.skeleton.training import Lesson, lesson_cases
from sitewright.skeleton.tree import SkeletonNode, assemble

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sitewright.evaluate.skeleton_truth import SkeletonTruth
    from sitewright.site import Site
    from sitewright.skeleton.linkage import Linkage

TRAINED_DEPTH = 3
"""Deeper levels are not learnt from: the paper's experiments end there too."""


@dataclass(frozen=True, slots=True)
class LabelledSite:
    """A site with its true skeleton."""

    name: str
    where: str
    truth: SkeletonTruth
    base_url: str | None = None

    def open(self) -> Site:
        """Open the site anew."""
        return open_site(self.where, base_url=self.base_url)


def read_labelled_sites(path: Path) -> list[LabelledSite]:
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
        sites.append(LabelledSite(name, str(folder / where), read, base_url or None))
    if not sites:
        raise UnreadableInput(str(path), "no sites in this file")
    return sites


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A labelled site, explored once, with what it teaches."""

    site: LabelledSite
    linkage: Linkage
    lesson: Lesson
    fetched: int

    def tree(self, weights: Mapping[str, float]) -> SkeletonNode:
        """Our skeleton of the site under these weights."""
        return build_tree(self.linkage, weights)


def survey(labelled: LabelledSite, limit: int) -> Surveyed:
    """Explore a labelled site and take its lesson."""
    site = labelled.open()
    found = asyncio.run(survey_site(site, limit=limit))
    links = linkage(found, site.address)
    truth = labelled.truth
    sizes = Counter(truth.parents.values())

    def name(url: str) -> str:
        page = page_path(url, links.home)
        return truth.aliases.get(page, page)

    def accepts(parent: str, child: str) -> bool:
        page = name(child)
        is_learnt = 0 < truth.levels.get(page, 0) <= TRAINED_DEPTH
        return is_learnt and truth.accepts(name(parent), page)

    cases = lesson_cases(candidates(links), accepts, lambda page: sizes[truth.parents[name(page)]])
    link_sets = asyncio.run(navigation_link_sets(labelled.open(), truth, TRAINED_DEPTH))
    return Surveyed(labelled, links, Lesson(tuple(link_sets), cases), found.fetched)


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
        for link in read_page(visit.document, site.address).links:
            if link.target not in known:
                known.add(link.target)
                below.append(link.target)
    return assemble(site.home, children, {}), visited
