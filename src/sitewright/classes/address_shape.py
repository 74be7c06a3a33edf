"""The shape of a page's address, as a few attributes that are coded like its paths."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable

ATTRIBUTES = ("depth", "top folder", "last folder", "first word", "words", "last word", "query")
"""What is coded of an address. Each part is coded once: a word of the file's name that repeats a
folder's name is only said to do so, so that no part counts twice."""
SAME = "="
"""A word that a folder of the same address has already."""
NUMBER = "#"
RARE = "~"
"""A value that no other page of the sample has."""

Shape = tuple[str | None, ...]

_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_MOST_DEPTH = 4


def segments(url: str) -> list[str]:
    """The folders of an address and its file, percent-encoding undone."""
    return [unquote(part) for part in urlsplit(url).path.lstrip("/").split("/")]


def common_folders(urls: Iterable[str]) -> int:
    """How many folders all addresses begin with: they say nothing about any of them."""
    folders: list[str] | None = None
    for url in urls:
        own = segments(url)[:-1]
        if folders is None:
            folders = own
        pairs = zip(folders, own, strict=False)
        equal = [index for index, (one, other) in enumerate(pairs) if one != other]
        folders = folders[: equal[0] if equal else min(len(folders), len(own))]
    return len(folders or ())


def address_shape(url: str, skip: int = 0) -> Shape:
    """The values of `ATTRIBUTES`, None where an attribute does not apply.

    `skip` folders at the beginning are left out: those that all pages have in common.
    """
    *folders, name = segments(url)[skip:] or [""]
    stem = name.rpartition(".")[0] or name
    words = _words(stem, folders)
    folders = [_DIGITS.sub(NUMBER, folder) for folder in folders]
    return (
        str(min(len(folders), _MOST_DEPTH)),
        folders[0] if folders else "",
        folders[-1] if len(folders) > 1 else None,
        words[0] if words else "",
        str(min(len(words), 2)),
        words[-1] if len(words) > 1 else None,
        _parameter_names(urlsplit(url).query),
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


def _parameter_names(query: str) -> str:
    return "&".join(sorted({part.partition("=")[0] for part in query.split("&") if part}))
