"""Which columns are kept: those that tell most, none twice, and no more than people can use."""

from __future__ import annotations

import re
from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitewright.page.page_index import text_of
from sitewright.page.url import Resolver, host_of
from sitewright.settings import current
from sitewright.skeleton.navigation import LinkRole, role_of
from sitewright.wrapper.columns import Statistics, statistics
from sitewright.wrapper.css_names import is_pager
from sitewright.wrapper.fields import FieldCandidate, candidate
from sitewright.wrapper.languages import is_constant_of_languages, language_of
from sitewright.wrapper.pages import WORDS
from sitewright.wrapper.values.types import ValueKind
from sitewright.wrapper.wrapper import RejectedColumn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitewright.page.page_index import SelectorScope
    from sitewright.settings import ColumnSettings
    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.columns import ValueColumn
    from sitewright.wrapper.pages import FlatPage, Label


_AROUND_CONTENT = frozenset({"nav", "footer", "aside"})
_HEADINGS = frozenset({"h1", "dd", "dt"})
_ASIDES = frozenset(
    "ad ads advert advertisement advertising banner cookie cookies footer login menu nav "
    "navigation newsletter pager pagination paging promo share sharing signin social sponsor "
    "sponsored sponsors toolbar".split()
)
_TO_PAGES = frozenset({LinkRole.NEXT, LinkRole.PREVIOUS})
_MOST_PIECES = 20
"""Texts and tags of a link that are read to see whether it is one to the next page."""
_TELLING = frozenset({"h1", "h2", "time", "address", "figcaption", "blockquote"})
_WORDS = re.compile(r"[a-z]+")
_CONTENT = frozenset({"body", "main", "article"})
_LITTLE = "low information"
_TOO_WIDE = "beyond the width of the table"
_LISTED = 200
_MAIN_HEADINGS = frozenset({"h1", "h2"})
_SAYING_PARTS = frozenset({*WORDS, "content", "alt"})
_LINK_PARTS = frozenset({"href", "src"})
_ADDRESS_PARTS = frozenset({"href", "src", "alt", "value"})


def ordered_columns(
    view: ClassPages, columns: Sequence[ValueColumn]
) -> tuple[list[tuple[float, ValueColumn]], list[RejectedColumn]]:
    """The columns that could be data, the most telling first; and those that are not."""
    settings = current().wrapper.columns
    kept: list[tuple[float, ValueColumn]] = []
    dropped: list[RejectedColumn] = []
    languages = [language_of(reading) for reading in view.readings]
    spoken = set(languages)
    for column in columns:
        texts = _texts(view, column)
        found = statistics(texts)
        least = _constancy(view, column)
        fault = found.fault(len(view.readings), least)
        if not fault and column.part in _LINK_PARTS:
            fault = statistics(_addresses(view, texts)).fault(len(view.readings), least)
        fault = fault or _boilerplate(view, column, found)
        if not fault and found.distinct <= len(spoken) and not _is_labelled(view, column):
            said = _addresses(view, texts) if column.part in _LINK_PARTS else texts
            if is_constant_of_languages(languages, said):
                fault = "constant in each language"
        if not fault and len(view.readings) == 1 and not _says_what_it_is(view, column, texts[0]):
            fault = "needs more than one page"
        if fault:
            sample = next((one[0] for one in texts if one), "")
            dropped.append(RejectedColumn(_written(view, column), fault, sample[:80]))
        elif found.worth() < _least_worth(view, column):
            dropped.append(_left_out(view, column, _LITTLE))
        else:
            kept.append((_worth(view, column, found) * _weight(view, column), column))
    dropped += [
        _left_out(view, column, _LITTLE)
        for worth, column in kept
        if worth < settings.min_information
    ]
    kept = [one for one in kept if one[0] >= settings.min_information]
    kept.sort(key=lambda one: -one[0])
    return kept, dropped[:_LISTED]


def _worth(view: ClassPages, column: ValueColumn, found: Statistics) -> float:
    """What a column tells; behind a label a rare value is news, however common the other is."""
    settings = current().wrapper.columns
    is_told = _is_labelled(view, column) or _is_declared(view, column)
    is_news = found.filled > settings.min_filled_pages and is_told
    floor = settings.labelled_worth * found.coverage if is_news else 0.0
    return max(found.worth(), floor)


def _is_labelled(view: ClassPages, column: ValueColumn) -> bool:
    """Whether a label says what the values are, though it may not be what they are found by."""
    if column.kind in {"label", "prefix"}:
        return True
    if view.is_record_view or column.part not in WORDS:
        return False
    settings = current().wrapper.columns
    named = sum(
        view.labels_of_leaves[page][places[0]] >= 0 for page, places in column.cells.items()
    )
    return named >= settings.min_same_count * len(column.cells)


def _is_declared(view: ClassPages, column: ValueColumn) -> bool:
    """Whether microdata says what the values are: a hotel's `url`, though it leads elsewhere."""
    page, places = next(iter(column.cells.items()))
    first = _property(view, page, places[0])
    return first is not None and all(
        _property(view, page, place) == first
        for page, places in column.cells.items()
        for place in places
    )


def _property(view: ClassPages, page: int, place: int) -> str | None:
    reading = view.readings[page]
    return reading.nodes[reading.leaves[place].element].attr("itemprop")


def _least_worth(view: ClassPages, column: ValueColumn) -> float:
    """What a column must tell at least: more where nothing says what it is, or it is an address."""
    settings = current().wrapper.columns
    if view.is_record_view or len(view.readings) < settings.min_pages_for_strictness:
        return 0.0
    if column.part in _ADDRESS_PARTS and not _is_declared(view, column):
        return settings.min_address_worth
    return 0.0 if _is_labelled(view, column) else settings.min_unlabelled_worth


def weighted_information(view: ClassPages, column: ValueColumn) -> float:
    """How much a column tells, and how likely it is that someone wants it."""
    return statistics(_texts(view, column)).worth() * _weight(view, column)


def choose(
    view: ClassPages,
    columns: Sequence[tuple[float, ValueColumn]],
    scopes: Sequence[SelectorScope],
    headers: Mapping[int, str],
    width: int,
) -> tuple[list[FieldCandidate], list[RejectedColumn]]:
    """Candidates with rules, up to a number of columns in a table."""
    settings = current().wrapper.columns
    chosen: list[FieldCandidate] = []
    dropped: list[RejectedColumn] = []
    doubtful = {id(column) for _worth, column in columns if _may_repeat(view, column)}
    for tried, (_worth, column) in enumerate(columns):
        if width <= 0 or tried >= settings.tried_columns * (width + len(chosen)):
            dropped.append(_left_out(view, column, _TOO_WIDE))
            continue
        found = candidate(view, column, scopes, headers)
        if found is None:
            dropped.append(_left_out(view, column, "no stable selector"))
        elif fault := found.statistics.fault(len(scopes)):
            dropped.append(RejectedColumn(found.rule.xpath, fault, _first(found)))
        elif any(_is_same(found, other) for other in chosen):
            dropped.append(RejectedColumn(found.rule.xpath, "the same as another", _first(found)))
        elif found.width() > width:
            dropped.append(RejectedColumn(found.rule.xpath, _TOO_WIDE, _first(found)))
        else:
            chosen.append(found)
            width -= found.width()
    kept = [
        one
        for one in chosen
        if id(one.column) not in doubtful or not any(_repeats(one, other) for other in chosen)
    ]
    left = {id(one) for one in kept}
    dropped += [
        RejectedColumn(one.rule.xpath, "the same as another, in words that all pages have",
                       _first(one))
        for one in chosen
        if id(one) not in left
    ]  # fmt: skip
    return kept, dropped[:_LISTED]


def _addresses(view: ClassPages, texts: Sequence[Sequence[str]]) -> list[list[str]]:
    """Where links lead: `../logo.png` and `logo.png` may be one picture."""
    return [
        [Resolver(reading.url)(text) or text for text in found]
        for reading, found in zip(view.readings, texts, strict=True)
    ]


def _texts(view: ClassPages, column: ValueColumn) -> list[list[str]]:
    return [column.texts(view, page) for page in range(len(view.readings))]


def _says_what_it_is(view: ClassPages, column: ValueColumn, texts: Sequence[str]) -> bool:
    """Whether a leaf of the only page is data by itself: labelled, a heading, a sentence."""
    settings = current().wrapper.columns
    steps = view.paths.steps(column.path)
    if any(label.tag in _AROUND_CONTENT for label in steps) or is_aside(steps):
        return False
    return (
        column.kind in {"label", "prefix"}
        or steps[0].tag in {"title", "meta"}
        or not _TELLING.isdisjoint(label.tag for label in steps)
        or any(text.count(" ") >= settings.sentence_spaces for text in texts)
    )


def _constancy(view: ClassPages, column: ValueColumn) -> float:
    """From which share on a value is constant: without a label, a few pages may be foreign."""
    settings = current().wrapper.columns
    named = (
        len(view.readings) < settings.min_pages_for_strictness
        or view.is_record_view
        or _is_labelled(view, column)
    )
    return settings.min_constant_share if named else settings.min_unlabelled_constant_share


def _boilerplate(view: ClassPages, column: ValueColumn, found: Statistics) -> str:
    """Whether a column holds advertising, or links that say the same on all pages."""
    settings = current().wrapper.columns
    if _is_in_pager(view, column):
        return "boilerplate"  # the pages of a list are followed, and counted in `_page`
    if view.is_record_view or _is_declared(view, column):
        return ""
    if found.coverage < settings.min_optional_coverage and (
        is_aside(view.paths.steps(column.path)) or _leads_away(view, column, found)
    ):
        return "boilerplate"
    if column.part != "href":
        return ""
    if _passes_page_on(view, column):
        return "boilerplate"
    said = 0
    for page, places in column.cells.items():
        reading = view.readings[page]
        for place in places:
            said += _says_the_same(view, page, reading, place)
    return "boilerplate" if 2 * said > sum(map(len, column.cells.values())) else ""


def _is_in_pager(view: ClassPages, column: ValueColumn) -> bool:
    """Whether a class or id around the column calls it a pager, or it is all links of one."""
    sampled = list(column.cells.items())[:_SAMPLED_PAGES]
    called = sum(_is_called_pager(view.readings[page], places[0]) for page, places in sampled)
    return 2 * called > len(sampled) or (not view.is_record_view and _is_pager(view, column))


def _is_called_pager(reading: FlatPage, place: int) -> bool:
    around = reading.ancestry(reading.leaves[place].element)
    return any(is_pager(reading.nodes[up]) for up in around if reading.tags[up] not in _CONTENT)


_SAMPLED_PAGES = 9


def _is_pager(view: ClassPages, column: ValueColumn) -> bool:
    """Whether the column is all links to other pages of a list: numbers, and "next"."""
    with_both = 0
    for page, places in column.cells.items() if column.many else ():
        reading = view.readings[page]
        is_number = []
        for place in places:
            around = reading.ancestry(reading.leaves[place].element)
            link = next((reading.nodes[up] for up in around if reading.tags[up] == "a"), None)
            text = "" if link is None else text_of(link, most_pieces=_MOST_PIECES)
            is_number.append(text.isdecimal())
            if link is None or not (text.isdecimal() or role_of(link, text) in _TO_PAGES):
                return False
        with_both += any(is_number) and not all(is_number)
    return 2 * with_both > len(column.cells)


def _leads_away(view: ClassPages, column: ValueColumn, found: Statistics) -> bool:
    """Whether the column stands in links to other hosts and repeats itself: advertising."""
    settings = current().wrapper.columns
    if found.distinct > settings.min_new_share * found.filled:
        return False
    away = total = 0
    for page, places in column.cells.items():
        reading = view.readings[page]
        host = host_of(reading.url)
        for place in places:
            links = (
                reading.nodes[up].attr("href") or ""
                for up in reading.ancestry(reading.leaves[place].element)
                if reading.tags[up] == "a"
            )
            other = host_of(next(links, ""))
            total += 1
            away += bool(other) and other != host
    return away >= settings.min_unlabelled_constant_share * total


def _passes_page_on(view: ClassPages, column: ValueColumn) -> bool:
    """Whether links take the address of their own page to other hosts, or into a mail."""
    passed = 0
    for page, places in column.cells.items():
        reading = view.readings[page]
        written = unquote(reading.leaves[places[0]].text)
        own = _own_address(reading)
        plain = own.partition("://")[2].rstrip("/")
        host = host_of(written)
        inside = written.partition(host)[2] if host else written
        passed += bool(plain) and plain in inside and host != host_of(own)
    return passed >= current().wrapper.columns.min_unlabelled_constant_share * len(column.cells)


def _own_address(reading: FlatPage) -> str:
    """The address that a page says it has, else the one that it came from."""
    # The head comes first; a page without such an address need not be read to its end.
    head = takewhile(lambda leaf: reading.parents[leaf.element] < 0, reading.leaves)
    said = (
        leaf.text
        for leaf in head
        if (leaf.part, _what_of_head(reading, leaf.element)) in _OWN_ADDRESS
    )
    return next(said, reading.url)


_OWN_ADDRESS = frozenset({("href", "canonical"), ("content", "og:url")})


def _what_of_head(reading: FlatPage, element: int) -> str:
    node = reading.nodes[element]
    return (node.attr("rel") or node.attr("property") or "").lower()


def _says_the_same(view: ClassPages, page: int, reading: FlatPage, place: int) -> bool:
    """Whether the next text, which stands in the link, is one that all pages have there."""
    link = reading.leaves[place].element
    for leaf in reading.leaves[place + 1 : place + 4]:
        if reading.meeting(leaf.element, link) != link:
            return False
        if leaf.part in WORDS:
            path = view.numbers[page][leaf.element]
            return view.labels.is_constant(path, leaf.text) or view.labels.is_label(path, leaf.text)
    return False


def _weight(view: ClassPages, column: ValueColumn) -> float:
    settings = current().wrapper.columns
    weight = _part_weights(settings).get(column.part, 1.0)
    steps = view.paths.steps(column.path)
    weight *= settings.head_weight if steps[0].tag in {"title", "meta", "link"} else 1.0
    of_tags = _tag_weights(settings)
    weight *= min(of_tags.get(label.tag, 1.0) for label in steps)
    weight *= settings.heading_weight if any(label.tag in _HEADINGS for label in steps) else 1.0
    return weight * (settings.aside_weight if is_aside(steps) else 1.0)


def _part_weights(settings: ColumnSettings) -> dict[str, float]:
    return {
        "href": settings.link_weight,
        "src": settings.image_weight,
        "alt": settings.image_text_weight,
        "value": settings.form_value_weight,
        "content": settings.metadata_weight,
        "datetime": settings.time_weight,
    }


def _tag_weights(settings: ColumnSettings) -> dict[str, float]:
    return {
        "nav": settings.nav_weight,
        "footer": settings.footer_weight,
        "aside": settings.aside_tag_weight,
    }


def is_aside(steps: Sequence[Label]) -> bool:
    """Whether a class or id around it says that it is advertising or the like."""
    return not _ASIDES.isdisjoint(_first_words(steps))


def _first_words(steps: Sequence[Label]) -> set[str]:
    """The first words of the classes and ids around: what a thing is.

    `ad-box` is advertising; `with-menu` is not a menu.
    """
    names = (
        name for label in steps if label.tag not in _CONTENT for name in (*label.classes, label.id)
    )
    words = (_WORDS.search(name.lower()) for name in names)
    return {word[0] for word in words if word is not None}


def _is_same(one: FieldCandidate, other: FieldCandidate) -> bool:
    """Whether (nearly) all values of the one are those of the other.

    What has a label of its own says something of its own: opening hours of two days.
    """
    settings = current().wrapper.columns
    if one.name.source == other.name.source == "label" and one.name.text != other.name.text:
        return False
    if (one.column.part == "href") != (other.column.part == "href"):
        return _is_written_out(one, other)
    if one.type().kind is other.type().kind is ValueKind.DATE:
        return one.values() == other.values()
    filled = [(mine, theirs) for mine, theirs in zip(one.texts, other.texts, strict=True) if mine]
    return sum(mine == theirs for mine, theirs in filled) >= settings.min_same_values * len(filled)


def _is_written_out(one: FieldCandidate, other: FieldCandidate) -> bool:
    """Whether two columns are the same full addresses, the one as links and the other as texts."""
    pairs = [(mine, theirs) for mine, theirs in zip(one.texts, other.texts, strict=True) if mine]
    return all(mine == theirs and _FULL_ADDRESS.match(mine[0]) for mine, theirs in pairs)


_FULL_ADDRESS = re.compile("https?://", re.IGNORECASE)


def _may_repeat(view: ClassPages, column: ValueColumn) -> bool:
    """Whether a column may be left out for another: nothing names it, and it is no heading."""
    tags = {label.tag for label in view.paths.steps(column.path)}
    return (
        column.kind not in {"label", "prefix"}
        and not (view.is_record_view and any(label.cell for label in view.paths.steps(column.path)))
        and not column.many
        and column.part in _SAYING_PARTS
        and tags.isdisjoint(_MAIN_HEADINGS)
    )


def _repeats(one: FieldCandidate, other: FieldCandidate) -> bool:
    """Whether a column is another one in words that are the same on all pages."""
    settings = current().wrapper.columns
    filled = [(mine, theirs) for mine, theirs in zip(one.texts, other.texts, strict=True) if mine]
    around: Counter[str] = Counter()
    missed = 0
    most = (1 - settings.min_same_values) * len(filled)
    for mine, theirs in filled:
        if theirs and mine[0] != theirs[0] and theirs[0] in mine[0]:
            around[mine[0].replace(theirs[0], "\0", 1)] += 1
        else:
            missed += 1
            if missed > most:
                return False
    return bool(around) and max(around.values()) >= settings.min_same_values * len(filled)


def _first(found: FieldCandidate) -> str:
    return next((texts[0] for texts in found.texts if texts), "")[:80]


def _left_out(view: ClassPages, column: ValueColumn, why: str) -> RejectedColumn:
    sample = next((one[0] for one in _texts(view, column) if one), "")
    return RejectedColumn(_written(view, column), why, sample[:80])


def _written(view: ClassPages, column: ValueColumn) -> str:
    """The path of a column for people."""
    written = view.paths.written(column.path)
    return written + ("" if column.part == "string()" else f"/{column.part}")
