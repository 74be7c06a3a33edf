"""Which class a page belongs to, how sure that is, and whether it belongs to any."""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sitewright.classes.clustering import NO_CLASS, StubPatterns
from sitewright.classes.features import (
    FeatureColumns,
    PageFeatures,
    PathMarks,
    structure_features,
)
from sitewright.page import Document, Labelling, PathVocabulary
from sitewright.page.url import canonical, parts
from sitewright.page.url_pattern import path_and_query
from sitewright.settings import current

if TYPE_CHECKING:
    from sitewright.classes.model import SiteModel
    from sitewright.page import Schema


MOST_BITS = 30.0
"""Beyond this difference a decision is as sure as it gets."""


@dataclass(frozen=True, slots=True)
class Classification:
    """The class of one page; None where none fits."""

    url: str
    page_class: str | None
    cost: float
    """Bits (or the papers' units) that the page costs with the help of the class."""
    confidence: float
    """Between 0 and 1: how likely the class is the right one; docs/classes.md has a table."""
    runner_up: str | None

    def as_json(self) -> dict[str, Any]:
        """The object that `sitewright classify` prints."""
        data = asdict(self)
        return {"url": data.pop("url"), "class": data.pop("page_class"), **data}


class _Structure(NamedTuple):
    """What the structure of a page says of each class."""

    bits: np.typing.NDArray[np.float64]
    fits: np.typing.NDArray[np.bool_]


_LEAST_PRECISION = 0.001
"""Of URLs that hardly ever are the class's own."""
_MOST_STRUCTURES = 1024
"""So many sets of paths are remembered, a few kB each."""


class Classifier:
    """Classifies pages with a site model.

    `home` is the home page of another copy of the site: URLs of its host are then the site's too.
    `vocabulary` is that of pages whose features are known already.
    """

    def __init__(
        self, model: SiteModel, home: str = "", vocabulary: PathVocabulary | None = None
    ) -> None:
        self.model = model
        self._settings = current().classes
        self.vocabulary = vocabulary or PathVocabulary(Labelling.CLASSES)
        paths = [0]
        for parent, label in model.paths[1:]:
            paths.append(self.vocabulary.extend(paths[parent], label))
        self.path_ids = tuple(paths)
        """For each path of the model its number in this vocabulary."""
        self._marks = PathMarks(self.vocabulary)
        self._columns = FeatureColumns(model.structure_columns, model.address_columns, model.skip)
        width = len(model.structure_columns)
        self._scores = np.zeros((len(model.classes), len(self._columns)))
        self._shares = np.zeros((len(model.classes), width))
        for row, one in enumerate(model.classes):
            for column, bits in one.scores.items():
                self._scores[row, column] = bits
            for column, share in one.shares.items():
                self._shares[row, column] = share
        self._priors = np.array([one.prior for one in model.classes])
        precisions = [max(one.url_precision, _LEAST_PRECISION) for one in model.classes]
        self._url_priors = np.log2(precisions)
        self._least_fits = np.array([one.least_fit for one in model.classes])
        self._deficits = np.array([one.structure_deficit for one in model.classes])
        self._stubs = np.array([one.is_stub for one in model.classes], dtype=np.bool_)
        self._known: dict[bytes, _Structure] = {}
        visited = (url for one in model.classes for url in (*one.samples, *one.pages))
        self._hosts = frozenset(map(_site_host, (model.home, home, *visited))) - {None}

    def classify(self, document: Document) -> Classification:
        """The class of a page."""
        return self.of_features(self.features(document))

    def features(self, document: Document) -> PageFeatures:
        """The features of a page that `of_features` needs."""
        return structure_features(document, self.vocabulary)

    def of_features(self, page: PageFeatures) -> Classification:
        """The class of a page whose features are over this classifier's vocabulary."""
        if page.is_stub:
            return self._stub(page.url)
        structure = self._structure(page.nodes)
        has_url = self._has_url(page.url)
        bits = self._with_url(structure.bits, page.url) if has_url else structure.bits
        found = self.decide(page.url, bits, structure.fits)
        return found if found.page_class is None else self._calibrated(found, bits, has_url)

    def _structure(self, nodes: Schema) -> _Structure:
        """What the paths of a page say; many pages of a site have the same."""
        key = nodes.key
        if (known := self._known.get(key)) is not None:
            return known
        marks = self._marks.columns(nodes)
        row = self._columns.row_of(marks)
        bits = self._bits(row)
        if not self._stubs.all():
            bits[self._stubs] = -np.inf
        fits = structure_fit(row, len(marks) - len(row), self._shares)
        least = np.maximum(
            self._settings.min_fit, self._settings.min_fit_of_worst * self._least_fits
        )
        if len(self._known) >= _MOST_STRUCTURES:
            self._known.clear()
        self._known[key] = found = _Structure(bits, fits >= least)
        return found

    def _calibrated(
        self, found: Classification, bits: np.typing.NDArray[np.float64], has_url: bool
    ) -> Classification:
        """With a confidence that says how often such a decision is right."""
        if found.runner_up is None:
            return found
        second, best = np.partition(bits, -2)[-2:]
        settings = self._settings
        ahead = min(float(best - second), MOST_BITS)
        slope = settings.confidence_of_bit if has_url else settings.confidence_of_bit_without_url
        start = settings.confidence_of_none if has_url else settings.confidence_of_none_without_url
        odds = start / (1 - start) * math.exp(slope * ahead)
        return replace(found, confidence=round(odds / (1 + odds), 4))

    def _has_url(self, url: str) -> bool:
        """Whether a page has a URL of this site: that of a file or another site says nothing."""
        return _site_host(url) in self._hosts

    def _with_url(
        self, structure: np.typing.NDArray[np.float64], url: str
    ) -> np.typing.NDArray[np.float64]:
        """The bits with those of the URL, unless these would overrule a clear structure.

        The structure is clear against a class where it lags behind the best one by more than that
        of any page which the class was learnt from. A URL that leads to such a class is not
        believed at all.
        """
        bits: np.typing.NDArray[np.float64] = structure + self._scores[
            :, self._columns.url_row(url)
        ].sum(axis=1)
        best, chosen = int(structure.argmax()), int(bits.argmax())
        lag = structure[best] - structure[chosen]
        is_clear = lag > self._deficits[chosen] + self._settings.clear_structure_bits
        return structure if is_clear else bits

    def of_url(self, url: str) -> Classification:
        """The class by the URL alone: for a page that is not there.

        How common a class is says how many of the pages with such URLs are its own: the priors
        weigh what is said by the structure of pages.
        """
        matching = [
            one
            for one in self.model.classes
            if re.fullmatch(one.url_pattern, path_and_query(url)) is not None
        ]
        if not matching:
            return Classification(url, None, 0.0, 0.0, None)
        bits = self._scores[:, self._columns.url_row(url)].sum(axis=1) + self._url_priors
        allowed = np.array([one in matching for one in self.model.classes])
        return self.decide(url, np.where(allowed, bits, -np.inf), None)

    def _stub(self, url: str) -> Classification:
        """A stub stands for a page of the class whose URLs look like its own."""
        number = self._patterns_of_stubs.class_of(url) if self._has_url(url) else NO_CLASS
        stubs = [one for one in self.model.classes if one.is_stub]
        chosen = stubs if number == NO_CLASS else [self.model.classes[number]]
        if not chosen:
            return Classification(url, None, 0.0, 0.0, None)
        return Classification(url, chosen[0].name, 0.0, chosen[0].url_precision, None)

    @cached_property
    def _patterns_of_stubs(self) -> StubPatterns:
        """Of the URLs of pages that the model names."""
        return StubPatterns(
            [() if one.is_stub else one.pages or one.samples for one in self.model.classes]
        )

    def _bits(self, row: np.typing.NDArray[np.int64]) -> np.typing.NDArray[np.float64]:
        bits: np.typing.NDArray[np.float64] = self._scores[:, row].sum(axis=1) + self._priors
        return bits

    def decide(
        self,
        url: str,
        bits: np.typing.NDArray[np.float64],
        fits: np.typing.NDArray[np.bool_] | None,
    ) -> Classification:
        """The class with the most bits; `fits` says for each class whether the page can be its."""
        order = np.argsort(-bits, kind="stable")
        best = int(order[0])
        second = int(order[1]) if len(order) > 1 and np.isfinite(bits[order[1]]) else None
        ahead = float(bits[best] - bits[second]) if second is not None else MOST_BITS
        confidence = 1 / (1 + 2.0 ** -min(max(ahead, 0.0), MOST_BITS))
        name = self.model.classes[best].name
        runner_up = None if second is None else self.model.classes[second].name
        cost = 0.0 - round(float(bits[best]), 2)  # the minus sign alone would make -0.0 of 0.0
        if fits is not None and not fits[best]:
            return Classification(url, None, cost, 0.0, name)
        return Classification(url, name, cost, round(confidence, 4), runner_up)


def structure_fit(
    row: np.typing.NDArray[np.int64], unknown: int, shares: np.typing.NDArray[np.float64]
) -> np.typing.NDArray[np.float64]:
    """How much of its structure a page has in common with each class, between 0 and 1.

    Of each class it is known which share of its pages has each mark. `unknown` counts the marks of
    the page that no class has.
    """
    common = shares[:, row].sum(axis=1)
    either = shares.sum(axis=1) - common + len(row) + unknown
    fits: np.typing.NDArray[np.float64] = common / np.maximum(either, 1)
    return fits


def _site_host(url: str) -> tuple[str, int | None] | None:
    """The host and port of a web URL, the same with and without `www.`; None for other URLs."""
    known = canonical(url)
    if known is None:
        return None
    split = parts(known)
    return split.host.removeprefix("www."), split.port
