"""What was learnt of the sites, applied to all pages of an archive: the second pass over the files.

The pages of a file are taken site by site, so that what is known of a site is read once for each
file, and memory holds one site at a time. They are read at their places: nothing is grouped across
files.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import ExitStack
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sitewright.extraction.page_results import (
    MOST_PATHS,
    Extracted,
    ExtractionJob,
    PageExtractor,
    Rejected,
)
from sitewright.fleet.index import PART, index_part
from sitewright.fleet.learn import project_folder, read_knowledge
from sitewright.fleet.storage import ArchiveReader
from sitewright.fleet.tables import PAGES, RECORDS, TEXT, TableFile, read_rows, stored
from sitewright.formats import json_line
from sitewright.settings import using
from sitewright.site.base import Missing, too_costly
from sitewright.site.http import outcome
from sitewright.site.warc import MAX_RECORD, WarcRecord
from sitewright.template.article import main_text
from sitewright.template.stripping import Stripper

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_LONGEST_REASON = 300
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


def apply_models(job: FleetJob, task: Task, storage: Storage) -> dict[str, Any]:
    """Classify, strip and extract the pages of one archive; gives what the marker says."""
    number = task.number
    counts: Counter[str] = Counter()
    problems: list[dict[str, Any]] = []
    with storage.workspace(task.name) as work, using(job.in_force):
        files = {name: work / f"{name}.parquet" for name in _TABLES}
        with ExitStack() as stack:
            tables = {
                name: stack.enter_context(TableFile(files[name], columns))
                for name, columns in _TABLES.items()
            }
            archive = stack.enter_context(ArchiveReader(job.archives[number]))
            for result in _results(job, number, archive, storage):
                _write(tables, result)
                counts["pages"] += 1
                counts["classified"] += result["page"]["class"] is not None
                counts["records"] += len(result["records"])
                if (problem := result["page"]["problem"]) is not None:
                    counts[f"problem: {problem_kind(problem)}"] += 1
                if result["is_error"]:
                    problems.append(
                        {"file": result["page"]["file"], "url": result["page"]["url"],
                         "problem": problem}
                    )  # fmt: skip
        storage.publish({output_part(name, number): path for name, path in files.items()})
    listed = problems[: job.in_force.fleet.max_listed_problems]
    if len(problems) > len(listed):
        more = len(problems) - len(listed)
        name = job.archive_names[number]
        listed.append({"file": name, "problem": "more of the same", "records": more})
    return {**dict(sorted(counts.items())), "problems": listed}


def _write(tables: dict[str, TableFile], result: dict[str, Any]) -> None:
    tables["pages"].add(result["page"])
    if result["text"] is not None:
        tables["text"].add(result["text"])
    for record in result["records"]:
        tables["records"].add(record)


def _results(
    job: FleetJob, number: int, archive: ArchiveReader, storage: Storage
) -> Iterator[dict[str, Any]]:
    columns = 'site, url, member, "offset", "inner", length, date, digest'
    with storage.local_files([index_part(number)]) as paths:
        rows = read_rows(paths, columns, "WHERE is_page")
        for site, group in groupby(rows, key=lambda row: str(row["site"])):
            reader = _site_reader(job, site, storage)
            for row in group:
                yield _result(job, number, archive, reader, row)


def _site_reader(job: FleetJob, site: str, storage: Storage) -> SiteReader:
    folder = project_folder(site)
    if not storage.exists(f"{folder}/model.json"):
        return SiteReader(None, job)
    with storage.local_folder(folder) as path:
        return SiteReader(read_knowledge(path), job)


def _result(
    job: FleetJob, number: int, archive: ArchiveReader, reader: SiteReader, row: dict[str, Any]
) -> dict[str, Any]:
    """What becomes of one page. Whatever is wrong with it, the others are not harmed."""
    page: dict[str, Any] = {
        "site": row["site"],
        "url": row["url"],
        "class": None,
        "cost": None,
        "confidence": None,
        "problem": None,
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


class SiteReader:
    """Reads the pages of one site with what is known of it."""

    def __init__(self, knowledge: SiteKnowledge | None, job: FleetJob) -> None:
        self._longest = job.in_force.fleet.max_text_length
        templates = {} if knowledge is None else knowledge.templates
        self._strippers = {name: Stripper(template) for name, template in templates.items()}
        self._given = (
            None
            if knowledge is None
            else ExtractionJob(knowledge.model, knowledge.wrappers, settings=job.in_force)
        )
        self._extractor = None if self._given is None else PageExtractor(self._given)

    def read(self, page: Page, result: dict[str, Any]) -> None:
        """Add class, text and records of a page to its result."""
        document, row = page.located_document(), result["page"]
        result["text"] = self.class_and_text(document, row)
        if self._extractor is not None and row["class"] is not None:
            found = self._records(self._extractor, document, row["class"], row)
            result["records"] = list(found)

    def class_and_text(self, document: Document, row: dict[str, Any]) -> dict[str, Any] | None:
        """Add the class of a page to its row; gives its row of texts, if it has one."""
        if document.refused:
            row["problem"] = f"no page: {too_costly(document).reason}"
            return None
        if self._extractor is None:
            row["problem"] = NOT_LEARNT
            return self._text(document, None, row)
        found = self._classified(self._extractor, document)
        if found is None:
            row["problem"] = REDIRECT
            return None
        name = found.page_class
        row |= {"class": name, "cost": found.cost, "confidence": found.confidence}
        row["problem"] = NO_CLASS if name is None else None
        return self._text(document, name, row)

    def _classified(self, extractor: PageExtractor, document: Document) -> Classification | None:
        """The class of a page; None for one that only sends its readers on."""
        if len(extractor.classifier.vocabulary) > MOST_PATHS and self._given is not None:
            self._extractor = extractor = PageExtractor(self._given)
        features = extractor.classifier.features(document)
        return None if features.is_stub else extractor.classifier.of_features(features)

    def _text(self, document: Document, name: str | None, row: dict[str, Any]) -> dict[str, Any]:
        stripper = self._strippers.get(name) if name is not None else None
        text = (main_text(document) if stripper is None else stripper.strip(document)).text
        if len(text) > self._longest:
            row["problem"] = row["problem"] or TEXT_CUT
        return {
            "site": row["site"],
            "url": row["url"],
            "class": name,
            "title": stored(" ".join(document.title.split())[:1000]),
            "text": stored(text[: self._longest]),
            "by_template": stripper is not None,
        }

    def _records(
        self, extractor: PageExtractor, document: Document, name: str, row: dict[str, Any]
    ) -> Iterator[dict[str, Any]]:
        found = extractor.of_document(document, name)
        if not isinstance(found, Extracted):
            if isinstance(found, Rejected):
                row["problem"] = row["problem"] or stored(found.reason[:_LONGEST_REASON])
            return
        for line in found.lines:
            fields = stored(json_line({key: line[key] for key in line if key != "_url"})[:-1])
            if len(fields) > self._longest:
                row["problem"] = "a record is too large"
                continue
            yield {"site": row["site"], "class": name, "url": row["url"], "fields": fields}
