"""A site whose pages are read once: what was read stays, in memory or in a temporary file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, NamedTuple, cast

from sitewright.page.url import file_ending
from sitewright.settings import current
from sitewright.site.base import NONE_KNOWN, ClosedByContext, Missing, Page, Reason
from sitewright.site.guard import BarrenPatterns
from sitewright.site.identity import FilterParameters, PageIdentity, variants, wording_digest
from sitewright.site.optouts import NOFOLLOW, unfollowed

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from sitewright.page import Document
    from sitewright.site.base import Site
    from sitewright.site.identity import SameContent
    from sitewright.site.web import RefreshedPages, WebSite


_IN_MEMORY = 8 << 20
"""So many bytes of pages stay in memory; then all of them move to a temporary file."""


class _KeptPlace(NamedTuple):
    """Where a page stands in the file."""

    offset: int
    length: int
    encoding: str | None


class KeptPages(Mapping[str, Page]):
    """Pages by their URL: their bytes lie in one file, which is gone when it is closed."""

    def __init__(self) -> None:
        self._places: dict[str, _KeptPlace] = {}
        self._file = SpooledTemporaryFile(  # noqa: SIM115 - closed by `close`
            max_size=_IN_MEMORY, prefix="sitewright-"
        )

    def keep(self, page: Page) -> None:
        """Take in a page; one that is there already stays as it is."""
        if page.url not in self._places:
            offset = self._file.seek(0, 2)
            self._file.write(page.body)
            self._places[page.url] = _KeptPlace(offset, len(page.body), page.encoding)

    def close(self) -> None:
        """Forget all pages."""
        self._places.clear()
        self._file.close()

    def __getitem__(self, url: str) -> Page:
        offset, length, encoding = self._places[url]
        self._file.seek(offset)
        return Page(url, self._file.read(length), encoding)

    def __contains__(self, url: object) -> bool:
        return url in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class PageStore(ClosedByContext):
    """A site that is asked for each page once, whoever wants it and however often.

    Pages that were fetched are kept until it is closed, and failures are not tried again. `pages`
    streams all local pages; those that it reads for the first time are not kept, so that memory
    does not grow with the site. URLs that turn out to be one page have one URL from then on: see
    `PageIdentity`. So what `page_url` answers may change while pages come.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self.behind_forms: dict[str, None] = {}
        """Pages of a live site that search forms led to, and no link before."""
        self._start()
        self.home = site.home
        self.is_live = site.is_live
        self.is_whole = not site.is_live
        """Whether every page that is known of is here: no further one costs a request."""

    def _start(self) -> None:
        """Know of no page yet."""
        self._kept = KeptPages()
        self._answers: dict[str, str | Missing] = {}
        """For each URL that was asked for the URL of the page that came, or why none did."""
        self.identity = PageIdentity(self._kept_body, self._may_be_there)
        self._followed: dict[str, bool] = {}
        """URLs in links of a live site: whether one of the links may be followed."""
        self._barren = BarrenPatterns()
        self._filters = FilterParameters(self._kept_body)
        self._linked: dict[str, None] = {}
        """URLs of a live site that were seen in links, in their order."""

    @property
    def tally(self) -> Counter[Reason]:
        """How many URLs were refused or missing, by reason."""
        return self._site.tally

    @property
    def missed(self) -> dict[str, Missing]:
        """What was missing so far, by URL."""
        return self._site.missed

    def page_url(self, url: str) -> str | None:
        """Give the one URL under which the site knows this absolute URL."""
        found = self._site.page_url(url)
        if found is None:
            return None
        if self.is_live and len(self._linked) < current().limits.max_waiting_urls:
            self._linked[found] = None
        return self.identity.address(found)

    def address(self, url: str) -> str:
        """The URL to ask for: one that was asked for before stays as it was."""
        return url if url in self._answers else self.identity.address(url)

    def unread(self) -> list[str]:
        """The pages of a live site that are known of and were not asked for, each once."""
        known = dict.fromkeys(map(self.identity.address, (*self._linked, *self._listed())))
        return [url for url in known if not file_ending(url) and not self._is_known(url)]

    def refuse_traps(self) -> None:
        """Say of pages that were not asked for whether they would be: traps cost no request."""
        for url in self.unread() if self.is_live else ():
            if (why := self._trap(url)) is not None:
                self._refuse(Missing(url, Reason.TRAP, why))

    def known(self) -> Iterator[str]:
        """All pages of a live site that are known of, read or not."""
        yield from map(self.identity.address, self._linked)
        yield from self._listed()
        yield from self._answers

    def answers(self) -> dict[str, str | Missing]:
        """What became of every URL: the URL of the page that it is, or why there is none."""
        aliases = {url: self.identity.address(url) for url in self.identity.aliases}
        return {**self._answers, **aliases}

    def same_content(self) -> tuple[SameContent, ...]:
        """What was learnt of URLs that show nothing new."""
        return (*self.identity.learned(), *self._filters.learned())

    @property
    def web(self) -> WebSite | None:
        """The live site itself, if it is one of the web."""
        from sitewright.site.web import WebSite  # noqa: PLC0415 - few need it

        return self._site if isinstance(self._site, WebSite) else None

    async def read_lists(self, *, anew: bool = False) -> None:
        """Read the sitemaps and feeds of a live site, `anew` or as archived; others have none."""
        read = getattr(self._site, "read_lists", None)
        if read is not None:
            if self.web is not None:
                await self.web.read_reservations(anew=anew)
            [home] = await self.fetch([self.home])
            if isinstance(home, Page):
                await read(home, anew=anew)

    @property
    def lists(self) -> dict[str, int]:
        """Sitemaps and feeds that were read, with the pages that each lists."""
        return dict(getattr(self._site, "lists", {}))

    def orphans(self) -> int:
        """How many pages sitemaps and feeds list that no link was seen to lead to."""
        linked = {*self._linked, *map(self.identity.address, self._linked), self.home}
        return sum(url not in linked for url in self._listed()) if self.is_live else 0

    async def refresh(self, max_age: float | None) -> RefreshedPages | None:
        """Ask for the pages of a live site that may have changed; before any other step.

        What was read for that, the home page above all, is forgotten: it may be another now.
        """
        await self.read_lists(anew=True)
        refresh = getattr(self._site, "refresh", None)
        found = None if refresh is None else cast("RefreshedPages", await refresh(max_age))
        self._kept.close()
        self._start()
        return found

    @property
    def requests(self) -> int:
        """How many answers came from the network; 0 for a site that is not live."""
        return getattr(self._site, "requests", 0)

    @property
    def seconds_per_request(self) -> float:
        """The least time between two requests to a live site."""
        return getattr(self._site, "seconds_per_request", 0.0)

    def allow(self, pages: int | None) -> None:
        """Raise the limit of pages of a live site; None for no limit."""
        if (allow := getattr(self._site, "allow", None)) is not None:
            allow(pages)

    async def fetch(self, urls: Sequence[str]) -> list[Page | Missing]:
        """Fetch the pages that were not asked for before; one outcome a URL, in order."""
        addresses = {url: self.address(url) for url in dict.fromkeys(urls)}
        for url in addresses.values():
            if self._followed.get(url) is False:
                self._refuse(Missing(url, Reason.OPTED_OUT, NOFOLLOW))
            elif self.is_live and not self._is_known(url) and (why := self._trap(url)) is not None:
                self._refuse(Missing(url, Reason.TRAP, why))
        new = [url for url in dict.fromkeys(addresses.values()) if not self._is_known(url)]
        for url, outcome in zip(new, await self._site.fetch(new) if new else (), strict=True):
            self._answers[url] = outcome if isinstance(outcome, Missing) else self._take(outcome)
            if isinstance(outcome, Missing):
                self._filters.note_missing(url, outcome)
        return [self._answer(addresses[url], url) for url in urls]

    async def ask(self, urls: Sequence[str]) -> list[Page]:
        """Fetch the answers of a form as they are: most questions find nothing, and look alike."""
        new = [url for url in dict.fromkeys(urls) if not self._is_known(url)]
        for url, outcome in zip(new, await self._site.fetch(new) if new else (), strict=True):
            self._answers[url] = outcome if isinstance(outcome, Missing) else outcome.url
            if isinstance(outcome, Page):
                self._kept.keep(outcome)
        found = (self._answer(url, url) for url in urls)
        return [one for one in found if isinstance(one, Page)]

    def pages(self, known: Mapping[str, Page] = NONE_KNOWN) -> Iterator[Page]:
        """Stream every local page; those that were fetched are not read again.

        Of pages with the same content the first that was read comes.
        """
        for page in self._site.pages(known or self._kept):
            is_new = page.url not in self._kept
            compare = is_new and not self.is_live and page.url in self._variants
            if self.identity.take_passing(page, compare=compare) == page.url:
                yield page

    @cached_property
    def _local(self) -> tuple[str, ...]:
        """The URLs of a folder or an archive."""
        return tuple(self._site.listing())

    @cached_property
    def _local_urls(self) -> frozenset[str]:
        return frozenset(self._local)

    @cached_property
    def _variants(self) -> frozenset[str]:
        """Those of them that may be one page with others, by their parameters."""
        is_listed = "_local" in self.__dict__  # else only these few are kept in memory
        return frozenset(variants(self._local if is_listed else self._site.listing()))

    def _may_be_there(self, url: str) -> bool:
        """Whether a page can be had at a URL: of a folder or an archive, its listing knows."""
        return self.is_live or url in self._local_urls

    def listing(self) -> Iterator[str]:
        """Give the URLs of pages that no link need lead to; of a whole live site all pages."""
        yield from self._listed()
        if self.is_live and self.is_whole:
            yield from self._kept

    def _listed(self) -> Iterator[str]:
        yield from self._site.listing() if self.is_live else self._local
        yield from self.behind_forms

    async def aclose(self) -> None:
        """Close the site, and forget the pages."""
        self._kept.close()
        await self._site.aclose()

    def note_links(self, document: Document) -> None:
        """Take in the links of a page of a live site: which of them its owner lets us follow."""
        web = self.web
        if web is None:
            return
        self._filters.note(document.url, document.body, self._is_linked)
        own = (self._site.page_url(link.url) for link in document.links if link.url)
        new = (url for url in own if url is not None and not self._is_linked(url))
        self._barren.note(document.url, lambda: wording_digest(document.body), new)
        if not web.options.obey_robots:
            return
        is_closed = NOFOLLOW in web.signals.get(document.url, ())
        closed = unfollowed(document)
        if not is_closed and not closed and not any(not one for one in self._followed.values()):
            return
        for link in document.links:
            url = self.page_url(link.url) if link.url else None
            if url is not None and url != self.home:
                is_open = not is_closed and link.url not in closed
                self._followed[url] = is_open or self._followed.get(url, False)

    def _is_linked(self, url: str) -> bool:
        """Whether a link led to this page before, under whatever URL."""
        return url in self._linked or self.identity.address(url) in self._linked

    def _trap(self, url: str) -> str | None:
        """Say why a URL of a live site would lead to nothing new; None if it may."""
        return self._barren.trap(url) or self._filters.left_out(url)

    def _refuse(self, missing: Missing) -> None:
        if not self._is_known(missing.url):
            self._answers[missing.url] = missing
            if missing.url not in self.missed:
                self.missed[missing.url] = missing
                self.tally[missing.reason] += 1

    def _take(self, page: Page) -> str:
        """Keep a page, unless it is one that is here already; gives its one URL."""
        url = self.identity.take(page)
        if page.requested:
            self.identity.moved(page.requested, url)
        if url == page.url or url not in self._kept:
            self._kept.keep(page)
            return page.url
        self._filters.note_same(page.url)
        return url

    def _kept_body(self, url: str) -> bytes | None:
        return self._kept[url].body if url in self._kept else None

    def _is_known(self, url: str) -> bool:
        answer = self._answers.get(url, url)
        if isinstance(answer, Missing):
            # The limit may have been raised since; everything else stays as it was.
            return answer.reason is not Reason.OVER_LIMIT
        return answer in self._kept

    def _answer(self, url: str, requested: str) -> Page | Missing:
        answer = self._answers.get(url, url)
        if isinstance(answer, Missing):
            return answer
        page = self._kept[answer]
        is_own = answer == requested
        return page if is_own else Page(page.url, page.body, page.encoding, requested=requested)
