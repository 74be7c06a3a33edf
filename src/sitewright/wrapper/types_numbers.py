"""Numbers as pages write them: "$61,550", "1.234,56 €", "188 cm", "63%", "12 reviews".

A text is a number only as a whole, and never if it is an identifier: leading zeros, more digits
than a float keeps, a plus sign before a phone number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sitewright.wrapper.types_units import NO_UNIT, Unit, counted, currency, measure

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


def read_number(text: str, mark: str) -> Number | None:
    """Read a whole text as a number with decimals behind the mark, "." or ","."""
    shape = _SHAPE.fullmatch(text) if len(text) <= LONGEST else None
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
    return currency(behind) or measure(behind) or (counted(behind) if shape["space"] else None)


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
