"""What a run has to say of its crawl, for site.json: see `sitewright.site.account`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sitewright.export.class_tables import classes_of_urls
from sitewright.site.account import (
    FETCHED,
    CrawlAccount,
    account_of,
    count_outcomes,
    count_reasons,
    coverage,
)
from sitewright.site.endpoints import EndpointCollector

if TYPE_CHECKING:
    from sitewright.classes import SiteModel
    from sitewright.extraction.page_results import ExtractionSummary
    from sitewright.site.endpoints import JsonEndpoint
    from sitewright.site.store import PageStore


def crawl_account(
    site: PageStore, model: SiteModel, summary: ExtractionSummary, before: CrawlAccount | None
) -> CrawlAccount:
    """What became of every URL, and how much of each class was read.

    `before` is what an earlier run knew: a replay renders nothing, so it learns of no endpoints.
    """
    site.refuse_traps()
    answers = site.answers()
    accounts = [account_of(url, answer) for url, answer in answers.items()]
    unread = site.unread() if site.is_live else []
    leads_to = classes_of_urls(model)
    delay = site.seconds_per_request
    read = pages_read(model, summary)
    shown = [one for one in accounts if site.is_live or one.outcome != FETCHED]
    web = site.web
    return CrawlAccount(
        budget=0,
        is_complete=not unread,
        unread=len(unread),
        seconds=round(len(unread) * delay, 1),
        counts=count_outcomes(accounts),
        reasons=count_reasons(answers.values()),
        classes=coverage(read, Counter(map(leads_to, unread)), delay),
        same_content=site.same_content(),
        collections=site.lists,
        orphans=site.orphans(),
        rendered=web.rendered_pages if web is not None else 0,
        shells=len(web.shells) if web is not None else 0,
        endpoints=_endpoints(site, model) or (before.endpoints if before is not None else ()),
        opt_outs=_opt_outs(site),
        behind_forms=len(site.behind_forms),
        urls=tuple(shown),
    )


def _endpoints(site: PageStore, model: SiteModel) -> tuple[JsonEndpoint, ...]:
    """Where scripts of pages load data from, by class."""
    collector, leads_to = EndpointCollector(), classes_of_urls(model)
    for one in site.web.loaded_data if site.web is not None else ():
        collector.add(leads_to(one.page), (one.page, one.html), one.url, one.body)
    return tuple(collector.endpoints())


def _opt_outs(site: PageStore) -> dict[str, int]:
    """What owners say against crawling and mining, with the pages that say so."""
    if site.web is None:
        return {}
    counts = Counter(one for signals in site.web.signals.values() for one in signals)
    counts.update(site.web.robots_signals)
    return dict(sorted(counts.items()))


def pages_read(model: SiteModel, summary: ExtractionSummary) -> dict[str, int]:
    """How many pages of each class were read, as far as an extraction tells."""
    names = [one.name for one in model.classes if not one.is_stub]
    read = {name: summary.extracted[name] + summary.rejected[name] for name in names}
    # It counts redirect pages together: of several classes of them it knows none's number.
    match [one.name for one in model.classes if one.is_stub]:
        case [name]:
            read[name] = summary.redirects
    return read
