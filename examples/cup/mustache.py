"""A small part of Mustache, strict, which knows its own template tokens.

``{{x}}`` is a value, escaped; ``{{{x}}}`` a value as it is; ``{{#x}}...{{/x}}`` a section, repeated
for each row of a list, present once for a mapping or anything true; ``{{^x}}...{{/x}}`` the
inverted section; ``{{>x}}`` a partial; ``[[x]]`` a constant of the page class, which is template
like the text around it. A section's body sees its own row and nothing outside of it, and a value
that is missing is an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

View = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a value."""

    name: str
    raw: bool


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a template that is optional or repeated."""

    name: str
    inverted: bool
    body: tuple[Node, ...]


Node = str | Slot | Section

_PARTIAL = re.compile(r"\{\{>([\w-]+)\}\}")
_CONSTANT = re.compile(r"\[\[([\w-]+)\]\]")
_ALONE = re.compile(r"^[ \t]*(\{\{[#^/>][\w-]+\}\})[ \t]*\n", re.MULTILINE)
_TAG = re.compile(r"\{\{\{([\w.-]+)\}\}\}|\{\{([#^/]?)([\w.-]+)\}\}")


def parse(text: str, partials: Mapping[str, str], constants: Mapping[str, str]) -> tuple[Node, ...]:
    """Read a template, with its partials and constants written in."""
    while _PARTIAL.search(text):
        text = _PARTIAL.sub(lambda mark: partials[mark[1]], _ALONE.sub(r"\1", text))
    text = _CONSTANT.sub(lambda mark: constants[mark[1]], text)
    return _nodes(_ALONE.sub(r"\1", text))


def _nodes(text: str) -> tuple[Node, ...]:
    stack: list[tuple[str, bool, list[Node]]] = [("", False, [])]
    end = 0
    for mark in _TAG.finditer(text):
        if mark.start() > end:
            stack[-1][2].append(text[end : mark.start()])
        end = mark.end()
        raw, sign, name = mark.groups()
        if raw:
            stack[-1][2].append(Slot(raw, raw=True))
        elif not sign:
            stack[-1][2].append(Slot(name, raw=False))
        elif sign != "/":
            stack.append((name, sign == "^", []))
        else:
            opened, inverted, body = stack.pop()
            if opened != name:
                raise ValueError(f"section {opened!r} is closed by {name!r}")
            stack[-1][2].append(Section(name, inverted, tuple(body)))
    if len(stack) > 1:
        raise ValueError(f"section {stack[-1][0]!r} is never closed")
    return (*stack[0][2], text[end:])


def rows(section: Section, view: View) -> Sequence[View]:
    """Give the views with which the section's body is rendered: none, one or many."""
    value = view.get(section.name)
    if section.inverted:
        return () if value else (view,)
    if isinstance(value, (list, tuple)):
        return [row if isinstance(row, dict) else {".": row} for row in value]
    if isinstance(value, dict):
        return (value,)
    return (view,) if value else ()


def render(nodes: Sequence[Node], view: View) -> str:
    """Fill the template with the view's values."""
    pieces: list[str] = []
    _render(nodes, view, pieces)
    return "".join(pieces)


def _render(nodes: Sequence[Node], view: View, pieces: list[str]) -> None:
    for node in nodes:
        if isinstance(node, str):
            pieces.append(node)
        elif isinstance(node, Slot):
            value = str(view[node.name])
            pieces.append(value if node.raw else escape(value))
        else:
            for row in rows(node, view):
                _render(node.body, row, pieces)
