"""Prose: elements whose inner structure is the author's, not the template's.

A paragraph with links in it, or a description with its own lists and headings, is one value: the
text of the element. It is told by what varies: the number of pieces of a paragraph, or the whole
structure inside a container.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitewright.html.selection import text_of
from sitewright.wrapper.reading import ELEMENT, TEXT, Leaf, Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.wrapper.labels import Labels
    from sitewright.wrapper.structure import Paths

_UNLIKE = 0.5
_LONG = 40
_WORDY = 8
_UNSTEADY = 0.15
_NAMED = 0.2
_OFTEN = 0.1
_FLOWING = 0.5
_NEVER = frozenset({"body", "tr", "tbody", "table", "dl", "form", "head", "title"})


@dataclass(slots=True)
class _Inside:
    """What stands in the elements of one path, over all pages."""

    elements: int = 0
    pages: set[int] = field(default_factory=set)
    words: int = 0
    leaves: int = 0
    known: int = 0
    pieces: Counter[int] = field(default_factory=Counter)
    recorded: int = 0
    """Leaves that stand in records."""
    flowing: int = 0
    """Leaves that stand in no block inside."""
    paths: Counter[int] = field(default_factory=Counter)

    def alike(self) -> float:
        """How much of an element's structure the others have, in the mean."""
        held = sum(self.paths.values())
        return sum(count * count for count in self.paths.values()) / max(held * self.elements, 1)

    def is_prose(self, pages: int) -> bool:
        """Whether the structure inside is the author's."""
        if len(self.pages) < max(2, _OFTEN * pages) or self.known > _NAMED * self.leaves:
            return False
        if 2 * self.recorded > self.leaves:
            return False
        unsteady = self.elements - max(self.pieces.values())
        if self.flowing >= _FLOWING * self.leaves:
            wordy = self.words >= _WORDY * self.elements
            return wordy and unsteady >= _UNSTEADY * self.elements
        return self.words >= _LONG * self.elements and self.alike() < _UNLIKE


def prose_paths(
    readings: Sequence[Reading],
    numbers: Sequence[list[int]],
    paths: Paths,
    labels: Labels,
    records: frozenset[int],
) -> frozenset[int]:
    """The paths of the elements that hold prose; what is mostly records is none."""
    look = _Look(paths, labels, records)
    for page, (reading, path) in enumerate(zip(readings, numbers, strict=True)):
        look.at(page, reading, path)
    return frozenset(
        path
        for path, held in look.inside.items()
        if look.tags[path] not in _NEVER and held.is_prose(len(readings))
    )


class _Look:
    """Looks into elements, page by page."""

    def __init__(self, paths: Paths, labels: Labels, records: frozenset[int]) -> None:
        self.records = records
        self.paths = paths
        self.labels = labels
        self.inside: dict[int, _Inside] = defaultdict(_Inside)
        self.tags: dict[int, str] = {}

    def at(self, page: int, reading: Reading, numbers: list[int]) -> None:
        """Look at one page."""
        held: dict[int, list[int]] = defaultdict(list)
        for leaf in reading.leaves:
            if leaf.part == TEXT:
                self._hold(leaf, reading, numbers, held)
        for element, found in held.items():
            one = self.inside[numbers[element]]
            one.elements += 1
            one.pages.add(page)
            one.pieces[len(found)] += 1
            one.paths.update(set(found))
            self.tags[numbers[element]] = reading.tags[element]

    def _hold(
        self, leaf: Leaf, reading: Reading, numbers: list[int], held: dict[int, list[int]]
    ) -> None:
        path = numbers[leaf.element]
        known = self.labels.is_label(path, leaf.text) or self.labels.is_constant(path, leaf.text)
        words = len(leaf.text.split())
        block = self.paths.block(path)
        in_record = False
        for element in reading.ancestry(leaf.element):
            around = numbers[element]
            in_record = in_record or around in self.records
            if self.paths.block(around) != around:
                continue  # prose is a block, or has a name
            one = self.inside[around]
            one.recorded += in_record
            one.leaves += 1
            one.known += known
            one.words += words
            one.flowing += block == around
            held[element].append(path)


def with_prose(reading: Reading, numbers: list[int], prose: frozenset[int]) -> Reading:
    """The reading with one leaf for each piece of prose, in place of those inside it."""
    if not prose:
        return reading
    leaves: list[Leaf] = []
    last = -1
    for leaf in reading.leaves:
        around = [up for up in reading.ancestry(leaf.element) if numbers[up] in prose]
        if not around:
            leaves.append(leaf)
        elif leaf.part == TEXT:
            if around[-1] != last:
                last = around[-1]
                leaves.append(Leaf(last, ELEMENT, 0, text_of(reading.nodes[last])))
        elif around[0] == leaf.element and len(around) == 1:
            leaves.append(leaf)
    return Reading(reading.url, reading.nodes, reading.parents, reading.tags, reading.nth, leaves)
