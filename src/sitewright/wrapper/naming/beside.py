"""Names that stand beside values: the words right before one, or behind it in its cell."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from sitewright.settings import current
from sitewright.wrapper.labels import JOINTS, ends_in_colon, is_separator
from sitewright.wrapper.pages import WORDS

if TYPE_CHECKING:
    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.pages import FlatPage


HEADING_TAGS = frozenset({"h2", "h3", "h4", "h5"})
ROLES = {"by": "author", "written by": "author", "von": "author", "par": "author"}
"""What stands before a name, and says what part its bearer had."""


def constant_before(view: ClassPages, page: int, place: int, *, is_list: bool) -> str:
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
    is_plain = not ends_in_colon(leaf.text) and leaf.text.casefold() not in ROLES
    # A heading may come and go with what it stands over.
    is_heading = not view.is_record_view and not HEADING_TAGS.isdisjoint(around[:2])
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


def constant_behind(view: ClassPages, page: int, place: int) -> str:
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


COUNT_BEHIND = re.compile(r"\s*\([\d.,]+\)$")
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
