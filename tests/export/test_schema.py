"""JSON Schema and SQL for every table; the tables validate against them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest
from small_shop import write_shop

import sitewright


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    write_shop(folder / "site")
    return sitewright.run(folder / "site", folder / "out", workers=1)


def test_every_record_validates_against_the_schema_of_its_table(project, tmp_path):
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    project.export("schema", tmp_path)
    checked = 0
    for name, table in project.tables.items():
        schema = json.loads((tmp_path / f"{name}.schema.json").read_text())
        validator = jsonschema.Draft202012Validator(schema)
        validator.check_schema(schema)
        for record in table:
            assert list(validator.iter_errors(record)) == []
            checked += 1
        odd = {**next(iter(table)), "more": 1}
        assert not validator.is_valid(odd)
        assert not validator.is_valid({})
    assert checked >= 19


def test_types_are_those_of_the_columns(project, tmp_path):
    project.export("schema", tmp_path)
    schema = json.loads((tmp_path / "good.schema.json").read_text())
    kinds = {name: one["type"] for name, one in schema["properties"].items()}
    assert kinds["_url"] == "string"
    assert kinds["price"] == ["number", "null"]
    assert schema["required"] == list(schema["properties"])


def test_the_statements_make_all_tables(project, tmp_path):
    made = project.export("schema", tmp_path)
    assert made.files[-1].name == "schema.sql"
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript((tmp_path / "schema.sql").read_text())
        (count,) = database.execute(
            "select count(*) from sqlite_master where type = 'table'"
        ).fetchone()
    assert count == len(project.tables)


def test_pages_and_links_are_in_the_database_with_keys_that_hold(project, tmp_path):
    project.export("sqlite", tmp_path / "site.db")
    with closing(sqlite3.connect(tmp_path / "site.db")) as database:
        assert database.execute("pragma foreign_key_check").fetchall() == []
        keys = {
            table: {row[2:5] for row in database.execute(f"pragma foreign_key_list({table})")}
            for table in ("pages", "links", "good")
        }
        assert ("classes", "class", "name") in keys["pages"]
        assert keys["links"] == {("pages", "source", "url"), ("pages", "target", "url")}
        assert ("pages", "_url", "url") in keys["good"]
        counts = dict(database.execute("select class, count(*) from pages group by 1"))
        assert counts["good"] == 12
        assert sum(counts.values()) == 19
        (linked,) = database.execute(
            "select count(*) from links join pages on target = url where class = 'good'"
        ).fetchone()
        assert linked == 12
        name, pages, records = database.execute(
            "select name, pages, records from classes where name = 'good'"
        ).fetchone()
        assert (name, pages, records) == ("good", 12, 12)
        (title,) = database.execute(
            "select title from pages where url like '%/good/0.html'"
        ).fetchone()
        assert title == "Good 0"
