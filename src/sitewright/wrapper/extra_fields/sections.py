"""Sections: what stands under a heading that other pages have too is a field of that name.

On documentation, wikis and recipes a page is headings with running text below: "Usage", "Return
value", "Ingredients". Where the section has an element of its own, its text without the heading is
the value; where the heading only stands before it, the block behind, if there is but one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sitewright.page.elements import INLINE
from sitewright.page.page_index import text_of
from sitewright.page.parser import Text
from sitewright.page.selector import Selector
from sitewright.page.steps import (
    PARENT,
    OwnText,
    Path,
    Position,
    Step,
    TextIs,
    TextStartsWith,
    anywhere,
)
from sitewright.settings import current
from sitewright.wrapper.columns import ValueColumn, statistics
from sitewright.wrapper.fields import FieldCandidate
from sitewright.wrapper.naming.names import FieldName, slug
from sitewright.wrapper.pages import ELEMENT, TEXT
from sitewright.wrapper.wrapper import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.page.page_index import SelectorScope
    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.columns import Statistics
    from sitewright.wrapper.pages import FlatPage


_LEVELS = {"h2": 2, "h3": 3, "h4": 4}
_OUTSIDE = frozenset({"nav", "footer", "aside", "header", "form"})
_DATA = frozenset({"table", "dl", "form"})
"""What is read as rows and fields, not as text."""
_MOST_HEADINGS = 100
"""Headings of a page that are looked at: a page of thousands has no sections that others have."""
_FEW_PIECES = 100
"""Texts and tags that are looked at to see whether a block is empty."""
_MOST_ELEMENTS = 2000
"""Elements of a section that are looked at: sections inside each other would be read many times."""
_MARKS = r"(?:\s*[#\u00b6\u00a7])?:?\s*"
"""What stands behind a heading that leads to itself."""


_COUNT = re.compile(r"\d[\d.,]*\s+[^\W\d_]")
"""How headings begin that count what stands below: "3 comments"."""


class _Heading(NamedTuple):
    """How a heading stands in the page."""

    tag: str
    """The tag of the element that holds its text: the heading or one inside."""
    text: str
    ups: int
    """Steps from that element to the heading."""


class _Section(NamedTuple):
    page: int
    place: int
    """The leaf that is the heading."""
    is_wrapped: bool
    """Whether the section has an element of its own."""
    is_one_block: bool


def with_sections(
    candidates: Sequence[FieldCandidate], view: ClassPages, scopes: Sequence[SelectorScope]
) -> list[FieldCandidate]:
    """The candidates, and the sections that they do not hold yet."""
    found = list(candidates)
    sections: dict[_Heading, list[_Section]] = defaultdict(list)
    for page, reading in enumerate(view.readings):
        for heading, section in _sections(view, page, reading):
            sections[heading].append(section)
    for heading, ones in sorted(sections.items()):
        one = _candidate(heading, ones, scopes)
        if one is not None and not any(_holds(other, one) for other in found):
            found = [other for other in found if not _begins(other, one)]
            found.append(one)
    return found


def _may_name(text: str) -> bool:
    return any(map(str.isalpha, text)) and not _COUNT.match(text)


def _is_apart(view: ClassPages, page: int, around: Sequence[int]) -> bool:
    """Whether a heading is of no part of the page: of a menu, or the title of a comment."""
    tags = view.readings[page].tags
    return any(tags[one] in _OUTSIDE for one in around) or view.rows(page, around[0]) >= 0


def _sections(
    view: ClassPages, page: int, reading: FlatPage
) -> Iterator[tuple[_Heading, _Section]]:
    """The sections of a page, each with its heading; of two with one heading, none."""
    longest = current().wrapper.labels.max_label_length
    children: dict[int, list[int]] = defaultdict(list)
    for element, parent in enumerate(reading.parents):
        children[parent].append(element)
    seen: dict[_Heading, list[_Section]] = defaultdict(list)
    for place, leaf in enumerate(reading.leaves):
        near = enumerate(islice(reading.ancestry(leaf.element), 3))
        ups = next((up for up, one in near if reading.tags[one] in _LEVELS), -1)
        if ups < 0 or not 1 < len(leaf.text) <= longest or not _may_name(leaf.text):
            continue
        around = list(reading.ancestry(leaf.element))
        if len(around) <= ups + 1 or _is_apart(view, page, around):
            continue
        if len(seen) >= _MOST_HEADINGS:
            break
        heading = _Heading(reading.tags[leaf.element], leaf.text, ups)
        siblings = children[around[ups + 1]]
        seen[heading].append(_section(view, page, place, siblings, around[ups]))
    for heading, found in seen.items():
        if len(found) == 1:
            yield heading, found[0]


def _section(
    view: ClassPages, page: int, place: int, siblings: list[int], heading: int
) -> _Section:
    reading, numbers = view.readings[page], view.numbers[page]
    level = _LEVELS[reading.tags[heading]]
    own_index = siblings.index(heading)
    ends = [
        place
        for place, one in enumerate(siblings)
        if place != own_index and _LEVELS.get(reading.tags[one], 9) <= level
    ]
    is_wrapped = own_index == 0 and not ends and len(siblings) > 1
    end = next((one for one in ends if one > own_index), len(siblings))
    inside = siblings[own_index + 1 : end]
    blocks = [one for one in inside if text_of(reading.nodes[one], most_pieces=_FEW_PIECES)]
    has_data = any(
        reading.tags[one] in _DATA
        or (numbers[one] in view.repeated and reading.tags[one] not in INLINE)
        for top in inside
        for one in islice(_all_inside(reading, top), _MOST_ELEMENTS)
    )
    is_one_block = len(blocks) == 1 and not has_data and blocks[0] == inside[0]
    return _Section(page, place, is_wrapped and not has_data, is_one_block)


def _all_inside(reading: FlatPage, top: int) -> Iterator[int]:
    """An element and those in it, which stand behind it in a row."""
    yield top
    for one in range(top + 1, len(reading.parents)):
        if reading.parents[one] < top:
            return
        yield one


def _candidate(
    heading: _Heading, sections: Sequence[_Section], scopes: Sequence[SelectorScope]
) -> FieldCandidate | None:
    """A field for the sections under a heading, if enough pages have it in one form."""
    settings = current().wrapper.sections
    name = slug(heading.text)
    enough = max(settings.min_pages, settings.min_share * len(scopes))
    if len(sections) < enough or not name:
        return None
    most = settings.min_one_form * len(sections)
    if sum(one.is_wrapped for one in sections) >= most:
        rule = Rule(_selector(heading, PARENT), rf"^{re.escape(heading.text)}{_MARKS}(?P<part>.+)$")
    elif sum(one.is_one_block for one in sections) >= most:
        rule = Rule(_selector(heading, Step("*", (Position(1),), "following-sibling")))
    else:
        return None
    texts = tuple(tuple(rule.texts(scope)[:1]) for scope in scopes)
    counted = statistics([tuple(map(rule.extract_group, found)) for found in texts])
    if counted.filled < enough or counted.fault(len(scopes)) or _is_shared(counted, texts):
        return None
    cells = {one.page: [one.place] for one in sections if texts[one.page]}
    if not cells:
        return None
    column = ValueColumn("label", 0, ELEMENT, cells)
    return FieldCandidate(column, rule, 1.0, texts, counted, FieldName(name, "heading"))


def _selector(heading: _Heading, last: Step) -> Selector:
    named = Step(heading.tag, (OwnText(TextIs((heading.text,))),))
    return Selector.of(Path((anywhere(named), *[PARENT] * heading.ups, last)))


def _holds(one: FieldCandidate, section: FieldCandidate) -> bool:
    """Whether a field has most of the texts of a section already."""
    settings = current().wrapper.sections
    same = filled = 0
    for mine, theirs in zip(one.texts, section.texts, strict=True):
        if theirs:
            filled += 1
            text = _plain(section.rule.extract_group(theirs[0]))
            same += bool(mine) and _plain("".join(map(one.rule.extract_group, mine))) == text
    return same >= settings.min_same_share * filled


def _begins(one: FieldCandidate, section: FieldCandidate) -> bool:
    """Whether a field of the same name is the beginning of a section: its first paragraph."""
    words = sorted(len(found[0].split()) for found in one.texts if found)
    is_text = bool(words) and words[len(words) // 2] >= _LONG
    if one.name.text != section.name.text or one.column.many or not is_text:
        return False  # a seller's name may come before his address
    pairs = [
        (_plain(one.rule.extract_group(mine[0])), _plain(section.rule.extract_group(theirs[0])))
        for mine, theirs in zip(one.texts, section.texts, strict=True)
        if mine and theirs
    ]
    filled = sum(map(bool, one.texts))
    same = sum(whole.startswith(first) for first, whole in pairs)
    return same >= current().wrapper.sections.min_same_share * filled


def _is_shared(counted: Statistics, texts: Sequence[tuple[str, ...]]) -> bool:
    """Whether it is a long text that nearly all pages have: recent posts without the page's own."""
    least = current().wrapper.columns.min_unlabelled_constant_share
    common, _ = Counter(found[0] for found in texts if found).most_common(1)[0]
    return counted.commonest >= least and len(common.split()) >= _LONG


_LONG = 12
"""Words of a text that no two pages have by chance."""


def _plain(text: str) -> str:
    return "".join(text.split())


# Lines: what stands behind the word that a line of the page begins with, as in "ISBN 0-9683637".

_LEAST_LETTERS = 3
_NAME_WORDS = 4
"""Words of a name behind the first word of a line; more are a sentence."""
_MOST_LINES = 3000


class _Line(NamedTuple):
    page: int
    element: int
    text: str


def with_lines(
    candidates: Sequence[FieldCandidate],
    view: ClassPages,
    scopes: Sequence[SelectorScope],
    *,
    known: Sequence[FieldCandidate],
    width: int,
) -> list[FieldCandidate]:
    """The candidates, and a field for each word that one short line of most pages begins with.

    What is `known` needs no field, whether it was kept or not; `width` is the number of columns
    that the table may have.

    Pages that were written by hand have no element for each fact, but lines between `<br>`:
    "Released May 1, 2009", "ISBN 0-9683637-0-9".
    """
    found = list(candidates)
    left = width - sum(one.width() for one in candidates)
    lines: dict[str, list[_Line]] = defaultdict(list)
    crowded: Counter[str] = Counter()
    for page in range(len(view.readings)):
        here: dict[str, list[_Line]] = defaultdict(list)
        for line in islice(_lines(view, page), _MOST_LINES):
            here[line.text.split()[0]].append(line)
        for word, ones in here.items():
            lines[word].append(ones[0])
            crowded[word] += len(ones) > 1
    for word, ones in sorted(lines.items()):
        if not crowded[word]:
            one = _line_candidate(view, word, ones, scopes)
            if one is not None and one.width() <= left and not _is_known(one, known):
                found.append(one)
                left -= one.width()
    return found


def _lines(view: ClassPages, page: int) -> Iterator[_Line]:
    """The short texts of a page that begin with a word and have a number or a name behind it."""
    longest = current().wrapper.labels.max_label_length
    reading = view.readings[page]
    for element, node in enumerate(reading.nodes):
        if reading.tags[element] in _UNREAD:
            continue  # a link leads somewhere else
        for child in node.children:
            if not isinstance(child, Text) or len(child.data) > _LONGEST_RAW:
                continue
            text = " ".join(child.data.split())
            first, _, rest = text.partition(" ")
            if (
                len(text) <= longest
                and len(first) >= _LEAST_LETTERS
                and first.isalpha()
                and rest
                and (rest[0].isdigit() or (rest[0].isupper() and rest.count(" ") < _NAME_WORDS))
            ):
                yield _Line(page, element, text)


_UNREAD = frozenset({"a", "script", "style", "title", "option", "button", "noscript"})
_LONGEST_RAW = 1000


def _line_candidate(
    view: ClassPages, word: str, lines: Sequence[_Line], scopes: Sequence[SelectorScope]
) -> FieldCandidate | None:
    settings = current().wrapper.sections
    if len(lines) < max(settings.min_pages, settings.min_line_share * len(scopes)):
        return None
    inside = [line for line in lines if _is_outside(view, line)]
    if inside:
        return None
    rule = Rule(
        Selector.of(Path((anywhere(Step("text()", (TextStartsWith(f"{word} "),))),))),
        rf"^{re.escape(word)}\W+(?P<part>.+?)\.?$",
    )
    texts = tuple(tuple(rule.texts(scope)) for scope in scopes)
    if any(len(found) > 1 for found in texts):
        return None
    counted = statistics([tuple(map(rule.extract_group, found)) for found in texts])
    is_varied = counted.distinct >= settings.min_line_distinct * counted.filled
    if not is_varied or counted.fault(len(scopes)) or not slug(word):
        return None
    cells = {line.page: [_nearest(view.readings[line.page], line.element)] for line in lines}
    path = view.numbers[lines[0].page][lines[0].element]
    column = ValueColumn("prefix", path, TEXT, cells, label_path=path)
    return FieldCandidate(column, rule, 1.0, texts, counted, FieldName(slug(word), "label"))


def _is_outside(view: ClassPages, line: _Line) -> bool:
    """Whether a line stands in a menu or the like, or in one of the page's records."""
    reading = view.readings[line.page]
    return view.rows(line.page, line.element) >= 0 or any(
        reading.tags[up] in _OUTSIDE for up in reading.ancestry(line.element)
    )


def _nearest(reading: FlatPage, element: int) -> int:
    """The place of the first leaf that is not before an element."""
    return next(
        (place for place, leaf in enumerate(reading.leaves) if leaf.element >= element),
        len(reading.leaves) - 1,
    )


def _is_known(line: FieldCandidate, found: Sequence[FieldCandidate]) -> bool:
    """Whether the fields hold most of the values of a line already."""
    settings = current().wrapper.sections
    known = filled = 0
    for page, texts in enumerate(line.texts):
        for text in texts:
            filled += 1
            value = line.rule.extract_group(text)
            known += any(
                value in {own, one.rule.extract_group(own)} or text == own
                for one in found
                for own in one.texts[page]
            )
    return known >= settings.min_same_share * filled
