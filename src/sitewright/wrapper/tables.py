"""Tables of one form with different titles on a page: `Home` and `Away` are two record sets."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sitewright.wrapper.reading import WORDS

if TYPE_CHECKING:
    from sitewright.wrapper.reading import Reading
    from sitewright.wrapper.view import View

Rows: TypeAlias = dict[int, list[int]]
"""For each page the elements that are records."""
_FEWEST, _MOST = 2, 4
_ALWAYS = 0.8
_BODIES = frozenset({"tbody", "thead", "tfoot"})


class Part(NamedTuple):
    """Records of one form that belong together."""

    path: int
    rows: Rows
    container: int = -1
    """The path of the element that holds them, if there are several and this is one of them."""
    turn: int = 0
    """Which one, from 1."""


def parts(view: View, path: int, rows: Rows) -> list[Part]:
    """One part, or one for each of the containers that say different things on all pages."""
    held = {page: _by_container(view.readings[page], places) for page, places in rows.items()}
    counts = {len(containers) for containers in held.values()}
    if len(counts) != 1 or not _FEWEST <= next(iter(counts)) <= _MOST:
        return [Part(path, rows)]
    said = [_said(view, held, turn) for turn in range(next(iter(counts)))]
    if not all(said) or len(set(said)) < len(said):
        return [Part(path, rows)]
    found: list[Part] = []
    for turn in range(len(said)):
        own = {page: list(containers.values())[turn] for page, containers in held.items()}
        page, containers = next(iter(held.items()))
        container = list(containers)[turn]
        found.append(Part(path, own, view.numbers[page][container], turn + 1))
    return found


def _by_container(reading: Reading, rows: list[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        container = reading.parents[row]
        if container >= 0 and reading.tags[container] in _BODIES:
            container = reading.parents[container]
        found[container].append(row)
    return found


def _said(view: View, held: dict[int, dict[int, list[int]]], turn: int) -> frozenset[str]:
    """The words around the rows of a container that (nearly) all pages have there."""
    pages: dict[str, int] = defaultdict(int)
    for page, containers in held.items():
        reading = view.readings[page]
        container, rows = list(containers.items())[turn]
        for text in _words(reading, container, rows):
            pages[text] += 1
    return frozenset(text for text, count in pages.items() if count >= _ALWAYS * len(held))


def _words(reading: Reading, container: int, rows: list[int]) -> set[str]:
    first = rows[0]
    return {
        leaf.text
        for leaf in reading.leaves
        if leaf.part in WORDS
        and container < leaf.element < first
        and reading.meeting(container, leaf.element) == container
    }
