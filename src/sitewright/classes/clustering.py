"""From the features of pages to classes: pages that are likely of one class are put together.

In go pages, out come their classes and the scores that classify any other page::

    found = cluster_pages(pages, vocabulary)
    found.class_of_page                         # a number for each page

How likely two pages are of one class says `similarity`. Average linkage makes groups of them: the
two groups whose pages are most likely of one class, in the mean, are one, while that is likelier
than not. Then a linear classifier learns the classes from the structure of their pages, and
another one from their URLs: the pages beyond the sample get their class from these.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from sitewright.classes.features import FeatureColumns, PathMarks
from sitewright.classes.similarity import PageViews, pair_features, pair_model, url_kinds
from sitewright.page.url_pattern import UrlPattern, common_folders, learn_url_pattern, segments
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sitewright.classes.features import PageFeatures
    from sitewright.classes.similarity import ClassThresholds
    from sitewright.page import PathVocabulary

    Scores = NDArray[np.float64]
    Classes = NDArray[np.int64]
    """The class of each page."""

NO_CLASS = -1


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """Classes of pages, and the scores that classify more of them."""

    columns: FeatureColumns
    marks: PathMarks
    class_of_page: Classes
    scores: Scores
    """A row a class, in bits; a class of stubs has scores for URLs only, and comes last."""
    priors: Scores
    shares: Scores
    """For each class and column of structure, the share of its pages that have it."""
    has_stubs: bool

    @classmethod
    def given(
        cls, pages: Sequence[PageFeatures], vocabulary: PathVocabulary, classes: Classes
    ) -> Clustering:
        """Classes that another method found, which has its own way to classify more pages."""
        count = int(classes.max()) + 1
        columns = FeatureColumns((), (), common_folders(page.url for page in pages))
        return cls(
            columns=columns,
            marks=PathMarks(vocabulary),
            class_of_page=classes,
            scores=np.zeros((count, 0)),
            priors=np.zeros(count),
            shares=np.zeros((count, 0)),
            has_stubs=False,
        )

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many pages each class has."""
        return np.bincount(self.class_of_page, minlength=len(self.scores))


@dataclass(frozen=True, slots=True, eq=False)
class PagePartition:
    """The class of each page. `learn` makes the scores, which cost as much again."""

    pages: tuple[PageFeatures, ...]
    marks: PathMarks
    class_of_page: Classes
    sample: list[int]
    """The pages that were compared with each other: classes are learnt from these."""
    stubs: tuple[str, ...]
    """URLs of stubs that are a class of their own, the last one."""
    learnt: _Learnt | None = None
    """What assigned the pages beyond the sample; None where there are none."""

    @np.errstate(invalid="ignore")
    def learn(self) -> Clustering:
        """Learn to classify more pages."""
        learnt = self.learnt or _learnt_from(
            [self.pages[place] for place in self.sample],
            self.class_of_page[self.sample],
            self.marks,
        )
        is_all_stubs = all(page.is_stub for page in self.pages)
        if self.stubs:
            learnt = learnt.with_stub_class(self.stubs, len(self.pages))
        return Clustering(
            columns=learnt.columns,
            marks=self.marks,
            class_of_page=self.class_of_page,
            scores=learnt.scores,
            priors=learnt.priors,
            shares=learnt.shares,
            has_stubs=bool(self.stubs) or is_all_stubs,
        )


def cluster_pages(pages: Sequence[PageFeatures], vocabulary: PathVocabulary) -> Clustering:
    """Find the classes of these pages, and learn to classify more of them."""
    return partition_pages(pages, PathMarks(vocabulary)).learn()


# Products of small matrices may report an invalid value where all are finite: the vector kernels of
# OpenBLAS read past the end of a row, and throw away what they computed there.
@np.errstate(invalid="ignore")
def partition_pages(pages: Sequence[PageFeatures], marks: PathMarks) -> PagePartition:
    """Find the classes of these pages, whose paths `marks` knows.

    Stubs have no structure of their own: they are a class, but for those that stand for a page of
    another class by their URL.
    """
    real = [place for place, page in enumerate(pages) if not page.is_stub]
    stubs = [place for place, page in enumerate(pages) if page.is_stub]
    chosen = _chosen(real or stubs)
    sample = [pages[place] for place in chosen]
    classes = group_pages(sample, marks)
    class_of_page = np.full(len(pages), NO_CLASS, dtype=np.int64)
    class_of_page[chosen] = classes
    learnt = _learnt_from(sample, classes, marks) if len(chosen) < len(real) else None
    for place in real:
        if learnt and class_of_page[place] == NO_CLASS:
            class_of_page[place] = learnt.best_class(pages[place], marks)
    left = _place_stubs(pages, stubs, class_of_page, int(classes.max()) + 1) if real else ()
    return PagePartition(tuple(pages), marks, class_of_page, chosen, left, learnt)


@np.errstate(invalid="ignore")
def learn_classes(
    pages: Sequence[PageFeatures], vocabulary: PathVocabulary, classes: Classes, *, has_stubs: bool
) -> Clustering:
    """Learn to classify pages whose classes are known: a person has corrected them.

    The classes are numbered from 0; with `has_stubs` the last one is that of pages that only send
    their readers on.
    """
    marks = PathMarks(vocabulary)
    last = int(classes.max())
    is_stub = (classes == last) & has_stubs
    real = [place for place, page in enumerate(pages) if not page.is_stub and not is_stub[place]]
    firsts = {int(classes[place]): place for place in reversed(real)}  # no class is left out
    chosen = sorted({*_chosen(real), *firsts.values()}) or list(range(len(pages)))
    learnt = _learnt_from([pages[place] for place in chosen], classes[chosen], marks)
    if is_stub.any() and len(learnt.scores) == last:
        urls = [pages[place].url for place in np.flatnonzero(is_stub).tolist()]
        learnt = learnt.with_stub_class(urls, len(pages))
    return Clustering(
        columns=learnt.columns,
        marks=marks,
        class_of_page=classes,
        scores=learnt.scores,
        priors=learnt.priors,
        shares=learnt.shares,
        has_stubs=bool(is_stub.any()),
    )


def group_pages(pages: Sequence[PageFeatures], marks: PathMarks) -> Classes:
    """The class of each page, numbered in the order of their first pages."""
    if len(pages) == 1:
        return np.zeros(1, dtype=np.int64)
    views, model = PageViews.of(pages, marks), pair_model()
    likely = model.probabilities(pair_features(views))
    classes = average_linkage(likely, model.thresholds.same_class)
    return singles_together(split_by_url(classes, views, likely, model.thresholds))


def singles_together(classes: Classes) -> Classes:
    """One class for all pages that are like no other: nobody wants a class for each of them."""
    sizes = np.bincount(classes)
    is_single = sizes[classes] == 1
    if is_single.sum() < 2:
        return classes
    return _in_order(np.where(is_single, len(sizes), classes))


def average_linkage(similarities: NDArray[np.float32], least: float) -> Classes:
    """Join the two groups with the highest mean similarity, while it is `least` or more."""
    sums = similarities.astype(np.float64)
    sizes = np.ones(len(sums))
    means = sums.copy()
    np.fill_diagonal(means, -np.inf)
    group = np.arange(len(sums))
    while True:
        one, other = divmod(int(means.argmax()), len(means))
        if means[one, other] < least:
            break
        one, other = min(one, other), max(one, other)
        group[group == other] = one
        sums[one] += sums[other]
        sums[:, one] += sums[:, other]
        sizes[one] += sizes[other]
        row = sums[one] / (sizes[one] * sizes)
        row[np.isneginf(means[one])] = -np.inf  # itself, and groups that are no more
        means[one], means[:, one] = row, row
        means[other], means[:, other] = -np.inf, -np.inf
        means[one, one] = -np.inf
    return _in_order(group)


def _in_order(classes: Classes) -> Classes:
    """The same classes, numbered in the order of their first pages."""
    _, first, numbers = np.unique(classes, return_index=True, return_inverse=True)
    ordered: Classes = np.argsort(np.argsort(first))[numbers]
    return ordered


def split_by_url(
    classes: Classes, views: PageViews, likely: NDArray[np.float32], thresholds: ClassThresholds
) -> Classes:
    """Split a class where URLs part it into groups and the structure confirms it.

    Pages that are much alike, but for a few marks that all pages of one kind have and none of the
    other, are of one class by the mean of their pairs. URLs alone never split a class, and few
    marks alone neither: an optional part has marks, too. Both together do.
    """
    classes = classes.copy()
    facts = np.hstack([views.marks, views.paths])
    for kinds in url_kinds([page.url for page in views.pages]):
        for number in range(int(classes.max()) + 1):
            members = np.flatnonzero(classes == number)
            parts = _confirmed_parts(kinds[members], facts[members], thresholds)
            for part in parts[1:]:
                classes[members[part]] = classes.max() + 1
            if len(parts) > 1:
                _place_rest(classes, members, parts, likely)
    return _in_order(classes)


def _confirmed_parts(
    kinds: Classes, facts: NDArray[np.float32], thresholds: ClassThresholds
) -> list[NDArray[np.int64]]:
    """The groups of a class by kind of URL, those that structure does not tell apart as one.

    What few pages have is no kind but a value of their own, and having one is what they share:
    beside `/lamp-7/reviews/` and `/chair-2/reviews/` stand `/lamp-7/` and `/chair-2/`.
    """
    values, place, counts = np.unique(kinds, return_inverse=True, return_counts=True)
    kinds = np.where(counts[place] >= thresholds.pages_of_part, kinds, values.min() - 1)
    names, counts = np.unique(kinds, return_counts=True)
    names = names[counts >= thresholds.pages_of_part]
    if len(names) < 2:
        return []
    return _parts_apart([np.flatnonzero(kinds == name) for name in names], facts, thresholds)


def _parts_apart(
    parts: list[NDArray[np.int64]], facts: NDArray[np.float32], thresholds: ClassThresholds
) -> list[NDArray[np.int64]]:
    """Join parts that structure does not tell apart, those also that a third one joins.

    Only of parts by most of their facts, no two such are joined: a few odd pages are like all
    others, and what is like them need not be alike.
    """
    shares = [facts[part].mean(axis=0) for part in parts]
    many = np.zeros((len(parts), len(parts)), dtype=bool)
    most = np.full((len(parts), len(parts)), np.inf)
    for one in range(len(parts)):
        for other in range(one):
            apart, share = _difference(shares[one], shares[other])
            many[one, other] = many[other, one] = apart >= thresholds.marks_apart
            most[one, other] = most[other, one] = share
    group = np.arange(len(parts))
    for one, other in np.argwhere(~many).tolist():
        group[group == group[one]] = group[other]
    for number in dict.fromkeys(group.tolist()):
        members = np.flatnonzero(group == number)
        group[members] = len(parts) + members[_complete_linkage(most[np.ix_(members, members)])]
    return [
        np.sort(np.concatenate([parts[one] for one in np.flatnonzero(group == number)]))
        for number in dict.fromkeys(group.tolist())
    ]


def _complete_linkage(apart: NDArray[np.float64]) -> Classes:
    """The group of each, named by one of its members: the most alike are joined first."""
    apart, group = apart.copy(), np.arange(len(apart))
    while np.isfinite(least := apart.min()):
        one, other = np.argwhere(apart == least)[0].tolist()
        group[group == other] = one
        apart[one] = apart[:, one] = np.maximum(apart[one], apart[other])
        apart[other] = apart[:, other] = np.inf
    return group


def _difference(one: NDArray[np.float32], other: NDArray[np.float32]) -> tuple[int, float]:
    """How many facts tell two kinds of URL apart, and their share; infinite if it is most of them.

    A page of tables without classes has a dozen facts beyond the frame in all.
    """
    settings = current().classes
    apart = int((np.abs(one - other) >= settings.constant_mark_share).sum())
    share = apart / max(int((np.maximum(one, other) > _MOST).sum()), 1)
    is_most = apart >= settings.min_marks_apart and share >= settings.min_share_of_marks_apart
    return apart, np.inf if is_most else share


_MOST = 0.5


def _place_rest(
    classes: Classes, members: Classes, parts: list[NDArray[np.int64]], likely: NDArray[np.float32]
) -> None:
    """Pages of no part go to the part that they are most like."""
    rest = np.setdiff1d(np.arange(len(members)), np.concatenate(parts))
    for place in members[rest]:
        means = [likely[place, members[part]].mean() for part in parts]
        classes[place] = classes[members[parts[int(np.argmax(means))][0]]]


# Linear classifiers over the columns of pages.


@dataclass(frozen=True, slots=True, eq=False)
class _Learnt:
    columns: FeatureColumns
    scores: Scores
    priors: Scores
    shares: Scores

    def best_class(self, page: PageFeatures, marks: PathMarks) -> int:
        """The class of a page by its structure and its URL."""
        columns = self.columns
        row = np.concatenate([columns.structure_row(page, marks), columns.url_row(page.url)])
        return int((self.scores[:, row].sum(axis=1) + self.priors).argmax())

    def with_stub_class(self, urls: Sequence[str], pages: int) -> _Learnt:
        """One more class, of stubs with these URLs; `pages` are all pages of the site."""
        scores = np.zeros(len(self.columns))
        for url in urls:
            scores[self.columns.url_row(url)] += 1 / len(urls)
        prior = np.log2(len(urls) / pages)
        return _Learnt(
            self.columns,
            np.vstack([self.scores, scores]),
            np.append(self.priors, prior),
            np.vstack([self.shares, np.zeros(len(self.columns.structure))]),
        )


def _learnt_from(pages: Sequence[PageFeatures], classes: Classes, marks: PathMarks) -> _Learnt:
    """The scores of pages with known classes, by two linear classifiers."""
    columns = FeatureColumns.of(pages, marks, classes.tolist())
    width = len(columns.structure)
    structure = np.zeros((len(pages), width), dtype=np.float32)
    urls = np.zeros((len(pages), len(columns) - width), dtype=np.float32)
    for number, page in enumerate(pages):
        structure[number, columns.structure_row(page, marks)] = 1
        urls[number, columns.url_row(page.url) - width] = 1
    settings = current().classes
    weights, bias = softmax_regression(structure, classes, settings.score_penalty)
    url_weights, _ = softmax_regression(urls, classes, settings.score_penalty)
    members = np.eye(int(classes.max()) + 1)[classes]
    shares = (members.T @ structure) / members.sum(axis=0)[:, None]
    return _Learnt(columns, np.hstack([weights, url_weights]), bias, shares)


def softmax_regression(
    matrix: NDArray[np.float32], classes: Classes, penalty: float, steps: int = 150
) -> tuple[Scores, Scores]:
    """The weights of each class for each column, and the bias of each class, in bits.

    Multinomial logistic regression with an L2 penalty, by accelerated gradients (Nesterov 1983).
    Columns that the same pages have share one weight, so that a template's hundred marks are one.
    In double precision: sums come in another order on a machine with other cores, and what single
    precision makes of that would be seen in the model.
    """
    count = int(classes.max()) + 1
    if count == 1 or not matrix.shape[1]:
        priors = np.log2(np.bincount(classes, minlength=count) / len(classes))
        return np.zeros((count, matrix.shape[1])), priors
    packed = np.packbits(matrix > 0, axis=0)
    _, first, group, sizes = np.unique(
        packed, axis=1, return_index=True, return_inverse=True, return_counts=True
    )
    unique = matrix[:, first].astype(float)
    means = unique.mean(axis=0)
    centred = unique - means
    weights, bias = _accelerated(centred, np.eye(count)[classes], penalty, steps)
    bias = bias - means @ weights
    spread = (weights / sizes[:, None])[group.ravel()]
    return spread.T / np.log(2), bias / np.log(2)


def _accelerated(
    matrix: Scores, truth: Scores, penalty: float, steps: int
) -> tuple[Scores, Scores]:
    pages = len(matrix)
    # No step may be longer than the curvature allows: half the largest eigenvalue of the columns.
    # That of the smaller product is the same, and costs a tenth of the singular values.
    product = matrix @ matrix.T if pages < matrix.shape[1] else matrix.T @ matrix
    curvature = 0.5 * float(np.linalg.eigvalsh(product)[-1]) / pages + penalty / pages + 0.5
    weights = np.zeros((matrix.shape[1], truth.shape[1]))
    bias = np.log(truth.mean(axis=0) + 1e-3)
    last_weights, last_bias, momentum = weights, bias, 1.0
    for _ in range(steps):
        following = (1 + np.sqrt(1 + 4 * momentum * momentum)) / 2
        ahead = (momentum - 1) / following
        momentum = following
        at = weights + ahead * (weights - last_weights)
        at_bias = bias + ahead * (bias - last_bias)
        odds = matrix @ at + at_bias
        odds -= odds.max(axis=1, keepdims=True)
        shares = np.exp(odds)
        wrong = (shares / shares.sum(axis=1, keepdims=True) - truth) / pages
        last_weights, last_bias = weights, bias
        weights = at - (matrix.T @ wrong + penalty / pages * at) / curvature
        bias = at_bias - wrong.sum(axis=0) / curvature
    return weights, bias


# Stubs: pages that only send their readers on.


def _place_stubs(
    pages: Sequence[PageFeatures], stubs: list[int], class_of_page: Classes, own: int
) -> tuple[str, ...]:
    """Give each stub a class; the URLs of those that stand for no page are class `own`."""
    if not stubs:
        return ()
    members: list[list[str]] = [[] for _ in range(own)]
    for page, number in zip(pages, class_of_page.tolist(), strict=True):
        if number != NO_CLASS:
            members[number].append(page.url)
    patterns = StubPatterns(members)
    for place in stubs:
        found = patterns.class_of(pages[place].url)
        class_of_page[place] = own if found == NO_CLASS else found
    return tuple(pages[place].url for place in stubs if class_of_page[place] == own)


def trusted_patterns(urls: Sequence[Sequence[str]], least: float) -> list[tuple[int, UrlPattern]]:
    """Classes whose pattern few pages of another class have, given the URLs of each.

    `least` is the share of the pages with such a URL that are of the class; the best come first.
    """
    trusted = []
    for number, own in enumerate(urls):
        if len(own) < _FEWEST_URLS:
            continue
        pattern = learn_url_pattern(own)
        matching = [sum(map(pattern.matches, others)) for others in urls]
        precision = matching[number] / max(sum(matching), 1)
        if precision >= least:
            trusted.append((-precision, number, pattern))
    return [(number, pattern) for _, number, pattern in sorted(trusted, key=itemgetter(0))]


_FEWEST_URLS = 2
"""A pattern of one URL is that URL."""


def class_by_url(url: str, trusted: Sequence[tuple[int, UrlPattern]]) -> int:
    """The class whose pattern a URL has; `NO_CLASS` if none has it."""
    return next((number for number, pattern in trusted if pattern.matches(url)), NO_CLASS)


class StubPatterns:
    """Which class a stub stands for a page of: one whose URLs look like its own.

    Some classes have several kinds of URL. Where functions and constants are one, a stub that is
    called as functions are still stands for one of them (`fn.{name}.html` beside
    `constant.{name}.html`).
    """

    def __init__(self, urls: Sequence[Sequence[str]]) -> None:
        """Learn from the URLs of each class."""
        self._least = current().classes.min_url_precision_of_stub
        self._patterns = trusted_patterns(urls, self._least)
        by_word = [_by_first_word(own) for own in urls]
        words = dict.fromkeys(word for own in by_word for word in own)
        self._of_word = {word: self._of_kind([own.get(word, []) for own in by_word])
                         for word in words}  # fmt: skip

    def _of_kind(self, urls: Sequence[Sequence[str]]) -> list[tuple[int, UrlPattern]]:
        least = pair_model().thresholds.pages_of_part
        patterns = trusted_patterns(urls, self._least)
        return [(number, pattern) for number, pattern in patterns if len(urls[number]) >= least]

    def class_of(self, url: str) -> int:
        """The class of a stub; `NO_CLASS` if its URL is like those of no class.

        A kind of URL says more than all URLs of a class together.
        """
        return class_by_url(url, [*self._of_word.get(_first_word(url), []), *self._patterns])


def _by_first_word(urls: Sequence[str]) -> dict[str, list[str]]:
    """URLs by the word that the names of their files begin with; those without one are left out."""
    found: dict[str, list[str]] = {}
    for url in urls:
        if word := _first_word(url):
            found.setdefault(word, []).append(url)
    return found


def _first_word(url: str) -> str:
    word = _BEGINNING.match(segments(url)[-1])
    return "" if word is None or word[0] == "index" else word[0]


_BEGINNING = re.compile(r"[^\W\d_]+")


def _chosen(places: list[int]) -> list[int]:
    settings = current().classes
    if len(places) <= settings.max_sampled_pages:
        return places
    chance = random.Random(0)  # noqa: S311 - a choice that can be repeated is wanted
    return sorted(chance.sample(places, settings.max_sampled_pages))
