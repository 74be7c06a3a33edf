"""What becomes of one page: records of its class, a reason why not, or neither."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sitewright.classes import Classifier
from sitewright.wrapper import Extractor, Record, lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitewright.classes import Classification, SiteModel
    from sitewright.classes.facts import PageFacts
    from sitewright.html import Document
    from sitewright.site import Missing, Page
    from sitewright.wrapper import Wrapper

PAGES = 1000
"""The most pages that are asked of a live site, if nothing else is said."""
NO_CLASS = "no class fits"
NO_WRAPPER = "the class has no wrapper"
_MOST_PATHS = 500_000
"""Beyond so many paths of pages the classifier starts anew: memory must not grow with the site."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """The lines of the class's table that a page gives."""

    page_class: str
    lines: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Rejected:
    """A page that gives no record though it should."""

    url: str
    page_class: str | None
    reason: str
    is_misfit: bool = False
    """Whether the page itself does not fit the model; else it is missing, or has no wrapper."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A page that nobody wants records of: it sends its readers on, or its class is not wanted."""

    is_stub: bool


Verdict: TypeAlias = Extracted | Rejected | Passed


@dataclass(frozen=True, slots=True)
class Job:
    """What to extract and how, in a form that another process can be given."""

    model: SiteModel
    wrappers: Mapping[str, Wrapper]
    """By the name of their class."""
    chosen: frozenset[str] | None = None
    """The classes that records are wanted of; None for all."""
    limit: int = PAGES
    """The most pages to ask of a live site."""
    workers: int | None = None
    """How many processes share the pages at hand. None: as many as there are cores."""
    home: str = ""
    """The home page of the copy of the site that is read."""

    def wanted(self) -> frozenset[str]:
        """The classes that get tables."""
        names = self.wrappers.keys()
        return frozenset(names if self.chosen is None else names & self.chosen)


class Judge:
    """Classifies pages and applies the wrappers of their classes."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.classifier = Classifier(job.model, job.home)
        self._extractors = {name: Extractor(one) for name, one in job.wrappers.items()}

    def of_page(self, page: Page) -> Verdict:
        """What becomes of a page: a pure function of its URL and bytes."""
        if len(self.classifier.vocabulary) > _MOST_PATHS:
            self.classifier = Classifier(self.job.model, self.job.home)
        document = page.document()
        facts = self.classifier.facts(document)
        return self.of_document(document, facts, self.classifier.of_facts(facts))

    def of_document(
        self, document: Document, facts: PageFacts, classification: Classification
    ) -> Verdict:
        """The same for a page whose class is known."""
        name, chosen = classification.page_class, self.job.chosen
        if facts.is_stub:
            return Passed(is_stub=True)
        if name is None:
            # Nobody knows what it is, so it may be one of those that are wanted.
            return Rejected(document.url, None, NO_CLASS, is_misfit=True)
        if chosen is not None and name not in chosen:
            return Passed(is_stub=False)
        extractor = self._extractors.get(name)
        if extractor is None:
            return Rejected(document.url, name, NO_WRAPPER)
        return extracted(extractor, document)


def extracted(extractor: Extractor, document: Document) -> Extracted | Rejected:
    """What a page of the extractor's class gives."""
    found, wrapper = extractor.extract(document), extractor.wrapper
    if isinstance(found, Record):
        return Extracted(wrapper.page_class, tuple(lines(wrapper, found)))
    return Rejected(document.url, wrapper.page_class, found.reason, is_misfit=True)


def rejected(missing: Missing) -> Rejected:
    """A page that could not be had, with the site's own reason."""
    detail = f": {missing.detail}" if missing.detail else ""
    return Rejected(missing.url, None, f"{missing.reason}{detail}")
