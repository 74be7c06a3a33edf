"""--log-file: what a run did, and a summary of it, however it ended."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest

SUMMARY = ["command", "start", "end", "exit code", "pages", "records", "rejected", "warnings"]
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d")


def sitewright(*arguments, code="from sitewright.cli import main; main()"):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def replaced(body: str) -> str:
    """A program whose `Project.arun` does this instead."""
    return (
        "import asyncio, logging, os, signal\n"
        # Whoever runs tests in the background may have it ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from sitewright.project import Project\n"
        f"async def arun(*_, **__):\n    {body}\n"
        "Project.arun = arun\n"
        "from sitewright.cli import main; main()\n"
    )


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(8):
        text = f"<title>T</title><body class=p><h1>Head {number}</h1><p>{number}"
        (folder / f"{number}.html").write_text(text)
    return folder


def summary(log):
    lines = log.read_text().splitlines()
    start = len(lines) - 1 - lines[::-1].index("summary")
    return dict(re.split(r":\s+", line.strip(), maxsplit=1) for line in lines[start + 1 :])


@pytest.mark.parametrize("place", ["before", "after"])
def test_a_run_is_summed_up_at_the_end_of_the_file(place, site, tmp_path):
    log = tmp_path / "run.log"
    words = ["run", site, "-o", tmp_path / "out", "--workers", "1", "-q"]
    given = ["--log-file", log]
    done = sitewright(*given, *words) if place == "before" else sitewright(*words, *given)
    assert (done.returncode, done.stderr) == (0, "")
    told = summary(log)
    assert list(told) == SUMMARY
    assert told["command"].startswith("sitewright ")
    assert str(site) in told["command"]
    assert MOMENT.fullmatch(told["start"])
    assert MOMENT.fullmatch(told["end"])
    counts = {name: told[name] for name in ("exit code", "pages", "records", "rejected")}
    assert counts == {"exit code": "0", "pages": "8", "records": "8", "rejected": "0"}
    assert "the report: " not in done.stdout
    assert "started: sitewright" in log.read_text()


def test_runs_are_added_to_the_file(site, tmp_path):
    log = tmp_path / "run.log"
    for _ in range(2):
        sitewright("discover", site, "-o", tmp_path / "out", "--log-file", log)
    assert log.read_text().splitlines().count("summary") == 2


def test_what_went_wrong_is_in_the_file(tmp_path):
    log = tmp_path / "run.log"
    done = sitewright("run", "http://127.0.0.1:1/", "-o", tmp_path / "out", "--log-file", log)
    assert done.returncode == 1
    assert done.stderr.strip() in log.read_text()
    assert "no pages found: 1 request" in log.read_text()
    told = summary(log)
    assert (told["exit code"], told["records"]) == ("1", "-")


def test_wrong_usage_is_in_the_file(tmp_path):
    log = tmp_path / "run.log"
    done = sitewright("--log-file", log, "run", tmp_path)
    assert done.returncode == 2
    assert "Missing option '-o'" in log.read_text()
    assert summary(log)["exit code"] == "2"


def test_warnings_are_counted_and_written_even_where_the_terminal_is_quiet(site, tmp_path):
    log = tmp_path / "run.log"
    body = "logging.getLogger('a.b').warning('odd'); raise KeyboardInterrupt"
    words = ("-q", "run", site, "-o", tmp_path / "out", "--log-file", log)
    done = sitewright(*words, code=replaced(body))
    assert done.returncode == 130
    assert "WARNING a.b: odd" in log.read_text()
    assert "odd" not in done.stderr
    assert (summary(log)["warnings"], summary(log)["exit code"]) == ("1", "130")


def test_a_crash_leaves_its_traceback_and_the_summary(site, tmp_path):
    log = tmp_path / "run.log"
    words = ("run", site, "-o", tmp_path / "out", "--log-file", log)
    done = sitewright(*words, code=replaced("raise RuntimeError('unforeseen')"))
    assert done.returncode == 1
    assert "Traceback (most recent call last):" in log.read_text()
    assert "RuntimeError: unforeseen" in log.read_text()
    assert summary(log)["exit code"] == "1"


def test_a_signal_that_ends_the_program_leaves_the_summary(site, tmp_path):
    log = tmp_path / "run.log"
    body = "os.kill(os.getpid(), signal.SIGTERM); await asyncio.sleep(60)"
    words = ("run", site, "-o", tmp_path / "out", "--log-file", log)
    done = sitewright(*words, code=replaced(body))
    assert done.returncode == -signal.SIGTERM
    assert "ended by SIGTERM" in log.read_text()
    assert summary(log)["exit code"] == "143"


def test_the_second_interrupt_leaves_the_summary_too(site, tmp_path):
    log = tmp_path / "run.log"
    body = (
        "os.kill(os.getpid(), signal.SIGINT); os.kill(os.getpid(), signal.SIGINT); "
        "await asyncio.sleep(60)"
    )
    words = ("run", site, "-o", tmp_path / "out", "--log-file", log)
    assert sitewright(*words, code=replaced(body)).returncode == 130
    assert summary(log)["exit code"] == "130"


def test_a_file_that_cannot_be_written_is_a_usage_error(site, tmp_path):
    log = tmp_path / "nosuch" / "run.log"
    done = sitewright("run", site, "-o", tmp_path / "out", "--log-file", log)
    assert done.returncode == 2
    assert "cannot be written: No such file or directory" in done.stderr
    assert not (tmp_path / "out").exists()
