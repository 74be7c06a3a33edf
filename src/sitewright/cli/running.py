"""Work that waits for the network, and how a person stops it."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from sitewright.cli.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

Result = TypeVar("Result")

_STANDARD_ERROR = 2
INTERRUPTED_MESSAGE = "interrupted; the same command goes on from here"


class InterruptHandler:
    """What Ctrl-C does to the program: the first asks the work to end, the second ends it at once.

    Neither raises an exception inside of a running event loop: there it would hit a callback of
    some library, which reports it as an error of its own, or a task that is never woken again.
    """

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


def run_async(work: Coroutine[Any, Any, Result]) -> Result:
    """`asyncio.run` that ends with KeyboardInterrupt after Ctrl-C, when the work has cleaned up."""
    handler = signal.getsignal(signal.SIGINT)
    if not isinstance(handler, InterruptHandler):
        return asyncio.run(work)
    interrupted = False

    async def cancellable() -> Result:
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
    with suppress(OSError):
        os.write(_STANDARD_ERROR, f"sitewright: {INTERRUPTED_MESSAGE}\n".encode())
    os._exit(INTERRUPTED)
