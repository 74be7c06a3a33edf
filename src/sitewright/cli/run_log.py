"""The log file of a run of the program, for those who run it from cron.

Lines are added to the file and are in it when they are written; at the end comes a summary: the
command, start, end, exit code, pages, records, rejected pages and warnings. An error that nobody
expected is there with its traceback, and so is a signal that ended the program.
"""

from __future__ import annotations

import logging
import os
import shlex
import signal
import sys
import traceback
from datetime import datetime
from typing import TYPE_CHECKING

from sitewright.cli.group import printable
from sitewright.event_loop import InterruptHandler
from sitewright.site.credentials import without_secrets

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_COUNTS = ("pages", "records", "rejected")


class RunLog:
    """The log file, once it is open; until then everything is ignored."""

    def __init__(self) -> None:
        self._file: _CountingHandler | None = None
        self._start = _now()
        self._counts: dict[str, int] = {}

    @property
    def is_open(self) -> bool:
        """Whether there is a log file."""
        return self._file is not None

    def open(self, path: str) -> None:
        """Add to this file from now on; OSError if that cannot be."""
        if self._file is not None:
            self.close()
        self._file = _CountingHandler(path, encoding="utf-8", errors="backslashreplace")
        self._file.setFormatter(logging.Formatter(_FORMAT))
        self._file.setLevel(logging.INFO)
        logging.getLogger().addHandler(self._file)
        self._start = _now()
        self.write(f"{self._start} started: {_command()}")
        InterruptHandler.before_exit = self.end
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._on_signal)

    def write(self, line: str) -> None:
        """Write a line as it is."""
        if self._file is not None:
            self._file.write_line(printable(line))

    def count(self, **numbers: int) -> None:
        """Note how many pages, records and rejected pages there are so far."""
        self._counts.update(numbers)

    def end(self, exit_code: int) -> None:
        """Write the summary, and close the file."""
        if self._file is None:
            return
        for line in self._summary(exit_code, self._file.warnings):
            self.write(line)
        self.close()

    def crashed(self) -> None:
        """Write the traceback of the error that is being handled."""
        for line in traceback.format_exc().splitlines():
            self.write(line)

    def close(self) -> None:
        """Write no more."""
        if self._file is not None:
            logging.getLogger().removeHandler(self._file)
            self._file.close()
        self._file = None

    def _summary(self, exit_code: int, warnings: int) -> Iterator[str]:
        facts: dict[str, object] = {
            "command": _command(),
            "start": self._start,
            "end": _now(),
            "exit code": exit_code,
            **{name: self._counts.get(name, "-") for name in _COUNTS},
            "warnings": warnings,
        }
        yield "summary"
        for name, value in facts.items():
            yield f"  {name + ':':<11}{value}"

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        """End as the signal would have ended the program, after the summary."""
        self.write(f"ended by {signal.Signals(number).name}")
        self.end(128 + number)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


class _CountingHandler(logging.FileHandler):
    """A log file that counts its warnings."""

    warnings = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        self.warnings += record.levelno >= logging.WARNING
        super().emit(record)

    def write_line(self, line: str) -> None:
        """Write a line without a level."""
        if self.stream is not None:
            self.stream.write(line + "\n")
            self.flush()


_SECRET = ("--header", "--cookie", "--auth", "--proxy")


def _command() -> str:
    """The command as it was typed, with what opens doors left out."""
    shown: list[str] = []
    for argument in sys.argv[1:]:
        name, mark, _ = argument.partition("=")
        if shown and shown[-1] in _SECRET:
            shown.append("...")
        elif name in _SECRET and mark:
            shown.append(f"{name}=...")
        else:
            shown.append(without_secrets(argument))
    return shlex.join(["sitewright", *shown])


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


RUN_LOG = RunLog()
"""The log of this process."""
