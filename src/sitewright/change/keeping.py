"""A site that is learnt again keeps the names of its classes and columns.

Learning is never quite stable: new pages move a column over a threshold, or give it another name.
Where a project is there already, a later run reads what that knows of pages that both have, and
gives classes and columns that hold the same the names that they had. What is learnt anew is how
they are read; a column that is no longer learnt stays if its selector still reads what it did.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sitewright.change.assignment import assign
from sitewright.change.class_pairs import ClassPair
from sitewright.change.class_repair import ClassRepair
from sitewright.change.columns import class_columns, table_lines
from sitewright.change.field_matching import MatchedBy
from sitewright.change.page_pairs import PlacePair
from sitewright.change.repairing import new_names, renamed_model, with_targets
from sitewright.change.two_sides import TwoSides
from sitewright.errors import InvalidInput
from sitewright.extraction.compared_pages import place_of
from sitewright.page.url import host_of
from sitewright.settings import current
from sitewright.wrapper import Extractor, Record, lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from sitewright.change.columns import ClassColumns
    from sitewright.classes import SiteModel
    from sitewright.export.results import ProjectResults
    from sitewright.page import Document
    from sitewright.wrapper import Wrapper


@dataclass(frozen=True, slots=True)
class KnownColumns:
    """What a project knew of some pages: its classes, and their columns with their values."""

    classes: Mapping[str, ClassColumns]
    places: Mapping[str, str]
    """The class of each page, by its place in the site."""

    @classmethod
    def of(cls, project: ProjectResults, model: SiteModel) -> KnownColumns | None:
        """Read what a folder knows of the pages of a new model; None if it has no project.

        A project with other settings was to be another one: it says nothing of this.
        """
        try:
            before, wrappers = project.model, project.wrappers
        except InvalidInput:
            return None
        if not _are_comparable(before, model):
            return None
        wanted = {place_of(url) for one in model.classes for url in one.pages or one.samples}
        host = host_of(before.home)
        places = {place_of(url): one.name for one in before.classes for url in one.pages}
        classes = {}
        for name, wrapper in wrappers.items():
            records: dict[str, list[dict[str, Any]]] = defaultdict(list)
            with suppress(OSError, ValueError):
                for line in table_lines(project.path / "classes" / name / "table.jsonl"):
                    if (place := place_of(str(line.get("_url", "")))) in wanted:
                        records[place].append(line)
            places |= dict.fromkeys(records, name)
            classes[name] = class_columns(name, wrapper, records, host)
        return cls(classes, places)

    def named(self, model: SiteModel) -> SiteModel:
        """The model with the names that its classes had, by the pages that both have."""
        pairs = []
        for one in model.classes:
            held = {place_of(url) for url in one.pages or one.samples} & self.places.keys()
            for name, count in Counter(self.places[place] for place in held).items():
                pairs.append((name, one.name, count, len(held)))
        olds = list(dict.fromkeys(name for name, *_ in pairs))
        news = [one.name for one in model.classes]
        counts = np.zeros((len(olds), len(news)))
        for old, new, count, known in pairs:
            # A class that most of its known pages were not in is another one.
            counts[olds.index(old), news.index(new)] = count if 2 * count > known else 0
        found = [
            ClassPair(olds[row], news[column], (), MatchedBy.PAGES, float(counts[row, column]))
            for row, column in assign(counts)
        ]
        return renamed_model(model, new_names(found, olds, news))

    def of_class(self, name: str, model: SiteModel) -> KnownClass | None:
        """What is known of a class of the new model that was there before."""
        known = self.classes.get(name)
        if known is None:
            return None
        return KnownClass(known, model.home, frozenset(one.name for one in model.classes))


@dataclass(frozen=True, slots=True)
class KnownClass:
    """A class as it was, while it is learnt again."""

    columns: ClassColumns
    home: str
    classes: frozenset[str]
    """The names of all classes: links lead to these."""

    def keep(self, wrapper: Wrapper, documents: Sequence[Document]) -> Wrapper:
        """The wrapper with the names that its columns had, and with those that it lacks."""
        known = self.columns
        if _rules(known.wrapper) == _rules(wrapper):
            return wrapper
        extractor = Extractor(wrapper)
        found = map(extractor.extract, documents)
        records = {
            place_of(one.url): list(lines(wrapper, one)) for one in found if isinstance(one, Record)
        }
        now = class_columns(wrapper.page_class, wrapper, records, host_of(self.home))
        both = [PlacePair(place, place) for place in known.records if place in records]
        if len(both) < current().change.min_pairs:
            return wrapper
        pair = ClassPair(known.name, now.name, tuple(both), MatchedBy.PAGES, 1.0)
        repair = ClassRepair(TwoSides(known, now, pair, documents, self.home), learns_rules=True)
        return with_targets(repair.repaired().wrapper, {name: name for name in self.classes})


def _are_comparable(before: SiteModel, after: SiteModel) -> bool:
    """Whether two models are of one site, by one method under the same settings."""
    settings = [one.parameters.get("settings", {}) for one in (before, after)]
    return (
        host_of(before.home) == host_of(after.home)
        and before.method == after.method
        and settings[0] == settings[1]
    )


def _rules(wrapper: Wrapper) -> set[object]:
    """What a wrapper reads under which names."""
    found: set[object] = {(one.name, one.rule, one.many) for one in wrapper.fields}
    for records in wrapper.record_sets:
        found |= {(records.name, records.rule, one.name, one.rule) for one in records.fields}
    return found | {wrapper.rows}
