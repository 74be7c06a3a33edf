"""XPath, written: steps, predicates and literals that libxml2 and a browser's tree both take."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sitewright.wrapper.structure import Label

WORDS = "text()[normalize-space()]"
"""The texts of an element that hold more than white space."""
LETTERS = "text()[normalize-space(translate(., ',.|-:;/()<>&\u2022\xb7\u2013\u2014', ''))]"
"""The texts of an element that hold more than punctuation."""
_LONGEST = 1_000
"""A longer expression is one that nobody can read."""
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What libxml2 takes in no expression; names and labels of broken pages hold it."""
_NO_BREAK = "\u00a0"


def is_writable(xpath: str) -> bool:
    """Whether people can read an expression, and libxml2 takes it."""
    return len(xpath) <= _LONGEST and not _NOT_XML.search(xpath)


def literal(text: str) -> str:
    """A string in XPath, which knows no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    pieces = text.split("'")
    return "concat(" + ', "\'", '.join(f"'{piece}'" for piece in pieces) + ")"


def step(label: Label, *, cell: bool = True) -> str:
    """A step to an element with what names it."""
    return label.tag + "".join(predicates(label, cell=cell))


def predicates(label: Label, *, cell: bool = True) -> Iterable[str]:
    """The conditions that say which element a label means."""
    if label.id:
        yield f"[@id={literal(label.id)}]"
    elif label.classes:
        yield has_class(label.classes[0])
    if label.named[0]:
        yield f"[@{label.named[0]}={literal(label.named[1])}]"
    if label.cell and cell:
        yield f"[{label.cell}]"


def has_class(name: str) -> str:
    """A condition that holds whatever other classes the element has."""
    return f"[contains(concat(' ', normalize-space(@class), ' '), {literal(f' {name} ')})]"


def says(texts: Sequence[str], *, breaking: bool = False) -> str:
    """A condition on the text of a node: that it is one of these, white space aside."""
    subject = "normalize-space()"
    if breaking:
        subject = f"normalize-space(translate(., '{_NO_BREAK}', ' '))"
    return "[" + " or ".join(f"{subject}={literal(text)}" for text in texts) + "]"


def begins(text: str) -> str:
    """A condition on the beginning of a text."""
    return f"[starts-with(normalize-space(), {literal(text)})]"
