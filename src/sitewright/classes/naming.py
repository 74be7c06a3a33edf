"""Names for classes that people recognise: `player`, `match-report`, not `class-17`."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from sitewright.page.url_pattern import NUMBER, SAME, parameters, segments, url_shape
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
_ORDERS = frozenset(("asc", "desc", "all", "any", "true", "false"))
"""Values of parameters that say how a list is shown, not what it is of."""
_ORDER = re.compile(r"sort|order", re.IGNORECASE)
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

    Classes come the largest first, and the largest has the first choice: of those whose URLs say
    something, then of the others. In turn: a word that the names of its files have in common, the
    value of a parameter, its folder, both, a folder or file of where they were saved from, the type
    that its pages declare and no other class, the name of a container that other classes lack,
    words that its titles have in common.
    """
    site_words = _site_words(classes, 0.5)
    site_name = _site_words(classes, current().classes.min_name_agreement)
    are_folders = _are_pages_folders(classes)
    declared, contained = _declared_types(classes), _container_words(classes)
    by_url, by_page = [], []
    for place, pages in enumerate(classes):
        urls = [*map(_without_index, pages.urls)] if are_folders else pages.urls
        told = [word for word in _title_words(pages.titles) if word not in site_words]
        said = [*map(singular, _source_words(pages.sources)), declared[place], *contained[place]]
        by_url.append([*filter(None, map(_slug, _url_choices(urls, skip, told, site_name)))])
        by_page.append([*filter(None, map(_slug, [*said, "-".join(told[:2])]))])
    names: dict[int, str] = {}
    for place in sorted(range(len(classes)), key=lambda at: not by_url[at]):
        choices = [*by_url[place], *by_page[place]]
        choices += [f"{choice}-page" for choice in by_url[place][:1]]
        taken = set(names.values())
        free = (choice for choice in choices if choice not in taken)
        names[place] = next(free, None) or _numbered(next(iter(choices), "page"), taken)
    return [names[place] for place in range(len(classes))]


def _are_pages_folders(classes: Sequence[NamedBy]) -> bool:
    """Whether many pages are the index of a folder: their folders are called as pages are.

    Elsewhere `index.html` says something: the page is about its folder.
    """
    names = [segments(url)[-1] for pages in classes for url in pages.urls]
    indexes = sum(name.partition(".")[0] == "index" for name in names)
    return indexes >= _MANY_INDEXES * len(names)


_MANY_INDEXES = 1 / 3
"""On labelled sites it is a sixth at most, or nearly a half at least."""


def _without_index(url: str) -> str:
    """The URL of a page that is the index of a folder, as if the folder were a file."""
    *folders, name = segments(url)
    if not folders or name.partition(".")[0] != "index":
        return url
    query = "&".join(parameters(url))
    return "//site/" + quote("/".join(folders)) + (f"?{query}" if query else "")


def _site_words(classes: Sequence[NamedBy], share: float) -> frozenset[str]:
    """The name of the site, which is in the titles of most classes: it names none of them."""
    if len(classes) < 2:
        return frozenset()
    counts = Counter(word for pages in classes for word in set(_title_words(pages.titles)))
    return frozenset(word for word, count in counts.items() if count > share * len(classes))


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


def _url_choices(
    urls: Sequence[str], skip: int, title_words: Sequence[str], site_name: frozenset[str]
) -> Iterator[str]:
    depth, top, folder, first, words, last, _ = zip(
        *(url_shape(url, skip) for url in urls), strict=True
    )
    del depth, words
    last_folder = [own or upper for own, upper in zip(folder, top, strict=True)]
    upper, where = _agreed(top), _in_full(_agreed(last_folder) or _agreed(top), title_words)
    inside = "" if not where or upper in {"", where} else f"{singular(upper)}-{singular(where)}"
    name_words = [
        _VERB.sub("", word)
        for word in (_agreed(first), _agreed(last))
        if word and word not in site_name
    ]
    is_index = _mostly(first, "index")
    is_one_page = len({*map(_page_name, urls)}) == 1
    if where and len(urls) > 1 and (_mostly(last_folder, "page") or _mostly(first, "page")):
        yield f"{singular(where)}-list"
    if sum(_is_home(url, skip) for url in urls) >= current().classes.min_name_agreement * len(urls):
        yield "home"
    for word in reversed(name_words):
        yield f"{singular(where)}-{word}" if is_one_page and where else word
    for value in _parameter_words(urls):
        yield from (f"{word}-{value}" for word in name_words[:1] if is_one_page)
        yield value
    if len(where) <= _LONGEST_ABBREVIATION:
        yield inside
    if where:
        yield singular(where) if len(urls) > 1 else f"{where}-index" if is_index else where
    for word in reversed(name_words):
        yield f"{singular(where)}-{word}"
    yield inside


_LONGEST_ABBREVIATION = 3


def _page_name(url: str) -> tuple[str, ...]:
    """The place of a page without parameters and extension."""
    *folders, name = segments(url)
    return (*folders, name.rpartition(".")[0] or name)


_HOME = re.compile(r"(?:index(?:[-_]?\d+)?|page/\d+(?:/index)?|)")


def _is_home(url: str, skip: int) -> bool:
    """The home page, or a further page of it: `/`, `/page/2/`, `/index-2.html`."""
    return not parameters(url) and bool(_HOME.fullmatch("/".join(_page_name(url)[skip:])))


def _in_full(word: str, title_words: Sequence[str]) -> str:
    """The word of the titles that a short one stands for: `source` for `src`."""
    if not word or len(word) > _LONGEST_SHORT_FORM:
        return word
    letters = re.compile(".*".join(map(re.escape, word.lower())))
    full = next((full for full in title_words if letters.match(full) and full != word), word)
    is_word = len(word) > _LONGEST_ABBREVIATION or full != word
    return full if is_word else next(iter(title_words), word)


_LONGEST_SHORT_FORM = 4


def _parameter_words(urls: Sequence[str]) -> Iterator[str]:
    """What nearly all URLs give as a parameter: `category` of `route=product/category`.

    The names of saved pages have parameters, too: `index.php@route=product%2Fcategory.html`.
    """
    given: dict[str, list[str | None]] = {}
    for place, url in enumerate(urls):
        for parameter in parameters(url):
            name, _, value = parameter.partition("=")
            if _ORDER.search(name):
                continue
            given.setdefault(name, [None] * len(urls))[place] = _EXTENSION.sub("", unquote(value))
    for values in given.values():
        words = _WORD.findall(_most_common(values))
        telling = [word for word in words if word.lower() not in _ORDERS and len(word) > 2]
        if telling:
            yield singular(_VERB.sub("", telling[-1]))
            yield "-".join(map(singular, telling))


_EXTENSION = re.compile(r"\.html?\Z", re.IGNORECASE)


def _agreed(values: Sequence[str | None]) -> str:
    """The word that nearly all have; empty if there is none, or it says nothing."""
    value = _most_common(values)
    is_word = value not in {NUMBER, SAME} | _SAYS_NOTHING and _WORD.search(value)
    return value if is_word else ""


def _most_common(values: Sequence[str | None]) -> str:
    """The value that nearly all have; empty if there is none."""
    (value, count), *_ = Counter(values).most_common(1)
    return value or "" if count >= current().classes.min_name_agreement * len(values) else ""


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
