"""What the classes need to know of one page: a pure function of its URL and bytes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

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
from sitewright.page.url_pattern import ATTRIBUTES, RARE, common_folders, url_shape
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
    )


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


# The pages of a sample as one matrix: a row a page, a column a path or a value of a URL.
#
# Pages that are equal in every column are one row with a weight. All that the description length
# needs of a class is the sum of its rows.

MOST_PATHS = 6000
"""The rarest paths beyond this many are left out: a page can be made of nothing but new ones."""


@dataclass(frozen=True, slots=True, eq=False)
class FeatureColumns:
    """What the columns stand for: first the paths, then the values of each attribute."""

    paths: NDArray[np.int32]
    """Path ids, ascending, so that a parent comes before its children; the first is the root."""
    parents: NDArray[np.int32]
    """For each path the column of the nearest path above it; the root is its own."""
    values: tuple[tuple[str, ...], ...]
    """For each attribute of the URL its values."""
    skip: int
    """The number of folders that all URLs begin with."""

    @property
    def starts(self) -> NDArray[np.int64]:
        """The first column of each attribute, and one behind the last."""
        sizes = [len(self.paths), *map(len, self.values)]
        return np.cumsum(sizes)

    def __len__(self) -> int:
        return int(self.starts[-1])

    def row(self, page: PageFeatures) -> NDArray[np.int64]:
        """The columns that hold for a page; paths and values never seen have none."""
        return np.concatenate([self.path_row(page), self.url_row(page.url)])

    def path_row(self, page: PageFeatures) -> NDArray[np.int64]:
        """The columns of a page's paths alone."""
        present = np.concatenate([[0], page.nodes.paths])
        places = np.searchsorted(self.paths, present)
        places = np.minimum(places, len(self.paths) - 1)
        known: NDArray[np.int64] = places[self.paths[places] == present]
        return known

    def url_row(self, url: str) -> NDArray[np.int64]:
        """The columns of a URL alone; a value never seen counts as a rare one."""
        columns = []
        shape = url_shape(url, self.skip)
        for value, known, start in zip(shape, self.values, self.starts, strict=False):
            if value is not None and known:
                found = value if value in known else RARE
                if found in known:
                    columns.append(int(start) + known.index(found))
        return np.array(columns, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class FeatureMatrix:
    """Rows, how many pages each stands for, and which row each page has."""

    columns: FeatureColumns
    rows: NDArray[np.float32]
    weights: NDArray[np.float32]
    row_of_page: NDArray[np.int64]

    @classmethod
    def of(cls, pages: Sequence[PageFeatures], vocabulary: PathVocabulary) -> FeatureMatrix:
        """The matrix of some pages, the most frequent rows first."""
        columns = _columns(pages, vocabulary)
        rows = [columns.row(page) for page in pages]
        groups: dict[bytes, list[int]] = {}
        for place, row in enumerate(rows):
            groups.setdefault(row.tobytes(), []).append(place)
        ordered = sorted(groups.values(), key=lambda places: (-len(places), places[0]))
        matrix = np.zeros((len(ordered), len(columns)), dtype=np.float32)
        row_of_page = np.zeros(len(pages), dtype=np.int64)
        for number, places in enumerate(ordered):
            matrix[number, rows[places[0]]] = 1
            row_of_page[places] = number
        weights = np.array([len(places) for places in ordered], dtype=np.float32)
        return cls(columns, matrix, weights, row_of_page)


def _columns(pages: Sequence[PageFeatures], vocabulary: PathVocabulary) -> FeatureColumns:
    occurrences: Counter[int] = Counter()
    for page in pages:
        occurrences.update(page.nodes.paths.tolist())
    frequent = sorted(occurrences.items(), key=lambda item: (-item[1], item[0]))[:MOST_PATHS]
    paths = [0, *sorted(path for path, count in frequent if count > 1 or len(pages) == 1)]
    column = {path: place for place, path in enumerate(paths)}
    skip = common_folders(page.url for page in pages)
    return FeatureColumns(
        np.array(paths, dtype=np.int32),
        np.array([_nearest(vocabulary, path, column) for path in paths], dtype=np.int32),
        tuple(map(tuple, _values(pages, skip))),
        skip,
    )


def _nearest(vocabulary: PathVocabulary, path: int, column: dict[int, int]) -> int:
    while path != 0:
        path = vocabulary.parent(path)
        if path in column:
            return column[path]
    return 0


def _values(pages: Sequence[PageFeatures], skip: int) -> list[list[str]]:
    """For each attribute the values that at least two pages share, and one for all others."""
    counts: list[Counter[str]] = [Counter() for _ in ATTRIBUTES]
    for page in pages:
        for counter, value in zip(counts, url_shape(page.url, skip), strict=True):
            if value is not None:
                counter[value] += 1
    shared = [sorted(value for value, n in counter.items() if n > 1) for counter in counts]
    return [[*values, RARE] for values in shared]
