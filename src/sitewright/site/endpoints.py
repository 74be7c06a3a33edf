"""JSON behind pages: what their scripts load, which parameters vary, and what is shown of it."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from sitewright.site.scripts import texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


MAX_BODY = 4 << 20
MAX_VALUES = 5000
_MAX_DEPTH = 20
_MAX_FIELDS = 60
_NUMBER = re.compile(r"\d+")
_URL_PART = re.compile(r"(\d+|[/?&=])")


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


@dataclass(slots=True)
class _Collected:
    example: str
    urls: dict[str, None] = field(default_factory=dict)
    leaves: dict[str, set[str]] = field(default_factory=dict)
    """Values of the first answer by their paths."""
    pages: set[str] = field(default_factory=set)
    values: dict[str, set[str]] = field(default_factory=dict)
    fields: Counter[str] = field(default_factory=Counter)


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
        if not one.urls:
            for path, value in leaves(data):
                one.leaves.setdefault(path, set()).add(value)
        if len(one.urls) < MAX_VALUES:
            one.urls[url] = None
        for name, value in parse_qsl(split.query, keep_blank_values=True):
            one.values.setdefault(name, set()).add(value)
        shown = texts_of(html)
        one.fields.update(
            {path for path, value in leaves(data) if len(value) > 1 and value.encode() in shown}
        )

    def endpoints(self) -> Iterator[JsonEndpoint]:
        """All that was found, by class and URL."""
        for (page_class, place), one in sorted(
            self._found.items(), key=lambda item: (item[0][0] or "", item[0][1])
        ):
            fields = [path for path, _ in one.fields.most_common(_MAX_FIELDS)]
            template, values = url_template(list(one.urls))
            listed_in, listed_at = self._lists(values)
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
            )

    def _lists(self, values: tuple[str, ...]) -> tuple[str, str]:
        """The endpoint and the path in its data where all these values stand; empty if nowhere."""
        for one in self._found.values() if len(values) > 1 else ():
            for path, known in sorted(one.leaves.items()) if len(one.urls) == 1 else ():
                if "[]" in path and known.issuperset(values):
                    return one.example, path
        return "", ""


def url_template(urls: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """What URLs have in common, with `{}` for the one thing that differs, and what stood there."""
    if len(urls) == 1:
        return urls[0], ()
    columns = list(zip(*(_URL_PART.split(url) for url in urls), strict=False))
    differing = [at for at, column in enumerate(columns) if len(set(column)) > 1]
    if len({len(_URL_PART.split(url)) for url in urls}) > 1 or len(differing) != 1:
        return "", ()
    [place] = differing
    parts = [column[0] for column in columns]
    return "".join([*parts[:place], "{}", *parts[place + 1 :]]), columns[place]


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
