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

from sitewright.wrapper.reading import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.wrapper.reading import Leaf, Reading

COLONS = ":\uff1a"
"""What a label ends in; the second is the wide one of East Asian scripts."""
_LONGEST = 48
_MOST_WORDS = 6
_LETTER = re.compile(r"[^\W\d_]")
_PREFIX = re.compile(rf"([^{COLONS}]{{1,40}})[{COLONS}](?!//)\s*(\S.*)", re.DOTALL)
_PREFIX_WORDS = 5
_AMOUNT = re.compile(r"[$£€¥]|: ")
_SHORTEST = 4
_RARE = 0.05
_CONSTANT = 0.8
_CLOSED = 0.8
_ALTERNATING = 0.7
_SEVERAL = 1.5
_ONCE = 1.3
_VARIED = 0.2
_FREQUENT = 0.3
_NAMING = frozenset("th dt label b strong h2 h3 h4 h5 h6 legend".split())
"""Elements that names stand in; elsewhere a name must come back more often."""
TABLE_PARTS = frozenset({"tbody", "thead", "table"})
"""What holds the rows of a table."""
_TITLES = frozenset({"dt", "th", "label"})


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
    found = _PREFIX.fullmatch(text)
    if not found or len(found[1].split()) > _PREFIX_WORDS or not _LETTER.search(found[1]):
        return ""
    return found[1].strip()


def label_name(text: str) -> str:
    """What a label says, whatever its case, its colon and its number: `Actors:`, `actor`."""
    name = text.casefold().rstrip(f" *{COLONS}").removesuffix("(s)").rstrip()
    return name.removesuffix("s") if len(name) > _SHORTEST else name


def _names(text: str) -> bool:
    """Whether a text without a colon could be a name: not an amount, not mostly a number."""
    if not text[0].isalnum():
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


def find_labels(readings: Sequence[Reading], paths: Sequence[list[int]]) -> Labels:
    """Learn the labels of a class from its pages."""
    statistics = _Statistics(len(readings))
    for reading, numbers in zip(readings, paths, strict=True):
        statistics.add(reading, numbers)
    return statistics.labels()


class _Statistics:
    def __init__(self, pages: int) -> None:
        self.pages = pages
        self.enough = max(min(2.0, pages), _RARE * pages)
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
        self.between: Counter[tuple[int, str]] = Counter()  # with values on both sides in a row
        self.headed: set[int] = set()  # paths of cells below the titles of their columns

    def add(self, reading: Reading, numbers: list[int]) -> None:
        """Count the texts of one page."""
        leaves = [leaf for leaf in reading.leaves if leaf.part == TEXT]
        words = [leaf for leaf in leaves if not is_separator(leaf.text)]
        spots = [(numbers[leaf.element], leaf.text) for leaf in words]
        self.texts.update(set(spots))
        self.times.update(spots)
        self.names.update({(path, label_name(text)) for path, text in spots if ends_in_colon(text)})
        self.path_pages.update({path for path, _ in spots})
        tables = _headed_tables(reading)
        for leaf, (path, _text) in zip(words, spots, strict=True):
            self.tags[path] = reading.tags[leaf.element]
            if tables and _is_below_titles(reading, leaf.element, tables):
                self.headed.add(path)
        for spot, (after, text) in pairwise(spots):
            self.after.setdefault(spot, set()).add(text)
            self.before.setdefault((after, text), set()).add(spot[1])
            if after != spot[0]:
                self.followed[spot] += 1
        self.between.update(_between(reading, numbers, words))
        found = [(path, prefix(text)) for path, text in spots]
        self.prefixes.update({one for one in found if one[1]})
        self.prefix_times.update(one for one in found if one[1])

    def labels(self) -> Labels:
        """Decide."""
        closed = self._closed_paths()
        words = {spot for spot in self.texts if self._is_label(spot, closed)}
        # What one page has may be data or not.
        often = _CONSTANT * self.pages if self.pages > 1 else 2
        constant = {spot for spot, pages in self.texts.items() if pages >= often}
        prefixes = {
            spot
            for spot, pages in self.prefixes.items()
            if pages >= self.enough and self.prefix_times[spot] <= _ONCE * pages
        }
        return Labels(frozenset(words), frozenset(constant), frozenset(prefixes))

    def _is_label(self, spot: tuple[int, str], closed: set[int]) -> bool:
        path, text = spot
        if len(text) > _LONGEST or len(text.split()) > _MOST_WORDS or not _LETTER.search(text):
            return False
        if self.times[spot] > _ONCE * self.texts[spot]:
            return False
        if path in self.headed or 2 * self.between[spot] > self.times[spot]:
            return False
        if ends_in_colon(text):
            return self.names[path, label_name(text)] >= self.enough
        often = self.enough
        if self.tags[path] not in _NAMING:
            often = max(often, _FREQUENT * self.path_pages[path])
        if self.texts[spot] < often:
            return False
        return path in closed and _names(text) and self._is_before_values(spot)

    def _is_before_values(self, spot: tuple[int, str]) -> bool:
        """Whether what stands behind or before it changes from page to page."""
        varied = max(2.0, _VARIED * min(self.times[spot], 10))
        beside = (self.after.get(spot, ()), self.before.get(spot, ()))
        return max(map(len, beside)) >= varied

    def _closed_paths(self) -> set[int]:
        """Paths where nothing but labels stand."""
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
            if known[path] >= _CLOSED * times
            and followed[path] >= _ALTERNATING * times
            and (times >= _SEVERAL * self.path_pages[path] or self.tags[path] in _TITLES)
        }


def _between(
    reading: Reading, numbers: list[int], words: Sequence[Leaf]
) -> Iterator[tuple[int, str]]:
    """The texts that have others before and behind them in a row that is one of several.

    What stands in the middle of a record is a value that comes back, not the label of the next.
    """
    times = Counter(numbers)
    for before, leaf, behind in zip(words, words[1:], words[2:], strict=False):
        if reading.tags[leaf.element] in _NAMING:
            continue
        row = reading.meeting(before.element, leaf.element)
        if row >= 0 and row == reading.meeting(leaf.element, behind.element):
            path = numbers[row]
            if times[path] > 1 and reading.tags[row] not in TABLE_PARTS:
                yield numbers[leaf.element], leaf.text


_COLUMNS = 3


def _headed_tables(reading: Reading) -> set[int]:
    """The tables with a row of nothing but titles, at least three."""
    titles: Counter[int] = Counter()
    values: set[int] = set()
    for element, tag in enumerate(reading.tags):
        if tag == "th":
            titles[reading.parents[element]] += 1
        elif tag == "td":
            values.add(reading.parents[element])
    rows = [row for row, count in titles.items() if count >= _COLUMNS and row not in values]
    return {_table(reading, row) for row in rows}


def _table(reading: Reading, element: int) -> int:
    return next((up for up in reading.ancestry(element) if reading.tags[up] == "table"), -1)


def _is_below_titles(reading: Reading, element: int, tables: set[int]) -> bool:
    for up in reading.ancestry(element):
        if reading.tags[up] == "td":
            return _table(reading, up) in tables
        if reading.tags[up] in {"th", "table"}:
            return False
    return False
