"""The spider's own reading of the pages at hand, beside what `extract` makes of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sitewright.output.spider.runtime.page_classes import records_of_page
from sitewright.wrapper import Record, extract, lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scrapy import Item

    from sitewright.output.spider.at_hand import PageAtHand, PagesAtHand
    from sitewright.output.spider.runtime.page_classes import PageClass
    from sitewright.wrapper import Wrapper

SAMPLES = 2
"""How many pages of a class are kept for the project's tests."""
LARGEST_SAMPLE = 200_000
"""In bytes."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A page for the project's tests, with the records that it must give."""

    page_class: str
    url: str
    body: bytes
    content_type: str
    records: tuple[dict[str, Any], ...]


@dataclass(slots=True)
class TrialRun:
    """How the spider does on the pages at hand."""

    pages: Counter[str] = field(default_factory=Counter)
    """The pages of each class that has a wrapper."""
    same: Counter[str] = field(default_factory=Counter)
    """Those of them with the same records as from `extract`."""
    taken_for: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Class, and the other class that the spider takes pages for; empty: none."""
    samples: dict[str, list[Sample]] = field(default_factory=dict)

    @property
    def samples_in_order(self) -> list[Sample]:
        """All samples, class by class."""
        return [sample for samples in self.samples.values() for sample in samples]


def trial_run(
    page_classes: Sequence[PageClass], wrappers: Mapping[str, Wrapper], pages: PagesAtHand
) -> TrialRun:
    """Read every page at hand as the spider will."""
    run = TrialRun(samples={name: [] for name in wrappers})
    for page in pages.all():
        name, records = records_of_page(page_classes, page.response, page.url)
        own = page.page_class if page.page_class in wrappers else ""
        run.pages[own or ""] += 1
        if name != (own or None):
            run.taken_for[own or "", name or ""] += 1
        elif own:
            _compared(run, own, page, expected(wrappers[own], page), plain(records))
    return run


def expected(wrapper: Wrapper, page: PageAtHand) -> list[dict[str, Any]]:
    """The records that `extract` gives for a page, of what is exported."""
    record = extract(wrapper, page.document)
    return list(lines(wrapper, record)) if isinstance(record, Record) else []


def plain(records: Sequence[Item]) -> list[dict[str, Any]]:
    """Items as a feed has them."""
    from itemadapter import ItemAdapter  # noqa: PLC0415 - it comes with Scrapy

    return [ItemAdapter(record).asdict() for record in records]


def _compared(
    run: TrialRun,
    name: str,
    page: PageAtHand,
    ours: list[dict[str, Any]],
    theirs: list[dict[str, Any]],
) -> None:
    if ours != theirs:
        return
    run.same[name] += 1
    body = page.document.body
    if not ours or len(body) > LARGEST_SAMPLE:
        return
    content_type = (page.response.headers["Content-Type"] or b"").decode("latin-1")
    sample = Sample(name, page.url, body, content_type, tuple(ours))
    smallest = sorted([*run.samples[name], sample], key=lambda one: (len(one.body), one.url))
    run.samples[name] = smallest[:SAMPLES]
