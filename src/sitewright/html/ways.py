"""Expressions taken apart: a first step that an index answers, and the rest from there."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LITERAL = r"(?:'[^']*'|\"[^\"]*\")"
_SUBJECT = r"normalize-space\((?:translate\(\., '\u00a0', ' '\))?\)"
_SAYS = rf"{_SUBJECT}={_LITERAL}"
_SAID = rf"text\(\)\[(?P<says>{_SAYS}(?: or {_SAYS})*)\]"
_CLASS = r"contains\(concat\(' ', normalize-space\(@class\), ' '\), "
_TAG = r"(?P<open>\(?)(?P<here>\.?)//(?P<tag>[a-z][a-z0-9]*)"
_FORMS = (
    re.compile(
        rf"{_TAG}\[(?:@(?P<attribute>[a-z-]+)=(?P<value>{_LITERAL})|{_CLASS}(?P<cls>{_LITERAL})\))\]"
        r"(?:\[(?P<nth>\d+)\])?(?P<rest>(?:/.*)?)",
        re.DOTALL,
    ),
    re.compile(rf"{_TAG}\[{_SAID}\](?P<rest>(?:/.*)?)", re.DOTALL),
    re.compile(rf"{_TAG}(?P<rest>/{_SAID}/.*)", re.DOTALL),
)
_TURN = re.compile(r"(?P<rest>.*)\)\[(?:(?P<turn>\d+)|last\(\)(?P<back>-\d+)?)\]", re.DOTALL)
_QUOTABLE = re.compile(r"[^\"\\\x00-\x1f\x7f]+")


class Start(NamedTuple):
    """The elements that an expression starts from."""

    key: str
    """What the expression says of them."""
    tag: str
    attribute: str = ""
    """The attribute that names them; empty where one of their texts does."""
    names: tuple[str, ...] = ()
    """The value of the attribute, a class among others, or what the text says."""
    nth: int = 0
    """Which of the elements of one parent, from 1; 0 for all."""
    breaking: bool = False
    """Whether a no-break space in the text counts as a space."""

    def css(self) -> str:
        """A selector for them, and perhaps for more: it knows more white space than XPath."""
        relation = "~=" if self.attribute == "class" else "="
        return f'{self.tag}[{self.attribute}{relation}"{self.names[0]}"]'


class Way(NamedTuple):
    """An expression, taken apart."""

    key: str
    """The expression without its turn."""
    is_from_page: bool
    """Whether it means the page even when it is asked of an element."""
    start: Start
    rest: str
    """What is selected from an element of the start."""
    rest_of_all: str
    """What is selected from all of them, `$starts`: each once, in document order."""
    turn: int | None
    """Which of all that is selected is meant, as Python counts; None for all."""


@lru_cache(maxsize=4096)
def taken_apart(xpath: str) -> Way | None:
    """The way that an expression goes; None if it must be asked as a whole."""
    if " | " in xpath:  # each part of a union has a start of its own
        return None
    found = next(filter(None, (form.fullmatch(xpath) for form in _FORMS)), None)
    start = _start(found) if found else None
    if found is None or start is None:
        return None
    rest, turn = found["rest"], None
    if found["open"]:
        ended = _TURN.fullmatch(rest)
        if ended is None:
            return None
        rest = ended["rest"]
        turn = int(ended["turn"]) - 1 if ended["turn"] else int(ended["back"] or 0) - 1
    key, is_from_page = start.key + rest, not found["here"]
    return Way(key, is_from_page, start, f".{rest}", f"$starts{rest}", turn)


class Said(NamedTuple):
    """The words that some expressions start from, in elements with one tag."""

    words: frozenset[str]
    text: str
    """All of them in one."""


def said_by(expressions: Iterable[str]) -> Mapping[tuple[str, bool], Said]:
    """The words that expressions start from, by tag and by what a no-break space counts as."""
    found: dict[tuple[str, bool], set[str]] = {}
    for way in map(taken_apart, expressions):
        if way is not None and not way.start.attribute:
            start = way.start
            found.setdefault((start.tag, start.breaking), set()).update(start.names)
    return {key: Said(frozenset(words), "\n".join(sorted(words))) for key, words in found.items()}


def _start(found: re.Match[str]) -> Start | None:
    parts: dict[str, str | None] = found.groupdict()
    tag, key = found["tag"], found.string[found.end("here") : found.start("rest")]
    if says := parts.get("says"):
        names = tuple(word[1:-1] for word in re.findall(rf"=({_LITERAL})", says))
        subjects = set(re.findall(rf"({_SUBJECT})=", says))
        # Where the text is a step of its own, it stands in the rest.
        key = f"{key}[{says}]"
        breaking = "translate" in says
        return Start(key, tag, names=names, breaking=breaking) if len(subjects) == 1 else None
    nth = int(parts["nth"] or 0)
    if value := parts["value"]:
        attribute, name = parts["attribute"] or "", value[1:-1]
        is_simple = attribute != "class" and _QUOTABLE.fullmatch(name)
        return Start(key, tag, attribute, (name,), nth) if is_simple else None
    padded = (parts["cls"] or "")[1:-1]
    name = padded[1:-1]
    is_one = padded == f" {name} " and " " not in name and _QUOTABLE.fullmatch(name)
    return Start(key, tag, "class", (name,), nth) if is_one else None
