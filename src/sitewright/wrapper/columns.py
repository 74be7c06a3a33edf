"""Columns: the leaves of all pages that are values of one attribute.

A leaf belongs to a column by what names it best: the repeated part around it, the label before it,
the label inside it, and only then the place where it stands.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sitewright.settings import current
from sitewright.wrapper.labels import has_further_label, is_separator, label_name, prefix
from sitewright.wrapper.pages import TEXT, expected_overlap, homogeneity, overlap, text_signature
from sitewright.wrapper.titles import title_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.pages import FlatPage, Leaf, TextSignature


Cells: TypeAlias = dict[int, list[int]]
"""For each page the places of leaves."""


@dataclass(frozen=True, slots=True)
class ValueColumn:
    """Leaves of many pages that are values of one attribute."""

    kind: str
    """What holds them together: record, label, prefix, path or list."""
    path: int
    part: str
    cells: Cells
    many: bool = False
    label_path: int = -1
    """The path of the label that names them; -1 for none."""
    place: tuple[int, ...] = ()
    """Which of several: its turn in the page, or the places of elements among their siblings."""

    def texts(self, view: ClassPages, page: int) -> list[str]:
        """What the column has on a page: all of a list, else the first."""
        places = self.cells.get(page, [])
        leaves = view.readings[page].leaves
        return [leaves[place].text for place in (places if self.many else places[:1])]


_ITEMS = frozenset({"li", "a"})
_MAIN_HEADINGS = frozenset({"h1"})
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
_PartedCells: TypeAlias = dict[tuple[int, ...], Cells]
"""The columns of a place that pages have several values in, by what tells them apart."""
Spot: TypeAlias = tuple[int, str]
"""A path and the part of its elements."""


@dataclass(frozen=True, slots=True)
class _Spots:
    """How the leaves of the class are spread over the places where they stand."""

    alone: frozenset[Spot]
    """Where a page has one leaf at most, under no more than one label."""
    even: frozenset[Spot]
    """Blocks of which all pages have as many, each with one leaf, in whatever tags it stands."""

    def of(self, view: ClassPages, path: int, leaf: Leaf) -> tuple[Spot, bool]:
        """The widest spot of a leaf, and whether it has it for itself."""
        bare = (view.paths.bare(path), leaf.part)
        if view.is_record_view and bare in self.alone:
            return bare, True  # one place, whatever kind of thing a record is about
        block = (view.paths.block(path), leaf.part)
        if block in self.alone and not view.labels.is_constant(path, leaf.text):
            return block, True
        if block in self.even:
            return block, False
        return (path, leaf.part), (path, leaf.part) in self.alone


def make_columns(view: ClassPages) -> list[ValueColumn]:
    """Sort every leaf that could be data into one column."""
    data = [
        [place for place in range(len(reading.leaves)) if _is_data(view, page, place)]
        for page, reading in enumerate(view.readings)
    ]
    spots = _find_spots(view, data)
    groups: dict[_Key, Cells] = defaultdict(lambda: defaultdict(list))
    for page, (reading, places) in enumerate(zip(view.readings, data, strict=True)):
        titles = title_cells(reading)
        for place in places:
            leaf = reading.leaves[place]
            if not _is_title(reading, leaf, titles):
                path = view.numbers[page][leaf.element]
                groups[_key(view, spots, page, place, path)][page].append(place)
    return [column for key, group in groups.items() for column in _columns(view, key, group)]


def _columns(view: ClassPages, key: _Key, group: Cells) -> Iterator[ValueColumn]:
    if key.kind == "record":
        yield ValueColumn(key.kind, key.path, key.part, group)
        return
    for many, number, cells in _parted(view, key, group):
        kind = "list" if many and key.kind == "path" else key.kind
        yield ValueColumn(kind, key.path, key.part, cells, many, key.other, number)


def _is_title(reading: FlatPage, leaf: Leaf, titles: set[int]) -> bool:
    return bool(titles) and any(up in titles for up in reading.ancestry(leaf.element))


def _is_data(view: ClassPages, page: int, place: int) -> bool:
    """Whether a leaf could be a value: it is neither a label nor mere punctuation.

    A dash behind a label says that there is no value, and stands for one.
    """
    reading = view.readings[page]
    leaf = reading.leaves[place]
    if not is_separator(leaf.text):
        return not (
            leaf.part == TEXT and view.labels.is_label(view.numbers[page][leaf.element], leaf.text)
        )
    governing = view.labels_of_leaves[page]
    is_first = place > 0 and governing[place] == place - 1
    is_last = place + 1 == len(governing) or governing[place + 1] != governing[place]
    return is_first and is_last


class _Key(NamedTuple):
    """What a leaf belongs to."""

    kind: str
    path: int
    part: str
    label: str = ""
    other: int = -1
    """The path of the label, or that of the record around the leaf."""


def _key(view: ClassPages, spots: _Spots, page: int, place: int, path: int) -> _Key:
    reading, numbers = view.readings[page], view.numbers[page]
    leaf = reading.leaves[place]
    spot, is_alone = spots.of(view, path, leaf)
    row = view.rows(page, leaf.element)
    if row >= 0:
        return _Key("record", path, leaf.part, other=numbers[row])
    named = leaf.part == TEXT and (path, prefix(leaf.text)) in view.labels.prefixes
    governor = view.labels_of_leaves[page][place]
    # What stands behind "Costs" in several labels is costs, and not what the first of them says.
    is_part = governor >= 0 and has_further_label(leaf.text)
    if named and not is_alone and not is_part:
        return _Key("prefix", path, TEXT, label_name(prefix(leaf.text)), path)
    if governor >= 0 and not is_alone:
        label = reading.leaves[governor]
        block = view.paths.block(path)
        return _Key("label", block, leaf.part, label_name(label.text), numbers[label.element])
    return _Key("path", *spot)


def _find_spots(view: ClassPages, data: Sequence[Sequence[int]]) -> _Spots:
    """Count the leaves at each place; `data` are for each page those that could be values."""
    settings = current().wrapper.columns
    pages: Counter[Spot] = Counter()
    crowded: Counter[Spot] = Counter()
    named: dict[Spot, Counter[str]] = defaultdict(Counter)
    for page, (reading, places) in enumerate(zip(view.readings, data, strict=True)):
        counts: Counter[Spot] = Counter()
        for place in places:
            leaf = reading.leaves[place]
            path = view.numbers[page][leaf.element]
            if leaf.part == TEXT and view.labels.is_constant(path, leaf.text):
                continue
            governor = view.labels_of_leaves[page][place]
            written = reading.leaves[governor].text if governor >= 0 else prefix(leaf.text)
            label = label_name(written)
            for spot in {(one, leaf.part) for one in _places(view, path)}:
                counts[spot] += 1
                named[spot][label] += 1
        pages.update(counts.keys())
        crowded.update(spot for spot, count in counts.items() if count > 1)
    return _Spots(
        frozenset(
            spot
            for spot, count in pages.items()
            if crowded[spot] <= settings.max_crowded_share * count and _labels(named[spot]) <= 1
        ),
        _even_blocks(view, data),
    )


def _even_blocks(view: ClassPages, data: Sequence[Sequence[int]]) -> frozenset[Spot]:
    """Blocks that are linked on some pages and plain on others: `div` and `div/a` are one place.

    More pages have as many of them, each with one text, than have as many of any kind of tags.
    """
    settings = current().wrapper.columns
    sizes: dict[int, list[int]] = defaultdict(list)
    inside: dict[int, dict[int, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
    shared: Counter[int] = Counter()
    for page, (reading, places) in enumerate(zip(view.readings, data, strict=True)):
        numbers = view.numbers[page]
        blocks: dict[int, list[int]] = defaultdict(list)
        for leaf in map(reading.leaves.__getitem__, places):
            if leaf.part == TEXT:
                path = numbers[leaf.element]
                block = view.paths.block(path)
                up = next(one for one in reading.ancestry(leaf.element) if numbers[one] == block)
                blocks[block].append(up)
                inside[block][path][page] += 1
        for block, elements in blocks.items():
            sizes[block].append(len(elements))
            shared[block] += len(set(elements)) < len(elements)
    return frozenset(
        (block, TEXT)
        for block, counts in sizes.items()
        if len(inside[block]) > 1
        and not shared[block]
        and max(counts) > 1
        and _commonest(counts) >= settings.min_same_count * len(counts)
        and all(_commonest(pages.values()) < _commonest(counts) for pages in inside[block].values())
    )


def _commonest(counts: Iterable[int]) -> int:
    """How many pages have the number that most pages have."""
    return max(Counter(counts).values())


def _places(view: ClassPages, path: int) -> tuple[int, ...]:
    """The places that a leaf may be said to stand in."""
    block = view.paths.block(path)
    return (path, block, view.paths.bare(path)) if view.is_record_view else (path, block)


def _labels(named: Counter[str]) -> int:
    """How many labels govern a good share of the leaves of a spot."""
    settings = current().wrapper.columns
    return sum(
        count >= settings.min_label_share * named.total() for label, count in named.items() if label
    )


def _parted(
    view: ClassPages, key: _Key, group: Cells
) -> Iterator[tuple[bool, tuple[int, ...], Cells]]:
    """One column, a list, or one column for each place: (many, place, cells)."""
    settings = current().wrapper.columns
    several = sum(len(places) > 1 for places in group.values())
    if several <= settings.max_crowded_share * len(group):
        yield False, (), group
        return
    if (values := _without_constant(view, group)) is not None:
        yield False, (), values
        return
    by_number = _by(group, lambda _page, _place, number: (number,))
    is_steady = _is_steady(group)
    is_fixed = _are_lines(view, group) and is_steady
    # Where pages have more or fewer, a column for each place would mix what stands there.
    may_be_list = not is_fixed and (
        not is_steady or _are_near(view, group) or _are_listed(view, group)
    )
    # Things of one kind in elements of their own behind one label are all what it names.
    is_named_list = not is_steady and (
        _are_headings(view, group)
        or (key.kind == "label" and _are_items(view, group))
        or (_are_near(view, group) and _are_items(view, group, frozenset({"li"})))
    )
    is_title = not view.is_record_view and _are_items(view, group, _MAIN_HEADINGS)
    if is_named_list or (may_be_list and not is_title and _is_list(view, group, by_number)):
        yield True, (), group
        return
    if not is_steady and is_title:
        # What only some pages have behind the heading of the page are the headings of its text.
        for place, cells in by_number.items():
            if len(cells) >= (1 - settings.max_crowded_share) * len(group):
                yield False, place, cells
        return
    # Of a place that is a link on some pages and plain on others, the link does not count.
    top = key.path if key.kind == "path" else -1
    by_position = _by(group, lambda page, place, _number: _position(view, page, place, top))
    chosen = max((by_number, by_position), key=lambda parts: _orderliness(view, parts))
    chosen = _from_end(view, group) or chosen
    for place, cells in chosen.items():
        yield False, place, cells


def _from_end(view: ClassPages, group: Cells) -> _PartedCells | None:
    """The columns counted from the end, where what has fewer values lacks the first of them.

    A work by nobody has a date all the same, in the first of two equal elements: it is like the
    second of the works that have both.
    """
    settings = current().wrapper.columns
    full = Counter(map(len, group.values())).most_common(1)[0][0]
    whole = {page: places for page, places in group.items() if len(places) == full}
    short = {page: places for page, places in group.items() if len(places) < full}
    if len(short) < settings.min_filled_pages:
        return None

    def shapes(cells: Cells, start: int) -> dict[int, Counter[TextSignature]]:
        parts = _by(cells, lambda page, _place, number: (number + start * len(cells[page]),))
        return {place: _shapes(view, own) for (place,), own in parts.items()}

    fits = []
    for start in (0, -1):
        known = shapes(whole, start)
        fits.append(
            [
                overlap(found, known[place]) * found.total()
                for place, found in shapes(short, start).items()
            ]
        )
    front, end = (sum(fit) / sum(map(len, short.values())) for fit in fits)
    if end < front + settings.min_gain_from_end:
        return None
    return _by(group, lambda page, _place, number: (number - len(group[page]) - 1,))


def _without_constant(view: ClassPages, group: Cells) -> Cells | None:
    """The one value that most pages have beside words that all pages have: "Recipe by Ada"."""
    left: Cells = {}
    for page, places in group.items():
        reading, numbers = view.readings[page], view.numbers[page]
        left[page] = [
            place
            for place in places
            if not view.labels.is_constant(
                numbers[reading.leaves[place].element], reading.leaves[place].text
            )
        ]
    filled = {page: places for page, places in left.items() if places}
    is_one = all(len(places) == 1 for places in filled.values())
    return filled if is_one and 2 * len(filled) > len(group) else None


def _by(group: Cells, key: Callable[[int, int, int], tuple[int, ...]]) -> _PartedCells:
    parts: _PartedCells = defaultdict(lambda: defaultdict(list))
    for page, places in group.items():
        for number, place in enumerate(places, 1):
            parts[key(page, place, number)][page].append(place)
    return parts


def _position(view: ClassPages, page: int, place: int, top: int) -> tuple[int, ...]:
    """Where the leaf stands, below the nearest id: the places of elements among their siblings.

    Those that stand inside an element of the path `top` do not count.
    """
    reading, numbers = view.readings[page], view.numbers[page]
    leaf = reading.leaves[place]
    around = [leaf.place]
    for element in reading.ancestry(leaf.element):
        if numbers[element] == top and element != leaf.element:
            around = [1]
        if view.paths.labels[numbers[element]][1].id:
            break
        around.append(reading.nth[element])
    return (0, *reversed(around))


def _shapes(view: ClassPages, cells: Cells) -> Counter[TextSignature]:
    return Counter(
        text_signature(view.readings[page].leaves[place].text)
        for page, places in cells.items()
        for place in places
    )


def _is_steady(group: Cells) -> bool:
    """Whether (nearly) all pages have as many leaves there."""
    settings = current().wrapper.columns
    counts = Counter(map(len, group.values()))
    return max(counts.values()) >= settings.min_same_count * len(group)


def _are_lines(view: ClassPages, group: Cells) -> bool:
    """Whether the leaves are the lines of one element: an address, not a list."""
    return all(
        len({view.readings[page].leaves[place].element for place in places}) == 1
        for page, places in group.items()
    )


def _are_near(view: ClassPages, group: Cells) -> bool:
    """Whether the leaves of a page stand side by side."""
    settings = current().wrapper.columns
    near = far = 0
    for page, places in group.items():
        reading = view.readings[page]
        for one, other in pairwise(places):
            start = reading.leaves[one].element
            meeting = reading.meeting(start, reading.leaves[other].element)
            is_near = meeting in islice(reading.ancestry(start), settings.max_list_distance + 1)
            near, far = near + is_near, far + (not is_near)
    return near > far


def _are_listed(view: ClassPages, group: Cells) -> bool:
    """Whether nearly every leaf stands in an item of its own of a repeated part."""
    settings = current().wrapper.columns
    alone = total = 0
    for page, places in group.items() if view.listed else ():
        reading, numbers = view.readings[page], view.numbers[page]
        items = Counter(
            next(
                (up for up in reading.ancestry(reading.leaves[place].element)
                 if numbers[up] in view.listed), -1,
            )
            for place in places
        )  # fmt: skip
        total += len(places)
        alone += sum(count for item, count in items.items() if item >= 0 and count == 1)
    return total > 0 and alone >= settings.min_same_count * total


def _are_headings(view: ClassPages, group: Cells) -> bool:
    """Whether the leaves are the headings of sections: pages have as many as their text needs."""
    page, places = next(iter(group.items()))
    reading = view.readings[page]
    around = islice(reading.ancestry(reading.leaves[places[0]].element), _ITEM_DISTANCE)
    return not view.is_record_view and any(reading.tags[up] in _HEADINGS for up in around)


def _are_items(view: ClassPages, group: Cells, tags: frozenset[str] = _ITEMS) -> bool:
    """Whether nearly every leaf stands in a list item or a link of its own."""
    settings = current().wrapper.columns
    alone = total = 0
    for page, places in group.items():
        reading = view.readings[page]
        held = Counter(_item(reading, reading.leaves[place].element, tags) for place in places)
        total += len(places)
        alone += sum(count for item, count in held.items() if item >= 0 and count == 1)
    return alone >= settings.min_same_count * total


def _item(reading: FlatPage, element: int, tags: frozenset[str]) -> int:
    """The list item or link around a leaf; -1 for none."""
    around = islice(reading.ancestry(element), _ITEM_DISTANCE)
    return next((up for up in around if reading.tags[up] in tags), -1)


_ITEM_DISTANCE = 4


def _is_list(view: ClassPages, group: Cells, by_number: _PartedCells) -> bool:
    """Whether the values are alike whatever their turn, as alike as so few can be."""
    settings = current().wrapper.columns
    everything = _shapes(view, group)
    likeness = weight = 0.0
    for cells in by_number.values():
        size = sum(map(len, cells.values()))
        likeness += size * overlap(_shapes(view, cells), everything)
        weight += size * expected_overlap(size, everything)
    return likeness >= settings.min_list_overlap * weight


def _orderliness(view: ClassPages, parts: _PartedCells) -> float:
    """How pure the columns are, and how few."""
    cost = current().wrapper.columns.cost_of_column
    return homogeneity(_shapes(view, cells) for cells in parts.values()) - cost * len(parts)


# What the values of a column say of it: how many, how different, and whether they are data.


@dataclass(frozen=True, slots=True)
class Statistics:
    """The values of a column over the pages."""

    coverage: float
    distinct: int
    commonest: float
    """The share of the commonest value."""
    bits: float
    """The entropy of the values."""
    filled: int
    pages: int

    def fault(self, pages: int, constant: float | None = None) -> str:
        """Why this is no column of data; empty if it is one.

        `constant` is the share of one value from which on the others count as errors.
        """
        settings = current().wrapper.columns
        least = settings.min_constant_share if constant is None else constant
        if not self.filled:
            return "empty"
        if pages == 1:
            return ""
        if pages > settings.min_filled_pages and self.filled < max(
            settings.min_filled_pages, settings.min_filled_share * pages
        ):
            return "too rare"
        if self.filled > 1 and (self.commonest >= least or self.distinct == 1):
            return "constant"
        return ""

    def worth(self) -> float:
        """How much a column tells, from 0 to 1: on how many pages, and whether it varies."""
        settings = current().wrapper.columns
        if self.pages <= settings.min_filled_pages:
            return self.coverage  # nobody knows what would vary
        return self.coverage * min(1.0, self.bits) * (1 - self.commonest**4)


def statistics(values: Sequence[Sequence[str]]) -> Statistics:
    """Count the values of a column: for each page those that it has."""
    filled = [tuple(found) for found in values if found]
    counts = Counter(filled)
    total = len(filled)
    if not total:
        return Statistics(0.0, 0, 0.0, 0.0, 0, len(values))
    bits = -sum(count / total * math.log2(count / total) for count in counts.values())
    return Statistics(
        total / len(values), len(counts), max(counts.values()) / total, bits, total, len(values)
    )
