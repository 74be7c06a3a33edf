"""Crawler traps: places where a site makes up new URLs for ever.

Two kinds of evidence. The *shape* of one URL: endless paths repeat themselves. And *growth*: many
URLs of one pattern that differ only in their query, or in a date. The limits are generous, since a
big site is no trap: `/players/1234.html` and its like are never counted, however many there are;
`?id=1234` is, but twenty thousand of them are let through. What remains is bounded by the page
limit of the site.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from sitewright.site.url import parts

MAX_LENGTH: Final = 2000
"""Servers and proxies refuse longer URLs, so sites that want to be found have none."""
MAX_DEPTH: Final = 20
MAX_ROUNDS: Final = 3
"""How often a path may go through the same segments in a row: `/a/b/a/b/a/b`."""
MAX_OCCURRENCES: Final = 4
"""How often a path may hold one segment at all. Numbers are free: `/tiles/0/0/0/0/0.html`."""

_NUMBER = re.compile(r"[0-9]+")
_TOKEN = re.compile(r"(?=[^/=&]*[0-9])(?=[^/=&]*[A-Za-z])[A-Za-z0-9-]{24,}")
_DATE_NAME = re.compile(
    r"(?:.*[_-])?(?:years?|months?|days?|dates?|weeks?|yr|mon|ymd?|cal|calendar)(?:[_-].*)?",
    re.IGNORECASE,
)
_DATE_VALUE = re.compile(r"[0-9]{4,5}-[0-9]{1,2}(?:-[0-9]{1,2})?")
_DATE_PATH = re.compile(r".*/[0-9]{4,5}(?:/[0-9]{1,2}){1,2}/?|.*/[0-9]{4,5}(?:-[0-9]{1,2}){1,2}/?")


@dataclass(frozen=True, slots=True)
class Limits:
    """How many URLs of one pattern are let through, by what sets them apart."""

    dates: int = 400
    """Calendars: more than thirty years of months, or a year of days."""
    facets: int = 1000
    """Three parameters or more: filters of a shop, whose combinations multiply."""
    tokens: int = 2000
    """Long random values: session identifiers that `canonical` does not know, or hashes."""
    queries: int = 20_000
    """Any other query: the pages of a list, the items of a shop that has one script."""
    patterns: int = 10_000
    """The most patterns kept in memory; beyond, all new ones count as one."""


@dataclass(slots=True)
class TrapCounter:
    """Remembers how many URLs of each pattern were asked for."""

    limits: Limits = field(default_factory=Limits)
    _asked: Counter[tuple[str, str]] = field(default_factory=Counter)

    def trap(self, url: str) -> str | None:
        """Say why a canonical URL, asked for the first time, looks like a trap; None if not."""
        if (why := misshapen(url)) is not None:
            return why
        growth = growth_of(url)
        if growth is None:
            return None
        kind, pattern = growth
        if growth not in self._asked and len(self._asked) >= self.limits.patterns:
            growth = (kind, "")
        limit: int = getattr(self.limits, kind)
        if self._asked[growth] >= limit:
            return f"more than {limit} URLs like {pattern}"
        self._asked[growth] += 1
        return None


def misshapen(url: str) -> str | None:
    """Say what about the shape of a canonical URL shows that it was made without end."""
    if len(url) > MAX_LENGTH:
        return f"longer than {MAX_LENGTH} characters"
    segments = [segment for segment in parts(url).path.split("/") if segment]
    if len(segments) > MAX_DEPTH:
        return f"deeper than {MAX_DEPTH} folders"
    words = Counter(segment for segment in segments if not segment.isdecimal())
    if words and words.most_common(1)[0][1] > MAX_OCCURRENCES:
        return "the path repeats itself"
    if _goes_round(segments):
        return "the path goes round in circles"
    return None


def _goes_round(segments: list[str]) -> bool:
    """Say whether some segments, not all of them numbers, follow themselves `MAX_ROUNDS` times."""
    for period in range(1, len(segments) // MAX_ROUNDS + 1):
        equal = 0
        for here, there in zip(segments, segments[period:], strict=False):
            equal = equal + 1 if here == there and not here.isdecimal() else 0
            if equal >= period * (MAX_ROUNDS - 1):
                return True
    return False


def growth_of(url: str) -> tuple[str, str] | None:
    """Give the kind of growth that a URL can be part of, and its pattern; None if of none.

    The pattern is the host, the path with numbers and tokens folded, and the parameters' names.
    """
    split = parts(url)
    if split.query is None:
        return ("dates", _folded(url)) if _DATE_PATH.fullmatch(split.path) else None
    pairs = [pair.partition("=") for pair in split.query.split("&")]
    names = "&".join(sorted({_folded(name) for name, _, _ in pairs}))
    pattern = f"{split.host}{_folded(split.path)}?{names}"
    if any(_DATE_NAME.fullmatch(name) or _DATE_VALUE.fullmatch(value) for name, _, value in pairs):
        return "dates", pattern
    if any(_TOKEN.fullmatch(value) for _, _, value in pairs):
        return "tokens", pattern
    return "facets" if len(pairs) >= 3 else "queries", pattern


def _folded(text: str) -> str:
    return _NUMBER.sub("0", _TOKEN.sub("0", text))
