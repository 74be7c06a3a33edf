"""Selectors for a column: what could find its leaves, the most lasting ones first.

What names a node (a label beside it, its class, an id around it) comes before where it stands.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

from sitewright.page import steps
from sitewright.page.selector import Selector
from sitewright.page.steps import (
    Attribute,
    HasClass,
    HasOwnText,
    HasTitle,
    OtherPredicate,
    OwnText,
    Path,
    Position,
    Step,
    TextIs,
    TextIsNot,
    TextStartsWith,
    anywhere,
)
from sitewright.settings import current
from sitewright.wrapper.labels import COLONS, JOINTS, is_separator
from sitewright.wrapper.pages import ELEMENT, TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitewright.page.page_index import SelectorScope
    from sitewright.page.parser import Element
    from sitewright.page.steps import Predicate
    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.columns import ValueColumn
    from sitewright.wrapper.pages import Label


_MICRODATA = ("itemprop", "property", "data-field", "data-testid")
"""Attributes that say what an element holds."""
_MOST_CHARACTERS = 1_000
"""A longer selector is one that nobody can read."""
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What libxml2 takes in no expression; names and labels of broken pages hold it."""
_TEST = re.compile(r"@?[A-Za-z_][A-Za-z0-9_.-]*(?:\(\))?|\*|\.\.")
"""What a step may ask for; a name with a colon would have a namespace, which pages do not have."""
_RARE = frozenset("h1 title time address figcaption blockquote cite caption".split())
"""Elements of which a page has so few that their tags name them."""
_ENDS = {TEXT: (steps.TEXT,), ELEMENT: ()}
_WITHOUT_CLASS = OtherPredicate("not(@class)")
_Steps: TypeAlias = tuple[Step, ...]


def candidate_selectors(view: ClassPages, column: ValueColumn) -> Iterator[Selector]:
    """Selectors that could select the leaves of a column, those last that will not last."""
    writer = _XPathWriter(view, column)
    yield from lasting_first(view, filter(is_writable, map(Selector.of, _paths(writer, column))))


def lasting_first(view: ClassPages, selectors: Iterator[Selector]) -> Iterator[Selector]:
    """The selectors, those behind the others that need a class which the next build changes."""
    volatile = view.paths.names.volatile
    if not volatile:
        yield from selectors
        return
    others: list[Selector] = []
    for selector in selectors:
        if any(
            isinstance(test, HasClass) and test.name in volatile
            for one in selector.steps()
            for test in one.predicates
        ):
            others.append(selector)
        else:
            yield selector
    yield from others


def is_writable(selector: Selector) -> bool:
    """Whether people can read a selector, and every XPath engine takes it."""
    xpath = selector.xpath()
    is_text = len(xpath) <= _MOST_CHARACTERS and not _NOT_XML.search(xpath)
    return is_text and all(_TEST.fullmatch(step.test) for step in selector.steps())


def is_name(tag: str) -> bool:
    """Whether XPath takes a tag as it is; in HTML, `<o:p>` and even `<a"b>` are elements."""
    return _TEST.fullmatch(tag) is not None


def step(label: Label) -> Step:
    """A step to an element with what names it."""
    return Step(label.tag, tuple(_predicates(label)))


def _predicates(label: Label) -> Iterator[Predicate]:
    """The conditions that say which element a label means."""
    if label.id:
        yield Attribute("id", label.id)
    elif label.classes:
        yield HasClass(label.classes[0])
    if label.named[0]:
        yield Attribute(*label.named)
    if label.titled:
        yield HasTitle(label.titled)
    if label.cell:
        yield Position(label.cell)


def _paths(writer: _XPathWriter, column: ValueColumn) -> Iterator[Path]:
    if column.kind == "label":
        yield from writer.by_label()
    elif column.kind == "prefix":
        yield from writer.by_prefix()
    else:
        yield from writer.by_path()
    yield from writer.by_position()
    yield from writer.by_lack_of_class()


class _XPathWriter:
    def __init__(self, view: ClassPages, column: ValueColumn) -> None:
        self.view = view
        self.column = column
        self.cells = [(page, place) for page, places in column.cells.items() for place in places]
        self.exact = self._most(self._path(page, place) for page, place in self.cells)
        self.is_one_path = all(self._path(page, place) == self.exact for page, place in self.cells)

    def _path(self, page: int, place: int) -> int:
        return self.view.numbers[page][self.view.readings[page].leaves[place].element]

    @staticmethod
    def _most(items: Iterator[int]) -> int:
        return Counter(items).most_common(1)[0][0]

    def end(self) -> _Steps:
        """The last step, to the text or the attribute; none to the element itself."""
        return _ENDS.get(self.column.part, (Step(f"@{self.column.part}"),))

    def by_path(self) -> Iterator[Path]:
        """By the classes and ids of an element and of those around it."""
        labels = self.view.paths.steps(self.exact)
        ends = [self.end()]
        if self.column.part == TEXT:
            ends.append((steps.WORDS,))
            if not self.is_one_path:
                labels = self.view.paths.steps(self.column.path)
                inner = (steps.TEXT, self._data_only(), steps.WORDS)
                ends = [(anywhere(one),) for one in inner]
        if self.view.is_record_view and self.column.part == TEXT:
            yield from self._by_cell(labels)
        if self.is_one_path and (microdata := self._microdata()):
            yield self._from(anywhere(Step(labels[-1].tag, (microdata,))), *ends[0])
        for end in ends:
            for head in self._heads(labels):
                yield head.then(*end)
        yield from self._with_own_text(labels)

    def _with_own_text(self, labels: Sequence[Label]) -> Iterator[Path]:
        """The elements with text of their own: others of the path may only hold an element."""
        for head in self._heads(labels) if self.column.part == ELEMENT else ():
            if head.steps:  # else it is the record itself
                yield head.where(HasOwnText())

    def by_lack_of_class(self) -> Iterator[Path]:
        """The elements of a row without a class, where others of their tag have one."""
        labels = self.view.paths.steps(self.exact)
        if not self.view.is_record_view:
            return
        if self.is_one_path and len(labels) > 1 and not (labels[-1].id or labels[-1].classes):
            for head in self._heads(labels):
                yield head.where(_WITHOUT_CLASS).then(*self.end())

    def _heads(self, labels: Sequence[Label]) -> Iterator[Path]:
        return lasting_heads(self.view, labels, inside=self.view.is_record_view)

    def _from(self, *path: Step) -> Path:
        """A path from the page, or from the record."""
        return Path(path, is_relative=self.view.is_record_view)

    def _by_cell(self, labels: Sequence[Label]) -> Iterator[Path]:
        """All the text of a table's cell: tags in it come and go."""
        for place, label in enumerate(labels):
            if label.cell and place:
                to_cell = map(step, labels[1 : place + 1])
                yield Path((*to_cell, anywhere(steps.TEXT)), is_relative=True)
                return

    def _microdata(self) -> Predicate | None:
        """A condition on the microdata of the elements, if all of them say the same."""
        settings = current().wrapper.selectors
        for name in _MICRODATA:
            found = {self._node(page, place).attr(name) for page, place in self.cells}
            only = next(iter(found))
            if len(found) == 1 and only and len(only) < settings.max_text_length:
                return Attribute(name, only)
        return None

    def _node(self, page: int, place: int) -> Element:
        reading = self.view.readings[page]
        return reading.nodes[reading.leaves[place].element]

    def _data_only(self) -> Step:
        """The texts without those that all pages have there."""
        constant = sorted(
            {
                text
                for path, text in self.view.labels.constant
                if self.view.paths.block(path) == self.column.path
            }
        )
        return steps.TEXT.where(*map(TextIsNot, constant))

    def by_prefix(self) -> Iterator[Path]:
        """By the label that a text begins with."""
        texts = [self._text(page, place) for page, place in self.cells]
        label = Counter(text[: _colon(text) + 1] for text in texts).most_common(1)[0][0]
        for head in self._heads(self.view.paths.steps(self.column.path)):
            yield head.then(Step("text()", (TextStartsWith(label),)))

    def _text(self, page: int, place: int) -> str:
        return self.view.readings[page].leaves[place].text

    def by_position(self) -> Iterator[Path]:
        """By the places of the elements among their siblings, below the nearest id or the root."""
        places = Counter(self._places(page, place) for page, place in self.cells)
        best, _count = places.most_common(1)[0]
        plain = [one for one, _position in best]
        alike = [found for found in places if [one for one, _position in found] == plain]
        positions = [Counter(one for _step, one in column) for column in zip(*alike, strict=True)]
        shared = [next(iter(one)) if len(one) == 1 else 0 for one in positions]
        yield self._from(*_placed(plain, shared), *self.end())
        yield self._from(*_placed(plain, [position for _step, position in best]), *self.end())
        if not self.is_one_path and self.column.part == TEXT:
            places = Counter(
                self._places(page, place, is_inside=True) for page, place in self.cells
            )
            best, _count = places.most_common(1)[0]
            to_element = _placed([one for one, _place in best], [place for _one, place in best])
            yield self._from(*to_element, anywhere(steps.TEXT))

    def _places(
        self, page: int, place: int, *, is_inside: bool = False
    ) -> tuple[tuple[Step, int], ...]:
        """The steps to a leaf, or to the column's element that it is in; 0 for no position."""
        reading, numbers = self.view.readings[page], self.view.numbers[page]
        leaf = reading.leaves[place]
        found: list[tuple[Step, int]] = []
        for element in reading.ancestry(leaf.element):
            if is_inside and numbers[element] == self.column.path:
                found.clear()
            name = self.view.paths.labels[self.view.numbers[page][element]][1].id
            tag = reading.tags[element]
            if name and not self.view.is_record_view:
                found.append((anywhere(Step(tag, (Attribute("id", name),))), 0))
                break
            if reading.parents[element] >= 0:
                found.append((Step(tag), reading.nth[element]))
            elif not self.view.is_record_view:
                found.append((anywhere(Step(tag)), 0))
        return tuple(reversed(found))

    def by_label(self) -> Iterator[Path]:
        """By the label before it."""
        ways = Counter(self._from_label(page, place) for page, place in self.cells)
        best = [way for way, _ in ways.most_common(3)]
        if self.column.many:
            best = list(dict.fromkeys([*best, *map(_of_all_siblings, best), *self._of_data(best)]))
        texts = self._spellings()
        named = self._named_around()
        for way in best:
            for nbsp_is_space in (False, True):
                label = TextIs(texts, nbsp_is_space)
                to_value = [_with_label(one, label) for one in way]
                first = anywhere(to_value[0])
                for around in dict.fromkeys(((), named)):
                    yield self._from(*around, first, *to_value[1:])

    def _of_data(self, ways: Sequence[_Steps]) -> Iterator[_Steps]:
        """The ways to texts, without those that all pages have there: "More", "Full credits"."""
        for way in ways:
            if way[-1].test == steps.TEXT.test and len(way) > 1:
                kept = self._data_only().predicates
                yield (*way[:-1], replace(way[-1], predicates=(*way[-1].predicates, *kept)))

    def _spellings(self) -> tuple[str, ...]:
        settings = current().wrapper.selectors
        texts: Counter[str] = Counter()
        for page, place in self.cells:
            governor = self.view.labels_of_leaves[page][place]
            texts[self._text(page, governor)] += 1
        return tuple(text for text, _ in texts.most_common(settings.max_alternatives))

    def _named_around(self) -> _Steps:
        """The step to the nearest named element around the label."""
        labels = self.view.paths.steps(self.column.label_path)[:-1]
        for label in reversed(labels):
            if label.id or label.classes:
                return (anywhere(step(label)),)
        return ()

    def _from_label(self, page: int, place: int) -> _Steps:
        """The steps from the label to the value, its text left open."""
        reading = self.view.readings[page]
        leaf = reading.leaves[place]
        label = reading.leaves[self.view.labels_of_leaves[page][place]]
        meeting = reading.meeting(label.element, leaf.element)
        start = self._to_label(page, label.element, meeting)
        branch = reading.child_towards(leaf.element, meeting)
        is_after = place > self.view.labels_of_leaves[page][place]
        axis = "following-sibling" if is_after else "preceding-sibling"
        if branch < 0:  # the value is a text beside the label
            return (*start, replace(steps.TEXT, axis=axis))
        tag = reading.tags[branch]
        labelled = reading.child_towards(label.element, meeting)
        before = reading.nth[labelled] if labelled >= 0 and reading.tags[labelled] == tag else None
        ordinal = abs(reading.nth[branch] - before) if before is not None else 1
        ending = self._down(page, leaf.element, branch)
        if self.column.part == TEXT:
            ending = tuple(map(anywhere, self.end()))
        return (*start, Step(tag, (Position(ordinal),), axis), *ending)

    def _down(self, page: int, element: int, branch: int) -> _Steps:
        """From the element beside the label to an element inside it, and to its part."""
        if element == branch:
            return self.end()
        return (anywhere(Step(self.view.readings[page].tags[element])), *self.end())

    def _to_label(self, page: int, element: int, meeting: int) -> _Steps:
        """The steps to the label, and up to what stands beside the value."""
        reading = self.view.readings[page]
        tag = reading.tags[element]
        if element == meeting:  # the label is a text beside its value
            return Step(tag), Step("text()", (_OPEN,))
        ups = 0
        while reading.parents[element] != meeting:
            element = reading.parents[element]
            ups += 1
        # Its own text is enough, and the text of all that is in it would be read for every table
        # around it.
        return Step(tag, (OwnText(_OPEN),)), *[steps.PARENT] * ups


def _of_all_siblings(way: _Steps) -> _Steps:
    """The way to all elements beside a label, where it leads to one: a list has several."""
    return tuple(
        replace(
            one,
            predicates=tuple(two for two in one.predicates if not isinstance(two, Position)),
        )
        if one.axis.endswith("sibling")
        else one
        for one in way
    )


_OPEN = TextIs(())
"""The text of a label before it is known how it is spelled."""


def _with_label(open_step: Step, label: TextIs) -> Step:
    """The step with the text of the label, if it has a place for it."""
    if open_step.predicates == (_OPEN,):
        return replace(open_step, predicates=(label,))
    if open_step.predicates == (OwnText(_OPEN),):
        return replace(open_step, predicates=(OwnText(label),))
    return open_step


def _placed(plain: Sequence[Step], positions: Sequence[int]) -> Iterator[Step]:
    for one, position in zip(plain, positions, strict=True):
        yield one.where(Position(position)) if position else one


def _colon(text: str) -> int:
    places = [place for colon in COLONS if (place := text.find(colon)) >= 0]
    return min(places, default=len(text))


def heads(labels: Sequence[Label], *, inside: bool = False) -> Iterator[Path]:
    """The paths to an element, from the shortest that names it to its whole path.

    `inside` is the path from the element that the first label names, not from the page.
    """
    if inside and not labels[1:]:
        yield Path((), is_relative=True)
        return
    whole = labels[1:] if inside and not labels[0].id else labels
    named = [
        place
        for place, label in enumerate(whole)
        if label.id or label.classes or label.named[0] or label.titled
    ]
    last = anywhere(step(whole[-1]))
    is_bare = not named or named[-1] != len(whole) - 1
    if is_bare and whole[-1].tag in _RARE:
        yield Path((last,), is_relative=inside)
    for place in reversed(named):
        first, *others = map(step, whole[place:])
        yield Path((anywhere(first), *others), is_relative=inside)
    for place in reversed(named):
        if place < len(whole) - 2:
            yield Path((anywhere(step(whole[place])), last), is_relative=inside)
    if inside:
        yield Path(tuple(map(step, whole)), is_relative=True)
        yield Path((last,), is_relative=True)
    elif whole[0].tag == "body":
        yield Path((Step("html"), *map(step, whole)))


def lasting_heads(
    view: ClassPages, labels: Sequence[Label], *, inside: bool = False
) -> Iterator[Path]:
    """The same, those before the others that do without classes which the next build changes."""
    volatile = view.paths.names.volatile
    lasting = [
        label._replace(classes=tuple(name for name in label.classes if name not in volatile))
        if volatile
        else label
        for label in labels
    ]
    if lasting != list(labels):
        yield from heads(lasting, inside=inside)
    yield from heads(labels, inside=inside)


# Selectors on trial: whether an expression selects, on every page, just a column's leaves.


SelectedLeaves: TypeAlias = "list[tuple[Element, str]]"
"""Elements and texts that an expression selects in a page, or that it should select."""


@dataclass(frozen=True, slots=True)
class ScoredSelector:
    """The best selector for a column, if any, and the share of the pages where it is right."""

    selector: Selector | None
    stability: float


def best_selector(
    scopes: Sequence[SelectorScope], view: ClassPages, column: ValueColumn, least: float = 0.0
) -> ScoredSelector:
    """Try expressions until one is right on (nearly) every page (or record).

    Those that are right on less than the `least` share of them are of no use.
    """
    settings = current().wrapper.selectors
    expected = [_expected(view, column, page) for page in range(len(scopes))]
    may_beat = _trial_of_lists if column.many else _trial_of_places
    wanted = [[text for _, text in leaves] for leaves in expected]
    wanted = [[*_items(texts)] for texts in wanted] if column.many else wanted
    best = ScoredSelector(None, 0.0)
    tried: set[Selector] = set()
    for selector in candidate_selectors(view, column):
        if selector in tried:
            continue
        tried.add(selector)
        bar = _Bar(best.stability, least)
        if may_beat(bar, scopes, selector, wanted):
            verdict = _tried(scopes, selector, expected, best.stability, many=column.many)
            best = verdict if bar.is_reached(verdict.stability) else best
        if best.stability >= settings.sure_stability or len(tried) >= settings.max_trials:
            break
    return best


@dataclass(frozen=True, slots=True)
class _Bar:
    """What an expression must reach to be better than the best so far."""

    best: float
    least: float

    def is_reached(self, share: float) -> bool:
        """Whether it is right on enough of the pages."""
        settings = current().wrapper.selectors
        # An expression that is a little better is not worth one that is harder to read.
        more = settings.min_improvement if self.best >= settings.good_stability else 0
        return share > self.best + more and share >= self.least

    def is_far(self, share: float) -> bool:
        """Whether that share of the first pages is so small that the others need no look."""
        return share + current().wrapper.selectors.trial_margin < self.best


# Whether the texts alone leave it open that an expression is right on more of the pages. Where
# they stand is what costs: it is asked of those that this leaves. No page more is looked at once
# too few are left.


def _trial_of_lists(
    bar: _Bar, scopes: Sequence[SelectorScope], selector: Selector, wanted: list[list[str]]
) -> bool:
    """Whether an expression may select the whole list; it is read as far as it is right."""
    settings = current().wrapper.selectors
    right = 0
    for number, (scope, items) in enumerate(zip(scopes, wanted, strict=True), 1):
        texts = _items(scope.iter_texts(selector))
        right += all(text == item for text, item in zip_longest(texts, items))
        if number == settings.trial_pages and bar.is_far(right / number):
            return False
        if not bar.is_reached((right + len(wanted) - number) / len(wanted)):
            return False
    return True


def _trial_of_places(
    bar: _Bar, scopes: Sequence[SelectorScope], selector: Selector, wanted: list[list[str]]
) -> bool:
    """Whether the value may stand at one place among what is selected."""
    settings = current().wrapper.selectors
    most = settings.max_selected + 1
    found: list[list[str]] = []
    lacking = 0
    for scope, right in zip(scopes, wanted, strict=True):
        texts = scope.select_texts(selector, most=most)
        if len(texts) >= most:
            return False  # nobody counts so far
        found.append(texts)
        lacking += bool(right) and right[0] not in texts
        if not bar.is_reached((len(wanted) - lacking) / len(wanted)):
            return False
        if len(found) == settings.trial_pages and bar.is_far(
            _most_right_place(found, wanted[: settings.trial_pages])
        ):
            return False
    return bar.is_reached(_most_right_place(found, wanted))


def _most_right_place(found: list[list[str]], wanted: list[list[str]]) -> float:
    """The share of the pages where the text at one place, the best one, is right."""
    places: Counter[int] = Counter()
    lengths = []
    for texts, right in zip(found, wanted, strict=True):
        if not right:
            lengths.append(len(texts))
        for ordinal, text in enumerate(texts if right else ()):
            if text == right[0]:
                places.update((ordinal, ordinal - len(texts)))
    most = sum(length == 0 for length in lengths)
    for ordinal, count in places.most_common():
        if count + len(lengths) <= most:
            break
        needed = ordinal + 1 if ordinal >= 0 else -ordinal
        most = max(most, count + sum(length < needed for length in lengths))
    return most / len(wanted)


def _items(texts: Iterable[str]) -> Iterator[str]:
    """The texts of a list without the commas and words between them."""
    return (text for text in texts if not is_separator(text) and text.casefold() not in JOINTS)


def _tried(
    scopes: Sequence[SelectorScope],
    selector: Selector,
    expected: list[SelectedLeaves],
    to_beat: float,
    *,
    many: bool,
) -> ScoredSelector:
    """How an expression does; one that does badly on the first pages is not asked of the others."""
    settings = current().wrapper.selectors
    found: list[SelectedLeaves] = []
    most = None if many else settings.max_selected + 1
    for scope in scopes:
        selected = scope.select_with_elements(selector, most=most)
        if most is not None and len(selected) >= most:
            return ScoredSelector(selector, 0.0)  # nobody counts so far
        found.append(selected)
        if len(found) == settings.trial_pages:
            first = _judge(selector, found, expected[: settings.trial_pages], many=many)
            if first.stability + settings.trial_margin < to_beat:
                return first
    return _judge(selector, found, expected, many=many)


def _expected(view: ClassPages, column: ValueColumn, page: int) -> SelectedLeaves:
    reading = view.readings[page]
    leaves = [reading.leaves[place] for place in column.cells.get(page, [])]
    found = [(reading.nodes[leaf.element], leaf.text) for leaf in leaves]
    return found if column.many else found[:1]


def _judge(
    selector: Selector, found: list[SelectedLeaves], expected: list[SelectedLeaves], *, many: bool
) -> ScoredSelector:
    """An expression as it is, or the one of those that it selects that is right most often."""
    settings = current().wrapper.selectors
    if many:
        share = _share([*map(_values, found)], [*map(_values, expected)])
        return ScoredSelector(selector, share)
    first = ScoredSelector(selector, _share([one[:1] for one in found], expected))
    if first.stability >= settings.sure_stability:
        return first
    ordinals = Counter(
        ordinal
        for one, wanted in zip(found, expected, strict=True)
        if wanted
        for ordinal in _ordinals(one, wanted[0])
    )
    verdicts = [first]
    for ordinal, _count in ordinals.most_common(2):
        chosen = [_at(one, ordinal) for one in found]
        verdicts.append(ScoredSelector(selector.at(ordinal), _share(chosen, expected)))
    return max(verdicts, key=lambda verdict: verdict.stability)


def _ordinals(found: SelectedLeaves, wanted: tuple[Element, str]) -> Iterator[int]:
    """Where it stands among those that are selected, from the front and from the back."""
    if wanted in found:
        ordinal = found.index(wanted)
        yield ordinal
        yield ordinal - len(found)


def _at(found: SelectedLeaves, ordinal: int) -> SelectedLeaves:
    inside = -len(found) <= ordinal < len(found)
    return [found[ordinal]] if inside else []


def _share(found: list[SelectedLeaves], expected: list[SelectedLeaves]) -> float:
    right = sum(one == other for one, other in zip(found, expected, strict=True))
    return right / len(expected)


def _values(leaves: SelectedLeaves) -> SelectedLeaves:
    """The leaves of a list without the commas and words between them: a pattern drops those."""
    return [
        leaf for leaf in leaves if not is_separator(leaf[1]) and leaf[1].casefold() not in JOINTS
    ]
