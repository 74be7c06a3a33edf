"""The ledger of scores: what is compared, and when it fails."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.scores import ROWS, Ledger, compare, table

ROW = "classes/first"
FEWER = "swde-dev/columns"


def ledger(**rows):
    found = Ledger()
    for row, values in rows.items():
        for site, value in values.items():
            found.add(site, {{"classes": ROW, "columns": FEWER}[row]: value})
    return found.as_json()


def is_worse(before, now):
    (one,) = compare(before, now)
    return one.is_worse


def test_a_row_has_its_mean_its_worst_site_and_its_sites_in_order():
    row = ledger(classes={"b": 0.5, "a": 1.0})[ROW]
    assert (row["mean"], row["worst"], list(row["sites"])) == (0.75, 0.5, ["a", "b"])
    assert row["data"] == "development"


def test_a_mean_may_fall_by_its_tolerance_and_no_more():
    before = ledger(classes={"a": 0.9})
    tolerance = ROWS[ROW].tolerance
    assert not is_worse(before, ledger(classes={"a": 0.9 - tolerance}))
    assert is_worse(before, ledger(classes={"a": 0.9 - tolerance - 0.001}))
    assert not is_worse(before, ledger(classes={"a": 1.0}))


def test_more_columns_are_worse():
    assert is_worse(ledger(columns={"a": 40}), ledger(columns={"a": 42}))
    assert not is_worse(ledger(columns={"a": 40}), ledger(columns={"a": 30}))


def test_sites_that_only_one_side_has_do_not_count():
    before = ledger(classes={"a": 0.9, "gone": 1.0})
    assert not is_worse(before, ledger(classes={"a": 0.9, "new": 0.1}))
    assert compare(before, ledger(classes={"new": 0.1})) == []


def test_the_mean_of_a_quarter_of_the_sites_may_move_twice_as_far():
    before = ledger(classes=dict.fromkeys("abcd", 0.9))
    (one,) = compare(before, ledger(classes={"a": 0.9}))
    assert one.tolerance == pytest.approx(2 * ROWS[ROW].tolerance)


def test_the_table_marks_what_is_worse():
    now = ledger(classes={"a": 0.5}, columns={"a": 3})
    told = table(now, compare(ledger(classes={"a": 0.9}), now)).splitlines()
    assert told[1].startswith(ROW)
    assert told[1].endswith("WORSE")
    assert not told[2].endswith("WORSE")


def test_without_data_it_says_so_and_ends_well(tmp_path):
    project = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.scores", "--short"],
        cwd=project,
        env={"SITEWRIGHT_DATA": str(tmp_path / "none"), "PYTHONPATH": f"{project}/src"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "skipped, there is no labelled data" in done.stderr
