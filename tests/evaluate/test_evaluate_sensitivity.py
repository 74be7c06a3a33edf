"""What each setting is worth: scores with one setting changed at a time."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sitewright.cli import sitewright as program
from sitewright.errors import InvalidInput
from sitewright.evaluate.sensitivity import (
    Change,
    Effort,
    changes_of,
    measure_sensitivity,
    sensitivity_cases,
    setting_docstrings,
    undecided_settings,
)
from sitewright.settings import Settings, setting_names

PAGE = """<!doctype html><title>{n}</title><h1>Car {n}</h1><table>
<tr><td>Engine</td><td>{n}.0 litres</td></tr>{more}</table>"""
WORDS = "abcdefghijklmnopqrst"
MORE = "".join(f"<tr><td>{word}</td><td>{word} no {{n}}</td></tr>" for word in WORDS)


@pytest.fixture
def cars(tmp_path):
    """Six pages of one site in the form of the SWDE set, with one attribute."""
    folder = tmp_path / "auto" / "auto-cars(6)"
    folder.mkdir(parents=True)
    truth = tmp_path / "groundtruth" / "auto"
    truth.mkdir(parents=True)
    rows = ["auto\tcars\tengine", "6\t6\t6\t6"]
    for n in range(6):
        (folder / f"{n:04}.htm").write_text(PAGE.format(n=n, more=MORE.format(n=n)))
        rows.append(f"{n:04}\t1\t{n}.0 litres")
    (truth / "auto-cars-engine.txt").write_text("\n".join(rows) + "\n")
    return tmp_path


def test_a_share_stays_a_share_and_a_whole_number_moves_by_one():
    share, whole = "crawl.min_agreement", "wrapper.columns.min_filled_pages"
    assert changes_of(share) == [Change(share, "-20%", 0.76), Change(share, "+20%", 1.0)]
    assert changes_of(whole) == [Change(whole, "-20%", 1), Change(whole, "+20%", 3)]
    assert changes_of("crawl.wave_size", with_extremes=True)[2:] == [
        Change("crawl.wave_size", "lowest", 1),
        Change("crawl.wave_size", "highest", 50),
    ]


def test_every_setting_can_be_moved():
    for name in setting_names():
        assert changes_of(name), name
        for change in changes_of(name, with_extremes=True):
            assert Settings.of({name: change.value})[name] == change.value


def test_a_setting_that_decides_changes_the_score_and_another_does_not(cars):
    cases = sensitivity_cases(cars, Effort())
    found = measure_sensitivity(cases, prefix="wrapper.m", with_extremes=True, workers=1)
    scores = {(one.change.setting, one.change.label): one for one in found}
    narrow = scores["wrapper.max_columns", "lowest"]
    assert narrow.changed == narrow.sites == 1
    assert narrow.columns < narrow.base_columns or narrow.score < narrow.base_score
    assert scores["wrapper.max_foreign_share", "-20%"].changed == 0
    assert "wrapper.max_foreign_share" in undecided_settings(found)
    assert "wrapper.max_columns" not in undecided_settings(found)


def test_settings_that_nothing_measures_are_refused(cars):
    cases = sensitivity_cases(cars, Effort())
    with pytest.raises(InvalidInput, match="nothing in DATA"):
        measure_sensitivity(cases, prefix="classes.")
    with pytest.raises(InvalidInput, match="no setting begins so"):
        measure_sensitivity(cases, prefix="wrappers")


def test_the_command_writes_a_row_for_each_change_and_the_page(cars, tmp_path):
    page = tmp_path / "settings.md"
    arguments = ["--set-only", "wrapper.types.min", "--fast", "--workers", "1", "-o", str(page)]
    command = ["evaluate", "sensitivity", str(cars), *arguments]
    done = CliRunner().invoke(program, [*command, "--json"])
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["change"], row["value"], row["sites"]) for row in rows] == [
        ("-20%", 2, 1), ("+20%", 4, 1),
    ]  # fmt: skip
    assert "| `min_counts` | 3 | So many different numbers" in page.read_text()


def test_the_page_of_the_documentation_has_every_setting_and_its_default():
    page = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")
    for name, text in setting_docstrings().items():
        group, _, last = name.rpartition(".")
        section = page.split(f"\n## {group}\n", 1)[1].split("\n## ", 1)[0]
        assert f"| `{last}` | " in section, name
        assert text in section, name
