"""How well page classes agree with true ones: the papers' experiment on classification."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import numpy as np

from sitewright.classes.features import PathMarks
from sitewright.classes.naming import singular
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
from sitewright.crawl.waves import CrawlPlan
from sitewright.errors import InvalidInput, MissingExtra, UnreadableInput
from sitewright.evaluate.measures import (
    ConfusionMatrix,
    class_f,
    entropy,
    f_star,
    purity,
    read_labels,
)
from sitewright.methods import discover, explore, site_classifier
from sitewright.site import Page
from sitewright.site.folder import FolderSite

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Hashable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sitewright.classes import SiteModel
    from sitewright.classes.similarity import PairFeatures
    from sitewright.site import Site


TEST_PAGES = 2000
"""The 2004 report tests its models on so many random pages."""


@dataclass(frozen=True, slots=True)
class ClassQuality:
    """What an experiment found."""

    model: SiteModel
    matrix: ConfusionMatrix
    support: Mapping[str, int]
    """How many pages of the site each true class has."""

    def measures(self) -> dict[str, Any]:
        """The measures as one flat object."""
        return {
            "method": self.model.method,
            "f_star": round(f_star(self.matrix), 4),
            "f_star_by_support": round(f_star(self.matrix, self.support), 4),
            "entropy": round(entropy(self.matrix), 4),
            "purity": round(purity(self.matrix), 4),
            "true_classes": len(self.matrix.true_sizes),
            "found_classes": len(self.model.classes),
            "visited": self.model.visited,
            "tested": self.matrix.pages,
            "unclassified": self.matrix.computed_sizes[None],
            "named": round(self.share_named(), 4),
        }

    def share_named(self) -> float:
        """The share of the classes whose name has a word of their true label.

        Classes of which one page or none was tested do not count.
        """
        labels: dict[Hashable, Counter[str]] = {}
        for (true, computed), count in self.matrix.counts.items():
            if computed is not None:
                labels.setdefault(computed, Counter())[true] += count
        named = [
            bool(_name_words(str(name)) & _name_words(own.most_common(1)[0][0]))
            for name, own in labels.items()
            if own.total() > 1
        ]
        return fmean(named) if named else 0.0

    def class_scores(self) -> dict[str, float]:
        """F of each true class."""
        return {true: class_f(self.matrix, true) for true in self.matrix.true_sizes}

    def as_json(self) -> dict[str, Any]:
        """The measures, the parameters of the model, and a row of the tables for each class.

        `found` is a row of the confusion matrix: how many pages went to each computed class.
        """
        scores = self.class_scores()
        rows = [
            {
                "class": true,
                "support": self.support[true],
                "tested": self.matrix.true_sizes[true],
                "f": round(scores[true], 4),
                "found": {"" if name is None else str(name): count for name, count in row.items()},
            }
            for true, row in self.matrix.rows().items()
        ]
        return {**self.measures(), "parameters": self.model.parameters, "classes": rows}


_NAME_WORD = re.compile(r"[^\W\d_]+")


def _name_words(name: str) -> set[str]:
    return {singular(word) for word in _NAME_WORD.findall(name.lower())}


async def class_quality(
    site: Site, labels: Mapping[str, str], plan: CrawlPlan, method: str, tested: int = TEST_PAGES
) -> ClassQuality:
    """Discover a site, then classify random pages of it (2004 report, 4.1: page class quality)."""
    model = await discovered(site, plan, method)
    classifier = site_classifier(model)
    truth = labels_by_url(site, labels)
    pairs = []
    for url, label in _chosen(truth, tested, plan.seed):
        (outcome,) = await site.fetch([url])
        if isinstance(outcome, Page):
            pairs.append((label, classifier.classify(outcome.document()).page_class))
    if not pairs:
        raise UnreadableInput("labels", "none of the labelled pages is in this site")
    return ClassQuality(model, ConfusionMatrix.of(pairs), Counter(truth.values()))


def labels_by_url(site: Site, labels: Mapping[str, str]) -> dict[str, str]:
    """Labels under the URLs of a site; their paths are relative to its root."""
    known: dict[str, str] = {}
    base = urlsplit(site.home)
    root = f"{base.scheme}://{base.netloc}/"
    for path, label in labels.items():
        name, mark, query = path.partition("?")
        url = site.page_url(root + _quoted(name) + (f"?{query}" if mark else ""))
        known[url or path] = label
    return known


async def discovered(site: Site, plan: CrawlPlan, method: str) -> SiteModel:
    """The model of a site; one without pages cannot be measured."""
    model = await discover(site, plan, method=method)
    if model is None:
        raise UnreadableInput(site.home, "no pages found: no request returned HTML (-v says why)")
    return model


def _chosen(truth: dict[str, str], most: int, seed: int) -> Sequence[tuple[str, str]]:
    items = sorted(truth.items())
    chance = random.Random(seed)  # noqa: S311 - can be repeated
    return items if len(items) <= most else chance.sample(items, most)


def _quoted(name: str) -> str:
    """Labels name files as they are called, so a percent sign is one."""
    return quote(name, safe="/")


# Sites whose pages are labelled with their classes.

_NEUTRAL_LABEL = re.compile(r"single:|top:|(?:top-or-legacy|other)\Z")
"""Labels of leftovers: such pages count neither for nor against."""
_SINGLE = re.compile(r"single:")
_PUBLIC_ADDRESS = {"smartline": "https://smartline1.github.io/legacy-site/"}


@dataclass(frozen=True, slots=True)
class ClassSite:
    """A folder with a label for each page."""

    name: str
    folder: Path
    labels: Path | None
    """None if all pages are of one class."""
    home: str | None = None
    base_url: str | None = None

    def open(self) -> Site:
        """Open the site anew."""
        return FolderSite(self.folder, home=self.home, base_url=self.base_url)

    def truth(self, *, with_single_pages: bool = False) -> dict[str, str]:
        """The label of each page but neutral ones, by its path on the host.

        Pages that are like no other have labels of their own: neutral in scoring, but to learn
        from they are as good as any.
        """
        if self.labels is None:
            return {urlsplit(url).path.lstrip("/"): "page" for url in self.open().listing()}
        inside = urlsplit(self.base_url).path.lstrip("/") if self.base_url else ""
        return {
            inside + path: label
            for path, label in read_labels(self.labels).items()
            if not _NEUTRAL_LABEL.match(label) or (with_single_pages and _SINGLE.match(label))
        }


def class_sites(folder: Path) -> list[ClassSite]:
    """The sites of a folder with `sites` and `labels`.

    Its SITES.md, if any, has the home page and the address of each.
    """
    about: dict[str, str] = {}
    if (listing := folder / "SITES.md").is_file():
        parts = re.split(r"^## (\S+)$", listing.read_text(encoding="utf-8"), flags=re.MULTILINE)
        about = dict(zip(parts[1::2], parts[2::2], strict=True))
    return [
        _class_site(folder, labels, about.get(labels.stem, ""))
        for labels in sorted((folder / "labels").glob("*.tsv"))
    ]


def read_sites(path: Path) -> list[ClassSite]:
    """Labelled sites: a folder with `sites` and `labels`, or a file that lists them.

    A line of the file is a folder, a file of labels, the home page and the public address, with
    tabs between them; the last two may be missing. For labels, `-` means that all pages are of one
    class. Paths are relative to the file.
    """
    if path.is_dir():
        return class_sites(path)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableInput(str(path), "no list of labelled sites") from error
    return [_listed_site(path, line) for line in lines if line.strip()]


def _listed_site(listing: Path, line: str) -> ClassSite:
    folder, labels, home, base_url, *_ = [*line.split("\t"), "", "", ""]
    if not labels or not (listing.parent / folder).is_dir():
        raise UnreadableInput(str(listing), f"wants a folder, a tab and a file of labels: {line!r}")
    where = None if labels == "-" else listing.parent / labels
    name = Path(folder).name
    return ClassSite(name, listing.parent / folder, where, home or None, base_url or None)


def _class_site(folder: Path, labels: Path, about: str) -> ClassSite:
    name = labels.stem
    home = re.search(r"home page: (\S+)", about)
    host = re.search(r"own hosts \(absolute links\): ([\w.-]+\.\w+)", about)
    inside = re.search(r"subfolder: (?!none)(\w+)", about)
    base_url = f"https://{host[1]}/" if host else _PUBLIC_ADDRESS.get(name)
    if base_url and inside:
        base_url += f"{inside[1]}/"
    start = home[1] if home else "index.html"
    return ClassSite(name, folder / "sites" / name, labels, start, base_url)


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


# How good the method is on a site that it has not learnt from.


@dataclass(frozen=True, slots=True)
class LeftOut:
    """F* of a site with the numbers that the other sites gave, for each seed."""

    site: str
    scores: tuple[float, ...]
    """F* of each seed; of pages of one class, the share that is in the largest."""
    found: int
    """Classes that were found, with the last seed."""

    def as_json(self) -> dict[str, Any]:
        """A flat object."""
        return {
            "site": self.site,
            "f_star": round(fmean(self.scores), 4),
            "lowest": min(self.scores),
            "found_classes": self.found,
        }


async def leave_one_out(
    sites: Sequence[ClassSite], *, pages: int, seeds: int
) -> AsyncIterator[LeftOut]:
    """Learn from all sites but one, and find the classes of that one; each in turn."""
    cases = [await pair_case(one, CrawlPlan(limit=pages)) for one in sites]
    for place, one in enumerate(sites):
        model = train_pairs([*cases[:place], *cases[place + 1 :]])
        scores, found = [], 0
        for seed in range(seeds):
            plan = CrawlPlan(limit=pages, seed=seed)
            with using_pair_model(model):
                quality = await class_quality(one.open(), one.truth(), plan, "default")
            measures = quality.measures()
            scores.append(measures["f_star"] if one.labels else _largest_share(quality.matrix))
            found = measures["found_classes"]
        yield LeftOut(one.name, tuple(scores), found)


def _largest_share(matrix: ConfusionMatrix) -> float:
    return max(matrix.computed_sizes.values()) / matrix.pages
