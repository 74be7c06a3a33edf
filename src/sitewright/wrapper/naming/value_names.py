"""Names from what the values of a column are: the page's title, structured data, links, types.

They need the values of all pages, and come after the names that stand beside the values.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias

from sitewright.settings import current
from sitewright.wrapper.naming.affixes import named_by_cut
from sitewright.wrapper.naming.link_names import links_around, name_of_links
from sitewright.wrapper.naming.names import CAMEL, FieldName, slug, with_part
from sitewright.wrapper.pages import ELEMENT, WORDS
from sitewright.wrapper.values.places import is_country, is_firm, is_town
from sitewright.wrapper.values.quantities import Unit, UnitRole, named_unit
from sitewright.wrapper.values.types import FieldType, ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from sitewright.page import Document
    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.fields import FieldCandidate
    from sitewright.wrapper.wrapper import Field, Wrapper


SURE = frozenset({"label", "microdata", "header", "metadata"})
"""Where a name comes from that says what a value is; a class or tag may only say how it looks."""


def named_by_values(
    candidates: Sequence[FieldCandidate], view: ClassPages, documents: Sequence[Document]
) -> list[FieldCandidate]:
    """The candidates, those with doubtful names after what their values are."""
    named = named_by_metadata(candidates, documents)
    named = _with_title(named, view, documents)
    named = _with_name(named)
    around = Counter(one.name.text for one in named if one.name.source == "around")
    # A class that two columns have says less of each than where their links lead.
    classes = Counter(
        one.name.text for one in named if one.name.source == "class" and one.column.part in WORDS
    )
    named = [
        _named_by_place(_without_container(one, around), view)
        if one.name.source in {"tag", "around"}
        or (one.name.source == "class" and classes[one.name.text] > 1)
        else one
        for one in named
    ]
    return _typed_names(_once_for_a_link(named, view))


def named_rows(candidates: Sequence[FieldCandidate], rows: ClassPages) -> list[FieldCandidate]:
    """The candidates of a record set, those without a name after what their values are."""
    is_text = any(one.column.part == ELEMENT for one in candidates)
    named = [
        _named_by_link(_lead_in(one, rows) if is_text else one, rows)
        if one.name.source == "tag" and one.name.text != _TITLE
        else one
        for one in candidates
    ]
    return _typed_names(_with_lead(_once_for_a_link(named, rows)))


def _named_by_place(one: FieldCandidate, view: ClassPages) -> FieldCandidate:
    """The candidate named after the words before all its values, or where its links lead.

    The part of the page that "Brand = Nordlicht" stands in says less of it than its first word.
    """
    told = named_by_cut(one.name, one.rule.pattern, one.texts)
    if told != one.name and not _is_in_head(one, view):
        return replace(one, name=told)
    return _named_by_link(one, view)


def _with_lead(candidates: Sequence[FieldCandidate]) -> list[FieldCandidate]:
    """The candidates, the one sentence without a name beside a title as `lead`."""
    least = current().wrapper.fields.min_lead_words
    told = [
        one
        for one in candidates
        if one.name == FieldName("text", "tag")
        and one.column.part in WORDS
        and _middle([len(texts[0].split()) for texts in one.texts if texts]) >= least
    ]
    is_titled = any(one.name.text == _TITLE for one in candidates)
    if not is_titled or len(told) != 1:
        return list(candidates)
    return [
        replace(one, name=FieldName("lead", "type")) if one is told[0] else one
        for one in candidates
    ]


def _lead_in(one: FieldCandidate, rows: ClassPages) -> FieldCandidate:
    """The candidate as `heading`, if it is what running text begins with in bold."""
    is_bold = rows.paths.steps(one.column.path)[-1].tag in {"b", "strong"}
    is_plain = is_bold and one.name.text == "text" and one.type().kind is ValueKind.TEXT
    return replace(one, name=FieldName("heading", "tag")) if is_plain else one


def _typed_names(candidates: Sequence[FieldCandidate]) -> list[FieldCandidate]:
    shared = Counter(one.name.text for one in candidates)
    return [_named_by_type(one, is_shared=shared[one.name.text] > 1) for one in candidates]


def _first_place(one: FieldCandidate) -> int:
    return min(places[0] for places in one.column.cells.values())


# What pages say of themselves for machines: JSON-LD and the metas of their heads.

_UNTELLING = frozenset({"name", "value", "url", "text", "id"})
"""Keys that say little of what they are inside of: `author.name` is an author."""


def said_values(document: Document) -> dict[str, set[str]]:
    """Texts that a page gives a key to, by text: `{"Ada Example": {"name"}}`."""
    found: dict[str, set[str]] = {}
    for key, value in document.structured_data:
        found.setdefault(" ".join(value.split()), set()).add(telling_key(key))
    for key, values in document.index.data().items():
        for value in values:
            if len(value) >= _LEAST_SAID or not value.isdigit():
                found.setdefault(" ".join(value.split()), set()).add(telling_key(key))
    return found


_LEAST_SAID = 3
"""Characters of a number in the state of a program that can be no chance."""


def telling_key(dotted: str) -> str:
    """The last part of a key that tells what the value is, its words apart: `date_published`."""
    around, _, last = dotted.rpartition(".")
    around = around.rpartition(".")[2]
    is_said = around and around != "*" and around[:1].islower() and last in _UNTELLING
    return CAMEL.sub("_", around if is_said else last)


def named_by_metadata(
    candidates: Sequence[FieldCandidate], documents: Sequence[Document]
) -> list[FieldCandidate]:
    """The candidates, those with a name from classes or tags after what the pages call them."""
    said = [said_values(document) for document in documents]
    return [_named(one, said) for one in candidates]


def _named(one: FieldCandidate, said: Sequence[dict[str, set[str]]]) -> FieldCandidate:
    settings = current().wrapper.fields
    if one.name.source in {"label", "microdata"}:
        return one
    keys: Counter[str] = Counter()
    filled = 0
    for texts, page in zip(one.texts, said, strict=True):
        if texts:
            filled += 1
            keys.update(
                page.get(one.rule.extract_group(texts[0]), set()) | page.get(texts[0], set())
            )
    if not keys:
        return one
    key, count = max(keys.items(), key=lambda item: (item[1], item[0]))
    name = slug(key)
    is_known = name and count >= max(2, settings.min_metadata_agreement * filled)
    return replace(one, name=FieldName(name, "metadata")) if is_known else one


# What a page is about: the value that its title holds.

_HEADINGS = ("h1", "h2", "h3")
_TITLE = "title"
_SHORTEST = 2


def _with_title(
    candidates: Sequence[FieldCandidate], view: ClassPages, documents: Sequence[Document]
) -> list[FieldCandidate]:
    """The candidates, the one that says what the pages are about named `title`."""
    titles = [_words(document.title) for document in documents]
    found = [one for one in candidates if _may_be_title(one, view)]
    varied = _varied_words(titles)
    about = [one for one in found if _agrees(one, titles, varied)] or [
        one for one in found if _heading(one, view) < len(_HEADINGS)
    ][:1]
    best = min(about, key=lambda one: (_heading(one, view), -_length(one)), default=None)
    if best is None:
        return list(candidates)
    is_told = best.name.source in {"microdata", "metadata"}
    if is_told and best.name.text != _TITLE:
        return list(candidates)
    if any(_is_rival(one, best, view, varied) for one in about if one is not best):
        return list(candidates)
    name = best.name if is_told else FieldName(_TITLE, "title")
    return [
        replace(one, name=name) if one is best else _not_the_title(one, view) for one in candidates
    ]


def _with_name(candidates: Sequence[FieldCandidate]) -> list[FieldCandidate]:
    """The candidates, the one that the title holds between words of all pages named `name`.

    The trail of a page ends in "Blue Door" where its heading is "Blue Door Review".
    """
    settings = current().wrapper.fields
    title = next((one for one in candidates if one.name == FieldName(_TITLE, "title")), None)
    if title is None or any(one.name.text == _NAME for one in candidates):
        return list(candidates)
    for one in candidates:
        if one.name.source not in _DOUBTFUL or one.column.many or one.column.part not in WORDS:
            continue
        around: Counter[str] = Counter()
        for mine, theirs in zip(one.texts, title.texts, strict=True):
            if mine and theirs and mine[0] != theirs[0] and len(mine[0]) >= _SHORTEST:
                around[theirs[0].replace(mine[0], "\0", 1)] += "\0" not in theirs[0]
        rest, count = around.most_common(1)[0] if around else ("", 0)
        if "\0" in rest and count >= settings.min_title_share * title.statistics.filled:
            named = replace(one, name=FieldName(_NAME, "title"))
            return [named if other is one else other for other in candidates]
    return list(candidates)


_NAME = "name"
_DOUBTFUL = frozenset({"tag", "around", "container", "class", "link"})


def _is_rival(
    one: FieldCandidate, best: FieldCandidate, view: ClassPages, varied: Sequence[set[str]]
) -> bool:
    """Whether a value says as much of the title as the best one, and neither most of it.

    A match is titled after both teams: neither of them is its title.
    """
    ours, theirs = _share_of_title(one, varied), _share_of_title(best, varied)
    is_half = max(ours, theirs) <= 0.5 and 2 * ours > theirs
    is_beside = _heading(one, view) == _heading(best, view)
    return is_half and is_beside and _are_different(one, best)


def _are_different(one: FieldCandidate, other: FieldCandidate) -> bool:
    """Whether two values mostly have no word in common."""
    pairs = [
        (set(_words(own[0]).split()), set(_words(theirs[0]).split()))
        for own, theirs in zip(one.texts, other.texts, strict=True)
        if own and theirs
    ]
    return 2 * sum(own.isdisjoint(theirs) for own, theirs in pairs) > len(pairs)


def _share_of_title(one: FieldCandidate, varied: Sequence[set[str]]) -> float:
    """The part of the words of the titles that the values have, in the mean."""
    shares = [
        len(set(_words(texts[0]).split()) & words) / len(words)
        for texts, words in zip(one.texts, varied, strict=True)
        if texts and words
    ]
    return sum(shares) / len(shares) if shares else 0.0


def _not_the_title(one: FieldCandidate, view: ClassPages) -> FieldCandidate:
    """The candidate, by another name if it has that of the title."""
    if one.name.text != _TITLE:
        return one
    if _is_in_head(one, view):
        return replace(one, name=FieldName("meta_title", one.name.source))
    return one if one.name.source in SURE else replace(one, name=FieldName("heading", "tag"))


def _is_in_head(one: FieldCandidate, view: ClassPages) -> bool:
    return view.paths.steps(one.column.path)[0].tag in {"title", "meta", "link"}


def _may_be_title(one: FieldCandidate, view: ClassPages) -> bool:
    settings = current().wrapper.fields
    known = one.statistics
    return (
        one.name.source not in {"label", "header", "part"}
        and one.column.part in WORDS
        and not one.column.many
        and not _is_in_head(one, view)
        and known.coverage >= settings.min_title_share
        and known.distinct >= settings.min_title_share * known.filled
    )


def _varied_words(titles: Sequence[str]) -> list[set[str]]:
    """The words of each title that are not those of most titles."""
    settings = current().wrapper.fields
    pages = Counter(word for title in titles for word in set(title.split()))
    most = settings.min_title_share * len(titles)
    return [{word for word in title.split() if pages[word] < most} for title in titles]


def _agrees(one: FieldCandidate, titles: Sequence[str], varied: Sequence[set[str]]) -> bool:
    """Whether the titles of the pages hold the values, or the values all that titles say."""
    settings = current().wrapper.fields
    held = filled = 0
    for texts, title, words in zip(one.texts, titles, varied, strict=True):
        if texts:
            text = _words(texts[0])
            own = {word for word in text.split() if any(map(str.isalpha, word))}
            filled += 1
            common = len(own & words)
            held += (len(text) >= _SHORTEST and text in title) or (
                common > 0 and common >= settings.min_title_words * min(len(own), len(words))
            )
    return held >= settings.min_title_share * filled


def _heading(one: FieldCandidate, view: ClassPages) -> int:
    """Which heading a column stands in; more than there are if it is in none."""
    tags = {label.tag for label in view.paths.steps(one.column.path)}
    return next((rank for rank, tag in enumerate(_HEADINGS) if tag in tags), len(_HEADINGS))


def _length(one: FieldCandidate) -> int:
    return _middle([len(texts[0]) for texts in one.texts if texts])


def _middle(numbers: Sequence[int]) -> int:
    return sorted(numbers)[len(numbers) // 2]


def _words(text: str) -> str:
    return " ".join(text.casefold().split())


def _without_container(one: FieldCandidate, around: Counter[str]) -> FieldCandidate:
    """The candidate without the name of the part of a page that it shares with others."""
    if one.name.source == "tag" or around[one.name.text] == 1 or one.column.part not in WORDS:
        return one
    if one.name.text.rpartition("_")[2] in _SUBJECTS:
        # Beside the title stand others: a firm in `job_title` is no title.
        heads = any(step.test in _ANY_HEADING for step in one.rule.selector.steps())
        return replace(one, name=FieldName("heading" if heads else "text", "tag"))
    return replace(one, name=FieldName(one.name.text, "container"))


_SUBJECTS = frozenset({"title", "name", "headline"})
_ANY_HEADING = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


# What links lead to.


def _named_by_link(one: FieldCandidate, view: ClassPages) -> FieldCandidate:
    """The candidate named after what its values lead to."""
    if one.column.many and one.name.source == "around":
        return one  # the class around a list says what all of it is
    name = name_of_links(view, one.column)
    if not name or name == one.name.text:
        return one
    return replace(one, name=FieldName(with_part(name, one.column), "link"))


def _once_for_a_link(
    candidates: Sequence[FieldCandidate], view: ClassPages
) -> list[FieldCandidate]:
    """The candidates, of several texts in one link only one named after what it leads to.

    A card that is a link as a whole leads to what its title says: the town below it is no job.
    """
    links = {
        number: links_around(view, one.column)
        for number, one in enumerate(candidates)
        if one.column.part in WORDS and (one.name.source == "link" or one.name.text == _TITLE)
    }
    found = list(candidates)
    for number, own in links.items():
        one = candidates[number]
        if one.name.source != "link":
            continue
        beside = [
            candidates[other]
            for other, theirs in links.items()
            if other != number and 2 * len(own & theirs) > min(len(own), len(theirs))
        ]
        if any(_says_more_of_link(other, one, view) for other in beside):
            tag = "heading" if _heading(one, view) < len(_HEADINGS) else "text"
            found[number] = replace(one, name=FieldName(tag, "tag"))
    return found


def _says_more_of_link(other: FieldCandidate, one: FieldCandidate, view: ClassPages) -> bool:
    """Whether another text of a link says what it leads to: its title, a heading, the first."""

    def rank(text: FieldCandidate) -> tuple[bool, int, bool, int]:
        is_text = text.type().kind is ValueKind.TEXT
        return text.name.text != _TITLE, _heading(text, view), not is_text, _first_place(text)

    return rank(other) < rank(one)


# Types name the nameless.

_PHONE = re.compile(
    r"(?:\+\d{1,3}[ .-]?(?:\(0\)[ .-]?)?\d{1,5}"
    r"|(?:\+?\d{1,3}[ .-]?)?(?:\(\d{2,5}\)|\d{2,5}))"
    r"[ ./-]{1,3}\d{2,4}(?:[ .-]?\d{2,5}){1,3}"
)
_YEAR_FIRST = re.compile(r"\W?(?:1\d|20)\d\d-\d{1,2}-\d{1,2}")
"""A date, maybe with a sign for birth or death before it."""
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[a-zA-Z]{2,}")
_WEBSITE = re.compile(
    r"(?:https?://\S+|www\.\S+"
    r"|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|edu|gov|info|co\.uk|de|fr)(?:/\S*)?)",
    re.IGNORECASE,
)
_LEAST_PHONE_DIGITS = 7
_TIME = re.compile(r"[0-2]?\d:[0-5]\d(?::[0-5]\d)?(?:\s?[ap]\.?m\.?)?", re.IGNORECASE)
_SCORE = re.compile(r"\d{1,3}\s?[\u2013:-]\s?\d{1,3}")
_MINUTE = re.compile(r"\d{1,3}(?:\s?\+\s?\d{1,2})?\s?[\u2032'\u2019]")
_YEARS = re.compile(
    r"(?:1[6-9]|20)\d\d\s?[\u2013\u2014-]\s?(?:(?:1[6-9]|20)?\d\d|present|now|today)", re.IGNORECASE
)
_READING = re.compile(r"\d{1,3}\s?min(?:ute)?s?\.?\sread(?:ing time)?", re.IGNORECASE)
_OF_TIME = frozenset({"s", "min", "h"})
_OF_RATING = re.compile(r"/\d+")
_SAID = {
    "number": (),
    "country": ("country", "nation", "land"),
    "location": ("location", "place", "city", "town", "address", "venue", "where", "region"),
    "company": ("company", "firm", "employer", "organi", "publisher", "studio", "brand", "maker"),
    "years": ("year", "season", "date", "period"),
    "minute": ("minute", "time"),
    "time": ("time", "kick", "start", "end", "hour", "duration", "length"),
    "score": ("score", "result", "goal", "record", "set"),
    "date": (
        "date", "day", "year", "born", "birth", "posted", "publish", "update", "since", "until",
        "release", "start", "end", "created", "modified", "season", "deadline",
    ),
    "phone": ("phone", "tel", "fax", "mobile", "call"),
    "email": ("mail", "contact"),
    "website": ("site", "web", "url", "home", "link"),
    "price": (
        "price", "cost", "msrp", "fee", "total", "amount", "salary", "pay", "tuition", "budget",
        "gross", "invoice", "retail", "sale", "value", "worth", "income", "revenue", "save",
    ),
}  # fmt: skip
"""Words of a name that already say what the type does."""


def _named_by_type(one: FieldCandidate, *, is_shared: bool) -> FieldCandidate:
    """The candidate with its type in its name, where nothing better says what it is."""
    is_sure = one.name.source in SURE or one.name.source == "title"
    if one.column.part not in WORDS or (is_sure and not is_shared):
        return one
    kind = _telling_type(one)
    is_said = any(word in one.name.text for word in _SAID.get(kind, ()))
    if not kind or (is_said and not _is_nameless(one)):
        return one
    if kind == "date" and one.name.source in {"before", "link"}:
        return one  # what stands before a date says which one it is
    name = f"{one.name.text}_{kind}" if is_sure else kind
    return replace(one, name=FieldName(name, one.name.source if is_sure else "type"))


def _is_nameless(one: FieldCandidate) -> bool:
    """Whether a name only says what kind of element the values stand in."""
    return one.name.source == "tag" and one.name.text in _NO_NAMES


_NO_NAMES = frozenset({"text", "item", "link", "heading"})


def _telling_type(one: FieldCandidate) -> str:
    type_of = one.type()
    unit = named_unit(type_of.unit)
    if told := _counted_name(one, type_of, unit):
        return told
    if type_of.kind is ValueKind.DATE:
        return "date"
    if unit.role is UnitRole.MONEY:
        return "price"
    if type_of.kind is ValueKind.URL:
        return "website"
    texts = [one.rule.extract_group(text) for found in one.texts for text in found]
    tests: dict[str, Callable[[str], bool]] = {
        "phone": _is_phone,
        "email": lambda text: _EMAIL.fullmatch(text) is not None,
        "website": lambda text: _WEBSITE.fullmatch(text) is not None,
    }
    if one.name.source == "tag" and one.name.text in {"text", "item"}:  # a range may be many things
        tests["time"] = lambda text: _TIME.fullmatch(text) is not None
        tests["score"] = lambda text: _SCORE.fullmatch(text) is not None
        tests["reading_time"] = lambda text: _READING.fullmatch(text) is not None
        tests["years"] = lambda text: _YEARS.fullmatch(text) is not None
        tests["minute"] = lambda text: _MINUTE.fullmatch(text) is not None
    is_open = _is_nameless(one) or one.name.source in SURE
    if is_open and not one.column.many:
        tests["country"] = is_country
        tests["location"] = lambda text: is_town(text) or is_country(text)
    enough = current().wrapper.fields.min_type_share * len(texts)
    told = next((kind for kind, test in tests.items() if sum(map(test, texts)) >= enough), "")
    if not told and is_open:
        firms = {text for text in texts if is_firm(text)}
        is_common = len(firms) >= current().wrapper.fields.min_firm_share * len(set(texts))
        told = "company" if is_common and len(firms) >= _LEAST_FIRMS else ""
    return told or (_counted_thing(texts) if _is_nameless(one) else "")


_LEAST_FIRMS = 3


def _counted_thing(texts: Sequence[str]) -> str:
    """What follows the number in all short texts: the employees of "51-200 employees"."""
    settings = current().wrapper
    longest = settings.labels.max_label_length
    if any(len(text) > longest or _SEPARATOR.search(text) for text in texts):
        return ""
    if any(text.count(" ") >= _WORDS_OF_SENTENCE for text in texts):
        return ""
    found = [one for text in texts if (one := _THING.search(text))]
    told = [tuple(one["things"].casefold().split()) for one in found]
    numbers = {one["number"] for one in found}
    # One is an answer, two are answers; of business days both words say what is counted.
    forms = {words[0][:_STEM] for words in told}
    first, count = Counter(words[0] for words in told).most_common(1)[0] if told else ("", 0)
    count = len(told) if len(forms) == 1 else count
    rest = _shared([words[1:] for words in told if words[0] == first])
    thing = "_".join([first, *rest])
    is_steady = count >= settings.parts.min_separated_share * len(texts)
    return slug(thing) if is_steady and len(numbers) >= _LEAST_NUMBERS else ""


_WORDS_OF_SENTENCE = 7
"""Spaces of a text that says more than how many there are."""


def _shared(sequences: Sequence[Sequence[str]]) -> list[str]:
    """What all sequences begin with."""
    columns = zip(*sequences, strict=False)
    return [words[0] for words in takewhile(lambda one: len(set(one)) == 1, columns)]


_THING = re.compile(
    r"(?<![\w.,])(?P<number>\d[\d.,\u202f]*)\+?\s+(?P<things>[^\W\d_]{3,}(?:\s[^\W\d_]+){0,2})"
)
_SEPARATOR = re.compile(r"[\u00b7|\u2022:;]|,\s")
_STEM = 4
_LEAST_NUMBERS = 3


def named_part(one: FieldCandidate, whole: FieldName) -> FieldCandidate:
    """A part of a line after what its values are, where they say it: a date, a town, a price."""
    kind = _telling_type(replace(one, name=FieldName("text", "tag")))
    if not kind or kind == "number":
        return one
    is_told = whole.source != "tag" and not any(word in whole.text for word in _SAID.get(kind, ()))
    return replace(one, name=FieldName(f"{whole.text}_{kind}" if is_told else kind, "part"))


def _counted_name(one: FieldCandidate, type_of: FieldType, unit: Unit) -> str:
    """What a number without a name counts: reviews in "(233 reviews)"."""
    if one.name.source in {"tag", "container"} and unit.role is UnitRole.COUNT:
        return slug(unit.name)
    if one.name != FieldName("text", "tag"):
        return ""
    if type_of.unit in _OF_TIME:
        return "duration"
    if _OF_RATING.fullmatch(type_of.unit):
        return "rating"
    return "number" if type_of.kind is ValueKind.INTEGER else ""


def _is_phone(text: str) -> bool:
    text = text.strip(" |,;")
    if _YEAR_FIRST.fullmatch(text):
        return False
    return _PHONE.fullmatch(text) is not None and sum(map(str.isdigit, text)) >= _LEAST_PHONE_DIGITS


# What other classes of the site say: a text without a name that is the name of a page elsewhere.

_NAMELESS = frozenset({"text", "item", "meta"})
_NO_CLASS = re.compile(r"page(_\d+)?")
_Texts: TypeAlias = "dict[tuple[str, str], set[str]]"
"""The different texts of each field, by record set (empty for the page's own) and name."""


def named_by_other_classes(
    wrappers: Mapping[str, Wrapper], records: Mapping[str, Sequence[Mapping[str, Any]]]
) -> dict[str, Wrapper]:
    """The wrappers in which a column without a name gets one from another class.

    The small text behind a player that is always the title of a page of class `team` is the team;
    one that another class has under the label "Position" is the position. `records` are lines of
    the tables, of some pages of each class.
    """
    held = {name: _texts_of(one, records.get(name, ())) for name, one in wrappers.items()}
    changed: dict[str, Wrapper] = {}
    for name, wrapper in wrappers.items():
        new: dict[tuple[str, str], str] = {}
        for records_name, field in _own_fields(wrapper):
            if field.named_by in {"tag", "class"} and field.name in _NAMELESS:
                texts = held[name][records_name, field.name]
                told = _told_elsewhere(name, texts, wrappers, held)
                taken = {one.name for place, one in _own_fields(wrapper) if place == records_name}
                taken |= {one.name for one in wrapper.fields + wrapper.record_sets}
                if told and told not in taken | set(new.values()):
                    new[records_name, field.name] = told
        if new:
            changed[name] = _renamed(wrapper, new)
    return changed


def _own_fields(wrapper: Wrapper) -> Iterator[tuple[str, Field]]:
    yield from (("", one) for one in wrapper.fields)
    for part in wrapper.record_sets:
        yield from ((part.name, one) for one in part.fields)


def _texts_of(wrapper: Wrapper, lines: Sequence[Mapping[str, Any]]) -> _Texts:
    found: _Texts = {}
    for records, field in _own_fields(wrapper):
        texts = found.setdefault((records, field.name), set())
        if field.type.kind is not ValueKind.TEXT:
            continue
        for line in lines:
            is_inside = records and records != wrapper.rows
            for row in (line.get(records) or ()) if is_inside else (line,):
                value = row.get(field.name)
                texts.update(
                    _words(one)
                    for one in (value if isinstance(value, list) else [value])
                    if isinstance(one, str) and any(map(str.isalpha, one))
                )
    return found


def _told_elsewhere(
    name: str, texts: set[str], wrappers: Mapping[str, Wrapper], held: Mapping[str, _Texts]
) -> str:
    """What most columns elsewhere with these texts are called, and titles after their class.

    Empty where none is, or two names have as many columns each.
    """
    told: Counter[str] = Counter()
    for other, wrapper in wrappers.items():
        for records, field in _own_fields(wrapper):
            if field.many or not _are_of_one_thing(texts, held[other][records, field.name]):
                continue
            word = re.sub(r"_\d+$", "", field.name)
            if field.named_by == "title" and not records and other != name:
                told[slug(other)] += not _NO_CLASS.fullmatch(slug(other))
            elif field.named_by in SURE | {"link"} and word not in _SUBJECTS:
                told[word] += 1
    (best, most), (_, second) = [*told.most_common(2), ("", 0), ("", 0)][:2]
    return best if most > second else ""


def _are_of_one_thing(texts: set[str], known: set[str]) -> bool:
    """Whether the one nearly holds the other, as far as some pages of each can show."""
    settings = current().wrapper.fields
    common = len(texts & known)
    return common >= max(
        settings.min_told_values,
        settings.min_told_overlap * min(len(texts), len(known)),
        settings.min_told_share * len(texts),
    )


def _renamed(wrapper: Wrapper, new: Mapping[tuple[str, str], str]) -> Wrapper:
    def renamed(records: str, fields: Sequence[Field]) -> tuple[Field, ...]:
        return tuple(
            replace(one, name=new[records, one.name], named_by="values")
            if (records, one.name) in new
            else one
            for one in fields
        )

    own = {name: told for (records, name), told in new.items() if not records}
    kept = {
        f"{records}.{name}" if records else name: f"{records}.{told}" if records else told
        for (records, name), told in new.items()
    }
    sketch = replace(
        wrapper.sketch,
        values={kept.get(name, name): one for name, one in wrapper.sketch.values.items()},
    )
    sets = (replace(one, fields=renamed(one.name, one.fields)) for one in wrapper.record_sets)
    return replace(
        wrapper,
        fields=renamed("", wrapper.fields),
        record_sets=tuple(sets),
        key=tuple(own.get(name, name) for name in wrapper.key),
        required=tuple(own.get(name, name) for name in wrapper.required),
        sketch=sketch,
    )
