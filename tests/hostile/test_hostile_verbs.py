"""Every verb and every option with bad input: exit code 2, one line, no traceback."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

import sitewright
from sitewright.cli import sitewright as program
from sitewright.errors import NoPages, SitewrightError
from tests.hostile.test_hostile_kill import write_site

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


ODD = ["", "0", "-1", "nan", "9" * 20, "9" * 5000, "\udcff", "=", "a=b", "(a+)+$", "//[", "http://[",
       "/dev/full", "limits.max_elements=nan"]  # fmt: skip
READY = {
    ("run",): ["site"], ("discover",): ["site"], ("skeleton",): ["site"], ("show",): ["base"],
    ("extract",): ["base", "site"], ("check",): ["base", "site"], ("repair",): ["base", "site"],
    ("diff",): ["base", "base"], ("classify",): ["base", "page.html"], ("learn",): ["base"],
    ("apply",): ["base", "edits.jsonl"], ("inspect",): ["page.html"], ("export",): ["json", "base"],
    ("template",): ["page.html", "other.html"], ("strip",): ["page.html"], ("upgrade",): ["base"],
}  # fmt: skip
"""Verbs with inputs that are as they should be."""


@pytest.fixture(scope="module")
def ready(tmp_path_factory):
    """A folder with a small site, and what was learnt of it."""
    folder = tmp_path_factory.mktemp("ready")
    site = write_site(folder / "site", 6)
    (folder / "page.html").write_bytes((site / "thing1.html").read_bytes())
    (folder / "other.html").write_bytes((site / "thing2.html").read_bytes())
    (folder / "edits.jsonl").write_text("")
    sitewright.run(site, folder / "base", workers=1)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("verb", READY, ids=" ".join)
def test_no_option_harms_a_verb_that_has_all_it_needs(verb, ready, monkeypatch):
    """What is wrong shows only when the verb does its work."""
    has_output = any("-o" in one.opts for one in VERBS[verb].params)
    for option in VERBS[verb].params:
        if not isinstance(option, click.Option) or option.is_flag or option.name == "help":
            continue
        for value in ODD:
            out = ["-o", "made"] if has_output and "-o" not in option.opts else []
            words = [*verb, option.opts[-1], value, *READY[verb], *out]
            assert exit_code(words, ready, monkeypatch) in {0, 1, 2, 3, 4}, (verb, option, value)


@pytest.mark.parametrize(
    "words",
    [["run", "site", "-o", "out", "--home", "http://["],
     ["discover", "site", "-o", "out", "--home", "//["],
     ["extract", "base", "site", "--workers", "9" * 20]],
    ids=" ".join,
)  # fmt: skip
def test_what_shows_only_at_work_is_told_in_one_line(words, ready, monkeypatch):
    assert exit_code(words, ready, monkeypatch) == 2


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_unknown_options_and_missing_arguments_are_usage_errors(verb, tmp_path, monkeypatch):
    assert exit_code([*verb, "--no-such-option"], tmp_path, monkeypatch) == 2
    if any(one.required for one in VERBS[verb].params if isinstance(one, click.Argument)):
        assert exit_code([*verb], tmp_path, monkeypatch) == 2


NUMBERS = [
    (verb, option.opts[0])
    for verb, command in VERBS.items()
    for option in command.params
    if isinstance(option.type, click.FloatRange)
]


@pytest.mark.parametrize(("verb", "option"), NUMBERS, ids=str)
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999"])
def test_numbers_without_end_are_usage_errors(verb, option, value):
    """A delay of `inf` seconds waited for ever, without a word."""
    arguments = [*verb, "x", f"{option}={value}"]
    result = CliRunner().invoke(program, arguments, standalone_mode=False)
    assert isinstance(result.exception, click.UsageError)


OPTIONS_FILES = {
    "a list for a number": "[run]\npages = [1]",
    "a date for a number": "[run]\npages = 2020-01-01",
    "a fraction of a page": "[run]\npages = 1.5",
    "a number of 5,000 digits": f"[run]\npages = {'9' * 5000}",
    "no number": "[run]\ntimeout = nan",
    "a table for a number": "[run.pages]\nx = 1",
    "a list for a verb": "run = [1]",
    "a text for a verb": "run = 'x'",
    "no TOML": "[[[",
    "nested too deeply": "a = " + "[" * 20_000,
}


@pytest.mark.parametrize("text", OPTIONS_FILES.values(), ids=OPTIONS_FILES)
def test_a_file_of_options_that_is_wrong_is_told_in_one_line(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sitewright.toml").write_text(text)
    result = CliRunner().invoke(program, ["run", "nowhere", "-o", "out"], standalone_mode=False)
    assert isinstance(result.exception, SitewrightError | click.UsageError)
    assert "nowhere" not in str(result.exception)
    assert "\n" not in str(result.exception)


def test_the_file_of_another_program_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("tool = 5")
    result = CliRunner().invoke(program, ["run", "nowhere", "-o", "out"], standalone_mode=False)
    assert "nowhere" in str(result.exception)
