"""Values inside a line, and the parts of an article: fields beside the whole that they stand in.

"Oct. 21, 2021 · Ada Example on behalf of the team" is a date, an author and a team. A text is
parted where its pages agree: at a date, at a separator that all have equally often, at words that
come back between names. Where the parts would not be steady, there are none.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sitewright.page.selector import Selector
from sitewright.page.steps import HasText, Path, Position, Step, anywhere
from sitewright.settings import current
from sitewright.wrapper.columns import statistics
from sitewright.wrapper.labels import COLONS, JOINTS, has_further_label
from sitewright.wrapper.naming.names import FieldName, slug
from sitewright.wrapper.naming.value_names import named_part
from sitewright.wrapper.pages import ELEMENT, WORDS
from sitewright.wrapper.values.dates import DAY_FIRST, MONTHS, TIME_BEHIND, read_date
from sitewright.wrapper.values.types import ValueKind
from sitewright.wrapper.wrapper import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.page.page_index import SelectorScope
    from sitewright.wrapper.fields import FieldCandidate


_BY = r"(?:by|por|von|par|di|av|af|door|przez)"
_BY_BEFORE = re.compile(rf"^{_BY}\s+")
_MONTH = r"[^\W\d_]{3,10}"
_DATES = (
    r"\d{4}-\d{2}-\d{2}",
    rf"\d{{1,2}}(?:st|nd|rd|th)?\.? {_MONTH}\.?,? \d{{4}}",
    rf"{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}",
    rf"\d{{1,2}}[º°]? de {_MONTH}\.? del? \d{{4}}",
    r"\d{4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]",
    r"\d{1,2}[./]\d{1,2}[./]\d{4}",
    rf"{_MONTH} \d{{4}}",
)
"""Forms of dates inside a text, the surest first."""
_SEPARATORS = (r"\s*[\u00b7\u2022|\u00bb]\s*", r"\s+[\u2013\u2014-]\s+", r":\s+")
_CONNECTED = re.compile(r"(?<=\S)\s+((?:[a-z]+\s+){1,4})(?=\S)")
_ARTICLES = frozenset({"the", "a", "an"})
_END_CUT = ("^(.+)", "^(.+?)(?:")
"""How the pattern of a text begins of which only an end that all have is cut off."""
_MOST_PARTS = 4
_LEADS = 3
_LEAD, _HEADINGS = "lead", "headings"
_AUTHOR = "author"
_HANDLE, _NOTE = "handle", "author_note"
_IN_BRACKETS = re.compile(r"[^()]*[^\W_][^()]*\(([^()]+)\)")
_HEAD = frozenset({"title", "meta", "link"})
_TIES = "|".join(sorted(JOINTS))
_BETWEEN = rf"(?:\s*[,;&]\s*(?:(?:{_TIES}|&)\s+)?|\s+(?:{_TIES})\s+|(?<=\))\s+)"
"""What stands between the names of a list: a comma, "and", or a note in brackets."""
_LIST_START = rf"^[\s,;&]*(?:(?:{_TIES}|{_BY})\s+)?"
_NAME = (
    rf"(?!(?:{_TIES})\W*$)(?P<item>[^\s,;&()](?:[^,;&()]*?[^\s,;&()])?)"
    rf"(?:\s*\([^()]*\))?[\s.]*(?={_BETWEEN}|\s(?:{_TIES})$|$)"
)
"""A name of a list, without the note behind it."""
_LISTED = rf"(?:{_LIST_START}|{_BETWEEN}){_NAME}"
_PERSON = re.compile(
    r"[^\W\d_a-z][\w.'\u2019-]*(?:\s+[\w.'\u2019-]+){0,3}\s+[^\W\d_a-z][\w.'\u2019-]*"
)
_BRACKETED_HANDLE = r"\((?P<item>@[^()\s]+)\)"


def with_parts(
    candidates: Sequence[FieldCandidate], scopes: Sequence[SelectorScope], width: int
) -> list[FieldCandidate]:
    """The candidates, each with the fields that stand inside it behind it, while there is room.

    `width` is the number of columns that the table may have.
    """
    found: list[FieldCandidate] = []
    left = width - sum(one.width() for one in candidates)
    for one in map(_with_single_names, candidates):
        found.append(one)
        parts: list[FieldCandidate] = []
        for inner in _article_parts(one, scopes):
            parts += [inner, *_line_parts(inner)]
        for part in (*parts, *_line_parts(one)) if left > 0 else ():
            left -= part.width()
            if left >= 0:
                found.append(part)
    return found


def _with_single_names(one: FieldCandidate) -> FieldCandidate:
    """A list of people whose texts may hold several names, with one name for each value."""
    if one.column.part not in WORDS or not one.column.many:
        return one
    texts = [text for found in one.texts for text in found]
    names = [re.findall(_LISTED, text) for text in texts]
    is_glued = any(found and found != [text] for found, text in zip(names, texts, strict=True))
    if not is_glued or not _are_people([name for found in names for name in found]):
        return one
    found = _made(one, _Part(_LISTED, one.name.text, many=True))
    return one if found is None else replace(found, name=one.name)


# Lines: texts of one form on all pages.


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a text: the pattern whose group it is, and what it could be called."""

    pattern: str
    name: str
    is_sure: bool = False
    """Whether the name says what the part is."""
    many: bool = False
    """Whether the part is a list."""


def _line_parts(one: FieldCandidate) -> list[FieldCandidate]:
    settings = current().wrapper.parts
    texts = [text for found in one.texts for text in found]
    if labelled := list(_labelled(texts, one)):
        found = [_made(one, part, settings.min_labelled_texts) for part in labelled]
        if sum(part is not None for part in found) > 1:
            # The label says of one that is the same on these pages what it is, too.
            found = [_made(one, part, 1) for part in labelled]
        return [part for part in found if part is not None]
    if paired := list(_paired(texts, one)):
        found = [_made(one, part, settings.min_labelled_texts) for part in paired]
        return [part for part in found if part is not None]
    if one.column.part in WORDS and not one.column.many and _list_people(texts):
        people = _made(one, _Part(_LISTED, f"{one.name.text}_list", many=True))
        return [people] if people is not None else []
    if numbered := _numbered(texts, one):
        found = [_made(one, numbered)]
        return [part for part in found if part is not None]
    if (
        one.column.part not in WORDS
        or one.column.many
        or (one.rule.pattern and not one.rule.pattern.startswith(_END_CUT))
        or len(set(texts)) < settings.min_texts
        or sorted(map(len, texts))[len(texts) // 2] > settings.max_line_length
        or one.name.source == "title"
        or one.type().kind is ValueKind.DATE
        or _is_in_head(one)
    ):
        return []
    parts = list(_dated(texts, one)) or list(_separated(texts, one))
    return _told([made for part in parts if (made := _made(one, part)) is not None], one)


def _told(parts: list[FieldCandidate], whole: FieldCandidate) -> list[FieldCandidate]:
    """The parts, those that only have a number after what they are: two amounts are a range."""
    if _is_range(parts):
        ends = [f"{whole.name.text}_{end}" for end in ("from", "to")]
        return [
            replace(one, name=FieldName(end, "part")) for one, end in zip(parts, ends, strict=True)
        ]
    return [named_part(one, whole.name) if one.name.source == "part" else one for one in parts]


def _is_range(parts: Sequence[FieldCandidate]) -> bool:
    """Whether the parts are two amounts, on all pages the smaller one first: no result is so."""
    if len(parts) != _ENDS or any(one.name.source != "part" for one in parts):
        return False
    if any(one.type().kind not in _NUMBERS for one in parts):
        return False
    lower, upper = (one.values() for one in parts)
    pairs = [(low[0], high[0]) for low, high in zip(lower, upper, strict=True) if low and high]
    amounts = [
        (low, high)
        for low, high in pairs
        if isinstance(low, int | float) and isinstance(high, int | float)
    ]
    return len(amounts) == len(pairs) and all(low <= high for low, high in amounts)


_ENDS = 2
_NUMBERS = frozenset({ValueKind.INTEGER, ValueKind.DECIMAL})


def _numbered(texts: Sequence[str], one: FieldCandidate) -> _Part | None:
    """The number at the end of texts that are the same words before it: "OpenBSD 3.6"."""
    settings = current().wrapper.parts
    if one.column.part not in WORDS or one.column.many or one.rule.pattern or _is_in_head(one):
        return None
    if one.type().kind is not ValueKind.TEXT:
        return None  # "Dec 6" is a date
    split = [text.rpartition(" ") for text in texts if _NUMBER.fullmatch(text.rpartition(" ")[2])]
    words, count = Counter(before for before, _, _ in split).most_common(1)[0] if split else ("", 0)
    if not any(map(str.isalpha, words)) or count < settings.min_separated_share * len(texts):
        return None  # "+351" is the beginning of a number
    numbers = [number for _, _, number in split]
    if 2 * sum("." in number for number in numbers) > len(numbers):
        name = "version"
    elif all(_YEAR.fullmatch(number) for number in numbers):
        name = "year"
    else:
        name = slug(words.rpartition(" ")[2])
        if len(name) < _LEAST_LETTERS:
            return None  # "out of 7"
    pattern = rf"^{re.escape(words)} (?P<part>{_NUMBER.pattern})$"
    return _Part(pattern, name, is_sure=True)


_NUMBER = re.compile(r"v?\d[\d.]*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LEAST_LETTERS = 3


def _only_first(selector: Selector) -> Selector:
    """The selector of the first node: that is what a field of one value takes."""
    if len(selector.paths) != 1 or getattr(selector.paths[0], "index", 0) is not None:
        return selector
    return selector.at(0)


def _is_in_head(one: FieldCandidate) -> bool:
    return any(step.test in _HEAD for step in one.rule.selector.steps()[:1])


def _made(one: FieldCandidate, part: _Part, least: int | None = None) -> FieldCandidate | None:
    """A candidate for a part, if enough texts have it and it is no constant."""
    settings = current().wrapper.parts
    least = settings.min_texts if least is None else least
    selector = one.rule.selector
    if part.many and not one.column.many:
        selector = _only_first(selector)
    rule = Rule(selector, part.pattern)
    texts = tuple(tuple(own for text in found for own in rule.split(text)) for found in one.texts)
    values = [tuple(map(rule.extract_group, found)) for found in texts]
    counted = statistics(values)
    filled = [value[0] for value in values if value]
    if counted.distinct < least or counted.filled < least:
        return None
    if any(len(value) > settings.max_part_length for value in filled):
        return None
    source = "label" if part.is_sure else "part"
    column = replace(one.column, many=True) if part.many else one.column
    return replace(
        one, column=column, rule=rule, texts=texts, statistics=counted,
        name=FieldName(part.name, source),
    )  # fmt: skip


# A label that names several values in one form: "Height / weight", "Matches (minutes)".

_LABEL_MARKS = ("/", ",", "|", "&", ";")
_BRACKETED = re.compile(r"([^()]+)\(([^()]+)\)")


def _labelled(texts: Sequence[str], one: FieldCandidate) -> Iterator[_Part]:
    """The parts of texts that are written as their label is; none if they are not all so.

    A text without the marks is the part as a whole: another layout may give each a place of its
    own, and one rule then reads both.
    """
    settings = current().wrapper.parts
    label = _label_of(one)
    if not label or one.column.many or len(set(texts)) < settings.min_labelled_texts:
        return
    for names, count, patterns in _label_forms(label):
        written = [len(text.split(count)) == len(names) for text in texts]
        if (
            sum(written) < settings.min_separated_share * len(texts)
            or not all(map(slug, names))
            or any(len(name.split()) > _LEADS for name in names)
        ):
            continue
        for name, pattern in zip(names, patterns, strict=True):
            yield _Part(pattern, slug(name), is_sure=True)
        return


# Several labels in one text: "Width: 10 cm; Height: 20 cm", of which some may be missing.

_MARKS = r";|\u00b7\u2022"
_START = rf"(?:^|[{_MARKS}])[\W\d]{{0,20}}"
_LABEL = rf"[^\W\d_][^{COLONS}{_MARKS}]{{1,40}}?"
_PAIR = re.compile(rf"{_START}(?P<label>{_LABEL})\s*[{COLONS}]\s")


def _paired(texts: Sequence[str], one: FieldCandidate) -> Iterator[_Part]:
    """What stands behind each of the labels of a text, where most texts have several."""
    settings = current().wrapper.parts
    if one.column.part not in WORDS or one.column.many or one.rule.pattern or _is_in_head(one):
        return
    enough = max(settings.min_texts, settings.min_optional_share * len(texts))
    if sum(map(has_further_label, texts)) < enough:
        return
    labels = [[found["label"] for found in _PAIR.finditer(text)] for text in texts]
    counted = Counter(label for found in labels for label in dict.fromkeys(found))
    steady = [label for label, count in counted.items() if count >= enough]
    if sum(map(bool, labels)) < settings.min_share * len(texts):
        return
    behind = rf"(?={_START}{_LABEL}\s*[{COLONS}]\s|[{_MARKS}]?\s*$)"
    for label in steady:
        before = rf"{_START}{re.escape(label)}\s*[{COLONS}]\s*"
        yield _Part(rf"{before}(?P<part>.*?\S)\s*{behind}", slug(label), is_sure=True)


def _label_of(one: FieldCandidate) -> str:
    """The label that the selector of a candidate starts from; empty if there is none."""
    if one.column.part not in WORDS or one.rule.pattern:
        return ""
    anchor = one.rule.selector.anchor()
    is_label = anchor is not None and not anchor.attribute and len(anchor.names) == 1
    return anchor.names[0].rstrip(" :") if anchor is not None and is_label else ""


def _label_forms(label: str) -> Iterator[tuple[list[str], str, list[str]]]:
    """The names in a label, the mark between them, and a pattern for the part of each."""
    if bracketed := _BRACKETED.fullmatch(label):
        names = [bracketed[1].strip(), bracketed[2].strip()]
        yield (
            names,
            "(",
            [
                r"^(?P<part>[^()]+?)(?:\s*\([^()]*\))?$",
                r"^(?:[^()]*\(\s*)?(?P<part>[^()]+?)\s*\)?$",
            ],
        )
    for mark in _LABEL_MARKS:
        names = [name.strip() for name in label.split(mark)]
        if 1 < len(names) <= _MOST_PARTS:
            one = re.escape(mark)
            rest = f"[^{one}]"
            yield (
                names,
                mark,
                [
                    rf"^(?:(?:{rest}*{one}){{{ordinal}}})?\s*(?P<part>{rest}+?)\s*"
                    rf"(?:(?:{one}{rest}*){{{len(names) - ordinal - 1}}})?$"
                    for ordinal in range(len(names))
                ],
            )


def _dated(texts: Sequence[str], one: FieldCandidate) -> Iterator[_Part]:
    """The date that the texts hold, what stands before it and what stands behind it."""
    settings = current().wrapper.parts
    is_timed = any(map(_TIMED.search, texts))
    for day in _DATES:
        form = day + TIME_BEHIND if is_timed else day
        alone = _alone(form)
        found = [re.search(alone, text) for text in texts]
        read = [match for match in found if match is not None and _is_date(match[0])]
        if len(read) < settings.min_share * len(texts):
            continue
        if 2 * sum(match[0] == match.string for match in read) > len(texts):
            return  # the whole is a date
        before = [_edged(match.string[: match.start()]) for match in read]
        behind = [_edged(match.string[match.end() :]) for match in read]
        said = Counter(before).most_common(1)[0]
        is_said = bool(said[0]) and said[1] >= settings.min_share * len(texts)
        name = slug(said[0]) if is_said and len(said[0].split()) <= _LEADS else ""
        yield _Part(_alone(f"(?P<part>{day})"), name or "date", is_sure=True)
        if counted := _counted(behind):
            yield counted
        if _are_values(behind, len(texts)) or _are_optional_people(behind):
            start = rf"{alone}[^\w@(\"']*(?:{_BY}\s+)?"
            listed = [] if any(before) else list(_people(start, behind))
            yield from listed or _connected(start, behind)
        if signed := _signed(before, len(texts), form):
            yield signed
        elif not is_said and _are_values(before, len(texts)):
            yield _Part(rf"^(?P<part>.+?)\W*\s{form}(?!\w)", _part_name(one, 1))
        return


_TIMED = re.compile(r"\d(?::|\s?h\s?)\d{2}")


def _alone(form: str) -> str:
    """A date that is no piece of a word; East Asian scripts put no space between words."""
    inside = r"\d" if "[年년]" in form else r"\w"
    return rf"(?<!{inside}){form}(?!{inside})"


def _counted(behind: Sequence[str]) -> _Part | None:
    """What is counted behind a date on some pages or on all: "2 May 2031 · 17 answers"."""
    settings = current().wrapper.parts
    found = [one for text in behind if (one := _COUNT.fullmatch(text))]
    # One is an answer, two are answers.
    words = Counter(one["word"] for one in found).most_common(2)
    told = sum(count for _word, count in words)
    least = max(settings.min_texts, settings.min_optional_share * len(behind))
    if told < max(least, settings.min_separated_share * len(found)):
        return None
    if len({one["number"] for one in found}) < settings.min_labelled_texts:
        return None
    said = "|".join(re.escape(word) for word, _count in words)
    return _Part(rf"(?P<part>{_COUNT_NUMBER})\s+(?:{said})\W*$", slug(words[0][0]), is_sure=True)


_COUNT_NUMBER = r"(?<![\d.,])\d{1,3}(?:[.,\u202f ]?\d{3})*"
_COUNT = re.compile(rf"\W*(?P<number>{_COUNT_NUMBER})\s+(?P<word>[^\W\d_]{{3,}})\W*")


def _signed(before: Sequence[str], texts: int, form: str) -> _Part | None:
    """Who stands before a date: "Submitted by Ada Arden on 7 July 2031"."""
    settings = current().wrapper.parts
    found = [signed for text in before if (signed := _SIGNED.fullmatch(text))]
    names = [signed["name"] for signed in found]
    if len(found) < settings.min_share * texts or not _are_values(names, texts):
        return None
    pattern = rf"\b(?i:by)\s+(?P<part>.+?){_ON}\W*\s{form}(?!\w)"
    return _Part(pattern, _AUTHOR, is_sure=True)


_ON = r"(?:\s+(?:on|at))?"
_SIGNED = re.compile(
    rf"(?:(?:submitted|posted|written|published|created|added)\s+)?by\s+(?P<name>.+?){_ON}\W*",
    re.IGNORECASE,
)


def _people(start: str, values: Sequence[str]) -> Iterator[_Part]:
    """The names behind a date, if some of the texts list several."""
    if not _list_people([_BY_BEFORE.sub("", value) for value in values]):
        return
    yield _Part(rf"{start}(?P<part>.*[^\W_].*)$", _AUTHOR)
    yield _Part(rf"(?:{start}|{_BETWEEN}){_NAME}", f"{_AUTHOR}s", is_sure=True, many=True)
    if any("(@" in value for value in values):
        yield _Part(_BRACKETED_HANDLE, f"{_HANDLE}s", is_sure=True, many=True)


def _list_people(texts: Sequence[str]) -> bool:
    """Whether texts are names of people, and some of them several."""
    settings = current().wrapper.parts
    found = [re.findall(_LISTED, text) for text in texts if text]
    several = sum(len(names) > 1 for names in found)
    least = max(settings.min_labelled_texts, settings.min_listed_share * len(found))
    return several >= least and _are_people([name for names in found for name in names])


def _are_optional_people(texts: Sequence[str]) -> bool:
    """Whether some of the texts, not most, are names of people: not every post has an author."""
    settings = current().wrapper.parts
    filled = [_BY_BEFORE.sub("", text) for text in texts if any(map(str.isalpha, text))]
    names = [name for text in filled for name in re.findall(_LISTED, text)]
    is_often = len(filled) >= settings.min_optional_share * len(texts)
    return is_often and len(set(names)) >= settings.min_texts and _are_people(names)


def _are_people(names: Sequence[str]) -> bool:
    settings = current().wrapper.parts
    people = sum(_PERSON.fullmatch(name) is not None for name in names)
    return people >= settings.min_share * len(names)


def _connected(start: str, values: Sequence[str]) -> Iterator[_Part]:
    """What stands behind a date: a name, and what some words connect it with."""
    settings = current().wrapper.parts
    values = [_BY_BEFORE.sub("", value) for value in values]
    words: Counter[str] = Counter()
    for value in values:
        words.update({_without_article(run.split()) for run in _CONNECTED.findall(value)})
    enough = max(settings.min_texts, settings.min_optional_share * len(values))
    common = [
        (len(run.split()), count, run)
        for run, count in words.items()
        if count >= enough and len(run.split()) > 1
    ]
    bracketed = [value for value in values if _IN_BRACKETS.fullmatch(value)]
    if len(bracketed) >= settings.min_separated_share / 2 * len(values):
        yield _Part(rf"{start}(?P<part>[^(]*[^\W_][^(]*?)(?:\s*\(.*)?$", _AUTHOR)
        inside = [_IN_BRACKETS.fullmatch(value)[1] for value in bracketed]  # type: ignore[index]
        is_handle = sum(text.startswith("@") for text in inside) >= settings.min_share * len(inside)
        yield _Part(rf"{start}[^(]*\((?P<part>[^()]+)\)", _HANDLE if is_handle else _NOTE)
        return
    if 2 * sum(value[:1].isdigit() for value in values) > len(values):
        return  # a time, or the end of a span
    if not common:
        yield _Part(rf"{start}(?P<part>.*[^\W_].*)$", _AUTHOR)
        return
    run = r"\s+".join(map(re.escape, max(common)[2].split()))
    yield _Part(rf"{start}(?P<part>.*?[^\W_].*?)(?:\s+{run}\s.*)?$", _AUTHOR)
    yield _Part(rf"\s{run}\s+(?P<part>.+)$", slug(max(common)[2]), is_sure=True)


def _without_article(words: list[str]) -> str:
    """Words before a name, without the article that belongs to it."""
    return " ".join(words[:-1] if words[-1] in _ARTICLES else words)


def _separated(texts: Sequence[str], one: FieldCandidate) -> Iterator[_Part]:
    """The parts between separators that nearly all texts have equally often."""
    settings = current().wrapper.parts
    for separator in _SEPARATORS:
        split = [re.split(separator, text) for text in texts]
        size, count = Counter(map(len, split)).most_common(1)[0]
        if not 1 < size <= _MOST_PARTS or count < settings.min_separated_share * len(texts):
            continue
        steady = [parts for parts in split if len(parts) == size]
        if not all(all(map(_edged, parts)) for parts in steady):
            continue
        for ordinal in range(size):
            end = "$" if ordinal == size - 1 else f"(?:{separator})"
            yield _Part(
                rf"^(?:.*?{separator}){{{ordinal}}}(?P<part>.+?){end}",
                _part_name(one, ordinal + 1),
            )
        return


def _part_name(one: FieldCandidate, ordinal: int) -> str:
    return f"{one.name.text}_part_{ordinal}"


def _are_values(texts: Sequence[str], total: int) -> bool:
    settings = current().wrapper.parts
    filled = [text for text in texts if any(map(str.isalpha, text))]
    return len(filled) >= settings.min_share * total and len(set(filled)) >= settings.min_texts


def _edged(text: str) -> str:
    return text.strip(" \u00b7\u2022|\u00bb\u2013\u2014-:,;")


def _is_date(text: str) -> bool:
    # `Section 2010` is none: a word between numbers must be a month.
    words = re.findall(r"[^\W\d_]{3,}", text)
    return read_date(text, DAY_FIRST) is not None and all(
        word.lower() in MONTHS or read_date(text, DAY_FIRST) for word in words
    )


# Articles: the first paragraph, and the headings.


def _article_parts(
    one: FieldCandidate, scopes: Sequence[SelectorScope]
) -> Iterator[FieldCandidate]:
    """What running text says of itself: a line about it, its first paragraph, its headings."""
    if one.column.many:
        yield from _first_of_paragraphs(one, scopes)
    elif (path := _path_of_article(one)) is not None:
        yield from _parts_of_element(one, path, scopes)


def _parts_of_element(
    one: FieldCandidate, path: Path, scopes: Sequence[SelectorScope]
) -> Iterator[FieldCandidate]:
    settings = current().wrapper.parts
    for ordinal in range(1, _LEADS + 1):
        found = None
        for tests in ((), (HasText(),)):  # an editor leaves paragraphs without a word in it
            selector = Selector.of(path.then(Step("p", (*tests, Position(ordinal)))))
            found = found or _derived(one, selector, scopes, _lead_name(one), many=False)
        if found is None:
            return
        words = sorted(len(text.split()) for texts in found.texts for text in texts)
        if words[len(words) // 2] >= settings.min_lead_words:
            yield found
            break
        yield replace(found, name=FieldName(f"{one.name.text}_line", "part"))
    for tag in ("h2", "h3"):
        selector = Selector.of(path.then(anywhere(Step(tag))))
        headings = _derived(one, selector, scopes, _HEADINGS, many=True)
        if headings is not None:
            yield headings
            return


def _first_of_paragraphs(
    one: FieldCandidate, scopes: Sequence[SelectorScope]
) -> Iterator[FieldCandidate]:
    """The first of a list of paragraphs, and the lines before it that say something of the text."""
    settings = current().wrapper.parts
    paths, steps = one.rule.selector.paths, one.rule.selector.steps()
    if one.column.part != ELEMENT or one.rule.pattern or len(paths) != 1 or not steps:
        return
    if not isinstance(paths[0], Path) or paths[0].index is not None or steps[-1].test != "p":
        return
    filled = Selector.of(paths[0].where(HasText()))
    for ordinal in range(_LEADS):
        found = _derived(
            one, one.rule.selector.at(ordinal), scopes, _lead_name(one), many=False
        ) or _derived(one, filled.at(ordinal), scopes, _LEAD, many=False)
        if found is None:
            return
        words = sorted(len(text.split()) for texts in found.texts for text in texts)
        if words[len(words) // 2] >= settings.min_lead_words:
            yield found
            return
        if not list(_dated([text for texts in found.texts for text in texts], found)):
            return  # short paragraphs, of which the first is like the others
        yield replace(found, name=FieldName(f"{one.name.text}_line", "part"))


def _lead_name(one: FieldCandidate) -> str:
    """`lead`, with the name of the text where the page says what that is: `mission_lead`."""
    return f"{one.name.text}_{_LEAD}" if one.name.source in _SAID_BY_PAGE else _LEAD


_SAID_BY_PAGE = frozenset({"label", "before", "behind", "header"})


def _path_of_article(one: FieldCandidate) -> Path | None:
    """The path to the element that holds running text; None if it is no article."""
    settings = current().wrapper.parts
    paths = one.rule.selector.paths
    if one.column.part != ELEMENT or one.column.many or one.rule.pattern or len(paths) != 1:
        return None
    lengths = sorted(len(text.split()) for found in one.texts for text in found)
    if not lengths or lengths[len(lengths) // 2] < settings.min_article_words:
        return None
    return paths[0] if isinstance(paths[0], Path) else None


def _derived(
    one: FieldCandidate,
    selector: Selector,
    scopes: Sequence[SelectorScope],
    name: str,
    *,
    many: bool,
) -> FieldCandidate | None:
    settings = current().wrapper.parts
    rule = Rule(selector)
    texts = tuple(
        tuple(found) if many else tuple(found[:1])
        for found in (rule.texts(scope) for scope in scopes)
    )
    counted = statistics(texts)
    if counted.coverage < settings.min_article_share or counted.distinct < settings.min_texts:
        return None
    column = replace(one.column, many=many)
    return replace(
        one, column=column, rule=rule, texts=texts, statistics=counted,
        name=FieldName(name, "part"),
    )  # fmt: skip
