"""One page for people about a fleet: its sites, the fields that they have, and what went wrong."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any

from sitewright.errors import InputNotFound
from sitewright.fleet.finish import ERRORS
from sitewright.fleet.index import PART
from sitewright.fleet.job import read_job
from sitewright.fleet.storage import open_storage
from sitewright.fleet.tables import check_parquet, read_rows
from sitewright.formats import json_lines

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from sitewright.fleet.storage import Storage


REPORT = "report.html"
_MOST_SITES, _MOST_FIELDS, _MOST_FAILED = 500, 100, 50
_COUNTS = """count(*) AS sites, count(project) AS learnt, coalesce(sum(pages), 0)::BIGINT AS pages,
    coalesce(sum(classified), 0)::BIGINT AS classified,
    coalesce(sum(records), 0)::BIGINT AS records,
    coalesce(sum(len(classes)), 0)::BIGINT AS classes, count(DISTINCT theme) AS themes"""
_FIELDS = """field, min(type) AS type, count(DISTINCT site) AS sites, count(*) AS classes,
    list_sort(list_distinct(list(example) FILTER (example IS NOT NULL)))[:4] AS examples"""


def write_fleet_report(out: str | os.PathLike[str]) -> dict[str, int]:
    """Write OUT/report.html; gives the counts that stand at its top."""
    check_parquet()
    storage = open_storage(out)
    job = read_job(storage)
    names = [f"sites/{PART.format(0)}", f"catalogue/{PART.format(0)}"]
    if not all(map(storage.exists, names)):
        why = "this fleet is not finished: run it again, with the same command"
        raise InputNotFound(storage.location, why)
    with storage.local_files(names) as (sites, catalogue):
        data = _data(sites, catalogue)
    archives = len(job.archives)
    data["title"] = f"{data['counts']['sites']:,} sites in {archives:,} archives"
    data["failed"] = _failed(storage)
    with storage.workspace("report") as work:
        path = work / REPORT
        path.write_text(_rendered(data), encoding="utf-8", errors="replace")
        storage.publish({REPORT: path})
    counts: dict[str, int] = data["counts"]
    return counts


def _data(sites: Path, catalogue: Path) -> dict[str, Any]:
    (counts,) = read_rows([sites], _COUNTS)
    shown = list(read_rows([sites], "*", f"ORDER BY pages DESC, site LIMIT {_MOST_SITES}"))
    fields = "WHERE record_set IS NULL GROUP BY field ORDER BY sites DESC, classes DESC, field"
    return {
        "counts": counts,
        "sites": shown,
        "more_sites": counts["sites"] - len(shown),
        "fields": list(read_rows([catalogue], _FIELDS, f"{fields} LIMIT {_MOST_FIELDS}")),
        "problems": _problems(sites),
    }


def _problems(sites: Path) -> list[dict[str, Any]]:
    """The sorts of problems, the most frequent first."""
    found: Counter[str] = Counter()
    for row in read_rows([sites], "unnest(problems) AS one"):
        found[row["one"]["problem"]] += row["one"]["pages"]
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return [{"problem": problem, "pages": pages} for problem, pages in ordered]


def _failed(storage: Storage) -> list[dict[str, Any]]:
    """The tasks that failed, of which errors.jsonl tells."""
    with storage.local_files([ERRORS]) as (path,):
        failed = (said for said in json_lines(path) if "task" in said)
        return list(islice(failed, _MOST_FAILED))


def _rendered(data: dict[str, Any]) -> str:
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - only a report needs it

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    text = files("sitewright.fleet").joinpath(REPORT).read_text(encoding="utf-8")
    return environment.from_string(text).render(data)
