"""Folders and files of version 0.1 are brought to the formats of today."""

from __future__ import annotations

import json

import pytest

from sitewright import formats
from sitewright.classes import SiteModel
from sitewright.errors import InputNotFound, UnreadableInput, WrongFormatVersion
from sitewright.export import folder
from sitewright.export.tables import TableListing
from sitewright.export.upgrade import upgrade_folder
from sitewright.methods import Trained, shipped
from sitewright.page.rendering import Rendering
from sitewright.site.open import read_source
from sitewright.template import Template
from sitewright.wrapper import LearntFrom, Wrapper

PAGE_CLASS = {
    "name": "item", "url_template": "/item/{n}.html", "url_pattern": "/item/[0-9]+",
    "url_precision": 1.0, "url_recall": 1, "visited": 2, "size": 2,
    "samples": ["http://a.example/item/1.html"], "entry_points": [], "nearest": None,
    "distinguishing": ["html/body"], "schema": {"1": 2}, "scores": {"0": -1.5}, "prior": 0.0,
    "worst": 3.5, "is_stub": False, "pages": ["http://a.example/item/1.html"],
}  # fmt: skip
MODEL = {
    "format": "sitewright-model", "version": 1, "home": "http://a.example/", "method": "sitewright",
    "parameters": {"seed": 0}, "visited": 2, "paths": [[0, ""], [0, "html"]], "path_columns": [1],
    "address_columns": [["item"]], "skip": 0, "classes": [PAGE_CLASS],
    "links": [{"source": "item", "target": "item", "path": "html/a", "links": 2, "pages": 1}],
    "curve": [[2, 1.0]], "queue": [[2, 0]],
}  # fmt: skip


def field(name: str, **more: object) -> dict[str, object]:
    return {
        "name": name, "xpath": f"//*[@id='{name}']", "pattern": "", "type": {"kind": "text"},
        "many": False, "raw": False, "coverage": 1.0, "confidence": 0.9, "stability": 1.0,
        "named_by": "label", "references": None, "samples": ["x"], **more,
    }  # fmt: skip


WRAPPER = {
    "format": "sitewright-wrapper", "version": 1, "class": "item", "pages": 2, "rows": None,
    "key": ["title"], "required": ["title"],
    "fields": [field("title"), field("price", type={"kind": "decimal", "decimal_mark": "."})],
    "record_sets": [
        {"name": "parts", "xpath": "//li", "coverage": 1.0, "rows": 1.0, "fields": [field("part")]}
    ],
    "dropped": [{"xpath": "//i", "reason": "constant", "sample": "x"}],
}  # fmt: skip
TEMPLATE = {
    "format": 1, "method": "slots", "pages": 2, "tokens": ["<p>", "Price"], "support": [1.0, 0.5],
    "kinds": ["start", "text"],
}  # fmt: skip
SKELETON = {
    "url": "http://a.example/", "title": "Home", "kind": "navigation",
    "children": [
        {"url": f"http://a.example/item/{n}.html", "title": "", "kind": "content", "children": []}
        for n in (1, 2)
    ],
}  # fmt: skip
SOURCE = {"site": "https://a.example/", "base_url": None, "home": None, "scope": "host"}


@pytest.fixture
def old(tmp_path):
    """A small folder as version 0.1 wrote it."""
    item = tmp_path / "out/classes/item"
    item.mkdir(parents=True)
    files = {
        "model.json": MODEL, "site.json": SOURCE, "skeleton.json": SKELETON,
        "classes/item/template.json": TEMPLATE, "classes/item/wrapper.json": WRAPPER,
    }  # fmt: skip
    for name, data in files.items():
        (tmp_path / "out" / name).write_text(json.dumps(data))
    record = {"_url": "u", "title": "x", "price": 1.5, "parts": [{"part": "y"}]}
    (item / "table.jsonl").write_text(json.dumps(record) + "\n")
    (item / "table.csv").write_text("_url,title,price,parts\nu,x,1.5,\n")
    (item / "parts.jsonl").write_text('{"_url": "u", "_row": 1, "part": "y"}\n')
    (item / "parts.csv").write_text("_url,_row,part\nu,1,y\n")
    return tmp_path / "out"


def test_an_old_folder_is_refused_with_the_command_that_helps(old):
    with pytest.raises(WrongFormatVersion, match=r"1, but .* 3; .* sitewright upgrade OUT"):
        folder.read_model(old)
    with pytest.raises(WrongFormatVersion, match="sitewright upgrade OUT"):
        read_source(old)


def test_every_file_of_an_old_folder_can_be_read_after_the_upgrade(old):
    upgrade_folder(old)
    model = folder.read_model(old)
    assert model.classes[0].schema == {1: 2}
    assert model.links[0].targets == 0
    assert read_source(old).site == "https://a.example/"
    assert [node.url[-6:] for _, _, node in folder.read_skeleton(old).walk()][1:] == [
        "1.html", "2.html",
    ]  # fmt: skip
    wrapper = folder.read_wrappers(old, model)["item"]
    assert wrapper.learnt_from is LearntFrom.PAGES
    assert [one.name for one in wrapper.all_fields()] == ["title", "price", "part"]
    template = formats.read(old / "classes/item/template.json", Template)
    assert [token.support for token in template] == [1.0, 0.5]
    listing = formats.read(old / "classes/item/tables.json", TableListing)
    assert [(table.name, table.rows) for table in listing.tables] == [("table", 1), ("parts", 1)]


def test_all_files_of_an_upgraded_folder_are_of_its_model(old):
    upgrade_folder(old)
    assert folder.stale_files(old, formats.identity(folder.read_model(old))) == []


def test_an_upgrade_is_done_once(old):
    assert len(upgrade_folder(old)) == 6
    before = {path: path.read_bytes() for path in old.rglob("*.json")}
    assert upgrade_folder(old) == []
    assert {path: path.read_bytes() for path in old.rglob("*.json")} == before


def test_an_upgrade_that_was_interrupted_goes_on(old):
    upgrade_folder(old)
    (old / "classes/item/wrapper.json").write_text(json.dumps(WRAPPER))
    assert upgrade_folder(old) == [old / "classes/item/wrapper.json"]
    assert folder.read_wrappers(old, folder.read_model(old))


def test_a_wrapper_by_example_is_known_by_its_fields(old):
    by_example = {**WRAPPER, "fields": [field("title", named_by="example")]}
    (old / "classes/item/wrapper.json").write_text(json.dumps(by_example))
    upgrade_folder(old)
    assert list(folder.wrappers_by_example(old, folder.read_model(old))) == ["item"]
    assert not (old / "classes/item/tables.json").exists(), "the tables are of another wrapper"


def test_strangers_files_stay_as_they_are(old):
    for name in ("site.json", "classes/item/template.json"):
        (old / name).write_text('{"mine": 1}')
    upgrade_folder(old)
    for name in ("site.json", "classes/item/template.json"):
        assert (old / name).read_text() == '{"mine": 1}'


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("model.json", '{"format": "sitewright-model", "version": 99}', "99, .* reads 3"),
        ("model.json", '{"format": "sitewright-model", "version": 1}', "a damaged"),
        ("classes/item/wrapper.json", '{"format": "sitewright-wrapper", "version": 1}', "damaged"),
        ("model.json", "{}", "not a sitewright-model file"),
    ],
)
def test_what_cannot_be_upgraded_is_said_and_nothing_is_written(old, name, text, why):
    (old / name).write_text(text)
    before = {path: path.read_bytes() for path in old.rglob("*.json")}
    with pytest.raises((UnreadableInput, WrongFormatVersion), match=why):
        upgrade_folder(old)
    assert {path: path.read_bytes() for path in old.rglob("*.json")} == before


def test_a_file_alone_can_be_upgraded(tmp_path):
    path = tmp_path / "template.json"
    path.write_text(json.dumps(TEMPLATE))
    assert upgrade_folder(path) == [path]
    assert len(formats.read(path, Template)) == 2
    numbers = {name: formats.plain(shipped())[name] for name in ("paper", "evidence")}
    path.write_text(json.dumps({"format": 1, **numbers}))
    upgrade_folder(path)
    assert formats.read(path, Trained) == shipped()
    style = [16, 400, "black", "white", 1, "block", "static", "none", 0, "left"]
    node = [-1, "html", [0, 0, 9, 9], 1, 0, "", [["id", "a"]]]
    page = {"url": "u", "title": "", "viewport": [8, 6], "width": 8, "height": 9}
    path.write_text(json.dumps({"format": 1, **page, "styles": [style], "nodes": [node]}))
    upgrade_folder(path)
    assert formats.read(path, Rendering).nodes[0].visible is True


def test_what_is_not_there_or_not_ours_is_said(tmp_path):
    with pytest.raises(InputNotFound):
        upgrade_folder(tmp_path / "nowhere")
    with pytest.raises(InputNotFound, match=r"no model\.json here"):
        upgrade_folder(tmp_path)
    (tmp_path / "mine.json").write_text("{}")
    with pytest.raises(UnreadableInput, match="no file of sitewright"):
        upgrade_folder(tmp_path / "mine.json")


def test_the_old_names_are_those_of_today():
    assert (MODEL["format"], WRAPPER["format"]) == (SiteModel.FORMAT, Wrapper.FORMAT)
