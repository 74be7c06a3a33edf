"""The titles of a table's columns, from the rows above its records."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from sitewright.wrapper.reading import WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitewright.wrapper.reading import Reading
    from sitewright.wrapper.view import View

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


def _above(reading: Reading, row: int) -> dict[int, str]:
    """The words of the last row before this one that has cells, by their places in it."""
    table = next((up for up in reading.ancestry(row) if reading.tags[up] == "table"), row)
    found: dict[int, dict[int, str]] = defaultdict(dict)
    for leaf in reading.leaves:
        if leaf.part not in WORDS or not table <= leaf.element < row:
            continue
        cell = next((up for up in reading.ancestry(leaf.element) if reading.tags[up] in _CELLS), -1)
        if cell > table:
            found[reading.parents[cell]].setdefault(reading.nth[cell], leaf.text)
    several = [names for names in found.values() if len(names) > 1]
    return several[-1] if several else {}
