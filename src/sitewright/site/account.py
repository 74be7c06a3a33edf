"""What became of every URL of a site, and what whole tables would cost: part of site.json."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sitewright.site.base import Missing, Reason
from sitewright.site.endpoints import JsonEndpoint  # noqa: TC001 - read from a file
from sitewright.site.identity import SameContent  # noqa: TC001 - read from a file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


FETCHED = "fetched"
"""The page is here, fetched in this run or in an earlier one."""
SAME_PAGE = "same page"
"""Another URL of a page that is here; `why` is that page's URL."""
REFUSED = "refused"
"""It was not asked for: out of bounds, against robots.txt, a trap, or over the limit."""
FAILED = "failed"
"""It was asked for, and there is no page."""
_NEVER_ASKED = frozenset(
    {
        Reason.OUT_OF_SCOPE,
        Reason.PRIVATE_ADDRESS,
        Reason.DISALLOWED,
        Reason.TRAP,
        Reason.OVER_LIMIT,
        Reason.OPTED_OUT,
    }
)


@dataclass(frozen=True, slots=True)
class UrlAccount:
    """What became of one URL."""

    url: str
    outcome: str
    """`fetched`, `same page`, `refused` or `failed`."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class ClassCoverage:
    """How much of a class was read, and what the rest would cost."""

    name: str
    known: int
    """Pages of the class that links, sitemaps or feeds lead to, those that were read among them."""
    read: int
    requests: int
    """What is left to ask for."""
    seconds: float
    """What that takes at the delay in force, at the least."""


@dataclass(frozen=True, slots=True)
class FormReport:
    """What a form was good for."""

    action: str
    fields: tuple[str, ...]
    asked: int
    distinct: int
    """Answers that differed from all before."""
    is_informative: bool
    pages: int
    """Pages that were found by it and by no link."""


@dataclass(frozen=True, slots=True)
class CrawlAccount:
    """All that a crawl has to say of itself."""

    budget: int
    """The most pages that it was allowed to ask for."""
    is_complete: bool
    """Whether every page that is known of was read, or cannot be."""
    unread: int
    """Pages that are known of and were not asked for."""
    seconds: float
    """What they take at the delay in force, at the least."""
    counts: dict[str, int]
    """URLs by what became of them."""
    reasons: dict[str, int]
    """Those that were refused or failed, by the reason."""
    classes: tuple[ClassCoverage, ...] = ()
    same_content: tuple[SameContent, ...] = ()
    """Parameters and index pages that turned out to mean nothing, and filters without news."""
    opt_outs: dict[str, int] = field(default_factory=dict)
    """Signals against crawling, indexing or mining that were met, with the pages that have each."""
    collections: dict[str, int] = field(default_factory=dict)
    """Sitemaps and feeds, with the URLs that each lists."""
    orphans: int = 0
    """Pages that only sitemaps or feeds lead to."""
    rendered: int = 0
    """Pages that a browser rendered."""
    shells: int = 0
    """Pages that show nothing without their scripts, and were not rendered."""
    endpoints: tuple[JsonEndpoint, ...] = ()
    """Where scripts of pages load data from."""
    forms: tuple[FormReport, ...] = ()
    """Search forms that were asked, and what they were good for."""
    behind_forms: int = 0
    """Pages that were reached by forms only."""
    fetches_rest: bool = False
    """Whether all pages that are known of were to be fetched: later runs do that, too."""
    urls: tuple[UrlAccount, ...] = ()
    """Every URL that was asked for, in the order of the first time."""

    def sentence(self) -> str:
        """What was left out, in one sentence for people; empty if nothing was."""
        if not self.unread:
            return ""
        read = self.counts.get(FETCHED, 0)
        requests = "request" if self.unread == 1 else "requests"
        time = f", {duration(self.seconds)}" if self.seconds else ""
        what = "again" if self.fetches_rest else "with --complete"
        return (
            f"{read:,} of {read + self.unread:,} known pages were read, so tables are partial; "
            f"the rest costs {self.unread:,} {requests}{time}: run the same command {what}"
        )

    def hint(self) -> str:
        """What to do about a site of which one page came that leads nowhere; else empty."""
        pages = {one.why or one.url for one in self.urls if one.outcome in {FETCHED, SAME_PAGE}}
        # A folder's account names only the URLs that turned out to be another page's.
        is_one = len(pages) == 1 and self.counts.get(FETCHED, 0) <= 1
        if self.unread or not is_one:
            return ""
        return (
            f"only one page was found, and no link leads on from it: {pages.pop()}; if it asks for "
            "consent or a login, give what a browser sends then: --cookie NAME=VALUE"
        )

    def failures(self) -> str:
        """What to do about pages that failed and may come another time; empty if none did."""
        failed = [one for one in self.missing() if _may_come_later(one)]
        if not failed:
            return ""
        pages = "1 page" if len(failed) == 1 else f"{len(failed):,} pages"
        [(why, _)] = Counter(one.detail or str(one.reason) for one in failed).most_common(1)
        if all(one.detail in _CLOSED for one in failed):
            return f"{pages} did not let us in ({why}): --auth, --cookie or --header may"
        return f"{pages} did not come ({why}): run the same command again to ask for them"

    def traps(self) -> dict[str, int]:
        """Why URLs were left out that look like traps, with their number, the usual ones first."""
        start = f"{Reason.TRAP}: "
        why = (one.why.removeprefix(start) for one in self.urls if one.why.startswith(start))
        return dict(Counter(why).most_common())

    def with_class_names(self, names: Mapping[str, str]) -> CrawlAccount:
        """The same under other names of classes."""
        classes = tuple(replace(one, name=names.get(one.name, one.name)) for one in self.classes)
        endpoints = tuple(
            replace(one, page_class=names.get(one.page_class or "", one.page_class))
            for one in self.endpoints
        )
        return replace(self, classes=classes, endpoints=endpoints)

    def missing(self) -> list[Missing]:
        """The URLs that gave no page, with the reasons."""
        return [
            Missing(one.url, Reason(reason), detail)
            for one in self.urls
            if one.outcome in {REFUSED, FAILED}
            for reason, _, detail in [one.why.partition(": ")]
            if reason in set(Reason)
        ]


_CLOSED = frozenset({"401", "403"})


def _may_come_later(missing: Missing) -> bool:
    return missing.reason in {Reason.HTTP_ERROR, Reason.NO_ANSWER, Reason.TIMED_OUT}


def account_of(url: str, answer: str | Missing) -> UrlAccount:
    """What became of a URL: the URL of the page that came, or why none did."""
    if isinstance(answer, str):
        return UrlAccount(url, FETCHED) if answer == url else UrlAccount(url, SAME_PAGE, answer)
    why = f"{answer.reason}: {answer.detail}" if answer.detail else str(answer.reason)
    return UrlAccount(url, REFUSED if answer.reason in _NEVER_ASKED else FAILED, why)


def count_outcomes(accounts: Iterable[UrlAccount]) -> dict[str, int]:
    """URLs by what became of them, the usual outcomes first."""
    return dict(Counter(one.outcome for one in accounts).most_common())


def count_reasons(answers: Iterable[str | Missing]) -> dict[str, int]:
    """Missing pages by reason, the usual ones first."""
    missing = (str(one.reason) for one in answers if isinstance(one, Missing))
    return dict(Counter(missing).most_common())


def coverage(
    read: Mapping[str, int], unread: Mapping[str | None, int], delay: float
) -> tuple[ClassCoverage, ...]:
    """How much of each class was read, from counts by class."""
    return tuple(
        ClassCoverage(name, count + unread.get(name, 0), count, rest, round(rest * delay, 1))
        for name, count in read.items()
        for rest in (unread.get(name, 0),)
    )


def duration(seconds: float) -> str:
    """A time for people: `about 7 min`."""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    minutes = seconds / 60
    return f"about {round(minutes)} min" if minutes < 90 else f"about {minutes / 60:.1f} h"
