"""Independent ways to the values of a field: for when the first selector breaks.

A label, a mark, the data for programs, a position: a small change of a page seldom touches all of
them. A further selector holds on to something else than those before it, and reads the same values
on every page that the wrapper was learnt from; a field keeps two of them at most. So do the rows of
a record set.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from sitewright.classes.features import evenly
from sitewright.page import steps
from sitewright.page.page_index import text_of
from sitewright.page.parser import Element
from sitewright.page.selector import Selector
from sitewright.page.steps import (
    Attribute,
    DataPath,
    HasClass,
    OwnText,
    Path,
    Position,
    Step,
    TextIs,
    anywhere,
)
from sitewright.settings import current
from sitewright.wrapper.reading import FieldReader
from sitewright.wrapper.selectors import is_name, is_writable
from sitewright.wrapper.spare_selectors import KINDS, SelectorKind, selector_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sitewright.page import Document
    from sitewright.page.page_index import Selected
    from sitewright.wrapper.reading import Value
    from sitewright.wrapper.wrapper import Field, RecordSet, Wrapper


_SAYING = ("itemprop", "property", "data-field", "data-testid", "rel", "role")
_META_NAMES = ("property", "name", "itemprop")


def with_alternatives(wrapper: Wrapper, documents: Sequence[Document]) -> Wrapper:
    """The wrapper with further selectors for the fields that nearly all pages have."""
    settings = current().wrapper.selectors
    pages = evenly(documents, settings.alternative_pages)
    if len(pages) < settings.min_alternative_pages:
        return wrapper
    return replace(
        wrapper,
        fields=tuple(
            replace(one, rule=replace(one.rule, alternatives=tuple(_alternatives(one, pages))))
            if one.coverage >= settings.min_alternative_coverage
            else one
            for one in wrapper.fields
        ),
        record_sets=tuple(
            replace(one, rule=replace(one.rule, alternatives=tuple(_row_selectors(one, pages))))
            if one.coverage >= settings.min_alternative_coverage
            else one
            for one in wrapper.record_sets
        ),
    )


def _row_selectors(records: RecordSet, pages: Sequence[Document]) -> Iterator[Selector]:
    """Selectors of other kinds that find the same rows on all of these pages."""
    settings = current().wrapper.selectors
    own = records.rule.selector
    expected = [page.index.select(own) for page in pages]
    firsts = [rows[0] for rows in expected if len(rows) > 1 and isinstance(rows[0], Element)]
    if len(firsts) < settings.min_alternative_pages:
        return
    left = settings.max_alternatives_kept
    for kind, ways in _WAYS.items():
        if not left or kind is selector_kind(own):
            continue
        counts: Counter[Path] = Counter()
        for row in firsts[: settings.trial_pages]:
            counts.update(list(dict.fromkeys(_to_rows(row, ways))))
        for path, _ in counts.most_common(settings.max_alternative_trials):
            selector = Selector.of(path)
            found = (page.index.select(selector) for page in pages)
            if is_writable(selector) and all(map(_are_same, found, expected)):
                left -= 1
                yield selector
                break


def _to_rows(row: Element, ways: Callable[[Element], Iterator[Path]]) -> Iterator[Path]:
    """The ways to what holds a row, and from there to all rows."""
    around = _parent(row)
    if around is None or not is_name(row.tag):
        return
    for way in ways(around):
        yield way.then(Step(row.tag))
        for name in (row.attr("class") or "").split():
            yield way.then(Step(row.tag, (HasClass(name),)))


def _are_same(rows: Sequence[Selected], others: Sequence[Selected]) -> bool:
    return len(rows) == len(others) and all(
        one is other for one, other in zip(rows, others, strict=True)
    )


def _alternatives(field: Field, pages: Sequence[Document]) -> Iterator[Selector]:
    """Selectors of other kinds that read the same on all of these pages."""
    trial = _Trial(field, pages)
    if not trial.is_telling():
        return
    known = {selector_kind(field.rule.selector)}
    left = current().wrapper.selectors.max_alternatives_kept
    for kind in KINDS:
        if left and kind not in known:
            found = next(filter(trial.is_right, trial.candidates(kind)), None)
            if found is not None:
                left -= 1
                yield found


class _Trial:
    """What a field reads on some pages, and what else could read it."""

    def __init__(self, field: Field, pages: Sequence[Document]) -> None:
        self._field, self._pages = field, pages
        self._reader = FieldReader(field)
        self._expected = [self._read(field.rule.selector, page) for page in pages]

    def _read(self, selector: Selector, page: Document) -> dict[str, Value]:
        found: dict[str, Value] = {}
        self._reader.read(page.index.select(selector), page.resolve, found)
        return found

    def is_telling(self) -> bool:
        """Whether enough pages have different values: else everything reads the same."""
        filled = [str(one[self._field.name]) for one in self._expected if one[self._field.name]]
        least = current().wrapper.selectors.min_alternative_pages
        return len(filled) >= least and len(set(filled)) >= least

    def is_right(self, selector: Selector) -> bool:
        """Whether a selector reads the same on every page."""
        return is_writable(selector) and all(
            self._read(selector, page) == expected
            for page, expected in zip(self._pages, self._expected, strict=True)
        )

    def candidates(self, kind: SelectorKind) -> Iterator[Selector]:
        """Selectors of a kind, those that fit the most pages first."""
        if kind is SelectorKind.DATA:
            yield from self._by_data()
            return
        ways = _WAYS[kind]
        settings = current().wrapper.selectors
        counts: Counter[Path] = Counter()
        for page in self._pages[: settings.trial_pages]:
            if (element := self._element(page)) is not None:
                counts.update(list(dict.fromkeys(ways(element))))
        end = self._end()
        for path, _ in counts.most_common(settings.max_alternative_trials):
            if not end or end[-1] not in path.steps:
                yield Selector.of(path.then(*end))

    def _element(self, page: Document) -> Element | None:
        """The element of the first value."""
        rule = self._field.rule
        found = page.index.select_with_elements(rule.selector)
        return next((element for element, text in found if text and rule.matches(text)), None)

    def _end(self) -> tuple[Step, ...]:
        """The step from an element to the value: a text, an attribute, or none."""
        last = self._field.rule.selector.steps()[-1:]
        test = last[0].test if last else ""
        if test == "text()":
            return (steps.TEXT,)
        return (Step(test),) if test.startswith("@") else ()

    def _by_data(self) -> Iterator[Selector]:
        """What the head and the scripts of the first pages say just so."""
        counts: Counter[Selector] = Counter()
        for page in self._pages[:2]:
            texts = set(self._field.rule.texts(page.index)[:1])
            texts |= {self._field.rule.extract_group(text) for text in texts}
            counts.update(list(dict.fromkeys(_saying(page, texts))))
        yield from (selector for selector, count in counts.most_common() if count > 1)


def _saying(page: Document, texts: set[str]) -> Iterator[Selector]:
    for meta in page.tree.iter_elements(("meta",)):
        if text_of(meta.attr("content") or "") in texts:
            for name in _META_NAMES:
                if said := meta.attr(name):
                    step = anywhere(Step("meta", (Attribute(name, said),)))
                    yield Selector.of(Path((step, Step("@content"))))
                    break
    for key, values in page.index.data().items():
        if not {"'", '"'} & set(key) and {text_of(one) for one in values[:1]} & texts:
            yield Selector((DataPath(key),))


def _around(element: Element) -> Iterator[tuple[Element, tuple[Step, ...]]]:
    """An element and those around it, each with the steps from there."""
    down: tuple[Step, ...] = ()
    one: Element | None = element
    while one is not None and is_name(one.tag) and one.tag not in {"body", "html"}:
        yield one, down
        down = (_placed(one), *down)
        one = _parent(one)


def _by_mark(element: Element) -> Iterator[Path]:
    for one, down in list(_around(element))[: current().wrapper.selectors.max_alternative_depth]:
        for name in ("id", *_SAYING):
            if value := one.attr(name):
                yield Path((anywhere(Step(one.tag, (Attribute(name, value),))), *down))
        for name in (one.attr("class") or "").split():
            yield Path((anywhere(Step(one.tag, (HasClass(name),))), *down))


def _by_label(element: Element) -> Iterator[Path]:
    settings = current().wrapper.selectors
    for one, down in list(_around(element))[: settings.max_alternative_depth]:
        before = next((node for node in one.previous_siblings if isinstance(node, Element)), None)
        if before is None or not is_name(before.tag):
            continue
        text = text_of(before)
        if text and len(text) <= settings.max_text_length:
            label = anywhere(Step(before.tag, (OwnText(TextIs((text,))),)))
            beside = Step(one.tag, (Position(1),), "following-sibling")
            yield Path((label, beside, *down))


def _by_position(element: Element) -> Iterator[Path]:
    path: tuple[Step, ...] = ()
    for one, down in _around(element):
        path = (_placed(one), *down)
    if path:
        yield Path((anywhere(Step("body")), *path))


_WAYS: dict[SelectorKind, Callable[[Element], Iterator[Path]]] = {
    SelectorKind.LABEL: _by_label,
    SelectorKind.MARK: _by_mark,
    SelectorKind.POSITION: _by_position,
}


def _placed(element: Element) -> Step:
    """The step to an element from the one around it, with its place among those with its tag."""
    nth = 1 + sum(
        isinstance(node, Element) and node.tag == element.tag for node in element.previous_siblings
    )
    return Step(element.tag, (Position(nth),))


def _parent(element: Element) -> Element | None:
    around = element.parent
    return around if isinstance(around, Element) else None
