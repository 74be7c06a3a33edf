"""The paper's method: SEW, skeleton extraction from web sites (Liu et al. 2004, section 3.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitewright.errors import UnreadableInput
from sitewright.site import Missing
from sitewright.skeleton.build import Skeleton
from sitewright.skeleton.candidates import candidate_link_sets, link_nodes
from sitewright.skeleton.pruning import url_set
from sitewright.skeleton.selection import select_navigation_link_set
from sitewright.skeleton.targets import last_step
from sitewright.skeleton.tree import assemble

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitewright.html import Document
    from sitewright.site import Site
    from sitewright.skeleton.candidates import LinkSet
    from sitewright.skeleton.selection import SewParameters


@dataclass(frozen=True, slots=True)
class Analysis:
    """What SEW saw in one page."""

    candidates: tuple[LinkSet, ...]
    chosen: LinkSet


async def sew_skeleton(
    site: Site,
    parameters: SewParameters,
    *,
    levels: int = 3,
    limit: int = 2000,
    progress: Callable[[int], None] | None = None,
) -> tuple[Skeleton, dict[str, Analysis]]:
    """SEWALGORITHM: the skeleton down to `levels`, and what was seen in each analysed page.

    A page has one place in the tree, the first that it is found for: links to pages that have one
    are not followed again. Pages of the last level are not analysed.
    """
    run = _Run(site, parameters, levels, limit)
    home = await run.start()
    while run.waiting:
        await run.analyse_next()
        if progress is not None:
            progress(run.fetched)
    tree = assemble(home, run.children, run.titles)
    return Skeleton(tree, run.fetched, run.missing), run.analyses


@dataclass(slots=True)
class _Run:
    site: Site
    parameters: SewParameters
    levels: int
    limit: int
    fetched: int = 0
    missing: int = 0
    home: str = ""
    first: Document | None = None
    """The home page, once it was fetched."""
    waiting: list[tuple[str, int]] = field(default_factory=list)
    """Pages still to be analysed with their level: a stack, so that the order is pre-order."""
    children: dict[str, list[str]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    placed: set[str] = field(default_factory=set)
    found: set[frozenset[str]] = field(default_factory=set)
    analyses: dict[str, Analysis] = field(default_factory=dict)

    async def start(self) -> str:
        page = await self._fetched(self.site.home)
        if page is None:
            raise UnreadableInput(self.site.home, "the home page cannot be had")
        self.home, self.first = page.url, page
        self.placed = {self.site.home, page.url}
        self.titles[page.url] = page.title or last_step(page.url)
        self.waiting.append((page.url, 0))
        return page.url

    async def analyse_next(self) -> None:
        """FINDSKELETON for one page: its navigation links become its children."""
        url, level = self.waiting.pop()
        page = self.first if url == self.home else await self._fetched(url)
        if page is None:
            return
        candidates = candidate_link_sets(link_nodes(page), self.found)
        chosen = select_navigation_link_set(candidates, self.parameters, page.url, self.home)
        self.analyses[url] = Analysis(tuple(candidates), chosen)
        if chosen:
            self.found.add(url_set(chosen))
        below = [address for link in chosen if (address := self._place(link.url, link.name))]
        self.children[url] = below
        if level + 1 < self.levels:
            self.waiting.extend((address, level + 1) for address in reversed(below))

    def _place(self, url: str | None, name: str) -> str | None:
        """The address of a page that has no place in the tree yet."""
        address = self.site.address(url) if url else None
        if address is None or address in self.placed:
            return None
        self.placed.add(address)
        self.titles[address] = name or last_step(address)
        return address

    async def _fetched(self, url: str) -> Document | None:
        if self.fetched >= self.limit:
            return None
        self.fetched += 1
        (outcome,) = await self.site.fetch([url])
        if isinstance(outcome, Missing):
            self.missing += 1
            return None
        return outcome.document()
