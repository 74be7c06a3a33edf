"""The site model: page classes and class links, as plain data that can be written and read back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from sitewright.errors import UnknownName


@dataclass(frozen=True, slots=True)
class PageClass:
    """Pages with one structure."""

    name: str
    url_template: str
    """The addresses of its pages for people: `/players/{name}.html`."""
    url_pattern: str
    """The same as a regular expression for the path and query of an address."""
    url_precision: float
    """The share of the visited pages with such an address that are of this class."""
    url_recall: float
    """The share of the visited pages of this class that have such an address."""
    visited: int
    size: int
    """An estimate: how many of the site's known addresses it has."""
    samples: tuple[str, ...]
    entry_points: tuple[str, ...]
    """Pages of other classes with the most links to it."""
    nearest: str | None
    """The class that it could best be taken for."""
    distinguishing: tuple[str, ...]
    """Paths that it has and the nearest class lacks."""
    schema: dict[int, int]
    """The class schema of the papers: paths that end in links, with the pages that have each."""
    scores: dict[int, float]
    """For each column (see `SiteModel.columns`) the bits that a page with it saves."""
    prior: float
    """log2 of its share of the visited pages."""
    worst: float
    """The bits of the page of the class that fits it least."""
    is_stub: bool = False
    """Its pages only send their readers on."""
    pages: tuple[str, ...] = ()
    """Visited pages, evenly over its addresses: templates and wrappers are learnt from them."""
    structure_deficit: float = 0.0
    """The most bits by which the structure of one of its pages speaks for another class. So much
    the URLs of its pages had to make up for, and so much they may."""


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
class SiteModel:
    """The graph of page classes and class links, and all that is needed to classify a page."""

    FORMAT: ClassVar[str] = "sitewright-model"
    home: str
    method: str
    parameters: dict[str, Any]
    visited: int
    paths: tuple[tuple[int, str], ...]
    """The tree of paths: the place of the one above, and the last label. The first is the root."""
    path_columns: tuple[int, ...]
    """For each column that is a path, its place in `paths`."""
    address_columns: tuple[tuple[str, ...], ...]
    """For each attribute of an address, the values that have columns, behind those of paths."""
    skip: int
    """The number of folders that all addresses begin with."""
    classes: tuple[PageClass, ...]
    links: tuple[ClassLink, ...]
    curve: tuple[tuple[int, float], ...]
    """Pages visited, and the quality Q of the model that they gave."""
    queue: tuple[tuple[int, int], ...] = ()
    """Pages visited, and link collections that waited."""

    def by_name(self, name: str) -> PageClass:
        """The class of that name."""
        for one in self.classes:
            if one.name == name:
                return one
        raise UnknownName(name, "class", (one.name for one in self.classes))
