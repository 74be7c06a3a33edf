"""Work that waits for the network, and how a person stops it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

Result = TypeVar("Result")


def run_async(work: Coroutine[Any, Any, Result]) -> Result:
    """`asyncio.run`, which a second Ctrl-C ends at once.

    The first one lets the work finish what it must. asyncio itself would wait for every task even
    after the second, and may wait for ever: that one is raised between a task's being woken and
    its running on, which it then never does.
    """
    runner = asyncio.Runner()
    ended = False

    async def watched() -> Result:
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
