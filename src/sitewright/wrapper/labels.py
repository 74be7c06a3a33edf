"""Which texts are labels.

A label is a short text that comes back on other pages and names what stands behind it. A frequent
value (`Drama`, `Private`) comes back too; labels are told from values by a colon, or by standing
where nothing but such texts stand, several to a page, each before something that is none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING, TypeAlias

from sitewright.page.elements import INLINE
from sitewright.page.page_index import text_of
from sitewright.settings import current
from sitewright.wrapper.pages import ELEMENT, TEXT, WORDS, Leaf

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitewright.page.parser import Element
    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.pages import FlatPage, Paths


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


# Which leaves a label names: those of its row behind it, or the one before it.

_SMALL_ROWS = frozenset({"tr", "li", "p", "div", "span", "a"})
CELLS = frozenset({"td", "th"})


def labels_of_leaves(
    reading: FlatPage, numbers: list[int], labels: Labels, paths: Paths
) -> list[int]:
    """For each leaf its label, as a place in `reading.leaves`; -1 where there is none.

    A label reaches as far as its row: up to the next label or constant text, and no further out
    than a few elements around it. Where a row ends in its label, it names what stands before it.
    """
    governing: list[int] = []
    current = before = within = -1
    behind = _labels_behind(reading, numbers, labels)
    values = {label: value for value, label in behind.items()}
    for place, leaf in enumerate(reading.leaves):
        is_joint = is_separator(leaf.text) or leaf.text.casefold() in JOINTS
        if leaf.part in WORDS and not is_joint:
            path = numbers[leaf.element]
            if labels.is_label(path, leaf.text):
                current = before = place
                within = -1
                if place in values and not _governs_on(reading, place, values[place]):
                    current = -1
                governing.append(-1)
                continue
            if labels.is_constant(path, leaf.text) and current != before:
                current = -1
            before = place
        if current >= 0 and not (
            reading.meeting(within, leaf.element) == within
            and _reaches(reading, numbers, paths, current, leaf)
        ):
            current = -1
        if current >= 0 and leaf.part in WORDS and within < 0:
            within = reading.meeting(reading.leaves[current].element, leaf.element)
        nearer = behind.get(place, -1)
        is_sure = current >= 0 and ends_in_colon(reading.leaves[current].text)
        governing.append(nearer if nearer >= 0 and not is_sure else current)
    return governing


def _labels_behind(reading: FlatPage, numbers: list[int], labels: Labels) -> dict[int, int]:
    """For the value of a row whose label comes behind it, the place of that label.

    Such a row holds just the two (`<li><b>3</b> <span>goals</span></li>`), or it is a row of a
    table whose label stands between two values.
    """
    words = [
        place
        for place, leaf in enumerate(reading.leaves)
        if leaf.part in WORDS and not is_separator(leaf.text)
    ]
    found: dict[int, int] = {}
    for turn in range(1, len(words)):
        value, label = reading.leaves[words[turn - 1]], reading.leaves[words[turn]]
        if not labels.is_label(numbers[label.element], label.text) or ends_in_colon(label.text):
            continue
        if labels.is_label(numbers[value.element], value.text):
            continue
        row = reading.meeting(value.element, label.element)
        if row < 0 or reading.tags[row] not in _SMALL_ROWS:
            continue
        is_first = turn == 1 or not _is_inside(reading, words[turn - 2], row)
        is_last = turn + 1 == len(words) or not _is_inside(reading, words[turn + 1], row)
        if is_first and (is_last or reading.tags[row] == "tr"):
            found[words[turn - 1]] = words[turn]
    return found


def _governs_on(reading: FlatPage, label: int, value: int) -> bool:
    """Whether a label behind a value has a value of its row behind it, too."""
    row = reading.meeting(reading.leaves[value].element, reading.leaves[label].element)
    for place in range(label + 1, len(reading.leaves)):
        leaf = reading.leaves[place]
        if leaf.part in WORDS and not is_separator(leaf.text):
            return _is_inside(reading, place, row)
    return False


def _is_inside(reading: FlatPage, place: int, element: int) -> bool:
    return reading.meeting(reading.leaves[place].element, element) == element


def _reaches(reading: FlatPage, numbers: list[int], paths: Paths, label: int, leaf: Leaf) -> bool:
    """Whether a label is near enough to a leaf behind it to name it."""
    settings = current().wrapper.labels
    start, end = reading.leaves[label].element, leaf.element
    meeting = reading.meeting(start, end)
    if meeting < 0 or _steps(reading, end, meeting) > settings.max_steps_down:
        return False
    if 0 < _level(reading, end) <= _level(reading, start):
        return False  # the heading of the next section
    while start > meeting and paths.block(numbers[start]) != numbers[start]:
        start = reading.parents[start]
    if _steps(reading, start, meeting) > settings.max_steps_up:
        return False
    # The last name in a row of names is no label of what stands in the next row.
    crosses = reading.tags[meeting] in TABLE_PARTS and reading.tags[start] in CELLS
    return not crosses or not _is_in_company(reading, label)


def _level(reading: FlatPage, element: int) -> int:
    """The level of the heading that an element is in; 0 for none."""
    around = islice(reading.ancestry(element), _IN_HEADING)
    return next((int(reading.tags[up][1]) for up in around if reading.tags[up] in _LEVELS), 0)


_LEVELS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_IN_HEADING = 3


def _is_in_company(reading: FlatPage, label: int) -> bool:
    """Whether another cell of the label's row holds words."""
    cell = next(
        up for up in reading.ancestry(reading.leaves[label].element) if reading.tags[up] in CELLS
    )
    row = reading.parents[cell]
    for direction in (-1, 1):
        place = label + direction
        while 0 <= place < len(reading.leaves):
            other = reading.leaves[place]
            if reading.meeting(row, other.element) != row:
                break
            if other.part in WORDS and reading.meeting(cell, other.element) != cell:
                return True
            place += direction
    return False


def _steps(reading: FlatPage, element: int, outer: int) -> int:
    steps = 0
    while element != outer:
        element = reading.parents[element]
        steps += 1
    return steps


# Values of several pieces: "<b>Votes:</b> <span><b>41</b> <i>out of 42</i></span>" says one thing.


_Labelled: TypeAlias = tuple[int, str, int]
"""The path of a label, what it says, and the path of the element beside it."""


def with_whole_values(
    readings: Sequence[FlatPage],
    numbers: Sequence[list[int]],
    governing: Sequence[list[int]],
) -> list[FlatPage]:
    """The readings, with a leaf for the whole text beside a label where it is made of pieces.

    The pieces stay: they are values, too. Pieces of one kind are a list, and no whole.
    """
    settings = current().wrapper.labels
    whole: Counter[_Labelled] = Counter()
    single: Counter[_Labelled] = Counter()
    found: list[dict[_Labelled, list[int]]] = []
    for reading, paths, labels in zip(readings, numbers, governing, strict=True):
        here: dict[_Labelled, list[int]] = defaultdict(list)
        for label, places in _governed(reading, labels).items():
            branch = _line_beside(reading, label, places)
            if branch < 0:
                continue
            named = reading.leaves[label]
            key = (paths[named.element], label_name(named.text), paths[branch])
            here[key].append(branch)
            kinds = {paths[reading.leaves[place].element] for place in places}
            is_whole = 1 < len(places) == len(kinds)
            (whole if is_whole else single)[key] += 1
        found.append(here)
    wanted = {
        key
        for key, count in whole.items()
        if count >= settings.min_whole_share * (count + single[key])
    }
    return [
        _with_elements(reading, {one for key in here.keys() & wanted for one in here[key]})
        for reading, here in zip(readings, found, strict=True)
    ]


def _governed(reading: FlatPage, labels: Sequence[int]) -> dict[int, list[int]]:
    """For each label the texts that it names."""
    found: dict[int, list[int]] = defaultdict(list)
    for place, (leaf, label) in enumerate(zip(reading.leaves, labels, strict=True)):
        if label >= 0 and leaf.part == TEXT and not is_separator(leaf.text):
            found[label].append(place)
    return found


def _line_beside(reading: FlatPage, label: int, places: Sequence[int]) -> int:
    """The element beside a label that holds all these texts in one line; -1 if there is none."""
    settings = current().wrapper.labels
    start = reading.leaves[label].element
    elements = [reading.leaves[place].element for place in places]
    meeting = reading.meeting(start, elements[0])
    branch = reading.child_towards(elements[0], meeting)
    if branch < 0 or any(reading.meeting(branch, one) != branch for one in elements):
        return -1
    if sum(len(reading.leaves[place].text) for place in places) > settings.max_whole_length:
        return -1
    inside = (up for one in elements for up in reading.ancestry(one) if up > branch)
    return branch if all(reading.tags[up] in INLINE for up in inside) else -1


def _with_elements(reading: FlatPage, elements: set[int]) -> FlatPage:
    """The reading with a leaf for the whole text of some elements, before what stands in them."""
    if not elements:
        return reading
    leaves: list[Leaf] = []
    added: set[int] = set()
    for leaf in reading.leaves:
        around = next((up for up in reading.ancestry(leaf.element) if up in elements), -1)
        if around >= 0 and around not in added and leaf.part == TEXT:
            added.add(around)
            leaves.append(Leaf(around, ELEMENT, 0, text_of(reading.nodes[around])))
        leaves.append(leaf)
    return replace(reading, leaves=leaves)


# The titles of a table's columns, from the rows above its records.

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "caption", "legend"})
_WIDEST = 4


def table_headers(pages: ClassPages, rows: Mapping[int, list[int]]) -> dict[int, str]:
    """For each place in a row the text above it, as most pages have it."""
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for page, elements in rows.items():
        reading = pages.readings[page]
        if elements and reading.tags[elements[0]] == "tr":
            for place, text in _above(reading, _first_below_titles(reading, elements)).items():
                found[place][text] += 1
    return {place: texts.most_common(1)[0][0] for place, texts in found.items()}


def _first_below_titles(reading: FlatPage, rows: Sequence[int]) -> int:
    """The first row with a cell for a value: a row of titles on few pages is taken for data."""
    cells: dict[int, set[str]] = defaultdict(set)
    wanted = set(rows[:_ROWS_OF_TITLES])
    for element in range(rows[0], min(len(reading.tags), max(wanted) + _CELLS_OF_TITLES)):
        if reading.parents[element] in wanted and reading.tags[element] in CELLS:
            cells[reading.parents[element]].add(reading.tags[element])
    return next((row for row in rows if cells[row] != {"th"}), rows[0])


_ROWS_OF_TITLES = 4
_CELLS_OF_TITLES = 200
"""Rows, and elements behind the last of them, that are looked at for a row of titles."""


def title_cells(reading: FlatPage) -> set[int]:
    """The cells of rows that hold nothing but titles, at least two."""
    rows: dict[int, list[int]] = defaultdict(list)
    for element, tag in enumerate(reading.tags):
        if tag in CELLS:
            rows[reading.parents[element]].append(element)
    return {
        cell
        for cells in rows.values()
        if len(cells) > 1 and all(reading.tags[cell] == "th" for cell in cells)
        for cell in cells
    }


def heading_above(pages: ClassPages, rows: Mapping[int, list[int]]) -> str:
    """The heading that most pages have before the first record."""
    found: Counter[str] = Counter()
    constant: set[str] = set()
    for page, elements in rows.items():
        reading = pages.readings[page]
        heading = last_heading(reading, elements[0])
        if heading is None:
            continue
        found[heading.text] += 1
        if pages.labels.is_constant(pages.numbers[page][heading.element], heading.text):
            constant.add(heading.text)
    text, count = found.most_common(1)[0] if found else ("", 0)
    # It comes and goes with what it stands over.
    is_theirs = len(rows) >= _PAGES_OF_HEADING and count == len(rows)
    return text if (text in constant and count * 2 >= len(rows)) or is_theirs else ""


_PAGES_OF_HEADING = 3
"""Pages that tell by themselves that a heading is no text of one of them."""


def last_heading(reading: FlatPage, row: int) -> Leaf | None:
    """The last heading before a record or another element, if it is near it."""
    settings = current().wrapper.labels
    found = None
    for leaf in reading.leaves:
        if leaf.element >= row:
            break
        if leaf.part in WORDS and any(
            reading.tags[up] in _HEADINGS for up in islice(reading.ancestry(leaf.element), 3)
        ):
            found = leaf
    if found is None:
        return None
    meeting = reading.meeting(found.element, row)
    return found if meeting in islice(reading.ancestry(row), settings.heading_distance) else None


def _above(reading: FlatPage, row: int) -> dict[int, str]:
    """The words of the last row before this one that has cells, by their places in it."""
    table = next((up for up in reading.ancestry(row) if reading.tags[up] == "table"), row)
    found: dict[int, dict[int, str]] = defaultdict(dict)
    columns: dict[int, int] = {}
    for leaf in reading.leaves:
        if leaf.part not in WORDS or not table <= leaf.element < row:
            continue
        cell = next((up for up in reading.ancestry(leaf.element) if reading.tags[up] in CELLS), -1)
        if cell > table:
            if cell not in columns:
                columns |= columns_of_row(reading, reading.parents[cell])
            found[reading.parents[cell]].setdefault(columns[cell], leaf.text)
    several = [names for names in found.values() if len(names) > 1]
    return several[-1] if several else {}


def columns_of_row(reading: FlatPage, row: int) -> dict[int, int]:
    """The column that each cell of a row ends in: the last one that a wide title stands over."""
    columns: dict[int, int] = {}
    column = 0
    for element in range(row + 1, len(reading.tags)):
        parent = reading.parents[element]
        if parent < row:
            break
        if parent == row and reading.tags[element] in CELLS:
            span = reading.nodes[element].attr("colspan") or "1"
            column += int(span) if span.isdigit() and len(span) < _WIDEST else 1
            columns[element] = column
    return columns
