"""A few pages of each site: those whose URLs have the smallest hashes, and the home page.

The smallest k of a set can be chosen in parts and put together again, they do not depend on any
order, and they are spread evenly over the site.
"""

from __future__ import annotations

import glob
from typing import TYPE_CHECKING, Any

from sitewright.fleet.index import PART, index_part, readable_archives
from sitewright.fleet.tables import database, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitewright.fleet.job import FleetJob, Task
    from sitewright.fleet.storage import Storage


_PAGES = """
    CREATE TEMP TABLE pages AS
    SELECT site, url, rank, file, member, "offset", "inner", length
    FROM (SELECT *, row_number() OVER (PARTITION BY site, url ORDER BY
                                       date DESC, file, member, "offset", "inner") AS newest
          FROM read_parquet($parts) WHERE bucket = $bucket AND is_page)
    WHERE newest = 1
"""
_SAMPLE = """
    SELECT site, url, file, member, "offset", "inner", length, place = 1 AS is_home
    FROM (SELECT *,
                 row_number() OVER (PARTITION BY site ORDER BY rank, url) AS number,
                 row_number() OVER (PARTITION BY site ORDER BY contains(url, '?'),
                     length(url) - length(replace(url, '/', '')), suffix(url, '/') DESC,
                     regexp_matches(url, '/(index|default|home)[.][a-z]+$') DESC,
                     length(url), url) AS place,
                 count(*) OVER (PARTITION BY site) AS urls
          FROM pages)
    WHERE urls >= $least AND (number <= $most OR place = 1)
    ORDER BY site, is_home DESC, rank, url
"""
_SITES = "SELECT site, count(*) AS urls FROM pages GROUP BY site ORDER BY site"
_COPY = "COPY ({query}) TO '{path}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 8192)"


def sample_pages_of_sites(job: FleetJob, task: Task, storage: Storage) -> dict[str, Any]:
    """Write the samples of the sites of one bucket, and how many pages each site has."""
    parts = [index_part(number) for number in readable_archives(job, storage)]
    with storage.workspace(task.name) as work, storage.local_files(parts) as paths:
        sample, sites = work / "sample.parquet", work / "sites.parquet"
        with database([work], work, paths) as connection:
            found = [glob.escape(str(path)) for path in paths]
            connection.execute(_PAGES, {"parts": found, "bucket": task.number})
            limits = {"least": job.min_pages, "most": job.pages_per_site}
            # A path cannot be a parameter beside those of the query; ours has no quotes in it.
            connection.execute(_COPY.format(query=_SAMPLE, path=_quoted(sample)), limits)
            connection.execute(_COPY.format(query=_SITES, path=_quoted(sites)))
        count = sum(1 for _ in read_rows([sites], "site"))
        storage.publish({_sample_part(task.number): sample, _sites_part(task.number): sites})
    return {"sites": count}


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _sample_part(number: int) -> str:
    return f"sample/{PART.format(number)}"


def _sites_part(number: int) -> str:
    return f"sample/sites-{number:06}.parquet"


def site_counts(storage: Storage) -> Iterator[tuple[str, int]]:
    """All sites, each with the number of its URLs, in the order of their names."""
    there = set(storage.names("sample"))
    names = [f"sample/{name}" for name in sorted(there) if name.startswith("sites-")]
    with storage.local_files(names) as paths:
        for row in read_rows(paths, "site, urls", "ORDER BY site"):
            yield row["site"], row["urls"]


def sampled_rows(job: FleetJob, site: str, storage: Storage) -> list[dict[str, Any]]:
    """Where the sampled pages of a site are, the home page first."""
    name = _sample_part(job.bucket_of(site))
    with storage.local_files([name]) as paths:
        where = 'WHERE site = $site ORDER BY is_home DESC, url, "offset"'
        return list(read_rows(paths, "*", where, {"site": site}))
