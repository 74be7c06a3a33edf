"""A skeleton that a person refines: a page put under another, named otherwise, or taken out.

Each function gives a new tree, and the same one where nothing needs to be done; ValueError says
why something cannot be. Pages are named by their URLs, also relative to that of the home page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from sitewright.skeleton.tree import assemble

if TYPE_CHECKING:
    from sitewright.skeleton.tree import SkeletonNode


def moved_node(root: SkeletonNode, page: str, under: str) -> SkeletonNode:
    """Put a page, with all that is below it, under another one: behind those that are there."""
    tree = _Branches.of(root)
    child, parent = tree.known(page), tree.known(under)
    if tree.parents.get(child) == parent:
        return root
    if parent == child or child in tree.above(parent):
        raise ValueError(f"{parent} is below {child}, or that page itself")
    tree.children[tree.parent(child)].remove(child)
    tree.children[parent].append(child)
    return tree.restored()


def renamed_node(root: SkeletonNode, page: str, title: str) -> SkeletonNode:
    """Give a page another title."""
    tree = _Branches.of(root)
    known = tree.known(page)
    if tree.titles[known] == title:
        return root
    tree.titles[known] = title
    return tree.restored()


def removed_node(root: SkeletonNode, page: str, *, branch: bool = False) -> SkeletonNode:
    """Take a page out; the pages below it take its place, or with `branch` go with it."""
    tree = _Branches.of(root)
    known = urljoin(root.url, page)
    if known not in tree.titles:
        return root
    beside = tree.children[tree.parent(known)]
    place = beside.index(known)
    beside[place : place + 1] = () if branch else tree.children[known]
    return tree.restored()


def branch_below(root: SkeletonNode, page: str) -> frozenset[str]:
    """The URLs of a page of the skeleton and of all pages below it."""
    known = _Branches.of(root).known(page)
    (top,) = (node for _, _, node in root.walk() if node.url == known)
    return frozenset(node.url for _, _, node in top.walk())


@dataclass(slots=True)
class _Branches:
    """A tree in a form that can be changed."""

    home: str
    titles: dict[str, str] = field(default_factory=dict)
    children: dict[str, list[str]] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, root: SkeletonNode) -> _Branches:
        found = cls(root.url)
        for _, parent, node in root.walk():
            found.titles[node.url] = node.title
            found.children[node.url] = [child.url for child in node.children]
            if parent is not None:
                found.parents[node.url] = parent.url
        return found

    def known(self, page: str) -> str:
        """The URL of a page of the tree."""
        url = urljoin(self.home, page)
        if url not in self.titles:
            raise ValueError(f"{page} is not in the skeleton")
        return url

    def parent(self, page: str) -> str:
        """What a page is under; the home page is under nothing and must stay."""
        if page == self.home:
            raise ValueError("the home page is the root of the skeleton")
        return self.parents[page]

    def above(self, page: str) -> set[str]:
        """All that a page is under."""
        found = set()
        while page in self.parents:
            page = self.parents[page]
            found.add(page)
        return found

    def restored(self) -> SkeletonNode:
        """The tree again."""
        return assemble(self.home, self.children, self.titles)
