"""Selectors for a column: XPath expressions that find its leaves, the most lasting ones first.

What names a node (a label beside it, its class, an id around it) comes before where it stands.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sitewright.wrapper.labels import COLONS
from sitewright.wrapper.reading import ELEMENT, TEXT
from sitewright.wrapper.xpath import LETTERS, WORDS, begins, is_writable, literal, says, step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.html.dom import Element
    from sitewright.wrapper.columns import Column
    from sitewright.wrapper.structure import Label
    from sitewright.wrapper.view import View

_SPELLINGS = 4
_SAYING = ("itemprop", "property", "data-field", "data-testid")
"""Attributes that say what an element holds."""
_LONGEST = 60


def selectors(view: View, column: Column) -> Iterator[str]:
    """Expressions that could select the leaves of a column."""
    writer = _Writer(view, column)
    yield from filter(is_writable, _written(writer, column))


def _written(writer: _Writer, column: Column) -> Iterator[str]:
    if column.kind == "label":
        yield from writer.by_label()
    elif column.kind == "prefix":
        yield from writer.by_prefix()
    else:
        yield from writer.by_path()
    yield from writer.by_position()


class _Writer:
    def __init__(self, view: View, column: Column) -> None:
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

    def end(self) -> str:
        """The last step, to the text or the attribute."""
        return _ENDS.get(self.column.part, f"/@{self.column.part}")

    def by_path(self) -> Iterator[str]:
        """By the classes and ids of an element and of those around it."""
        steps = self.view.paths.steps(self.exact)
        ends = [self.end()]
        if self.column.part == TEXT:
            ends.append(f"/{LETTERS}")
            if not self.is_one_path:
                steps = self.view.paths.steps(self.column.path)
                ends = [f"//{WORDS}", f"//{self._data_only()}", f"//{LETTERS}"]
        if self.view.are_rows and self.column.part == TEXT:
            yield from self._by_cell(steps)
        if self.is_one_path and (said := self._said()):
            yield f"{'.' if self.view.are_rows else ''}//{steps[-1].tag}{said}{ends[0]}"
        for end in ends:
            for head in heads(steps, inside=self.view.are_rows):
                yield head + end

    def _by_cell(self, steps: list[Label]) -> Iterator[str]:
        """All the text of a table's cell: tags in it come and go."""
        for place, label in enumerate(steps):
            if label.cell and place:
                yield "./" + "/".join(map(step, steps[1 : place + 1])) + f"//{WORDS}"
                return

    def _said(self) -> str:
        """A condition on the microdata of the elements, if all of them say the same."""
        for name in _SAYING:
            found = {self._node(page, place).attr(name) for page, place in self.cells}
            only = next(iter(found))
            if len(found) == 1 and only and len(only) < _LONGEST:
                return f"[@{name}={literal(only)}]"
        return ""

    def _node(self, page: int, place: int) -> Element:
        reading = self.view.readings[page]
        return reading.nodes[reading.leaves[place].element]

    def _data_only(self) -> str:
        """The texts without those that all pages have there."""
        constant = sorted(
            {
                text
                for path, text in self.view.labels.constant
                if self.view.paths.block(path) == self.column.path
            }
        )
        without = "".join(f"[normalize-space()!={literal(text)}]" for text in constant)
        return WORDS + without

    def by_prefix(self) -> Iterator[str]:
        """By the label that a text begins with."""
        texts = [self._text(page, place) for page, place in self.cells]
        label = Counter(text[: _colon(text) + 1] for text in texts).most_common(1)[0][0]
        for head in heads(self.view.paths.steps(self.column.path), inside=self.view.are_rows):
            yield f"{head}/text(){begins(label)}"

    def _text(self, page: int, place: int) -> str:
        return self.view.readings[page].leaves[place].text

    def by_position(self) -> Iterator[str]:
        """By the places of the elements among their siblings, below the nearest id or the root."""
        places = Counter(self._places(page, place) for page, place in self.cells)
        steps, _count = places.most_common(1)[0]
        tags = [tag for tag, _turn in steps]
        alike = [one for one in places if [tag for tag, _turn in one] == tags]
        turns = [Counter(turn for _tag, turn in column) for column in zip(*alike, strict=True)]
        yield _join(tags, [next(iter(one)) if len(one) == 1 else 0 for one in turns]) + self.end()
        yield _join(tags, [turn for _tag, turn in steps]) + self.end()

    def _places(self, page: int, place: int) -> tuple[tuple[str, int], ...]:
        reading = self.view.readings[page]
        leaf = reading.leaves[place]
        steps: list[tuple[str, int]] = []
        for element in reading.ancestry(leaf.element):
            name = self.view.paths.labels[self.view.numbers[page][element]][1].id
            tag = reading.tags[element]
            if name and not self.view.are_rows:
                steps.append((f"//{tag}[@id={literal(name)}]", 0))
                break
            if reading.parents[element] >= 0:
                steps.append((tag, reading.nth[element]))
            else:
                steps.append(("." if self.view.are_rows else f"//{tag}", 0))
        return tuple(reversed(steps))

    def by_label(self) -> Iterator[str]:
        """By the label before it."""
        ways = Counter(self._way(page, place) for page, place in self.cells)
        best = [way for way, _ in ways.most_common(3)]
        texts = self._spellings()
        anchor = self._anchor()
        for start, on in best:
            for breaking in (False, True):
                said = says(texts, breaking=breaking)
                for around in dict.fromkeys(("//", anchor)):
                    from_here = "." if self.view.are_rows else ""
                    yield from_here + around + start.replace(_SAID, said) + on

    def _spellings(self) -> list[str]:
        texts: Counter[str] = Counter()
        for page, place in self.cells:
            governor = self.view.governors[page][place]
            texts[self._text(page, governor)] += 1
        return [text for text, _ in texts.most_common(_SPELLINGS)]

    def _anchor(self) -> str:
        """The way to the nearest named element around the label."""
        steps = self.view.paths.steps(self.column.label_path)[:-1]
        for label in reversed(steps):
            if label.id or label.classes:
                return f"//{step(label)}//"
        return "//"

    def _way(self, page: int, place: int) -> tuple[str, str]:
        """How to come from the label to the value: where to start, and the steps from there."""
        reading = self.view.readings[page]
        leaf = reading.leaves[place]
        label = reading.leaves[self.view.governors[page][place]]
        meeting = reading.meeting(label.element, leaf.element)
        start, ups = self._start(page, label.element, meeting)
        branch = _child_towards(reading.parents, leaf.element, meeting)
        axis = "following" if place > self.view.governors[page][place] else "preceding"
        if branch < 0:  # the value is a text beside the label
            return start + ups, f"/{axis}-sibling::{WORDS}"
        tag = reading.tags[branch]
        labelled = _child_towards(reading.parents, label.element, meeting)
        before = reading.nth[labelled] if labelled >= 0 and reading.tags[labelled] == tag else None
        turn = abs(reading.nth[branch] - before) if before is not None else 1
        ending = self._down(page, leaf.element, branch)
        if self.column.part == TEXT:
            ending = f"/{self.end()}"
        return start + ups, f"/{axis}-sibling::{tag}[{turn}]" + ending

    def _down(self, page: int, element: int, branch: int) -> str:
        """From the element beside the label to an element inside it, and to its part."""
        inside = "" if element == branch else f"//{self.view.readings[page].tags[element]}"
        return inside + self.end()

    def _start(self, page: int, element: int, meeting: int) -> tuple[str, str]:
        reading = self.view.readings[page]
        tag = reading.tags[element]
        if element == meeting:  # the label is a text beside its value
            return f"{tag}/text(){_SAID}", ""
        ups = 0
        while reading.parents[element] != meeting:
            element = reading.parents[element]
            ups += 1
        # Its own text is enough, and the text of all that is in it would be read for every table
        # around it.
        return f"{tag}[text(){_SAID}]", "/.." * ups


_RARE = frozenset("h1 title time address figcaption blockquote cite caption".split())
"""Elements of which a page has so few that their tags name them."""
_SAID = "\0"
_ENDS = {TEXT: f"/{WORDS}", ELEMENT: ""}


def _join(tags: Sequence[str], turns: Sequence[int]) -> str:
    steps = zip(tags, turns, strict=True)
    return "/".join(f"{tag}[{turn}]" if turn else tag for tag, turn in steps)


def _child_towards(parents: list[int], element: int, outer: int) -> int:
    """The child of an element that another one stands in; -1 if that is the element itself."""
    if element == outer:
        return -1
    while parents[element] != outer:
        element = parents[element]
    return element


def _colon(text: str) -> int:
    places = [place for colon in COLONS if (place := text.find(colon)) >= 0]
    return min(places, default=len(text))


def heads(steps: list[Label], *, inside: bool = False) -> Iterator[str]:
    """The ways to an element, from the shortest that names it to its whole path.

    `inside` is the way from the element that the first step names, not from the page.
    """
    if inside and not steps[1:]:
        yield "."
        return
    whole = steps[1:] if inside and not steps[0].id else steps
    start = ".//" if inside else "//"
    named = [
        place for place, label in enumerate(whole) if label.id or label.classes or label.named[0]
    ]
    is_bare = not named or named[-1] != len(whole) - 1
    if is_bare and whole[-1].tag in _RARE:
        yield start + step(whole[-1])
    for place in reversed(named):
        yield start + "/".join(map(step, whole[place:]))
    for place in reversed(named):
        if place < len(whole) - 2:
            yield f"{start}{step(whole[place])}//{step(whole[-1])}"
    if inside:
        yield "./" + "/".join(map(step, whole))
        yield start + step(whole[-1])
    elif whole[0].tag == "body":
        yield "/html/" + "/".join(map(step, whole))
