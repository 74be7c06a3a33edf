"""The end of a fleet: one row for each site, the catalogue of fields, and all that went wrong."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sitewright.fleet.apply import output_part
from sitewright.fleet.index import PART
from sitewright.fleet.job import DONE, FAILED, FleetStep, Task, marker, read_marker
from sitewright.fleet.learn import project_folder
from sitewright.fleet.sample import site_counts
from sitewright.fleet.tables import CATALOGUE, SITES, TableFile, read_rows, stored
from sitewright.fleet.themes import taken_wrappers, theme_rows
from sitewright.formats import json_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitewright.fleet.job import FleetJob
    from sitewright.fleet.storage import Storage


ERRORS = "errors.jsonl"
_PROBLEM = "regexp_replace(split_part(problem, ':', 1), '[0-9]+', 'N', 'g')"
"""The same as `problem_kind`."""


def finish_fleet(job: FleetJob, storage: Storage) -> dict[str, int]:
    """Write sites/, catalogue/ and errors.jsonl; gives the counts of the whole fleet."""
    counts: Counter[str] = Counter(dict.fromkeys(_COUNTED, 0))
    with storage.workspace("finish") as work:
        sites, catalogue, errors = work / "sites.parquet", work / "catalogue.parquet", work / ERRORS
        with TableFile(sites, SITES) as site_table, TableFile(catalogue, CATALOGUE) as fields:
            for row, entries in _site_rows(job, storage):
                site_table.add(row)
                for entry in entries:
                    fields.add(entry)
                _count(counts, row)
        _write_errors(job, storage, errors, counts)
        storage.publish(
            {
                f"sites/{PART.format(0)}": sites,
                f"catalogue/{PART.format(0)}": catalogue,
                ERRORS: errors,
            }
        )
    return dict(counts)


_COUNTED = ("sites", "learnt", "pages", "classified", "records", "bad_records", "failed_tasks")


def _count(counts: Counter[str], row: dict[str, Any]) -> None:
    counts["sites"] += 1
    counts["learnt"] += row["project"] is not None
    for name in ("pages", "classified", "records"):
        counts[name] += row[name]


def _site_rows(
    job: FleetJob, storage: Storage
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """For each site its row, and its entries of the catalogue."""
    done = (output_part("pages", number) for number in range(len(job.archives)))
    names = [name for name in done if storage.exists(name)]
    records = [name.replace("pages/", "records/", 1) for name in names]
    with storage.local_files(names) as pages, storage.local_files(records) as tables:
        read = _Merged(_page_counts(pages))
        extracted = _Merged(_record_counts(tables))
        themes = {row["site"]: row["theme"] for row in theme_rows(storage)}
        for number, (site, urls) in enumerate(site_counts(storage)):
            task = Task(FleetStep.LEARN, number, site)
            learnt = read_marker(storage, marker(task)) if urls >= job.min_pages else {}
            taken = taken_wrappers(site, storage)
            row, entries = _site_row(site, urls, learnt, read.of(site), extracted.of(site))
            row["theme"] = themes.get(site)
            yield row, list(_with_taken(entries, taken, storage)) if taken else entries


def _page_counts(paths: list[Path]) -> Iterator[dict[str, Any]]:
    what = f'site, "class", {_PROBLEM} AS problem, count(*) AS pages'
    return read_rows(paths, what, "GROUP BY ALL ORDER BY ALL")


def _record_counts(paths: list[Path]) -> Iterator[dict[str, Any]]:
    return read_rows(paths, "site, count(*) AS records", "GROUP BY ALL ORDER BY ALL")


class _Merged:
    """Rows by site, read once, for somebody who asks for sites in the same order."""

    def __init__(self, rows: Iterator[dict[str, Any]]) -> None:
        self._groups = groupby(rows, key=lambda row: str(row["site"]))
        self._next = self._following()

    def _following(self) -> tuple[str, list[dict[str, Any]]] | None:
        found = next(self._groups, None)
        return None if found is None else (found[0], list(found[1]))

    def of(self, site: str) -> list[dict[str, Any]]:
        """The rows of a site."""
        while self._next is not None and self._next[0] < site:
            self._next = self._following()
        if self._next is None or self._next[0] != site:
            return []
        return self._next[1]


def _site_row(
    site: str,
    urls: int,
    learnt: dict[str, Any],
    read: list[dict[str, Any]],
    extracted: list[dict[str, Any]],
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    classes, problems = Counter[str](), Counter[str]()
    for row in read:
        classes[row["class"] or ""] += row["pages"]
        problems[row["problem"] or ""] += row["pages"]
    known = learnt.get("classes") or []
    if learnt.get("problem"):
        problems[stored(f"not learnt: {learnt['problem']}")] += 0
    row = {
        "site": site,
        "project": project_folder(site) if known else None,
        "theme": None,
        "urls": urls,
        "sampled": learnt.get("sampled", 0),
        "pages": classes.total(),
        "classified": classes.total() - classes[""],
        "records": sum(row["records"] for row in extracted),
        "classes": [
            {
                "name": one["name"],
                "url_template": one["url_template"],
                "pages": classes[one["name"]],
                "fields": len(one["fields"]),
            }
            for one in known
        ],
        "templates": sum(one["has_template"] for one in known),
        "problems": [
            {"problem": name, "pages": count} for name, count in sorted(problems.items()) if name
        ],
    }
    entries = [
        {"site": site, "class": one["name"], "learnt_at": site, **entry}
        for one in known
        for entry in one["fields"]
    ]
    return row, entries


def _with_taken(
    entries: list[dict[str, Any]], said: dict[str, Any], storage: Storage
) -> Iterator[dict[str, Any]]:
    """The fields of a site, those of the wrappers that it has taken from its theme among them."""
    theme, taken = said["theme"], said["taken"]
    lent = read_marker(storage, marker(Task(FleetStep.LEARN, 0, theme))).get("classes") or []
    fields = {one["name"]: one["fields"] for one in lent}
    yield from (entry for entry in entries if entry["class"] not in taken)
    for name, of_theme in taken.items():
        for one in fields.get(of_theme, ()):
            yield {"site": said["site"], "class": name, "learnt_at": theme, **one}


def _write_errors(job: FleetJob, storage: Storage, path: Path, counts: Counter[str]) -> None:
    """Write what went wrong, step by step: failed tasks, and what tasks have passed over."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for step in FleetStep:
            done = set(storage.names(f"{DONE}/{step.value}"))
            for name in storage.names(f"{FAILED}/{step.value}"):
                if name not in done:
                    counts["failed_tasks"] += 1
                    said = read_marker(storage, f"{FAILED}/{step.value}/{name}")
                    file.write(json_line({"step": step.value, **_named(job, step, said)}))
            for name in sorted(done):
                said = read_marker(storage, f"{DONE}/{step.value}/{name}")
                for problem in said.get("problems", ()):
                    # `apply` meets the bad records of a sample again.
                    bad = 0 if step is FleetStep.LEARN else problem.get("records", 1)
                    counts["bad_records"] += bad
                    file.write(json_line({"step": step.value, **problem}))


def _named(job: FleetJob, step: FleetStep, said: dict[str, Any]) -> dict[str, Any]:
    """A failed task, with the archive or the site that it was about."""
    subject = said.get("subject")
    if step is FleetStep.APPLY and isinstance(subject, int):
        subject = job.archive_names[subject]
    if step is FleetStep.INDEX and isinstance(subject, int):
        subject = ", ".join(job.archive_names[number] for number in job.groups[subject])
    return {"task": said.get("task"), "subject": subject, "problem": said.get("problem")}
