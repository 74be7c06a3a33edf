"""Dates as pages write them, in numbers or with the month's name in five languages.

"2010-06-25 00:12:45", "28/05/2009", "8 July 2010", "July 8th, 2010", "8. Juli 2010",
"1er juillet 2010", "8 de julio de 2010", "May 2010". What is read is ISO 8601, as exact as the
page is: a month without a day stays a month. Two-digit years are not read: the century would be
invented, and so would the zone of a time that names none.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date

LONGEST = 64
"""A longer text is no date."""
DAY_FIRST = "dmy"
MONTH_FIRST = "mdy"
_YEARS = range(1000, 3000)
_NAMES = """
    jan january januar janner janvier janv enero ene gennaio gen
    feb february februar fevrier fev fevr febrero febbraio
    mar march marz maerz mrz mars marzo
    apr april avril avr abril abr aprile
    may mai mayo maggio mag
    jun june juni juin junio giugno giu
    jul july juli juillet juil julio luglio lug
    aug august aout agosto ago
    sep sept september septembre septiembre setiembre settembre set
    oct october okt oktober octobre octubre ottobre ott
    nov november novembre noviembre
    dec december dez dezember decembre diciembre dic dicembre
"""
MONTHS = {
    name: number
    for number, names in enumerate(_NAMES.strip().splitlines(), 1)
    for name in names.split()
}
"""The number of a month by its name, in small letters and without accents."""
_WEEKDAYS = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday
    mon tue tues wed thu thur thurs fri sat sun
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so
    lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim
    lunes martes miercoles jueves viernes sabado domingo mie jue vie sab dom
    lunedi martedi mercoledi giovedi venerdi domenica gio
    """.split()
)
_FILLERS = frozenset("of the de del den der le il el".split())
_TIME = re.compile(
    r"(?:T|,? (?:at |um |à |@ ?|- )?)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:(?P<fraction>\.[0-9]{1,6})[0-9]{0,3})?)?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?(?: Uhr)?"
    r"(?: ?(?P<zone>Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}))?$"
)
_TRIPLE = re.compile(r"([0-9]{1,4}) ?([/.-]) ?([0-9]{1,2}) ?\2 ?([0-9]{1,4})")
_MONTH_OF_YEAR = re.compile(r"([0-9]{1,2})/([0-9]{4})")
_BARE = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?")
_SEPARATORS = re.compile(r"[ ,./-]+")
_DAY = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|er|º|ª)?")
_YEAR = re.compile(r"[0-9]{4}")


@dataclass(frozen=True, slots=True)
class ReadDate:
    """A date in ISO 8601."""

    iso: str
    is_doubtful: bool = False
    """A bare year could be any number, and 2010-11 a season: only beside dates are they dates."""


def read_date(text: str, order: str) -> ReadDate | None:
    """Read a whole text as a date.

    The order says where the day stands in dates such as 06/05/2010; without one, only dates that
    begin with the year or name the month are read.
    """
    if len(text) > LONGEST:
        return None
    time = _TIME.search(text)
    day = _day(text[: time.start()] if time else text, order)
    if day is None or time is None:
        return day
    clock = _clock(time)
    if clock is None or day.is_doubtful or len(day.iso) < len("2010-06-25"):
        return None
    return ReadDate(f"{day.iso}T{clock}")


def is_dotted(text: str) -> bool:
    """Whether a date in numbers has points between them, which stand behind the day first."""
    triple = _TRIPLE.match(text)
    return triple is not None and triple[2] == "."


def _day(text: str, order: str) -> ReadDate | None:
    """A date without its time, and without its day of the week."""
    found = _bare_day(text, order)
    weekday, _, rest = text.partition(" ")
    if found or _plain(weekday.rstrip(".,")) not in _WEEKDAYS:
        return found
    found = _bare_day(rest, order)
    return found if found and not found.is_doubtful else None


def _bare_day(text: str, order: str) -> ReadDate | None:
    if triple := _TRIPLE.fullmatch(text):
        return _in_numbers(triple[1], triple[3], triple[4], order)
    if month := _MONTH_OF_YEAR.fullmatch(text):
        return _iso(int(month[2]), int(month[1]))
    if bare := _BARE.fullmatch(text):
        found = _iso(int(bare[1]), int(bare[2] or 1))
        return found and ReadDate(text, is_doubtful=True)
    return _in_words(text)


def _in_numbers(first: str, second: str, third: str, order: str) -> ReadDate | None:
    if len(first) == 4 and len(third) <= 2:
        return _iso(int(first), int(second), int(third))
    if len(first) > 2 or len(third) != 4:
        return None
    if order == DAY_FIRST:
        return _iso(int(third), int(second), int(first))
    return _iso(int(third), int(first), int(second)) if order == MONTH_FIRST else None


def _in_words(text: str) -> ReadDate | None:
    words = [_plain(word) for word in _SEPARATORS.split(text)]
    words = [word for word in words if word and word not in _FILLERS]
    match words:
        case [day, month, year] if month in MONTHS:
            return _named(year, month, day)
        case [month, day, year] if month in MONTHS:
            return _named(year, month, day)
        case [month, year] if month in MONTHS:
            return _named(year, month, None)
    return None


def _named(year: str, month: str, day: str | None) -> ReadDate | None:
    if not _YEAR.fullmatch(year):
        return None
    if day is None:
        return _iso(int(year), MONTHS[month])
    number = _DAY.fullmatch(day)
    return _iso(int(year), MONTHS[month], int(number[1])) if number else None


def _iso(year: int, month: int, day: int | None = None) -> ReadDate | None:
    """The date, if the calendar has it."""
    if year not in _YEARS:
        return None
    try:
        iso = date(year, month, day or 1).isoformat()
    except ValueError:
        return None
    return ReadDate(iso if day is not None else iso[:7])


def _clock(time: re.Match[str]) -> str | None:
    """The time of day, with seconds and zone where the page has them."""
    hour, minute, second = int(time["hour"]), int(time["minute"]), int(time["second"] or 0)
    if time["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if time["half"] in "Pp" else 0)
    zone = _zone(time["zone"] or "")
    if hour > 23 or minute > 59 or second > 59 or zone is None:
        return None
    seconds = f":{second:02}{time['fraction'] or ''}" if time["second"] else ""
    return f"{hour:02}:{minute:02}{seconds}{zone}"


def _zone(written: str) -> str | None:
    if written in {"Z", "UTC", "GMT"}:
        return "Z"
    if not written:
        return ""
    hours, minutes = written[1:3], written[-2:]
    return f"{written[0]}{hours}:{minutes}" if int(hours) < 15 and int(minutes) < 60 else None


def _plain(word: str) -> str:
    """In small letters and without accents: "März" is "marz"."""
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c))
