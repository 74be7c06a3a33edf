"""Selectors: what finds values in a page, as data that is printed as XPath.

A selector is a union of paths; a path is steps with predicates, and which of all that it selects
is meant. `Selector.parse` reads XPath. What of it has no form of its own in `page/steps.py` (a
predicate, or a whole expression) is kept as it is written, and the engine evaluates it.

>>> selector = Selector.parse("//dt[text()[normalize-space()='Born']]/following-sibling::dd[1]")
>>> selector.steps()[-1]
Step(test='dd', predicates=(Position(number=1),), axis='following-sibling', is_deep=False)
>>> selector.short()
"//dt['Born']/following-sibling::dd[1]"
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from operator import methodcaller
from typing import TYPE_CHECKING, NamedTuple

from sitewright.page.steps import (
    PARENT,
    Attribute,
    DataPath,
    HasClass,
    OtherExpression,
    OwnText,
    Path,
    Position,
    Predicate,
    Step,
    TextIs,
    printed_steps,
)
from sitewright.page.xpath import parse_xpath

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


_XPATH, _SCRAPY, _SHORT = map(methodcaller, ("xpath", "scrapy", "short"))
_DATA = re.compile(r"data\((?P<quote>['\"])(?P<key>[^'\"]{1,500})(?P=quote)\)")
_CSS_NAME = re.compile(r"[a-z][a-z0-9-]*")
_CSS_QUOTABLE = re.compile(r"[^\"\\\x00-\x1f\x7f]+")


class Anchor(NamedTuple):
    """The elements that a selector starts from, which an index finds, and the rest from there."""

    elements: str
    """What the selector says of them: two selectors with the same text start from the same."""
    selected: str
    """What the selector says of all that it selects, its index aside."""
    rest: str
    """The steps from them on."""
    place: int | None
    """Which of all that is selected is meant, as Python counts; None for all."""
    tag: str
    attribute: str
    """The attribute that names them; empty where a text of their own does."""
    names: tuple[str, ...]
    """The value of the attribute, a class among others, or the texts."""
    position: int
    """Which of the elements of one parent, from 1; 0 for all."""
    nbsp_is_space: bool
    """Whether a no-break space in the text counts as a space."""
    inner: tuple[Step, ...]
    """From the elements that are named so to those that are meant, where CSS can say it."""
    stays_inside: bool
    """Whether all that is selected stands in them."""

    def is_exact(self) -> bool:
        """Whether CSS compares the attribute letter by letter, as XPath does: not so `rel`."""
        return self.attribute in _EXACT

    def css(self) -> str:
        """A CSS selector for them, and perhaps for more: it knows more white space than XPath."""
        first = self.tag + _css_condition(self.attribute, self.names[0])
        return first + "".join(map(_css_step, self.inner))


@dataclass(frozen=True)
class Selector:
    """What finds values in a page: all that one of its paths selects, in document order."""

    paths: tuple[Path | OtherExpression | DataPath, ...]

    @classmethod
    def of(cls, *paths: Path) -> Selector:
        """The selector of some paths."""
        return cls(paths)

    @classmethod
    def parse(cls, text: str) -> Selector:
        """Read XPath; ValueError if it is none that the engine can evaluate."""
        return _parsed(text)

    def __str__(self) -> str:
        return self.xpath()

    def xpath(self) -> str:
        """The selector in XPath 1.0."""
        return self._xpath

    def scrapy(self) -> str:
        """The selector as Scrapy takes it, which has a function for classes."""
        return self._scrapy

    def short(self) -> str:
        """The selector for people: classes and ids as in CSS, labels without their tests."""
        return self._printed(_SHORT)

    def anchor(self) -> Anchor | None:
        """Where an index starts; None if the selector must be evaluated as a whole."""
        return self._anchor

    def data_key(self) -> str:
        """The key of the page's data that is meant; empty if elements or their texts are."""
        return self._data_key

    def starts_at_page(self) -> bool:
        """Whether it means the page even when it is asked of an element."""
        return not all(isinstance(path, Path) and path.is_relative for path in self.paths)

    def steps(self) -> tuple[Step, ...]:
        """All steps of all paths."""
        paths = (path for path in self.paths if isinstance(path, Path))
        return tuple(step for path in paths for step in (*path.steps, *path.tail))

    def at(self, index: int) -> Selector:
        """The one of all that is selected; negative numbers count from the end."""
        (path,) = self.paths
        if not isinstance(path, Path) or path.index is not None:
            raise ValueError(f"an index of what is no plain path: {self}")
        return Selector((replace(path, index=index),))

    def union(self, other: Selector) -> Selector:
        """What either of two selects."""
        return Selector((*self.paths, *other.paths))

    def _printed(self, predicate: Callable[[Predicate], str]) -> str:
        return " | ".join(path.printed(predicate) for path in self.paths)

    @cached_property
    def _xpath(self) -> str:
        return self._printed(_XPATH)

    @cached_property
    def _scrapy(self) -> str:
        return self._printed(_SCRAPY)

    @cached_property
    def _data_key(self) -> str:
        path = self.paths[0]
        return path.key if isinstance(path, DataPath) else ""

    @cached_property
    def _anchor(self) -> Anchor | None:
        path = self.paths[0]
        if len(self.paths) > 1 or not isinstance(path, Path) or path.tail:
            return None
        return _anchor(path)


# The pages of one theme, and the files of one site, say the same again and again.
@lru_cache(maxsize=4096)
def _parsed(text: str) -> Selector:
    if found := _DATA.fullmatch(text):
        return Selector((DataPath(found["key"]),))
    return Selector(parse_xpath(text))


def _anchor(path: Path) -> Anchor | None:
    """Where an index finds the elements of a first step, by the one thing that it says of them."""
    first = _first_step(path.steps)
    if first is None:
        return None
    match first.predicates:
        case (naming,):
            position = 0
        case (naming, Position(position)) if position > 0:
            pass
        case _:
            return None
    nbsp_is_space = False
    match naming:
        case OwnText(TextIs(names, nbsp_is_space)) if not position:
            attribute = ""
        case Attribute(attribute, name) if attribute != "class" and _is_css(attribute, name):
            names = (name,)
        case HasClass(name) if _is_css("class", name) and not any(map(str.isspace, name)):
            attribute, names = "class", (name,)
        case _:
            return None
    # Below the one element with an id there is little to look through.
    inner = _inner_steps(path.steps[1:]) if attribute == "class" and not position else ()
    elements = printed_steps((first, *inner), _XPATH)
    further = path.steps[1 + len(inner) :]
    rest = printed_steps(further, _XPATH)
    return Anchor(
        elements,
        elements + rest,
        rest,
        path.index,
        first.test,
        attribute,
        names,
        position,
        nbsp_is_space,
        inner,
        all(step.axis == "child" and step.test != PARENT.test for step in further),
    )


_EXACT = frozenset({"class", "id"})
"""Attributes whose values CSS compares letter by letter in every page."""


def _inner_steps(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The first of the steps, as far as CSS finds the last of them by its class or id.

    It takes a twentieth of the time that XPath takes to test a class. A second step to any depth
    would have CSS look at all ancestors of all ancestors.
    """
    length = deep = 0
    for number, step in enumerate(steps, 1):
        deep += step.is_deep
        if deep > 1 or not _is_css_step(step):
            break
        length = number if step.predicates else length
    return tuple(steps[:length])


def _is_css_step(step: Step) -> bool:
    if step.axis != "child" or not _CSS_NAME.fullmatch(step.test):
        return False
    match step.predicates:
        case ():
            return True
        case (Attribute("id", name),):
            return _is_css("id", name)
        case (HasClass(name),):
            return _is_css("class", name) and not any(map(str.isspace, name))
        case _:
            return False


def _css_step(step: Step) -> str:
    """A step that CSS knows, behind what it starts from."""
    tag = (" " if step.is_deep else " > ") + step.test
    match step.predicates:
        case (HasClass(name),):
            return tag + _css_condition("class", name)
        case (Attribute(attribute, value),):
            return tag + _css_condition(attribute, value)
        case _:
            return tag


def _css_condition(attribute: str, value: str) -> str:
    relation = "~=" if attribute == "class" else "="
    return f'[{attribute}{relation}"{value}"]'


def _first_step(steps: Sequence[Step]) -> Step | None:
    """The step to elements anywhere in the page, with all that is said of them."""
    match steps:
        case (
            Step(tag, (), "child", True),
            Step("text()", (TextIs() as text,), "child", False),
            _,
            *_,
        ):
            # The text is a step of its own: it says something of the element, too.
            first = steps[0].where(OwnText(text))
        case (Step(tag, _, "child", True) as first, *_):
            pass
        case _:
            return None
    return first if _CSS_NAME.fullmatch(tag) else None


def _is_css(attribute: str, value: str) -> bool:
    """Whether both can be written in CSS as they are."""
    return bool(_CSS_NAME.fullmatch(attribute) and _CSS_QUOTABLE.fullmatch(value))
