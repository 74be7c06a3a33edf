"""Which class a page belongs to, how sure that is, and whether it belongs to any."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sitewright.classes.address_pattern import path_and_query
from sitewright.classes.cost import PAPER_COSTS, encoding_cost
from sitewright.classes.facts import PageFacts, page_facts, structure_facts
from sitewright.classes.fit import TRUST
from sitewright.classes.sample import Columns
from sitewright.html import Document, Labelling, PathVocabulary

if TYPE_CHECKING:
    from sitewright.classes.model import SiteModel

MOST_BITS = 30.0
"""Beyond this difference a decision is as sure as it gets."""
_SLACK = 20.0


@dataclass(frozen=True, slots=True)
class Classification:
    """The class of one page; None where none fits."""

    url: str
    page_class: str | None
    cost: float
    """Bits (or the papers' units) that the page costs with the help of the class."""
    confidence: float
    """Between 0 and 1: how much better the class is than the next one."""
    runner_up: str | None

    def as_json(self) -> dict[str, Any]:
        """The object that `sitewright classify` prints."""
        data = asdict(self)
        return {"url": data.pop("url"), "class": data.pop("page_class"), **data}


class Classifier:
    """Classifies pages with a site model."""

    def __init__(self, model: SiteModel) -> None:
        self.model = model
        self.vocabulary = PathVocabulary(Labelling.CLASSES)
        paths = [0]
        for parent, label in model.paths[1:]:
            paths.append(self.vocabulary.extend(paths[parent], label))
        self._schemas = [[paths[path] for path in one.schema] for one in model.classes]
        columns = np.array([paths[place] for place in model.path_columns], dtype=np.int32)
        # The vocabulary is a new one, and columns must stand in the order of its paths.
        order = np.argsort(columns, kind="stable")
        self._columns = Columns(
            columns[order],
            np.zeros(len(columns), dtype=np.int32),
            model.address_columns,
            model.skip,
        )
        self._scores = np.zeros((len(model.classes), len(self._columns)))
        for row, one in enumerate(model.classes):
            for column, bits in one.scores.items():
                self._scores[row, column] = bits
        self._scores[:, : len(order)] = self._scores[:, order]
        self._priors = np.array([one.prior for one in model.classes])
        self._worst = np.array([one.worst for one in model.classes])

    def classify(self, document: Document) -> Classification:
        """The class of a page."""
        return self.of_facts(self.facts(document))

    def facts(self, document: Document) -> PageFacts:
        """What `of_facts` needs to know of a page; the papers' method looks at links only."""
        if self.model.method == "paper":
            return page_facts(document, self.vocabulary, lambda url: url)
        return structure_facts(document, self.vocabulary)

    def of_facts(self, page: PageFacts) -> Classification:
        """The class of a page whose facts are over this classifier's vocabulary."""
        if self.model.method == "paper":
            return self._by_encoding(page)
        if page.is_stub:
            return self._stub(page.url)
        structure = np.array([one.is_stub for one in self.model.classes])
        bits = self._bits(self._columns.row(page))
        bits[structure] = -np.inf if not structure.all() else bits[structure]
        return self._decided(page.url, bits, self._worst)

    def of_address(self, url: str) -> Classification:
        """The class by the address alone: for a page that is not there."""
        matching = [
            one
            for one in self.model.classes
            if re.fullmatch(one.url_pattern, path_and_query(url)) is not None
        ]
        if not matching:
            return Classification(url, None, 0.0, 0.0, None)
        bits = self._bits(self._columns.address_row(url))
        allowed = np.array([one in matching for one in self.model.classes])
        return self._decided(url, np.where(allowed, bits, -np.inf), None)

    def _stub(self, url: str) -> Classification:
        """A stub stands for a page of the class whose addresses look like its own."""
        trusted = [
            one
            for one in self.model.classes
            if not one.is_stub
            and one.url_precision >= TRUST
            and one.visited > 1
            and re.fullmatch(one.url_pattern, path_and_query(url)) is not None
        ]
        chosen = trusted or [one for one in self.model.classes if one.is_stub]
        if not chosen:
            return Classification(url, None, 0.0, 0.0, None)
        runner_up = chosen[1].name if len(chosen) > 1 else None
        return Classification(url, chosen[0].name, 0.0, chosen[0].url_precision, runner_up)

    def _bits(self, row: np.typing.NDArray[np.int64]) -> np.typing.NDArray[np.float64]:
        bits: np.typing.NDArray[np.float64] = self._scores[:, row].sum(axis=1) + self._priors
        return bits

    def _decided(
        self,
        url: str,
        bits: np.typing.NDArray[np.float64],
        worst: np.typing.NDArray[np.float64] | None,
    ) -> Classification:
        order = np.argsort(-bits, kind="stable")
        best = int(order[0])
        second = int(order[1]) if len(order) > 1 and np.isfinite(bits[order[1]]) else None
        ahead = float(bits[best] - bits[second]) if second is not None else MOST_BITS
        confidence = 1 / (1 + 2.0 ** -min(max(ahead, 0.0), MOST_BITS))
        # A page fits where the class saves anything, or hardly less than for the worst of its own.
        evidence = bits[best] - self._priors[best]
        fits = worst is None or evidence > 0 or bits[best] >= worst[best] - _SLACK
        name = self.model.classes[best].name
        runner_up = None if second is None else self.model.classes[second].name
        if not fits:
            return Classification(url, None, round(-float(bits[best]), 2), 0.0, name)
        return Classification(
            url, name, round(-float(bits[best]), 2), round(confidence, 4), runner_up
        )

    def _by_encoding(self, page: PageFacts) -> Classification:
        """The papers' way: the class that minimises `enc(p|C)`."""
        costs = np.array([encoding_cost(page.schema, one, PAPER_COSTS) for one in self._schemas])
        found = self._decided(page.url, -costs, None)
        ratio = 1 - float(np.sort(costs)[0] / max(np.sort(costs)[1], 1e-9)) if len(costs) > 1 else 1
        return Classification(
            page.url, found.page_class, found.cost, round(min(ratio, 1.0), 4), found.runner_up
        )
