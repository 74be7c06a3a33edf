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
    COLONS,
    ends_in_colon,
    has_further_label,
    prefix,
)
from sitewright.wrapper.naming.beside import (
    COUNT_BEHIND,
    HEADING_TAGS,
    ROLES,
    constant_before,
    constant_behind,
)
from sitewright.wrapper.naming.grid_titles import grid_name
from sitewright.wrapper.pages import TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.columns import ValueColumn
    from sitewright.wrapper.pages import FlatPage
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
RELATING = frozenset("in at on of to from for with im am bei von dans en de".split())
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
LEAST_LETTERS = 3
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
            if column.many and tag in HEADING_TAGS and source == "around":
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
    before = _most_frequent(column, partial(constant_before, view, is_list=column.many))
    before = COUNT_BEHIND.sub("", before)
    yield (
        "before",
        ROLES.get(before.casefold(), before) if before.casefold() not in RELATING else "",
    )
    yield "behind", _most_frequent(column, lambda page, place: constant_behind(view, page, place))
    yield "class", _most(view, column, partial(_kind, view), _OWN)
    yield "class", _most(view, column, partial(_class, view), _OWN)
    yield "class", _class_of_heading(view, column)
    if view.is_record_view and tag in HEADING_TAGS:
        yield "tag", "title"  # what is around it is the record, or what it looks like
    yield "tag", _TAGS.get(tag, "") if tag not in HEADING_TAGS else ""
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
        if text.casefold() in RELATING and not behind.startswith(tuple(COLONS)):
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
        for cut in range(LEAST_LETTERS, len(word) - LEAST_LETTERS + 1)
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


# What stands between the values of a list: "Ada", ", ", "Bea" and "and Cleo" are three names.
