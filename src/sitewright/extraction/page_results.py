"""What becomes of one page: records of its class, a reason why not, or neither."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from sitewright.classes.features import content_number, page_features
from sitewright.crawl.targeted import (
    ClassifiedPage,
    CrawlPlanner,
    Seen,
    TargetClass,
    TargetLink,
    targeted_crawl,
)
from sitewright.extraction.fit import SiteFit
from sitewright.extraction.memory import MANY_BYTES, return_memory
from sitewright.methods import site_classifier
from sitewright.settings import Settings, current
from sitewright.site.base import too_costly
from sitewright.skeleton.pagination import ListPage, list_page
from sitewright.wrapper import Extractor, Record, lines
from sitewright.wrapper.provenance import value_places
from sitewright.wrapper.spare_selectors import NO_DOUBTS, SelectorDoubts

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Collection, Mapping

    from sitewright.classes import Classifier, SiteModel
    from sitewright.extraction.alarms import Alarm
    from sitewright.page import Document
    from sitewright.site import Missing, Page, Site
    from sitewright.wrapper import Wrapper
    from sitewright.wrapper.provenance import ValuePlace


PAGES = 1000
"""The most pages that are asked of a live site, if nothing else is said."""
NO_CLASS = "no class fits"
NO_WRAPPER = "the class has no wrapper"
VOID = "nothing of its own: the same page under many URLs"
MOST_PATHS = 500_000
"""Beyond so many paths of pages the classifier starts anew: memory must not grow with the site."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """The lines of the class's table that a page gives."""

    page_class: str
    lines: tuple[dict[str, Any], ...]
    doubts: SelectorDoubts = NO_DOUBTS
    """What the selectors of its fields say of each other."""
    places: tuple[ValuePlace, ...] = ()
    """Where the values stand, if somebody asked for it."""
    list_page: ListPage | None = None
    """Which part of which list the page shows, if it is one of many."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A page that gives no record though it should."""

    url: str
    page_class: str | None
    reason: str
    is_misfit: bool = False
    """Whether the page itself does not fit the model; else it is missing, or has no wrapper."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A page that nobody wants records of: it sends its readers on, or its class is not wanted."""

    is_redirect: bool


PageResult: TypeAlias = Extracted | Rejected | Skipped


@dataclass(frozen=True, slots=True)
class ExtractionJob:
    """What to extract and how, in a form that another process can be given."""

    model: SiteModel
    wrappers: Mapping[str, Wrapper]
    """By the name of their class."""
    chosen: frozenset[str] | None = None
    """The classes that records are wanted of; None for all."""
    below: frozenset[str] | None = None
    """The URLs of the pages that records are wanted of, a branch of the skeleton; None for all."""
    limit: int = PAGES
    """The most pages to ask of a live site."""
    workers: int | None = None
    """How many processes share the local pages. None: as many as there are cores."""
    home: str = ""
    """The home page of the copy of the site that is read."""
    placed: Mapping[str, str] = field(default_factory=dict)
    """The classes of pages that a person placed, by URL."""
    provenance: bool = False
    """Whether it is to be told where each value stands."""
    settings: Settings = field(default_factory=current)
    """In force where the job was made, and so in every process that works on it."""

    def wanted(self) -> frozenset[str]:
        """The classes that get tables."""
        names = self.wrappers.keys()
        return frozenset(names if self.chosen is None else names & self.chosen)


class PageExtractor:
    """Classifies pages and applies the wrappers of their classes."""

    def __init__(self, job: ExtractionJob) -> None:
        self.job = job
        self.classifier = site_classifier(job.model, job.home)
        self._extractors: dict[str, Extractor] = {}
        self._voids = {one.name for one in job.model.classes if one.is_void}
        self._void_pages = {(one.title, one.content) for one in job.model.void_pages}
        self._has_void_pages = {name for one in job.model.void_pages for name in one.classes}

    def of_page(self, page: Page) -> PageResult:
        """What becomes of a page: a pure function of its URL and bytes."""
        if len(self.classifier.vocabulary) > MOST_PATHS:
            self.classifier = site_classifier(self.job.model, self.job.home)
        if len(page.body) > MANY_BYTES:
            return_memory()  # what many small pages have left free is in pieces too small for it
        document = page.document()
        if document.refused:
            return rejected(too_costly(document))
        features = self.classifier.features(document)
        if features.is_stub:
            return Skipped(is_redirect=True)
        placed = self.job.placed.get(page.url)
        name = placed or self.classifier.of_features(features).page_class
        return self.of_document(document, name)

    def of_document(self, document: Document, name: str | None) -> PageResult:
        """The same for a page whose class is known, and that does not send its readers on."""
        chosen = self.job.chosen
        if name is None:
            # Nobody knows what it is, so it may be one of those that are wanted.
            return Rejected(document.url, None, NO_CLASS, is_misfit=True)
        if chosen is not None and name not in chosen:
            return Skipped(is_redirect=False)
        if name not in self.job.wrappers:
            return Rejected(document.url, name, VOID if name in self._voids else NO_WRAPPER)
        if name in self._has_void_pages and self._is_void(document):
            return Rejected(document.url, name, VOID)
        return extracted(self._extractor(name), document, provenance=self.job.provenance)

    def _is_void(self, document: Document) -> bool:
        return (document.title, content_number(document)) in self._void_pages

    def _extractor(self, name: str) -> Extractor:
        """The extractor of a class, made when its first page comes."""
        if name not in self._extractors:
            self._extractors[name] = Extractor(self.job.wrappers[name])
        return self._extractors[name]


def extracted(
    extractor: Extractor, document: Document, *, provenance: bool = False
) -> Extracted | Rejected:
    """What a page of the extractor's class gives; with `provenance`, where its values stand."""
    found, wrapper = extractor.extract(document), extractor.wrapper
    if isinstance(found, Record):
        places = tuple(value_places(wrapper, document)) if provenance else ()
        own = tuple(lines(wrapper, found))
        part = list_page(document) if wrapper.record_sets else None
        if part is not None and wrapper.rows is None and not part.pattern:
            part = None  # a page that leads to the next of its kind is no part of a list
        if part is None and wrapper.rows is not None:
            part = ListPage("", 0)  # the last page of a list may say nothing of it
        return Extracted(wrapper.page_class, own, found.doubts, places, part)
    return Rejected(document.url, wrapper.page_class, found.reason, is_misfit=True)


def rejected(missing: Missing) -> Rejected:
    """A page that could not be fetched, with the site's own reason."""
    detail = f": {missing.detail}" if missing.detail else ""
    return Rejected(missing.url, None, f"{missing.reason}{detail}")


# The pages of a live site, those of the wanted classes first.


def crawl_for_classes(
    site: Site, classifier: Classifier, wanted: Collection[str], *, limit: int
) -> AsyncGenerator[Seen | Missing, None]:
    """Visit the pages of a live site that are of the wanted classes, and those that lead there."""

    def place(document: Document) -> ClassifiedPage:
        features = page_features(document, classifier.vocabulary, site.page_url)
        text = classifier.vocabulary.text
        links = [(text(path), urls) for path, urls in features.collections]
        return ClassifiedPage(classifier.of_features(features).page_class, links, features.is_stub)

    return targeted_crawl(site, crawl_planner(classifier.model, wanted), place, limit=limit)


def crawl_planner(model: SiteModel, wanted: Collection[str]) -> CrawlPlanner:
    """What a site model says of the links that lead to some classes.

    Redirect pages are left out: what they are is seen when one comes.
    """
    settings = current().classes
    classes = {one.name: one for one in model.classes if not one.is_stub}
    visited = {one.name: one.visited for one in model.classes}
    return CrawlPlanner(
        [
            TargetClass(one.name, one.url_pattern, one.url_precision, one.is_known_by_url(settings))
            for one in classes.values()
        ],
        [
            TargetLink(
                link.source,
                link.path,
                link.target,
                link.links,
                (link.targets or link.links) / max(1, visited[link.source]),
            )
            for link in model.links
            if link.source in visited and link.target in classes
        ],
        wanted,
    )


# How an extraction went, in numbers.


@dataclass(frozen=True, slots=True)
class ClassSummary:
    """What was extracted of one class."""

    page_class: str
    pages: int
    records: int
    rejected: int

    def as_json(self) -> dict[str, Any]:
        """A flat object."""
        counts = {"pages": self.pages, "records": self.records, "rejected": self.rejected}
        return {"class": self.page_class, **counts}


@dataclass(slots=True)
class ExtractionSummary:
    """What became of the pages; it grows while they come."""

    pages: int = 0
    """All that were looked at or asked for."""
    extracted: Counter[str] = field(default_factory=Counter)
    """Pages by class."""
    records: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str | None] = field(default_factory=Counter)
    """Pages by class; None for those of no class, and those that could not be fetched."""
    misfits: int = 0
    """Rejected pages that were fetched, and fit neither a class nor its wrapper."""
    redirects: int = 0
    """Pages that only send their readers on."""
    other_classes: int = 0
    """Pages of classes that were not asked for."""
    asked: int = 0
    """Pages that were asked of a live site: fetched, or read back where they had been before."""
    useful_requests: int = 0
    """Those of them that were of the wanted classes."""
    fit: SiteFit = field(default_factory=lambda: SiteFit({}), repr=False, compare=False)
    """The test of what was learnt against what comes."""

    @property
    def share_wanted(self) -> float | None:
        """Of the pages asked of a live site, the share that was wanted; None for no such site."""
        return self.useful_requests / self.asked if self.asked else None

    @property
    def has_changed(self) -> bool:
        """Whether the site, one of its classes or a field no longer fits what was learnt."""
        return bool(self.alarms)

    @property
    def alarms(self) -> list[Alarm]:
        """What no longer fits, the site and whole classes first."""
        return self.fit.alarms()

    @property
    def notices(self) -> list[Alarm]:
        """What is still read, though not as it was: small changes."""
        return self.fit.notices()

    def as_json(self) -> dict[str, Any]:
        """The whole in one flat object; how a live site was walked, where one was."""
        counts = {
            "pages": self.pages,
            "records": self.records.total(),
            "rejected": self.rejected.total(),
            "redirects": self.redirects,
            "other_classes": self.other_classes,
            "alarms": len(self.alarms),
        }
        if self.share_wanted is None:
            return counts
        walk = {"asked": self.asked, "useful_requests": self.useful_requests}
        return {**counts, **walk, "share_wanted": round(self.share_wanted, 4)}

    def of_classes(self) -> list[ClassSummary]:
        """The classes that records were wanted of, in the order of the model."""
        return [
            ClassSummary(name, self.extracted[name], records, self.rejected[name])
            for name, records in self.records.items()
        ]

    def add(self, result: PageResult) -> None:
        """Count one more page."""
        self.pages += 1
        match result:
            case Extracted(name, lines, doubts):
                self.extracted[name] += 1
                self.records[name] += len(lines)
                url = str(lines[0]["_url"]) if lines else ""
                self.fit.add_extracted(name, lines, url, doubts)
            case Rejected(url, name, _, is_misfit):
                self.rejected[name] += 1
                self.misfits += is_misfit
                if is_misfit:
                    self.fit.add_misfit(name, url)
            case Skipped(is_redirect):
                self.redirects += is_redirect
                self.other_classes += not is_redirect
