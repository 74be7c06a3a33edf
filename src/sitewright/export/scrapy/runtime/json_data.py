"""A spider that asks for the JSON behind the pages, without a page and without a browser."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit

from scrapy import Request, Spider

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scrapy.http import Response


_STEP = re.compile(r"[^.\[\]]+|\[\]")


@dataclass(frozen=True, slots=True)
class JsonSource:
    """URLs that answer with data of one kind."""

    name: str
    """The class of the pages that show the data."""
    url: str
    """With `{}` for what differs from page to page."""
    fields: tuple[str, ...]
    """Paths in the data: `items[].name`."""
    values: tuple[str, ...] = ()
    """What is known to stand in the place of `{}`."""
    listed_in: str = ""
    """The URL of another source whose data lists such values, at the path `listed_at`."""
    listed_at: str = ""
    starts: tuple[str, ...] = ()
    """Of lists in parts: the URLs of the first parts."""
    next_parameter: str = ""
    """The parameter that says which part comes next; where it is empty, data names the URL."""
    next_at: str = ""
    """The path in the data where its next value, or the next URL, stands."""
    next_step: int = 0
    """Or what is added to it."""

    def urls(self, values: Sequence[str]) -> Iterator[str]:
        """Its URLs, one for each of the values; there is one URL where nothing differs."""
        if self.starts:
            yield from self.starts
        elif "{}" not in self.url:
            yield self.url
        else:
            yield from (self.url.replace("{}", quote(value, safe="")) for value in values)


class JsonSpider(Spider):
    """Asks for all data that is known of, and for what the lists among it lead to."""

    sources: Sequence[JsonSource] = ()

    def __init__(self, name: str | None = None, **kwargs: Any) -> None:  # noqa: ANN401 - Scrapy's
        super().__init__(name, **kwargs)
        self._source_of: dict[str, JsonSource] = {}
        for source in self.sources:
            self._source_of |= dict.fromkeys(source.urls(source.values), source)
        self.start_urls = list(self._source_of)
        hosts = (urlsplit(source.url).hostname for source in self.sources)
        self.allowed_domains = sorted({host for host in hosts if host})

    def parse(self, response: Response) -> Iterator[Any]:
        """The records of an answer, and the URLs that its values lead to."""
        source = self._source_of.get(response.url)
        if source is None:
            return
        try:
            data = json.loads(response.body)
        except (ValueError, RecursionError):
            self.logger.warning("%s: no JSON", response.url)
            return
        for record in records_of(data, source.fields):
            yield {"_url": response.url, "_source": source.name, **record}
        for url, led_to in self._leads(source, response.url, data):
            if url not in self._source_of:
                self._source_of[url] = led_to
                yield Request(url)

    def _leads(
        self, source: JsonSource, url: str, data: object
    ) -> Iterator[tuple[str, JsonSource]]:
        """The URLs that an answer leads to: the next part of its list, and what it lists."""
        following = next_url(source, url, data)
        if following is not None:
            yield following, source
        for other in self.sources:
            if other.listed_in == url:
                values = [str(value) for value in values_at(data, other.listed_at)]
                yield from ((one, other) for one in other.urls(values))


def next_url(source: JsonSource, url: str, data: object) -> str | None:
    """The URL of the next part of a list; None after the last. It is of the same host."""
    value: object = next(values_at(data, source.next_at), None) if source.next_at else None
    if source.next_step and any(True for _ in records_of(data, source.fields)):
        own = dict(parse_qsl(urlsplit(url).query)).get(source.next_parameter, "")
        value = int(own) + source.next_step if own.isdecimal() else None
    if value is None or value == "" or isinstance(value, bool | list | dict):
        return None
    split = urlsplit(url)
    if source.next_parameter:
        pairs = parse_qsl(split.query, keep_blank_values=True)
        kept = [(name, one) for name, one in pairs if name != source.next_parameter]
        query = urlencode([*kept, (source.next_parameter, str(value))])
        return split._replace(query=query).geturl()
    try:
        following = urlsplit(urljoin(url, str(value)))
    except ValueError:
        return None
    is_own = (following.scheme, following.netloc) == (split.scheme, split.netloc)
    return following.geturl() if is_own else None


def records_of(data: object, fields: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The fields of data as flat records: one for each item of the list that they stand in."""
    lists = dict.fromkeys(path.rpartition("[]")[0:2] for path in fields)
    for place in map("".join, lists):
        inner = [path for path in fields if "".join(path.rpartition("[]")[0:2]) == place]
        for item in values_at(data, place):
            names = {path: path[len(place) :].lstrip(".") or "value" for path in inner}
            found = {
                name: next(values_at(item, "" if name == "value" else name), None)
                for name in names.values()
            }
            if any(value is not None for value in found.values()):
                yield found


def values_at(data: object, path: str) -> Iterator[Any]:
    """What stands at a path; `[]` means all items of a list."""
    found: list[object] = [data]
    for step in _STEP.findall(path):
        if step == "[]":
            found = [item for one in found if isinstance(one, list) for item in one]
        else:
            found = [one[step] for one in found if isinstance(one, dict) and step in one]
    yield from found
