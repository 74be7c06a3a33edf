"""A page without some of its nodes, or with marks on them: always a new tree.

Nodes are named by their numbers, as `numbered_nodes` counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.html import dom
from sitewright.html.walk import numbered_nodes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from sitewright.html.document import Document

_TEXT_ONLY = dom.RAW_TEXT | {"option", "select", "table", "tbody", "textarea", "tfoot", "thead"}
_TEXT_ONLY |= {"colgroup", "datalist", "head", "optgroup", "title", "tr"}
"""Elements in which a `<span>` around a text would not stay where it is put."""


def tree_without(document: Document, dropped: Collection[int]) -> dom.Tree:
    """The page without these nodes, each with all that is in it and the white space behind it."""
    tree = document.located_tree()
    nodes = numbered_nodes(tree)
    # From the end: what is in a node goes before the node.
    for number in sorted(dropped, reverse=True):
        parts = list(_parts(nodes[number]))
        _part_texts(parts[0].previous_sibling, parts[-1].next_sibling)
        for part in parts:
            part.decompose()
    return tree


def marked_tree(document: Document, marks: Mapping[int, str], attribute: str) -> dom.Tree:
    """The page with an attribute on these nodes; texts get a `<span>` of their own for it."""
    tree = document.located_tree()
    nodes = numbered_nodes(tree)
    for number, mark in marks.items():
        node = nodes[number]
        if isinstance(node, dom.Element):
            node.attrs[attribute] = mark
            continue
        for text in filter(_takes_a_span, list(_run(node))):
            text.wrap(dom.Element("span", {attribute: mark}))
    return tree


def _parts(node: dom.Node) -> Iterator[dom.Node]:
    """What has to go with a node."""
    run = list(_run(node))
    yield from run
    behind = run[-1].next_sibling
    if isinstance(behind, dom.Text) and not behind.data.strip():
        yield behind


def _part_texts(before: dom.Node | None, behind: dom.Node | None) -> None:
    """Two texts that come to stand together must not become one word."""
    if isinstance(before, dom.Text) and isinstance(behind, dom.Text) and behind.data.strip():
        before.data = before.data.rstrip() + " "


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
