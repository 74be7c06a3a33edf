"""Many selectors on one page, most of them from elements that are found once.

A selector that starts at an attribute, a class or an element's own text is answered from there:
the rest of it runs on the few elements that have them. The answer is that of the whole expression,
which all others get.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

from sitewright.page import parser
from sitewright.page.elements import INLINE, UNSEEN
from sitewright.page.steps import HasTag, Path, Position, Step
from sitewright.page.structured_data import script_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitewright.page.parser import Element, Tree
    from sitewright.page.selector import Anchor, Selector


# What an XPath expression selects in a page, as texts.

SelectionScope: TypeAlias = parser.Tree | parser.Element
"""Where an expression starts from: a whole page or one element of it."""
Selected: TypeAlias = parser.Element | str
"""An element, or the text of a text node or of an attribute."""


def select(
    scope: SelectionScope,
    xpath: str,
    *,
    most: int | None = None,
    **variables: list[parser.Element],
) -> list[Selected]:
    """What the expression selects, or the first `most` of it, in document order.

    Variables are elements that the expression starts from, under the names that it has for them.
    ValueError if it is no expression.
    """
    found = parser.compiled(parser.bounded(xpath, most))(scope, **variables)
    # Nothing but elements, texts and attributes has a name in the expressions of this project.
    return cast("list[Selected]", found) if isinstance(found, list) else [str(found)]


def select_with_elements(
    scope: SelectionScope,
    xpath: str,
    *,
    most: int | None = None,
    **variables: list[parser.Element],
) -> list[tuple[parser.Element, str]]:
    """What is selected, or the first `most`: each with its element and the text a reader sees."""
    found = parser.located(scope, xpath, most=most, **variables)
    return [(element, text_of(one)) for element, one in found]


def text_of(selected: Selected, *, most_pieces: int | None = None) -> str:
    """The text that a reader sees, white space collapsed: blocks and line breaks part words.

    `most_pieces` bounds the texts and tags that are read, where somebody might nest thousands.
    """
    if isinstance(selected, str):
        return " ".join(selected.split())
    # So few elements have no more pieces, where no comments part their texts.
    if _is_one_line(selected, None if most_pieces is None else most_pieces // 4):
        return " ".join(selected.text.split())
    return " ".join("".join(_pieces(selected, most_pieces)).split())


def _is_one_line(element: SelectionScope, most: int | None) -> bool:
    """Whether nothing in an element parts words or is unseen: most values are read so.

    Nor may there be so many elements in it as `most`. A selector that was asked of a whole page
    gives the page for ".", which is no element.
    """
    if not isinstance(element, parser.Element) or element.tag in UNSEEN:
        return False
    inside: Iterable[parser.Element] = element.iter_elements()
    if most is not None:
        inside = list(islice(inside, most))
        if len(inside) == most:
            return False
    return all(one.tag in INLINE for one in inside)


def _pieces(element: SelectionScope, most: int | None = None) -> list[str]:
    """The texts in an element, with what stands at the ends of its parts; or the first `most`."""
    found: list[str] = []
    # A stack, since hostile pages nest deeper than Python calls.
    waiting: list[parser.Node | str] = [element]
    while waiting and len(found) != most:
        node = waiting.pop()
        if isinstance(node, str):
            found.append(node)
        elif isinstance(node, parser.Text):
            found.append(node.data)
        elif isinstance(node, parser.Element) and (tag := node.tag) not in UNSEEN:
            around = "" if tag in INLINE else " "
            found.append(around)
            waiting.append(around)
            waiting += list(node.children)[::-1]
    return found


Found = TypeVar("Found")
_FEW = 16
"""So many elements and texts are remembered of every selector."""
_FIRST_ELEMENTS = 16
"""Of so many elements is asked at first what a selector selects in them."""
_MOST_REMEMBERED = 4096
"""Elements and texts that are remembered of selectors with more; all would take too much memory."""
_BLANK = re.compile(r"[ \t\r\n]+")
_WHITE_SPACE = " \t\r\n"
_NO_BREAK_SPACE = "\u00a0"
_NBSP_IS_SPACE = f"normalize-space(translate(., '{_NO_BREAK_SPACE}', ' '))"


class LabelTexts(NamedTuple):
    """The texts that some selectors start from, in elements with one tag."""

    texts: frozenset[str]
    joined: str
    """All of them in one."""


TextsByTag: TypeAlias = "Mapping[tuple[str, bool], LabelTexts]"
"""By tag, and by whether a no-break space counts as a space."""


def label_texts(selectors: Iterable[Selector]) -> TextsByTag:
    """The texts that selectors start from."""
    found: dict[tuple[str, bool], set[str]] = {}
    for anchor in (selector.anchor() for selector in selectors):
        if anchor is not None and not anchor.attribute:
            found.setdefault((anchor.tag, anchor.nbsp_is_space), set()).update(anchor.names)
    return {
        key: LabelTexts(frozenset(texts), "\n".join(sorted(texts))) for key, texts in found.items()
    }


class _ElementsByText(NamedTuple):
    """The elements with one tag by their own texts."""

    elements: dict[str, list[Element]]
    texts: frozenset[str] | None
    """The texts that were looked for; None for all."""

    def has(self, texts: Iterable[str]) -> bool:
        """Whether all elements with these texts are known."""
        return self.texts is None or self.texts.issuperset(texts)

    def add(self, elements: Iterable[Element], *, nbsp_is_space: bool) -> None:
        for element in elements:
            for child in element:
                if isinstance(child, parser.Text):
                    text = child.data
                    if nbsp_is_space:
                        text = text.replace(_NO_BREAK_SPACE, " ")
                    if text := _normalised(text):
                        self.elements.setdefault(text, []).append(element)


class PageIndex:
    """The page that selectors are asked of."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._labels: TextsByTag = {}
        self._elements: dict[str, list[Element]] = {}
        self._texts: dict[tuple[str, bool], _ElementsByText] = {}
        self._selected: dict[str, list[Selected]] = {}
        self._located: dict[str, list[tuple[Element, str]]] = {}
        self._selected_texts: dict[str, list[str]] = {}
        self._remembered = 0
        self._data: dict[str, list[str]] | None = None
        self._form_feeds: bool | None = None

    def expect(self, labels: TextsByTag) -> None:
        """Say which labels will be asked for: the other texts of the page need not be looked at."""
        self._labels = labels

    def data(self) -> dict[str, list[str]]:
        """What the scripts of the page hold as data: for each key its texts, in their order."""
        if self._data is None:
            self._data = {}
            for key, text in script_values(self.tree):
                self._data.setdefault(key, []).append(text)
        return self._data

    def select(self, selector: Selector) -> list[Selected]:
        """All that the selector selects, in document order."""
        if key := selector.data_key():
            return list(self.data().get(key, ()))
        anchor = selector.anchor()
        # Fields that are told apart by their places alone select the same.
        key = selector.xpath() if anchor is None else anchor.selected
        found = self._selected.get(key)
        if found is None:
            found = self._selected[key] = (
                select(self.tree, key) if anchor is None else self._from_anchor(anchor, select)
            )
        return found if anchor is None else _at(found, anchor.place)

    def select_with_elements(
        self, selector: Selector, *, most: int | None = None
    ) -> list[tuple[Element, str]]:
        """What is selected, each with its element and its text as a reader sees it.

        Of a selector that selects more than `most`, the first: whoever asks wants no more of them.
        """
        if selector.data_key():
            return []  # it stands in no element that a reader sees
        anchor = selector.anchor()
        if anchor is None:
            return select_with_elements(self.tree, selector.xpath(), most=most)
        found = self._located.get(anchor.selected)
        if found is None:
            bound = most if anchor.place is None else None
            found = self._from_anchor(anchor, partial(select_with_elements, most=bound))
            if bound is not None and len(found) >= bound:
                return found  # the others are not known
            if len(found) <= _FEW or self._remembered + len(found) <= _MOST_REMEMBERED:
                self._located[anchor.selected] = found
                self._remembered += len(found) if len(found) > _FEW else 0
        return _at(found, anchor.place)

    def select_texts(self, selector: Selector, *, most: int | None = None) -> list[str]:
        """What is selected, or the first `most`, as a reader sees it, but not where it stands.

        To say where the texts of a page stand takes the parser four times as long as to find them.
        """
        anchor = selector.anchor()
        if selector.data_key() or anchor is None:
            return [text for _, text in self.select_with_elements(selector, most=most)]
        if (located := self._located.get(anchor.selected)) is not None:
            return [text for _, text in _at(located, anchor.place)]
        found = self._selected_texts.get(anchor.selected)
        if found is None:
            bound = most if anchor.place is None else None
            found = [*map(text_of, islice(self._iter_selected(anchor), bound))]
            if len(found) <= _FEW and (bound is None or len(found) < bound):
                self._selected_texts[anchor.selected] = found
        return _at(found, anchor.place)

    def iter_texts(self, selector: Selector) -> Iterator[str]:
        """All that is selected, as a reader sees it, each text read when it is asked for."""
        anchor = selector.anchor()
        if selector.data_key() or anchor is None or anchor.selected in self._located:
            return iter(self.select_texts(selector))
        if (texts := self._selected_texts.get(anchor.selected)) is not None:
            return iter(_at(texts, anchor.place))
        if anchor.place is None:
            return map(text_of, self._iter_selected(anchor))
        return map(text_of, _at(self._from_anchor(anchor, select), anchor.place))

    def _iter_selected(self, anchor: Anchor) -> Iterator[Selected]:
        """All that is selected, its index aside, from a few of the elements at a time.

        Most that is asked for a list is not it, and that shows at its beginning.
        """
        if not anchor.attribute or not anchor.stays_inside:
            yield from self._from_anchor(anchor, select)
            return
        elements, begin, size = self._elements_of(anchor), 0, _FIRST_ELEMENTS
        while begin < len(elements):
            end = _end_of_part(elements, begin, begin + size)
            yield from select(self.tree, f"$elements{anchor.rest}", elements=elements[begin:end])
            begin, size = end, 4 * size

    def _elements_of(self, anchor: Anchor) -> list[Element]:
        elements = self._elements.get(anchor.elements)
        if elements is None:
            elements = self._elements[anchor.elements] = self._anchored(anchor)
        return elements

    def _from_anchor(self, anchor: Anchor, ask: Callable[..., list[Found]]) -> list[Found]:
        elements = self._elements_of(anchor)
        if len(elements) > 1:
            return ask(self.tree, f"$elements{anchor.rest}", elements=elements)
        return ask(elements[0], f".{anchor.rest}") if elements else []

    def _anchored(self, anchor: Anchor) -> list[Element]:
        if anchor.attribute:
            if self._has_form_feeds():
                return cast("list[Element]", select(self.tree, anchor.elements))
            found = self.tree.select(anchor.css())
            if not anchor.is_exact():
                name, value = anchor.attribute, anchor.names[0]
                found = [one for one in found if one.attr(name) == value]
            return _at_position(found, anchor.position) if anchor.position else found
        by_text = self._by_text(anchor)
        return [one for name in anchor.names for one in by_text.get(name, ())]

    def _has_form_feeds(self) -> bool:
        """Whether a class is parted by what is white space to CSS, and not to XPath."""
        if self._form_feeds is None:
            self._form_feeds = bool(self.tree.select('[class*="\\c "]'))
        return self._form_feeds

    def _by_text(self, anchor: Anchor) -> dict[str, list[Element]]:
        """The elements with a tag by their own texts: all of them, or those that are expected."""
        key = anchor.tag, anchor.nbsp_is_space
        known = self._texts.get(key)
        if known is None or not known.has(anchor.names):
            labels = self._labels.get(key)
            if known is not None or labels is None or not labels.texts.issuperset(anchor.names):
                known = _ElementsByText({}, None)
                found = self.tree.select(anchor.tag)
            else:
                known = _ElementsByText({}, labels.texts)
                found = self._with_text_in(*key, labels)
            known.add(found, nbsp_is_space=anchor.nbsp_is_space)
            self._texts[key] = known
        return known.elements

    def _with_text_in(self, tag: str, nbsp_is_space: bool, labels: LabelTexts) -> list[Element]:
        """The elements with a text that is a part of all labels in one: few, and all with one."""
        text = _NBSP_IS_SPACE if nbsp_is_space else "normalize-space()"
        xpath = f".//{tag}/text()[normalize-space()][contains($labels, {text})]/.."
        return cast("list[Element]", parser.compiled(xpath)(self.tree, labels=labels.joined))


@dataclass(frozen=True, slots=True)
class ElementScope:
    """An element that selectors are asked of: a record, too small to be worth an index."""

    element: Element

    def select(self, selector: Selector) -> list[Selected]:
        """All that the selector selects, in document order."""
        return select(self.element, selector.xpath())

    def select_with_elements(
        self, selector: Selector, *, most: int | None = None
    ) -> list[tuple[Element, str]]:
        """What is selected, or the first `most`, each with its element and its text."""
        return select_with_elements(self.element, selector.xpath(), most=most)

    def select_texts(self, selector: Selector, *, most: int | None = None) -> list[str]:
        """What is selected, or the first `most`, as a reader sees it."""
        return [*map(text_of, select(self.element, selector.xpath(), most=most))]

    def iter_texts(self, selector: Selector) -> Iterator[str]:
        """All that is selected, as a reader sees it, each text read when it is asked for."""
        return map(text_of, select(self.element, selector.xpath()))


def compiled(selector: Selector) -> Callable[[Element], list[Selected]]:
    """`ElementScope.select` for one selector that is asked of very many elements."""
    if selector.data_key():
        return lambda _element: []
    follower = _follower(selector)
    if follower is not None:
        return follower
    ask: Callable[[Element], Any] = parser.compiled(selector.xpath())

    def ask_element(element: Element) -> list[Selected]:
        found = ask(element)
        return found if isinstance(found, list) else [str(found)]

    return ask_element


def _follower(selector: Selector) -> Callable[[Element], list[Selected]] | None:
    """The same for `./following-sibling::*[2][self::dd]`; None for any other selector.

    XPath looks at all siblings that follow: asked of each of 100,000 siblings, it never ends.
    """
    match selector.paths:
        case (
            Path(
                steps=(
                    Step(
                        test="*",
                        axis="following-sibling",
                        predicates=(Position(number=ordinal), HasTag(tag=tag)),
                        is_deep=False,
                    ),
                ),
                is_relative=True,
                index=None,
                tail=(),
            ),
        ):
            pass
        case _:
            return None

    def ask_element(element: Element) -> list[Selected]:
        siblings = (one for one in element.next_siblings if isinstance(one, parser.Element))
        found = next(islice(siblings, ordinal - 1, None), None)
        return [found] if found is not None and found.tag == tag else []

    return ask_element


SelectorScope: TypeAlias = PageIndex | ElementScope
"""What a selector is asked of: a page, or one of its elements."""


def _normalised(text: str) -> str:
    """A text as `normalize-space` leaves it."""
    words = text.strip(_WHITE_SPACE)
    # Most texts are plain, and looking for a character is faster than for a pattern.
    if "  " in words or "\n" in words or "\t" in words or "\r" in words:
        return _BLANK.sub(" ", words)
    return words


def _end_of_part(elements: Sequence[Element], begin: int, end: int) -> int:
    """Where a part of some elements ends, so that none behind it stands in one of the part.

    So all that stands in elements of the part comes before all that stands in later ones.
    """
    part = set(elements[begin:end])
    while end < len(elements) and not part.isdisjoint(elements[end].ancestors):
        part.add(elements[end])
        end += 1
    return min(end, len(elements))


def _at_position(elements: list[Element], position: int) -> list[Element]:
    """Those that are at a position among their parent's."""
    counts: Counter[parser.Node | None] = Counter()
    found: list[Element] = []
    for element in elements:
        counts[element.parent] += 1
        if counts[element.parent] == position:
            found.append(element)
    return found


def _at(found: list[Found], place: int | None) -> list[Found]:
    if place is None:
        return found
    return [found[place]] if -len(found) <= place < len(found) else []
