"""The command line with what nobody should give it: no traceback, no waiting, no tricks."""

import json
import os
import signal
import subprocess
import sys
import time

import interruptible
import pytest
from click.testing import CliRunner

from examples.cup.faults import Faults
from examples.cup.server import serve
from sitewright.cli import sitewright as program
from sitewright.errors import UnreadableInput
from tests.site.live import resolve_names

COMMAND = [sys.executable, "-m", "sitewright"]


def sitewright(*arguments, **keywords):
    command = [*COMMAND, *map(os.fsencode, arguments)]
    return subprocess.run(command, capture_output=True, check=False, timeout=60, **keywords)


def told(run):
    """The one line of a refusal."""
    assert (run.returncode, run.stdout) == (2, b"")
    line = run.stderr.decode()
    assert line.endswith("\n")
    assert line[:-1].isprintable()
    return line


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "an empty name"),
        ("x" * 300, "File name too long"),
        ("there.html/x", "Not a directory"),
        ("loop.html", "symbolic links"),
        ("pipe.html", "a pipe that nobody writes to"),
        ("/dev/zero", "larger than 64 MiB"),
        ("a\x1b[31m\x1b]0;b\x07\x9b31m\n.html", "a\N{REPLACEMENT CHARACTER}[31m"),
        (b"caf\xe9.html", "caf\N{REPLACEMENT CHARACTER}.html"),
    ],
)
def test_what_cannot_be_inspected_is_said_in_one_plain_line(name, words, tmp_path):
    (tmp_path / "there.html").write_text("<p>")
    (tmp_path / "loop.html").symlink_to("loop.html")
    os.mkfifo(tmp_path / "pipe.html")
    assert words in told(sitewright("inspect", name, cwd=tmp_path))


def test_a_closed_standard_input_is_said():
    run = subprocess.run(
        ["sh", "-c", '"$@" inspect - <&-', "sh", *COMMAND], capture_output=True, check=False
    )
    assert "no standard input" in told(run)


def test_a_pipe_that_somebody_writes_to_is_read(tmp_path):
    command = ["bash", "-c", '"$@" inspect <(echo "<title>Cup</title>")', "bash", *COMMAND]
    assert b'"title": "Cup"' in subprocess.run(command, capture_output=True, check=True).stdout


def test_standard_output_that_is_full_is_said():
    command = ["sh", "-c", 'echo "<p>" | "$@" inspect - > /dev/full', "sh", *COMMAND]
    run = subprocess.run(command, capture_output=True, check=False)
    assert (run.returncode, run.stdout) == (2, b"")
    assert run.stderr == b"sitewright: No space left on device\n"


def test_json_is_utf_8_whatever_the_locale_says(tmp_path):
    (tmp_path / "page.html").write_text("<meta charset=utf-8><title>日本\x9b</title>")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    run = sitewright("inspect", tmp_path / "page.html", env=environment)
    assert '"title": "日本\\u009b"' in run.stdout.decode()


def test_a_pipe_is_no_site(tmp_path):
    os.mkfifo(tmp_path / "site")
    assert "not a site" in told(sitewright("run", "site", "-o", "out", cwd=tmp_path))


INTERRUPTED = "sitewright: interrupted; the same command goes on from here"


@pytest.mark.parametrize("pause", [0.0, 0.002, 0.01, 0.05])
def test_two_interrupts_end_the_program_without_a_traceback(tmp_path, pause):
    (tmp_path / "index.html").write_text("<p>")
    with serve(tmp_path, faults=Faults(paths=True)) as server:
        command = [*interruptible.COMMAND, "inspect", server.url + "_faults/slow?seconds=30"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as run:
            while len(server.paths) < 2 and run.poll() is None:
                time.sleep(0.02)
            run.send_signal(signal.SIGINT)
            time.sleep(pause)  # the program is somewhere on its way out, or has ended
            run.send_signal(signal.SIGINT)
            _, errors = run.communicate(timeout=20)
    # When Python has taken down its signal handlers, the system ends the program itself.
    assert run.returncode in {130, -signal.SIGINT}
    assert errors.replace(INTERRUPTED, "").strip() == ""


def test_a_second_interrupt_does_not_wait_for_work_that_will_not_end():
    program = """
import asyncio, signal
from sitewright.event_loop import InterruptHandler, run_async

async def work():
    try:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(600)
    finally:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(600)

signal.signal(signal.SIGINT, signal.default_int_handler)
InterruptHandler.install()
run_async(work())
"""
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stderr) == (130, INTERRUPTED + "\n")


def test_work_that_is_interrupted_may_clean_up():
    program = """
import asyncio, signal
from sitewright.event_loop import InterruptHandler, run_async

async def work():
    try:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(600)
    finally:
        await asyncio.sleep(0)
        print("clean")

signal.signal(signal.SIGINT, signal.default_int_handler)
InterruptHandler.install()
try:
    run_async(work())
except KeyboardInterrupt:
    print("interrupted")
"""
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, "clean\ninterrupted\n", "")


def test_a_private_address_behind_a_public_name_is_fetched_only_where_that_is_allowed(
    tmp_path, monkeypatch
):
    (tmp_path / "index.html").write_text("<title>Intranet</title>")
    resolve_names(monkeypatch, {"intranet.example.com": "127.0.0.1"})
    with serve(tmp_path) as server:
        url = f"http://intranet.example.com:{server.server_port}/"
        refused = CliRunner().invoke(program, ["inspect", url], standalone_mode=False)
        assert isinstance(refused.exception, UnreadableInput)
        assert "private address" in str(refused.exception)
        allowed = CliRunner().invoke(program, ["inspect", url, "--allow-private"])
    assert json.loads(allowed.stdout)["title"] == "Intranet"
