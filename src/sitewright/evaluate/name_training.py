"""Learning which of the names that a column could have is a good one; and how good that is.

The rules of `wrapper/naming` take the first name of an order of sources. Here all of them are
candidates, and a linear model chooses: over the source of the name, what the name is like, and
whether the rules chose it. It is compared with the rules on sites that nothing was learnt from::

    cases = [name_case(one) for one in labelled_pages(Path("swde-dev"))]
    shares = compare_names(cases)
    print(shares.rules, shares.learnt, shares.possible)
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sitewright.evaluate.column_training import ColumnCase, fitted, holds, left_out, sampled_columns
from sitewright.evaluate.run_tables import name_words, says
from sitewright.wrapper.choice.column_model import SEEN_PARTS
from sitewright.wrapper.naming.names import all_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitewright.evaluate.column_training import LabelledPages
    from sitewright.wrapper.choice.column_model import ColumnModel
    from sitewright.wrapper.fields import FieldCandidate
    from sitewright.wrapper.naming.names import FieldName


_SOURCES = (
    "microdata", "label", "meta", "header", "before", "class", "tag", "around", "metadata", "title",
    "link", "type", "container",
)  # fmt: skip
_LONG_NAME = 40


class NameCase(NamedTuple):
    """The columns of a class whose data are known, each with the names that it could have."""

    site: str
    columns: list[list[dict[str, float]]]
    """For each column and name what is known of it; the first is the one that the rules chose."""
    good: list[list[bool]]
    """For each of them whether a person would know the data by it."""


class NameShares(NamedTuple):
    """The share of the columns with a good name, each site left out of what is learnt."""

    columns: int
    rules: float
    learnt: float
    possible: float
    """Where one of the candidates is good."""


def name_case(one: LabelledPages) -> NameCase:
    """Find the columns of pages as `run` does, and judge their names by those of the known data."""
    pages, columns, places = sampled_columns(one)
    taken = Counter(column.name.text for column in columns)
    case = NameCase(one.site, [], [])
    for column in columns:
        known = [name for name, truth in one.truth.items() if holds(column, truth, places)]
        if not known or column.column.part not in SEEN_PARTS:
            continue
        words = [word for name in known for word in name_words(name) if word != "relation"]
        names = list(dict.fromkeys([column.name, *all_names(pages, column.column)]))
        case.columns.append([_features(column, name, taken) for name in names])
        case.good.append([says(name.text, words) for name in names])
    return case


def _features(
    column: FieldCandidate, name: FieldName, taken: Mapping[str, int]
) -> dict[str, float]:
    words = name.text.split("_")
    return {
        "chosen by the rules": float(name == column.name),
        **{f"from {source}": float(name.source == source) for source in _SOURCES},
        "words": float(len(words)),
        "length": min(len(name.text), _LONG_NAME) / _LONG_NAME,
        "other columns so called": float(taken[name.text] - (name.text == column.name.text)),
        "is a list": float(column.column.many),
        "digits": float(any(map(str.isdigit, name.text))),
    }


def train_names(cases: Sequence[NameCase]) -> ColumnModel:
    """Logistic regression over all names of all columns: how likely each is a good one."""
    return fitted(list(map(_flat, cases)))


def compare_names(cases: Sequence[NameCase]) -> NameShares:
    """How often the rules and what is learnt from the other sites choose a good name."""
    likely, _good = left_out(list(map(_flat, cases)))
    rules = learnt = possible = columns = place = 0
    for case in cases:
        for good in case.good:
            own = likely[place : place + len(good)]
            place += len(good)
            columns += 1
            rules += good[0]
            learnt += good[int(own.argmax())]
            possible += any(good)
    total = max(1, columns)
    return NameShares(columns, rules / total, learnt / total, possible / total)


def _flat(case: NameCase) -> ColumnCase:
    """All names of a class as one row after the other."""
    features = [one for column in case.columns for one in column]
    good = [one for column in case.good for one in column]
    return ColumnCase(case.site, features, good, is_complete=True)
