"""Record sets: the repeated parts of pages, each record taken for a page of its own."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from sitewright.classes.spread import evenly
from sitewright.html.page_index import ElementScope, PageIndex
from sitewright.html.selector import Selector
from sitewright.html.steps import After, HasChild, LacksChild
from sitewright.wrapper.choice import choose, ordered_columns
from sitewright.wrapper.columns import make_columns
from sitewright.wrapper.companions import companion_fields
from sitewright.wrapper.fields import make_fields
from sitewright.wrapper.headers import heading_above, table_headers
from sitewright.wrapper.naming import slug, telling_name, unique
from sitewright.wrapper.reading import WORDS
from sitewright.wrapper.rule import Rule
from sitewright.wrapper.selectors import heads, is_writable, step
from sitewright.wrapper.tables import Part, Rows, parts
from sitewright.wrapper.view import view_of_rows
from sitewright.wrapper.wrapper import RecordSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.html.dom import Element
    from sitewright.html.steps import Path
    from sitewright.wrapper.structure import Label
    from sitewright.wrapper.view import View
    from sitewright.wrapper.wrapper import Dropped, Field

_SAMPLE = 150
_MOST_SETS = 6
_MOST_FIELDS = 12
_LOWEST = 0.5
_SURE = 0.99


def record_sets(
    pages: View, indexes: Sequence[PageIndex], *, width: int
) -> tuple[tuple[RecordSet, ...], list[Dropped]]:
    """The record sets of a class, those with the most rows first, within a number of columns."""
    rows = _rows(pages)
    sets: list[RecordSet] = []
    dropped: list[Dropped] = []
    ordered = sorted(rows, key=lambda path: (-sum(map(len, rows[path].values())), path))
    for part in (part for path in ordered for part in parts(pages, path, rows[path])):
        if len(sets) >= _MOST_SETS or width <= 1:
            break
        found, left_out = _record_set(pages, indexes, part, width)
        dropped += left_out
        if found is not None:
            sets.append(found)
            width -= sum(len(field.columns()) for field in found.fields)
    names = unique([one.name for one in sets])
    named = (replace(one, name=name) for one, name in zip(sets, names, strict=True))
    return tuple(named), dropped


def _rows(pages: View) -> dict[int, Rows]:
    """For each repeated path and page the elements that hold data."""
    found: dict[int, Rows] = defaultdict(lambda: defaultdict(list))
    forms: dict[int, set[tuple[Label, ...]]] = defaultdict(set)
    for page, (reading, numbers) in enumerate(zip(pages.readings, pages.numbers, strict=True)):
        seen: set[int] = set()
        for leaf in reading.leaves:
            path = numbers[leaf.element]
            if leaf.part not in WORDS or pages.labels.is_constant(path, leaf.text):
                continue
            row = pages.rows(page, leaf.element)
            if row >= 0:
                outer = len(pages.paths.steps(numbers[row]))
                forms[numbers[row]].add(tuple(pages.paths.steps(path)[outer:]))
                if row not in seen:
                    seen.add(row)
                    found[numbers[row]][page].append(row)
    return _side_by_side(pages, found, forms)


def _side_by_side(
    pages: View, rows: dict[int, Rows], forms: dict[int, set[tuple[Label, ...]]]
) -> dict[int, Rows]:
    """The same, lists that a table sets side by side in its cells made one."""
    families: dict[int, list[int]] = defaultdict(list)
    for path in rows:
        families[_without_cells(pages, path)].append(path)
    found: dict[int, Rows] = {}
    for family, members in families.items():
        shared = set.intersection(*(forms[path] for path in members))
        if len(members) == 1 or 2 * len(shared) < len(set.union(*(forms[one] for one in members))):
            found.update((path, rows[path]) for path in members)
            continue
        together: Rows = defaultdict(list)
        for path in members:
            for page, places in rows[path].items():
                together[page] += places
        found[family] = {page: sorted(together[page]) for page in sorted(together)}
    return found


def _without_cells(pages: View, path: int) -> int:
    """The path of rows whatever the cells around them."""
    steps = pages.paths.steps(path)
    around = -1
    for label in steps[:-1]:
        around = pages.paths.number(around, label._replace(cell=0))
    return pages.paths.number(around, steps[-1])


def _record_set(
    pages: View, indexes: Sequence[PageIndex], part: Part, width: int
) -> tuple[RecordSet | None, list[Dropped]]:
    rows = part.rows
    elements = {
        page: [pages.readings[page].nodes[row] for row in places] for page, places in rows.items()
    }
    selector = _row_selector(pages, indexes, part, elements)
    if selector is None:
        return None, []
    found = [(row, pages.readings[page].url) for page in rows for row in elements[page]]
    sample = evenly(found, _SAMPLE)
    inner = view_of_rows(sample)
    headers = table_headers(pages, rows)
    columns, constant = ordered_columns(inner, make_columns(inner))
    inside = [ElementScope(row) for row, _url in sample]
    chosen, left_out = choose(inner, columns[: 2 * _MOST_FIELDS], inside, headers, width)
    fields = make_fields(sorted(chosen, key=lambda one: min(map(min, one.column.cells.values()))))
    if not fields:
        return None, []
    fields = _with_names((*fields, *companion_fields(pages, part)))
    return (
        RecordSet(
            name=_set_name(pages, part.path, rows),
            rule=Rule(selector),
            fields=fields[:_MOST_FIELDS],
            coverage=round(len(rows) / len(indexes), 3),
            rows=round(sum(map(len, rows.values())) / len(rows), 2),
        ),
        [*constant, *left_out],
    )


def _with_names(fields: Sequence[Field]) -> tuple[Field, ...]:
    names = unique([field.name for field in fields])
    return tuple(replace(field, name=name) for field, name in zip(fields, names, strict=True))


def _row_selector(
    pages: View, indexes: Sequence[PageIndex], part: Part, elements: dict[int, list[Element]]
) -> Selector | None:
    best, most = None, _LOWEST
    for selector in filter(is_writable, map(Selector.of, _row_paths(pages, part))):
        right = sum(
            _selects(index, selector, elements.get(page, []), pages.readings[page].is_cut)
            for page, index in enumerate(indexes)
        )
        share = right / len(indexes)
        if share > most:
            best, most = selector, share
        if share >= _SURE:
            break
    return best


def _selects(index: PageIndex, selector: Selector, elements: list[Element], is_cut: bool) -> bool:
    """Whether just these elements are selected, or as many as were read of the page."""
    found = index.select(selector)
    return (found[: len(elements)] if is_cut else found) == elements


def _row_paths(pages: View, part: Part) -> Iterator[Path]:
    steps = pages.paths.steps(part.path)
    for head in _row_heads(pages, part):
        yield head
        if steps[-1].tag == "tr":
            yield head.where(HasChild("td"))
            yield head.where(LacksChild("th"))
        yield head.where(After(1))


def _row_heads(pages: View, part: Part) -> Iterator[Path]:
    steps = pages.paths.steps(part.path)
    if not part.turn:
        yield from heads(steps)
        return
    around = pages.paths.steps(part.container)
    tail = tuple(map(step, steps[len(around) :]))
    for head in heads(around):
        yield replace(head, index=part.turn - 1, tail=tail)


def _set_name(pages: View, path: int, rows: dict[int, list[int]]) -> str:
    """The heading above the rows, else a class or id of the rows or of what holds them."""
    heading = slug(heading_above(pages, rows))
    if heading:
        return heading
    for label in reversed(pages.paths.steps(path)):
        if found := telling_name((*label.classes, label.id)):
            return found if found.endswith("s") else f"{found}s"
    return "rows"
