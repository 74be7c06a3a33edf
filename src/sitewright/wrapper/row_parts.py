"""Which rows of one path belong together: by what they hold, and by the titles above them."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sitewright.page.parser import Element
from sitewright.settings import current
from sitewright.wrapper.pages import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.pages import FlatPage


Rows: TypeAlias = dict[int, list[int]]
"""For each page the elements that are records."""
_BODIES = frozenset({"tbody", "thead", "tfoot"})


class Part(NamedTuple):
    """Records of one form that belong together."""

    path: int
    rows: Rows
    container: int = -1
    """The path of the element that holds them, if there are several and this is one of them."""
    ordinal: int = 0
    """Which one, from 1."""


def parts(view: ClassPages, path: int, rows: Rows) -> list[Part]:
    """One part for each form of the rows, if that can be told, or for each title above them."""
    forms = _by_form(view, rows)
    if forms == [rows] or not all(ways_inside(view, Part(path, own)) for own in forms):
        return _by_title(view, path, rows)
    return [part for own in forms for part in _by_title(view, path, own)]


# Without classes, the facts of a page and the cards below them may have one path.


def _by_form(view: ClassPages, rows: Rows) -> list[Rows]:
    """The rows, parted where rows of other containers on the same pages hold other elements.

    Of these, rows that are labelled values are fields of the page, and left out.
    """
    forms: list[frozenset[str]] = []
    found: list[Rows] = []
    together: set[int] = set()
    for page, places in rows.items():
        reading = view.readings[page]
        kinds: set[int] = set()
        for own in _by_container(reading, places).values():
            form = frozenset(way for row in own for way in _ways(reading.nodes[row]))
            kind = next((n for n, one in enumerate(forms) if _are_alike(one, form)), len(forms))
            if kind == len(forms):
                forms.append(form)
                found.append({})
            found[kind].setdefault(page, []).extend(own)
            kinds.add(kind)
        if len(kinds) > 1:
            together |= kinds
    least = current().wrapper.records.min_shared_share * len(rows)
    usual = [kind for kind in sorted(together) if len(found[kind]) >= least]
    if len(usual) < _PAIR:
        return [rows]
    kept = [found[kind] for kind in usual if not _are_labelled(view, found[kind])]
    return kept or [rows]


_PAIR = 2
_DEPTH = 3


def _ways(row: Element, depth: int = _DEPTH) -> Iterator[str]:
    """The tags on the ways down from a row: `div`, `div[2]`, `div/a`, `div/a/img`."""
    turns: Counter[str] = Counter()
    for one in row.children:
        if isinstance(one, Element):
            turns[one.tag] += 1
            yield one.tag if turns[one.tag] == 1 else f"{one.tag}[{turns[one.tag]}]"
            if depth > 1:
                yield from (f"{one.tag}/{way}" for way in _ways(one, depth - 1))


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    least = current().wrapper.records.min_form_overlap
    return len(one & other) >= least * len(one | other)


def _are_labelled(view: ClassPages, rows: Rows) -> bool:
    """Whether most rows hold a label: they are the facts of a page."""
    held = labelled = 0
    for page, places in rows.items():
        reading, numbers, own = view.readings[page], view.numbers[page], set(places)
        told = {
            up
            for leaf in reading.leaves
            if leaf.part in WORDS and view.labels.is_label(numbers[leaf.element], leaf.text)
            for up in reading.ancestry(leaf.element)
        }
        held, labelled = held + len(own), labelled + len(own & told)
    return 2 * labelled > held


def ways_inside(view: ClassPages, part: Part) -> list[str]:
    """The ways down from a row that all rows of the part have, and nothing else of their path."""
    shared: set[str] = set()
    is_first = True
    others: set[str] = set()
    for page, (reading, numbers) in enumerate(zip(view.readings, view.numbers, strict=True)):
        rows = set(part.rows.get(page, ()))
        for row in rows:
            ways = set(_ways(reading.nodes[row]))
            shared, is_first = ways if is_first else shared & ways, False
        for element, path in enumerate(numbers):
            if path == part.path and element not in rows:
                others.update(_ways(reading.nodes[element]))
    return sorted(shared - others, key=lambda way: (way.count("/"), way))[:_MOST_WAYS]


_MOST_WAYS = 3


def without_odd_rows(view: ClassPages, part: Part) -> Part:
    """The part without the few rows that lack most of what nearly all rows hold.

    In the last row of a table may stand the links to its other pages.
    """
    settings = current().wrapper.records
    held = {
        (page, row): frozenset(_ways(view.readings[page].nodes[row]))
        for page, places in part.rows.items()
        for row in places
    }
    counts = Counter(way for ways in held.values() for way in ways)
    usual = {way for way, count in counts.items() if count >= settings.usual_share * len(held)}
    odd = {spot for spot, ways in held.items() if 2 * len(ways & usual) <= len(usual)}
    rows = {
        page: [row for row in places if (page, row) not in odd]
        for page, places in part.rows.items()
    }
    are_few = all(2 * len(own) > len(part.rows[page]) for page, own in rows.items())
    return part._replace(rows=rows) if odd and are_few and len(usual) >= _LEAST_USUAL else part


_LEAST_USUAL = 3


# Tables of one form with different titles on a page: `Home` and `Away` are two record sets.


def _by_title(view: ClassPages, path: int, rows: Rows) -> list[Part]:
    """One part, or one for each of the containers that say different things on all pages."""
    held = {page: _by_container(view.readings[page], places) for page, places in rows.items()}
    counts = {len(containers) for containers in held.values()}
    if len(counts) != 1 or not 2 <= next(iter(counts)) <= current().wrapper.records.max_parts:
        return [Part(path, rows)]
    constant_words = [_constant_words(view, held, ordinal) for ordinal in range(next(iter(counts)))]
    if not all(constant_words) or len(set(constant_words)) < len(constant_words):
        return [Part(path, rows)]
    found: list[Part] = []
    for ordinal in range(len(constant_words)):
        own = {page: list(containers.values())[ordinal] for page, containers in held.items()}
        page, containers = next(iter(held.items()))
        container = list(containers)[ordinal]
        found.append(Part(path, own, view.numbers[page][container], ordinal + 1))
    return found


def _by_container(reading: FlatPage, rows: list[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        container = reading.parents[row]
        if container >= 0 and reading.tags[container] == "tr":
            container = reading.parents[container]
        if container >= 0 and reading.tags[container] in _BODIES:
            container = reading.parents[container]
        found[container].append(row)
    return found


def _constant_words(
    view: ClassPages, held: dict[int, dict[int, list[int]]], ordinal: int
) -> frozenset[str]:
    """The words around the rows of a container that (nearly) all pages have there."""
    settings = current().wrapper.records
    pages: dict[str, int] = defaultdict(int)
    for page, containers in held.items():
        reading = view.readings[page]
        container, rows = list(containers.items())[ordinal]
        for text in _words(reading, container, rows):
            pages[text] += 1
    return frozenset(
        text for text, count in pages.items() if count >= settings.min_constant_share * len(held)
    )


def _words(reading: FlatPage, container: int, rows: list[int]) -> set[str]:
    first = rows[0]
    return {
        leaf.text
        for leaf in reading.leaves
        if leaf.part in WORDS
        and container < leaf.element < first
        and reading.meeting(container, leaf.element) == container
    }
