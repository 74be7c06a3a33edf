"""JSON behind pages: what their scripts load, which parameters vary, and what is shown of it."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from sitewright.page.url import canonical
from sitewright.site.scripts import texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


MAX_BODY = 4 << 20
MAX_VALUES = 5000
_MAX_DEPTH = 20
_MAX_FIELDS = 60
_NUMBER = re.compile(r"\d+")
_URL_PART = re.compile(r"(\d+|[/?&=])")
_URL_SEGMENT = re.compile(r"([/?&=])")
_ENDING = re.compile(r"\.[a-z]{1,5}\Z")
_URL_STARTS = ("/", "?", "http://", "https://")
_MIN_SLUGS = 3
"""Paths that differ in one segment before that is taken for what differs: two may be two things."""
_SMALL_NUMBER = re.compile(r"\d{1,9}")
_PART_NAME = re.compile(
    r"page|paged|pagenum|pageno|page_?number|pg|p|offset|start|skip|from", re.IGNORECASE
)
"""Parameters that number the parts of a list, or their first rows."""


@dataclass(frozen=True, slots=True)
class JsonEndpoint:
    """Where pages of a class have their data from."""

    page_class: str | None
    url: str
    """The URL with `{}` for what differs from page to page in its path; without its query."""
    parameters: tuple[str, ...]
    """The parameters of its query."""
    varying: tuple[str, ...]
    """Those whose values differ."""
    pages: int
    """Pages that load from it."""
    fields: tuple[str, ...]
    """Paths in the data whose values stand on the page: `items[].name`."""
    example: str
    template: str = ""
    """The URL with `{}` for the one thing in it that differs; empty if more than one does."""
    values: tuple[str, ...] = ()
    """What stood there."""
    listed_in: str = ""
    """The URL of an endpoint whose data lists these values."""
    listed_at: str = ""
    """The path in that data: `items[].id`."""
    starts: tuple[str, ...] = ()
    """Of lists in parts: the URLs of their first parts."""
    next_parameter: str = ""
    """The parameter that says which part comes next; empty where data names the whole URL."""
    next_at: str = ""
    """The path in the data where that stands: `page.next`."""
    next_step: int = 0
    """What is added to the parameter instead, where the parts have numbers."""


@dataclass(slots=True)
class _Collected:
    example: str
    urls: dict[str, None] = field(default_factory=dict)
    leaves: dict[str, set[str]] = field(default_factory=dict)
    """Values of the first answer by their paths."""
    cursors: dict[str, dict[str, str]] = field(default_factory=dict)
    """By URL: the values of its answer that stand in no list, by their paths."""
    pages: set[str] = field(default_factory=set)
    values: dict[str, set[str]] = field(default_factory=dict)
    fields: Counter[str] = field(default_factory=Counter)

    def take(self, other: _Collected) -> None:
        """Take in what was collected under another URL of the same endpoint."""
        self.urls |= other.urls
        self.cursors |= other.cursors
        self.pages |= other.pages
        self.fields.update(other.fields)
        for name, values in other.values.items():
            self.values.setdefault(name, set()).update(values)


class EndpointCollector:
    """Sums up what pages load, page by page."""

    def __init__(self) -> None:
        self._found: dict[tuple[str | None, str], _Collected] = {}

    def add(self, page_class: str | None, page: tuple[str, bytes], url: str, body: bytes) -> None:
        """Take in one answer that a page, with its URL and its HTML, loaded."""
        page_url, html = page
        if len(body) > MAX_BODY:
            return
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            return
        split = urlsplit(url)
        place = f"{split.scheme}://{split.netloc}{_NUMBER.sub('{}', split.path)}"
        one = self._found.setdefault((page_class, place), _Collected(url))
        one.pages.add(page_url)
        found = list(leaves(data))
        if not one.urls:
            for path, value in found:
                one.leaves.setdefault(path, set()).add(value)
        if len(one.urls) < MAX_VALUES:
            one.urls[url] = None
            short = ((path, value) for path, value in found if "[]" not in path)
            one.cursors[url] = dict(islice(short, _MAX_FIELDS))
        for name, value in parse_qsl(split.query, keep_blank_values=True):
            one.values.setdefault(name, set()).add(value)
        shown = texts_of(html)
        one.fields.update(
            {path for path, value in found if len(value) > 1 and value.encode() in shown}
        )

    def endpoints(self) -> Iterator[JsonEndpoint]:
        """All that was found, by class and URL."""
        found = _without_slugs(self._found)
        for (page_class, place), one in sorted(
            found.items(), key=lambda item: (item[0][0] or "", item[0][1])
        ):
            fields = [path for path, _ in one.fields.most_common(_MAX_FIELDS)]
            template, values = url_template(list(one.urls))
            listed_in, listed_at = _lists(found.values(), values)
            varying = [name for name, values in one.values.items() if len(values) > 1]
            yield JsonEndpoint(
                page_class,
                place,
                tuple(one.values),
                tuple(varying),
                len(one.pages),
                tuple(sorted(fields)),
                one.example,
                template,
                values,
                listed_in,
                listed_at,
                *_parts_of_list(one),
            )


def _without_slugs(
    found: Mapping[tuple[str | None, str], _Collected],
) -> dict[tuple[str | None, str], _Collected]:
    """Endpoints whose paths differ in one segment, and whose data is alike, are one.

    `/api/team/amber-united`, `/api/team/birch-rovers`: that segment is `{}`.
    """
    groups: dict[tuple[str | None, str], list[tuple[str | None, str]]] = {}
    for page_class, place in found:
        for masked in _masked(place):
            groups.setdefault((page_class, masked), []).append((page_class, place))
    merged = dict(found)
    for key, members in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0][1])):
        alike = [
            one for one in members if one in merged and _has_same_paths(found, members[0], one)
        ]
        if len(alike) >= _MIN_SLUGS:
            first, *others = [merged.pop(one) for one in alike]
            for other in others:
                first.take(other)
            merged[key] = first
    return merged


def _masked(place: str) -> Iterator[str]:
    """A URL with `{}` for each of the segments of its path in turn."""
    parts = place.split("/")
    for at in range(3, len(parts)):
        if parts[at] != "{}":
            yield "/".join([*parts[:at], "{}", *parts[at + 1 :]])


def _has_same_paths(
    found: Mapping[tuple[str | None, str], _Collected],
    one: tuple[str | None, str],
    other: tuple[str | None, str],
) -> bool:
    """Whether most paths of two answers are the same."""
    first, second = set(found[one].leaves), set(found[other].leaves)
    return 2 * len(first & second) > len(first | second)


def _lists(found: Iterable[_Collected], values: tuple[str, ...]) -> tuple[str, str]:
    """The endpoint and the path in its data where all these values stand; empty if nowhere."""
    for one in found if len(values) > 1 else ():
        for path, known in sorted(one.leaves.items()) if len(one.urls) == 1 else ():
            if "[]" in path and known.issuperset(values):
                return one.example, path
    return "", ""


class _ListParts(NamedTuple):
    """How to come from one part of a list to the next; the last fields of `JsonEndpoint`."""

    starts: tuple[str, ...] = ()
    next_parameter: str = ""
    next_at: str = ""
    next_step: int = 0


def _parts_of_list(one: _Collected) -> _ListParts:
    """Find what leads from one answer to the next: a value of it, a URL in it, or a number."""
    known = {canonical(url) or url: url for url in one.urls}
    for name in (*one.values, ""):
        led: dict[str, set[str]] = {}
        for url, held in one.cursors.items():
            for path, value in held.items():
                if value not in one.values[name] if name else not value.startswith(_URL_STARTS):
                    continue
                after = known.get(canonical(_next_part(url, name, value)) or "", url)
                if after != url:
                    led.setdefault(path, set()).add(after)
        best = max(sorted(led), key=lambda path: len(led[path]), default="")
        if best and len(led[best]) > 1 and 2 * len(led[best]) >= len(one.urls):
            starts = tuple(url for url in one.urls if url not in led[best])
            return _ListParts(starts, name, best)
    return _numbered_parts(one)


def _next_part(url: str, name: str, value: str) -> str:
    """The URL with another value of a parameter; without a parameter, the value is the URL."""
    try:
        if not name:
            return urljoin(url, value)
        split = urlsplit(url)
        pairs = [pair for pair in parse_qsl(split.query, keep_blank_values=True) if pair[0] != name]
        return split._replace(query=urlencode([*pairs, (name, value)])).geturl()
    except ValueError:
        return ""


def _numbered_parts(one: _Collected) -> _ListParts:
    """Parts of a list by their numbers, or by those of their first rows."""
    if not any("[]" in path for path in one.leaves):
        return _ListParts()
    for name, values in one.values.items():
        numbers = sorted(int(value) for value in values if _SMALL_NUMBER.fullmatch(value))
        if not _PART_NAME.fullmatch(name) or len(numbers) < max(2, len(values)):
            continue
        steps = {after - before for before, after in pairwise(numbers)}
        if len(steps) == 1:
            least = str(numbers[0])
            starts = tuple(url for url in one.urls if dict(_pairs(url)).get(name, least) == least)
            return _ListParts(starts, name, next_step=steps.pop())
    return _ListParts()


def _pairs(url: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(url).query, keep_blank_values=True)


def url_template(urls: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """What URLs have in common, with `{}` for the one thing that differs, and what stood there.

    That is a number, or else a whole part of the path or of the query.
    """
    if len(urls) == 1:
        return urls[0], ()
    return _template(urls, _URL_PART) or _template(urls, _URL_SEGMENT) or ("", ())


def _template(urls: Sequence[str], part: re.Pattern[str]) -> tuple[str, tuple[str, ...]] | None:
    columns = list(zip(*(part.split(url) for url in urls), strict=False))
    differing = [at for at, column in enumerate(columns) if len(set(column)) > 1]
    if len({len(part.split(url)) for url in urls}) > 1 or len(differing) != 1:
        return None
    [place] = differing
    parts = [column[0] for column in columns]
    endings = {_ENDING.search(value) for value in columns[place]}
    ending = {found[0] if found else "" for found in endings}
    shared = ending.pop() if len(ending) == 1 else ""
    values = tuple(value.removesuffix(shared) for value in columns[place])
    return "".join([*parts[:place], "{}", shared, *parts[place + 1 :]]), values


def leaves(data: object) -> Iterator[tuple[str, str]]:
    """The values of JSON data as texts, each with its path; lists have `[]` for all items."""
    waiting: list[tuple[str, object, int]] = [("", data, 0)]
    given = 0
    while waiting and given < MAX_VALUES:
        path, value, depth = waiting.pop()
        if depth > _MAX_DEPTH:
            continue
        if isinstance(value, dict):
            waiting += [
                (f"{path}.{name}" if path else str(name), inside, depth + 1)
                for name, inside in value.items()
            ]
        elif isinstance(value, list):
            waiting += [(f"{path}[]", inside, depth + 1) for inside in value[:MAX_VALUES]]
        elif value is not None and not isinstance(value, bool):
            given += 1
            yield path, " ".join(str(value).split())
