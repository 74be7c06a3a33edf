"""How an extraction went, in numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sitewright.output.verdicts import Extracted, Passed, Rejected

if TYPE_CHECKING:
    from sitewright.output.verdicts import Verdict

TOO_FEW = 10
MOST_MISFITS = 0.5
"""When more of the pages do not fit, the site is no longer that of the model; of fewer than
`TOO_FEW` pages that cannot be said."""


@dataclass(frozen=True, slots=True)
class ClassSummary:
    """What was extracted of one class."""

    page_class: str
    pages: int
    records: int
    rejected: int

    def as_json(self) -> dict[str, Any]:
        """A flat object."""
        counts = {"pages": self.pages, "records": self.records, "rejected": self.rejected}
        return {"class": self.page_class, **counts}


@dataclass(slots=True)
class Summary:
    """What became of the pages; it grows while they come."""

    pages: int = 0
    """All that were looked at or asked for."""
    extracted: Counter[str] = field(default_factory=Counter)
    """Pages by class."""
    records: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str | None] = field(default_factory=Counter)
    """Pages by class; None for those of no class, and those that could not be had."""
    misfits: int = 0
    """Rejected pages that were had, and fit neither a class nor its wrapper."""
    sent_on: int = 0
    """Pages that only send their readers on."""
    unwanted: int = 0
    """Pages of classes that were not asked for."""
    asked: int = 0
    """Pages that were asked of a live site: fetched, or read back where they had been before."""
    asked_wanted: int = 0
    """Those of them that were of the wanted classes."""

    @property
    def share_wanted(self) -> float | None:
        """Of the pages asked of a live site, the share that was wanted; None for no such site."""
        return self.asked_wanted / self.asked if self.asked else None

    @property
    def has_changed(self) -> bool:
        """Whether the site no longer fits the model: of at least ten pages, most do not."""
        judged_pages = self.extracted.total() + self.misfits
        return judged_pages >= TOO_FEW and self.misfits > MOST_MISFITS * judged_pages

    def as_json(self) -> dict[str, Any]:
        """The whole in one flat object; how a live site was walked, where one was."""
        counts = {
            "pages": self.pages,
            "records": self.records.total(),
            "rejected": self.rejected.total(),
            "sent_on": self.sent_on,
            "unwanted": self.unwanted,
        }
        if self.share_wanted is None:
            return counts
        walk = {"asked": self.asked, "asked_wanted": self.asked_wanted}
        return {**counts, **walk, "share_wanted": round(self.share_wanted, 4)}

    def of_classes(self) -> list[ClassSummary]:
        """The classes that records were wanted of, in the order of the model."""
        return [
            ClassSummary(name, self.extracted[name], records, self.rejected[name])
            for name, records in self.records.items()
        ]

    def add(self, verdict: Verdict) -> None:
        """Count one more page."""
        self.pages += 1
        match verdict:
            case Extracted(name, lines):
                self.extracted[name] += 1
                self.records[name] += len(lines)
            case Rejected(_, name, _, is_misfit):
                self.rejected[name] += 1
                self.misfits += is_misfit
            case Passed(is_stub):
                self.sent_on += is_stub
                self.unwanted += not is_stub
