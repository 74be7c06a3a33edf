"""How well page classes agree with true ones: the papers' experiment on classification."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from sitewright.errors import UnreadableInput
from sitewright.evaluate.measures import (
    ConfusionMatrix,
    class_f,
    entropy,
    f_star,
    purity,
    read_labels,
)
from sitewright.methods import discover, site_classifier
from sitewright.site import Page
from sitewright.site.folder import FolderSite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sitewright.classes import SiteModel
    from sitewright.crawl.waves import CrawlPlan
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
        }

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
_PUBLIC_ADDRESS = {"smartline": "https://smartline1.github.io/legacy-site/"}


@dataclass(frozen=True, slots=True)
class ClassSite:
    """A folder with a label for each page."""

    name: str
    folder: Path
    labels: Path
    home: str | None = None
    base_url: str | None = None

    def open(self) -> Site:
        """Open the site anew."""
        return FolderSite(self.folder, home=self.home, base_url=self.base_url)

    def truth(self) -> dict[str, str]:
        """The label of each page but neutral ones, by its path on the host."""
        inside = urlsplit(self.base_url).path.lstrip("/") if self.base_url else ""
        return {
            inside + path: label
            for path, label in read_labels(self.labels).items()
            if not _NEUTRAL_LABEL.match(label)
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
