"""Thresholds: named once, changed by name, in force for one run and recorded with it."""

import asyncio
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

import sitewright
import sitewright.settings
from sitewright.cli import sitewright as program
from sitewright.cli.evaluate import EXPERIMENTS
from sitewright.errors import InvalidInput
from sitewright.project import Project
from sitewright.settings import Settings, current, parse_change, setting_names, using

NAME = "wrapper.repeats.min_similarity"


def test_every_setting_has_a_docstring_and_keeps_its_own_default():
    source = Path(sitewright.settings.__file__).read_text()
    for name in setting_names():
        last = name.rpartition(".")[2]
        declared = [line for line in source.splitlines() if line.startswith(f"    {last}: ")]
        assert declared, name
        assert f'{declared[0]}\n    """' in source, name
        assert Settings().changed_by({name: Settings()[name]}) == Settings(), name


@pytest.mark.parametrize(
    ("given", "meant"),
    [("papers.crescenzi.dt", "papers.crescenzi.dt"), ("dt", "papers.crescenzi.dt"),
     ("st", "papers.crescenzi.dt"),
     ("repeats.min_similarity", NAME), ("min_similarity", NAME)],
)  # fmt: skip
def test_a_setting_is_named_in_full_or_by_its_last_parts(given, meant):
    assert list(Settings.of({given: "0.3"}).changes()) == [meant]


def test_values_are_of_the_type_of_their_setting():
    changed = Settings.of({"max_label_length": "50", "far": 2})
    assert changed.wrapper.labels.max_label_length == 50
    assert isinstance(changed.wrapper.labels.max_label_length, int)
    assert isinstance(changed.papers.liu.far, float)
    assert Settings.of(changed) is changed


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("wrapper.repeat.min_similarty", 0.5, "do you mean wrapper.repeats.min_similarity"),
        ("nothing_like_it_at_all", 1, "docs/settings.md"),
        ("min_constant_share", 0.5, "several settings end so; name one of wrapper.labels.min"),
        (NAME, 1.5, "from 0 to 1; the default is 0.55"),
        (NAME, "much", "no number"),
        (NAME, "nan", "no number"),
        (NAME, True, "no number"),
        (NAME, None, "no number"),
        ("max_columns", 2.5, "whole number"),
        ("max_columns", 0, "1 or more"),
        ("block_likelihood", 1, "between 0 and 1"),
        ("check_growth", -1, "must not be negative"),
    ],
)
def test_wrong_names_and_values_say_what_is_right(name, value, message):
    with pytest.raises(InvalidInput, match=message) as raised:
        Settings.of({name: value})
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ["dt", "dt=", "=1", ""])
def test_a_change_is_a_name_and_a_value(text):
    with pytest.raises(InvalidInput, match="NAME=VALUE"):
        parse_change(text)


def test_settings_are_in_force_inside_of_their_block_only():
    other = Settings.of({NAME: 0.9})
    with using(other):
        assert current() is other
        with using(Settings()):
            assert current() == Settings()
        assert current() is other
        with ThreadPoolExecutor(1) as thread:
            assert thread.submit(current).result() == Settings()
    assert current() == Settings()


def test_runs_at_the_same_time_do_not_see_each_other():
    async def seen(share: float) -> float:
        with using(Settings.of({NAME: share})):
            await asyncio.sleep(0)
            return current().wrapper.repeats.min_similarity

    async def both() -> list[float]:
        return await asyncio.gather(seen(0.1), seen(0.2))

    assert asyncio.run(both()) == [0.1, 0.2]


PAGE = """<!doctype html><title>Good {n}</title><body class=good><h1>Good {n}</h1><dl>
<dt>Price</dt><dd>{n},50</dd><dt>Weight</dt><dd>{n}3 g</dd><dt>Origin</dt><dd>Place {n}</dd>{more}
</dl><a href="{next}.html">next</a></body>"""
RARE = "<dt>Old name</dt><dd>Thing {n}</dd>"


@pytest.fixture
def shop(tmp_path):
    """Pages of one class; all but one have a field more."""
    folder = tmp_path / "shop"
    folder.mkdir()
    for n in range(12):
        more = RARE.format(n=n) if n else ""
        (folder / f"{n}.html").write_text(PAGE.format(n=n, next=(n + 1) % 12, more=more))
    (folder / "index.html").write_text("<title>Home</title><a href='0.html'>first</a>")
    return folder


def most_fields(project: Project) -> int:
    return max(len(one.fields) for one in project.wrappers.values())


def test_what_differs_from_the_defaults_is_recorded_and_read_back(shop, tmp_path):
    usual = sitewright.run(shop, tmp_path / "usual")
    changed = sitewright.run(shop, tmp_path / "changed", settings={"max_columns": 2})
    assert "settings" not in usual.model.parameters
    assert changed.model.parameters["settings"] == {"wrapper.max_columns": 2}
    ids = [json.loads((one.path / "site.json").read_text())["model"] for one in (usual, changed)]
    assert ids[0] != ids[1]
    assert most_fields(usual) > 2 >= most_fields(changed)

    later = Project(tmp_path / "changed")
    assert later.settings.wrapper.max_columns == 2
    later.learn_wrappers()
    assert most_fields(later) <= 2
    assert Project(tmp_path / "changed", settings={"max_columns": 3}).settings["max_columns"] == 3


def test_a_new_model_has_nothing_of_the_settings_of_the_one_before(shop, tmp_path):
    sitewright.run(shop, tmp_path / "out", settings={"max_columns": 2})
    again = sitewright.run(shop, tmp_path / "out")
    assert "settings" not in again.model.parameters
    assert again.settings == Settings()


@pytest.mark.parametrize("workers", [1, 2])
def test_worker_processes_have_the_settings_of_the_job(shop, tmp_path, workers):
    project = sitewright.run(shop, tmp_path / "out")
    strict = Project(tmp_path / "out", settings={"extraction.min_required_share": 1.0})
    usual = project.extract(workers=workers).records.total()
    assert strict.extract(workers=workers).records.total() == usual - 1


def test_a_wrong_setting_is_refused_before_anything_is_read(tmp_path):
    with pytest.raises(InvalidInput, match="no such setting"):
        sitewright.run(tmp_path / "nowhere", tmp_path / "out", settings={"max_colums": 2})


def test_settings_are_given_on_the_command_line(shop, tmp_path):
    out = tmp_path / "out"
    given = ["--set", "max_columns=2", "--set", "papers.crescenzi.dt=0.3"]
    ran = CliRunner().invoke(program, ["run", str(shop), "-o", str(out), "--json", *given])
    assert ran.exit_code == 0, ran.output
    recorded = {"wrapper.max_columns": 2, "papers.crescenzi.dt": 0.3}
    assert json.loads((out / "model.json").read_text())["parameters"]["settings"] == recorded
    assert current() == Settings()


def test_a_wrong_setting_on_the_command_line_is_one_line(tmp_path):
    command = ["run", "http://127.0.0.1:9/", "-o", str(tmp_path / "out"), "--set", "max_colums=2"]
    ran = subprocess.run(
        [sys.executable, "-m", "sitewright", *command], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.startswith(
        "sitewright: max_colums: no such setting; do you mean wrapper.max_columns or "
    )
    assert not (tmp_path / "out").exists()


VERBS = ["run", "discover", "skeleton", "extract", "template", "segment", "match", "learn"]


@pytest.mark.parametrize("verb", [*VERBS, *(f"evaluate {one}" for one in EXPERIMENTS)])
def test_the_verbs_that_decide_something_have_the_option(verb):
    assert "--set NAME=VALUE" in CliRunner().invoke(program, [*verb.split(), "--help"]).output
