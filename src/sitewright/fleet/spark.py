"""The tasks of a fleet on a Spark cluster, with the user's own session where there is one.

A task is a row of a DataFrame that has a partition of its own; its result is a row, too. What a
task reads and writes are files on storage that all machines share: neither pages nor models pass
through Spark.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from pyspark.sql import SparkSession

from sitewright.errors import SitewrightError
from sitewright.fleet.engines import TaskOutcome, do_task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sitewright.fleet.job import Task


AT_ONCE = 10_000
"""Tasks of one Spark job: their list travels with it."""
_RESULT = "number bigint, problem string"


class SparkEngine:
    """A Spark session that does tasks: the active one, or what `spark-submit` and its files say."""

    def __init__(self, session: SparkSession | None = None) -> None:
        self._session = session or SparkSession.getActiveSession() or _new_session()

    def outcomes(self, location: str, tasks: Sequence[Task]) -> Iterator[TaskOutcome]:
        """Do the tasks, as many at a time as the cluster has cores."""
        for first in range(0, len(tasks), AT_ONCE):
            some = list(tasks[first : first + AT_ONCE])
            rows = self._session.range(0, len(some), 1, len(some))
            try:
                done = rows.mapInArrow(_worker(location, some), _RESULT).collect()
            except Exception as error:  # Spark has given up: what has no marker is done next time
                why = " ".join(str(error).split())[:500]
                raise SitewrightError(f"Spark ended the job: {why}") from error
            for row in sorted(done):
                yield TaskOutcome(some[row["number"]], row["problem"])


def _new_session() -> SparkSession:
    """A session as `spark-submit` and its files say; without them, one of this machine."""
    if "PYSPARK_GATEWAY_PORT" not in os.environ:
        # Else the processes of a session that we begin ourselves would be of the system's Python.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session: SparkSession = SparkSession.builder.appName("sitewright fleet").getOrCreate()
    return session


def _worker(location: str, tasks: list[Task]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """The function that an executor runs: it gets batches of task numbers, and gives results."""

    def work(batches: Iterator[Any]) -> Iterator[Any]:
        from pyarrow import RecordBatch, array, string  # noqa: PLC0415 - comes with Spark

        for batch in batches:
            numbers = batch.column(0).to_pylist()
            problems = [do_task(location, tasks[number]) for number in numbers]
            columns = [array(numbers), array(problems, type=string())]
            yield RecordBatch.from_arrays(columns, ["number", "problem"])

    return work
