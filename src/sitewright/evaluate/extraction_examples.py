"""Wrappers by example on sites whose values are known.

One true value of each attribute is given on three pages; the columns that these values name are
scored on all other pages.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sitewright.classes.spread import evenly
from sitewright.errors import InvalidInput
from sitewright.evaluate.extraction import scored
from sitewright.evaluate.extraction_scores import best_fit
from sitewright.wrapper import Wrapper, by_example
from sitewright.wrapper.wrapper import RAW

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitewright.evaluate.extraction import Lesson, Trial
    from sitewright.evaluate.extraction_columns import Columns
    from sitewright.evaluate.extraction_scores import Fit
    from sitewright.evaluate.extraction_truth import Truth
    from sitewright.html import Document

SHOWN = 3
"""Pages that examples come from."""


def with_examples(lesson: Lesson) -> Trial:
    """Learn from pages and a few true values; the columns with the attributes' names count."""
    truths = lesson.site.truth
    learnt = lesson.learnt_from()
    places = {id(document): place for place, document in enumerate(learnt)}
    at_hand = [page for page, one in lesson.documents.items() if id(one) in places]
    shown = {page: places[id(lesson.documents[page])] for page in example_pages(truths, at_hand)}
    begin = time.perf_counter()
    wrapper = learnt_by_example(learnt, examples(truths, shown), lesson.site.name)
    seconds = time.perf_counter() - begin
    return scored(lesson, wrapper, others(truths, shown), named_fits, seconds)


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
            return by_example(documents, left, name)
        except InvalidInput as missing:
            del left[missing.subject]
    return Wrapper(name, ())


def named_fits(columns: Columns, truths: Mapping[str, Truth]) -> dict[str, Fit]:
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
