"""What was learnt of the sites, applied to all pages of an archive: the second pass over the files.

The pages of some files are taken site by site, so that what is known of a site is read once for
all of them, and memory holds one site at a time. They are read at their places: nothing is written
anew to group them. Each file has tables and a marker of its own, as if it were the only one.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import ExitStack
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sitewright.extraction.page_results import (
    MOST_PATHS,
    Extracted,
    ExtractionJob,
    PageExtractor,
    Rejected,
)
from sitewright.fleet.index import INDEX_ORDER, INDEX_PLACE, PART, index_part
from sitewright.fleet.learn import project_folder, read_knowledge
from sitewright.fleet.storage import ArchiveReader
from sitewright.fleet.tables import PAGES, RECORDS, TEXT, TableFile, read_rows, stored
from sitewright.fleet.themes import LOOKUP, ThemeLookup, taken_wrappers, with_taken
from sitewright.formats import json_line
from sitewright.settings import using
from sitewright.site.base import Missing, too_costly
from sitewright.site.http import outcome
from sitewright.site.warc import MAX_RECORD, WarcRecord
from sitewright.template.article import main_text
from sitewright.template.stripping import Stripper

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from sitewright.classes import Classification
    from sitewright.fleet.job import FleetJob, Task
    from sitewright.fleet.learn import SiteKnowledge
    from sitewright.fleet.storage import Storage
    from sitewright.page import Document
    from sitewright.site.base import Page


NOT_LEARNT = "the site was not learnt"
NO_CLASS = "no class fits"
REDIRECT = "only sends its readers on"
TEXT_CUT = "the text is cut"
_LONGEST_REASON, _LONGEST_TITLE = 300, 1000
_NUMBER = re.compile("[0-9]+")
_TABLES = {"pages": PAGES, "text": TEXT, "records": RECORDS}


def output_part(table: str, number: int) -> str:
    """The name of the file that holds what one archive gives for a table."""
    return f"{table}/{PART.format(number)}"


def problem_kind(problem: str) -> str:
    """The sort of a problem, without names and numbers: a few sorts, however many pages.

    >>> problem_kind("only 2 of 7 required fields: no price")
    'only N of N required fields'
    """
    return _NUMBER.sub("N", problem.partition(":")[0])


def apply_models(job: FleetJob, tasks: Sequence[Task], storage: Storage) -> list[dict[str, Any]]:
    """Classify, strip and extract the pages of some archives; gives what their markers say."""
    numbers = [task.number for task in tasks]
    with storage.workspace(tasks[0].name) as work, using(job.in_force):
        with ExitStack() as stack:
            parts = {
                number: stack.enter_context(_ArchivePages(job, number, work)) for number in numbers
            }
            for number, result in _results(job, parts, storage):
                parts[number].add(result)
        for part in parts.values():
            storage.publish(part.files)
    return [part.marker() for part in parts.values()]


class _ArchivePages:
    """An archive that is open, the tables that are written of it, and what was counted."""

    def __init__(self, job: FleetJob, number: int, work: Path) -> None:
        self._name = job.archive_names[number]
        self._most = job.in_force.fleet.max_listed_problems
        self._paths = {name: work / f"{name}-{number}.parquet" for name in _TABLES}
        self.files = {output_part(name, number): path for name, path in self._paths.items()}
        self.archive = ArchiveReader(job.archives[number])
        self._counts: Counter[str] = Counter()
        self._problems: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._tables = {
                name: stack.enter_context(TableFile(self._paths[name], columns))
                for name, columns in _TABLES.items()
            }
            stack.enter_context(self.archive)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, traceback)

    def add(self, result: dict[str, Any]) -> None:
        """Write what became of a page."""
        counts, page = self._counts, result["page"]
        self._tables["pages"].add(page)
        if result["text"] is not None:
            self._tables["text"].add(result["text"])
        for record in result["records"]:
            self._tables["records"].add(record)
        counts["pages"] += 1
        counts["classified"] += page["class"] is not None
        counts["records"] += len(result["records"])
        if (problem := page["problem"]) is not None:
            counts[f"problem: {problem_kind(problem)}"] += 1
        if result["is_error"]:
            self._problems.append({"file": self._name, "url": page["url"], "problem": problem})

    def marker(self) -> dict[str, Any]:
        """What the marker of the archive says."""
        listed = self._problems[: self._most]
        if more := len(self._problems) - len(listed):
            listed.append({"file": self._name, "problem": "more of the same", "records": more})
        return {**dict(sorted(self._counts.items())), "problems": listed}


def _results(
    job: FleetJob, parts: Mapping[int, _ArchivePages], storage: Storage
) -> Iterator[tuple[int, dict[str, Any]]]:
    """What becomes of each page, with the number of its archive: site by site."""
    columns = f"file, site, url, {INDEX_PLACE}, length, date, digest"
    readers = SiteReaders(job, storage)
    with storage.local_files([index_part(number) for number in parts]) as paths:
        rows = read_rows(paths, columns, f"WHERE is_page ORDER BY {INDEX_ORDER}")
        for site, group in groupby(rows, key=lambda row: str(row["site"])):
            reader = readers.of_site(site)
            for row in group:
                number = int(row["file"])
                yield number, _result(job, number, parts[number].archive, reader, row)


class SiteReaders:
    """The readers of the sites of a fleet, each made when it is needed."""

    def __init__(self, job: FleetJob, storage: Storage) -> None:
        self._job, self._storage = job, storage
        self._lookup: ThemeLookup | None = None
        self._of_theme = lru_cache(maxsize=job.in_force.fleet.readers)(self._learnt)

    def of_site(self, site: str) -> PageReader:
        """The reader of a site: with its own model, or with those of the themes of its pages."""
        is_learnt = self._storage.exists(f"{project_folder(site)}/model.json")
        return self._learnt(site) if is_learnt else SmallSiteReader(self, self._job)

    def _learnt(self, site: str) -> SiteReader:
        with self._storage.local_folder(project_folder(site)) as path:
            known = read_knowledge(path)
        taken = taken_wrappers(site, self._storage)
        return SiteReader(site, with_taken(known, taken, self._storage), self._job)

    def of_page(self, document: Document) -> tuple[SiteReader, str] | None:
        """The reader of the theme whose template a page has, and the class of the theme."""
        if self._lookup is None:
            self._lookup = ThemeLookup(self._storage.read(LOOKUP))
        found = self._lookup.find(document)
        return None if found is None else (self._of_theme(found.site), found.name)


def _result(
    job: FleetJob, number: int, archive: ArchiveReader, reader: PageReader, row: dict[str, Any]
) -> dict[str, Any]:
    """What becomes of one page. Whatever is wrong with it, the others are not harmed."""
    page: dict[str, Any] = {
        "site": row["site"],
        "url": row["url"],
        "class": None,
        "cost": None,
        "confidence": None,
        "problem": None,
        "model": None,
        "date": row["date"],
        "file": job.archive_names[number],
        "offset": row["offset"],
        "length": row["length"],
        "digest": row["digest"],
    }
    result: dict[str, Any] = {"page": page, "text": None, "records": [], "is_error": False}
    try:
        record = archive.record(row["member"], row["offset"], row["inner"], row["length"])
        if not isinstance(record, WarcRecord):
            found: Page | Missing | str = f"a bad record: {record}"
        else:
            found = outcome(record.reply, row["url"], row["url"], MAX_RECORD)
        if isinstance(found, Missing):
            found = f"no page: {found.reason}"
        if isinstance(found, str):
            page["problem"], result["is_error"] = found, True
        else:
            reader.read(found, result)
    except Exception as error:  # a fault of ours, too, must cost no more than its page
        page["problem"] = f"a fault: {type(error).__name__}: {error!s:.200}"
        result["is_error"] = True
    return result


class PageReader:
    """What all readers of pages have in common: rows of a bounded size."""

    def __init__(self, job: FleetJob) -> None:
        self._longest = job.in_force.fleet.max_text_length

    def read(self, page: Page, result: dict[str, Any]) -> None:
        """Add class, text and records of a page to its result."""
        document = page.located_document()
        if document.refused:
            result["page"]["problem"] = f"no page: {too_costly(document).reason}"
        else:
            self.read_document(document, result)

    def read_document(self, document: Document, result: dict[str, Any]) -> None:
        """The same for a page that was parsed."""
        raise NotImplementedError

    def _add_text(
        self, document: Document, result: dict[str, Any], text: str, *, by_template: bool
    ) -> None:
        row = result["page"]
        if len(text) > self._longest:
            row["problem"] = row["problem"] or TEXT_CUT
        result["text"] = {
            "site": row["site"],
            "url": row["url"],
            "class": row["class"],
            "title": stored(" ".join(document.title.split())[:_LONGEST_TITLE]),
            "text": stored(text[: self._longest]),
            "by_template": by_template,
        }


class SmallSiteReader(PageReader):
    """Reads the pages of a site that was not learnt: as those of themes, or without any model."""

    def __init__(self, readers: SiteReaders, job: FleetJob) -> None:
        super().__init__(job)
        self._readers = readers

    def read_document(self, document: Document, result: dict[str, Any]) -> None:
        """Add what the theme of a page makes of it; without one, its main text."""
        found = self._readers.of_page(document)
        if found is not None:
            reader, name = found
            reader.read_as(document, name, result)
            return
        result["page"]["problem"] = NOT_LEARNT
        self._add_text(document, result, main_text(document).text, by_template=False)


class SiteReader(PageReader):
    """Reads pages with what is known of one site."""

    def __init__(self, site: str, knowledge: SiteKnowledge, job: FleetJob) -> None:
        super().__init__(job)
        self._site = site
        self._templates = knowledge.templates
        self._strippers: dict[str, Stripper] = {}
        self._given = ExtractionJob(knowledge.model, knowledge.wrappers, settings=job.in_force)
        self._extractor = PageExtractor(self._given)

    def read_document(self, document: Document, result: dict[str, Any]) -> None:
        """Add class, text and records of a page of the site."""
        self.class_and_text(document, result)
        if result["page"]["class"] is not None:
            self._add_records(document, result)

    def read_as(self, document: Document, name: str, result: dict[str, Any]) -> None:
        """The same for a page of another site that has the template of a class of this one.

        The classifier tells classes of one theme apart better than their templates do.
        """
        found = self._classified(document)
        if found is not None and found.page_class is not None:
            name = found.page_class
            result["page"] |= {"cost": found.cost, "confidence": found.confidence}
        result["page"] |= {"class": name, "model": self._site}
        self._add_stripped(document, result)
        self._add_records(document, result)

    def class_and_text(self, document: Document, result: dict[str, Any]) -> None:
        """Add class and text alone."""
        row = result["page"]
        found = self._classified(document)
        if found is None:
            row["problem"] = REDIRECT
            return
        row |= {"class": found.page_class, "cost": found.cost, "confidence": found.confidence}
        row["model"] = self._site
        row["problem"] = NO_CLASS if found.page_class is None else None
        self._add_stripped(document, result)

    def _classified(self, document: Document) -> Classification | None:
        """The class of a page; None for one that only sends its readers on."""
        if len(self._extractor.classifier.vocabulary) > MOST_PATHS:
            self._extractor = PageExtractor(self._given)
        features = self._extractor.classifier.features(document)
        return None if features.is_stub else self._extractor.classifier.of_features(features)

    def _add_stripped(self, document: Document, result: dict[str, Any]) -> None:
        stripper = self._stripper(result["page"]["class"] or "")
        text = (main_text(document) if stripper is None else stripper.strip(document)).text
        self._add_text(document, result, text, by_template=stripper is not None)

    def _stripper(self, name: str) -> Stripper | None:
        if name not in self._strippers and name in self._templates:
            self._strippers[name] = Stripper(self._templates[name])
        return self._strippers.get(name)

    def _add_records(self, document: Document, result: dict[str, Any]) -> None:
        row = result["page"]
        found = self._extractor.of_document(document, row["class"])
        if isinstance(found, Rejected):
            row["problem"] = row["problem"] or stored(found.reason[:_LONGEST_REASON])
        for line in found.lines if isinstance(found, Extracted) else ():
            fields = stored(json_line({key: line[key] for key in line if key != "_url"})[:-1])
            if len(fields) > self._longest:
                row["problem"] = "a record is too large"
                continue
            record = {"site": row["site"], "class": row["class"], "url": row["url"]}
            result["records"].append({**record, "fields": fields})
