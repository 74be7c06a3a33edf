"""Where things are said: results on standard output, everything else on standard error."""

from __future__ import annotations

import logging
import sys
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.group import printable
from sitewright.cli.run_log import RUN_LOG
from sitewright.formats import json_line, json_line_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import RenderableType
    from rich.progress import Progress, TaskID

    from sitewright.project import Project
    from sitewright.project_steps import Progress as StepProgress
    from sitewright.project_steps import ProgressCallback


_LEVELS = {0: logging.WARNING, 1: logging.INFO}
_ENGINE = ("scrapy", "asyncio", "aiohttp")
"""The engine's own logs are for those who ask for everything."""


class Console:
    """Results for people or for programs, and progress while a person waits."""

    def __init__(self) -> None:
        self.quiet = False
        self._verbosity = 0

    def be_quiet(self) -> None:
        """Say nothing but results and errors."""
        self.quiet = True
        self.set_up_logging()

    def log_more(self, steps: int) -> None:
        """Log what is done, or from two steps on everything."""
        self._verbosity += steps
        self.set_up_logging()

    def set_up_logging(self) -> None:
        """Log to standard error: warnings, or with -v what is done, or with -vv everything."""
        level = logging.ERROR if self.quiet else _LEVELS.get(self._verbosity, logging.DEBUG)
        root = logging.getLogger()
        if all(isinstance(handler, logging.FileHandler) for handler in root.handlers):
            terminal = logging.StreamHandler(sys.stderr)
            terminal.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
            root.addHandler(terminal)
        for handler in root.handlers:
            if type(handler) is logging.StreamHandler:
                handler.setLevel(level)
        # The file has what is done, however quiet the terminal is.
        root.setLevel(min(level, logging.INFO) if RUN_LOG.is_open else level)
        engine = logging.NOTSET if level == logging.DEBUG else logging.CRITICAL
        for name in _ENGINE:
            logging.getLogger(name).setLevel(engine)

    def speaks_json(self, asked_for: bool) -> bool:
        """Whether results go to a program: it asked for JSON, or it reads our output."""
        return asked_for or not sys.stdout.isatty()

    def write_json(self, item: dict[str, Any]) -> None:
        """One JSON object, one line, in UTF-8 whatever the locale says."""
        click.echo(json_line(item).encode(), nl=False)

    def write_long_json(self, item: dict[str, Any], name: str, values: Iterable[object]) -> None:
        """The same for an object that ends in a long list."""
        for piece in json_line_pieces(item, name, values):
            click.echo(piece.encode(), nl=False)

    def show(self, *parts: RenderableType) -> None:
        """Tables and text for a person, on standard output."""
        from rich.console import Console as RichConsole

        if isinstance(sys.stdout, TextIOWrapper):
            # A terminal that cannot show a letter of some page shows a mark in its place.
            sys.stdout.reconfigure(errors="replace")
        console = RichConsole(highlight=False)
        for part in parts:
            console.print(part, soft_wrap=False)

    def count(self, **numbers: int) -> None:
        """Note pages, records and rejected pages for the summary of the log file."""
        RUN_LOG.count(**numbers)

    def note(self, message: str) -> None:
        """A line for the person who waits, and for the log file."""
        RUN_LOG.write(message)
        if not self.quiet:
            click.echo(printable(message), err=True)

    def warn(self, message: str) -> None:
        """A line that must be said, however quiet: why a command ends with another code than 0."""
        RUN_LOG.write(message)
        click.echo(printable(message), err=True)

    def note_removed(self, project: Project) -> None:
        """Say which files of an earlier model are gone."""
        if project.removed:
            names = ", ".join(path.relative_to(project.path).as_posix() for path in project.removed)
            self.note(f"removed from {project.path} what belonged to another model: {names}")

    def note_edits(self, project: Project) -> None:
        """Say what became of the corrections that people made, and why some failed."""
        from collections import Counter

        outcomes = project.edit_outcomes
        if not outcomes:
            return
        counts = Counter(one.status.value for one in outcomes)
        told = ", ".join(f"{count} {status}" for status, count in counts.items())
        self.note(f"corrections in edits.jsonl: {told}")
        for one in outcomes:
            if one.status.value == "failed":
                self.note(f"  {one.edit.summary()}: {one.detail}")

    @contextmanager
    def watched(self) -> Iterator[ProgressCallback]:
        """Show the steps of a project while they go on, each as a progress bar."""
        with self.progress() as bars:
            tasks: dict[str, TaskID] = {}

            def show(progress: StepProgress) -> None:
                if progress.step == "visiting pages":
                    RUN_LOG.count(pages=progress.done)
                label, total = progress.step, progress.total
                if progress.is_limit and total is not None:
                    label += f" (at most {total:,})"
                if progress.step not in tasks:
                    tasks[progress.step] = bars.add_task(label, total=total)
                bars.update(tasks[progress.step], completed=progress.done, total=total)

            yield show

    def progress(self) -> Progress:
        """A progress bar on standard error; silent where nobody looks."""
        from rich.console import Console as RichConsole
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        error_console = RichConsole(stderr=True)
        hidden = self.quiet or not error_console.is_terminal
        return Progress(*columns, console=error_console, transient=True, disable=hidden)
