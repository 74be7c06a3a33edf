"""Where things are said: results on standard output, everything else on standard error."""

from __future__ import annotations

import logging
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.wording import printable
from sitewright.formats import json_line

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress

_LEVELS = {-1: logging.ERROR, 0: logging.WARNING, 1: logging.INFO}


class Console:
    """Results for people or for programs, and progress while a person waits."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet

    def speaks_json(self, asked_for: bool) -> bool:
        """Whether results go to a program: it asked for JSON, or it reads our output."""
        return asked_for or not sys.stdout.isatty()

    def write_json(self, item: dict[str, Any]) -> None:
        """One JSON object, one line, in UTF-8 whatever the locale says."""
        click.echo(json_line(item).encode(), nl=False)

    def show(self, *parts: RenderableType) -> None:
        """Tables and text for a person, on standard output."""
        from rich.console import Console as RichConsole

        if isinstance(sys.stdout, TextIOWrapper):
            # A terminal that cannot show a letter of some page shows a mark in its place.
            sys.stdout.reconfigure(errors="replace")
        console = RichConsole(highlight=False)
        for part in parts:
            console.print(part, soft_wrap=False)

    def note(self, message: str) -> None:
        """A line for the person who waits."""
        if not self.quiet:
            click.echo(printable(message), err=True)

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


def set_up_logging(verbosity: int) -> None:
    """Log to standard error: warnings, or with -v what is done, or with -vv everything."""
    logging.basicConfig(
        level=_LEVELS.get(verbosity, logging.DEBUG),
        format="%(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    if verbosity <= 1:
        # The engine's own log is for those who ask for everything.
        for name in ("scrapy", "asyncio", "aiohttp"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
