"""`sitewright fleet` from the command line: exit codes, messages, and the report."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.fleet.small_fleet import digest, write_fleet


def sitewright(*words, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "sitewright", *map(str, words)],
        capture_output=True, text=True, check=False, cwd=cwd,
    )  # fmt: skip


def test_run_and_report(tmp_path):
    archives, out = write_fleet(tmp_path / "w"), tmp_path / "out"
    (archives / "bad.warc.gz").write_bytes(b"this is no archive")
    run = sitewright("fleet", "run", archives, "-o", out, "--workers", 1)
    assert run.returncode == 4
    assert "index-000000 failed" in run.stderr
    assert "bad.warc.gz: not a WARC" in run.stderr
    said = json.loads(run.stdout)
    assert (said["sites"], said["pages"], said["tasks_failed"]) == (3, 53, 1)
    report = sitewright("fleet", "report", out)
    assert report.returncode == 0, report.stderr
    assert json.loads(report.stdout)["learnt"] == 2
    html = (out / "report.html").read_text()
    assert "3 sites in 3 archives" in html
    assert "price" in html
    assert "<script" not in html


def test_a_shard_ends_with_4_and_says_what_is_missing(tmp_path):
    archives = write_fleet(tmp_path / "w")
    run = sitewright("fleet", "run", archives, "-o", tmp_path / "out", "--shard", "1/2")
    assert run.returncode == 4
    assert "the step index is not done" in run.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["run", "nothing.warc.gz", "-o", "out"], "no such file"),
        (["run", ".", "-o", "out"], "no .warc"),
        (["run", "x.warc.gz", "-o", "out", "--shard", "9/3"], "no shard"),
        (["run", "x.warc.gz", "-o", "x.warc.gz"], "is a file"),
        (["report", "nowhere"], "no fleet.json"),
    ],
)
def test_bad_usage_is_one_line_and_2(tmp_path, words, why):
    if "x.warc.gz" in words:
        (tmp_path / "x.warc.gz").write_bytes(b"")
    run = sitewright("fleet", *words, cwd=tmp_path)
    assert run.returncode == 2
    assert why in run.stderr
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.skipif(find_spec("fsspec") is not None, reason="fsspec is here")
def test_a_url_without_fsspec_names_the_extra(tmp_path):
    run = sitewright("fleet", "run", "s3://bucket/w", "-o", tmp_path / "out")
    assert run.returncode == 2
    assert "sitewright[remote]" in run.stderr


@pytest.mark.skipif(
    find_spec("fsspec") is None, reason="fsspec is an extra; make test-spark has it"
)
def test_remote_storage_gives_the_same_bytes(tmp_path):
    """fsspec's own name for this machine goes the way of every other remote storage."""
    archives = write_fleet(tmp_path / "w")
    for where, out in ((str(archives), "here"), (f"local://{archives}", "there")):
        target = tmp_path / out if out == "here" else f"local://{tmp_path / out}"
        run = sitewright("fleet", "run", where, "-o", target, "--workers", 1)
        assert run.returncode == 0, run.stderr
    assert digest(tmp_path / "there") == digest(tmp_path / "here")
