"""Classes across sites: sites made with one theme, and what one of them can lend to the others.

A theme shows in the classes of elements that the templates of its sites share. Two things follow:

- A wrapper that was learnt on one site is *offered* to the sites of the same theme. It is taken
  where it fits their pages as well as their own: then all of them have the same columns.
- A page of a site that is too small to be learnt is read with the model of a theme whose template
  it has. So a new site of a known theme needs no page to learn from.
"""

from __future__ import annotations

import io
import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sitewright.classes.features import evenly
from sitewright.fleet.job import FleetStep, Task, marker, read_marker
from sitewright.fleet.learn import (
    OnDemand,
    page_marks,
    project_folder,
    project_wrappers,
    read_knowledge,
)
from sitewright.fleet.storage import ArchiveReader
from sitewright.fleet.tables import THEMES, TableFile, read_rows
from sitewright.settings import current
from sitewright.site.base import Page
from sitewright.site.http import outcome
from sitewright.site.open import ARCHIVE_FILE
from sitewright.site.warc import MAX_RECORD, records
from sitewright.wrapper import Extractor, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitewright.fleet.job import FleetJob
    from sitewright.fleet.learn import SiteKnowledge
    from sitewright.fleet.storage import Storage
    from sitewright.page import Document
    from sitewright.wrapper import Wrapper


THEME_TABLE, LOOKUP = "themes/sites.parquet", "themes/lookup.npz"


# Which sites have one theme: one task for all of them.


class ThemeClass(NamedTuple):
    """A class of the site that stands for its theme."""

    site: str
    name: str


def group_themes(job: FleetJob, task: Task, storage: Storage) -> dict[str, Any]:
    """Write which site has which theme, and what `apply` knows pages of a theme by.

    The first site of a theme, in the order of names, stands for it. Each further one joins the
    theme that it shares most with, if that is enough.
    """
    founders = _Founders(job)
    with storage.workspace(task.name) as work:
        listing, lookup = work / "themes.parquet", work / "lookup.npz"
        with TableFile(listing, THEMES, order="site") as table:
            for name in storage.names("done/learn"):
                said = read_marker(storage, f"done/learn/{name}")
                known = said.get("classes") or ()
                if marks := {one["name"]: one["marks"] for one in known if one["marks"]}:
                    table.add(founders.placed(str(said["site"]), marks))
        lookup.write_bytes(founders.lookup())
        storage.publish({THEME_TABLE: listing, LOOKUP: lookup})
    return {"sites": table.rows, "themes": founders.count}


class _Founders:
    """The sites that stand for themes, found by their marks."""

    def __init__(self, job: FleetJob) -> None:
        self._settings = job.in_force.fleet
        self._classes: dict[str, Mapping[str, Sequence[int]]] = {}
        self._sizes: dict[str, int] = {}
        self._having: dict[int, list[str]] = {}

    @property
    def count(self) -> int:
        """How many themes there are."""
        return len(self._classes)

    def placed(self, site: str, marks: Mapping[str, Sequence[int]]) -> dict[str, Any]:
        """The theme of a site, and for each of its classes the class of the theme."""
        own = {mark for of_class in marks.values() for mark in of_class}
        founder = self._closest(own)
        if founder is None:
            self._classes[site], self._sizes[site] = marks, len(own)
            for mark in sorted(own):
                self._having.setdefault(mark, []).append(site)
            return {"site": site, "theme": site, "classes": "{}"}
        theirs = self._classes[founder]
        classes = {
            name: other
            for name, of_class in marks.items()
            if (other := self._alike(of_class, theirs)) is not None
        }
        return {"site": site, "theme": founder, "classes": json.dumps(classes)}

    def _closest(self, own: set[int]) -> str | None:
        if len(own) < self._settings.min_theme_marks:
            return None
        shared: dict[str, int] = {}
        for mark in own:
            for site in self._having.get(mark, ()):
                shared[site] = shared.get(site, 0) + 1
        best = max(shared, key=lambda site: (self._share(shared, site, own), site), default=None)
        is_enough = best is not None and (
            self._share(shared, best, own) >= self._settings.min_theme_share
        )
        return best if is_enough else None

    def _share(self, shared: Mapping[str, int], site: str, own: set[int]) -> float:
        return shared[site] / (self._sizes[site] + len(own) - shared[site])

    def _alike(self, marks: Sequence[int], theirs: Mapping[str, Sequence[int]]) -> str | None:
        shares = {name: _jaccard(marks, other) for name, other in theirs.items()}
        best = max(shares, key=lambda name: (shares[name], name), default=None)
        return best if best and shares[best] >= self._settings.min_theme_share else None

    def lookup(self) -> bytes:
        """The marks of all classes of the themes, as arrays: small, and read at once."""
        named = [
            (ThemeClass(site, name), of_class)
            for site, classes in self._classes.items()
            for name, of_class in classes.items()
            if len(of_class) >= self._settings.min_theme_marks
        ]
        places: dict[int, list[int]] = {}
        for number, (_, of_class) in enumerate(named):
            for mark in of_class:
                places.setdefault(mark, []).append(number)
        ordered = sorted(places)
        starts = np.cumsum([0, *(len(places[mark]) for mark in ordered)])
        names = json.dumps([one for one, _ in named]).encode()
        file = io.BytesIO()
        np.savez(
            file,
            marks=np.array(ordered, dtype=np.uint64),
            starts=starts.astype(np.int64),
            classes=np.array([one for mark in ordered for one in places[mark]], dtype=np.int32),
            sizes=np.array([len(of_class) for _, of_class in named], dtype=np.int32),
            names=np.frombuffer(names, dtype=np.uint8),
        )
        return file.getvalue()


def _jaccard(first: Sequence[int], second: Sequence[int]) -> float:
    common = len({*first} & {*second})
    return common / max(1, len(first) + len(second) - common)


class ThemeLookup:
    """Finds the class of a theme whose template a page has."""

    def __init__(self, content: bytes) -> None:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            self._marks = arrays["marks"]
            self._starts, self._classes = arrays["starts"], arrays["classes"]
            self._sizes = arrays["sizes"]
            self._names = [ThemeClass(*one) for one in json.loads(arrays["names"].tobytes())]

    def find(self, document: Document) -> ThemeClass | None:
        """The class whose template is nearly all there; of several, the one that is most alike."""
        marks = page_marks(document)
        if not len(self._names) or not len(marks):
            return None
        places = np.minimum(np.searchsorted(self._marks, marks), len(self._marks) - 1)
        known = places[self._marks[places] == marks]
        found = [self._classes[self._starts[one] : self._starts[one + 1]] for one in known.tolist()]
        if not found:
            return None
        shared = np.bincount(np.concatenate(found), minlength=len(self._names))
        inside = shared / self._sizes
        alike = shared / (self._sizes + len(marks) - shared)
        settings = current().fleet
        fits = inside >= settings.min_template_share
        if not fits.any():
            return None
        return self._names[int(np.where(fits, alike, -1.0).argmax())]


# What a site of a theme takes over: one task for each.


def theme_rows(storage: Storage) -> Iterator[dict[str, Any]]:
    """For each site that was learnt its theme, in the order of names."""
    return _theme_rows(storage, "ORDER BY site")


def _theme_rows(storage: Storage, where: str, **values: str) -> Iterator[dict[str, Any]]:
    if storage.exists(THEME_TABLE):
        with storage.local_files([THEME_TABLE]) as paths:
            for row in read_rows(paths, "*", where, values):
                yield {**row, "classes": json.loads(row["classes"])}


def joined_sites(storage: Storage) -> Iterator[str]:
    """The sites whose theme another site stands for, and that have a class of it."""
    return (row["site"] for row in theme_rows(storage) if row["classes"])


def offer_wrappers(_job: FleetJob, task: Task, storage: Storage) -> dict[str, Any]:
    """Offer the wrappers of a theme to one of its sites; gives what it takes."""
    (row,) = _theme_rows(storage, "WHERE site = $site", site=task.subject)
    with (
        storage.local_folder(project_folder(row["site"])) as own,
        storage.local_folder(project_folder(row["theme"])) as other,
    ):
        ours, theirs = read_knowledge(own), read_knowledge(other)
        taken = {}
        for name, of_theme in row["classes"].items():
            if name not in ours.wrappers or of_theme not in theirs.wrappers:
                continue
            documents = list(_class_documents(own, ours, name))
            offered = adopted_wrapper(theirs.wrappers[of_theme], name, row["classes"])
            if fits_as_well(offered, ours.wrappers[name], documents):
                taken[name] = of_theme
    return {"site": row["site"], "theme": row["theme"], "taken": taken, "problems": []}


def _class_documents(folder: Path, known: SiteKnowledge, name: str) -> Iterator[Document]:
    """Some pages that a class was learnt from, evenly over their URLs."""
    wanted = set(evenly(list(known.model.by_name(name).pages), current().fleet.offer_pages))
    with ArchiveReader(str(folder / ARCHIVE_FILE)) as archive:
        for record in records(archive.streams()[0]):
            if record.url in wanted:
                page = outcome(record.reply, record.url, record.url, MAX_RECORD)
                document = page.document() if isinstance(page, Page) else None
                if document is not None and not document.refused:
                    yield document


def fits_as_well(offered: Wrapper, own: Wrapper, documents: Sequence[Document]) -> bool:
    """Whether a wrapper gives no fewer records, and no fewer values, than a site's own."""
    theirs, ours = _yield_of(offered, documents), _yield_of(own, documents)
    return ours.records > 0 and theirs.records >= ours.records and theirs.values >= ours.values


class _Yield(NamedTuple):
    records: int
    values: int


def _yield_of(wrapper: Wrapper, documents: Sequence[Document]) -> _Yield:
    extractor = Extractor(wrapper)
    found = [one for one in map(extractor.extract, documents) if isinstance(one, Record)]
    return _Yield(len(found), sum(_values(one.values.values()) for one in found))


def _values(values: Iterable[Any]) -> int:
    count = 0
    for value in values:
        if isinstance(value, list):
            count += sum(_values(one.values()) if isinstance(one, dict) else 1 for one in value)
        else:
            count += value is not None
    return count


def adopted_wrapper(wrapper: Wrapper, name: str, classes: Mapping[str, str]) -> Wrapper:
    """A wrapper of another site as that of a class of this one: references lead to its classes."""
    ours = {theirs: own for own, theirs in sorted(classes.items(), reverse=True)}

    def renamed(fields: Any) -> Any:  # noqa: ANN401 - the fields of a wrapper or of a record set
        return tuple(
            replace(one, references=ours.get(one.references) if one.references else None)
            for one in fields
        )

    sets = tuple(replace(one, fields=renamed(one.fields)) for one in wrapper.record_sets)
    return replace(wrapper, page_class=name, fields=renamed(wrapper.fields), record_sets=sets)


def taken_wrappers(site: str, storage: Storage) -> dict[str, Any]:
    """What a site has taken from its theme: the marker of its offer; nothing if it has none."""
    return read_marker(storage, marker(Task(FleetStep.OFFER, 0, site)))


def with_taken(own: SiteKnowledge, said: Mapping[str, Any], storage: Storage) -> SiteKnowledge:
    """What is known of a site, with the wrappers that it has taken from its theme."""
    if not said.get("taken"):
        return own
    taken: dict[str, str] = said["taken"]
    with storage.local_folder(project_folder(said["theme"])) as folder:
        theirs = project_wrappers(folder, taken.values())

    def wrapper_of(name: str) -> Wrapper:
        if name not in taken:
            return own.wrappers[name]
        return adopted_wrapper(theirs[taken[name]], name, taken)

    names = dict.fromkeys((*own.wrappers, *taken))
    return own._replace(wrappers=OnDemand({name: partial(wrapper_of, name) for name in names}))
