"""Liu, Ng and Lim 2004: SEW, the skeleton of a site from the link sets of its pages.

Candidate link sets (section 3.2), the pruning heuristics (3.2.2, figure 2), six features (3.3.1),
the choice of the navigation link set (3.3.2), and the whole method (3.4).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import islice, pairwise
from math import erf, exp, pi, prod, sqrt
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from sitewright.errors import NoPages
from sitewright.page.parser import Element
from sitewright.settings import current
from sitewright.site import Missing
from sitewright.site.base import explain_missing
from sitewright.skeleton.navigation import last_step
from sitewright.skeleton.tree import Skeleton, assemble

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

    from sitewright.page import Document, Link
    from sitewright.page.parser import Node
    from sitewright.site import Site


# The paper's pruning heuristics, in its order (Liu et al. 2004, section 3.2.2 and figure 2).


def prune_link_set(
    links: Sequence[LinkNode], found_before: Collection[frozenset[str]]
) -> list[LinkNode]:
    """PRUNELINKSET: the six heuristics, one after the other."""
    kept = prune_by_anchor(links)
    kept = prune_duplicates(kept)
    kept = prune_by_style(kept)
    kept = prune_by_distance(kept)
    kept = prune_by_words(kept)
    return prune_known_sets(kept, found_before)


def prune_by_anchor(links: Sequence[LinkNode]) -> list[LinkNode]:
    """Anchor: texts or images, whichever are more."""
    return _largest_group(links, lambda link: link.is_image)


def prune_duplicates(links: Sequence[LinkNode]) -> list[LinkNode]:
    """LinkDup: of links with the same name or URL, only the first is kept.

    Two places of one page are two URLs. Links without any name are not the same because of that.
    """
    names: set[str] = set()
    urls: set[str] = set()
    kept = []
    for link in links:
        if link.full_url in urls or (link.name and link.name in names):
            continue
        kept.append(link)
        names.add(link.name)
        urls.add(link.full_url)
    return kept


def prune_by_style(links: Sequence[LinkNode]) -> list[LinkNode]:
    """Style: the largest group with the same presentation attributes along the path."""
    return _largest_group(links, lambda link: link.style)


def prune_by_distance(links: Sequence[LinkNode]) -> list[LinkNode]:
    """DisDiff: what stands before the largest distance, if that is much larger than the rest.

    The distance of two links is the difference of their numbers. Much larger: above the mean of
    the other distances by three of their standard deviations, taken as 1 where they are smaller.
    """
    settings = current().papers.liu
    distances = [after.number - link.number for link, after in pairwise(links)]
    if len(distances) < 2:
        return list(links)
    largest = max(range(len(distances)), key=distances.__getitem__)
    rest = distances[:largest] + distances[largest + 1 :]
    mean = sum(rest) / len(rest)
    deviation = sqrt(sum((one - mean) ** 2 for one in rest) / len(rest))
    if distances[largest] > mean + settings.far * max(deviation, 1.0):
        return list(links[: largest + 1])
    return list(links)


def prune_by_words(links: Sequence[LinkNode]) -> list[LinkNode]:
    """MaxNumWord: nothing is kept if the names have 4 words or more on average."""
    settings = current().papers.liu
    words = sum(len(link.name.split()) for link in links)
    return [] if links and words >= settings.max_num_word * len(links) else list(links)


def prune_known_sets(
    links: Sequence[LinkNode], found_before: Collection[frozenset[str]]
) -> list[LinkNode]:
    """LinkSetDup: nothing is kept if another page's navigation link set is the same."""
    return [] if url_set(links) in found_before else list(links)


def url_set(links: Sequence[LinkNode]) -> frozenset[str]:
    """What makes two link sets the same: the URLs that they lead to."""
    return frozenset(link.full_url for link in links)


def _largest_group(
    links: Sequence[LinkNode], kind: Callable[[LinkNode], Hashable]
) -> list[LinkNode]:
    """The first of the largest groups."""
    groups: dict[Hashable, list[LinkNode]] = defaultdict(list)
    for link in links:
        groups[kind(link)].append(link)
    return max(groups.values(), key=len, default=[])


# Candidate link sets of a page (Liu et al. 2004, section 3.2).

MAX_LINK_NODES = 20_000
_MAX_DEPTH = 512
_MAX_NAME = 300
_STYLE_ATTRIBUTES = ("class", "style", "size", "color", "face", "bgcolor", "align", "valign")


@dataclass(frozen=True, slots=True)
class LinkNode:
    """An `A` node of the page (section 3.2.1)."""

    number: int
    """Its place among the link nodes, in document order."""
    href: str
    """The URL attribute, as it is written."""
    url: str
    """Where it leads; empty if to no page."""
    name: str
    """`SecName`: the anchor text, else the alternative text of its image, else nothing."""
    depth: int
    path: str
    style: str
    """Presentation attributes of the nodes on the path."""
    is_image: bool

    @property
    def full_url(self) -> str:
        """Where it leads, with the place inside the page; as it is written if to no page."""
        _, mark, fragment = self.href.partition("#")
        return f"{self.url}{mark}{fragment}" if self.url else self.href


LinkSet = tuple[LinkNode, ...]


def link_nodes(document: Document) -> list[LinkNode]:
    """The link nodes of a page: its `A` nodes that have a URL.

    All `A` nodes are numbered in document order, as the paper says: one without a URL leads
    nowhere, but keeps its neighbours apart.
    """
    known: dict[Node, tuple[int, str, str]] = {}
    found: list[LinkNode] = []
    numbers = {element: at for at, element in enumerate(document.tree.iter_elements(("a",)))}
    anchors = (link for link in document.links if link.element in numbers)
    for link in islice(anchors, MAX_LINK_NODES):
        number = numbers[link.element]
        depth, path, style = _place(link.element, known)
        name, is_image = _name(link)
        found.append(LinkNode(number, link.written, link.url, name, depth, path, style, is_image))
    return found


def candidate_link_sets(
    nodes: Iterable[LinkNode], found_before: Collection[frozenset[str]] = ()
) -> list[LinkSet]:
    """GENCANLINKSETS (figure 2): group by depth, then by path, prune, and keep fair sizes.

    `found_before` are the navigation link sets of the pages analysed so far, as sets of URLs.
    Links that pruning takes out of a set stay for later rounds, as in the paper, the first link
    too; the links of a set that is thrown away whole do not, since otherwise the loop would not
    end.
    """
    settings = current().papers.liu
    waiting = list(nodes)
    candidates: list[LinkSet] = []
    while waiting:
        reference = waiting[0]
        same_level = [node for node in waiting if node.depth == reference.depth]
        used: set[int] = set()
        if len(same_level) == 1:
            used.add(reference.number)
        else:
            for link_set in _grouped_by_path(same_level):
                pruned = prune_link_set(link_set, found_before)
                if settings.min_nl < len(pruned) < settings.max_nl:
                    candidates.append(tuple(pruned))
                used.update(node.number for node in pruned or link_set)
        waiting = [node for node in waiting if node.number not in used]
    return candidates


def _grouped_by_path(nodes: Iterable[LinkNode]) -> list[list[LinkNode]]:
    groups: dict[str, list[LinkNode]] = {}
    for node in nodes:
        groups.setdefault(node.path, []).append(node)
    return list(groups.values())


def _place(anchor: Element, known: dict[Node, tuple[int, str, str]]) -> tuple[int, str, str]:
    """Depth, path and style of a node; every ancestor is looked at once."""
    unknown: list[Element] = []
    node: Node | None = anchor
    while isinstance(node, Element) and node not in known and len(unknown) < _MAX_DEPTH:
        unknown.append(node)
        node = node.parent
    depth, path, style = known.get(node, (0, "", "")) if node is not None else (0, "", "")
    for element in reversed(unknown):
        shown = ";".join((element.attr(name) or "")[:80] for name in _STYLE_ATTRIBUTES)
        depth, path, style = depth + 1, f"{path}/{element.tag}", f"{style}/{shown.strip(';')}"
        known[element] = (depth, path, style)
    return depth, path, style


def _name(link: Link) -> tuple[str, bool]:
    """`SecName`, and whether the anchor is an image."""
    if text := link.own_text:
        return text[:_MAX_NAME], False
    has_image = next(link.element.iter_elements(("img",)), None) is not None
    return link.text[:_MAX_NAME], has_image


# The six features of a link set (Liu et al. 2004, section 3.3.1).

FEATURE_NAMES = (
    "NumWordName",
    "LenName",
    "VarLenName",
    "URLType",
    "VarURLNumDir",
    "URLContain",
)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def feature_values(links: Sequence[LinkNode], page: str, home: str) -> tuple[float, ...]:
    """The values of the six features, in the paper's order, for a link set of the page."""
    lengths = [len(link.name) for link in links]
    levels = [directory_levels(link, page, home) for link in links]
    types = Counter(url_type(link.href) for link in links)
    return (
        _mean([len(link.name.split()) for link in links]),
        _mean(lengths),
        _variance(lengths),
        max(types.values(), default=0) / max(1, len(links)),
        _variance(levels),
        _mean([float(_is_below(link, page)) for link in links]),
    )


def url_type(href: str) -> str:
    """One of the paper's five types of URL."""
    written = href.strip()
    if written.startswith("#"):
        return "anchor"
    if written.startswith("//") or written.lower().startswith(("http:", "https:")):
        return "cross-site"
    if _SCHEME.match(written):
        return "others"
    return "absolute" if written.startswith("/") else "relative"


def directory_levels(link: LinkNode, page: str, home: str) -> int:
    """How many levels of directories the URL of a link in the page has.

    Relative and anchor URLs count from the home page's directory, the others from the root. An
    anchor is in the directory of its page.
    """
    kind = url_type(link.href)
    if kind == "anchor":
        return _directories(page) - _directories(home)
    if kind == "others" or not link.url:
        return current().papers.liu.other_levels
    return _directories(link.url) - (_directories(home) if kind == "relative" else 0)


def _is_below(link: LinkNode, page: str) -> bool:
    """Whether a link leads to a page below the directory of this page, as every anchor does."""
    if url_type(link.href) == "anchor":
        return True
    return bool(link.url) and link.url.startswith(urljoin(page, "."))


def _directories(url: str) -> int:
    return len([step for step in urlsplit(url).path.split("/")[:-1] if step])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _variance(values: Sequence[float]) -> float:
    mean = _mean(values)
    return _mean([(value - mean) ** 2 for value in values])


# Choosing the navigation link set among the candidates (Liu et al. 2004, section 3.3.2).


@dataclass(frozen=True, slots=True)
class SewParameters:
    """What training gives: the norm of each feature and of the combined confidence."""

    means: tuple[float, ...]
    deviations: tuple[float, ...]
    combined_mean: float
    combined_deviation: float
    threshold: float
    """What `PROB` gives for the lowest combined confidence in the training data."""

    @property
    def tau(self) -> float:
        """The threshold of training, unless a setting names another."""
        given = current().papers.liu.tau
        return self.threshold if given is None else given


@dataclass(frozen=True, slots=True)
class RankedLinkSet:
    """A candidate link set of a page, with how sure it is that it is the navigation link set."""

    links: LinkSet
    confidence: float
    """The combined confidence: the product over the features."""
    prob: float
    """PROB of the confidence, which is compared with tau."""


def ranked_candidates(
    candidates: Sequence[LinkSet], parameters: SewParameters, page: str, home: str
) -> tuple[RankedLinkSet, ...]:
    """The candidates with their scores, the best first; of equals the first of the page.

    A person can choose among the first few of them (section 4.3).
    """
    scores = [
        combined_confidence(feature_values(links, page, home), parameters) for links in candidates
    ]
    order = sorted(range(len(candidates)), key=lambda place: (-scores[place], place))
    mean, deviation = parameters.combined_mean, parameters.combined_deviation
    return tuple(
        RankedLinkSet(candidates[place], scores[place], prob(scores[place], mean, deviation))
        for place in order
    )


def select_navigation_link_set(
    candidates: Sequence[LinkSet], parameters: SewParameters, page: str, home: str
) -> LinkSet:
    """SELECTNAVLINKSET (figure 3): the most confident candidate, if it is confident enough."""
    ranked = ranked_candidates(candidates, parameters, page, home)
    return ranked[0].links if ranked and ranked[0].prob >= parameters.tau else ()


def combined_confidence(values: Sequence[float], parameters: SewParameters) -> float:
    """The product of the confidences of all features, taken as independent."""
    norms = zip(values, parameters.means, parameters.deviations, strict=True)
    return prod(norm_dist(value, mean, deviation) for value, mean, deviation in norms)


def norm_dist(value: float, mean: float, deviation: float) -> float:
    """NORMDIST: the density of the standard normal distribution at the standardised value.

    A feature that never varied in training tells nothing: its confidence is that of the mean.
    """
    standardised = (value - mean) / deviation if deviation > 0 else 0.0
    return exp(-(standardised**2) / 2) / sqrt(2 * pi)


def prob(value: float, mean: float, deviation: float) -> float:
    """PROB: the normal distribution's cumulative probability, with `deviation` 0 as a step."""
    if deviation <= 0:
        return float(value >= mean)
    return (1 + erf((value - mean) / (deviation * sqrt(2)))) / 2


@dataclass(frozen=True, slots=True)
class Analysis:
    """What SEW saw in one page."""

    links: tuple[LinkNode, ...]
    """All link nodes of the page."""
    ranked: tuple[RankedLinkSet, ...]
    """The candidate link sets, the best first."""
    chosen: LinkSet


async def sew_skeleton(
    site: Site,
    parameters: SewParameters,
    *,
    levels: int | None = None,
    limit: int = 2000,
    progress: Callable[[int], None] | None = None,
) -> tuple[Skeleton, dict[str, Analysis]]:
    """SEWALGORITHM: the skeleton, and what was seen in each analysed page.

    It goes down until no link set is accepted (figure 4), or to so many `levels`, as in the paper's
    experiments; pages of the last level are not analysed. A page has one place in the tree, the
    first that it is found for: links to pages that have one are not followed again.
    """
    levels = current().papers.liu.levels if levels is None else levels
    run = _Run(site, parameters, levels, limit)
    home = await run.start()
    while run.waiting:
        await run.analyse_next()
        if progress is not None:
            progress(run.fetched)
    tree = assemble(home, run.children, run.titles)
    return Skeleton(tree, run.fetched, run.missing), run.analyses


@dataclass(slots=True)
class _Run:
    site: Site
    parameters: SewParameters
    levels: int | None
    limit: int
    fetched: int = 0
    missing: int = 0
    home: str = ""
    first: Document | None = None
    """The home page, once it was fetched."""
    waiting: list[tuple[str, int]] = field(default_factory=list)
    """Pages still to be analysed with their level: a stack, so that the order is pre-order."""
    children: dict[str, list[str]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    placed: set[str] = field(default_factory=set)
    found: set[frozenset[str]] = field(default_factory=set)
    analyses: dict[str, Analysis] = field(default_factory=dict)

    async def start(self) -> str:
        page = await self._fetched(self.site.home)
        if page is None:
            why = explain_missing(self.site.missed.values())
            raise NoPages(self.site.home, f"no pages found: {why}")
        self.home, self.first = page.url, page
        self.placed = {self.site.home, page.url}
        self.titles[page.url] = page.title or last_step(page.url)
        self.waiting.append((page.url, 0))
        return page.url

    async def analyse_next(self) -> None:
        """FINDSKELETON for one page: its navigation links become its children."""
        url, level = self.waiting.pop()
        page = self.first if url == self.home else await self._fetched(url)
        if page is None:
            return
        links = link_nodes(page)
        candidates = candidate_link_sets(links, self.found)
        ranked = ranked_candidates(candidates, self.parameters, page.url, self.home)
        is_accepted = bool(ranked) and ranked[0].prob >= self.parameters.tau
        chosen = ranked[0].links if is_accepted else ()
        self.analyses[url] = Analysis(tuple(links), ranked, chosen)
        if chosen:
            self.found.add(url_set(chosen))
        below = [page_url for link in chosen if (page_url := self._place(link.url, link.name))]
        self.children[url] = below
        if self.levels is None or level + 1 < self.levels:
            self.waiting.extend((page_url, level + 1) for page_url in reversed(below))

    def _place(self, url: str | None, name: str) -> str | None:
        """The URL of a page that has no place in the tree yet."""
        page_url = self.site.page_url(url) if url else None
        if page_url is None or page_url in self.placed:
            return None
        self.placed.add(page_url)
        self.titles[page_url] = name or last_step(page_url)
        return page_url

    async def _fetched(self, url: str) -> Document | None:
        if self.fetched >= self.limit:
            return None
        self.fetched += 1
        (outcome,) = await self.site.fetch([url])
        if isinstance(outcome, Missing):
            self.missing += 1
            return None
        return outcome.document()
