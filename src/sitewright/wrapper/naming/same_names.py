"""Several columns of one name: each but the first by what tells it apart, where something does.

Critics and users both have a number of positive reviews: `positive` and `user_reviews_positive`
say more than `positive` and `positive_2`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from sitewright.settings import current
from sitewright.wrapper.naming.link_names import name_of_links
from sitewright.wrapper.naming.names import FieldName, slug
from sitewright.wrapper.pages import WORDS
from sitewright.wrapper.titles import last_heading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.fields import FieldCandidate


_UNDER_A_LABEL = frozenset({"label", "header", "before"})
_SAYING = _UNDER_A_LABEL | {"heading", "microdata", "metadata", "type"}
"""Where a name comes from that says what values are: a second one is the same of something else."""
_PAGES = 6
"""Pages that are asked for what tells two columns apart: it is the same on all."""


def told_apart(ordered: Sequence[FieldCandidate], view: ClassPages) -> list[FieldCandidate]:
    """The candidates in the same order, the later ones of a name with what tells them apart."""
    first: dict[str, FieldCandidate] = {}
    taken = {one.name.text for one in ordered}
    found = list(ordered)
    for place, one in enumerate(ordered):
        if one.column.part not in WORDS or one.name.source not in _SAYING:
            continue
        own = first.setdefault(one.name.text, one)
        name = _told_apart(view, own, one) if own is not one else one.name.text
        if name not in taken:
            found[place] = replace(one, name=FieldName(name, one.name.source))
            taken.add(name)
    return found


def _told_apart(view: ClassPages, first: FieldCandidate, other: FieldCandidate) -> str:
    """The name of the other behind what it stands in, or before what its links lead to."""
    name = other.name.text
    links = name_of_links(view, other.column) if other.name.source in _UNDER_A_LABEL else ""
    around = "" if links else _part_of_page(view, first, other)
    words = name.split("_")
    new = [
        word
        for word in (links or around).split("_")
        if word and not any(own.startswith(word) or word.startswith(own) for own in words)
    ]
    return "_".join([*words, *new] if links else [*new, *words])


def _part_of_page(view: ClassPages, first: FieldCandidate, other: FieldCandidate) -> str:
    """The heading over the other alone, as most pages have it."""
    settings = current().wrapper.fields
    pages = list(
        islice((page for page in other.column.cells if page in first.column.cells), _PAGES)
    )
    found: Counter[str] = Counter()
    for page in pages:
        reading = view.readings[page]
        one, two = (
            reading.leaves[column.cells[page][0]].element for column in (first.column, other.column)
        )
        found[_heading_of_one(view, page, one, two)] += 1
    text, count = found.most_common(1)[0] if found else ("", 0)
    return text if count >= settings.min_name_agreement * len(pages) else ""


def _heading_of_one(view: ClassPages, page: int, one: int, two: int) -> str:
    """The heading that all pages have over the second element, in a part without the first."""
    reading = view.readings[page]
    part = reading.child_towards(two, reading.meeting(one, two)) if one != two else -1
    heading = None if view.is_record_view else last_heading(reading, two)
    if part < 0 or heading is None or heading.element < part:
        return ""
    is_constant = view.labels.is_constant(view.numbers[page][heading.element], heading.text)
    is_short = len(heading.text.split()) <= _MOST_WORDS
    return slug(heading.text) if is_constant and is_short else ""


_MOST_WORDS = 3
