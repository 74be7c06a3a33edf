"""The skeleton itself: a tree of navigation and content pages under the home page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sitewright.errors import UnreadableInput
from sitewright.notebook import html_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class PageKind(StrEnum):
    """What a page is for: leading to other pages, or holding what readers came for."""

    NAVIGATION = "navigation"
    CONTENT = "content"


@dataclass(frozen=True, slots=True)
class SkeletonNode:
    """One page of the skeleton, with the pages one level down."""

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

    def as_json(self) -> dict[str, Any]:
        """The nested object of skeleton.json."""
        objects: dict[int, dict[str, Any]] = {}
        for _, parent, node in self.walk():
            written: dict[str, Any] = {
                "url": node.url,
                "title": node.title,
                "kind": node.kind.value,
                "children": [],
            }
            objects[id(node)] = written
            if parent is not None:
                objects[id(parent)]["children"].append(written)
        return objects[id(self)]


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


def from_json(written: Any, source: str = "skeleton.json") -> SkeletonNode:  # noqa: ANN401
    """Read a tree as `as_json` writes it; `source` is what to call it in an error."""
    children: dict[str, list[str]] = {}
    titles: dict[str, str] = {}
    waiting = [written]
    while waiting:
        item = waiting.pop()
        try:
            url, below, title = str(item["url"]), list(item["children"]), str(item["title"])
            listed = [str(child["url"]) for child in below]
        except (TypeError, KeyError) as error:
            raise UnreadableInput(source, f"not a skeleton: {error} is missing or odd") from None
        if url in children:
            raise UnreadableInput(source, f"not a skeleton: {url} has two places in it")
        children[url], titles[url] = listed, title
        waiting.extend(below)
    return assemble(str(written["url"]), children, titles)
