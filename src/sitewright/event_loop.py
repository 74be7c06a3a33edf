"""Asynchronous work from synchronous code: in a script, on the command line, and in a notebook."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


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
        return thread.submit(_run, work).result()


def _run(work: Coroutine[Any, Any, Answer]) -> Answer:
    """`asyncio.run`, which a second Ctrl-C ends at once.

    The first one lets the work finish what it must. asyncio itself would wait for every task even
    after the second, and may wait for ever: that one is raised between a task's being woken and
    its running on, which it then never does.
    """
    runner = asyncio.Runner()
    ended = False

    async def watched() -> Answer:
        nonlocal ended
        try:
            return await work
        finally:
            ended = True

    try:
        return runner.run(watched())
    finally:
        if ended:
            runner.close()
