"""Which leaves a label names: those of its row behind it, or the one before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.wrapper.labels import TABLE_PARTS, ends_in_colon, is_separator
from sitewright.wrapper.reading import WORDS

if TYPE_CHECKING:
    from sitewright.wrapper.labels import Labels
    from sitewright.wrapper.reading import Leaf, Reading
    from sitewright.wrapper.structure import Paths

_SMALL_ROWS = frozenset({"tr", "li", "p", "div", "span", "a"})
_UP = 2
_DOWN = 5
_CELLS = frozenset({"td", "th"})


def governors(reading: Reading, numbers: list[int], labels: Labels, paths: Paths) -> list[int]:
    """For each leaf its label, as a place in `reading.leaves`; -1 where there is none.

    A label reaches as far as its row: up to the next label or constant text, and no further out
    than a few elements around it. Where a row ends in its label, it names what stands before it.
    """
    governing: list[int] = []
    current = before = within = -1
    behind = _labels_behind(reading, numbers, labels)
    values = {label: value for value, label in behind.items()}
    for place, leaf in enumerate(reading.leaves):
        if leaf.part in WORDS and not is_separator(leaf.text):
            path = numbers[leaf.element]
            if labels.is_label(path, leaf.text):
                current = before = place
                within = -1
                if place in values and not _governs_on(reading, place, values[place]):
                    current = -1
                governing.append(-1)
                continue
            if labels.is_constant(path, leaf.text) and current != before:
                current = -1
            before = place
        if current >= 0 and not (
            reading.meeting(within, leaf.element) == within
            and _reaches(reading, numbers, paths, current, leaf)
        ):
            current = -1
        if current >= 0 and leaf.part in WORDS and within < 0:
            within = reading.meeting(reading.leaves[current].element, leaf.element)
        nearer = behind.get(place, -1)
        is_sure = current >= 0 and ends_in_colon(reading.leaves[current].text)
        governing.append(nearer if nearer >= 0 and not is_sure else current)
    return governing


def _labels_behind(reading: Reading, numbers: list[int], labels: Labels) -> dict[int, int]:
    """For the value of a row whose label comes behind it, the place of that label.

    Such a row holds just the two (`<li><b>3</b> <span>goals</span></li>`), or it is a row of a
    table whose label stands between two values.
    """
    words = [
        place
        for place, leaf in enumerate(reading.leaves)
        if leaf.part in WORDS and not is_separator(leaf.text)
    ]
    found: dict[int, int] = {}
    for turn in range(1, len(words)):
        value, label = reading.leaves[words[turn - 1]], reading.leaves[words[turn]]
        if not labels.is_label(numbers[label.element], label.text) or ends_in_colon(label.text):
            continue
        if labels.is_label(numbers[value.element], value.text):
            continue
        row = reading.meeting(value.element, label.element)
        if row < 0 or reading.tags[row] not in _SMALL_ROWS:
            continue
        is_first = turn == 1 or not _is_inside(reading, words[turn - 2], row)
        is_last = turn + 1 == len(words) or not _is_inside(reading, words[turn + 1], row)
        if is_first and (is_last or reading.tags[row] == "tr"):
            found[words[turn - 1]] = words[turn]
    return found


def _governs_on(reading: Reading, label: int, value: int) -> bool:
    """Whether a label behind a value has a value of its row behind it, too."""
    row = reading.meeting(reading.leaves[value].element, reading.leaves[label].element)
    for place in range(label + 1, len(reading.leaves)):
        leaf = reading.leaves[place]
        if leaf.part in WORDS and not is_separator(leaf.text):
            return _is_inside(reading, place, row)
    return False


def _is_inside(reading: Reading, place: int, element: int) -> bool:
    return reading.meeting(reading.leaves[place].element, element) == element


def _reaches(reading: Reading, numbers: list[int], paths: Paths, label: int, leaf: Leaf) -> bool:
    """Whether a label is near enough to a leaf behind it to name it."""
    start, end = reading.leaves[label].element, leaf.element
    meeting = reading.meeting(start, end)
    if meeting < 0 or _steps(reading, end, meeting) > _DOWN:
        return False
    while start > meeting and paths.block(numbers[start]) != numbers[start]:
        start = reading.parents[start]
    if _steps(reading, start, meeting) > _UP:
        return False
    # The last name in a row of names is no label of what stands in the next row.
    crosses = reading.tags[meeting] in TABLE_PARTS and reading.tags[start] in _CELLS
    return not crosses or not _is_in_company(reading, label)


def _is_in_company(reading: Reading, label: int) -> bool:
    """Whether another cell of the label's row holds words."""
    cell = next(
        up for up in reading.ancestry(reading.leaves[label].element) if reading.tags[up] in _CELLS
    )
    row = reading.parents[cell]
    for direction in (-1, 1):
        place = label + direction
        while 0 <= place < len(reading.leaves):
            other = reading.leaves[place]
            if reading.meeting(row, other.element) != row:
                break
            if other.part in WORDS and reading.meeting(cell, other.element) != cell:
                return True
            place += direction
    return False


def _steps(reading: Reading, element: int, outer: int) -> int:
    steps = 0
    while element != outer:
        element = reading.parents[element]
        steps += 1
    return steps
