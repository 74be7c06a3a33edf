"""Currencies and units that stand beside a number, by the ways they are written.

A unit only says what a number counts; nothing is ever converted. Where a sign belongs to several
currencies and none is meant by default ("¥", "kr", "Rs"), the sign itself is the unit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from sitewright.wrapper.types_dates import MONTHS

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
    "Fr.": "CHF", "SFr.": "CHF",
}  # fmt: skip
_CURRENCIES = {code: code for code in _CODES} | _SIGNS
COMMA_CURRENCIES = frozenset({"EUR", "BRL", "CZK", "DKK", "HUF", "NOK", "PLN", "RUB", "TRY", "kr"})
"""Where money is mostly written with a decimal comma, and points between thousands."""

_WRITTEN = """
    % percent | ‰ | ° | °C | °F | mm | cm | m | km | in inch inches | ft foot feet | yd yards |
    mi mile miles | m² sqm | km² | m³ | ft² sqft sq_ft sq._ft | ha | acre acres |
    mg | g gr gram grams | kg kgs kilo kilos kilogram kilograms | t | oz ounce ounces |
    lb lbs pound pounds | ml | cl | l L liter liters litre litres | fl_oz fl._oz | gal gallons |
    ms | s sec secs second seconds | min mins minute minutes | h hr hrs hour hours |
    km/h kmh kph | mph | mpg | cc | hp bhp | PS | W watt watts | kW | kWh | mAh | V volt volts |
    Nm | rpm | Hz | kHz | MHz | GHz | kB | MB | GB | TB | KiB | MiB | GiB | kbps | Mbps |
    px pixel pixels | MP megapixels | dpi | ppi | kcal | kJ | dB | bar | psi
"""
_GROUPS = [group.split() for group in _WRITTEN.split("|")]
_EXACT = {name.replace("_", " "): group[0] for group in _GROUPS for name in group}
# "KG" and "Lbs" are units too; a single letter in the other case is another unit, or none.
_FOLDED = {name.casefold(): unit for name, unit in _EXACT.items() if len(name) > 1}
_NO_COUNT = frozenset(
    """
    k m b mio mln mn mrd bn tsd thousand million millions billion billions
    am pm st nd rd th bc ad ce bce uhr to of and
    """.split()
)
"""Words behind a number that are not what it counts; of a magnitude, the number is only a part."""
_WORD = re.compile(r"[^\W\d_]{2,20}")


class Role(Enum):
    """What a unit does with the number beside it."""

    NONE = "none"
    MONEY = "money"
    MEASURE = "measure"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class Unit:
    """What stands beside a number."""

    name: str
    role: Role

    @property
    def key(self) -> str:
        """The same for "review" and "reviews", "reply" and "replies"."""
        if self.role is not Role.COUNT:
            return self.name
        if self.name.endswith("ies"):
            return self.name[:-3] + "y"
        return self.name.removesuffix("s")


NO_UNIT = Unit("", Role.NONE)


def currency(written: str) -> Unit | None:
    """The currency that a sign or code means."""
    name = _CURRENCIES.get(written)
    return Unit(name, Role.MONEY) if name else None


def measure(written: str) -> Unit | None:
    """The unit of measurement that is written."""
    plain = written if written in _EXACT else written.removesuffix(".")
    name = _EXACT.get(plain) or _FOLDED.get(plain.casefold())
    return Unit(name, Role.MEASURE) if name else None


def counted(written: str) -> Unit | None:
    """What is counted, if one plain word says it: "reviews" in "12 reviews"."""
    word = written.casefold()
    if not _WORD.fullmatch(word) or word in _NO_COUNT or word in MONTHS:
        return None
    return Unit(word, Role.COUNT)


def named_unit(name: str) -> Unit:
    """The unit of a column, by the name that was kept of it."""
    return (name and (currency(name) or measure(name) or counted(name))) or NO_UNIT
