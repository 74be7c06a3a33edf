"""Repeated parts: siblings of one path that hold records alike in structure."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sitewright.page.elements import INLINE
from sitewright.page.page_index import text_of
from sitewright.settings import current
from sitewright.wrapper.labels import JOINTS, is_separator
from sitewright.wrapper.pages import (
    ELEMENT,
    TEXT,
    WORDS,
    FlatPage,
    Leaf,
    TextSignature,
    expected_overlap,
    overlap,
    text_signature,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.wrapper.labels import Labels
    from sitewright.wrapper.pages import Paths


_NEVER_REPEATED = frozenset(
    {"td", "th", "br", "option", "body", "tbody", "thead", "tfoot", "font", "b"}
)


@dataclass(slots=True)
class _Rows:
    """What is known of the siblings of one path, over all pages."""

    sizes: list[int] = field(default_factory=list)
    rows: int = 0
    texts: int = 0
    constant: int = 0
    """Rows with nothing but constant texts."""
    labelled: int = 0
    later: int = 0
    """Rows that are not the first of their kind beside each other."""
    articles: int = 0
    """Rows with a sentence and more: the beginning of a post."""
    paths: Counter[int] = field(default_factory=Counter)
    above: set[int] = field(default_factory=set)
    by_turn: dict[int, Counter[TextSignature]] = field(default_factory=lambda: defaultdict(Counter))
    """The shapes of the first texts of rows, by the place of the row among its siblings."""

    def is_positional(self) -> bool:
        """Whether all pages have as many rows, and what stands in them depends on their place."""
        settings = current().wrapper.repeats
        several = [size for size in self.sizes if size > 1]
        steady = Counter(several).most_common(1)[0][1] if several else 0
        if (
            steady < settings.min_same_size * len(self.sizes)
            or len(self.by_turn) > settings.max_positional_rows
        ):
            return False
        everything: Counter[TextSignature] = Counter()
        for shapes in self.by_turn.values():
            everything.update(shapes)
        alike = possible = 0.0
        for shapes in self.by_turn.values():
            size = shapes.total()
            alike += size * overlap(shapes, everything)
            possible += size * expected_overlap(size, everything)
        return alike < settings.max_positional_overlap * possible

    def are_articles(self) -> bool:
        """Whether rows are posts: of a pair of other things each may be a field, home and away."""
        settings = current().wrapper.repeats
        return (
            self.articles >= settings.min_article_share * self.rows
            and self.texts >= settings.min_article_texts * self.rows
        )

    def alike(self) -> float:
        """How much of a row's structure the other rows have, in the mean."""
        held = sum(self.paths.values())
        return sum(count * count for count in self.paths.values()) / max(held * self.rows, 1)


_PAIR = 2


class RepeatedPaths(NamedTuple):
    """The paths whose elements stand beside others of the same path."""

    records: frozenset[int]
    """Of list items, table rows, cards: the parts that repeat."""
    positional: frozenset[int]
    """Of values that only their place tells apart: three paragraphs in each list item."""


NOTHING_REPEATED = RepeatedPaths(frozenset(), frozenset())


def repeated_paths(
    readings: Sequence[FlatPage],
    paths: Sequence[list[int]],
    labels: Labels,
    governing: Sequence[list[int]],
    cards: frozenset[int] = frozenset(),
) -> RepeatedPaths:
    """Sort the paths of siblings by what they are to each other; `cards` are cells of grids."""
    counts = _Counts(labels, cards)
    for reading, numbers, labels_of_leaves in zip(readings, paths, governing, strict=True):
        counts.add(reading, numbers, labels_of_leaves)
    found = counts.found
    valid = {
        path
        for path, rows in found.items()
        if (path in cards or counts.tags.get(path) not in _NEVER_REPEATED) and _holds(rows)
    }
    for path in valid & cards:
        valid -= found[path].above  # the rows of a grid only hold its cells
    repeated = frozenset(path for path in valid if not _is_within(path, valid, found))
    positional = (path for path, rows in found.items() if repeated and _are_fields(rows))
    return RepeatedPaths(repeated, frozenset(positional))


def _are_fields(rows: _Rows) -> bool:
    """Whether nothing but their place tells values apart that stand beside each other."""
    settings = current().wrapper.repeats
    return (
        rows.texts > 0
        and rows.labelled < settings.max_labelled_share * max(rows.later, 1)
        and rows.is_positional()
    )


def _holds(rows: _Rows) -> bool:
    settings = current().wrapper.repeats
    several = [size for size in rows.sizes if size > 1]
    return (
        len(several) >= max(1, settings.min_page_share * len(rows.sizes))
        and (max(rows.sizes) > _PAIR or rows.are_articles())
        and rows.texts > 0
        and rows.constant < settings.max_constant_share * rows.rows
        and rows.labelled < settings.max_labelled_share * max(rows.later, 1)
        and rows.alike() >= settings.min_similarity
        and not rows.is_positional()
    )


def _is_within(path: int, valid: set[int], found: dict[int, _Rows]) -> bool:
    """Whether a record around it, or one that holds nearly all of it, is the better one."""
    mine = found[path]
    for outer in mine.above & valid:
        if not _is_mere_container(outer, path, found):
            return True
    return any(
        _is_mere_container(path, inner, found) for inner in valid if path in found[inner].above
    )


def _is_mere_container(outer: int, inner: int, found: dict[int, _Rows]) -> bool:
    """Whether an element is there for the rows in it: they are nearly all, or a long list of it."""
    settings = current().wrapper.repeats
    share = found[inner].texts / max(found[outer].texts, 1)
    rows = found[inner].rows / max(found[outer].rows, 1)
    is_all = share >= settings.min_inner_share and rows >= settings.min_inner_rows
    is_long = share >= settings.min_long_share and rows >= settings.min_long_rows
    return is_all or is_long


@dataclass(slots=True)
class _RowContents:
    """What stands in one element of a page."""

    first: int
    """The place of its first text."""
    texts: int
    constant: int
    paths: set[int]
    sentences: int = 0

    def take(self, other: _RowContents) -> None:
        """Count what stands in a part of it, too."""
        self.first = min(self.first, other.first)
        self.sentences += other.sentences
        self.texts += other.texts
        self.constant += other.constant
        self.paths |= other.paths

    def copy(self) -> _RowContents:
        """The same for the element around it."""
        return _RowContents(self.first, self.texts, self.constant, set(self.paths), self.sentences)


class _Counts:
    """Counts siblings and what they hold, page by page."""

    def __init__(self, labels: Labels, cards: frozenset[int]) -> None:
        self.labels = labels
        self.cards = cards
        self.found: dict[int, _Rows] = defaultdict(_Rows)
        self.tags: dict[int, str] = {}
        self._chains: dict[tuple[int, int], int] = {}
        self._seen: set[tuple[int, int]] = set()

    def add(self, reading: FlatPage, numbers: list[int], labels_of_leaves: list[int]) -> None:
        """Count one page."""
        holders = self._holders(reading, numbers)
        turns = _turns(holders, numbers)
        held = self._hold(reading, numbers, turns)
        labelled = self._labelled(reading, numbers, labels_of_leaves)
        chains = self._chains_of(reading, numbers)
        for (parent, path), size in Counter(zip(holders, numbers, strict=True)).items():
            self.found[path].sizes.append(size)
            if parent >= 0 and (chains[parent], path) not in self._seen:
                self._seen.add((chains[parent], path))
                self.found[path].above.update(numbers[up] for up in reading.ancestry(parent))
        for element, inner in held.items():
            rows = self.found[numbers[element]]
            rows.rows += 1
            rows.labelled += labelled.get(element, False) or (
                element in labelled and turns[element] > 0
            )
            rows.later += turns[element] > 0
            for path in inner:  # few: to update a Counter takes longer
                rows.paths[path] += 1
            self.tags[numbers[element]] = reading.tags[element]

    def _holders(self, reading: FlatPage, numbers: list[int]) -> list[int]:
        """The parent of each element; of a cell that is a record, what holds the rows."""
        if self.cards.isdisjoint(numbers):
            return reading.parents
        return [
            reading.parents[parent] if path in self.cards and parent >= 0 else parent
            for path, parent in zip(numbers, reading.parents, strict=True)
        ]

    def _chains_of(self, reading: FlatPage, numbers: list[int]) -> list[int]:
        """A number for the paths of all elements around each element and its own."""
        chains: list[int] = []
        for parent, path in zip(reading.parents, numbers, strict=True):
            key = (chains[parent] if parent >= 0 else -1, path)
            chains.append(self._chains.setdefault(key, len(self._chains)))
        return chains

    def _hold(self, reading: FlatPage, numbers: list[int], turns: list[int]) -> dict[int, set[int]]:
        """For each element the paths of the texts in it; from its first text inwards out."""
        inside = self._inside(reading, numbers)
        for element, one in inside.items():
            rows = self.found[numbers[element]]
            rows.by_turn[turns[element]][text_signature(reading.leaves[one.first].text)] += 1
            rows.texts += one.texts
            rows.constant += one.constant == one.texts
            rows.articles += 0 < one.sentences < one.texts
        return {element: one.paths for element, one in inside.items()}

    def _inside(self, reading: FlatPage, numbers: list[int]) -> dict[int, _RowContents]:
        """What stands in each element that holds texts, in the order that a reader meets them."""
        inside: dict[int, _RowContents] = {}
        sentence = current().wrapper.columns.sentence_spaces
        for place, leaf in enumerate(reading.leaves):
            if leaf.part in WORDS and not is_separator(leaf.text):
                path = numbers[leaf.element]
                is_constant = self.labels.is_constant(path, leaf.text)
                own = _RowContents(
                    place, 1, int(is_constant), {numbers[reading.block(leaf.element)]},
                    sentences=int(not is_constant and leaf.text.count(" ") >= sentence),
                )  # fmt: skip
                if leaf.element in inside:
                    inside[leaf.element].take(own)
                else:
                    inside[leaf.element] = own
        # Elements come before those in them: from the last one, each is whole when it is passed on.
        for element in range(len(numbers) - 1, -1, -1):
            parent = reading.parents[element]
            if element in inside and parent >= 0:
                if parent in inside:
                    inside[parent].take(inside[element])
                else:
                    inside[parent] = inside[element].copy()
        order = sorted(inside, key=lambda element: (inside[element].first, -element))
        return {element: inside[element] for element in order}

    def _labelled(
        self, reading: FlatPage, numbers: list[int], labels_of_leaves: list[int]
    ) -> dict[int, bool]:
        """The elements with a label: whether it stands inside them, not right before them."""
        labelled: dict[int, bool] = {}
        before = -1
        for place, leaf in enumerate(reading.leaves):
            if leaf.part not in WORDS or is_separator(leaf.text):
                continue
            if self.labels.is_label(numbers[leaf.element], leaf.text):
                labelled.update(dict.fromkeys(reading.ancestry(leaf.element), True))
            elif before >= 0 and labels_of_leaves[place] == before:
                outer = reading.meeting(reading.leaves[before].element, leaf.element)
                for up in reading.ancestry(leaf.element):
                    if up > outer:
                        labelled.setdefault(up, False)
            before = place
        return labelled


def _turns(holders: list[int], numbers: list[int]) -> list[int]:
    """The place of each element among its siblings of one path, from 0.

    A label before the first may be a heading above all of them.
    """
    seen: dict[tuple[int, int], int] = {}
    turns: list[int] = []
    for place in zip(holders, numbers, strict=True):
        turn = seen.get(place, 0)
        turns.append(turn)
        seen[place] = turn + 1
    return turns


# Prose: elements whose inner structure is the author's, not the template's.
#
# A paragraph with links in it, or a description with its own lists and headings, is one value: the
# text of the element. It is told by what varies: the number of pieces of a paragraph, or the whole
# structure inside a container.

_NEVER_RICH = frozenset({"body", "tr", "tbody", "table", "dl", "form", "head", "title"})


@dataclass(slots=True)
class _PathContents:
    """What stands in the elements of one path, over all pages."""

    elements: int = 0
    pages: set[int] = field(default_factory=set)
    words: int = 0
    leaves: int = 0
    known: int = 0
    pieces: Counter[int] = field(default_factory=Counter)
    tagged: int = 0
    """Elements with nothing but other elements in them."""
    bare: int = 0
    """Elements without words of their own: all that they say stands in other elements, and a comma
    or "and" between them at most."""
    bare_words: int = 0
    bare_pieces: Counter[int] = field(default_factory=Counter)
    recorded: int = 0
    """Leaves that stand in records."""
    flowing: int = 0
    """Leaves that stand in no block inside."""
    paths: Counter[int] = field(default_factory=Counter)

    def add(self, page: int, held: _Held) -> None:
        """Take in one element of a page."""
        self.elements += 1
        self.pages.add(page)
        self.pieces[held.leaves] += 1
        self.tagged += not held.has_own
        if not held.has_words:
            self.bare += 1
            self.bare_words += held.words
            self.bare_pieces[held.leaves] += 1
        for path in held.paths:  # few: to update a Counter takes longer
            self.paths[path] += 1
        self.leaves += held.leaves
        self.known += held.known
        self.words += held.words
        self.recorded += held.recorded

    def alike(self) -> float:
        """How much of an element's structure the others have, in the mean."""
        held = sum(self.paths.values())
        return sum(count * count for count in self.paths.values()) / max(held * self.elements, 1)

    def is_code(self) -> bool:
        """Whether preformatted text is one piece: the tags in it only colour what is written."""
        settings = current().wrapper.repeats
        return self.leaves > self.elements and self.known <= settings.max_named_share * self.leaves

    def is_prose(self, pages: int) -> bool:
        """Whether the structure inside is the author's."""
        settings = current().wrapper.repeats
        if (
            len(self.pages) < max(2, settings.min_rich_page_share * pages)
            or self.known > settings.max_named_share * self.leaves
        ):
            return False
        if self.recorded > settings.min_long_share * self.leaves:
            return False
        if self.flowing >= settings.min_flowing_share * self.leaves:
            return not self._are_tagged_values() and self._is_flowing(
                self.elements, self.words, self.pieces
            )
        return (
            self.words >= settings.min_prose_words * self.elements
            and self.alike() < settings.max_prose_similarity
        )

    def _are_tagged_values(self) -> bool:
        """Whether each piece has a tag of its own and is short: `<i>Bath</i><i>2 May</i>`.

        Between the tags of a sentence stand words.
        """
        settings = current().wrapper.repeats
        return (
            self.tagged >= settings.min_tagged_share * self.elements
            and self.words < settings.min_flowing_words * self.leaves
        )

    def is_prose_among_others(self, pages: int) -> bool:
        """Whether those with text of their own are prose, and many others hold an element only.

        A paragraph that is a date in a tag says nothing of the paragraphs that are texts.
        """
        settings = current().wrapper.repeats
        return (
            settings.min_bare_share * self.elements <= self.bare < self.elements
            and len(self.pages) >= max(2, settings.min_rich_page_share * pages)
            and self.known <= settings.max_named_share * self.leaves
            and self.recorded <= settings.min_long_share * self.leaves
            and self.flowing >= settings.min_flowing_share * self.leaves
            and self._is_flowing(
                self.elements - self.bare,
                self.words - self.bare_words,
                self.pieces - self.bare_pieces,
            )
        )

    @staticmethod
    def _is_flowing(elements: int, words: int, pieces: Counter[int]) -> bool:
        """Whether elements hold several words, in a number of pieces that varies."""
        settings = current().wrapper.repeats
        unsteady = elements - max(pieces.values())
        wordy = words >= settings.min_flowing_words * elements
        return wordy and unsteady >= settings.min_unsteady_share * elements


class RichPaths(NamedTuple):
    """The paths of the elements that hold prose."""

    prose: frozenset[int]
    among_others: frozenset[int]
    """Those of which only the elements with text of their own are prose."""


def rich_text_paths(
    readings: Sequence[FlatPage],
    numbers: Sequence[list[int]],
    paths: Paths,
    labels: Labels,
    records: frozenset[int],
) -> RichPaths:
    """The paths of the elements that hold prose; what is mostly records is none."""
    look = _ElementStats(paths, labels, records)
    for page, (reading, path) in enumerate(zip(readings, numbers, strict=True)):
        look.at(page, reading, path)
    possible = [
        (path, held)
        for path, held in look.inside.items()
        if look.tags[path] not in _NEVER_RICH
        and 2 * len(look.titled.get(path, ())) <= len(held.pages)
    ]
    pages = len(readings)
    prose = frozenset(
        path
        for path, held in possible
        if held.is_prose(pages) or (look.tags[path] == "pre" and held.is_code())
    )
    others = (path for path, held in possible if held.is_prose_among_others(pages))
    return RichPaths(prose, frozenset(others) - prose)


@dataclass(slots=True)
class _Held:
    """What stands in one element of a page."""

    leaves: int = 0
    known: int = 0
    words: int = 0
    recorded: int = 0
    has_own: bool = False
    """Whether text stands right in it."""
    has_words: bool = False
    """Whether that is more than what stands between the values of a list."""
    paths: set[int] = field(default_factory=set)

    def take(self, other: _Held) -> None:
        """Count what stands in a part of it, too."""
        self.leaves += other.leaves
        self.known += other.known
        self.words += other.words
        self.recorded += other.recorded
        self.paths |= other.paths


class _ElementStats:
    """Looks into elements, page by page."""

    def __init__(self, paths: Paths, labels: Labels, records: frozenset[int]) -> None:
        self.records = records
        self.paths = paths
        self.labels = labels
        self.inside: dict[int, _PathContents] = defaultdict(_PathContents)
        self.tags: dict[int, str] = {}
        self.titled: dict[int, set[int]] = {}
        """The pages on which elements of a path hold the heading that is the page's title: that is
        a value of its own, and what is around it no running text."""

    def at(self, page: int, reading: FlatPage, numbers: list[int]) -> None:
        """Look at one page."""
        for element in _around_title(reading):
            self.titled.setdefault(numbers[element], set()).add(page)
        for element, held in self._held(reading, numbers).items():
            path = numbers[element]
            if self.paths.block(path) != path:
                continue  # prose is a block, or has a name
            self.inside[path].add(page, held)
            self.tags[path] = reading.tags[element]
        within = _times_within_itself(reading, numbers)
        for leaf in reading.leaves:
            if leaf.part == TEXT:
                element = leaf.element
                block = self.paths.block(numbers[element])
                while numbers[element] != block:
                    element = reading.parents[element]
                self.inside[block].flowing += within[element]

    def _held(self, reading: FlatPage, numbers: list[int]) -> dict[int, _Held]:
        """What each element with texts holds."""
        found: dict[int, _Held] = defaultdict(_Held)
        for leaf in reading.leaves:
            if leaf.part == TEXT:
                self._hold(leaf, numbers[leaf.element], found[leaf.element])
        # Elements come before those in them: from the last one, each is whole when it is passed on.
        for element in range(len(numbers) - 1, -1, -1):
            if element in found:
                held = found[element]
                if numbers[element] in self.records:
                    held.recorded = held.leaves
                if reading.parents[element] >= 0:
                    found[reading.parents[element]].take(held)
        return found

    def _hold(self, leaf: Leaf, path: int, held: _Held) -> None:
        is_joint = leaf.text.casefold().strip(" ,;&") in JOINTS
        held.has_own = True
        held.has_words |= not is_joint and not is_separator(leaf.text)
        held.leaves += 1
        held.known += (
            self.labels.is_label(path, leaf.text)
            or self.labels.is_constant(path, leaf.text)
            or leaf.text.casefold() in JOINTS
        )
        held.words += len(leaf.text.split())
        held.paths.add(path)


def _around_title(reading: FlatPage) -> Iterator[int]:
    """The elements around the first heading that the page's title holds."""
    title = next(
        (leaf.text for leaf in reading.leaves if reading.tags[leaf.element] == "title"), ""
    )
    for leaf in reading.leaves if title else ():
        if leaf.part != TEXT or len(leaf.text) < _LEAST_TITLE or leaf.text not in title:
            continue
        around = list(islice(reading.ancestry(leaf.element), _TITLE_DISTANCE))
        turn = next((turn for turn, up in enumerate(around) if reading.tags[up] in _TITLES), -1)
        if turn >= 0:
            yield from islice(reading.ancestry(around[turn]), 1, None)
            return


_TITLES = frozenset({"h1", "h2", "h3"})
_LEAST_TITLE = 3
_TITLE_DISTANCE = 3


def _times_within_itself(reading: FlatPage, numbers: list[int]) -> list[int]:
    """How many of an element and those around it have its path: two if an id stands in itself."""
    still_open: list[int] = []
    times: Counter[int] = Counter()
    found: list[int] = []
    for element, parent in enumerate(reading.parents):
        while still_open and still_open[-1] != parent:
            times[numbers[still_open.pop()]] -= 1
        still_open.append(element)
        times[numbers[element]] += 1
        found.append(times[numbers[element]])
    return found


def lead_ins(
    readings: Sequence[FlatPage], numbers: Sequence[list[int]], prose: RichPaths
) -> frozenset[int]:
    """The paths of what running text begins with in bold: "<b>Patch 12</b> <i>all</i> A fault ...".

    It is a value of its own beside the text, where enough texts have one there.
    """
    settings = current().wrapper.repeats
    begun: Counter[int] = Counter()
    texts = 0
    for reading, paths in zip(readings, numbers, strict=True) if any(prose) else ():
        inside: dict[int, list[Leaf]] = defaultdict(list)
        for leaf, around in zip(reading.leaves, _prose_around(reading, paths, prose), strict=True):
            if around >= 0 and leaf.part == TEXT and not is_separator(leaf.text):
                inside[around].append(leaf)
        texts += len(inside)
        for around, leaves in inside.items():
            begun.update(_lead_in(reading, paths, around, leaves))
    return frozenset(
        path
        for path, count in begun.items()
        if count >= max(settings.min_lead_ins, settings.min_lead_in_share * texts)
    )


def _lead_in(
    reading: FlatPage, paths: list[int], around: int, leaves: Sequence[Leaf]
) -> Iterator[int]:
    """The paths of the texts that a piece of prose begins with, if the first of them is bold."""
    first = {reading.tags[up] for up in reading.ancestry(leaves[0].element) if up > around}
    if first.isdisjoint(_BOLD) or len(leaves) < 2:
        return
    seen: set[int] = set()
    for leaf in leaves[:-1]:
        within = [reading.tags[up] for up in reading.ancestry(leaf.element) if up > around]
        path = paths[leaf.element]
        if not within or path in seen or not INLINE.issuperset(within) or "a" in within:
            return
        seen.add(path)
        yield path


_BOLD = frozenset({"b", "strong", "dfn"})


def _prose_around(reading: FlatPage, numbers: list[int], rich: RichPaths) -> list[int]:
    """For each leaf the outermost element of prose around it; -1 if there is none."""
    own = {leaf.element for leaf in reading.leaves if leaf.part == TEXT}
    outermost: list[int] = []
    for element, parent in enumerate(reading.parents):
        outer = outermost[parent] if parent >= 0 else -1
        path = numbers[element]
        is_prose = path in rich.prose or (path in rich.among_others and element in own)
        outermost.append(element if outer < 0 and is_prose else outer)
    return [outermost[leaf.element] for leaf in reading.leaves]


def with_rich_text(
    reading: FlatPage, numbers: list[int], prose: RichPaths, kept: frozenset[int] = frozenset()
) -> FlatPage:
    """The reading with one leaf for each piece of prose, in place of those inside it.

    Of those inside it the first of each of the paths `kept` stay.
    """
    if not any(prose):
        return reading
    leaves: list[Leaf] = []
    last = -1
    own: set[int] = set()
    around_leaves = _prose_around(reading, numbers, prose)
    for leaf, around in zip(reading.leaves, around_leaves, strict=True):
        if around < 0:
            leaves.append(leaf)
        elif leaf.part == TEXT:
            if around != last:
                last = around
                own = set(kept)
                leaves.append(Leaf(last, ELEMENT, 0, text_of(reading.nodes[last])))
            if numbers[leaf.element] in own:
                own.remove(numbers[leaf.element])
                leaves.append(leaf)
        elif around == leaf.element:
            leaves.append(leaf)
    return FlatPage(reading.url, reading.nodes, reading.parents, reading.tags, reading.nth, leaves)
