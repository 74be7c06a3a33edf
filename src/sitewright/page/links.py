"""The links of a page, read once; and grouped by the path that they stand at.

`Document.links` gives them; whatever else is known of links is a function of it.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sitewright.page.elements import LINK_ATTRIBUTES
from sitewright.page.page_index import text_of
from sitewright.page.parser import Element, Fragment, is_shown
from sitewright.page.paths import NodePaths, Schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitewright.page.document import Document
    from sitewright.page.parser import Tree
    from sitewright.page.paths import PathVocabulary
    from sitewright.page.url import Resolver


MAX_TEXT = 1000
"""Anchor texts are cut here: an anchor that is never closed holds the rest of the page."""
_FIRST_NODES = 64
"""A hundred thousand anchors can stand in each other: reading each whole would be quadratic."""


class Link(NamedTuple):
    """A link as it stands in a page: `<a>`, `<area>`, or a page in a `<frame>` or `<iframe>`."""

    element: Element
    written: str
    """The attribute that says where the link leads."""
    url: str
    """Where it leads, absolute and without fragment; empty where no page can be there."""

    @property
    def tag(self) -> str:
        """The tag of its element."""
        return self.element.tag

    @property
    def has_fragment(self) -> bool:
        """Whether it leads to a place inside a page."""
        return "#" in self.written.rstrip("#")

    @property
    def relations(self) -> list[str]:
        """What its `rel` says that the other page is: `next`, `up`, `nofollow`."""
        return (self.element.attr("rel") or "").lower().split()

    @property
    def text(self) -> str:
        """What it says: its text, or the alt text of its image."""
        return self.own_text or self._alternative_text()

    @property
    def own_text(self) -> str:
        """The text that stands in it."""
        return text_of(self.element, most_pieces=2 * _FIRST_NODES)[:MAX_TEXT]

    def _alternative_text(self) -> str:
        for inside in islice(self.element.iter_elements(include_self=True), _FIRST_NODES):
            text = " ".join((inside.attr("alt") or "")[: 4 * MAX_TEXT].split())
            if text:
                return text[:MAX_TEXT]
        return ""


class LinkCollection(NamedTuple):
    """A path that ends in a link, with all links of the page at that path, in their order."""

    path: int
    links: tuple[Link, ...]


def read_links(tree: Tree, resolve: Resolver) -> Iterator[Link]:
    """All links of a page in document order, but for those in templates, which nobody sees."""
    hidden = _hidden_elements(tree)
    for element in tree.iter_elements(tuple(LINK_ATTRIBUTES)):
        written = element.attr(LINK_ATTRIBUTES[element.tag])
        if written is None:
            written = element.attr("xlink:href")  # in a drawing
        if written is not None and element not in hidden:
            yield Link(element, written, resolve(written) or "")


def _hidden_elements(tree: Tree) -> frozenset[Element]:
    """What stands in templates that no browser shows."""
    hidden: set[Element] = set()
    for template in tree.iter_elements(("template",)):
        contents = (part for part in template.children if isinstance(part, Fragment))
        if template not in hidden and not any(map(is_shown, contents)):
            hidden.update(template.iter_elements())
    return frozenset(hidden)


def link_collections(document: Document, vocabulary: PathVocabulary) -> list[LinkCollection]:
    """Group the links of a page by path, in the order in which the paths first occur.

    A page is described by its link collections (Crescenzi et al. 2005, section 2). Links that
    lead to no page are left out.
    """
    paths = NodePaths(document.tree, vocabulary)
    collections: dict[int, list[Link]] = {}
    for link in document.links:
        if link.url:
            collections.setdefault(paths.of(link.element), []).append(link)
    return [LinkCollection(path, tuple(links)) for path, links in collections.items()]


def page_schema(collections: Iterable[LinkCollection]) -> Schema:
    """The page schema: the set of paths that end in links, with the number of links at each."""
    return Schema.of({path: len(links) for path, links in collections})
