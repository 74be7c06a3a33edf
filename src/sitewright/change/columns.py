"""The columns of a project with their values page by page, and how alike two of them are.

Values are compared as what they mean: a date however it is written, a number whatever its unit, a
text whatever its case and white space, a link by where it leads on its site. On pages that both
sides have, the share of equal values counts, less what chance would give: two columns that say
"BSD" on nearly every page agree by chance. Without such pages the form of the values must do.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from sitewright.classes.features import evenly
from sitewright.export.tables import URL
from sitewright.extraction.alarms import has_value
from sitewright.extraction.compared_pages import place_of
from sitewright.extraction.fit import page_values
from sitewright.formats import json_lines
from sitewright.page.url import host_of
from sitewright.page.url_pattern import path_and_query
from sitewright.settings import current
from sitewright.wrapper.values.sketch import value_hash, value_key
from sitewright.wrapper.values.types import ValueKind
from sitewright.wrapper.wrapper import RAW

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sitewright.export.results import ProjectResults
    from sitewright.wrapper import Field, Wrapper


ValueKeys: TypeAlias = tuple[str, ...]
"""The values of a field on one page, in the form in which they are compared."""
_WORD = re.compile(r"\w+")
_LONGEST_TYPED = 40
_SHAPES = (
    (re.compile(r"[0-9]+"), "9"),
    (re.compile(r"[^\W\d_]+"), "a"),
    (re.compile(r"\s+"), " "),
)


@dataclass(frozen=True, slots=True)
class ComparedColumn:
    """One field of a class, or of one of its record sets, with its values."""

    page_class: str
    name: str
    """`FIELD`, or `SET.FIELD`."""
    field: Field
    values: Mapping[str, ValueKeys]
    """By the place of the page in its site; pages without a value are left out."""
    rank: float
    """Where it stands among the columns of its class: 0 for the first, 1 for the last."""
    profile: ColumnProfile

    @property
    def record_set(self) -> str:
        """The record set that it is in; empty for a field of the page."""
        return self.name.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What can be said of the values of a column without the values themselves."""

    length: float
    """The mean of the logarithms of their lengths."""
    digits: float
    capitals: float
    marks: float
    """Shares of their characters."""
    distinct: float
    """The share of the values that are different."""
    many: float
    """The logarithm of how many a page has."""
    coverage: float
    shape: str
    """The most usual shape: `a 9, 9` for "May 1, 2009"."""


@dataclass(frozen=True, slots=True)
class ClassColumns:
    """A class of a project with the values of all its pages."""

    name: str
    wrapper: Wrapper
    pages: tuple[str, ...]
    """The places of its pages."""
    columns: tuple[ComparedColumn, ...]
    records: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict, repr=False)
    """The lines of its table, by the place of their page."""
    url_pattern: str = ""
    """What the URLs of its pages look like."""
    url_precision: float = 0.0
    """The share of the pages with such URLs that are of the class."""
    full_places: tuple[str, ...] = ()
    """The paths and queries of its pages, index pages with their names."""
    is_sketch: bool = False
    """Whether only hashes of values are known: the tables are gone."""

    def hashed(self) -> ClassColumns:
        """The same with hashes for values, to be compared with a sketch."""
        columns = [
            replace(
                one,
                values={place: tuple(map(value_hash, keys)) for place, keys in one.values.items()},
            )
            for one in self.columns
        ]
        return replace(self, columns=tuple(columns))

    def by_name(self, name: str) -> ComparedColumn:
        """The column of that name."""
        return next(one for one in self.columns if one.name == name)


def project_columns(project: ProjectResults) -> dict[str, ClassColumns]:
    """All classes of a project that have a wrapper, with their values."""
    host = host_of(project.model.home)
    found = {}
    for name, wrapper in project.wrappers.items():
        records: dict[str, list[dict[str, Any]]] = {}
        for line in table_lines(project.path / "classes" / name / "table.jsonl"):
            records.setdefault(place_of(str(line.get("_url", ""))), []).append(line)
        described = project.model.by_name(name)
        urls = (str(lines[0].get("_url", "")) for lines in records.values())
        known = class_columns(name, wrapper, records, host)
        found[name] = replace(
            known if records else _sketched(known),
            url_pattern=described.url_pattern,
            url_precision=described.url_precision,
            full_places=tuple(map(path_and_query, urls)),
        )
    return found


def class_columns(
    name: str, wrapper: Wrapper, records: Mapping[str, list[dict[str, Any]]], host: str
) -> ClassColumns:
    """The columns of a class whose records are known."""
    settings = current().change
    sample = evenly(sorted(records), settings.max_compared_pages)
    values = {place: page_values(wrapper, records[place]) for place in sample}
    named = [(one.name, one) for one in wrapper.fields]
    for records_ in wrapper.record_sets:
        named += [(f"{records_.name}.{one.name}", one) for one in records_.fields]
    columns = []
    for turn, (column, one) in enumerate(named):
        held = {}
        for place, found in values.items():
            if keys := _keys(found.get(column), found.get(column + RAW), one, host):
                held[place] = keys
        profile = _profile(held, len(sample))
        rank = turn / max(1, len(named) - 1)
        columns.append(ComparedColumn(name, column, one, held, rank, profile))
    return ClassColumns(name, wrapper, tuple(records), tuple(columns), records)


def _sketched(empty: ClassColumns) -> ClassColumns:
    """A class whose tables are gone, from the sketch of its values."""
    sketch = empty.wrapper.sketch
    places = tuple(map(place_of, sketch.urls))
    columns = []
    for one in empty.columns:
        hashes = sketch.values.get(one.name, ())
        values = {
            place: tuple(held.split()) for place, held in zip(places, hashes, strict=False) if held
        }
        # Of the form of its values only the samples tell.
        texts = [key for text in one.field.samples if (key := value_key(text))]
        profile = _profile({str(turn): (key,) for turn, key in enumerate(texts)}, len(texts))
        profile = replace(profile, coverage=one.field.coverage)
        columns.append(replace(one, values=values, profile=profile))
    return replace(empty, pages=places, columns=tuple(columns), is_sketch=True)


def table_lines(table: Path) -> Iterator[dict[str, Any]]:
    """The records of a table, if it is there."""
    if table.is_file():
        yield from json_lines(table, {URL: (str,)})


# Values, as they are compared.


def _keys(value: object, raw: object, one: Field, host: str) -> ValueKeys:
    values = value if isinstance(value, list) else [value]
    texts = raw if isinstance(raw, list) else [raw] * len(values)
    if len(texts) != len(values):
        texts = [None] * len(values)
    is_link = one.type.kind in {ValueKind.URL, ValueKind.IMAGE}
    found = []
    for item, text in zip(values, texts, strict=True):
        shown = item if has_value(item) else text
        if has_value(shown) and not isinstance(shown, dict | list):
            key = _link_key(str(shown), host) if is_link else value_key(shown)
            if key:
                found.append(key)
    return tuple(found)


def _link_key(url: str, host: str) -> str:
    _, _, fragment = url.partition("#")
    if host_of(url) == host:
        return place_of(url) + (f"#{fragment}" if fragment else "")
    return url


@lru_cache(maxsize=1 << 16)
def _words(key: str) -> frozenset[str]:
    return frozenset(_WORD.findall(key))


def similarity(mine: ValueKeys, theirs: ValueKeys) -> float:
    """How much of the values of a page two columns have in common: F1, and of long texts words."""
    if mine == theirs:
        return 1.0
    if len(mine) == len(theirs) == 1:
        return _text_similarity(mine[0], theirs[0])
    ours, others = set(mine), set(theirs)
    return 2 * len(ours & others) / (len(ours) + len(others))


def _text_similarity(one: str, other: str) -> float:
    """1 for the same text; for one that was edited, the share of its words that stayed."""
    settings = current().change
    words, others = _words(one), _words(other)
    if min(len(words), len(others)) < settings.min_edited_words:
        return 0.0
    share = 2 * len(words & others) / (len(words) + len(others))
    return share if share >= settings.min_edited_share else 0.0


@dataclass(frozen=True, slots=True)
class ColumnAgreementScore:
    """How well two columns agree on pages that both sides have."""

    pages: int
    """Pages where the old column has a value."""
    agreement: float
    """The mean similarity of the values of a page."""
    chance: float
    """The same with the values of other pages: what says nothing."""

    @property
    def score(self) -> float:
        """The agreement beyond chance, from 0 to 1."""
        if self.chance >= current().change.max_chance:
            return 0.0
        return max(0.0, (self.agreement - self.chance) / (1 - self.chance))


def column_agreement(
    old: ComparedColumn, new: ComparedColumn, pairs: Sequence[tuple[str, str]]
) -> ColumnAgreementScore:
    """Compare two columns on pairs of an old and a new page.

    A page where only the new column has a value counts against it, less than a wrong value does.
    """
    both = [(old.values.get(one, ()), new.values.get(other, ())) for one, other in pairs]
    told = [(mine, theirs) for mine, theirs in both if mine or theirs]
    if not told:
        return ColumnAgreementScore(0, 0.0, 0.0)
    count = sum(1 for mine, _ in told if mine)
    if not count:
        return ColumnAgreementScore(0, 0.0, 0.0)
    agreement = sum(similarity(mine, theirs) for mine, theirs in told if mine and theirs)
    weight = count + current().change.extra_weight * (len(told) - count)
    chance = 0.0
    turned = [theirs for _, theirs in told]
    for turn in (1, 2, 3):
        shifted = turned[turn:] + turned[:turn]
        chance += sum(
            similarity(mine, theirs)
            for (mine, _), theirs in zip(told, shifted, strict=True)
            if mine and theirs
        )
    # One page alone has no others to compare it with.
    by_chance = chance / 3 / weight if len(told) > 1 else 0.0
    return ColumnAgreementScore(count, agreement / weight, min(by_chance, 1.0))


# Columns without a page in common: the form of their values.


def _profile(values: Mapping[str, ValueKeys], pages: int) -> ColumnProfile:
    keys = [key for held in values.values() for key in held]
    if not keys:
        return ColumnProfile(0, 0, 0, 0, 0, 0, 0, "")
    sample = evenly(keys, 300)
    text = "".join(sample)
    size = max(1, len(text))
    shapes = Counter(map(_shape, sample))
    return ColumnProfile(
        length=sum(math.log1p(len(key)) for key in sample) / len(sample),
        digits=sum(map(str.isdigit, text)) / size,
        capitals=sum(map(str.isspace, text)) / size,
        marks=sum(not (one.isalnum() or one.isspace()) for one in text) / size,
        distinct=len(set(keys)) / len(keys),
        many=math.log(len(keys) / len(values)),
        coverage=len(values) / max(1, pages),
        shape=shapes.most_common(1)[0][0],
    )


def _shape(key: str) -> str:
    text = key[:_LONGEST_TYPED]
    for pattern, sign in _SHAPES:
        text = pattern.sub(sign, text)
    return text


def shared_values(old: ComparedColumn, new: ComparedColumn) -> float:
    """The share of the different values of the smaller column that the other has, too."""
    mine = {key for held in old.values.values() for key in held}
    theirs = {key for held in new.values.values() for key in held}
    least = min(len(mine), len(theirs))
    return len(mine & theirs) / least if least else 0.0
