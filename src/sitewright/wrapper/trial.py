"""Selectors on trial: whether an expression selects, on every page, just a column's leaves."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sitewright.wrapper.selectors import selectors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.html.dom import Element
    from sitewright.html.page_index import SelectorScope
    from sitewright.html.selector import Selector
    from sitewright.wrapper.columns import Column
    from sitewright.wrapper.view import View

_SURE = 0.995
_TRIALS = 30
_GOOD = 0.95
_CROWD = 400
_FIRST = 8
_CHANCE = 0.3

Found: TypeAlias = "list[tuple[Element, str]]"
"""Elements and texts that an expression selects in a page, or that it should select."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The best selector for a column, if any, and the share of the pages where it is right."""

    selector: Selector | None
    stability: float


def best_selector(scopes: Sequence[SelectorScope], view: View, column: Column) -> Verdict:
    """Try expressions until one is right on (nearly) every page (or record)."""
    expected = [_expected(view, column, page) for page in range(len(scopes))]
    best = Verdict(None, 0.0)
    tried: set[Selector] = set()
    for selector in selectors(view, column):
        if selector in tried:
            continue
        tried.add(selector)
        verdict = _tried(scopes, selector, expected, best.stability, many=column.many)
        # An expression that is a little better is not worth one that is harder to read.
        if verdict.stability > best.stability + (0.01 if best.stability >= _GOOD else 0):
            best = verdict
        if best.stability >= _SURE or len(tried) >= _TRIALS:
            break
    return best


def _tried(
    scopes: Sequence[SelectorScope],
    selector: Selector,
    expected: list[Found],
    to_beat: float,
    *,
    many: bool,
) -> Verdict:
    """How an expression does; one that does badly on the first pages is not asked of the others."""
    found: list[Found] = []
    for scope in scopes:
        selected = scope.select_with_elements(selector)
        if not many and len(selected) > _CROWD:
            return Verdict(selector, 0.0)  # nobody counts so far
        found.append(selected)
        if len(found) == _FIRST:
            first = _judge(selector, found, expected[:_FIRST], many=many)
            if first.stability + _CHANCE < to_beat:
                return first
    return _judge(selector, found, expected, many=many)


def _expected(view: View, column: Column, page: int) -> Found:
    reading = view.readings[page]
    leaves = [reading.leaves[place] for place in column.cells.get(page, [])]
    found = [(reading.nodes[leaf.element], leaf.text) for leaf in leaves]
    return found if column.many else found[:1]


def _judge(selector: Selector, found: list[Found], expected: list[Found], *, many: bool) -> Verdict:
    """An expression as it is, or the one of those that it selects that is right most often."""
    if many:
        return Verdict(selector, _share(found, expected))
    first = Verdict(selector, _share([one[:1] for one in found], expected))
    if first.stability >= _SURE:
        return first
    turns = Counter(
        turn
        for one, wanted in zip(found, expected, strict=True)
        if wanted
        for turn in _turns(one, wanted[0])
    )
    verdicts = [first]
    for turn, _count in turns.most_common(2):
        chosen = [_at(one, turn) for one in found]
        verdicts.append(Verdict(selector.at(turn), _share(chosen, expected)))
    return max(verdicts, key=lambda verdict: verdict.stability)


def _turns(found: Found, wanted: tuple[Element, str]) -> Iterator[int]:
    """Where it stands among those that are selected, from the front and from the back."""
    if wanted in found:
        turn = found.index(wanted)
        yield turn
        yield turn - len(found)


def _at(found: Found, turn: int) -> Found:
    inside = -len(found) <= turn < len(found)
    return [found[turn]] if inside else []


def _share(found: list[Found], expected: list[Found]) -> float:
    right = sum(one == other for one, other in zip(found, expected, strict=True))
    return right / len(expected)
