"""The URLs of a class as a readable template and a regular expression."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from sitewright.page.url import split_url
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_DIGITS = re.compile(r"\d+")
_NUMBERED = (
    (re.compile(r"\d+([-_.~])(?=\D).+", re.DOTALL), "{{id}}{}{{name}}", r"\d+{}[^/]+"),
    (re.compile(r".+(?<=\D)([-_.~])\d+", re.DOTALL), "{{name}}{}{{id}}", r"[^/]+{}\d+"),
)
"""`7-green-tea` and `green-tea-7`: the form, the template and the pattern, for any mark between."""
_PARTS = re.compile(r"[^\W\d_]+|\d+|.", re.DOTALL)
_KNOWN_URLS = 1 << 14
"""URLs whose parts are kept: each is asked about once for every pattern, and for every model."""


class UrlPattern(NamedTuple):
    """How the URLs of a class look."""

    template: str
    pattern: str

    def matches(self, url: str) -> bool:
        """Whether the URL matches."""
        return re.fullmatch(self.pattern, path_and_query(url)) is not None


@lru_cache(_KNOWN_URLS)
def path_and_query(url: str) -> str:
    """What of a URL a pattern is about: all but the host."""
    parts = split_url(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def learn_url_pattern(urls: Sequence[str]) -> UrlPattern:
    """The tightest pattern of our kind: what all URLs share is written out.

    URLs of the most frequent depth decide the folders; if other depths are common too, the
    folders that differ are one `{path}`.
    """
    settings = current().classes
    split = [path_and_query(url).partition("?")[0].split("/")[1:] for url in urls]
    depths = Counter(map(len, split))
    depth, _ = min(depths.items(), key=lambda item: (-item[1], item[0]))
    if depths[depth] < settings.min_pattern_share * len(urls):
        pieces = _folders_of_any_depth(split)
    else:
        same = [parts for parts in split if len(parts) == depth]
        pieces = [_piece([parts[place] for parts in same]) for place in range(depth)]
    query = _query([split_url(url).query for url in urls])
    template = "/" + "/".join(piece.template for piece in pieces) + query.template
    return UrlPattern(template, "/" + "/".join(p.pattern for p in pieces) + query.pattern)


def _folders_of_any_depth(split: list[list[str]]) -> list[UrlPattern]:
    fixed = _common_start([parts[:-1] for parts in split])
    literal = [UrlPattern(folder, re.escape(folder)) for folder in fixed]
    name = _piece([parts[-1] for parts in split])
    return [*literal, UrlPattern("{path}/" + name.template, "(?:.*/)?" + name.pattern)]


def _piece(values: list[str]) -> UrlPattern:
    """One folder or file name: common beginning and end, and what varies between them.

    What nearly all have is written out: one stray page must not make a pattern match everything.
    """
    settings = current().classes
    (value, count), *_ = Counter(values).most_common(1)
    if count >= settings.min_pattern_share * len(values):
        return UrlPattern(value, re.escape(value))
    words = [_PARTS.findall(value) for value in values]
    for place in (0, -1):
        words = _alike(words, place)
    begin = _common_start(words)
    rest = [parts[len(begin) :] for parts in words]
    end = _common_start([parts[::-1] for parts in rest])[::-1]
    middles = ["".join(parts[: len(parts) - len(end)]) for parts in rest]
    hole = _hole(middles)
    return UrlPattern(
        "".join(begin) + hole.template + "".join(end),
        re.escape("".join(begin)) + hole.pattern + re.escape("".join(end)),
    )


def _alike(words: list[list[str]], place: int) -> list[list[str]]:
    """Those that begin or end as nearly all do; all of them where there is no such word."""
    (word, count), *_ = Counter(own[place] if own else "" for own in words).most_common(1)
    if count < current().classes.min_pattern_share * len(words):
        return words
    return [own for own in words if (own[place] if own else "") == word]


def _hole(middles: list[str]) -> UrlPattern:
    """What varies: a number, a number with a name before or behind it, or anything."""
    if all(map(_DIGITS.fullmatch, middles)):
        return UrlPattern("{id}", r"\d+")
    for form, template, pattern in _NUMBERED:
        marks = {found and found[1] for found in map(form.fullmatch, middles)}
        mark = marks.pop()
        if mark and not marks:
            return UrlPattern(template.format(mark), pattern.format(re.escape(mark)))
    return UrlPattern("{name}", "[^/]+" if all(middles) else "[^/]*")


def _common_start(sequences: Sequence[Sequence[str]]) -> list[str]:
    """The items that all sequences begin with."""
    columns = zip(*sequences, strict=False)
    return [column[0] for column in takewhile(lambda column: len(set(column)) == 1, columns)]


def _query(queries: list[str]) -> UrlPattern:
    if not any(queries):
        return UrlPattern("", "")
    names = sorted(
        {part.partition("=")[0] for query in queries for part in query.split("&")} - {""}
    )
    shown = "?" + "&".join(f"{name}={{{name}}}" for name in names)
    if all(queries):
        return UrlPattern(shown, r"\?.+")
    return UrlPattern(shown, r"(?:\?.+)?")


# The shape of a page's URL, as a few attributes that are coded like its paths.

ATTRIBUTES = ("depth", "top folder", "last folder", "first word", "words", "last word", "query")
"""What is coded of a URL. Each part is coded once: a word of the file's name that repeats a
folder's name is only said to do so, so that no part counts twice."""
SAME = "="
"""A word that a folder of the same URL has already."""
NUMBER = "#"
RARE = "~"
"""A value that no other page of the sample has."""

UrlShape = tuple[str | None, ...]


_WORD = re.compile(r"[^\W\d_]+|\d+")
_OWN_PAGE = "index.html"
"""How mirrors call the page of a folder."""
_MIRRORED_QUERY = re.compile(r"\?(?=&*[^=&?]+=)|[@-](?=[^\W\d][\w.\[\]]*=)")
"""Where the query begins that a mirror keeps in the name of a file: `list.php?page=2`.

Where a file may not be called so, mirrors write another sign: `list.php@page=2`, `list-page=2`."""


@lru_cache(_KNOWN_URLS)
def segments(url: str) -> tuple[str, ...]:
    """The folders of a URL and its file, percent-encoding undone.

    A site and its mirror have the same: the page of a folder is its `index.html`, and a query that
    stands in the name of a file is no part of it.
    """
    *folders, name = (unquote(part) for part in split_url(url).path.lstrip("/").split("/"))
    return (*folders, _MIRRORED_QUERY.split(name, 1)[0] or _OWN_PAGE)


def parameters(url: str) -> list[str]:
    """The parameters of a URL, `name=value`; those of a mirror stand in the name of the file."""
    parts = split_url(url)
    mirrored = _MIRRORED_QUERY.split(unquote(parts.path.rpartition("/")[2]), 1)[1:]
    query = unquote(parts.query) if parts.query else "".join(mirrored)
    return [part for part in query.split("&") if part]


def parameter_names(url: str) -> tuple[str, ...]:
    """The names of a URL's parameters, sorted."""
    return tuple(sorted(part.partition("=")[0] for part in parameters(url)))


def place_in_site(url: str) -> str:
    """Where in its site a page stands: the same for a live site, its archives and its mirrors."""
    query = "&".join(parameters(url))
    return "/".join(segments(url)) + (f"?{query}" if query else "")


def common_folders(urls: Iterable[str]) -> int:
    """How many folders all URLs begin with: they say nothing about any of them."""
    folders: tuple[str, ...] | None = None
    for url in urls:
        own = segments(url)[:-1]
        if folders is None:
            folders = own
        pairs = zip(folders, own, strict=False)
        equal = [index for index, (one, other) in enumerate(pairs) if one != other]
        folders = folders[: equal[0] if equal else min(len(folders), len(own))]
    return len(folders or ())


def url_shape(url: str, skip: int = 0) -> UrlShape:
    """The values of `ATTRIBUTES`, None where an attribute does not apply.

    `skip` folders at the beginning are left out: those that all pages have in common.
    """
    settings = current().classes
    *folders, name = segments(url)[skip:] or [""]
    stem = name.rpartition(".")[0] or name
    words = _words(stem, folders)
    folders = [_DIGITS.sub(NUMBER, folder) for folder in folders]
    return (
        str(min(len(folders), settings.max_url_depth)),
        folders[0] if folders else "",
        folders[-1] if len(folders) > 1 else None,
        words[0] if words else "",
        str(min(len(words), 2)),
        words[-1] if len(words) > 1 else None,
        "&".join(dict.fromkeys(parameter_names(url))),
    )


def _words(stem: str, folders: list[str]) -> list[str]:
    """The words of a file's name; a folder's name in front of it, or a word of one, is `SAME`."""
    repeated = [folder for folder in folders if folder and stem.startswith(folder)]
    rest = stem[max(map(len, repeated), default=0) :]
    known = {word.lower() for folder in folders for word in _WORD.findall(folder)}
    words = [_word(word.lower(), known) for word in _WORD.findall(rest)]
    return [SAME, *words] if repeated else words


def _word(word: str, known: set[str]) -> str:
    if word.isdigit():
        return NUMBER
    return SAME if word in known else word
