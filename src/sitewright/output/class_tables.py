"""The tables of all classes that have a wrapper, open at the same time."""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from sitewright.errors import InputNotFound, InvalidInput, UnreadableInput
from sitewright.html import Document
from sitewright.output.files import output_folder
from sitewright.output.rejected import rejected_pages
from sitewright.output.tables import Column, RecordSetColumns, TableWriter
from sitewright.output.verdicts import Extracted, Rejected
from sitewright.wrapper import read_wrapper
from sitewright.wrapper.types import Kind
from sitewright.wrapper.wrapper import FILE_NAME

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path
    from types import TracebackType

    from sitewright.classes import SiteModel
    from sitewright.output.tally import Summary
    from sitewright.output.verdicts import Job, Verdict
    from sitewright.wrapper import Field, Wrapper

_FOLDER = re.compile(r"\w[\w.-]*")


def read_wrappers(out: Path, model: SiteModel) -> dict[str, Wrapper]:
    """The wrappers of an output folder, by class, in the order of the model."""
    wrappers = {}
    for one in model.classes:
        # In a model from elsewhere the name of a class may be any text: it must not lead away.
        path = out / "classes" / one.name / FILE_NAME
        if _FOLDER.fullmatch(one.name) and path.is_file():
            wrappers[one.name] = _checked(read_wrapper(path), one.name, path)
    if not wrappers:
        why = f"no class has a wrapper here; make them with: sitewright run SITE -o {out}"
        raise InputNotFound(str(out), why)
    return wrappers


def chosen_classes(
    names: Collection[str], model: SiteModel, wrappers: Mapping[str, Wrapper]
) -> frozenset[str] | None:
    """The classes that a person named; None for all. Each must be there, and have a wrapper."""
    known = [one.name for one in model.classes]
    for name in names:
        if name not in known:
            raise InvalidInput(name, f"no such class; there are {', '.join(known)}")
        if name not in wrappers:
            raise InvalidInput(name, f"has no wrapper; these have: {', '.join(wrappers)}")
    return frozenset(names) or None


class ClassTables:
    """Writes what becomes of pages: records to the tables of their classes, others as rejected.

    If anything goes wrong inside the block, all files of an earlier run stay as they were.
    """

    def __init__(self, out: Path, job: Job, summary: Summary) -> None:
        self._out = out
        self._summary = summary
        self._writers = {
            name: TableWriter(out / "classes" / name, *table_columns(wrapper))
            for name, wrapper in job.wrappers.items()
            if name in job.wanted()
        }

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._reject = stack.enter_context(rejected_pages(output_folder(self._out)))
            for name, writer in self._writers.items():
                stack.enter_context(writer)
                self._summary.records[name] = 0
            self._open = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._summary.records.total():
            # No page of another site, named by mistake, may empty the tables of this one.
            for writer in self._writers.values():
                writer.abandon()
        self._open.__exit__(kind, error, trace)

    def write(self, verdicts: Iterable[Verdict]) -> None:
        """Write what becomes of some pages, in their order."""
        for verdict in verdicts:
            self._summary.add(verdict)
            if isinstance(verdict, Extracted):
                for line in verdict.lines:
                    self._writers[verdict.page_class].write(line)
            elif isinstance(verdict, Rejected):
                self._reject(verdict.url, verdict.page_class, verdict.reason)


def table_columns(wrapper: Wrapper) -> tuple[list[Column], list[RecordSetColumns]]:
    """The columns of a class's table; those of a list are the page's and then its rows' own."""
    columns = [column for one in wrapper.fields for column in _columns(one)]
    sets = []
    for records in wrapper.record_sets:
        own = [column for one in records.fields for column in _columns(one)]
        if records.name == wrapper.rows:
            columns += own
        else:
            sets.append(RecordSetColumns(records.name, tuple(own)))
    return columns, sets


def _columns(field: Field) -> Iterator[Column]:
    kinds = (field.type.kind, Kind.TEXT)
    for name, kind in zip(field.columns(), kinds, strict=False):
        yield Column(name, kind, field.many)


def _checked(wrapper: Wrapper, name: str, path: Path) -> Wrapper:
    """The wrapper, if it can be applied: a file that people may edit is tried before it is used."""
    if wrapper.page_class != name:
        raise UnreadableInput(str(path), f"the wrapper of another class: {wrapper.page_class!r}")
    page = Document(b"")
    try:
        TableWriter(path.parent, *table_columns(wrapper))
        rules = [field.rule for field in wrapper.all_fields()]
        for rule in (*rules, *(records.rule for records in wrapper.record_sets)):
            rule.texts(page.index)
            rule.matches("")
    except (ValueError, re.error) as error:
        raise UnreadableInput(str(path), f"a damaged wrapper: {error}") from None
    return wrapper
