"""Candidate link sets of a page (Liu et al. 2004, section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from sitewright.html.address import Resolver
from sitewright.html.dom import Element, Text
from sitewright.skeleton.pruning import prune_link_set

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sitewright.html import Document
    from sitewright.html.dom import Node

MIN_NL = 3
MAX_NL = 500
"""`MinNL < size < MaxNL`; the paper names no numbers, but drops a group of three links."""
MAX_LINK_NODES = 20_000
_MAX_DEPTH = 512
_MAX_NAME = 300
_FIRST_NODES = 64
_STYLE_ATTRIBUTES = ("class", "style", "size", "color", "face", "bgcolor", "align", "valign")


@dataclass(frozen=True, slots=True)
class LinkNode:
    """An `A` node of the page (section 3.2.1)."""

    number: int
    """Its place among the link nodes, in document order."""
    href: str
    """The URL attribute, as it is written."""
    url: str | None
    """Where it leads, if it leads to a page."""
    name: str
    """`SecName`: the anchor text, else the alternative text of its image, else nothing."""
    depth: int
    path: str
    style: str
    """Presentation attributes of the nodes on the path."""
    is_image: bool


LinkSet = tuple[LinkNode, ...]


def link_nodes(document: Document) -> list[LinkNode]:
    """All link nodes of a page, numbered in document order."""
    resolve = Resolver(document.base_url)
    known: dict[Node, tuple[int, str, str]] = {}
    found: list[LinkNode] = []
    for anchor in islice(document.tree.iter_elements(("a",)), MAX_LINK_NODES):
        href = anchor.attr("href")
        if href is None:
            continue
        depth, path, style = _place(anchor, known)
        name, is_image = _name(anchor)
        found.append(LinkNode(len(found), href, resolve(href), name, depth, path, style, is_image))
    return found


def candidate_link_sets(
    nodes: Iterable[LinkNode], found_before: Collection[frozenset[str]] = ()
) -> list[LinkSet]:
    """GENCANLINKSETS (figure 2): group by depth, then by path, prune, and keep fair sizes.

    `found_before` are the navigation link sets of the pages analysed so far, as sets of URLs.
    Links that pruning takes out of a set stay for later rounds, as in the paper; the links of a
    set that is thrown away whole do not, since otherwise the loop would not end.
    """
    waiting = list(nodes)
    candidates: list[LinkSet] = []
    while waiting:
        reference = waiting[0]
        same_level = [node for node in waiting if node.depth == reference.depth]
        used = {reference.number}
        if len(same_level) > 1:
            for link_set in _grouped_by_path(same_level):
                pruned = prune_link_set(link_set, found_before)
                if MIN_NL < len(pruned) < MAX_NL:
                    candidates.append(tuple(pruned))
                used.update(node.number for node in pruned or link_set)
        waiting = [node for node in waiting if node.number not in used]
    return candidates


def _grouped_by_path(nodes: Iterable[LinkNode]) -> list[list[LinkNode]]:
    groups: dict[str, list[LinkNode]] = {}
    for node in nodes:
        groups.setdefault(node.path, []).append(node)
    return list(groups.values())


def _place(anchor: Element, known: dict[Node, tuple[int, str, str]]) -> tuple[int, str, str]:
    """Depth, path and style of a node; every ancestor is looked at once."""
    unknown: list[Element] = []
    node: Node | None = anchor
    while isinstance(node, Element) and node not in known and len(unknown) < _MAX_DEPTH:
        unknown.append(node)
        node = node.parent
    depth, path, style = known.get(node, (0, "", "")) if node is not None else (0, "", "")
    for element in reversed(unknown):
        shown = ";".join((element.attr(name) or "")[:80] for name in _STYLE_ATTRIBUTES)
        depth, path, style = depth + 1, f"{path}/{element.tag}", f"{style}/{shown.strip(';')}"
        known[element] = (depth, path, style)
    return depth, path, style


def _name(anchor: Element) -> tuple[str, bool]:
    """`SecName`, and whether the anchor is an image."""
    first = islice(anchor.descendants, _FIRST_NODES)
    text = "".join(node.data[:_MAX_NAME] for node in first if isinstance(node, Text))
    text = " ".join(text.split())[:_MAX_NAME]
    if text:
        return text, False
    images = list(islice(anchor.iter_elements(("img",)), 4))
    said = " ".join(" ".join((image.attr("alt") or "")[:_MAX_NAME].split()) for image in images)
    return said.strip(), bool(images)
