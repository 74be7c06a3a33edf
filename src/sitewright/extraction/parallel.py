"""Pages extracted by several processes at once, the results in the order of the pages."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import aclosing, contextmanager
from multiprocessing import (
    current_process,
    get_context,
    parent_process,
)
from multiprocessing.connection import wait
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sitewright.errors import SitewrightError
from sitewright.event_loop import BLAS_THREADS
from sitewright.extraction.page_results import ExtractionJob, PageExtractor, PageResult
from sitewright.settings import using

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping

    from sitewright.site import Page


_Shared = TypeVar("_Shared")
_Task = TypeVar("_Task")
_Done = TypeVar("_Done")

CHUNK_PAGES, CHUNK_BYTES = 32, 1 << 20
"""A chunk is what a process is given at a time: so many pages, or about so many bytes."""
START_SECONDS = 5.0
"""Processor time that it takes to start processes, which import what they need, on two cores."""
ALONE_SECONDS = START_SECONDS
"""So much time passes before processes are started, unless they were asked for. Nobody knows how
many pages are still to come; who waits as long as the start takes loses at most that twice."""
_AHEAD = 2
"""Chunks that wait for each process: no more are read, so that memory does not grow."""


async def extract_parallel(
    pages: Iterable[Page],
    job: ExtractionJob,
    known: Mapping[str, PageResult] = MappingProxyType({}),
) -> AsyncGenerator[list[PageResult], None]:
    """The results of pages, chunk by chunk, in the order of the pages.

    Those that are `known` already, by the page's URL, are passed on. With one worker all is
    done in this process; with no number given, as many pages as take some seconds are. The results
    do not depend on the number of workers.
    """
    chunks = _chunks(pages)
    extractor = PageExtractor(job)
    alone = ALONE_SECONDS if job.workers is None else 0.0
    count = cores() if job.workers is None else job.workers
    begin = time.process_time()
    for chunk in chunks:
        if count > 1 and time.process_time() - begin >= alone:
            async with aclosing(
                _in_processes(_from(chunk, chunks), job, count, known)
            ) as chunks_done:
                async for results in chunks_done:
                    yield results
            return
        yield [known.get(page.url) or extractor.of_page(page) for page in chunk]
        await asyncio.sleep(0)  # lets Ctrl-C in


def cores() -> int:
    """How many processes can run at the same time; one in a pool's worker, which may start none."""
    if current_process().daemon:
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _chunks(pages: Iterable[Page]) -> Iterator[list[Page]]:
    chunk: list[Page] = []
    size = 0
    for page in pages:
        chunk.append(page)
        size += len(page.body)
        if len(chunk) == CHUNK_PAGES or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _from(first: list[Page], rest: Iterator[list[Page]]) -> Iterator[list[Page]]:
    yield first
    yield from rest


async def _in_processes(
    chunks: Iterator[list[Page]], job: ExtractionJob, workers: int, known: Mapping[str, PageResult]
) -> AsyncGenerator[list[PageResult], None]:
    pending: deque[tuple[list[Page], asyncio.Future[list[PageResult]]]] = deque()
    with worker_pool(workers, _start_worker, job) as submit:
        for chunk in chunks:
            new = [page for page in chunk if page.url not in known]
            pending.append((chunk, submit(_extract_chunk, new)))
            if len(pending) > _AHEAD * workers:
                yield _merged(*await _first(pending), known)
        while pending:
            yield _merged(*await _first(pending), known)


async def _first(
    pending: deque[tuple[list[Page], asyncio.Future[list[PageResult]]]],
) -> tuple[list[Page], list[PageResult]]:
    chunk, future = pending.popleft()
    return chunk, await future


class Submit(Protocol):
    """Gives a task to the next process that is free."""

    def __call__(self, work: Callable[[_Task], _Done], task: _Task, /) -> asyncio.Future[_Done]:
        """The task's result, when it is there."""


@contextmanager
def worker_pool(
    workers: int, start: Callable[[_Shared], None], shared: _Shared
) -> Iterator[Submit]:
    """Processes that share work: each calls `start` with what all tasks need, then gets tasks."""
    # To fork a process that has threads, as an event loop may, is not safe; spawn is everywhere.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), start, (shared,))
    pending: set[asyncio.Future[Any]] = set()

    def submit(work: Callable[[_Task], _Done], task: _Task, /) -> asyncio.Future[_Done]:
        with starting_processes():
            future = asyncio.wrap_future(pool.submit(work, task))
        pending.add(future)
        future.add_done_callback(pending.discard)
        return future

    try:
        yield submit
    except BrokenProcessPool:
        raise SitewrightError(
            "a worker process ended before its work was done; try it with --workers 1"
        ) from None
    finally:
        for waiting in [*pending]:
            waiting.cancel()
        pool.shutdown(cancel_futures=True)


def _merged(
    chunk: list[Page], results: list[PageResult], known: Mapping[str, PageResult]
) -> list[PageResult]:
    """The results of all pages of a chunk, new ones and known ones, in the order of the pages."""
    new = iter(results)
    return [known.get(page.url) or next(new) for page in chunk]


@contextmanager
def starting_processes() -> Iterator[None]:
    """Processes that start in the block are workers of ours, and nothing else."""
    with _deaf_to_interrupts(), _without_main_module(), _one_thread_each():
        yield


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes that start in the block never hear of Ctrl-C: it is for us to end them.

    A process that ignores it only when it runs would still complain while it starts.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main_module() -> Iterator[None]:
    """Processes that start in the block do not import the program that called us.

    Nothing of it is needed there, and a script without `if __name__ == "__main__"` would run anew
    in each of them.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes that start in the block compute with one thread: there is one for each core."""
    before = {name: os.environ.get(name) for name in BLAS_THREADS}
    os.environ.update({name: value or "1" for name, value in before.items()})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]


_extractor: PageExtractor | None = None
"""That of a worker process."""


def _start_worker(job: ExtractionJob) -> None:
    global _extractor  # noqa: PLW0603 - the only way from a pool's initializer to its tasks
    become_worker()
    with using(job.settings):
        _extractor = PageExtractor(job)


def become_worker() -> None:
    """Ignore Ctrl-C, which is for the parent to hear, and end when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that is killed cannot end its workers, which would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _extract_chunk(pages: list[Page]) -> list[PageResult]:
    if _extractor is None:
        raise RuntimeError("the worker was not started")
    with using(_extractor.job.settings):
        return [_extractor.of_page(page) for page in pages]
