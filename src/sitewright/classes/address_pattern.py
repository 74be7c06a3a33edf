"""The addresses of a class as a readable template and a regular expression."""

from __future__ import annotations

import re
from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence

_NEARLY_ALL = 0.9
_DIGITS = re.compile(r"\d+")
_NUMBERED = (
    (re.compile(r"\d+([-_.~])(?=\D).+", re.DOTALL), "{{id}}{}{{name}}", r"\d+{}[^/]+"),
    (re.compile(r".+(?<=\D)([-_.~])\d+", re.DOTALL), "{{name}}{}{{id}}", r"[^/]+{}\d+"),
)
"""`7-green-tea` and `green-tea-7`: the form, the template and the pattern, for any mark between."""
_PARTS = re.compile(r"[^\W\d_]+|\d+|.", re.DOTALL)


class AddressPattern(NamedTuple):
    """How the addresses of a class look."""

    template: str
    pattern: str

    def matches(self, url: str) -> bool:
        """Whether an address looks so."""
        return re.fullmatch(self.pattern, path_and_query(url)) is not None


def path_and_query(url: str) -> str:
    """What of an address a pattern is about: all but the host."""
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def address_pattern(urls: Sequence[str]) -> AddressPattern:
    """The tightest pattern of our kind: what all addresses share is written out.

    Addresses of the most frequent depth decide the folders; if other depths are common too, the
    folders that differ are one `{path}`.
    """
    split = [path_and_query(url).partition("?")[0].split("/")[1:] for url in urls]
    depths = Counter(map(len, split))
    depth, _ = min(depths.items(), key=lambda item: (-item[1], item[0]))
    if depths[depth] < _NEARLY_ALL * len(urls):
        pieces = _folders_of_any_depth(split)
    else:
        same = [parts for parts in split if len(parts) == depth]
        pieces = [_piece([parts[place] for parts in same]) for place in range(depth)]
    query = _query([urlsplit(url).query for url in urls])
    template = "/" + "/".join(piece.template for piece in pieces) + query.template
    return AddressPattern(template, "/" + "/".join(p.pattern for p in pieces) + query.pattern)


def _folders_of_any_depth(split: list[list[str]]) -> list[AddressPattern]:
    fixed = _common_start([parts[:-1] for parts in split])
    literal = [AddressPattern(folder, re.escape(folder)) for folder in fixed]
    name = _piece([parts[-1] for parts in split])
    return [*literal, AddressPattern("{path}/" + name.template, "(?:.+/)?" + name.pattern)]


def _piece(values: list[str]) -> AddressPattern:
    """One folder or file name: common beginning and end, and what varies between them.

    What nearly all have is written out: one stray page must not make a pattern match everything.
    """
    (value, count), *_ = Counter(values).most_common(1)
    if count >= _NEARLY_ALL * len(values):
        return AddressPattern(value, re.escape(value))
    words = [_PARTS.findall(value) for value in values]
    begin = _common_start(words)
    rest = [parts[len(begin) :] for parts in words]
    end = _common_start([parts[::-1] for parts in rest])[::-1]
    middles = ["".join(parts[: len(parts) - len(end)]) for parts in rest]
    hole = _hole(middles)
    return AddressPattern(
        "".join(begin) + hole.template + "".join(end),
        re.escape("".join(begin)) + hole.pattern + re.escape("".join(end)),
    )


def _hole(middles: list[str]) -> AddressPattern:
    """What varies: a number, a number with a name before or behind it, or anything."""
    if all(map(_DIGITS.fullmatch, middles)):
        return AddressPattern("{id}", r"\d+")
    for form, template, pattern in _NUMBERED:
        marks = {found and found[1] for found in map(form.fullmatch, middles)}
        mark = marks.pop()
        if mark and not marks:
            return AddressPattern(template.format(mark), pattern.format(re.escape(mark)))
    return AddressPattern("{name}", "[^/]+" if all(middles) else "[^/]*")


def _common_start(sequences: Sequence[Sequence[str]]) -> list[str]:
    """The items that all sequences begin with."""
    columns = zip(*sequences, strict=False)
    return [column[0] for column in takewhile(lambda column: len(set(column)) == 1, columns)]


def _query(queries: list[str]) -> AddressPattern:
    if not any(queries):
        return AddressPattern("", "")
    names = sorted(
        {part.partition("=")[0] for query in queries for part in query.split("&")} - {""}
    )
    shown = "?" + "&".join(f"{name}={{{name}}}" for name in names)
    if all(queries):
        return AddressPattern(shown, r"\?.+")
    return AddressPattern(shown, r"(?:\?.+)?")
