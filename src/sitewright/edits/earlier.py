"""What earlier results still say after a correction: what it leaves alone is not learnt anew."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sitewright.errors import InvalidInput
from sitewright.export.class_tables import classes_of_urls
from sitewright.export.tables import LIST, PAGE, URL
from sitewright.extraction.page_results import Extracted, Rejected
from sitewright.skeleton.pagination import ListPage
from sitewright.wrapper.wrapper import LearntFrom

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from sitewright.classes import PageClass, SiteModel
    from sitewright.export.results import ProjectResults
    from sitewright.skeleton import SkeletonNode
    from sitewright.template import Template
    from sitewright.wrapper import Field, Wrapper

_MOST_BYTES = 64 << 20
"""Larger tables are read from the pages again: memory must not grow with the site."""


@dataclass
class EarlierResults:
    """The results of a project as they were before a correction."""

    model: SiteModel
    wrappers: Mapping[str, Wrapper]
    templates: Mapping[str, Template]
    skeleton: SkeletonNode | None
    results: Mapping[str, Extracted | Rejected]
    """The records of each page of a class with a wrapper, or why it has none, by URL."""

    @classmethod
    def read(cls, project: ProjectResults) -> EarlierResults:
        """Read everything before a new model takes its place."""
        wrappers, skeleton = {}, None
        with suppress(InvalidInput):
            wrappers = dict(project.wrappers)
        with suppress(InvalidInput):
            skeleton = project.skeleton
        found = {name: project[name].template for name in wrappers}
        templates = {name: one for name, one in found.items() if one is not None}
        return cls(project.model, wrappers, templates, skeleton, _page_results(project, wrappers))

    @cached_property
    def _leads_to(self) -> Callable[[str], str | None]:
        return classes_of_urls(self.model)

    def same_class(self, one: PageClass) -> PageClass | None:
        """The class that was learnt from the same pages, whatever its name."""
        own = one.pages or one.samples
        return next((old for old in self.model.classes if (old.pages or old.samples) == own), None)

    def wrapper_for(
        self, one: PageClass, names: Mapping[str, str], leads_to: Callable[[str], str | None]
    ) -> Wrapper | None:
        """The wrapper of a class that would be learnt again as it was; None if that is not sure.

        `names` are those that earlier classes have now. Where links lead to another class than
        before, columns may refer to it: then the wrapper is learnt anew.
        """
        old = self.same_class(one)
        wrapper = self.wrappers.get(old.name) if old is not None else None
        if wrapper is None or wrapper.learnt_from is LearntFrom.EXAMPLES:
            return None
        for url in self._addresses(one):
            before = self._leads_to(url)
            if (before and names.get(before)) != leads_to(url):
                return None
        return _under_names(wrapper, one.name, names)

    def template_for(self, one: PageClass) -> Template | None:
        """The template of the class that was learnt from the same pages."""
        old = self.same_class(one)
        return None if old is None else self.templates.get(old.name)

    def now_named(self, model: SiteModel) -> dict[str, str]:
        """The names in a new model of the classes that were learnt from the same pages."""
        pairs = ((self.same_class(one), one.name) for one in model.classes)
        return {old.name: name for old, name in pairs if old is not None}

    def sample_results(self, one: PageClass) -> dict[str, Extracted | Rejected]:
        """What the pages gave that a class was learnt from, under its name now."""
        pages = (url for url in one.pages if url in self.results)
        return {url: replace(self.results[url], page_class=one.name) for url in pages}

    def all_results(
        self, model: SiteModel, classes: Collection[str]
    ) -> dict[str, Extracted | Rejected]:
        """What all pages of some classes give, where no page can have moved.

        Nothing where the new model tells pages apart in another way than the earlier one.
        """
        names = self.now_named(model)
        if not _classify_alike(self.model, model, names):
            return {}
        return {
            url: replace(result, page_class=name)
            for url, result in self.results.items()
            if (name := names.get(result.page_class or "")) in classes and name is not None
        }

    def _addresses(self, one: PageClass) -> Iterator[str]:
        found = (self.results.get(url) for url in one.pages)
        return _urls_in([result.lines for result in found if isinstance(result, Extracted)])


def _urls_in(value: object) -> Iterator[str]:
    """The addresses in some values of records."""
    if isinstance(value, str):
        if value.startswith(("http://", "https://")):
            yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _urls_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _urls_in(one)


def _page_results(
    project: ProjectResults, wrappers: Mapping[str, Wrapper]
) -> dict[str, Extracted | Rejected]:
    tables = [project[name].table for name in wrappers]
    tables = [table for table in tables if table.is_there]
    if sum(table.path.stat().st_size for table in tables) > _MOST_BYTES:
        return {}
    found: dict[str, Extracted | Rejected] = {}
    for table in tables:
        lines: dict[str, list[dict[str, Any]]] = {}
        lists: dict[str, ListPage] = {}
        known = {name for name in table.columns if name == URL or name[0] != "_"}
        for record in table.records():
            if record.get(LIST):
                lists[record[URL]] = ListPage(record[LIST], record[PAGE])
            own = {name: one for name, one in record.items() if name in known}
            lines.setdefault(record[URL], []).append(own)
        found |= {
            url: Extracted(table.page_class, tuple(own), list_page=lists.get(url))
            for url, own in lines.items()
        }
    for one in project.rejected:
        if one["class"] in wrappers:
            url, reason = str(one["url"]), str(one["reason"])
            found[url] = Rejected(url, one["class"], reason, is_misfit=True)
    return found


def _under_names(wrapper: Wrapper, name: str, names: Mapping[str, str]) -> Wrapper:
    def renamed(field: Field) -> Field:
        target = names.get(field.references or "")
        return field if target in {None, field.references} else replace(field, references=target)

    return replace(
        wrapper,
        page_class=name,
        fields=tuple(map(renamed, wrapper.fields)),
        record_sets=tuple(
            replace(one, fields=tuple(map(renamed, one.fields))) for one in wrapper.record_sets
        ),
    )


def _classify_alike(before: SiteModel, after: SiteModel, names: Mapping[str, str]) -> bool:
    """Whether two models put every page into the same class, but for its name."""
    if len(names) != len(before.classes) or len(before.classes) != len(after.classes):
        return False
    own = {one.name: one for one in after.classes}
    return before.structure_columns == after.structure_columns and all(
        replace(own[names[one.name]], name=one.name, nearest=one.nearest) == one
        for one in before.classes
    )
