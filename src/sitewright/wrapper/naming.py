"""Names for fields: from the label beside the value, else from what the page says of itself."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sitewright.wrapper.labels import COLONS, is_separator, prefix
from sitewright.wrapper.reading import TEXT, WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitewright.wrapper.columns import Column
    from sitewright.wrapper.reading import Reading
    from sitewright.wrapper.view import View
    from sitewright.wrapper.wrapper import Field, RecordSet

_LONGEST = 40
_HALF = 0.5
_MOST_WORDS = 5
_NEAR = 2
_OWN = 1
_OUT = 3
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
_OTHER_TAGS = {"img": "image", "a": "link", "p": "text", "li": "item"}
_SAYING_NOTHING = frozenset(
    "align area bd block bod body bold border box bg button center clear cell col column con "
    "container content cont data desc div ext field first float font frame group header hd inner "
    "info item last layout left link list main med module outer pad panel row right section small "
    "span sub tab table text top txt val value wrap wrapper yui".split()
)
_WORD = re.compile(r"[a-z]{3,}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Name(NamedTuple):
    """A name and what it was taken from."""

    text: str
    source: str


def field_name(view: View, column: Column, headers: Mapping[int, str]) -> Name:
    """The best name for a column; `headers` are the titles of the columns of a table."""
    for source, name in (
        ("label", _by_label(view, column)),
        ("microdata", _most(view, column, _said, _OWN)),
        ("meta", _by_meta(view, column)),
        ("header", _by_header(view, column, headers)),
        ("class", _most(view, column, _class, _OWN)),
        ("tag", _TAGS.get(_tag(view, column), "")),
        ("class", _most(view, column, _class, _OUT)),
    ):
        if name and (text := slug(name)) not in _RESERVED:
            return Name(_with_part(text, column), source)
    return Name(_with_part(_OTHER_TAGS.get(_tag(view, column), "text"), column), "tag")


def _tag(view: View, column: Column) -> str:
    """The tag that says most of a leaf: that of its block, or of the heading around it."""
    labels = view.paths.steps(column.path)
    for label in labels[: -_NEAR - 2 : -1]:
        if label.tag in _TAGS:
            return label.tag
    return labels[-1].tag


def slug(text: str) -> str:
    """Letters, digits and underscores, in lower case, of any alphabet."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = re.findall(r"[^\W_]+", folded.replace("'", "").replace("\u2019", ""))
    name = "_".join(words)
    if len(name) > _LONGEST:
        name = name[:_LONGEST].rpartition("_")[0] or name[:_LONGEST]
    return f"n_{name}" if name[:1].isdigit() else name


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


def _with_part(name: str, column: Column) -> str:
    ending = _PARTS.get(column.part, "")
    if not ending or name == ending or name.endswith(f"_{ending}"):
        return name
    return ending if name in {"text", "link", "image", "item"} else f"{name}_{ending}"


def _cells(column: Column) -> Iterator[tuple[int, int]]:
    return ((page, place) for page, places in column.cells.items() for place in places[:1])


def _by_label(view: View, column: Column) -> str:
    found: Counter[str] = Counter()
    total = 0
    for page, place in _cells(column):
        total += 1
        reading = view.readings[page]
        governor = view.governors[page][place]
        if own := prefix(reading.leaves[place].text) if column.part == TEXT else "":
            found[own] += 1
        elif governor >= 0:
            found[reading.leaves[governor].text] += 1
        elif before := _constant_before(view, page, place):
            found[before] += 1
    if not found:
        return ""
    name, count = found.most_common(1)[0]
    return name.rstrip(f" *{COLONS}") if count >= _HALF * total else ""


def _constant_before(view: View, page: int, place: int) -> str:
    """The text before a leaf, if all pages have it there and it stands beside the leaf."""
    reading, numbers = view.readings[page], view.numbers[page]
    before = place - 1
    while before >= 0 and (
        reading.leaves[before].part not in WORDS or is_separator(reading.leaves[before].text)
    ):
        before -= 1
    if before < 0:
        return ""
    leaf = reading.leaves[before]
    path = numbers[leaf.element]
    if not view.labels.is_constant(path, leaf.text) or len(leaf.text.split()) > _MOST_WORDS:
        return ""
    if not any(map(str.isalpha, leaf.text)):
        return ""
    return leaf.text if _stands_beside(view, reading, numbers, before, place) else ""


def _stands_beside(
    view: View, reading: Reading, numbers: list[int], before: int, place: int
) -> bool:
    start, end = reading.leaves[before].element, reading.leaves[place].element
    if reading.tags[start] in {"a", "button", "option"} and start != end:
        return False
    meeting = reading.meeting(start, end)
    ups = 0
    for up in reading.ancestry(start):
        if up == meeting:
            return ups <= _NEAR
        ups += view.paths.block(numbers[up]) == numbers[up]
    return False


def _said(reading: Reading, element: int) -> str:
    node = reading.nodes[element]
    said = node.attr("itemprop") or node.attr("property") or node.attr("data-field") or ""
    return re.split(r"[:/#\s]", said.strip())[-1]


def _class(reading: Reading, element: int) -> str:
    node = reading.nodes[element]
    return telling_name([*(node.attr("class") or "").split(), node.attr("id") or ""])


def telling_name(names: Iterable[str]) -> str:
    """The first of some classes and ids that says what a thing is, not how it looks."""
    for name in names:
        spaced = _CAMEL.sub("_", re.sub(r"\d+", "", name))
        words = [word for word in slug(spaced).split("_") if _WORD.fullmatch(word)]
        telling = [word for word in words if word not in _SAYING_NOTHING]
        if telling:
            return "_".join(telling[-3:])
    return ""


def _most(view: View, column: Column, say: Callable[[Reading, int], str], out: int) -> str:
    """What most elements of the column, or so many around them, say."""
    found: Counter[str] = Counter()
    total = 0
    for page, place in _cells(column):
        total += 1
        reading = view.readings[page]
        element = reading.leaves[place].element
        further = out if out != _OWN or reading.tags[element] in _WITHIN else 0
        around = islice(reading.ancestry(element), further + 1)
        said = next((name for up in around if (name := say(reading, up))), "")
        found[said] += bool(said)
    name, count = found.most_common(1)[0] if found else ("", 0)
    return name if count >= _HALF * total else ""


def _by_meta(view: View, column: Column) -> str:
    attribute, said = view.paths.labels[column.path][1].named
    return re.split(r"[:.]", said)[-1] if attribute else ""


def _by_header(view: View, column: Column, headers: Mapping[int, str]) -> str:
    for label in reversed(view.paths.steps(column.path)):
        if label.cell:
            return headers.get(label.cell, "")
    return ""
