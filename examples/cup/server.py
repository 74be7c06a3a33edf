"""A local web server for a folder, which can misbehave like real ones do.

::

    with serve(folder, faults=Faults(paths=True)) as server:
        print(server.url)
        ...
        print([hit.path for hit in server.requests])

It listens on 127.0.0.1 only. ``python -m examples.cup.server FOLDER`` runs it from a terminal.
"""

from __future__ import annotations

import argparse
import gzip
import mimetypes
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import quote, unquote, urlsplit

from examples.cup.faults import HTML, PREFIX, Answer, Faults, fault_answer, page, spoiled
from examples.cup.live import live_sections

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Hit:
    """One request that reached the server."""

    path: str
    """The path with its query, as it was asked."""
    at: float
    """`time.monotonic()` when it came."""
    user_agent: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


Dynamic = Callable[[str, str, Mapping[str, str]], "Answer | None"]
"""What answers for pages that are no files: of a path, a query and the headers of a request."""


class Server(ThreadingHTTPServer):
    """Serves one folder; `requests` is the log of what was asked."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self, folder: Path, faults: Faults, port: int, dynamic: Dynamic | None = None
    ) -> None:
        self.folder = folder.resolve()
        self.dynamic = dynamic or live_sections(self.folder)
        self.faults = faults
        self.requests: list[Hit] = []
        self.busiest = 0
        """The most requests that were being answered at the same time."""
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._times: Counter[str] = Counter()
        self._active = 0
        super().__init__((HOST, port), Handler)

    @property
    def url(self) -> str:
        """The address of the folder's root."""
        return f"http://{HOST}:{self.server_port}/"

    @property
    def paths(self) -> list[str]:
        """The paths that were asked, in order."""
        return [hit.path for hit in self.requests]

    def started(self, path: str, headers: Mapping[str, str]) -> int:
        """Note a request; give how often its path was asked, this time included."""
        agent = headers.get("User-Agent", "")
        with self._lock:
            self.requests.append(Hit(path, time.monotonic(), agent, headers))
            self._times[path] += 1
            self._active += 1
            self.busiest = max(self.busiest, self._active)
            return self._times[path]

    def ended(self) -> None:
        """Note that an answer was sent."""
        with self._lock:
            self._active -= 1

    def dynamic_answer(self, target: str, headers: Mapping[str, str]) -> Answer | None:
        """Ask what answers for pages that are no files."""
        split = urlsplit(target)
        found = self.dynamic
        return None if found is None else found(unquote(split.path), split.query, headers)

    def answer(self, target: str, times: int) -> Answer:
        """Decide what to send for a request target that is asked for the `times`th time."""
        split = urlsplit(target)
        path = unquote(split.path)
        if path == "/robots.txt" and self.faults.robots:
            return Answer(self.faults.robots.encode(), type="text/plain")
        found = None
        if self.faults.paths and path.startswith(PREFIX):
            found = fault_answer(path, split.query, times)
        elif (from_folder := folder_answer(self.folder, path, split.query)) is not None:
            html_page = from_folder.status == 200 and from_folder.type == HTML
            found = spoiled(from_folder, target, times, self.faults) if html_page else from_folder
        return found or Answer(page("Not found"), status=404)

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep quiet about clients that hang up."""


class Handler(BaseHTTPRequestHandler):
    """Speaks HTTP; what to say is the server's business."""

    protocol_version = "HTTP/1.1"
    timeout = 60
    wbufsize = 1 << 16
    disable_nagle_algorithm = True

    @property
    def site(self) -> Server:
        """The server, by its own type."""
        return cast("Server", self.server)

    def do_GET(self) -> None:
        """Answer, and note when that is done."""
        headers = dict(self.headers.items())
        times = self.site.started(self.path, headers)
        try:
            answer = self.site.dynamic_answer(self.path, headers)
            self._send(self._packed(answer or self.site.answer(self.path, times)))
        finally:
            self.site.ended()

    def do_HEAD(self) -> None:
        """Answer as to GET; the body is left out."""
        self.do_GET()

    def _packed(self, answer: Answer) -> Answer:
        """Compress a page, if the server does that and the client takes it."""
        takes = "gzip" in self.headers.get("Accept-Encoding", "")
        whole = answer.stream is None and answer.length is None
        if not (self.site.faults.gzip and takes and whole) or "Content-Encoding" in answer.headers:
            return answer
        headers = answer.headers | {"Content-Encoding": "gzip"}
        return replace(answer, body=gzip.compress(answer.body, 5, mtime=0), headers=headers)

    def _send(self, answer: Answer) -> None:
        if answer.wait:
            self.site.closing.wait(answer.wait)
        self.send_response(answer.status)
        if answer.type:
            self.send_header("Content-Type", answer.type)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.stream is None:
            length = len(answer.body) if answer.length is None else answer.length
            self.send_header("Content-Length", str(length))
        if answer.stream is not None or answer.length is not None:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self._send_body(answer)

    def _send_body(self, answer: Answer) -> None:
        self.wfile.write(answer.body)
        for piece in answer.stream or ():
            if self.site.closing.is_set():
                break
            self.wfile.write(piece)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing: `Server.requests` is the log."""


def folder_answer(folder: Path, path: str, query: str) -> Answer | None:
    """Answer from a folder as web servers do; None where it has no such file.

    A query names a file of its own, ``name?query``, where there is one; where not, it is ignored.
    """
    with suppress(OSError, ValueError):
        file = (folder / path.lstrip("/")).resolve()
        if not file.is_relative_to(folder):
            return None
        if file.is_dir() and not path.endswith("/"):
            return Answer(page("Moved"), status=301, headers={"Location": f"{quote(path)}/"})
        if file.is_dir():
            file /= "index.html"
        variant = file.with_name(f"{file.name}?{query.replace('/', '%2F')}")
        found = variant if query and variant.is_file() else file
        if found.is_file():
            return Answer(found.read_bytes(), type=_content_type(file.name))
    return None


def _content_type(name: str) -> str:
    return (mimetypes.guess_type(name)[0] or "application/octet-stream") if "." in name else HTML


@contextmanager
def serve(
    folder: Path, *, faults: Faults | None = None, port: int = 0, dynamic: Dynamic | None = None
) -> Iterator[Server]:
    """Serve a folder in the background for as long as the block lasts; port 0 picks a free one.

    `dynamic` answers for what is no file, and is asked first; a folder with live sections has its
    own.
    """
    server = Server(folder, faults or Faults(), port, dynamic)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server from a terminal until it is interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m examples.cup.server", description="Serve a folder on 127.0.0.1."
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the folder to serve")
    parser.add_argument("--port", type=int, default=0, help="the port (default: a free one)")
    parser.add_argument("--faults", action="store_true", help="answer under /_faults/ as well")
    given = parser.parse_args(arguments)
    if not given.folder.is_dir():
        return _fail(f"{given.folder}: no such folder")
    try:
        with serve(given.folder, faults=Faults(paths=given.faults), port=given.port) as server:
            print(server.url, flush=True)
            with suppress(KeyboardInterrupt):
                threading.Event().wait()
    except (OSError, OverflowError) as error:
        return _fail(f"port {given.port}: {error}")
    return 0


def _fail(message: str) -> int:
    print(f"server: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
