"""Record sets: the repeated parts of pages, each record taken for a page of its own."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, TypeAlias

from sitewright.classes.features import evenly
from sitewright.classes.naming import singular
from sitewright.page.elements import INLINE
from sitewright.page.page_index import ElementScope, PageIndex, text_of
from sitewright.page.parser import Element, Text
from sitewright.page.selector import Selector
from sitewright.page.steps import After, HasChild, HasClass, LacksChild, OtherPredicate
from sitewright.page.url import Resolver
from sitewright.settings import current
from sitewright.wrapper.choice.column_choice import choose, ordered_columns
from sitewright.wrapper.class_pages import analyse_rows
from sitewright.wrapper.columns import make_columns
from sitewright.wrapper.fields import derived_fields, make_fields, merge_alternatives, whole_field
from sitewright.wrapper.labels import CELLS
from sitewright.wrapper.naming.names import plural, slug, telling_name, unique
from sitewright.wrapper.naming.same_names import told_apart
from sitewright.wrapper.naming.value_names import named_rows
from sitewright.wrapper.pages import WORDS
from sitewright.wrapper.row_parts import Part, parts, ways_inside, without_odd_rows
from sitewright.wrapper.selectors import is_name, is_writable, lasting_first, lasting_heads, step
from sitewright.wrapper.titles import heading_above, table_headers
from sitewright.wrapper.values.types import ValueKind
from sitewright.wrapper.wrapper import RecordSet, RejectedColumn, Rule

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from sitewright.page.steps import Path
    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.columns import ValueColumn
    from sitewright.wrapper.pages import Label
    from sitewright.wrapper.row_parts import Rows
    from sitewright.wrapper.wrapper import Field


def record_sets(
    pages: ClassPages, indexes: Sequence[PageIndex], *, width: int
) -> tuple[tuple[RecordSet, ...], list[RejectedColumn]]:
    """The record sets of a class, those with the most rows first, within a number of columns."""
    settings = current().wrapper.records
    rows = _rows(pages)
    sets: list[RecordSet] = []
    dropped: list[RejectedColumn] = []
    ordered = sorted(rows, key=lambda path: (-sum(map(len, rows[path].values())), path))
    for part in (part for path in ordered for part in parts(pages, path, rows[path])):
        if len(sets) >= settings.max_sets or width <= 1:
            break
        if _is_the_same_everywhere(pages, part):
            sample = text_of(next(iter(_elements(pages, part.rows).values()))[0])
            written = pages.paths.written(part.path)
            dropped.append(RejectedColumn(written, "the same rows on all pages", sample[:80]))
            continue
        found, left_out = _record_set(pages, indexes, part, width)
        dropped += left_out
        if found is not None:
            sets.append(found)
            width -= sum(len(field.columns()) for field in found.fields)
    names = unique([one.name for one in sets])
    named = (replace(one, name=name) for one, name in zip(sets, names, strict=True))
    return tuple(named), dropped


def _is_the_same_everywhere(pages: ClassPages, part: Part) -> bool:
    """Whether (nearly) all pages have these very rows: an archive beside each post, a menu."""
    settings = current().wrapper
    if len(part.rows) < settings.columns.min_pages_for_strictness:
        return False

    def share(said: Iterable[Hashable]) -> float:
        return max(Counter(said).values()) / len(part.rows)

    least = settings.columns.min_unlabelled_constant_share
    texts = (tuple(map(text_of, rows)) for rows in _elements(pages, part.rows).values())
    return share(texts) >= least and share(_links_of(pages, part)) >= least


def _links_of(pages: ClassPages, part: Part) -> Iterator[tuple[str, ...]]:
    """Where the rows of each page lead: one word may be a link to another place on each."""
    for page, rows in part.rows.items():
        reading, own = pages.readings[page], frozenset(rows)
        resolve = Resolver(reading.url)
        yield tuple(
            resolve(leaf.text) or leaf.text
            for leaf in reading.leaves
            if leaf.part == "href" and not own.isdisjoint(reading.ancestry(leaf.element))
        )


def _rows(pages: ClassPages) -> dict[int, Rows]:
    """For each repeated path and page the elements that hold data."""
    found: dict[int, Rows] = defaultdict(lambda: defaultdict(list))
    forms: dict[int, set[tuple[Label, ...]]] = defaultdict(set)
    known: set[tuple[int, int]] = set()
    for page, (reading, numbers) in enumerate(zip(pages.readings, pages.numbers, strict=True)):
        seen: set[int] = set()
        for leaf in reading.leaves:
            path = numbers[leaf.element]
            if leaf.part not in WORDS or pages.labels.is_constant(path, leaf.text):
                continue
            row = pages.rows(page, leaf.element)
            if row >= 0:
                if (numbers[row], path) not in known:
                    known.add((numbers[row], path))
                    outer = len(pages.paths.steps(numbers[row]))
                    forms[numbers[row]].add(pages.paths.steps(path)[outer:])
                if row not in seen:
                    seen.add(row)
                    found[numbers[row]][page].append(row)
    return _side_by_side(pages, found, forms)


def _side_by_side(
    pages: ClassPages, rows: dict[int, Rows], forms: dict[int, set[tuple[Label, ...]]]
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


def _without_cells(pages: ClassPages, path: int) -> int:
    """The path of rows whatever the cells around them."""
    steps = pages.paths.steps(path)
    around = -1
    for label in steps[:-1]:
        around = pages.paths.number(around, label._replace(cell=0))
    return pages.paths.number(around, steps[-1])


def _record_set(
    pages: ClassPages, indexes: Sequence[PageIndex], part: Part, width: int
) -> tuple[RecordSet | None, list[RejectedColumn]]:
    settings = current().wrapper.records
    tidy = without_odd_rows(pages, part)
    selector = _row_selector(pages, indexes, tidy, _elements(pages, tidy.rows))
    if selector is not None:
        part = tidy
    elif tidy is not part:
        selector = _row_selector(pages, indexes, part, _elements(pages, part.rows))
    for with_more in (_with_constant_rows, _with_rows_beside):
        if selector is None and not part.ordinal:
            more = part._replace(rows=with_more(pages, part))
            selector = _row_selector(pages, indexes, more, _elements(pages, more.rows))
            part = part if selector is None else more
    if selector is None:
        return None, []
    rows = part.rows
    elements = _elements(pages, rows)
    found = [[(row, pages.readings[page].url) for row in elements[page]] for page in rows]
    sample = _sampled(found, settings.sampled_records)
    inner = analyse_rows(sample, pages.paths.names.volatile)
    headers = table_headers(pages, rows)
    if inner.paths.from_end:
        widest = max(len(_cells(row)) for row, _url in sample)
        is_whole = max(headers, default=0) == widest  # else nobody knows which is the last
        headers = {place - 1 - widest: text for place, text in headers.items() if is_whole}
    fields, left_out = _row_fields(inner, sample, headers, width)
    if not fields:
        return None, []
    heading = _heading_name(pages, rows)
    fields = tuple(_with_rank(one, list(elements.values())) for one in fields)
    fields = (*fields, *derived_fields(pages, part))
    whole = _whole_line([row for row, _url in sample], fields, heading)
    fields = _with_names((*whole, *fields) if whole else _with_singular(fields, heading))
    return (
        RecordSet(
            name=heading or _name_by_class(pages, part.path),
            rule=Rule(selector),
            fields=fields,
            coverage=round(len(rows) / len(indexes), 3),
            rows=round(sum(map(len, rows.values())) / len(rows), 2),
        ),
        left_out,
    )


def fields_of_rows(rows: Sequence[list[_Row]]) -> tuple[Field, ...]:
    """The fields of rows that are known, page by page: elements, each with the URL of its page."""
    settings = current().wrapper
    held = [page for page in rows if page]
    if not held:
        return ()
    sample = _sampled(held, settings.records.sampled_records)
    fields, _ = _row_fields(analyse_rows(sample), sample, {}, settings.max_columns)
    return _with_names(fields)


def _row_fields(
    inner: ClassPages, sample: Sequence[_Row], headers: dict[int, str], width: int
) -> tuple[tuple[Field, ...], list[RejectedColumn]]:
    width = min(width, current().wrapper.records.max_row_columns)
    columns, constant = ordered_columns(inner, make_columns(inner))
    inside = [ElementScope(row) for row, _url in sample]
    chosen, left_out = choose(inner, columns[: 2 * width], inside, headers, width)
    chosen = named_rows(merge_alternatives(inner, chosen), inner)
    ordered = sorted(chosen, key=lambda one: _place_in_row(one.column))
    fields = make_fields(told_apart(ordered, inner))
    return fields, [*constant, *left_out]


def _place_in_row(column: ValueColumn) -> tuple[int, float]:
    """Where the column comes: what some rows lack comes before what begins them then."""
    first = [min(places) for places in column.cells.values()]
    return min(first), fmean(first)


def _sampled(rows: Sequence[list[_Row]], most: int) -> list[_Row]:
    """Some rows of each page: a page of a thousand rows says no more of their form than others."""
    sizes = sorted(map(len, rows))
    left, pages = most, len(sizes)
    for size in sizes:
        if size * pages > left:
            break
        left, pages = left - size, pages - 1
    share = -(-left // pages) if pages else max(sizes)
    return evenly([row for page in rows for row in evenly(page, share)], most)


_Row: TypeAlias = "tuple[Element, str]"
"""A row, and the URL of its page."""


def _cells(row: Element) -> list[Element]:
    return [one for one in row.children if isinstance(one, Element) and one.tag in CELLS]


def _elements(pages: ClassPages, rows: Rows) -> dict[int, list[Element]]:
    return {
        page: [pages.readings[page].nodes[row] for row in places] for page, places in rows.items()
    }


def _with_constant_rows(pages: ClassPages, part: Part) -> Rows:
    """The rows, and those among them that all pages have: members that everything inherits."""
    found: Rows = {}
    for page, places in part.rows.items():
        reading, numbers = pages.readings[page], pages.numbers[page]
        own = {numbers[place] for place in places}
        beside = {reading.parents[place] for place in places}
        found[page] = [
            element
            for element, (path, parent) in enumerate(zip(numbers, reading.parents, strict=True))
            if path in own and parent in beside
        ]
    return found


def _with_rows_beside(pages: ClassPages, part: Part) -> Rows:
    """The rows, and those beside them that hold the same elements under another class.

    Two rows that all pages have, marked as advertisements, are rows as well: how many pages show
    a row is a column of its own (`_on_pages`).
    """
    found: Rows = {}
    for page, places in part.rows.items():
        reading = pages.readings[page]
        tag = reading.tags[places[0]]
        forms = {_form(reading.nodes[place]) for place in places}
        beside = {reading.parents[place] for place in places}
        found[page] = [
            element
            for element, parent in enumerate(reading.parents)
            if parent in beside
            and reading.tags[element] == tag
            and _form(reading.nodes[element]) in forms
        ]
    return found


def _form(row: Element) -> tuple[str, ...]:
    return tuple(one.tag for one in row.children if isinstance(one, Element))


def _with_names(fields: Sequence[Field]) -> tuple[Field, ...]:
    names = unique([field.name for field in fields])
    return tuple(replace(field, name=name) for field, name in zip(fields, names, strict=True))


def _row_selector(
    pages: ClassPages, indexes: Sequence[PageIndex], part: Part, elements: dict[int, list[Element]]
) -> Selector | None:
    settings = current().wrapper.records
    best, most = None, settings.min_stability
    for selector in lasting_first(
        pages, filter(is_writable, map(Selector.of, _row_paths(pages, part)))
    ):
        right = sum(
            _selects(index, selector, elements.get(page, []), pages.readings[page].is_cut)
            for page, index in enumerate(indexes)
        )
        share = right / len(indexes)
        if share > most:
            best, most = selector, share
        if share >= settings.sure_stability:
            break
    return best


def _selects(index: PageIndex, selector: Selector, elements: list[Element], is_cut: bool) -> bool:
    """Whether just these elements are selected, or as many as were read of the page."""
    found = index.select(selector)
    return (found[: len(elements)] if is_cut else found) == elements


def _row_paths(pages: ClassPages, part: Part) -> Iterator[Path]:
    steps = pages.paths.steps(part.path)
    inner = ways_inside(pages, part)
    for head in _row_heads(pages, part):
        yield head
        if steps[-1].tag == "tr":
            yield head.where(HasChild("td"))
            yield head.where(LacksChild("th"))
        for name in steps[-1].classes[1:]:
            yield head.where(HasClass(name))
        yield head.where(After(1))
        for way in inner:
            yield head.where(HasChild(way) if is_name(way) else OtherPredicate(way))


def _row_heads(pages: ClassPages, part: Part) -> Iterator[Path]:
    steps = pages.paths.steps(part.path)
    if not part.ordinal:
        yield from lasting_heads(pages, steps)
        return
    around = pages.paths.steps(part.container)
    tail = tuple(map(step, steps[len(around) :]))
    for head in lasting_heads(pages, around):
        yield replace(head, index=part.ordinal - 1, tail=tail)


def _heading_name(pages: ClassPages, rows: Rows) -> str:
    """The heading above the rows; empty if there is none."""
    heading = slug(heading_above(pages, rows))
    # A year is what the first rows are of.
    return heading if any(map(str.isalpha, heading.removeprefix("n_"))) else ""


def _name_by_class(pages: ClassPages, path: int) -> str:
    """A class or id of the rows or of what holds them."""
    for label in reversed(pages.paths.steps(path)):
        if found := telling_name((*pages.paths.names.volatile.told(label.classes), label.id)):
            return plural(found)
    return "rows"


def _with_rank(one: Field, pages: Sequence[list[Element]]) -> Field:
    """The field as `rank`, if it has no name and counts the rows of each page from 1."""
    if one.name != "number" or one.named_by != "type":
        return one
    found = [
        [text for row in rows for text in one.rule.texts(ElementScope(row))[:1]]
        for rows in pages[:_RANKED_PAGES]
    ]
    is_count = all(
        texts == [str(turn) for turn in range(1, len(texts) + 1)] for texts in found
    ) and any(len(texts) > 1 for texts in found)
    return replace(one, name="rank") if is_count else one


_RANKED_PAGES = 4


def _whole_line(
    rows: Sequence[Element], fields: Sequence[Field], heading: str
) -> tuple[Field, ...]:
    """The rows as people read them, where each is one short line: a name and a few words.

    "Great Westerns (#15)" is one of the lists that a film is in, and its link and its place stand
    beside it.
    """
    settings = current().wrapper
    name = singular(heading)
    if name in {heading, *(one.name for one in fields)}:
        return ()
    texts = [text_of(row) for row in rows if _is_line(row)]
    is_short = all(len(text) <= settings.parts.max_line_length for text in texts)
    if not is_short or len(texts) < settings.fields.min_derived_share * len(rows):
        return ()
    return (whole_field(name, texts, len(rows)),)


def _is_line(row: Element) -> bool:
    """Whether words stand beside the only other element with words, within one line."""
    inside = [one for one in row.children if isinstance(one, Element) and text_of(one)]
    own = [one.data for one in row.children if isinstance(one, Text)]
    has_words = any(map(str.isalnum, "".join(own)))
    return has_words and len(inside) == 1 and inside[0].tag in INLINE


def _with_singular(fields: Sequence[Field], heading: str) -> tuple[Field, ...]:
    """The fields, the only text without a name as one of what the heading says that the rows are.

    Under "Former clubs" stand years, which their class names, and clubs. Where a link or a heading
    says what the rows are, other texts say something else of them.
    """
    name = singular(heading)
    nameless = [
        one
        for one in fields
        if one.named_by == "tag"
        and one.name in {"text", "item"}
        and one.type.kind is ValueKind.TEXT
        and not one.many
    ]
    is_told = any(one.named_by == "link" or one.name == "title" for one in fields)
    if name == heading or len(nameless) != 1 or is_told:
        return tuple(fields)
    return tuple(
        replace(one, name=name, named_by="before") if one is nameless[0] else one for one in fields
    )
