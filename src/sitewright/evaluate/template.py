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
import tarfile
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.methods import distill
from sitewright.page import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

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
            raise UnreadableInput(str(path), f"not an archive of sites: {error}") from None
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
