"""Many XPath expressions on one page, most of them from elements that are found once.

An expression that starts at an attribute, a class or an element's own words is answered from
there: the rest of it runs on the few elements that have them. The answer is that of the whole
expression, `select`, which all others get.
"""

from __future__ import annotations

import re
from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sitewright.html import dom
from sitewright.html.selection import Scope, Selected, select, select_with_elements
from sitewright.html.ways import taken_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sitewright.html.dom import Element
    from sitewright.html.ways import Said, Start, Way

Answer = TypeVar("Answer")
_BLANK = re.compile(r"[ \t\r\n]+")
_WHITE_SPACE = " \t\r\n"
_NO_BREAK = "\u00a0"
_BREAKING = f"normalize-space(translate(., '{_NO_BREAK}', ' '))"


class Finder:
    """The page that expressions are asked of.

    `said` is what `said_by` finds in the expressions that will be asked: the other words of the
    page need not be looked at.
    """

    def __init__(
        self, scope: Scope, said: Mapping[tuple[str, bool], Said] = MappingProxyType({})
    ) -> None:
        self.scope = scope
        self._said = said
        self._is_page = isinstance(scope, dom.Tree)
        self._starts: dict[str, list[Element]] = {}
        self._words: dict[tuple[str, bool, bool], dict[str, list[Element]]] = {}
        self._selected: dict[str, list[Selected]] = {}

    def select(self, xpath: str) -> list[Selected]:
        """What `select` answers, as fast as the indexes allow."""
        way = taken_apart(xpath)
        return select(self.scope, xpath) if way is None else self._along(xpath, way)

    def select_with_elements(self, xpath: str) -> list[tuple[Element, str]]:
        """What is selected, each with its element and its text as a reader sees it."""
        way = taken_apart(xpath)
        if way is None or not self._has_start(way):
            return select_with_elements(self.scope, xpath)
        return _at(self._from_start(way, select_with_elements), way.turn)

    def _along(self, xpath: str, way: Way) -> list[Selected]:
        if not self._has_start(way):
            return select(self.scope, xpath)
        # Fields that are told apart by their turns alone go the same way.
        found = self._selected.get(way.key)
        if found is None:
            found = self._selected[way.key] = self._from_start(way, select)
        return _at(found, way.turn)

    def _has_start(self, way: Way) -> bool:
        """Whether the expression starts here, not at the page around this element."""
        return self._is_page or not way.is_from_page

    def _from_start(self, way: Way, ask: Callable[..., list[Answer]]) -> list[Answer]:
        starts = self._starts.get(way.start.key)
        if starts is None:
            starts = self._starts[way.start.key] = self._starting(way.start)
        if len(starts) > 1:
            return ask(self.scope, way.rest_of_all, starts=starts)
        return ask(starts[0], way.rest) if starts else []

    def _starting(self, start: Start) -> list[Element]:
        if start.attribute:
            found = [one for one in self.scope.select(start.css()) if _has(one, start)]
            return _nth(found, start.nth) if start.nth else found
        said = self._said.get((start.tag, start.breaking))
        if said is not None and not said.words.issuperset(start.names):
            said = None
        index = self._saying(start.tag, start.breaking, said)
        return [one for name in start.names for one in index.get(name, ())]

    def _saying(self, tag: str, breaking: bool, said: Said | None) -> dict[str, list[Element]]:
        """The elements with a tag by what their own texts say."""
        key = tag, breaking, said is None
        index = self._words.get(key)
        if index is None:
            index = self._words[key] = {}
            found = self.scope.select(tag) if said is None else self._holding(tag, breaking, said)
            for element in found:
                for child in element:
                    if isinstance(child, dom.Text):
                        text = child.data.replace(_NO_BREAK, " ") if breaking else child.data
                        if words := _normalised(text):
                            index.setdefault(words, []).append(element)
        return index

    def _holding(self, tag: str, breaking: bool, said: Said) -> list[Element]:
        """The elements with a text that is a part of what is said: few, and all that say it."""
        words = _BREAKING if breaking else "normalize-space()"
        xpath = f".//{tag}/text()[normalize-space()][contains($said, {words})]/.."
        return cast("list[Element]", dom.compiled(xpath)(self.scope, said=said.text))


def query(xpath: str) -> Callable[[Finder], list[Selected]]:
    """`Finder.select` for one expression that is asked of very many finders."""
    way = taken_apart(xpath)
    if way is not None:
        return lambda finder: finder._along(xpath, way)  # noqa: SLF001 - a part of the finder
    ask: Callable[[Scope], Any] = dom.compiled(xpath)

    def whole(finder: Finder) -> list[Selected]:
        found = ask(finder.scope)
        return found if isinstance(found, list) else [str(found)]

    return whole


def _normalised(text: str) -> str:
    """A text as `normalize-space` leaves it."""
    words = text.strip(_WHITE_SPACE)
    # Most texts are plain, and looking for a character is faster than for a pattern.
    if "  " in words or "\n" in words or "\t" in words or "\r" in words:
        return _BLANK.sub(" ", words)
    return words


def _has(element: Element, start: Start) -> bool:
    """Whether an attribute says what it should to XPath, too."""
    value = element.attr(start.attribute) or ""
    if start.attribute == "class":
        return "\f" not in value or start.names[0] in _BLANK.split(value)
    return value == start.names[0]


def _nth(elements: list[Element], nth: int) -> list[Element]:
    """Those that are the nth of their parent's."""
    counts: Counter[dom.Node | None] = Counter()
    found: list[Element] = []
    for element in elements:
        counts[element.parent] += 1
        if counts[element.parent] == nth:
            found.append(element)
    return found


def _at(found: list[Answer], turn: int | None) -> list[Answer]:
    if turn is None:
        return found
    return [found[turn]] if -len(found) <= turn < len(found) else []
