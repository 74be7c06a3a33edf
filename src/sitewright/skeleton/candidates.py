"""Candidate link sets of a page (Liu et al. 2004, section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from sitewright.html.dom import Element
from sitewright.skeleton.pruning import prune_link_set

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sitewright.html import Document, Link
    from sitewright.html.dom import Node

MIN_NL = 3
MAX_NL = 500
"""`MinNL < size < MaxNL`; the paper names no numbers, but drops a group of three links."""
MAX_LINK_NODES = 20_000
_MAX_DEPTH = 512
_MAX_NAME = 300
_STYLE_ATTRIBUTES = ("class", "style", "size", "color", "face", "bgcolor", "align", "valign")


@dataclass(frozen=True, slots=True)
class LinkNode:
    """An `A` node of the page (section 3.2.1)."""

    number: int
    """Its place among the link nodes, in document order."""
    href: str
    """The URL attribute, as it is written."""
    url: str
    """Where it leads; empty if to no page."""
    name: str
    """`SecName`: the anchor text, else the alternative text of its image, else nothing."""
    depth: int
    path: str
    style: str
    """Presentation attributes of the nodes on the path."""
    is_image: bool


LinkSet = tuple[LinkNode, ...]


def link_nodes(document: Document) -> list[LinkNode]:
    """All link nodes of a page, numbered in document order: its `A` nodes, as the paper says."""
    known: dict[Node, tuple[int, str, str]] = {}
    found: list[LinkNode] = []
    anchors = (link for link in document.links if link.tag == "a")
    for number, link in enumerate(islice(anchors, MAX_LINK_NODES)):
        depth, path, style = _place(link.element, known)
        name, is_image = _name(link)
        found.append(LinkNode(number, link.written, link.url, name, depth, path, style, is_image))
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


def _name(link: Link) -> tuple[str, bool]:
    """`SecName`, and whether the anchor is an image."""
    if text := link.own_text:
        return text[:_MAX_NAME], False
    has_image = next(link.element.iter_elements(("img",)), None) is not None
    return link.text[:_MAX_NAME], has_image
