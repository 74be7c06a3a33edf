"""A skeleton on the terminal: a tree that fits, and what it adds up to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text
from rich.tree import Tree

from sitewright.cli.tables import facts, plain
from sitewright.skeleton import PageKind

if TYPE_CHECKING:
    from rich.console import RenderableType

    from sitewright.skeleton import Skeleton, SkeletonNode

SHOWN_NAVIGATION = 40
SHOWN_CONTENT = 5
"""How many children of a page are shown, if they lead on and if they do not."""


def skeleton_tree(skeleton: Skeleton, depth: int) -> list[RenderableType]:
    """The tree to a depth, long lists cut, and a table of totals."""
    tree = Tree(_line(skeleton.root), guide_style="dim")
    waiting = [(tree, skeleton.root, 0)]
    while waiting:
        branch, node, level = waiting.pop()
        if level >= depth:
            continue
        shown = _shown(node)
        waiting += [(branch.add(_line(child)), child, level + 1) for child in shown]
        if len(shown) < len(node.children):
            branch.add(Text(f"… and {len(node.children) - len(shown):,} more", style="dim"))
    return [tree, "", facts("Skeleton", summary(skeleton))]


def summary(skeleton: Skeleton) -> dict[str, Any]:
    """How many pages of each kind there are, how deep they go, and what was fetched for them."""
    kinds = dict.fromkeys(PageKind, 0)
    depth = 0
    for level, _, node in skeleton.root.walk():
        kinds[node.kind] += 1
        depth = max(depth, level)
    return {
        "site": skeleton.root.url,
        "pages": sum(kinds.values()),
        "navigation": kinds[PageKind.NAVIGATION],
        "content": kinds[PageKind.CONTENT],
        "depth": depth,
        "fetched": skeleton.fetched,
        "missing": skeleton.missing,
    }


def _shown(node: SkeletonNode) -> list[SkeletonNode]:
    """The children that are shown, in their order: those that lead on before those that do not."""
    navigation = [child for child in node.children if child.children][:SHOWN_NAVIGATION]
    content = [child for child in node.children if not child.children][:SHOWN_CONTENT]
    chosen = {child.url for child in navigation + content}
    return [child for child in node.children if child.url in chosen]


def _line(node: SkeletonNode) -> Text:
    line = plain(node.title, 60, style="bold" if node.children else "")
    if node.children:
        line.append(f"  {len(node.children):,}", style="cyan")
    return line.append(f"  {plain(node.url, 80).plain}", style="dim")
