"""Asynchronous work from synchronous code: in a script, on the command line, and in a notebook."""

from __future__ import annotations

import asyncio
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import wraps
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine


Given = ParamSpec("Given")
Answer = TypeVar("Answer")

_STANDARD_ERROR = 2
INTERRUPTED = 130
"""The exit code of a program that was interrupted."""
INTERRUPTED_MESSAGE = "interrupted; the same command goes on from here"
BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""What tells NumPy's libraries, when they are loaded, how many threads they may start."""


def synchronous(
    work: Callable[Given, Coroutine[Any, Any, Answer]],
) -> Callable[Given, Answer]:
    """The plain form of an asynchronous function: same arguments, same answer, no `await`."""

    @wraps(work)
    def plain(*arguments: Given.args, **options: Given.kwargs) -> Answer:
        return run_async(work(*arguments, **options))

    plain.__name__ = plain.__qualname__ = work.__name__.removeprefix("a")
    return plain


def run_async(work: Coroutine[Any, Any, Answer]) -> Answer:
    """Run a coroutine to its end, also where an event loop runs already, as in a notebook.

    There it gets a thread and a loop of its own, and the caller waits for it.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(work)
    with ThreadPoolExecutor(1, thread_name_prefix="sitewright") as thread:
        return thread.submit(copy_context().run, _run, work).result()


class InterruptHandler:
    """What Ctrl-C does to the program: the first asks the work to end, the second ends it at once.

    Neither raises an exception inside of a running event loop: there it would hit a callback of
    some library, which reports it as an error of its own, or a task that is never woken again.
    """

    before_exit: Callable[[int], object] | None = None
    """Is told the exit code before the program ends at once."""

    def __init__(self) -> None:
        self.cancel: Callable[[], object] | None = None
        """How to end the work that is under way; without it, KeyboardInterrupt is raised."""
        self._interrupted = False

    @classmethod
    def install(cls) -> None:
        """Handle SIGINT, unless whoever started the program had it ignored."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, cls())

    def __call__(self, _number: int, _frame: object) -> None:
        """Handle SIGINT."""
        if self._interrupted:
            _end_at_once()
        self._interrupted = True
        if self.cancel is None:
            raise KeyboardInterrupt
        self.cancel()


def _run(work: Coroutine[Any, Any, Answer]) -> Answer:
    """`asyncio.run` that ends with KeyboardInterrupt after Ctrl-C, when the work has cleaned up."""
    handler = signal.getsignal(signal.SIGINT)
    if not isinstance(handler, InterruptHandler):
        return asyncio.run(work)
    interrupted = False

    async def cancellable() -> Answer:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def cancel() -> None:
            nonlocal interrupted
            interrupted = True
            if task is not None:
                loop.call_soon_threadsafe(task.cancel)  # wakes a loop that waits for the network

        handler.cancel = cancel
        return await work

    try:
        result = asyncio.run(cancellable())
    except asyncio.CancelledError:
        if not interrupted:
            raise
        raise KeyboardInterrupt from None
    finally:
        handler.cancel = None
        work.close()  # if it was interrupted before it began
    if interrupted:
        raise KeyboardInterrupt
    return result


def _end_at_once() -> NoReturn:
    """End the program without a word from any library: what was fetched is in the archive."""
    if InterruptHandler.before_exit is not None:
        with suppress(Exception):
            InterruptHandler.before_exit(INTERRUPTED)
    with suppress(OSError):
        os.write(_STANDARD_ERROR, f"sitewright: {INTERRUPTED_MESSAGE}\n".encode())
    os._exit(INTERRUPTED)
