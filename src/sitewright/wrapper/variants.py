"""One field where a class has two layouts: columns that say the same on different pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sitewright.wrapper.labels import label_name
from sitewright.wrapper.statistics import statistics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.wrapper.fields import Candidate

_SURE = frozenset({"label", "microdata"})


def united(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, those of one label that never meet on a page made one."""
    found: list[Candidate] = []
    for one in candidates:
        place = next((turn for turn, other in enumerate(found) if _is_variant(one, other)), None)
        if place is None:
            found.append(one)
        else:
            found[place] = union(found[place], one)
    return found


def _is_variant(one: Candidate, other: Candidate) -> bool:
    """Whether two columns have one label, one form and no page in common."""
    return (
        one.name.source in _SURE
        and other.name.source in _SURE
        and label_name(one.name.text) == label_name(other.name.text)
        and one.column.part == other.column.part
        and one.column.many == other.column.many
        and one.rule.pattern == other.rule.pattern
        and never_meet(one, other)
    )


def never_meet(one: Candidate, other: Candidate) -> bool:
    """Whether no page has a text of both."""
    return not any(mine and theirs for mine, theirs in zip(one.texts, other.texts, strict=True))


def union(one: Candidate, other: Candidate) -> Candidate:
    """One candidate for both: its rule selects what either of theirs does."""
    texts = tuple(mine or theirs for mine, theirs in zip(one.texts, other.texts, strict=True))
    cells = {**other.column.cells, **one.column.cells}
    return replace(
        one,
        column=replace(one.column, cells=cells),
        rule=replace(one.rule, selector=one.rule.selector.union(other.rule.selector)),
        stability=min(one.stability, other.stability),
        texts=texts,
        statistics=statistics(texts),
    )
