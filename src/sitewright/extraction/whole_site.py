"""More of a live site than its model needs: all pages that are known of, and those behind forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.crawl.forms import SearchForm, ask_form, words_of
from sitewright.settings import current
from sitewright.site.base import Page, readable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sitewright.classes import SiteModel
    from sitewright.site.account import FormReport
    from sitewright.site.store import PageStore


async def fetch_rest(site: PageStore, tell: Callable[[str, int, int], None]) -> None:
    """Fetch every page that is known of, and those that they lead to, until none is left.

    `tell` is told the step, the pages that were asked for, and how many are known by then.
    """
    most, asked = current().limits.max_complete_pages, 0
    size = 4 * current().crawl.targeted_wave_size
    site.allow(None)
    while (waiting := site.unread()) and asked < most:
        known = asked + len(waiting)
        for start in range(0, len(waiting), size):
            batch = waiting[start : start + size][: most - asked]
            for outcome in await site.fetch(batch):
                page = readable(site, outcome) if isinstance(outcome, Page) else None
                if page is not None:
                    site.note_links(page)
                    for link in page.links:
                        site.page_url(link.url) if link.url else None
            asked += len(batch)
            tell("fetching the rest", asked, known)
    site.is_whole = not site.unread()


async def ask_forms(
    site: PageStore,
    model: SiteModel,
    forms: Sequence[SearchForm],
    tell: Callable[[str, int, int], None],
) -> list[FormReport]:
    """Ask the search forms of a site; the pages that they lead to are `site.behind_forms` then."""
    settings = current().crawl
    words = words_of(await _texts(site, model), settings.max_form_requests)
    own = [one for one in forms if site.page_url(one.action) is not None][: settings.asked_forms]
    site.allow(None)  # what a form is asked has limits of its own
    reports = []
    for form in own:
        new_links = _NewLinks(site, form.action)
        reports.append(await ask_form(form, words, site.ask, new_links))
        tell("asking search forms", len(reports), len(own))
    await site.fetch(list(site.behind_forms))
    return reports


class _NewLinks:
    """Notes the pages that the answers of a form lead to, and that were not known before."""

    def __init__(self, site: PageStore, action: str) -> None:
        self._site = site
        self._action = action

    def __call__(self, page: Page) -> list[str]:
        """The texts of the links of an answer to new pages."""
        site = self._site
        document = readable(site, page)
        known = set(site.known())
        texts: dict[str, str] = {}
        for link in document.links if document is not None else ():
            url = site.page_url(link.url) if link.url else None
            if url is not None and url not in known and not url.startswith(self._action):
                texts.setdefault(url, link.own_text)
        site.behind_forms.update(dict.fromkeys(texts))
        return list(texts.values())


async def _texts(site: PageStore, model: SiteModel) -> list[list[str]]:
    """By class: the texts that words to ask for come from, titles and what links say."""
    found = []
    for one in model.classes:
        pages = [] if one.is_stub else await site.fetch(one.pages)
        read = (readable(site, page) for page in pages if isinstance(page, Page))
        documents = [document for document in read if document is not None]
        titles = [document.title for document in documents]
        links = [link.own_text for document in documents for link in document.links]
        found.append(titles + links)
    return found
