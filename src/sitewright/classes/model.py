"""The site model: page classes and class links, as plain data that can be written and read back."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitewright.errors import InputNotFound, UnknownName, UnreadableInput, WrongFormatVersion

if TYPE_CHECKING:
    import os

FORMAT = "sitewright-model"
VERSION = 1
FILE_NAME = "model.json"
_LISTS = ("samples", "entry_points", "distinguishing", "pages")


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

    def as_json(self) -> dict[str, Any]:
        """Plain data, always in the same order."""
        return {"format": FORMAT, "version": VERSION, **asdict(self)}


def dump_model(model: SiteModel) -> str:
    """The text of model.json: the same bytes for the same model."""
    # Lone surrogates can come out of broken addresses; escaped they are JSON.
    text = json.dumps(model.as_json(), ensure_ascii=True, separators=(",", ":"))
    return text + "\n"


def read_model(folder: str | os.PathLike[str]) -> SiteModel:
    """Read the model of an output folder, or the file itself."""
    folder = Path(folder)
    path = folder / FILE_NAME if folder.is_dir() else folder
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        why = f"no {FILE_NAME} here; make one with: sitewright discover SITE -o {folder}"
        raise InputNotFound(str(folder), why) from None
    except (OSError, ValueError) as error:
        raise UnreadableInput(str(path), f"not a site model: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UnreadableInput(str(path), "not a site model")
    if data.get("version") != VERSION:
        raise WrongFormatVersion(str(path), data.get("version"), VERSION)
    try:
        return _model(data)
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableInput(str(path), f"a damaged site model: {error!r}") from None


def _model(data: dict[str, Any]) -> SiteModel:
    known = {name: value for name, value in data.items() if name not in {"format", "version"}}
    known["classes"] = tuple(map(_page_class, data["classes"]))
    known["links"] = tuple(ClassLink(**link) for link in data["links"])
    for name in ("paths", "curve", "queue", "address_columns"):
        known[name] = tuple(map(tuple, data[name]))
    known["path_columns"] = tuple(data["path_columns"])
    return SiteModel(**known)


def _page_class(data: dict[str, Any]) -> PageClass:
    lists = {name: tuple(data[name]) for name in _LISTS if name in data}
    numbers = {
        "schema": {int(path): count for path, count in data["schema"].items()},
        "scores": {int(column): bits for column, bits in data["scores"].items()},
    }
    return PageClass(**{**data, **lists, **numbers})
