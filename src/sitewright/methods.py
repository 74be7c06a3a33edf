"""Our method or a paper's: one function for each question, with `method` to choose.

The methods themselves know nothing of the papers'; whoever lets a user choose calls these.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np

from sitewright.choices import Heterogeneity, Method
from sitewright.classes.classification import Classifier
from sitewright.classes.clustering import Clustering, PagePartition, partition_pages
from sitewright.classes.features import PageFeatures, PageSample, PathMarks, evenly, page_features
from sitewright.classes.model import Origin, build_model
from sitewright.crawl.frontier import Strategy
from sitewright.crawl.stopping import Grouping, StoppingRule
from sitewright.crawl.survey import ListCrawler, ListLink, ReadPage, UnsettledPages, survey_lists
from sitewright.crawl.waves import CrawlPlan, GroupedLinks, crawl_waves
from sitewright.errors import InvalidInput, NoPages
from sitewright.formats import parse
from sitewright.papers.cosulschi import match_leaves, match_top_down
from sitewright.papers.crescenzi import PaperClassifier, PaperModel, model_quality
from sitewright.papers.crescenzi_exploration import (
    PaperExploration,
    compute_model,
    compute_model_of_all,
    paper_site_model,
)
from sitewright.papers.geraci import consensus_tokens
from sitewright.papers.liu import FEATURE_NAMES, SewParameters, sew_skeleton
from sitewright.settings import CrescenziSettings, current
from sitewright.site import Page
from sitewright.site.base import explain_missing, readable
from sitewright.skeleton.graph import Survey, link_graph, turns_the_page
from sitewright.skeleton.navigation import (
    PageNavigation,
    may_be_page,
    page_navigation,
    stands_beside_lists,
)
from sitewright.skeleton.parent_features import (
    FEATURES,
    parent_candidates,
    uncertain_pages,
    unfinished,
)
from sitewright.skeleton.tree import Skeleton, build_tree
from sitewright.template.slots import shared_tokens
from sitewright.template.template import Template
from sitewright.visual.matching import MatchMethod, match_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitewright.classes.model import PageClass, SiteModel
    from sitewright.page import Document
    from sitewright.page.rendering import Rendering
    from sitewright.site import Site
    from sitewright.visual.elements import Correspondence


_GROUPING = CrescenziSettings(heterogeneity=Heterogeneity.CANDIDATES)
"""How pages are grouped while our own queue is explored: whatever the papers' parameters are."""


@dataclass(slots=True)
class Exploration(PageSample):
    """What was seen of a site so far, and a model of it as the papers make one.

    That model grows with each wave, so the crawler always knows which pages are alike.
    """

    paper: PaperModel = field(default_factory=lambda: PaperModel(_GROUPING))
    paper_class: list[int | None] = field(default_factory=list)
    """For each page its class in the papers' model; None for pages that only menus led to."""
    queue_sizes: tuple[tuple[int, int], ...] = ()
    """After each wave: pages visited, and what waits in the queue: URLs, or, with a strategy of the
    papers, link collections."""
    _marks: PathMarks | None = None
    """Of all paths so far: each model adds to them what is new."""

    def add(self, wave: list[PageFeatures]) -> list[GroupedLinks]:
        """Take in the pages of one wave; those of no class are groups of their own."""
        classes = self.paper.update([page.schema for page in wave])
        first = len(self.pages)
        self.pages += wave
        self.paper_class += classes
        return [
            GroupedLinks(-1 - first - place if number is None else number, page.collections)
            for place, (page, number) in enumerate(zip(wave, classes, strict=True))
        ]

    def partition(self) -> PagePartition:
        """Our classes of the pages seen so far."""
        self._marks = self._marks or PathMarks(self.vocabulary)
        return partition_pages(self.pages, self._marks)


async def explore(
    site: Site,
    plan: CrawlPlan,
    is_settled: Callable[[Exploration], bool] = lambda _: False,
    on_document: Callable[[Document], None] = lambda _: None,
) -> Exploration:
    """Visit the pages of a site in waves, and keep the features of each.

    `is_settled` sees every wave, and ends the exploration. `on_document` sees each page while it
    is parsed: whoever else wants to know something of it need not parse it again.
    """
    seen = Exploration()

    def read_wave(documents: list[Document]) -> list[GroupedLinks]:
        for document in documents:
            on_document(document)
        return seen.add([page_features(one, seen.vocabulary, site.page_url) for one in documents])

    seen.queue_sizes = await crawl_waves(site, plan, read_wave, lambda: is_settled(seen))
    return seen


async def discover(  # noqa: PLR0913 - most of them are optional
    site: Site,
    plan: CrawlPlan,
    *,
    method: Method | str = Method.DEFAULT,
    on_wave: Callable[[PageSample], None] = lambda _: None,
    on_document: Callable[[Document], None] = lambda _: None,
    also: Sequence[str] = (),
    build: ModelBuilder = build_model,
) -> SiteModel | None:
    """Explore a site and give its model; None if none of its pages could be fetched.

    `also` are pages to read beside those of the exploration; `build` makes the model of what was
    found, and may correct it.

    With the papers' method the exploration ends with the queue or the limit, as theirs does, and
    is densest-first unless the plan says sparsest-first; their parameters are settings
    (`papers.crescenzi.dt`).
    """
    method = Method(method)
    if method is Method.PAPER:
        explored = await compute_model(
            site,
            limit=plan.limit,
            strategy=_papers_strategy(plan.strategy),
            seed=plan.seed,
            settings=_papers_settings(plan),
            on_wave=on_wave,
            on_document=on_document,
        )
        return _paper_model(explored, site, {"limit": plan.limit})
    curve: tuple[tuple[int, float], ...] = ()
    settling: StoppingRule[PagePartition] = StoppingRule()

    def is_settled(exploration: Exploration) -> bool:
        on_wave(exploration)
        return settling(len(exploration.pages), exploration.partition)

    exploration = await explore(site, plan, is_settled, on_document)
    if not exploration.pages:
        return None
    parameters: dict[str, object] = {
        "limit": plan.limit,
        "strategy": plan.strategy.value,
        "wave_size": plan.wave_size,
        "seed": plan.seed,
    }
    parameters |= _changed_settings()
    await _visit_also(site, exploration, also, on_document)
    is_fitted = bool(settling.fits) and settling.fits[-1][0] == len(exploration.pages)
    found = (settling.fits[-1][1] if is_fitted else exploration.partition()).learn()
    curve = quality_curve(exploration, settling.fits, found)
    origin = Origin(site.home, method.value, parameters, curve, exploration.queue_sizes)
    return build(exploration, found, origin)


ModelBuilder: TypeAlias = "Callable[[PageSample, Clustering, Origin], SiteModel]"


async def _visit_also(
    site: Site,
    exploration: Exploration,
    urls: Sequence[str],
    on_document: Callable[[Document], None],
) -> None:
    """Read some pages that the exploration did not come to."""
    seen = {page.url for page in exploration.pages}
    for outcome in await site.fetch([url for url in urls if url not in seen]):
        if isinstance(outcome, Page) and outcome.url not in seen:
            document = readable(site, outcome)
            if document is not None:
                on_document(document)
                features = page_features(document, exploration.vocabulary, site.page_url)
                exploration.pages.append(features)
                exploration.paper_class.append(None)


def discover_all(
    site: Site, *, method: Method | str = Method.DEFAULT, build: ModelBuilder = build_model
) -> SiteModel | None:
    """The model of every local page, without fetching."""
    method = Method(method)
    if method is Method.PAPER:
        return _paper_model(compute_model_of_all(site), site, {"all_pages": True})
    exploration = Exploration()
    for page in site.pages():
        document = readable(site, page)
        if document is not None:
            exploration.pages.append(page_features(document, exploration.vocabulary, site.page_url))
    if not exploration.pages:
        return None
    origin = Origin(site.home, method.value, {"all_pages": True} | _changed_settings())
    return build(exploration, exploration.partition().learn(), origin)


def _paper_model(
    explored: PaperExploration, site: Site, parameters: dict[str, object]
) -> SiteModel | None:
    if not explored.pages:
        return None
    return paper_site_model(explored, site.home, parameters | _changed_settings())


def _papers_strategy(planned: Strategy) -> Strategy:
    """The papers have two strategies; a plan that says nothing has ours, which is neither."""
    return Strategy.DENSEST_FIRST if planned is Strategy.BALANCED else planned


def _papers_settings(plan: CrawlPlan) -> CrescenziSettings:
    """The parameters in force; a plan that has a wave size of its own decides n."""
    settings = current().papers.crescenzi
    is_usual = plan.wave_size == current().crawl.wave_size
    return settings if is_usual else replace(settings, n=plan.wave_size)


def _changed_settings() -> dict[str, object]:
    """What the model says of settings: those that differ from the defaults, if any do."""
    changes = current().changes()
    return {"settings": changes} if changes else {}


def quality_curve(
    exploration: Exploration, fits: list[tuple[int, PagePartition]], final: Clustering
) -> tuple[tuple[int, float], ...]:
    """Q of each model that the exploration made, with the final one as the reference."""
    schemas = [set(page.nodes.paths.tolist()) for page in exploration.pages]
    references = [
        set().union(
            *(schema for schema, c in zip(schemas, final.class_of_page, strict=True) if c == n)
        )
        for n in np.flatnonzero(final.sizes).tolist()
    ]
    points: list[tuple[int, Grouping]] = [*fits]
    if not fits or fits[-1][0] < len(schemas):
        points.append((len(schemas), final))
    curve = []
    for visited, found in points:
        computed: dict[int, list[set[int]]] = {}
        for schema, number in zip(schemas[:visited], found.class_of_page.tolist(), strict=True):
            computed.setdefault(number, []).append(schema)
        curve.append((visited, round(model_quality(references, list(computed.values())), 4)))
    return tuple(curve)


# The pages of each class that templates and wrappers are learnt from, each parsed once.


async def sample_pages(model: SiteModel, site: Site) -> dict[str, list[Document]]:
    """The documents of some pages of each class; a class of redirect pages has nothing to show.

    The model names these pages, so none is classified again. Memory holds no more than them: at
    most 64 a class, however large the site.
    """
    return {one.name: await documents_of(one, site) for one in model.classes if one.has_records}


async def documents_of(one: PageClass, site: Site) -> list[Document]:
    """Fetch and parse the sample pages of one class; of very large pages some, evenly."""
    return parsed_pages(await pages_of(one, site))


async def pages_of(one: PageClass, site: Site) -> list[Page]:
    """Fetch the sample pages of one class; of very large pages some, evenly."""
    settings = current().wrapper.sample
    outcomes = await site.fetch(one.pages or one.samples)
    pages = [outcome for outcome in outcomes if isinstance(outcome, Page)]
    size = sum(len(page.body) for page in pages)
    if size <= settings.max_parsed_bytes:
        return pages
    fewer = settings.max_parsed_bytes * len(pages) // size
    return evenly(pages, max(settings.min_large_pages, fewer))


def parsed_pages(pages: Iterable[Page]) -> list[Document]:
    """The documents of pages, without those that the parser refuses."""
    documents = (page.located_document() for page in pages)
    return [document for document in documents if not document.refused]


def site_classifier(model: SiteModel, home: str = "") -> Classifier:
    """The classifier of the method that made the model.

    `home` is the home page of another copy of the site: URLs of its host are then the site's too.
    """
    if model.method == Method.PAPER.value:
        return PaperClassifier(model, home)
    if not model.structure_columns:
        why = "this model is of an earlier version and classifies no pages; run sitewright again"
        raise InvalidInput("model.json", why)
    return Classifier(model, home)


# The skeleton of a site, by our method or the paper's.

DEFAULT_LIMIT = 400
"""The most pages to fetch: enough for a site of 20,000 pages."""
_SHIPPED = "trained.json"
_DIGITS = 6


ReadNavigation: TypeAlias = ReadPage[PageNavigation]
"""What the skeleton needs of a page."""


@dataclass(frozen=True, slots=True)
class Trained:
    """The learnt numbers of both methods."""

    FORMAT: ClassVar[str] = "sitewright-skeleton-weights"
    paper: SewParameters
    evidence: dict[str, float]
    """The weight of each kind of evidence."""

    def __post_init__(self) -> None:
        """Refuse numbers of another method: a file may say anything."""
        for numbers in (self.paper.means, self.paper.deviations):
            if len(numbers) != len(FEATURE_NAMES):
                raise ValueError(f"{len(numbers)} features instead of {len(FEATURE_NAMES)}")
        if wrong := set(FEATURES) ^ set(self.evidence):
            raise ValueError(f"weights that are missing or unknown: {', '.join(sorted(wrong))}")

    def rounded(self) -> Trained:
        """The weights to the digits that matter, for a file."""
        weights = {name: round(weight, _DIGITS) for name, weight in self.evidence.items()}
        return Trained(self.paper, weights)


def shipped() -> Trained:
    """The numbers that come with the package."""
    text = files("sitewright.skeleton").joinpath(_SHIPPED).read_bytes()
    return parse(text, Trained, _SHIPPED)


async def extract_skeleton(  # noqa: PLR0913 - each of them is optional
    site: Site,
    *,
    method: Method | str = Method.DEFAULT,
    trained: Trained | None = None,
    limit: int = DEFAULT_LIMIT,
    levels: int | None = None,
    known: Mapping[str, ReadNavigation] = MappingProxyType({}),
    progress: Callable[[int], None] | None = None,
) -> Skeleton:
    """Find the skeleton of a site, fetching at most `limit` pages.

    `trained` are the learnt numbers, the package's own if not given; `progress` gets the number
    of pages fetched so far. Pages that are `known` count to the limit, and are not fetched again;
    the paper's method fetches its own, and goes down to `levels` levels, or without a bound.
    """
    numbers = trained or shipped()
    if Method(method) is Method.PAPER:
        skeleton, _ = await sew_skeleton(
            site, numbers.paper, levels=levels, limit=limit, progress=progress
        )
        return skeleton
    survey = await survey_site(site, limit=limit, known=known, progress=progress)
    if survey.home not in survey.readings:
        raise NoPages(site.home, f"no pages found: {explain_missing(site.missed.values())}")
    root = build_tree(link_graph(survey, site.page_url), numbers.evidence)
    return Skeleton(root, survey.fetched, len(survey.missing))


async def survey_site(
    site: Site,
    *,
    limit: int,
    known: Mapping[str, ReadNavigation] = MappingProxyType({}),
    progress: Callable[[int], None] | None = None,
) -> Survey:
    """Read at most `limit` pages of a site: those that lead on, then those that settle doubts.

    Pages that are `known` come first of those of their list, and are not fetched.
    """
    crawler = ListCrawler(site, read_navigation, navigation_links, known)

    def unsettled(crawler: ListCrawler[PageNavigation]) -> UnsettledPages:
        links = link_graph(_survey(crawler), site.page_url)
        choices = list(parent_candidates(links))
        return UnsettledPages(uncertain_pages(links, choices), unfinished(links, choices))

    await survey_lists(crawler, unsettled, limit=limit, progress=progress)
    return _survey(crawler)


def read_navigation(document: Document, url: Callable[[str], str | None]) -> ReadNavigation:
    """Read a page; `url` resolves links to the site's own pages, others to None."""
    moved = url(document.refresh) if document.refresh else None
    if moved is not None and moved != document.url:
        return ReadPage(document.url, moved, None)
    return ReadPage(document.url, None, page_navigation(document, url))


def navigation_links(page: ReadNavigation) -> Iterator[ListLink]:
    """The links of a page that may lead to pages."""
    if page.moved_to is not None and may_be_page(page.moved_to):
        yield ListLink(page.moved_to, "refresh")
    for link in page.reading.links if page.reading is not None else ():
        if may_be_page(link.target):
            turns_page = turns_the_page(link)
            is_weak = not turns_page and stands_beside_lists(link)
            yield ListLink(link.target, link.path, is_weak, turns_page)


def _survey(crawler: ListCrawler[PageNavigation]) -> Survey:
    return Survey(
        crawler.home,
        dict(crawler.readings),
        dict(crawler.redirects),
        frozenset(crawler.missing),
        crawler.fetched,
    )


# Distil the template that pages share.

FEWEST_PAGES = 2


def distill(
    documents: Iterable[Document],
    *,
    method: Method | str = Method.DEFAULT,
    threshold: float | None = None,
    seed: int = 0,
    workers: int = 1,
) -> Template:
    """The template of pages of one class.

    The paper's method is the consensus tree of Geraci and Maggini (2011).
    `threshold` is the part of the pages that must have a token: 2/3, in the paper 1/2. `seed` and
    `workers` are the paper's: ours depends on no order, and needs no help.
    """
    method, pages = Method(method), list(documents)
    if len(pages) < FEWEST_PAGES:
        given = "one page" if pages else "no pages"
        raise InvalidInput(given, "a template is what several pages share; give at least two")
    if method is Method.PAPER:
        tokens = consensus_tokens(pages, threshold, seed, workers)
    else:
        tokens = shared_tokens(pages, threshold)
    return Template(tuple(tokens), len(pages), method.value)


def match(
    first: Rendering, second: Rendering, *, method: MatchMethod | str = MatchMethod.DEFAULT
) -> Correspondence:
    """The pairs of nodes that play the same part in two pages."""
    return MATCHING_METHODS[MatchMethod(method)](first, second)


MATCHING_METHODS: dict[MatchMethod, Callable[[Rendering, Rendering], Correspondence]] = {
    MatchMethod.DEFAULT: match_blocks,
    MatchMethod.PAPER: match_top_down,
    MatchMethod.PAPER_LEAVES: match_leaves,
}
