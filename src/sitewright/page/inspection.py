"""Everything that one page tells, as plain data: what `sitewright inspect` shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sitewright.choices import Labelling
from sitewright.page.links import LinkCollection, link_collections, page_schema
from sitewright.page.paths import PathVocabulary, Schema, node_schema
from sitewright.page.tokens import Tokeniser, TokenSequence

if TYPE_CHECKING:
    from sitewright.page.document import Document


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a page is made of, with the vocabularies that its integers refer to."""

    url: str
    title: str
    encoding: str
    collections: list[LinkCollection]
    schema: Schema
    nodes: Schema
    tokens: TokenSequence
    paths: PathVocabulary
    tokeniser: Tokeniser

    @property
    def link_count(self) -> int:
        """How many links the page has."""
        return sum(len(collection.links) for collection in self.collections)

    def summary(self) -> dict[str, Any]:
        """The page in one short JSON object."""
        return {
            "url": self.url,
            "title": self.title,
            "encoding": self.encoding,
            "links": self.link_count,
            "collections": len(self.collections),
            "paths": len(self.nodes),
            "nodes": int(self.nodes.counts.sum()),
            "tokens": len(self.tokens),
        }

    def as_json(self) -> dict[str, Any]:
        """The page in one JSON object, paths and tokens written out."""
        tokens = zip(
            self.tokens.tokens(self.tokeniser.vocabulary), self.tokens.nodes.tolist(), strict=True
        )
        return {
            "url": self.url,
            "title": self.title,
            "encoding": self.encoding,
            "collections": [
                {
                    "path": self.paths.text(collection.path),
                    "links": [{"url": link.url, "text": link.text} for link in collection.links],
                }
                for collection in self.collections
            ],
            "schema": self.counted_paths(self.schema),
            "nodes": self.counted_paths(self.nodes),
            "tokens": [
                {"kind": token.kind.name.lower(), "text": token.text, "node": node}
                for token, node in tokens
            ],
        }

    def counted_paths(self, schema: Schema) -> dict[str, int]:
        """A schema with its paths written out."""
        pairs = zip(schema.paths.tolist(), schema.counts.tolist(), strict=True)
        return {self.paths.text(path): count for path, count in pairs}


def inspect(document: Document, labelling: Labelling = Labelling.CLASSES) -> Inspection:
    """Everything that one page tells: its link collections, schemas and tokens."""
    paths, tokeniser = PathVocabulary(labelling), Tokeniser()
    collections = link_collections(document, paths)
    return Inspection(
        url=document.url,
        title=document.title,
        encoding=document.encoding,
        collections=collections,
        schema=page_schema(collections),
        nodes=node_schema(document, paths),
        tokens=tokeniser.sequence(document),
        paths=paths,
        tokeniser=tokeniser,
    )
