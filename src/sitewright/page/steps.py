"""The parts of selectors: steps, the predicates on what they select, and paths of steps."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


_NO_BREAK_SPACE = "\u00a0"
_PUNCTUATION = ",.|-:;/()<>&\u2022\xb7\u2013\u2014"
_PLAIN_ID = re.compile(r"[\w-]+")


class Predicate:
    """A condition on a node; what it looks like in each dialect."""

    __slots__ = ()

    def xpath(self) -> str:
        """The predicate in XPath, brackets included."""
        return f"[{self._condition()}]"

    def scrapy(self) -> str:
        """The predicate as Scrapy's selectors take it."""
        return f"[{self._scrapy_condition()}]"

    def short(self) -> str:
        """The predicate for people."""
        return self._short()

    def _condition(self) -> str:
        raise NotImplementedError

    def _scrapy_condition(self) -> str:
        return self._condition()

    def _short(self) -> str:
        return self.xpath()


@dataclass(frozen=True, slots=True)
class Attribute(Predicate):
    """An attribute has just this value."""

    name: str
    value: str

    def _condition(self) -> str:
        return f"@{self.name}={_literal(self.value)}"

    def _short(self) -> str:
        is_plain = self.name == "id" and _PLAIN_ID.fullmatch(self.value)
        return f"#{self.value}" if is_plain else self.xpath()


@dataclass(frozen=True, slots=True)
class HasClass(Predicate):
    """An element has a class, whatever other classes it has."""

    name: str

    def _condition(self) -> str:
        padded = _literal(f" {self.name} ")
        return f"contains(concat(' ', normalize-space(@class), ' '), {padded})"

    def _scrapy_condition(self) -> str:
        is_plain = not any(one.isspace() or one in "'\"" for one in self.name)
        return f'has-class("{self.name}")' if is_plain else self._condition()

    def _short(self) -> str:
        return self.xpath() if any(map(str.isspace, self.name)) else f".{self.name}"


@dataclass(frozen=True, slots=True)
class Position(Predicate):
    """The place of a node among those that its step selects, from 1; from -1 for the last."""

    number: int

    def _condition(self) -> str:
        if self.number < 0:
            return f"last(){self.number + 1 or ''}"
        return str(self.number)


@dataclass(frozen=True, slots=True)
class After(Predicate):
    """A node comes behind a place among those that its step selects."""

    number: int

    def _condition(self) -> str:
        return f"position()>{self.number}"


@dataclass(frozen=True, slots=True)
class TextIs(Predicate):
    """The text of a node is one of these, white space aside."""

    texts: tuple[str, ...]
    nbsp_is_space: bool = False

    def _condition(self) -> str:
        subject = "normalize-space()"
        if self.nbsp_is_space:
            subject = f"normalize-space(translate(., '{_NO_BREAK_SPACE}', ' '))"
        return " or ".join(f"{subject}={_literal(text)}" for text in self.texts)

    def _short(self) -> str:
        return f"[{' or '.join(map(_literal, self.texts))}]"


@dataclass(frozen=True, slots=True)
class OwnText(Predicate):
    """An element has a text of its own, not one inside another element, that is one of these."""

    text: TextIs

    def _condition(self) -> str:
        return f"text(){self.text.xpath()}"

    def _short(self) -> str:
        return self.text.short()


@dataclass(frozen=True, slots=True)
class HasOwnText(Predicate):
    """An element has text of its own, not only in other elements."""

    def _condition(self) -> str:
        return "text()[normalize-space()]"


@dataclass(frozen=True, slots=True)
class TextIsNot(Predicate):
    """The text of a node is not this, white space aside."""

    text: str

    def _condition(self) -> str:
        return f"normalize-space()!={_literal(self.text)}"


@dataclass(frozen=True, slots=True)
class TextStartsWith(Predicate):
    """The text of a node begins with this, white space aside."""

    text: str

    def _condition(self) -> str:
        return f"starts-with(normalize-space(), {_literal(self.text)})"


@dataclass(frozen=True, slots=True)
class HasText(Predicate):
    """A node holds more than white space."""

    def _condition(self) -> str:
        return "normalize-space()"

    def _short(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class HasWords(Predicate):
    """A node holds more than punctuation."""

    def _condition(self) -> str:
        return f"normalize-space(translate(., '{_PUNCTUATION}', ''))"


@dataclass(frozen=True, slots=True)
class HasChild(Predicate):
    """An element has a child with a tag."""

    tag: str

    def _condition(self) -> str:
        return self.tag


@dataclass(frozen=True, slots=True)
class LacksChild(Predicate):
    """An element has no child with a tag."""

    tag: str

    def _condition(self) -> str:
        return f"not({self.tag})"


@dataclass(frozen=True, slots=True)
class HasTitle(Predicate):
    """A table has a column with this title, not one inside another table."""

    text: str

    def _condition(self) -> str:
        return f"(.|*)/tr/th[normalize-space()={_literal(self.text)}]"

    def _short(self) -> str:
        return f"[titled {_literal(self.text)}]"


@dataclass(frozen=True, slots=True)
class HasTag(Predicate):
    """An element has a tag."""

    tag: str

    def _condition(self) -> str:
        return f"self::{self.tag}"


@dataclass(frozen=True, slots=True)
class OtherPredicate(Predicate):
    """Any other condition, as it is written between its brackets."""

    text: str

    def _condition(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Step:
    """A step from some nodes to others."""

    test: str
    """A tag, `*`, `text()`, `@name` for an attribute, `..` for the parent."""
    predicates: tuple[Predicate, ...] = ()
    axis: str = "child"
    is_deep: bool = False
    """Whether it starts from all nodes inside, too: `//` before it."""

    def printed(self, predicate: Callable[[Predicate], str]) -> str:
        """The step with its slashes, its predicates in some dialect."""
        axis = "" if self.axis == "child" else f"{self.axis}::"
        slashes = "//" if self.is_deep else "/"
        return slashes + axis + self.test + "".join(map(predicate, self.predicates))

    @property
    def is_to_element(self) -> bool:
        """Whether it is a plain step down to elements."""
        is_tag = self.test[0].isalpha() and not self.test.endswith(")")
        return self.axis == "child" and (is_tag or self.test == "*")

    def where(self, *predicates: Predicate) -> Step:
        """The step with more predicates."""
        return replace(self, predicates=(*self.predicates, *predicates))


TEXT = Step("text()", (HasText(),))
"""The texts of an element that hold more than white space."""
WORDS = Step("text()", (HasWords(),))
"""The texts of an element that hold more than punctuation."""
PARENT = Step("..")


def anywhere(step: Step) -> Step:
    """The step, down to any depth."""
    return replace(step, is_deep=True)


@dataclass(frozen=True, slots=True)
class Path:
    """Steps from the page, or from the element that is asked."""

    steps: tuple[Step, ...]
    is_relative: bool = False
    """Whether it starts at the element that is asked: `.`."""
    index: int | None = None
    """Which of all that the steps select is meant, as Python counts; None for all."""
    tail: tuple[Step, ...] = ()
    """Steps from the one that `index` names."""

    def printed(self, predicate: Callable[[Predicate], str]) -> str:
        """The path, its predicates in some dialect."""
        start = "." if self.is_relative else ""
        head = start + printed_steps(self.steps, predicate)
        if self.index is None:
            return head
        place = self.index + 1 if self.index >= 0 else f"last(){self.index + 1 or ''}"
        return f"({head})[{place}]{printed_steps(self.tail, predicate)}"

    def then(self, *steps: Step) -> Path:
        """The path with more steps."""
        if self.index is None:
            return replace(self, steps=(*self.steps, *steps))
        return replace(self, tail=(*self.tail, *steps))

    def where(self, *predicates: Predicate) -> Path:
        """The path with more predicates on what it selects."""
        if self.index is None:
            return replace(self, steps=(*self.steps[:-1], self.steps[-1].where(*predicates)))
        return replace(self, tail=(*self.tail[:-1], self.tail[-1].where(*predicates)))


@dataclass(frozen=True, slots=True)
class OtherExpression:
    """Any other XPath, as it is written."""

    text: str

    def printed(self, _predicate: Callable[[Predicate], str]) -> str:
        """The expression, the same in all dialects."""
        return self.text


@dataclass(frozen=True, slots=True)
class DataPath:
    """A key of the data that a page holds in its scripts: JSON-LD, or the state of a program.

    It is no XPath, and no other program knows it: `data('Product.offers.price')`.
    """

    key: str

    def printed(self, _predicate: Callable[[Predicate], str]) -> str:
        """The same in all dialects."""
        return f"data({_literal(self.key)})"


def printed_steps(steps: Iterable[Step], predicate: Callable[[Predicate], str]) -> str:
    """Steps one after the other, their predicates in some dialect."""
    return "".join(step.printed(predicate) for step in steps)


def _literal(text: str) -> str:
    """A string in XPath, which knows no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    pieces = text.split("'")
    return "concat(" + ', "\'", '.join(f"'{piece}'" for piece in pieces) + ")"
