"""What the classes need to know of one page: a pure function of its URL and bytes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from statistics import median
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote

import numpy as np

from sitewright.page import (
    Labelling,
    PathVocabulary,
    Schema,
    link_collections,
    node_schema,
    page_schema,
)
from sitewright.page.document import saved_from
from sitewright.page.structured_data import declared_type
from sitewright.page.url_pattern import (
    ATTRIBUTES,
    RARE,
    common_folders,
    place_in_site,
    url_shape,
)
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from sitewright.page import Document


REFRESH = 0
"""The path under which the page stands that a refresh leads to: the document itself."""


@dataclass(frozen=True, slots=True, eq=False)
class PageFeatures:
    """A page as integers of a shared vocabulary; its document can be forgotten."""

    url: str
    title: str
    schema: Schema
    """The page schema of the papers: paths that end in links, with the number of links."""
    nodes: Schema
    """The paths of all elements, with the number of elements."""
    collections: tuple[tuple[int, tuple[str, ...]], ...]
    """For each path that ends in links, the URLs of this site that they lead to."""
    is_stub: bool
    """The page only sends its reader on: it has a refresh, and hardly a link."""
    source: str | None = None
    """The URL that a saved page comes from, where it says so."""
    declared_type: str = ""
    """What the page declares to be (`Product`), if it does."""
    content: int = 0
    """A number for its words, links and pictures: equal for pages that say the same. 0: unknown."""


def page_features(
    document: Document,
    vocabulary: PathVocabulary,
    url: Callable[[str], str | None],
) -> PageFeatures:
    """Read a page once; `url` resolves links to the site's own pages, others to None."""
    settings = current().classes
    collections = link_collections(document, vocabulary)
    schema = page_schema(collections)
    own = []
    for path, links in collections:
        urls = map(url, dict.fromkeys(link.url for link in links))
        inside = tuple(dict.fromkeys(found for found in urls if found is not None))
        if inside:
            own.append((path, inside))
    target = url(document.refresh) if document.refresh else None
    if target is not None:
        own.append((REFRESH, (target,)))
    return PageFeatures(
        url=document.url,
        title=document.title,
        schema=schema,
        nodes=node_schema(document, vocabulary),
        collections=tuple(own),
        is_stub=document.refresh is not None
        and int(schema.counts.sum()) <= settings.max_links_of_stub,
        source=saved_from(document),
        declared_type=declared_type(document.tree),
        content=content_number(document),
    )


_WORDS = re.compile(r"\w+")
_PICTURES = ("img", "source", "video", "audio", "iframe", "object", "embed")
_MOST_COMPARED = 200_000
"""Characters of a page's text that are compared."""


def content_number(document: Document) -> int:
    """A number that is the same for pages that say the same, whatever their own URL is.

    Words of the URL do not count, since a page that says "not found" often repeats it; those of the
    host do, which may be the numbers of an address. Nor do words of letters and digits count, which
    are mostly made up for one visit. Numbers, links and pictures do: they may be all that pages
    differ in.
    """
    own = set(_WORDS.findall(unquote(place_in_site(document.url)).lower()))
    body = document.tree.select_one("body")
    text = body.to_text()[:_MOST_COMPARED].lower() if body is not None else ""
    words = {word for word in _WORDS.findall(text) if word.isdigit() or word.isalpha()} - own
    links = {link.url.partition("?")[0] for link in document.links if link.url} - {document.url}
    pictures = {element.attr("src") or "" for element in document.tree.iter_elements(_PICTURES)}
    said = "\n".join([*sorted(words), "", *sorted(links), "", *sorted(pictures)])
    return int.from_bytes(blake2b(said.encode("utf-8", "replace"), digest_size=7).digest()) or 1


def structure_features(document: Document, vocabulary: PathVocabulary) -> PageFeatures:
    """What tells a page's class, at half the cost: its links are left out.

    Only where the page sends its reader on they are counted, since few of them make it a stub.
    """
    if document.refresh is not None:
        return page_features(document, vocabulary, lambda url: url)
    return PageFeatures(
        url=document.url,
        title="",
        schema=Schema.of({}),
        nodes=node_schema(document, vocabulary),
        collections=(),
        is_stub=False,
    )


@dataclass(slots=True)
class PageSample:
    """Pages in the order of their visit, over one vocabulary: what classes are learnt from."""

    vocabulary: PathVocabulary = field(default_factory=lambda: PathVocabulary(Labelling.CLASSES))
    pages: list[PageFeatures] = field(default_factory=list)


Item = TypeVar("Item")


def evenly(items: Sequence[Item], size: int) -> list[Item]:
    """At most so many of the items, in their order, as far apart as they can be.

    What is learnt from them holds for all, whatever order they came in.
    """
    taken = min(size, len(items))
    return [items[place * len(items) // taken] for place in range(taken)]


# What elements are made of, wherever they stand: the marks that tell the kinds of pages apart.

_LABEL_PARTS = re.compile(r"(?<!\\)\.")
_DIGITS = re.compile(r"\d+")
_FAMILY = re.compile(r"~?([^-_]+)[-_].")
_ROOTS = frozenset({"html", "body"})
_EVERYWHERE = frozenset({"html", "head", "body", "/html", "/html/head", "/html/body", ""})
"""The parser gives these to every page."""


class PathMarks:
    """Tags and classes of the elements at each path of a vocabulary, each looked at once.

    A mark is a tag (`table`) or a tag with one of its classes (`table.squad`). A class with a
    number in it gives a second mark without it: `div.post-17` is also `div.~post-#`. Marks that
    begin with the same word are a family: `article.tag-docker` and `article.tag-swarm`.
    """

    def __init__(self, vocabulary: PathVocabulary) -> None:
        self._vocabulary = vocabulary
        self.names: list[str] = []
        """The text of each mark."""
        self._numbers: dict[str, int] = {}
        self._families: list[str] = []
        self._parts: list[tuple[str, tuple[str, ...]]] = []
        self._marks: list[tuple[int, ...]] = []
        self._tag_paths: list[int] = []
        self._tag_path_ids: dict[tuple[int, str], int] = {(0, ""): 0}
        self._tag_path_texts: list[str] = [""]

    def counted(self, nodes: Schema) -> dict[int, int]:
        """The marks of a page, and how many elements have each."""
        self._learn()
        found: dict[int, int] = {}
        for path, count in zip(nodes.paths.tolist(), nodes.counts.tolist(), strict=True):
            for mark in self._marks[path]:
                found[mark] = found.get(mark, 0) + count
        return found

    def tag_paths(self, nodes: Schema) -> set[int]:
        """The paths of a page as paths of tags alone."""
        self._learn()
        return {self._tag_paths[path] for path in nodes.paths.tolist()}

    def columns(self, nodes: Schema) -> set[str]:
        """The texts of a page's marks and tag paths, but for those that every page has."""
        found = {self.names[mark] for mark in self.counted(nodes)}
        found |= {self._tag_path_texts[path] for path in self.tag_paths(nodes)}
        return found - _EVERYWHERE

    def is_root(self, mark: int) -> bool:
        """Whether a mark is a class of `<html>` or `<body>`, which stand above everything."""
        tag, dot, _ = self.names[mark].partition(".")
        return bool(dot) and tag in _ROOTS

    def values(self, counted: Sequence[Mapping[int, int]]) -> dict[int, int]:
        """The marks that are values, such as the tags of an article, and what stands for each.

        A family with many members, half of which hardly a page has, says something about the
        content of a page: that the page has such a mark is structure, which one is data.
        """
        settings = current().classes
        pages: Counter[str] = Counter()
        members: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for own in counted:
            families = [(self._families[mark], mark) for mark in own if self._families[mark]]
            pages.update({family for family, _ in families})
            for family, mark in families:
                members[family][mark] += 1
        found: dict[int, int] = {}
        for family, marks in members.items():
            exact = [n for mark, n in marks.items() if "~" not in self.names[mark]]
            rare = max(2.0, settings.rare_value_share * pages[family])
            if len(exact) >= settings.min_values_of_family and median(exact) <= rare:
                found |= dict.fromkeys(marks, self._number(f"{family}-*"))
        return found

    def cleaned_paths(
        self, counted: Sequence[Mapping[int, int]], least: int, values: Mapping[int, int]
    ) -> NDArray[np.int64]:
        """For each path the number of what it is without the classes that few pages have.

        A class that a page has for itself would make all paths below its element its own. Of
        `values` it only counts that there is one.
        """
        pages = Counter(mark for own in counted for mark in own)
        shared = {mark for mark, count in pages.items() if count >= least}
        ids: dict[tuple[int, tuple[str | int, ...]], int] = {}
        cleaned = np.zeros(len(self._parts), dtype=np.int64)
        for path, (tag, classes) in enumerate(self._parts[1:], 1):
            numbers = (self._numbers[f"{tag}.{name}"] for name in classes)
            kept = dict.fromkeys(values.get(number, number) for number in numbers)
            label: tuple[str | int, ...] = (tag, *(number for number in kept if number in shared))
            key = int(cleaned[self._vocabulary.parent(path)]), label
            cleaned[path] = ids.setdefault(key, len(ids) + 1)
        return cleaned

    def _learn(self) -> None:
        """Look at the paths that are new in the vocabulary."""
        for path in range(len(self._parts), len(self._vocabulary)):
            tag, classes, names = _label_marks(self._vocabulary.label(path))
            self._parts.append((tag, classes))
            self._marks.append(tuple(map(self._number, names)))
            above = self._tag_paths[self._vocabulary.parent(path)] if path else 0
            key = above, tag
            number = self._tag_path_ids.setdefault(key, len(self._tag_path_ids))
            if number == len(self._tag_path_texts):
                self._tag_path_texts.append(f"{self._tag_path_texts[above]}/{tag}")
            self._tag_paths.append(number)

    def _number(self, name: str) -> int:
        number = self._numbers.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
            tag, _, own = name.partition(".")
            family = _FAMILY.match(own)
            self._families.append(f"{tag}.{family[1]}" if family else "")
        return number


@lru_cache(maxsize=1 << 14)
def _label_marks(label: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Tag and classes of a label, and the names of its marks: the pages of a site repeat them."""
    tag, *classes = _LABEL_PARTS.split(label)
    names = [tag] if tag else []
    for name in classes:
        names.append(f"{tag}.{name}")
        if _DIGITS.search(name):
            names.append(f"{tag}.~{_DIGITS.sub('#', name)}")
    return tag, tuple(classes), tuple(dict.fromkeys(names))


# The columns that classify pages: marks, tag paths, and the values of parts of URLs.


@dataclass(frozen=True, slots=True, eq=False)
class FeatureColumns:
    """What the columns stand for: first the structure of pages, then their URLs."""

    structure: tuple[str, ...]
    """Marks and tag paths."""
    values: tuple[tuple[str, ...], ...]
    """For each attribute of the URL its values."""
    skip: int
    """The number of folders that all URLs begin with."""
    starts: NDArray[np.int64] = field(init=False, repr=False)
    """The first column of each attribute of the URL, and one behind the last."""
    _places: dict[str, int] = field(init=False, repr=False)
    _of_values: tuple[dict[str, int], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        places = {name: place for place, name in enumerate(self.structure)}
        starts = np.cumsum([len(self.structure), *map(len, self.values)])
        columns = tuple(
            {value: int(start) + place for place, value in enumerate(known)}
            for known, start in zip(self.values, starts, strict=False)
        )
        object.__setattr__(self, "_places", places)
        object.__setattr__(self, "starts", starts)
        object.__setattr__(self, "_of_values", columns)

    def __len__(self) -> int:
        return int(self.starts[-1])

    def structure_row(self, page: PageFeatures, marks: PathMarks) -> NDArray[np.int64]:
        """The columns that the structure of a page has; what was never seen has none."""
        return self.row_of(marks.columns(page.nodes))

    def row_of(self, names: Iterable[str]) -> NDArray[np.int64]:
        """The columns of some marks and tag paths."""
        found = (self._places.get(name, -1) for name in names)
        row = np.fromiter((place for place in found if place >= 0), np.int64)
        row.sort()  # sums of floats must not depend on the order of a set
        return row

    def url_row(self, url: str) -> NDArray[np.int64]:
        """The columns of a URL alone; a value never seen counts as a rare one."""
        columns = []
        shape = url_shape(url, self.skip)
        for value, known in zip(shape, self._of_values, strict=False):
            if value is not None:
                column = known.get(value, known.get(RARE))
                if column is not None:
                    columns.append(column)
        return np.array(columns, dtype=np.int64)

    @classmethod
    def of(
        cls, pages: Sequence[PageFeatures], marks: PathMarks, classes: Sequence[int]
    ) -> FeatureColumns:
        """What at least some of these pages share, or all of a class: a small one has no more."""
        counts: Counter[str] = Counter()
        constant: dict[int, set[str]] = {}
        for page, number in zip(pages, classes, strict=True):
            own = marks.columns(page.nodes)
            counts.update(own)
            constant[number] = constant.get(number, own) & own
        least = max(2, current().classes.rare_mark_share * len(pages))
        kept = {name for name, count in counts.items() if count >= least}
        shared = sorted(kept.union(*constant.values()), key=lambda name: (-counts[name], name))
        skip = common_folders(page.url for page in pages)
        return cls(tuple(shared[:MOST_COLUMNS]), tuple(map(tuple, _values(pages, skip))), skip)


MOST_COLUMNS = 6000
"""The rarest columns beyond this many are left out: a page can be made of nothing but new ones."""


def _values(pages: Sequence[PageFeatures], skip: int) -> list[list[str]]:
    """For each attribute the values that at least two pages share, and one for all others."""
    counts: list[Counter[str]] = [Counter() for _ in ATTRIBUTES]
    for page in pages:
        for counter, value in zip(counts, url_shape(page.url, skip), strict=True):
            if value is not None:
                counter[value] += 1
    shared = [sorted(value for value, n in counter.items() if n > 1) for counter in counts]
    return [[*values, RARE] for values in shared]
