"""Print the names of months and weekdays that `wrapper/values/dates.py` knows, from Babel's data.

::

    pip install babel
    python docs/make_months.py

Babel is 34 MB, so its names are in the source. Names that stand for two months in two languages
(`listopad` is November in Polish and October in Croatian) are left out, and so are names of several
words. Thai and Persian are not there: their years are those of another calendar.
"""

from __future__ import annotations

import textwrap
from collections import defaultdict

from babel.dates import get_day_names, get_month_names

from sitewright.wrapper.values.dates import plain_word

LANGUAGES = """
    en de fr es it pt ca gl ro nl sv da nb fi et lv lt pl cs sk sl hr sr_Latn sr bg ru uk hu el tr
    id ms he ar
""".split()
MORE = {1: "janner", 3: "maerz mrz", 9: "setiembre set"}
MORE_WEEKDAYS = "tues thur thurs sonnabend"
"""Spellings that CLDR does not have."""
HEBREW_IN = "\u05d1"
"""What stands before the name of a month in a date, as a part of the word."""


def names(get: object) -> dict[int, set[str]]:
    """The names of each month or weekday, as `plain_word` writes them."""
    assert callable(get)  # noqa: S101 - for the type checker
    found: dict[str, set[int]] = defaultdict(set)
    for language in LANGUAGES:
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in get(width, context, language).items():
                    found[plain_word(name.rstrip("."))].add(number)
                    if language == "he":
                        found[HEBREW_IN + plain_word(name)].add(number)
    numbers: dict[int, set[str]] = defaultdict(set)
    for name, meant in found.items():
        if len(meant) == 1 and len(name) > 1 and name.replace("-", "").isalpha():
            numbers[meant.pop()].add(name)
    return numbers


def main() -> None:
    """Print both tables."""
    months = names(get_month_names)
    for number, words in MORE.items():
        months[number] |= set(words.split())
    weekdays = {word for words in names(get_day_names).values() for word in words}
    weekdays |= set(MORE_WEEKDAYS.split())
    lines = [f"{number} " + " ".join(sorted(months[number])) for number in range(1, 13)]
    for line in (*lines, "", " ".join(sorted(weekdays))):
        print(textwrap.fill(line, 92, break_on_hyphens=False))


if __name__ == "__main__":
    main()
