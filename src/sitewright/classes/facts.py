"""What the classes need to know of one page: a pure function of its URL and bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.html import Schema, link_collections, node_schema, page_schema
from sitewright.site.folder import saved_from

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitewright.html import Document, PathVocabulary

REFRESH = 0
"""The path under which the page stands that a refresh leads to: the document itself."""
_MOST_LINKS_OF_A_STUB = 2


@dataclass(frozen=True, slots=True, eq=False)
class PageFacts:
    """A page as integers of a shared vocabulary; its document can be forgotten."""

    url: str
    title: str
    schema: Schema
    """The page schema of the papers: paths that end in links, with the number of links."""
    nodes: Schema
    """The paths of all elements, with the number of elements."""
    collections: tuple[tuple[int, tuple[str, ...]], ...]
    """For each path that ends in links, the addresses of this site that they lead to."""
    is_stub: bool
    """The page only sends its reader on: it has a refresh, and hardly a link."""
    source: str | None = None
    """The address that a saved page comes from, where it says so."""


def page_facts(
    document: Document,
    vocabulary: PathVocabulary,
    address: Callable[[str], str | None],
) -> PageFacts:
    """Look at a page once; `address` is the site's, which knows its own pages."""
    collections = link_collections(document, vocabulary)
    schema = page_schema(collections)
    own = []
    for path, links in collections:
        addresses = map(address, dict.fromkeys(link.url for link in links))
        inside = tuple(dict.fromkeys(found for found in addresses if found is not None))
        if inside:
            own.append((path, inside))
    target = address(document.refresh) if document.refresh else None
    if target is not None:
        own.append((REFRESH, (target,)))
    return PageFacts(
        url=document.url,
        title=document.title,
        schema=schema,
        nodes=node_schema(document, vocabulary),
        collections=tuple(own),
        is_stub=document.refresh is not None and int(schema.counts.sum()) <= _MOST_LINKS_OF_A_STUB,
        source=saved_from(document),
    )


def structure_facts(document: Document, vocabulary: PathVocabulary) -> PageFacts:
    """What tells a page's class, at half the cost: its links are left out.

    Only where the page sends its reader on they are counted, since few of them make it a stub.
    """
    if document.refresh is not None:
        return page_facts(document, vocabulary, lambda url: url)
    return PageFacts(
        url=document.url,
        title="",
        schema=Schema.of({}),
        nodes=node_schema(document, vocabulary),
        collections=(),
        is_stub=False,
    )
