"""Learning page classes from labelled sites, and how good that is on a site left out.

In go labelled sites, out come the numbers of `classes/pairs.json`, or scores for each site::

    numbers = train_pairs([await pair_case(site, CrawlPlan()) for site in read_sites(folder)])
    async for row in leave_one_out(sites, pages=300, seeds=5):
        print(row.site, row.mean("ours"), row.mean("naive"))
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any

import numpy as np

from sitewright.classes.clustering import average_linkage
from sitewright.classes.features import PathMarks, page_features
from sitewright.classes.similarity import (
    MEASURES,
    ROOT_MEASURES,
    PageViews,
    PairModel,
    pair_features,
    standardised,
    using_pair_model,
    without_links,
)
from sitewright.crawl.frontier import Strategy
from sitewright.crawl.waves import CrawlPlan
from sitewright.errors import InvalidInput, MissingExtra
from sitewright.evaluate.classes import (
    TEST_PAGES,
    class_quality,
    labels_by_url,
    tested_pages,
)
from sitewright.evaluate.measures import ConfusionMatrix, f_star
from sitewright.methods import explore
from sitewright.site import Page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from numpy.typing import NDArray

    from sitewright.classes.similarity import PairFeatures
    from sitewright.evaluate.classes import ClassSite
    from sitewright.site import Site


# Learning what makes two pages of one class, from sites whose pages are labelled.

_PAIRS_OF_A_SITE = 700
"""Pairs that a site gives for each way of looking at it: every site counts the same."""
_STRENGTH = 0.003
"""The inverse of the L2 penalty, per unit of a site's weight: chosen with sites left out."""


@dataclass(frozen=True, slots=True, eq=False)
class PairCase:
    """Explored pages of a site, what each two of them share, and their true classes."""

    name: str
    features: PairFeatures
    labels: Sequence[str | None]


async def pair_case(one: ClassSite, plan: CrawlPlan) -> PairCase:
    """Explore a labelled site as `discover` does, without stopping early."""
    site = one.open()
    exploration = await explore(site, plan)
    truth = labels_by_url(site, one.truth(with_single_pages=True))
    pages = [page for page in exploration.pages if not page.is_stub]
    views = PageViews.of(pages, PathMarks(exploration.vocabulary))
    return PairCase(one.name, pair_features(views), [truth.get(page.url) for page in pages])


def train_pairs(cases: Sequence[PairCase]) -> PairModel:
    """Logistic regression over labelled pairs, each site with the same weight.

    Each site is looked at in four ways, so that the numbers hold with and without links, and with
    and without the classes of `<html>` and `<body>`.
    """
    regression = logistic_regression()
    rows, answers, weights = [], [], []
    for case in cases:
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
    fitted = regression(C=_STRENGTH, max_iter=500).fit(
        scaled, np.concatenate(answers), sample_weight=weight / weight.mean()
    )
    numbers = zip(means.tolist(), deviations.tolist(), fitted.coef_[0].tolist(), strict=True)
    return PairModel(float(fitted.intercept_[0]), dict(zip(MEASURES, numbers, strict=True)))


def logistic_regression() -> Any:  # noqa: ANN401 - scikit-learn has no types
    """scikit-learn's regression; long work that ends with training asks for it before it begins."""
    try:
        from sklearn.linear_model import (  # type: ignore[import-untyped]  # noqa: PLC0415
            LogisticRegression,
        )
    except ImportError:
        raise MissingExtra("evaluate", "learning from labelled sites") from None
    return LogisticRegression


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
    share = np.array([0.0 if label is None else sizes[label] ** -0.5 for label in labels])
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


async def leave_one_out(
    sites: Sequence[ClassSite],
    *,
    pages: int,
    seeds: int,
    methods: Sequence[ComparedMethod] = tuple(ComparedMethod),
) -> AsyncIterator[LeftOut]:
    """Learn from all sites but one, and find the classes of that one; each in turn."""
    cases = [await pair_case(one, CrawlPlan(limit=pages)) for one in sites]
    for place, one in enumerate(sites):
        model = train_pairs([*cases[:place], *cases[place + 1 :]])
        scores: dict[ComparedMethod, tuple[float, ...]] = {}
        found, named = 0, [0.0]
        for method in methods:
            results = [await _scored(one, method, model, pages, seed) for seed in range(seeds)]
            scores[method] = tuple(score for score, _, _ in results)
            if method is ComparedMethod.OURS:
                found, named = results[-1][1], [share for _, _, share in results]
        yield LeftOut(one.name, scores, found, fmean(named))


async def _scored(
    one: ClassSite, method: ComparedMethod, model: PairModel, pages: int, seed: int
) -> tuple[float, int, float]:
    """F*, the number of classes, and the share of them with a good name."""
    if method is ComparedMethod.NAIVE:
        matrix = await naive_quality(one, CrawlPlan(limit=pages, seed=seed))
        return _score(one, matrix), len(matrix.computed_sizes), 0.0
    is_paper = method is ComparedMethod.PAPER
    strategy = Strategy.DENSEST_FIRST if is_paper else Strategy.BALANCED
    plan = CrawlPlan(limit=pages, seed=seed, strategy=strategy)
    site = one.open(has_roots=method is not ComparedMethod.ROOTLESS)
    with using_pair_model(model):
        found = await class_quality(site, one.truth(), plan, "paper" if is_paper else "default")
    return _score(one, found.matrix), len(found.model.classes), found.share_named()


def _score(one: ClassSite, matrix: ConfusionMatrix) -> float:
    if one.labels is None:
        return max(matrix.computed_sizes.values()) / matrix.pages
    return round(f_star(matrix), 4)


# The naive baseline: sets of marks without frame and rarities, Jaccard, average linkage at 0.5.

_FRAME, _RARE, _CUT = 0.98, 0.01, 0.5


async def naive_quality(one: ClassSite, plan: CrawlPlan) -> ConfusionMatrix:
    """Group the explored pages; every tested page goes to the group that it is most like."""
    site = one.open()
    exploration = await explore(site, plan)
    marks = PathMarks(exploration.vocabulary)

    def own_marks(nodes: Any) -> set[str]:  # noqa: ANN401 - a schema
        return {
            marks.names[mark]
            for mark in marks.counted(nodes)
            if "~" not in marks.names[mark] and not marks.is_root(mark)
        }

    explored = [own_marks(page.nodes) for page in exploration.pages]
    often = Counter(mark for own in explored for mark in own)
    kept = {m for m, n in often.items() if _RARE * len(explored) <= n < _FRAME * len(explored)}
    place = {mark: column for column, mark in enumerate(sorted(kept))}
    sample = np.stack([_row(own, place) for own in explored])
    groups = average_linkage(_jaccard(sample, sample), _CUT)
    count = np.bincount(groups)
    pairs: list[tuple[str, int]] = []
    for label, page in await _tested(site, one, plan.seed):
        features = page_features(page.document(), exploration.vocabulary, site.page_url)
        likeness = _jaccard(_row(own_marks(features.nodes), place)[None], sample)[0]
        means = np.bincount(groups, weights=likeness) / count
        pairs.append((label, int(means.argmax())))
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


async def _tested(site: Site, one: ClassSite, seed: int) -> list[tuple[str, Page]]:
    truth = labels_by_url(site, one.truth())
    found = []
    for url, label in tested_pages(truth, TEST_PAGES, seed):
        (outcome,) = await site.fetch([url])
        if isinstance(outcome, Page):
            found.append((label, outcome))
    return found
