"""The papers' model update: each candidate class joins the class that it fits, or becomes one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitewright.classes.candidates import (
    DISTANCE_THRESHOLD,
    candidate_classes,
    is_heterogeneous,
)
from sitewright.classes.cost import (
    PAPER_COSTS,
    ClassSummary,
    Costs,
    class_cost,
    encoding_cost,
    merged_cost,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.html import Schema


@dataclass(slots=True)
class PaperModel:
    """A set of page classes that grows with each wave (2005 paper, Fig. 5, lines 8 to 22)."""

    costs: Costs = PAPER_COSTS
    threshold: float = DISTANCE_THRESHOLD
    classes: list[ClassSummary] = field(default_factory=list)

    def update(self, wave: Sequence[Schema]) -> list[int | None]:
        """Take in the pages of one collection; the class of each, None for those of a menu."""
        candidates = candidate_classes(wave, self.threshold)
        found: list[int | None] = [None] * len(wave)
        if is_heterogeneous(candidates):
            return found
        for pages in candidates:
            number = self._place(ClassSummary.of([wave[page] for page in pages]))
            for page in pages:
                found[page] = number
        return found

    def best_class(self, page: Schema) -> int | None:
        """The class that minimises `enc(p|C)`, the first of equals; None without classes."""
        costs = [self.page_cost(page, number) for number in range(len(self.classes))]
        return costs.index(min(costs)) if costs else None

    def page_cost(self, page: Schema, number: int) -> float:
        """`enc(p|C)` for one class."""
        return encoding_cost(page, self.classes[number].occurrences, self.costs)

    def _place(self, candidate: ClassSummary) -> int:
        """Merge where the whole model gets cheaper by it; else the candidate is a new class."""
        alone = class_cost(candidate, self.costs)
        changes = [
            merged_cost(candidate, known, self.costs) - class_cost(known, self.costs) - alone
            for known in self.classes
        ]
        if changes and min(changes) < 0:
            number = changes.index(min(changes))
            self.classes[number].add(candidate)
            return number
        self.classes.append(candidate)
        return len(self.classes) - 1
