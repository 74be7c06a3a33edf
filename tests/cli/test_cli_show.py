"""`sitewright show`: the classes of a project, and the table of one class."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

import sitewright
from sitewright import formats
from sitewright.cli import sitewright as program
from sitewright.cli.console import Console
from sitewright.errors import InputNotFound, UnknownName
from sitewright.export.class_tables import write_wrapper
from sitewright.wrapper.wrapper import SHARED, RejectedColumn

BOOKS = 30


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("books")
    links = "".join(f"<li><a href=book/{one}.html>{one}</a></li>" for one in range(BOOKS))
    (folder / "index.html").write_text(f"<title>Books</title><body><ul>{links}</ul>")
    (folder / "book").mkdir()
    for one in range(BOOKS):
        prize = f"<dt>Prize<dd class=prize>Prize \x1b[31m{one}" if one % 2 else ""
        (folder / f"book/{one}.html").write_text(
            f"<title>B{one}</title><body class=book><h1 class=title>Volume {one}</h1>"
            f"<dl><dt>Pages<dd class=pages>{one + 100}<dt>Born<dd class=born>19{one + 50}-05-01"
            f"{prize}</dl><p class=back><a href=../index.html>All</a>"
        )
    return folder


@pytest.fixture(scope="module")
def out(site, tmp_path_factory):
    return sitewright.run(site, tmp_path_factory.mktemp("out"), workers=1).path


def run(*words: object):
    return CliRunner().invoke(program, [*map(str, words)], standalone_mode=False)


@pytest.fixture
def terminal(monkeypatch):
    """As on a terminal: no pipe that wants JSON."""
    monkeypatch.setattr(Console, "speaks_json", lambda _, asked_for: asked_for)
    monkeypatch.setenv("COLUMNS", "140")


def test_programs_get_the_classes_with_their_records(out):
    book, _home = map(json.loads, run("show", out).stdout.splitlines())
    assert (book["name"], book["records"]) == ("book", BOOKS)
    assert book["url_template"] == "/book/{id}.html"


def test_people_get_the_classes_as_a_table(out, terminal):
    shown = run("show", out).stdout
    assert "records" in shown
    assert f"{BOOKS}" in next(line for line in shown.splitlines() if "/book/" in line)


def test_programs_get_the_columns_and_the_first_records_of_a_class(out):
    lines = [json.loads(line) for line in run("show", out, "book", "--json").stdout.splitlines()]
    columns = {line["name"]: line for line in lines if "name" in line}
    assert columns["pages"] == {
        "table": "book", "name": "pages", "type": "integer", "filled": 1.0,
        "samples": [100, 101, 110], "distinct": 30,
    }  # fmt: skip
    assert columns["born"]["type"] == "date"
    assert columns["prize"]["filled"] == 0.5
    records = [line["record"] for line in lines if "record" in line]
    assert records[0]["pages"] == 100
    assert len(records) == 5


def test_people_get_the_columns_and_the_first_rows_and_nothing_that_a_terminal_obeys(out, terminal):
    shown = run("show", out, "book").stdout
    for words in ("URL pattern", "/book/{id}.html", "column", "filled", "50%", "Volume 0"):
        assert words in shown
    assert "\x1b" not in shown
    assert "other classes say it" not in shown


def test_people_see_what_a_table_lacks_because_other_classes_or_all_pages_say_it(
    site, tmp_path, terminal
):
    out = sitewright.run(site, tmp_path, workers=1).path
    wrapper = sitewright.load(out)["book"].wrapper
    dropped = (RejectedColumn("//p", SHARED, "Acme Ltd"),)
    place = replace(wrapper.fields[0], name="kind", samples=("Novel",))
    model = formats.identity(sitewright.load(out).model)
    write_wrapper(out, replace(wrapper, dropped=dropped, constants=(place,)), model=model)
    shown = " ".join(run("show", out, "book").stdout.split())
    assert "other classes say it, too 1 left out: Acme Ltd" in shown
    assert "all pages say it kind: Novel" in shown


def test_a_class_that_is_not_there_and_a_folder_without_results_are_said_so(out, tmp_path):
    unknown = run("show", out, "film").exception
    assert isinstance(unknown, UnknownName)
    assert str(unknown) == "film: no such class; there are book, home"
    assert isinstance(run("show", tmp_path).exception, InputNotFound)


def test_a_site_that_was_only_discovered_has_no_records_yet(site, tmp_path):
    assert run("discover", site, "-o", tmp_path / "out").exit_code == 0
    shown = run("show", tmp_path / "out")
    assert json.loads(shown.stdout.splitlines()[0])["records"] == 0
    assert "no records were extracted yet" in shown.stderr
    assert run("show", tmp_path / "out", "book").exit_code == 0
