"""The command line with what nobody should give it: no traceback, no waiting, no tricks."""

import os
import signal
import subprocess
import sys
import time

import pytest

from examples.cup.faults import Faults
from examples.cup.server import serve
from sitewright.cli.options import crawl_settings

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


@pytest.mark.parametrize("pause", [0.0, 0.002])
def test_a_second_interrupt_ends_the_program_at_once(tmp_path, pause):
    (tmp_path / "index.html").write_text("<p>")
    with serve(tmp_path, faults=Faults(paths=True)) as server:
        command = [*COMMAND, "inspect", server.url + "_faults/slow?seconds=30"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as run:
            while len(server.paths) < 2 and run.poll() is None:
                time.sleep(0.02)
            run.send_signal(signal.SIGINT)
            time.sleep(pause)
            run.send_signal(signal.SIGINT)
            _, errors = run.communicate(timeout=20)
    assert run.returncode in {130, -signal.SIGINT}
    assert "Traceback" not in errors


def test_a_site_of_ones_own_network_can_be_allowed():
    given = {"ignore_robots": False, "allow_private": True, "delay": None}
    assert crawl_settings(**given).allow_private
    assert "--allow-private" in sitewright("inspect", "--help").stdout.decode()
