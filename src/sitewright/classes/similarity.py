"""How likely two pages of a site are of one class: a linear model over what the pages share.

In go the pages of a sample, out comes a square matrix of probabilities. What two pages share is
measured against the other pages of their site: what nearly all of them have is the frame and says
nothing, what hardly any other has is the page's own. What each measure is worth was learnt on
labelled sites, and ships as the few numbers of `pairs.json`::

    sample = PageViews.of(pages, vocabulary)
    probabilities = shipped_pair_model().probabilities(pair_features(sample))

docs/classes.md has the measures, what they are worth, and how well they do on sites left out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sitewright.formats import parse
from sitewright.page.url_pattern import common_folders, parameter_names, segments, url_shape
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sitewright.classes.features import PageFeatures, PathMarks

    Matrix = NDArray[np.float32]
    PairFeatures = dict[str, Matrix]
    """For each measure a square matrix; not a number where a measure does not apply."""

_SHIPPED = "pairs.json"
_DIGITS = 4
_MOST_DEVIATIONS = 4.0
"""A measure counts for no more than at so many standard deviations: beyond, it is as sure."""
_TINY = 1e-6
_MOST_COLUMNS = 3000
"""With more columns than this, only equal ones are taken together: the others cost their square."""


# The linear model.


@dataclass(frozen=True, slots=True, order=True)
class ClassThresholds:
    """When groups of pages are one class, and when URLs split it."""

    same_class: float = 0.5
    """Groups are one class if the mean probability of their pairs is no lower."""
    marks_apart: int = 12
    """Marks and paths that must tell the parts of a class apart for its URLs to split it."""
    pages_of_part: int = 4
    """Pages that such a part needs: of fewer nobody knows what is constant."""


@dataclass(frozen=True, slots=True)
class PairModel:
    """The learnt numbers: for each measure its mean, deviation and weight, and the thresholds."""

    FORMAT: ClassVar[str] = "sitewright-pair-weights"
    bias: float
    weights: dict[str, tuple[float, float, float]]
    """For each measure: mean and standard deviation over labelled pairs, and the weight."""
    thresholds: ClassThresholds = ClassThresholds()

    def __post_init__(self) -> None:
        """Refuse numbers of another method: a file may say anything."""
        if wrong := set(MEASURES) ^ set(self.weights):
            raise ValueError(f"measures that are missing or unknown: {', '.join(sorted(wrong))}")

    def probabilities(self, features: PairFeatures) -> Matrix:
        """How likely each two pages are of one class."""
        odds: Any = self.bias
        for name in MEASURES:
            mean, deviation, weight = self.weights[name]
            odds = odds + weight * standardised(features[name], mean, deviation)
        found: Matrix = 1 / (1 + np.exp(-odds))
        np.fill_diagonal(found, 1)
        return found

    def rounded(self) -> PairModel:
        """The numbers to the digits that matter, for a file."""
        rounded = {
            name: (round(mean, _DIGITS), round(deviation, _DIGITS), round(weight, _DIGITS))
            for name, (mean, deviation, weight) in self.weights.items()
        }
        return PairModel(round(self.bias, _DIGITS), rounded, self.thresholds)


def standardised(values: NDArray[Any], mean: float, deviation: float) -> NDArray[Any]:
    """Values in deviations from the mean; a measure that does not apply is an average one."""
    scaled = np.nan_to_num((values - mean) / deviation, nan=0.0)
    return np.clip(scaled, -_MOST_DEVIATIONS, _MOST_DEVIATIONS)


@cache
def shipped_pair_model() -> PairModel:
    """The numbers that come with the package."""
    text = files("sitewright.classes").joinpath(_SHIPPED).read_bytes()
    return parse(text, PairModel, _SHIPPED)


_in_use: ContextVar[PairModel | None] = ContextVar("pair_model", default=None)


def pair_model() -> PairModel:
    """The numbers in force: the package's own, but within `using_pair_model`."""
    return _in_use.get() or shipped_pair_model()


@contextmanager
def using_pair_model(model: PairModel) -> Iterator[None]:
    """Find classes with other numbers: those that were learnt without a site."""
    token = _in_use.set(model)
    try:
        yield
    finally:
        _in_use.reset(token)


# What is looked at: some views of each page, as one matrix each with a row a page.


@dataclass(frozen=True, slots=True, eq=False)
class PageViews:
    """The pages of a sample, as matrices of what they have; frame and rarities are left out."""

    pages: Sequence[PageFeatures]
    marks: Matrix
    """Tags, and tags with one of their classes (`div.price`)."""
    mark_counts: Matrix
    """How often each page has each of them, frame included; logarithms."""
    classed: Matrix
    """The marks that have a class."""
    tag_paths: Matrix
    paths: Matrix
    """Paths whose labels have the classes that several pages share."""
    all_marks: Matrix
    """Marks with the frame."""
    all_paths: Matrix
    """Paths with the frame."""
    rare_marks: Matrix
    """How many marks each page has that hardly any other has; logarithms."""
    root_marks: Matrix
    """Classes and ids of `<html>` and `<body>`, where many systems name the kind of page."""
    linked_from: Matrix
    """The paths by which links lead to each page."""
    link_collections: tuple[NDArray[np.int64], ...]
    """Pages that stand in one link collection, each set once."""

    @classmethod
    def of(cls, pages: Sequence[PageFeatures], marks: PathMarks) -> PageViews:
        """Look at pages whose paths `marks` knows."""
        settings = current().classes
        least = max(2, int(np.ceil(settings.rare_mark_share * len(pages))))
        most = int(settings.frame_share * len(pages))
        raw = [marks.counted(page.nodes) for page in pages]
        values = marks.values(raw)
        counted = [_renamed(own, values) for own in raw]
        body = [{mark: n for mark, n in own.items() if not marks.is_root(mark)} for own in counted]
        roots = [[mark for mark in own if marks.is_root(mark)] for own in counted]
        shared = marks.cleaned_paths(body, least, values)
        binary, names = _matrix(body, least, most)
        classed = np.array(["." in marks.names[name] for name in names], dtype=bool)
        own_paths = [np.unique(shared[page.nodes.paths]) for page in pages]
        linked_from, collections = _links(pages, shared)
        frequent = Counter(mark for own in body for mark in own)
        rare = [sum(frequent[mark] < least for mark in own) for own in body]
        return cls(
            pages=pages,
            marks=binary,
            mark_counts=_count_matrix(body, least),
            classed=binary[:, classed] if len(names) else binary,
            tag_paths=_matrix([marks.tag_paths(page.nodes) for page in pages], least, most)[0],
            paths=_matrix(own_paths, least, most)[0],
            all_marks=_matrix(body, least, len(pages))[0],
            all_paths=_matrix(own_paths, least, len(pages))[0],
            rare_marks=np.log1p(np.array(rare, dtype=np.float32)),
            root_marks=_matrix(roots, 2, most)[0],
            linked_from=linked_from,
            link_collections=collections,
        )


def _renamed(counted: Mapping[int, int], names: Mapping[int, int]) -> dict[int, int]:
    """The same counts, where some marks are called the same."""
    found: dict[int, int] = {}
    for mark, count in counted.items():
        name = names.get(mark, mark)
        found[name] = found.get(name, 0) + count
    return found


def _matrix(
    sets: Sequence[Iterable[int]], least: int, most: int
) -> tuple[Matrix, NDArray[np.int64]]:
    """A row a set, a column a member that not too few and not too many of them have."""
    rows = np.repeat(np.arange(len(sets)), [len(list(one)) for one in sets])
    members = np.fromiter((member for one in sets for member in one), np.int64, len(rows))
    if not len(members):
        return np.zeros((len(sets), 0), np.float32), members
    names, place, counts = np.unique(members, return_inverse=True, return_counts=True)
    kept = (counts >= least) & (counts <= most)
    column = np.cumsum(kept) - 1
    chosen = kept[place]
    matrix = np.zeros((len(sets), int(kept.sum())), np.float32)
    matrix[rows[chosen], column[place[chosen]]] = 1
    return matrix, names[kept]


def _count_matrix(counted: Sequence[Mapping[int, int]], least: int) -> Matrix:
    binary, names = _matrix(counted, least, len(counted))
    column = {int(name): place for place, name in enumerate(names)}
    for row, own in enumerate(counted):
        for mark, count in own.items():
            if mark in column:
                binary[row, column[mark]] = np.log1p(count)
    return binary


def _links(
    pages: Sequence[PageFeatures], shared: NDArray[np.int64]
) -> tuple[Matrix, tuple[NDArray[np.int64], ...]]:
    """By which paths links lead to each page, and which pages are linked side by side."""
    place = {page.url: number for number, page in enumerate(pages)}
    leading: list[set[int]] = [set() for _ in pages]
    sets: dict[frozenset[int], None] = {}
    for source, page in enumerate(pages):
        targets: defaultdict[int, set[int]] = defaultdict(set)
        for path, urls in page.collections:
            found = {place[url] for url in urls if url in place} - {source}
            targets[int(shared[path])] |= found
        for path, found in targets.items():
            for target in found:
                leading[target].add(path)
            if len(found) > 1:
                sets[frozenset(found)] = None
    collections = tuple(np.array(sorted(one), dtype=np.int64) for one in sets)
    return _matrix(leading, 1, len(pages))[0], collections


# The measures: each a square matrix with a value for each two pages.


def pair_features(views: PageViews) -> PairFeatures:
    """All measures of all pairs of pages."""
    pages = len(views.pages)
    found: PairFeatures = {}
    found |= _set_measures("marks", views.marks)
    found |= _set_measures("mark groups", grouped_columns(views.marks))
    found["marks, by rarity"] = _overlap(views.marks, _rarity(views.marks))[0]
    found["classed marks"] = _overlap(views.classed)[0]
    found |= _set_measures("tag paths", views.tag_paths)
    found |= _set_measures("paths", views.paths)
    groups = _overlap(grouped_columns(views.paths))
    found["path groups"], found["path groups, differing"] = groups[0], np.log1p(groups[2])
    found["marks with frame"] = _overlap(views.all_marks)[0]
    found["paths with frame"] = _overlap(views.all_paths)[0]
    found["frame"] = _frame_share(views.all_marks, views.marks)
    found["rare marks"] = np.maximum(views.rare_marks[:, None], views.rare_marks)
    found["rare marks of both"] = np.minimum(views.rare_marks[:, None], views.rare_marks)
    found |= _root_measures(views.root_marks)
    found["counts"] = _cosine(views.mark_counts)
    found["counts, centred"] = _cosine(views.mark_counts - views.mark_counts.mean(axis=0))
    elements = np.log1p([float(page.nodes.counts.sum()) for page in views.pages])
    links = np.log1p([float(page.schema.counts.sum()) for page in views.pages])
    found["elements"], found["links"] = _difference(elements), _difference(links)
    found |= _url_measures([page.url for page in views.pages])
    found |= _link_measures(views, pages)
    return found


def without_links(features: PairFeatures) -> PairFeatures:
    """The same measures for pages of which nobody knows how they are linked."""
    unknown = np.full_like(features["links"], np.nan)
    return features | dict.fromkeys(LINK_MEASURES, unknown)


def _set_measures(name: str, matrix: Matrix) -> PairFeatures:
    jaccard, containment, differing = _overlap(matrix)
    return {name: jaccard, f"{name}, contained": containment,
            f"{name}, differing": np.log1p(differing)}  # fmt: skip


def _overlap(matrix: Matrix, weights: Matrix | None = None) -> tuple[Matrix, Matrix, Matrix]:
    """Jaccard, the share of the smaller set in the larger, and how many only one has.

    Both shares begin at 1: where pages have little but the frame, one fact more or less is not
    much evidence.
    """
    if weights is not None:
        matrix = matrix * np.sqrt(weights)
    both = matrix @ matrix.T
    sizes = np.diag(both)
    either = sizes[:, None] + sizes - both
    smaller = np.minimum(sizes[:, None], sizes)
    few = np.float32(current().classes.weak_evidence)
    jaccard: Matrix = (both + few) / (either + few)
    contained = ((both + few) / (smaller + few)).astype(np.float32)
    return jaccard, contained, np.maximum(either - both, 0)


def _frame_share(everything: Matrix, own: Matrix) -> Matrix:
    """Which part of a page is frame; of a pair, the smaller one."""
    sizes = np.maximum(everything.sum(axis=1), 1)
    shares = 1 - own.sum(axis=1) / sizes
    smaller: Matrix = np.minimum(shares[:, None], shares)
    return smaller


def _rarity(matrix: Matrix) -> Matrix:
    shares: Matrix = -np.log(np.clip(matrix.mean(axis=0), 1e-3, 0.999))
    return shares


def grouped_columns(matrix: Matrix) -> Matrix:
    """One column for those that practically the same pages have.

    An optional gallery is one fact, however many elements it is made of.
    """
    if not matrix.shape[1]:
        return matrix
    packed = np.packbits(matrix > 0, axis=0)
    _, first = np.unique(packed, axis=1, return_index=True)
    matrix = matrix[:, first]
    if matrix.shape[1] > _MOST_COLUMNS:
        return matrix
    sizes = matrix.sum(axis=0)
    both = matrix.T @ matrix
    is_alike = both >= current().classes.same_pages_share * (sizes[:, None] + sizes - both)
    kept, is_taken = [], np.zeros(len(sizes), dtype=bool)
    for column in np.argsort(-sizes, kind="stable"):
        if not is_taken[column]:
            is_taken |= is_alike[column]
            kept.append(column)
    return matrix[:, kept]


def _root_measures(matrix: Matrix) -> PairFeatures:
    jaccard, _, differing = _overlap(matrix)
    known = _both(np.asarray(matrix.any(axis=1)))
    return {"root": np.where(known, jaccard, np.nan),
            "root, differing": np.where(known, differing, np.nan)}  # fmt: skip


def _both(holds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where something holds for both pages of a pair."""
    return holds[:, None] & holds


def _cosine(matrix: Matrix) -> Matrix:
    unit = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), _TINY)
    cosine: Matrix = unit @ unit.T
    return cosine


def _difference(values: NDArray[Any]) -> Matrix:
    difference: Matrix = np.abs(values[:, None] - values).astype(np.float32)
    return difference


_DIGIT_RUNS = re.compile(r"\d+")
_LETTER_RUNS = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_FIRST_WORD, _LAST_WORD = 3, 5  # places in the shape of a URL


def _url_measures(urls: Sequence[str]) -> PairFeatures:
    skip = common_folders(urls)
    parts = [segments(url)[skip:] or [""] for url in urls]
    shapes = [url_shape(url, skip) for url in urls]
    found: PairFeatures = {}
    frequent: dict[str, Sequence[Hashable]] = {
        "folder": [tuple(own[:-1]) for own in parts],
        "top folder": [own[0] if len(own) > 1 else None for own in parts],
        "form": [tuple(_form(part) for part in own) for own in parts],
        "word": [(_WORDS.findall(own[-1]) or [""])[0].lower() for own in parts],
    }
    for name, values in frequent.items():
        equal, frequency = _equal(values)
        found[f"url: {name}"] = equal
        found[f"url: {name}, frequency"] = np.where(equal > 0, frequency, -1).astype(np.float32)
    others: dict[str, Sequence[Hashable]] = {
        "last folder": [own[-2] if len(own) > 1 else None for own in parts],
        "extension": [own[-1].rpartition(".")[2] if "." in own[-1] else "" for own in parts],
        "digits": [tuple(bool(_DIGIT_RUNS.search(part)) for part in own) for own in parts],
        "parameters": [parameter_names(url) for url in urls],
        "first word": [shape[_FIRST_WORD] for shape in shapes],
        "last word": [shape[_LAST_WORD] for shape in shapes],
    }
    for name, values in others.items():
        found[f"url: {name}"] = _equal(values)[0]
    found["url: attributes"] = sum(
        (_equal(column)[0] for column in zip(*shapes, strict=True)),
        np.zeros((len(urls), len(urls)), np.float32),
    )
    depths = np.array([len(own) for own in parts], dtype=np.float32)
    found["url: depth"] = _difference(depths)
    found["url: lower depth"] = np.minimum(depths[:, None], depths)
    found["url: length"] = _difference(np.log1p([float(len(own[-1])) for own in parts]))
    return found


def url_kinds(urls: Sequence[str]) -> Iterator[NDArray[np.int64]]:
    """Ways to group URLs: by folders, by parameters, by the words that many file names have."""
    skip = common_folders(urls)
    parts = [segments(url)[skip:] or [""] for url in urls]
    words = [_LETTER_RUNS.findall(own[-1].lower()) for own in parts]
    pages = Counter(word for own in words for word in set(own))
    often = current().crawl.frequent_word_share * len(urls)
    for values in (
        [tuple(word for word in own if pages[word] > often) for own in words],
        [own[0] if len(own) > 1 else None for own in parts],
        [own[-2] if len(own) > 1 else None for own in parts],
        [(_WORDS.findall(own[-1]) or [""])[0].lower() for own in parts],
        [parameter_names(url) for url in urls],
    ):
        numbers: dict[Hashable, int] = {}
        yield np.array([numbers.setdefault(value, len(numbers)) for value in values])


def _form(part: str) -> str:
    return _DIGIT_RUNS.sub("#", _LETTER_RUNS.sub("a", part))


def _equal(values: Sequence[Hashable]) -> tuple[Matrix, Matrix]:
    """Whether two values are equal, and the share of all that have it."""
    numbers: dict[Hashable, int] = {}
    own = np.array([numbers.setdefault(value, len(numbers)) for value in values])
    counts = Counter(own.tolist())
    shares = np.array([counts[number] / len(own) for number in own.tolist()], dtype=np.float32)
    return (own[:, None] == own).astype(np.float32), np.broadcast_to(shares, (len(own), len(own)))


def _link_measures(views: PageViews, pages: int) -> PairFeatures:
    jaccard, contained, _ = _overlap(views.linked_from)
    known = _both(np.asarray(views.linked_from.any(axis=1)))
    together = np.zeros((pages, pages), np.float32)
    totals = np.zeros(pages, np.float32)
    for members in views.link_collections:
        weight = 1 / np.log2(1 + len(members))  # a list of everything tells nothing apart
        together[np.ix_(members, members)] += weight
        totals[members] += weight
    listed = _both(totals > 0)
    share = together / np.maximum(np.minimum(totals[:, None], totals), _TINY)
    return {
        "linked from": np.where(known, jaccard, np.nan),
        "linked from, contained": np.where(known, contained, np.nan),
        "listed together": np.where(listed, share, np.nan),
        "listed together, often": np.where(listed, np.log1p(together), np.nan),
    }


ROOT_MEASURES = ("root", "root, differing")
LINK_MEASURES = (
    "linked from",
    "linked from, contained",
    "listed together",
    "listed together, often",
)
MEASURES = (
    "marks", "marks, contained", "marks, differing", "mark groups", "mark groups, contained",
    "mark groups, differing", "marks, by rarity", "classed marks", "tag paths",
    "tag paths, contained", "tag paths, differing", "paths", "paths, contained",
    "paths, differing", "path groups", "path groups, differing", "marks with frame",
    "paths with frame", "frame", "rare marks", "rare marks of both", *ROOT_MEASURES, "counts",
    "counts, centred", "elements", "links",
    "url: folder", "url: folder, frequency", "url: top folder", "url: top folder, frequency",
    "url: form", "url: form, frequency", "url: word", "url: word, frequency", "url: last folder",
    "url: extension", "url: digits", "url: parameters", "url: first word", "url: last word",
    "url: attributes", "url: depth", "url: lower depth", "url: length",
    *LINK_MEASURES,
)  # fmt: skip
"""The names of all measures, in their order."""
