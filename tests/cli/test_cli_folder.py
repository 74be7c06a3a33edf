"""Several commands on one folder: results of two models never mix, and work by hand is kept."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from sitewright import formats
from sitewright.export import folder
from tests.export.shop_site import write_shop
from tests.export.test_output_upgrade import MODEL


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A shop and the results of `run`."""
    place = tmp_path_factory.mktemp("shop")
    sitewright("run", write_shop(place / "site"), "-o", place / "out")
    return place


@pytest.fixture
def site(shop, tmp_path):
    return shutil.copytree(shop / "site", tmp_path / "site")


@pytest.fixture
def out(shop, tmp_path):
    return shutil.copytree(shop / "out", tmp_path / "out")


def sitewright(*arguments, code=0):
    command = [sys.executable, "-m", "sitewright", *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == code, run.stderr
    return run


def class_names(out):
    return {path.name for path in (out / "classes").iterdir()}


def test_a_second_run_with_other_options_leaves_nothing_of_the_first(out, site):
    assert {"item", "shelf", "talk"} <= class_names(out)
    shutil.rmtree(site / "item")
    run = sitewright("run", site, "-o", out, "--method", "paper")
    model = folder.read_model(out)
    assert "item" not in {one.name for one in model.classes}
    assert class_names(out) <= {one.name for one in model.classes}
    assert "what belonged to another model: " in run.stderr
    assert "classes/item/table.jsonl" in run.stderr
    for path in out.rglob("*.json"):
        header = formats.read_header(path)
        assert header is not None
        assert header.model == formats.identity(model), path


def test_the_same_run_again_removes_nothing_and_changes_no_byte(out, site):
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    run = sitewright("run", site, "-o", out)
    assert "another model" not in run.stderr
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_a_new_model_takes_wrappers_tables_and_skeleton_of_the_old_one_away(out, site):
    sitewright("discover", site, "-o", out, "--method", "paper")
    assert {path.name for path in out.rglob("*")} == {"model.json", "report.html", "site.json"}
    run = sitewright("extract", out, site, code=2)
    assert "no class has a wrapper here" in run.stderr


def test_wrappers_of_another_model_are_refused(out, site, tmp_path):
    sitewright("discover", site, "-o", tmp_path / "other", "--method", "paper")
    (tmp_path / "other/model.json").replace(out / "model.json")
    before = (out / "classes/item/table.jsonl").read_bytes()
    run = sitewright("extract", out, site, code=2)
    assert "wrapper.json: belongs to model " in run.stderr
    assert run.stderr.count("\n") == 1
    assert (out / "classes/item/table.jsonl").read_bytes() == before


def test_run_keeps_what_examples_taught(out, site):
    sitewright("learn", out, "--class", "item", "--field", "cost=3.50")
    learnt = (out / "classes/item/wrapper.json").read_bytes()
    sitewright("run", site, "-o", out)
    assert (out / "classes/item/wrapper.json").read_bytes() == learnt
    record = json.loads((out / "classes/item/table.jsonl").read_text().splitlines()[0])
    assert "cost" in record
    assert "talk" in class_names(out)
    sitewright("run", site, "-o", out, "--relearn")
    record = json.loads((out / "classes/item/table.jsonl").read_text().splitlines()[0])
    assert "cost" not in record


def test_an_old_folder_is_upgraded(tmp_path):
    (tmp_path / "model.json").write_text(json.dumps(MODEL))
    refused = sitewright("show", tmp_path, code=2)
    assert "format version 1, but this program reads 2" in refused.stderr
    assert "sitewright upgrade OUT" in refused.stderr
    run = sitewright("upgrade", tmp_path)
    assert json.loads(run.stdout) == {"upgraded": str(tmp_path / "model.json")}
    assert json.loads(sitewright("show", tmp_path).stdout)["name"] == "item"
    assert sitewright("upgrade", tmp_path).stdout == ""


def test_results_inside_a_site_are_no_pages_of_it(shop, tmp_path):
    site = shutil.copytree(shop / "site", tmp_path / "site")
    shutil.copytree(shop / "out", site / "results")
    told = sitewright("discover", site, "-o", tmp_path / "out", "--all-pages")
    assert json.loads(told.stdout)["pages"] == len(list((shop / "site").rglob("*.html")))
