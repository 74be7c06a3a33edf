"""What one model left in a folder never stands beside what another one made."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace

import pytest

from sitewright import formats
from sitewright.errors import OtherModel
from sitewright.export import folder
from sitewright.export.class_tables import extract_site, rejected_pages
from sitewright.extraction.page_results import ExtractionJob
from sitewright.site import open_site
from sitewright.skeleton import SkeletonNode
from sitewright.template import Template
from sitewright.wrapper import LearntFrom, Wrapper
from tests.export.shop_site import discover_shop, item_wrapper, write_shop, write_wrapper


@pytest.fixture
def site(tmp_path):
    return write_shop(tmp_path / "site")


@pytest.fixture
def out(tmp_path, site):
    """A folder with all that a run leaves in it."""
    out = discover_shop(site, tmp_path / "out")
    model = folder.read_model(out)
    identity = formats.identity(model)
    formats.write(out / "skeleton.json", SkeletonNode(model.home, "Home"), model=identity)
    formats.write(out / "classes/item/template.json", Template((), 2, "slots"), model=identity)
    job = ExtractionJob(model, folder.read_wrappers(out, model), workers=1)
    asyncio.run(extract_site(out, open_site(str(site)), job))
    return out


def other_model(out):
    """The same classes, found in another way."""
    return replace(folder.read_model(out), method="paper")


def names(out):
    return {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}


def test_every_json_file_names_the_model(out):
    identity = folder.model_id(out)
    files = sorted(out.rglob("*.json"))
    assert {path.name for path in files} == {
        "model.json", "skeleton.json", "template.json", "wrapper.json", "tables.json",
    }  # fmt: skip
    for path in files:
        header = formats.read_header(path)
        assert header is not None, path
        assert (header.version, header.model) == (formats.VERSION, identity), path


def test_the_same_model_again_removes_nothing(out):
    before = names(out)
    assert folder.write_model(out, folder.read_model(out)) == []
    assert names(out) == before


def test_a_new_model_removes_what_belongs_to_the_old_one(out):
    removed = folder.write_model(out, other_model(out))
    assert names(out) == {"model.json"}
    assert not (out / "classes").exists()
    told = {path.relative_to(out).as_posix() for path in removed}
    assert {"skeleton.json", "rejected.jsonl", "classes/item/wrapper.json"} < told
    assert {"classes/shelf/table.csv", "classes/shelf/tables.json"} < told


def test_the_report_of_an_earlier_model_goes_with_it(out):
    report = out / folder.REPORT
    report.write_text("<p>of the first model", encoding="utf-8")
    folder.write_model(out, folder.read_model(out))
    assert report.exists()
    folder.write_model(out, other_model(out))
    assert not report.exists()


def test_files_that_we_did_not_write_are_never_removed(out):
    strangers = {
        "notes.json": "{}", "classes/item/mine.csv": "a,b\n", "classes/item/table.txt": "x",
        "classes/mine/wrapper.json": '{"format": "other"}', "classes/shelf/template.json": "[]",
        "classes/mine/table.csv": "name,price\n", "classes/mine/tables.json": "{}",
    }  # fmt: skip
    for name, text in strangers.items():
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_text(text)
    (out / "rejected.jsonl").write_text('{"my": "own"}\n')
    folder.write_model(out, other_model(out))
    assert names(out) == {"model.json", "rejected.jsonl", *strangers}


def test_what_links_lead_to_is_not_ours(out, tmp_path):
    (out / "classes/item").rename(tmp_path / "elsewhere")
    (out / "classes/item").symlink_to(tmp_path / "elsewhere")
    before = names(tmp_path / "elsewhere")
    folder.write_model(out, other_model(out))
    assert names(tmp_path / "elsewhere") == before


def test_a_wrapper_of_another_model_is_refused(out):
    formats.write(out / "model.json", other_model(out))
    with pytest.raises(OtherModel, match=r"item.wrapper\.json: belongs to model"):
        folder.read_wrappers(out, folder.read_model(out))
    with pytest.raises(OtherModel, match=r"skeleton\.json: belongs to model"):
        folder.read_skeleton(out)


def test_a_wrapper_by_example_is_kept_and_becomes_the_new_models(out):
    write_wrapper(out, replace(item_wrapper(), learnt_from=LearntFrom.EXAMPLES))
    model = other_model(out)
    removed = folder.write_model(out, model)
    assert out / "classes/item/wrapper.json" not in removed
    assert names(out) == {"model.json", "classes/item/wrapper.json"}
    kept = folder.wrappers_by_example(out, model)
    assert kept == folder.read_wrappers(out, model)
    assert kept["item"].learnt_from is LearntFrom.EXAMPLES


def test_a_wrapper_by_example_is_no_wrapper_of_another_site(out):
    write_wrapper(out, replace(item_wrapper(), learnt_from=LearntFrom.EXAMPLES))
    folder.write_model(out, replace(other_model(out), home="https://other.example/"))
    assert names(out) == {"model.json"}


def test_wrappers_that_pages_taught_are_not_kept(out):
    assert folder.wrappers_by_example(out, folder.read_model(out)) == {}


def test_results_of_version_0_1_are_another_models(out):
    for path in (out / "classes/item/wrapper.json", out / "classes/item/template.json"):
        data = json.loads(path.read_text())
        old = {"format": 1} if path.name == "template.json" else {"version": 1}
        kept = {name: data[name] for name in data if name not in {"version", "model"}}
        path.write_text(json.dumps(kept | old))
    (out / "classes/item/tables.json").unlink()
    (out / "skeleton.json").write_text('{"url": "", "title": "", "kind": "", "children": []}')
    stale = {path.relative_to(out).as_posix() for path in folder.stale_files(out, "other")}
    assert stale == names(out) - {"model.json"}


def test_a_wrapper_says_how_it_was_learnt(out):
    path = out / "classes/item/wrapper.json"
    assert json.loads(path.read_text())["learnt_from"] == "pages"
    assert formats.read(path, Wrapper) == item_wrapper()


def test_an_extraction_removes_what_a_killed_one_left_in_the_folder(tmp_path):
    left = tmp_path / ".rejected.jsonl.n8jg4adh"
    left.write_text("")
    os.utime(left, (0, 0))
    with rejected_pages(tmp_path):
        pass
    assert names(tmp_path) == {"rejected.jsonl"}
