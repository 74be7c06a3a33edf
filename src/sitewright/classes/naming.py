"""Names for classes that people recognise: `player`, `match-report`, not `class-17`."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from sitewright.page.url_pattern import NUMBER, SAME, segments, url_shape
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence


_SAYS_NOTHING = {"index", "default", "page", "html", "home", "main", "the", "a", "of", "and", "in"}
_KEY = re.compile(r"|(?:.*[-_])?id|isbn|sku|view|show|item|details?", re.IGNORECASE)
"""What stands in front of a name in a URL, or for any page."""
_PLURALS_IN_IE = {"movies", "cookies", "calories"}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W\d_]{2,}")
_UNSAFE = re.compile(r"[^a-z0-9]+")
_VERB = re.compile(r"(?:view|show|display)(?=[a-z]{4})", re.IGNORECASE)
"""What a script does (`viewtopic.php`): the rest says to what."""
_CONTAINERS = ("body", "html", "article", "main", "section", "div")
"""Elements whose classes may say what a page is, those that say it most often first."""
_LOOKS = frozenset(
    "page node type single view item template layout default sidebar front "
    "logged not no has with without left right one two first last content main body "
    "container wrapper wrap inner outer row col column section block field js css hentry "
    "active full width custom html even odd list entry clearfix panel group wide box status "
    "publish format standard region top bottom header footer title text left mode theme style "
    "base nav menu image large small medium skin site web is by to of the for and an "
    "new old id tpl display area open closed child parent paged btn button card form "
    "metadata media comment social".split()
)
"""Words that say how an element looks or where it stands."""


class NamedBy(NamedTuple):
    """What the pages of a class say of its name."""

    urls: Sequence[str]
    titles: Sequence[str]
    sources: Sequence[str | None] = ()
    """The URLs that saved pages come from: their own say little (`0001.htm`)."""
    types: Sequence[str] = ()
    """What each page declares to be (`Product`), or nothing."""
    marks: Sequence[Collection[str]] = ()
    """Tags with classes (`article.node-session`) of each page, or of some."""


def class_names(classes: Sequence[NamedBy], skip: int) -> list[str]:
    """A name for each class, each name once.

    Classes come the largest first, and the largest has the first choice. In turn: a word that the
    names of its files have in common, the value of a parameter, its folder, both, a folder or file
    of where they were saved from, the type that its pages declare and no other class, the name of
    a container that other classes lack, words that its titles have in common.
    """
    taken: set[str] = set()
    names = []
    site_words = _site_words(classes)
    declared = _declared_types(classes)
    contained = _container_words(classes)
    for pages, own_type, words in zip(classes, declared, contained, strict=True):
        offered = _choices(pages, skip, site_words, [own_type, *words])
        choices = [_slug(choice) for choice in offered]
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


def _declared_types(classes: Sequence[NamedBy]) -> list[str]:
    """The type that nearly all pages of a class declare, where no other class does."""
    agreed = [_agreed(pages.types) if pages.types else "" for pages in classes]
    counts = Counter(agreed)
    return [_CAMEL.sub("-", own) if counts[own] == 1 else "" for own in agreed]


def _container_words(classes: Sequence[NamedBy]) -> list[list[str]]:
    """For each class the words of containers that its pages have and hardly any other page.

    A word that stands in one `div` alone is as likely a name for its looks.
    """
    counts = [_mark_counts(pages.marks) for pages in classes]
    everything = sum(counts, Counter[str]())
    pages_of_all = sum(len(pages.marks) for pages in classes)
    found = []
    for pages, own in zip(classes, counts, strict=True):
        size = len(pages.marks)
        rest = max(pages_of_all - size, 1)
        clear = sorted(
            (_CONTAINERS.index(mark.partition(".")[0]), len(mark), mark)
            for mark, count in own.items()
            if count / size - (everything[mark] - count) / rest >= _CLEAR_MARGIN
        )
        words = Counter(_last_word(mark) for _, _, mark in clear)
        said = [
            word
            for rank, _, mark in clear
            if (word := _last_word(mark)) and (rank < _WEAK_CONTAINERS or words[word] > 1)
        ]
        found.append(list(dict.fromkeys(said))[:_MOST_CONTAINERS])
    return found


_CLEAR_MARGIN = 0.8
_MOST_CONTAINERS = 3
_WEAK_CONTAINERS = _CONTAINERS.index("section")


def _mark_counts(pages: Sequence[Collection[str]]) -> Counter[str]:
    return Counter(
        mark
        for marks in pages
        for mark in marks
        if "~" not in mark and mark.partition(".")[0] in _CONTAINERS and "." in mark
    )


def _last_word(mark: str) -> str:
    """The word of a class that says what the element is (`session` of `node-type-session`)."""
    name = _CAMEL.sub("-", mark.partition(".")[2])
    words = map(singular, _WORD.findall(name.lower()))
    telling = [word for word in words if word not in _LOOKS and len(word) > 2]
    return telling[-1] if telling else ""


def _choices(
    pages: NamedBy, skip: int, site_words: frozenset[str], said: Sequence[str]
) -> Iterator[str]:
    urls, titles, sources = pages.urls, pages.titles, pages.sources
    depth, top, folder, first, words, last, _ = zip(
        *(url_shape(url, skip) for url in urls), strict=True
    )
    del depth, words
    last_folder = [own or upper for own, upper in zip(folder, top, strict=True)]
    shared = [word for word in _title_words(titles) if word not in site_words]
    where = _in_full(_agreed(last_folder) or _agreed(top), shared)
    name_words = [_VERB.sub("", word) for word in (_agreed(first), _agreed(last)) if word]
    is_index = _mostly(first, "index")
    if where and len(urls) > 1 and _mostly(first, "page"):
        yield f"{singular(where)}-list"
    if len(urls) == 1 and is_index and not where:
        yield "home"
    for word in reversed(name_words):
        yield word if len(urls) > 1 or not where else f"{singular(where)}-{word}"
    yield from _parameter_words(urls)
    if where:
        yield singular(where) if len(urls) > 1 else f"{where}-index" if is_index else where
    for word in reversed(name_words):
        yield f"{singular(where)}-{word}"
    upper = _agreed(top)
    if upper and where and upper != where:
        yield f"{singular(upper)}-{singular(where)}"
    yield from map(singular, _source_words(sources))
    yield from said
    yield "-".join(shared[:2])
    if where:
        yield f"{singular(where)}-page"


def _in_full(word: str, title_words: Sequence[str]) -> str:
    """The word of the titles that a short one stands for: `source` for `src`."""
    if not word or len(word) > _LONGEST_SHORT_FORM:
        return word
    letters = re.compile(".*".join(map(re.escape, word.lower())))
    return next((full for full in title_words if letters.match(full) and full != word), word)


_LONGEST_SHORT_FORM = 4


def _parameter_words(urls: Sequence[str]) -> Iterator[str]:
    """What nearly all URLs give as a parameter: `category` of `route=product/category`.

    The names of saved pages have parameters, too: `index.php@route=product%2Fcategory.html`.
    """
    given: dict[str, list[str | None]] = {}
    for place, url in enumerate(urls):
        for name, value in dict(_PARAMETER.findall(unquote(unquote(url)))).items():
            given.setdefault(name, [None] * len(urls))[place] = value
    for values in given.values():
        words = _WORD.findall(_agreed(values))
        telling = [word for word in words if word not in _SAYS_NOTHING and len(word) > 2]
        if telling:
            yield singular(_VERB.sub("", telling[-1]))
            yield "-".join(map(singular, telling))


_PARAMETER = re.compile(r"[?&@;]([a-z_][\w.]*)=([^&@;]*?)(?=[&@;]|\.html?\Z|\Z)", re.IGNORECASE)


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


def singular(word: str) -> str:
    """An English word as it stands for one thing; others are left alone."""
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
