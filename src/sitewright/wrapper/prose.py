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


@dataclass(slots=True)
class _Held:
    """What stands in one element of a page."""

    leaves: int = 0
    known: int = 0
    words: int = 0
    recorded: int = 0
    paths: set[int] = field(default_factory=set)

    def take(self, other: _Held) -> None:
        """Count what stands in a part of it, too."""
        self.leaves += other.leaves
        self.known += other.known
        self.words += other.words
        self.recorded += other.recorded
        self.paths |= other.paths


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
        for element, held in self._held(reading, numbers).items():
            path = numbers[element]
            if self.paths.block(path) != path:
                continue  # prose is a block, or has a name
            one = self.inside[path]
            one.elements += 1
            one.pages.add(page)
            one.pieces[held.leaves] += 1
            one.paths.update(held.paths)
            one.leaves += held.leaves
            one.known += held.known
            one.words += held.words
            one.recorded += held.recorded
            self.tags[path] = reading.tags[element]
        within = _times_within_itself(reading, numbers)
        for leaf in reading.leaves:
            if leaf.part == TEXT:
                element = leaf.element
                block = self.paths.block(numbers[element])
                while numbers[element] != block:
                    element = reading.parents[element]
                self.inside[block].flowing += within[element]

    def _held(self, reading: Reading, numbers: list[int]) -> dict[int, _Held]:
        """What each element with texts holds."""
        found: dict[int, _Held] = defaultdict(_Held)
        for leaf in reading.leaves:
            if leaf.part == TEXT:
                self._hold(leaf, numbers[leaf.element], found[leaf.element])
        # Elements come before those in them: from the last one, each is whole when it is passed on.
        for element in range(len(numbers) - 1, -1, -1):
            if element in found:
                held = found[element]
                if numbers[element] in self.records:
                    held.recorded = held.leaves
                if reading.parents[element] >= 0:
                    found[reading.parents[element]].take(held)
        return found

    def _hold(self, leaf: Leaf, path: int, held: _Held) -> None:
        held.leaves += 1
        held.known += self.labels.is_label(path, leaf.text) or self.labels.is_constant(
            path, leaf.text
        )
        held.words += len(leaf.text.split())
        held.paths.add(path)


def _times_within_itself(reading: Reading, numbers: list[int]) -> list[int]:
    """How many of an element and those around it have its path: two if an id stands in itself."""
    still_open: list[int] = []
    times: Counter[int] = Counter()
    found: list[int] = []
    for element, parent in enumerate(reading.parents):
        while still_open and still_open[-1] != parent:
            times[numbers[still_open.pop()]] -= 1
        still_open.append(element)
        times[numbers[element]] += 1
        found.append(times[numbers[element]])
    return found


def with_prose(reading: Reading, numbers: list[int], prose: frozenset[int]) -> Reading:
    """The reading with one leaf for each piece of prose, in place of those inside it."""
    if not prose:
        return reading
    leaves: list[Leaf] = []
    outermost: list[int] = []
    for element, parent in enumerate(reading.parents):
        outer = outermost[parent] if parent >= 0 else -1
        outermost.append(element if outer < 0 and numbers[element] in prose else outer)
    last = -1
    for leaf in reading.leaves:
        around = outermost[leaf.element]
        if around < 0:
            leaves.append(leaf)
        elif leaf.part == TEXT:
            if around != last:
                last = around
                leaves.append(Leaf(last, ELEMENT, 0, text_of(reading.nodes[last])))
        elif around == leaf.element:
            leaves.append(leaf)
    return Reading(reading.url, reading.nodes, reading.parents, reading.tags, reading.nth, leaves)
