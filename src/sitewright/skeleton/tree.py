"""The skeleton itself: a tree of navigation and content pages under the home page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Self

import msgspec

from sitewright.notebook import html_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


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
            children.setdefault(page.parent or "", []).append(page.url)
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
