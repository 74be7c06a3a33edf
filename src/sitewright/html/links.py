"""The link collections of a page: its links, grouped by the path that they stand at."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sitewright.html.address import Resolver
from sitewright.html.dom import LINK_TAGS, Element, Text
from sitewright.html.paths import INERT, NodePaths, Schema

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitewright.html.document import Document
    from sitewright.html.dom import Node
    from sitewright.html.paths import PathVocabulary

MAX_TEXT = 1000
"""Anchor texts are cut here: an anchor that is never closed holds the rest of the page."""
_FIRST_NODES = 64


class Link(NamedTuple):
    """Where a link leads, and what it says: its text, or the alt text of its image."""

    url: str
    text: str


class LinkCollection(NamedTuple):
    """A path that ends in a link, with all links of the page at that path, in their order."""

    path: int
    links: tuple[Link, ...]


def link_collections(document: Document, vocabulary: PathVocabulary) -> list[LinkCollection]:
    """Group the links of a page by path, in the order in which the paths first occur.

    A page is described by its link collections (Crescenzi et al. 2005, section 2). Links are
    `<a>`, `<area>`, and the pages shown in `<frame>` and `<iframe>`.
    """
    paths = NodePaths(document.tree, vocabulary)
    known, steps, read = paths.known, vocabulary.steps, vocabulary.read
    resolve = Resolver(document.base_url, document.encoding)
    may_be_nested = vocabulary.may_be_nested
    collections: dict[int, list[Link]] = {}
    # The hot loop of every crawl: what it needs is looked up here, and called only when new.
    for element in document.tree.iter_elements(LINK_TAGS):
        written = element.attr(_ATTRIBUTE[element.tag]) or element.attr("xlink:href")
        if not written:
            continue
        url = resolve(written)
        if url is None:
            continue
        parent = element.parent
        above = known.get(parent)
        if above is None:
            above = paths.next_of(parent)  # type: ignore[arg-type]  # every element has a parent
        try:
            path = steps[above][read(element)]
        except KeyError:
            path = vocabulary.step(above, element)
        text = _first_text(element) if may_be_nested[path] else " ".join(element.text.split())
        if "{" in text:
            text = _shown_text(element)
        link = Link(url, text[:MAX_TEXT] or _alternative_text(element))
        if path in collections:
            collections[path].append(link)
        else:
            collections[path] = [link]
    collections.pop(INERT, None)
    return [LinkCollection(path, tuple(links)) for path, links in collections.items()]


def page_schema(collections: Iterable[LinkCollection]) -> Schema:
    """The page schema: the set of paths that end in links, with the number of links at each."""
    return Schema.of({path: len(links) for path, links in collections})


_ATTRIBUTE = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}


def _first_text(element: Element) -> str:
    """A hundred thousand anchors can stand in each other: reading each whole would be quadratic."""
    first = islice(element.descendants, _FIRST_NODES)
    text = "".join(node.data[:MAX_TEXT] for node in first if type(node) is Text)
    return " ".join(text.split())


def _shown_text(element: Element) -> str:
    """The text without the style sheets of drawings, and scripts: both have braces."""
    first = islice(element.descendants, _FIRST_NODES)
    texts = (node for node in first if type(node) is Text and not _is_code(node.parent))
    return " ".join("".join(node.data[: 4 * MAX_TEXT] for node in texts).split())


def _is_code(parent: Node | None) -> bool:
    return type(parent) is Element and parent.tag in {"script", "style"}


def _alternative_text(element: Element) -> str:
    """The alt text of an image in a link without text."""
    for inside in islice(element.iter_elements(include_self=True), _FIRST_NODES):
        text = " ".join((inside.attr("alt") or "")[: 4 * MAX_TEXT].split())
        if text:
            return text[:MAX_TEXT]
    return ""
