"""The texts that an XPath expression selects, as a reader sees them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from sitewright.page.elements import INLINE, UNSEEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from parsel import Selector


SelectedNode: TypeAlias = Any
"""An element, a text or an attribute of lxml, which has no types."""


ITEM = "?P<item>"
"""The group of a pattern that finds each value of a line that lists several."""


def selected_texts(selector: Selector, xpath: str, pattern: str = "") -> list[str]:
    """The texts that a rule finds, white space collapsed; those that do not match are left out."""
    found = filter(None, (visible_text(one.root) for one in selector.xpath(xpath)))
    if ITEM in pattern:
        return [match["item"] for text in found for match in re.finditer(pattern, text)]
    return [text for text in found if not pattern or re.search(pattern, text)]


def cut(text: str, pattern: str) -> str:
    """The value inside a text that matches: the first group, or all of it without a pattern."""
    found = re.search(pattern, text) if pattern and ITEM not in pattern else None
    return (found[1] or "").strip() if found else text


def visible_text(node: SelectedNode) -> str:
    """The text of an element, a text or an attribute: blocks and line breaks part words."""
    pieces = str(node) if not hasattr(node, "tag") else "".join(_pieces(node))
    return " ".join(pieces.split())


def _pieces(element: SelectedNode) -> Iterator[str]:
    # A stack, since hostile pages nest deeper than Python calls.
    waiting: list[SelectedNode] = [element]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            yield node
            continue
        if isinstance(node.tag, str) and node.tag not in UNSEEN:  # a comment's tag is no text
            around = "" if node.tag in INLINE else " "
            yield around + (node.text or "")
            waiting.append(around)
            for child in reversed(node):
                waiting += [child.tail or "", child]
