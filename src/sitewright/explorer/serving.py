"""Run the explorer's two servers until somebody ends them."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

import uvicorn

from sitewright.errors import InvalidInput
from sitewright.explorer.server import Explorer, explorer_app, pages_app

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


async def serve(out: Path, port: int = 0, ready: Callable[[str], None] = lambda _: None) -> None:
    """Serve the explorer of a project; `ready` gets its address, with the token, when it is up."""
    first, second = _socket(port), _socket(0)
    explorer = Explorer(out, first.getsockname()[1], second.getsockname()[1])
    servers = [_Server(_config(explorer_app(explorer))), _Server(_config(pages_app(explorer)))]
    running = [
        asyncio.create_task(server.serve(sockets=[one]))
        for server, one in zip(servers, (first, second), strict=True)
    ]
    try:
        while not all(server.started for server in servers):
            if any(task.done() for task in running):
                break
            await asyncio.sleep(0.01)
        ready(explorer.first_url)
        await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for server in servers:
            server.should_exit = True
        await asyncio.gather(*running, return_exceptions=True)
        await explorer.close()


class _Server(uvicorn.Server):
    """Whoever started us handles signals."""

    def install_signal_handlers(self) -> None:
        """Leave them alone."""

    def capture_signals(self) -> Any:  # noqa: ANN401 - uvicorn's own
        """Leave them alone, in newer versions."""
        from contextlib import nullcontext  # noqa: PLC0415 - once

        return nullcontext()


def _config(app: Any) -> uvicorn.Config:  # noqa: ANN401 - an ASGI application
    return uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        ws="none",
        lifespan="auto",
        timeout_graceful_shutdown=1,
    )


def _socket(port: int) -> socket.socket:
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
