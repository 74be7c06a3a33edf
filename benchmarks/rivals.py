"""The same work with other parsers: link collections with schema, and token sequences.

Each rival does it in its own best way: one select for the links, a memo for the paths of their
ancestors, one walk for the tokens. All resolve addresses and normalise tokens with our functions,
so that only parsing and walking differ.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import lxml.html
from bs4 import BeautifulSoup, Comment, Doctype, Tag
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from sitewright.page.elements import LINK_ATTRIBUTES
from sitewright.page.tokens import Token, TokenVocabulary, end_token, start_token, text_token
from sitewright.page.url import Resolver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Collections = dict[int, list[tuple[str, str]]]
Trie = dict[tuple[int, str, str | None], int]


def _collect(
    links: Iterable[Any],
    url: str,
    trie: Trie,
    written: Callable[[Any], str | None],
    parent: Callable[[Any], Any],
    label: Callable[[Any], tuple[str, str | None]],
    text: Callable[[Any], str],
) -> Collections:
    """Group links by path; every ancestor is looked at once."""
    known: dict[Any, int] = {}
    resolve = Resolver(url)
    collections: Collections = {}
    for link in links:
        href = written(link)
        address = resolve(href) if href else None
        if address is None:
            continue
        unknown, above, path = [link], parent(link), 0
        while above is not None and (key := _key(above)) is not None:
            if key in known:
                path = known[key]
                break
            unknown.append(above)
            above = parent(above)
        while unknown:
            node = unknown.pop()
            path = trie.setdefault((path, *label(node)), len(trie) + 1)
            if unknown:
                known[_key(node)] = path
        collections.setdefault(path, []).append((address, " ".join(text(link).split())))
    return collections


def _key(node: Any) -> Any:
    # selectolax makes a new object each time a node is asked for; its id is the node's own.
    return node.mem_id if hasattr(node, "mem_id") else id(node)


class Lxml:
    name = "lxml"

    def parse(self, body: bytes) -> Any:
        return lxml.html.document_fromstring(body)

    def collections(self, tree: Any, url: str, trie: Trie) -> Collections:
        return _collect(
            tree.iter(*LINK_ATTRIBUTES), url, trie,
            lambda e: e.get("href") or e.get("src"),
            lambda e: e.getparent(),
            lambda e: (e.tag, e.get("class")),
            lambda e: "".join(e.itertext()),
        )  # fmt: skip

    def tokens(self, tree: Any) -> Iterator[Token]:
        for event, element in etree.iterwalk(tree, events=("start", "end")):
            if isinstance(element.tag, str):
                if event == "start":
                    yield start_token(element.tag, element.attrib.items())
                    if element.text and not element.text.isspace():
                        yield text_token(element.text)
                else:
                    yield end_token(element.tag)
            if event == "end" and element.tail and not element.tail.isspace():
                yield text_token(element.tail)


class Selectolax:
    name = "selectolax"

    def parse(self, body: bytes) -> Any:
        return LexborHTMLParser(body)

    def collections(self, tree: Any, url: str, trie: Trie) -> Collections:
        return _collect(
            tree.css("a[href], area[href], frame[src], iframe[src]"), url, trie,
            lambda e: e.attributes.get("href") or e.attributes.get("src"),
            lambda e: e.parent,
            lambda e: (e.tag, e.attributes.get("class")),
            lambda e: e.text(),
        )  # fmt: skip

    def tokens(self, tree: Any) -> Iterator[Token]:
        still_open: list[tuple[Any, bool]] = [(tree.root, False)]
        while still_open:
            node, is_end = still_open.pop()
            if is_end:
                yield end_token(node.tag)
            elif node.tag == "-text":
                text = node.text_content or ""
                if not text.isspace():
                    yield text_token(text)
            elif not node.tag.startswith(("-", "_", "!")):
                yield start_token(node.tag, ((k, v or "") for k, v in node.attributes.items()))
                still_open.append((node, True))
                still_open += [
                    (child, False) for child in reversed(list(node.iter(include_text=True)))
                ]


class Soup:
    name = "BeautifulSoup on lxml"

    def parse(self, body: bytes) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return BeautifulSoup(body, "lxml")

    def collections(self, tree: Any, url: str, trie: Trie) -> Collections:
        return _collect(
            tree.find_all(list(LINK_ATTRIBUTES)), url, trie,
            lambda e: e.get("href") or e.get("src"),
            lambda e: e.parent,
            lambda e: (e.name, " ".join(e.get("class", ()))),
            lambda e: e.get_text(),
        )  # fmt: skip

    def tokens(self, tree: Any) -> Iterator[Token]:
        for child in tree.children:
            if isinstance(child, Tag):
                values = (
                    (k, " ".join(v) if isinstance(v, list) else v) for k, v in child.attrs.items()
                )
                yield start_token(child.name, values)
                yield from self.tokens(child)
                yield end_token(child.name)
            elif not isinstance(child, (Comment, Doctype)) and not child.isspace():
                yield text_token(child)


def number_tokens(tokens: Iterator[Token], vocabulary: TokenVocabulary) -> list[int]:
    """The last step of every rival: tokens as integers."""
    return [vocabulary.id(token) for token in tokens]


RIVALS = (Lxml(), Selectolax(), Soup())
