"""One page, parsed once, and everything that follows from it alone.

A page becomes a `Document`; functions of the document give its link collections, its schemas and
its token sequence, as integers of vocabularies that the pages of a site share.
"""

from sitewright.html.document import Document, LocatedDocument
from sitewright.html.dom import Tree
from sitewright.html.edited import marked_tree, tree_without
from sitewright.html.inspection import Inspection, inspect
from sitewright.html.labels import Labelling, label_values, shared_values
from sitewright.html.links import Link, LinkCollection, link_collections, page_schema
from sitewright.html.paths import PathVocabulary, Schema, node_schema
from sitewright.html.repair import repair, written_tokens
from sitewright.html.sequence import Tokeniser, TokenSequence
from sitewright.html.spelling import SpelledToken, spelled_tokens
from sitewright.html.tokens import Kind, Token, TokenVocabulary
from sitewright.html.walk import numbered_nodes

__all__ = [
    "Document",
    "Inspection",
    "Kind",
    "Labelling",
    "Link",
    "LinkCollection",
    "LocatedDocument",
    "PathVocabulary",
    "Schema",
    "SpelledToken",
    "Token",
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
    "repair",
    "shared_values",
    "spelled_tokens",
    "tree_without",
    "written_tokens",
]
