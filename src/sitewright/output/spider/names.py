"""Names for the parts of a project: identifiers, whatever the classes and fields are called."""

from __future__ import annotations

import re
import unicodedata
from keyword import iskeyword
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 40
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*|_[A-Za-z0-9][A-Za-z0-9_]*")
_WORDS = re.compile(r"[a-z0-9]+")
_OF_AN_ITEM = frozenset({"fields", "_class", "_values", "_abc_impl"})
_OF_A_SPIDER = frozenset({"start_url", "with_rules", "other"})
"""Behind `parse_`, these are methods of spiders already."""


def package_name(home: str) -> str:
    """The package of a site's project, after its host; never the name of a known module."""
    host = urlsplit(home).hostname or "site"
    name = _identifier(host.removeprefix("www."))
    return name if "_" in name else f"{name}_site"


def is_plain(name: str) -> bool:
    """Whether a field can be declared as an attribute of an item's class."""
    return bool(_PLAIN.fullmatch(name)) and not iskeyword(name) and name not in _OF_AN_ITEM


def identifiers(names: Iterable[str]) -> dict[str, str]:
    """An identifier for each of some names, each different."""
    taken: set[str] = set(_OF_A_SPIDER)
    found: dict[str, str] = {}
    for name in names:
        found[name] = take(_identifier(name), taken)
    return found


def take(wanted: str, taken: set[str]) -> str:
    """The name, or the name with the first number that nobody else has; it is taken now."""
    numbered = (f"{wanted}_{number}" for number in range(2, len(taken) + 3))
    found = next(name for name in (wanted, *numbered) if name not in taken)
    taken.add(found)
    return found


def camel_case(identifier: str) -> str:
    """`news_list` as `NewsList`."""
    return "".join(word.capitalize() for word in identifier.split("_"))


def _identifier(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    joined = "_".join(_WORDS.findall(plain))[:_LONGEST].strip("_") or "page"
    return joined if joined[0].isalpha() else f"n{joined}"
