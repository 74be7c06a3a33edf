"""The records of all pages of a site: tables of its classes, and what was rejected and why."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from sitewright.classes.focus import NEVER_ASKED, focused
from sitewright.output.class_tables import ClassTables
from sitewright.output.processes import judged
from sitewright.output.tally import Summary
from sitewright.output.verdicts import Job, Judge, rejected
from sitewright.site import Missing, Reason
from sitewright.site.url import folder_url

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from sitewright.output.verdicts import Rejected, Verdict
    from sitewright.site import Page, Site

_NO_PAGES = frozenset({Reason.NOT_FOUND, Reason.OUT_OF_SCOPE, Reason.NOT_HTML})
"""Why links of a folder or an archive lead nowhere; other reasons are those of pages at hand."""


async def extract_site(
    out: Path,
    site: Site,
    job: Job,
    progress: Callable[[Summary], None] = lambda _: None,
    known: Mapping[str, Verdict] = MappingProxyType({}),
) -> Summary:
    """Write the records of a site's pages to OUT/classes/NAME/table.*, the rest to rejected.jsonl.

    Of a folder or an archive every page is taken. A live site is walked along the ways that lead to
    the wanted classes; then come the other pages that were fetched before. The files take their
    names when all of it is done: whatever goes wrong, those of an earlier run stay whole. Of pages
    whose results are `known`, by their address, nothing is read again.
    """
    job = replace(job, home=site.home)
    summary = Summary()
    seen: set[str] = set()
    with ClassTables(out, job, summary) as tables:
        if site.is_live:
            async with aclosing(_walked(site, job, summary)) as walk:
                async for url, verdict in walk:
                    seen.add(folder_url(url))
                    tables.write([verdict])
                    progress(summary)
        async with aclosing(judged(_once(site.pages(), seen), job, known)) as chunks:
            async for verdicts in chunks:
                tables.write(verdicts)
                progress(summary)
        tables.write(_unreadable(site))
    return summary


async def _walked(
    site: Site, job: Job, summary: Summary
) -> AsyncGenerator[tuple[str, Verdict], None]:
    """The verdicts on the pages of a live site, each with its address, as the walk finds them."""
    judge, wanted = Judge(job), job.wanted()
    async with aclosing(focused(site, judge.classifier, wanted, limit=job.limit)) as walk:
        async for found in walk:
            if isinstance(found, Missing):
                summary.asked += found.reason not in NEVER_ASKED
                yield found.url, rejected(found)
                continue
            is_wanted = found.classification.page_class in wanted and not found.facts.is_stub
            summary.asked += 1
            summary.asked_wanted += is_wanted
            yield found.page.url, judge.of_document(*found[1:])


def _once(pages: Iterable[Page], seen: set[str]) -> Iterator[Page]:
    """The pages that were not seen; of a folder's address and that of its index page, the first."""
    for page in pages:
        form = folder_url(page.url)
        if form not in seen:
            if form != page.url or form.endswith("/"):
                seen.add(form)
            yield page


def _unreadable(site: Site) -> Iterator[Rejected]:
    """The pages at hand that could not be read; those of a live site were told on the way."""
    if not site.is_live:
        for missing in site.missed.values():
            if missing.reason not in _NO_PAGES:
                yield rejected(missing)
