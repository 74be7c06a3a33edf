"""A page, parsed once."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from sitewright.choices import Labelling
from sitewright.page import parser
from sitewright.page.links import Link, LinkCollection, link_collections, page_schema, read_links
from sitewright.page.page_index import PageIndex
from sitewright.page.paths import PathVocabulary, Schema, node_schema
from sitewright.page.source_code import tags_in_source
from sitewright.page.structured_data import structured_values
from sitewright.page.tokens import Tokeniser, TokenSequence
from sitewright.page.url import Resolver, canonical, page_resolver
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterator

logger = logging.getLogger(__name__)


class Document:
    """A page, parsed once: its tree, its URL and what the page says of itself.

    Everything else that is known of a page is a function of its document: `link_collections`,
    `page_schema`, `node_schema`, `Tokeniser.sequence`. No input makes any of them raise.

    `encoding` is what the server declared; `Document.encoding` is what was used.
    """

    _parse = staticmethod(parser.parse)

    def __init__(self, body: bytes, url: str = "", *, encoding: str | None = None) -> None:
        self.url = url
        self.refused = ""
        """Why nothing is read of the page: it would take memory out of proportion to its size."""
        try:
            self.tree = self._parse(body, encoding)
        except parser.PageTooCostly as error:
            self.refused, body = str(error), b""
            self.tree = self._parse(b"", encoding)
        self.body = body

    def __repr__(self) -> str:
        return f"Document({self.url!r})"

    @property
    def encoding(self) -> str:
        """The encoding that the page was read in."""
        return self.tree.encoding or "UTF-8"

    @cached_property
    def tags_in_source(self) -> bytes:
        """Which tags of each element the source has: see `spelling.tags_in_source`.

        This parses the page a second time: a tree that knows places in its source is half as large
        again, and few pages are ever asked for it.
        """
        try:
            return tags_in_source(parser.parse_located(self.body, self.encoding))
        except parser.PageTooCostly:
            return bytes(sum(1 for _ in self.tree.iter_elements()))

    @cached_property
    def index(self) -> PageIndex:
        """Answers selectors."""
        return PageIndex(self.tree)

    @cached_property
    def resolve(self) -> Resolver:
        """Turns what is written in a link of this page into an absolute URL; nothing else does.

        It knows the page's `<base>` and its encoding, which both decide where a link leads.
        """
        bases = (base.attr("href") for base in self.tree.iter_elements(("base",)))
        return page_resolver(self.url, next(filter(None, bases), None), self.encoding)

    @property
    def base_url(self) -> str:
        """What the page's relative links refer to: its `<base>`, else its own URL."""
        return self.resolve.base

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """All links of the page, in document order; of a page with links without end, the first."""
        most = current().limits.max_links
        links = tuple(islice(read_links(self.tree, self.resolve), most + 1))
        if len(links) > most:
            logger.warning("%s: more than %d links; the others are left out", self.url, most)
        return links[:most]

    @cached_property
    def structured_data(self) -> list[tuple[str, str]]:
        """What the page says for machines: pairs of a dotted key and a text."""
        return structured_values(self.tree)

    @cached_property
    def title(self) -> str:
        """The text of the page's `<title>`, white space collapsed; empty if there is none."""
        titles = self.tree.iter_elements(("title",))
        # In a drawing, a title is what a pointer shows of one of its parts.
        own = (title for title in titles if title.namespace is parser.HTML_NAMESPACE)
        title = next(own, None)
        return " ".join(title.text.split()) if title is not None else ""

    @cached_property
    def refresh(self) -> str | None:
        """The URL that a `<meta http-equiv="refresh">` sends the reader on to."""
        written = parser.refresh_target(self.tree)
        target = self.resolve(written) if written else None
        return None if target == self.url else target


class LocatedDocument(Document):
    """A page that is parsed with its places in the source, for whoever asks for its tokens.

    It is as `Document`, only larger, and `tags_in_source` needs no second parse.
    """

    _parse = staticmethod(parser.parse_located)

    @cached_property
    def tags_in_source(self) -> bytes:
        """Which tags of each element the source has: see `spelling.tags_in_source`."""
        return tags_in_source(self.tree)


_CUTS = 4
"""A page may be dense at its beginning, so that one cut in proportion is not enough."""


def beginning(document: Document, most: int) -> Document:
    """The beginning of a page that has more elements than `most`; any other page as it is."""
    for _ in range(_CUTS):
        elements = parser.element_count(document.tree)
        if elements <= most:
            break
        body = document.body[: len(document.body) * most // elements]
        document = type(document)(body, document.url, encoding=document.encoding)
    return document


HEAD = 8192
"""How many bytes of a page are looked at: what says so stands at its beginning."""


_COMMENT = re.compile(rb"<!--\s{0,9}saved from url=\(\d{1,9}\)(https?://[^\s<>]{1,4000})\s{0,9}-->")


def saved_from(page: Document) -> str | None:
    """The URL that a page says it comes from; None if it does not. Its beginning is enough."""
    comment = _COMMENT.search(page.body, 0, HEAD)
    said = comment[1].decode("utf-8", "replace") if comment else page.base_url
    return canonical(said) if said != page.url else None


# Everything that one page tells, as plain data: what `sitewright inspect` shows.


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
        return {**self.json_without_tokens(), "tokens": list(self.json_tokens())}

    def json_without_tokens(self) -> dict[str, Any]:
        """The same without the tokens, which make up nearly all of it."""
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
        }

    def json_tokens(self) -> Iterator[dict[str, Any]]:
        """The tokens of the page, one after the other."""
        texts = self.tokens.tokens(self.tokeniser.vocabulary)
        for token, node in zip(texts, self.tokens.nodes.tolist(), strict=True):
            yield {"kind": token.kind.name.lower(), "text": token.text, "node": node}

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
