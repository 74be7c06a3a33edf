"""Rows of list pages: how many of the true ones a record set has, and how many it has too many.

True rows are what an XPath expression written by hand selects. A row that was found is right when
it is a true one, stands in one, or holds just one; the record set that agrees best counts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sitewright.page.parser import Element, compiled
from sitewright.wrapper import Record, extract, induce

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.page import Document
    from sitewright.wrapper.wrapper import RecordSet, Wrapper


@dataclass(frozen=True, slots=True)
class RowScores:
    """The rows of the best record set against the true ones, over all pages."""

    true: int
    right: int
    wrong: int
    records: str = ""
    """The name of the record set."""

    @property
    def missed(self) -> int:
        """True rows that were not found."""
        return self.true - self.right

    def as_json(self) -> dict[str, Any]:
        """All counts, with the shares of true rows found and of wrong ones among those given."""
        given = self.right + self.wrong
        return {
            "rows": self.true,
            "right": self.right,
            "wrong": self.wrong,
            "missed": self.missed,
            "rows_found": self.right / max(1, self.true),
            "rows_wrong": self.wrong / max(1, given),
            "record_set": self.records,
        }


def row_scores(documents: Sequence[Document], xpath: str) -> RowScores:
    """Learn from list pages, read them, and compare their rows with what an expression selects."""
    wrapper = induce(documents, "list")
    truths = [_selected(document, xpath) for document in documents]
    true = sum(map(len, truths))
    found = [_counted(wrapper, records, documents, truths, true) for records in wrapper.record_sets]
    return max(found, key=lambda one: one.right - one.wrong, default=RowScores(true, 0, 0))


def _selected(document: Document, xpath: str) -> list[Element]:
    found = compiled(xpath)(document.tree)
    return [one for one in found if isinstance(one, Element)] if isinstance(found, list) else []


def _counted(
    wrapper: Wrapper,
    records: RecordSet,
    documents: Sequence[Document],
    truths: Sequence[list[Element]],
    true: int,
) -> RowScores:
    right = wrong = 0
    for document, rows in zip(documents, truths, strict=True):
        record = extract(wrapper, document)
        if not isinstance(record, Record):
            continue  # a page that is rejected has no rows
        found = [
            one for one in document.index.select(records.rule.selector) if isinstance(one, Element)
        ]
        hit = _matching(found, rows)
        right += hit
        wrong += len(found) - hit
    return RowScores(true, right, wrong, records.name)


def _matching(found: Sequence[Element], rows: Sequence[Element]) -> int:
    """How many true rows have a found row of their own."""
    true = {id(row): place for place, row in enumerate(rows)}
    held = {id(one): place for place, one in enumerate(found)}
    within = Counter(held[id(up)] for row in rows for up in _around(row) if id(up) in held)
    hits: set[int] = set()
    for place, one in enumerate(found):
        inside = next((true[id(up)] for up in _around(one) if id(up) in true), None)
        if inside is not None:
            hits.add(inside)
        elif within[place] == 1:
            hits.add(next(true[id(row)] for row in rows if any(up is one for up in _around(row))))
    return len(hits)


def _around(element: Element) -> Iterator[Element]:
    """An element and those around it."""
    up: object = element
    while isinstance(up, Element):
        yield up
        up = up.parent
