"""From a column to a field: its rule, its name, its type, and how far it can be trusted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from sitewright.wrapper.labels import COLONS, prefix
from sitewright.wrapper.naming import Name, field_name, unique
from sitewright.wrapper.reading import WORDS
from sitewright.wrapper.rule import Rule
from sitewright.wrapper.statistics import Statistics, statistics
from sitewright.wrapper.trial import best_selector
from sitewright.wrapper.types import FieldType, infer_type, raw_differs
from sitewright.wrapper.wording import common_wording
from sitewright.wrapper.wrapper import Field

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitewright.html.page_index import SelectorScope
    from sitewright.wrapper.columns import Column
    from sitewright.wrapper.view import View

_SAMPLES = 5
_LONGEST_SAMPLE = 120
_LOWEST = 0.5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A column with its rule and what the rule finds."""

    column: Column
    rule: Rule
    stability: float
    texts: tuple[tuple[str, ...], ...]
    """For each page the texts as they stand there."""
    statistics: Statistics
    name: Name

    def width(self) -> int:
        """How many columns it takes in a table."""
        return 1 + self.keeps_raw()

    def keeps_raw(self) -> bool:
        """Whether the table needs the text beside the value."""
        kind = self.type()
        cut = [
            (text, kind.value(self.rule.extract_group(text)))
            for found in self.texts
            for text in found
        ]
        return self.column.part in WORDS and any(raw_differs(*one) for one in cut)

    def values(self) -> list[list[str | int | float | None]]:
        """What the texts are as values."""
        kind = self.type()
        return [
            [kind.value(self.rule.extract_group(text)) for text in found] for found in self.texts
        ]

    def type(self) -> FieldType:
        """What the values are."""
        if self.column.part in {"href", "src"}:
            return FieldType.of_address(image=self.column.part == "src")
        return _inferred(self.rule, self.texts)


# A candidate is compared with all that are chosen, and each time its type is asked for.
@lru_cache(maxsize=128)
def _inferred(rule: Rule, texts: tuple[tuple[str, ...], ...]) -> FieldType:
    return infer_type([rule.extract_group(text) for found in texts for text in found])


def candidate(
    view: View, column: Column, scopes: Sequence[SelectorScope], headers: Mapping[int, str]
) -> Candidate | None:
    """Find the rule of a column; None if no rule finds it again on most pages."""
    verdict = best_selector(scopes, view, column)
    if verdict.selector is None or verdict.stability < _LOWEST:
        return None
    plain = Rule(verdict.selector)
    found = [tuple(plain.texts(scope)) for scope in scopes]
    if not column.many:
        found = [texts[:1] for texts in found]
    rule = replace(plain, pattern=_pattern(column, found))
    return Candidate(
        column,
        rule,
        verdict.stability,
        tuple(found),
        statistics(found),
        field_name(view, column, headers),
    )


def _pattern(column: Column, found: Sequence[tuple[str, ...]]) -> str:
    if column.part not in WORDS:
        return ""
    texts = [text for one in found for text in one]
    if column.kind == "prefix" and all(map(prefix, texts)):
        return rf"^[^{COLONS}]+[{COLONS}]\s*(.+)$"
    return common_wording(texts)


def make_fields(candidates: Sequence[Candidate]) -> tuple[Field, ...]:
    """Fields with names of their own."""
    names = unique([one.name.text for one in candidates])
    return tuple(_field(one, name) for one, name in zip(candidates, names, strict=True))


def _field(one: Candidate, name: str) -> Field:
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


_TRUST = {"label": 1.0, "prefix": 1.0, "path": 0.9, "list": 0.85}


def _confidence(one: Candidate) -> float:
    """What holds the values together, and how well the rule finds them again."""
    placed = 0.8 if one.column.place else 1.0
    return _TRUST.get(one.column.kind, 0.9) * placed * one.stability


def _samples(one: Candidate) -> tuple[str, ...]:
    texts = dict.fromkeys(one.rule.extract_group(text) for found in one.texts for text in found)
    return tuple(text[:_LONGEST_SAMPLE] for text in list(texts)[:_SAMPLES])
