"""True skeletons, read from files, and what both methods learn from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urljoin

import numpy as np

from sitewright.errors import InputNotFound, MissingExtra, UnreadableInput
from sitewright.methods import Trained
from sitewright.papers.liu import (
    FEATURE_NAMES,
    SewParameters,
    combined_confidence,
    feature_values,
    link_nodes,
    prob,
)
from sitewright.settings import current
from sitewright.site import Missing
from sitewright.skeleton.parent_features import PRIOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from sitewright.papers.liu import Analysis, LinkNode
    from sitewright.site import Site
    from sitewright.skeleton.parent_features import ParentCandidates

    Numbers = NDArray[np.float64]


_MARKS = ("home", "group", "optional", "neutral", "alt", "dropped")


@dataclass(frozen=True, slots=True)
class SkeletonTruth:
    """The true tree of a site, pages named by their path below the site's root."""

    home: str
    parents: Mapping[str, str]
    """The parent of every page but the home page, in the order of the site."""
    levels: Mapping[str, int]
    optional: frozenset[str] = frozenset()
    """Pages that are in the tree, but not counted as missed."""
    neutral: frozenset[str] = frozenset()
    """Pages that count neither for nor against."""
    alternatives: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Equally good parents of a page."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Redirect pages and the pages that they lead to."""

    def accepts(self, parent: str, child: str) -> bool:
        """Whether this is a true edge, or as good as one."""
        return self.parents.get(child) == parent or parent in self.alternatives.get(child, ())

    def accepted_levels(self, page: str) -> frozenset[int]:
        """The level of a page, and those below its other good parents; none if it has no place."""
        if page not in self.levels:
            return frozenset()
        known = (self.levels.get(parent, -1) for parent in self.alternatives.get(page, ()))
        return frozenset({self.levels[page], *(level + 1 for level in known if level >= 0)})

    def children(self, page: str) -> list[str]:
        """The pages one level below a page."""
        return [child for child, parent in self.parents.items() if parent == page]


def read_skeleton_truth(path: Path, redirects: Path | None = None) -> SkeletonTruth:
    """Read `parent<TAB>child<TAB>title<TAB>level` lines, and the `# mark` lines in front of them.

    `# dropped` pages (too deep to be in the file) are neutral; `# group` lines, headings without
    a page, change nothing: their pages hang one level up.
    """
    marks: dict[str, list[list[str]]] = {mark: [] for mark in _MARKS}
    parents: dict[str, str] = {}
    levels: dict[str, int] = {}
    for number, line in enumerate(_lines(path), start=1):
        fields = line.split("\t")
        if line.startswith("# "):
            marks.get(fields[0][2:].strip(), []).append(fields[1:])
        elif line and not line.startswith("#"):
            if len(fields) != 4 or not fields[3].isdigit():
                raise UnreadableInput(
                    str(path), f"line {number}: expected parent, child, title, level"
                )
            parents[fields[1]] = fields[0]
            levels[fields[1]] = int(fields[3])
    if not marks["home"] or not parents:
        raise UnreadableInput(str(path), "no home page or no edges in this file")
    home = marks["home"][0][0]
    alternatives: dict[str, set[str]] = {}
    for page, parent, *_ in marks["alt"]:
        alternatives.setdefault(page, set()).add(parent)
    return SkeletonTruth(
        home=home,
        parents=parents,
        levels={home: 0, **levels},
        optional=frozenset(fields[0] for fields in marks["optional"]),
        neutral=frozenset(fields[0] for fields in marks["neutral"] + marks["dropped"]),
        alternatives={page: frozenset(others) for page, others in alternatives.items()},
        aliases=_aliases(redirects) if redirects is not None else {},
    )


def page_path(url: str, home: str) -> str:
    """What the truth calls a page: its path below the folder of the home page, unescaped."""
    root = urljoin(home, ".")
    return unquote(url.removeprefix(root))


def _aliases(path: Path) -> dict[str, str]:
    pairs = (line.split("\t") for line in _lines(path) if line and not line.startswith("#"))
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise InputNotFound(str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableInput(str(path), f"cannot be read as a skeleton: {error}") from None


# The paper's own training data and measures of its two steps (Liu et al. 2004, section 4.2).

WAVE = 32


async def navigation_link_sets(
    site: Site, truth: SkeletonTruth, depth: int
) -> list[tuple[float, ...]]:
    """The feature values of the true navigation link sets, to `depth`, for training.

    The navigation link set of a page is the first link to each of its children; a page without
    links to them (they are listed elsewhere) has none.
    """
    parents = [
        page
        for page in dict.fromkeys(truth.parents.values())
        if truth.levels.get(page, depth) < depth
    ]
    found = []
    for start in range(0, len(parents), WAVE):
        urls = [_url(site, page) for page in parents[start : start + WAVE]]
        for outcome in await site.fetch(urls):
            if isinstance(outcome, Missing):
                continue
            page = page_path(outcome.url, site.home)
            children = set(truth.children(page))
            links = _first_links(link_nodes(outcome.document()), site, truth, children)
            if links:
                found.append(feature_values(links, outcome.url, site.home))
    return found


@dataclass(frozen=True, slots=True)
class StepScores:
    """The paper's measures of finding candidates (cg) and of choosing among them (ns)."""

    p_cg: float
    r_cg: float
    p_ns: float

    @property
    def f_cg(self) -> float:
        """The harmonic mean of p_cg and r_cg."""
        total = self.p_cg + self.r_cg
        return 2 * self.p_cg * self.r_cg / total if total else 0.0


def step_scores(analyses: Mapping[str, Analysis], site: Site, truth: SkeletonTruth) -> StepScores:
    """p_cg, r_cg and p_ns over the analysed pages that are in the true tree and have children.

    The navigation link set of a page are its links to its children, as in training: children that
    it does not link to are none of it.
    """
    least = current().papers.liu.min_contained
    precisions, recalls, picked = [], [], []
    for url, analysis in analyses.items():
        below = set(truth.children(page_path(url, site.home)))
        children = below & _targets(analysis.links, site, truth)
        if not children:
            continue
        candidates = [one.links for one in analysis.ranked]
        counts = [len(_targets(links, site, truth) & children) for links in candidates]
        most = max(counts, default=0)
        best = candidates[counts.index(most)] if most else ()
        precisions.append(most / len(best) if best else 0.0)
        recalls.append(most / len(children))
        if most >= least * len(children):
            picked.append(float(analysis.chosen == best))
    return StepScores(_mean(precisions), _mean(recalls), _mean(picked))


def _targets(links: Sequence[LinkNode], site: Site, truth: SkeletonTruth) -> set[str]:
    return {page for link in links if (page := _page(link, site, truth)) is not None}


def _first_links(
    nodes: Sequence[LinkNode], site: Site, truth: SkeletonTruth, children: set[str]
) -> list[LinkNode]:
    first: dict[str, LinkNode] = {}
    for node in nodes:
        page = _page(node, site, truth)
        if page in children and page is not None:
            first.setdefault(page, node)
    return list(first.values())


def _page(link: LinkNode, site: Site, truth: SkeletonTruth) -> str | None:
    url = site.page_url(link.url) if link.url else None
    if url is None:
        return None
    page = page_path(url, site.home)
    return truth.aliases.get(page, page)


def _url(site: Site, page: str) -> str:
    return urljoin(urljoin(site.home, "."), quote(page, safe="/!$&'()*+,=:@"))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


# Learning from labelled skeletons: the paper's norms, and the weights of our evidence.
#
# The parent of a page is one of its candidates, with a chance in proportion to exp(w . x), where x
# is the evidence (a conditional logit). Each weight keeps the sign that its evidence must have in
# any site, so that few labelled sites suffice. Learning the weights needs the extra `evaluate`
# (SciPy); what comes with the package are the weights.

Case = tuple["Numbers", "NDArray[np.bool_]", float]
"""The evidence of a page's candidates, which of them are right, and the weight of the page."""
PENALTY = 0.02
"""How strongly the weights are held to the prior ones: few sites must not move them far."""


@dataclass(frozen=True, slots=True)
class TrainingCase:
    """What one labelled site teaches."""

    link_sets: tuple[tuple[float, ...], ...]
    """The feature values of its navigation link sets, for the paper's method."""
    cases: tuple[Case, ...]
    """The evidence for and against the candidate parents of its pages, for ours."""


def paper_parameters(training_cases: Iterable[TrainingCase]) -> SewParameters:
    """Mean and standard deviation of each feature and of the combined confidence (section 4.2)."""
    values = np.array([row for training_case in training_cases for row in training_case.link_sets])
    if not len(values):
        values = np.zeros((1, len(FEATURE_NAMES)))
    means, deviations = values.mean(axis=0).tolist(), values.std(axis=0).tolist()
    untested = SewParameters(tuple(means), tuple(deviations), 0.0, 0.0, 0.0)
    combined = np.array([combined_confidence(row, untested) for row in values.tolist()])
    mean, deviation = float(combined.mean()), float(combined.std())
    lowest = prob(float(combined.min()), mean, deviation)
    return SewParameters(tuple(means), tuple(deviations), mean, deviation, lowest)


def evidence_weights(training_cases: Sequence[TrainingCase]) -> dict[str, float]:
    """The weights under which the true parents are likeliest; every site counts the same."""
    cases: list[Case] = []
    for training_case in training_cases:
        total = sum(weight for _, _, weight in training_case.cases)
        cases += [(rows, right, weight / total) for rows, right, weight in training_case.cases]
    prior = np.array(list(PRIOR.values()))
    weights = likeliest_weights(cases, prior) if cases else prior
    return dict(zip(PRIOR, weights.tolist(), strict=True))


def likeliest_weights(cases: Sequence[Case], prior: Numbers, penalty: float = PENALTY) -> Numbers:
    """The weights of greatest likelihood, with a quadratic penalty on what differs from the prior.

    A weight never takes the other sign than its prior one; where that is zero, it is free.
    """
    minimize = minimizer()
    bounds = [(0.0 if sign > 0 else None, 0.0 if sign < 0 else None) for sign in prior.tolist()]
    loss = _Loss.of(cases, prior, penalty)
    found = minimize(loss, prior, jac=True, method="L-BFGS-B", bounds=bounds)
    weights: Numbers = found.x
    return weights


def minimizer() -> Callable[..., Any]:
    """SciPy's `minimize`; long work that ends with training asks for it before it begins."""
    try:
        from scipy.optimize import minimize  # type: ignore[import-untyped]  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("evaluate", "learning from labelled sites") from None
    found: Callable[..., Any] = minimize
    return found


@dataclass(frozen=True, slots=True)
class _Loss:
    """The penalised negative log-likelihood of the true parents, with its gradient."""

    rows: Numbers
    """The evidence of all candidates, one page after the other."""
    right: NDArray[np.bool_]
    starts: NDArray[np.int64]
    """The first row of each page."""
    case_of: NDArray[np.int64]
    """The page of each row."""
    importance: Numbers
    prior: Numbers
    penalty: float

    @classmethod
    def of(cls, cases: Sequence[Case], prior: Numbers, penalty: float) -> _Loss:
        sizes = np.array([len(rows) for rows, _, _ in cases])
        importance = np.array([weight for _, _, weight in cases])
        return cls(
            rows=np.concatenate([rows for rows, _, _ in cases]),
            right=np.concatenate([right for _, right, _ in cases]),
            starts=np.concatenate([[0], np.cumsum(sizes)[:-1]]),
            case_of=np.repeat(np.arange(len(sizes)), sizes),
            importance=importance / importance.sum(),
            prior=prior,
            penalty=penalty,
        )

    def __call__(self, weights: Numbers) -> tuple[float, Numbers]:
        scores = self.rows @ weights
        scores -= np.maximum.reduceat(scores, self.starts)[self.case_of]
        chances = np.exp(scores)
        chances /= np.add.reduceat(chances, self.starts)[self.case_of]
        hits = np.where(self.right, chances, 0.0)
        hit = np.maximum(np.add.reduceat(hits, self.starts), 1e-300)
        pull = (hits / hit[self.case_of] - chances) * self.importance[self.case_of]
        away = weights - self.prior
        loss = self.penalty / 2 * float(away @ away) - float(self.importance @ np.log(hit))
        return loss, self.penalty * away - self.rows.T @ pull


def candidate_cases(
    choices: Iterable[ParentCandidates],
    accepts: Callable[[str, str], bool],
    siblings: Callable[[str], int],
) -> tuple[Case, ...]:
    """The cases of a site: pages that have a true parent among their candidates.

    `siblings` is how many children a page's true parent has. Its pages share a weight that grows
    with the square root of their number: a list of hundreds is not a hundred times as instructive.
    """
    cases = []
    for choice in choices:
        right = np.array([accepts(parent, choice.page) for parent in choice.parents])
        if right.any():
            cases.append((choice.rows, right, 1 / sqrt(max(1, siblings(choice.page)))))
    return tuple(cases)


def train(training_cases: Sequence[TrainingCase]) -> Trained:
    """Learn the numbers of both methods from labelled sites."""
    return Trained(paper_parameters(training_cases), evidence_weights(training_cases))
