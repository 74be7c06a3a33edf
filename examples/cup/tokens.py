"""The tokens of a page and of a template: one tag, or the text between two tags, normalised.

A start tag is ``<name a="v">`` with the attributes sorted by name, their values decoded and then
``&`` and ``"`` encoded again; an end tag is ``</name>``; a text has its white space collapsed and
is lower-cased; comments and the doctype are left out and do not split a text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from examples.cup.templating import Node, Section, Slot, View, rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Characters of Unicode's private use area stand for what a template leaves open.
_SLOT = "\ue000"
_OPEN, _CLOSE = "\ue001", "\ue002"
_MARKS = re.compile("[\ue000-\ue002]")
_BOUNDARY = re.compile(f"([{_OPEN}{_CLOSE}])(\\d+);")


class _Tokenizer(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tokens: list[str] = []
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.end_text()
        first = {name: value or "" for name, value in reversed(attrs)}
        written = (f' {name}="{_quoted(first[name])}"' for name in sorted(first))
        self.tokens.append(f"<{tag}{''.join(written)}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self.end_text()
        self.tokens.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self._text.append(data)

    def end_text(self) -> None:
        text = " ".join("".join(self._text).split()).lower()
        self._text.clear()
        if text:
            self.tokens.append(text)


def _quoted(value: str) -> str:
    return value.replace("&", "&amp;").replace('"', "&quot;")


def tokenize(html: str) -> list[str]:
    """Give the tokens of a page, in document order."""
    tokenizer = _Tokenizer()
    tokenizer.feed(html)
    tokenizer.close()
    tokenizer.end_text()
    return tokenizer.tokens


@dataclass(frozen=True, slots=True)
class Part:
    """The tokens of a section of a template."""

    section: Section
    items: tuple[str | Part, ...]


@dataclass(frozen=True, slots=True)
class TemplateToken:
    """A token of a class's template, and how many of its pages have it."""

    token: str
    pages: int
    repeated: bool
    """It stands in a row of a list: the first row's tokens, the second row's, and so on."""


def outline(nodes: Sequence[Node]) -> tuple[str | Part, ...]:
    """Give the tokens that the template writes itself, in their sections.

    A token that holds a value, or a section's edge, is not wholly the template's and is left out.
    """
    sections: list[Section] = []
    tokens = tokenize(_marked(nodes, sections))
    stack: list[tuple[Section | None, list[str | Part]]] = [(None, [])]
    for token in tokens:
        if not _MARKS.search(token):
            stack[-1][1].append(token)
        elif not token.startswith("<"):
            for edge, number in _BOUNDARY.findall(token):
                _cross(edge, sections[int(number)], stack)
    return tuple(stack[0][1])


def _cross(
    edge: str, section: Section, stack: list[tuple[Section | None, list[str | Part]]]
) -> None:
    if edge == _OPEN:
        stack.append((section, []))
    else:
        _, items = stack.pop()
        stack[-1][1].append(Part(section, tuple(items)))


def _marked(nodes: Sequence[Node], sections: list[Section]) -> str:
    """Write the template as HTML, with marks for its slots and for the edges of its sections."""
    pieces = []
    for node in nodes:
        if isinstance(node, str):
            pieces.append(node)
        elif isinstance(node, Slot):
            pieces.append(_SLOT)
        else:
            number = len(sections)
            sections.append(node)
            body = _marked(node.body, sections)
            pieces.append(f"{_OPEN}{number};{body}{_CLOSE}{number};")
    return "".join(pieces)


def template_tokens(
    items: Sequence[str | Part], views: Sequence[View], *, repeated: bool = False
) -> Iterator[TemplateToken]:
    """Say for each token of an outline how many of the views bring it onto their page."""
    for item in items:
        if isinstance(item, str):
            yield TemplateToken(item, len(views), repeated)
            continue
        found = [rows(item.section, view) for view in views]
        many = repeated or bool(item.section.variable)
        for number in range(max(map(len, found), default=0)):
            present = [each[number] for each in found if len(each) > number]
            yield from template_tokens(item.items, present, repeated=many)
