"""How well page classes agree with true ones: the papers' experiment on classification."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from sitewright.classes.naming import singular
from sitewright.errors import InvalidInput, UnreadableInput
from sitewright.evaluate.measures import (
    ConfusionMatrix,
    class_f,
    entropy,
    f_star,
    purity,
    read_labels,
)
from sitewright.methods import discover, site_classifier
from sitewright.site import Missing, Page
from sitewright.site.folder import FolderSite

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

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
    for url, label in tested_pages(truth, tested, plan.seed):
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


def tested_pages(truth: dict[str, str], most: int, seed: int) -> Sequence[tuple[str, str]]:
    """Pages with their labels, at random where there are more than `most`."""
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


_ROOT_TAG = re.compile(rb"""<(html|body)(?=[\s>/])((?:[^>"']|"[^"]*"|'[^']*')*)>""", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""([^\s=>"'/]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?""")


class _RootlessFolder(FolderSite):
    """A folder whose pages do not say in `<html>` or `<body>` what they are."""

    async def fetch(self, urls: Sequence[str]) -> list[Page | Missing]:
        return [
            replace(one, body=without_root_names(one.body)) if isinstance(one, Page) else one
            for one in await super().fetch(urls)
        ]


def without_root_names(body: bytes) -> bytes:
    """A page without the classes and ids of its `<html>` and `<body>`."""

    def kept(attribute: re.Match[bytes]) -> bytes:
        return b"" if attribute[1].lower() in {b"class", b"id"} else attribute[0]

    return _ROOT_TAG.sub(lambda tag: b"<%s%s>" % (tag[1], _ATTRIBUTE.sub(kept, tag[2])), body)


@dataclass(frozen=True, slots=True)
class ClassSite:
    """A folder with a label for each page."""

    name: str
    folder: Path
    labels: Path | None
    """None if all pages are of one class."""
    home: str | None = None
    base_url: str | None = None

    def open(self, *, has_roots: bool = True) -> Site:
        """Open the site anew; without roots, `<html>` and `<body>` have no class and no id.

        Many systems write there what kind of page it is.
        """
        kind = FolderSite if has_roots else _RootlessFolder
        return kind(self.folder, home=self.home, base_url=self.base_url)

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


def refuse_copies(sites: Sequence[ClassSite]) -> None:
    """Raise InvalidInput if a site comes twice: its copy would teach what it is tested on."""
    known: set[tuple[str, bytes]] = set()
    for site in sites:
        labels = site.labels.read_bytes() if site.labels is not None else b""
        if labels and (site.name, labels) in known:
            raise InvalidInput(site.name, "is there twice, with the same labels: leave one out")
        known.add((site.name, labels))


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
