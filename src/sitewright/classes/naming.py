"""Names for classes that people recognise: `player`, `match-report`, not `class-17`."""

from __future__ import annotations

import re
from collections import Counter
from itertools import dropwhile
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, normalize
from urllib.parse import quote, unquote

from sitewright.page.url_pattern import NUMBER, SAME, parameters, segments, url_shape
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence


_SAYS_NOTHING = {"index", "default", "page", "html", "home", "main", "the", "a", "of", "and", "in"}
_KEY = re.compile(r"|(?:.*[-_])?id|isbn|sku|view|show|item|info|details?", re.IGNORECASE)
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
_CONTAINERS = ("body", "html", "article", "main", "section")
"""Elements whose classes may say what a page is, those that say it most often first.

Those of `div` mostly say how something looks.
"""
_LOOKS = frozenset(
    "page node type single view item template layout default sidebar front "
    "logged not no has with without left right one two first last content main body "
    "container wrapper wrap inner outer row col column section block field js css hentry "
    "active full width custom html even odd list entry clearfix panel group wide box status "
    "publish format standard region top bottom header footer title text left mode theme style "
    "base nav menu image large small medium skin site web is by to of the for and an "
    "new old id tpl display area open closed child parent paged btn button card form "
    "metadata media comment social widget hidden light dark toc data radio checkbox input "
    "filter visible".split()
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
    are_redirects: bool = False
    """The pages only send their readers on."""


def class_names(classes: Sequence[NamedBy], skip: int) -> list[str]:
    """A name for each class, each name once.

    Classes come the largest first, and the largest has the first choice: of those whose URLs say
    something, then of the others. In turn: what `<body>` calls the pages, where their URLs do not
    say as much; a word that the names of its files have in common, the value of a parameter, its
    folder, both, a folder or file of where they were saved from, the type that its pages declare
    and no other class, the name of a container that other classes lack, words that its titles have
    in common, first of all behind a word of its URLs that another class has; then what more than
    half of its URLs or titles say, or the two or three folders that it is mixed of.
    """
    site_words = _site_words(classes, 0.5)
    site_name = _site_words(classes, current().classes.min_name_agreement)
    are_folders = _are_pages_folders(classes)
    declared, contained = _declared_types(classes), _container_words(classes)
    rooted = _root_words(classes)
    of_titles = [_words_in_titles(pages.titles) for pages in classes]
    by_url, others = [], []
    for place, pages in enumerate(classes):
        urls = [*map(_without_index, pages.urls)] if are_folders else pages.urls
        told = [word for word in _title_words(pages.titles) if word not in site_words]
        choices = _with_root_word(rooted[place], _slugs(_url_choices(urls, skip, told, site_name)))
        if any(_is_home(url, skip) for url in pages.urls) and _is_one_title(place, classes):
            choices = [*choices, "home"]
        by_url.append(["redirect", *choices] if pages.are_redirects else choices)
        said = [*map(singular, _source_words(pages.sources)), declared[place], *contained[place]]
        said.append("-".join(told[:2]))
        first = by_url[place][:1]
        said = [*_told_apart(first, said), *said, *(f"{choice}-page" for choice in first)]
        said += [*_words_of_most(urls, skip), *_several_folders(urls, skip)]
        said.append("-".join(_words_of_most_titles(place, of_titles)[:2]))
        others.append(_slugs(said))
    names: dict[int, str] = {}
    for place in sorted(range(len(classes)), key=lambda at: not by_url[at]):
        choices, taken = [*by_url[place], *others[place]], set(names.values())
        free = (choice for choice in choices if choice not in taken)
        names[place] = next(free, None) or _numbered(next(iter(choices), "page"), taken)
    return [names[place] for place in range(len(classes))]


def _is_one_title(place: int, classes: Sequence[NamedBy]) -> bool:
    """Whether all pages of a class have one title, and hardly a page of the others has it."""
    title, *_ = titles = classes[place].titles or [""]
    others = [other for at, pages in enumerate(classes) if at != place for other in pages.titles]
    is_one = bool(title) and {*titles} == {title}
    return is_one and others.count(title) <= _STRAY_SHARE * len(others)


def _told_apart(taken: Sequence[str], words: Iterable[str]) -> Iterator[str]:
    """A name that another class has, with a word that tells from it: `search-topics`."""
    for name in taken:
        known = set(name.split("-"))
        yield from (f"{name}-{word}" for word in words if word and singular(word) not in known)


def _slugs(texts: Iterable[str]) -> list[str]:
    return [*filter(None, map(_slug, texts))]


def _with_root_word(word: str, choices: Sequence[str]) -> list[str]:
    """What `<body>` calls a page comes first, unless its URL says as much."""
    said = {part for choice in choices[:1] for part in choice.split("-")}
    is_told = bool(said & set(word.split("-")))
    return _slugs([*choices, word] if is_told else [word, *choices])


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
    """For each class the words of containers that its pages have and hardly any other page."""
    return [
        list(dict.fromkeys(filter(None, map(_last_word, own))))[:_MOST_CONTAINERS]
        for own in _own_marks(classes)
    ]


def _own_marks(classes: Sequence[NamedBy]) -> list[list[str]]:
    """For each class the containers that its pages have and hardly any other page."""
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
        found.append([mark for _, _, mark in clear])
    return found


_CLEAR_MARGIN = 0.8
_MOST_CONTAINERS = 3


def _root_words(classes: Sequence[NamedBy]) -> list[str]:
    """What `<html>` or `<body>` calls the pages of each class, where it has a name for several.

    `node-type-session` beside `node-type-sponsor`, and `post-template` beside `tag-template`: what
    stands in one place of such a family, one word for each class, is what the makers of a site
    call its pages.
    """
    families: dict[tuple[bool, str], dict[int, set[str]]] = {}
    for place, marks in enumerate(_own_marks(classes)):
        for mark in marks:
            tag, _, name = mark.partition(".")
            for family, value in _families(name) if tag in {"html", "body"} else ():
                families.setdefault(family, {}).setdefault(place, set()).add(value)
    found = [""] * len(classes)
    for (_, _), members in sorted(families.items(), key=_how_telling):
        for place, values in members.items():
            if len(members) > 1 and len(values) == 1 and not found[place]:
                found[place] = _root_word(*values)
    return found


def _families(name: str) -> Iterator[tuple[tuple[bool, str], str]]:
    """The ways to read a name as a family and its member: by its last words, by its first ones."""
    words = _CAMEL.sub("-", name).lower().replace("_", "-").split("-")
    for place in range(1, len(words)):
        ahead, behind = "-".join(words[:place]), "-".join(words[place:])
        yield (False, ahead), behind
        if all(word in _LOOKS for word in words[place:]):
            yield (True, behind), ahead


def _how_telling(
    family: tuple[tuple[bool, str], dict[int, set[str]]],
) -> tuple[bool, int, bool, int]:
    """Those whose common part says nothing but that a kind of page follows, the longest first."""
    (is_end, shared), members = family
    is_about_something = any(word not in _LOOKS for word in shared.split("-"))
    return is_about_something, -min(len(members), _SEVERAL), is_end, -len(shared)


_SEVERAL = 3


def _root_word(value: str) -> str:
    """One or two words of a member of a family, without those in front that any page may have."""
    words = [*dropwhile(_LOOKS.__contains__, _WORD.findall(value))]
    word = _VERB.sub("", singular("-".join(words)))
    return "" if len(words) > _MOST_ROOT_WORDS or word in _LOOKS else word


_MOST_ROOT_WORDS = 2


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
    name_words = _name_words((first, last), urls, site_name)
    is_index = _mostly(first, "index")
    is_one_page = len({*map(_page_name, urls)}) == 1
    if where and len(urls) > 1 and (_mostly(last_folder, "page") or _mostly(first, "page")):
        yield f"{singular(where)}-list"
    if _nearly_all(_is_home(url, skip) for url in urls):
        yield "home"
    for word in reversed(name_words):
        yield f"{singular(where)}-{word}" if is_one_page and where else word
    for value in _parameter_words(urls, current().classes.min_name_agreement):
        yield from (f"{word}-{value}" for word in name_words[:1] if is_one_page)
        yield value
    if len(where) <= _LONGEST_ABBREVIATION or singular(where) in _WAYS_TO_LIST:
        yield inside
    yield from (f"{singular(where)}-{word}" for word in reversed(name_words))
    if where:
        yield singular(where) if len(urls) > 1 else f"{where}-index" if is_index else where
    yield inside
    yield from _folders_between(urls, skip)
    yield from _dated(urls)


def _dated(urls: Sequence[str]) -> Iterator[str]:
    """What pages are that have a date for a folder."""
    paths = ["/".join(_page_name(url)) for url in urls]
    for name, form in _DATED:
        if _nearly_all(bool(form.search(path)) for path in paths):
            yield name


_YEAR = r"(?:^|/)(?:19|20)\d\d"
_DATED = (
    ("archive", re.compile(_YEAR + r"(?:/\d\d?){0,2}(?:/page/\d+)?(?:/index)?\Z")),
    ("post", re.compile(_YEAR + r"(?:/\d\d?){1,2}/[^/]*[^\W\d][^/]*(?:/index)?\Z")),
)


def _words_of_most(urls: Sequence[str], skip: int) -> Iterator[str]:
    """The folder or the word that more than half of the URLs have."""
    _, top, folder, first, _, last, _ = zip(*(url_shape(url, skip) for url in urls), strict=True)
    last_folder = [own or upper for own, upper in zip(folder, top, strict=True)]
    for values in (last, first, last_folder, top):
        (value, count), *_ = Counter(values).most_common(1)
        is_told = count > len(urls) / 2 and value and _says_something(value)
        if is_told and len(value) > 2 and not _is_extension(value, urls):
            yield singular(value)
    yield from _parameter_words(urls, 0.5)
    yield from _parameter_folders(urls)


def _words_in_titles(titles: Sequence[str]) -> Counter[str]:
    """In how many titles each word is, in the order of the words; "" counts the titles."""
    counts = Counter(word for title in titles for word in dict.fromkeys(_words(title)))
    counts[""] = len(titles)
    return counts


def _words_of_most_titles(place: int, classes: Sequence[Counter[str]]) -> list[str]:
    """The words of more than half of the titles of a class that hardly any other title has."""
    own = classes[place]
    others = {
        word: sum(other[word] for at, other in enumerate(classes) if at != place)
        for word, count in own.items()
        if max(1, own[""] / 2) < count and (len(word) > 2 or not word)
    }
    return [word for word, n in others.items() if word and n <= _STRAY_SHARE * others.get("", 0)]


_STRAY_SHARE = 0.05
"""So many pages of other classes may have what names a class: some pages are in a wrong one."""


def _several_folders(urls: Sequence[str], skip: int) -> Iterator[str]:
    """The folders that nearly all pages of a mixed class are in: `news-event`."""
    folders = Counter(own[skip] for own in map(segments, urls) if len(own) > skip + 1)
    least = max(2.0, _MIXED_SHARE * len(urls))
    often = [name for name, count in folders.most_common() if count >= least]
    is_told = _nearly_all(len(own) > skip + 1 and own[skip] in often for own in map(segments, urls))
    is_told &= all(_says_something(name) and len(name) > 2 for name in often)
    if is_told and len(often) <= _MOST_MIXED:
        yield "-".join(map(singular, often))


_MIXED_SHARE = 0.1
"""A folder with fewer pages of a class is not what the class is of."""
_MOST_MIXED = 3


def _says_something(value: str) -> bool:
    return value not in {NUMBER, SAME} | _SAYS_NOTHING and bool(_WORD.search(value))


def _folders_between(urls: Sequence[str], skip: int) -> Iterator[str]:
    """Folders that nearly all have at one place, innermost first: `log` of `/tool/log/src/x`."""
    folders = [segments(url)[skip:-1] for url in urls]
    for place in reversed(range(max(map(len, folders)))):
        yield singular(_agreed([own[place] if place < len(own) else None for own in folders]))


_LONGEST_ABBREVIATION = 3
_WAYS_TO_LIST = frozenset(("category", "tag", "tagged", "archive", "author", "type", "list"))
"""Folders that say how pages are listed: what is listed, the folder above them says."""


def _name_words(
    words: Sequence[Sequence[str | None]], urls: Sequence[str], site_name: frozenset[str]
) -> list[str]:
    """The words that nearly all files begin or end with, and that say something."""
    return [
        _VERB.sub("", word)
        for word in map(_agreed, words)
        if word and word not in site_name and not _is_extension(word, urls)
    ]


def _is_extension(word: str, urls: Sequence[str]) -> bool:
    """Whether nearly all files are of this kind: `lib.rs.html` shows a file, and is no `rs`."""
    return _nearly_all(_page_name(url)[-1].lower().endswith(f".{word}") for url in urls)


def _nearly_all(holds: Iterable[bool]) -> bool:
    answers = [*holds]
    return sum(answers) >= current().classes.min_name_agreement * len(answers)


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


def _parameter_words(urls: Sequence[str], least: float) -> Iterator[str]:
    """What at least such a share of URLs give as a parameter: `category` of `product/category`.

    The names of saved pages have parameters, too: `index.php@route=product%2Fcategory.html`.
    """
    for values in _given(urls):
        words = _WORD.findall(_most_common(values, least))
        telling = [
            word
            for word in words
            if word.lower() not in _ORDERS and not _KEY.fullmatch(word) and len(word) > 2
        ]
        if telling:
            yield singular(_VERB.sub("", telling[-1]))
            yield "-".join(map(singular, telling))


def _given(urls: Sequence[str]) -> Iterator[list[str | None]]:
    """For each parameter, but the order of lists, what each URL gives for it."""
    given: dict[str, list[str | None]] = {}
    for place, url in enumerate(urls):
        for parameter in parameters(url):
            name, _, value = parameter.partition("=")
            if not _ORDER.search(name):
                value = _EXTENSION.sub("", unquote(value))
                given.setdefault(name, [None] * len(urls))[place] = value
    yield from given.values()


def _parameter_folders(urls: Sequence[str]) -> Iterator[str]:
    """What parameters begin with that are paths: `account` of `route=account/address`."""
    for values in _given(urls):
        folder = _agreed([value.partition("/")[0] if value else None for value in values])
        if any(value and "/" in value for value in values) and len(folder) > _LONGEST_ABBREVIATION:
            yield singular(folder)


_EXTENSION = re.compile(r"\.html?\Z", re.IGNORECASE)


def _agreed(values: Sequence[str | None]) -> str:
    """The word that nearly all have; empty if there is none, or it says nothing."""
    value = _most_common(values)
    is_word = value not in {NUMBER, SAME} | _SAYS_NOTHING and _WORD.search(value)
    return value if is_word else ""


def _most_common(values: Sequence[str | None], least: float | None = None) -> str:
    """The value that nearly all have, or such a share of them; empty if there is none."""
    (value, count), *_ = Counter(values).most_common(1)
    share = current().classes.min_name_agreement if least is None else least
    return value or "" if count >= share * len(values) else ""


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
    if lower.endswith(("ches", "shes", "sses", "xes", "ciones")):
        return lower[:-2]
    keeps = lower.endswith(("ss", "us", "is", "news", "series", "stats")) or len(lower) < 4
    return lower if keeps or not lower.endswith("s") else lower[:-1]


def _slug(text: str) -> str:
    """Letters and digits of a text; accented letters are the letters below their accents."""
    plain = "".join(c for c in normalize("NFKD", text.casefold()) if not combining(c))
    return _UNSAFE.sub("-", plain).strip("-")[:40]


def _numbered(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}" if name in taken else name
