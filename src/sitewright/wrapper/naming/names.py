"""Names for fields: from the label beside the value, else from what the page says of itself."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sitewright.settings import current
from sitewright.wrapper.css_names import MOST_CLASSES, is_kind, kind_words
from sitewright.wrapper.labels import (
    CELLS,
    COLONS,
    JOINTS,
    columns_of_row,
    ends_in_colon,
    has_further_label,
    is_separator,
    prefix,
)
from sitewright.wrapper.pages import TEXT, WORDS
from sitewright.wrapper.values.quantities import currency, measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.columns import ValueColumn
    from sitewright.wrapper.pages import FlatPage, Leaf
    from sitewright.wrapper.wrapper import Field, RecordSet


_OWN = 1
_RESERVED = frozenset({"", "url", "row", "raw"})
_WITHIN = frozenset("a abbr b em font i img small span strong time u".split())
"""Elements that may get their name from the one around them."""
_PARTS = {"href": "url", "src": "image", "alt": "image_text", "datetime": "time"}
_TAGS = {
    "title": "page_title",
    "h1": "title",
    "h2": "heading",
    "h3": "heading",
    "h4": "heading",
    "time": "time",
    "figcaption": "caption",
    "caption": "caption",
    "blockquote": "quote",
    "cite": "source",
    "address": "address",
}
"""What an element is for, where its tag says so."""
_HEADING_TAGS = frozenset({"h2", "h3", "h4", "h5"})
_ROLES = {"by": "author", "written by": "author", "von": "author", "par": "author"}
"""What stands before a name, and says what part its bearer had."""
_RELATING = frozenset("in at on of to from for with im am bei von dans en de".split())
"""Words that relate a value to what stands before them, and say nothing of what it is."""
_OTHER_TAGS = {"img": "image", "a": "link", "p": "text", "li": "item"}
_SAYING_NOTHING = frozenset(
    "active align alt area arial asp bd bg block blue bod body bold border box btn button caps "
    "cell center clear clearfix clr col column con cont container content ctl ctrl current dark "
    "data default desc div element enabled even ext field first fixed flex fll float flr flt "
    "fluid font frame full gray green grey grid group half hd header hidden hide highlight "
    "hover hyp img info inline inner inset invisible item items justify large last layout lbl "
    "left light line link list lowercase main margin med medium mini mobile module muted nobr "
    "nopadding nowrap odd outer pad padding panel placeholder plain pre print quiet red rel "
    "right root rounded row rpt section selected semibold shadow show size skip small spacer "
    "spacing span standard sticky stretch stretched style sub tab table text tiny top trans "
    "truncate txt unit uppercase val value values visible white width wrap wrapper yui".split()
)
_NUMBERS = frozenset("one two three four five six seven eight nine ten".split())
"""Words that count the parts of a page: alone they say nothing of one."""
_OF_SYSTEMS = frozenset({"node", "view", "views"})
"""What systems call any page and any list: `views-row`, `node-title`; alone it may be a number."""
_TURNS = frozenset({"odd", "even"})
"""Words of classes that only tell rows apart: `even-row-color`."""
_WORD = re.compile(r"[a-z]{3,}")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class FieldName(NamedTuple):
    """A name and what it was taken from."""

    text: str
    source: str


def field_name(view: ClassPages, column: ValueColumn, headers: Mapping[int, str]) -> FieldName:
    """The best name for a column; `headers` are the titles of the columns of a table."""
    tag = _tag(view, column)
    for source, name in _names(view, column, headers, tag):
        if name and (text := slug(name)) not in _RESERVED:
            if column.many and tag in _HEADING_TAGS and source == "around":
                # Which of two levels comes first differs from page to page.
                return FieldName("headings" if tag == "h2" else f"headings_{tag}", "tag")
            return FieldName(with_part(text, column), source)
    return FieldName(with_part(_OTHER_TAGS.get(tag, "text"), column), "tag")


def all_names(view: ClassPages, column: ValueColumn) -> Iterator[FieldName]:
    """All names that a column of pages could have, the one that `field_name` takes first."""
    for source, name in _names(view, column, {}, _tag(view, column)):
        if name and (text := slug(name)) not in _RESERVED:
            yield FieldName(with_part(text, column), source)


def _names(
    view: ClassPages, column: ValueColumn, headers: Mapping[int, str], tag: str
) -> Iterator[tuple[str, str]]:
    """What could name a column, the best first; each is sought only if those before it are not."""
    settings = current().wrapper.fields
    yield "microdata", _most(view, column, _microdata_name, _OWN)
    label = _by_label(view, column)
    if ends_in_colon(label) or column.kind == "prefix":
        yield "label", label
    yield "meta", _by_meta(view, column)
    yield "header", _by_header(view, column, headers) or grid_name(view, column)
    yield "label", label
    before = _most_frequent(column, partial(_constant_before, view, is_list=column.many))
    before = _COUNT_BEHIND.sub("", before)
    yield (
        "before",
        _ROLES.get(before.casefold(), before) if before.casefold() not in _RELATING else "",
    )
    yield "behind", _most_frequent(column, lambda page, place: _constant_behind(view, page, place))
    yield "class", _most(view, column, partial(_kind, view), _OWN)
    yield "class", _most(view, column, partial(_class, view), _OWN)
    yield "class", _class_of_heading(view, column)
    if view.is_record_view and tag in _HEADING_TAGS:
        yield "tag", "title"  # what is around it is the record, or what it looks like
    yield "tag", _TAGS.get(tag, "") if tag not in _HEADING_TAGS else ""
    yield "around", _most(view, column, partial(_kind, view), settings.class_distance)
    yield "around", _most(view, column, partial(_class, view), settings.class_distance)
    yield "tag", _TAGS.get(tag, "")


def _class_of_heading(view: ClassPages, column: ValueColumn) -> str:
    """What the heading around a column is called: `<h1 class=teamName><div>...` is a team."""

    def name(page: int, place: int) -> str:
        reading = view.readings[page]
        around = islice(reading.ancestry(reading.leaves[place].element), 1, _HEADING_DISTANCE)
        heading = next((up for up in around if reading.tags[up] in _ANY_HEADING), -1)
        return _class(view, reading, heading) if heading >= 0 else ""

    return "" if view.is_record_view else _most_frequent(column, name)


_ANY_HEADING = frozenset({"h1", "h2", "h3", "h4", "h5"})
_HEADING_DISTANCE = 4


def _tag(view: ClassPages, column: ValueColumn) -> str:
    """The tag that says most of a leaf: that of its block, or of the heading around it."""
    settings = current().wrapper.fields
    labels = view.paths.steps(column.path)
    for label in labels[: -settings.name_distance - 2 : -1]:
        if label.tag in _TAGS:
            return label.tag
    return labels[-1].tag


def slug(text: str) -> str:
    """Letters, digits and underscores, in lower case, of any alphabet."""
    settings = current().wrapper.fields
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = re.findall(r"[^\W_]+", folded.replace("'", "").replace("\u2019", ""))
    name = "_".join(words)
    if len(name) > settings.max_name_length:
        name = (
            name[: settings.max_name_length].rpartition("_")[0] or name[: settings.max_name_length]
        )
    return f"n_{name}" if name[:1].isdigit() else name


def plural(word: str) -> str:
    """Several of what an English word names: `summaries`, `boxes`, `news`."""
    if word.endswith("s"):
        return word
    if word.endswith("y") and word[-2:-1] not in set("aeiou_"):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("ch", "sh", "x")) else f"{word}s"


def unique(names: list[str]) -> list[str]:
    """The same names, those that come again with a number; none like a column of ours."""
    taken: set[str] = set()
    found: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in taken or candidate.endswith("_raw"):
            number += 1
            candidate = f"{name}_{number}"
        taken.update((candidate, f"{candidate}_raw"))
        found.append(candidate)
    return found


def without_clashes(
    fields: Sequence[Field], sets: Sequence[RecordSet], rows: str | None
) -> tuple[tuple[Field, ...], tuple[RecordSet, ...], str | None]:
    """Other names where a table would have two columns of one name.

    A record set is a column beside the fields of the page. Where its rows are the records of the
    class, its fields stand beside them, too: then those of the page give way.
    """
    beside = next((records for records in sets if records.name == rows), None)
    taken = {name for field in (beside.fields if beside else ()) for name in field.columns()}
    renamed: list[Field] = []
    for field in fields:
        free = _free(field, taken, "page")
        taken.update(free.columns())
        renamed.append(free)
    named: list[RecordSet] = []
    for records in sets:
        name = _free_name(records.name, taken)
        taken.add(name)
        named.append(replace(records, name=name))
        if records.name == rows:
            rows = name
    return tuple(renamed), tuple(named), rows


def _free(field: Field, taken: set[str], before: str) -> Field:
    if taken.isdisjoint(field.columns()):
        return field
    return _free(replace(field, name=f"{before}_{field.name}"), taken, before)


def _free_name(name: str, taken: set[str]) -> str:
    candidate = name
    while candidate in taken:
        candidate += "_rows"
    return candidate


def with_part(name: str, column: ValueColumn) -> str:
    """A name with what it is of an element that is not its text: `team_url`, `team_image`."""
    ending = _PARTS.get(column.part, "")
    if not ending or name == ending or name.endswith(f"_{ending}"):
        return name
    return ending if name in {"text", "link", "image", "item"} else f"{name}_{ending}"


def _cells(column: ValueColumn) -> Iterator[tuple[int, int]]:
    return ((page, place) for page, places in column.cells.items() for place in places[:1])


def _by_label(view: ClassPages, column: ValueColumn) -> str:
    """What most of the labels of a column say, with their colon."""
    is_heading = not view.is_record_view and _tag(view, column) == "h1"

    def label(page: int, place: int) -> str:
        leaves = view.readings[page].leaves
        governor = view.labels_of_leaves[page][place]
        is_one = governor < 0 or not has_further_label(leaves[place].text)
        own = prefix(leaves[place].text) if column.part == TEXT and is_one else ""
        if own or governor < 0:
            return own
        text, tag = leaves[governor].text, view.readings[page].tags[leaves[governor].element]
        behind = leaves[governor + 1].text
        if text.casefold() in _RELATING and not behind.startswith(tuple(COLONS)):
            return ""  # "From" is a label where its colon stands behind its tag
        # A link that names what comes behind it says so by a colon; others lead somewhere else.
        # The heading of a page names itself: a button before it belongs to the page.
        return text if (tag != "a" and not is_heading) or ends_in_colon(text) else ""

    return _most_frequent(column, label)


def _most_frequent(column: ValueColumn, say: Callable[[int, int], str]) -> str:
    """What is said of most values of a column."""
    settings = current().wrapper.fields
    found: Counter[str] = Counter()
    total = 0
    for page, place in _cells(column):
        total += 1
        if declared := say(page, place):
            found[declared] += 1
    name, count = found.most_common(1)[0] if found else ("", 0)
    return name if count >= settings.min_name_agreement * total else ""


# The titles of a grid: of a cell, what stands over it and at the head of its row.

_GRID_PAGES = 6
"""Pages that the titles of a cell are sought on: they are the same on all."""
_FEW_CELLS = 2


def grid_name(view: ClassPages, column: ValueColumn) -> str:
    """The titles of a cell's row and column, as most pages have them."""
    if view.is_record_view or not any(label.cell for label in view.paths.steps(column.path)):
        return ""
    found: Counter[str] = Counter()
    pages = list(column.cells)[:_GRID_PAGES]
    for page in pages:
        found[_grid_titles(view, page, column.cells[page][0])] += 1
    name, count = found.most_common(1)[0]
    return name if name and 2 * count > len(pages) else ""


def _grid_titles(view: ClassPages, page: int, place: int) -> str:
    """What the grid says of a cell; empty if it is no grid, or has no titles."""
    reading = view.readings[page]
    cell = next(
        (up for up in reading.ancestry(reading.leaves[place].element) if reading.tags[up] in CELLS),
        -1,
    )
    if cell < 0:
        return ""
    row = reading.parents[cell]
    table = next((up for up in reading.ancestry(row) if reading.tags[up] == "table"), -1)
    if table < 0:
        return ""
    rows = _rows_of(view, page, table, place)
    own = rows.get(row, {})
    number = columns_of_row(reading, row)[cell]
    above = [cells for other, cells in rows.items() if other < row]
    titles = next((cells for cells in reversed(above) if _are_titles(cells)), None)
    if titles is None or number not in titles or len(titles) < _FEW_CELLS:
        return ""
    beside = own.get(1, _NO_CELL) if number > 1 else _NO_CELL
    several = sum(not _are_titles(cells) and len(cells) > 1 for cells in rows.values()) > 1
    head = beside.text if beside.is_title and several else ""
    return f"{head} {titles[number].text}".strip()


class _GridCell(NamedTuple):
    text: str
    is_title: bool
    """Whether all pages have the same there."""


_NO_CELL = _GridCell("", is_title=False)


def _are_titles(cells: Mapping[int, _GridCell]) -> bool:
    return len(cells) >= _FEW_CELLS and all(cell.is_title for cell in cells.values())


def _rows_of(
    view: ClassPages, page: int, table: int, place: int
) -> dict[int, dict[int, _GridCell]]:
    """The cells of a table that hold one text each, by row and column: those around a leaf."""
    reading, numbers = view.readings[page], view.numbers[page]
    found: dict[int, dict[int, _GridCell]] = {}
    columns: dict[int, int] = {}
    for leaf in _leaves_around(reading, table, place):
        if leaf.part not in WORDS or is_separator(leaf.text):
            continue
        around = list(islice(reading.ancestry(leaf.element), _GRID_DEPTH))
        cell = next((up for up in around if reading.tags[up] in CELLS), -1)
        if (
            cell < 0
            or next((up for up in reading.ancestry(cell) if reading.tags[up] == "table"), -1)
            != table
        ):
            continue
        path = numbers[leaf.element]
        known = view.labels.is_constant(path, leaf.text) or view.labels.is_label(path, leaf.text)
        is_name = known and any(map(str.isalpha, leaf.text))
        row = found.setdefault(reading.parents[cell], {})
        if cell not in columns:
            columns |= columns_of_row(reading, reading.parents[cell])
        number = columns[cell]
        row[number] = _GridCell(leaf.text, is_name) if number not in row else _NO_CELL
    return dict(sorted(found.items()))


def _leaves_around(reading: FlatPage, table: int, place: int) -> list[Leaf]:
    """The leaves of a table, which stand in a row in the page, as far as people look."""
    first = last = place
    while first > max(0, place - _MOST_GRID_LEAVES) and reading.leaves[first - 1].element > table:
        first -= 1
    end = min(len(reading.leaves), place + _MOST_GRID_LEAVES)
    while last < end and reading.leaves[last].element > table:
        last += 1
    return reading.leaves[first:last]


_MOST_GRID_LEAVES = 400
"""Leaves before and behind a cell among which the titles of its grid are sought."""
_GRID_DEPTH = 4
"""Elements between a cell and its text."""


def _constant_before(view: ClassPages, page: int, place: int, *, is_list: bool) -> str:
    """The text before a leaf, if all pages have it there and it stands beside the leaf."""
    settings = current().wrapper.fields
    reading, numbers = view.readings[page], view.numbers[page]
    before = place - 1
    while before >= 0 and (
        reading.leaves[before].part not in WORDS
        or is_separator(reading.leaves[before].text)
        or _REMARK.fullmatch(reading.leaves[before].text)
    ):
        before -= 1
    if before < 0:
        return ""
    leaf = reading.leaves[before]
    path = numbers[leaf.element]
    # A heading names itself; and a link before a value leads somewhere else, if it does not lead
    # from the heading of a list to more of the kind.
    around = [reading.tags[up] for up in islice(reading.ancestry(leaf.element), 3)]
    element = reading.leaves[place].element
    own = {reading.tags[up] for up in islice(reading.ancestry(element), 3)}
    is_plain = not ends_in_colon(leaf.text) and leaf.text.casefold() not in _ROLES
    # A heading may come and go with what it stands over.
    is_heading = not view.is_record_view and not _HEADING_TAGS.isdisjoint(around[:2])
    is_of_list = is_heading and is_list
    if is_plain and (("a" in around and not is_of_list) or own & {"h1", "h2"}):
        return ""
    is_constant = is_heading or view.labels.is_constant(path, leaf.text)
    is_short = len(leaf.text.split()) <= settings.max_name_words
    is_word = any(map(str.isalpha, leaf.text)) and leaf.text.casefold() not in JOINTS
    if not (is_constant and is_short and is_word):
        return ""
    is_button = reading.tags[leaf.element] in _BUTTONS and leaf.element != element
    is_anothers = is_plain and _ends_a_cell(view, page, before, place)
    if is_anothers or (is_button and not is_of_list):
        return ""
    return leaf.text if _stands_beside(view, reading, numbers, before, place) else ""


def _ends_a_cell(view: ClassPages, page: int, before: int, place: int) -> bool:
    """Whether a text belongs to the value before it: `<dd>12 <i>Replies</i></dd><dd>340 ...`."""
    reading = view.readings[page]
    cell = reading.block(reading.leaves[before].element)
    if cell in reading.ancestry(reading.leaves[place].element):
        return False
    value = _word_before(reading, before)
    return value >= 0 and _is_value_in(view, page, value, cell)


def _constant_behind(view: ClassPages, page: int, place: int) -> str:
    """The text behind a leaf in a tag of its own, where the two are all that a cell says."""
    reading = view.readings[page]
    cell = reading.block(reading.leaves[place].element)
    behind = _word_behind(reading, place)
    if behind < 0 or not any(map(str.isdigit, reading.leaves[place].text)):
        return ""
    leaf, first, last = (
        reading.leaves[behind],
        _word_before(reading, place),
        _word_behind(reading, behind),
    )
    inside = [
        other >= 0 and cell in reading.ancestry(reading.leaves[other].element)
        for other in (first, behind, last)
    ]
    is_word = leaf.text.isalpha() and len(leaf.text) >= _LEAST_WORD
    is_own = leaf.element != reading.leaves[place].element
    is_constant = view.labels.is_constant(view.numbers[page][leaf.element], leaf.text)
    return (
        leaf.text if inside == [False, True, False] and is_word and is_own and is_constant else ""
    )


def _is_value_in(view: ClassPages, page: int, place: int, cell: int) -> bool:
    reading = view.readings[page]
    leaf = reading.leaves[place]
    is_constant = view.labels.is_constant(view.numbers[page][leaf.element], leaf.text)
    return not is_constant and cell in reading.ancestry(leaf.element)


def _word_before(reading: FlatPage, place: int) -> int:
    """The place of the text before another; -1 if there is none."""
    return next((at for at in range(place - 1, -1, -1) if _says_something(reading, at)), -1)


def _word_behind(reading: FlatPage, place: int) -> int:
    behind = range(place + 1, len(reading.leaves))
    return next((at for at in behind if _says_something(reading, at)), -1)


def _says_something(reading: FlatPage, place: int) -> bool:
    leaf = reading.leaves[place]
    return leaf.part in WORDS and not is_separator(leaf.text)


_LEAST_WORD = 4
"""Letters of a word that names the number before it: shorter ones are units."""


_COUNT_BEHIND = re.compile(r"\s*\([\d.,]+\)$")
"""How many there are below it: "Comments (3)"."""
_BUTTONS = frozenset({"a", "button", "option"})
_REMARK = re.compile(r"\([^()]*\)")
"""What is said of a name in brackets: "Mission (as told by the school)"."""


def _stands_beside(
    view: ClassPages, reading: FlatPage, numbers: list[int], before: int, place: int
) -> bool:
    settings = current().wrapper.fields
    start, end = reading.leaves[before].element, reading.leaves[place].element
    meeting = reading.meeting(start, end)
    ups = 0
    for up in reading.ancestry(start):
        if up == meeting:
            return ups <= settings.name_distance
        ups += view.paths.block(numbers[up]) == numbers[up]
    return False


def _microdata_name(reading: FlatPage, element: int) -> str:
    node = reading.nodes[element]
    declared = node.attr("itemprop") or node.attr("property") or node.attr("data-field") or ""
    return CAMEL.sub("_", _last_words(declared.strip(), r"[:/#\s]"))


def _last_words(declared: str, marks: str) -> str:
    """What a declared name ends in: `og:image:width` is the width of the image, not of the page."""
    if _OF_A_THING.fullmatch(declared):
        return declared.partition(":")[2].replace(":", " ")
    return re.split(marks, declared)[-1]


_OF_A_THING = re.compile(r"[a-z]+:[a-z]+:[a-z_]+")


def _class(view: ClassPages, reading: FlatPage, element: int) -> str:
    """What the classes, the id or an attribute for programs say that an element is."""
    node = reading.nodes[element]
    looks = view.paths.looks()
    own = (one for one in (node.attr("class") or "").split() if one not in looks)
    named = [value for name in _NAMING if (value := node.attr(name))]
    classes = " ".join([*named, *view.paths.names.volatile.told(own)])
    return _telling_class(classes, node.attr("id") or "")


def _kind(view: ClassPages, reading: FlatPage, element: int) -> str:
    """What a class adds to another of its element: the body of `field field-name-body`.

    The first class counts of which there are several kinds on these pages. A word that several of
    them begin with (`name`, where `field-name-body` stands beside `field-name-image`) says nothing.
    """
    names = view.paths.names
    known, crowded = names.kinds
    written = (reading.nodes[element].attr("class") or "").split() if known else []
    bases = [base for base in written[:MOST_CLASSES] if base in known]
    for one in written[:MOST_CLASSES]:
        family = next((base for base in bases if is_kind(one, base)), "")
        if not family or one in crowded or one in names.volatile:
            continue
        words = kind_words(one, family)
        if words and (words[0] in known[family] or words[0] == _NAME):
            words = words[1:]
        while len(words) > 1 and words[0] in _SAYING_NOTHING:
            words = words[1:]
        is_telling = any(map(_WORD.fullmatch, words)) and _SAYING_NOTHING.isdisjoint(words)
        is_telling = is_telling and not _NUMBERS.issuperset(words)
        if words == (_BODY,) or is_telling:
            return "_".join(words[-_MOST_MODIFIERS:])
    return ""


_MOST_MODIFIERS = 3
_NAME = "name"
"""What follows in `field-name-price` is what the field is called."""
_BODY = "body"
"""What may be the body of a page elsewhere is that of the record here."""


_NAMING = ("data-testid", "data-test-id", "data-test", "data-qa", "data-cy", "data-hook")
"""Attributes by which programs know a part of a page: they say what it is, and no looks."""


# The elements of a class of pages have few classes and ids, and each is asked for many times.
@lru_cache(maxsize=1 << 14)
def _telling_class(classes: str, identifier: str) -> str:
    return telling_name([*classes.split(), identifier])


def telling_name(names: Iterable[str]) -> str:
    """The first of some classes and ids that says what a thing is, not how it looks."""
    for name in names:
        spaced = CAMEL.sub("_", re.sub(r"\d+", "", name))
        words = [word for word in slug(spaced).split("_") if _WORD.fullmatch(word)]
        untelling = _SAYING_NOTHING if len(words) == 1 else _SAYING_NOTHING | _OF_SYSTEMS
        telling = [word for word in words if word not in untelling and not _is_of_looks(word)]
        if not _NUMBERS.issuperset(telling) and _TURNS.isdisjoint(words):
            return "_".join(telling[-3:])
    return ""


def _is_of_looks(word: str) -> bool:
    """Whether a word is two words for looks written together: `fontsmall`."""
    return any(
        word[:cut] in _SAYING_NOTHING and word[cut:] in _SAYING_NOTHING
        for cut in range(_LEAST_LETTERS, len(word) - _LEAST_LETTERS + 1)
    )


def _most(
    view: ClassPages, column: ValueColumn, say: Callable[[FlatPage, int], str], out: int
) -> str:
    """What most elements of the column, or so many around them, say."""
    settings = current().wrapper.fields
    found: Counter[str] = Counter()
    total = 0
    for page, place in _cells(column):
        total += 1
        reading = view.readings[page]
        element = reading.leaves[place].element
        further = out if out != _OWN or reading.tags[element] in _WITHIN else 0
        around = islice(reading.ancestry(element), further + 1)
        # The class of a record says what it is, not what stands in it.
        inside = (
            up
            for up in around
            if up == element
            or (reading.tags[up] not in _ALL_OF_PAGE and (not view.is_record_view or up != 0))
        )
        declared = next((name for up in inside if (name := say(reading, up))), "")
        found[declared] += bool(declared)
    name, count = found.most_common(1)[0] if found else ("", 0)
    return name if count >= settings.min_name_agreement * total else ""


_ALL_OF_PAGE = frozenset({"body", "main"})
"""Elements that hold all that a page says: `<main id=skip>` is where a link for keyboards leads."""


def _by_meta(view: ClassPages, column: ValueColumn) -> str:
    attribute, declared = view.paths.labels[column.path][1].named
    return _last_words(declared, "[:.]") if attribute else ""


def _by_header(view: ClassPages, column: ValueColumn, headers: Mapping[int, str]) -> str:
    for label in reversed(view.paths.steps(column.path)):
        if label.cell:
            return headers.get(label.cell, "")
    return ""


# Words that all values of a column have around them: `Phone: 555` is a label and a value.


_TIED_MARKS = "\u2013\u2014|\u00b7:-"


def affix_pattern(texts: Sequence[str]) -> str:
    """An expression whose group is what differs between these texts; empty if nothing is common.

    Only whole words count, and something must be left of every text.
    """
    settings = current().wrapper.fields
    distinct = sorted(set(texts))
    if len(distinct) < settings.min_texts_for_affix:
        return _between_marks(distinct)
    split = [text.split() for text in distinct]
    shortest = min(map(len, split))
    before = _shared([words[: shortest - 1] for words in split])
    left = shortest - len(before) - 1
    after = _shared([words[::-1][:left] for words in split])[::-1] if left > 0 else []
    before, after = _telling(before), _telling(after)
    before = _label(before)
    # "Ada Arden- Shop of books": the mark is written to the word before it.
    is_tied = bool(after) and all(words[-len(after) - 1][-1] in _TIED_MARKS for words in split)
    after = after if is_tied else _boilerplate(after)
    if not (before or after) or len(" ".join(before + after)) > settings.max_affix_length:
        return _between_marks(distinct)
    # "Written by:" and "Written By:" are one label: sites change their capitals.
    start = "(?i:" + r"\s+".join(map(re.escape, before)) + r")\s+" if before else ""
    end = r"\s+(?i:" + r"\s+".join(map(re.escape, after)) + ")" if after else ""
    if is_tied:
        return f"^{start}(.+?)\\s*[{_TIED_MARKS}]{end}$"
    return f"^{start}(.+){end}$"


_BETWEEN = "|\u00b7\u2022\u203a\u00bb"


def _between_marks(distinct: Sequence[str]) -> str:
    """An expression without the mark that all texts begin or end with: "Public domain \u00b7".

    It stands between the text and the next one on the line. Two texts are enough to tell.
    """
    if len(distinct) < _PAIR or any(len(text.strip(_BETWEEN)) == 0 for text in distinct):
        return ""
    is_first = all(text[0] in _BETWEEN for text in distinct)
    is_last = all(text[-1] in _BETWEEN for text in distinct)
    start = rf"(?:[{_BETWEEN}]\s*)?" if is_first else ""
    end = rf"(?:\s*[{_BETWEEN}])?" if is_last else ""
    return f"^{start}(.+?){end}$" if start or end else ""


_PAIR = 2


# What stands between the values of a list: "Ada", ", ", "Bea" and "and Cleo" are three names.

_JOINTS = "|".join(sorted(JOINTS))
ITEM_PATTERN = (
    rf"^(?!(?:{_JOINTS})\W*$)(?=.*[^\W_])[\s,;|/&\u00b7\u2022]*(?:(?:{_JOINTS})\s+(?=\S))?"
    r"(?P<part>[^\s,;|/&\u00b7\u2022](?:.*[^\s,;|/&\u00b7\u2022])?)[\s,;|/&\u00b7\u2022]*$"
)
"""What is left of a value of a list without the comma or the word that ties it to the others."""
_JOINT = re.compile(rf"\W+|\W*(?:{_JOINTS})\W*|,\s.*|.*,|and\s.*", re.IGNORECASE)


def has_joints(texts: Sequence[str]) -> bool:
    """Whether some texts of a list are a mere comma or word between values, or have one at an edge.

    Sentences are no such list, wherever they are cut.
    """
    longest = current().wrapper.labels.max_label_length
    lengths = sorted(map(len, texts))
    is_short = bool(lengths) and lengths[len(lengths) * 3 // 4] <= longest
    return is_short and any(_JOINT.fullmatch(text) for text in texts)


def named_by_cut(name: FieldName, pattern: str, found: Sequence[Sequence[str]]) -> FieldName:
    """The name after what a pattern cuts off before values: "Art.-Nr." of "Art.-Nr. HA-36362".

    The one that is given where nothing is cut off, or hardly a word.
    """
    matches = (re.match(pattern, text) for texts in found for text in texts)
    one = next(filter(None, matches), None) if pattern else None
    cut = slug(one.string[: one.start(1)]) if one is not None else ""
    is_word = len(cut) >= _LEAST_LETTERS and cut not in JOINTS | _RELATING
    return FieldName(cut, "before") if is_word else name


_LEAST_LETTERS = 3


def _label(words: list[str]) -> list[str]:
    """The words up to the last that ends in a mark: others may be the beginning of a name."""
    marks = [position for position, word in enumerate(words, 1) if not word[-1].isalnum()]
    if marks:
        return words[: marks[-1]]
    return words if [word.casefold() for word in words] == ["by"] else []


def _boilerplate(words: list[str]) -> list[str]:
    """The words from a dash or bar on: without one they may be a unit, and belong to the value.

    So do a sign of money and a mark of percent: "1.249,90 €".
    """
    marks = [
        position
        for position, word in enumerate(words)
        if not any(map(str.isalnum, word)) and not (currency(word) or measure(word))
    ]
    return words[marks[0] :] if marks else []


def _shared(sequences: Sequence[Sequence[str]]) -> list[str]:
    found: list[str] = []
    for words in zip(*sequences, strict=False):
        if len(set(words)) > 1:
            break
        found.append(words[0])
    return found


def _telling(words: list[str]) -> list[str]:
    """The words, if they are no number: a year that all pages happen to share is data."""
    return [] if any(any(map(str.isdigit, word)) for word in words) else words
