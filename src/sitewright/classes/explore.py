"""Exploration in waves: from the home page, collection by collection, until nothing new comes."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitewright.classes.facts import PageFacts, page_facts
from sitewright.classes.paper import PaperModel
from sitewright.classes.queue import Strategy, link_queue
from sitewright.html import Labelling, PathVocabulary
from sitewright.site import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sitewright.classes.queue import LinkQueue
    from sitewright.html import Document
    from sitewright.site import Site

PAGES_OF_A_WAVE = 5
"""n: the most pages that are fetched from one link collection."""


_NOWHERE = -1
"""The class that links stand in which stand in no page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How to explore."""

    limit: int = 1000
    """The most pages to ask for."""
    strategy: Strategy = Strategy.BALANCED
    wave_size: int = PAGES_OF_A_WAVE
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "strategy", Strategy(self.strategy))


@dataclass(slots=True)
class Exploration:
    """What was seen so far: pages in the order of their visit, and the papers' model of them."""

    vocabulary: PathVocabulary = field(default_factory=lambda: PathVocabulary(Labelling.CLASSES))
    pages: list[PageFacts] = field(default_factory=list)
    paper: PaperModel = field(default_factory=PaperModel)
    paper_class: list[int | None] = field(default_factory=list)
    """For each page its class in the papers' model; None for pages that only menus led to."""
    queue_sizes: list[tuple[int, int]] = field(default_factory=list)
    """After each wave: pages visited, and collections that wait."""

    def add(self, wave: list[PageFacts]) -> list[int]:
        """Take in the pages of one wave; a number for the class of each, below zero for none."""
        classes = self.paper.update([page.schema for page in wave])
        first = len(self.pages)
        self.pages += wave
        self.paper_class += classes
        return [
            -1 - first - place if number is None else number for place, number in enumerate(classes)
        ]


async def explore(
    site: Site,
    plan: Plan,
    is_settled: Callable[[Exploration], bool] = lambda _: False,
    on_document: Callable[[Document], None] = lambda _: None,
) -> Exploration:
    """Visit a site in waves: the pages of a wave come from one link collection, at the same time.

    Where no link leads on, the pages that the site lists are one more link collection: saved
    pages need not lead to each other. It ends when these are visited, too, when the limit of pages
    was asked for, or when `is_settled`, which sees every wave, says so. `on_document` sees each
    page while it is parsed: whoever else wants to know something of it need not parse it again.
    """
    exploration, queue = Exploration(), link_queue(plan.strategy)
    chance = random.Random(plan.seed)  # noqa: S311 - a choice that can be repeated is wanted
    visited: set[str] = set()
    asked: set[str] = set()
    unlinked = _Unlinked(site, plan.strategy)
    queue.add(_NOWHERE, [(0, (site.home,))])
    while len(asked) < plan.limit and (len(queue) or unlinked.join(queue, asked | visited)):
        size = min(plan.wave_size, plan.limit - len(asked))
        addresses = [url for url in queue.pop(size, chance) if url not in visited]
        asked.update(addresses)
        documents = await _fetched(site, addresses, visited)
        for document in documents:
            on_document(document)
        wave = [
            page_facts(document, exploration.vocabulary, site.address) for document in documents
        ]
        for page, number in zip(wave, exploration.add(wave), strict=True):
            queue.add(number, page.collections)
        exploration.queue_sizes.append((len(exploration.pages), len(queue)))
        if wave and is_settled(exploration):
            break
    return exploration


class _Unlinked:
    """The pages that a site lists, looked up when no link leads on, and only then.

    The papers know of links only: to their strategies these pages are there only where the home
    page leads nowhere at all.
    """

    def __init__(self, site: Site, strategy: Strategy) -> None:
        self._site = site
        self._strategy = strategy
        self._listing: list[str] | None = None

    def join(self, queue: LinkQueue, known: set[str]) -> bool:
        """Put those that are not known yet into the queue; whether there are any."""
        if self._listing is None:
            is_wanted = self._strategy is Strategy.BALANCED or len(known) == 1
            self._listing = list(self._site.listing()) if is_wanted else []
        left = tuple(url for url in self._listing if url not in known)
        if left:
            queue.add(_NOWHERE, [(0, left)])
        return len(queue) > 0


def take_all(pages: Iterable[Page], address: Callable[[str], str | None]) -> Exploration:
    """The whole corpus: every page at hand, without fetching; no wave builds the papers' model."""
    exploration = Exploration()
    for page in pages:
        facts = page_facts(page.document(), exploration.vocabulary, address)
        exploration.pages.append(facts)
        exploration.paper_class.append(None)
    return exploration


async def _fetched(site: Site, addresses: list[str], visited: set[str]) -> list[Document]:
    """The pages of a wave that were not visited under another address."""
    wave = []
    for outcome in await site.fetch(addresses):
        if isinstance(outcome, Page) and outcome.url not in visited:
            visited.add(outcome.url)
            wave.append(outcome.document())
    return wave
