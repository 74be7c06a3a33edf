"""Python source of plain data: safe whatever the texts in it are, and laid out as ruff does.

Texts of pages become string literals here and nothing else: this is the one door between what a
page says and the code of a project.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TypeAlias

WIDTH = 100
_INDENT = 4
_RAW_SAFE = re.compile(r"(?:[ !#-\[\]-~]|\\[ !#-~])*")


@dataclass(frozen=True, slots=True)
class Name:
    """A name of the project's own making."""

    text: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression: a raw string where that says the same."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of the project's own names."""

    function: str
    arguments: tuple[Expression, ...] = ()
    keywords: dict[str, Expression] = field(default_factory=dict)


Expression: TypeAlias = "str | bool | Name | Pattern | Call | tuple[Expression, ...]"


def source(value: Expression, indent: int = 0, before: int = 0, behind: int = 0) -> str:
    """The value as Python source, on one line if it fits between what stands on both sides."""
    line = _inline(value)
    taken = indent + before + _width(line) + behind
    if taken <= WIDTH or not isinstance(value, (Call, tuple)):
        return line
    opening = "(" if isinstance(value, tuple) else f"{value.function}("
    inner = indent + _INDENT
    lines = [
        f"{' ' * inner}{key}{source(item, inner, len(key), 1)},\n" for key, item in _parts(value)
    ]
    return f"{opening}\n{''.join(lines)}{' ' * indent})" if lines else line


def assignment(target: str, value: Expression, indent: int = 0) -> str:
    """A line, or some, that give a name its value."""
    space, before = " " * indent, len(target) + 3
    written = source(value, indent, before)
    fits = indent + before + _width(written) <= WIDTH
    fits_alone = indent + _INDENT + _width(written) <= WIDTH
    if isinstance(value, str) and fits_alone and not fits:
        written = f"(\n{space}{' ' * _INDENT}{written}\n{space})"
    return f"{space}{target} = {written}\n"


def literal(text: str) -> str:
    """A string literal with the quotes that need fewer escapes, double ones if it is all the same.

    >>> print(literal("it's"), literal('"x"'))
    "it's" '"x"'
    """
    quote = "'" if text.count('"') > text.count("'") else '"'
    # Together with the other quote, repr escapes neither of them.
    inner = repr(text + "\"'")[1:-1].removesuffix("\"\\'").replace("\\'", "'")
    return quote + inner.replace(quote, "\\" + quote) + quote


def pattern_literal(text: str) -> str:
    """A raw string, unless some character of the expression cannot stand in one."""
    return f'r"{text}"' if "\\" in text and _RAW_SAFE.fullmatch(text) else literal(text)


def comment(text: str) -> str:
    """A comment of one line, whatever the text is."""
    return "# " + "".join(c if c.isprintable() else "\ufffd" for c in text).rstrip()


def _inline(value: Expression) -> str:
    match value:
        case str():
            return literal(value)
        case Pattern(text):
            return pattern_literal(text)
        case Name(text):
            return text
        case Call() | tuple():
            inner = ", ".join(key + _inline(item) for key, item in _parts(value))
            if isinstance(value, Call):
                return f"{value.function}({inner})"
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        case _:
            return repr(value)


def _parts(value: Call | tuple[Expression, ...]) -> list[tuple[str, Expression]]:
    if isinstance(value, tuple):
        return [("", item) for item in value]
    keywords = [(f"{name}=", item) for name, item in value.keywords.items()]
    return [*(("", item) for item in value.arguments), *keywords]


def _width(line: str) -> int:
    """Columns of a terminal, as formatters count them."""
    if line.isascii():
        return len(line)
    return sum(map(_columns, line))


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
