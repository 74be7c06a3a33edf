"""One page, parsed once, and everything that follows from it alone.

A page becomes a `Document`; functions of the document give its link collections, its schemas and
its token sequence, as integers of vocabularies that the pages of a site share.
"""

from sitewright.page.document import Document, Inspection, LocatedDocument, inspect
from sitewright.page.links import Link, LinkCollection, link_collections, page_schema
from sitewright.page.parser import Tree
from sitewright.page.paths import (
    Labelling,
    PathVocabulary,
    Schema,
    label_values,
    node_schema,
    shared_values,
)
from sitewright.page.source_code import SourceToken, marked_tree, source_tokens, tree_without
from sitewright.page.tokens import (
    Token,
    Tokeniser,
    TokenKind,
    TokenSequence,
    TokenVocabulary,
    numbered_nodes,
)

__all__ = [
    "Document",
    "Inspection",
    "Labelling",
    "Link",
    "LinkCollection",
    "LocatedDocument",
    "PathVocabulary",
    "Schema",
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
    "source_tokens",
    "tree_without",
]
