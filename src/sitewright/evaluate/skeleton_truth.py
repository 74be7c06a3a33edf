"""True skeletons, read from files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin

from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.papers.liu import feature_values, link_nodes
from sitewright.site import Missing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sitewright.papers.liu import Analysis, LinkNode
    from sitewright.site import Site


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
    """Redirect stubs and the pages that they lead to."""

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
CONTAINS = 0.5
"""A candidate contains a page's navigation link set if it has at least half of it."""


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
    """p_cg, r_cg and p_ns over the analysed pages that are in the true tree and have children."""
    precisions, recalls, picked = [], [], []
    for url, analysis in analyses.items():
        children = set(truth.children(page_path(url, site.home)))
        if not children:
            continue
        counts = [len(_targets(links, site, truth) & children) for links in analysis.candidates]
        most = max(counts, default=0)
        best = analysis.candidates[counts.index(most)] if most else ()
        precisions.append(most / len(best) if best else 0.0)
        recalls.append(most / len(children))
        if most >= CONTAINS * len(children):
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
