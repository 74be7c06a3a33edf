"""What is known of the pages of one class before columns are made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sitewright.wrapper.governing import governors
from sitewright.wrapper.labels import find_labels
from sitewright.wrapper.prose import prose_paths, with_prose
from sitewright.wrapper.reading import WORDS, read, read_element
from sitewright.wrapper.repeats import repeated_paths
from sitewright.wrapper.structure import Paths, shared_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.html import Document
    from sitewright.html.dom import Element
    from sitewright.wrapper.labels import Labels
    from sitewright.wrapper.reading import Reading


@dataclass(frozen=True, slots=True)
class View:
    """The pages of a class: readings, paths, labels and repeated parts."""

    readings: list[Reading]
    paths: Paths
    numbers: list[list[int]]
    """For each page the path of each element."""
    labels: Labels
    governors: list[list[int]]
    """For each page and leaf the label before it; -1 for none."""
    repeated: frozenset[int]
    """The paths of repeated parts that hold more than one text."""
    are_rows: bool = False
    """Whether these are the records of pages, not pages."""

    def rows(self, page: int, element: int) -> int:
        """The record around an element, or the term that it explains; -1 if there is none."""
        numbers, reading = self.numbers[page], self.readings[page]
        for up in reading.ancestry(element):
            if numbers[up] in self.repeated:
                return up
            if reading.tags[up] == "dd":
                term = _term(reading, up)
                return term if term >= 0 and numbers[term] in self.repeated else -1
        return -1


def view(documents: Sequence[Document]) -> View:
    """Read the pages of a class."""
    return _view([read(document) for document in documents], are_rows=False)


def view_of_rows(rows: Sequence[tuple[Element, str]]) -> View:
    """Read records, each an element of the page with that address, as if they were pages."""
    return _view([read_element(element, url) for element, url in rows], are_rows=True)


def _view(readings: list[Reading], *, are_rows: bool) -> View:
    # No two elements of a page have one id: the ids inside its records number them.
    paths = Paths(shared_names(readings, ids_count=not are_rows))
    numbers = [paths.of(reading) for reading in readings]
    labels = find_labels(readings, numbers)
    governing = [
        governors(reading, path, labels, paths)
        for reading, path in zip(readings, numbers, strict=True)
    ]
    # The parts that repeat inside a record are lists of values.
    rows = frozenset[int]()
    if not are_rows:
        rows = repeated_paths(readings, numbers, labels, governing)
    records = _with_several_texts(readings, numbers, rows, labels)
    prose = prose_paths(readings, numbers, paths, labels, records)
    readings = [
        with_prose(reading, path, prose) for reading, path in zip(readings, numbers, strict=True)
    ]
    governing = [
        governors(reading, path, labels, paths)
        for reading, path in zip(readings, numbers, strict=True)
    ]
    rows = _with_several_texts(readings, numbers, records, labels)
    found = View(readings, paths, numbers, labels, governing, rows, are_rows)
    ended = [_ended_at_records(found, page) for page in range(len(readings))]
    return replace(found, governors=ended) if rows else found


def _ended_at_records(found: View, page: int) -> list[int]:
    """A heading above records names them, and nothing that comes behind them."""
    leaves = found.readings[page].leaves
    governing: list[int] = []
    spent: set[int] = set()
    for leaf, label in zip(leaves, found.governors[page], strict=True):
        governing.append(label if label not in spent else -1)
        if label >= 0 and found.rows(page, leaf.element) > leaves[label].element:
            spent.add(label)
    return governing


def _with_several_texts(
    readings: Sequence[Reading],
    numbers: Sequence[list[int]],
    rows: frozenset[int],
    labels: Labels,
) -> frozenset[int]:
    """The repeated parts that hold more than one text that is not constant.

    A value that is a link in some rows and plain in others is one; the tags in a paragraph part no
    values; what is said of a term stands behind it, not in it; and a long list of links is one of
    records, each a text and an address.
    """
    held: dict[int, list[int]] = {path: [] for path in rows}
    links: Counter[int] = Counter()
    pages: Counter[int] = Counter()
    tags: dict[int, str] = {}
    for reading, paths in zip(readings, numbers, strict=True):
        inner: dict[int, set[int]] = {}
        for leaf in reading.leaves:
            if leaf.part not in WORDS or labels.is_constant(paths[leaf.element], leaf.text):
                continue
            for up in reading.ancestry(leaf.element):
                if paths[up] in held:
                    inner.setdefault(up, set()).add(paths[leaf.element])
        pages.update({paths[row] for row in inner})
        links.update(paths[row] for row in inner if _is_link(reading, row))
        for row, found in inner.items():
            held[paths[row]].append(len(found))
            tags[paths[row]] = reading.tags[row]
    return frozenset(
        path
        for path, counts in held.items()
        if tags.get(path) == "dt"
        or (tags.get(path) not in _SENTENCES and sum(counts) > _SEVERAL * len(counts))
        or (links[path] > _MOSTLY * len(counts) >= _LONG * _MOSTLY * pages[path])
    )


def _is_link(reading: Reading, row: int) -> bool:
    """Whether an element is a link, or holds one right inside."""
    inside = range(row, min(row + _INSIDE, len(reading.tags)))
    return any(reading.tags[one] == "a" and reading.meeting(row, one) == row for one in inside)


_INSIDE = 3
_SEVERAL = 1.25
_MOSTLY = 0.8
_LONG = 12
_SENTENCES = frozenset("p h1 h2 h3 h4 h5 h6 blockquote pre figcaption".split())


def _term(reading: Reading, element: int) -> int:
    """The `<dt>` before a `<dd>`; -1 if there is none."""
    parent = reading.parents[element]
    for before in range(element - 1, parent, -1):
        if reading.parents[before] == parent and reading.tags[before] == "dt":
            return before
    return -1
