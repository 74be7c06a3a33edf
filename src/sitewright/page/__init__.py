"""One page, parsed once, and everything that follows from it alone.

A page becomes a `Document`; functions of the document give its link collections, its schemas and
its token sequence, as integers of vocabularies that the pages of a site share. Each name is
imported from its module when it is first used: who needs URLs alone waits for no parser.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitewright.choices import Labelling
    from sitewright.page.document import Document, Inspection, LocatedDocument, inspect
    from sitewright.page.links import Link, LinkCollection, link_collections, page_schema
    from sitewright.page.parser import Tree
    from sitewright.page.paths import (
        PathVocabulary,
        Schema,
        label_values,
        node_schema,
        shared_values,
    )
    from sitewright.page.source_code import (
        SourceColumns,
        SourceToken,
        marked_tree,
        source_columns,
        source_tokens,
        tree_without,
    )
    from sitewright.page.tokens import (
        Token,
        Tokeniser,
        TokenKind,
        TokenSequence,
        TokenVocabulary,
        numbered_nodes,
    )

_MODULES = {
    "sitewright.choices": ("Labelling",),
    "sitewright.page.document": ("Document", "Inspection", "LocatedDocument", "inspect"),
    "sitewright.page.links": ("Link", "LinkCollection", "link_collections", "page_schema"),
    "sitewright.page.parser": ("Tree",),
    "sitewright.page.paths": (
        "PathVocabulary", "Schema", "label_values", "node_schema", "shared_values",
    ),
    "sitewright.page.source_code": (
        "SourceColumns", "SourceToken", "marked_tree", "source_columns", "source_tokens",
        "tree_without",
    ),
    "sitewright.page.tokens": (
        "Token", "TokenKind", "TokenSequence", "TokenVocabulary", "Tokeniser", "numbered_nodes",
    ),
}  # fmt: skip
"""The modules with the names that they define for other packages."""

__all__ = [
    "Document",
    "Inspection",
    "Labelling",
    "Link",
    "LinkCollection",
    "LocatedDocument",
    "PathVocabulary",
    "Schema",
    "SourceColumns",
    "SourceToken",
    "Token",
    "TokenKind",
    "TokenSequence",
    "TokenVocabulary",
    "Tokeniser",
    "Tree",
    "inspect",
    "label_values",
    "link_collections",
    "marked_tree",
    "node_schema",
    "numbered_nodes",
    "page_schema",
    "shared_values",
    "source_columns",
    "source_tokens",
    "tree_without",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any of the names above
    for module, names in _MODULES.items():
        if name in names:
            found = globals()[name] = getattr(import_module(module), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
