"""Whether the selectors of a wrapper select the same in Scrapy's tree as in ours.

Every rule is run by both over all local pages of its class. Where they do not agree, other
forms of its selector are tried; a rule that still does not agree is left out and reported. Then
the whole spider reads the local pages, beside what `extract` makes of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from dataclasses import field as declared
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from sitewright.export.scrapy.runtime.page_classes import records_of_page
from sitewright.export.scrapy.runtime.text import selected_texts
from sitewright.page.page_index import ElementScope
from sitewright.page.selector import Selector
from sitewright.page.steps import PARENT, Path, Position, anywhere
from sitewright.wrapper import Record, extract, lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from scrapy import Item

    from sitewright.export.scrapy.project import LocalPage, LocalPages
    from sitewright.export.scrapy.runtime.page_classes import SpiderClass
    from sitewright.page.steps import Step
    from sitewright.wrapper import Field, RecordSet, Wrapper


SelectorKey: TypeAlias = tuple[str, str, str]
ENOUGH = 0.99
"""The share of the pages on which both must select the same."""
SAMPLES = 2
"""How many pages of a class are kept for the project's tests."""
LARGEST_SAMPLE = 200_000
"""In bytes."""
MOST_BODIES = 4
"""So many table bodies of a selector are left out one by one, since pages write some of them."""


@dataclass(frozen=True, slots=True)
class SelectorTrial:
    """A selector that is tried: of a record set, of a field, or of a field in its rows."""

    page_class: str
    records: RecordSet | None
    field: Field | None
    rows: Selector | None
    """The selector of the rows in Scrapy, where `records` has one."""
    selector: Selector

    @property
    def xpath(self) -> str:
        """The selector as Scrapy takes it."""
        return self.selector.scrapy()

    @property
    def key(self) -> SelectorKey:
        """The names of its class, record set and field, those that it has."""
        records = self.records.name if self.records else ""
        return self.page_class, records, self.field.name if self.field else ""

    @property
    def name(self) -> str:
        """What people call it: `player.matches.result`."""
        return ".".join(filter(None, self.key))

    def agrees(self, page: LocalPage) -> bool:
        """Whether both select the same on a page."""
        try:
            return self._agrees(page)
        except ValueError:  # no XPath to one of them
            return False

    def _agrees(self, page: LocalPage) -> bool:
        index, selector = page.document.index, page.response.selector
        if self.records is None:
            return self.field is not None and self.field.rule.texts(index) == selected_texts(
                selector, self.xpath, self.field.rule.pattern
            )
        found = index.select(self.records.rule.selector)
        ours = [ElementScope(one) for one in found if not isinstance(one, str)]
        rows = selector.xpath((self.rows or self.selector).scrapy())
        theirs = [one for one in rows if not isinstance(one.root, str)]
        if len(ours) != len(theirs) or self.field is None:
            return len(ours) == len(theirs)
        rule = self.field.rule
        return all(
            rule.texts(our_row) == selected_texts(their_row, self.xpath, rule.pattern)
            for our_row, their_row in zip(ours, theirs, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often both select the same."""

    trial: SelectorTrial
    pages: int
    agreeing: int

    @property
    def share(self) -> float:
        """The share of the pages; none of no pages."""
        return self.agreeing / self.pages if self.pages else 0.0

    @property
    def is_enough(self) -> bool:
        """Whether the selector may be exported."""
        return self.share >= ENOUGH


@dataclass(frozen=True, slots=True)
class Checked:
    """Wrappers of what can be exported, and how well each selector does."""

    ours: dict[str, Wrapper]
    """With our selectors."""
    theirs: dict[str, Wrapper]
    """With the selectors for Scrapy."""
    agreements: tuple[Agreement, ...]
    """Of the best form of each selector, those that are left out included."""

    def left_out(self, page_class: str = "") -> list[Agreement]:
        """The selectors that are not exported, of one class or of all."""
        return [
            one
            for one in self.agreements
            if not one.is_enough and page_class in {"", one.trial.page_class}
        ]


def check_selectors(wrappers: Mapping[str, Wrapper], pages: LocalPages) -> Checked:
    """Check every selector of some wrappers on all local pages of their classes."""
    tally = _Tally(pages)
    set_trials = [one for wrapper in wrappers.values() for one in _set_trials(wrapper)]
    rows = {one.key: one.selector for one in set_trials}
    # In most pages all is well: one look at them for rows and fields alike.
    tally.of([*set_trials, *_all_field_trials(wrappers, rows)])
    sets = tally.best_of(set_trials)
    rows = {one.trial.key: one.trial.selector for one in sets if one.is_enough}
    fields = tally.best_of(_all_field_trials(wrappers, rows))
    found = {one.trial.key: one.trial.selector for one in (*sets, *fields) if one.is_enough}
    ours = {name: _restricted(wrapper, found) for name, wrapper in wrappers.items()}
    theirs = {name: _rewritten(wrapper, found) for name, wrapper in ours.items()}
    return Checked(ours, theirs, (*sets, *fields))


class _Tally:
    """Runs selectors over the pages of their classes, each once."""

    def __init__(self, pages: LocalPages) -> None:
        self._pages = pages
        self._known: dict[SelectorTrial, Agreement] = {}

    def of(self, trials: Sequence[SelectorTrial]) -> list[Agreement]:
        """The agreement of each selector."""
        new = [trial for trial in dict.fromkeys(trials) if trial not in self._known]
        self._known.update(zip(new, _tallied(new, self._pages), strict=True))
        return [self._known[trial] for trial in trials]

    def best_of(self, trials: Sequence[SelectorTrial]) -> list[Agreement]:
        """The best form of each selector: as it is, if no other agrees on more pages."""
        others = {one.trial: _others(one.trial) for one in self.of(trials) if one.share < 1}
        self.of([trial for some in others.values() for trial in some])
        return [max(self.of([one, *others.get(one, ())]), key=_share) for one in trials]


def _set_trials(wrapper: Wrapper) -> Iterable[SelectorTrial]:
    for records in wrapper.record_sets:
        selector = records.rule.selector
        yield SelectorTrial(wrapper.page_class, records, None, selector, selector)


def _all_field_trials(
    wrappers: Mapping[str, Wrapper], rows: Mapping[SelectorKey, Selector]
) -> list[SelectorTrial]:
    return [one for wrapper in wrappers.values() for one in _field_trials(wrapper, rows)]


def _field_trials(
    wrapper: Wrapper, rows: Mapping[SelectorKey, Selector]
) -> Iterable[SelectorTrial]:
    for field in wrapper.fields:
        yield SelectorTrial(wrapper.page_class, None, field, None, field.rule.selector)
    for records in wrapper.record_sets:
        around = rows.get((wrapper.page_class, records.name, ""))
        for field in records.fields if around is not None else ():
            yield SelectorTrial(wrapper.page_class, records, field, around, field.rule.selector)


def _share(agreement: Agreement) -> float:
    return agreement.share


def _others(trial: SelectorTrial) -> list[SelectorTrial]:
    is_set = trial.field is None
    return [
        replace(trial, selector=selector, rows=selector if is_set else trial.rows)
        for selector in equivalents(trial.selector)
    ]


def _tallied(trials: Sequence[SelectorTrial], pages: LocalPages) -> list[Agreement]:
    """Run some selectors over all pages of their classes."""
    by_class: dict[str, list[int]] = {}
    for place, trial in enumerate(trials):
        by_class.setdefault(trial.page_class, []).append(place)
    seen: Counter[str] = Counter()
    agreeing: Counter[int] = Counter()
    for page in pages.of(by_class) if by_class else ():
        seen[page.page_class or ""] += 1
        for place in by_class[page.page_class or ""]:
            agreeing[place] += trials[place].agrees(page)
    return [
        Agreement(trial, seen[trial.page_class], agreeing[place])
        for place, trial in enumerate(trials)
    ]


def _restricted(wrapper: Wrapper, selectors: Mapping[SelectorKey, Selector]) -> Wrapper:
    """The wrapper without the selectors that do not agree."""
    name = wrapper.page_class
    fields = tuple(one for one in wrapper.fields if (name, "", one.name) in selectors)
    sets = tuple(
        replace(
            records,
            fields=tuple(
                one for one in records.fields if (name, records.name, one.name) in selectors
            ),
        )
        for records in wrapper.record_sets
        if (name, records.name, "") in selectors
    )
    left = {one.name for one in fields} | {one.name for one in sets}
    return replace(
        wrapper,
        fields=fields,
        record_sets=sets,
        rows=wrapper.rows if wrapper.rows in left else None,
        required=tuple(one for one in wrapper.required if one in left),
    )


def _rewritten(wrapper: Wrapper, selectors: Mapping[SelectorKey, Selector]) -> Wrapper:
    """The wrapper with the selectors for Scrapy."""
    name = wrapper.page_class

    def rewritten(one: Field, records: str) -> Field:
        return replace(one, rule=replace(one.rule, selector=selectors[name, records, one.name]))

    return replace(
        wrapper,
        fields=tuple(rewritten(one, "") for one in wrapper.fields),
        record_sets=tuple(
            replace(
                records,
                rule=replace(records.rule, selector=selectors[name, records.name, ""]),
                fields=tuple(rewritten(one, records.name) for one in records.fields),
            )
            for records in wrapper.record_sets
        ),
    )


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
    """How the spider does on the local pages."""

    pages: Counter[str] = declared(default_factory=Counter)
    """The pages of each class that has a wrapper."""
    same: Counter[str] = declared(default_factory=Counter)
    """Those of them with the same records as from `extract`."""
    taken_for: Counter[tuple[str, str]] = declared(default_factory=Counter)
    """Class, and the other class that the spider takes pages for; empty: none."""
    samples: dict[str, list[Sample]] = declared(default_factory=dict)

    @property
    def samples_in_order(self) -> list[Sample]:
        """All samples, class by class."""
        return [sample for samples in self.samples.values() for sample in samples]


def trial_run(
    page_classes: Sequence[SpiderClass], wrappers: Mapping[str, Wrapper], pages: LocalPages
) -> TrialRun:
    """Read every local page as the spider will."""
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


def expected(wrapper: Wrapper, page: LocalPage) -> list[dict[str, Any]]:
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
    page: LocalPage,
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


def equivalents(selector: Selector) -> Iterator[Selector]:
    """Selectors that may select in Scrapy's tree what this one selects in a browser's.

    libxml2, which Scrapy's selectors sit on, adds no `tbody` to tables and nests broken markup in
    its own way. These are proposals, the plainest first: of those that do equally well, the first
    is taken.
    """
    proposals = list(_without_some_bodies(selector))
    if proposals:
        rows_anywhere = _without_bodies(selector, set(_bodies(selector)), is_deep=True)
        proposals += [selector.union(proposals[0]), rows_anywhere]
    proposals.append(_loosened(selector))
    yield from (one for one in dict.fromkeys(proposals) if one != selector)


_Place: TypeAlias = tuple[int, bool, int]
"""A path of a selector, whether it is in its tail, and a step."""


def _chains(selector: Selector) -> Iterator[tuple[int, bool, tuple[Step, ...]]]:
    for number, path in enumerate(selector.paths):
        if isinstance(path, Path):
            yield number, False, path.steps
            yield number, True, path.tail


def _with_chains(
    selector: Selector, chains: Iterable[tuple[int, bool, Iterable[Step]]]
) -> Selector:
    paths = list(selector.paths)
    for number, is_tail, steps in chains:
        path = paths[number]
        if isinstance(path, Path):
            made = tuple(steps)
            paths[number] = replace(path, tail=made) if is_tail else replace(path, steps=made)
    return Selector(tuple(paths))


def _bodies(selector: Selector) -> Iterator[_Place]:
    """The steps through the body of a table that another tree may lack."""
    for number, is_tail, steps in _chains(selector):
        for place, (step, after) in enumerate(pairwise(steps)):
            is_first = step.predicates in {(), (Position(1),)}
            if step.test == "tbody" and step.axis == after.axis == "child" and is_first:
                yield number, is_tail, place


def _without_some_bodies(selector: Selector) -> Iterator[Selector]:
    """`table/tbody/tr` as `table/tr`: without all bodies first, then without fewer of them."""
    bodies = list(_bodies(selector))
    if bodies:
        yield _without_bodies(selector, bodies, is_deep=False)
    if len(bodies) <= MOST_BODIES:
        for size in range(len(bodies) - 1, 0, -1):
            for some in combinations(bodies, size):
                yield _without_bodies(selector, some, is_deep=False)


def _without_bodies(selector: Selector, left_out: Collection[_Place], *, is_deep: bool) -> Selector:
    """The selector without some steps; `is_deep`: what was in them may then be at any depth."""

    def kept(number: int, is_tail: bool, steps: tuple[Step, ...]) -> Iterator[Step]:
        deepens = False
        for place, step in enumerate(steps):
            if (number, is_tail, place) in left_out:
                deepens = deepens or is_deep or step.is_deep
            else:
                yield anywhere(step) if deepens else step
                deepens = False

    return _with_chains(selector, [(*chain[:2], kept(*chain)) for chain in _chains(selector)])


def _loosened(selector: Selector) -> Selector:
    """Every step to a child as a step to a descendant, the first step aside."""

    def loose(is_tail: bool, steps: tuple[Step, ...]) -> Iterator[Step]:
        for place, step in enumerate(steps):
            is_inner = is_tail if place == 0 else steps[place - 1] != PARENT
            yield anywhere(step) if is_inner and step.is_to_element else step

    return _with_chains(
        selector,
        [(number, is_tail, loose(is_tail, steps)) for number, is_tail, steps in _chains(selector)],
    )
