"""The skeleton itself: a tree of navigation and content pages under the home page."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Self

import msgspec
import numpy as np

from sitewright.notebook import html_tree
from sitewright.settings import current
from sitewright.skeleton.arborescence import best_arborescence
from sitewright.skeleton.navigation import LinkRole, last_step
from sitewright.skeleton.parent_features import FEATURES, parent_candidates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitewright.skeleton.graph import LinkGraph
    from sitewright.skeleton.navigation import PageLink


class PageKind(StrEnum):
    """What a page is for: leading to other pages, or holding what readers came for."""

    NAVIGATION = "navigation"
    CONTENT = "content"


class SkeletonPage(msgspec.Struct, frozen=True):
    """One page of the skeleton, as skeleton.json has it."""

    url: str
    title: str
    kind: PageKind
    level: int
    parent: str | None


class SkeletonForm(msgspec.Struct, frozen=True):
    """What skeleton.json holds: the pages in the order of the tree, each with its parent.

    A list and no nested objects: no reader of JSON bears a tree as deep as a hostile site's.
    """

    pages: tuple[SkeletonPage, ...]

    @classmethod
    def of(cls, root: SkeletonNode) -> Self:
        """List the pages of a tree."""
        return cls(
            tuple(
                SkeletonPage(node.url, node.title, node.kind, level, parent.url if parent else None)
                for level, parent, node in root.walk()
            )
        )

    def restored(self) -> SkeletonNode:
        """The tree again; a page can only stand behind the one that it is under."""
        titles: dict[str, str] = {}
        children: dict[str, list[str]] = {}
        for page in self.pages:
            if page.url in titles:
                raise ValueError(f"{page.url} has two places in the tree")
            if (page.parent is None) != (not titles) or (titles and page.parent not in titles):
                raise ValueError(f"no place in the tree for {page.url}")
            titles[page.url] = page.title
            if page.parent is not None:
                children.setdefault(page.parent, []).append(page.url)
        if not titles:
            raise ValueError("a tree without pages")
        return assemble(self.pages[0].url, children, titles)


@dataclass(frozen=True, slots=True)
class SkeletonNode:
    """One page of the skeleton, with the pages one level down."""

    FORMAT: ClassVar[str] = "sitewright-skeleton"
    FILE_FORM: ClassVar[type[SkeletonForm]] = SkeletonForm
    url: str
    title: str
    children: tuple[SkeletonNode, ...] = ()

    @property
    def kind(self) -> PageKind:
        """A page with pages below it is a navigation page."""
        return PageKind.NAVIGATION if self.children else PageKind.CONTENT

    def walk(self) -> Iterator[tuple[int, SkeletonNode | None, SkeletonNode]]:
        """Every page with its level and its parent, in the order of the tree; the home page first.

        Nothing here recurses: a hostile site can make its tree as deep as it likes.
        """
        waiting: list[tuple[int, SkeletonNode | None, SkeletonNode]] = [(0, None, self)]
        while waiting:
            level, parent, node = waiting.pop()
            yield level, parent, node
            waiting.extend((level + 1, node, child) for child in reversed(node.children))

    def _repr_html_(self) -> str:
        titles = [(level, node.title or node.url) for level, _, node in self.walk()]
        return html_tree(titles, len(titles))


def assemble(
    home: str, children: Mapping[str, Sequence[str]], titles: Mapping[str, str]
) -> SkeletonNode:
    """Make the tree from each page's children, which must not form a cycle."""
    order, waiting = [], [home]
    while waiting:
        page = waiting.pop()
        order.append(page)
        waiting.extend(children.get(page, ()))
    made: dict[str, SkeletonNode] = {}
    for page in reversed(order):
        below = tuple(made[child] for child in children.get(page, ()))
        made[page] = SkeletonNode(page, titles.get(page, ""), below)
    return made[home]


# Our method: every page gets the parent that best explains all that the site says about it.

MAX_DEPTH = 64
"""Deeper pages are laid side by side: a chain of pages that only lead on is no hierarchy."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A site's skeleton, and what it cost to find."""

    root: SkeletonNode
    fetched: int
    """Pages that were asked for."""
    missing: int
    """Those of them that could not be fetched."""


def build_tree(site: LinkGraph, weights: Mapping[str, float]) -> SkeletonNode:
    """The tree of greatest total evidence over the pages that are known."""
    weight = np.array([weights[name] for name in FEATURES])
    scores = {
        choice.page: dict(zip(choice.parents, (choice.rows @ weight).tolist(), strict=True))
        for choice in parent_candidates(site)
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


def _ordered_children(site: LinkGraph, children: dict[str, list[str]]) -> dict[str, list[str]]:
    """Children in the order in which their parent lists them, the others as they were found."""
    found = {page: number for number, page in enumerate(site.pages)}
    ordered = {}
    for parent, below in children.items():
        listed = {page: number for number, page in enumerate(site.links.get(parent, ()))}
        last = len(listed)
        ordered[parent] = sorted(below, key=lambda page: (listed.get(page, last), found[page]))
    return ordered


def _titles(site: LinkGraph, parents: Mapping[str, str]) -> dict[str, str]:
    """What links call each page: the parent's link first, and what no other page is called.

    "Read more" names nothing, and a link in running text bends the name; where no link has a
    text, the page's own title names it, or else its URL.
    """
    settings = current().skeleton
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
        links = [link for link in own if _names(link)] or said[page][: settings.title_links]
        best = min(links, key=lambda link: (len(meant[link.text]), link.prose), default=None)
        title = best.text if best is not None else site.titles.get(page, "")
        titles[page] = title or last_step(page)
    return titles


def _names(link: PageLink) -> bool:
    return bool(link.text) and link.role is LinkRole.NONE and not link.has_fragment


def shape_note(root: SkeletonNode) -> str | None:
    """What to say of a tree that is none: a single page, or a flat list."""
    if not root.children:
        return "a single page, no tree: the home page links to no other page of the site"
    if not any(child.children for child in root.children):
        return f"a flat list: {len(root.children)} pages under the home page, and none below them"
    return None
