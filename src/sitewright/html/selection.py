"""What an XPath expression selects in a page, as texts."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeAlias, cast

from sitewright.html import dom
from sitewright.html.elements import INLINE, UNSEEN

if TYPE_CHECKING:
    from collections.abc import Iterator

Scope: TypeAlias = dom.Tree | dom.Element
"""Where an expression starts from: a whole page or one element of it."""
Selected: TypeAlias = dom.Element | str
"""An element, or the text of a text node or of an attribute."""


def select(scope: Scope, xpath: str, **variables: list[dom.Element]) -> list[Selected]:
    """All that the expression selects, in document order; ValueError if it is none.

    Variables are elements that the expression starts from, under the names that it has for them.
    """
    found = dom.compiled(xpath)(scope, **variables)
    # Nothing but elements, texts and attributes has a name in the expressions of this project.
    return cast("list[Selected]", found) if isinstance(found, list) else [str(found)]


def select_with_elements(
    scope: Scope, xpath: str, **variables: list[dom.Element]
) -> list[tuple[dom.Element, str]]:
    """What is selected, each with its element and its text as a reader sees it."""
    return [(element, text_of(one)) for element, one in dom.located(scope, xpath, **variables)]


def text_of(selected: Selected, *, most_pieces: int | None = None) -> str:
    """The text that a reader sees, white space collapsed: blocks and line breaks part words.

    `most_pieces` bounds the texts and tags that are read, where somebody might nest thousands.
    """
    if isinstance(selected, str):
        return " ".join(selected.split())
    return " ".join("".join(islice(_pieces(selected), most_pieces)).split())


def _pieces(element: dom.Element) -> Iterator[str]:
    # A stack, since hostile pages nest deeper than Python calls.
    waiting: list[dom.Node | str] = [element]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, dom.Text):
            yield node.data
        elif isinstance(node, dom.Element) and node.tag not in UNSEEN:
            around = "" if node.tag in INLINE else " "
            yield around
            waiting.append(around)
            waiting.extend(reversed(list(node.children)))
