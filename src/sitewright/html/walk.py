"""The plain way through a tree: every token with the number of its node, in document order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.html import dom
from sitewright.html.elements import VOID
from sitewright.html.tokens import Kind, end_token, start_token, text_token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.html.tokens import Token


def numbered_nodes(tree: dom.Tree) -> list[dom.Node]:
    """The elements and texts of a page by number, in document order.

    Texts with no tag between them are one node, the first; comments have no number.
    """
    return [node for node, _text in _runs(tree)]


def walk(tree: dom.Tree) -> Iterator[tuple[Token, int]]:
    """Every token of a page with the number of the node that it came from."""
    return ((token, number) for token, number, _node in walked_nodes(tree))


def walked_nodes(tree: dom.Tree) -> Iterator[tuple[Token, int, dom.Node]]:
    """Every token of a page with the number of its node, and the node itself."""
    still_open: list[tuple[dom.Element, int]] = []
    for number, (node, text) in enumerate(_runs(tree)):
        parent = _open_parent(node)
        while still_open and still_open[-1][0] is not parent:
            yield _closing(*still_open.pop())
        if isinstance(node, dom.Element):
            token = start_token(node.tag, attributes(node))
            yield token, number, node
            if token.kind is Kind.START:
                still_open.append((node, number))
        elif not text.isspace():
            yield text_token(text), number, node
    while still_open:
        yield _closing(*still_open.pop())


def _runs(tree: dom.Tree) -> Iterator[tuple[dom.Node, str]]:
    """Elements, and runs of texts: the first of them with the text of all."""
    run: list[dom.Text] = []
    for node in dom.nodes(tree):
        continues = isinstance(node, dom.Text) and bool(run) and node.parent is run[0].parent
        if run and not continues:
            yield run[0], "".join(text.data for text in run)
            run = []
        if isinstance(node, dom.Text):
            run.append(node)
        else:
            yield node, ""
    if run:
        yield run[0], "".join(text.data for text in run)


def _open_parent(node: dom.Node) -> dom.Node | None:
    """The nearest ancestor that has an end tag; what a template holds belongs to the template."""
    parent = node.parent
    while isinstance(parent, dom.Fragment) or (
        isinstance(parent, dom.Element) and parent.tag.lower() in VOID
    ):
        parent = parent.parent
    return parent


def _closing(element: dom.Element, number: int) -> tuple[Token, int, dom.Node]:
    return end_token(element.tag), number, element


def attributes(element: dom.Element) -> Iterator[tuple[str, str]]:
    """Names and values of an element's attributes; a missing value is empty."""
    for name in element.attrs:
        yield name, element.attr(name) or ""
