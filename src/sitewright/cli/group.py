"""A group of commands that imports a verb's module when the verb is called, and not before."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click


class VerbGroup(click.Group):
    """Verbs are modules of one package, each with a command named `command`.

    `verbs` gives each with the line that the help has for it, so that help imports none of them.
    """

    def __init__(self, *args: Any, package: str, verbs: dict[str, str], **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self.package = package
        self.verbs = verbs

    def list_commands(self, _context: click.Context) -> list[str]:
        """The verbs in the order of the work, not of the alphabet."""
        return list(self.verbs)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Import the module of one verb."""
        if name not in self.verbs:
            return None
        command: click.Command = import_module(f"{self.package}.{name}").command
        for parameter in command.params:
            # A page or a site may be a file: as a path, shells complete it.
            if isinstance(parameter, click.Argument) and parameter.type is click.STRING:
                parameter.type = click.Path(readable=False)  # what is wrong with it, we say
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.verbs.items()))
