"""What follows a record without being in it: the `<dd>` behind a `<dt>`, the cells of a grid."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from sitewright.html.selection import text_of
from sitewright.html.selector import Selector
from sitewright.html.steps import HasTag, Path, Position, Step
from sitewright.wrapper.naming import slug, telling_name
from sitewright.wrapper.rule import Rule
from sitewright.wrapper.selectors import is_name
from sitewright.wrapper.types import infer_type, raw_differs
from sitewright.wrapper.wrapper import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.html.dom import Element
    from sitewright.wrapper.reading import Reading
    from sitewright.wrapper.tables import Part
    from sitewright.wrapper.view import View

_MOST = 4
_OFTEN = 0.5
_SAMPLES = 5
_LONGEST_SAMPLE = 120


def companion_fields(pages: View, part: Part) -> tuple[Field, ...]:
    """A field for each element that most records of a part have right behind them."""
    followers: dict[int, Counter[str]] = defaultdict(Counter)
    elements: dict[tuple[int, str], list[Element]] = defaultdict(list)
    rows = 0
    for page, places in part.rows.items():
        reading = pages.readings[page]
        rows += len(places)
        for turn, element in _followers(reading, places):
            tag = reading.tags[element]
            followers[turn][tag] += 1
            elements[turn, tag].append(reading.nodes[element])
    fields: list[Field] = []
    for turn in range(1, _MOST + 1):
        tag, count = followers[turn].most_common(1)[0] if followers[turn] else ("", 0)
        if count < _OFTEN * rows:
            break  # nothing that comes later has a place of its own
        if field := _field(turn, tag, elements[turn, tag], rows):
            fields.append(field)
    return tuple(fields)


def _followers(reading: Reading, rows: list[int]) -> Iterator[tuple[int, int]]:
    """The siblings between a record and the next one, with their turns from 1."""
    parents = {reading.parents[row] for row in rows}
    are_rows = set(rows)
    turns: dict[int, int] = {}
    for element, parent in enumerate(reading.parents):
        if element in are_rows:
            turns[parent] = 0
        elif parent in parents and parent in turns and parent >= 0:
            turns[parent] += 1
            if turns[parent] <= _MOST:
                yield turns[parent], element


def _field(turn: int, tag: str, elements: list[Element], rows: int) -> Field | None:
    texts = [text for element in elements if (text := text_of(element))]
    if not is_name(tag) or len(set(texts)) < 2 or len(texts) < _OFTEN * rows:
        return None
    names = Counter(
        telling_name([*(element.attr("class") or "").split(), element.attr("id") or ""])
        for element in elements
    )
    kind = infer_type(texts)
    samples = tuple(text[:_LONGEST_SAMPLE] for text in list(dict.fromkeys(texts))[:_SAMPLES])
    follower = Step("*", (Position(turn), HasTag(tag)), "following-sibling")
    return Field(
        name=slug(names.most_common(1)[0][0]) or ("description" if tag == "dd" else "text"),
        rule=Rule(Selector.of(Path((follower,), is_relative=True))),
        type=kind,
        raw=any(raw_differs(text, kind.value(text)) for text in texts),
        coverage=round(len(texts) / rows, 3),
        named_by="class",
        samples=samples,
    )
