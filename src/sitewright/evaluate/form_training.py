"""Learning how alike the forms of two fields are that are the same, from sites at two dates.

In go pairs as `evaluate repair` takes them, out come the numbers of `change/forms.json`. On pages
that both sides have, values say which fields are the same; their forms are measured on halves of
the pages that have none in common, as where only the form can tell::

    cases = list(form_cases(read_pairs(Path("redesigns"))))
    model = train_forms(cases)
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from sitewright.change.class_pairs import pair_classes
from sitewright.change.columns import class_columns, column_agreement, project_columns
from sitewright.change.field_matching import match_fields
from sitewright.change.forms import FEATURES, FormModel, form_features, using_form_model
from sitewright.change.page_pairs import pair_pages
from sitewright.errors import InvalidInput
from sitewright.evaluate.skeleton_truth import minimizer
from sitewright.page.url import host_of
from sitewright.project import Project
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sitewright.change.columns import ClassColumns
    from sitewright.evaluate.repair import SitePair
    from sitewright.export.results import ProjectResults

_SAME = 0.8
"""Fields whose values agree so well beyond chance are the same."""
_OTHER = 0.4
"""Those that agree less are not; between the two nobody can say."""
_PENALTY = 0.01
"""Of the squares of the weights, against the mean loss. Of 0.003, 0.01 and 0.02 the best with sites
left out (docs/change.md)."""


@dataclass(frozen=True, slots=True)
class HalvedClass:
    """A class at two dates, each with pages of its own, and which fields are the same."""

    old: ClassColumns
    new: ClassColumns
    agreement: Mapping[tuple[str, str], float]
    """How well the values of an old and a new field agree on pages that both sides have."""


@dataclass(frozen=True, slots=True)
class FormCase:
    """One pair of sites: its classes."""

    name: str
    kind: str
    classes: tuple[HalvedClass, ...]

    def examples(self) -> tuple[list[list[float]], list[bool]]:
        """The measures of all pairs of fields of which it is known whether they are the same.

        Fields of records are left out: with what they teach, more fields are taken for others.
        """
        features: list[list[float]] = []
        same: list[bool] = []
        for one in self.classes:
            for mine, theirs in product(one.old.columns, one.new.columns):
                score = one.agreement.get((mine.name, theirs.name))
                if score is None or _OTHER <= score < _SAME or mine.record_set:
                    continue
                if mine.values and theirs.values:
                    features.append(form_features(mine, theirs))
                    same.append(score >= _SAME)
        return features, same


def form_cases(pairs: Iterable[SitePair]) -> Iterator[FormCase]:
    """The cases of some pairs, whose sides are learnt one after the other."""
    minimizer()  # says what is missing before any page is read
    return map(_form_case, pairs)


def _form_case(pair: SitePair) -> FormCase:
    with TemporaryDirectory(prefix="sitewright-") as folder:
        sides = [Project(Path(folder) / side, pair.folder / side) for side in ("before", "after")]
        for side in sides:
            side.run(workers=1)
        return case_of_projects(pair, *sides)


def case_of_projects(pair: SitePair, old: ProjectResults, new: ProjectResults) -> FormCase:
    """The same of sides that were learnt already."""
    before, after = project_columns(old), project_columns(new)
    pairs = pair_pages(before, after)
    old_places = {one.new: one.old for one in pairs}
    hosts = host_of(old.model.home), host_of(new.model.home)
    found = []
    for one in pair_classes(before, after, pairs):
        if len(one.pairs) < current().change.min_pairs:
            continue
        mine, theirs = before[one.old], after[one.new]
        agreement = {
            (a.name, b.name): column_agreement(a, b, one.pairs).score
            for a in mine.columns
            for b in theirs.columns
            if a.values and b.values and bool(a.record_set) == bool(b.record_set)
        }
        first = _some(mine, hosts[0], _is_first)
        second = _some(theirs, hosts[1], lambda at: not _is_first(old_places.get(at, at)))
        found.append(HalvedClass(first, second, agreement))
    return FormCase(pair.name, pair.kind, tuple(found))


def _is_first(place: str) -> bool:
    return zlib.crc32(place.encode()) % 2 == 0


def _some(one: ClassColumns, host: str, keeps: Callable[[str], bool]) -> ClassColumns:
    records = {place: lines for place, lines in one.records.items() if keeps(place)}
    return class_columns(one.name, one.wrapper, records, host)


# The numbers: a logistic regression whose weights are not below 0.


def train_forms(cases: Sequence[FormCase]) -> FormModel:
    """Learn from pairs of sites, each of which counts the same.

    In each pair the fields that are the same count as much as those that are not. More alike never
    speaks against two fields.
    """
    minimize = minimizer()
    matrix, signs, weights = _weighted(cases)
    start = np.zeros(len(FEATURES) + 1)

    def loss(numbers: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = signs * (matrix @ numbers[1:] + numbers[0])
        wrong = 1 / (1 + np.exp(margins))
        value = weights @ np.logaddexp(0.0, -margins) + _PENALTY * numbers[1:] @ numbers[1:]
        slopes = -weights * signs * wrong
        gradient = np.concatenate([[slopes.sum()], slopes @ matrix + 2 * _PENALTY * numbers[1:]])
        return float(value), gradient

    bounds = [(None, None), *[(0.0, None)] * len(FEATURES)]
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x.tolist()
    return FormModel(found[0], dict(zip(FEATURES, found[1:], strict=True)))


def _weighted(
    cases: Sequence[FormCase],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The measures of all pairs of fields, 1 or -1 for each, and what it counts; all sum to 1."""
    examples = [case.examples() for case in cases]
    told = [(features, same) for features, same in examples if len(set(same)) > 1]
    if not told:
        raise InvalidInput("pairs of sites", "too few to learn from: no field is known to be kept")
    weights = [1 / (2 * len(told) * same.count(known)) for _, same in told for known in same]
    matrix = np.array([one for features, _ in told for one in features])
    signs = np.array([1.0 if known else -1.0 for _, same in told for known in same])
    return matrix, signs, np.array(weights)


# How good they are on a pair that nothing was learnt from.


@dataclass(frozen=True, slots=True)
class FormsFound:
    """What becomes of fields by their form alone."""

    kept: int = 0
    """Fields that have a partner with the same values."""
    found: int = 0
    wrong: int = 0
    """Matched with another field."""
    invented: int = 0
    """Fields without a partner that got one."""

    def __add__(self, other: FormsFound) -> FormsFound:
        return FormsFound(
            self.kept + other.kept,
            self.found + other.found,
            self.wrong + other.wrong,
            self.invented + other.invented,
        )


def left_out_models(cases: Sequence[FormCase]) -> dict[str, FormModel]:
    """For each pair what the pairs of other sites teach: `afp` and `afp-quiet` are one site."""
    return {
        case.name: train_forms([one for one in cases if _site(one.name) != _site(case.name)])
        for case in cases
    }


def _site(pair: str) -> str:
    return pair.partition("-")[0]


def left_out_forms(cases: Sequence[FormCase]) -> dict[str, FormsFound]:
    """For each pair what the numbers are worth that the pairs of other sites teach."""
    found = {}
    models = left_out_models(cases)
    for case in cases:
        with using_form_model(models[case.name]):
            found[case.name] = matched_by_form(case)
    return found


def matched_by_form(case: FormCase) -> FormsFound:
    """Match the fields of a pair by form, and see which have the same values."""
    total = FormsFound()
    for one in case.classes:
        for match in match_fields(one.old, one.new, ()):
            if match.old is None:
                continue
            partners = {
                new for (old, new), score in one.agreement.items()
                if old == match.old and score >= _SAME
            }  # fmt: skip
            total += FormsFound(
                kept=bool(partners),
                found=match.new in partners,
                wrong=bool(partners) and match.new is not None and match.new not in partners,
                invented=not partners and match.new is not None,
            )
    return total
