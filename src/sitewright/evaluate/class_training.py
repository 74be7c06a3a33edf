"""Learning page classes from labelled sites, and how good that is on a site left out.

In go labelled sites, out come the numbers of `classes/pairs.json`, or scores for each site::

    cases = [await pair_case(site, CrawlPlan()) for site in sites]
    numbers = train_weights(cases)
    for site, model in zip(sites, left_out_models(cases)):
        print(compare_methods(site, model, MethodComparison(seeds=5)))
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sitewright.classes.classification import Classifier
from sitewright.classes.clustering import (
    PagePartition,
    average_linkage,
    singles_together,
    split_by_url,
)
from sitewright.classes.features import PageFeatures, PathMarks
from sitewright.classes.model import Origin, build_model
from sitewright.classes.similarity import (
    LINK_MEASURES,
    MEASURES,
    ROOT_MEASURES,
    ClassThresholds,
    PageViews,
    PairModel,
    pair_features,
    standardised,
    using_pair_model,
    without_links,
)
from sitewright.crawl.frontier import Strategy
from sitewright.crawl.stopping import StoppingRule
from sitewright.crawl.waves import CrawlPlan
from sitewright.errors import InvalidInput
from sitewright.evaluate.class_samples import SiteSample
from sitewright.evaluate.classes import ClassQuality, labels_by_url
from sitewright.evaluate.measures import ConfusionMatrix, f_star
from sitewright.evaluate.skeleton_truth import minimizer
from sitewright.event_loop import run_async
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sitewright.classes.similarity import PairFeatures
    from sitewright.evaluate.classes import ClassSite


# Learning what makes two pages of one class, from sites whose pages are labelled.

_PAIRS_OF_A_SITE = 1000
"""Pairs that a site gives for each way of looking at it: every site counts the same."""
_SITE_WEIGHT = 10.0
"""What all pairs of a site count beside the L2 penalty of 1: chosen with sites left out."""
_RARE_CLASSES = -0.75
"""A page counts for its class to this power of its size: at -1 all classes would count alike."""
NEVER_AGAINST = frozenset(LINK_MEASURES) | {
    "url: folder", "url: top folder", "url: last folder", "url: form", "url: word",
    "url: extension", "url: digits", "url: parameters", "url: first word", "url: last word",
    "url: attributes",
}  # fmt: skip
"""What makes two pages no less likely of one class: equal parts of their URLs, links in common.

Few sites differ in such a measure, and their accidents would be learnt: without this an equal
extension tells pages apart."""
NEVER_FOR = frozenset(("url: depth", "url: length"))
"""What makes them no likelier of one class: differences of their URLs."""


@dataclass(frozen=True, slots=True, eq=False)
class PairCase:
    """Explored pages of a site, what each two of them share, and their true classes."""

    name: str
    views: PageViews
    features: PairFeatures
    labels: Sequence[str | None]
    support: Mapping[str, int]
    """How many pages of the site each class has; none where all pages are of one class."""
    first: PairCase | None = None
    """The same of the first pages alone: thresholds must hold when few have been read, too."""


async def pair_case(one: ClassSite, plan: CrawlPlan) -> PairCase:
    """Explore a labelled site as `discover` does, without stopping early."""
    sample = SiteSample(one)
    exploration = await sample.explore(plan)
    marks = PathMarks(exploration.vocabulary)
    truth = labels_by_url(sample.site, one.truth(with_single_pages=True))
    support = Counter(one.truth().values()) if one.labels is not None else Counter[str]()

    def case(visited: Sequence[PageFeatures]) -> PairCase:
        pages = [page for page in visited if not page.is_stub]
        views = PageViews.of(pages, marks)
        labels = [truth.get(page.url) for page in pages]
        return PairCase(one.name, views, pair_features(views), labels, support)

    first = exploration.pages[: current().crawl.first_check]
    return replace(case(exploration.pages), first=case(first) if support else None)


def train_pairs(cases: Sequence[PairCase]) -> PairModel:
    """Weights from all cases, and the thresholds that are best with each of them left out.

    The file that ships is made by `train_weights`, with the usual thresholds.
    """
    model = train_weights(cases)
    trials = [
        threshold_scores(case, train_weights([*cases[:place], *cases[place + 1 :]]))
        for place, case in enumerate(cases)
        if case.support and len(cases) > _FEWEST_SITES
    ]
    return replace(model, thresholds=best_thresholds(trials))


_FEWEST_SITES = 2
"""With fewer there is none to learn from when one is left out."""


def train_weights(cases: Sequence[PairCase]) -> PairModel:
    """Logistic regression over labelled pairs, each site with the same weight.

    Each site is looked at in four ways, so that the numbers hold with and without links, and with
    and without the classes of `<html>` and `<body>`. In which order the sites come changes nothing.
    """
    minimizer()  # says what is missing before anything is computed
    rows, answers, weights = [], [], []
    for case in sorted(cases, key=lambda case: (case.name, len(case.labels))):
        chance = np.random.default_rng(0)
        for features in _ways_to_look(case.features):
            one, other, same = _sampled_pairs(case.labels, chance)
            rows.append(np.stack([features[name][one, other] for name in MEASURES], axis=1))
            answers.append(same)
            weights.append(np.full(len(same), 1 / max(len(same), 1)))
    if len({bool(answer) for some in answers for answer in some}) < 2:
        raise InvalidInput("labelled sites", "too few to learn from: none has several classes")
    matrix = np.concatenate(rows).astype(float)
    known = np.maximum((~np.isnan(matrix)).sum(axis=0), 1)
    means = np.nansum(matrix, axis=0) / known
    deviations = np.sqrt(np.nansum((matrix - means) ** 2, axis=0) / known) + 1e-3
    scaled = standardised(matrix, means, deviations)
    weight = np.concatenate(weights)
    weight *= _SITE_WEIGHT * len(cases) / weight.sum()
    bias, fitted = _signed_regression(scaled, np.concatenate(answers), weight)
    numbers = zip(means.tolist(), deviations.tolist(), fitted.tolist(), strict=True)
    return PairModel(bias, dict(zip(MEASURES, numbers, strict=True)))


def _signed_regression(
    matrix: NDArray[np.float64], answers: NDArray[np.bool_], weights: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """Logistic regression with an L2 penalty; the signs of some measures are known beforehand."""
    signs = np.where(answers, 1.0, -1.0)

    def loss(numbers: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        own, bias = numbers[:-1], numbers[-1]
        margins = signs * (matrix @ own + bias)
        wrong = -signs * weights / (1 + np.exp(margins))
        lost = weights @ np.logaddexp(0, -margins) + own @ own / 2
        return float(lost), np.append(wrong @ matrix + own, wrong.sum())

    bounds = [
        (0.0 if name in NEVER_AGAINST else None, 0.0 if name in NEVER_FOR else None)
        for name in MEASURES
    ]
    start = np.zeros(len(MEASURES) + 1)
    options = {"maxiter": 2000, "ftol": 1e-12, "gtol": 1e-6}
    found = minimizer()(
        loss, start, jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)], options=options
    )
    return float(found.x[-1]), found.x[:-1]


# The thresholds: tried on explored pages of sites that the weights were not learnt from.

_SAME_CLASS = (0.45, 0.5, 0.55, 0.6)
_MARKS_APART = (8, 12, 16, 20, 30)
_PAGES_OF_PART = (4, 6, 8, 12)
_GRID = tuple(
    product(range(len(_SAME_CLASS)), range(len(_MARKS_APART)), range(len(_PAGES_OF_PART)))
)
ThresholdScores: TypeAlias = "dict[tuple[int, int, int], float]"
"""F* for each place of the grid."""


def _thresholds(place: tuple[int, int, int]) -> ClassThresholds:
    one, other, third = place
    return ClassThresholds(_SAME_CLASS[one], _MARKS_APART[other], _PAGES_OF_PART[third])


def threshold_scores(case: PairCase, model: PairModel) -> ThresholdScores:
    """F* for all thresholds, in the mean of all explored pages and of the first ones."""
    scores = _scores_of_pages(case, model)
    if case.first is None:
        return scores
    first = _scores_of_pages(case.first, model)
    return {place: (score + first[place]) / 2 for place, score in scores.items()}


def _scores_of_pages(case: PairCase, model: PairModel) -> ThresholdScores:
    """F* of the explored pages, classes weighted as they are on the site, for all thresholds."""
    likely = model.probabilities(case.features)
    linked = [average_linkage(likely, least) for least in _SAME_CLASS]
    found: ThresholdScores = {}
    for place in _GRID:
        classes = split_by_url(linked[place[0]], case.views, likely, _thresholds(place))
        computed = singles_together(classes).tolist()
        pairs = [
            (label, number)
            for label, number in zip(case.labels, computed, strict=True)
            if label is not None and label in case.support
        ]
        found[place] = f_star(ConfusionMatrix.of(pairs), case.support) if pairs else 0.0
    return found


def best_thresholds(trials: Sequence[ThresholdScores]) -> ClassThresholds:
    """The middle of the best part of the grid over some sites; the usual ones without any.

    Each place counts with those next to it: what is best by a hair, beside much worse ones, is so
    by chance.
    """
    if not trials:
        return ClassThresholds()
    means = {place: fmean(trial[place] for trial in trials) for place in _GRID}

    def around(place: tuple[int, int, int]) -> float:
        near = [other for other in _GRID if np.abs(np.subtract(place, other)).max() <= 1]
        return fmean(means[other] for other in near)

    return _thresholds(max(_GRID, key=lambda place: (round(around(place), 4), means[place])))


def _ways_to_look(features: PairFeatures) -> Iterator[PairFeatures]:
    unknown = np.full_like(features["links"], np.nan)
    rootless = features | dict.fromkeys(ROOT_MEASURES, unknown)
    for seen in (features, rootless):
        yield seen
        yield without_links(seen)


def _sampled_pairs(
    labels: Sequence[str | None], chance: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """As many pairs of one class as of two, small classes more often than their pages would be."""
    sizes = Counter(labels)
    share = np.array([0.0 if label is None else sizes[label] ** _RARE_CLASSES for label in labels])
    names = np.array([label or "" for label in labels])
    one, other = np.triu_indices(len(labels), 1)
    likely = share[one] * share[other]
    same = names[one] == names[other]
    chosen = []
    for wanted in (True, False):
        places = np.flatnonzero((same == wanted) & (likely > 0))
        size = min(len(places), _PAIRS_OF_A_SITE // 2)
        if size:
            odds = likely[places] / likely[places].sum()
            chosen.append(chance.choice(places, size, replace=False, p=odds))
    taken = np.concatenate(chosen) if chosen else np.zeros(0, dtype=np.int64)
    return one[taken], other[taken], same[taken]


# How good the methods are on a site that nothing was learnt from.


class ComparedMethod(StrEnum):
    """A column of the table."""

    OURS = "ours"
    ROOTLESS = "rootless"
    """Ours, on pages whose `<html>` and `<body>` have no class and no id."""
    NAIVE = "naive"
    PAPER = "paper"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """F* of a site by each method, with what was learnt from the other sites."""

    site: str
    scores: dict[ComparedMethod, tuple[float, ...]]
    """For each seed; of pages of one class, the share that is in the largest."""
    found: int
    """Classes that our method found, with the last seed."""
    named: float
    """The share of them whose name has a word of the label, in the mean of the seeds."""

    def mean(self, method: str) -> float:
        """The mean over the seeds."""
        return fmean(self.scores[ComparedMethod(method)])

    def as_json(self) -> dict[str, Any]:
        """A flat object: means, and for our method also the lowest and the deviation."""
        ours = self.scores.get(ComparedMethod.OURS, ())
        found: dict[str, Any] = {"site": self.site}
        found |= {method.value: round(self.mean(method), 4) for method in self.scores}
        if ours:
            found |= {"lowest": round(min(ours), 4), "deviation": round(pstdev(ours), 4)}
            found |= {"found_classes": self.found, "named": round(self.named, 4)}
        return found


def left_out_models(cases: Sequence[PairCase]) -> list[PairModel]:
    """For each case what the others teach.

    The thresholds are those that are best on the other sites, each of them left out of its own
    weights.
    """
    models = [train_weights([*cases[:at], *cases[at + 1 :]]) for at in range(len(cases))]
    trials = [
        threshold_scores(case, model) if case.support else None
        for case, model in zip(cases, models, strict=True)
    ]
    found = []
    for at, model in enumerate(models):
        others = [trial for trial in [*trials[:at], *trials[at + 1 :]] if trial is not None]
        found.append(replace(model, thresholds=best_thresholds(others)))
    return found


@dataclass(frozen=True, slots=True)
class MethodComparison:
    """What to compare on each site."""

    pages: int = 300
    seeds: int = 1
    methods: tuple[ComparedMethod, ...] = tuple(ComparedMethod)


def compare_methods(one: ClassSite, model: PairModel, asked: MethodComparison) -> LeftOut:
    """Find the classes of a site with each method and seed, reading each page once a method."""
    return run_async(_compared(one, model, asked))


async def _compared(one: ClassSite, model: PairModel, asked: MethodComparison) -> LeftOut:
    scores: dict[ComparedMethod, tuple[float, ...]] = {}
    ours: list[ClassQuality] = []
    served = SiteSample(one)
    for method in asked.methods:
        sample = _sample_for(method, one, served)
        matrices = []
        for seed in range(asked.seeds):
            plan = CrawlPlan(limit=asked.pages, seed=seed)
            if method is ComparedMethod.NAIVE:
                matrices.append(await naive_quality(sample, plan))
            elif method is ComparedMethod.PAPER:
                matrices.append(await paper_quality(sample, plan))
            else:
                with using_pair_model(model):
                    found = await sample_quality(sample, plan)
                matrices.append(found.matrix)
                ours += [found] if method is ComparedMethod.OURS else []
        scores[method] = tuple(_score(one, matrix) for matrix in matrices)
    named = fmean(found.share_named() for found in ours) if ours else 0.0
    return LeftOut(one.name, scores, len(ours[-1].model.classes) if ours else 0, named)


def _sample_for(method: ComparedMethod, one: ClassSite, served: SiteSample) -> SiteSample:
    if method is ComparedMethod.PAPER:
        return SiteSample.of_links(one)
    return SiteSample(one, has_roots=False) if method is ComparedMethod.ROOTLESS else served


def _score(one: ClassSite, matrix: ConfusionMatrix) -> float:
    if one.labels is None:
        return max(matrix.computed_sizes.values()) / matrix.pages
    return round(f_star(matrix), 4)


async def sample_quality(sample: SiteSample, plan: CrawlPlan) -> ClassQuality:
    """Find the classes of a site as `discover` does, and classify random pages."""
    settling: StoppingRule[PagePartition] = StoppingRule()
    exploration = await sample.explore(plan, lambda seen: settling(len(seen.pages), seen.partition))
    is_fitted = bool(settling.fits) and settling.fits[-1][0] == len(exploration.pages)
    found = (settling.fits[-1][1] if is_fitted else exploration.partition()).learn()
    model = build_model(exploration, found, Origin(sample.site.home, "default", {}))
    classifier = Classifier(model, vocabulary=sample.vocabulary)
    tested = await sample.tested(plan.seed)
    pairs = [(label, classifier.of_features(page).page_class) for label, page in tested]
    return ClassQuality(model, ConfusionMatrix.of(pairs), Counter(label for label, _ in tested))


async def paper_quality(sample: SiteSample, plan: CrawlPlan) -> ConfusionMatrix:
    """The same by the papers' method, densest first."""
    explored = await sample.explore_as_papers(replace(plan, strategy=Strategy.DENSEST_FIRST))
    tested = await sample.tested(plan.seed)
    return ConfusionMatrix.of(
        (label, explored.model.best_class(page.schema)) for label, page in tested
    )


# The naive baseline: sets of marks without frame and rarities, Jaccard, average linkage at 0.5.

_FRAME, _RARE, _CUT = 0.98, 0.01, 0.5


async def naive_quality(sample: SiteSample, plan: CrawlPlan) -> ConfusionMatrix:
    """Group the explored pages; every tested page goes to the group that it is most like."""
    exploration = await sample.explore(plan)
    marks = PathMarks(sample.vocabulary)

    def own_marks(page: PageFeatures) -> set[str]:
        return {
            marks.names[mark]
            for mark in marks.counted(page.nodes)
            if "~" not in marks.names[mark] and not marks.is_root(mark)
        }

    explored = [own_marks(page) for page in exploration.pages]
    often = Counter(mark for own in explored for mark in own)
    kept = {m for m, n in often.items() if _RARE * len(explored) <= n < _FRAME * len(explored)}
    place = {mark: column for column, mark in enumerate(sorted(kept))}
    rows = np.stack([_row(own, place) for own in explored])
    groups = average_linkage(_jaccard(rows, rows), _CUT)
    count = np.bincount(groups)
    pairs: list[tuple[str, int]] = []
    for label, page in await sample.tested(plan.seed):
        alike = _jaccard(_row(own_marks(page), place)[None], rows)[0]
        pairs.append((label, int((np.bincount(groups, weights=alike) / count).argmax())))
    return ConfusionMatrix.of(pairs)


def _row(own: set[str], place: dict[str, int]) -> NDArray[np.float32]:
    row = np.zeros(len(place), dtype=np.float32)
    row[[place[mark] for mark in own if mark in place]] = 1
    return row


def _jaccard(some: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """Two pages with no mark at all are alike."""
    both = some @ others.T
    either = some.sum(axis=1)[:, None] + others.sum(axis=1) - both
    shares: NDArray[np.float32] = np.where(either > 0, both / np.maximum(either, 1), 1)
    return shares.astype(np.float32)
