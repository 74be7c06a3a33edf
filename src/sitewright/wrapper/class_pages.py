"""What is known of the pages of one class before columns are made."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sitewright.page.page_index import text_of
from sitewright.settings import current
from sitewright.wrapper.css_names import shared_names
from sitewright.wrapper.label_reach import labels_of_leaves, with_whole_values
from sitewright.wrapper.labels import find_labels
from sitewright.wrapper.naming.volatile import NOTHING_VOLATILE
from sitewright.wrapper.pages import (
    WORDS,
    Paths,
    flat_element,
    flat_page,
    homogeneity,
    text_signature,
)
from sitewright.wrapper.repeats import (
    NOTHING_REPEATED,
    lead_ins,
    repeated_paths,
    rich_text_paths,
    with_rich_text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.page import Document
    from sitewright.page.parser import Element
    from sitewright.wrapper.labels import Labels
    from sitewright.wrapper.naming.volatile import Volatile
    from sitewright.wrapper.pages import FlatPage, TextSignature
    from sitewright.wrapper.repeats import RepeatedPaths


@dataclass(frozen=True, slots=True)
class ClassPages:
    """The pages of a class: readings, paths, labels and repeated parts."""

    readings: list[FlatPage]
    paths: Paths
    numbers: list[list[int]]
    """For each page the path of each element."""
    labels: Labels
    labels_of_leaves: list[list[int]]
    """For each page and leaf the label before it; -1 for none."""
    repeated: frozenset[int]
    """The paths of repeated parts that hold more than one text."""
    is_record_view: bool = False
    """Whether these are the records of pages, not pages."""
    listed: frozenset[int] = frozenset()
    """The paths of repeated parts that hold one text each: the items of lists."""

    rows_of_elements: Sequence[Sequence[int]] = ()
    """For each page and element the record around it, or the term that it explains; -1 for none."""

    def rows(self, page: int, element: int) -> int:
        """The record around an element, or the term that it explains; -1 if there is none."""
        return self.rows_of_elements[page][element]


def analyse_pages(documents: Sequence[Document]) -> ClassPages:
    """Read the pages of a class."""
    return analyse_readings([flat_page(document) for document in documents])


def analyse_readings(readings: list[FlatPage]) -> ClassPages:
    """The same for pages that were read already."""
    return _view(readings, is_record_view=False)


def analyse_rows(
    rows: Sequence[tuple[Element, str]], volatile: Volatile = NOTHING_VOLATILE
) -> ClassPages:
    """Read records, each an element of the page with that URL, as if they were pages.

    `volatile` are the classes of their pages that do not last: rows have too few to tell.
    """
    readings = [flat_element(element, url) for element, url in rows]
    from_end = _lack_first_cells(readings)
    return _view(readings, is_record_view=True, from_end=from_end, volatile=volatile)


def _lack_first_cells(rows: Sequence[FlatPage]) -> bool:
    """Whether the cells of rows are of one kind each if they are counted from the end only.

    A row without the cell for a picture has all others one place earlier.
    """
    cells = [
        [element for element, parent in enumerate(row.parents) if parent == 0]
        for row in rows
        if row.tags[0] == "tr"
    ]
    if len(cells) < len(rows) or len(set(map(len, cells))) == 1:
        return False
    by_place: dict[int, Counter[TextSignature]] = defaultdict(Counter)
    from_end: dict[int, Counter[TextSignature]] = defaultdict(Counter)
    for row, own in zip(rows, cells, strict=True):
        for index, cell in enumerate(own):
            shape = text_signature(text_of(row.nodes[cell]))
            by_place[index][shape] += 1
            from_end[index - len(own)][shape] += 1
    least = current().wrapper.records.min_gain_from_end
    return homogeneity(from_end.values()) >= homogeneity(by_place.values()) + least


def _view(
    readings: list[FlatPage],
    *,
    is_record_view: bool,
    from_end: bool = False,
    volatile: Volatile = NOTHING_VOLATILE,
) -> ClassPages:
    # No two elements of a page have one id: the ids inside its records number them.
    names = shared_names(readings, ids_count=not is_record_view, known=volatile)
    paths = Paths(names, from_end, of_rows=is_record_view)
    numbers = [paths.of(reading) for reading in readings]
    labels = find_labels(readings, numbers)
    governing = [
        labels_of_leaves(reading, path, labels, paths)
        for reading, path in zip(readings, numbers, strict=True)
    ]
    # The parts that repeat inside a record are lists of values.
    repeated = NOTHING_REPEATED
    if not is_record_view:
        cards = frozenset(filter(paths.is_record_cell, range(len(paths.labels))))
        repeated = repeated_paths(readings, numbers, labels, governing, cards)
    grids = _first_of_grids(readings, numbers, repeated.records)
    records = _with_several_texts(readings, numbers, repeated, labels, grids)
    prose = rich_text_paths(readings, numbers, paths, labels, records)
    kept = lead_ins(readings, numbers, prose) if is_record_view else frozenset[int]()
    readings = [
        with_rich_text(reading, path, prose, kept)
        for reading, path in zip(readings, numbers, strict=True)
    ]
    governing = [
        labels_of_leaves(reading, path, labels, paths)
        for reading, path in zip(readings, numbers, strict=True)
    ]
    whole = with_whole_values(readings, numbers, governing)
    governing = [
        known if reading is before else labels_of_leaves(reading, path, labels, paths)
        for reading, before, path, known in zip(whole, readings, numbers, governing, strict=True)
    ]
    readings = whole
    still = repeated._replace(records=records)
    rows = _with_several_texts(readings, numbers, still, labels, grids)
    lists = repeated.records - rows
    around = [
        _rows_of_elements(reading, path, rows)
        for reading, path in zip(readings, numbers, strict=True)
    ]
    found = ClassPages(
        readings, paths, numbers, labels, governing, rows, is_record_view, lists, around
    )
    ended = [_ended_at_records(found, page) for page in range(len(readings))]
    return replace(found, labels_of_leaves=ended) if rows else found


def _ended_at_records(found: ClassPages, page: int) -> list[int]:
    """A heading above records names them, and nothing that comes behind them."""
    leaves = found.readings[page].leaves
    governing: list[int] = []
    spent: set[int] = set()
    for leaf, label in zip(leaves, found.labels_of_leaves[page], strict=True):
        governing.append(label if label not in spent else -1)
        if label >= 0 and found.rows(page, leaf.element) > leaves[label].element:
            spent.add(label)
    return governing


def _with_several_texts(
    readings: Sequence[FlatPage],
    numbers: Sequence[list[int]],
    repeated: RepeatedPaths,
    labels: Labels,
    grids: frozenset[int],
) -> frozenset[int]:
    """The repeated parts that hold more than one text or picture that is not constant.

    A value that is a link in some rows and plain in others is one; the tags in a paragraph part no
    values; what is said of a term, or of the first cell in the row of a grid, stands behind it; and
    a long list of links is one of records, each a text and a URL. Of equal elements in a row that
    are told apart by their place, each is a value of its own.
    """
    settings = current().wrapper.repeats
    held: dict[int, list[int]] = {path: [] for path in repeated.records}
    parts = repeated.records | repeated.positional
    links: Counter[int] = Counter()
    pages: Counter[int] = Counter()
    tags: dict[int, str] = {}
    usual = _usual_texts(readings, numbers, repeated.records)
    for reading, paths in zip(readings, numbers, strict=True):
        inner: dict[int, set[tuple[int, int]]] = {}
        nearest = _nearest_parts(reading, paths, parts)
        for leaf in reading.leaves:
            spot = (paths[leaf.element], leaf.text)
            if leaf.part not in _VALUES or (labels.is_constant(*spot) and spot in usual):
                continue
            if leaf.part == "src" and spot in usual:
                continue
            own = 0
            up = nearest[leaf.element]
            while up >= 0:
                if paths[up] in held:
                    inner.setdefault(up, set()).add((paths[leaf.element], own))
                own = up if paths[up] in repeated.positional else own
                up = nearest[reading.parents[up]] if reading.parents[up] >= 0 else -1
        pages.update({paths[row] for row in inner})
        links.update(paths[row] for row in inner if _is_link(reading, row))
        for row, found in inner.items():
            held[paths[row]].append(len(found))
            tags[paths[row]] = reading.tags[row]
    return frozenset(
        path
        for path, counts in held.items()
        if tags.get(path) == "dt"
        or path in grids
        or (
            tags.get(path) not in _SENTENCES
            and sum(counts) > settings.min_texts_per_row * len(counts)
        )
        or (
            links[path]
            > settings.min_link_share * len(counts)
            >= settings.min_links * settings.min_link_share * pages[path]
        )
    )


def _nearest_parts(reading: FlatPage, paths: list[int], parts: frozenset[int]) -> list[int]:
    """For each element the innermost with one of some paths around it, or itself; -1 for none.

    Most elements are none of them: who goes up from part to part passes few.
    """
    nearest: list[int] = []
    for element, (path, parent) in enumerate(zip(paths, reading.parents, strict=True)):
        outer = nearest[parent] if parent >= 0 else -1
        nearest.append(element if path in parts else outer)
    return nearest


def _first_of_grids(
    readings: Sequence[FlatPage], numbers: Sequence[list[int]], rows: frozenset[int]
) -> frozenset[int]:
    """The paths of cells that begin the rows of grids without an element for a row.

    Under one parent cells of two or more kinds take turns, and there are equally many of each: what
    stands behind the first, up to the next one, belongs to it. Headings and paragraphs are text.
    """
    first: set[int] = set()
    broken: set[int] = set()
    for reading, paths in zip(readings, numbers, strict=True):
        cells: dict[int, list[int]] = defaultdict(list)
        for path, parent, tag in zip(paths, reading.parents, reading.tags, strict=True):
            if path in rows and parent >= 0 and tag not in _SENTENCES:
                cells[parent].append(path)
        for found in cells.values():
            kinds = list(dict.fromkeys(found))
            if len(kinds) > 1 and found == kinds * (len(found) // len(kinds)):
                first.add(kinds[0])
                broken.update(kinds[1:])
            else:
                broken.update(kinds)
    return frozenset(first - broken)


def _usual_texts(
    readings: Sequence[FlatPage], numbers: Sequence[list[int]], rows: frozenset[int]
) -> set[tuple[int, str]]:
    """The texts that most leaves of their path have: "Forward" may be on all pages, and be data."""
    settings = current().wrapper.repeats
    totals: Counter[int] = Counter()
    times: Counter[tuple[int, str]] = Counter()
    for reading, paths in zip(readings, numbers, strict=True):
        for leaf in reading.leaves if rows else ():
            if leaf.part in _VALUES:
                totals[paths[leaf.element]] += 1
                times[paths[leaf.element], leaf.text] += 1
    return {
        spot for spot, count in times.items() if count >= settings.min_usual_share * totals[spot[0]]
    }


def _is_link(reading: FlatPage, row: int) -> bool:
    """Whether an element is a link, or holds one right inside."""
    settings = current().wrapper.repeats
    inside = range(row, min(row + settings.link_depth, len(reading.tags)))
    return any(reading.tags[one] == "a" and reading.meeting(row, one) == row for one in inside)


_VALUES = frozenset({*WORDS, "src"})
"""What makes a row a record: a card with a picture and its title says two things."""
_SENTENCES = frozenset("p h1 h2 h3 h4 h5 h6 blockquote pre figcaption".split())


def _rows_of_elements(reading: FlatPage, numbers: list[int], repeated: frozenset[int]) -> list[int]:
    """For each element the record around it, or the term that it explains; -1 if there is none."""
    found: list[int] = []
    terms: dict[int, int] = {}  # by their parent, the last `<dt>` so far
    for element, (tag, parent) in enumerate(zip(reading.tags, reading.parents, strict=True)):
        term = terms.get(parent, -1) if tag == "dd" else -1
        if numbers[element] in repeated:
            found.append(element)
        elif term >= 0 and numbers[term] in repeated:
            found.append(term)
        else:
            found.append(found[parent] if parent >= 0 else -1)
        if tag == "dt":
            terms[parent] = element
    return found
