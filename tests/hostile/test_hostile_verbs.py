"""Every verb and every option with bad input: exit code 2, one line, no traceback."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from sitewright.cli import sitewright as program
from sitewright.errors import NoPages, SitewrightError

BAD = ["", "\x1b[31m", "nowhere/at/all", "-1", "nan", "1e999", "9" * 20, "../..", "=",
       "x" * 300]  # fmt: skip


def commands(group, path=()):
    """All verbs, and those below them."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


VERBS = dict(commands(program))


def exit_code(arguments, folder, monkeypatch):
    """The exit code as `main` has it; anything but an error of ours is a traceback."""
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(program, arguments, standalone_mode=False)
    error = result.exception
    if error is None:
        return result.return_value if isinstance(result.return_value, int) else 0
    if isinstance(error, SystemExit):
        return error.code or 0
    if isinstance(error, OSError):
        assert "\n" not in f"{error.filename}: {error.strerror}"
        return 2
    if not isinstance(error, SitewrightError | click.ClickException | click.exceptions.Exit):
        raise error
    assert "\n" not in str(error)
    return (
        error.exit_code
        if isinstance(error, click.exceptions.Exit)
        else (1 if isinstance(error, NoPages) else 2)
    )


def values_of(parameter):
    return [] if isinstance(parameter, click.Option) and parameter.is_flag else BAD


@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_no_argument_of_a_verb_ends_in_a_traceback(verb, tmp_path, monkeypatch):
    arguments = [one for one in VERBS[verb].params if isinstance(one, click.Argument)]
    (tmp_path / "file.txt").write_text("no page\n")
    (tmp_path / "folder").mkdir()
    if verb == ("completion",):
        return
    for value in [
        *BAD,
        "file.txt",
        "folder",
        "http://[",
        "ftp://x/",
        "http://127.0.0.1:1/",
    ]:
        found = exit_code([*verb, *[value] * max(1, len(arguments))], tmp_path, monkeypatch)
        assert found in {0, 1, 2}, (verb, value, found)


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_no_option_of_a_verb_ends_in_a_traceback(verb, tmp_path, monkeypatch):
    """Options are read before anything is opened, so that a bad one is all that is told."""
    command = VERBS[verb]
    count = sum(isinstance(one, click.Argument) for one in command.params)
    page = tmp_path / "page.html"
    page.write_text("<title>x</title>")
    for option in command.params:
        if not isinstance(option, click.Option) or option.is_flag or option.name == "help":
            continue
        for value in BAD[:7]:
            name = option.opts[-1]
            found = exit_code([*verb, name, value, *["none.html"] * count], tmp_path, monkeypatch)
            assert found in {1, 2}, (verb, name, value, found)


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_unknown_options_and_missing_arguments_are_usage_errors(verb, tmp_path, monkeypatch):
    assert exit_code([*verb, "--no-such-option"], tmp_path, monkeypatch) == 2
    if any(one.required for one in VERBS[verb].params if isinstance(one, click.Argument)):
        assert exit_code([*verb], tmp_path, monkeypatch) == 2
