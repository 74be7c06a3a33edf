"""Numbers as pages write them: "$61,550", "1.234,56 €", "188 cm", "63%", "12 reviews".

A text is a number only as a whole, and never if it is an identifier: leading zeros, more digits
than a float keeps, a plus sign before a phone number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from sitewright.wrapper.values.dates import MONTHS

# Currencies and units that stand beside a number, by the ways they are written.
#
# A unit only says what a number counts. Where a column has several units of one measure (188 cm and
# 1.67 m), its numbers are in the commonest one: only units that differ by a fixed factor. Where a
# sign belongs to several currencies and none is meant by default ("¥", "kr", "Rs"), the sign itself
# is the unit.

_CODES = """
    AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HRK HUF IDR ILS INR ISK JPY KES
    KRW MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH USD
    VND ZAR
""".split()
_SIGNS = {
    "$": "USD", "US$": "USD", "US $": "USD", "C$": "CAD", "CA$": "CAD", "CDN$": "CAD",
    "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "NT$": "TWD", "MX$": "MXN",
    "R$": "BRL", "€": "EUR", "Euro": "EUR", "euro": "EUR", "Euros": "EUR", "euros": "EUR",
    "£": "GBP", "¥": "¥", "￥": "¥", "CN¥": "CNY", "JP¥": "JPY", "₹": "INR", "Rs": "Rs",
    "Rs.": "Rs", "₽": "RUB", "₩": "KRW", "₺": "TRY", "₴": "UAH", "₪": "ILS", "฿": "THB", "₫": "VND",
    "₱": "PHP", "₦": "NGN", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "kr": "kr", "kr.": "kr",
    "Fr.": "CHF", "SFr.": "CHF", "円": "JPY", "元": "CNY", "원": "KRW",
}  # fmt: skip
_CURRENCIES = {code: code for code in _CODES} | _SIGNS
COMMA_CURRENCIES = frozenset({"EUR", "BRL", "CZK", "DKK", "HUF", "NOK", "PLN", "RUB", "TRY", "kr"})
"""Where money is mostly written with a decimal comma, and points between thousands."""

_WRITTEN = """
    % percent | ‰ | ° | °C | °F | mm | cm | m | km | in inch inches | ft foot feet | yd yards |
    mi mile miles | m² sqm | km² | m³ | ft² sqft sq_ft sq._ft | ha | acre acres |
    mg | g gr gram grams | kg kgs kilo kilos kilogram kilograms | t | oz ounce ounces |
    lb lbs pound pounds | ml | cl | l L liter liters litre litres | fl_oz fl._oz | gal gallons |
    ms | s sec secs second seconds 秒 초 | min mins minute minutes 分 分間 分钟 分鐘 분 |
    h hr hrs hour hours 時間 小时 小時 시간 | star stars |
    km/h kmh kph | mph | mpg | cc | hp bhp | PS | W watt watts | kW | kWh | mAh | V volt volts |
    Nm | rpm | Hz | kHz | MHz | GHz | kB | MB | GB | TB | KiB | MiB | GiB | kbps | Mbps |
    px pixel pixels | MP megapixels | dpi | ppi | kcal | kJ | dB | bar | psi |
    /5 | /10 | /20 | /100
"""
_GROUPS = [group.split() for group in _WRITTEN.split("|")]
_EXACT = {name.replace("_", " "): group[0] for group in _GROUPS for name in group}
# "KG" and "Lbs" are units too; a single letter in the other case is another unit, or none.
_FOLDED = {name.casefold(): unit for name, unit in _EXACT.items() if len(name) > 1}
_SIZES = {
    "length": {"mm": 1, "cm": 10, "m": 1_000, "km": 1_000_000},
    "mass": {"mg": 1, "g": 1_000, "kg": 1_000_000, "t": 1_000_000_000},
    "volume": {"ml": 1, "cl": 10, "l": 1_000},
    "time": {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000},
    "frequency": {"Hz": 1, "kHz": 1_000, "MHz": 1_000_000, "GHz": 1_000_000_000},
    "power": {"W": 1, "kW": 1_000},
}
"""What units of one measure are of the smallest of them."""
_MEASURES = {unit: (name, size) for name, sizes in _SIZES.items() for unit, size in sizes.items()}
_KEPT_DIGITS = 12
_NO_COUNT = frozenset(
    """
    k m b mio mln mn mrd bn tsd thousand million millions billion billions
    am pm st nd rd th bc ad ce bce uhr to of and
    """.split()
)
"""Words behind a number that are not what it counts; of a magnitude, the number is only a part."""
_WORD = re.compile(r"[^\W\d_]{2,20}")
_COUNTERS = frozenset(
    "人 名 個 个 件 冊 册 本 枚 台 回 点 點 歳 歲 岁 頁 页 匹 杯 票 "
    "명 개 권 회 점 세 살 건 편".split()
)
"""Single characters that stand behind a number of things, in Chinese, Japanese and Korean."""


class UnitRole(Enum):
    """What a unit does with the number beside it."""

    NONE = "none"
    MONEY = "money"
    MEASURE = "measure"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class Unit:
    """What stands beside a number."""

    name: str
    role: UnitRole

    @property
    def key(self) -> str:
        """The same for "review" and "reviews", "reply" and "replies"."""
        if self.role is not UnitRole.COUNT:
            return self.name
        if self.name.endswith("ies"):
            return self.name[:-3] + "y"
        return self.name.removesuffix("s")

    def counts_the_same(self, other: Unit) -> bool:
        """Whether both are forms of one word: "Bewertung" and "Bewertungen"."""
        if self.role is not UnitRole.COUNT or other.role is not UnitRole.COUNT:
            return False
        pairs = zip(self.name, other.name, strict=False)
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        return common >= max(_LEAST_STEM, _STEM_SHARE * max(len(self.name), len(other.name)))


_LEAST_STEM = 4
_STEM_SHARE = 0.7
"""Letters that two forms of a word begin with, at least, and as a share of the longer one."""
NO_UNIT = Unit("", UnitRole.NONE)


def same_measure(one: str, other: str) -> bool:
    """Whether the units differ by a fixed factor: "m" and "cm"."""
    return one == other or (
        one in _MEASURES and other in _MEASURES and _MEASURES[one][0] == _MEASURES[other][0]
    )


def converted(value: float, unit: str, wanted: str) -> int | float:
    """A number in another unit of the same measure.

    >>> converted(1.67, "m", "cm")
    167
    """
    if unit == wanted:
        return value
    amount = float(f"{value * _MEASURES[unit][1] / _MEASURES[wanted][1]:.{_KEPT_DIGITS}g}")
    return int(amount) if amount.is_integer() else amount


def currency(written: str) -> Unit | None:
    """The currency that a sign or code means."""
    name = _CURRENCIES.get(written)
    return Unit(name, UnitRole.MONEY) if name else None


def measure(written: str) -> Unit | None:
    """The unit of measurement that is written."""
    plain = written if written in _EXACT else written.removesuffix(".")
    name = _EXACT.get(plain) or _FOLDED.get(plain.casefold())
    return Unit(name, UnitRole.MEASURE) if name else None


def counted(written: str) -> Unit | None:
    """What is counted, if one plain word says it: "reviews" in "12 reviews"."""
    word = written.casefold()
    if word in _COUNTERS:
        return Unit(word, UnitRole.COUNT)
    if not _WORD.fullmatch(word) or word in _NO_COUNT or word in MONTHS:
        return None
    return Unit(word, UnitRole.COUNT)


def named_unit(name: str) -> Unit:
    """The unit of a column, by the name that was kept of it."""
    return (name and (currency(name) or measure(name) or counted(name))) or NO_UNIT


LONGEST = 64
"""A longer text is no number."""
MOST_DIGITS = 15
"""As many as every float keeps."""
_MOST_BEHIND_PLUS = 6
_SHAPE = re.compile(
    r"(?P<sign>[+\-\u2212]?)(?P<before>[^0-9+\-\u2212]{0,8}?)(?P<inner>[+\-\u2212]?)"
    r"(?P<digits>\.?[0-9](?:[0-9.,'\u2019 ]*[0-9])?)(?P<space> ?)(?P<behind>[^0-9]{0,24})"
)
_SPACED = r"[1-9][0-9]{0,2}(?P<gap>[ '\u2019])[0-9]{3}(?:(?P=gap)[0-9]{3})*"
# The last but one form behind a comma is India's: 12,34,567.
_DIGITS = {
    ".": re.compile(
        r"(?:0|[1-9][0-9]*|[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}"
        rf"|{_SPACED})?(?:\.(?P<decimals>[0-9]+))?"
    ),
    ",": re.compile(
        r"(?:0|[1-9][0-9]*|[1-9][0-9]{0,2}(?:\.[0-9]{3})+"
        rf"|{_SPACED})(?:,(?P<decimals>[0-9]+))?"
    ),
}
"""How digits are grouped, by decimal mark."""
_IDENTIFIER = re.compile(r"0[0-9]+|[0-9]{16,}")
_NO_DIGIT = re.compile(r"[^0-9]+")


@dataclass(frozen=True, slots=True)
class Number:
    """A number that was read, and what stands beside it; without decimals it is an int."""

    value: int | float
    unit: Unit


def is_identifier(text: str) -> bool:
    """Whether digits name something rather than count it: no number may take their place."""
    return _IDENTIFIER.fullmatch(text) is not None


# Forms that are numbers as a whole: "8.1/10", "4 out of 5 stars", "1 h 30 min", "$3 million".

_RATING = re.compile(
    r"(?P<value>[0-9]{1,3}(?:[.,][0-9]{1,2})?) ?(?:/|out of|von|sur|sobre|su) ?"
    r"(?P<most>5|10|20|100)"
    r"(?: ?(?:stars?|points?|sterne[n]?|punkten?|étoiles|estrellas|stelle))?",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"(?:(?P<hours>[0-9]{1,4}) ?(?:h|hrs?\.?|hours?|std\.?|stunden?|heures?)[, ]*(?:and |und )?)?"
    r"(?:(?P<minutes>[0-9]{1,5}) ?(?:m|mins?\.?|minutes?|minuten)[, ]*(?:and |und )?)?"
    r"(?:(?P<seconds>[0-9]{1,5}) ?(?:s|secs?\.?|seconds?|sekunden?))?",
    re.IGNORECASE,
)
_ISO_DURATION = re.compile(
    r"P(?:(?P<days>[0-9]{1,4})D)?T(?:(?P<hours>[0-9]{1,4})H)?(?:(?P<minutes>[0-9]{1,5})M)?"
    r"(?:(?P<seconds>[0-9]{1,6})(?:\.0+)?S)?"
)
_MAGNITUDES = {
    "k": 10**3, "tsd": 10**3, "tsd.": 10**3, "thousand": 10**3,
    "m": 10**6, "mio": 10**6, "mio.": 10**6, "mln": 10**6, "mn": 10**6, "million": 10**6,
    "millions": 10**6, "millionen": 10**6, "b": 10**9, "bn": 10**9, "mrd": 10**9, "mrd.": 10**9,
    "billion": 10**9, "billions": 10**9, "milliarden": 10**9,
}  # fmt: skip
_MAGNIFIED = re.compile(
    r"(?P<number>.*[0-9]) ?(?P<magnitude>[A-Za-z]{1,9}\.?)(?P<rest>(?: .{1,24}|[€£¥%+]))?"
)
_SINGLE_LETTERS = frozenset("kmb")


def _rating(text: str) -> Number | None:
    found = _RATING.fullmatch(text)
    if found is None:
        return None
    value, most = float(found["value"].replace(",", ".")), int(found["most"])
    whole = int(value) if value.is_integer() and found["value"].isdigit() else value
    return Number(whole, Unit(f"/{most}", UnitRole.MEASURE)) if value <= most else None


def _duration(text: str) -> Number | None:
    """A time span of several units, in the smallest that it names."""
    found = _DURATION.fullmatch(text)
    if found is not None and sum(part is not None for part in found.groups()) < _FEWEST_PARTS:
        return None  # one unit is a measure like any other
    found = found or _ISO_DURATION.fullmatch(text)
    if found is None:
        return None
    parts = {name: int(part) for name, part in found.groupdict().items() if part is not None}
    if not parts:
        return None
    minutes = 60 * (24 * parts.get("days", 0) + parts.get("hours", 0)) + parts.get("minutes", 0)
    if parts.get("seconds"):
        return Number(60 * minutes + parts["seconds"], Unit("s", UnitRole.MEASURE))
    return Number(minutes, Unit("min", UnitRole.MEASURE))


_FEWEST_PARTS = 2


def _magnified(text: str, mark: str) -> Number | None:
    """A number of thousands, millions or billions, if that is what a letter behind it means."""
    found = _MAGNIFIED.fullmatch(text)
    size = _MAGNITUDES.get(found["magnitude"].casefold()) if found is not None else None
    if found is None or size is None:
        return None
    plain = _plain_number(f"{found['number']}{found['rest'] or ''}", mark)
    letter = found["magnitude"]
    if plain is None or plain.unit.role is UnitRole.MEASURE:
        return None
    # "5 m" is a length and "4K" a picture: a letter needs a currency, a fraction or a word behind.
    is_said = plain.unit.role is not UnitRole.NONE or isinstance(plain.value, float)
    if letter.casefold() in _SINGLE_LETTERS and letter != "k" and not is_said:
        return None
    if letter == "m" and plain.unit.role is not UnitRole.MONEY:
        return None
    value = float(f"{plain.value * size:.{MOST_DIGITS}g}")
    return Number(int(value) if value.is_integer() else value, plain.unit)


def read_number(text: str, mark: str) -> Number | None:
    """Read a whole text as a number with decimals behind the mark, "." or ","."""
    if len(text) > LONGEST:
        return None
    return (
        _plain_number(text, mark)
        or _rating(text)
        or _duration(text)
        or _magnified(text, mark)
        or _counted_in_brackets(text, mark)
    )


def _counted_in_brackets(text: str, mark: str) -> Number | None:
    """What stands behind a rating: "(233 reviews)"; a bare "(233)" may be negative."""
    if not (text.startswith("(") and text.endswith(")")):
        return None
    found = _plain_number(text[1:-1].strip(), mark)
    return found if found is not None and found.unit.role is UnitRole.COUNT else None


def is_count_in_brackets(text: str, value: object) -> bool:
    """Whether a text says a count, its word and brackets and nothing else: "(233 reviews)"."""
    readings = (_counted_in_brackets(text, mark) for mark in _DIGITS)
    return any(found is not None and found.value == value for found in readings)


def is_version(text: str) -> bool:
    """Whether a text is a number of a release: no number, since 1.10 comes behind 1.9."""
    return _VERSION.fullmatch(text) is not None


_VERSION = re.compile(
    r"v\.? ?[0-9]+(?:\.[0-9]+)*\S{0,12}|[0-9]+\.[0-9]{1,2}\.[0-9]\S{0,16}", re.IGNORECASE
)


def _plain_number(text: str, mark: str) -> Number | None:
    shape = _SHAPE.fullmatch(text)
    unit = _unit(shape) if shape is not None else None
    if shape is None or unit is None:
        return None
    digits = _DIGITS[mark].fullmatch(shape["digits"])
    sign = shape["sign"] + shape["inner"]
    if digits is None or not _is_number(digits, sign, unit):
        return None
    value = _value(digits)
    return Number(-value if sign in {"-", "\u2212"} else value, unit)


def _unit(shape: re.Match[str]) -> Unit | None:
    """What stands beside the digits, if it may stand there."""
    before, behind = shape["before"].strip(), shape["behind"].strip()
    if before:
        # "Rs.500" is not half a rupee.
        torn = shape["digits"].startswith(".") and before[-1].isalpha()
        return None if torn else _money(before, behind)
    if not behind:
        return NO_UNIT
    is_apart = shape["space"] or behind in _COUNTERS
    return currency(behind) or measure(behind) or (counted(behind) if is_apart else None)


def _money(before: str, behind: str) -> Unit | None:
    """The currency around an amount; of "$5 CAD", the code says which dollar it is."""
    first, second = currency(before), currency(behind) if behind else None
    if not behind or first == second:
        return first
    return second if before == "$" else None


def _is_number(digits: re.Match[str], sign: str, unit: Unit) -> bool:
    size = len(_NO_DIGIT.sub("", digits[0]))
    if len(sign) > 1 or size > MOST_DIGITS or (sign == "+" and size > _MOST_BEHIND_PLUS):
        return False
    # Digits in groups, with nothing beside them, are often numbers of persons, firms and phones.
    return digits["gap"] != " " or unit is not NO_UNIT or digits["decimals"] is not None


def _value(digits: re.Match[str]) -> int | float:
    decimals = digits["decimals"]
    if decimals is None:
        return int(_NO_DIGIT.sub("", digits[0]))
    whole = _NO_DIGIT.sub("", digits[0][: -len(decimals)])
    return float(f"{whole or 0}.{decimals}")
