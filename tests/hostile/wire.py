"""A server that speaks raw sockets, so that it can say what no HTTP library would let it say.

`hostile_server` answers each path with bytes, or with a function that gets the connection and may
do anything with it: drip, lie, never end. It notes every request. `canary` is a server of another
host that must stay silent: whoever is led to it has left the scope.
"""

from __future__ import annotations

import socketserver
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
CHUNK = b"<p>more of it</p>" * 64


@dataclass
class Wire:
    """What a handler writes to: the connection, until the test is over or the client is gone."""

    send: Callable[[bytes], None]
    is_over: threading.Event

    def endlessly(self, piece: bytes, pause: float = 0.0) -> None:
        """Send a piece again and again, for as long as anybody listens."""
        while not self.is_over.is_set():
            self.send(piece)
            if pause:
                self.is_over.wait(pause)

    def wait(self) -> None:
        """Say nothing more."""
        self.is_over.wait(60)


@dataclass
class HostileServer:
    """Where it is, and what was asked of it."""

    url: str
    requests: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def count(self, path: str) -> int:
        """How often a path was asked for."""
        return self.requests.count(path)


@contextmanager
def hostile_server(
    answers: Mapping[str, bytes | Callable[[Wire], None]],
    default: bytes | Callable[[Wire], None] = NOT_FOUND,
) -> Iterator[HostileServer]:
    """Answer each path with the bytes of the table, or with what a function sends."""
    over = threading.Event()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            try:
                line = self.rfile.readline(70_000).split(b" ")
                if len(line) < 2:
                    return
                path = line[1].decode("latin-1")
                while self.rfile.readline(70_000).strip():
                    pass
                served.requests.append(path)
                served.times.append(time.monotonic())
                answer = answers.get(path, default)
                if isinstance(answer, bytes):
                    self.wfile.write(answer)
                else:
                    answer(Wire(self.wfile.write, over))
            except OSError:
                pass  # the client has hung up

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True
        request_queue_size = 64
        block_on_close = False

    with Server(("127.0.0.1", 0), Handler) as server:
        served = HostileServer(f"http://127.0.0.1:{server.server_address[1]}/")
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield served
        finally:
            over.set()
            server.shutdown()


@contextmanager
def canary() -> Iterator[HostileServer]:
    """A server at another address of this machine that nobody may ever ask."""
    with hostile_server({}, page("<title>Canary</title>")) as server:
        # The same machine under another name: another host, and so out of every scope.
        server.url = server.url.replace("127.0.0.1", "localhost")
        yield server
        assert server.requests == []


def head(*fields: str, status: str = "200 OK") -> bytes:
    """The head of an answer; a page unless the fields say otherwise."""
    kinds = [] if any(f.lower().startswith("content-type") for f in fields) else ["text/html"]
    lines = [f"HTTP/1.1 {status}", *fields, *(f"Content-Type: {kind}" for kind in kinds)]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1")


def page(html: str | bytes, *fields: str) -> bytes:
    """A whole page, its length given."""
    body = html if isinstance(html, bytes) else html.encode()
    return head(f"Content-Length: {len(body)}", *fields) + body


def links(*paths: str) -> bytes:
    """A page with links."""
    anchors = "".join(f'<li><a href="{path}">{path.strip("/") or "home"}</a>' for path in paths)
    return page(f"<!doctype html><title>Links</title><ul>{anchors}</ul>")


# The ways in which an answer never ends, each from the first byte on.


def silence(wire: Wire) -> None:
    """Take the request and never answer."""
    wire.wait()


def endless_body(wire: Wire) -> None:
    """A page that drips for ever."""
    wire.send(head())
    wire.endlessly(b"<p>drip</p>", 0.05)


def endless_chunks(wire: Wire) -> None:
    """Chunks of one byte, without a last one."""
    wire.send(head("Transfer-Encoding: chunked"))
    wire.endlessly(b"1\r\nx\r\n", 0.05)


def endless_header(wire: Wire) -> None:
    """One header field that never ends."""
    wire.send(b"HTTP/1.1 200 OK\r\nX-A: ")
    wire.endlessly(b"a", 0.05)


def endless_headers(wire: Wire) -> None:
    """Header fields without end, slowly."""
    wire.send(b"HTTP/1.1 200 OK\r\n")
    wire.endlessly(b"X-A: b\r\n", 0.05)


def endless_continue(wire: Wire) -> None:
    """`100 Continue`, over and over."""
    wire.endlessly(b"HTTP/1.1 100 Continue\r\n\r\n", 0.05)


def promised_body(wire: Wire) -> None:
    """A length that never comes."""
    wire.send(head("Content-Length: 1000") + b"<p>")
    wire.wait()


def flood(wire: Wire) -> None:
    """A page that never ends, as fast as it can."""
    wire.send(head())
    wire.endlessly(CHUNK)


def header_flood(wire: Wire) -> None:
    """Header fields without end, as fast as it can."""
    wire.send(b"HTTP/1.1 200 OK\r\n")
    wire.endlessly(b"X-A: " + b"b" * 1000 + b"\r\n")


ENDLESS: dict[str, Callable[[Wire], None]] = {
    one.__name__: one
    for one in (
        silence, endless_body, endless_chunks, endless_header, endless_headers, endless_continue,
        promised_body,
    )
}  # fmt: skip
