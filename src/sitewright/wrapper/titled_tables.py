"""Tables that nothing but their titles tells apart: no id, no class, and others beside them.

The facts of a player and the table of his seasons may both be a plain `<table>` in one cell. Their
rows have one path then, and are mixed, unless the first title of the second is part of it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sitewright.page.page_index import text_of

if TYPE_CHECKING:
    from sitewright.wrapper.pages import FlatPage

_MOST_CHARACTERS = 40
"""A longer text is no title of a column."""
_BODIES = frozenset({"tbody", "thead"})
_CELLS = frozenset({"td", "th"})


def first_titles(reading: FlatPage) -> dict[int, str]:
    """The first title of each table without id and class whose first row is one of titles."""
    first_row: dict[int, int] = {}
    cells: dict[int, list[int]] = defaultdict(list)
    for element, tag in enumerate(reading.tags):
        if tag == "tr":
            table = _table_of(reading, element)
            if table >= 0 and not _is_named(reading, table):
                first_row.setdefault(table, element)
        elif tag in _CELLS:
            cells[reading.parents[element]].append(element)
    found: dict[int, str] = {}
    for table, row in first_row.items():
        own = cells[row]
        if len(own) > 1 and all(reading.tags[cell] == "th" for cell in own):
            title = text_of(reading.nodes[own[0]])
            if 0 < len(title) <= _MOST_CHARACTERS:
                found[table] = title
    return found


def telling_titles(reading: FlatPage) -> set[str]:
    """The titles of tables beside which stands one without titles, or with another first one."""
    titles = first_titles(reading)
    if not titles:
        return set()
    beside: dict[int, set[str]] = defaultdict(set)
    for element, tag in enumerate(reading.tags):
        if tag == "table" and not _is_named(reading, element):
            beside[reading.parents[element]].add(titles.get(element, ""))
    return {title for table, title in titles.items() if len(beside[reading.parents[table]]) > 1}


def _table_of(reading: FlatPage, row: int) -> int:
    above = reading.parents[row]
    if above >= 0 and reading.tags[above] in _BODIES:
        above = reading.parents[above]
    return above if above >= 0 and reading.tags[above] == "table" else -1


def _is_named(reading: FlatPage, element: int) -> bool:
    node = reading.nodes[element]
    return bool(node.attr("id") or node.attr("class"))
