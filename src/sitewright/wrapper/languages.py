"""Several languages in one class: what pages say in the words of their language.

Pages say their languages in `<html lang>`. A text that all pages of a language have, and those of
another in other words, is a constant; a label in two languages names one field.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import median_low
from typing import TYPE_CHECKING, TypeAlias

from sitewright.page.parser import Element
from sitewright.settings import current
from sitewright.wrapper.fields import FieldCandidate, union
from sitewright.wrapper.labels import prefix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.columns import ValueColumn
    from sitewright.wrapper.pages import FlatPage


def language_of(reading: FlatPage) -> str:
    """What a page says of its language, without the country; empty if it says nothing."""
    node = reading.nodes[0].parent if reading.nodes else None
    while node is not None:
        if isinstance(node, Element) and (said := node.attr("lang")):
            return said.partition("-")[0].partition("_")[0].strip().lower()
        node = node.parent
    return ""


def is_constant_of_languages(languages: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
    """Whether all pages of each language say one thing: a button, not a fact.

    `texts` is what a column has on each page. Two pages of a language may agree by accident.
    """
    settings = current().wrapper.fields
    said: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for language, found in zip(languages, texts, strict=True):
        if found:
            said[language][tuple(found)] += 1
    return (
        len(said) > 1
        and "" not in said
        and all(
            len(counts) == 1 and counts.total() >= settings.min_pages_of_language
            for counts in said.values()
        )
    )


def merge_translations(
    view: ClassPages, candidates: Sequence[FieldCandidate]
) -> list[FieldCandidate]:
    """The candidates, those of translated labels made one, by the name that most pages have.

    Labels of two languages are translations if they are of one form and come in one order, as many
    in both, before values of the same places and types. Some may have values that are no column.
    """
    languages = [language_of(reading) for reading in view.readings]
    spoken: dict[int, dict[str, _ColumnsOfLabels]] = defaultdict(lambda: defaultdict(dict))
    for one in candidates:
        own = {languages[page] for page in one.column.cells}
        if one.column.kind in {"label", "prefix"} and len(own) == 1 and "" not in own:
            labelled = spoken[one.column.label_path][next(iter(own))]
            labelled.setdefault(_label(view, one.column), []).append(one)
    partners: dict[int, FieldCandidate] = {}
    gone: set[int] = set()
    for path, by_language in spoken.items():
        main, *others = sorted(by_language, key=lambda one: -_pages_of(by_language[one]))
        ordered = {
            language: _labels_in_order(view, languages, path, language) for language in by_language
        }
        for other in others:
            pairs = _translations(
                [by_language[main].get(label, []) for label in ordered[main]],
                [by_language[other].get(label, []) for label in ordered[other]],
                _least_labels(view, path),
            )
            for mine, theirs in pairs:
                partners[id(mine)] = union(partners.get(id(mine), mine), theirs)
                gone.add(id(theirs))
    return [partners.get(id(one), one) for one in candidates if id(one) not in gone]


_ColumnsOfLabels: TypeAlias = "dict[str, list[FieldCandidate]]"
"""Each label with the columns that it names: a text, and where it leads."""


def _label(view: ClassPages, column: ValueColumn) -> str:
    """The text of the label of a column."""
    page, places = next(iter(column.cells.items()))
    return _label_of_leaf(view, page, places[0])


def _label_of_leaf(view: ClassPages, page: int, place: int) -> str:
    """The text of the label before a leaf, or that it begins with; empty if there is none."""
    leaves, governor = view.readings[page].leaves, view.labels_of_leaves[page][place]
    return leaves[governor].text if governor >= 0 else prefix(leaves[place].text)


def _labels_in_order(
    view: ClassPages, languages: Sequence[str], path: int, language: str
) -> list[str]:
    """The labels of a form that most pages of a language have, those of constant values, too."""
    turns: dict[str, list[int]] = defaultdict(list)
    spoken = [page for page, one in enumerate(languages) if one == language]
    for page in spoken:
        leaves, numbers = view.readings[page].leaves, view.numbers[page]
        labels = dict.fromkeys(
            _label_of_leaf(view, page, place)
            for place, governor in enumerate(view.labels_of_leaves[page])
            if numbers[leaves[governor if governor >= 0 else place].element] == path
        )
        for turn, label in enumerate(labels):
            turns[label].append(turn)
    usual = [label for label, found in turns.items() if label and 2 * len(found) > len(spoken)]
    return sorted(usual, key=lambda label: median_low(turns[label]))


def _least_labels(view: ClassPages, path: int) -> int:
    """How many labels of a form tell that languages say the same: one, if it is for just this."""
    label = view.paths.steps(path)[-1]
    return 1 if label.classes or label.id else current().wrapper.fields.min_translated


def _translations(
    main: Sequence[list[FieldCandidate]], other: Sequence[list[FieldCandidate]], least: int
) -> list[tuple[FieldCandidate, FieldCandidate]]:
    """The pairs that are one field; none if the two languages do not say the same things."""
    if len(main) != len(other) or len(main) < least:
        return []
    found: list[tuple[FieldCandidate, FieldCandidate]] = []
    for mine, theirs in zip(main, other, strict=True):
        alike = [(one, two) for one in mine for two in theirs if _are_alike(one, two)]
        if mine and theirs and not alike:
            return []
        found += alike
    return found


def _are_alike(one: FieldCandidate, other: FieldCandidate) -> bool:
    """Whether two columns stand in one place behind their labels, with values of one type."""
    mine, theirs = one.column, other.column
    return (
        (mine.path, mine.part, mine.many) == (theirs.path, theirs.part, theirs.many)
        and one.type().kind is other.type().kind
        and one.type().unit == other.type().unit
        and one.rule.pattern == other.rule.pattern
    )


def _pages_of(labelled: _ColumnsOfLabels) -> int:
    return len({page for found in labelled.values() for one in found for page in one.column.cells})
