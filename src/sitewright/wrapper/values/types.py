"""What the values of a column are: integers, decimals, dates, addresses, pictures or texts.

The type is inferred over all texts of a column and then reads each of them in one way only. It is
the reading that the most texts have; up to one text in ten may be odd, and has no value then, only
its text. Where texts can be read in two ways and the column does not decide, nothing is guessed:

- 06/05/2010 has its day first if some date of the column can only be read so, or if points stand
  between its numbers; its month first if some date can only be read so; else it is text. A time
  with AM or PM decides nothing: half of those who write it put the day first.
- A point or comma before exactly three digits groups them or marks decimals, as the rest of the
  column says. If it says nothing, commas group. A point is a decimal point, unless the currency is
  one that is written with commas, or other numbers of the column have no point (text, then).
- Numbers with leading zeros or more than 15 digits make a column text: they are identifiers.
- Different units make a column text, unless they are of one measure: 1.67 m is 167 in a column of
  centimetres. A bare year is an integer; beside dates it is a date.

Other packages add types with the entry point `sitewright.types`: a function from a text to a value,
or None. Such a type is that of a column if it reads as many texts as any other.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from sitewright.errors import BrokenPlugin
from sitewright.plugins import call_plugin, load_plugin, plugin_names
from sitewright.wrapper.values.dates import DAY_FIRST, MONTH_FIRST, is_dotted, read_date
from sitewright.wrapper.values.quantities import (
    COMMA_CURRENCIES,
    Number,
    UnitRole,
    converted,
    is_count_in_brackets,
    is_identifier,
    is_version,
    named_unit,
    read_number,
    same_measure,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sitewright.wrapper.values.dates import ReadDate
    from sitewright.wrapper.values.quantities import Unit


ReadValue = TypeVar("ReadValue")

LONGEST_ADDRESS = 8192
PLUGINS = "sitewright.types"
"""The group of entry points that add types."""
_DIGIT = re.compile("[0-9]")
_ORDERS = (DAY_FIRST, MONTH_FIRST)
_ADDRESS = re.compile(r"https?://[^\s/?#\\]+(?:[/?#]\S*)?", re.IGNORECASE)
_PLACEHOLDERS = frozenset(["-", "--", "---", "\u2013", "\u2014", "?", "n/a", "n.a.", "tba", "tbd"])
"""What is written where there is no value; it counts neither for nor against a type."""


class ValueKind(StrEnum):
    """The kinds of values."""

    INTEGER = "integer"
    DECIMAL = "decimal"
    DATE = "date"
    URL = "url"
    IMAGE = "image"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class FieldType:
    """How the texts of a column are read; the same text always gives the same value."""

    kind: ValueKind = ValueKind.TEXT
    unit: str = ""
    """Of all numbers of the column: a currency's ISO code, a unit, or what is counted."""
    decimal_mark: str = ""
    """Of numbers: "." or ","; the other of the two may stand between thousands."""
    day_order: str = ""
    """Of dates in numbers that end with the year: "dmy", "mdy", or "" where there are none."""
    plugin: str = ""
    """The plugin that reads the texts; `kind` is what its values are then."""

    def __post_init__(self) -> None:
        """Refuse what no column has: a file may say anything."""
        if self.decimal_mark not in {"", ".", ","}:
            raise ValueError(f"no decimal mark: {self.decimal_mark!r}")
        if self.day_order not in {"", DAY_FIRST, MONTH_FIRST}:
            raise ValueError(f"no order of days and months: {self.day_order!r}")

    @classmethod
    def of_url(cls, *, image: bool = False) -> FieldType:
        """The type of an attribute that holds the address of a page, or of a picture."""
        return cls(ValueKind.IMAGE if image else ValueKind.URL)

    def value(self, raw: str) -> int | float | str | None:
        """The value of a text; None if it is not of this type.

        Addresses must be absolute; a date is in ISO 8601, as exact as the text; a decimal that is
        written without decimals is an int.
        """
        if self.plugin:
            return _plugin_value(self, collapsed(raw))
        return _READERS[self.kind](self, collapsed(raw))

    def as_json(self) -> dict[str, str]:
        """Plain data: the kind, and what else is set."""
        return {name: str(value) for name, value in asdict(self).items() if value}


def infer_type(
    values: Sequence[str], *, max_odd_share: float = 0.1, min_counts: int = 3
) -> FieldType:
    """The type of a column, from all its texts; their order does not matter.

    For the options see `TypeSettings`. This module is part of generated spiders too, and cannot
    ask which settings are in force.
    """
    texts = Counter(map(collapsed, values))
    texts = Counter({text: count for text, count in texts.items() if not _is_missing(text)})
    enough = (1 - max_odd_share) * texts.total()
    best, most = FieldType(), 0
    for candidate in _candidates(texts, enough, min_counts):
        reads = _total(texts, candidate.value)
        if reads > most:
            best, most = candidate, reads
    return best if most and most >= enough else FieldType()


def raw_differs(raw: str | None, value: object) -> bool:
    """Whether the text of the page must stand beside the value, since it is not simply that."""
    text = collapsed(raw or "").lstrip(_MARKS_BEFORE)
    if not text or text == str(value):
        return False
    # What is counted is the unit of the column; the brackets say nothing.
    return value is None or not is_count_in_brackets(text, value)


_MARKS_BEFORE = " :\uff1a|\u00b7\u2022"
"""What ties a value to a label or a value before it: `<b>From</b>: Ada`."""


def collapsed(text: str) -> str:
    """A text with single spaces between its words."""
    return " ".join(text.split())


def _is_missing(text: str) -> bool:
    return not text or text.casefold() in _PLACEHOLDERS


def _total(texts: Counter[str], reads: Callable[[str], object]) -> int:
    """How many texts are read."""
    return sum(count for text, count in texts.items() if reads(text) is not None)


def _candidates(texts: Counter[str], enough: float, min_counts: int) -> Iterator[FieldType]:
    """The types that the column may have, the likelier first."""
    yield from map(_plugin_type, plugin_names(PLUGINS))
    urls = FieldType(ValueKind.URL)
    # Most columns are plain text, and this is the quickest way to see it.
    if _total(texts, _DIGIT.search) < enough:
        yield urls
        return
    for candidate in (_number_type(texts, min_counts), _date_type(texts)):
        if candidate:
            yield candidate
    yield urls


def _number_type(texts: Counter[str], min_counts: int) -> FieldType | None:
    """The best reading as numbers of one unit."""
    if any(map(is_identifier, texts)) or any(map(_is_release, texts)):
        return None
    readings = {mark: _read(texts, partial(read_number, mark=mark)) for mark in ".,"}
    mark = _decimal_mark(texts, readings["."], readings[","])
    numbers = readings.get(mark)
    if not numbers:
        return None
    units: Counter[Unit] = Counter()
    for text, number in numbers.items():
        units[number.unit] += texts[text]
    unit = max(units, key=lambda unit: (units[unit], unit.name))
    column = [number for number in numbers.values() if _is_of_unit(number.unit, unit)]
    if unit.role is UnitRole.COUNT and not _is_count(column, min_counts):
        return None
    return FieldType(_number_kind(unit, column), unit.name, mark)


def _is_release(text: str) -> bool:
    """Whether a text is a version and no date: 1.2.2010 is a day."""
    return is_version(text) and read_date(text, DAY_FIRST) is None


def _is_of_unit(own: Unit, column: Unit) -> bool:
    """Whether a number with a unit may stand in a column of another."""
    return (
        own.key == column.key or same_measure(own.name, column.name) or own.counts_the_same(column)
    )


def _number_kind(unit: Unit, numbers: Iterable[Number]) -> ValueKind:
    """Amounts and measures are decimals even if none has decimals yet: the next page may."""
    if unit.role in {UnitRole.MONEY, UnitRole.MEASURE}:
        return ValueKind.DECIMAL
    whole = all(isinstance(number.value, int) for number in numbers)
    return ValueKind.INTEGER if whole else ValueKind.DECIMAL


def _is_count(numbers: Iterable[Number], min_counts: int) -> bool:
    values = {number.value for number in numbers}
    whole = all(isinstance(value, int) and value >= 0 for value in values)
    return whole and len(values) >= min_counts


def _decimal_mark(texts: Counter[str], point: dict[str, Number], comma: dict[str, Number]) -> str:
    """The decimal mark of the column, from its numbers in both readings; empty: undecided."""
    by_point, by_comma = (sum(texts[text] for text in numbers) for numbers in (point, comma))
    if by_point != by_comma:
        return "." if by_point > by_comma else ","
    both = point.keys() & comma.keys()
    open_to_both = [text for text in both if point[text].value != comma[text].value]
    if any("," in text for text in open_to_both):
        return "" if any("." in text for text in open_to_both) else "."
    if both and all(point[text].unit.name in COMMA_CURRENCIES for text in both):
        return ","
    return "." if len(open_to_both) in {0, len(both)} else ""


def _date_type(texts: Counter[str]) -> FieldType | None:
    """The best reading as dates; without one that can be nothing else, there is none."""
    plain = _read(texts, partial(read_date, order=""))
    rest = Counter({text: count for text, count in texts.items() if text not in plain})
    readings = {order: _read(rest, partial(read_date, order=order)) for order in _ORDERS}
    order = _day_order(rest, readings[DAY_FIRST], readings[MONTH_FIRST])
    dates = [*plain.values(), *readings.get(order, {}).values()]
    if all(found.is_doubtful for found in dates):
        return None
    return FieldType(ValueKind.DATE, day_order=order)


def _day_order(
    texts: Counter[str], day_first: dict[str, ReadDate], month_first: dict[str, ReadDate]
) -> str:
    """Where the day stands, from the dates in both readings; empty if nothing says it."""
    days, months = (sum(texts[text] for text in dates) for dates in (day_first, month_first))
    if days != months:
        return DAY_FIRST if days > months else MONTH_FIRST
    if not day_first:
        return ""
    return DAY_FIRST if day_first == month_first or all(map(is_dotted, day_first)) else ""


def _read(texts: Iterable[str], reader: Callable[[str], ReadValue | None]) -> dict[str, ReadValue]:
    """What each text reads as, without those that do not."""
    return {text: found for text in texts if (found := reader(text)) is not None}


def _number_value(column: FieldType, text: str) -> int | float | None:
    number = read_number(text, column.decimal_mark or ".")
    unit = named_unit(column.unit)
    if number is None or not _is_of_unit(number.unit, unit):
        return None
    if number.unit.key != unit.key and unit.role is not UnitRole.COUNT:
        return converted(number.value, number.unit.name, unit.name)
    if column.kind is ValueKind.INTEGER and not isinstance(number.value, int):
        return None
    return number.value


def _date_value(column: FieldType, text: str) -> str | None:
    found = read_date(text, column.day_order)
    return found.iso if found else None


def _address_value(_column: FieldType, text: str) -> str | None:
    return text if len(text) <= LONGEST_ADDRESS and _ADDRESS.fullmatch(text) else None


def _text_value(_column: FieldType, text: str) -> str | None:
    return text or None


_VALUES: dict[ValueKind, tuple[type[int | float | str], ...]] = {
    ValueKind.INTEGER: (int,),
    ValueKind.DECIMAL: (int, float),
}
"""What a plugin's values must be; those of all other kinds are texts."""


def _plugin_type(name: str) -> FieldType:
    """The type that a plugin adds; its function may say with `kind` what the values are."""
    kind = getattr(load_plugin(PLUGINS, name), "kind", ValueKind.TEXT)
    if kind not in {ValueKind.INTEGER, ValueKind.DECIMAL, ValueKind.DATE, ValueKind.TEXT}:
        raise BrokenPlugin(PLUGINS, name, f"kind is {kind!r}, not integer, decimal, date or text")
    return FieldType(ValueKind(kind), plugin=name)


def _plugin_value(column: FieldType, text: str) -> int | float | str | None:
    if not text:
        return None
    value: int | float | str | None = call_plugin(PLUGINS, column.plugin, text)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, _VALUES.get(column.kind, (str,))):
        why = f"returned {value!r:.60}, which is no {column.kind}"
        raise BrokenPlugin(PLUGINS, column.plugin, why)
    return value


_READERS: dict[ValueKind, Callable[[FieldType, str], int | float | str | None]] = {
    ValueKind.INTEGER: _number_value,
    ValueKind.DECIMAL: _number_value,
    ValueKind.DATE: _date_value,
    ValueKind.URL: _address_value,
    ValueKind.IMAGE: _address_value,
    ValueKind.TEXT: _text_value,
}
