"""The site model: page classes and class links, as plain data that can be written and read back."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sitewright.classes.classification import structure_fit
from sitewright.classes.clustering import NO_CLASS, class_by_url, trusted_patterns
from sitewright.classes.features import evenly
from sitewright.classes.layouts import ClassLayout, layouts_of
from sitewright.classes.naming import NamedBy, class_names
from sitewright.classes.sizes import SizeEstimate, estimated_sizes
from sitewright.errors import UnknownName
from sitewright.page.url import folder_url
from sitewright.page.url_pattern import learn_url_pattern, place_in_site, segments
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sitewright.classes.clustering import Clustering
    from sitewright.classes.features import PageFeatures, PageSample
    from sitewright.page import PathVocabulary
    from sitewright.settings import ClassSettings


@dataclass(frozen=True, slots=True)
class PageClass:
    """Pages with one structure."""

    name: str
    url_template: str
    """The URLs of its pages for people: `/players/{name}.html`."""
    url_pattern: str
    """The same as a regular expression for the path and query of a URL."""
    url_precision: float
    """The share of the visited pages with such a URL that are of this class."""
    url_recall: float
    """The share of the visited pages of this class that have such a URL."""
    visited: int
    """Pages that were visited; redirect pages that stand for one of them do not count."""
    size: int
    """How many of the site's known URLs it has: at the least, it has so many pages."""
    samples: tuple[str, ...]
    entry_points: tuple[str, ...]
    """Pages of other classes with the most links to it."""
    nearest: str | None
    """The class that it could best be taken for."""
    distinguishing: tuple[str, ...]
    """Tags and classes that it has and the nearest class lacks."""
    schema: dict[int, int]
    """The class schema of the papers: paths that end in links, with the pages that have each."""
    scores: dict[int, float]
    """For each column (see `SiteModel.columns`) the bits that a page with it saves."""
    prior: float
    """The bits of a page of which nothing is known."""
    shares: dict[int, float]
    """For each column of structure the share of its pages that have it."""
    least_fit: float
    """How much of its structure the least typical of its pages has in common with it."""
    is_stub: bool = False
    """Its pages only send their readers on."""
    pages: tuple[str, ...] = ()
    """Visited pages, evenly over its URLs: templates and wrappers are learnt from them."""
    structure_deficit: float = 0.0
    """The most bits by which the structure of one of its pages speaks for another class. So much
    the URLs of its pages had to make up for, and so much they may."""
    size_at_most: int = 0
    """How many it likely has at most, by what its pages and those of other classes lead to; 0 where
    an older model did not estimate it."""
    layouts: tuple[ClassLayout, ...] = ()
    """Its designs, where it has several; the one with the most pages first."""
    is_void: bool = False
    """Its pages have nothing of their own: logins, "not found" and the like, which are the same
    page under many URLs. They give no records."""

    @property
    def has_records(self) -> bool:
        """Whether records can be had of its pages."""
        return not self.is_stub and not self.is_void

    def is_known_by_url(self, settings: ClassSettings) -> bool:
        """Whether hardly a page of another class has a URL that matches its pattern."""
        return self.url_precision >= settings.min_url_precision and self.visited > 1


@dataclass(frozen=True, slots=True)
class ClassLink:
    """A path of one class whose links lead to pages of another."""

    source: str
    target: str
    path: str
    links: int
    pages: int
    """How many pages of the source have such a link."""
    targets: int = 0
    """How many pages of the target they lead to; 0 where an older model did not count them."""


@dataclass(frozen=True, slots=True)
class VoidPages:
    """One page under many URLs: a login, "not found", a bot challenge, a shell that is loading.

    Such pages answer as all others do, and may look like those of a class with records.
    """

    title: str
    content: int
    """The number of what they say (`content_number`)."""
    visited: int
    classes: tuple[str, ...]
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SiteModel:
    """The graph of page classes and class links, and all that is needed to classify a page."""

    FORMAT: ClassVar[str] = "sitewright-model"
    home: str
    method: str
    parameters: dict[str, Any]
    visited: int
    paths: tuple[tuple[int, str], ...]
    """The tree of paths: the place of the one above, and the last label. The first is the root."""
    structure_columns: tuple[str, ...]
    """What the columns of structure stand for: a tag (`h1`), a tag with a class (`h1.title`), or a
    path of tags (`/html/body/h1`)."""
    address_columns: tuple[tuple[str, ...], ...]
    """For each attribute of a URL, the values that have columns, behind those of structure."""
    skip: int
    """The number of folders that all URLs begin with."""
    classes: tuple[PageClass, ...]
    links: tuple[ClassLink, ...]
    curve: tuple[tuple[int, float], ...]
    """Pages visited, and the quality Q of the model that they gave."""
    queue: tuple[tuple[int, int], ...] = ()
    """Pages visited, and link collections that waited."""
    void_pages: tuple[VoidPages, ...] = ()
    """Pages that say the same under many URLs, the most frequent first: they give no records,
    whatever their class."""

    def __post_init__(self) -> None:
        if any(not 0 <= above < place for place, (above, _) in enumerate(self.paths[1:], 1)):
            raise ValueError("a path stands before the one that it goes on from")
        columns = len(self.structure_columns)
        everything = columns + sum(map(len, self.address_columns))
        for one in self.classes:
            if any(not 0 <= column < everything for column in one.scores):
                raise ValueError(f"a score of {one.name} has no column")
            if any(not 0 <= column < columns for column in one.shares):
                raise ValueError(f"a share of {one.name} has no column")

    def by_name(self, name: str) -> PageClass:
        """The class of that name."""
        for one in self.classes:
            if one.name == name:
                return one
        raise UnknownName(name, "class", (one.name for one in self.classes))


# From pages and their classes to the site model that people and programs use.

SHOWN = 5
_DECIMALS = 4
_MOST_LINKS = 2000
_LEAST_SHARE = 0.02
_NAMED_BY = 50
"""Pages of a class whose marks are looked at for its name."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What a model says of how it was made."""

    home: str
    method: str
    parameters: dict[str, Any]
    curve: tuple[tuple[int, float], ...] = ()
    queue: tuple[tuple[int, int], ...] = ()
    """Pages visited, and link collections that waited."""


def build_model(sample: PageSample, found: Clustering, origin: Origin) -> SiteModel:
    """Put together everything that is known of the classes, the largest first."""
    return _Builder(sample, found, origin).model()


class _Builder:
    def __init__(self, sample: PageSample, found: Clustering, origin: Origin) -> None:
        self.vocabulary, self.fit, self.origin = sample.vocabulary, found, origin
        self.pages = sample.pages
        sizes = found.sizes
        self.order = sorted(np.flatnonzero(sizes).tolist(), key=lambda c: (-sizes[c], c))
        rank = {number: place for place, number in enumerate(self.order)}
        self.class_of = [rank[int(number)] for number in found.class_of_page]
        self.members: list[list[PageFeatures]] = [[] for _ in self.order]
        for page, number in zip(self.pages, self.class_of, strict=True):
            self.members[number].append(page)
        self.patterns = [learn_url_pattern([page.url for page in own]) for own in self.members]
        self.names = class_names([self._named_by(own) for own in self.members], found.columns.skip)
        voids = [_says_nothing(own) for own in self.members]
        self.voids = [is_void and not all(voids) for is_void in voids]
        self.void_pages = _same_pages(self.pages)
        self.trusted = trusted_patterns(
            [[page.url for page in own] for own in self.members],
            current().classes.min_url_precision,
        )
        self.known = self._known_classes()
        self.links = _class_links(self.pages, self.known)
        self.tree = _Tree(self.vocabulary)

    def _named_by(self, own: Sequence[PageFeatures]) -> NamedBy:
        marks = self.fit.marks
        return NamedBy(
            urls=[page.url for page in own],
            titles=[page.title for page in own],
            sources=[page.source for page in own],
            types=[page.declared_type for page in own],
            marks=[
                {marks.names[mark] for mark in marks.counted(page.nodes)}
                for page in evenly(own, _NAMED_BY)
            ],
            are_redirects=all(page.is_stub for page in own),
        )

    def _layouts(self, own: Sequence[PageFeatures]) -> tuple[ClassLayout, ...]:
        real = [page for page in own if not page.is_stub]
        found = layouts_of([self.fit.marks.columns(page.nodes) for page in real])
        learnt_from = frozenset(self._learnt_from(own))
        return tuple(
            ClassLayout(
                visited=len(places),
                marks=marks,
                pages=tuple(url for at in places if (url := real[at].url) in learnt_from),
            )
            for marks, places in found
        )

    def _known_classes(self) -> dict[str, int]:
        """The class of every known URL: as visited, else by a pattern that can be trusted."""
        known = {page.url: number for page, number in zip(self.pages, self.class_of, strict=True)}
        linked = {url for page in self.pages for _, urls in page.collections for url in urls}
        for url in linked - known.keys():
            number = class_by_url(url, self.trusted)
            if number != NO_CLASS:
                known[url] = number
        return known

    def model(self) -> SiteModel:
        estimates = self._sizes()
        classes = tuple(
            self._page_class(place, estimates[place]) for place in range(len(self.order))
        )
        links = tuple(
            ClassLink(
                self.names[source],
                self.names[target],
                self.vocabulary.text(path),
                *counts,
            )
            for (source, target, path), counts in self.links[:_MOST_LINKS]
        )
        columns = self.fit.columns
        return SiteModel(
            home=self.origin.home,
            method=self.origin.method,
            parameters=self.origin.parameters,
            visited=len(self.pages),
            paths=tuple(self.tree.entries),
            structure_columns=columns.structure,
            address_columns=columns.values,
            skip=columns.skip,
            classes=classes,
            links=links,
            curve=self.origin.curve,
            queue=_thinned(self.origin.queue),
            void_pages=tuple(self._void_pages()),
        )

    def _void_pages(self) -> Iterator[VoidPages]:
        place_of = {page.url: place for page, place in zip(self.pages, self.class_of, strict=True)}
        for (title, content), own in self.void_pages.items():
            places = sorted({place_of[page.url] for page in own})
            yield VoidPages(
                title=title,
                content=content,
                visited=len(own),
                classes=tuple(self.names[place] for place in places),
                samples=tuple(page.url for page in own[:SHOWN]),
            )

    def _learnt_from(self, own: Sequence[PageFeatures]) -> tuple[str, ...]:
        """Some pages of a class, evenly over their URLs; of stubs and voids nothing can be learnt.

        Where all pages of a class are void, nobody learns from it.
        """
        settings = current().classes
        real = [page for page in own if not page.is_stub]
        telling = [page for page in real if _said(page) not in self.void_pages]
        # A folder and its index page are at one place: a site and its mirror are learnt alike.
        urls = sorted(
            (page.url for page in telling or real),
            key=lambda url: (place_in_site(folder_url(url)), url),
        )
        return tuple(evenly(urls, settings.max_learnt_from))

    def _page_class(self, place: int, size: SizeEstimate) -> PageClass:
        own, number, pattern = self.members[place], self.order[place], self.patterns[place]
        matching = [c for page, c in zip(self.pages, self.class_of, strict=True)
                    if pattern.matches(page.url)]  # fmt: skip
        right = matching.count(place)
        scores = self.fit.scores[number]
        nearest = self._nearest(number, own)
        return PageClass(
            name=self.names[place],
            url_template=pattern.template,
            url_pattern=pattern.pattern,
            url_precision=round(right / len(matching), _DECIMALS) if matching else 0.0,
            url_recall=round(right / len(own), _DECIMALS),
            visited=sum(not page.is_stub for page in own) or len(own),
            size=size.low,
            samples=tuple(page.url for page in own[:SHOWN]),
            entry_points=self._entry_points(place),
            nearest=None if nearest is None else self.names[self.order.index(nearest)],
            distinguishing=self._distinguishing(number, nearest),
            schema=self._schema(own),
            scores={
                column: round(float(bits), _DECIMALS)
                for column, bits in enumerate(scores)
                if abs(bits) >= 10**-_DECIMALS
            },
            prior=round(float(self.fit.priors[number]), _DECIMALS),
            shares={
                column: round(float(share), 2)
                for column, share in enumerate(self.fit.shares[number])
                if share >= _LEAST_SHARE
            },
            least_fit=round(self._least_fit(place), _DECIMALS),
            is_stub=self._is_stub_class(number),
            pages=self._learnt_from(own),
            structure_deficit=round(self._structure_deficit(place), _DECIMALS),
            size_at_most=size.high,
            layouts=self._layouts(own),
            is_void=self.voids[place],
        )

    def _structure_deficit(self, place: int) -> float:
        """The most bits by which the structure of a page of this class speaks for another."""
        real = [n for n in self.order if not self._is_stub_class(n)]
        number, deficit = self.order[place], 0.0
        if number not in real:
            return deficit
        for page in self.members[place]:
            if not page.is_stub:
                row = self._structure_row(page)
                bits = (self.fit.scores[:, row].sum(axis=1) + self.fit.priors)[real]
                deficit = max(deficit, float(bits.max() - bits[real.index(number)]))
        return deficit

    def _least_fit(self, place: int) -> float:
        """How much structure the least typical page of a class has in common with it."""
        shares = self.fit.shares[self.order[place]][None]
        fits = []
        for page in self.members[place]:
            if not page.is_stub:
                marks = self.fit.marks.columns(page.nodes)
                row = self.fit.columns.row_of(marks)
                unknown = len(marks) - len(row)
                fits.append(float(structure_fit(row, unknown, shares)[0]))
        return min(fits, default=0.0)

    def _structure_row(self, page: PageFeatures) -> NDArray[np.int64]:
        return self.fit.columns.structure_row(page, self.fit.marks)

    def _is_stub_class(self, number: int) -> bool:
        return self.fit.has_stubs and number == len(self.fit.scores) - 1

    def _schema(self, own: Sequence[PageFeatures]) -> dict[int, int]:
        counts: Counter[int] = Counter()
        for page in own:
            counts.update(page.schema.paths.tolist())
        return {self.tree.place(path): count for path, count in sorted(counts.items())}

    def _nearest(self, number: int, own: Sequence[PageFeatures]) -> int | None:
        """The class with the second-lowest cost for these pages."""
        rows = [self._structure_row(page) for page in own[:SHOWN]]
        others = [other for other in self.order if other != number]
        bits = [sum(float(self.fit.scores[other, row].sum()) for row in rows) for other in others]
        return others[int(np.argmax(bits))] if others else None

    def _distinguishing(self, number: int, nearest: int | None) -> tuple[str, ...]:
        if nearest is None:
            return ()
        difference = self.fit.shares[number] - self.fit.shares[nearest]
        names = self.fit.columns.structure
        marks = [column for column in np.argsort(-difference, kind="stable").tolist()
                 if difference[column] > 0 and not names[column].startswith("/")]  # fmt: skip
        return tuple(names[column] for column in marks[:SHOWN])

    def _entry_points(self, place: int) -> tuple[str, ...]:
        inside = {page.url for page in self.members[place]}
        counts: list[tuple[int, int, str]] = []
        for number, page in enumerate(self.pages):
            if self.class_of[number] != place:
                targets = {url for _, urls in page.collections for url in urls}
                counts.append((-len(targets & inside), number, page.url))
        return tuple(url for count, _, url in sorted(counts)[:SHOWN] if count)

    def _sizes(self) -> list[SizeEstimate]:
        return estimated_sizes(self.pages, self.class_of, self.known, len(self.order))


def _says_nothing(own: Sequence[PageFeatures]) -> bool:
    """Whether hardly any page of a class says something else than the others."""
    settings = current().classes
    said = {_said(page) for page in own if page.content}
    if not said or len(own) < settings.min_pages_of_void:
        return False
    return len(said) <= max(1.0, settings.max_contents_of_void * len(own))


def _said(page: PageFeatures) -> tuple[str, int]:
    return page.title, page.content


def _same_pages(pages: Sequence[PageFeatures]) -> dict[tuple[str, int], list[PageFeatures]]:
    """Pages by what they say, where many of different names say the same: the most frequent first.

    One page in many folders, or with many parameters, has one name: it says what it says. On a site
    where all pages say the same, nobody knows which of them lie.
    """
    found: dict[tuple[str, int], list[PageFeatures]] = {}
    for page in pages:
        if page.content and not page.is_stub:
            found.setdefault(_said(page), []).append(page)
    least = current().classes.min_pages_of_void
    same = {
        said: own
        for said, own in found.items()
        if len(own) >= least and len({_last_name(page.url) for page in own}) >= least
    }
    if len(same) == len(found):
        return {}
    return dict(sorted(same.items(), key=lambda item: -len(item[1])))


def _last_name(url: str) -> str:
    """What a page is called: its file, or its folder if it is the index of one."""
    *folders, name = segments(url)
    is_index = name.partition(".")[0] == "index"
    return folders[-1] if folders and is_index else name


class _Tree:
    """The paths that a model mentions, each once, those above first."""

    def __init__(self, vocabulary: PathVocabulary) -> None:
        self._vocabulary = vocabulary
        self._places = {0: 0}
        self.entries: list[tuple[int, str]] = [(0, "")]

    def place(self, path: int) -> int:
        """The place of a path, put in if it is new."""
        missing = []
        while path not in self._places:
            missing.append(path)
            path = self._vocabulary.parent(path)
        for new in reversed(missing):
            above = self._places[self._vocabulary.parent(new)]
            self._places[new] = len(self.entries)
            self.entries.append((above, self._vocabulary.labels(new)[-1]))
            path = new
        return self._places[path]


def _class_links(
    pages: Sequence[PageFeatures], class_of: Mapping[str, int]
) -> list[tuple[tuple[int, int, int], tuple[int, int, int]]]:
    """For each source, target and path: how many links, in how many pages, to how many pages.

    Those with the most links come first.
    """
    links: Counter[tuple[int, int, int]] = Counter()
    sources: defaultdict[tuple[int, int, int], set[str]] = defaultdict(set)
    targets: defaultdict[tuple[int, int, int], set[str]] = defaultdict(set)
    for page in pages:
        source = class_of[page.url]
        for path, urls in page.collections:
            for url in urls:
                target = class_of.get(url)
                if target is not None:
                    links[source, target, path] += 1
                    sources[source, target, path].add(page.url)
                    targets[source, target, path].add(url)
    ordered = sorted(links.items(), key=lambda item: (-item[1], item[0]))
    return [(key, (count, len(sources[key]), len(targets[key]))) for key, count in ordered]


def _thinned(points: Sequence[tuple[int, int]], most: int = 200) -> tuple[tuple[int, int], ...]:
    """Enough points for a curve."""
    step = max(1, -(-len(points) // most))
    return tuple(points[::step]) + (tuple(points[-1:]) if (len(points) - 1) % step else ())
