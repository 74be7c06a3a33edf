"""Wrappers on sites whose values are known: learnt from some pages, scored on all of a site's own.

The score counts only together with the width of the table, and beside the floor: some place or
other of a page nearly always holds the value, in a table that nobody can use.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from sitewright.classes.spread import evenly
from sitewright.evaluate.extraction_columns import floor_columns, record_columns
from sitewright.evaluate.extraction_scores import best_fits, harm
from sitewright.wrapper import Extractor, Misfit, Record, induce

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sitewright.evaluate.extraction_columns import Columns
    from sitewright.evaluate.extraction_scores import Fit, Harm
    from sitewright.evaluate.extraction_truth import LabelledSite, Truth
    from sitewright.html import Document
    from sitewright.wrapper import Wrapper

_MEANS = ("f", "columns", "floor_f", "floor_columns", "seconds_a_page")
_SUMS = ("mixed", "cut", "glued", "misfits", "foreign", "foreign_taken")


@dataclass(frozen=True, slots=True)
class Trial:
    """A wrapper that was learnt from pages of a site, and how it did."""

    site: LabelledSite
    pages: int
    """How many of the site's own pages it was learnt from."""
    fits: Mapping[str, Fit]
    width: int
    harm: Harm
    floor: Mapping[str, Fit]
    floor_width: int
    misfits: int
    """Own pages that the wrapper does not fit."""
    foreign: int
    """Pages of another site among those that it was learnt from."""
    foreign_taken: int
    """Of these, how many it makes records of."""
    seconds: float
    """The time that learning took."""

    @property
    def f(self) -> float:
        """The mean over attributes."""
        return _mean_f(self.fits)

    def as_json(self) -> dict[str, Any]:
        """One flat object."""
        return {
            "site": self.site.name,
            "vertical": self.site.vertical,
            "pages": self.pages,
            "f": round(self.f, 4),
            "columns": self.width,
            "floor_f": round(_mean_f(self.floor), 4),
            "floor_columns": self.floor_width,
            **self.harm._asdict(),
            "misfits": self.misfits,
            "foreign": self.foreign,
            "foreign_taken": self.foreign_taken,
            "seconds_a_page": round(self.seconds / max(1, self.pages + self.foreign), 4),
            **{f"f_{name}": round(fit.f, 4) for name, fit in self.fits.items()},
            **{f"column_{name}": fit.column for name, fit in self.fits.items()},
        }


@dataclass(frozen=True, slots=True)
class Lesson:
    """The pages of a site, parsed, and which of them are learnt from."""

    site: LabelledSite
    documents: Mapping[str, Document]
    """All pages of the site by their ids."""
    own: Sequence[Document]
    """Those that are learnt from."""
    strangers: Sequence[Document]
    """Pages of other sites, put evenly between those that are learnt from."""

    @classmethod
    def of(
        cls, site: LabelledSite, pages: int | None = None, strangers: Sequence[Document] = ()
    ) -> Lesson:
        """The first pages of a site, with strangers between them."""
        documents = site.documents()
        return cls(site, documents, list(documents.values())[:pages], strangers)

    def learnt_from(self) -> list[Document]:
        """The pages and the strangers between them."""
        return mixed_in(self.own, self.strangers)


def without_labels(lesson: Lesson) -> Trial:
    """Learn from pages alone; of all columns, the best for each attribute counts."""
    begin = time.perf_counter()
    wrapper = induce(lesson.learnt_from(), lesson.site.name)
    seconds = time.perf_counter() - begin
    return scored(lesson, wrapper, lesson.site.truth, best_fits, seconds)


def scored(
    lesson: Lesson,
    wrapper: Wrapper,
    truths: Mapping[str, Truth],
    fitting: Callable[[Columns, Mapping[str, Truth]], dict[str, Fit]],
    seconds: float,
) -> Trial:
    """How well the table of a site's own pages agrees with true values."""
    extract = Extractor(wrapper).extract
    records = {page: extract(document) for page, document in lesson.documents.items()}
    columns, floor = record_columns(records), floor_columns(lesson.documents)
    fits = fitting(columns, truths)
    return Trial(
        site=lesson.site,
        pages=len(lesson.own),
        fits=fits,
        width=wrapper.width(),
        harm=harm(columns, truths, fits),
        floor=best_fits(floor, truths),
        floor_width=len(floor),
        misfits=sum(isinstance(record, Misfit) for record in records.values()),
        foreign=len(lesson.strangers),
        foreign_taken=sum(isinstance(extract(one), Record) for one in lesson.strangers),
        seconds=seconds,
    )


def mixed_in(own: Sequence[Document], strangers: Sequence[Document]) -> list[Document]:
    """Pages with strangers evenly between them."""
    places = [(place / max(1, len(own)), 0, document) for place, document in enumerate(own)]
    places += [
        ((place + 0.5) / len(strangers), 1, document) for place, document in enumerate(strangers)
    ]
    return [document for _place, _order, document in sorted(places, key=lambda one: one[:2])]


def strangers_for(
    site: LabelledSite, sites: Sequence[LabelledSite], share: float, pages: int | None = None
) -> list[Document]:
    """Pages of the next site of the set: so many that they are this share of all, evenly taken."""
    own = len(site.files[:pages])
    wanted = round(own * share / (1 - share))
    others = [other for other in sites if other is not site]
    if not wanted or not others:
        return []
    neighbour = others[[other.name for other in sites].index(site.name) % len(others)]
    return evenly(list(neighbour.documents().values()), wanted)


def means(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Means over the sites of each vertical, then over verticals; faults are added up."""
    verticals = sorted({row["vertical"] for row in rows})
    averages = {
        name: fmean(
            fmean(row[name] for row in rows if row["vertical"] == vertical)
            for vertical in verticals
        )
        for name in _MEANS
    }
    return {
        "site": "all",
        "sites": len(rows),
        "verticals": len(verticals),
        "pages": sum(row["pages"] for row in rows),
        **{name: round(value, 4) for name, value in averages.items()},
        **{name: sum(row[name] for row in rows) for name in _SUMS},
        "lowest_f": min(row["f"] for row in rows),
        "most_columns": max(row["columns"] for row in rows),
    }


def _mean_f(fits: Mapping[str, Fit]) -> float:
    return fmean(fit.f for fit in fits.values())
