"""Spark does the same tasks, and the same bytes come out: `make test-spark` has what it takes."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from sitewright.fleet import run_fleet
from sitewright.fleet.engines import LocalEngine
from tests.fleet.small_fleet import digest, write_fleet

pytest.importorskip("pyspark", reason="Spark is an extra; make test-spark installs it")
# Spark's own: of versions of pandas, and of sockets that its processes leave to the collector.
pytestmark = pytest.mark.filterwarnings("ignore")
ENVIRONMENT = os.environ | {
    "PYSPARK_PYTHON": sys.executable,
    "SPARK_LOCAL_IP": "127.0.0.1",
    "PYSPARK_SUBMIT_ARGS": "--master local[2] --conf spark.ui.enabled=false pyspark-shell",
}


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """Archives, and what the processes of this machine make of them."""
    folder = tmp_path_factory.mktemp("fleet")
    archives = write_fleet(folder / "w", files=3)
    (folder / "w" / "bad.warc.gz").write_bytes(b"this is no archive")
    run_fleet([str(archives)], folder / "local", engine=LocalEngine(2))
    return archives, digest(folder / "local")


def test_a_session_of_the_users_own_gives_the_same_bytes(local, tmp_path, monkeypatch):
    """As in a notebook: the session that is active does the work, and stays as it is."""
    from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra

    from sitewright.fleet.spark import SparkEngine  # noqa: PLC0415 - an extra

    for name in ("PYSPARK_PYTHON", "SPARK_LOCAL_IP"):
        monkeypatch.setenv(name, ENVIRONMENT[name])
    archives, wanted = local
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.getOrCreate()
    try:
        summary = run_fleet([str(archives)], tmp_path / "out", engine=SparkEngine())
        assert session.range(3).count() == 3
    finally:
        session.stop()
    assert [task for task, _ in summary.failed] == ["index-000000"]
    assert digest(tmp_path / "out") == wanted


def test_the_command_line_begins_a_session(local, tmp_path):
    archives, wanted = local
    words = ["fleet", "run", str(archives), "-o", str(tmp_path / "out"), "--engine", "spark"]
    run = subprocess.run(
        [sys.executable, "-m", "sitewright", *words],
        env=ENVIRONMENT, capture_output=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert run.returncode == 4, run.stderr
    assert digest(tmp_path / "out") == wanted


def test_spark_submit_runs_the_command(local, tmp_path):
    archives, wanted = local
    program = tmp_path / "submitted.py"
    program.write_text("from sitewright.cli import main\nmain()\n")
    words = ["fleet", "run", str(archives), "-o", str(tmp_path / "out"), "--engine", "spark"]
    home = str(Path(find_spec("pyspark").origin).parent)
    submit = [
        f"{home}/bin/spark-submit",
        "--master",
        "local[2]",
        "--conf",
        "spark.ui.enabled=false",
    ]
    run = subprocess.run(
        [*submit, str(program), *words],
        env={**ENVIRONMENT, "SPARK_HOME": home}, capture_output=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert run.returncode == 4, run.stderr
    assert digest(tmp_path / "out") == wanted
