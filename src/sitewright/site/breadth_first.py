"""The plain way through a site: from the home page, link by link, nearest pages first."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from sitewright.html import Document, Labelling, PathVocabulary, link_collections
from sitewright.site.base import Missing, Page, Reason

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from sitewright.site.base import Site


class Visited(NamedTuple):
    """A page with its document, parsed once."""

    page: Page
    document: Document


async def breadth_first(
    site: Site, *, limit: int | None = None, wave: int = 32
) -> AsyncGenerator[Visited | Missing, None]:
    """Visit the pages of a site in the order of their distance from its home page.

    Every page comes once; what could not be had comes with its reason. `limit` is the most pages
    to visit, `wave` how many are fetched at a time. It also ends where the site has a limit of its
    own: all that waits would come to nothing.
    """
    waiting = deque([site.home])
    known = set(waiting)
    visited = 0
    while waiting and (limit is None or visited < limit):
        size = min(len(waiting), wave, wave if limit is None else limit - visited)
        fetched = await site.fetch([waiting.popleft() for _ in range(size)])
        outcomes = [outcome for outcome in fetched if not _is_over_limit(outcome)]
        if not outcomes:
            return
        for outcome in outcomes:
            if isinstance(outcome, Missing):
                yield outcome
            elif not (outcome.requested and outcome.url in known):
                # Otherwise a redirect led to a page that comes under its own address.
                known.add(outcome.url)
                visited += 1
                document = outcome.document()
                yield Visited(outcome, document)
                new = [address for address in _addresses(site, document) if address not in known]
                known.update(new)
                waiting.extend(new)


def _is_over_limit(outcome: Page | Missing) -> bool:
    return isinstance(outcome, Missing) and outcome.reason is Reason.OVER_LIMIT


def _addresses(site: Site, document: Document) -> list[str]:
    """The pages of the site that a page leads to, each once."""
    collections = link_collections(document, PathVocabulary(Labelling.TAG))
    urls = [link.url for collection in collections for link in collection.links]
    if document.refresh:
        urls.append(document.refresh)
    addresses = map(site.address, dict.fromkeys(urls))
    return list(dict.fromkeys(address for address in addresses if address is not None))
