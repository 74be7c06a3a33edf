"""Pages as trees of nodes whose parts are numbers, so that nodes of many pages compare at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.html import Kind, spelled_tokens

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sitewright.html import Document, SpelledToken

NOTHING = 0
"""The number of no text at all."""


class Node:
    """An element or a text of a page.

    The numbers are of a `NodeReader`: equal numbers, equal things, over all pages it has read.
    """

    __slots__ = (
        "children", "content", "end_written", "is_bare", "label",
        "name", "spelled", "start", "text",
    )  # fmt: skip

    def __init__(self, spelled: SpelledToken, name: int, start: int) -> None:
        self.spelled = spelled
        self.name = name
        """The tag; all texts have one name."""
        self.start = start
        """The start tag with its attributes, or the text."""
        self.label = NOTHING
        """The first text in it: what names a row, an item or a box."""
        self.text = NOTHING
        """All text in it."""
        self.content = NOTHING
        """Everything in it, itself included."""
        self.is_bare = True
        """Whether there is neither a text nor an attribute in it."""
        self.children: list[Node] = []
        self.end_written = False

    @property
    def is_text(self) -> bool:
        """Whether it is a text."""
        return self.spelled.token.kind is Kind.TEXT


class NodeReader:
    """Reads pages into nodes, and numbers what they are made of."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {None: NOTHING}

    def read(self, document: Document) -> tuple[list[Node], list[str]]:
        """The top nodes of a page, and all its tokens but the end tags."""
        tokens: list[str] = []
        top: list[Node] = []
        still_open: list[Node] = []
        for spelled in spelled_tokens(document):
            if spelled.token.kind is Kind.END:
                node = still_open.pop()
                node.end_written = spelled.written
                self._complete(node)
                continue
            tokens.append(spelled.token.text)
            node = self._begin(spelled)
            (still_open[-1].children if still_open else top).append(node)
            if spelled.token.kind is Kind.START:
                still_open.append(node)
            else:
                self._complete(node)
        return top, tokens

    def _begin(self, spelled: SpelledToken) -> Node:
        token = spelled.token
        return Node(spelled, self._number(("name", token.tag)), self._number(token))

    def _complete(self, node: Node) -> None:
        """Number what an element holds, once all of it is known."""
        children = node.children
        node.content = self._number((node.start, *(child.content for child in children)))
        texts = tuple(child.text for child in children if child.text != NOTHING)
        node.label = next((child.label for child in children if child.label), NOTHING)
        if node.is_text:
            node.text = node.start
            # A number names nothing: it is the rank of a row, or how often.
            node.label = node.start if any(map(str.isalpha, node.spelled.token.text)) else NOTHING
        elif len(texts) == 1:
            node.text = texts[0]
        elif texts:
            node.text = self._number(("texts", texts))
        has_attributes = " " in node.spelled.token.text
        node.is_bare = not (node.text or has_attributes) and all(c.is_bare for c in children)

    def _number(self, thing: Hashable) -> int:
        return self._numbers.setdefault(thing, len(self._numbers))
