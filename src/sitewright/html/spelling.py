"""The tokens of a page as its source spells them, and which of them its source has at all.

A tree says what a page means: it holds elements that nobody wrote (`<tbody>`), closes what was
left open, and its tokens are in lower case to be compared. Here each token of the tree comes with
the spelling of the source, and with whether it stands there: what is shown to people, written to
a file or compared with other programs' tokens should be what the author wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitewright.html import dom
from sitewright.html.tokens import Kind, Token
from sitewright.html.walk import attributes, walked_nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitewright.html.document import Document


class SpelledToken(NamedTuple):
    """A token of a page's tree, with what its source has in that place."""

    token: Token
    """The normal form, all in lower case."""
    spelling: str
    """A tag keeps the case and the white space of its values; a text is as in the normal form."""
    node: int
    """The number of its node, as `numbered_nodes` counts."""
    written: bool
    """Whether the source has it; if not, the parser added it."""


def spelled_tokens(document: Document) -> Iterator[SpelledToken]:
    """Every token of the page's tree in document order."""
    for token, number, node in walked_nodes(document.located_tree()):
        if not isinstance(node, dom.Element):
            yield SpelledToken(token, token.text, number, written=True)
            continue
        places = node.source_location
        if token.kind is Kind.END:
            written = places is not None and places.end_tag is not None
            yield SpelledToken(token, token.text, number, written)
        else:
            spelling = spelled_tag(node.tag, attributes(node))
            yield SpelledToken(token, spelling, number, places is not None)


def spelled_tag(tag: str, pairs: Iterable[tuple[str, str]]) -> str:
    """A start tag with its attributes sorted by name, their values as they are."""
    ordered = sorted((name.lower(), value) for name, value in pairs)
    written = "".join(
        f' {name}="{value.replace("&", "&amp;").replace(chr(34), "&quot;")}"'
        for name, value in ordered
    )
    return f"<{tag.lower()}{written}>"
