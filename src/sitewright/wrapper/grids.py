"""Grids of cards: tables whose cells hold a record each, however many stand in a row.

A gallery or a list of members is often set as a table of three columns. Its cells are alike inside
whatever their column, and hold several things each; the cells of a table of data differ by column,
and in a table of facts the words before the values come back at their place on other pages.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.wrapper.pages import FlatPage

_CellForm: TypeAlias = "tuple[str, ...]"
"""Tags and first classes from a cell to what holds a text or a picture."""
_MOST_ABOVE = 12
"""Elements around a table that tell it from others."""
_MOST_INSIDE = 30
"""Elements between a cell and what stands in it, those two counted."""


class GridKey(NamedTuple):
    """What tables of one kind have in common on all pages."""

    classes: str
    above: tuple[str, ...]


@dataclass(slots=True)
class _Grid:
    """What is known of the cells of tables of one kind."""

    cells: Counter[int] = field(default_factory=Counter)
    """The cells of each column that hold something."""
    forms: dict[int, Counter[_CellForm]] = field(default_factory=lambda: defaultdict(Counter))
    texts: dict[_CellForm, dict[tuple[int, int], Counter[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counter))
    )
    """What stands in a form, by row and column."""
    is_headed: bool = False

    def holds_records(self) -> bool:
        """Whether each cell is a record."""
        settings = current().wrapper.repeats
        total = self.cells.total()
        if self.is_headed or len(self.cells) < _FEW or total < settings.min_card_cells:
            return False
        everything: Counter[_CellForm] = sum(self.forms.values(), Counter())
        usual = [one for one, count in everything.items() if 2 * count >= total]
        if len(usual) < _FEW:
            return False
        return all(map(self._is_like_all, self.cells)) and not any(map(self._is_label, usual))

    def _is_like_all(self, column: int) -> bool:
        own, others = self.forms[column], Counter[_CellForm]()
        for other, forms in self.forms.items():
            if other != column:
                others.update(forms)
        here, there = self.cells[column], self.cells.total() - self.cells[column]
        shares = [(own[one] / here, others[one] / there) for one in own | others]
        common = sum(min(pair) for pair in shares) / sum(max(pair) for pair in shares)
        return here < _FEW or common >= current().wrapper.repeats.min_card_similarity

    def _is_label(self, form: _CellForm) -> bool:
        """Whether the place of a cell says what stands there: a label on all pages."""
        places = self.texts.get(form, {})
        different = {text for texts in places.values() for text in texts}
        several = [texts for texts in places.values() if texts.total() > 1]
        fixed = sum(max(texts.values()) == texts.total() for texts in several)
        is_fixed = len(different) > 1 and bool(several) and 2 * fixed >= len(several)
        colons = sum(text.endswith(":") for text in different)
        return is_fixed or 2 * colons > len(different)


_FEW = 2


def grids_of_records(readings: Sequence[FlatPage]) -> frozenset[GridKey]:
    """The kinds of tables whose cells are records."""
    found: dict[GridKey, _Grid] = defaultdict(_Grid)
    for reading in readings:
        keys = dict(_tables(reading))
        if not keys:
            continue
        inside: dict[int, dict[_CellForm, str]] = defaultdict(dict)
        for leaf in reading.leaves:
            is_shown = leaf.place > 0 or leaf.part == "src"
            if is_shown and (cell := _cell_around(reading, leaf.element)) >= 0:
                inside[cell].setdefault(_form(reading, leaf.element, cell), leaf.text)
        rows: Counter[int] = Counter()
        numbers: dict[int, int] = {}
        for cell, forms in inside.items():
            row = reading.parents[cell]
            table = _table_of(reading, cell)
            grid = found[keys[table]]
            if row not in numbers:
                rows[table] += 1
                numbers[row] = rows[table]
            column = reading.nth[cell]
            grid.is_headed |= reading.tags[cell] == "th"
            grid.cells[column] += 1
            grid.forms[column].update(forms.keys())
            for form, text in forms.items():
                grid.texts[form][numbers[row], column][text] += 1
    return frozenset(key for key, grid in found.items() if grid.holds_records())


def record_cells(reading: FlatPage, grids: frozenset[GridKey]) -> frozenset[int]:
    """The cells of a page that are records."""
    tables = {table for table, key in _tables(reading) if key in grids} if grids else set[int]()
    if not tables:
        return frozenset()
    return frozenset(
        element
        for element, tag in enumerate(reading.tags)
        if tag == "td" and _table_of(reading, element) in tables
    )


def _tables(reading: FlatPage) -> Iterator[tuple[int, GridKey]]:
    for element, tag in enumerate(reading.tags):
        if tag == "table":
            around = islice(reading.ancestry(element), _MOST_ABOVE)
            above = tuple(reading.tags[up] for up in around)
            yield element, GridKey(reading.nodes[element].attr("class") or "", above)


def _table_of(reading: FlatPage, cell: int) -> int:
    """The table of a cell in a row of its own; -1 if there is none."""
    around = islice(reading.ancestry(cell), 1, 4)
    return next((up for up in around if reading.tags[up] == "table"), -1)


def _cell_around(reading: FlatPage, element: int) -> int:
    """The innermost cell around an element; -1 if there is none."""
    for up in islice(reading.ancestry(element), _MOST_INSIDE):
        if reading.tags[up] in {"td", "th"}:
            return up if _table_of(reading, up) >= 0 else -1
    return -1


def _form(reading: FlatPage, element: int, cell: int) -> _CellForm:
    steps: list[str] = []
    for up in reading.ancestry(element):
        if up == cell:
            break
        first, *_ = (reading.nodes[up].attr("class") or "").split() or [""]
        steps.append(f"{reading.tags[up]}.{first}")
    return tuple(steps)
