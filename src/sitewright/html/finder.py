"""Many XPath expressions on one page, most of them from indexes that are made once.

An expression that starts at an id, a class or an element's own words is answered from there: the
rest of it runs on the few elements that the index names. The answer is that of the whole
expression, `select`, which all others get.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sitewright.html import dom
from sitewright.html.selection import Scope, Selected, select, select_with_elements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sitewright.html.dom import Element

Answer = TypeVar("Answer")
_LITERAL = r"(?:'[^']*'|\"[^\"]*\")"
_SAYS = rf"normalize-space\(\)={_LITERAL}"
_CLASS = r"contains\(concat\(' ', normalize-space\(@class\), ' '\), "
_WAY = re.compile(
    rf"(?P<open>\(?)//(?P<tag>[a-z][a-z0-9]*)\[(?:@id=(?P<id>{_LITERAL})"
    rf"|{_CLASS}(?P<cls>{_LITERAL})\)"
    rf"|text\(\)\[(?P<says>{_SAYS}(?: or {_SAYS})*)\])\](?P<rest>.*)",
    re.DOTALL,
)
_BESIDE = re.compile(
    rf"(?P<open>\(?)//(?P<tag>[a-z][a-z0-9]*)/(?P<text>text\(\)\[(?P<says>{_SAYS}"
    rf"(?: or {_SAYS})*)\])(?P<rest>/.*)",
    re.DOTALL,
)
_TURN = re.compile(r"(?P<rest>.*)\)\[(?:(?P<turn>\d+)|last\(\)(?P<back>-\d+)?)\]", re.DOTALL)
_INSIDE = re.compile(r"[\t\r\n]|  ")
_BLANK = re.compile(r"[ \t\r\n]+")


class _Way(NamedTuple):
    """An expression, taken apart."""

    tag: str
    kind: str
    """Which index names the elements to start from: id, class or words."""
    names: tuple[str, ...]
    rest: str
    turn: int | None
    """Which of all that is selected is meant, as Python counts; None for all."""


class Finder:
    """The page that expressions are asked of."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._indexes: dict[tuple[str, str], dict[str, list[Element]]] = {}

    def select(self, xpath: str) -> list[Selected]:
        """What `select` answers, as fast as the indexes allow."""
        return self._answer(xpath, select)

    def select_with_elements(self, xpath: str) -> list[tuple[Element, str]]:
        """What is selected, each with its element and its text as a reader sees it."""
        return self._answer(xpath, select_with_elements)

    def _answer(self, xpath: str, ask: Callable[[Scope, str], list[Answer]]) -> list[Answer]:
        way = _taken_apart(xpath)
        if way is None:
            return ask(self.scope, xpath)
        starts = self._starts(way)
        if len(starts) > 1 and _any_nested(starts):
            return ask(self.scope, xpath)
        found: list[Answer] = []
        for start in starts:
            found += ask(start, f".{way.rest}")
        if way.turn is None:
            return found
        inside = -len(found) <= way.turn < len(found)
        return [found[way.turn]] if inside else []

    def _starts(self, way: _Way) -> list[Element]:
        index = self._index(way.kind, way.tag)
        if len(way.names) == 1:
            return index.get(way.names[0], [])
        found = {id(one): one for name in way.names for one in index.get(name, [])}
        if len(found) < 2:
            return list(found.values())
        return [one for one in self.scope.select(way.tag) if id(one) in found]

    def _index(self, kind: str, tag: str) -> dict[str, list[Element]]:
        key = (kind, tag)
        if key not in self._indexes:
            index: dict[str, list[Element]] = defaultdict(list)
            for name, element in _NAMES[kind](self.scope, tag):
                if not index[name] or index[name][-1] is not element:
                    index[name].append(element)
            self._indexes[key] = index
        return self._indexes[key]


def _ids(scope: Scope, tag: str) -> Iterator[tuple[str, Element]]:
    return ((element.attr("id") or "", element) for element in scope.select(f"{tag}[id]"))


def _classes(scope: Scope, tag: str) -> Iterator[tuple[str, Element]]:
    for element in scope.select(f"{tag}[class]"):
        for name in _BLANK.split(element.attr("class") or ""):
            if name:
                yield name, element


def _words(scope: Scope, tag: str) -> Iterator[tuple[str, Element]]:
    for element, text in dom.located(scope, f"//{tag}/text()[normalize-space()]"):
        if isinstance(text, str):
            words = text.strip(" \t\r\n")
            yield (_BLANK.sub(" ", words) if _INSIDE.search(words) else words), element


_NAMES = {"id": _ids, "class": _classes, "words": _words}


def _any_nested(elements: list[Element]) -> bool:
    """Whether one of them stands in another; they come in document order."""
    before = elements[0]
    for element in elements[1:]:
        if any(up is before for up in element.ancestors):
            return True
        before = element
    return False


@lru_cache(maxsize=4096)
def _taken_apart(xpath: str) -> _Way | None:
    found = _WAY.fullmatch(xpath) or _BESIDE.fullmatch(xpath)
    if found is None or " | " in xpath:  # of a union, each part has a start of its own
        return None
    rest, turn = found["rest"], None
    if found["open"]:
        ended = _TURN.fullmatch(rest)
        if ended is None:
            return None
        rest = ended["rest"]
        turn = int(ended["turn"]) - 1 if ended["turn"] else int(ended["back"] or 0) - 1
    kind, names, before = _start(found)
    is_simple = names and (not rest or rest.startswith("/"))
    return _Way(found["tag"], kind, names, before + rest, turn) if is_simple else None


def _start(found: re.Match[str]) -> tuple[str, tuple[str, ...], str]:
    """The index that an expression starts from, the names in it, and a step from there."""
    parts = found.groupdict()
    if parts.get("id"):
        return "id", (parts["id"][1:-1],), ""
    if parts.get("cls"):
        name = parts["cls"][1:-1]
        is_one = name == f" {name.strip()} " and not _BLANK.search(name.strip())
        return "class", (name.strip(),) if is_one else (), ""
    words = tuple(word[1:-1] for word in re.findall(_LITERAL, parts["says"]))
    return "words", words, f"/{parts['text']}" if "text" in parts else ""
