"""Whether a site still is what was learnt of it, from a few pages of each class.

Pages that were read before are read again, those first that have the most fields: on them a field
that is empty now was certainly there. Where they are gone, others with such URLs take their place.
The test is that of `sitewright extract` (`extraction/fit.py`); it ends for a class as soon as each
of its fields is either kept or lost, and at the latest after twenty pages.
"""

from __future__ import annotations

import asyncio
import math
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin

from sitewright.change.columns import table_lines
from sitewright.classes.features import evenly
from sitewright.errors import NoPages
from sitewright.extraction.alarms import Alarm, AlarmKind, has_value
from sitewright.extraction.compared_pages import place_of
from sitewright.extraction.fit import ClassFit, Evidence, page_values
from sitewright.methods import site_classifier
from sitewright.page.url_pattern import path_and_query
from sitewright.settings import current
from sitewright.site import Missing, Reason
from sitewright.site.base import explain_missing
from sitewright.wrapper import Extractor, Record, lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitewright.classes import Classifier, PageClass
    from sitewright.export.results import ProjectResults
    from sitewright.extraction.compared_pages import FieldValues
    from sitewright.page import Document
    from sitewright.site import Site
    from sitewright.wrapper import Wrapper


@dataclass(frozen=True, slots=True)
class CheckedClass:
    """How one class was checked."""

    page_class: str
    asked: int
    """Pages that were asked for."""
    read: int
    """Those of them that were there."""
    alarms: int


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Whether a site still fits what was learnt of it."""

    site: str
    classes: tuple[CheckedClass, ...]
    alarms: tuple[Alarm, ...]
    """What no longer fits; empty: all is well."""
    notices: tuple[Alarm, ...]
    """Fields that few pages had and none has now: no alarm."""

    @property
    def fits(self) -> bool:
        """Whether there is no alarm."""
        return not self.alarms

    @property
    def pages(self) -> int:
        """How many pages were asked for."""
        return sum(one.asked for one in self.classes)

    def as_json(self) -> dict[str, Any]:
        """The report in one object."""
        return {
            "site": self.site,
            "fits": self.fits,
            "pages": self.pages,
            "alarms": [one.as_json() for one in self.alarms],
            "notices": [one.as_json() for one in self.notices],
            "classes": [
                {"class": one.page_class, "asked": one.asked, "read": one.read,
                 "alarms": one.alarms}
                for one in self.classes
            ],
        }  # fmt: skip


async def check_site(
    project: ProjectResults,
    site: Site,
    progress: Callable[[int], None] = lambda _: None,
) -> CheckReport:
    """Read some pages of each class again, and say what no longer fits."""
    model = project.model
    classifier = site_classifier(model, site.home)
    unclaimed = cache(partial(_unclaimed_listing, project, site))
    checks = [
        _ClassCheck(project.path, one, wrapper, _Copy(site, model.visited, classifier, unclaimed))
        for one in model.classes
        if (wrapper := project.wrappers.get(one.name)) is not None and not one.is_stub
    ]
    done = 0
    for check in checks:
        await check.run()
        done += check.asked
        progress(done)
    if not any(check.read for check in checks) and _is_unreachable(site):
        why = f"no pages could be read: {explain_missing(site.missed.values())}"
        raise NoPages(site.home, why)
    alarms = [alarm for check in checks for alarm in check.alarms()]
    alarms.sort(key=lambda alarm: alarm.field is not None)
    return CheckReport(
        site.home,
        tuple(
            CheckedClass(check.name, check.asked, check.read, len(list(check.alarms())))
            for check in checks
        ),
        tuple(alarms),
        tuple(notice for check in checks for notice in check.notices()),
    )


_GONE = frozenset({Reason.NOT_FOUND, Reason.BAD_REDIRECT, Reason.OUT_OF_SCOPE, Reason.NOT_HTML})
"""Why a page is no longer there; for other reasons nobody can say whether it is."""


def _is_unreachable(site: Site) -> bool:
    """Whether the site did not answer, which tells nothing of its pages."""
    missed = list(site.missed.values())
    return not missed or not any(_is_gone(one) for one in missed)


def _is_gone(missing: Missing) -> bool:
    return missing.reason in _GONE or missing.detail in {"404", "410"}


def _unclaimed_listing(project: ProjectResults, site: Site) -> list[str]:
    """Local pages that no class was seen to have, evenly over their URLs."""
    known = {place_of(url) for one in project.model.classes for url in one.pages}
    return [] if site.is_live else [url for url in site.listing() if place_of(url) not in known]


class _Copy(NamedTuple):
    """The copy of the site that is checked."""

    site: Site
    visited: int
    """Pages that the model was made from."""
    classifier: Classifier
    unclaimed: Callable[[], Sequence[str]]
    """Its pages that no class was seen to have: a long list, which is seldom needed."""


class _ClassCheck:
    """The check of one class."""

    def __init__(self, out: Path, described: PageClass, wrapper: Wrapper, copy: _Copy) -> None:
        self.name = described.name
        self.asked = self.read = 0
        self._class, self._wrapper = described, wrapper
        self._site, visited, self._classifier, self._unclaimed = copy
        self._share = described.visited / max(1, visited)
        self._extractor = Extractor(wrapper, always_compared=True)
        self._fit = ClassFit(wrapper)
        table = out / "classes" / described.name / "table.jsonl"
        self._chosen = _chosen_pages(table, described, wrapper)
        self._before = _values_before(table, wrapper, self._chosen)
        self._since = _last_read(table)
        self._known = {place_of(url) for url in described.pages}

    async def run(self) -> None:
        """Read pages until the test is decided."""
        settings = current().change
        waiting = list(self._chosen)
        size = settings.first_pages
        gone: list[str] = []
        while waiting and self.asked < settings.max_pages and not self._is_decided():
            batch, waiting = waiting[:size], waiting[size:]
            batch = batch[: settings.max_pages - self.asked]
            gone += await self._read(batch)
            if len(gone) * 2 > self.asked:
                break
            size = settings.first_pages // 2
        await self._replace_gone(gone)

    async def _replace_gone(self, gone: list[str]) -> None:
        """Pages come and go; where others of the class have come, those that went tell nothing."""
        settings = current().change
        if len(gone) * 2 <= self.asked:
            return
        others = await self._others(settings.max_pages - self.asked)
        before = self.read
        # Where pages of several classes have such URLs, those of other classes tell nothing.
        is_told = self._class.is_known_by_url(current().classes)
        await self._read(others, only_own=not is_told)
        expected = int(settings.lost_share * self._share * len(others))
        least = 1 if is_told else min(max(1, expected), settings.min_replacing_pages)
        if self.read >= before + least and not self._fit.recognised.is_lost:
            return
        for url in gone:
            self._fit.gone.add(False, settings.page_rate, url)
        for _ in range(self.read):
            self._fit.gone.add(True, settings.page_rate, "")

    async def _others(self, most: int) -> list[str]:
        """Pages that were not read before, and whose URLs look like those of the class."""
        pattern = re.compile(self._class.url_pattern)
        known = {place_of(url) for url in (*self._class.pages, *self._before)}
        found = await self._linked(most) if self._site.is_live else self._unclaimed()
        looks = [
            url
            for url in dict.fromkeys(found)
            if place_of(url) not in known and pattern.fullmatch(path_and_query(url))
        ]
        return evenly(looks, most) if most > 0 else []

    async def _linked(self, most: int) -> list[str]:
        """The pages that the pages lead to which had the most links to the class."""
        entries = [_url_on(self._site, url) for url in (*self._class.entry_points, self._site.home)]
        asked = list(dict.fromkeys(entries))[: max(0, min(3, most - 1))]
        self.asked += len(asked)
        found: list[str] = []
        for outcome in await self._site.fetch(asked):
            if not isinstance(outcome, Missing):
                document = outcome.document()
                urls = (self._site.page_url(link.url) for link in document.links)
                found += [url for url in urls if url is not None]
        return found

    async def _read(self, urls: Sequence[str], *, only_own: bool = False) -> list[str]:
        """Read pages and count what they say; gives those that are gone.

        `only_own`: pages that are not recognised as the class are passed over.
        """
        gone: list[str] = []
        self.asked += len(urls)
        outcomes = await self._site.fetch([_url_on(self._site, url) for url in urls])
        for url, outcome in zip(urls, outcomes, strict=True):
            if isinstance(outcome, Missing):
                gone += [url] if _is_gone(outcome) else []
                continue
            document = outcome.document()
            if not document.refused:
                self._count(document, self._before.get(place_of(url)), only_own=only_own)
            await asyncio.sleep(0)  # lets Ctrl-C in
        return gone

    def _count(
        self, document: Document, before: FieldValues | None, *, only_own: bool = False
    ) -> None:
        features = self._classifier.features(document)
        if only_own and self._classifier.of_features(features).page_class != self.name:
            return
        if features.is_stub:
            self._fit.gone.add(False, current().change.page_rate, document.url)
            return
        self.read += 1
        found_class = self._classifier.of_features(features).page_class
        is_own = found_class == self.name
        self._fit.recognised.add_page(is_own, document.url, now=found_class or "")
        found = self._extractor.extract(document)
        if isinstance(found, Record):
            self._fit.records.add_page(True, document.url)
            known = place_of(document.url) in self._known
            rows = list(lines(self._wrapper, found))
            self._fit.add_lines(rows, document.url, before, is_known=known)
            self._fit.add_doubts(found.doubts, document.url)
        else:
            self._fit.add_nothing(document.url, before)

    def _is_decided(self) -> bool:
        """Whether more pages would change nothing: all is kept, or the class as such is lost."""
        settings = current().change
        fit = self._fit
        wholes = (fit.recognised, fit.records)
        if any(one.is_lost for one in wholes):
            return self.read >= settings.first_pages
        fields = fit.alarming_evidence()
        doubtful = [one for one in (*wholes, *fields) if one.lacking and not _is_settled(one)]
        is_read = self.read >= settings.first_pages and not doubtful
        return is_read and not fit.is_in_doubt()

    def alarms(self) -> Iterator[Alarm]:
        """What no longer fits; where the class as such is lost, its fields need not be told."""
        found = [replace(one, since=self._since) for one in self._fit.alarms()]
        wholes = [one for one in found if one.field is None]
        if any(one.kind is AlarmKind.PAGES_GONE for one in wholes):
            yield from wholes
        else:
            yield from found

    def notices(self) -> Iterator[Alarm]:
        """Rare fields that are gone."""
        return (replace(one, since=self._since) for one in self._fit.notices())


def _is_settled(evidence: Evidence) -> bool:
    return evidence.is_lost or evidence.is_kept


def _url_on(site: Site, url: str) -> str:
    """The URL of a page on this copy of its site."""
    own = site.page_url(url)
    if own is not None:
        return own
    moved = urljoin(site.home, path_and_query(url))
    return site.page_url(moved) or moved


# Which pages are read: those on which the most can be seen.

_MOST_CANDIDATES = 400


def _chosen_pages(table: Path, described: PageClass, wrapper: Wrapper) -> list[str]:
    """Pages of a class that were read before, those with the most fields first."""
    settings = current().change
    filled = _filled_fields(table, wrapper) or {url: frozenset[str]() for url in described.pages}
    candidates = evenly(sorted(filled), _MOST_CANDIDATES)
    wanted = dict.fromkeys(sorted({name for held in filled.values() for name in held}), 0)
    chosen: list[str] = []
    # The first pages are far apart; a gain that is the same is decided by that order.
    waiting = _spread(candidates)
    while waiting and len(chosen) < settings.max_pages:
        best = max(waiting, key=lambda url: _gain(filled[url], wanted))
        chosen.append(best)
        waiting.remove(best)
        for name in filled[best]:
            wanted[name] += 1
    return chosen


def _gain(held: Iterable[str], counts: Mapping[str, int]) -> float:
    """How much a page adds: the fields that few of the chosen pages have count most."""
    enough = current().change.pages_per_field
    return sum(1 / (1 + counts[name]) for name in held if counts[name] < enough)


def _spread(urls: Sequence[str]) -> list[str]:
    """The same URLs, each far from those just before it.

    Steps of the golden section: halving would meet each second page alone, and where every second
    page has a new layout, see none of it.
    """
    step = round(len(urls) * (math.sqrt(5) - 1) / 2)
    while math.gcd(step, len(urls)) > 1:
        step += 1
    return [urls[index * step % len(urls)] for index in range(len(urls))]


def _filled_fields(table: Path, wrapper: Wrapper) -> dict[str, frozenset[str]]:
    """For each page of a table the fields that have a value."""
    rows = next((one for one in wrapper.record_sets if one.name == wrapper.rows), None)
    inside = {one.name: f"{rows.name}.{one.name}" for one in rows.fields} if rows else {}
    filled: dict[str, set[str]] = {}
    for line in table_lines(table):
        held = filled.setdefault(str(line.get("_url")), set())
        for name, value in line.items():
            if not name.startswith("_") and has_value(value):
                held.add(inside.get(name, name))
    return {url: frozenset(held) for url, held in filled.items()}


def _values_before(table: Path, wrapper: Wrapper, urls: Iterable[str]) -> dict[str, FieldValues]:
    """What the table has of some pages, by their place in the site."""
    wanted = set(urls)
    found: dict[str, list[dict[str, Any]]] = {}
    for line in table_lines(table):
        if line.get("_url") in wanted:
            found.setdefault(place_of(str(line["_url"])), []).append(line)
    return {place: page_values(wrapper, lines_) for place, lines_ in found.items()}


def _last_read(table: Path) -> str:
    """When a table was written."""
    if not table.is_file():
        return ""
    stamp = datetime.fromtimestamp(table.stat().st_mtime, UTC)
    return stamp.strftime("%Y-%m-%d %H:%M UTC")
