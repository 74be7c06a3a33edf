"""Whether what is read of a site still fits what was learnt of it: a sequential test.

For every field of every class two guesses stand against each other: the pages have it as often as
they did when the wrapper was learnt, or no more than half as often (Wald 1945). Each page adds the
logarithm of how much likelier the second guess makes what was found there; when the sum passes the
logarithm of one false alarm in ten thousand, the field is lost. So the thresholds come from the
rates that were learnt: of a field that every page had, a few empty pages tell enough, of a rare
one many are needed. The same test says whether pages are still recognised as pages of their class,
and whether their wrapper still makes records of them.

`sitewright extract` runs it over all that it reads, `sitewright check` over a few pages.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sitewright.extraction.alarms import Alarm, AlarmKind, has_value, shown_value
from sitewright.extraction.compared_pages import ComparedPages, FieldValues, place_of
from sitewright.settings import current
from sitewright.wrapper.spare_selectors import NO_DOUBTS, SelectorDoubt
from sitewright.wrapper.values.types import ValueKind
from sitewright.wrapper.wrapper import DOUBTFUL, RAW

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitewright.classes import SiteModel
    from sitewright.wrapper import Field, Wrapper
    from sitewright.wrapper.spare_selectors import SelectorDoubts


_DOUBTS = {
    SelectorDoubt.OTHERWISE: AlarmKind.OTHER_SELECTOR,
    SelectorDoubt.DISAGREE: AlarmKind.DISAGREEMENT,
    SelectorDoubt.OUTVOTED: AlarmKind.OUTVOTED,
}
_NOTICES = frozenset({AlarmKind.OTHER_SELECTOR, AlarmKind.DISAGREEMENT})
"""The field is still read: worth a word, and no alarm."""


@dataclass(slots=True)
class Evidence:
    """What pages say of one thing that they should have."""

    pages: int = 0
    lacking: int = 0
    ratio: float = 0.0
    """The logarithm of how much likelier it is that half or less have it."""
    thinned_ratio: float = 0.0
    """The same of a quarter that lacks it."""
    expected: float = 0.0
    """The sum of the shares that were expected."""
    known_lacking: int = 0
    """Pages that the wrapper was learnt with, and that do not have it now."""
    url: str = ""
    before: str = ""
    now: str = ""

    def add_page(self, has: bool, url: str, now: str = "") -> None:
        """Count a page that is there: whether it is recognised, or has a record."""
        self._add(has, current().change.max_page_rate, url, "", now)

    def add(self, has: bool, rate: float, url: str, before: str = "", now: str = "") -> None:
        """Count one more page; `rate` is the chance that a page of an unchanged site has it."""
        settings = current().change
        rate = min(max(rate, settings.min_rate), settings.max_rate)
        self._add(has, rate, url, before, now)

    def _add(self, has: bool, rate: float, url: str, before: str, now: str) -> None:
        settings = current().change
        lost = rate * settings.lost_share
        self.pages += 1
        self.expected += rate
        self.ratio += math.log(lost / rate) if has else math.log((1 - lost) / (1 - rate))
        thinned = rate * settings.thinned_share
        self.thinned_ratio += math.log(thinned / rate if has else (1 - thinned) / (1 - rate))
        if not has:
            self.lacking += 1
            if not self.url or (before and not self.before):
                self.url, self.before, self.now = url, before, now

    @property
    def is_lost(self) -> bool:
        """Whether the thing is lost, but for one case in so many."""
        return self.ratio >= math.log(1 / current().change.false_alarm)

    @property
    def is_thinned(self) -> bool:
        """Whether a quarter of the pages lost the thing: worth a word, since it may be content."""
        return self.thinned_ratio >= math.log(1 / current().change.thinned_alarm)

    @property
    def is_kept(self) -> bool:
        """Whether the thing is there, but for one case in so many."""
        return self.ratio <= math.log(current().change.missed_alarm)

    def alarm(self, kind: AlarmKind, page_class: str | None, name: str | None) -> Alarm:
        """What is to be said of it."""
        share = self.expected / max(1, self.pages)
        return Alarm(
            kind, page_class, name, self.pages, self.lacking, share,
            self.url, self.before, self.now,
        )  # fmt: skip


def learnt_rate(one: Field, wrapper: Wrapper, around: float = 1.0) -> float:
    """The least share of the pages that have a field, given the few that it was learnt from.

    The lower end of Wilson's interval (1927): where four of five pages had it, of all pages there
    may be half. `around` is the share of the pages with the record set that the field is in.
    """
    share = one.coverage * around
    if one.type.kind is not ValueKind.TEXT:
        share *= 1 - current().wrapper.types.max_odd_share
    return wilson_low(share, wrapper.pages)


def wilson_low(share: float, count: int, z: float = 1.64) -> float:
    """The lower end of the interval that holds the true share in nineteen cases of twenty."""
    if not count:
        return 0.0
    centre = share + z * z / (2 * count)
    spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, (centre - spread) / (1 + z * z / count))


class ClassFit:
    """The test of one class: its pages, its records, each of its fields."""

    def __init__(self, wrapper: Wrapper) -> None:
        self.wrapper = wrapper
        self.recognised = Evidence()
        self.records = Evidence()
        self.gone = Evidence()
        self.fields: dict[tuple[str, AlarmKind], Evidence] = defaultdict(Evidence)
        self._rates = dict(_rates(wrapper))
        self._compared = ComparedPages(wrapper)
        self._always = _always_there(wrapper)
        self._alarming = _alarming(wrapper)
        self._doubted = [one.name for one in wrapper.fields if one.rule.alternatives]
        self._doubted += [one.name for one in wrapper.record_sets if one.rule.alternatives]
        self._constants = {one.name: one.samples[0] for one in wrapper.constants}
        self.other_texts: dict[str, list[str]] = defaultdict(list)
        """For each place that all learnt pages say the same at, the pages that do not."""

    def add_lines(
        self,
        lines: Sequence[Mapping[str, Any]],
        url: str,
        before: FieldValues | None = None,
        *,
        is_known: bool = False,
    ) -> None:
        """Count a page with the lines that it gives; `before` is what it gave when last read.

        `is_known`: the class was learnt with this page.
        """
        for name in self._constants and (lines[0].get(DOUBTFUL) or ()) if lines else ():
            if name in self._constants:
                self.other_texts[name].append(url)
        now = page_values(self.wrapper, lines)
        self._compared.add(url, now, before)
        learnt = self._compared.learnt_with(url) if before is None else {}
        for name, rate in self._rates.items():
            value, raw = now.get(name), now.get(name + RAW)
            was = before.get(name) if before is not None else None
            if has_value(was) or learnt.get(name):
                rate = current().change.max_rate  # noqa: PLW2901 - this page is known to have it
            shown = shown_value(was)
            has = has_value(value) or has_value(raw)
            if has and name + RAW in now:
                unread = self.fields[name, AlarmKind.UNREADABLE]
                unread.add(has_value(value), rate, url, shown, shown_value(raw))
            empty = self.fields[name, AlarmKind.EMPTY]
            empty.add(has, rate, url, shown)
            empty.known_lacking += not has and (is_known or has_value(was))

    def add_doubts(self, doubts: SelectorDoubts, url: str) -> None:
        """Count what the selectors of a page's fields say of each other."""
        known = dict(doubts.fields)
        for name in self._doubted:
            for doubt, kind in _DOUBTS.items():
                if doubts.is_compared or doubt is SelectorDoubt.OTHERWISE:
                    has = known.get(name) is not doubt
                    self.fields[name, kind].add(has, current().change.max_rate, url)

    def add_nothing(self, url: str, before: FieldValues | None = None) -> None:
        """Count a page that the wrapper makes no record of."""
        self.records.add_page(False, url)
        self.add_lines((), url, before)

    def alarms(self) -> Iterator[Alarm]:
        """What no longer fits: the class as a whole, else its fields."""
        name = self.wrapper.page_class
        wholes = (
            (AlarmKind.PAGES_GONE, self.gone),
            (AlarmKind.NO_CLASS, self.recognised),
            (AlarmKind.NO_RECORD, self.records),
        )
        for kind, evidence in wholes:
            if evidence.is_lost:
                yield evidence.alarm(kind, name, None)
        for (field_name, kind), evidence in self.fields.items():
            if self._is_alarming(field_name, kind) and self._is_lost(field_name, kind):
                yield evidence.alarm(kind, name, field_name)
        yield from self._other_values()

    def _other_values(self) -> Iterator[Alarm]:
        """Alarms for fields that have values, which are not theirs."""
        for name in sorted(self._alarming):
            yield from self._compared.odd_values(name)
            yield from self._compared.of_another_field(name)

    def alarming_evidence(self) -> list[Evidence]:
        """What is known of the fields that most pages had."""
        return [one for (name, kind), one in self.fields.items() if self._is_alarming(name, kind)]

    def is_in_doubt(self) -> bool:
        """Whether more known pages could tell that a number is another one."""
        return any(self._compared.is_number_in_doubt(name) for name in self._alarming)

    def _is_lost(self, name: str, kind: AlarmKind) -> bool:
        """Whether a field is lost; few pages are enough where all had it, and none has it now."""
        evidence = self.fields[name, kind]
        if kind is AlarmKind.OUTVOTED and self._compared.is_unchanged(name):
            return False  # known pages say what they said: the other selectors are wrong
        if evidence.is_lost or kind is not AlarmKind.EMPTY or name not in self._always:
            return evidence.is_lost
        least = current().change.min_always_pages
        return evidence.lacking == evidence.pages and evidence.known_lacking >= least

    def _is_alarming(self, name: str, kind: AlarmKind) -> bool:
        return name in self._alarming and kind not in _NOTICES

    def notices(self) -> Iterator[Alarm]:
        """Fields that few pages had, and none has now; fields that are only just still read."""
        for (field_name, kind), evidence in self.fields.items():
            is_alarm = self._is_alarming(field_name, kind) and self._is_lost(field_name, kind)
            is_told = evidence.is_lost or (kind is AlarmKind.EMPTY and evidence.is_thinned)
            if is_told and not is_alarm:
                yield evidence.alarm(kind, self.wrapper.page_class, field_name)
        for name, urls in sorted(self.other_texts.items()):
            yield Alarm(
                AlarmKind.OTHER_TEXT, self.wrapper.page_class, name, self.records.pages, len(urls),
                1.0, urls[0], self._constants[name],
            )  # fmt: skip


def page_values(wrapper: Wrapper, lines: Sequence[Mapping[str, Any]]) -> FieldValues:
    """What the lines of a page say, field by field; fields of rows have a list of values."""
    found: FieldValues = {}
    if not lines:
        return found
    for one in wrapper.fields:
        for column in one.columns():
            found[column] = lines[0].get(column)
    for records in wrapper.record_sets:
        is_rows = records.name == wrapper.rows
        rows = lines if is_rows else lines[0].get(records.name)
        rows = rows if isinstance(rows, list | tuple) else []
        found[records.name] = list(rows)
        for one in records.fields:
            for column in one.columns():
                held: list[Any] = []
                for row in rows:
                    value = row.get(column) if isinstance(row, dict) else None
                    held += value if isinstance(value, list) else [value] * has_value(value)
                found[f"{records.name}.{column}"] = held
    return found


def _rates(wrapper: Wrapper) -> Iterator[tuple[str, float]]:
    for one in wrapper.fields:
        yield one.name, learnt_rate(one, wrapper)
    for records in wrapper.record_sets:
        yield records.name, wilson_low(records.coverage, wrapper.pages)
        for one in records.fields:
            yield f"{records.name}.{one.name}", learnt_rate(one, wrapper, records.coverage)


def _alarming(wrapper: Wrapper) -> frozenset[str]:
    """The fields that most pages have: when one of them is lost, that is worth an alarm."""
    least = current().change.min_alarm_coverage
    names = [one.name for one in wrapper.fields if one.coverage >= least]
    for records in wrapper.record_sets:
        if records.coverage >= least:
            names.append(records.name)
            names += [
                f"{records.name}.{one.name}"
                for one in records.fields
                if one.coverage * records.coverage >= least
            ]
    return frozenset(names)


def _always_there(wrapper: Wrapper) -> frozenset[str]:
    """The fields and record sets that every page had which the wrapper was learnt from."""
    least = current().change.always_share
    names = [one.name for one in wrapper.fields if one.coverage >= least]
    names += [one.name for one in wrapper.record_sets if one.coverage >= least]
    return frozenset(names)


@dataclass(slots=True)
class SiteFit:
    """The test of a site: that of each class, and how many pages fit none."""

    classes: dict[str, ClassFit]
    known: dict[str, str] = field(default_factory=dict)
    """The class of pages that the model was made from, by their place in the site."""
    fitting: int = 0
    misfits: int = 0
    example: str = ""
    found: Counter[str] = field(default_factory=Counter)
    """Pages by class."""
    came: Counter[str] = field(default_factory=Counter)
    """Known pages that came, by the class that they were of."""
    listed: Counter[str] = field(default_factory=Counter)
    """Known pages that the copy of the site has, by the same class."""
    shares: dict[str, float] = field(default_factory=dict)
    """The share of the site's pages that each class had, if all pages are to be seen."""

    @classmethod
    def of(
        cls, model: SiteModel, wrappers: Mapping[str, Wrapper], *, is_whole: bool = False
    ) -> SiteFit:
        """Begin the test of what a model and its wrappers say of a site.

        `is_whole`: all pages of the site are to come, so that a class may be missed.
        """
        known = {
            place_of(url): one.name
            for one in model.classes
            if not one.is_stub and one.name in wrappers
            for url in one.pages
        }
        fits = {name: ClassFit(one) for name, one in wrappers.items()}
        total = max(1, model.visited)
        visited = {one.name: one.visited / total for one in model.classes} if is_whole else {}
        return cls(fits, known, shares={name: visited[name] for name in fits if name in visited})

    def list_pages(self, urls: Iterable[str]) -> None:
        """Count the known pages that are there, read or not: some may be copies of others."""
        self.listed = Counter(
            self.known[place] for place in {place_of(url) for url in urls} if place in self.known
        )

    def add_extracted(
        self,
        name: str,
        lines: Sequence[Mapping[str, Any]],
        url: str,
        doubts: SelectorDoubts = NO_DOUBTS,
    ) -> None:
        """Count a page that gave records."""
        self.fitting += 1
        self.found[name] += 1
        self._recognise(name, url)
        if (fit := self.classes.get(name)) is not None:
            fit.records.add_page(True, url)
            fit.add_lines(lines, url, is_known=self.known.get(place_of(url)) == name)
            fit.add_doubts(doubts, url)

    def add_misfit(self, name: str | None, url: str) -> None:
        """Count a page that fits no class, or not the wrapper of its class."""
        self.misfits += 1
        self.example = self.example or url
        self._recognise(name, url)
        if name is not None and (fit := self.classes.get(name)) is not None:
            self.found[name] += 1
            fit.records.add_page(False, url)

    def _recognise(self, name: str | None, url: str) -> None:
        expected = self.known.get(place_of(url))
        if expected is not None and expected in self.classes:
            self.came[expected] += 1
            self.classes[expected].recognised.add_page(name == expected, url, now=name or "")

    def alarms(self) -> list[Alarm]:
        """What no longer fits, the site and whole classes first."""
        found = [alarm for fit in self.classes.values() for alarm in fit.alarms()]
        found.sort(key=lambda alarm: alarm.field is not None)
        settings = current().extraction
        fetched = self.fitting + self.misfits
        enough = fetched >= settings.min_judged_pages
        if enough and self.misfits > settings.max_misfit_share * fetched:
            rate = 1 - settings.max_misfit_share
            alarm = Alarm(AlarmKind.MISFIT, None, None, fetched, self.misfits, rate, self.example)
            found.insert(0, alarm)
        return [*found, *self._gone(fetched)]

    def _gone(self, fetched: int) -> Iterator[Alarm]:
        """Classes without a page, where by their share some should have come, or with far fewer.

        Pages that all say the same are one page: a notice in the place of all is hardly noticed.
        """
        settings = current().change
        for name, share in self.shares.items():
            listed, rate = self.listed[name], settings.page_rate
            held = listed - self.came[name]
            if self.found[name] < settings.lost_share * listed and self._are_lost(name, held):
                yield Alarm(AlarmKind.PAGES_GONE, name, None, listed, held, rate)
                continue
            chance = (1 - share) ** fetched
            is_said = self.classes[name].recognised.is_lost
            if not self.found[name] and not is_said and chance < current().change.false_alarm:
                expected = round(share * fetched)
                yield Alarm(AlarmKind.NO_PAGES, name, None, expected, expected, share)

    def _are_lost(self, name: str, gone: int) -> bool:
        """Whether so many of the known pages of a class that did not come tell that it is gone."""
        fit, evidence = self.classes[name], Evidence()
        if any(one.is_lost for one in (fit.recognised, fit.records)):
            return False  # that is said
        for turn in range(gone + self.came[name]):
            evidence.add(turn >= gone, current().change.page_rate, "")
        return evidence.is_lost

    def notices(self) -> list[Alarm]:
        """Rare fields that are gone."""
        return [alarm for fit in self.classes.values() for alarm in fit.notices()]
