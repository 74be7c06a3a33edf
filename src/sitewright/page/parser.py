"""The HTML parser, behind one door: no other module names the library that parses.

The parser builds the tree that a browser builds (the WHATWG algorithm), whatever the input.
"""

from __future__ import annotations

import codecs
import copy
import mmap
import re
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import turbohtml

from sitewright.settings import current

try:
    import resource
except ImportError:  # Windows has no limits of this kind
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator


Tree: TypeAlias = turbohtml.Document
Node: TypeAlias = turbohtml.Node
Element: TypeAlias = turbohtml.Element
Text: TypeAlias = turbohtml.Text
Fragment: TypeAlias = turbohtml.DocumentFragment
"""What a `<template>` holds: a browser neither shows nor follows it, unless `is_shown`."""
WrittenToken: TypeAlias = turbohtml.Token
HTML_NAMESPACE = turbohtml.Namespace.HTML

_TAGS_AND_TEXTS = (
    turbohtml.TokenType.START_TAG,
    turbohtml.TokenType.END_TAG,
    turbohtml.TokenType.TEXT,
)
_OUTERMOST = re.compile(rb"<[bBhH][oOtT][dDmM][yYlL][\s/>]")  # body, html, and hardly anything else
_MAX_OUTERMOST = 32
_REFRESH = re.compile(
    r"""\s*+(?:\d++|(?=\.))[\d.]*+(?=[\s;,])\s*+[;,]?\s*+(?:url\s*+=\s*+)?(["']?)(.*)""",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
"""Seconds, then a URL, with `url=` and quotes or without (HTML, "shared declarative refresh
steps")."""
_MAX_REFRESH = 1 << 14
_TOO_SMALL_TO_HARM = 1 << 16
# A shadow root is kept as the template that it is written as: the parser's own would be a tree
# apart, which no walk over the page comes to.
_ELEMENTS = turbohtml.XPath("count(//*)")
_TOO_SMALL_FOR_LIMITS = 4096
_PAGE_BYTES = mmap.PAGESIZE
_OPTIONS = {"detect_encoding": True, "positions": False, "allow_declarative_shadow_roots": False}
_LOCATING = {**_OPTIONS, "source_locations": True, "positions": True}


class PageTooCostly(ValueError):
    """A page whose tree would be out of proportion to its size; the text says in what."""


def parse(body: bytes, declared: str | None = None) -> Tree:
    """Parse bytes into a tree; raises `PageTooCostly`, and nothing else.

    The encoding is the byte-order mark's if there is one, else the declared one, else that of a
    `<meta>`, else it is detected. The mark comes first, as in browsers: servers declare encodings
    for files that they never looked into.
    """
    return _parsed(body, declared, _OPTIONS)


def parse_located(body: bytes, declared: str | None = None) -> Tree:
    """Parse bytes into a tree that knows the place in the source of every tag written there.

    It takes a quarter more time than `parse`, and half as much memory again.
    """
    return _parsed(body, declared, _LOCATING)


def _parsed(body: bytes, declared: str | None, options: dict[str, bool]) -> Tree:
    body = _bounded(body)
    with _limited_memory(len(body)):
        try:
            tree = turbohtml.parse(body, encoding=declared, **options)
        except (LookupError, UnicodeEncodeError):
            tree = turbohtml.parse(body, encoding=_known_label(declared or ""), **options)
    if len(body) > _TOO_SMALL_FOR_LIMITS:
        _check_proportions(tree, len(body))
    return tree


@contextmanager
def _limited_memory(size: int) -> Iterator[None]:
    """Let the parser of a page have memory in proportion to the page, and no more.

    Formatting elements that are never closed are made anew in every paragraph: 70 kB of them become
    six million elements. The parser gives up cleanly where the system gives it no more memory, so
    for the moment of the parse the process is allowed little more than it has. Other threads wait
    for the parser. A system without such limits parses whatever comes.
    """
    limit = None if size <= _TOO_SMALL_FOR_LIMITS else _address_space()
    if limit is None or resource is None:
        yield
        return
    limits = current().limits
    allowed = limit + limits.parser_memory + int(limits.parser_memory_per_byte * size)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY:
        allowed = min(allowed, soft)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))
    try:
        yield
    except MemoryError:
        raise PageTooCostly(f"more than {allowed - limit:,} bytes to parse it") from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _address_space() -> int | None:
    """The bytes of addresses that this process uses now; None where the system does not tell."""
    try:
        with Path("/proc/self/statm").open("rb", buffering=0) as statm:
            return int(statm.read(256).split()[0]) * _PAGE_BYTES
    except (OSError, ValueError, IndexError):
        return None


def _check_proportions(tree: Tree, size: int) -> None:
    """Refuse a tree with more elements than a page of that size can be read as.

    Depth needs no limit: as in browsers, what is nested deeper than 512 becomes a sibling.
    """
    limits = current().limits
    elements = element_count(tree)
    most = limits.max_elements + int(size / limits.bytes_per_element)
    if elements > most:
        raise PageTooCostly(f"{elements:,} elements; a page of its size may have {most:,}")


def element_count(tree: Tree) -> int:
    """How many elements a tree has: counted by the parser, without a walk."""
    count = _ELEMENTS(tree)
    return int(count) if isinstance(count, float) else 0


def copied(tree: Tree) -> Tree:
    """Another tree like this one, to be changed: much cheaper than parsing again."""
    return copy.deepcopy(tree)


def nodes(tree: Tree) -> Iterator[Element | Text]:
    """Elements and texts in document order, the content of templates included."""
    return (node for node in tree.descendants if isinstance(node, (Element, Text)))


@lru_cache(maxsize=4096)
def compiled(xpath: str) -> turbohtml.XPath:
    """An expression, ready to be asked of many elements; ValueError if it is none."""
    return turbohtml.XPath(xpath)


@lru_cache(maxsize=4096)
def _locating(xpath: str) -> turbohtml.XPath:
    return turbohtml.XPath(xpath, smart_strings=True)


def bounded(xpath: str, most: int | None) -> str:
    """The expression that selects the first `most` of what this one does; all for None."""
    return xpath if most is None else f"({xpath})[position() <= {most}]"


def located(
    scope: Tree | Element, xpath: str, *, most: int | None = None, **variables: list[Element]
) -> Iterator[tuple[Element, Element | str]]:
    """What an expression selects, or the first `most` of it, each with the element that it is in.

    The parser takes four times as long to say where ten thousand texts stand as to find them.
    """
    found = _locating(bounded(xpath, most))(scope, **variables)
    for one in found if isinstance(found, list) else []:
        holder = one if isinstance(one, Element) else getattr(one, "getparent", lambda: None)()
        if isinstance(holder, Element):
            yield holder, one if isinstance(one, Element) else str(one)


def written_tags_and_texts(source: str) -> Iterator[WrittenToken]:
    """Tags and texts as they are written: no tree is built and nothing is repaired."""
    return (token for token in turbohtml.tokenize(source) if token.type in _TAGS_AND_TEXTS)


def is_end_tag(token: WrittenToken) -> bool:
    """Whether a token is the end tag of an element."""
    return token.type is turbohtml.TokenType.END_TAG


def is_shown(content: Fragment) -> bool:
    """Whether a browser shows what a template holds: the shadow root of the element around it."""
    holder = content.parent
    return isinstance(holder, Element) and holder.attr("shadowrootmode") in {"open", "closed"}


def refresh_target(tree: Tree) -> str | None:
    """The URL that a `<meta http-equiv="refresh">` names, as it is written.

    The parser's own reading of it would write the URL in UTF-8, whatever the page's encoding.
    """
    for meta in tree.iter_elements(("meta",)):
        if (meta.attr("http-equiv") or "").strip().lower() == "refresh":
            found = _REFRESH.match((meta.attr("content") or "")[:_MAX_REFRESH])
            if found is not None:
                quote, written = found.groups()
                return (written.partition(quote)[0] if quote else written).strip() or None
    return None


def _bounded(body: bytes) -> bytes:
    """Hide the `<body>` and `<html>` tags that a page repeats beyond reason, in as many bytes.

    Each adds its attributes to those of the first one, and the parser takes time and memory for it
    that grow with the square of their number: 140 kB of such tags would cost it 1.2 GB.
    """
    if len(body) <= _TOO_SMALL_TO_HARM or len(_OUTERMOST.findall(body)) <= _MAX_OUTERMOST:
        return body
    tags = list(_OUTERMOST.finditer(body))[_MAX_OUTERMOST:]
    hidden = bytearray(body)
    for tag in tags:
        hidden[tag.start() + 1] = ord("!")  # "<!ody ...>" is a comment
    return bytes(hidden)


def _known_label(declared: str) -> str | None:
    """Python knows spellings that the web's own list lacks (`latin-1`); None if nobody knows it."""
    try:
        label = codecs.lookup(declared.strip()).name
        turbohtml.parse(b"", encoding=label)
    except (LookupError, ValueError):
        return None
    return label
