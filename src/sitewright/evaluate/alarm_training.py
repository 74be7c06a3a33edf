"""Learning which values are likely wrong, from sites whose values are known; and how good that is.

In go folders of data as `evaluate extraction --method run` takes them, out come the numbers of
`wrapper/values/values.json`. Wrappers are learnt from some pages of each class; on the others, the
right values of the columns that hold what is known are right, and wrong are the texts that stand
beside them, where a selector finds itself on a page with one element more or less, and what the
columns really have wrong::

    cases = [alarm_case(one) for one in labelled_pages(Path("swde-dev"))]
    model = train_alarms(cases)
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitewright.classes.features import evenly
from sitewright.evaluate.column_training import ColumnCase, fitted
from sitewright.evaluate.run_tables import comparable, page_f
from sitewright.page import Document
from sitewright.wrapper.induction import induce
from sitewright.wrapper.pages import TEXT, flat_page
from sitewright.wrapper.values.expectation import RARITIES, Expectation
from sitewright.wrapper.values.types import ValueKind
from sitewright.wrapper.values.value_model import ValueModel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sitewright.evaluate.column_training import LabelledPages
    from sitewright.evaluate.run_tables import PageValues
    from sitewright.wrapper.pages import FlatPage
    from sitewright.wrapper.wrapper import Field


_LEARNT_FROM = (8, 24)
"""So many pages of a class are learnt from, each number by itself."""
_LEAST_OTHERS = 3
_HELD = 0.5
"""A column holds what is known when it agrees with it so well on the other pages."""
_BESIDE = (-2, -1, 1, 2)
_ADDRESSES = (ValueKind.URL, ValueKind.IMAGE)
MAX_FALSE_ALARMS = 0.0075
"""The share of the right values that may be doubted, on sites left out. Of 0.005, 0.0075 and 0.01
the one with which tables learnt from eight pages are best (docs/wrapper.md)."""
_CERTAIN = 99.0
"""The odds of what is decided without measures."""


class TextKind(StrEnum):
    """What a text of a page is to a column."""

    RIGHT = "right"
    BESIDE = "beside"
    """It stands before or behind the right value."""
    WRONG = "wrong"
    """It is what the column has in the right value's place."""


class AlarmText(NamedTuple):
    """A text that a column has or could have on a page that it was not learnt from."""

    kind: TextKind
    is_counted: bool
    """Whether only its place tells what the column holds: such columns are doubted."""
    decided: bool | None
    """Whether it is doubted without a look at the measures, or never is."""
    measures: dict[str, float]


class AlarmCase(NamedTuple):
    """The texts of the columns of a class."""

    site: str
    texts: list[AlarmText]


class AlarmShares(NamedTuple):
    """What a threshold gives, in the mean over sites."""

    sites: int
    false_alarms: float
    beside_noticed: float
    wrong_noticed: int
    wrong: int


def alarm_case(one: LabelledPages) -> AlarmCase:
    """Learn from some pages of a class, and look at the texts of its columns on the others."""
    documents = {
        page: Document(file.read_bytes(), f"http://site.invalid/{page}") for page, file in one.files
    }
    flat = {page: flat_page(document) for page, document in documents.items()}
    case = AlarmCase(one.site, [])
    for number in _LEARNT_FROM:
        if len(documents) >= number + _LEAST_OTHERS:
            learnt = set(evenly(list(documents), number))
            wrapper = induce([documents[page] for page in documents if page in learnt], one.site)
            for field in wrapper.fields:
                if not field.many and field.type.kind not in _ADDRESSES:
                    case.texts.extend(_texts(field, documents, flat, learnt, one.truth))
    return case


def _texts(
    field: Field,
    documents: Mapping[str, Document],
    flat: Mapping[str, FlatPage],
    learnt: set[str],
    truths: Mapping[str, PageValues],
) -> Iterator[AlarmText]:
    """The texts of a column that holds what is known, and those beside them."""
    rule = field.rule
    whole = {page: rule.texts(document.index)[:1] for page, document in documents.items()}
    cut = {page: rule.extract_group(texts[0]) for page, texts in whole.items() if texts}
    others = [page for page in documents if page not in learnt and page in cut]
    truth = _held_truth(truths, {page: {whole[page][0], cut[page]} for page in others})
    if truth is None:
        return
    beside = field.expected.never if field.expected else ()
    expected = Expectation.of(
        [cut[page] for page in documents if page in learnt & cut.keys()], beside
    )

    def judged(kind: TextKind, text: str) -> AlarmText:
        decided = expected.decided(text)
        measures = expected.measures(text) if decided is None else {}
        return AlarmText(kind, field.expected is not None, decided, measures)

    for page in others:
        text = whole[page][0]
        if not {comparable(text), comparable(cut[page])} & truth.get(page, set()):
            yield judged(TextKind.WRONG, cut[page])
            continue
        yield judged(TextKind.RIGHT, cut[page])
        for other in _neighbours(flat[page], text):
            yield judged(TextKind.BESIDE, other)


def _held_truth(
    truths: Mapping[str, PageValues], values: Mapping[str, set[str]]
) -> PageValues | None:
    """What is known of the thing that a column holds on these pages."""
    best, held = _HELD, None
    for truth in truths.values():
        known = {page: truth[page] for page in values if truth.get(page)}
        own = {page: set(map(comparable, values[page])) for page in known}
        score = page_f(known, {page: own[page] & known[page] or own[page] for page in known})
        if len(known) >= _LEAST_OTHERS and score > best:
            best, held = score, known
    return held


def _neighbours(page: FlatPage, text: str) -> Iterator[str]:
    """The texts right before and behind another one."""
    texts = [leaf.text for leaf in page.leaves if leaf.part == TEXT]
    if text in texts:
        place = texts.index(text)
        for step in _BESIDE:
            if 0 <= place + step < len(texts) and texts[place + step] != text:
                yield texts[place + step]


# The numbers, and how good they are on a site that nothing was learnt from.


def train_alarms(cases: Sequence[AlarmCase]) -> tuple[ValueModel, NDArray[np.float64]]:
    """Logistic regression over all texts, and the odds of each with its site left out.

    The threshold is what one right value in so many passes with its site left out.
    """
    odds = odds_left_out(cases)
    right = np.array([one.kind is TextKind.RIGHT for case in cases for one in case.texts])
    threshold = float(np.quantile(odds[right], 1 - MAX_FALSE_ALARMS))
    return replace(_fitted(cases), doubt_from=threshold), odds


def odds_left_out(cases: Sequence[AlarmCase]) -> NDArray[np.float64]:
    """For all texts, in order, how likely each is wrong by what the other sites taught."""
    sites = dict.fromkeys(case.site for case in cases)
    models = {site: _fitted([one for one in cases if one.site != site]) for site in sites}
    sure = {True: _CERTAIN, False: -_CERTAIN}
    return np.array(
        [
            models[case.site].odds(one.measures) if one.decided is None else sure[one.decided]
            for case in cases
            for one in case.texts
        ]
    )


def _fitted(cases: Sequence[AlarmCase]) -> ValueModel:
    """The numbers that tell wrong texts from right ones in these cases, without a threshold.

    What is rarer makes no text likelier to be right: where the sites say so they say it by chance,
    and the measure is left out.
    """
    rows = list(map(_measured, cases))
    model = fitted(rows)
    while misled := [
        name
        for name, (_mean, _deviation, weight) in model.weights.items()
        if weight < 0 and name in RARITIES
    ]:
        rows = [
            one._replace(features=[_without(row, misled) for row in one.features]) for one in rows
        ]
        model = fitted(rows)
    return ValueModel(model.bias, model.weights, 0.0)


def _without(row: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    return {name: value for name, value in row.items() if name not in names}


def alarm_shares(
    cases: Sequence[AlarmCase],
    odds: NDArray[np.float64],
    threshold: float,
    *,
    counted: bool = False,
) -> AlarmShares:
    """The share of the right values that are doubted, and of the others; means over sites."""
    by_site: dict[str, list[tuple[TextKind, bool]]] = {}
    texts = ((case.site, one) for case in cases for one in case.texts)
    for (site, one), own in zip(texts, odds.tolist(), strict=True):
        if one.is_counted or not counted:
            by_site.setdefault(site, []).append((one.kind, own >= threshold))

    def means(kind: TextKind) -> list[float]:
        found = ([doubted for own, doubted in one if own is kind] for one in by_site.values())
        return [sum(one) / len(one) for one in found if one]

    right, beside = means(TextKind.RIGHT), means(TextKind.BESIDE)
    wrong = [doubted for one in by_site.values() for kind, doubted in one if kind is TextKind.WRONG]
    return AlarmShares(
        len(right),
        sum(right) / max(1, len(right)),
        sum(beside) / max(1, len(beside)),
        sum(wrong),
        len(wrong),
    )


def _measured(case: AlarmCase) -> ColumnCase:
    """The texts that the measures decide about, as rows of a regression on what is wrong."""
    own = [one for one in case.texts if one.decided is None]
    wrong = [one.kind is not TextKind.RIGHT for one in own]
    return ColumnCase(case.site, [one.measures for one in own], wrong, is_complete=True)
