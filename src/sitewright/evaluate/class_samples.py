"""The pages of a labelled site, each read once, however many explorations and tests use them.

In goes a labelled site, out come explorations with any seed, and pages to test models on::

    sample = SiteSample(site)
    exploration = await sample.explore(CrawlPlan(limit=300, seed=4))
    for label, page in await sample.tested(seed=4): ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sitewright.classes.features import PageFeatures, page_features
from sitewright.crawl.waves import CrawlPlan, GroupedLinks, crawl_waves
from sitewright.evaluate.classes import TEST_PAGES, labels_by_url, tested_pages
from sitewright.methods import Exploration
from sitewright.page import Document, PathVocabulary
from sitewright.papers.crescenzi import link_features
from sitewright.papers.crescenzi_exploration import PaperExploration
from sitewright.settings import current
from sitewright.site import Page
from sitewright.site.base import readable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sitewright.evaluate.classes import ClassSite
    from sitewright.site import Site

    FeatureReader: TypeAlias = Callable[
        [Document, PathVocabulary, Callable[[str], str | None]], PageFeatures
    ]


class SiteSample:
    """What was read of a labelled site so far."""

    def __init__(
        self,
        labelled: ClassSite,
        *,
        has_roots: bool = True,
        read: FeatureReader = page_features,
        vocabulary: PathVocabulary | None = None,
    ) -> None:
        self.labelled = labelled
        self.site = labelled.open(has_roots=has_roots)
        self.vocabulary = vocabulary or PathVocabulary()
        self._read_features = read
        self._features: dict[str, PageFeatures | None] = {}

    @classmethod
    def of_links(cls, labelled: ClassSite) -> SiteSample:
        """The pages as the papers see them: links only."""
        vocabulary = PathVocabulary(current().papers.crescenzi.labelling)
        return cls(labelled, read=link_features, vocabulary=vocabulary)

    def features(self, page: Page) -> PageFeatures | None:
        """The features of a page; None if it is out of all proportion."""
        if page.url not in self._features:
            document = readable(self.site, page)
            self._features[page.url] = (
                None
                if document is None
                else self._read_features(document, self.vocabulary, self.site.page_url)
            )
        return self._features[page.url]

    async def fetched(self, urls: Sequence[str]) -> list[PageFeatures]:
        """The features of those pages that are there."""
        pages = [page for page in await self.site.fetch(urls) if isinstance(page, Page)]
        return [known for page in pages if (known := self.features(page)) is not None]

    async def explore(
        self, plan: CrawlPlan, is_settled: Callable[[Exploration], bool] = lambda _: False
    ) -> Exploration:
        """Visit the site as `discover` does."""
        seen = Exploration(vocabulary=self.vocabulary)

        def read_wave(documents: list[Document]) -> list[GroupedLinks]:
            known = [self._features[document.url] for document in documents]
            return seen.add([page for page in known if page is not None])

        seen.queue_sizes = await crawl_waves(
            self.site, plan, read_wave, lambda: is_settled(seen), self._known_document
        )
        return seen

    def _known_document(self, _site: Site, page: Page) -> Document | None:
        return None if self.features(page) is None else Document(b"", page.url)

    async def explore_as_papers(self, plan: CrawlPlan) -> PaperExploration:
        """COMPUTEMODEL over pages whose links were read before (see `compute_model`)."""
        explored = PaperExploration(strategy=plan.strategy, seed=plan.seed)
        explored.vocabulary = self.vocabulary
        n = explored.settings.n
        urls, asked = explored.start(self.site.home), 0
        while urls:
            asked += len(urls)
            explored.add(await self.fetched(urls))
            urls = explored.next_wave(min(n, plan.limit - asked)) if asked < plan.limit else []
        if len(explored.pages) <= 1 and asked < plan.limit:
            visited = {page.url for page in explored.pages}
            listed = [url for url in self.site.listing() if url not in visited]
            more = await self.fetched(listed[: plan.limit - asked])
            explored.add(more, is_collection=False)
        return explored

    async def tested(self, seed: int) -> list[tuple[str, PageFeatures]]:
        """Random pages with their labels, or all that there are."""
        truth = labels_by_url(self.site, self.labelled.truth())
        found = []
        for url, label in tested_pages(truth, TEST_PAGES, seed):
            found += [(label, page) for page in await self.fetched([url])]
        return found
