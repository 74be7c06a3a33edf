"""A page without some of its nodes, or with marks on them: always a new tree.

Nodes are named by their numbers, as `numbered_nodes` counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.html import dom
from sitewright.html.elements import RAW_TEXT
from sitewright.html.walk import numbered_nodes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from sitewright.html.document import Document

_TEXT_ONLY = RAW_TEXT | {"option", "select", "table", "tbody", "textarea", "tfoot", "thead"}
_TEXT_ONLY |= {"colgroup", "datalist", "head", "optgroup", "title", "tr"}
"""Elements in which a `<span>` around a text would not stay where it is put."""


def tree_without(document: Document, dropped: Collection[int]) -> dom.Tree:
    """The page without these nodes, each with all that is in it."""
    tree = dom.copied(document.tree)
    nodes = numbered_nodes(tree)
    # From the end: what is in a node goes before the node.
    for number in sorted(dropped, reverse=True):
        _drop(list(_run(nodes[number])))
    return tree


def marked_tree(document: Document, marks: Mapping[int, str], attribute: str) -> dom.Tree:
    """The page with an attribute on these nodes; texts get a `<span>` of their own for it."""
    tree = dom.copied(document.tree)
    nodes = numbered_nodes(tree)
    for number, mark in marks.items():
        node = nodes[number]
        if isinstance(node, dom.Element):
            node.attrs[attribute] = mark
            continue
        for text in filter(_takes_a_span, list(_run(node))):
            text.wrap(dom.Element("span", {attribute: mark}))
    return tree


def _drop(run: list[dom.Node]) -> None:
    """Take a node out; what stood on both sides of it stays apart, by one space at most."""
    before, behind = run[0].previous_sibling, run[-1].next_sibling
    space_before = before is None or _touches_space(before, -1)
    if behind is not None and not space_before and not _touches_space(behind, 0):
        run.pop(0).replace_with(dom.Text(" "))
    elif space_before and isinstance(behind, dom.Text) and not behind.data.strip():
        run.append(behind)
    for node in run:
        node.decompose()


def _touches_space(node: dom.Node, end: int) -> bool:
    """Whether a node is a text that begins (0) or ends (-1) with white space."""
    return isinstance(node, dom.Text) and node.data != "" and node.data[end].isspace()


def _run(node: dom.Node) -> Iterator[dom.Node]:
    """An element; or a text with all others that only comments separate from it."""
    yield node
    behind = node.next_sibling if isinstance(node, dom.Text) else None
    while behind is not None and not isinstance(behind, dom.Element):
        if isinstance(behind, dom.Text):
            yield behind
        behind = behind.next_sibling


def _takes_a_span(text: dom.Node) -> bool:
    parent = text.parent
    return (
        isinstance(parent, dom.Element)
        and parent.namespace is dom.HTML_NAMESPACE
        and parent.tag.lower() not in _TEXT_ONLY
    )
