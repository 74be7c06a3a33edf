"""Who does the tasks of a fleet: the processes of this machine, or a Spark cluster.

An engine gets a list of tasks and gives, for each that is done, its number and why it failed, if it
did. What a task does is the same function everywhere, and so are the bytes that it writes.
"""

from __future__ import annotations

import traceback
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sitewright.errors import MissingExtra
from sitewright.extraction.parallel import become_worker, cores, starting_processes
from sitewright.fleet.apply import apply_models
from sitewright.fleet.index import index_archives
from sitewright.fleet.job import FleetStep, Task, marker, read_job, write_marker
from sitewright.fleet.learn import learn_site
from sitewright.fleet.sample import sample_pages_of_sites
from sitewright.fleet.storage import open_storage
from sitewright.fleet.themes import group_themes, offer_wrappers
from sitewright.settings import using

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from sitewright.fleet.job import FleetJob
    from sitewright.fleet.storage import Storage


_WORK = {
    FleetStep.INDEX: index_archives,
    FleetStep.SAMPLE: sample_pages_of_sites,
    FleetStep.LEARN: learn_site,
    FleetStep.THEMES: group_themes,
    FleetStep.OFFER: offer_wrappers,
}


class TaskOutcome(NamedTuple):
    """What became of a task."""

    task: Task
    problem: str | None
    """Why it failed, or the first of those done together with it; None if all of it is done."""


class FleetEngine(Protocol):
    """Does tasks, in any order and at any place."""

    def outcomes(self, location: str, tasks: Sequence[Task]) -> Iterable[TaskOutcome]:
        """Do these tasks of the fleet at a location."""
        ...


# One task, wherever it is done.


def do_task(location: str, task: Task, tries: int | None = None) -> str | None:
    """Do a task of the fleet at a location, and mark it as done; gives why it failed, if it did.

    What it writes is complete or absent, and the marker comes last: a task that has one is done,
    and one that has none is done again, with the same result. Of tasks that are done together, one
    that fails does not cost the others: each is then done by itself.
    """
    storage = open_storage(location)
    job = read_job(storage)
    tries = job.in_force.fleet.tries if tries is None else tries
    if task.more and _tried(job, task.parts, storage) is not None:
        problems = [do_task(location, part, tries) for part in task.parts]
        return next((one for one in problems if one is not None), None)
    problem = None
    for _ in range(tries):
        problem = _tried(job, task.parts, storage)
        if problem is None:
            return None
    return problem


def _tried(job: FleetJob, tasks: list[Task], storage: Storage) -> str | None:
    """Do those of some tasks that are not done; gives why that failed, if it did."""
    try:
        left = [task for task in tasks if not storage.exists(marker(task))]
        with using(job.in_force):
            for task, said in _work_on(job, left, storage):
                write_marker(storage, marker(task), {"task": task.name, **said})
    except Exception as error:  # a task that fails is listed, and must not end the others
        return _error_line(error)
    return None


def _work_on(
    job: FleetJob, tasks: list[Task], storage: Storage
) -> Iterable[tuple[Task, dict[str, Any]]]:
    """Do tasks of one step; gives what their markers say."""
    if tasks and tasks[0].step is FleetStep.APPLY:
        return zip(tasks, apply_models(job, tasks, storage), strict=True)
    return ((task, _WORK[task.step](job, task, storage)) for task in tasks)


def _error_line(error: Exception) -> str:
    """An error in one line, with the place where it was raised if it is none of ours."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f" ({last.filename.rpartition('/')[2]}, line {last.lineno})"
    text = " ".join(str(error).split())[:500]
    is_ours = type(error).__module__ == "sitewright.errors"
    return text if is_ours else f"{type(error).__name__}: {text}{where}"


# The processes of this machine.


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    connection: Connection
    task: Task | None = None


class LocalEngine:
    """Processes of this machine, each with one task at a time.

    A process that dies (no memory is left, a library crashes) fails the task that it had, and no
    other: another one takes its place.
    """

    def __init__(self, workers: int | None = None) -> None:
        self._workers = workers or cores()

    def outcomes(self, location: str, tasks: Sequence[Task]) -> Iterator[TaskOutcome]:
        """Do the tasks; each process gets the next as soon as it is free."""
        waiting = deque(tasks)
        deaths: dict[Task, int] = {}
        workers = [_started(location) for _ in range(min(self._workers, len(tasks)))]
        try:
            for worker in workers:
                _give_task(worker, waiting)
            while busy := [worker for worker in workers if worker.task is not None]:
                ready = wait([worker.connection for worker in busy])
                for place, worker in enumerate(workers):
                    if worker.task is None or worker.connection not in ready:
                        continue
                    outcome = _answer(worker)
                    if outcome is None:
                        outcome = _dead(worker, deaths, waiting)
                        workers[place] = _started(location)
                    workers[place].task = None
                    _give_task(workers[place], waiting)
                    if outcome.problem != _AGAIN:
                        yield outcome
        finally:
            for worker in workers:
                worker.connection.close()
                worker.process.terminate()
                worker.process.join()


_AGAIN = "again"
_MOST_DEATHS = 3


def _started(location: str) -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    with starting_processes():
        process = context.Process(target=_work, args=(location, theirs), daemon=True)
        process.start()
    theirs.close()
    return _Worker(process, ours)


def _work(location: str, connection: Connection) -> None:
    """What a process does: one task after the other, until nobody sends any more."""
    become_worker()
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        connection.send(do_task(location, task))


def _give_task(worker: _Worker, waiting: deque[Task]) -> None:
    if waiting:
        worker.task = waiting.popleft()
        with suppress(BrokenPipeError):  # it has died meanwhile: its answer will tell
            worker.connection.send(worker.task)


def _answer(worker: _Worker) -> TaskOutcome | None:
    """What a process says of its task; None if it is dead."""
    assert worker.task is not None  # noqa: S101 - it was busy
    try:
        return TaskOutcome(worker.task, worker.connection.recv())
    except (EOFError, ConnectionResetError):
        return None


def _dead(worker: _Worker, deaths: dict[Task, int], waiting: deque[Task]) -> TaskOutcome:
    """Try the task of a dead process again, its parts each by itself, unless it has killed some."""
    task = worker.task
    assert task is not None  # noqa: S101 - it was busy
    worker.process.join()
    deaths[task] = deaths.get(task, 0) + 1
    if deaths[task] < _MOST_DEATHS:
        waiting.extend(task.parts)
        return TaskOutcome(task, _AGAIN)
    code = worker.process.exitcode or 0
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return TaskOutcome(task, f"its process ended {deaths[task]} times, the last time with {how}")


def make_engine(name: str, workers: int | None = None) -> FleetEngine:
    """The engine of this name."""
    if name == "local":
        return LocalEngine(workers)
    try:
        from sitewright.fleet.spark import SparkEngine  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra("spark", "the engine spark") from None
    return SparkEngine()
