"""The ids and classes of elements that name parts of pages: which last, and which are values.

In go the pages of a class, out come the names that count (`shared_names`): those that several pages
share, that tell no state (`odd`), number nothing (`row-17`) and are no values (`tag-music`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from sitewright.settings import current
from sitewright.wrapper.grids import grids_of_records
from sitewright.wrapper.naming.volatile import NOTHING_VOLATILE, volatile_classes
from sitewright.wrapper.titled_tables import telling_titles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitewright.page.parser import Element
    from sitewright.wrapper.grids import GridKey
    from sitewright.wrapper.naming.volatile import Volatile
    from sitewright.wrapper.pages import FlatPage


_STATE = re.compile(
    r"(?:.*[-_])?(?:odd|even|first|last|alt|alternate|active|current|selected|on|off|hover|open"
    r"|closed|hidden|visible|expanded|collapsed|left|right|clear|clearfix|cf)(?:row|item)?"
    r"|(?:.*[-_])?(?:odd|even)(?:[-_].*)?",
    re.IGNORECASE,
)
_END_CELL = re.compile(r".+[-_](?:first|last)", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_IDENTIFIER = re.compile(r"\d{3}")
_LONGEST_CLASS_NAME = 100
"""What is longer is no name."""


class ClassKinds(NamedTuple):
    """The classes that others beside them tell kinds of: `field` of `field-name-body`."""

    first_words: dict[str, frozenset[str]]
    """For each of them the words that several kinds begin with, and go on: `name`."""
    crowded: frozenset[str]
    """Kinds of which most pages that have one have several: they name no part of a page."""


@dataclass(frozen=True, slots=True)
class Names:
    """The ids and classes that count, as they are written in pages."""

    ids: frozenset[str]
    classes: frozenset[str]
    volatile: Volatile = NOTHING_VOLATILE
    grids: frozenset[GridKey] = frozenset()
    """The tables whose cells are records: these are not told apart by their place."""
    kinds: ClassKinds = field(default_factory=lambda: ClassKinds({}, frozenset()))
    titles: frozenset[str] = frozenset()
    """The first titles that tell tables without id and class apart, which stand side by side."""

    def of(self, written_id: str | None, written: str | None) -> tuple[str, tuple[str, ...]]:
        """The id and the classes of an element that count, those first that last."""
        name = written_id or ""
        classes = sorted(set((written or "").split()) & self.classes)
        if len(classes) > 1:
            classes.sort(key=self.volatile.__contains__)
        return (name if name in self.ids else ""), tuple(classes)


def is_pager(element: Element) -> bool:
    """Whether an element is called a pager, with whatever other words: `custom-pagination`."""
    written = f"{element.attr('class') or ''} {element.attr('id') or ''}".lower()
    return not _PAGERS.isdisjoint(re.findall(r"[a-z]+", written))


_PAGERS = frozenset({"pager", "pagination", "paging"})


def is_kind(name: str, base: str) -> bool:
    """Whether a class is another one with more words: `field-name-body` of `field`."""
    return len(name) > len(base) and name.startswith(base) and name[len(base)] in "-_"


def kind_words(name: str, base: str) -> tuple[str, ...]:
    """What a class says beyond another: name and body of `field-name-body`."""
    return tuple(re.findall(r"[^\W\d_]+", name[len(base) :].casefold()))


def class_kinds(pages: Iterable[Counter[tuple[str, ...]]]) -> ClassKinds:
    """Find them by the classes of the elements of each page.

    Some page has elements of two kinds; else they may be states of one thing.
    """
    kinds: dict[str, set[str]] = defaultdict(set)
    known: set[str] = set()
    on_pages: Counter[str] = Counter()
    often: Counter[str] = Counter()
    for written in pages:
        here: dict[str, list[frozenset[str]]] = defaultdict(list)
        times: Counter[str] = Counter()
        for names, count in written.items():
            for base in names:
                found = frozenset(one for one in names if is_kind(one, base))
                here[base] += [found] if found else []
                times.update(dict.fromkeys(found, count))
        on_pages.update(times.keys())
        often.update(one for one, count in times.items() if count > 1)
        for base, ones in here.items():
            kinds[base].update(*ones)
            if any(one - ones[0] and ones[0] - one for one in ones):
                known.add(base)
    first: dict[str, frozenset[str]] = {}
    for base in known:
        words = [kind_words(one, base) for one in kinds[base]]
        counts = Counter(one[0] for one in words if len(one) > 1)
        first[base] = frozenset(word for word, count in counts.items() if count > 1)
    return ClassKinds(first, frozenset(one for one in often if 2 * often[one] > on_pages[one]))


def shared_names(
    readings: Sequence[FlatPage], *, ids_count: bool = True, known: Volatile = NOTHING_VOLATILE
) -> Names:
    """The ids and classes that name parts of these pages; some are known not to last."""
    settings = current().wrapper.columns
    ids: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    counted: set[str] = set()
    cells: Counter[str] = Counter()
    numbered: set[str] = set()
    values = _ValueClasses()
    states = _States()
    stripes = _Stripes()
    kinds: set[tuple[str, str]] = set()
    beside: list[Counter[tuple[str, ...]]] = []
    titles: Counter[str] = Counter()
    for reading in readings:
        titles.update(telling_titles(reading) if ids_count else ())
        mine = [node.attr("id") or "" for node in reading.nodes]
        written = [node.attr("class") or "" for node in reading.nodes]
        # A page has thousands of elements, and hardly a hundred things that they say of a class.
        split = {one: one.split() for one in set(written)}
        theirs = [split[one] for one in written]
        own_kinds = set(zip(reading.tags, written, strict=True))
        kinds |= own_kinds
        ids.update(set(mine))
        beside.append(_several_classes(written, split))
        classes.update({name for names in split.values() for name in names})
        counted |= _counting(set(zip(reading.tags, mine, strict=True)))
        # `section_2` may be a place in the page; `post-4766` is what a database calls a record.
        counted |= _counting(
            (tag, name)
            for tag, one in own_kinds
            for index, name in enumerate(split[one])
            if index == 0 or _IDENTIFIER.search(name)
        )
        numbered |= _numbered_siblings(reading, theirs)
        values.add(reading, written, split)
        states.add(reading, written, split)
        stripes.add(reading, written, split)
        cells.update(_first_cells(reading, theirs))
    counted |= states.found() | values.found() | stripes.found()
    counted |= {name for name in classes if _without_digits(name) in numbered}
    enough = max(min(2, len(readings)), settings.min_shared_name_share * len(readings))
    return Names(
        frozenset(_lasting(ids, enough) - counted) if ids_count else frozenset(),
        frozenset(
            name
            for name in _lasting(classes, enough) - counted
            if cells[name] >= enough or not _STATE.fullmatch(name)
        ),
        volatile_classes((tag, one) for tag, one in kinds if one) | known,
        grids_of_records(readings) if ids_count else frozenset(),
        class_kinds(beside),
        frozenset(text for text, count in titles.items() if count >= enough),
    )


def _several_classes(
    written: Iterable[str], split: Mapping[str, Sequence[str]]
) -> Counter[tuple[str, ...]]:
    """What elements of more than one class say of them, with the number of elements."""
    found: Counter[tuple[str, ...]] = Counter()
    for one, count in Counter(written).items():
        if 1 < len(split[one]) <= MOST_CLASSES:
            found[tuple(split[one])] += count
    return found


def _numbered_siblings(reading: FlatPage, theirs: Sequence[Sequence[str]]) -> set[str]:
    """The classes, without their digits, that count siblings which are else the same.

    `row row-1`, `row row-2`, ... are the rows of a list, however their numbers are written.
    """
    settings = current().wrapper.columns
    counting: dict[tuple[int, str, tuple[str, ...]], list[str]] = defaultdict(list)
    numbered = set(filter(_DIGITS.search, set(chain.from_iterable(theirs))))
    for parent, tag, names in zip(reading.parents, reading.tags, theirs, strict=True):
        for name in names if numbered else ():
            if name in numbered:
                others = sorted(_without_digits(other) for other in names)
                counting[parent, f"{tag} {_without_digits(name)}", tuple(others)].append(name)
    return {
        _without_digits(names[0])
        for names in counting.values()
        if len(names) >= settings.min_counted_siblings
        and len(set(names)) == len(names)
        and names == sorted(names, key=_numbers)
    }


def _numbers(name: str) -> list[tuple[int, str]]:
    """The numbers in a name, in an order of their size."""
    digits = (found.lstrip("0") for found in _DIGITS.findall(name))
    return [(len(one), one) for one in digits]


def _without_digits(name: str) -> str:
    return _DIGITS.sub("0", name)


def _first_cells(reading: FlatPage, theirs: Sequence[Sequence[str]]) -> set[str]:
    """The classes of a page that mark the first or last cell of each row in a grid without rows.

    One element has one first child; where several beside each other are first, they begin rows.
    """
    settings = current().wrapper.columns
    ends = set(filter(_END_CELL.fullmatch, set(chain.from_iterable(theirs))))
    times = Counter(
        (parent, name)
        for parent, names in zip(reading.parents, theirs if ends else (), strict=False)
        for name in names
        if name in ends
    )
    return {name for (_parent, name), count in times.items() if count >= settings.min_grid_rows}


class _Stripes:
    """Finds the classes that take turns among siblings: every other post is `post bg1`.

    The siblings share another class, or are rows or items; what stands inside of them is alike, so
    that a question and its answer, which take turns as well, are no stripes.
    """

    def __init__(self) -> None:
        self._striped: Counter[frozenset[str]] = Counter()
        """The classes that take turns with each other, with the groups of siblings."""
        self._others: Counter[str] = Counter()
        """How often a class, or its lack, comes twice in a row among siblings."""

    def add(
        self, reading: FlatPage, written: Sequence[str], split: Mapping[str, Sequence[str]]
    ) -> None:
        """Look at one page: what its elements say of their classes, and the classes in that."""
        least = current().wrapper.columns.min_striped_siblings
        siblings: dict[tuple[int, str], list[int]] = defaultdict(list)
        for element, (parent, one) in enumerate(zip(reading.parents, written, strict=True)):
            if one and parent >= 0:
                siblings[parent, reading.tags[element]].append(element)
        sizes: list[int] = []
        theirs = [split[one] for one in written]
        varied: set[tuple[int, str, str]] = set()
        striped: set[tuple[int, str, str]] = set()
        for (parent, tag), elements in siblings.items():
            if len(elements) < least or len({written[element] for element in elements}) < 2:
                continue
            sizes = sizes or _sizes(reading)
            for group in _of_one_kind(elements, theirs, tag):
                names = [frozenset(theirs[element]) for element in group]
                turns = frozenset(one for one in names[0] ^ names[1] if _takes_turns(one, names))
                if turns and _are_alike_inside(group, theirs, sizes, reading.tags):
                    self._striped[turns] += 1
                striped.update((parent, tag, name) for name in turns)
                changing = frozenset.union(*names) - frozenset.intersection(*names)
                varied.update((parent, tag, name) for name in changing)
        # Of all posts every other one is striped, and not of those by members who are online.
        self._others.update(name for _parent, _tag, name in varied - striped)

    def found(self) -> set[str]:
        """The classes that are stripes."""
        most = current().wrapper.columns.max_unstriped_share
        return {
            name
            for turns, times in self._striped.items()
            if all(self._others[one] <= most * (times + self._others[one]) for one in turns)
            for name in turns
        }


def _of_one_kind(
    elements: Sequence[int], theirs: Sequence[Sequence[str]], tag: str
) -> Iterator[list[int]]:
    """The siblings that share a class, but for a number at its end, if they are enough."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for element in elements:
        names = theirs[element][:MOST_CLASSES]
        for kind in {*names, *map(_without_number, names)}:
            kinds[kind].append(element)
    if tag in _ROWS_AND_ITEMS:
        kinds[""] = list(elements)
    least = current().wrapper.columns.min_striped_siblings
    yield from (group for group in kinds.values() if len(group) >= least)


def _without_number(name: str) -> str:
    return name.rstrip("0123456789")


def _takes_turns(name: str, names: Sequence[frozenset[str]]) -> bool:
    return all((name in one) != (name in other) for one, other in pairwise(names))


def _are_alike_inside(
    elements: Sequence[int],
    theirs: Sequence[Sequence[str]],
    sizes: Sequence[int],
    tags: Sequence[str],
) -> bool:
    """Whether siblings hold the same elements, nearly."""
    inner = [
        frozenset(
            (tags[one], *theirs[one][:1])
            for one in range(element + 1, element + 1 + min(sizes[element], _MOST_COMPARED))
        )
        for element in elements[:_MOST_COMPARED]
    ]
    alike = [len(one & other) / max(1, len(one | other)) for one, other in pairwise(inner)]
    return fmean(alike) >= current().wrapper.columns.min_alike_siblings


_ROWS_AND_ITEMS = frozenset({"tr", "li"})


class _States:
    """Finds the classes that tell a state: `score_good` on some pages, `score_bad` on others.

    They stand beside another class (`score`), differ in their last word, and no part of a page has
    two of them; what stands side by side, as `col-name` and `col-price` do, are different things.
    """

    def __init__(self) -> None:
        self._pages: dict[tuple[str, str], Counter[str]] = {}
        self._structural: set[tuple[str, str]] = set()

    def add(
        self, reading: FlatPage, written: Sequence[str], split: Mapping[str, Sequence[str]]
    ) -> None:
        """Look at one page: what its elements say of their classes, and the classes in that."""
        families = {one: _families(names) for one, names in split.items() if len(names) > 1}
        here: dict[tuple[str, str], set[str]] = {}
        around: dict[tuple[int, str, str], set[str]] = {}
        for found in families.values():
            for family, members in found.items():
                here.setdefault(family, set()).update(members)
        for element, one in enumerate(written):
            for family, members in families[one].items() if one in families else ():
                for up in islice(reading.ancestry(element), 1, _STATE_REACH):
                    if around.setdefault((up, *family), members) != members:
                        self._structural.add(family)
        for family, members in here.items():
            self._pages.setdefault(family, Counter()).update(members)

    def found(self) -> set[str]:
        """The classes that are states, whatever they stand beside."""
        settings = current().wrapper.columns
        states: set[str] = set()
        lasting: set[str] = set()
        for family, members in self._pages.items():
            is_state = (
                family not in self._structural
                and len(members) > 1
                and max(members.values()) <= settings.max_state_share * members.total()
            )
            (states if is_state else lasting).update(members)
        return states - lasting


class _ValueClasses:
    """Finds the classes of containers that are values: `post tag-music`, `post has-picture`.

    They never stand without another class (`post`), whose elements are one kind of thing: the only
    one of its page, or siblings that are alike inside. A class that only some of them have says
    what is in them, as their texts do. Elements with hardly anything in them are left alone: a
    class may be all that tells a price from a date.
    """

    def __init__(self) -> None:
        self._beside: dict[str, set[str]] = {}
        """For each class those that all of its elements have, too."""
        self._small: set[str] = set()
        """The classes of elements with hardly anything in them."""
        self._pages: Counter[str] = Counter()
        self._crowded: set[str] = set()
        """The classes that a page has more than once."""
        self._rows: set[str] = set()
        self._structural: set[str] = set()
        self._read = 0

    def add(
        self, reading: FlatPage, written: Sequence[str], split: Mapping[str, Sequence[str]]
    ) -> None:
        """Look at one page: what its elements say of their classes, and the classes in that."""
        settings = current().wrapper.columns
        self._read += 1
        sizes = _sizes(reading)
        small: set[str] = set()
        siblings: dict[tuple[int, str], list[int]] = defaultdict(list)
        told = self._kinds_of_elements(reading.tags, written, split)
        theirs = [split[one] for one in written]
        for element, kind in enumerate(zip(reading.tags, written, strict=True)):
            if kind not in told:
                continue
            if sizes[element] < settings.min_container_size:
                small.add(kind[1])
            elif told[kind] > 1:
                siblings[reading.parents[element], kind[0]].append(element)
        self._small.update(name for one in small for name in split[one])
        for elements in siblings.values():
            if len(elements) >= settings.min_grid_rows:
                self._add_siblings(elements, theirs, sizes, reading.tags)

    def _kinds_of_elements(
        self, tags: Sequence[str], written: Sequence[str], split: Mapping[str, Sequence[str]]
    ) -> dict[tuple[str, str], int]:
        """Count what elements of a page say of their classes; how many classes each kind has."""
        told: dict[tuple[str, str], int] = {}
        times: Counter[str] = Counter()
        for (tag, one), count in Counter(zip(tags, written, strict=True)).items():
            names = set(split[one])
            if not names or tag == "body" or len(split[one]) > MOST_CLASSES:
                continue  # the page as a whole has the names of its parts, too
            told[tag, one] = len(names)
            own = {*names, f"<{tag}>"}
            for name in names:
                times[name] += count
                self._beside[name] = self._beside[name] & own if name in self._beside else own
        self._pages.update(times.keys())
        self._crowded.update(name for name, count in times.items() if count > 1)
        return told

    def _add_siblings(
        self,
        elements: Sequence[int],
        theirs: Sequence[Sequence[str]],
        sizes: Sequence[int],
        tags: Sequence[str],
    ) -> None:
        names = [set(theirs[element]) for element in elements]
        common = set.intersection(*names)
        varied = set.union(*names) - common
        if not varied:
            return
        is_one_kind = bool(common) and _are_alike_inside(elements, theirs, sizes, tags)
        (self._rows if is_one_kind else self._structural).update(varied)

    def found(self) -> set[str]:
        """The classes that are values."""
        settings = current().wrapper.columns
        return {
            name
            for name, beside in self._beside.items()
            if name not in self._small
            and name not in self._structural
            and len(beside) > _ITSELF_AND_TAG
            and (
                name in self._rows
                or any(
                    other not in self._crowded
                    and self._pages[name] <= settings.max_value_class_share * self._pages[other]
                    and 2 * self._pages[other] >= self._read
                    for other in beside - {name}
                )
            )
        }


_ITSELF_AND_TAG = 2
MOST_CLASSES = 60
"""No element that a person has named has more."""
_MOST_COMPARED = 40
"""Elements of a row, and rows, that are compared."""


def _sizes(reading: FlatPage) -> list[int]:
    """How many elements stand in each element."""
    sizes = [0] * len(reading.parents)
    for element in range(len(sizes) - 1, -1, -1):
        if reading.parents[element] >= 0:
            sizes[reading.parents[element]] += sizes[element] + 1
    return sizes


_STATE_REACH = 4
"""Elements around one in which another class of its family makes them different things."""


def _families(names: Sequence[str]) -> dict[tuple[str, str], set[str]]:
    """The classes of an element by how they begin, and by a class beside them that does not."""
    found: dict[tuple[str, str], set[str]] = {}
    for name in names:
        start, mark, _end = _last_mark(name)
        for base in names if mark else ():
            if not base.startswith(start + mark):
                found.setdefault((start, base), set()).add(name)
    return found


def _last_mark(name: str) -> tuple[str, str, str]:
    """A name before its last dash or underscore, that mark, and the rest."""
    return max(name.rpartition("_"), name.rpartition("-"), key=lambda parts: len(parts[0]))


def _lasting(counts: Counter[str], enough: float) -> set[str]:
    return {
        name
        for name, count in counts.items()
        if count >= enough and 0 < len(name) <= _LONGEST_CLASS_NAME
    }


def _counting(tagged: Iterable[tuple[str, str]]) -> set[str]:
    """The names that number elements of one tag: alike but for their digits."""
    settings = current().wrapper.columns
    families: dict[tuple[str, str], set[str]] = {}
    for tag, name in tagged:
        if name and any(map(str.isdigit, name)):
            families.setdefault((tag, _without_digits(name)), set()).add(name)
    return {
        name
        for family in families.values()
        if len(family) >= settings.min_numbered_names
        for name in family
    }


# The shape of a text: what a reader who cannot read the language would tell texts apart by.
