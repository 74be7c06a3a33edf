"""The titles of a table's columns, from the rows above its records."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from sitewright.wrapper.reading import WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitewright.wrapper.reading import Leaf, Reading
    from sitewright.wrapper.view import View

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "caption", "legend"})
_NEAR = 6
_WIDEST = 4
_CELLS = frozenset({"td", "th"})


def table_headers(pages: View, rows: Mapping[int, list[int]]) -> dict[int, str]:
    """For each place in a row the text above it, as most pages have it."""
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for page, elements in rows.items():
        reading = pages.readings[page]
        if elements and reading.tags[elements[0]] == "tr":
            for place, text in _above(reading, elements[0]).items():
                found[place][text] += 1
    return {place: texts.most_common(1)[0][0] for place, texts in found.items()}


def title_cells(reading: Reading) -> set[int]:
    """The cells of rows that hold nothing but titles, at least two."""
    rows: dict[int, list[int]] = defaultdict(list)
    for element, tag in enumerate(reading.tags):
        if tag in _CELLS:
            rows[reading.parents[element]].append(element)
    return {
        cell
        for cells in rows.values()
        if len(cells) > 1 and all(reading.tags[cell] == "th" for cell in cells)
        for cell in cells
    }


def heading_above(pages: View, rows: Mapping[int, list[int]]) -> str:
    """The heading that most pages have before the first record."""
    found: Counter[str] = Counter()
    for page, elements in rows.items():
        reading = pages.readings[page]
        heading = _last_heading(reading, elements[0])
        if heading is not None and pages.labels.is_constant(
            pages.numbers[page][heading.element], heading.text
        ):
            found[heading.text] += 1
    text, count = found.most_common(1)[0] if found else ("", 0)
    return text if count * 2 >= len(rows) else ""


def _last_heading(reading: Reading, row: int) -> Leaf | None:
    """The last heading before a record, if it is near it."""
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
    return found if meeting in islice(reading.ancestry(row), _NEAR) else None


def _above(reading: Reading, row: int) -> dict[int, str]:
    """The words of the last row before this one that has cells, by their places in it."""
    table = next((up for up in reading.ancestry(row) if reading.tags[up] == "table"), row)
    found: dict[int, dict[int, str]] = defaultdict(dict)
    for leaf in reading.leaves:
        if leaf.part not in WORDS or not table <= leaf.element < row:
            continue
        cell = next((up for up in reading.ancestry(leaf.element) if reading.tags[up] in _CELLS), -1)
        if cell > table:
            found[reading.parents[cell]].setdefault(_column(reading, cell), leaf.text)
    several = [names for names in found.values() if len(names) > 1]
    return several[-1] if several else {}


def _column(reading: Reading, cell: int) -> int:
    """The column that a cell ends in: the last one that a wide title stands over."""
    row = reading.parents[cell]
    column = 0
    for element in range(row + 1, cell + 1):
        if reading.parents[element] == row and reading.tags[element] in _CELLS:
            span = reading.nodes[element].attr("colspan") or "1"
            column += int(span) if span.isdigit() and len(span) < _WIDEST else 1
    return column
