"""Run the explorer's two servers until somebody ends them."""

from __future__ import annotations

import asyncio
import socket
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import uvicorn

from sitewright.errors import InvalidInput
from sitewright.explorer.server import Explorer, explorer_app, pages_app

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


async def serve(
    out: Path,
    port: int = 0,
    ready: Callable[[str], None] = lambda _: None,
    *,
    before: Path | None = None,
) -> None:
    """Serve the explorer of a project; `ready` gets its address, with the token, when it is up.

    `before` is an earlier project of the site, to be shown beside it.
    """
    first, second = local_socket(port), local_socket(0)
    explorer = Explorer(out, first.getsockname()[1], second.getsockname()[1], before)
    await asyncio.to_thread(explorer.data.doubts)  # what the first view shows is read by then
    both = asyncio.gather(
        run_server(quiet_config(pages_app(explorer)), second, lambda: None),
        run_server(quiet_config(explorer_app(explorer)), first, lambda: ready(explorer.first_url)),
    )
    try:
        await both
    finally:
        await explorer.close()


async def run_server(
    config: uvicorn.Config, where: socket.socket, ready: Callable[[], None]
) -> None:
    """Serve on a socket until we are cancelled; `ready` is called when it answers."""
    server = _Server(config)
    running = asyncio.create_task(server.serve(sockets=[where]))
    try:
        while not server.started and not running.done():
            await asyncio.sleep(0.01)
        ready()
        await asyncio.shield(running)
    finally:
        server.should_exit = True
        await asyncio.gather(running, return_exceptions=True)
        where.close()


class _Server(uvicorn.Server):
    """Whoever started us handles signals."""

    def capture_signals(self) -> Any:  # noqa: ANN401 - uvicorn's own
        """Leave them alone."""
        return nullcontext()


def quiet_config(app: Any) -> uvicorn.Config:  # noqa: ANN401 - an ASGI application
    """A server that says nothing but errors."""
    return uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        ws="none",
        timeout_graceful_shutdown=1,
    )


def local_socket(port: int) -> socket.socket:
    """A socket on this machine alone."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(("127.0.0.1", port))
    except OSError as error:
        made.close()
        why = f"cannot be used: {error.strerror}; choose another with --port"
        raise InvalidInput(f"port {port}", why) from None
    return made
