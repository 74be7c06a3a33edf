"""From a page to its record: every rule of the wrapper, applied."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from sitewright.page.page_index import Selected, compiled, label_texts, text_of
from sitewright.settings import current
from sitewright.wrapper.spare_selectors import NO_DOUBTS, SelectorDoubts, SpareSelectors
from sitewright.wrapper.values.types import ValueKind
from sitewright.wrapper.wrapper import DOUBTFUL, ITEM, PART, RAW

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitewright.page import Document
    from sitewright.page.page_index import PageIndex
    from sitewright.page.url import Resolver
    from sitewright.wrapper.wrapper import Field, RecordSet, Wrapper


Value: TypeAlias = "str | int | float | list[Any] | None"
_ADDRESSES = (ValueKind.URL, ValueKind.IMAGE)
Scalar: TypeAlias = "str | int | float | None"
_Cell: TypeAlias = "tuple[str, Scalar]"
"""A text as it stands in the page, and its value; of a URL, what is written."""
_REMEMBERED = 4096
"""Texts of a field that are not read twice: tables repeat themselves."""
_SHORT = 120
"""Longer texts hardly come back, and would fill the memory."""


@dataclass(frozen=True, slots=True)
class Record:
    """What a page says: a value for each field, a list of rows for each record set."""

    url: str
    values: dict[str, Value]
    doubts: SelectorDoubts = NO_DOUBTS
    """What the selectors of its fields say of each other."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """A page that the wrapper does not fit, and why."""

    url: str
    reason: str


def extract(wrapper: Wrapper, document: Document) -> Record | Misfit:
    """Apply a wrapper to a page of its class; to many pages, with an `Extractor`."""
    return Extractor(wrapper).extract(document)


class Extractor:
    """Applies a wrapper to pages.

    `always_compared`: all selectors of a field are asked of every page, and not only of some.
    """

    def __init__(self, wrapper: Wrapper, *, always_compared: bool = False) -> None:
        self.wrapper = wrapper
        self._fields = [FieldReader(field) for field in wrapper.fields]
        self._spares = SpareSelectors(self._fields, always_compared=always_compared)
        self._sets = [
            (records, [FieldReader(field) for field in records.fields])
            for records in wrapper.record_sets
        ]
        self._constants = [(one.name, one.rule, one.samples[0]) for one in wrapper.constants]
        self._labels = label_texts(
            field.rule.selector for field in (*wrapper.all_fields(), *wrapper.constants)
        )
        self.names = [field.name for field in wrapper.fields]
        self._settings = current().extraction
        self.names += [records.name for records in wrapper.record_sets]

    def extract(self, document: Document) -> Record | Misfit:
        """The record of a page of the class, or why there is none."""
        values: dict[str, Value] = {}
        index = document.index
        index.expect(self._labels)
        resolve = document.resolve
        for reader in self._fields:
            reader.read(index.select(reader.selector), resolve, values)
        doubts = self._spares.read(index, resolve, values, document.url)
        _keep_doubts(values)
        if others := self._others_than_constant(index):
            cast("list[str]", values.setdefault(DOUBTFUL, [])).extend(others)
        for records, readers in self._sets:
            rows = index.select(records.rule.selector)
            found = list(self._rows(rows, readers, resolve))
            if not found and records.rule.alternatives:
                found = self._other_rows(records, readers, document)
                doubts = doubts.with_other_rows(records.name) if found else doubts
            values[records.name] = found
        reason = self._misfit(values)
        return Misfit(document.url, reason) if reason else Record(document.url, values, doubts)

    def _others_than_constant(self, index: PageIndex) -> list[str]:
        """The places where a page does not say what all pages said that were learnt from."""
        return [
            name
            for name, rule, text in self._constants
            if (found := rule.texts(index)) and rule.extract_group(found[0]) != text
        ]

    def _rows(
        self, rows: list[Selected], readers: list[FieldReader], resolve: Resolver
    ) -> Iterator[dict[str, Value]]:
        for element in rows:
            if isinstance(element, str):
                continue
            row: dict[str, Value] = {}
            for reader in readers:
                reader.read(reader.select_inside(element), resolve, row)
            if any(map(_is_there, row.values())):
                yield row

    def _other_rows(
        self, records: RecordSet, readers: list[FieldReader], document: Document
    ) -> list[dict[str, Value]]:
        """What the first of the further selectors finds that leads to rows like those learnt.

        Where a page lacks the rows, something else may stand in their place: advertisements for
        bookings. Most rows must have what all rows had, and most of the rest.
        """
        least = self._settings.min_core_coverage
        core = [field.name for field in records.fields if field.coverage >= least]
        for selector in records.rule.alternatives:
            rows = document.index.select(selector)
            found = list(self._rows(rows, readers, document.resolve))
            full = sum(
                2 * sum(map(_is_there, row.values())) > len(row)
                and all(_is_there(row.get(name)) or _is_there(row.get(name + RAW)) for name in core)
                for row in found
            )
            if 2 * full > len(found):
                return found
        return []

    def _misfit(self, values: dict[str, Value]) -> str:
        """Why these are not the values of a page of the class; empty if they are."""
        settings = self._settings
        required = self.wrapper.required
        missing = [name for name in required if not _is_there(values.get(name))]
        if len(missing) > (1 - settings.min_required_share) * len(required):
            found = len(required) - len(missing)
            return f"only {found} of {len(required)} required fields: no {', '.join(missing)}"
        if self.wrapper.rows and not values[self.wrapper.rows]:
            return f"a list without rows: no {self.wrapper.rows}"
        there = [
            name
            for name in self.names
            if _is_there(values[name]) or _is_there(values.get(name + RAW))
        ]
        if not there:
            return "no field has a value"
        if len(there) == 1 and len(self.names) >= settings.min_fields_for_two:
            return f"only one of {len(self.names)} fields has a value: {there[0]}"
        return ""


def _keep_doubts(values: dict[str, Value]) -> None:
    """Forget the doubts about fields that another selector has read since."""
    doubtful = values.get(DOUBTFUL)
    if isinstance(doubtful, list):
        left = [name for name in doubtful if not _is_there(values[name])]
        del values[DOUBTFUL]
        if left:
            values[DOUBTFUL] = left


def _is_there(value: Value) -> bool:
    return value is not None and value != []


def lines(wrapper: Wrapper, record: Record) -> Iterator[dict[str, Value]]:
    """The records of a page as the class's table has them: one, or one for each row of a list."""
    page = {"_url": record.url, **record.values}
    rows = page.pop(wrapper.rows, None) if wrapper.rows else None
    if not isinstance(rows, list):
        yield page
        return
    for row in rows:
        yield {**page, **row}


class FieldReader:
    """Turns what the rule of a field selects into values, under its names in a table."""

    def __init__(self, field: Field) -> None:
        self.rule = field.rule
        self.name = field.name
        self.selector = field.rule.selector
        self.select_inside = compiled(self.selector)
        self._type, self._many = field.type, field.many
        self._raw = field.name + RAW if field.raw else None
        self._is_address = field.type.kind in _ADDRESSES
        self._lists = ITEM in field.rule.pattern
        self._known: dict[Selected, _Cell | None] = {}
        self._expected = field.expected

    def has_value(self, values: Mapping[str, Value]) -> bool:
        """Whether a page has anything for the field, of its type or not."""
        return _is_there(values[self.name]) or (
            self._raw is not None and _is_there(values[self._raw])
        )

    def read(self, found: list[Selected], resolve: Resolver, values: dict[str, Value]) -> None:
        """Add the values of one page or record."""
        if self._many:
            if self._lists:
                found = [own for one in found for own in self.rule.split(text_of(one))]
            cells = [cell for one in found if (cell := self._cell(one))]
            values[self.name] = [self._value(value, resolve) for _text, value in cells]
            if self._raw is not None:
                values[self._raw] = [text for text, _value in cells]
            return
        known = self._known
        text = value = None
        for one in found:
            if cell := known.get(one) or self._cell(one):
                text, value = cell
                break
        if text is not None and self._is_doubtful(text):
            text = value = None
            cast("list[str]", values.setdefault(DOUBTFUL, [])).append(self.name)
        values[self.name] = self._value(value, resolve) if self._is_address else value
        if self._raw is not None:
            values[self._raw] = text

    def _is_doubtful(self, text: str) -> bool:
        """Whether a text is unlike all that were learnt, where only its place tells what it is."""
        if self._expected is None:
            return False
        cut = text if PART in self.rule.pattern else self.rule.extract_group(text)
        return self._expected.is_unlike(cut)

    def _value(self, value: Scalar, resolve: Resolver) -> Scalar:
        """The URL that a link leads to; other values as they are."""
        if self._is_address and isinstance(value, str):
            return resolve.address(value)
        return value

    def _cell(self, one: Selected) -> _Cell | None:
        """The text and the value of what was selected; None if the rule does not mean it."""
        if not isinstance(one, str) or len(one) > _SHORT:
            return self._read(one)
        known = self._known
        if one not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[one] = self._read(one)
        return known[one]

    def _read(self, one: Selected) -> _Cell | None:
        text = text_of(one)
        if not text or not (self._lists or self.rule.matches(text)):
            return None
        cut = self.rule.extract_group(text)
        text = self.rule.own_text(text)
        return text, cut if self._is_address else self._type.value(cut)


# The key of a list: the field that tells its rows apart.

_ORDER = (ValueKind.URL, ValueKind.TEXT)


def with_row_key(wrapper: Wrapper, pages: Sequence[Record | Misfit]) -> Wrapper:
    """The wrapper of a class of lists with a key for its rows; any other as it is.

    `pages` are what the wrapper finds in those that it was learnt from.
    """
    records = next((one for one in wrapper.record_sets if one.name == wrapper.rows), None)
    if records is None:
        return wrapper
    rows: list[dict[str, Any]] = []
    for found in pages:
        if isinstance(found, Record):
            value = found.values[records.name]
            rows += value if isinstance(value, list) else []
    keys = [field for field in records.fields if _tells_apart(field, rows)]
    keys.sort(key=lambda field: field.type.kind not in _ORDER)
    return replace(wrapper, key=tuple(field.name for field in keys[:1]))


def _tells_apart(field: Field, rows: Sequence[dict[str, Any]]) -> bool:
    if field.many or len(rows) < 2:
        return False
    values = [row.get(field.name) for row in rows]
    return None not in values and len(set(values)) == len(values)


# Foreign keys: the page class that the links of a field lead to.

LeadsTo: TypeAlias = Callable[[str], str | None]
"""The page class behind a URL; None where nobody knows."""


def with_references(
    wrapper: Wrapper, pages: Sequence[Record | Misfit], leads_to: LeadsTo
) -> Wrapper:
    """The wrapper with the classes that its links lead to in these pages."""
    settings = current().wrapper.fields
    found: dict[tuple[str, str], Counter[str | None]] = defaultdict(Counter)
    for record in pages[: settings.reference_pages]:
        if isinstance(record, Record):
            for place, url in _addresses(wrapper, record):
                found[place][leads_to(url)] += 1
    return replace(
        wrapper,
        fields=tuple(_referring(field, found["", field.name]) for field in wrapper.fields),
        record_sets=tuple(
            replace(
                records,
                fields=tuple(
                    _referring(field, found[records.name, field.name]) for field in records.fields
                ),
            )
            for records in wrapper.record_sets
        ),
    )


def _addresses(wrapper: Wrapper, record: Record) -> Iterator[tuple[tuple[str, str], str]]:
    yield from _of_fields("", wrapper.fields, record.values)
    for records in wrapper.record_sets:
        rows = record.values.get(records.name)
        for row in rows if isinstance(rows, list) else []:
            yield from _of_fields(records.name, records.fields, row)


def _of_fields(
    records: str, fields: Sequence[Field], values: Mapping[str, Any]
) -> Iterator[tuple[tuple[str, str], str]]:
    for field in fields:
        if field.type.kind is ValueKind.URL:
            value = values.get(field.name)
            for url in value if isinstance(value, list) else [value]:
                if isinstance(url, str):
                    yield (records, field.name), url


def _referring(field: Field, classes: Counter[str | None]) -> Field:
    """The field with the class that most of its links lead to."""
    settings = current().wrapper.fields
    known = {name: count for name, count in classes.items() if name is not None}
    if not known:
        return field
    best = max(known, key=lambda name: (known[name], name))
    return (
        replace(field, references=best)
        if known[best] >= settings.min_reference_share * classes.total()
        else field
    )
