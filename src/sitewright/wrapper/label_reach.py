"""Which leaves a label names: those of its row behind it, or the one before it."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from sitewright.page.elements import INLINE
from sitewright.page.page_index import text_of
from sitewright.settings import current
from sitewright.wrapper.labels import (
    CELLS,
    JOINTS,
    TABLE_PARTS,
    Labels,
    ends_in_colon,
    is_separator,
    label_name,
)
from sitewright.wrapper.pages import ELEMENT, TEXT, WORDS, Leaf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.wrapper.pages import FlatPage, Paths


_SMALL_ROWS = frozenset({"tr", "li", "p", "div", "span", "a"})
_LEVELS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_IN_HEADING = 3
_Labelled: TypeAlias = tuple[int, str, int]
"""The path of a label, what it says, and the path of the element beside it."""


def labels_of_leaves(
    reading: FlatPage, numbers: list[int], labels: Labels, paths: Paths
) -> list[int]:
    """For each leaf its label, as a place in `reading.leaves`; -1 where there is none.

    A label reaches as far as its row: up to the next label or constant text, and no further out
    than a few elements around it. Where a row ends in its label, it names what stands before it.
    """
    governing: list[int] = []
    current = before = within = -1
    behind = _labels_behind(reading, numbers, labels)
    values = {label: value for value, label in behind.items()}
    for place, leaf in enumerate(reading.leaves):
        is_joint = is_separator(leaf.text) or leaf.text.casefold() in JOINTS
        if leaf.part in WORDS and not is_joint:
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


def _labels_behind(reading: FlatPage, numbers: list[int], labels: Labels) -> dict[int, int]:
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


def _governs_on(reading: FlatPage, label: int, value: int) -> bool:
    """Whether a label behind a value has a value of its row behind it, too."""
    row = reading.meeting(reading.leaves[value].element, reading.leaves[label].element)
    for place in range(label + 1, len(reading.leaves)):
        leaf = reading.leaves[place]
        if leaf.part in WORDS and not is_separator(leaf.text):
            return _is_inside(reading, place, row)
    return False


def _is_inside(reading: FlatPage, place: int, element: int) -> bool:
    return reading.meeting(reading.leaves[place].element, element) == element


def _reaches(reading: FlatPage, numbers: list[int], paths: Paths, label: int, leaf: Leaf) -> bool:
    """Whether a label is near enough to a leaf behind it to name it."""
    settings = current().wrapper.labels
    start, end = reading.leaves[label].element, leaf.element
    meeting = reading.meeting(start, end)
    if meeting < 0 or _steps(reading, end, meeting) > settings.max_steps_down:
        return False
    if 0 < _level(reading, end) <= _level(reading, start):
        return False  # the heading of the next section
    while start > meeting and paths.block(numbers[start]) != numbers[start]:
        start = reading.parents[start]
    if _steps(reading, start, meeting) > settings.max_steps_up:
        return False
    # The last name in a row of names is no label of what stands in the next row.
    crosses = reading.tags[meeting] in TABLE_PARTS and reading.tags[start] in CELLS
    return not crosses or not _is_in_company(reading, label)


def _level(reading: FlatPage, element: int) -> int:
    """The level of the heading that an element is in; 0 for none."""
    around = islice(reading.ancestry(element), _IN_HEADING)
    return next((int(reading.tags[up][1]) for up in around if reading.tags[up] in _LEVELS), 0)


def _is_in_company(reading: FlatPage, label: int) -> bool:
    """Whether another cell of the label's row holds words."""
    cell = next(
        up for up in reading.ancestry(reading.leaves[label].element) if reading.tags[up] in CELLS
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


def _steps(reading: FlatPage, element: int, outer: int) -> int:
    steps = 0
    while element != outer:
        element = reading.parents[element]
        steps += 1
    return steps


# Values of several pieces: "<b>Votes:</b> <span><b>41</b> <i>out of 42</i></span>" says one thing.


def with_whole_values(
    readings: Sequence[FlatPage],
    numbers: Sequence[list[int]],
    governing: Sequence[list[int]],
) -> list[FlatPage]:
    """The readings, with a leaf for the whole text beside a label where it is made of pieces.

    The pieces stay: they are values, too. Pieces of one kind are a list, and no whole.
    """
    settings = current().wrapper.labels
    whole: Counter[_Labelled] = Counter()
    single: Counter[_Labelled] = Counter()
    found: list[dict[_Labelled, list[int]]] = []
    for reading, paths, labels in zip(readings, numbers, governing, strict=True):
        here: dict[_Labelled, list[int]] = defaultdict(list)
        for label, places in _governed(reading, labels).items():
            branch = _line_beside(reading, label, places)
            if branch < 0:
                continue
            named = reading.leaves[label]
            key = (paths[named.element], label_name(named.text), paths[branch])
            here[key].append(branch)
            kinds = {paths[reading.leaves[place].element] for place in places}
            is_whole = 1 < len(places) == len(kinds)
            (whole if is_whole else single)[key] += 1
        found.append(here)
    wanted = {
        key
        for key, count in whole.items()
        if count >= settings.min_whole_share * (count + single[key])
    }
    return [
        _with_elements(reading, {one for key in here.keys() & wanted for one in here[key]})
        for reading, here in zip(readings, found, strict=True)
    ]


def _governed(reading: FlatPage, labels: Sequence[int]) -> dict[int, list[int]]:
    """For each label the texts that it names."""
    found: dict[int, list[int]] = defaultdict(list)
    for place, (leaf, label) in enumerate(zip(reading.leaves, labels, strict=True)):
        if label >= 0 and leaf.part == TEXT and not is_separator(leaf.text):
            found[label].append(place)
    return found


def _line_beside(reading: FlatPage, label: int, places: Sequence[int]) -> int:
    """The element beside a label that holds all these texts in one line; -1 if there is none."""
    settings = current().wrapper.labels
    start = reading.leaves[label].element
    elements = [reading.leaves[place].element for place in places]
    meeting = reading.meeting(start, elements[0])
    branch = reading.child_towards(elements[0], meeting)
    if branch < 0 or any(reading.meeting(branch, one) != branch for one in elements):
        return -1
    if sum(len(reading.leaves[place].text) for place in places) > settings.max_whole_length:
        return -1
    inside = (up for one in elements for up in reading.ancestry(one) if up > branch)
    return branch if all(reading.tags[up] in INLINE for up in inside) else -1


def _with_elements(reading: FlatPage, elements: set[int]) -> FlatPage:
    """The reading with a leaf for the whole text of some elements, before what stands in them."""
    if not elements:
        return reading
    leaves: list[Leaf] = []
    added: set[int] = set()
    for leaf in reading.leaves:
        around = next((up for up in reading.ancestry(leaf.element) if up in elements), -1)
        if around >= 0 and around not in added and leaf.part == TEXT:
            added.add(around)
            leaves.append(Leaf(around, ELEMENT, 0, text_of(reading.nodes[around])))
        leaves.append(leaf)
    return replace(reading, leaves=leaves)
