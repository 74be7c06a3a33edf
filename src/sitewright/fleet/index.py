"""The pages of archives: which site each is of, and where it is. The first pass over the files."""

from __future__ import annotations

import glob
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitewright.errors import InputNotFound, InvalidInput
from sitewright.fleet.job import url_rank
from sitewright.fleet.storage import ArchiveReader, is_remote, local_copies
from sitewright.fleet.tables import INDEX, TableFile, database, stored
from sitewright.page.url import canonical
from sitewright.site.http import may_be_html, media_type
from sitewright.site.warc import MAX_RECORD, records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.fleet.job import FleetJob, Task
    from sitewright.fleet.storage import Storage
    from sitewright.site.warc import WarcRecord


PART = "part-{:06}.parquet"
_PAGE_STATUS = frozenset({200, 203})
_LONGEST_FIELD = 100
INDEX_PLACE = 'member, "offset", "inner"'
"""The columns that say where in its archive a record is."""
INDEX_ORDER = f"bucket, site, file, {INDEX_PLACE}"
COLUMNS = (
    "url", "fetch_time", "fetch_status", "content_digest", "content_mime_type", "warc_filename",
    "warc_record_offset", "warc_record_length",
)  # fmt: skip
"""What is read of Common Crawl's columnar index."""
_NUMBERS = frozenset(
    f"{sign}{name}" for sign in ("", "U") for name in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")
)
_TIMES = frozenset(
    ("TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")
)
_TYPES = {
    "fetch_time": _TIMES | {"DATE", "VARCHAR"},
    "fetch_status": _NUMBERS,
    "warc_record_offset": _NUMBERS,
    "warc_record_length": _NUMBERS,
}
"""What a column may be; the others are texts."""
_LATEST = 1 << 32
"""Seconds; what an index says of later times is not believed."""


def index_part(number: int) -> str:
    """The name of the index of one archive."""
    return f"index/{PART.format(number)}"


def readable_archives(job: FleetJob, storage: Storage) -> list[int]:
    """The numbers of the archives that have an index."""
    there = set(storage.names("index"))
    return [number for number in range(len(job.archives)) if PART.format(number) in there]


def index_archives(job: FleetJob, task: Task, storage: Storage) -> dict[str, Any]:
    """Write the index of the archives of one task; gives what the marker says."""
    group = job.groups[task.number]
    with storage.workspace(task.name) as work:
        if job.index:
            counts = _from_columns(job, group, work)
        else:
            counts = _from_archive(job, group[0], work)
        names = {index_part(number): work / f"index-{number}.parquet" for number in group}
        storage.publish(names)
    return counts


def _from_archive(job: FleetJob, number: int, work: Path) -> dict[str, Any]:
    problems: Counter[str] = Counter()
    pages = 0
    path = work / f"index-{number}.parquet"
    with (
        ArchiveReader(job.archives[number]) as archive,
        TableFile(path, INDEX, order=INDEX_ORDER) as table,
    ):
        for row in _rows(job, number, archive, problems):
            table.add(row)
            pages += row["is_page"]
    return _marker(job, number, table.rows, pages, problems)


def _rows(
    job: FleetJob, number: int, archive: ArchiveReader, problems: Counter[str]
) -> Iterator[dict[str, Any]]:
    longest = job.in_force.fleet.max_url_length
    for member, stream in enumerate(archive.streams()):
        damaged: Counter[Any] = Counter()
        for record in records(stream, tally=damaged):
            url = canonical(record.url) if len(record.url) <= longest else None
            if record.kind == "revisit":
                problems["a revisit, without a body of its own"] += 1
            elif url is None or len(url) > longest:
                problems["not a URL of the web"] += 1
            else:
                yield _row(job, url, number, member, record)
        problems.update({f"a bad record: {reason}": n for reason, n in damaged.items()})


def _row(job: FleetJob, url: str, number: int, member: int, record: WarcRecord) -> dict[str, Any]:
    site = job.site_of(url)
    content_type = record.reply.content_type
    return {
        "bucket": job.bucket_of(site),
        "site": site,
        "rank": url_rank(url),
        "url": url,
        "file": number,
        "member": member,
        "offset": record.offset,
        "inner": record.inner,
        "length": record.length,
        "status": record.status,
        "type": _short(media_type(content_type)),
        "date": record.date,
        "digest": _short(record.digest),
        "is_page": record.status in _PAGE_STATUS and may_be_html(content_type),
    }


def _short(text: str) -> str:
    return stored(text[:_LONGEST_FIELD])


def _marker(
    job: FleetJob, number: int, rows: int, pages: int, problems: Counter[str]
) -> dict[str, Any]:
    name = job.archive_names[number]
    listed = [
        {"file": name, "problem": problem, "records": count}
        for problem, count in sorted(problems.items())
    ]
    return {"records": rows, "pages": pages, "problems": listed}


# The index that Common Crawl publishes, in place of the first pass.


def index_base(named: Sequence[str]) -> str:
    """What stands before the file names of an index, with a slash at its end."""
    if len(named) != 1:
        raise InvalidInput("--index", "name one folder or URL that its file names are relative to")
    base = named[0].rstrip("/")
    return f"{base if is_remote(base) else Path(base).absolute()}/"


def indexed_archives(index: Sequence[str], named: Sequence[str]) -> list[tuple[str, int]]:
    """The archives that a columnar index names, with how much of each it names.

    The names are relative to the folder or URL that the person named.
    """
    base = index_base(named)
    query = """SELECT warc_filename, sum(least(greatest(warc_record_length, 0), $longest))::BIGINT
               FROM read_parquet($paths)
               WHERE warc_filename IS NOT NULL GROUP BY ALL ORDER BY ALL"""
    with local_copies(index) as paths:
        _check_columns(index, paths)
        with database([], None, paths) as connection:
            given = {"paths": _escaped(paths), "longest": MAX_RECORD}
            found = connection.execute(query, given).fetchall()
    return [(_joined(base, name), size) for name, size in found]


def _joined(base: str, name: str) -> str:
    """The place of an archive; a name in an index must not lead out of the folder."""
    steps = name.split("/")
    if name.startswith("/") or ".." in steps or "\0" in name or is_remote(name):
        raise InvalidInput(name, "a file name in the index that leads out of the folder")
    return f"{base}{name}"


def _check_columns(index: Sequence[str], paths: Sequence[Path]) -> None:
    for where, path in zip(index, paths, strict=True):
        if not path.is_file():
            raise InputNotFound(where)
        with database([], None, [path]) as connection:
            try:
                answer = connection.execute(
                    "DESCRIBE SELECT * FROM read_parquet($paths)", {"paths": _escaped([path])}
                )
            except Exception as error:  # whatever DuckDB has to say of a file that is none
                why = str(error).partition("\n")[0]
                raise InvalidInput(where, f"not a Parquet file: {why}") from None
            there = {row[0]: row[1] for row in answer.fetchall()}
        if missing := [name for name in COLUMNS if name not in there]:
            raise InvalidInput(where, f"no columnar index: it has no {', '.join(missing)}")
        for name in COLUMNS:
            if there[name] not in _TYPES.get(name, {"VARCHAR"}):
                raise InvalidInput(where, f"no columnar index: {name} is {there[name][:40]}")


def _escaped(paths: Sequence[Path]) -> list[str]:
    return [glob.escape(str(path)) for path in paths]


def _from_columns(job: FleetJob, group: range, work: Path) -> dict[str, Any]:
    """Take the rows of some archives from the columnar index, in one reading of it."""
    numbers = {job.archives[number]: number for number in group}
    base = job.base
    query = f"""SELECT {", ".join(COLUMNS[:-3])}, warc_filename, warc_record_offset,
                       warc_record_length,
                       TRY_CAST(fetch_time AS TIMESTAMP) AS fetched, CASE WHEN isfinite(fetched)
                       THEN epoch(fetched)::BIGINT ELSE 0 END AS seconds
                FROM read_parquet($paths) WHERE warc_filename IN (SELECT unnest($names))
                ORDER BY warc_filename, warc_record_offset, url"""  # noqa: S608 - our own names
    totals = {"records": 0, "pages": 0}
    listed: list[dict[str, Any]] = []
    given = {"names": [name.removeprefix(base) for name in numbers]}
    with local_copies(job.index) as paths, database([], work, paths) as connection:
        answer = connection.execute(query, {"paths": _escaped(paths), **given})
        columns = [column[0] for column in answer.description or ()]
        rows = _fetched(answer, columns)
        waiting = next(rows, None)
        for archive, number in sorted(numbers.items(), key=lambda one: one[1]):
            problems: Counter[str] = Counter()
            pages = 0
            with TableFile(work / f"index-{number}.parquet", INDEX, order=INDEX_ORDER) as table:
                while waiting is not None and base + waiting["warc_filename"] == archive:
                    if (row := _indexed_row(job, number, waiting)) is not None:
                        table.add(row)
                        pages += row["is_page"]
                    else:
                        problems["a row of the index that names no record"] += 1
                    waiting = next(rows, None)
            part = _marker(job, number, table.rows, pages, problems)
            totals["records"] += part["records"]
            totals["pages"] += part["pages"]
            listed += part["problems"]
    return {**totals, "problems": listed}


def _fetched(answer: Any, columns: Sequence[str]) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - DuckDB's
    while rows := answer.fetchmany(1000):
        yield from (dict(zip(columns, row, strict=True)) for row in rows)


def _indexed_row(job: FleetJob, number: int, row: dict[str, Any]) -> dict[str, Any] | None:
    """A row of ours from one of the columnar index; None for one that cannot be."""
    longest = job.in_force.fleet.max_url_length
    written = row["url"] or ""
    url = canonical(written) if len(written) <= longest else None
    offset, length = row["warc_record_offset"], row["warc_record_length"]
    if url is None or len(url) > longest or offset is None or offset < 0 or (length or 0) < 1:
        return None
    site = job.site_of(url)
    status, content_type = int(row["fetch_status"] or 0), row["content_mime_type"] or ""
    return {
        "bucket": job.bucket_of(site),
        "site": site,
        "rank": url_rank(url),
        "url": url,
        "file": number,
        "member": 0,
        "offset": offset,
        "inner": 0,
        "length": length,
        "status": status,
        "type": _short(media_type(content_type)),
        "date": min(max(row["seconds"] or 0, 0), _LATEST),
        "digest": _short(row["content_digest"] or ""),
        "is_page": status in _PAGE_STATUS and may_be_html(content_type),
    }
