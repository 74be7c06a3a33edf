"""Which texts are labels.

A label is a short text that comes back on other pages and names what stands behind it. A frequent
value (`Drama`, `Private`) comes back too; labels are told from values by a colon, or by standing
where nothing but such texts stand, several to a page, each before something that is none.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from sitewright.settings import current
from sitewright.wrapper.pages import TEXT, Leaf

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.page.parser import Element
    from sitewright.wrapper.pages import FlatPage


COLONS = ":\uff1a"
"""What a label ends in; the second is the wide one of East Asian scripts."""
_LETTER = re.compile(r"[^\W\d_]")
_PREFIX = re.compile(
    rf"([^{COLONS}]{{1,40}})(?:(?<!\d)[{COLONS}]|[{COLONS}](?!\d))(?!//|[{COLONS}])\s*(\S.*)",
    re.DOTALL,
)
"""A label and what it is of; between digits a colon parts hours from minutes."""
_REPLIES = frozenset("re aw antw sv vs fw fwd wg tr rv rif".split())
"""What mail and forums write before the subject that a message answers or passes on."""
_LONGEST_PREFIX = 41
"""Characters that hold the colon of the pattern."""
_AMOUNT = re.compile(r"[$£€¥]|: ")
NAMING = frozenset("th dt label b strong h2 h3 h4 h5 h6 legend".split())
"""Elements that names stand in; elsewhere a name must come back more often."""
TABLE_PARTS = frozenset({"tbody", "thead", "table"})
"""What holds the rows of a table."""
_TITLES = frozenset({"dt", "th", "label"})
_TITLE_AND_ANSWER = frozenset({("dt", "dd"), ("th", "td")})


CELLS = frozenset({"td", "th"})


@dataclass(frozen=True, slots=True)
class Labels:
    """What is known of the texts of a class."""

    words: frozenset[tuple[int, str]]
    """(path, text): what is a label."""
    constant: frozenset[tuple[int, str]]
    """(path, text): what (nearly) all pages have."""
    prefixes: frozenset[tuple[int, str]]
    """(path, prefix): labels that share their text with the value behind a colon."""

    def is_label(self, path: int, text: str) -> bool:
        """Whether a text that stands there is a label."""
        return (path, text) in self.words

    def is_constant(self, path: int, text: str) -> bool:
        """Whether (nearly) all pages have the text there."""
        return (path, text) in self.constant


def prefix(text: str) -> str:
    """What stands before the colon of `Phone: 555`; empty if it is not of this form."""
    # Nearly all texts have no colon where the pattern could find it.
    start = text[:_LONGEST_PREFIX]
    if COLONS[0] not in start and COLONS[1] not in start:
        return ""
    settings = current().wrapper.labels
    found = _PREFIX.fullmatch(text)
    if (
        not found
        or len(found[1].split()) > settings.max_prefix_words
        or not _LETTER.search(found[1])
        or found[1].strip().casefold() in _REPLIES
    ):
        return ""
    return found[1].strip()


def has_further_label(text: str) -> bool:
    """Whether a text has several labels: "In state: $5,764; Out of state: $16,549"."""
    return _FURTHER.search(text[:_LONGEST_PAIRS]) is not None


_FURTHER = re.compile(rf"[{COLONS}]\s.*?[;|]\s*[^\s{COLONS};|][^{COLONS};|]{{0,40}}[{COLONS}]\s")


_LONGEST_PAIRS = 400
"""Characters in which the second label is looked for."""


def label_name(text: str) -> str:
    """What a label says, whatever its case, its colon and its number: `Actors:`, `actor`."""
    settings = current().wrapper.labels
    name = text.casefold().rstrip(f" *{COLONS}").removesuffix("(s)").rstrip()
    return name.removesuffix("s") if len(name) > settings.max_unstemmed_length else name


JOINTS = frozenset("and or und oder et ou y e og och en".split())
"""Words between the values of a list: they name nothing."""


def _names(text: str) -> bool:
    """Whether a text without a colon could be a name: not an amount, not mostly a number."""
    if not text[0].isalnum() or text.casefold() in JOINTS:
        return False
    letters = sum(map(str.isalpha, text))
    return letters >= 2 * sum(map(str.isdigit, text)) and not _AMOUNT.search(text)


def ends_in_colon(text: str) -> bool:
    """Whether a text says itself that something follows."""
    return text.endswith(tuple(COLONS))


def is_separator(text: str) -> bool:
    """Whether a text is nothing but punctuation."""
    # Nearly all texts begin with a letter or a digit.
    return not (text[:1].isalnum() or any(map(str.isalnum, text)))


def find_labels(readings: Sequence[FlatPage], paths: Sequence[list[int]]) -> Labels:
    """Learn the labels of a class from its pages."""
    statistics = _Statistics(len(readings))
    for reading, numbers in zip(readings, paths, strict=True):
        statistics.add(reading, numbers)
    return statistics.labels()


class _Statistics:
    def __init__(self, pages: int) -> None:
        settings = current().wrapper.labels
        self.pages = pages
        self.enough = max(min(2.0, pages), settings.min_page_share * pages)
        self.texts: Counter[tuple[int, str]] = Counter()  # pages that have the text there
        self.times: Counter[tuple[int, str]] = Counter()  # how often in all
        self.followed: Counter[tuple[int, str]] = Counter()  # by something of another path
        self.names: Counter[tuple[int, str]] = Counter()  # pages that have such a label there
        self.after: dict[tuple[int, str], set[str]] = {}
        self.before: dict[tuple[int, str], set[str]] = {}
        self.path_pages: Counter[int] = Counter()
        self.prefixes: Counter[tuple[int, str]] = Counter()
        self.prefix_times: Counter[tuple[int, str]] = Counter()
        self.tags: dict[int, str] = {}
        self.pairs: dict[int, Counter[tuple[str, str]]] = {}  # texts of a path one after the other
        self.twice: Counter[int] = Counter()  # pages that have a text of the path more than once
        self.between: Counter[tuple[int, str]] = Counter()  # with values on both sides in a row
        self.headed: set[int] = set()  # paths of cells below the titles of their columns
        self.anchors: Counter[int] = Counter()  # links to a place in their own page
        self.answers: Counter[int] = Counter()  # behind a title of their own

    def add(self, reading: FlatPage, numbers: list[int]) -> None:
        """Count the texts of one page."""
        leaves = [leaf for leaf in reading.leaves if leaf.part == TEXT]
        words = [leaf for leaf in leaves if not is_separator(leaf.text)]
        spots = [(numbers[leaf.element], leaf.text) for leaf in words]
        self.texts.update(set(spots))
        self.times.update(spots)
        self.names.update({(path, label_name(text)) for path, text in spots if ends_in_colon(text)})
        self.path_pages.update({path for path, _ in spots})
        self._add_pairs(spots)
        tables = _headed_tables(reading)
        answers = _answers(reading)
        for leaf, (path, _text) in zip(words, spots, strict=True):
            tag = self.tags[path] = reading.tags[leaf.element]
            if tag == "a":
                self.anchors[path] += _leads_into_page(reading.nodes[leaf.element])
            if leaf.element in answers:
                self.answers[path] += 1
            if tables and _is_below_titles(reading, leaf.element, tables):
                self.headed.add(path)
        empty = _before_empty_cells(reading, words)
        for leaf, (spot, (after, text)) in zip(words, pairwise(spots), strict=False):
            self.before.setdefault((after, text), set()).add(spot[1])
            if leaf.element not in empty:  # else what comes next belongs to another row
                self.after.setdefault(spot, set()).add(text)
            if after != spot[0] or leaf.element in empty:
                self.followed[spot] += 1
        self.between.update(_between(reading, numbers, words))
        found = [(path, prefix(text)) for path, text in spots]
        self.prefixes.update({one for one in found if one[1]})
        self.prefix_times.update(one for one in found if one[1])

    def _add_pairs(self, spots: Sequence[tuple[int, str]]) -> None:
        last: dict[int, str] = {}
        longest = current().wrapper.labels.max_label_length
        for path, text in spots:
            if len(text) <= longest:
                if last.get(path, text) != text:
                    self.pairs.setdefault(path, Counter())[last[path], text] += 1
                last[path] = text
        times = Counter(spots)
        self.twice.update({path for (path, _text), count in times.items() if count > 1})

    def _is_out_of_order(self, path: int) -> bool:
        """Whether the texts of a path come back on a page and follow each other in any order.

        So do values in rows; a page says each label once.
        """
        settings = current().wrapper.labels
        often = settings.max_twice_share * self.path_pages[path]
        return self.twice[path] > often and self._are_turned(path)

    def _are_turned(self, path: int) -> bool:
        """Whether many texts of a path stand before each other as well as behind."""
        pairs = self.pairs.get(path, Counter())
        turned = sum(min(count, pairs[two, one]) for (one, two), count in pairs.items())
        return turned > current().wrapper.labels.max_turned_share * pairs.total()

    def _constant(self) -> frozenset[tuple[int, str]]:
        """What (nearly) all pages have; not the rows of one list that each page sorts anew."""
        settings = current().wrapper.labels
        # What one page has may be data or not.
        often = settings.min_constant_share * self.pages if self.pages > 1 else 2
        found: dict[int, set[str]] = {}
        for (path, text), pages in self.texts.items():
            if pages >= often:
                found.setdefault(path, set()).add(text)
        return frozenset(
            (path, text)
            for path, texts in found.items()
            if len(texts) < settings.min_sorted_texts or not self._are_turned(path)
            for text in texts
        )

    def labels(self) -> Labels:
        """Decide."""
        settings = current().wrapper.labels
        closed = self._closed_paths()
        words = {spot for spot in self.texts if self._is_label(spot, closed)}
        prefixes = {
            spot
            for spot, pages in self.prefixes.items()
            if pages >= self.enough
            and self.prefix_times[spot] <= settings.max_times_per_page * pages
        }
        # In a list of headlines some begin alike: "Jazz notes: ..." is no label and a value.
        said: Counter[int] = Counter()
        for spot in prefixes:
            said[spot[0]] += self.prefix_times[spot]
        texts: Counter[int] = Counter()
        for (path, _text), times in self.times.items():
            texts[path] += times
        prefixes = {
            (path, name)
            for path, name in prefixes
            if said[path] >= settings.min_prefixed_share * texts[path]
            or 2 * self.prefixes[path, name] > self.pages
        }
        return Labels(frozenset(words), self._constant(), frozenset(prefixes))

    def _is_label(self, spot: tuple[int, str], closed: set[int]) -> bool:
        settings = current().wrapper.labels
        path, text = spot
        if (
            len(text) > settings.max_label_length
            or len(text.split()) > settings.max_label_words
            or not _LETTER.search(text)
        ):
            return False
        if self.times[spot] > settings.max_times_per_page * self.texts[spot]:
            return False
        if path in self.headed or 2 * self.between[spot] > self.times[spot]:
            return False
        if ends_in_colon(text):
            return self.names[path, label_name(text)] >= self.enough
        often = self.enough
        if self.tags[path] not in NAMING:
            often = max(often, settings.min_frequency * self.path_pages[path])
        if self.texts[spot] < often:
            return False
        return path in closed and _names(text) and self._is_before_values(spot)

    def _is_before_values(self, spot: tuple[int, str]) -> bool:
        """Whether what stands behind or before it changes from page to page."""
        settings = current().wrapper.labels
        varied = max(2.0, settings.min_varied_share * min(self.times[spot], 10))
        beside = (self.after.get(spot, ()), self.before.get(spot, ()))
        return max(map(len, beside)) >= varied

    def _closed_paths(self) -> set[int]:
        """Paths where nothing but labels stand."""
        settings = current().wrapper.labels
        fixed, rare = self._paths_of_rows(), self._paths_of_people()
        all_times: Counter[int] = Counter()
        known: Counter[int] = Counter()
        followed: Counter[int] = Counter()
        for (path, text), times in self.times.items():
            all_times[path] += times
            followed[path] += self.followed[path, text]
            if self.texts[path, text] >= self.enough and _LETTER.search(text):
                known[path] += times
        return {
            path
            for path, times in all_times.items()
            if known[path] >= settings.min_known_share * times
            and followed[path] >= settings.min_alternation * times
            and (
                times >= settings.min_labels_per_page * self.path_pages[path]
                or self.tags[path] in _TITLES
            )
            and not self._is_out_of_order(path)
            and path not in fixed
            and path not in rare
            and 2 * self.anchors[path] <= times  # what is told of there is not named here
            and 2 * self.answers[path] <= times
        }

    def _paths_of_people(self) -> set[int]:
        """The paths of many texts none of which comes often: who wrote the comments of a page.

        Labels of facts are few, or some of them are on most pages.
        """
        settings = current().wrapper.labels
        texts: Counter[int] = Counter()
        most: dict[int, int] = {}
        for (path, _text), pages in self.texts.items():
            texts[path] += 1
            most[path] = max(pages, most.get(path, 0))
        return {
            path
            for path, count in texts.items()
            if count >= settings.min_rare_names
            and most[path] <= settings.max_rare_share * self.path_pages[path]
            and self.tags[path] not in _TITLES
        }

    def _paths_of_rows(self) -> set[int]:
        """The paths whose texts come back with the same text behind them: rows that pages share.

        Behind a label stands another value on another page; what a member of a list is followed by
        belongs to it.
        """
        settings = current().wrapper.labels
        recurring: Counter[int] = Counter()
        fixed: Counter[int] = Counter()
        for spot, pages in self.texts.items():
            if pages >= max(self.enough, settings.min_recurring_pages):
                recurring[spot[0]] += 1
                fixed[spot[0]] += len(self.after.get(spot, ())) == 1
        return {
            path
            for path, count in recurring.items()
            if fixed[path] >= settings.min_fixed_share * count
            and (
                count >= settings.min_recurring_rows
                or (count >= settings.min_sorted_texts and self._are_turned(path))
            )
        }


def _answers(reading: FlatPage) -> set[int]:
    """What stands right behind a title of its own: few values (`easy`, `hard`) name nothing."""
    found: set[int] = set()
    last: dict[int, str] = {}
    for element, (parent, tag) in enumerate(zip(reading.parents, reading.tags, strict=True)):
        if (last.get(parent), tag) in _TITLE_AND_ANSWER:
            found.add(element)
        last[parent] = tag
    return found


def _leads_into_page(anchor: Element) -> bool:
    return (anchor.attr("href") or "").startswith("#")


def _between(
    reading: FlatPage, numbers: list[int], words: Sequence[Leaf]
) -> Iterator[tuple[int, str]]:
    """The texts that have others before and behind them in a row that is one of several.

    What stands in the middle of a record is a value that comes back, not the label of the next.
    """
    times = Counter(numbers)
    for before, leaf, behind in zip(words, words[1:], words[2:], strict=False):
        if reading.tags[leaf.element] in NAMING:
            continue
        row = reading.meeting(before.element, leaf.element)
        if row >= 0 and row == reading.meeting(leaf.element, behind.element):
            path = numbers[row]
            if times[path] > 1 and reading.tags[row] not in TABLE_PARTS:
                yield numbers[leaf.element], leaf.text


def _headed_tables(reading: FlatPage) -> set[int]:
    """The tables with a row of nothing but titles, at least three."""
    settings = current().wrapper.labels
    titles: Counter[int] = Counter()
    values: set[int] = set()
    for element, tag in enumerate(reading.tags):
        if tag == "th":
            titles[reading.parents[element]] += 1
        elif tag == "td":
            values.add(reading.parents[element])
    rows = [
        row
        for row, count in titles.items()
        if count >= settings.min_header_columns and row not in values
    ]
    return {_table(reading, row) for row in rows}


def _before_empty_cells(reading: FlatPage, words: Sequence[Leaf]) -> set[int]:
    """The elements of texts in cells whose next cell in the row, or in the list of terms, is empty.

    A label whose value is missing is one all the same.
    """
    if _PAIRED.isdisjoint(reading.tags):
        return set()
    beside: dict[int, int] = {}
    last: dict[int, int] = {}
    cell_around: list[int] = []
    for element, (tag, parent) in enumerate(zip(reading.tags, reading.parents, strict=True)):
        if tag in _PAIRED:
            if parent in last:
                beside[last[parent]] = element
            last[parent] = element
            cell_around.append(element)
        else:
            cell_around.append(cell_around[parent] if parent >= 0 else -1)
    filled = {leaf.element: cell_around[leaf.element] for leaf in words}
    cells = set(filled.values())
    return {
        element for element, cell in filled.items() if cell in beside and beside[cell] not in cells
    }


_PAIRED = frozenset({"td", "th", "dt", "dd"})


def _table(reading: FlatPage, element: int) -> int:
    return next((up for up in reading.ancestry(element) if reading.tags[up] == "table"), -1)


def _is_below_titles(reading: FlatPage, element: int, tables: set[int]) -> bool:
    for up in reading.ancestry(element):
        if reading.tags[up] == "td":
            return _table(reading, up) in tables
        if reading.tags[up] in {"th", "table"}:
            return False
    return False
