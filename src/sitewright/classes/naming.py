"""Names for classes that people recognise: `player`, `match-report`, not `class-17`."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sitewright.page.url_pattern import NUMBER, SAME, segments, url_shape
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_SAYS_NOTHING = {"index", "default", "page", "html", "home", "main", "the", "a", "of", "and", "in"}
_KEY = re.compile(r"|(?:.*[-_])?id|isbn|sku|view|show|item|details?", re.IGNORECASE)
"""What stands in front of a name in a URL, or for any page."""
_PLURALS_IN_IE = {"movies", "cookies", "calories"}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W\d_]{2,}")
_UNSAFE = re.compile(r"[^a-z0-9]+")


class NamedBy(NamedTuple):
    """What the pages of a class say of its name."""

    urls: Sequence[str]
    titles: Sequence[str]
    sources: Sequence[str | None] = ()
    """The URLs that saved pages come from: their own say little (`0001.htm`)."""


def class_names(classes: Sequence[NamedBy], skip: int) -> list[str]:
    """A name for each class, each name once.

    Classes come the largest first, and the largest has the first choice. In turn: a word that the
    names of its files have in common, its folder, both, a folder or file of where they were saved
    from, words that its titles have in common.
    """
    taken: set[str] = set()
    names = []
    site_words = _site_words(classes)
    for pages in classes:
        choices = [_slug(choice) for choice in _choices(pages, skip, site_words)]
        free = (choice for choice in choices if choice and choice not in taken)
        name = next(free, None) or _numbered(next(filter(None, choices), "page"), taken)
        taken.add(name)
        names.append(name)
    return names


def _site_words(classes: Sequence[NamedBy]) -> frozenset[str]:
    """The name of the site, which is in the titles of most classes: it names none of them."""
    if len(classes) < 2:
        return frozenset()
    counts = Counter(word for pages in classes for word in set(_title_words(pages.titles)))
    return frozenset(word for word, count in counts.items() if 2 * count > len(classes))


def _choices(pages: NamedBy, skip: int, site_words: frozenset[str]) -> Iterator[str]:
    urls, titles, sources = pages
    depth, top, folder, first, words, last, _ = zip(
        *(url_shape(url, skip) for url in urls), strict=True
    )
    del depth, words
    last_folder = [own or upper for own, upper in zip(folder, top, strict=True)]
    where = _agreed(last_folder) or _agreed(top)
    name_words = [word for word in (_agreed(first), _agreed(last)) if word]
    is_index = _mostly(first, "index")
    if where and len(urls) > 1 and _mostly(first, "page"):
        yield f"{_singular(where)}-list"
    if len(urls) == 1 and is_index and not where:
        yield "home"
    for word in reversed(name_words):
        yield word if len(urls) > 1 or not where else f"{_singular(where)}-{word}"
    if where:
        yield _singular(where) if len(urls) > 1 else f"{where}-index" if is_index else where
    for word in reversed(name_words):
        yield f"{_singular(where)}-{word}"
    upper = _agreed(top)
    if upper and where and upper != where:
        yield f"{_singular(upper)}-{_singular(where)}"
    yield from map(_singular, _source_words(sources))
    yield "-".join([word for word in _title_words(titles) if word not in site_words][:2])
    if where:
        yield f"{_singular(where)}-page"


def _agreed(values: Sequence[str | None]) -> str:
    """The word that nearly all have; empty if there is none, or it says nothing."""
    settings = current().classes
    (value, count), *_ = Counter(values).most_common(1)
    if value in {None, "", NUMBER, SAME} or count < settings.min_name_agreement * len(values):
        return ""
    return "" if value in _SAYS_NOTHING or not _WORD.search(value or "") else value or ""


def _mostly(values: Sequence[str | None], word: str) -> bool:
    settings = current().classes
    return values.count(word) >= settings.min_name_agreement * len(values)


def _source_words(sources: Sequence[str | None]) -> Iterator[str]:
    """Folders and files that nearly all sources have at the same place, the innermost first."""
    settings = current().classes
    split = [_stems(source) for source in sources if source]
    if len(split) < max(2, settings.min_name_agreement * len(sources)):
        return
    for place in reversed(range(max(map(len, split), default=0))):
        word = _agreed([own[place] if place < len(own) else None for own in split])
        if not _KEY.fullmatch(word):
            yield _CAMEL.sub("-", word)


def _stems(url: str) -> list[str]:
    *folders, name = segments(url)
    return [*folders, name.rpartition(".")[0] or name]


def _title_words(titles: Sequence[str]) -> list[str]:
    """Words that nearly all titles have, in the order of the first title."""
    settings = current().classes
    counts = Counter(word for title in titles for word in set(_words(title)))
    often = {
        word for word, count in counts.items() if count >= settings.min_name_agreement * len(titles)
    }
    return [word for word in _words(titles[0] if titles else "") if word in often]


def _words(title: str) -> list[str]:
    return [word for word in _WORD.findall(title.lower()) if word not in _SAYS_NOTHING]


def _singular(word: str) -> str:
    lower = word.lower()
    if lower.endswith("ies") and len(lower) > 4 and lower not in _PLURALS_IN_IE:
        return lower[:-3] + "y"
    if lower.endswith(("ches", "shes", "sses", "xes")):
        return lower[:-2]
    keeps = lower.endswith(("ss", "us", "is", "news", "series", "stats")) or len(lower) < 4
    return lower if keeps or not lower.endswith("s") else lower[:-1]


def _slug(text: str) -> str:
    return _UNSAFE.sub("-", text.lower()).strip("-")[:40]


def _numbered(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}" if name in taken else name
