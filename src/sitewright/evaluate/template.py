"""How well a template agrees with the true one (Geraci and Maggini 2011, section 3.1).

Data: folders with `pages/` and `truth.json`, which holds the template's `tokens` in document order
and, in `frequent_not_in_truth`, tokens that the truth lacks. Of these the links to the two pages
that the truth was made from, and the marks of the current page, count neither for nor against; the
others count against.

Tokens are compared over the multiset, as in the paper, and in order: what the longest common
subsequence of both holds.
"""

from __future__ import annotations

import json
import random
import re
import tarfile
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.methods import distill
from sitewright.page import Document, TokenKind, source_tokens
from sitewright.page.elements import VOID
from sitewright.settings import current
from sitewright.template.template import Template, TemplateToken

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence, Set

    from numpy.typing import NDArray

    from sitewright.choices import Method


_NEUTRAL = ("names a blank page", "current/active marker")
"""How the truth says that a token counts neither for nor against."""


class TemplateScores(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float

    @property
    def f(self) -> float:
        """The F-measure."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class TemplateSite:
    """A site whose template is known."""

    name: str
    pages: tuple[Path, ...]
    truth: tuple[str, ...]
    neutral: frozenset[str]

    def sample(self, size: int, seed: int) -> list[Document]:
        """Some pages, drawn at random and parsed."""
        chosen = random.Random(seed).sample(self.pages, min(size, len(self.pages)))  # noqa: S311
        return [Document(path.read_bytes(), path.name) for path in chosen]


@dataclass(frozen=True, slots=True)
class TemplateResult:
    """A template that was distilled from pages of a site, and how it did."""

    site: str
    pages: int
    tokens: int
    multiset: TemplateScores
    ordered: TemplateScores
    jaccard: float
    """How much of it another order of the same pages, and another seed, give too."""
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """One flat object."""
        return {
            "site": self.site,
            "pages": self.pages,
            "precision": round(self.multiset.precision, 4),
            "recall": round(self.multiset.recall, 4),
            "f": round(self.multiset.f, 4),
            "tokens": self.tokens,
            "ordered_precision": round(self.ordered.precision, 4),
            "ordered_recall": round(self.ordered.recall, 4),
            "ordered_f": round(self.ordered.f, 4),
            "jaccard": round(self.jaccard, 4),
            "seconds": round(self.seconds, 2),
        }


def multiset_scores(
    found: Sequence[str], truth: Sequence[str], neutral: Set[str]
) -> TemplateScores:
    """Tokens of the template that are true, each as often as both have it."""
    ours, true = Counter(found), Counter(truth)
    right = (ours & true).total()
    wrong = sum(count for token, count in (ours - true).items() if token not in neutral)
    return _scores(right, wrong, len(truth))


def ordered_scores(found: Sequence[str], truth: Sequence[str], neutral: Set[str]) -> TemplateScores:
    """Tokens of the template that are true and stand in the truth's order."""
    right = common_in_order(found, truth)
    spare = Counter(found) - Counter(truth)
    excused = sum(count for token, count in spare.items() if token in neutral)
    return _scores(right, len(found) - right - excused, len(truth))


def _scores(right: int, wrong: int, true: int) -> TemplateScores:
    return TemplateScores(right / (right + wrong) if right else 0.0, right / true if true else 0.0)


def common_in_order(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    numbers: dict[str, int] = {}
    long = np.array([numbers.setdefault(token, len(numbers)) for token in second], dtype=np.int32)
    best = np.zeros(len(second) + 1, dtype=np.int32)
    for token in first:
        matches = best[:-1] + (long == numbers.get(token, -1))
        best[1:] = np.maximum.accumulate(np.maximum(best[1:], matches))
    return int(best[-1])


def jaccard(first: Sequence[str], second: Sequence[str]) -> float:
    """How much two multisets of tokens have in common: 1 if they are equal."""
    ours, theirs = Counter(first), Counter(second)
    union = (ours | theirs).total()
    return (ours & theirs).total() / union if union else 1.0


def run_site(site: TemplateSite, size: int, method: Method, seed: int) -> TemplateResult:
    """Distil a sample of a site's pages and score it; then once more in another order."""
    documents = site.sample(size, seed)
    begin = time.perf_counter()
    found = _spellings(documents, method, seed)
    seconds = time.perf_counter() - begin
    again = _spellings(documents[::-1], method, seed + 1)
    return TemplateResult(
        site=site.name,
        pages=len(documents),
        tokens=len(found),
        multiset=multiset_scores(found, site.truth, site.neutral),
        ordered=ordered_scores(found, site.truth, site.neutral),
        jaccard=jaccard(found, again),
        seconds=seconds,
    )


def _spellings(documents: Sequence[Document], method: Method, seed: int) -> list[str]:
    return [token.spelling for token in distill(documents, method=method, seed=seed)]


def site_sizes(site: TemplateSite) -> dict[str, Any]:
    """A row of the paper's table 1: tokens of a typical page, and of the template."""
    counts = [
        sum(token.in_source for token in source_tokens(Document(path.read_bytes(), path.name)))
        for path in site.pages
    ]
    return {
        "site": site.name,
        "pages": len(site.pages),
        "tokens": round(sum(counts) / len(counts)),
        "template_tokens": len(site.truth),
    }


def read_true_template(file: Path) -> Template:
    """A template made by hand: `tokens` in document order, as in truth.json or template.json."""
    try:
        tokens = [str(token) for token in json.loads(file.read_text(encoding="utf-8"))["tokens"]]
    except FileNotFoundError:
        raise InputNotFound(str(file)) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnreadableInput(str(file), f"no JSON object with tokens: {error}") from None
    return Template(tuple(TemplateToken(_kind(one), one, 1.0) for one in tokens), 0, "by hand")


_TAG = re.compile(r"<(/?)([a-zA-Z][^\s>]*)(?:\s[^>]*)?>")


def _kind(spelling: str) -> TokenKind:
    found = _TAG.fullmatch(spelling)
    if found is None:
        return TokenKind.TEXT
    if found[1]:
        return TokenKind.END
    return TokenKind.VOID if found[2].lower() in VOID else TokenKind.START


def average(trials: Sequence[TemplateResult]) -> dict[str, Any]:
    """The means over sites, and the worst F."""
    rows = [trial.as_json() for trial in trials]
    means = {
        name: round(sum(row[name] for row in rows) / len(rows), 4)
        for name in rows[0]
        if name not in {"site", "pages"}
    }
    return {
        "site": "all",
        "pages": max(trial.pages for trial in trials),
        **means,
        "lowest_f": min(row["f"] for row in rows),
    }


@contextmanager
def template_sites(path: Path) -> Iterator[list[TemplateSite]]:
    """The sites of a folder, or of a packed one (.tar.xz), which is unpacked for the while."""
    if not path.exists():
        raise InputNotFound(str(path))
    if path.is_dir():
        yield _read_sites(path)
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            with tarfile.open(path) as archive:
                archive.extractall(folder, filter="data")
        except (OSError, tarfile.TarError) as error:
            why = str(error).partition("\n")[0]
            raise UnreadableInput(str(path), f"not an archive of sites: {why}") from None
        yield _read_sites(Path(folder))


def _read_sites(folder: Path) -> list[TemplateSite]:
    sites = [_read_site(truth) for truth in sorted(folder.rglob("truth.json"))]
    if not sites:
        raise UnreadableInput(str(folder), "no truth.json in any folder of it")
    return sites


def _read_site(truth_file: Path) -> TemplateSite:
    try:
        truth = json.loads(truth_file.read_text(encoding="utf-8"))
        tokens = tuple(map(str, truth["tokens"]))
        frequent = truth.get("frequent_not_in_truth", [])
        neutral = {
            item["token"] for item in frequent if any(why in item["why"] for why in _NEUTRAL)
        }
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableInput(str(truth_file), f"not the truth of a template: {error}") from None
    folder = truth_file.parent
    pages = tuple(sorted((folder / "pages").glob("*.htm*")))
    if len(pages) < 2:
        raise UnreadableInput(str(folder), "fewer than two pages")
    return TemplateSite(folder.name, pages, tokens, frozenset(neutral))


# Text clustering before and after a template is removed (Geraci and Maggini 2011, section 3.2).

_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """Unit vectors of texts over their words, row after row: only what is not zero is kept."""

    words: NDArray[np.int32]
    weights: NDArray[np.float64]
    starts: NDArray[np.int64]
    """Where each text's words begin, and behind the last where all end."""
    vocabulary: int

    @classmethod
    def of(cls, texts: Sequence[str]) -> WordVectors:
        """Count the words of texts: often in this text, and in few others."""
        counted = [Counter(_WORD.findall(text.lower())) for text in texts]
        spread = Counter(word for counts in counted for word in counts)
        numbers = {word: number for number, word in enumerate(sorted(spread))}
        rows = [
            [(numbers[word], count * log(len(texts) / spread[word])) for word, count in row.items()]
            for row in counted
        ]
        flat = np.array([pair for row in rows for pair in row], dtype=np.float64).reshape(-1, 2)
        starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        vectors = cls(flat[:, 0].astype(np.int32), flat[:, 1], starts, len(numbers))
        lengths = np.sqrt(vectors._row_sums(vectors.weights**2))
        per_word = np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(starts))
        return cls(vectors.words, vectors.weights / per_word, starts, len(numbers))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def distances(self, row: int) -> NDArray[np.float64]:
        """How far each text is from one of them: one minus the cosine."""
        centre = np.zeros(self.vocabulary)
        here = slice(self.starts[row], self.starts[row + 1])
        centre[self.words[here]] = self.weights[here]
        return 1.0 - self._row_sums(self.weights * centre[self.words])

    def _row_sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        running = np.concatenate([[0.0], np.cumsum(values)])
        sums: NDArray[np.float64] = running[self.starts[1:]] - running[self.starts[:-1]]
        return sums


def furthest_point_first(vectors: WordVectors, clusters: int, first: int) -> list[int]:
    """The cluster of each text (Gonzalez 1985).

    Each new centre is the text that is furthest from all centres so far; then every text belongs
    to its nearest centre, of several to the earliest.
    """
    nearest = vectors.distances(first)
    assigned = np.zeros(len(vectors), dtype=np.int32)
    for cluster in range(1, clusters):
        from_centre = vectors.distances(int(np.argmax(nearest)))
        closer = from_centre < nearest
        assigned[closer] = cluster
        nearest = np.minimum(nearest, from_centre)
    found: list[int] = assigned.tolist()
    return found


@dataclass(frozen=True, slots=True)
class ClusterTable:
    """How many pages each true category and each cluster have in common."""

    shared: Counter[tuple[Hashable, Hashable]]
    categories: Counter[Hashable]
    clusters: Counter[Hashable]

    @classmethod
    def of(cls, categories: Sequence[Hashable], clusters: Sequence[Hashable]) -> ClusterTable:
        """Count pairs."""
        return cls(
            Counter(zip(categories, clusters, strict=True)), Counter(categories), Counter(clusters)
        )

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return self.shared.total()

    def f_measure(self) -> float:
        """The best F of each category with any cluster, weighted by the category's size."""
        best = dict.fromkeys(self.categories, 0.0)
        for (true, cluster), both in self.shared.items():
            harmonic = 2 * both / (self.categories[true] + self.clusters[cluster])
            best[true] = max(best[true], harmonic)
        return sum(best[true] * size for true, size in self.categories.items()) / self.pages

    def purity(self) -> float:
        """The part of pages that are of their cluster's largest category.

        The paper's formula multiplies by the cluster's size once too often to stay below 1.
        """
        largest: Counter[Hashable] = Counter()
        for (_true, cluster), both in self.shared.items():
            largest[cluster] = max(largest[cluster], both)
        return largest.total() / self.pages

    def nmi(self) -> float:
        """Mutual information, times 2 / log(|C||GT|)."""
        information = sum(
            both / self.pages * log(both * self.pages / (self.categories[t] * self.clusters[c]))
            for (t, c), both in self.shared.items()
        )
        possible = log(len(self.clusters) * len(self.categories))
        return 2 * information / possible if possible else 1.0

    def nce(self) -> float:
        """One minus the entropy of categories in each cluster, weighted by the cluster's size.

        As in Strehl (2002), whom the paper cites: the paper's own sum has no weights and leaves
        [0, 1]; `nce_as_printed` is that.
        """
        entropy = -sum(
            both / self.pages * log(both / self.clusters[cluster])
            for (_true, cluster), both in self.shared.items()
        )
        return 1 - entropy / log(len(self.categories)) if len(self.categories) > 1 else 1.0

    def nce_as_printed(self) -> float:
        """One minus the sum over clusters of the entropy of recalls, over log|GT|."""
        recalls = [both / self.categories[true] for (true, _), both in self.shared.items()]
        entropy = -sum(recall * log(recall) for recall in recalls)
        return 1 - entropy / log(len(self.categories)) if len(self.categories) > 1 else 1.0


def cluster_texts(
    texts: Sequence[str], categories: Sequence[str], *, starts: int | None = None, seed: int = 0
) -> dict[str, Any]:
    """Cluster texts into as many clusters as there are categories; the means over some starts."""
    starts = current().papers.geraci.starts if starts is None else starts
    begin = time.perf_counter()
    vectors = WordVectors.of(texts)
    firsts = random.Random(seed).choices(range(len(texts)), k=starts)  # noqa: S311
    number = len(set(categories))
    tables = [
        ClusterTable.of(categories, furthest_point_first(vectors, number, first))
        for first in firsts
    ]
    seconds = time.perf_counter() - begin
    measures = ("f_measure", "purity", "nmi", "nce", "nce_as_printed")
    means = {
        name: round(sum(getattr(table, name)() for table in tables) / starts, 4)
        for name in measures
    }
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    return {**means, "bytes": size, "words": vectors.vocabulary, "seconds": round(seconds, 3)}
