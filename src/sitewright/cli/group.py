"""A group of commands that imports a verb's module when the verb is called, and not before."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from sitewright.cli.console import Console


Command = TypeVar("Command", bound=click.Command)


class VerbGroup(click.Group):
    """Verbs are modules of one package, each with a command named `command`.

    `verbs` gives each with the line that the help has for it, so that help imports none of them.
    A verb whose command is elsewhere in the package is in `locations`, as "module.function".
    -q, -v and --log-file work before and after every verb. `renamed` gives verbs that had another
    name, which still works.
    """

    def __init__(
        self,
        *args: Any,
        package: str,
        verbs: dict[str, str],
        locations: dict[str, str] | None = None,
        renamed: dict[str, str] | None = None,
        **keywords: Any,
    ) -> None:
        super().__init__(*args, **keywords)
        self.package = package
        self.verbs = verbs
        self.locations = locations or {}
        self.renamed = renamed or {}
        with_verbosity(self)

    def list_commands(self, _context: click.Context) -> list[str]:
        """The verbs in the order of the work, not of the alphabet."""
        return list(self.verbs)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Import the module of one verb."""
        if name in self.renamed:
            click.echo(f"sitewright: {name} is deprecated; use {self.renamed[name]}", err=True)
            name = self.renamed[name]
        if name not in self.verbs:
            return None
        module, _, function = self.locations.get(name, f"{name}.command").partition(".")
        command: click.Command = getattr(import_module(f"{self.package}.{module}"), function)
        for parameter in command.params:
            # A page or a site may be a file: as a path, shells complete it.
            if isinstance(parameter, click.Argument) and parameter.type is click.STRING:
                parameter.type = click.Path(readable=False)  # what is wrong with it, we say
        return with_verbosity(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; one that is mistyped gets a suggestion."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in {*self.verbs, *self.renamed}:
            close = get_close_matches(name, self.verbs, n=1)
            hint = f" Do you mean {close[0]}?" if close else ""
            if not close and ("/" in name or "." in name):
                hint = f" Do you mean: run {name} -o OUT?"
            ctx.fail(f"No such command {name!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.verbs.items()))


def with_verbosity(command: Command) -> Command:
    """Give a command -q, -v and --log-file, unless it has them."""
    if not any(parameter.name == "quiet" for parameter in command.params):
        command.params += [
            click.Option(
                ["-q", "--quiet"],
                is_flag=True,
                expose_value=False,
                is_eager=True,
                callback=_set_quiet,
                help="No progress, only results and errors.",
            ),
            click.Option(
                ["-v", "--verbose"],
                count=True,
                expose_value=False,
                is_eager=True,
                callback=_add_verbosity,
                help="Log what is done; -vv logs everything.",
            ),
            click.Option(
                ["--log-file"],
                metavar="FILE",
                type=click.Path(dir_okay=False),
                expose_value=False,
                is_eager=True,
                callback=_open_log,
                help="Add what is done to this file, with a summary at the end.",
            ),
        ]
    return command


def _set_quiet(context: click.Context, _option: click.Parameter, quiet: bool) -> None:
    if quiet:
        _console(context).be_quiet()


def _add_verbosity(context: click.Context, _option: click.Parameter, steps: int) -> None:
    if steps:
        _console(context).log_more(steps)


def _open_log(context: click.Context, option: click.Parameter, path: str | None) -> None:
    if path is None:
        return
    from sitewright.cli.run_log import RUN_LOG

    try:
        RUN_LOG.open(path)
    except OSError as error:
        why = f"{path} cannot be written: {error.strerror}"
        raise click.BadParameter(why, context, option) from None
    _console(context).set_up_logging()


def _console(context: click.Context) -> Console:
    """The console of the program: one for the group and all commands below it."""
    from sitewright.cli.console import Console

    return context.find_root().ensure_object(Console)


# How a command ends, for the program that called it.

NOTHING_FOUND = 1
BAD_INPUT = 2
SITE_CHANGED = 3
DONE_IN_PART = 4
INTERRUPTED = 130


# Text from elsewhere, made fit for a terminal: words, never commands.


def printable(text: str) -> str:
    """The text with a mark for each character that a terminal would obey rather than show."""
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
    )


def one_line(text: str) -> str:
    """The text on one line, white space collapsed, fit for a terminal."""
    return printable(" ".join(text.split()))
