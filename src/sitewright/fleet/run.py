"""The steps of a fleet, one after the other: what is done is skipped, what fails is listed."""

from __future__ import annotations

import os
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from sitewright.errors import InvalidInput, NoPages
from sitewright.fleet.engines import LocalEngine
from sitewright.fleet.finish import finish_fleet
from sitewright.fleet.index import readable_archives
from sitewright.fleet.job import (
    DONE,
    FAILED,
    FleetJob,
    FleetOptions,
    FleetStep,
    Task,
    begin_job,
    make_job,
    marker,
    write_marker,
)
from sitewright.fleet.sample import site_counts
from sitewright.fleet.storage import open_storage
from sitewright.fleet.tables import check_parquet
from sitewright.fleet.themes import joined_sites

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sitewright.fleet.engines import FleetEngine
    from sitewright.fleet.storage import Storage


_STEPS = tuple(step for step in FleetStep if step is not FleetStep.FINISH)
_POLL_SECONDS = 2.0


@dataclass(slots=True)
class FleetSummary:
    """How a fleet went; the counts are those of the whole fleet, once it is finished."""

    done: Counter[str] = field(default_factory=Counter)
    """Tasks that this run has done, by step."""
    skipped: int = 0
    """Tasks that were done before."""
    failed: list[tuple[str, str]] = field(default_factory=list)
    """Tasks that failed, each with the reason."""
    missing: str = ""
    """The step that others have not finished, if that is why this run ended."""
    counts: dict[str, int] = field(default_factory=dict)
    """Sites, pages, records and the like; empty before the last step."""

    @property
    def is_complete(self) -> bool:
        """Whether everything is done."""
        return not self.failed and not self.missing

    def as_json(self) -> dict[str, Any]:
        """One flat object."""
        data = asdict(self)
        tasks = {"tasks_done": self.done.total(), "tasks_skipped": self.skipped}
        return {**data["counts"], **tasks, "tasks_failed": len(self.failed)}


@dataclass(frozen=True, slots=True)
class Shard:
    """The part of all tasks that one of several equal processes does."""

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read `3/64`: the third of 64.

        >>> Shard.parse("3/64")
        Shard(number=3, of=64)
        """
        number, _, of = text.partition("/")
        if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise InvalidInput(text, "no shard; write it as 3/64, from 1/64 to 64/64")
        return cls(int(number), int(of))

    def has(self, place: int) -> bool:
        """Whether the task at a place is one of this shard."""
        return place % self.of == self.number - 1


def run_fleet(  # noqa: PLR0913 - the front door has as many parameters as there are options
    archives: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    options: FleetOptions | None = None,
    *,
    index: Sequence[str] = (),
    engine: FleetEngine | None = None,
    shard: Shard | None = None,
    steps: Sequence[FleetStep | str] = tuple(FleetStep),
    wait: float = 0.0,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> FleetSummary:
    """Do all steps of a fleet, or go on with one that was interrupted.

    `archives` are WARC files, folders of them, or patterns; `out` is a folder or a URL. With a
    `shard` only a part of the tasks is done; a step that needs what other shards have not done
    yet waits for it so many seconds, and then ends the run. `progress` is told the step, how many
    of its tasks are done, and how many there are.
    """
    check_parquet()
    wanted = [FleetStep(step) for step in steps]
    storage = open_storage(out)
    job = begin_job(storage, make_job([os.fspath(one) for one in archives], options, index))
    last = max(wanted, key=list(FleetStep).index)
    summary = FleetSummary()
    done_by = engine or LocalEngine()
    for step in _STEPS:
        tasks = tasks_of(step, job, storage)
        if step in wanted:
            mine = [task for place, task in enumerate(tasks) if (shard or Shard()).has(place)]
            _do_tasks(mine, job, storage, done_by, summary, progress)
        if step is last:
            return summary
        if not _settled(step, tasks, storage, wait):
            summary.missing = step.value
            return summary
        if step is FleetStep.INDEX and not readable_archives(job, storage):
            raise NoPages(", ".join(job.archives[:3]), f"no archive can be read{_first(summary)}")
    progress(FleetStep.FINISH.value, 0, 1)
    summary.counts = finish_fleet(job, storage)
    progress(FleetStep.FINISH.value, 1, 1)
    if summary.is_complete:
        storage.clean()
    return summary


def tasks_of(step: FleetStep, job: FleetJob, storage: Storage) -> list[Task]:
    """The tasks of a step; those of `learn` follow from what `sample` has found."""
    if step is FleetStep.LEARN:
        sites = (site for site, urls in site_counts(storage) if urls >= job.min_pages)
        return [Task(step, number, site) for number, site in enumerate(sites)]
    if step is FleetStep.THEMES:
        return [Task(step, 0)]
    if step is FleetStep.OFFER:
        return [Task(step, number, site) for number, site in enumerate(joined_sites(storage))]
    if step is FleetStep.APPLY:
        return [Task(step, number) for number in readable_archives(job, storage)]
    count = len(job.groups) if step is FleetStep.INDEX else job.buckets
    return [Task(step, number) for number in range(count)]


def _first(summary: FleetSummary) -> str:
    return f": {summary.failed[0][1]}" if summary.failed else ""


def _do_tasks(  # noqa: PLR0913, PLR0917 - all of it is that of one run
    tasks: Sequence[Task],
    job: FleetJob,
    storage: Storage,
    engine: FleetEngine,
    summary: FleetSummary,
    progress: Callable[[str, int, int], None],
) -> None:
    if not tasks:
        return
    step = tasks[0].step.value
    there = set(storage.names(f"{DONE}/{step}"))
    left = [task for task in tasks if f"{task.name}.json" not in there]
    finished = len(tasks) - len(left)
    summary.skipped += finished
    progress(step, finished, len(tasks))
    together = done_together(left, job)
    for outcome in engine.outcomes(storage.location, together) if left else ():
        for task in outcome.task.parts:
            finished += 1
            is_done = outcome.problem is None or storage.exists(marker(task))
            _note(task, None if is_done else outcome.problem, storage, summary)
        progress(step, finished, len(tasks))


def done_together(tasks: Sequence[Task], job: FleetJob) -> list[Task]:
    """Tasks of `apply` as larger ones: what is known of a site is read once for each.

    What comes out does not depend on it: each archive has files and a marker of its own.
    """
    if not tasks or tasks[0].step is not FleetStep.APPLY:
        return list(tasks)
    limits = job.in_force.fleet
    sizes = [job.sizes[task.number] for task in tasks]
    most = min(limits.apply_bytes_at_once, sum(sizes) // limits.apply_tasks)
    groups: list[list[int]] = []
    room = 0
    for task, size in zip(tasks, sizes, strict=True):
        if not groups or size > room or len(groups[-1]) == limits.apply_files_at_once:
            groups.append([])
            room = most
        groups[-1].append(task.number)
        room -= size
    return [Task(FleetStep.APPLY, first, more=tuple(more)) for first, *more in groups]


def _note(task: Task, problem: str | None, storage: Storage, summary: FleetSummary) -> None:
    failed = marker(task, FAILED)
    if problem is None:
        summary.done[task.step.value] += 1
        storage.remove(failed)
        return
    summary.failed.append((task.name, problem))
    said = {"task": task.name, "subject": task.subject or task.number, "problem": problem}
    write_marker(storage, failed, said)


def _settled(step: FleetStep, tasks: Sequence[Task], storage: Storage, wait: float) -> bool:
    """Whether every task of a step is done or has failed; waits for other shards for a while."""
    wanted = {f"{task.name}.json" for task in tasks}
    end = time.monotonic() + wait
    while True:
        there = {*storage.names(f"{DONE}/{step.value}"), *storage.names(f"{FAILED}/{step.value}")}
        if wanted <= there:
            return True
        if time.monotonic() >= end:
            return False
        time.sleep(min(_POLL_SECONDS, max(0.0, end - time.monotonic())))
