"""Learning which columns somebody wants, from sites whose data are known; and how good that is.

In go folders of data as `evaluate extraction --method run` takes them, out come the numbers of
`wrapper/choice/columns.json`. A column is wanted if it holds an attribute, a relation or a field
whose values are known. Where not all data of the pages are known, a column that holds none of it
may be wanted all the same, and counts less::

    cases = [column_case(one) for one in labelled_pages(Path("swde-dev"))]
    model = train_columns(cases)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sitewright.classes.features import evenly
from sitewright.classes.similarity import standardised
from sitewright.errors import InvalidInput, MissingExtra
from sitewright.evaluate.run_tables import (
    comparable,
    demo_truth,
    page_f,
    recall,
    redesign_truth,
    relation_truth,
    run_cases,
)
from sitewright.page import Document
from sitewright.wrapper.choice.column_model import SEEN_PARTS, ColumnModel, column_features
from sitewright.wrapper.class_pages import analyse_readings
from sitewright.wrapper.induction import named_columns, value_columns
from sitewright.wrapper.pages import flat_page
from sitewright.wrapper.sampling import representative_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from sitewright.evaluate.extraction_truth import ExtractionSite
    from sitewright.evaluate.run_tables import PageValues, RunCase
    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.fields import FieldCandidate


_PAGES_OF_A_CLASS = 40
_LEAST_PAGES = 3
_FOUND = 0.8
"""A column holds what is known when it agrees with it so well."""
_STRENGTH = 0.1
"""The inverse of the L2 penalty: of 0.1, 1 and boosted trees the best with sites left out."""
_UNKNOWN_WEIGHT = 0.3
"""What a column counts that holds nothing known, where not all data are known."""
_KEPT = 0.999
"""The share of the wanted columns that must be kept, on sites left out."""


@dataclass(frozen=True, slots=True)
class LabelledPages:
    """Pages of one class, and what is known of their data."""

    site: str
    """Both dates of a pair are one site: what is learnt from one would know the other."""
    files: tuple[tuple[str, Path], ...]
    """Pages by their names in the truth."""
    truth: Mapping[str, PageValues]
    is_complete: bool
    """Whether all data of the pages are known."""


def labelled_pages(data: Path) -> Iterator[LabelledPages]:
    """The classes of a folder of data, whatever kind it is."""
    for case in run_cases(data):
        if case.site is not None:
            yield _of_swde(case, case.site)
        elif case.kind == "redesign":
            yield from _of_classes(case, redesign_truth(case.folder.parent, case.folder.name))
        else:
            yield from _of_classes(case, _of_demo(case), is_complete=True)


def _of_swde(case: RunCase, site: ExtractionSite) -> LabelledPages:
    truth: dict[str, PageValues] = {
        name: {page: set(map(comparable, values)) for page, values in pages.items()}
        for name, pages in site.truth.items()
    }
    if case.relations is not None:
        truth |= {f"{name} (relation)": one for name, one in relation_truth(case.relations).items()}
    files = tuple((file.stem, file) for file in site.files)
    return LabelledPages(case.name, files, truth, case.relations is not None)


def _of_demo(case: RunCase) -> dict[tuple[str, str], PageValues]:
    files = sorted((case.folder.parent / "truth" / "records").glob("*.jsonl"))
    return {
        (file.stem, name): truth
        for file in files
        for name, truth in demo_truth(file).items()
        if "." not in name
    }


def _of_classes(
    case: RunCase, truths: Mapping[tuple[str, str], PageValues], *, is_complete: bool = False
) -> Iterator[LabelledPages]:
    by_class: dict[str, dict[str, PageValues]] = defaultdict(dict)
    for (name, field), truth in truths.items():
        by_class[name][field] = truth
    for fields in by_class.values():
        pages = sorted({page for truth in fields.values() for page in truth})
        files = [(page, case.folder / page) for page in pages]
        there = [one for one in files if one[1].is_file()]
        if len(there) >= _LEAST_PAGES:
            some = tuple(evenly(there, _PAGES_OF_A_CLASS))
            yield LabelledPages(case.group, some, fields, is_complete)


class ColumnCase(NamedTuple):
    """The columns of a class: what is known of each, and whether it is wanted."""

    site: str
    features: list[dict[str, float]]
    wanted: list[bool]
    is_complete: bool


def sampled_columns(
    one: LabelledPages,
) -> tuple[ClassPages, list[FieldCandidate], list[str]]:
    """The columns of pages as `run` finds them, and the names of the pages that they are of."""
    documents = [
        Document(file.read_bytes(), f"http://site.invalid/{page}") for page, file in one.files
    ]
    places = {
        document.url: page for document, (page, _file) in zip(documents, one.files, strict=True)
    }
    sample = representative_pages(documents)
    pages = analyse_readings([flat_page(document) for document in sample])
    columns, _dropped = named_columns(pages, sample, value_columns(pages))
    return pages, columns, [places[document.url] for document in sample]


def column_case(one: LabelledPages) -> ColumnCase:
    """Find the columns of pages as `run` does, and compare them with what is known."""
    pages, columns, names = sampled_columns(one)
    features: list[dict[str, float]] = []
    wanted: list[bool] = []
    for column, known in zip(columns, column_features(columns, pages), strict=True):
        if column.column.part in SEEN_PARTS:
            features.append(known)
            wanted.append(any(holds(column, truth, names) for truth in one.truth.values()))
    return ColumnCase(one.site, features, wanted, one.is_complete)


def _values(column: FieldCandidate, pages: Sequence[str]) -> dict[str, set[str]]:
    cut = column.rule.extract_group
    return {
        page: {comparable(one) for text in texts for one in (text, cut(text))}
        for page, texts in zip(pages, column.texts, strict=True)
        if texts
    }


def holds(column: FieldCandidate, truth: PageValues, pages: Sequence[str]) -> bool:
    """Whether a column has what is known of a thing on most of these pages."""
    values = _values(column, pages)
    known = {page: truth[page] for page in pages if page in truth}
    if sum(map(bool, known.values())) < _LEAST_PAGES:
        return False
    is_list = any(len(true) > 1 for true in known.values())
    # A text and the value in it are one value: which of the two is true does not matter here.
    held = {
        page: values[page] & true or values[page] for page, true in known.items() if page in values
    }
    score = recall(known, held) if is_list else page_f(known, held)
    return score >= _FOUND


# The numbers, and how good they are on a site that nothing was learnt from.


def train_columns(cases: Sequence[ColumnCase]) -> ColumnModel:
    """Logistic regression over all columns; the threshold is chosen with each site left out."""
    likely, wanted = left_out(cases)
    found = np.sort(likely[wanted])
    keep_from = float(found[int((1 - _KEPT) * len(found))]) if len(found) else 0.0
    model = fitted(cases)
    return ColumnModel(model.bias, model.weights, keep_from)


def left_out(cases: Sequence[ColumnCase]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """For all columns, in order, what the other sites say of them; and whether they are wanted."""
    sites = dict.fromkeys(case.site for case in cases)
    models = {site: fitted([one for one in cases if one.site != site]) for site in sites}
    likely = [models[case.site].probabilities(case.features) for case in cases]
    wanted = np.array([one for case in cases for one in case.wanted], dtype=bool)
    return np.concatenate(likely), wanted


def logistic_regression() -> Any:  # noqa: ANN401 - scikit-learn has no types
    """scikit-learn's regression; long work that ends with training asks for it before it begins."""
    try:
        from sklearn.linear_model import (  # type: ignore[import-untyped]  # noqa: PLC0415
            LogisticRegression,
        )
    except ImportError:
        raise MissingExtra("evaluate", "learning from labelled sites") from None
    return LogisticRegression


def fitted(cases: Sequence[ColumnCase]) -> ColumnModel:
    """The numbers that tell what is wanted in these cases from the rest."""
    regression = logistic_regression()
    wanted = np.array([one for case in cases for one in case.wanted], dtype=bool)
    if len(set(wanted.tolist())) < 2:
        raise InvalidInput("labelled sites", "too few to learn from: no column, or all, are wanted")
    names = list(next(case.features[0] for case in cases if case.features))
    matrix = np.array([[one[name] for name in names] for case in cases for one in case.features])
    means, deviations = matrix.mean(axis=0), matrix.std(axis=0) + 1e-3
    scaled = np.stack(
        [
            standardised(matrix[:, place], means[place], deviations[place])
            for place in range(len(names))
        ],
        axis=1,
    )
    weights = _weights(cases)
    fitted = regression(C=_STRENGTH, max_iter=2000).fit(scaled, wanted, sample_weight=weights)
    numbers = zip(means.tolist(), deviations.tolist(), fitted.coef_[0].tolist(), strict=True)
    weights_by_name = dict(zip(names, numbers, strict=True))
    return ColumnModel(float(fitted.intercept_[0]), weights_by_name, 0.0)


def _weights(cases: Sequence[ColumnCase]) -> NDArray[np.float64]:
    """A site of many columns counts more than one of few, but not as much as it has columns."""
    sizes = Counter[str]()
    for case in cases:
        sizes[case.site] += len(case.wanted)
    found: NDArray[np.float64] = np.array(
        [
            (1.0 if is_wanted or case.is_complete else _UNKNOWN_WEIGHT) * sizes[case.site] ** -0.5
            for case in cases
            for is_wanted in case.wanted
        ]
    )
    scaled: NDArray[np.float64] = found / found.mean()
    return scaled
