"""The structure that the pages of a class share: which names count, and a path for each element.

A path is a number for the labels from the root to an element. A label is the tag with the id and
the classes that name a part of the page; names that only one page has, that count siblings
(`row-17`) or that tell a state (`odd`, `active`) are no part of it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sitewright.html.elements import INLINE, SAYING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sitewright.html import dom
    from sitewright.wrapper.reading import Reading

_STATE = re.compile(
    r"(?:.*[-_])?(?:odd|even|first|last|alt|alternate|active|current|selected|on|off|hover|open"
    r"|closed|hidden|visible|expanded|collapsed|left|right|clear|clearfix|cf)(?:row|item)?"
    r"|(?:.*[-_])?(?:odd|even)(?:[-_].*)?",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_CELLS = ("td", "th")
_SIBLINGS = 3
_SHARED = 0.1
_LONGEST = 100
"""What is longer is no name."""


@dataclass(frozen=True, slots=True)
class Names:
    """The ids and classes that count, as they are written in pages."""

    ids: frozenset[str]
    classes: frozenset[str]

    def of(self, node: dom.Element) -> tuple[str, tuple[str, ...]]:
        """The id and the classes of an element that count."""
        name = node.attr("id") or ""
        classes = sorted(set((node.attr("class") or "").split()) & self.classes)
        return (name if name in self.ids else ""), tuple(classes)


class Label(NamedTuple):
    """What of an element counts when two paths are compared."""

    tag: str
    id: str = ""
    classes: tuple[str, ...] = ()
    cell: int = 0
    """The place of a table cell in its row, from 1; 0 for other elements."""
    named: tuple[str, str] = ("", "")
    """The attribute that says what a `<meta>` or `<link>` is of, and what it says."""


@dataclass(slots=True)
class Paths:
    """Numbers for paths: the same path has the same number in every page."""

    names: Names
    labels: list[tuple[int, Label]] = field(default_factory=list)
    """For each path, the one around it and its own label."""
    _numbers: dict[tuple[int, Label], int] = field(default_factory=dict)
    _blocks: list[int] = field(default_factory=list)

    def number(self, around: int, label: Label) -> int:
        """The number of a path."""
        key = (around, label)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.labels)
            self.labels.append(key)
            is_inline = label in _NAMELESS and around >= 0
            self._blocks.append(self._blocks[around] if is_inline else found)
        return found

    def of(self, reading: Reading) -> list[int]:
        """The path of each element of a page; table cells are told apart by their place."""
        paths: list[int] = []
        for element, parent in enumerate(reading.parents):
            label = self._label(reading, element)
            # An id names its element wherever it stands.
            around = paths[parent] if parent >= 0 and not label.id else -1
            paths.append(self.number(around, label))
        return paths

    def steps(self, path: int) -> list[Label]:
        """The labels of a path, from the outermost."""
        found: list[Label] = []
        while path >= 0:
            path, label = self.labels[path]
            found.append(label)
        return found[::-1]

    def block(self, path: int) -> int:
        """The path without the nameless inline elements at its end: `td` for `td/font/a`."""
        return self._blocks[path]

    def bare(self, path: int) -> int:
        """The path without the classes of its last element: `td` for `td.odd`."""
        around, label = self.labels[path]
        plain = label._replace(classes=())
        return path if plain == label else self.number(around, plain)

    def _label(self, reading: Reading, element: int) -> Label:
        tag, node = reading.tags[element], reading.nodes[element]
        for name in _SAYING.get(tag, ()):
            if says := node.attr(name):
                return Label(tag, named=(name, says))
        name, classes = self.names.of(node)
        return Label(tag, name, classes, reading.nth[element] if tag in _CELLS else 0)


_NAMELESS = frozenset(map(Label, INLINE - SAYING))
_SAYING = {"meta": ("property", "name", "itemprop", "http-equiv"), "link": ("rel", "itemprop")}


def shared_names(readings: Sequence[Reading], *, ids_count: bool = True) -> Names:
    """The ids and classes that name parts of these pages."""
    ids: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    counted: set[str] = set()
    for reading in readings:
        mine = [node.attr("id") or "" for node in reading.nodes]
        theirs = [(node.attr("class") or "").split() for node in reading.nodes]
        ids.update(set(mine))
        classes.update({name for names in theirs for name in names})
        counted |= _counting(reading, mine)
        counted |= _counting(reading, [names[0] if names else "" for names in theirs])
    enough = max(min(2, len(readings)), _SHARED * len(readings))
    return Names(
        frozenset(_lasting(ids, enough) - counted) if ids_count else frozenset(),
        frozenset(
            name for name in _lasting(classes, enough) - counted if not _STATE.fullmatch(name)
        ),
    )


def _lasting(counts: Counter[str], enough: float) -> set[str]:
    return {name for name, count in counts.items() if count >= enough and 0 < len(name) <= _LONGEST}


def _counting(reading: Reading, names: Iterable[str]) -> set[str]:
    """The names that number elements of one kind: alike but for their digits."""
    families: dict[tuple[str, str], set[str]] = {}
    for tag, name in zip(reading.tags, names, strict=True):
        if name and any(map(str.isdigit, name)):
            families.setdefault((tag, _DIGITS.sub("0", name)), set()).add(name)
    return {name for family in families.values() if len(family) >= _SIBLINGS for name in family}
