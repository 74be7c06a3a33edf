"""A site whose pages are read once: what was read stays, in memory or in a temporary file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, NamedTuple

from sitewright.site.base import NONE_KNOWN, ClosedByContext, Missing, Page, Reason

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from sitewright.site.base import Site


_IN_MEMORY = 32 << 20
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
    does not grow with the site.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._kept = KeptPages()
        self._answers: dict[str, str | Missing] = {}
        """For each URL that was asked for the URL of the page that came, or why none did."""
        self.home = site.home
        self.is_live = site.is_live

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
        return self._site.page_url(url)

    async def fetch(self, urls: Sequence[str]) -> list[Page | Missing]:
        """Fetch the pages that were not asked for before; one outcome a URL, in order."""
        new = [url for url in dict.fromkeys(urls) if not self._is_known(url)]
        for url, outcome in zip(new, await self._site.fetch(new) if new else (), strict=True):
            if isinstance(outcome, Page):
                self._kept.keep(outcome)
                self._answers[url] = outcome.url
            else:
                self._answers[url] = outcome
        return [self._answer(url) for url in urls]

    def pages(self, known: Mapping[str, Page] = NONE_KNOWN) -> Iterator[Page]:
        """Stream every local page; those that were fetched are not read again."""
        return self._site.pages(known or self._kept)

    def listing(self) -> Iterator[str]:
        """Give the URLs of pages that no link need lead to."""
        return self._site.listing()

    async def aclose(self) -> None:
        """Close the site, and forget the pages."""
        self._kept.close()
        await self._site.aclose()

    def _is_known(self, url: str) -> bool:
        answer = self._answers.get(url, url)
        if isinstance(answer, Missing):
            # The limit may have been raised since; everything else stays as it was.
            return answer.reason is not Reason.OVER_LIMIT
        return answer in self._kept

    def _answer(self, url: str) -> Page | Missing:
        answer = self._answers.get(url, url)
        if isinstance(answer, Missing):
            return answer
        page = self._kept[answer]
        return page if answer == url else Page(page.url, page.body, page.encoding, requested=url)
