"""A SQLite database of a project: typed tables, keys that hold, complete or absent."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

import sitewright
from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.export import sqlite as module

PLAYERS = 30
CLUBS = 6
RIVALS = ("Adria", "Borova", "Candor", "Dunmore", "Eskil", "Farrow", "Gildas")


def player(number: int, goals: int) -> str:
    rows = "".join(
        f"<tr class=goal><td class=minute>{(7 * one + 3 * number) % 90}</td>"
        f"<td class=rival>{RIVALS[(5 * one + number) % 7]} {number * one}</td></tr>"
        for one in range(goals)
    )
    return (
        f"<title>Player {number}</title><body class=player><h1 class=name>Player {number}</h1>"
        f"<dl class=facts><dt>Weight<dd class=weight>{number + 50}.5"
        f"<dt>Born<dd class=born>19{number + 50}-05-01"
        f"<dt>Club<dd><a class=club href=../club/{number % CLUBS}.html>Club {number % CLUBS}</a>"
        f"</dl><table class=goals><tr><th>Minute<th>Rival</tr>{rows}</table>"
    )


def club(number: int) -> str:
    members = range(number, PLAYERS, CLUBS)
    links = "".join(f"<li><a href=../player/{one}.html>Player {one}</a></li>" for one in members)
    return (
        f"<title>Club {number}</title><body class=club><h2 class=club-name>Club {number}</h2>"
        f"<p class=city>City {number}</p><ul class=members>{links}</ul>"
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> sitewright.Project:
    folder = tmp_path_factory.mktemp("league")
    clubs = "".join(f"<li><a href=club/{one}.html>Club {one}</a></li>" for one in range(CLUBS))
    pages = {"index.html": f"<title>League</title><body class=home><ol>{clubs}</ol>"}
    pages |= {f"club/{one}.html": club(one) for one in range(CLUBS)}
    pages |= {f"player/{one}.html": player(one, one % 4 + 2) for one in range(PLAYERS)}
    for name, text in pages.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return sitewright.run(folder, tmp_path_factory.mktemp("out"), workers=1)


@pytest.fixture
def database(project, tmp_path):
    project.export("sqlite", tmp_path / "site.db")
    with closing(sqlite3.connect(tmp_path / "site.db")) as opened:
        yield opened


def schema(database, table):
    return {name: kind for _, name, kind, *_ in database.execute(f"PRAGMA table_info({table})")}


def foreign_keys(database, table):
    rows = database.execute(f"PRAGMA foreign_key_list({table})")
    return {column: (target, key) for _, _, target, column, key, *_ in rows}


def test_each_class_and_record_set_is_a_table_with_its_rows(project, database):
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    assert {"player", "club", "player_goals"} <= tables
    for name, table in project.tables.items():
        found = database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
        assert found == len(table) > 0


def test_columns_have_types(project, database):
    columns = schema(database, "player")
    assert columns["weight"] == "REAL"
    assert columns["born"] == "TEXT"
    assert schema(database, "player_goals")["_row"] == "INTEGER"
    records = {record["_url"]: record for record in project["player"].records()}
    for url, weight, born in database.execute("SELECT _url, weight, born FROM player"):
        assert (weight, born) == (records[url]["weight"], records[url]["born"])


def test_keys_lead_from_record_sets_to_pages_and_from_class_to_class(database):
    keys = foreign_keys(database, "player")
    assert ("club", "_url") in keys.values()
    assert foreign_keys(database, "player_goals")["_url"] == ("player", "_url")
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_reference_that_leads_nowhere_is_no_key(project, database, tmp_path, monkeypatch):
    club_table = project.tables["club"]
    first = next(club_table.records())
    lines = tmp_path / "club.jsonl"
    lines.write_text(json.dumps(first) + "\n")
    fewer = project.tables | {"club": replace(club_table, path=lines)}
    module.write_sqlite(tmp_path / "fewer.db", fewer, project.wrappers)
    with closing(sqlite3.connect(tmp_path / "fewer.db")) as opened:
        assert ("club", "_url") not in foreign_keys(opened, "player").values()


def test_the_same_tables_give_the_same_bytes(project, tmp_path):
    project.export("sqlite", tmp_path / "one.db")
    project.export("sqlite", tmp_path / "two.db")
    assert (tmp_path / "one.db").read_bytes() == (tmp_path / "two.db").read_bytes()


def test_a_database_is_complete_or_absent(project, tmp_path, monkeypatch):
    (tmp_path / "site.db").write_bytes(b"before")

    def fails(*_, **__):
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(module, "_make", fails)
    with pytest.raises(UnreadableInput, match="cannot be written: disk I/O error"):
        project.export("sqlite", tmp_path / "site.db")
    assert [path.name for path in tmp_path.iterdir()] == ["site.db"]
    assert (tmp_path / "site.db").read_bytes() == b"before"


def test_places_that_cannot_be_written_are_said_so(project, tmp_path):
    with pytest.raises(UnreadableInput, match="is a folder"):
        project.export("sqlite", tmp_path)
    with pytest.raises(UnreadableInput, match="cannot be written"):
        project.export("sqlite", tmp_path / "nosuch" / "site.db")


def test_a_project_without_records_has_no_database(project, tmp_path):
    bare = sitewright.Project(tmp_path / "out", project.source.site)
    bare.discover()
    with pytest.raises(InputNotFound, match="no records were extracted yet"):
        bare.export("sqlite")
