"""Wrappers on sites whose values are known: learnt from some pages, scored on all of a site's own.

The score counts only together with the width of the table, and beside the floor: some place or
other of a page nearly always holds the value, in a table that nobody can use.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from sitewright.classes.features import evenly
from sitewright.errors import InvalidInput
from sitewright.evaluate.extraction_truth import (
    ColumnFit,
    best_fit,
    best_fits,
    floor_columns,
    harm,
    normalised,
    record_columns,
)
from sitewright.wrapper import Extractor, Misfit, Record, Wrapper, induce, induce_from_examples
from sitewright.wrapper.spare_selectors import SelectorDoubt
from sitewright.wrapper.wrapper import DOUBTFUL, RAW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sitewright.evaluate.extraction_truth import (
        ColumnsByName,
        ExtractionSite,
        Harm,
        Truth,
    )
    from sitewright.page import Document
    from sitewright.wrapper.wrapper import Field


_MEANS = ("f", "columns", "floor_f", "floor_columns", "seconds_a_page")
_SUMS = (
    "mixed", "cut", "glued", "misfits", "right_values", "wrong_values", "noticed", "false_alarms",
    "without_column", "told_without_column", "foreign", "foreign_taken",
)  # fmt: skip


class AlarmCounts(NamedTuple):
    """Values of attributes on pages: whether a wrong one is noticed, and a right one left out."""

    right_values: int
    wrong_values: int
    """Pages with another value than the true one, or with none where there is one."""
    noticed: int
    """Those of them that have no value, or that are flagged as doubtful."""
    false_alarms: int
    """Right values that are flagged, and left out."""
    without_column: int
    """True values of attributes that no column holds a value of: nobody is misled."""
    told_without_column: int
    """Those of them that stand where all learnt pages say something else: their pages are flagged.
    """


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """A wrapper that was learnt from pages of a site, and how it did."""

    site: ExtractionSite
    pages: int
    """How many of the site's own pages it was learnt from."""
    fits: Mapping[str, ColumnFit]
    width: int
    harm: Harm
    floor: Mapping[str, ColumnFit]
    floor_width: int
    misfits: int
    """Own pages that the wrapper does not fit."""
    foreign: int
    """Pages of another site among those that it was learnt from."""
    foreign_taken: int
    """Of these, how many it makes records of."""
    seconds: float
    """The time that learning took."""
    alarms: AlarmCounts

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
            **self.alarms._asdict(),
            "foreign": self.foreign,
            "foreign_taken": self.foreign_taken,
            "seconds_a_page": round(self.seconds / max(1, self.pages + self.foreign), 4),
            **{f"f_{name}": round(fit.f, 4) for name, fit in self.fits.items()},
            **{f"column_{name}": fit.column for name, fit in self.fits.items()},
        }


@dataclass(frozen=True, slots=True)
class ExtractionCase:
    """The pages of a site, parsed, and which of them are learnt from."""

    site: ExtractionSite
    documents: Mapping[str, Document]
    """All pages of the site by their ids."""
    own: Sequence[Document]
    """Those that are learnt from."""
    strangers: Sequence[Document]
    """Pages of other sites, put evenly between those that are learnt from."""

    @classmethod
    def of(
        cls, site: ExtractionSite, pages: int | None = None, strangers: Sequence[Document] = ()
    ) -> ExtractionCase:
        """The first pages of a site, with strangers between them."""
        documents = site.documents()
        return cls(site, documents, list(documents.values())[:pages], strangers)

    def learnt_from(self) -> list[Document]:
        """The pages and the strangers between them."""
        return mixed_in(self.own, self.strangers)


def without_labels(case: ExtractionCase) -> ExtractionResult:
    """Learn from pages alone; of all columns, the best for each attribute counts."""
    begin = time.perf_counter()
    wrapper = induce(case.learnt_from(), case.site.name)
    seconds = time.perf_counter() - begin
    return scored(case, wrapper, case.site.truth, _fits_that_hold_something, seconds)


def _fits_that_hold_something(
    columns: ColumnsByName, truths: Mapping[str, Truth]
) -> dict[str, ColumnFit]:
    """The best columns, without a name where even the best holds no value of the attribute."""
    fits = best_fits(columns, truths)
    return {name: fit if fit.f else ColumnFit(0.0, "") for name, fit in fits.items()}


def scored(
    case: ExtractionCase,
    wrapper: Wrapper,
    truths: Mapping[str, Truth],
    fitting: Callable[[ColumnsByName, Mapping[str, Truth]], dict[str, ColumnFit]],
    seconds: float,
) -> ExtractionResult:
    """How well the table of a site's own pages agrees with true values."""
    extract = Extractor(wrapper).extract
    records = {page: extract(document) for page, document in case.documents.items()}
    columns, floor = record_columns(records), floor_columns(case.documents)
    fits = fitting(columns, truths)
    return ExtractionResult(
        site=case.site,
        pages=len(case.own),
        fits=fits,
        width=wrapper.width(),
        harm=harm(columns, truths, fits),
        floor=best_fits(floor, truths),
        floor_width=len(floor),
        misfits=sum(isinstance(record, Misfit) for record in records.values()),
        foreign=len(case.strangers),
        foreign_taken=sum(isinstance(extract(one), Record) for one in case.strangers),
        seconds=seconds,
        alarms=_alarms(case, wrapper, records, truths, fits),
    )


def _alarms(
    case: ExtractionCase,
    wrapper: Wrapper,
    records: Mapping[str, Record | Misfit],
    truths: Mapping[str, Truth],
    fits: Mapping[str, ColumnFit],
) -> AlarmCounts:
    """Count what becomes of right and wrong values in the columns that hold the attributes."""
    found: Counter[str] = Counter()
    fields = {field.name: field for field in wrapper.fields}
    for attribute, fit in fits.items():
        truth = truths[attribute]
        field = fields.get(fit.column.removesuffix(RAW))
        if field is None:
            if not fit.f:
                told = [_is_told(wrapper, records[page], case.documents[page], true)
                        for page, true in truth.items() if true]  # fmt: skip
                found["without column"] += len(told)
                found["told without column"] += sum(told)
            continue
        for page, true in truth.items():
            record = records[page]
            texts = _texts_in_table(field, record, case.documents[page])
            is_right = any(text in true for text in texts)
            if texts or true:
                is_flagged = _is_flagged(record, field.name)
                found[_verdict(is_right, is_flagged, has_value=bool(texts))] += 1
    return AlarmCounts(
        right_values=found["right"] + found["false alarm"],
        wrong_values=found["wrong"] + found["noticed"],
        noticed=found["noticed"],
        false_alarms=found["false alarm"],
        without_column=found["without column"],
        told_without_column=found["told without column"],
    )


def _is_told(
    wrapper: Wrapper, record: Record | Misfit, document: Document, true: Sequence[str]
) -> bool:
    """Whether a page is flagged because it has a true value where all learnt pages say another."""
    return any(
        _is_flagged(record, one.name) and set(_field_texts(one, document)) & set(true)
        for one in wrapper.constants
    )


def _texts_in_table(field: Field, record: Record | Misfit, document: Document) -> list[str]:
    """What a page says in a field: what its selector finds, doubtful or not.

    Where a further selector has read the value, it is what the table has.
    """
    if isinstance(record, Record) and (field.name, SelectorDoubt.OTHERWISE) in record.doubts.fields:
        held = [record.values.get(name) for name in (field.name, field.name + RAW)]
        values = (one for value in held for one in (value if isinstance(value, list) else [value]))
        return sorted({normalised(str(one)) for one in values if one is not None})
    return _field_texts(field, document)


def _verdict(is_right: bool, is_flagged: bool, *, has_value: bool) -> str:
    if is_right:
        return "false alarm" if is_flagged else "right"
    return "noticed" if is_flagged or not has_value else "wrong"


def _is_flagged(record: Record | Misfit, name: str) -> bool:
    if isinstance(record, Misfit):
        return True
    doubtful = record.values.get(DOUBTFUL)
    return isinstance(doubtful, list) and name in doubtful


def _field_texts(field: Field, document: Document) -> list[str]:
    """What the rule of a field finds on a page, doubtful or not: texts, and the values in them."""
    rule = field.rule
    texts = rule.texts(document.index)
    some = texts if field.many else texts[:1]
    both = {one for text in some for one in (text, rule.extract_group(text))}
    return sorted(map(normalised, both))


def mixed_in(own: Sequence[Document], strangers: Sequence[Document]) -> list[Document]:
    """Pages with strangers evenly between them."""
    places = [(place / max(1, len(own)), 0, document) for place, document in enumerate(own)]
    places += [
        ((place + 0.5) / len(strangers), 1, document) for place, document in enumerate(strangers)
    ]
    return [document for _place, _order, document in sorted(places, key=lambda one: one[:2])]


def strangers_for(
    site: ExtractionSite, sites: Sequence[ExtractionSite], share: float, pages: int | None = None
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


def _mean_f(fits: Mapping[str, ColumnFit]) -> float:
    return fmean(fit.f for fit in fits.values())


# Wrappers by example on sites whose values are known.
#
# One true value of each attribute is given on three pages; the columns that these values name are
# scored on all other pages.

SHOWN = 3
"""Pages that examples come from."""


def with_examples(case: ExtractionCase) -> ExtractionResult:
    """Learn from pages and a few true values; the columns with the attributes' names count."""
    truths = case.site.truth
    learnt = case.learnt_from()
    places = {id(document): place for place, document in enumerate(learnt)}
    available = [page for page, one in case.documents.items() if id(one) in places]
    shown = {page: places[id(case.documents[page])] for page in example_pages(truths, available)}
    begin = time.perf_counter()
    wrapper = learnt_by_example(learnt, examples(truths, shown), case.site.name)
    seconds = time.perf_counter() - begin
    return scored(case, wrapper, others(truths, shown), named_fits, seconds)


def example_pages(truths: Mapping[str, Truth], pages: Sequence[str]) -> list[str]:
    """Three pages, evenly from those that have a value for the most attributes."""
    counts = {page: sum(bool(truth.get(page)) for truth in truths.values()) for page in pages}
    most = sorted(counts.values(), reverse=True)[:SHOWN]
    rich = [page for page in pages if counts[page] >= most[-1]]
    return evenly(rich, SHOWN)


def examples(truths: Mapping[str, Truth], shown: Mapping[str, int]) -> dict[str, dict[int, str]]:
    """For each attribute its first true value on the pages that are shown, by their places."""
    found = {
        attribute: {place: truth[page][0] for page, place in shown.items() if truth.get(page)}
        for attribute, truth in truths.items()
    }
    return {attribute: values for attribute, values in found.items() if values}


def others(truths: Mapping[str, Truth], shown: Mapping[str, int]) -> dict[str, Truth]:
    """The truth about the pages that were not shown, where there is any."""
    left = {
        attribute: {page: values for page, values in truth.items() if page not in shown}
        for attribute, truth in truths.items()
    }
    return {attribute: truth for attribute, truth in left.items() if any(truth.values())}


def learnt_by_example(
    documents: Sequence[Document], given: Mapping[str, Mapping[int, str]], name: str
) -> Wrapper:
    """The wrapper of those attributes whose examples are found."""
    left = dict(given)
    while left:
        try:
            return induce_from_examples(documents, left, name)
        except InvalidInput as missing:
            del left[missing.subject]
    return Wrapper(name, ())


def named_fits(columns: ColumnsByName, truths: Mapping[str, Truth]) -> dict[str, ColumnFit]:
    """For each attribute the column of its name: the value, or the text of the page beside it."""
    return {
        attribute: best_fit(
            {
                name: column
                for name, column in columns.items()
                if name.rpartition(".")[2] in {attribute, attribute + RAW}
            },
            truth,
        )
        for attribute, truth in truths.items()
    }
