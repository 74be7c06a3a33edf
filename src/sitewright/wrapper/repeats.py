"""Repeated parts: siblings of one path that hold records alike in structure."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitewright.html.elements import INLINE
from sitewright.wrapper.labels import is_separator
from sitewright.wrapper.reading import WORDS
from sitewright.wrapper.shapes import Shape, overlap, shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.wrapper.labels import Labels
    from sitewright.wrapper.reading import Reading

_ALIKE = 0.55
_CONSTANT = 0.6
_LABELLED = 0.4
_OFTEN = 0.25
_INNER = 0.7
_STEADY = 0.8
_FEW = 12
_SAME = 0.6
_NEVER = frozenset({"td", "th", "br", "option", "body", "tbody", "thead", "tfoot", "font", "b"})


@dataclass(slots=True)
class _Rows:
    """What is known of the siblings of one path, over all pages."""

    sizes: list[int] = field(default_factory=list)
    rows: int = 0
    texts: int = 0
    constant: int = 0
    labelled: int = 0
    later: int = 0
    """Rows that are not the first of their kind beside each other."""
    paths: Counter[int] = field(default_factory=Counter)
    above: set[int] = field(default_factory=set)
    by_turn: dict[int, Counter[Shape]] = field(default_factory=lambda: defaultdict(Counter))
    """The shapes of the first texts of rows, by the place of the row among its siblings."""

    def are_told_by_place(self) -> bool:
        """Whether all pages have as many rows, and what stands in them depends on their place."""
        several = [size for size in self.sizes if size > 1]
        steady = Counter(several).most_common(1)[0][1] if several else 0
        if steady < _STEADY * len(self.sizes) or len(self.by_turn) > _FEW:
            return False
        everything: Counter[Shape] = Counter()
        for shapes in self.by_turn.values():
            everything.update(shapes)
        alike = sum(
            shapes.total() * overlap(shapes, everything) for shapes in self.by_turn.values()
        )
        return alike < _SAME * everything.total()

    def alike(self) -> float:
        """How much of a row's structure the other rows have, in the mean."""
        held = sum(self.paths.values())
        return sum(count * count for count in self.paths.values()) / max(held * self.rows, 1)


def repeated_paths(
    readings: Sequence[Reading],
    paths: Sequence[list[int]],
    labels: Labels,
    governing: Sequence[list[int]],
) -> frozenset[int]:
    """The paths whose elements are records: list items, table rows, cards."""
    counts = _Counts(labels)
    for reading, numbers, governors in zip(readings, paths, governing, strict=True):
        counts.add(reading, numbers, governors)
    found = counts.found
    valid = {
        path for path, rows in found.items() if counts.tags.get(path) not in _NEVER and _holds(rows)
    }
    return frozenset(path for path in valid if not _is_within(path, valid, found))


def _holds(rows: _Rows) -> bool:
    several = [size for size in rows.sizes if size > 1]
    return (
        len(several) >= max(1, _OFTEN * len(rows.sizes))
        and max(rows.sizes) > 2
        and rows.texts > 0
        and rows.constant < _CONSTANT * rows.texts
        and rows.labelled < _LABELLED * max(rows.later, 1)
        and rows.alike() >= _ALIKE
        and not rows.are_told_by_place()
    )


def _is_within(path: int, valid: set[int], found: dict[int, _Rows]) -> bool:
    """Whether a record around it, or one that holds nearly all of it, is the better one."""
    mine = found[path]
    for outer in mine.above & valid:
        if not _is_mere_container(outer, path, found):
            return True
    return any(
        _is_mere_container(path, inner, found) for inner in valid if path in found[inner].above
    )


def _is_mere_container(outer: int, inner: int, found: dict[int, _Rows]) -> bool:
    return (
        found[inner].texts >= _INNER * found[outer].texts
        and found[inner].rows >= 3 * found[outer].rows
    )


@dataclass(slots=True)
class _Inside:
    """What stands in one element of a page."""

    first: int
    """The place of its first text."""
    texts: int
    constant: int
    paths: set[int]

    def take(self, other: _Inside) -> None:
        """Count what stands in a part of it, too."""
        self.first = min(self.first, other.first)
        self.texts += other.texts
        self.constant += other.constant
        self.paths |= other.paths

    def copy(self) -> _Inside:
        """The same for the element around it."""
        return _Inside(self.first, self.texts, self.constant, set(self.paths))


class _Counts:
    """Counts siblings and what they hold, page by page."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.found: dict[int, _Rows] = defaultdict(_Rows)
        self.tags: dict[int, str] = {}
        self._chains: dict[tuple[int, int], int] = {}
        self._seen: set[tuple[int, int]] = set()

    def add(self, reading: Reading, numbers: list[int], governors: list[int]) -> None:
        """Count one page."""
        turns = _turns(reading, numbers)
        held = self._hold(reading, numbers, turns)
        labelled = self._labelled(reading, numbers, governors)
        chains = self._chains_of(reading, numbers)
        for (parent, path), size in Counter(zip(reading.parents, numbers, strict=True)).items():
            self.found[path].sizes.append(size)
            if parent >= 0 and (chains[parent], path) not in self._seen:
                self._seen.add((chains[parent], path))
                self.found[path].above.update(numbers[up] for up in reading.ancestry(parent))
        for element, inner in held.items():
            rows = self.found[numbers[element]]
            rows.rows += 1
            rows.labelled += labelled.get(element, False) or (
                element in labelled and turns[element] > 0
            )
            rows.later += turns[element] > 0
            rows.paths.update(inner)
            self.tags[numbers[element]] = reading.tags[element]

    def _chains_of(self, reading: Reading, numbers: list[int]) -> list[int]:
        """A number for the paths of all elements around each element and its own."""
        chains: list[int] = []
        for parent, path in zip(reading.parents, numbers, strict=True):
            key = (chains[parent] if parent >= 0 else -1, path)
            chains.append(self._chains.setdefault(key, len(self._chains)))
        return chains

    def _hold(self, reading: Reading, numbers: list[int], turns: list[int]) -> dict[int, set[int]]:
        """For each element the paths of the texts in it; from its first text inwards out."""
        inside = self._inside(reading, numbers)
        for element, one in inside.items():
            rows = self.found[numbers[element]]
            rows.by_turn[turns[element]][shape(reading.leaves[one.first].text)] += 1
            rows.texts += one.texts
            rows.constant += one.constant
        return {element: one.paths for element, one in inside.items()}

    def _inside(self, reading: Reading, numbers: list[int]) -> dict[int, _Inside]:
        """What stands in each element that holds texts, in the order that a reader meets them."""
        inside: dict[int, _Inside] = {}
        for place, leaf in enumerate(reading.leaves):
            if leaf.part in WORDS and not is_separator(leaf.text):
                path = numbers[leaf.element]
                is_constant = self.labels.is_constant(path, leaf.text)
                own = _Inside(place, 1, int(is_constant), {numbers[_block(reading, leaf.element)]})
                if leaf.element in inside:
                    inside[leaf.element].take(own)
                else:
                    inside[leaf.element] = own
        # Elements come before those in them: from the last one, each is whole when it is passed on.
        for element in range(len(numbers) - 1, -1, -1):
            parent = reading.parents[element]
            if element in inside and parent >= 0:
                if parent in inside:
                    inside[parent].take(inside[element])
                else:
                    inside[parent] = inside[element].copy()
        order = sorted(inside, key=lambda element: (inside[element].first, -element))
        return {element: inside[element] for element in order}

    def _labelled(
        self, reading: Reading, numbers: list[int], governors: list[int]
    ) -> dict[int, bool]:
        """The elements with a label: whether it stands inside them, not right before them."""
        labelled: dict[int, bool] = {}
        before = -1
        for place, leaf in enumerate(reading.leaves):
            if leaf.part not in WORDS or is_separator(leaf.text):
                continue
            if self.labels.is_label(numbers[leaf.element], leaf.text):
                labelled.update(dict.fromkeys(reading.ancestry(leaf.element), True))
            elif before >= 0 and governors[place] == before:
                outer = reading.meeting(reading.leaves[before].element, leaf.element)
                for up in reading.ancestry(leaf.element):
                    if up > outer:
                        labelled.setdefault(up, False)
            before = place
        return labelled


def _block(reading: Reading, element: int) -> int:
    """The element that a text flows in: tags inside a sentence are the author's."""
    while reading.tags[element] in INLINE and reading.parents[element] >= 0:
        element = reading.parents[element]
    return element


def _turns(reading: Reading, numbers: list[int]) -> list[int]:
    """The place of each element among its siblings of one path, from 0.

    A label before the first may be a heading above all of them.
    """
    seen: Counter[tuple[int, int]] = Counter()
    turns: list[int] = []
    for place in zip(reading.parents, numbers, strict=True):
        turns.append(seen[place])
        seen[place] += 1
    return turns
