"""Print the names of countries that `wrapper/values/places.py` knows, from Babel's data.

::

    pip install babel
    python docs/make_countries.py

Each country has its English name and those in its own languages, as far as they are written in
Latin, Greek or Cyrillic letters, Arabic or Hebrew. Babel is 34 MB, so the names are in the source.
"""

from __future__ import annotations

import re
import textwrap

from babel import Locale
from babel.core import get_global
from babel.localedata import exists

MORE = """
    uk|usa|england|scotland|wales|northern ireland|holland|united states of america
    |north korea|south korea
"""
NO_COUNTRY = {"EU", "EZ", "UN", "ZZ", "QO", "XA", "XB", "AQ", "CP", "DG", "EA", "IC", "TA", "AC"}
LEAST_SHARE = 10
"""The share of the people of a country, in percent, that speak a language of it."""


def main() -> None:
    """Print the names as they stand in the module."""
    english = Locale("en").territories
    found = {" ".join(name.split()) for name in MORE.split("|")}
    for code, name in english.items():
        if not re.fullmatch(r"[A-Z]{2}", code) or code in NO_COUNTRY:
            continue
        found.add(name)
        spoken = get_global("territory_languages").get(code, {})
        for language, facts in spoken.items():
            own = language.partition("_")[0]
            is_main = facts.get("official_status") or facts["population_percent"] >= LEAST_SHARE
            if is_main and exists(own) and code in Locale(own).territories:
                found.add(Locale(own).territories[code])
    plain = {name.casefold().replace("&", "and").replace("\u2019", "'") for name in found}
    short = {name for name in plain if re.fullmatch(r"[^\W\d_][\w .'-]*", name) and len(name) < 30}
    joined = "|".join(name.replace(" ", "~") for name in sorted(short)).replace("|", " |")
    lines = textwrap.wrap(joined, 92, break_long_words=False, break_on_hyphens=False)
    print("\n".join(lines).replace(" |", "|").replace("~", " "))


if __name__ == "__main__":
    main()
