"""From a column to a field: its rule, its name, its type, and how far it can be trusted."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from sitewright.page.elements import INLINE
from sitewright.page.page_index import text_of
from sitewright.page.selector import Selector
from sitewright.page.steps import HasTag, Path, Position, Step
from sitewright.settings import current
from sitewright.wrapper.columns import Statistics, statistics
from sitewright.wrapper.css_names import is_pager
from sitewright.wrapper.labels import COLONS, has_further_label, label_name, prefix
from sitewright.wrapper.naming.affixes import ITEM_PATTERN, affix_pattern, has_joints, named_by_cut
from sitewright.wrapper.naming.names import FieldName, field_name, slug, telling_name, unique
from sitewright.wrapper.pages import TEXT, WORDS
from sitewright.wrapper.selectors import best_selector, is_name
from sitewright.wrapper.values.expectation import Expectation
from sitewright.wrapper.values.types import (
    FieldType,
    ValueKind,
    infer_type,
    raw_differs,
)
from sitewright.wrapper.wrapper import Field, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sitewright.page.page_index import SelectorScope
    from sitewright.page.parser import Element
    from sitewright.settings import TypeSettings
    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.columns import ValueColumn
    from sitewright.wrapper.pages import FlatPage
    from sitewright.wrapper.row_parts import Part


_NUMBERS = frozenset({ValueKind.INTEGER, ValueKind.DECIMAL})
_IDENTIFYING = frozenset(
    "ean fax gtin gtin13 gtin8 isbn isbn10 isbn13 issn mobile mpn phone postcode sku tel telephone "
    "upc version zip zipcode".split()
)
"""Words of names whose numbers are texts."""
_SAMPLES = 5
_LONGEST_SAMPLE = 120


@dataclass(frozen=True, slots=True)
class FieldCandidate:
    """A column with its rule and what the rule finds."""

    column: ValueColumn
    rule: Rule
    stability: float
    texts: tuple[tuple[str, ...], ...]
    """For each page the texts as they stand there."""
    statistics: Statistics
    name: FieldName
    beside: tuple[str, ...] = ()
    """Texts that most pages have where only a number tells the value from them."""

    def width(self) -> int:
        """How many columns it takes in a table."""
        return 1 + self.keeps_raw()

    def keeps_raw(self) -> bool:
        """Whether the table needs the text beside the value."""
        if self.column.part not in WORDS:
            return False
        kind, rule = self.type(), self.rule
        distinct = {text for found in self.texts for text in found}
        both = ((rule.own_text(text), kind.value(rule.extract_group(text))) for text in distinct)
        return any(raw_differs(*one) for one in both)

    def values(self) -> list[list[str | int | float | None]]:
        """What the texts are as values."""
        kind = self.type()
        return [
            [kind.value(self.rule.extract_group(text)) for text in found] for found in self.texts
        ]

    def type(self) -> FieldType:
        """What the values are."""
        if self.column.part in {"href", "src"}:
            return FieldType.of_url(image=self.column.part == "src")
        found = _inferred(self.rule, self.texts, current().wrapper.types)
        is_number = found.kind in _NUMBERS and not found.unit
        # What numbers name has no sum: 030 is no thirty, and 1.10 no 1.1.
        is_name = is_number and not _IDENTIFYING.isdisjoint(self.name.text.split("_"))
        return FieldType() if is_name else found


# A candidate is compared with all that are chosen, and each time its type is asked for.
@lru_cache(maxsize=128)
def _inferred(rule: Rule, texts: tuple[tuple[str, ...], ...], settings: TypeSettings) -> FieldType:
    return _typed([rule.extract_group(text) for found in texts for text in found], settings)


def column_type(texts: Sequence[str]) -> FieldType:
    """The type of a column, from all its texts."""
    return _typed(texts, current().wrapper.types)


def _typed(texts: Sequence[str], settings: TypeSettings) -> FieldType:
    return infer_type(texts, max_odd_share=settings.max_odd_share, min_counts=settings.min_counts)


def candidate(
    view: ClassPages,
    column: ValueColumn,
    scopes: Sequence[SelectorScope],
    headers: Mapping[int, str],
) -> FieldCandidate | None:
    """Find the rule of a column; None if no stable selector on most pages."""
    settings = current().wrapper.fields
    verdict = best_selector(scopes, view, column, settings.min_stability)
    if verdict.selector is None:
        return None
    plain = Rule(verdict.selector)
    found = [tuple(plain.texts(scope)) for scope in scopes]
    if not column.many:
        found = [texts[:1] for texts in found]
    name = field_name(view, column, headers)
    pattern = _pattern(column, found)
    if not pattern and (word := _first_word(column, name, found)):
        pattern = rf"^(?i:{re.escape(word)})[^\w\"'(]+(?P<part>.+?)\.?$"
        name = name if name.text == slug(word) else FieldName(slug(word), "before")
    elif name.source == "tag" and name.text in _NAMELESS:
        name = named_by_cut(name, pattern, found)
    rule = replace(plain, pattern=pattern)
    found = [tuple(filter(rule.matches, texts)) for texts in found]
    return FieldCandidate(
        column,
        rule,
        verdict.stability,
        tuple(found),
        statistics(found),
        name,
        _texts_beside(verdict.selector, found, scopes),
    )


def _texts_beside(
    selector: Selector, values: Sequence[tuple[str, ...]], scopes: Sequence[SelectorScope]
) -> tuple[str, ...]:
    """What stands on most pages at the other places that a selector could count to."""
    paths = [one for one in selector.paths if isinstance(one, Path) and one.index is not None]
    if not paths:
        return ()
    around = Selector(
        tuple(replace(one, index=None, tail=(), steps=(*one.steps, *one.tail)) for one in paths)
    )
    own = {text for found in values for text in found}
    pages: Counter[str] = Counter()
    for scope in scopes:
        pages.update({text_of(one) for one in scope.select(around)} - own)
    least = current().wrapper.expectation.min_beside_share * len(scopes)
    return tuple(sorted(text for text, count in pages.items() if text and count >= least))


def _pattern(column: ValueColumn, found: Sequence[tuple[str, ...]]) -> str:
    if column.part not in WORDS:
        return ""
    texts = [text for one in found for text in one]
    if column.many and column.part == TEXT and has_joints(texts):
        return ITEM_PATTERN
    several = sum(map(has_further_label, texts))
    is_mixed = 0 < 2 * several <= len(texts)
    if column.kind == "prefix" and all(map(prefix, texts)) and not is_mixed:
        return rf"^[^{COLONS}]+[{COLONS}]\s*(.+)$"
    if 2 * several > len(texts):
        return ""  # the first label is not what all of the text is
    return affix_pattern(texts)


def _first_word(column: ValueColumn, name: FieldName, found: Sequence[tuple[str, ...]]) -> str:
    """The word that all texts begin with, where it says what they are: "ISBN 0-9683637-0-9".

    It is the name of the column, or the column has none and a number or a name follows the word.
    """
    texts = {text for one in found for text in one}
    longest = current().wrapper.labels.max_label_length
    if column.part != TEXT or column.many or any(len(text) > longest for text in texts):
        return ""  # a sentence may begin like others
    split = [text.split(maxsplit=1) for text in sorted(texts)]
    words = {one[0] for one in split if len(one) > 1 and any(map(str.isalnum, one[1]))}
    if len(words) != 1 or any(len(one) == 1 for one in split):
        return ""
    (word,) = words
    if slug(word) == name.text and name.source != "label":
        return word  # behind a label it is a part of the value: "Group: Group B"
    is_told = all(one[1][0].isdigit() or one[1][0].isupper() for one in split)
    settings = current().wrapper.fields
    is_named = name.source != "tag" or name.text not in _NAMELESS
    is_word = (
        word.isalpha()
        and len(word) >= _LEAST_LETTERS
        and bool(slug(word))
        and word.casefold() not in _ARTICLES
    )
    enough = len(split) >= settings.min_texts_for_affix
    return word if is_told and not is_named and is_word and enough else ""


_NAMELESS = frozenset({"text", "link", "item"})
_LEAST_LETTERS = 3
_ARTICLES = frozenset("the der die das den les los las una uma een het".split())
"""What a name begins with and nothing is called: "The Larks"."""


def make_fields(
    candidates: Sequence[FieldCandidate], *, of_pages: bool = False, taken: Sequence[Field] = ()
) -> tuple[Field, ...]:
    """Fields with names of their own, none of those taken; those of pages know their values."""
    names = _names(candidates, [field.name for field in taken])
    fields = tuple(_field(one, name) for one, name in zip(candidates, names, strict=True))
    if not of_pages:
        return fields
    return tuple(
        replace(field, expected=_expectation(one))
        for field, one in zip(fields, candidates, strict=True)
    )


def _names(candidates: Sequence[FieldCandidate], taken: Sequence[str]) -> list[str]:
    """Names of their own: of several with one name, the one that the page says it of has no number.

    What is labelled "Summary" is the summary, and what stands in a box of that class is another.
    """
    ordered = sorted(
        range(len(candidates)), key=lambda place: candidates[place].name.source in _OF_THE_PLACE
    )
    texts = (candidates[place].name.text for place in ordered)
    names = unique([*taken, *texts])[len(taken) :]
    return [name for _place, name in sorted(zip(ordered, names, strict=True))]


_OF_THE_PLACE = frozenset({"around", "container", "link", "tag"})
"""Where a name comes from that says where values stand or lead to, and not what they are."""


def _field(one: FieldCandidate, name: str) -> Field:
    return Field(
        name=name,
        rule=one.rule,
        type=one.type(),
        many=one.column.many,
        raw=one.keeps_raw(),
        coverage=round(one.statistics.coverage, 3),
        confidence=round(_confidence(one), 3),
        stability=round(one.stability, 3),
        named_by=one.name.source,
        samples=_samples(one),
    )


def _expectation(one: FieldCandidate) -> Expectation | None:
    """What the values look like, where only their place in the page tells them from others."""
    if one.column.many or one.column.part not in WORDS or not _is_counted(one.rule.selector):
        return None
    texts = [one.rule.extract_group(text) for found in one.texts for text in found]
    return Expectation.of(texts, one.beside)


def _is_counted(selector: Selector) -> bool:
    """Whether a selector counts elements: one more or less on a page, and it finds another.

    What stands behind a label is what the label names, whatever it looks like.
    """
    anchor = selector.anchor()
    if anchor is not None and not anchor.attribute:
        return False
    return any(
        isinstance(one, Path)
        and (
            one.index is not None
            or any(isinstance(test, Position) for step in one.steps for test in step.predicates)
        )
        for one in selector.paths
    )


def _confidence(one: FieldCandidate) -> float:
    """What holds the values together, and how well the rule finds them again."""
    settings = current().wrapper.fields
    placed = settings.position_confidence if one.column.place else 1.0
    match one.column.kind:
        case "label" | "prefix":
            held = 1.0
        case "list":
            held = settings.list_confidence
        case _:
            held = settings.path_confidence
    return held * placed * one.stability


def _samples(one: FieldCandidate) -> tuple[str, ...]:
    texts = dict.fromkeys(one.rule.extract_group(text) for found in one.texts for text in found)
    return tuple(text[:_LONGEST_SAMPLE] for text in list(texts)[:_SAMPLES])


# One field where a class has two layouts: columns that say the same on different pages.

_SURE = frozenset({"label", "microdata"})


def merge_alternatives(
    view: ClassPages, candidates: Sequence[FieldCandidate]
) -> list[FieldCandidate]:
    """The candidates, those of one label or one place that never meet on a page made one."""
    found: list[FieldCandidate] = []
    for one in candidates:
        place = next(
            (number for number, other in enumerate(found) if _is_variant(view, one, other)), None
        )
        if place is None:
            found.append(one)
        else:
            found[place] = union(found[place], one)
    return found


def _is_variant(view: ClassPages, one: FieldCandidate, other: FieldCandidate) -> bool:
    """Whether two columns have one label or place, one form and no page in common."""
    return (
        one.column.part == other.column.part
        and one.column.many == other.column.many
        and one.rule.pattern == other.rule.pattern
        and (_have_one_label(one, other) or _have_one_place(view, one, other))
        and never_meet(one, other)
    )


def _have_one_label(one: FieldCandidate, other: FieldCandidate) -> bool:
    return (
        one.name.source in _SURE
        and other.name.source in _SURE
        and label_name(one.name.text) == label_name(other.name.text)
    )


def _have_one_place(view: ClassPages, one: FieldCandidate, other: FieldCandidate) -> bool:
    """Whether one column is the other in a link, or the like, without a name: `td`, `td/a`."""
    if one.column.part != TEXT or not {one.column.kind, other.column.kind} <= _PLACED:
        return False
    mine, theirs = (view.paths.steps(candidate.column.path) for candidate in (one, other))
    shorter, longer = sorted((mine, theirs), key=len)
    within = longer[len(shorter) :]
    outer = longer[: len(shorter)]
    # A column may do without the classes of its own element; then both have its name.
    is_bare = outer[:-1] == shorter[:-1] and outer[-1]._replace(classes=()) == shorter[-1]
    return (
        bool(within)
        and (outer == shorter or (is_bare and one.name == other.name))
        and all(label == type(label)(label.tag) and label.tag in INLINE for label in within)
        and one.type().kind is other.type().kind
    )


_PLACED = frozenset({"path", "list"})


def never_meet(one: FieldCandidate, other: FieldCandidate) -> bool:
    """Whether no page has a text of both."""
    return not any(mine and theirs for mine, theirs in zip(one.texts, other.texts, strict=True))


def union(one: FieldCandidate, other: FieldCandidate) -> FieldCandidate:
    """One candidate for both: its rule selects what either of theirs does."""
    texts = tuple(mine or theirs for mine, theirs in zip(one.texts, other.texts, strict=True))
    cells = {**other.column.cells, **one.column.cells}
    best = min((one, other), key=lambda candidate: candidate.name.source == "tag")
    return replace(
        one,
        name=best.name,
        column=replace(one.column, cells=cells),
        rule=replace(one.rule, selector=one.rule.selector.union(other.rule.selector)),
        stability=min(one.stability, other.stability),
        texts=texts,
        statistics=statistics(texts),
    )


# One list where a column for each place would be `tags`, `tags_2`, ..., `tags_9`.

_SAYING_PLACE = frozenset({"tag", "around", "container", "class", "link"})


def as_lists(
    view: ClassPages, candidates: Sequence[FieldCandidate], scopes: Sequence[SelectorScope]
) -> list[FieldCandidate]:
    """The candidates, many addresses of one place and one name as one list.

    Nothing says what the fifth picture of a page is, and not the sixth. Texts may be told apart by
    what they look like.
    """
    families: dict[tuple[int, str, str], list[FieldCandidate]] = defaultdict(list)
    for one in candidates:
        is_address = one.column.part in {"href", "src", "alt"}
        is_placed = is_address and one.column.place and not one.column.many
        if is_placed and one.name.source in _SAYING_PLACE:
            families[one.column.path, one.column.part, one.name.text].append(one)
    least = current().wrapper.fields.min_numbered
    lists: dict[int, FieldCandidate] = {}
    gone: set[int] = set()
    for members in families.values():
        if len(members) >= least and (found := _list_of(view, members, scopes)) is not None:
            lists[id(members[0])] = found
            gone.update(map(id, members[1:]))
    return [lists.get(id(one), one) for one in candidates if id(one) not in gone]


def _list_of(
    view: ClassPages, members: Sequence[FieldCandidate], scopes: Sequence[SelectorScope]
) -> FieldCandidate | None:
    cells: dict[int, list[int]] = defaultdict(list)
    for one in members:
        for page, places in one.column.cells.items():
            cells[page] += places
    whole = {page: sorted(cells[page]) for page in sorted(cells)}
    column = replace(members[0].column, kind="list", cells=whole, many=True, place=())
    found = candidate(view, column, scopes, {})
    return None if found is None else replace(found, name=members[0].name)


# What follows a record without being in it: the `<dd>` behind a `<dt>`, the cells of a grid.


def derived_fields(pages: ClassPages, part: Part) -> tuple[Field, ...]:
    """A field for each element that most records of a part have right behind them."""
    settings = current().wrapper.fields
    followers: dict[int, Counter[str]] = defaultdict(Counter)
    elements: dict[tuple[int, str], list[Element]] = defaultdict(list)
    rows = 0
    for page, places in part.rows.items():
        reading = pages.readings[page]
        rows += len(places)
        for number, element in _followers(reading, places):
            if is_pager(reading.nodes[element]):
                continue
            tag = reading.tags[element]
            followers[number][tag] += 1
            elements[number, tag].append(reading.nodes[element])
    fields: list[Field] = []
    for number in range(1, settings.max_derived + 1):
        tag, count = followers[number].most_common(1)[0] if followers[number] else ("", 0)
        if count < settings.min_derived_share * rows:
            break  # nothing that comes later has a place of its own
        told = pages.paths.names.volatile.told
        if field := _derived_field(number, tag, elements[number, tag], rows, told):
            fields.append(field)
    return tuple(fields)


def _followers(reading: FlatPage, rows: list[int]) -> Iterator[tuple[int, int]]:
    """The siblings between a record and the next one, with their turns from 1."""
    settings = current().wrapper.fields
    parents = {reading.parents[row] for row in rows}
    is_record_view = set(rows)
    turns: dict[int, int] = {}
    for element, parent in enumerate(reading.parents):
        if element in is_record_view:
            turns[parent] = 0
        elif parent in parents and parent in turns and parent >= 0:
            turns[parent] += 1
            if turns[parent] <= settings.max_derived:
                yield turns[parent], element


def _derived_field(
    number: int,
    tag: str,
    elements: list[Element],
    rows: int,
    told: Callable[[Sequence[str]], list[str]],
) -> Field | None:
    settings = current().wrapper.fields
    texts = [text for element in elements if (text := text_of(element))]
    if not is_name(tag) or len(set(texts)) < 2 or len(texts) < settings.min_derived_share * rows:
        return None
    names = Counter(
        telling_name([*told((element.attr("class") or "").split()), element.attr("id") or ""])
        for element in elements
    )
    name = slug(names.most_common(1)[0][0]) or ("description" if tag == "dd" else "text")
    follower = Step("*", (Position(number), HasTag(tag)), "following-sibling")
    return _field_beside(FieldName(name, "class"), Path((follower,), is_relative=True), texts, rows)


def whole_field(name: str, texts: Sequence[str], rows: int) -> Field:
    """A field of the text of each record as a whole."""
    return _field_beside(FieldName(name, "before"), Path((), is_relative=True), texts, rows)


def _field_beside(name: FieldName, path: Path, texts: Sequence[str], rows: int) -> Field:
    """A field that no leaf of the records is the column of."""
    kind = column_type(texts)
    samples = tuple(text[:_LONGEST_SAMPLE] for text in list(dict.fromkeys(texts))[:_SAMPLES])
    return Field(
        name=name.text,
        rule=Rule(Selector.of(path)),
        type=kind,
        raw=any(raw_differs(text, kind.value(text)) for text in texts),
        coverage=round(len(texts) / rows, 3),
        named_by=name.source,
        samples=samples,
    )
