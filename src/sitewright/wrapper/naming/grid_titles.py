"""The titles of grids without tables: a row of words over rows of cells."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sitewright.wrapper.labels import CELLS, is_separator
from sitewright.wrapper.pages import WORDS
from sitewright.wrapper.titles import columns_of_row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.columns import ValueColumn
    from sitewright.wrapper.pages import FlatPage, Leaf


_GRID_PAGES = 6
"""Pages that the titles of a cell are sought on: they are the same on all."""


_FEW_CELLS = 2


def grid_name(view: ClassPages, column: ValueColumn) -> str:
    """The titles of a cell's row and column, as most pages have them."""
    if view.is_record_view or not any(label.cell for label in view.paths.steps(column.path)):
        return ""
    found: Counter[str] = Counter()
    pages = list(column.cells)[:_GRID_PAGES]
    for page in pages:
        found[_grid_titles(view, page, column.cells[page][0])] += 1
    name, count = found.most_common(1)[0]
    return name if name and 2 * count > len(pages) else ""


def _grid_titles(view: ClassPages, page: int, place: int) -> str:
    """What the grid says of a cell; empty if it is no grid, or has no titles."""
    reading = view.readings[page]
    cell = next(
        (up for up in reading.ancestry(reading.leaves[place].element) if reading.tags[up] in CELLS),
        -1,
    )
    if cell < 0:
        return ""
    row = reading.parents[cell]
    table = next((up for up in reading.ancestry(row) if reading.tags[up] == "table"), -1)
    if table < 0:
        return ""
    rows = _rows_of(view, page, table, place)
    own = rows.get(row, {})
    number = columns_of_row(reading, row)[cell]
    above = [cells for other, cells in rows.items() if other < row]
    titles = next((cells for cells in reversed(above) if _are_titles(cells)), None)
    if titles is None or number not in titles or len(titles) < _FEW_CELLS:
        return ""
    beside = own.get(1, _NO_CELL) if number > 1 else _NO_CELL
    several = sum(not _are_titles(cells) and len(cells) > 1 for cells in rows.values()) > 1
    head = beside.text if beside.is_title and several else ""
    return f"{head} {titles[number].text}".strip()


class _GridCell(NamedTuple):
    text: str
    is_title: bool
    """Whether all pages have the same there."""


_NO_CELL = _GridCell("", is_title=False)


def _are_titles(cells: Mapping[int, _GridCell]) -> bool:
    return len(cells) >= _FEW_CELLS and all(cell.is_title for cell in cells.values())


def _rows_of(
    view: ClassPages, page: int, table: int, place: int
) -> dict[int, dict[int, _GridCell]]:
    """The cells of a table that hold one text each, by row and column: those around a leaf."""
    reading, numbers = view.readings[page], view.numbers[page]
    found: dict[int, dict[int, _GridCell]] = {}
    columns: dict[int, int] = {}
    for leaf in _leaves_around(reading, table, place):
        if leaf.part not in WORDS or is_separator(leaf.text):
            continue
        around = list(islice(reading.ancestry(leaf.element), _GRID_DEPTH))
        cell = next((up for up in around if reading.tags[up] in CELLS), -1)
        if (
            cell < 0
            or next((up for up in reading.ancestry(cell) if reading.tags[up] == "table"), -1)
            != table
        ):
            continue
        path = numbers[leaf.element]
        known = view.labels.is_constant(path, leaf.text) or view.labels.is_label(path, leaf.text)
        is_name = known and any(map(str.isalpha, leaf.text))
        row = found.setdefault(reading.parents[cell], {})
        if cell not in columns:
            columns |= columns_of_row(reading, reading.parents[cell])
        number = columns[cell]
        row[number] = _GridCell(leaf.text, is_name) if number not in row else _NO_CELL
    return dict(sorted(found.items()))


def _leaves_around(reading: FlatPage, table: int, place: int) -> list[Leaf]:
    """The leaves of a table, which stand in a row in the page, as far as people look."""
    first = last = place
    while first > max(0, place - _MOST_GRID_LEAVES) and reading.leaves[first - 1].element > table:
        first -= 1
    end = min(len(reading.leaves), place + _MOST_GRID_LEAVES)
    while last < end and reading.leaves[last].element > table:
        last += 1
    return reading.leaves[first:last]


_MOST_GRID_LEAVES = 400
"""Leaves before and behind a cell among which the titles of its grid are sought."""


_GRID_DEPTH = 4
"""Elements between a cell and its text."""
