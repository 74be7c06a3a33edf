"""What README and docs show is what happens: snippets run, commands parse, the reference is new."""

from __future__ import annotations

import ast
import asyncio
import inspect
import os
import re
import runpy
import shlex
import subprocess
import sys
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest

import sitewright
from examples.cup import generate
from examples.cup.server import serve
from sitewright.cli import sitewright as program
from sitewright.cli.skeleton import train_command
from sitewright.errors import MissingBrowser, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    path.relative_to(ROOT).as_posix() for path in [ROOT / "README.md", *ROOT.glob("docs/*.md")]
)
TOLD = ("README.md", "docs/tutorial.md")
"""Pages that tell a story: their commands are run, too, in order."""
SLOW = {"export"}
"""Verbs that are not run here: `tests/export` does."""
SCALE = 0.2
LAYOUT = re.compile(
    rb"<(/?)(?:dt|dd|dl|article|main|section|h1|h2|time|table|tbody|thead|tr|td|th|aside|div|ul|li)\b[^>]*>"
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str

    def commands(self, prompt: str = "") -> Iterator[tuple[list[str], int]]:
        """Each `sitewright` command without its first word, and the exit code that is shown.

        With a prompt, only what was typed at one: not the lines of scripts.
        """
        lines = self.text.replace("\\\n", " ").splitlines()
        for number, line in enumerate(lines):
            typed = line if prompt else line.removeprefix("$ ")
            if typed.startswith(f"{prompt}sitewright "):
                words = shlex.split(typed.removeprefix(prompt), comments=True)
                yield (
                    list(takewhile(lambda word: word not in {">", "|"}, words[1:])),
                    shown_code(lines[number + 1 :]),
                )


def shown_code(lines: list[str]) -> int:
    """The exit code of a command that these lines follow: 0 where none is shown."""
    output = takewhile(lambda line: not line.startswith("$ sitewright "), lines)
    shown = "\n".join(output).partition("$ echo $?\n")[2]
    return int(shown.split()[0]) if shown else 0


def blocks(page: str) -> list[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(*found)
        for found in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    ]


def pages_with_snippets() -> list[str]:
    return [page for page in PAGES if any(block.language == "python" for block in blocks(page))]


def execute(code: str, names: dict[str, Any]) -> None:
    """Run a snippet as a notebook does: with `await` where one stands."""
    compiled = compile(code, "<snippet>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    running = eval(compiled, names)
    if inspect.iscoroutine(running):
        asyncio.run(running)


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> Path:
    """A folder with a small demo site, as `make demo` leaves it."""
    folder = tmp_path_factory.mktemp("docs")
    generate(folder / "demo" / "cup", scale=SCALE)
    return folder


@pytest.fixture(scope="module")
def results(demo) -> Path:
    """The same folder with the results of a run, which a page may use and add to."""
    sitewright.run(demo / "demo" / "cup" / "site", demo / "demo" / "out")
    return demo


@pytest.mark.parametrize("page", [page for page in pages_with_snippets() if page not in TOLD])
def test_the_snippets_of_a_page_run(page, results, monkeypatch):
    monkeypatch.chdir(results)
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.language == "python":
            try:
                execute(block.text, names)
            except (MissingExtra, MissingBrowser) as missing:
                pytest.skip(str(missing))


@pytest.mark.parametrize("page", TOLD)
def test_a_page_that_tells_a_story_can_be_followed(page, demo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    site = demo / "demo" / "cup" / "site"
    (tmp_path / "demo" / "cup").mkdir(parents=True)
    (tmp_path / "demo" / "cup" / "site").symlink_to(site)
    with serve(site) as server:
        if page == "docs/tutorial.md":
            redesign(site, tmp_path / "changed")
        follow(page, server.url)


def redesign(site: Path, copy: Path) -> None:
    """The same pages in another layout."""
    for path in site.rglob("*.html"):
        target = copy / path.relative_to(site)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(LAYOUT.sub(rb"<\1span>", path.read_bytes()))


def follow(page: str, url: str) -> None:
    """Run the commands and snippets of a page, in order."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        text = block.text.replace("http://127.0.0.1:8000/", url)
        if block.language == "python":
            execute(text, names)
            continue
        for arguments, code in Block(block.language, text).commands("$ "):
            if arguments[0] not in SLOW:
                assert exit_code(arguments) == code, arguments


def exit_code(arguments: list[str]) -> int:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *sys.path])}
    command = [sys.executable, "-m", "sitewright", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=300)
    return done.returncode


def shown_commands(page: str) -> list[list[str]]:
    return [words for block in blocks(page) if not block.language for words, _ in block.commands()]


@pytest.mark.parametrize("page", [page for page in PAGES if shown_commands(page)])
def test_the_commands_of_a_page_have_known_verbs_and_options(page):
    for words in shown_commands(page):
        parse(program, words)


def parse(command: click.Command, words: list[str]) -> None:
    """Parse a command line, without looking whether files are there."""
    context = click.Context(command, info_name=command.name)
    values, rest, _ = command.make_parser(context).parse_args(list(words))
    old = {
        one for option in command.params if getattr(option, "hidden", False) for one in option.opts
    }
    assert not old & set(words), f"renamed: {words}"
    if isinstance(command, click.Group):
        assert rest[0] not in getattr(command, "renamed", {}), f"renamed: {words}"
        below = command.get_command(context, rest[0])
        if rest[:2] == ["skeleton", "train"]:
            below, rest = train_command, rest[1:]
        assert below is not None, f"no such command: {' '.join(words)}"
        parse(below, rest[1:])
        return
    assert not rest, f"too many arguments: {words}"
    for parameter in command.params:
        given = values.get(parameter.name)
        if isinstance(parameter.type, click.Choice) and isinstance(given, str):
            parameter.type.convert(given, parameter, context)


def test_the_commands_named_in_running_text_are_there():
    for page in PAGES:
        text = re.sub(
            r"^```.*?^```$", "", (ROOT / page).read_text(), flags=re.DOTALL | re.MULTILINE
        )
        for named in re.findall(r"`sitewright ([a-z][^`]*)`", text):
            parse(program, shlex.split(named))


@pytest.mark.parametrize("page", [*PAGES, "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_to_files(page):
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", (ROOT / page).read_text(encoding="utf-8"))
    here = (ROOT / page).parent
    for link in links:
        if "://" not in link:
            assert (here / link).exists(), link


@pytest.mark.parametrize("page", PAGES)
def test_modules_named_in_the_docs_are_there(page):
    source = ROOT / "src" / "sitewright"
    packages = "|".join(path.name for path in source.iterdir() if path.is_dir())
    named = re.findall(
        rf"`((?:{packages}|html|output)/[a-z_/]+\.(?:py|json|js))`",
        (ROOT / page).read_text(encoding="utf-8"),
    )
    for path in named:
        assert (source / path).is_file() or (ROOT / path).exists(), path


def test_the_api_reference_is_up_to_date():
    made = runpy.run_path(str(ROOT / "docs" / "make_api.py"))
    current = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert made["reference"]() == current, "run: make api"
