"""Options in a file: sitewright.toml, or `[tool.sitewright]` of pyproject.toml.

::

    delay = 1.0
    contact = "crawls@example.org"
    header = ["Authorization: Bearer ${TOKEN}"]

    [run]
    pages = 500
    complete = true

What stands at the top holds for every verb that has the option, a table for one verb. What is on
the command line comes first. `${NAME}` is a variable of the environment: so no secret need be in
the file.
"""

from __future__ import annotations

import os
import re
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.errors import InputNotFound, InvalidInput, UnreadableInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


NAMES = ("sitewright.toml", "pyproject.toml")
_VARIABLE = re.compile(r"\$\{(\w+)\}")


def settings_file(named: str | None) -> Path | None:
    """The file that was named, or the one in the current folder; None if there is none."""
    if named is not None:
        return Path(named)
    return next((path for path in map(Path, NAMES) if path.is_file() and _table(path)), None)


def read_options(path: Path, group: click.Group, verb: str | None) -> dict[str, Any]:
    """The options of a file, as click wants them: by verb, then by the name of the parameter."""
    table = _table(path)
    command = (
        group.get_command(click.Context(group), verb)
        if verb in group.list_commands(click.Context(group))
        else None
    )
    if command is None or verb is None:
        return {}
    own = table.pop(verb, {})
    if not isinstance(own, dict):
        raise InvalidInput(str(path), f"{verb} is a verb: its options are a table, [{verb}]")
    verbs = set(group.list_commands(click.Context(group)))
    shared = {name: value for name, value in table.items() if name not in verbs}
    parameters = {
        option.lstrip("-"): parameter
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
        if option.startswith("--")
    }
    found: dict[str, Any] = {}
    for name, value in shared.items():
        parameter = parameters.get(name.replace("_", "-"))
        if parameter is not None:
            found[parameter.name or ""] = _given(value, parameter, f"{path}: {name}")
        elif not _is_known(name, group):
            raise _unknown(path, name, parameters)
    for name, value in own.items():
        parameter = parameters.get(name.replace("_", "-"))
        if parameter is None:
            raise _unknown(path, name, parameters)
        found[parameter.name or ""] = _given(value, parameter, f"{path}: {name}")
    return {verb: found}


def _table(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except FileNotFoundError:
        raise InputNotFound(str(path)) from None
    except (ValueError, RecursionError) as error:
        raise UnreadableInput(str(path), f"not a TOML file: {error}") from None
    except OSError as error:
        raise UnreadableInput(str(path), error.strerror or "cannot be read") from None
    if path.name == "pyproject.toml":
        tools = data.get("tool")
        table = tools.get("sitewright") if isinstance(tools, dict) else None
        return table if isinstance(table, dict) else {}
    return data


def _given(value: object, parameter: click.Option, where: str) -> object:
    """What an option gets: as if it were written on the command line."""
    takes_many = parameter.multiple or parameter.nargs != 1
    if isinstance(value, list) and takes_many:
        return [_value(one, where) for one in value]
    return [_value(value, where)] if takes_many else _value(value, where)


def _value(value: object, where: str) -> str | bool:
    """A value as it is written, with the variables of the environment put in."""
    if not isinstance(value, str | int | float):
        raise InvalidInput(where, "neither a text nor a number, true or false")
    if not isinstance(value, str):
        return value if isinstance(value, bool) else str(value)

    def variable(match: re.Match[str]) -> str:
        if match[1] not in os.environ:
            raise InvalidInput(where, f"the environment has no variable {match[1]}")
        return os.environ[match[1]]

    return _VARIABLE.sub(variable, value)


def _is_known(name: str, group: click.Group) -> bool:
    """Whether some verb has an option of this name."""
    context = click.Context(group)
    option = "--" + name.replace("_", "-")
    commands = (group.get_command(context, verb) for verb in group.list_commands(context))
    return any(
        option in parameter.opts
        for command in commands
        if command is not None
        for parameter in command.params
    )


def _unknown(path: Path, name: str, known: Mapping[str, object] | Iterable[str]) -> InvalidInput:
    close = get_close_matches(name.replace("_", "-"), known, n=1)
    hint = f"; do you mean {close[0]}?" if close else ""
    return InvalidInput(str(path), f"no option {name!r}{hint}")
