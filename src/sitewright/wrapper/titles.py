"""What stands over rows: the titles of a table's columns, and the heading above."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from sitewright.settings import current
from sitewright.wrapper.labels import CELLS
from sitewright.wrapper.pages import WORDS, Leaf

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.pages import FlatPage


_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "caption", "legend"})


_WIDEST = 4


def table_headers(pages: ClassPages, rows: Mapping[int, list[int]]) -> dict[int, str]:
    """For each place in a row the text above it, as most pages have it."""
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for page, elements in rows.items():
        reading = pages.readings[page]
        if elements and reading.tags[elements[0]] == "tr":
            for place, text in _above(reading, _first_below_titles(reading, elements)).items():
                found[place][text] += 1
    return {place: texts.most_common(1)[0][0] for place, texts in found.items()}


def _first_below_titles(reading: FlatPage, rows: Sequence[int]) -> int:
    """The first row with a cell for a value: a row of titles on few pages is taken for data."""
    cells: dict[int, set[str]] = defaultdict(set)
    wanted = set(rows[:_ROWS_OF_TITLES])
    for element in range(rows[0], min(len(reading.tags), max(wanted) + _CELLS_OF_TITLES)):
        if reading.parents[element] in wanted and reading.tags[element] in CELLS:
            cells[reading.parents[element]].add(reading.tags[element])
    return next((row for row in rows if cells[row] != {"th"}), rows[0])


_ROWS_OF_TITLES = 4


_CELLS_OF_TITLES = 200
"""Rows, and elements behind the last of them, that are looked at for a row of titles."""


def title_cells(reading: FlatPage) -> set[int]:
    """The cells of rows that hold nothing but titles, at least two."""
    rows: dict[int, list[int]] = defaultdict(list)
    for element, tag in enumerate(reading.tags):
        if tag in CELLS:
            rows[reading.parents[element]].append(element)
    return {
        cell
        for cells in rows.values()
        if len(cells) > 1 and all(reading.tags[cell] == "th" for cell in cells)
        for cell in cells
    }


def heading_above(pages: ClassPages, rows: Mapping[int, list[int]]) -> str:
    """The heading that most pages have before the first record."""
    found: Counter[str] = Counter()
    constant: set[str] = set()
    for page, elements in rows.items():
        reading = pages.readings[page]
        heading = last_heading(reading, elements[0])
        if heading is None:
            continue
        found[heading.text] += 1
        if pages.labels.is_constant(pages.numbers[page][heading.element], heading.text):
            constant.add(heading.text)
    text, count = found.most_common(1)[0] if found else ("", 0)
    # It comes and goes with what it stands over.
    is_theirs = len(rows) >= _PAGES_OF_HEADING and count == len(rows)
    return text if (text in constant and count * 2 >= len(rows)) or is_theirs else ""


_PAGES_OF_HEADING = 3
"""Pages that tell by themselves that a heading is no text of one of them."""


def last_heading(reading: FlatPage, row: int) -> Leaf | None:
    """The last heading before a record or another element, if it is near it."""
    settings = current().wrapper.labels
    found = None
    for leaf in reading.leaves:
        if leaf.element >= row:
            break
        if leaf.part in WORDS and any(
            reading.tags[up] in _HEADINGS for up in islice(reading.ancestry(leaf.element), 3)
        ):
            found = leaf
    if found is None:
        return None
    meeting = reading.meeting(found.element, row)
    return found if meeting in islice(reading.ancestry(row), settings.heading_distance) else None


def _above(reading: FlatPage, row: int) -> dict[int, str]:
    """The words of the last row before this one that has cells, by their places in it."""
    table = next((up for up in reading.ancestry(row) if reading.tags[up] == "table"), row)
    found: dict[int, dict[int, str]] = defaultdict(dict)
    columns: dict[int, int] = {}
    for leaf in reading.leaves:
        if leaf.part not in WORDS or not table <= leaf.element < row:
            continue
        cell = next((up for up in reading.ancestry(leaf.element) if reading.tags[up] in CELLS), -1)
        if cell > table:
            if cell not in columns:
                columns |= columns_of_row(reading, reading.parents[cell])
            found[reading.parents[cell]].setdefault(columns[cell], leaf.text)
    several = [names for names in found.values() if len(names) > 1]
    return several[-1] if several else {}


def columns_of_row(reading: FlatPage, row: int) -> dict[int, int]:
    """The column that each cell of a row ends in: the last one that a wide title stands over."""
    columns: dict[int, int] = {}
    column = 0
    for element in range(row + 1, len(reading.tags)):
        parent = reading.parents[element]
        if parent < row:
            break
        if parent == row and reading.tags[element] in CELLS:
            span = reading.nodes[element].attr("colspan") or "1"
            column += int(span) if span.isdigit() and len(span) < _WIDEST else 1
            columns[element] = column
    return columns
